"""Tables as pages of a book: parts to order, findings and approvals. Rows that do not fit go on to further pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fabricwright.design.values import Project
from fabricwright.exchange.drawing_options import DrawOptions
from fabricwright.exchange.font_metrics import text_width, wrap
from fabricwright.exchange.ink import Ink
from fabricwright.exchange.page_size import PageSize
from fabricwright.exchange.sheet_page import BODY, SMALL, Page, PageText
from fabricwright.units.text import Message

HEAD_H, LINE_H, ROW_PAD = 26.0, 16.0, 9.0
MOST_LINES = 4


@dataclass(frozen=True, slots=True)
class Column:
    """A column: heading, share of the width, whether it holds figures (set at the right)."""

    title: Message
    share: float
    figures: bool = False


@dataclass(frozen=True, slots=True)
class TablePages:
    """A table for the book; ``rows`` of texts, one per column; an empty first cell may carry an icon's name."""

    title: Message
    subtitle: Message | str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    icons: tuple[tuple[str, str], ...] = ()
    """(icon, colour token) before the first cell of each row; empty for none."""

    def count(self, page: PageSize) -> int:
        """How many pages it takes on this paper."""
        return len(self._split(page))

    def draw(self, project: Project, lang: str, options: DrawOptions, first: int, of: int) -> list[Ink]:
        """The pages, numbered from ``first`` of ``of``."""
        out: list[Ink] = []
        for n, rows in enumerate(self._split(options.page)):
            text = PageText(self.title, self.subtitle, number=first + n, of=of)
            page = Page(project, text, lang, options)
            self._page(page, rows)
            out.append(page.svg)
        return out

    def _widths(self, page: PageSize) -> list[float]:
        whole = page.right - page.left - 48
        total = sum(column.share for column in self.columns)
        return [whole * column.share / total for column in self.columns]

    def _split(self, page: PageSize) -> list[list[tuple[int, list[list[str]]]]]:
        """Row numbers with their wrapped cells, page by page."""
        room = page.foot - 20 - page.y0 - HEAD_H
        widths = self._widths(page)
        pages: list[list[tuple[int, list[list[str]]]]] = [[]]
        used = 0.0
        for number, row in enumerate(self.rows):
            cells = []
            for n, (cell, width) in enumerate(zip(row, widths, strict=True)):
                inset = 36 if n == 0 and self.icons else 14
                whole = text_width(cell, BODY) <= width - inset
                cells.append([cell] if whole else wrap(cell, width - inset, BODY, most=MOST_LINES))
            height = _height(cells)
            if used + height > room and pages[-1]:
                pages.append([])
                used = 0.0
            pages[-1].append((number, cells))
            used += height
        return pages

    def _page(self, page: Page, rows: Sequence[tuple[int, list[list[str]]]]) -> None:
        svg, size = page.svg, page.size
        widths = self._widths(size)
        y = size.y0 + HEAD_H - 8
        x = size.x0
        for column, width in zip(self.columns, widths, strict=True):
            title = page.say(column.title)
            if column.figures:
                svg.text(x + width - 8, y, title, SMALL, weight=600, fill="text.2", anchor="end", room=width - 12)
            else:
                svg.text(x, y, title, SMALL, weight=600, fill="text.2", room=width - 12)
            x += width
        y = size.y0 + HEAD_H
        svg.line([(size.x0, y), (size.right - 24, y)], width=1.4)
        for number, cells in rows:
            x = size.x0
            for n, (column, width, lines) in enumerate(zip(self.columns, widths, cells, strict=True)):
                left = x
                if n == 0 and self.icons:
                    icon, token = self.icons[number]
                    svg.icon(icon, x, y + 5, 16, token)
                    left += 24
                for k, line in enumerate(lines):
                    base = y + 18 + LINE_H * k
                    if column.figures:
                        svg.text(x + width - 8, base, line, BODY, weight=600, anchor="end", room=width - 12)
                    else:
                        svg.text(left, base, line, BODY, room=width - 8)
                x += width
            y += _height(cells)
            svg.line([(size.x0, y), (size.right - 24, y)], stroke="border", width=1)


def _height(cells: list[list[str]]) -> float:
    return ROW_PAD + LINE_H * max(1, *(len(lines) for lines in cells))
