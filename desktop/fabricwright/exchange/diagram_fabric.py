"""The fabric sheet as a printed page: the main network drawn out from spine to servers, the other networks as cards.

Ports of servers stand in rail order; every kind of link keeps its colour and its dash; a bundle is tied by a white
label that tells how many links of which rate it stands for. Lines are vertical or horizontal and pass through no card.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fabricwright.design.effective import effective
from fabricwright.design.indexset import IndexSet, coordinates
from fabricwright.design.values import Design, Project
from fabricwright.exchange.fabric_view import (
    Cabling,
    FabricView,
    Group,
    OtherNetwork,
    alive_of_panel,
    members_of_panel,
)
from fabricwright.exchange.font_metrics import text_width, wrap
from fabricwright.exchange.naming import member_name, part_label, pictogram, thousands
from fabricwright.exchange.sheet_page import FOOT, LEFT, RIGHT, SIDE, TOP, LegendEntry, Page
from fabricwright.exchange.svg import RAIL_DASH, Svg
from fabricwright.units.text import Message, msg

X0, X1 = LEFT + 24, SIDE - 30
Y0 = TOP + 66
FRAME_H = 92.0
CARD_H = 62.0
SERVER_H = 132.0
MOST_GAP = 190.0
BUS_STEP = 34.0
NETWORK_CARD_H = 64.0


@dataclass(frozen=True, slots=True)
class Box:
    """A placed card. ``lane`` index of a lane card, -1 for a frame; ``panel`` it belongs to."""

    x: float
    y: float
    w: float
    h: float
    lane: int = -1
    panel: int = 0

    @property
    def middle(self) -> float:
        """Horizontal middle."""
        return self.x + self.w / 2


class FabricDrawing:
    """Draws one fabric view into a page."""

    def __init__(self, page: Page, view: FabricView, project: Project, design: Design) -> None:
        self.page, self.svg, self.view = page, page.svg, view
        self._project, self._design = project, design
        self.blocks: dict[tuple[str, int], Box] = {}
        self.switches: dict[str, list[Box]] = {}
        self.undrawn: list[Cabling] = []
        self._rows: dict[int, float] = {}
        self._bottom = 0.0

    def draw(self) -> None:
        """Place everything, then lines, then cards on top of them."""
        if not self.view.groups:
            self.svg.text(
                (X0 + X1) / 2,
                Y0 + 200,
                msg("Nothing is drawn on this sheet yet.").text(self.page.lang),
                14,
                fill="text.2",
                anchor="middle",
            )
            return
        self._place_rows()
        self._place_blocks()
        self._place_switches()
        self._panel_frames()
        ties: list[Callable[[], None]] = []
        for cable in self.view.cables:
            self._cable(cable, ties)
        self._other_networks()
        for tie in ties:
            tie()
        for item_id, boxes in self.switches.items():
            for box in boxes:
                self.svg.begin(item_id if box.lane < 0 else f"{item_id}-{box.panel}-{box.lane}")
                self._lane_card(item_id, box) if box.lane >= 0 else self._frame(self.view.groups[item_id], box)
                self.svg.end()
        for (item_id, panel), box in self.blocks.items():
            self.svg.begin(item_id if self.view.panels == 1 else f"{item_id}-{panel}")
            self._block(self.view.groups[item_id], panel, box)
            self.svg.end()

    # -- placing ------------------------------------------------------------------------------------------------------

    def _place_rows(self) -> None:
        view = self.view
        bus = BUS_STEP * len(view.others) + (14 if view.others else 0)
        caption = 46 if view.panel_axis else 14
        heights = [CARD_H + 20 if tier == 1 else FRAME_H for tier in range(1, view.top + 1)]
        free = FOOT - 24 - bus - caption - SERVER_H - Y0 - sum(heights)
        gap = min(MOST_GAP, free / view.top) if view.top else 0.0
        spare = free - gap * view.top
        y = Y0 + min(90.0, spare / 3)
        for tier in range(view.top, 0, -1):
            self._rows[tier] = y
            y += heights[tier - 1] + gap
        self._rows[0] = y
        self._bottom = self._rows[0] + SERVER_H + caption

    def _place_blocks(self) -> None:
        view = self.view
        places: list[tuple[str, int, float]] = []
        for group in view.tier(0):
            weight = 1.0 if group.is_server else 0.4
            places += [(group.item.id, panel, weight) for panel in range(view.panels if group.is_server else 1)]
        gap = 22.0
        unit = (X1 - X0 - gap * (len(places) - 1)) / max(1.0, sum(weight for _, _, weight in places))
        unit = min(unit, 620.0)
        used = sum(weight * unit for _, _, weight in places) + gap * (len(places) - 1)
        x = X0 + (X1 - X0 - used) / 2
        for item_id, panel, weight in places:
            inset = 18.0 if view.panel_axis else 0.0
            self.blocks[item_id, panel] = Box(
                x + inset, self._rows[0], weight * unit - 2 * inset, SERVER_H, panel=panel
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
            return X0, X1
        return min(b.x for b in boxes), max(b.x + b.w for b in boxes)

    def _lane_boxes(self, number: int, of: int) -> list[Box]:
        out = []
        for (item_id, panel), block in self.blocks.items():
            if not self.view.groups[item_id].is_server:
                continue
            for lane in range(self.view.lanes):
                x = self._lane_x(block, lane + number * self.view.lanes, self.view.lanes * of)
                slot = block.w / (self.view.lanes * of)
                w = min(86.0, slot - 10)
                out.append(Box(x - w / 2, self._rows[1] + 10, w, CARD_H, lane, panel))
        return out

    def _lane_x(self, block: Box, lane: int, lanes: int) -> float:
        return block.x + block.w * (lane + 0.5) / lanes

    # -- cards --------------------------------------------------------------------------------------------------------

    def _role(self, group: Group) -> str:
        roles = {1: msg("Leaf"), 2: msg("Spine"), 3: msg("Core")}
        usual = {1: "leaf", 2: "spine", 3: "core"}
        if group.tier in roles and group.item.id == usual[group.tier]:
            return roles[group.tier].text(self.page.lang)
        return group.item.id

    def _frame(self, group: Group, box: Box) -> None:
        svg, item = self.svg, group.item
        svg.rect(box.x, box.y, box.w, box.h, fill="raised", width=1.5)
        icon = {1: "leaf-switch", 2: "spine-switch"}.get(group.tier, "core-switch")
        svg.icon(icon, box.x + 12, box.y + 7, 22)
        title = msg(
            "{role}, {count} × {part}",
            role=self._role(group),
            count=thousands(group.present),
            part=part_label(item.part, item.of, self.page.lang),
        ).text(self.page.lang)
        svg.text(box.x + 42, box.y + 24, title, 14, weight=600, room=box.w * 0.62)
        if box.w > 420:
            svg.text(
                box.x + box.w - 14, box.y + 24, self._port_use(group), 12, fill="text.2", anchor="end", room=box.w * 0.3
            )
        self._tiles(group, Box(box.x + 12, box.y + 34, box.w - 24, box.h - 44))

    def _tiles(self, group: Group, room: Box) -> None:
        count = self.view.fabric.count[group.item.id]
        names = [member_name(group.item.name, group.item.axes, n, group.item.id) for n in range(min(count, 33))]
        gap = 6.0
        width = (room.w + gap) / count - gap
        if count > 32 or width < 26:
            self.svg.rect(room.x, room.y, room.w, room.h, fill="sunken", width=1, radius=3)
            self.svg.text(
                room.x + room.w / 2, room.y + room.h / 2 + 5, f"× {thousands(count)}", 13, weight=500, anchor="middle"
            )
            return
        width = min(width, 240.0)
        start = room.x + (room.w - count * (width + gap) + gap) / 2
        whole = all(text_width(name, 12, 500) <= width - 6 for name in names)
        for n, name in enumerate(names):
            x = start + n * (width + gap)
            gone = bool(self.view.fabric.absent[self.view.fabric.offset[group.item.id] + n])
            self.svg.rect(x, room.y, width, room.h, fill="sunken", width=1, radius=3, dash="4 3" if gone else "")
            label = name if whole else str(n + 1)
            self.svg.text(
                x + width / 2, room.y + room.h / 2 + 4.5, label, 12, weight=500, anchor="middle", room=width - 4
            )

    def _port_use(self, group: Group) -> str:
        fabric = self.view.fabric
        first = fabric.offset[group.item.id]
        last = first + fabric.count[group.item.id]
        data = [b.network != "oob" for b in fabric.bundles]
        counts = (fabric.rate > 0) & np.array(data, dtype=bool)[fabric.bundle]
        inside = ((fabric.a_dev >= first) & (fabric.a_dev < last)).astype(np.int64)
        inside += (fabric.b_dev >= first) & (fabric.b_dev < last)
        used = int(inside[counts].sum()) / max(1, group.present)
        ports = sum(1 for port in group.item.ports.values() if port.medium in ("eth", "ib"))
        return msg("{used} of {ports} ports each", used=f"{used:.4g}", ports=ports).text(self.page.lang)

    def _lane_card(self, item_id: str, box: Box) -> None:
        group, svg = self.view.groups[item_id], self.svg
        count = members_of_panel(self.view, group, box.panel) // self.view.lanes
        if count > 1:
            svg.rect(box.x + 5, box.y - 5, box.w, box.h, fill="raised", width=1)
        svg.rect(box.x, box.y, box.w, box.h, fill="raised", width=1.5)
        svg.rect(box.x + 8, box.y + 6, box.w - 16, 5, fill=f"rail{box.lane % 8}", width=0, radius=2)
        svg.text(box.middle, box.y + 31, lane_label(self.view.lane_axis, box.lane), 14, weight=600, anchor="middle")
        text = f"× {count}" if count != 1 else self._lane_member(group, box)
        svg.text(box.middle, box.y + 50, text, 12, fill="text.2", anchor="middle", room=box.w - 8)

    def _lane_member(self, group: Group, box: Box) -> str:
        """Name of the only member of a lane card."""
        axes = group.item.axes
        for index in range(self.view.fabric.count[group.item.id]):
            at = coordinates(index, axes)
            if at.get(self.view.lane_axis) == box.lane and at.get(self.view.panel_axis, box.panel) == box.panel:
                return member_name(group.item.name, axes, index, group.item.id)
        return ""

    def _block(self, group: Group, panel: int, box: Box) -> None:
        svg, item = self.svg, group.item
        count = members_of_panel(self.view, group, panel) if group.is_server else group.present
        for layer in (2, 1) if count > 1 else ():
            svg.rect(box.x + 4 * layer, box.y + 4 * layer, box.w, box.h, fill="raised", width=1, radius=8)
        svg.rect(box.x, box.y, box.w, box.h, fill="raised", width=1.5, radius=8)
        big = f"× {thousands(count)}" if count != 1 else ""
        indent = 50 if box.w > 260 else 16
        room = box.w - indent - 26 - (text_width(big, 19, 600) if big else 0)
        many = count > 1 and group.is_server
        if indent > 16:
            svg.icon("server-group" if many else pictogram(item.kind), box.x + 14, box.y + 30, 28)
        svg.text(box.x + box.w - 14, box.y + 51, big, 19, weight=600, anchor="end")
        name, lines = self._describe(group, panel)
        svg.text(box.x + indent, box.y + 50, name, 14, weight=600, room=room)
        base = box.y + 76
        for line in lines:
            for piece in wrap(line, box.w - 30, 12, most=2):
                if base < box.y + box.h - 4:
                    svg.text(box.x + 16, base, piece, 12, fill="text.2")
                    base += 16
        if group.is_server and self.view.top:
            for lane in range(self.view.lanes):
                x = self._lane_x(box, lane, self.view.lanes)
                token = f"rail{lane % 8}" if self.view.lane_axis else "text"
                svg.rect(x - 8, box.y - 4, 16, 8, fill=token, width=0, radius=1.5)
                if self.view.lane_axis:
                    svg.text(x, box.y + 20, lane_label(self.view.lane_axis, lane), 12, anchor="middle")

    def _describe(self, group: Group, panel: int) -> tuple[str, list[str]]:
        """Heading and lines of facts of a server or end point."""
        lang, item = self.page.lang, group.item
        if not group.is_server:
            return part_label(item.part, item.of, lang), [item.id]
        eff = effective(self._project, self._design, item.of[6:])
        name = part_label(eff.chassis_part, item.id, lang)
        title = self._design.sheets[item.of[6:]].title
        if title and eff.chassis_part is not None and not eff.chassis_part.model:
            name = title
        gpus: dict[str, int] = {}
        for row in eff.items.values():
            if row.kind == "gpu":
                label = part_label(row.part, row.of, lang)
                gpus[label] = gpus.get(label, 0) + 1
        facts = [f"{count} × {label}" for label, count in gpus.items()]
        height = eff.chassis_part.get("height_u") if eff.chassis_part else 0
        lines = [", ".join([*facts, f"{height:g}U"] if height else facts), self._nics(group)]
        for members, sheet in self._exceptions(item.id):
            within = self._in_panel(members, group, panel)
            if within:
                lines.append(msg("{count} of them: variant {sheet}", count=within, sheet=sheet).text(lang))
        return name, [line for line in lines if line]

    def _in_panel(self, members: str, group: Group, panel: int) -> int:
        axes = group.item.axes
        chosen = IndexSet.parse(members, axes)
        return sum(1 for i in chosen if coordinates(i, axes).get(self.view.panel_axis, panel) == panel)

    def _exceptions(self, item_id: str) -> list[tuple[str, str]]:
        row = self._design.sheets[self._design.root].items.get(item_id)
        return [(key, o.sheet) for key, o in row.except_.items() if o.sheet and not o.absent] if row else []

    def _nics(self, group: Group) -> str:
        eff = effective(self._project, self._design, group.item.of[6:])
        for cable in self.view.cables:
            if cable.lower != group.item.id:
                continue
            ports = cable.bundle.a_ports if cable.bundle.a_item == group.item.id else cable.bundle.b_ports
            owners = {port.partition(":")[0] for port in ports}
            parts = {eff.items[owner].of for owner in owners if owner in eff.items}
            if len(parts) == 1:
                label = part_label(self._project.parts.get(next(iter(parts))), next(iter(parts)), self.page.lang)
                each = len(ports) // max(1, len(owners))
                return f"{len(owners)} × {label}" + (f", {each} × {cable.rate}" if cable.rate else "")
        return ""

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
                x = card.middle if card else self._lane_x(block, lane, self.view.lanes)
                end = (card or targets[0]).y + (card or targets[0]).h
                token = f"rail{lane % 8}" if self.view.lane_axis else "text"
                self.svg.line([(x, block.y), (x, end)], stroke=token, width=2, dash=RAIL_DASH[lane % 8])
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
        for box in sources:
            if box.lane >= 0:
                panels.setdefault(box.panel, []).append(box.middle)
            else:
                left, right = max(box.x, target.x), min(box.x + box.w, target.x + target.w)
                if right - left < 60:
                    left, right = box.x, box.x + box.w
                n = min(8, max(2, self.view.fabric.count[cable.lower]))
                panels.setdefault(0, []).extend(left + (right - left) * (k + 0.5) / n for k in range(n))
        top = min((box.y for box in sources), default=0.0)
        for panel, xs in sorted(panels.items()):
            for n, x in enumerate(xs):
                goal = min(max(x, target.x + 8), target.x + target.w - 8)
                middle = (top + target.y + target.h) / 2 + 30 + 4 * (n % 6)
                for offset in (-2.0, 2.0):
                    path = [(x + offset, top + 10), (x + offset, target.y + target.h)]
                    if abs(goal - x) > 1:
                        path = [
                            (x + offset, top + 10),
                            (x + offset, middle),
                            (goal + offset, middle),
                            (goal + offset, target.y + target.h),
                        ]
                    self.svg.line(path, width=1.1, radius=5)
            count = alive_of_panel(self.view, cable, panel) if sources and sources[0].lane >= 0 else cable.count
            per_lane = count // max(1, len(xs)) if sources and sources[0].lane >= 0 else count
            text = self._rated(per_lane, cable)
            if sources and sources[0].lane >= 0:
                text = self._per_lane(text)
            each = self._design.sheets[self._design.root].links[cable.bundle.link].wire
            if each.mode == "mesh" and each.per_pair > 1 and self._wide(xs):
                text += msg(", {n} per pair", n=each.per_pair).text(self.page.lang)
            ties.append(self._tie(xs, (top + target.y + target.h) / 2, text, cable.bundle.link))

    def _wide(self, xs: list[float]) -> bool:
        return max(xs) - min(xs) > 120 or self.view.panels <= 2

    def _side_link(self, cable: Cabling, targets: list[Box], ties: list[Callable[[], None]]) -> None:
        block = self.blocks[cable.lower, 0]
        target = max(targets, key=lambda box: box.x)
        x = block.middle
        if target.lane < 0 and target.x + 10 < x < target.x + target.w - 10:
            self.svg.line([(x, block.y), (x, target.y + target.h)], width=1.6)
            ties.append(
                self._tie([x], (block.y + target.y + target.h) / 2, self._rated(cable.count, cable), cable.bundle.link)
            )
            return
        y = target.y + target.h / 2
        self.svg.line([(x, block.y), (x, y), (target.x + target.w, y)], width=1.6, radius=6)
        ties.append(self._tie([x], (block.y + y) / 2, self._rated(cable.count, cable), cable.bundle.link))

    def _rated(self, count: int, cable: Cabling) -> str:
        return f"{thousands(count)} × {cable.rate}" if cable.rate else f"{thousands(count)} ×"

    def _tie(self, xs: list[float], y: float, text: str, link: str) -> Callable[[], None]:
        def draw() -> None:
            width = max(max(xs) - min(xs) + 32, text_width(text, 12) + 26)
            middle = (min(xs) + max(xs)) / 2
            self.svg.begin(link)
            self.svg.rect(middle - width / 2, y - 11, width, 22, fill="raised", width=1.1, radius=11)
            self.svg.text(middle, y + 4.3, text, 12, anchor="middle")
            self.svg.end()

        return draw

    # -- the other networks -------------------------------------------------------------------------------------------

    def _other_networks(self) -> None:
        others = self.view.others
        if not others:
            return
        right = RIGHT - 20
        room = FOOT - 20 - self._bottom
        for n, network in enumerate(others):
            top = network_cards_top(len(others)) + n * (NETWORK_CARD_H + 8)
            token, dash = network_style(network.name)
            bus = self._bottom + 18 + min(BUS_STEP, room / len(others)) * n
            middle = top + NETWORK_CARD_H / 2
            self._bus(network, n, bus, middle, token, dash)
            self.svg.rect(SIDE, top, right - SIDE, NETWORK_CARD_H, fill="raised", stroke=token, width=1.5)
            self.svg.icon("storage" if network.name == "storage" else "leaf-switch", SIDE + 12, top + 13, 24, token)
            self.svg.text(SIDE + 46, top + 22, network_title(network.name).text(self.page.lang), 13, weight=600)
            for k, line in enumerate(wrap(self._contents(network), right - SIDE - 56, 12, most=2)):
                self.svg.text(SIDE + 46, top + 39 + 16 * k, line, 12, fill="text.2")

    def _bus(self, network: OtherNetwork, number: int, bus: float, middle: float, token: str, dash: str) -> None:
        starts = []
        for (item_id, _), box in self.blocks.items():
            if item_id in network.from_servers:
                starts.append(
                    (
                        box.x + box.w - 26 - 16 * number,
                        box.y + box.h + (8 if self.view.groups[item_id].present > 1 else 0),
                    )
                )
        if not starts:
            return
        turn = X1 + 6 + 8 * number
        for x, y in starts:
            self._strokes([(x, y), (x, bus)], token, dash, network.name)
        first = min(x for x, _ in starts)
        self._strokes([(first, bus), (turn, bus), (turn, middle), (SIDE, middle)], token, dash, network.name)
        count = sum(network.from_servers.values())
        text = f"{thousands(count)} × {network.rate}" if network.rate else f"{thousands(count)} ×"
        self._tie([(first + turn) / 2 - 60], bus, text, f"net-{network.name}")()

    def _strokes(self, points: list[tuple[float, float]], token: str, dash: str, network: str) -> None:
        if network != "storage":
            self.svg.line(points, stroke=token, width=1.25, dash=dash, radius=6)
            return
        shifted = [(x + 3, y + 3) for x, y in points]
        self.svg.line(points, stroke=token, width=1.2, radius=6)
        self.svg.line(shifted, stroke=token, width=1.2, radius=6)

    def _contents(self, network: OtherNetwork) -> str:
        parts: dict[str, list[int]] = {}
        for item_id, count in network.items.items():
            item = self.view.eff.items[item_id]
            parts.setdefault(part_label(item.part, item.of, self.page.lang), []).append(count)
        pieces = [f"{' + '.join(map(str, counts))} × {label}" for label, counts in parts.items()]
        pieces.append(msg("{count} links", count=thousands(network.links)).text(self.page.lang))
        return ", ".join(pieces)


def network_cards_top(count: int) -> float:
    """Upper edge of the first of so many network cards in the right column."""
    return FOOT - 16 - count * (NETWORK_CARD_H + 8)


def lane_label(axis: str, lane: int) -> str:
    """``R0`` for rails; other axes by their first letter."""
    return f"{axis[:1].upper()}{lane}"


def network_title(name: str) -> Message:
    """Heading of a network's card."""
    known = {
        "storage": msg("Storage network"),
        "inband": msg("In-band network"),
        "oob": msg("Management network"),
        "compute": msg("Compute network"),
    }
    return known.get(name) or msg("Network {name}", name=name)


def network_style(name: str) -> tuple[str, str]:
    """(colour token, dash) of a network that is drawn as a card."""
    if name == "storage":
        return "storage", ""
    return "mgmt", "5 3" if name == "oob" else ""


def legend_of(view: FabricView) -> tuple[LegendEntry, ...]:
    """Only the kinds of line and shape that are on this sheet."""
    entries: list[LegendEntry] = []
    for lane in range(view.lanes if view.lane_axis else 0):
        names = {"rail": msg("rail {n}", n=lane), "plane": msg("plane {n}", n=lane), "port": msg("port {n}", n=lane)}
        name = names.get(view.lane_axis) or msg("{axis} {n}", axis=view.lane_axis, n=lane)
        entries.append(LegendEntry(name, _sample(f"rail{lane % 8}", RAIL_DASH[lane % 8], 2.0)))
    if view.top >= 2:
        entries.append(LegendEntry(msg("switch to switch"), _double("text")))
    for network in view.others:
        token, dash = network_style(network.name)
        draw = _double(token) if network.name == "storage" else _sample(token, dash, 1.25)
        short = {"storage": msg("storage"), "inband": msg("in-band"), "oob": msg("management")}
        entries.append(LegendEntry(short.get(network.name) or network_title(network.name), draw))
    if any(group.present > 1 for group in view.groups.values()):
        entries.append(LegendEntry(msg("equal parts"), _stack))
    if view.cables:
        entries.append(LegendEntry(msg("links in a bundle"), _capsule))
    return tuple(entries)


def _sample(token: str, dash: str, width: float) -> Callable[[Svg, float, float], None]:
    return lambda svg, x, y: svg.line([(x, y), (x + 36, y)], stroke=token, width=width, dash=dash)


def _double(token: str) -> Callable[[Svg, float, float], None]:
    def draw(svg: Svg, x: float, y: float) -> None:
        svg.line([(x, y - 2), (x + 36, y - 2)], stroke=token, width=1.1)
        svg.line([(x, y + 2), (x + 36, y + 2)], stroke=token, width=1.1)

    return draw


def _stack(svg: Svg, x: float, y: float) -> None:
    svg.rect(x + 4, y - 3, 26, 12, fill="raised", width=1, radius=2)
    svg.rect(x, y - 7, 26, 12, fill="raised", width=1, radius=2)


def _capsule(svg: Svg, x: float, y: float) -> None:
    svg.rect(x, y - 6, 36, 12, fill="raised", width=1, radius=6)
