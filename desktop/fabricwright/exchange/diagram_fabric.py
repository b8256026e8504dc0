"""The fabric sheet as a printed page: the main network drawn out from spine to servers, the other networks as cards.

Ports of servers stand in rail order; every kind of link keeps its colour and its dash; a bundle is tied by a white
label that tells how many links of which rate it stands for. Lines are vertical or horizontal and pass through no card.
"""

from __future__ import annotations

from collections.abc import Callable

from fabricwright.design.effective import effective
from fabricwright.design.values import Design, Project
from fabricwright.exchange.drawing_options import heat_pen
from fabricwright.exchange.fabric_cards import Box, FabricCards, lane_x
from fabricwright.exchange.fabric_networks import BUS_STEP, ROW_H, OtherNetworks
from fabricwright.exchange.fabric_view import Cabling, FabricView, alive_of_panel, members_of_panel
from fabricwright.exchange.font_metrics import text_width
from fabricwright.exchange.naming import thousands
from fabricwright.exchange.sheet_frames import draw_frames
from fabricwright.exchange.sheet_page import Page
from fabricwright.exchange.svg import RAIL_DASH, draw_tie
from fabricwright.units.text import msg

FRAME_H = 92.0
CARD_H = 62.0
SERVER_H = 132.0
OPEN_H = 116.0
"""What a server group that is drawn open takes more, for rows of its members."""
LEAST_GAP, MOST_GAP = 58.0, 190.0
LEAST_SERVER_W, LEAST_OTHER_W, LEAST_SWITCH_W, LEAST_LANE_W = 84.0, 100.0, 132.0, 46.0


class FabricDrawing:
    """Draws one fabric view into a page.

    ``lack`` is how many times too small the page is, at most 1 when everything fits.
    """

    def __init__(self, page: Page, view: FabricView, project: Project, design: Design) -> None:
        self.page, self.svg, self.view = page, page.svg, view
        self._project, self._design = project, design
        self._sheet = design.sheets[design.root]
        self.cards = FabricCards(page, view, project, design)
        self.blocks: dict[tuple[str, int], Box] = {}
        self.switches: dict[str, list[Box]] = {}
        self.undrawn: list[Cabling] = []
        self._rows: dict[int, float] = {}
        self._bottom = 0.0
        size = page.size
        self._x0, self._x1, self._y0, self._foot = size.x0, size.x1, size.y0, size.foot
        self._server_h = SERVER_H + (OPEN_H if any(map(self.cards.is_open, view.tier(0))) else 0.0)
        self.lack = self._lack()

    def draw(self) -> None:
        """Place everything, then lines, then cards on top of them."""
        if not self.view.groups:
            self.svg.text(
                (self._x0 + self._x1) / 2,
                self._y0 + 200,
                msg("Nothing is drawn on this sheet yet.").text(self.page.lang),
                14,
                fill="text.2",
                anchor="middle",
            )
            return
        self._place_rows()
        self._place_blocks()
        self._place_switches()
        self.svg.layer = "frames"
        self._panel_frames()
        draw_frames(self.page, self._sheet.frames, self._boxes())
        ties: list[Callable[[], None]] = []
        for cable in self.view.cables:
            self._cable(cable, ties)
        self.svg.layer = "networks"
        OtherNetworks(self.page, self.view, self.blocks, self._bottom).draw()
        for tie in ties if self.page.options.labels else ():
            tie()
        if self.undrawn:
            names = [cable.bundle.link for cable in self.undrawn[:8]]
            note = msg("Not drawn here: {links}", links=names).text(self.page.lang)
            if len(self.undrawn) > 8:
                note = msg(
                    "Not drawn here: {links} and {n} more", links=names, n=thousands(len(self.undrawn) - 8)
                ).text(self.page.lang)
            self.svg.text(self._x0, self._foot - 12, note, 12, fill="text.2", room=self._x1 - self._x0)
        self._draw_cards()

    def _draw_cards(self) -> None:
        for item_id, boxes in self.switches.items():
            group = self.view.groups[item_id]
            self.svg.layer = f"tier{group.tier}"
            for box in boxes:
                self.svg.begin(self._name(item_id, box))
                if box.lane >= 0:
                    self.cards.lane_card(item_id, box)
                else:
                    self.cards.frame(group, box)
                self.svg.end()
            self.cards.badge(item_id, boxes[-1])
        self.svg.layer = "servers"
        for (item_id, panel), box in self.blocks.items():
            self.svg.begin(self._name(item_id, box))
            self.cards.block(self.view.groups[item_id], panel, box, self._name(item_id, box))
            self.svg.end()
            if panel == 0:
                self.cards.badge(item_id, box)

    def _name(self, item_id: str, box: Box) -> str:
        """Name of a card's group: the row's id, with panel and lane where a row is drawn as several cards."""
        if box.lane >= 0:
            return f"{item_id}-{box.panel}-{box.lane}"
        return item_id if self.view.panels == 1 or not self.view.groups[item_id].is_server else f"{item_id}-{box.panel}"

    def _boxes(self) -> dict[str, list[Box]]:
        out: dict[str, list[Box]] = {item: list(boxes) for item, boxes in self.switches.items()}
        for (item_id, _), box in self.blocks.items():
            out.setdefault(item_id, []).append(box)
        for item_id in list(out):
            for other in self.view.groups[item_id].folded:
                out.setdefault(other, out[item_id])
        return out

    # -- placing ------------------------------------------------------------------------------------------------------

    def _heights(self) -> tuple[list[float], float, float]:
        """Heights of the switch tiers from the leafs up, of captions, and of what lies below the servers."""
        view = self.view
        below = BUS_STEP * len(view.others) + (14 if view.others else 0)
        if view.others and not self.page.size.wide:
            below += ROW_H
        caption = 46.0 if view.panel_axis else 14.0
        return [CARD_H + 20 if tier == 1 else FRAME_H for tier in range(1, view.top + 1)], caption, below

    def _lack(self) -> float:
        view = self.view
        heights, caption, below = self._heights()
        needed = sum(heights) + caption + below + self._server_h + view.top * LEAST_GAP + 24
        lack = needed / (self._foot - self._y0)
        wide, inset = 0.0, 36.0 if view.panel_axis else 0.0
        for group in view.tier(0):
            each = max(LEAST_SERVER_W, view.lanes * LEAST_LANE_W) + inset if group.is_server else LEAST_OTHER_W
            wide += (each + 22) * (view.panels if group.is_server else 1)
        for tier in range(1, view.top + 1):
            wide = max(wide, len(view.tier(tier)) * (LEAST_SWITCH_W + 18))
        return max(lack, wide / (self._x1 - self._x0))

    def _place_rows(self) -> None:
        view = self.view
        heights, caption, below = self._heights()
        free = self._foot - 24 - below - caption - self._server_h - self._y0 - sum(heights)
        gap = min(MOST_GAP, free / view.top) if view.top else 0.0
        spare = free - gap * view.top
        y = self._y0 + max(0.0, min(90.0, spare / 3))
        for tier in range(view.top, 0, -1):
            self._rows[tier] = y
            y += heights[tier - 1] + gap
        self._rows[0] = y
        self._bottom = self._rows[0] + self._server_h + caption

    def _place_blocks(self) -> None:
        view = self.view
        places: list[tuple[str, int, float]] = []
        for group in view.tier(0):
            weight = 1.0 if group.is_server else 0.4
            places += [(group.item.id, panel, weight) for panel in range(view.panels if group.is_server else 1)]
        gap = 22.0
        unit = (self._x1 - self._x0 - gap * (len(places) - 1)) / max(1.0, sum(weight for _, _, weight in places))
        unit = min(unit, 620.0)
        used = sum(weight * unit for _, _, weight in places) + gap * (len(places) - 1)
        x = self._x0 + (self._x1 - self._x0 - used) / 2
        for item_id, panel, weight in places:
            inset = 18.0 if view.panel_axis else 0.0
            self.blocks[item_id, panel] = Box(
                x + inset, self._rows[0], weight * unit - 2 * inset, self._server_h, panel=panel
            )
            x += weight * unit + gap

    def _place_switches(self) -> None:
        view = self.view
        for tier in range(1, view.top + 1):
            groups = view.tier(tier)
            if not groups:
                continue
            left, right = self._span(None if tier == 1 else "servers")
            own_leafs = tier == 1 and len([g for g in view.groups.values() if g.is_server]) == 1 and view.lanes > 1
            slot = (right - left + 18) / len(groups)
            for n, group in enumerate(groups):
                if own_leafs and view.lane_axis in dict(group.item.axes):
                    self.switches[group.item.id] = self._lane_boxes(n, len(groups))
                else:
                    x = left + n * slot
                    height = CARD_H + 20 if tier == 1 else FRAME_H
                    self.switches[group.item.id] = [Box(x, self._rows[tier], slot - 18, height)]

    def _span(self, which: str | None) -> tuple[float, float]:
        every = [(self.view.groups[name], box) for (name, _), box in self.blocks.items()]
        boxes = [box for group, box in every if group.is_server] if which else []
        boxes = boxes or [box for _, box in every]
        if not boxes:
            return self._x0, self._x1
        return min(b.x for b in boxes), max(b.x + b.w for b in boxes)

    def _lane_boxes(self, number: int, of: int) -> list[Box]:
        out = []
        for (item_id, panel), block in self.blocks.items():
            if not self.view.groups[item_id].is_server:
                continue
            for lane in range(self.view.lanes):
                x = lane_x(block, lane + number * self.view.lanes, self.view.lanes * of)
                slot = block.w / (self.view.lanes * of)
                w = min(86.0, slot - 10)
                out.append(Box(x - w / 2, self._rows[1] + 10, w, CARD_H, lane, panel))
        return out

    # -- lines --------------------------------------------------------------------------------------------------------

    def _panel_frames(self) -> None:
        view = self.view
        if not view.panel_axis:
            return
        for (item_id, panel), box in self.blocks.items():
            group = view.groups[item_id]
            if not group.is_server:
                continue
            top = self._rows[1] - 16 if view.top else box.y - 30
            self.svg.rect(
                box.x - 14, top, box.w + 28, self._bottom - top, stroke="border.strong", width=1.1, dash="6 4", radius=8
            )
            servers = members_of_panel(view, group, panel)
            eff = effective(self._project, self._design, group.item.of[6:])
            gpus = servers * sum(1 for row in eff.items.values() if row.kind == "gpu")
            counts = {
                "servers": thousands(servers),
                "gpus": thousands(gpus),
                "n": panel + 1,
                "axis": self.view.panel_axis,
            }
            caption = msg("{axis} {n}: {servers} servers, {gpus} GPUs", **counts).text(self.page.lang)
            if view.panel_axis == "su":
                caption = msg("Scalable unit {n}: {servers} servers, {gpus} GPUs", **counts).text(self.page.lang)
                if text_width(caption, 12) > box.w + 14:
                    caption = msg("SU {n}: {servers} servers, {gpus} GPUs", **counts).text(self.page.lang)
            self.svg.text(box.x - 2, self._bottom - 14, caption, 12, room=box.w + 14)

    def _cable(self, cable: Cabling, ties: list[Callable[[], None]]) -> None:
        lower, upper = self.view.groups[cable.lower], self.view.groups[cable.upper]
        targets = self.switches.get(cable.upper, [])
        if not targets or upper.tier != lower.tier + 1:
            self.undrawn.append(cable)
        elif lower.is_server:
            self._down(cable, targets, ties)
        elif lower.tier == 0:
            self._side_link(cable, targets, ties)
        else:
            self._up(cable, targets, ties)

    def _down(self, cable: Cabling, targets: list[Box], ties: list[Callable[[], None]]) -> None:
        by_lane = {(box.panel, box.lane): box for box in targets}
        for (item_id, panel), block in self.blocks.items():
            if item_id != cable.lower:
                continue
            xs = []
            for lane in range(self.view.lanes):
                card = by_lane.get((panel, lane))
                x = card.middle if card else lane_x(block, lane, self.view.lanes)
                end = (card or targets[0]).y + (card or targets[0]).h
                token = f"rail{lane % 8}" if self.view.lane_axis else "text"
                dash = RAIL_DASH[lane % 8] if self.view.lane_axis else ""
                lower = f"{self._name(item_id, block)}:{lane}"
                upper = self._port(cable.upper, card or targets[0], x, end, "d", lane)
                self._line([(x, block.y), (x, end)], (lower, upper), cable, token, 2.0, dash)
                xs.append(x)
            count = alive_of_panel(self.view, cable, panel)
            label = self._rated(count // self.view.lanes, cable)
            text = label
            if self.view.lane_axis and count % self.view.lanes == 0:
                text = self._per_lane(label)
            elif self.view.lane_axis:
                text = self._rated(count, cable)
            end = max(box.y + box.h for box in targets)
            ties.append(self._tie(xs, (block.y + end) / 2, text, cable.bundle.link))

    def _per_lane(self, label: str) -> str:
        if self.view.lane_axis == "rail":
            return msg("{links} per rail", links=label).text(self.page.lang)
        if self.view.lane_axis == "plane":
            return msg("{links} per plane", links=label).text(self.page.lang)
        return msg("{links} per port", links=label).text(self.page.lang)

    def _up(self, cable: Cabling, targets: list[Box], ties: list[Callable[[], None]]) -> None:
        target = targets[0]
        panels: dict[int, list[float]] = {}
        sources = self.switches.get(cable.lower, [])
        by_panel: dict[int, list[Box]] = {}
        for box in sources:
            by_panel.setdefault(box.panel, []).append(box)
            if box.lane >= 0:
                panels.setdefault(box.panel, []).append(box.middle)
            else:
                left, right = max(box.x, target.x), min(box.x + box.w, target.x + target.w)
                if right - left < 60:
                    left, right = box.x, box.x + box.w
                n = min(8, max(2, self.view.groups[cable.lower].present))
                panels.setdefault(0, []).extend(left + (right - left) * (k + 0.5) / n for k in range(n))
        top = min((box.y for box in sources), default=0.0)
        for panel, xs in sorted(panels.items()):
            sources = by_panel[panel]
            for n, x in enumerate(xs):
                goal = min(max(x, target.x + 8), target.x + target.w - 8)
                middle = (top + target.y + target.h) / 2 + 30 + 4 * (n % 6)
                box = sources[n] if n < len(sources) and sources[n].lane >= 0 else sources[0]
                lower = self._port(cable.lower, box, x, box.y, "u", n)
                upper = self._port(cable.upper, target, goal, target.y + target.h, f"{cable.lower}-{panel}", n)
                path = [(x, box.y), (x, target.y + target.h)]
                if abs(goal - x) > 1:
                    path = [(x, box.y), (x, middle), (goal, middle), (goal, target.y + target.h)]
                self._double(path, (lower, upper), cable)
            count = alive_of_panel(self.view, cable, panel) if sources and sources[0].lane >= 0 else cable.count
            per_lane = count // max(1, len(xs)) if sources and sources[0].lane >= 0 else count
            text = self._rated(per_lane, cable)
            if sources and sources[0].lane >= 0:
                text = self._per_lane(text)
            each = self._design.sheets[self._design.root].links[cable.bundle.link].wire
            if each.mode == "mesh" and each.per_pair > 1 and self._wide(xs):
                text += msg(", {n} per pair", n=each.per_pair).text(self.page.lang)
            ties.append(self._tie(xs, (top + target.y + target.h) / 2, text, cable.bundle.link))

    def _port(self, item_id: str, box: Box, x: float, y: float, side: str, number: int) -> str:
        owner = self._name(item_id, box)
        return self.svg.port(f"{owner}:{side}{number}", owner, x, y, 6, 6)

    def _line(
        self,
        path: list[tuple[float, float]],
        ends: tuple[str, str],
        cable: Cabling,
        token: str,
        width: float,
        dash: str = "",
    ) -> None:
        load = self.page.options.loads.get(cable.bundle.link)
        if load is not None:
            token, width = heat_pen(load)
        self.svg.line(path, stroke=token, width=width, dash=dash, radius=6, ends=ends, name=cable.bundle.link)

    def _double(self, path: list[tuple[float, float]], ends: tuple[str, str], cable: Cabling) -> None:
        """Two thin lines side by side: switch to switch. With loads on it is one line as wide as its load."""
        if cable.bundle.link in self.page.options.loads:
            self._line(path, ends, cable, "text", 1.1)
            return
        for offset in (-2.0, 2.0):
            shifted = [(x + offset, y) for x, y in path]
            joined = ends if offset < 0 else None
            self.svg.line(shifted, width=1.1, radius=5, ends=joined, name=cable.bundle.link)

    def _wide(self, xs: list[float]) -> bool:
        return max(xs) - min(xs) > 120 or self.view.panels <= 2

    def _side_link(self, cable: Cabling, targets: list[Box], ties: list[Callable[[], None]]) -> None:
        block = self.blocks[cable.lower, 0]
        target = max(targets, key=lambda box: box.x)
        x = block.middle
        if target.lane < 0 and target.x + 10 < x < target.x + target.w - 10:
            ends = (
                self._port(cable.lower, block, x, block.y, cable.bundle.link, 0),
                self._port(cable.upper, target, x, target.y + target.h, cable.bundle.link, 0),
            )
            self._line([(x, block.y), (x, target.y + target.h)], ends, cable, "text", 1.6)
            ties.append(
                self._tie([x], (block.y + target.y + target.h) / 2, self._rated(cable.count, cable), cable.bundle.link)
            )
            return
        y = target.y + target.h / 2
        ends = (
            self._port(cable.lower, block, x, block.y, cable.bundle.link, 0),
            self._port(cable.upper, target, target.x + target.w, y, cable.bundle.link, 0),
        )
        self._line([(x, block.y), (x, y), (target.x + target.w, y)], ends, cable, "text", 1.6)
        ties.append(self._tie([x], (block.y + y) / 2, self._rated(cable.count, cable), cable.bundle.link))

    def _rated(self, count: int, cable: Cabling) -> str:
        return f"{thousands(count)} × {cable.rate}" if cable.rate else f"{thousands(count)} ×"

    def _tie(self, xs: list[float], y: float, text: str, link: str) -> Callable[[], None]:
        load = self.page.options.loads.get(link)
        if load is not None:
            text += f"  ·  {100 * load:.0f} %"
        return lambda: draw_tie(self.svg, xs, y, text, link)
