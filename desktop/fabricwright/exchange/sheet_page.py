"""The A3 page around an exported drawing: frame with zones, title, foot with legend, notes and title block.

1 mm = ``MM`` units; text of 12 units is 9 pt on paper (design language, section 10).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fabricwright import __version__
from fabricwright.design.values import Project
from fabricwright.exchange.font_metrics import wrap
from fabricwright.exchange.svg import Svg
from fabricwright.units.text import Message, msg

WIDTH_MM, HEIGHT_MM = 420.0, 297.0
WIDTH = 1600.0
MM = WIDTH / WIDTH_MM
HEIGHT = HEIGHT_MM * MM
LEFT, TOP, RIGHT, BOTTOM = 20 * MM, 10 * MM, WIDTH - 10 * MM, HEIGHT - 10 * MM
FOOT = BOTTOM - 39 * MM
SIDE = RIGHT - 388
"""Left edge of the column at the right."""

CAPTION = 10.7
SMALL = 12.0
BODY = 13.0


@dataclass(frozen=True, slots=True)
class SideBlock:
    """A block of the right column: heading, remark at the right of it, rows of label and value."""

    title: Message | str
    rows: tuple[tuple[Message | str, Message | str], ...] = ()
    remark: Message | str = ""


@dataclass(frozen=True, slots=True)
class PageText:
    """What stands around the drawing.

    ``number`` and ``of`` count the sheets of this export; the right column ends at ``side_bottom``.
    """

    title: Message | str
    subtitle: Message | str = ""
    side: tuple[SideBlock, ...] = ()
    notes: tuple[Message | str, ...] = ()
    number: int = 1
    of: int = 1
    legend: tuple[LegendEntry, ...] = field(default=())
    side_bottom: float = FOOT - 30


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A sample, drawn by ``draw(svg, x, y)`` in 36 x 12 units around (x, y), and what it means."""

    label: Message | str
    draw: Callable[[Svg, float, float], None]


class Page:
    """A page being filled. ``say`` turns a Message into the page's language."""

    def __init__(self, project: Project, text: PageText, lang: str) -> None:
        self.lang = lang
        self.svg = Svg(WIDTH, HEIGHT, WIDTH_MM, HEIGHT_MM, self.say(text.title), lang)
        self._text = text
        self._project = project
        self._frame()
        self._head()
        self._side()
        self._legend()
        self._notes()
        self._title_block()

    def say(self, text: Message | str) -> str:
        """Text in the page's language."""
        return text.text(self.lang) if isinstance(text, Message) else text

    def _frame(self) -> None:
        svg = self.svg
        svg.rect(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, width=2.2, radius=0)
        svg.line([(LEFT, FOOT), (RIGHT, FOOT)], width=2.2)
        for n in range(6):
            middle = LEFT + (RIGHT - LEFT) * (n + 0.5) / 6
            edge = LEFT + (RIGHT - LEFT) * n / 6
            for base, tick in ((TOP - 10, TOP - 12), (BOTTOM + 21, BOTTOM + 12)):
                svg.text(middle, base, str(n + 1), SMALL, fill="text.2", anchor="middle")
                if n:
                    svg.line([(edge, tick), (edge, TOP if tick < TOP else BOTTOM)], width=1)
        for n, letter in enumerate("ABCD"):
            middle = TOP + (BOTTOM - TOP) * (n + 0.5) / 4 + 4
            edge = TOP + (BOTTOM - TOP) * n / 4
            for base, tick in ((LEFT - 20, LEFT - 12), (RIGHT + 17, RIGHT + 12)):
                svg.text(base, middle, letter, SMALL, fill="text.2", anchor="middle")
                if n:
                    svg.line([(tick, edge), (LEFT if tick < LEFT else RIGHT, edge)], width=1)

    def _head(self) -> None:
        width = self.svg.text(LEFT + 24, TOP + 38, self.say(self._text.title), 22, weight=600, room=620)
        self.svg.text(
            LEFT + 38 + width, TOP + 38, self.say(self._text.subtitle), 14, fill="text.2", room=SIDE - LEFT - 60 - width
        )

    def _side(self) -> None:
        y = TOP + 78
        x, right = SIDE, RIGHT - 20
        for block in self._text.side:
            if y > self._text.side_bottom - 40:
                break
            self.svg.text(x, y, self.say(block.title), 15, weight=600, room=230)
            self.svg.text(right, y, self.say(block.remark), SMALL, fill="text.2", anchor="end", room=130)
            y += 8
            self.svg.line([(x, y), (right, y)], width=1.4)
            room = max(0, int((self._text.side_bottom - y) // 24))
            for label, value in block.rows[:room]:
                y += 24
                shown = self.say(value)
                width = self.svg.text(right, y - 7, shown, BODY, weight=600, anchor="end", room=240)
                self.svg.text(x, y - 7, self.say(label), BODY, room=right - x - width - 14)
                self.svg.line([(x, y), (right, y)], stroke="border", width=1)
            y += 42

    def _legend(self) -> None:
        svg = self.svg
        x, y = LEFT + 18, FOOT + 26
        svg.text(x, y, msg("Legend").text(self.lang), 14, weight=600)
        rows = 5
        columns = 2 if len(self._text.legend) <= 2 * rows else 3
        column = 462 / columns
        for n, entry in enumerate(self._text.legend[: columns * rows]):
            left, base = x + (n // rows) * column, y + 24 + (n % rows) * 21
            entry.draw(svg, left, base - 4)
            svg.text(left + 46, base, self.say(entry.label), SMALL, room=column - 52)

    def _notes(self) -> None:
        svg = self.svg
        x, y = LEFT + 496, FOOT + 26
        svg.line([(x - 16, FOOT + 14), (x - 16, BOTTOM - 14)], stroke="border", width=1)
        svg.text(x, y, msg("Notes").text(self.lang), 14, weight=600)
        base = y + 22
        for n, note in enumerate(self._text.notes, 1):
            for k, line in enumerate(wrap(self.say(note), 236, SMALL)):
                if base > BOTTOM - 10:
                    return
                if k == 0:
                    svg.text(x, base, str(n), SMALL, fill="text.2")
                svg.text(x + 14, base, line, SMALL)
                base += 17

    def _title_block(self) -> None:
        svg, meta = self.svg, self._project.meta
        left = RIGHT - 184 * MM
        mark = left + 118
        rows = [FOOT, FOOT + 13 * MM, FOOT + 26 * MM, BOTTOM]
        svg.line([(left, FOOT), (left, BOTTOM)], width=2.2)
        svg.line([(mark, FOOT), (mark, BOTTOM)], width=1.2)
        svg.icon("app-icon", left + 36, FOOT + 26, 46)
        svg.text(left + 59, FOOT + 96, "Fabricwright", SMALL, weight=600, anchor="middle")
        svg.text(left + 59, FOOT + 114, __version__, 11, fill="text.2", anchor="middle")
        for y in rows[1:3]:
            svg.line([(mark, y), (RIGHT, y)], width=1.2)
        text = self._text
        drawn = " ".join(str(meta[k]) for k in ("author", "date") if meta.get(k))
        cells: Sequence[tuple[int, float, float, Message, str]] = (
            (0, 0.0, 0.5, msg("Customer"), str(meta.get("customer") or "")),
            (0, 0.5, 1.0, msg("Project"), str(meta.get("project") or self._project.title)),
            (1, 0.0, 0.5, msg("Drawing"), self.say(text.title)),
            (1, 0.5, 0.72, msg("Number"), str(meta.get("number") or "")),
            (1, 0.72, 0.84, msg("Revision"), str(meta.get("revision") or "")),
            (1, 0.84, 1.0, msg("Sheet"), msg("{n} of {m}", n=text.number, m=text.of).text(self.lang)),
            (2, 0.0, 0.29, msg("Drawn"), drawn),
            (2, 0.29, 0.58, msg("Checked"), ""),
            (2, 0.58, 0.76, msg("Approved"), ""),
            (2, 0.76, 0.88, msg("Scale"), msg("none").text(self.lang)),
            (2, 0.88, 1.0, msg("Format"), "A3"),
        )
        span = RIGHT - mark
        for row, start, end, caption, value in cells:
            x = mark + span * start
            if start:
                svg.line([(x, rows[row]), (x, rows[row + 1])], width=1.2)
            svg.text(
                x + 10, rows[row] + 17, caption.text(self.lang), CAPTION, fill="text.2", room=span * (end - start) - 16
            )
            svg.text(x + 10, rows[row] + 38, value, BODY, weight=600, room=span * (end - start) - 16)
