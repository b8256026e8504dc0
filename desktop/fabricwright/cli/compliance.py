"""``fabricwright compliance FILE``: an answer to every statement beside the drawing, point by point."""

from __future__ import annotations

from collections.abc import Sequence

from fabricwright.analysis.analyze import Analysis
from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, analysis_of, open_project
from fabricwright.cli.table_files import add_table_output, check_table_name, hand_out
from fabricwright.exchange.compliance import (
    Analyse,
    ComplianceTable,
    answer_words,
    compliance,
    kind_words,
    quantity_label,
)
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.units.text import msg

SUMMARY = msg("answers to the statements, point by point")


def add_arguments(parser: Parser) -> None:
    """FILE, ``-o``."""
    add_project(parser)
    add_table_output(parser)


def run(arguments: Arguments, out: Output) -> int:
    """Answer, then print or write."""
    check_table_name(arguments.output)
    project, design = open_project(arguments)
    analysis = analysis_of(project, design, arguments)
    with Working(arguments):
        table = compliance(project, design, from_analysis(analysis))
    document = table.to_json(out.lang)
    said = msg("{file}: {count} statements", file=arguments.output, count=len(table.rows))
    if not hand_out(arguments.output, out, document, lambda: table.to_csv(out.lang), said):
        _print(table, out)
    return 0


def from_analysis(analysis: Analysis) -> Analyse:
    """Designs with the stages and findings of an analysis, and from its cache."""

    def looked(design: str) -> tuple[RuleContext, Sequence[Finding]]:
        stages = analysis.stages if design == analysis.design else analysis.stages.of(design)
        return RuleContext(analysis.project, design, stages), stages.findings()

    return looked


def _print(table: ComplianceTable, out: Output) -> None:
    for row in table.rows:
        said = row.statement
        out.say(
            msg(
                "{id}  {answer}  {kind}: {text}",
                id=row.id,
                answer=answer_words(row.answer),
                kind=kind_words(said.kind),
                text=said.text or quantity_label(said.quantity, out.lang),
            )
        )
        place = ", ".join(t for t in (row.design, *row.rules) if t)
        out.say(msg("    {evidence} [{place}]", evidence=row.evidence, place=place))
        if row.accepted:
            out.say(msg("    accepted: {why}", why=row.accepted))
    counts = table.counts
    out.say(
        msg(
            "{met} met, {partly} partly met, {wrong} not met, {unknown} not judged",
            met=counts["met"],
            partly=counts["partly"],
            wrong=counts["not met"],
            unknown=counts["unknown"],
        )
    )
