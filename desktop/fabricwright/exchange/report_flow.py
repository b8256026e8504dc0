"""Blocks of a report set one after the other over pages: text, key figures, tables that go on, figures.

Lengths are page units of 1/96 inch: text of 12 units is 9 pt on paper, 10.7 units 8 pt (captions, head and foot).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fabricwright.exchange.font_metrics import text_width, wrap
from fabricwright.exchange.ink import Ink
from fabricwright.exchange.page_size import MM, PageSize
from fabricwright.exchange.report_blocks import (
    Block,
    Chapter,
    Figure,
    FullPage,
    Heading,
    Paragraph,
    ReportTable,
    TableColumn,
    Tiles,
)
from fabricwright.exchange.report_template import ReportTemplate
from fabricwright.units.text import msg

CAPTION, SMALL, BODY = 10.7, 12.0, 13.0
LINE, SMALL_LINE = 19.0, 15.5
HEAD_H, ROW_PAD = 24.0, 8.0
MOST_LINES = 30
"""Lines of one cell; more end with an ellipsis."""
MOST_ROWS = 300
"""Rows of one table; the tables in the pack hold all."""
TILE_H = 74.0
MOST_SHARE = 0.34
"""Most of a table's width that a column gets for the sake of one long word."""


@dataclass(slots=True)
class Entry:
    """A line of the contents: ``level`` 1 chapter, 2 heading, 3 figure, 4 table."""

    level: int
    title: str
    page: int


@dataclass(slots=True)
class Leaf:
    """A page of the body. ``own`` = drawn elsewhere, on its own paper; ``low`` = its number stands at the foot."""

    ink: Ink
    own: bool = False
    low: bool = False


@dataclass(slots=True)
class Flow:
    """Sets blocks one after the other. ``leaves`` the pages so far, ``entries`` what the contents list."""

    paper: PageSize
    lang: str
    template: ReportTemplate
    running: str
    """What the head says: the project's title."""
    leaves: list[Leaf] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    y: float = 0.0
    _chapter: int = 0
    _heading: int = 0
    _figure: int = 0
    _table: int = 0

    # -- page ---------------------------------------------------------------------------------------------------------

    @property
    def left(self) -> float:
        """Left edge of the text: 22 mm, for the binder."""
        return 22 * MM

    @property
    def right(self) -> float:
        """Right edge of the text."""
        return self.paper.width - 18 * MM

    @property
    def width(self) -> float:
        """Width of the text."""
        return self.right - self.left

    @property
    def top(self) -> float:
        """First line of the text."""
        return 27 * MM

    @property
    def bottom(self) -> float:
        """Last line of the text."""
        return self.paper.height - 22 * MM

    @property
    def ink(self) -> Ink:
        """The page being filled."""
        if not self.leaves or self.leaves[-1].own:
            self.new_page()
        return self.leaves[-1].ink

    def blank(self) -> Ink:
        """An empty page of the paper."""
        size = self.paper
        return Ink(size.width, size.height, size.width_mm, size.height_mm, self.running, self.lang)

    def new_page(self) -> None:
        """Go on at the top of another page."""
        self.leaves.append(Leaf(self.blank()))
        self.y = self.top

    def room(self, height: float) -> None:
        """Make sure that so much fits below; else another page."""
        if not self.leaves or self.leaves[-1].own or (self.y + height > self.bottom and self.y > self.top):
            self.new_page()

    def _enter(self, level: int, title: str) -> None:
        self.entries.append(Entry(level, title, len(self.leaves)))

    # -- blocks -------------------------------------------------------------------------------------------------------

    def add(self, block: Block) -> None:
        """Set one block."""
        match block:
            case Chapter():
                self._add_chapter(block)
            case Heading():
                self._add_heading(block)
            case Paragraph():
                self._paragraph(block)
            case Tiles():
                self._tiles(block)
            case ReportTable():
                self._add_table(block)
            case Figure():
                self._add_figure(block)
            case FullPage():
                self._full_page(block)

    def _add_chapter(self, block: Chapter) -> None:
        self._chapter += 1
        self._heading = 0
        self.room(0.34 * (self.bottom - self.top))
        if self.y > self.top:
            self.y += 26
        title = f"{self._chapter}  {block.title}"
        ink = self.ink
        self._enter(1, title)
        self.y += 22
        ink.text(self.left, self.y, title, 22, weight=600, fill=self.template.accent, room=self.width)
        self.y += 9
        ink.line([(self.left, self.y), (self.right, self.y)], stroke=self.template.accent, width=1.6)
        self.y += 16

    def _add_heading(self, block: Heading) -> None:
        self._heading += 1
        self.room(70)
        if self.y > self.top:
            self.y += 10
        title = f"{self._chapter}.{self._heading}  {block.title}"
        ink = self.ink
        self._enter(2, title)
        self.y += 16
        ink.text(self.left, self.y, title, 15, weight=600, room=self.width)
        self.y += 12

    def least(self, block: Block) -> float:
        """Room that the beginning of a block takes: a heading stays with it."""
        if isinstance(block, Figure):
            return block.height + 34
        if isinstance(block, ReportTable) and block.rows:
            widths = self._widths(block)
            return 48 + HEAD_H + sum(_height(self._cells(block, row, widths)) for row in block.rows[:2])
        return 50.0

    def _paragraph(self, block: Paragraph) -> None:
        size, line = (SMALL, SMALL_LINE) if block.small else (BODY, LINE)
        weight = 600 if block.strong else 400
        indent = 16.0 if block.bullet else 0.0
        rows = wrap(block.text, self.width - indent, size, weight, most=200)
        self.room(line * min(2, len(rows)))
        for n, row in enumerate(rows):
            self.room(line)
            if block.bullet and n == 0:
                self.ink.rect(self.left + 3, self.y + line - 9, 4, 4, fill=self.template.accent, width=0, radius=2)
            self.y += line
            fill = "text.2" if block.small else "text"
            self.ink.text(self.left + indent, self.y - 4, row, size, weight=weight, fill=fill)
        self.y += 3 if block.bullet else 8

    def _tiles(self, block: Tiles) -> None:
        gap = 12.0
        span = (self.width - gap * (block.across - 1)) / block.across
        for first in range(0, len(block.tiles), block.across):
            self.room(TILE_H + gap)
            ink = self.ink
            for n, tile in enumerate(block.tiles[first : first + block.across]):
                x = self.left + n * (span + gap)
                ink.rect(x, self.y, span, TILE_H, fill="sunken", width=0, radius=5)
                ink.rect(x, self.y, 4, TILE_H, fill=self.template.accent, width=0, radius=2)
                ink.text(x + 16, self.y + 19, tile.label, SMALL, fill="text.2", room=span - 26)
                shown = next((s for s in (21.0, 18.0, 15.0) if text_width(tile.value, s, 600) < span - 26), 13.0)
                ink.text(x + 16, self.y + 44, tile.value, shown, weight=600, fill=tile.token, room=span - 26)
                ink.text(x + 16, self.y + 63, tile.note, SMALL, fill="text.2", room=span - 26)
            self.y += TILE_H + gap
        self.y += 4

    # -- tables -------------------------------------------------------------------------------------------------------

    def _add_table(self, block: ReportTable) -> None:
        self._table += 1
        label = msg("Table {n}", n=self._table).text(self.lang)
        widths = self._widths(block)
        rows = [self._cells(block, row, widths) for row in block.rows[:MOST_ROWS]]
        self.room(48 + HEAD_H + sum(_height(cells) for cells in rows[:2]))
        self.y += 18
        self._caption(label, block.caption)
        self._enter(4, f"{label}  {block.caption}")
        self._head(block, widths)
        for n, cells in enumerate(rows):
            height = _height(cells)
            # Sums never stand alone at the top of a page.
            together = height + (_height(rows[n + 1]) if n + 1 in block.strong and n not in block.strong else 0.0)
            if self.y + together > self.bottom:
                self.new_page()
                self.y += 14
                self._caption(label, msg("{caption} (continued)", caption=block.caption).text(self.lang))
                self._head(block, widths)
            self._row(block, n, cells, widths, height)
        notes = list(block.notes)
        if len(block.rows) > MOST_ROWS:
            more = len(block.rows) - MOST_ROWS
            notes.append(msg("{n} more rows are in the tables of the export pack.", n=more).text(self.lang))
        self.y += 5
        for note in notes:
            self._paragraph(Paragraph(note, small=True))
            self.y -= 5
        self.y += 11

    def _caption(self, label: str, text: str) -> None:
        ink = self.ink
        wide = ink.text(self.left, self.y, label, SMALL, weight=600, fill=self.template.accent)
        ink.text(self.left + wide + 10, self.y, text, SMALL, weight=600, room=self.width - wide - 10)
        self.y += 8

    def _widths(self, block: ReportTable) -> list[float]:
        """Widths by share, but no column narrower than its longest word (figures are not broken at all)."""
        whole = sum(column.share for column in block.columns)
        wished = [self.width * column.share / whole for column in block.columns]
        least = []
        for n, column in enumerate(block.columns):
            inset = 13.0 + (22.0 if n == 0 and block.icons else 0.0)
            words = _words(column.head, 600)
            for row in block.rows[:MOST_ROWS]:
                if n < len(row):
                    words = max(words, text_width(row[n], SMALL, 600) if column.right else _words(row[n], 600))
            least.append(min(words + inset, self.width * MOST_SHARE))
        short = sum(max(0.0, low - wish) for low, wish in zip(least, wished, strict=True))
        spare = sum(max(0.0, wish - low) for low, wish in zip(least, wished, strict=True))
        give = min(1.0, short / spare) if spare else 0.0
        widths = [low if low > wish else wish - (wish - low) * give for low, wish in zip(least, wished, strict=True)]
        scale = self.width / sum(widths)
        return [width * scale for width in widths] if scale < 1 else widths

    def _cells(self, block: ReportTable, row: Sequence[str], widths: Sequence[float]) -> list[list[str]]:
        cells = []
        for n, (text, width) in enumerate(zip(row, widths, strict=True)):
            inset = 12.0 + (22.0 if n == 0 and block.icons else 0.0)
            one = text_width(text, SMALL, 600) <= width - inset
            cells.append([text] if one else wrap(text, width - inset, SMALL, 600, most=MOST_LINES))
        return cells

    def _head(self, block: ReportTable, widths: Sequence[float]) -> None:
        heads = [wrap(c.head, w - 12, SMALL, 600, most=3) or [""] for c, w in zip(block.columns, widths, strict=True)]
        height = ROW_PAD + SMALL_LINE * max(len(lines) for lines in heads)
        ink = self.ink
        ink.rect(self.left, self.y, self.width, height, fill=self.template.accent, width=0, radius=0)
        self._texts(block.columns, heads, widths, "text.on-accent", 600)
        self.y += height

    def _row(self, block: ReportTable, n: int, cells: list[list[str]], widths: Sequence[float], height: float) -> None:
        strong = n in block.strong
        if n % 2 and not strong:
            self.ink.rect(self.left, self.y, self.width, height, fill="sunken", width=0, radius=0)
        if strong:
            self.ink.line([(self.left, self.y), (self.right, self.y)], stroke="text", width=1.2)
        icon = block.icons[n] if block.icons else None
        if icon is not None and icon[0]:
            self.ink.icon(icon[0], self.left + 6, self.y + 4, 15, icon[1])
        fill = "text.3" if n in block.soft else "text"
        self._texts(block.columns, cells, widths, fill, 600 if strong else 400, 22.0 if icon is not None else 0.0)
        self.y += height
        self.ink.line([(self.left, self.y), (self.right, self.y)], stroke="border", width=0.6)

    def _texts(
        self,
        columns: Sequence[TableColumn],
        cells: Sequence[Sequence[str]],
        widths: Sequence[float],
        fill: str,
        weight: int,
        indent: float = 0.0,
    ) -> None:
        x = self.left
        for n, (column, lines, width) in enumerate(zip(columns, cells, widths, strict=True)):
            for k, text in enumerate(lines):
                base = self.y + 16 + SMALL_LINE * k
                if column.right:
                    self.ink.text(x + width - 6, base, text, SMALL, weight=weight, fill=fill, anchor="end")
                else:
                    self.ink.text(x + 6 + (indent if n == 0 else 0), base, text, SMALL, weight=weight, fill=fill)
            x += width

    # -- figures ------------------------------------------------------------------------------------------------------

    def _add_figure(self, block: Figure) -> None:
        self.room(block.height + 34)
        label = self._figure_label()
        block.draw(self.ink, self.left, self.y + 4, self.width, block.height)
        self.y += block.height + 22
        self._enter(3, f"{label}  {block.caption}")
        wide = self.ink.text(self.left, self.y, label, SMALL, weight=600, fill=self.template.accent)
        self.ink.text(self.left + wide + 10, self.y, block.caption, SMALL, room=self.width - wide - 10)
        self.y += 14

    def _figure_label(self) -> str:
        self._figure += 1
        return msg("Figure {n}", n=self._figure).text(self.lang)

    def _full_page(self, block: FullPage) -> None:
        label = self._figure_label()
        self.leaves.append(Leaf(block.ink, own=True, low=block.low))
        self._enter(3, f"{label}  {block.caption}")


def _words(text: str, weight: int) -> float:
    """Width of the longest word: what stands between spaces and hyphens; Chinese breaks anywhere."""
    pieces = re.split(r"[ \u3000-\uffef]|(?<=-)", text)
    return max((text_width(piece, SMALL, weight) for piece in pieces), default=0.0)


def _height(cells: Sequence[Sequence[str]]) -> float:
    return ROW_PAD + SMALL_LINE * max(1, *(len(lines) for lines in cells))
