"""``fabricwright check FILE``: what the rule book says about a design, and, with ``--fix``, mending it."""

from __future__ import annotations

from fabricwright.analysis.mend import mend
from fabricwright.cli.arguments import Arguments, Parser
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, analysis_of, open_project
from fabricwright.design.adopt import told_difference
from fabricwright.design.effective import effective
from fabricwright.design.storage import save
from fabricwright.design.values import Design, Project
from fabricwright.rules.approvals import Judged
from fabricwright.rules.finding import SEVERITIES
from fabricwright.rules.registry import all_rules
from fabricwright.rules.run import count, findings_to_json
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

SUMMARY = msg("check a design against the rules")

FAIL_ON = ("error", "warning", "info")
MOST_PLACES = 4


def add_arguments(parser: Parser) -> None:
    """FILE, ``--fail-on``, ``--fix``, ``-o``, and the filters."""
    from fabricwright.cli.arguments import add_project

    add_project(parser)
    parser.add_argument(
        "--fail-on", choices=FAIL_ON, default="error", help=parser.say(msg("exit with 1 from this severity on"))
    )
    parser.add_argument(
        "--fix", metavar="RULE", help=parser.say(msg("apply the fixes that this rule offers; needs -o"))
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help=parser.say(msg("project file to write the mended project to"))
    )
    parser.add_argument("--facts", action="store_true", help=parser.say(msg("also print what is not a problem")))
    parser.add_argument(
        "--severity", choices=SEVERITIES, action="append", help=parser.say(msg("only findings of this severity"))
    )
    parser.add_argument("--sheet", metavar="NAME", help=parser.say(msg("only findings on this sheet")))
    parser.add_argument("--group", metavar="ITEM", help=parser.say(msg("only findings at this group or part")))
    parser.add_argument(
        "--find", metavar="TEXT", help=parser.say(msg("only findings whose rule, place or text has this"))
    )


def run(arguments: Arguments, out: Output) -> int:
    """Check, perhaps mend and check again; 1 when something at or above ``--fail-on`` is not approved."""
    if (arguments.fix is None) != (arguments.output is None):
        raise UserError(msg("fabricwright check: --fix RULE and -o FILE go together."))
    project, design = open_project(arguments)
    _check_places(project, project.designs[design], arguments)
    analysis = analysis_of(project, design, arguments)
    with Working(arguments):
        if arguments.fix is not None:
            rule = _rule(arguments.fix)
            mended = mend(project, rule, lambda p: analysis_of(p, design, arguments))
            if not mended.fixed:
                raise UserError(msg("rule {rule} offers no fix in design '{design}'.", rule=rule, design=design))
            save(mended.project, arguments.output)
            analysis = analysis_of(mended.project, design, arguments)
            count = mended.fixed
            out.say(msg("{file}: {count} fixes of {rule} applied.", file=arguments.output, count=count, rule=rule))
        judged = [entry for entry in analysis.judged if _chosen(entry, arguments, out.lang)]
    code = report(judged, arguments.fail_on, arguments.facts or "fact" in (arguments.severity or ()), out)
    told = told_difference(project)
    if told is not None:
        out.say(told)
    return code


def _check_places(project: Project, design: Design, arguments: Arguments) -> None:
    """Names that do not exist would pass for a clean design."""
    if arguments.sheet and arguments.sheet not in design.sheets:
        known = ", ".join(sorted(design.sheets))
        raise UserError(
            msg("Sheet '{sheet}' does not exist; this design has {known}.", sheet=arguments.sheet[:60], known=known)
        )
    if arguments.group and not any(arguments.group in effective(project, design, s).items for s in design.sheets):
        raise UserError(msg("Group '{group}' does not exist in this design.", group=arguments.group[:60]))


def _rule(name: str) -> str:
    for rule in all_rules():
        if rule.casefold() == name.casefold():
            return rule
    raise UserError(msg("there is no rule '{rule}'.", rule=name[:40]))


def _chosen(entry: Judged, arguments: Arguments, lang: str) -> bool:
    """Whether a finding passes ``--severity``, ``--sheet``, ``--group`` and ``--find``: the filters of the panel."""
    finding = entry.finding
    places = [str(address) for address in finding.at]
    if arguments.severity and finding.severity not in arguments.severity:
        return False
    if arguments.sheet and finding.sheet != arguments.sheet:
        return False
    if arguments.group and not any(arguments.group in (step.item for step in at.steps) for at in finding.at):
        return False
    text = " ".join((finding.rule, *places, finding.message.text(lang)))
    return not arguments.find or arguments.find.casefold() in text.casefold()


def report(judged: list[Judged], fail_on: str, with_facts: bool, out: Output) -> int:
    """Print findings (approved ones last) and counts; the exit code."""
    facts = [entry for entry in judged if entry.finding.severity == "fact"]
    rows = [entry for entry in judged if entry.finding.severity != "fact"]
    rows.sort(key=lambda entry: entry.approval is not None)
    counts = count(rows)
    out.document(findings_to_json([*rows, *facts], out.lang))
    for entry in [*rows, *(facts if with_facts else [])]:
        out.say(_line(entry))
    out.say(
        msg(
            "errors: {errors}, warnings: {warnings}, infos: {infos}, approved: {approved}, facts: {facts}",
            errors=counts["error"],
            warnings=counts["warning"],
            infos=counts["info"],
            approved=counts["approved"],
            facts=len(facts),
        )
    )
    worst = FAIL_ON[: FAIL_ON.index(fail_on) + 1]
    return 1 if any(counts[severity] for severity in worst) else 0


def _line(entry: Judged) -> Message:
    finding = entry.finding
    place: Message | str = ", ".join(str(a) for a in finding.at[:MOST_PLACES])
    if len(finding.at) > MOST_PLACES:
        place = f"{place} … (+{len(finding.at) - MOST_PLACES})"
    words = {"error": msg("error"), "warning": msg("warning"), "info": msg("info"), "fact": msg("fact")}
    line = msg(
        "{severity}  {rule}  {place}: {text}",
        severity=words[finding.severity],
        rule=finding.rule,
        place=place or msg("the whole design"),
        text=finding.message,
    )
    if finding.estimate:
        line = msg("{finding} [estimate]", finding=line)
    if entry.approval is not None:
        approval = entry.approval
        why = "; ".join(t for t in (approval.reason, f"{approval.author} {approval.date}".strip()) if t)
        return msg("approved: {finding} ({why})", finding=line, why=why)
    if finding.fix:
        return msg("{finding} [fix offered]", finding=line)
    return line
