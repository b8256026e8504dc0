"""A server sheet as a printed page: CPUs with their lane budget, the PCIe tree below them, GPUs and NICs in one row.

A child stands under its parent, so that every line is vertical; an empty slot is dashed; a card that was forced in is
framed in the error colour and says so.
"""

from __future__ import annotations

from collections.abc import Callable

from fabricwright.catalog.parts import Part
from fabricwright.catalog.pictograms import pictogram
from fabricwright.exchange.drawing_options import Badge, heat_pen
from fabricwright.exchange.fabric_cards import draw_badge
from fabricwright.exchange.font_metrics import text_width, wrap
from fabricwright.exchange.naming import part_label
from fabricwright.exchange.server_view import Branch, ServerView
from fabricwright.exchange.sheet_page import LegendEntry, Page
from fabricwright.exchange.svg import Svg
from fabricwright.units.text import Message, format_value, msg

MOST_BESIDE_LIST = 11
"""Columns up to which the list of parts stands beside the drawing; wider servers take the whole page."""
CPU_H = 96.0
LEAF_H = 122.0
LEAST_UNIT, MOST_UNIT = 52.0, 118.0
"""Narrowest and widest column."""
SOCKET_GAP, BAND_GAP, LEAST_GAP = 64.0, 26.0, 46.0
INNER_H = 80.0
MOST_GAP = 120.0
LANE_COLOURS = {
    "gpu": "pcie",
    "pcie-switch-card": "rail0",
    "pcie-switch": "rail0",
    "nic": "rail2",
    "retimer": "rail6",
    "nvme": "storage",
    "cxl": "cxl",
}


class ServerDrawing:
    """Draws one server view into a page."""

    def __init__(self, page: Page, view: ServerView) -> None:
        self.page, self.svg, self.view = page, page.svg, view
        size = page.size
        beside = size.wide and view.columns <= MOST_BESIDE_LIST
        self._x0, self._right = size.x0, size.x1 if beside else size.right - 24
        self._columns = {cpu: max(3, sum(b.leaves for b in row)) for cpu, row in view.cpus.items()}
        self._y0 = self._leaf_y = 0.0
        self._parts = () if beside or not page.options.figures else self._parts_lines()
        self._bar = (62 if view.nvswitches else 20) + 17 * len(self._parts)
        # Sockets stand side by side; where that is too narrow, one below the other.
        rows = [[cpu] for cpu in self._columns] if len(self._columns) > 1 else []
        beside_lack = self._lack([list(self._columns)])
        self._bands = [list(self._columns)]
        self.lack = beside_lack
        if beside_lack > 1 and rows and self._lack(rows) < beside_lack:
            self._bands, self.lack = rows, self._lack(rows)

    def _unit(self, bands: list[list[str]]) -> float:
        """Width of a column when the sockets stand in these rows."""
        widest = max(sum(self._columns[cpu] for cpu in band) for band in bands)
        gaps = SOCKET_GAP * (max(map(len, bands)) - 1)
        return min(MOST_UNIT, (self._right - self._x0 - gaps) / widest)

    def _gap_of(self, count: int) -> float:
        """Height of the gaps between the rows of one of ``count`` bands."""
        size, rows = self.page.size, max(1, self.view.depth)
        band = (size.foot - 30 - self._bar - size.y0 - BAND_GAP * (count - 1)) / count
        return min(MOST_GAP, (band - CPU_H - LEAF_H - (rows - 1) * INNER_H) / rows)

    def _lack(self, bands: list[list[str]]) -> float:
        """How many times too small the page is; at most 1 when everything fits."""
        if not self._columns:
            return 0.0
        size, rows = self.page.size, max(1, self.view.depth)
        band = CPU_H + LEAF_H + (rows - 1) * INNER_H + rows * LEAST_GAP
        needed = len(bands) * band + (len(bands) - 1) * BAND_GAP
        return max(needed / (size.foot - 30 - self._bar - size.y0), LEAST_UNIT / self._unit(bands))

    def draw(self) -> None:
        """CPUs, lines, cards, NVLink."""
        view, size = self.view, self.page.size
        if not view.cpus:
            self.svg.text(
                (self._x0 + self._right) / 2,
                size.y0 + 200,
                msg("No CPU on this sheet.").text(self.page.lang),
                14,
                fill="text.2",
                anchor="middle",
            )
            return
        unit = self._unit(self._bands)
        self._gap = self._gap_of(len(self._bands))
        inner = max(1, view.depth) - 1
        height = CPU_H + LEAF_H + inner * INNER_H + max(1, view.depth) * self._gap
        edges: list[tuple[float, float, float]] = []
        for n, band in enumerate(self._bands):
            self._y0 = size.y0 + n * (height + BAND_GAP)
            self._leaf_y = self._y0 + height - LEAF_H
            x = self._x0
            for cpu in band:
                width = unit * self._columns[cpu]
                self._cpu(cpu, x, width)
                at = x
                for branch in view.cpus[cpu]:
                    self._branch(branch, at, unit, self._y0 + CPU_H, 0, cpu)
                    at += unit * branch.leaves
                edges.append((x, x + width, self._y0))
                x += width + SOCKET_GAP
        cpus = [cpu for band in self._bands for cpu in band]
        for n, label in enumerate(view.sockets[: len(edges) - 1]):
            self._socket_link(label, edges[n], edges[n + 1], (cpus[n], cpus[n + 1]))
        self._nvlink()
        for n, line in enumerate(reversed(self._parts)):
            self.svg.text(size.x0, size.foot - 13 - 17 * n, line, 12, fill="text.2")

    def _parts_lines(self) -> tuple[str, ...]:
        """What is in the server, in full: where the list has no column of its own, cards may break a long name."""
        if not self.page.size.wide:
            return ()
        listed = msg("Parts: {parts}", parts=list(self.view.counted(self.page.lang))).text(self.page.lang)
        return tuple(wrap(listed, self._right - self._x0, 12, most=2))

    def _socket_link(
        self, label: str, one: tuple[float, float, float], other: tuple[float, float, float], cpus: tuple[str, str]
    ) -> None:
        svg = self.svg
        ends = (f"{cpus[0]}:link-{cpus[1]}", f"{cpus[1]}:link-{cpus[0]}")
        if one[2] == other[2]:
            left, right, y = one[1], other[0], one[2] + 34
            svg.port(ends[0], cpus[0], left, y + 6, 6, 6)
            svg.port(ends[1], cpus[1], right, y + 6, 6, 6)
            for k in range(3):
                line = [(left, y + 6 * k), (right, y + 6 * k)]
                svg.line(line, stroke="pcie", width=1.4, ends=ends if k == 1 else None, name="-".join(cpus))
            svg.text((left + right) / 2, y + 32, label, 12, fill="text.2", anchor="middle")
            return
        x, top, bottom = one[0], one[2] + 30, other[2] + 30
        svg.port(ends[0], cpus[0], x, top, 6, 6)
        svg.port(ends[1], cpus[1], x, bottom, 6, 6)
        for k in range(3):
            path = [(x, top + 5 * k), (x - 15 + 4 * k, top + 5 * k), (x - 15 + 4 * k, bottom + 10 - 5 * k)]
            path.append((x, bottom + 10 - 5 * k))
            svg.line(path, stroke="pcie", width=1.4, ends=ends if k == 0 else None, name="-".join(cpus))
        svg.text(x + 4, other[2] - 8, label, 12, fill="text.2")

    # -- CPU ----------------------------------------------------------------------------------------------------------

    def _cpu(self, cpu: str, x: float, w: float) -> None:
        svg, item = self.svg, self.view.eff.items[cpu]
        svg.begin(cpu)
        svg.rect(x, self._y0, w, CPU_H, fill="raised", width=1.5, radius=8)
        svg.icon("cpu", x + 12, self._y0 + 12, 28)
        width = svg.text(x + 50, self._y0 + 27, cpu.upper(), 14, weight=600)
        svg.text(
            x + 60 + width,
            self._y0 + 27,
            part_label(item.part, item.of, self.page.lang),
            12,
            fill="text.2",
            room=w - width - 76,
        )
        use = self.view.lanes.get(cpu)
        badge = self.page.options.badges.get(self.page.sheet, {}).get(cpu)
        if use is None:
            svg.end()
            return
        facts = [msg("{lanes} lanes PCIe", lanes=use.available).text(self.page.lang)]
        if item.config.get("cxl"):
            facts.append(f"CXL {item.config['cxl']}")
        svg.text(x + 50, self._y0 + 44, format_value(facts, self.page.lang), 12, fill="text.2", room=w - 64)
        self._lane_bar(x + 14, self._y0 + 54, w - 28, use.available, dict(use.by_kind))
        figure = msg("{used} of {available}", used=use.used, available=use.available).text(self.page.lang)
        svg.text(x + w - 14, self._y0 + 86, figure, 12, weight=600, anchor="end")
        at = x + 14
        for kind, lanes in use.by_kind.items():
            text = f"{kind_word(kind).text(self.page.lang)} {lanes}"
            if at + 20 + text_width(text, 12) > x + w - 30 - text_width(figure, 12, 600):
                break
            svg.rect(at, self._y0 + 77, 9, 9, fill=LANE_COLOURS.get(kind, "border.strong"), width=0, radius=2)
            at += 30 + svg.text(at + 14, self._y0 + 86, text, 12, fill="text.2")
        svg.end()
        if badge is not None:
            draw_badge(self.page, badge, x + w, self._y0, cpu)

    def _lane_bar(self, x: float, y: float, w: float, available: int, by_kind: dict[str, int]) -> None:
        self.svg.rect(x, y, w, 13, fill="hover", width=0, radius=3)
        at = x
        for kind, lanes in by_kind.items():
            part = min(w * lanes / max(1, available), x + w - at)
            if part > 0:
                self.svg.rect(
                    at, y, max(1.0, part - 1.5), 13, fill=LANE_COLOURS.get(kind, "border.strong"), width=0, radius=3
                )
            at += part

    # -- tree ---------------------------------------------------------------------------------------------------------

    def _branch(self, branch: Branch, x: float, unit: float, top: float, depth: int, parent: str) -> None:
        width = unit * branch.leaves
        middle = x + width / 2
        leaf = not branch.children
        y = self._leaf_y if leaf else self._y0 + CPU_H + self._gap * (depth + 1) + INNER_H * depth
        forced = branch.item is not None and branch.item.forced
        cxl = branch.item is not None and branch.item.kind == "cxl"
        dash = "4 3" if branch.item is None else "8 3 2 3" if cxl else ""
        token = "border.strong" if branch.item is None else "error" if forced else "cxl" if cxl else "pcie"
        below = self.svg.port(f"{parent}:{branch.name}", parent, middle, top, 9, 6, token)
        above = self.svg.port(f"{branch.name}:up", branch.name, middle, y, 9, 6, token)
        width_px = 2.0 if branch.item else 1.2
        load = self._load(branch, parent)
        if load is not None and branch.item is not None:
            token, width_px = heat_pen(load)
        line = [(middle, top), (middle, y)]
        self.svg.line(line, stroke=token, width=width_px, dash=dash, ends=(below, above), name=branch.name)
        if branch.feed is not None and branch.feed.lanes and self.page.options.labels:
            self._link_label(branch, middle, top, y, load)
        self.svg.begin(branch.name)
        if leaf:
            self._leaf(branch, x + 3, y, unit - 6)
        else:
            self._inner(branch, x + 3, y, width - 6)
        self.svg.end()
        badge = self._badge(branch)
        if badge is not None:
            draw_badge(self.page, badge, x + (unit if leaf else width) - 3, y, branch.name)
        at = x
        for child in branch.children:
            self._branch(child, at, unit, y + INNER_H, depth + 1, branch.name)
            at += unit * child.leaves

    def _link_label(self, branch: Branch, x: float, top: float, bottom: float, load: float | None) -> None:
        """Lanes, load and length of a cable beside the upper end of its line, as many as there is height for."""
        assert branch.feed is not None
        lanes = f"x{branch.feed.lanes}" if branch.count == 1 else f"{branch.count} × x{branch.feed.lanes}"
        lines = [(lanes, "text.2")]
        if load is not None and branch.item is not None:
            lines.append((f"{100 * load:.0f} %", "text.2"))
        if branch.cable_m:
            lines.append((f"{branch.cable_m:g} m", "text.3"))
        flip = x + 7 + max(text_width(text, 12) for text, _ in lines) > self._right + 22
        for n, (text, tint) in enumerate(lines):
            if top + 18 + 16 * n < bottom - 8:
                where, anchor = (x - 7, "end") if flip else (x + 7, "start")
                self.svg.text(where, top + 18 + 16 * n, text, 12, fill=tint, anchor=anchor)

    def _load(self, branch: Branch, parent: str) -> float | None:
        """Busy part of the link above a card."""
        loads = self.page.options.loads_inside.get(self.page.sheet, {})
        names = (f"{branch.name}:up", f"{parent}:{branch.feed.port}" if branch.feed is not None else "")
        return next((loads[name] for name in names if name in loads), None)

    def _badge(self, branch: Branch) -> Badge | None:
        return self.page.options.badges.get(self.page.sheet, {}).get(branch.name)

    def _inner(self, branch: Branch, x: float, y: float, w: float) -> None:
        svg, item = self.svg, branch.item
        assert item is not None
        svg.rect(x, y, w, INNER_H, fill="raised", stroke="error" if item.forced else "text", width=1.4)
        icon = 0.0
        if w > 110:
            svg.icon(pictogram(item.kind), x + 8, y + 9, 22)
            icon = 30.0
        svg.text(x + 6 + icon, y + 19, item.id.upper(), 12, weight=600, room=w - 14 - icon)
        remark = self._remark(branch)
        most = 2 if remark and w > 110 else 3
        lines = wrap(part_label(item.part, item.of, self.page.lang), w - 10 - icon, 12, most=most)
        for n, line in enumerate(lines):
            svg.text(x + 6 + icon, y + 36 + 15 * n, line, 12, fill="text.2")
        if remark and w > 110:
            svg.text(
                x + w - 8,
                y + INNER_H - 8,
                remark,
                12,
                fill="error" if item.forced else "text.2",
                anchor="end",
                room=w - 16,
            )

    def _remark(self, branch: Branch) -> str:
        item = branch.item
        assert item is not None
        pieces = []
        if branch.slot:
            pieces.append(slot_name(branch.slot))
        if item.config.get("mode"):
            pieces.append(str(item.config["mode"]))
        if item.forced:
            pieces.append(msg("forced").text(self.page.lang))
        return " · ".join(pieces)

    def _leaf(self, branch: Branch, x: float, y: float, w: float) -> None:
        svg, item = self.svg, branch.item
        if item is None:
            slot = self.view.eff.slots[branch.slot]
            svg.rect(x, y, w, LEAF_H, fill="none", stroke="border.strong", width=1.2, dash="4 3")
            name = slot.kind.upper() if branch.count > 1 else slot_name(branch.slot)
            svg.text(x + w / 2, y + 26, name, 12, weight=600, anchor="middle", room=w - 6)
            kind = f"× {branch.count}" if branch.count > 1 else f"x{slot.electrical}"
            svg.text(x + w / 2, y + 44, kind, 12, fill="text.2", anchor="middle", room=w - 6)
            svg.text(
                x + w / 2, y + 61, msg("empty").text(self.page.lang), 12, fill="text.3", anchor="middle", room=w - 6
            )
            return
        if branch.count > 1:
            svg.rect(x + 3, y + 3, w, LEAF_H, fill="raised", width=1)
        stroke = "error" if item.forced else "cxl" if item.kind == "cxl" else "text"
        svg.rect(x, y, w, LEAF_H, fill="raised", stroke=stroke, width=1.4)
        svg.icon(pictogram(item.kind), x + 6, y + 8, 20, "cxl" if item.kind == "cxl" else "text")
        label = item.id[3:] if item.kind == "gpu" and item.id[3:].isdigit() else item.id.rsplit("/", 1)[-1].upper()
        if branch.count > 1:
            label = f"× {branch.count}"
        svg.text(x + 31, y + 23, label, 14 if len(label) < 4 else 12, weight=600, room=w - 35)
        base = y + 46
        lines = wrap(part_label(item.part, item.of, self.page.lang), w - 10, 12, most=3)
        for line in lines:
            svg.text(x + 6, base, line, 12)
            base += 15
        for line in self._leaf_facts(branch, item.part)[: 2 if len(lines) > 2 else 3]:
            if base < y + LEAF_H - 4:
                svg.text(
                    x + 6,
                    base,
                    line,
                    12,
                    fill="error" if item.forced and line == self._forced() else "text.2",
                    room=w - 8,
                )
                base += 15

    def _forced(self) -> str:
        return msg("forced").text(self.page.lang)

    def _leaf_facts(self, branch: Branch, part: Part | None) -> list[str]:
        item = branch.item
        assert item is not None
        out = [self._forced()] if item.forced else []
        if item.kind == "nic":
            rates = [port.gbps for port in item.ports.values() if port.role == "net" and port.gbps]
            if rates and len(set(rates)) == 1:
                out.append(f"{len(rates)} × {rates[0]:g}G")
        if item.kind == "cxl" and item.config.get("gib"):
            out.append(f"{item.config['gib']} GiB")
        if branch.slot and branch.count == 1:
            out.append(slot_name(branch.slot))
        if part is not None and part.get("power_w") and item.kind in ("gpu", "nic", "cxl"):
            out.append(f"{part.get('power_w'):g} W")
        return out

    def _nvlink(self) -> None:
        if not self.view.nvswitches:
            return
        y = self._leaf_y + LEAF_H + 14
        part = self.view.nvswitches[0].part
        text = f"{len(self.view.nvswitches)} × {part_label(part, self.view.nvswitches[0].of, self.page.lang)}"
        if self.view.nvlinks:
            text += msg(", {n} NVLinks per GPU", n=self.view.nvlinks).text(self.page.lang)
        self.svg.begin("nvlink")
        self.svg.line(
            [(self._x0 + 3, y - 10), (self._x0 + 3, y + 4), (self._right - 3, y + 4), (self._right - 3, y - 10)],
            stroke="nvlink",
            width=3,
            radius=4,
        )
        self.svg.text((self._x0 + self._right) / 2, y + 25, text, 13, weight=600, fill="nvlink", anchor="middle")
        self.svg.end()


def slot_name(slot: str) -> str:
    """``chassis:s3`` -> ``S3``; ``ext0:g1`` -> ``ext0 G1``."""
    owner, _, name = slot.rpartition(":")
    return name.upper() if owner in ("chassis", "") else f"{owner} {name.upper()}"


def kind_word(kind: str) -> Message:
    """Short word for a kind in the lane bar's key."""
    words = {
        "gpu": msg("GPU"),
        "nic": msg("NIC"),
        "pcie-switch": msg("switch"),
        "pcie-switch-card": msg("switch"),
        "retimer": msg("retimer"),
        "nvme": msg("NVMe"),
        "cxl": msg("CXL"),
        "riser": msg("riser"),
    }
    return words.get(kind) or msg("{kind}", kind=kind)


def legend_of(view: ServerView) -> tuple[LegendEntry, ...]:
    """Only the kinds of line and shape that are on this sheet."""
    branches = [b for row in view.cpus.values() for b in row]
    every: list[Branch] = []
    while branches:
        every += branches
        branches = [child for b in branches for child in b.children]
    entries = [LegendEntry(msg("PCIe, with lanes"), _line("pcie", "", 2.0))]
    if view.sockets:
        entries.append(LegendEntry(msg("socket link"), _triple))
    if any(b.item is None for b in every):
        entries.append(LegendEntry(msg("empty slot"), _box("border.strong", "4 3")))
    if any(b.item is not None and b.item.forced for b in every):
        entries.append(LegendEntry(msg("forced against a rule"), _box("error", "")))
    if any(b.item is not None and b.item.kind == "cxl" for b in every):
        entries.append(LegendEntry(msg("CXL"), _line("cxl", "8 3 2 3", 2.0)))
    if view.nvswitches:
        entries.append(LegendEntry(msg("NVLink"), _line("nvlink", "", 3.5)))
    return tuple(entries)


def _line(token: str, dash: str, width: float) -> Callable[[Svg, float, float], None]:
    return lambda svg, x, y: svg.line([(x, y), (x + 36, y)], stroke=token, width=width, dash=dash)


def _triple(svg: Svg, x: float, y: float) -> None:
    for k in (-4, 0, 4):
        svg.line([(x, y + k), (x + 36, y + k)], stroke="pcie", width=1.2)


def _box(token: str, dash: str) -> Callable[[Svg, float, float], None]:
    return lambda svg, x, y: svg.rect(x + 4, y - 7, 26, 14, stroke=token, width=1.2, dash=dash, radius=3)
