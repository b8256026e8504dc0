"""Racks as printed pages: each different rack once with how many are alike, its units numbered, what stands in it, and
units, watts, kilograms and feeds against their limits. Rooms of hundreds of racks stay a page or two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabricwright.design.values import Project
from fabricwright.exchange.drawing_options import DrawOptions
from fabricwright.exchange.elevation import Budget, Device, Elevation, Rack, elevation
from fabricwright.exchange.font_metrics import text_width
from fabricwright.exchange.ink import Ink
from fabricwright.exchange.page_size import PageSize
from fabricwright.exchange.sheet_page import SMALL, LegendEntry, Page, PageText, SideBlock
from fabricwright.units.natural import natural_key
from fabricwright.units.text import Message, msg

if TYPE_CHECKING:
    from fabricwright.rules.finding import Finding

UNIT = 13.5
"""A rack unit on the page: a name of 12 units (9 pt) fits one."""
RACK_W = 158.0
GUTTER = 24.0
BETWEEN = 18.0
HEAD = 46.0
BUDGET_H = 26.0
TINTS = {"server": "text.2", "leaf": "rail0", "spine": "rail4", "storage": "storage", "mgmt": "mgmt", "other": "rail6"}
SIGNS = {"error": "error-octagon", "warning": "warning-triangle"}
STATES = {"": "ok", "warning": "warn", "error": "error"}


@dataclass(frozen=True, slots=True)
class RackPile:
    """Racks that hold the same things at the same units; the first is drawn."""

    racks: tuple[Rack, ...]

    @property
    def rack(self) -> Rack:
        """The one that is drawn."""
        return self.racks[0]


def piles(room: Elevation) -> list[RackPile]:
    """Equal racks together, in the order of the room."""
    found: dict[tuple[object, ...], list[Rack]] = {}
    for rack in room.racks:
        found.setdefault((rack.racks, rack.look, rack.budgets), []).append(rack)
    return [RackPile(tuple(racks)) for racks in found.values()]


@dataclass(frozen=True, slots=True)
class ElevationPages:
    """The rack pages of a book: ``count`` on a paper, ``draw`` numbered from ``first`` of ``of``."""

    room: Elevation
    title: Message = msg("Racks")

    def count(self, page: PageSize) -> int:
        """How many pages they take on this paper."""
        return len(self._split(self._sized(page)))

    def draw(self, project: Project, lang: str, options: DrawOptions, first: int, of: int) -> list[Ink]:
        """The pages; a design without racks has one that says so."""
        out: list[Ink] = []
        options = replace(options, page=self._sized(options.page))
        every = self._split(options.page)
        for n, rows in enumerate(every):
            text = PageText(
                self.title,
                self._subtitle(n + 1, len(every)),
                (self._side(lang),) if options.figures else (),
                self._notes(),
                first + n,
                of,
                legend_of(self.room),
            )
            page = Page(project, text, lang, options)
            if not self.room.racks:
                size = page.size
                words = msg("No racks are drawn; seat the devices first.").text(lang)
                page.svg.text((size.x0 + size.x1) / 2, size.y0 + 120, words, 14, fill="text.2", anchor="middle")
            for row, base in rows:
                x = page.size.x0 + GUTTER
                for pile in row:
                    _RackDrawing(page, self.room, pile).draw(x, base)
                    x += RACK_W + GUTTER + BETWEEN
                if n == len(every) - 1 and row is rows[-1][0] and len(self.room.racks) > 1:
                    _floor_plan(page, self.room, x + 20, page.size.x1, base - UNIT * 40, base)
            out.append(page.svg)
        return out

    def _sized(self, page: PageSize) -> PageSize:
        """The paper laid out so that a rack is not cut: as large letters as let all of it stand on one page, else as
        usual, or smaller where the paper is too low for a rack.
        """
        tall = max((_above(p) + _below(p) for p in piles(self.room)), default=0.0)
        fitting = [layout for layout in page.layouts() if layout.foot - layout.y0 >= tall]
        usual = [layout for layout in fitting if layout.scale <= 1.001]
        whole = next((layout for layout in usual if len(self._split(layout)) == 1), None)
        return whole or (usual[-1] if usual else fitting[0] if fitting else page)

    def _split(self, page: PageSize) -> list[list[tuple[list[RackPile], float]]]:
        """Pages of (racks side by side, floor line they stand on)."""
        across = max(1, int((page.x1 - page.x0 + BETWEEN) // (RACK_W + GUTTER + BETWEEN)))
        every = piles(self.room)
        pages: list[list[tuple[list[RackPile], float]]] = [[]]
        y = page.y0
        for start in range(0, len(every), across):
            row = every[start : start + across]
            above, below = max(map(_above, row)), max(map(_below, row))
            if pages[-1] and y + above + below > page.foot:
                pages.append([])
                y = page.y0
            pages[-1].append((row, y + above))
            y += above + below
        return pages

    def _subtitle(self, part: int, parts: int) -> Message:
        racks = self.room.racks
        total = sum(r.power_w for r in racks) / 1e3
        most = max((r.power_w for r in racks), default=0.0) / 1e3
        if parts > 1:
            return msg(
                "{racks} racks, {total} kW, fullest {most} kW; page {part} of {parts}",
                racks=len(racks),
                total=_figure(total),
                most=_figure(most),
                part=part,
                parts=parts,
            )
        return msg(
            "{racks} racks, {total} kW, fullest {most} kW", racks=len(racks), total=_figure(total), most=_figure(most)
        )

    def _side(self, lang: str) -> SideBlock:
        """Every kind of rack with its number and power."""
        rows = [
            (_names(pile.racks), f"{len(pile.racks)} × {_figure(pile.rack.power_w / 1e3)} kW")
            for pile in piles(self.room)
        ]
        return SideBlock(msg("Kinds of racks"), tuple(rows[:24]))

    def _notes(self) -> tuple[Message, ...]:
        heat = sum(r.heat_btu_h for r in self.room.racks)
        out = [
            msg("Power is maximum draw; all of it becomes heat: {heat} BTU/h.", heat=f"{heat:,.0f}"),
            msg("Units are counted from the bottom; equal racks are drawn once."),
        ]
        if any(b.at_least for r in self.room.racks for b in r.budgets):
            out.append(msg("≥: not every part states this figure."))
        if self.room.unseated:
            items = [f"{item} ({n})" for item, n in sorted(self.room.unseated.items(), key=lambda r: natural_key(r[0]))]
            out.append(msg("Not seated: {items}", items=items))
        return tuple(out)


def _above(pile: RackPile) -> float:
    """Height over the floor line."""
    return HEAD + UNIT * pile.rack.units


def _below(pile: RackPile) -> float:
    """Height under it: the budgets."""
    return 24 + BUDGET_H * len(pile.rack.budgets)


def elevation_pages(project: Project, design_id: str, findings: Iterable[Finding] = ()) -> ElevationPages:
    """The rack pages of a design, with signs where there are ``findings``."""
    return ElevationPages(elevation(project, design_id, findings))


class _RackDrawing:
    """One rack; its floor line is ``base``."""

    def __init__(self, page: Page, room: Elevation, pile: RackPile) -> None:
        self._page, self._svg, self._room, self._pile = page, page.svg, room, pile

    def draw(self, x: float, base: float) -> None:
        """Draw with the left post at ``x``."""
        svg, rack = self._svg, self._pile.rack
        top = base - UNIT * rack.units
        svg.begin(f"{rack.racks}[{rack.index}]")
        if len(self._pile.racks) > 1:
            for step in (7, 3.5):
                svg.rect(x - 4 + step, top - 4 - step, RACK_W + 8, base - top + 8, fill="panel", width=1, radius=4)
        svg.rect(x - 4, top - 4, RACK_W + 8, base - top + 8, fill="panel", width=1.6, radius=4)
        self._head(x, top)
        for u in range(1, rack.units + 1):
            y = base - UNIT * u
            if u > 1:
                svg.line([(x, y + UNIT), (x + RACK_W, y + UNIT)], stroke="border", width=0.6)
            if u == 1 or u % 2 == 0:
                svg.text(x - 9, y + UNIT - 2.6, str(u), 11, fill="text.3", anchor="end")
        for device in self._room.devices(rack):
            self._device(device, x, base)
        y = base + 10
        for budget in rack.budgets:
            self._budget(budget, x, y)
            y += BUDGET_H
        svg.end()

    def _head(self, x: float, top: float) -> None:
        svg, racks = self._svg, self._pile.racks
        room, lift = RACK_W, 12.0 if len(racks) > 1 else 8.0
        if len(racks) > 1:
            label = self._page.say(msg("× {count}", count=len(racks)))
            width = text_width(label, SMALL, 600) + 18
            svg.rect(x + RACK_W + 4 - width, top - lift - 21, width, 19, fill="panel", width=1.1, radius=9.5)
            svg.text(x + RACK_W + 4 - width / 2, top - lift - 7, label, SMALL, weight=600, anchor="middle")
            room -= width
        rack = self._pile.rack
        said = [f.severity for f in self._room.at(rack.racks, rack.index)[:1]]
        severity = rack.severity or (said[0] if said else "")
        if severity in SIGNS:
            room -= 20
            svg.icon(SIGNS[severity], x + room, top - lift - 20, 16, STATES[severity])
        svg.text(x - 4, top - lift - 6, _names(racks), 13, weight=600, room=room)

    def _device(self, device: Device, x: float, base: float) -> None:
        svg = self._svg
        y, h = base - UNIT * device.top, UNIT * device.height_u
        svg.begin(f"{device.item}[{device.member}]")
        dash = "3 2" if device.by_hand else ""
        svg.rect(x + 1.5, y + 0.8, RACK_W - 3, h - 1.6, fill="panel", width=1, radius=2, dash=dash)
        svg.rect(x + 3, y + 2.2, 4.5, h - 4.4, fill=TINTS[device.tint], width=0, radius=1.5)
        power = _watts(device.power_w) if device.power_w else ""
        used = text_width(power, SMALL) + 8 if power else 0
        middle = y + h / 2 + 4.2
        found = self._room.at(device.item, device.member)
        if found and found[0].severity in SIGNS:
            svg.icon(SIGNS[found[0].severity], x + RACK_W - 20, y + h / 2 - 6, 12, STATES[found[0].severity])
            power, used = "", 16
        svg.text(x + 13, middle, device.label, SMALL, weight=500, room=RACK_W - 22 - used)
        if power:
            svg.text(x + RACK_W - 7, middle, power, SMALL, fill="text.2", anchor="end")
        svg.end()

    def _budget(self, budget: Budget, x: float, y: float) -> None:
        svg = self._svg
        words = {"units": msg("units"), "power": msg("power"), "feed": msg("one feed"), "weight": msg("weight")}
        token = STATES[budget.severity]
        sign = "≥ " if budget.at_least and budget.value else ""
        value = "?" if budget.at_least and not budget.value else sign + _figure(budget.value)
        limit = f" / {_figure(budget.limit)}" if budget.limit else ""
        shown = f"{value}{limit} {budget.unit}"
        fill = token if budget.severity else "text"
        used = svg.text(x + RACK_W, y + 11, shown, SMALL, weight=500, fill=fill, anchor="end")
        svg.text(x, y + 11, self._page.say(words[budget.what]), SMALL, fill="text.2", room=RACK_W - used - 8)
        svg.rect(x, y + 15, RACK_W, 5, fill="border", width=0, radius=2.5)
        if budget.fraction > 0:
            wide = max(5.0, RACK_W * min(1.0, budget.fraction))
            svg.rect(x, y + 15, wide, 5, fill=token, width=0, radius=2.5)


def _floor_plan(page: Page, room: Elevation, x: float, right: float, top: float, bottom: float) -> None:
    """The room from above, where the last page has a place for it: rows of racks, their kilowatts where legible."""
    rows = room.rows()
    first = min(r.place for r in room.racks)
    places = max(r.place for r in room.racks) - first + 1
    side = min(46.0, (right - x - 70) / places)
    step = min(64.0, (bottom - top - 40) / len(rows))
    if side < 9 or step < 20:
        return
    svg = page.svg
    svg.text(x, top, page.say(msg("The room from above")), 15, weight=600, room=right - x)
    for n, (number, racks) in enumerate(rows.items()):
        y = top + 22 + n * step
        svg.text(x, y + 16, page.say(msg("row {n}", n=number + 1)), SMALL, fill="text.2", room=58)
        for rack in racks:
            left = x + 62 + (rack.place - first) * side
            token = STATES[rack.severity] if rack.severity else "text"
            svg.rect(left, y, side - 3, min(30.0, step - 10), stroke=token, width=1.1, radius=2)
            tints = {d.tint for d in room.devices(rack)}
            tint = next((t for t in TINTS if t in tints), "")
            if tint:
                svg.rect(left + 2, y + 2, side - 7, 4, fill=TINTS[tint], width=0, radius=1)
            kw = _figure(round(rack.power_w / 1e3))
            if text_width(kw, SMALL) < side - 6 and step >= 32:
                svg.text(left + (side - 3) / 2, y + 21, kw, SMALL, anchor="middle")
    said = page.say(msg("Figures in kW."))
    if side >= 24 and step >= 32:
        svg.text(x + 62, top + 22 + len(rows) * step + 8, said, SMALL, fill="text.2", room=right - x - 62)


def _names(racks: tuple[Rack, ...]) -> str:
    return racks[0].label if len(racks) == 1 else f"{racks[0].label} … {racks[-1].label}"


def _figure(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0") if value < 100 else f"{value:,.0f}"


def _watts(value: float) -> str:
    return f"{value / 1e3:,.1f} kW" if value >= 1000 else f"{value:.0f} W"


def legend_of(room: Elevation) -> tuple[LegendEntry, ...]:
    """Only the kinds that stand in these racks."""
    words = {
        "server": msg("server"),
        "leaf": msg("leaf"),
        "spine": msg("spine, core"),
        "storage": msg("storage"),
        "mgmt": msg("management"),
        "other": msg("other"),
    }
    devices = [d for pile in piles(room) for d in room.devices(pile.rack)]
    there = {d.tint for d in devices}
    out = [LegendEntry(label, _sample(TINTS[tint])) for tint, label in words.items() if tint in there]
    if any(d.by_hand for d in devices):
        out.append(LegendEntry(msg("moved by hand"), _dashed))
    return tuple(out)


def _sample(token: str) -> Callable[[Ink, float, float], None]:
    def draw(svg: Ink, x: float, y: float) -> None:
        svg.rect(x + 2, y - 7, 30, 14, width=1, radius=2)
        svg.rect(x + 4, y - 5, 4.5, 10, fill=token, width=0, radius=1.5)

    return draw


def _dashed(svg: Ink, x: float, y: float) -> None:
    svg.rect(x + 2, y - 7, 30, 14, width=1, radius=2, dash="3 2")
