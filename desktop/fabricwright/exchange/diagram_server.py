"""A server sheet as a printed page: CPUs with their lane budget, the PCIe tree below them, GPUs and NICs in one row.

A child stands under its parent, so that every line is vertical; an empty slot is dashed; a card that was forced in is
framed in the error colour and says so.
"""

from __future__ import annotations

from fabricwright.exchange.drawing_options import Badge, heat_pen
from fabricwright.exchange.fabric_cards import draw_badge
from fabricwright.exchange.font_metrics import text_width, wrap
from fabricwright.exchange.naming import part_label
from fabricwright.exchange.server_cards import CPU_H, INNER_H, LEAF_H, ServerCards
from fabricwright.exchange.server_view import Branch, ServerView
from fabricwright.exchange.sheet_page import Page
from fabricwright.units.text import msg

MOST_BESIDE_LIST = 11
"""Columns up to which the list of parts stands beside the drawing; wider servers take the whole page."""
LEAST_UNIT, MOST_UNIT = 52.0, 118.0
"""Narrowest and widest column."""
SOCKET_GAP, BAND_GAP, LEAST_GAP = 64.0, 26.0, 46.0
MOST_GAP = 120.0


class ServerDrawing:
    """Draws one server view into a page."""

    def __init__(self, page: Page, view: ServerView) -> None:
        self.page, self.svg, self.view = page, page.svg, view
        self._cards = ServerCards(page, view)
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
                self._cards.cpu(cpu, x, self._y0, width)
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
            self._cards.leaf(branch, x + 3, y, unit - 6)
        else:
            self._cards.inner(branch, x + 3, y, width - 6)
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
