"""``fabricwright compare FILE``: designs of a project side by side; and how comparisons are printed."""

from __future__ import annotations

from collections.abc import Sequence

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.compare import Comparison, PairDifference, Side, compare
from fabricwright.analysis.compare_page import comparison_page
from fabricwright.analysis.compare_rows import ClaimRow, PartDelta
from fabricwright.catalog.kind_words import kind_words
from fabricwright.cli import painting
from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Cell, Output, suffix_of, write_file
from fabricwright.cli.projects import Working, open_project
from fabricwright.design.diff import RowChange
from fabricwright.design.order import designs_in_order
from fabricwright.design.values import Project
from fabricwright.exchange.compliance import answer_words
from fabricwright.exchange.svg import svg_bytes
from fabricwright.rules.approvals import Judged
from fabricwright.units.errors import UserError
from fabricwright.units.figure_text import NOTHING, difference_text, figure_text
from fabricwright.units.quantity import format_size, parse_sizes
from fabricwright.units.text import Message, msg

SUMMARY = msg("designs of a project side by side")
FORMATS = (".svg", ".pdf", ".png")
MOST_FIELDS = 3


def add_arguments(parser: Parser) -> None:
    """FILE, which designs, at which size."""
    add_project(parser)
    parser.add_argument(
        "--designs",
        metavar="A,B,...",
        help=parser.say(msg("designs to compare, the first one with each of the others")),
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="X.svg",
        help=parser.say(msg("page to write with the first two side by side, .svg, .pdf or .png")),
    )
    add_size(parser)


def add_size(parser: Parser) -> None:
    """``--size``, which rates are told at."""
    parser.add_argument("--size", metavar="SIZE", default="1G", help=parser.say(msg("buffer size such as 64M or 1G")))


def run(arguments: Arguments, out: Output) -> int:
    """Compare and print; 0 whatever the differences are."""
    size = size_of(arguments)
    suffix = suffix_of(arguments.output, FORMATS) if arguments.output is not None else ""
    project, first = open_project(arguments)
    names = _designs(arguments, project, first)
    cache = StageCache()
    with Working(arguments):
        found = compare([Side(analyze(project, name, cache=cache)) for name in names], size)
    out.document(found.to_json(out.lang))
    if arguments.output is not None:
        write_page(found, arguments.output, suffix, out.lang)
        out.say(msg("{file}: written", file=arguments.output))
    else:
        print_comparison(found, out)
    return 0


def write_page(found: Comparison, path: str, suffix: str, lang: str) -> None:
    """The comparison as a drawing. Raises UserError naming the file."""
    page = comparison_page(found, lang)
    if suffix == ".svg":
        data = svg_bytes(page)
    else:
        paint = painting.painter()
        data = paint.pdf([page], title=page.title) if suffix == ".pdf" else paint.png(page)
    write_file(path, data)


def size_of(arguments: Arguments) -> int:
    """The one size asked for. Raises UserError."""
    sizes = parse_sizes(arguments.size)
    if len(sizes) != 1:
        raise UserError(msg("--size: expected one size, found '{value}'.", value=arguments.size[:60]))
    return sizes[0]


def _designs(arguments: Arguments, project: Project, first: str) -> list[str]:
    order = designs_in_order(project)
    if arguments.designs is None:
        wanted = [first, *(name for name in order if name != first)]
    else:
        wanted = [name.strip() for name in arguments.designs.split(",") if name.strip()]
    for name in wanted:
        if name not in project.designs:
            raise UserError(
                msg(
                    "{file}: design '{design}' does not exist; this project has {known}.",
                    file=arguments.file,
                    design=name[:60],
                    known=order,
                )
            )
    if len(wanted) < 2:
        raise UserError(
            msg("{file}: two designs are needed, found {known}.", file=arguments.file, known=", ".join(wanted) or "-")
        )
    return wanted


# -- printing ---------------------------------------------------------------------------------------------------------


def print_comparison(found: Comparison, out: Output) -> None:
    """Figures of all sides, then what lies between the first and each other, then the claims."""
    letters = [letter_of(n) for n in range(len(found.sides))]
    for letter, side in zip(letters, found.sides, strict=True):
        place = f"{side.file}: " if side.file else ""
        out.say(
            msg(
                "{letter} = {place}{design} ({title})", letter=letter, place=place, design=side.design, title=side.title
            )
        )
    out.say()
    heads: list[Message | str] = [msg("figure"), letters[0]]
    for letter in letters[1:]:
        heads += [letter, f"{letter} : {letters[0]}", ""]
    rows: list[list[Cell]] = []
    for row in found.rows:
        cells: list[Cell] = [row.label, figure_text(row.values[0], row.unit)]
        for value, change in zip(row.values[1:], row.deltas, strict=True):
            cells += [
                figure_text(value, row.unit),
                difference_text(change.absolute, change.ratio, row.unit),
                _verdict(change.verdict),
            ]
        rows.append(cells)
    out.table(heads, rows, "lr" + "rrl" * (len(letters) - 1))
    size = found.settings.get("bytes")
    if isinstance(size, int):
        out.say(msg("Rates at {size} per GPU. {sentence}", size=format_size(size), sentence=found.binds))
    for letter, pair in zip(letters[1:], found.pairs, strict=True):
        out.say()
        out.say(msg("# {a} and {b}", a=letters[0], b=letter))
        print_pair(pair, letters[0], letter, out)
    _print_claims(found.claims, letters, out)


def letter_of(n: int) -> str:
    """A, B, C ... of the sides."""
    return chr(ord("A") + n) if n < 26 else f"#{n + 1}"


def print_pair(pair: PairDifference, a: str, b: str, out: Output) -> None:
    """What lies between two sides."""
    if pair.empty:
        out.say(msg("Nothing differs."))
        return
    if pair.drawing:
        out.say(msg("Drawing: {count} rows differ", count=len(pair.drawing)))
        out.table([msg("change"), msg("where"), msg("what"), a, b], [_drawing(r) for r in pair.drawing])
    if pair.changed_parts:
        out.say(msg("Bill of materials: {count} lines differ", count=len(pair.changed_parts)))
        heads: list[Message | str] = [msg("kind"), msg("part"), msg("length"), a, b, msg("difference"), msg("cost")]
        out.table(heads, [_part(r) for r in pair.changed_parts], "llrrrrr")
    findings = pair.findings
    if findings.gained or findings.lost:
        out.say(
            msg(
                "Findings: {gained} gained, {lost} lost, {kept} on both sides",
                gained=len(findings.gained),
                lost=len(findings.lost),
                kept=findings.kept,
            )
        )
        out.table(
            ["", msg("severity"), msg("rule"), msg("where"), msg("finding")],
            [*(_finding("+", j) for j in findings.gained), *(_finding("-", j) for j in findings.lost)],
        )


def _verdict(verdict: str) -> Message | str:
    return {"better": msg("better"), "worse": msg("worse")}.get(verdict, "")


def change_words(kind: str) -> Message:
    """How a row differs."""
    words = {"removed": msg("removed"), "added": msg("added"), "replaced": msg("replaced")}
    return words.get(kind) or msg("changed")


def _drawing(row: RowChange) -> list[Cell]:
    sheet = row.sheet_b or row.sheet_a
    where = f"{sheet}/{row.id}"
    if row.inside:
        return [change_words(row.kind), where, msg("what is inside"), row.part_a, row.part_b]
    if not row.fields:
        return [change_words(row.kind), where, row.table, row.part_a, row.part_b]
    shown = row.fields[:MOST_FIELDS]
    more = f" (+{len(row.fields) - len(shown)})" if len(row.fields) > len(shown) else ""
    names = ", ".join(f.name for f in shown) + more
    return [
        change_words(row.kind),
        where,
        names,
        "; ".join(f.a or NOTHING for f in shown),
        "; ".join(f.b or NOTHING for f in shown),
    ]


def _part(row: PartDelta) -> list[Cell]:
    line = row.line
    cost = "" if row.cost is None else f"{row.cost:+,.2f} {row.currency}"
    name: Cell = line.part or (line.note if line.note is not None else "-")
    length = f"{line.length_m:g} m" if line.length_m else ""
    return [kind_words(line.kind), name, length, row.a or NOTHING, row.b or NOTHING, f"{row.delta:+d}", cost]


def _finding(sign: str, entry: Judged) -> list[Cell]:
    finding = entry.finding
    words = {"error": msg("error"), "warning": msg("warning"), "info": msg("info")}
    place: Cell = ", ".join(str(a) for a in finding.at[:2]) or msg("the whole design")
    return [sign, words.get(finding.severity, finding.severity), finding.rule, place, finding.message]


def _print_claims(claims: Sequence[ClaimRow], letters: Sequence[str], out: Output) -> None:
    judged = [row for row in claims if row.worst != "unknown"]
    if not judged:
        return
    out.say()
    out.say(msg("# Statements: {count}, {judged} of them judged", count=len(claims), judged=len(judged)))
    rows: list[list[Cell]] = []
    for row in judged:
        said = next(a for a in row.answers if a is not None).statement
        answers: list[Cell] = [NOTHING if a is None else answer_words(a.answer) for a in row.answers]
        rows.append([row.id, *answers, said.text])
    out.table([msg("No."), *letters, msg("statement")], rows)
