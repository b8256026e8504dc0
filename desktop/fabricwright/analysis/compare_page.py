"""A comparison as one page for a report or an export: both drawings, figures, parts."""

from __future__ import annotations

from fabricwright.analysis.compare import Comparison
from fabricwright.analysis.network_lines import network_lines
from fabricwright.exchange.diagram_compare import CompareTable, DrawnSide, draw_comparison
from fabricwright.exchange.ink import Ink
from fabricwright.units.figure_text import MINUS, NOTHING, difference_text, figure_text
from fabricwright.units.text import Message, msg


def comparison_page(found: Comparison, lang: str = "en", pair: int = 0) -> Ink:
    """The first side and further side number ``pair``."""
    sides = (found.sides[0], found.sides[pair + 1])
    drawn = []
    for letter, side in zip("AB", sides, strict=True):
        note = network_lines(side.analysis)[0] or ""
        name = f"{letter} {side.title}"
        drawn.append(DrawnSide(side.project, side.design, name, note))
    difference = found.pairs[pair]
    tables = (figures_table(found, pair), parts_table(found, pair))
    title = msg("Comparison: {a} and {b}", a=sides[0].title, b=sides[1].title)
    return draw_comparison(drawn[0], drawn[1], difference.drawing, tables, lang=lang, title=title)


def figures_table(found: Comparison, pair: int = 0) -> CompareTable:
    """Figures of two sides with their differences."""
    rows: list[tuple[Message | str, ...]] = []
    for row in found.rows:
        change = row.deltas[pair]
        rows.append(
            (
                row.label,
                figure_text(row.values[0], row.unit),
                figure_text(row.values[pair + 1], row.unit),
                difference_text(change.absolute, change.ratio, row.unit),
            )
        )
    heads = (msg("Figure"), "A", "B", msg("difference"))
    return CompareTable(msg("Figures"), heads, tuple(rows), (2.2, 1.0, 1.0, 1.0), " rrr")


def parts_table(found: Comparison, pair: int = 0) -> CompareTable:
    """The bill of materials as a difference."""
    rows: list[tuple[Message | str, ...]] = []
    for row in found.pairs[pair].changed_parts:
        line = row.line
        model = (line.model or line.part).upper()  # as the comparison in the window has it
        name: Message | str = (model if line.part else line.note) or NOTHING
        if line.length_m:
            name = msg("{part}, {length} m", part=model, length=f"{line.length_m:g}")
        cost = NOTHING if row.cost is None else f"{row.cost:+,.0f} {row.currency}".replace("-", MINUS)
        rows.append((name, str(row.a or NOTHING), str(row.b or NOTHING), difference_text(row.delta, None, ""), cost))
    heads = (msg("Part"), "A", "B", msg("difference"), msg("cost"))
    return CompareTable(msg("Bill of materials"), heads, tuple(rows), (2.6, 0.6, 0.6, 0.9, 1.1), " rrrr")
