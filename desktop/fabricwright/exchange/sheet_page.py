"""The page around an exported drawing: frame with zones, title, foot with legend, notes and title block.

1 mm = ``MM`` units; text of 12 units is 9 pt on paper (design language, section 10). A narrow page (A4, portrait A3)
has a lower foot and no column at the right: what would stand there follows on a page of its own (``facts_page``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from fabricwright import __version__
from fabricwright.design.values import Project
from fabricwright.exchange.drawing_options import HEAT_STEPS, DrawOptions, heat_pen
from fabricwright.exchange.font_metrics import text_width, wrap
from fabricwright.exchange.ink import Ink
from fabricwright.exchange.page_size import MM
from fabricwright.exchange.svg import Svg
from fabricwright.units.text import Message, msg

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
class LegendEntry:
    """A sample, drawn by ``draw(ink, x, y)`` in 36 x 12 units around (x, y), and what it means."""

    label: Message | str
    draw: Callable[[Svg, float, float], None]


@dataclass(frozen=True, slots=True)
class PageText:
    """What stands around the drawing.

    ``number`` and ``of`` count the sheets of this export; ``side_lift`` keeps room free at the foot of the column;
    ``sheet`` the id of the sheet that is drawn.
    """

    title: Message | str
    subtitle: Message | str = ""
    side: tuple[SideBlock, ...] = ()
    notes: tuple[Message | str, ...] = ()
    number: int = 1
    of: int = 1
    legend: tuple[LegendEntry, ...] = field(default=())
    side_lift: float = 30.0
    sheet: str = ""


def numbered(text: PageText, number: int, of: int) -> PageText:
    """The same text on another sheet number."""
    return replace(text, number=number, of=of)


class Page:
    """A page being filled. ``say`` turns a Message into the page's language; ``size`` says where things stand."""

    def __init__(self, project: Project, text: PageText, lang: str, options: DrawOptions | None = None) -> None:
        self.lang = lang
        self.options = options or DrawOptions()
        self.size = size = self.options.page
        self.svg = Svg(size.width, size.height, size.width_mm, size.height_mm, self.say(text.title), lang)
        self.svg.without_colour = self.options.without_colour
        self.svg.transparent = self.options.transparent
        self.text = text
        self.sheet = text.sheet
        self._project = project
        self._frame()
        self._head()
        if size.wide:
            self._ramp()
            self._side(size.side, size.right - 20, size.foot - text.side_lift)
            if self.options.legend and (text.legend or text.notes):
                self._legend(size.left + 18, size.foot + 26, 462, 5)
                self._notes(size.left + 496, size.foot + 26, 236, size.bottom - 10)
        self._title_block()
        self.svg.layer = "parts"

    def say(self, text: Message | str) -> str:
        """Text in the page's language."""
        return text.text(self.lang) if isinstance(text, Message) else text

    def _frame(self) -> None:
        svg, size = self.svg, self.size
        left, top, right, bottom = size.left, size.top, size.right, size.bottom
        svg.rect(left, top, right - left, bottom - top, width=2.2, radius=0)
        svg.line([(left, size.foot), (right, size.foot)], width=2.2)
        for n in range(6):
            middle = left + (right - left) * (n + 0.5) / 6
            edge = left + (right - left) * n / 6
            for base, tick in ((top - 10, top - 12), (bottom + 21, bottom + 12)):
                svg.text(middle, base, str(n + 1), SMALL, fill="text.2", anchor="middle")
                if n:
                    svg.line([(edge, tick), (edge, top if tick < top else bottom)], width=1)
        for n, letter in enumerate("ABCD"):
            middle = top + (bottom - top) * (n + 0.5) / 4 + 4
            edge = top + (bottom - top) * n / 4
            for base, tick in ((left - 20, left - 12), (right + 17, right + 12)):
                svg.text(base, middle, letter, SMALL, fill="text.2", anchor="middle")
                if n:
                    svg.line([(tick, edge), (left if tick < left else right, edge)], width=1)

    def _head(self) -> None:
        size = self.size
        whole = size.right - size.left - 48
        width = self.svg.text(
            size.left + 24, size.top + 38, self.say(self.text.title), 22, weight=600, room=whole * 0.6
        )
        self.svg.text(
            size.left + 38 + width,
            size.top + 38,
            self.say(self.text.subtitle),
            14,
            fill="text.2",
            room=max(1.0, (size.side if size.wide else size.right) - size.left - 60 - width),
        )

    def _side(self, x: float, right: float, bottom: float, top: float = 0.0) -> int:
        """Blocks from the top of a column down; returns how many there was room for."""
        y = top or self.size.top + 78
        for number, block in enumerate(self.text.side):
            if y > bottom - 40:
                return number
            self._block(block, x, right, y, bottom)
            room = max(0, int((bottom - y - 8) // 24))
            y += 8 + 24 * min(room, len(block.rows)) + 42
        return len(self.text.side)

    def _block(self, block: SideBlock, x: float, right: float, y: float, bottom: float) -> None:
        remark = self.svg.text(right, y, self.say(block.remark), SMALL, fill="text.2", anchor="end", room=150)
        self.svg.text(x, y, self.say(block.title), 15, weight=600, room=right - x - remark - 12)
        y += 8
        self.svg.line([(x, y), (right, y)], width=1.4)
        room = max(0, int((bottom - y) // 24))
        for label, value in block.rows[:room]:
            y += 24
            width = self.svg.text(right, y - 7, self.say(value), BODY, weight=600, anchor="end", room=240)
            self.svg.text(x, y - 7, self.say(label), BODY, room=right - x - width - 14)
            self.svg.line([(x, y), (right, y)], stroke="border", width=1)

    def _legend(self, x: float, y: float, width: float, rows: int) -> None:
        svg = self.svg
        entries = [*self.text.legend, *(() if self.size.wide else self._heat_entries())]
        svg.text(x, y, msg("Legend").text(self.lang), 14, weight=600)
        columns = 2 if len(entries) <= 2 * rows else 3
        column = width / columns
        for n, entry in enumerate(entries[: columns * rows]):
            left, base = x + (n // rows) * column, y + 24 + (n % rows) * 21
            entry.draw(svg, left, base - 4)
            svg.text(left + 46, base, self.say(entry.label), SMALL, room=column - 52)

    def _heat_entries(self) -> list[LegendEntry]:
        if not (self.options.loads or self.options.loads_inside):
            return []
        edges = (0.0, *HEAT_STEPS, 1.0)
        return [
            LegendEntry(
                msg("load {low}-{high} %", low=f"{100 * low:.0f}", high=f"{100 * high:.0f}"), _heat_sample(high)
            )
            for low, high in pairwise(edges)
        ]

    def _ramp(self) -> None:
        """The load ramp above the right column of a sheet with loads on it."""
        if not self.text.legend or not self._heat_entries():
            return
        x, y = self.size.side, self.size.top + 38
        x += self.svg.text(x, y, msg("Load, %").text(self.lang), SMALL, weight=600, room=70) + 10
        for low, high in pairwise((0.0, *HEAT_STEPS, 1.0)):
            token, width = heat_pen(high)
            self.svg.line([(x, y - 4), (x + 16, y - 4)], stroke=token, width=width)
            x += 20 + self.svg.text(x + 20, y, f"{100 * low:.0f}-{100 * high:.0f}", SMALL) + 7

    def _notes(self, x: float, y: float, width: float, bottom: float) -> None:
        svg = self.svg
        if self.size.wide:
            svg.line([(x - 16, y - 12), (x - 16, bottom - 4)], stroke="border", width=1)
        svg.text(x, y, msg("Notes").text(self.lang), 14, weight=600)
        base = y + 22
        for n, note in enumerate(self.text.notes, 1):
            for k, line in enumerate(wrap(self.say(note), width, SMALL)):
                if base > bottom:
                    return
                if k == 0:
                    svg.text(x, base, str(n), SMALL, fill="text.2")
                svg.text(x + 14, base, line, SMALL)
                base += 17

    def _title_block(self) -> None:
        svg, size, meta = self.svg, self.size, self._project.meta
        lang = self.lang
        drawn = ", ".join(str(meta[k]) for k in ("author", "date") if meta.get(k))
        text = self.text
        paper = size.name if size.landscape else msg("{paper} portrait", paper=size.name).text(lang)
        # Shrunk onto its paper a page says so; schematic drawings have no scale else.
        scale = msg("none").text(lang) if size.scale <= 1.001 else f"1 : {size.scale:.3g}"
        said = {
            "customer": (msg("Customer"), str(meta.get("customer") or "")),
            "project": (msg("Project"), str(meta.get("project") or self._project.title)),
            "drawing": (msg("Drawing"), self.say(text.title)),
            "number": (msg("Number"), str(meta.get("number") or "")),
            "revision": (msg("Revision"), str(meta.get("revision") or "")),
            "sheet": (msg("Sheet"), msg("{n} of {m}", n=text.number, m=text.of).text(lang)),
            "drawn": (msg("Drawn"), drawn),
            "checked": (msg("Checked"), str(meta.get("checked") or "")),
            "approved": (msg("Approved"), str(meta.get("approved") or "")),
            "scale": (msg("Scale"), scale),
            "format": (msg("Format"), paper),
        }
        if size.wide:
            left, mark, rows = size.right - 184 * MM, size.right - 184 * MM + 118, _WIDE_ROWS
            svg.line([(left, size.foot), (left, size.bottom)], width=2.2)
            svg.icon("app-icon", left + 36, size.foot + 26, 46)
            svg.text(left + 59, size.foot + 96, "Fabricwright", SMALL, weight=600, anchor="middle")
            svg.text(left + 59, size.foot + 114, __version__, 11, fill="text.2", anchor="middle")
        else:
            left, mark, rows = size.left, size.left + 104, _NARROW_ROWS
            svg.icon("app-icon", left + 34, size.foot + 14, 36)
            svg.text(left + 52, size.foot + 68, "Fabricwright", SMALL, weight=600, anchor="middle")
            svg.text(left + 52, size.foot + 84, __version__, 11, fill="text.2", anchor="middle")
        svg.line([(mark, size.foot), (mark, size.bottom)], width=1.2)
        span = size.right - mark
        for row, cells in enumerate(rows):
            y = size.foot + 13 * MM * row
            below = min(y + 13 * MM, size.bottom)
            if row:
                svg.line([(mark, y), (size.right, y)], width=1.2)
            ends = [*(start for _, start in cells[1:]), 1.0]
            for (key, start), end in zip(cells, ends, strict=True):
                x, room = mark + span * start, span * (end - start) - 16
                if start:
                    svg.line([(x, y), (x, below)], width=1.2)
                caption, value = said[key]
                svg.text(x + 10, y + 17, caption.text(lang), CAPTION, fill="text.2", room=room)
                self._value(x + 10, y + 38, value, room)

    def _value(self, x: float, y: float, value: str, room: float) -> None:
        """A value of the title block; one that is a little too long is set smaller rather than cut."""
        fits = next((size for size in (BODY, SMALL) if text_width(value, size, 600) <= room), SMALL)
        self.svg.text(x, y, value, fits, weight=600, room=room)


_WIDE_ROWS: Sequence[Sequence[tuple[str, float]]] = (
    (("customer", 0.0), ("project", 0.5)),
    (("drawing", 0.0), ("number", 0.5), ("revision", 0.72), ("sheet", 0.84)),
    (("drawn", 0.0), ("checked", 0.29), ("approved", 0.58), ("scale", 0.76), ("format", 0.88)),
)
_NARROW_ROWS: Sequence[Sequence[tuple[str, float]]] = (
    (("customer", 0.0), ("project", 0.24), ("drawing", 0.52), ("number", 0.76), ("sheet", 0.89)),
    (("drawn", 0.0), ("checked", 0.26), ("approved", 0.48), ("revision", 0.66), ("scale", 0.76), ("format", 0.87)),
)


def facts_page(project: Project, text: PageText, lang: str, options: DrawOptions) -> Ink:
    """What a narrow page has no room for: legend, notes and the blocks of the right column."""
    page = Page(project, replace(text, subtitle=msg("legend, notes and figures")), lang, options)
    size = page.size
    columns = 2 if size.right - size.left > 900 else 1
    span = (size.right - size.left - 48 + 32) / columns
    top = size.y0 + 20
    height = 24 + 21 * -(-(len(text.legend) + len(page._heat_entries())) // 2) + 24
    if options.legend:
        page._legend(size.x0, top, span - 32, max(5, -(-len(text.legend) // 2)))
        page._notes(size.x0, top + height + 20, span - 46, size.foot - 20 if columns == 2 else top + height + 200)
    if columns == 2:
        page._side(size.x0 + span, size.x0 + 2 * span - 32, size.foot - 20, top)
    else:
        page._side(size.x0, size.right - 24, size.foot - 20, top + height + 240)
    return page.svg


def _heat_sample(load: float) -> Callable[[Svg, float, float], None]:
    token, width = heat_pen(load)
    return lambda svg, x, y: svg.line([(x, y), (x + 36, y)], stroke=token, width=width)
