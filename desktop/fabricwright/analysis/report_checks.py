"""Chapters of a report on trust: findings and approvals, what the figures rest on, what is open, statements."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fabricwright.analysis.compare import Side, claim_rows
from fabricwright.analysis.drawings import ICONS, ORDER
from fabricwright.analysis.report_source import Source
from fabricwright.catalog.kind_words import kind_words
from fabricwright.catalog.store import catalogue
from fabricwright.design.options import OPTIONS
from fabricwright.design.options.words import label_of
from fabricwright.design.place_words import places_text
from fabricwright.exchange.bom import BomLine
from fabricwright.exchange.compliance import answer_words, quantity_label
from fabricwright.exchange.report_blocks import Block, Chapter, Heading, Paragraph, ReportTable, TableColumn
from fabricwright.rules.approvals import Judged
from fabricwright.rules.registry import all_rules
from fabricwright.rules.run import count
from fabricwright.units.text import Message, msg, translate

ANSWER_ICONS = {
    "met": ("ok-circle", "ok"),
    "partly": ("warning-triangle", "warn"),
    "not met": ("error-octagon", "error"),
    "unknown": ("info-circle", "info"),
}


# -- what was checked -------------------------------------------------------------------------------------------------


def checks(source: Source) -> list[Block]:
    """Open findings, then approved ones with their reasons."""
    say = source.say
    judged = [entry for entry in source.analysis.judged if entry.finding.severity in ORDER]
    counts = count(source.analysis.judged)
    intro = msg(
        "{rules} rules were held against the drawing: {errors} errors, {warnings} warnings and {infos} remarks are "
        "open, {approved} findings were approved by a person.",
        rules=len(all_rules()),
        errors=counts["error"],
        warnings=counts["warning"],
        infos=counts["info"],
        approved=counts["approved"],
    )
    blocks: list[Block] = [Chapter(say(msg("What was checked"))), Paragraph(say(intro))]
    still = sorted((e for e in judged if e.approval is None), key=lambda e: ORDER.index(e.finding.severity))
    if still:
        columns: tuple[TableColumn, ...] = (
            TableColumn(say(msg("Rule")), 1.35),
            TableColumn(say(msg("Place")), 2.1),
            TableColumn(say(msg("Finding")), 6.2),
        )
        rows: tuple[tuple[str, ...], ...] = tuple(
            (e.finding.rule, _places(source, e), say(e.finding.message)) for e in still
        )
        icons = tuple(ICONS[e.finding.severity] for e in still)
        blocks.append(ReportTable(say(msg("Open findings")), columns, rows, icons))
    approved = [e for e in judged if e.approval is not None]
    if approved:
        columns = (
            TableColumn(say(msg("Rule")), 1.35),
            TableColumn(say(msg("Place")), 1.8),
            TableColumn(say(msg("Finding")), 3.8),
            TableColumn(say(msg("Approved because")), 2.6),
            TableColumn(say(msg("By")), 1.2),
        )
        rows = tuple(_approved(source, e) for e in approved)
        icons = (("shield", "text.2"),) * len(rows)
        blocks.append(ReportTable(say(msg("Approved findings")), columns, rows, icons))
    if not judged:
        blocks.append(Paragraph(say(msg("Nothing was found."))))
    return blocks


def _places(source: Source, entry: Judged) -> str:
    finding = entry.finding
    return places_text(source.analysis.stages.design, [str(a) for a in finding.at], str(finding.members or ""))


def _approved(source: Source, entry: Judged) -> tuple[str, ...]:
    approval = entry.approval
    assert approval is not None
    by = ", ".join(text for text in (approval.author, approval.date) if text)
    return (
        entry.finding.rule,
        _places(source, entry),
        source.say(entry.finding.message),
        approval.reason or "-",
        by or "-",
    )


# -- assumptions ------------------------------------------------------------------------------------------------------


def assumptions(source: Source) -> list[Block]:
    """What the drawing states, what the figures rest on with sources, and what is an estimate or open."""
    say = source.say
    blocks: list[Block] = [Chapter(say(msg("Assumptions and sources")))]
    blocks += _stated(source)
    blocks += _sources(source)
    blocks += _open(source)
    return blocks


def _stated(source: Source) -> list[Block]:
    say, design = source.say, source.analysis.stages.design
    rows = []
    for key in design.settings.ordered():
        value = design.settings[key]
        option = OPTIONS.get(("design", key))
        label = translate(option.label, source.lang) if option is not None else key
        shown = _value(source, value)
        rows.append((label, key, f"{shown} {option.unit}".strip() if option is not None and option.unit else shown))
    blocks: list[Block] = [Heading(say(msg("What the drawing states")))]
    text = msg("Everything else is as the model assumes it by default, and is named where it matters.")
    if rows:
        columns = (
            TableColumn(say(msg("Setting")), 3.5),
            TableColumn(say(msg("Key")), 2.0),
            TableColumn(say(msg("Value")), 2.5),
        )
        blocks.append(ReportTable(say(msg("Settings of the design")), columns, tuple(rows), notes=(say(text),)))
    else:
        blocks.append(Paragraph(say(msg("The design states no settings; all are the model's defaults."))))
    profile = str(design.settings.get("profile") or "")
    if profile:
        blocks.append(Paragraph(say(msg("Constants are those of the site's profile '{name}'.", name=profile))))
    else:
        text = msg("Constants are the shipped ones, fitted to published measurements; see the program's accuracy.md.")
        blocks.append(Paragraph(say(text)))
    lists = dict.fromkeys(
        " ".join(t for t in (line.price_source, line.price_date) if t)
        for line in source.bom.lines
        if line.unit_price is not None
    )
    for name in lists:
        blocks.append(Paragraph(say(msg("Price list: {name}", name=name or "-")), bullet=True))
    return blocks


def _value(source: Source, value: object) -> str:
    if isinstance(value, bool):
        return source.say(msg("yes") if value else msg("no"))
    return translate(label_of(value), source.lang) if isinstance(value, str) else source.say(value)


_SEPARATOR = re.compile(r"[;,](?![^(]*\))")
"""Between sources; not inside the brackets of one."""


def _sources(source: Source) -> list[Block]:
    say = source.say
    keys: dict[str, list[str]] = {}
    for line in source.bom.lines:
        for key in _SEPARATOR.split(line.source or ""):
            if key.strip() and line.part:
                keys.setdefault(key.strip(), []).append(line.part)
    if not keys:
        return []
    known = catalogue()
    rows = []
    for key in sorted(keys, key=str.lower):
        text = known.source_text(key, source.lang)
        rows.append((key, text if text != key else "", ", ".join(dict.fromkeys(keys[key]))))
    columns = (
        TableColumn(say(msg("Source")), 1.2),
        TableColumn(say(msg("What it is")), 4.0),
        TableColumn(say(msg("Parts")), 4.0),
    )
    return [
        Heading(say(msg("Where figures of parts come from"))),
        ReportTable(say(msg("Sources of the parts")), columns, tuple(rows)),
    ]


def _open(source: Source) -> list[Block]:
    say = source.say
    blocks: list[Block] = [Heading(say(msg("Open estimates")))]
    points: list[Message] = []
    for line in source.bom.lines:
        if not line.part and line.note is not None:
            points.append(msg("{n} × not chosen yet: {what}", n=line.quantity, what=line.note))
    missing = [line.part for line in source.bom.lines if line.part and line.unit_price is None]
    if missing and len(missing) < len(source.bom.lines):
        points.append(msg("Without a price: {parts}", parts=missing))
    blocks += [Paragraph(say(point), bullet=True) for point in points]
    judged = (e for e in source.analysis.judged if e.finding.estimate and e.finding.severity in ORDER)
    rows = tuple((e.finding.rule, _places(source, e), say(e.finding.message)) for e in judged)
    if rows:
        columns = (
            TableColumn(say(msg("Rule")), 1.1),
            TableColumn(say(msg("Place")), 2.1),
            TableColumn(say(msg("Finding")), 6.2),
        )
        blocks.append(ReportTable(say(msg("Findings that rest on an estimate")), columns, rows))
    unsure = _unsure(source)
    if unsure is not None:
        blocks.append(unsure)
    if len(blocks) == 1:
        blocks.append(Paragraph(say(msg("None."))))
    return blocks


def _unsure(source: Source) -> ReportTable | None:
    """Parts whose figures were not read in a source."""
    say = source.say
    words = {"engineering": msg("engineering knowledge"), "inferred": msg("inferred")}
    rows = []
    for line in _distinct(source):
        if line.confidence in words:
            rows.append((line.part, say(kind_words(line.kind)), say(words[line.confidence])))
    if not rows:
        return None
    columns = (
        TableColumn(say(msg("Part")), 3.0),
        TableColumn(say(msg("Kind")), 2.0),
        TableColumn(say(msg("Figures are")), 2.2),
    )
    note = msg("Verify these against a datasheet before they are quoted.")
    return ReportTable(say(msg("Parts whose figures are estimates")), columns, tuple(rows), notes=(say(note),))


def _distinct(source: Source) -> Iterable[BomLine]:
    seen: dict[str, BomLine] = {}
    for line in source.bom.lines:
        if line.part:
            seen.setdefault(line.part, line)
    return seen.values()


# -- statements -------------------------------------------------------------------------------------------------------


def claims(source: Source) -> list[Block]:
    """Every statement beside the drawing with its answer; nothing where none was written down."""
    say = source.say
    found = [row.answers[0] for row in claim_rows([Side(source.analysis)])]
    answers = [row for row in found if row is not None]
    if not answers:
        return []
    columns = (
        TableColumn(say(msg("No.")), 1.5),
        TableColumn(say(msg("Statement")), 3.2),
        TableColumn(say(msg("Answer")), 1.1),
        TableColumn(say(msg("Evidence")), 4.4),
    )
    rows, icons = [], []
    for row in answers:
        said = row.statement
        text = said.text or quantity_label(said.quantity, source.lang)
        if said.source:
            text = f"{text} ({said.source})"
        evidence = say(row.evidence)
        if row.accepted:
            evidence += " " + say(msg("Accepted: {why}", why=row.accepted))
        rows.append((row.id, text, say(answer_words(row.answer)), evidence))
        icons.append(ANSWER_ICONS[row.answer])
    counts = {answer: sum(row.answer == answer for row in answers) for answer in ANSWER_ICONS}
    intro = msg(
        "{met} of {all} statements are met, {partly} partly, {wrong} are not; {unknown} could not be judged.",
        met=counts["met"],
        all=len(answers),
        partly=counts["partly"],
        wrong=counts["not met"],
        unknown=counts["unknown"],
    )
    return [
        Chapter(say(msg("Claims checked"))),
        Paragraph(say(intro)),
        ReportTable(say(msg("Statements and what the drawing says to them")), columns, tuple(rows), tuple(icons)),
    ]
