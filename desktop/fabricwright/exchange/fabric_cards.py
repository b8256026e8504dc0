"""The cards of a fabric drawing: frames of switches with a tile per member, lane cards, server groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fabricwright.catalog.pictograms import pictogram
from fabricwright.design.effective import effective
from fabricwright.design.indexset import IndexSet, coordinates
from fabricwright.design.naming import member_name
from fabricwright.design.values import Design, Project
from fabricwright.exchange.drawing_options import Badge
from fabricwright.exchange.fabric_view import FabricView, Group, members_of_panel
from fabricwright.exchange.font_metrics import text_width, wrap
from fabricwright.exchange.naming import part_label, thousands
from fabricwright.exchange.sheet_page import Page
from fabricwright.units.text import format_value, msg


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


LANE_MARK_H = 8.0
MOST_MEMBER_ROWS = 4
BADGE = 16.0
BADGE_ICONS = {"error": "error-octagon", "warning": "warning-triangle"}


def lane_x(block: Box, lane: int, lanes: int) -> float:
    """Where a lane's port stands on a server's upper edge."""
    return block.x + block.w * (lane + 0.5) / lanes


def lane_label(axis: str, lane: int) -> str:
    """``R0`` for rails; other axes by their first letter."""
    return f"{axis[:1].upper()}{lane}"


class FabricCards:
    """Draws single cards of a view into a page."""

    def __init__(self, page: Page, view: FabricView, project: Project, design: Design) -> None:
        self.page, self.svg, self.view = page, page.svg, view
        self._project, self._design = project, design

    def _role(self, group: Group) -> str:
        roles = {1: msg("Leaf"), 2: msg("Spine"), 3: msg("Core")}
        usual = {1: "leaf", 2: "spine", 3: "core"}
        if group.tier in roles and group.item.id == usual[group.tier]:
            return roles[group.tier].text(self.page.lang)
        return group.item.id

    def frame(self, group: Group, box: Box) -> None:
        """A wide card with a tile for each member."""
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

    def is_open(self, group: Group) -> bool:
        """Whether the sheet shows the members of a server group."""
        look = self._design.sheets[self._design.root].look.get(group.item.id)
        return look is not None and look.open and group.is_server and group.present > 1

    def badge(self, item_id: str, box: Box) -> None:
        """Open findings about a row at the top right corner of its card."""
        badge = self.page.options.badges.get(self._design.root, {}).get(item_id)
        if badge is not None:
            draw_badge(self.page, badge, box.x + box.w, box.y, item_id)

    def _tiles(self, group: Group, room: Box) -> None:
        count = len(group.folded) or self.view.fabric.count[group.item.id]
        names = [self._member(group, n) for n in range(min(count, 33))]
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
            gone = not group.folded and bool(self.view.fabric.absent[self.view.fabric.offset[group.item.id] + n])
            self.svg.rect(x, room.y, width, room.h, fill="sunken", width=1, radius=3, dash="4 3" if gone else "")
            label = name if whole else str(n + 1)
            self.svg.text(
                x + width / 2, room.y + room.h / 2 + 4.5, label, 12, weight=500, anchor="middle", room=width - 4
            )

    def _member(self, group: Group, n: int) -> str:
        if group.folded:
            return group.folded[n]
        return member_name(group.item.name, group.item.axes, n, group.item.id)

    def _port_use(self, group: Group) -> str:
        if group.folded:
            return msg("{first} to {last}", first=group.folded[0], last=group.folded[-1]).text(self.page.lang)
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

    def lane_card(self, item_id: str, box: Box) -> None:
        """The leafs of one rail, plane or port."""
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

    def block(self, group: Group, panel: int, box: Box, owner: str) -> None:
        """A server group, or another end point; ``owner`` names the card for the lines that end on it."""
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
                if base < box.y + 128:
                    svg.text(box.x + 16, base, piece, 12, fill="text.2")
                    base += 16
        if self.is_open(group):
            self._members(group, panel, Box(box.x + 14, box.y + 134, box.w - 28, box.h - 144))
        for lane in range(self.view.lanes if group.is_server and self.view.top else 0):
            x = lane_x(box, lane, self.view.lanes)
            token = f"rail{lane % 8}" if self.view.lane_axis else "text"
            svg.port(f"{owner}:{lane}", owner, x, box.y, 16, LANE_MARK_H, token)
            if self.view.lane_axis:
                svg.text(x, box.y + 20, lane_label(self.view.lane_axis, lane), 12, anchor="middle")

    def _members(self, group: Group, panel: int, room: Box) -> None:
        """The members of an open group as tiles; what there is no room for is counted."""
        fabric, axes = self.view.fabric, group.item.axes
        start, count = fabric.offset[group.item.id], fabric.count[group.item.id]
        special = {i for key, _ in self._exceptions(group.item.id) for i in IndexSet.parse(key, axes)}
        axis = self.view.panel_axis
        shown = [i for i in range(count) if not axis or coordinates(i, axes).get(axis, panel) == panel]
        names = [self._member(group, i) for i in shown[:400]]
        width = max((text_width(name, 12) for name in names), default=40.0) + 14
        columns = max(1, int((room.w + 6) // (width + 6)))
        width = (room.w + 6) / columns - 6
        places = columns * max(1, min(MOST_MEMBER_ROWS, int((room.h + 4) // 26)))
        rest = len(shown) - places + 1 if len(shown) > places else 0
        for n, (index, name) in enumerate(zip(shown, names, strict=False)):
            if n >= places - (1 if rest else 0):
                break
            x, y = room.x + n % columns * (width + 6), room.y + n // columns * 26
            gone = bool(fabric.absent[start + index])
            stroke = "accent" if index in special else "border.strong"
            self.svg.rect(x, y, width, 22, fill="sunken", stroke=stroke, width=1, radius=3, dash="4 3" if gone else "")
            tint = "text.3" if gone else "text"
            self.svg.text(x + width / 2, y + 15.5, name, 12, fill=tint, anchor="middle", room=width - 6)
        if rest:
            n = places - 1
            x, y = room.x + n % columns * (width + 6), room.y + n // columns * 26
            self.svg.text(x + width / 2, y + 15.5, f"… × {thousands(rest)}", 12, weight=500, anchor="middle")

    def _describe(self, group: Group, panel: int) -> tuple[str, list[str]]:
        """Heading and lines of facts of a server or end point."""
        lang, item = self.page.lang, group.item
        if not group.is_server:
            return part_label(item.part, item.of, lang), [self._port_use(group) if group.folded else item.id]
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
        lines = [format_value([*facts, f"{height:g}U"] if height else facts, lang), self._nics(group)]
        if group.folded:
            lines.insert(0, self._port_use(group))
        for members, sheet in self._exceptions(item.id):
            within = self._in_panel(members, group, panel)
            if within:
                lines.append(msg("{count} of them: variant {sheet}", count=within, sheet=sheet).text(lang))
        gone = self._absent(group, panel)
        if gone:
            lines.append(msg("{count} left out", count=gone).text(lang))
        return name, [line for line in lines if line]

    def _absent(self, group: Group, panel: int) -> int:
        start, axes = self.view.fabric.offset[group.item.id], group.item.axes
        here = np.flatnonzero(self.view.fabric.absent[start : start + self.view.fabric.count[group.item.id]])
        return sum(1 for i in here.tolist() if coordinates(i, axes).get(self.view.panel_axis, panel) == panel)

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


def draw_badge(page: Page, badge: Badge, right: float, top: float, name: str) -> None:
    """A sign, and how often, on the corner (right, top) of a card."""
    svg = page.svg
    count = str(badge.count) if badge.count > 1 else ""
    token = {"error": "error", "warning": "warn"}.get(badge.severity, "info")
    wide = BADGE + 8 + (text_width(count, 12, 600) + 5 if count else 0.0)
    x = right - 8 - wide
    svg.begin(f"finding-{name}", layer="findings")
    svg.rect(x, top - 10.5, wide, 21, fill=f"{token}.soft", stroke=token, width=1.1, radius=10.5)
    svg.icon(BADGE_ICONS.get(badge.severity, "info-circle"), x + 4, top - BADGE / 2, BADGE, token)
    if count:
        svg.text(x + BADGE + 6, top + 4.3, count, 12, weight=600, fill=token)
    svg.end()
