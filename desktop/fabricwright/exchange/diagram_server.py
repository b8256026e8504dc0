"""A server sheet as a printed page: CPUs with their lane budget, the PCIe tree below them, GPUs and NICs in one row.

A child stands under its parent, so that every line is vertical; an empty slot is dashed; a card that was forced in is
framed in the error colour and says so.
"""

from __future__ import annotations

from collections.abc import Callable

from fabricwright.catalog.parts import Part
from fabricwright.catalog.pictograms import pictogram
from fabricwright.exchange.font_metrics import text_width, wrap
from fabricwright.exchange.naming import part_label
from fabricwright.exchange.server_view import Branch, ServerView
from fabricwright.exchange.sheet_page import FOOT, LEFT, RIGHT, SIDE, TOP, LegendEntry, Page
from fabricwright.exchange.svg import Svg
from fabricwright.units.text import Message, format_value, msg

X0 = LEFT + 24
MOST_BESIDE_LIST = 11
"""Columns up to which the list of parts stands beside the drawing; wider servers take the whole page."""
Y0 = TOP + 66
CPU_H = 96.0
LEAF_H = 122.0
INNER_H = 66.0
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
        self._right = SIDE - 30 if view.columns <= MOST_BESIDE_LIST else RIGHT - 24
        rows = max(1, view.depth)
        bar = 62 if view.nvswitches else 20
        inner = max(0, rows - 1)
        free = FOOT - 30 - bar - Y0 - CPU_H - LEAF_H - inner * INNER_H
        self._gap = min(MOST_GAP, free / rows)
        self._leaf_y = Y0 + CPU_H + self._gap * rows + inner * INNER_H

    def draw(self) -> None:
        """CPUs, lines, cards, NVLink."""
        view = self.view
        if not view.cpus:
            self.svg.text(
                (X0 + self._right) / 2,
                Y0 + 200,
                msg("No CPU on this sheet.").text(self.page.lang),
                14,
                fill="text.2",
                anchor="middle",
            )
            return
        gap = 58.0
        columns = {cpu: max(3, sum(b.leaves for b in row)) for cpu, row in view.cpus.items()}
        unit = (self._right - X0 - gap * (len(columns) - 1)) / sum(columns.values())
        unit = min(unit, 118.0)
        x = X0
        edges = []
        for cpu, count in columns.items():
            width = unit * count
            self._cpu(cpu, x, width)
            at = x
            for branch in view.cpus[cpu]:
                self._branch(branch, at, unit, Y0 + CPU_H, 0)
                at += unit * branch.leaves
            edges.append((x, x + width))
            x += width + gap
        for n, label in enumerate(view.sockets[: len(edges) - 1]):
            left, right = edges[n][1], edges[n + 1][0]
            for k in range(3):
                self.svg.line([(left, Y0 + 34 + 6 * k), (right, Y0 + 34 + 6 * k)], stroke="pcie", width=1.4)
            self.svg.text((left + right) / 2, Y0 + 66, label, 12, fill="text.2", anchor="middle")
        self._nvlink()

    # -- CPU ----------------------------------------------------------------------------------------------------------

    def _cpu(self, cpu: str, x: float, w: float) -> None:
        svg, item = self.svg, self.view.eff.items[cpu]
        svg.begin(cpu)
        svg.rect(x, Y0, w, CPU_H, fill="raised", width=1.5, radius=8)
        svg.icon("cpu", x + 12, Y0 + 12, 28)
        width = svg.text(x + 50, Y0 + 27, cpu.upper(), 14, weight=600)
        svg.text(
            x + 60 + width,
            Y0 + 27,
            part_label(item.part, item.of, self.page.lang),
            12,
            fill="text.2",
            room=w - width - 76,
        )
        use = self.view.lanes.get(cpu)
        if use is None:
            svg.end()
            return
        facts = [msg("{lanes} lanes PCIe", lanes=use.available).text(self.page.lang)]
        if item.config.get("cxl"):
            facts.append(f"CXL {item.config['cxl']}")
        svg.text(x + 50, Y0 + 44, format_value(facts, self.page.lang), 12, fill="text.2", room=w - 64)
        self._lane_bar(x + 14, Y0 + 54, w - 28, use.available, dict(use.by_kind))
        figure = msg("{used} of {available}", used=use.used, available=use.available).text(self.page.lang)
        svg.text(x + w - 14, Y0 + 86, figure, 12, weight=600, anchor="end")
        at = x + 14
        for kind, lanes in use.by_kind.items():
            text = f"{kind_word(kind).text(self.page.lang)} {lanes}"
            if at + 20 + text_width(text, 12) > x + w - 30 - text_width(figure, 12, 600):
                break
            svg.rect(at, Y0 + 77, 9, 9, fill=LANE_COLOURS.get(kind, "border.strong"), width=0, radius=2)
            at += 30 + svg.text(at + 14, Y0 + 86, text, 12, fill="text.2")
        svg.end()

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

    def _branch(self, branch: Branch, x: float, unit: float, top: float, depth: int) -> None:
        width = unit * branch.leaves
        middle = x + width / 2
        leaf = not branch.children
        y = self._leaf_y if leaf else Y0 + CPU_H + self._gap * (depth + 1) + INNER_H * depth
        forced = branch.item is not None and branch.item.forced
        cxl = branch.item is not None and branch.item.kind == "cxl"
        dash = "4 3" if branch.item is None else "8 3 2 3" if cxl else ""
        token = "border.strong" if branch.item is None else "error" if forced else "cxl" if cxl else "pcie"
        self.svg.line([(middle, top), (middle, y)], stroke=token, width=2 if branch.item else 1.2, dash=dash)
        for end in (top, y):
            self.svg.rect(middle - 4.5, end - 3, 9, 6, fill=token, width=0, radius=1.5)
        if branch.feed is not None and branch.feed.lanes:
            label = f"x{branch.feed.lanes}" if branch.count == 1 else f"{branch.count} × x{branch.feed.lanes}"
            self.svg.text(middle + 7, top + 18, label, 12, fill="text.2")
            if branch.cable_m:
                self.svg.text(middle + 7, top + 34, f"{branch.cable_m:g} m", 12, fill="text.3")
        self.svg.begin(branch.name)
        if leaf:
            self._leaf(branch, x + 3, y, unit - 6)
        else:
            self._inner(branch, x + 3, y, width - 6)
        self.svg.end()
        at = x
        for child in branch.children:
            self._branch(child, at, unit, y + INNER_H, depth + 1)
            at += unit * child.leaves

    def _inner(self, branch: Branch, x: float, y: float, w: float) -> None:
        svg, item = self.svg, branch.item
        assert item is not None
        svg.rect(x, y, w, INNER_H, fill="raised", stroke="error" if item.forced else "text", width=1.4)
        icon = 0.0
        if w > 110:
            svg.icon(pictogram(item.kind), x + 8, y + 9, 22)
            icon = 30.0
        svg.text(x + 6 + icon, y + 19, item.id.upper(), 12, weight=600, room=w - 14 - icon)
        lines = wrap(part_label(item.part, item.of, self.page.lang), w - 10 - icon, 12, most=2)
        for n, line in enumerate(lines):
            svg.text(x + 6 + icon, y + 35 + 15 * n, line, 12, fill="text.2")
        remark = self._remark(branch)
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
            [(X0 + 3, y - 10), (X0 + 3, y + 4), (self._right - 3, y + 4), (self._right - 3, y - 10)],
            stroke="nvlink",
            width=3,
            radius=4,
        )
        self.svg.text((X0 + self._right) / 2, y + 25, text, 13, weight=600, fill="nvlink", anchor="middle")
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
