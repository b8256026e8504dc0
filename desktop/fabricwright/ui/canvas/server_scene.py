"""Scene of a server sheet: cards of the tree, lines with lanes and generation, NVLink bar and brackets, frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.values import Design, Project
from fabricwright.rules.context import chassis_config
from fabricwright.ui.canvas.bends import laned
from fabricwright.ui.canvas.naming import part_names, shortened
from fabricwright.ui.canvas.routing import Point, route, tidy, vertical
from fabricwright.ui.canvas.server_cards import (
    bar_card,
    bracket_card,
    chip_card,
    cpu_card,
    device_card,
    gpu_card,
    slot_card,
    switch_card,
)
from fabricwright.ui.canvas.server_figures import ServerFacts, lanes_text
from fabricwright.ui.canvas.server_layout import Box, Placed, is_chip, is_switch, lay_out
from fabricwright.ui.canvas.server_power_card import power_card
from fabricwright.ui.canvas.server_tree import NVLINK_MEDIA, Node, Tree, build_tree
from fabricwright.ui.canvas.signal_labels import label_of, segments_by_lower, short_label, verdict_of, worst_of
from fabricwright.ui.paint.pick import mark_place
from fabricwright.ui.paint.scene import Card, EdgeList, Label, Mark, Scene, Style
from fabricwright.units.text import msg


def server_scene(
    project: Project,
    design: Design,
    sheet_id: str,
    lang: str,
    *,
    host: str = "",
    summary: Mapping[str, Any] | None = None,
    heat: Mapping[str, float] | None = None,
) -> Scene:
    """Scene of server sheet ``sheet_id``. ``summary`` is the worker's summary of the sheet, ``heat`` utilisation by
    interior link name."""
    eff = effective(project, design, sheet_id)
    fitted = chassis_config(design, sheet_id)
    told = summary or {}
    segments = segments_by_lower(told.get("signal") or {})
    facts = ServerFacts(lang, cabled_ports(project, design, eff, host), told.get("lanes", {}), segments)
    builder = _Builder(eff, facts, design, sheet_id, heat or {})
    builder.power = power_card(eff, project.parts, fitted, facts)
    return builder.build()


def cabled_ports(project: Project, design: Design, eff: EffSheet, host: str) -> dict[str, tuple[int, str]]:
    """ "nic0:1" -> (place in its export, network) for every port of an export that a fabric link uses."""
    root = design.sheets.get(design.root)
    out: dict[str, tuple[int, str]] = {}
    if root is None:
        return out
    for link in root.links.values():
        for end in (link.a, link.b):
            item, _, name = end.partition(":")
            if item == host and name in eff.exports:
                for n, port in enumerate(eff.exports[name].ports):
                    out.setdefault(port, (n, link.network))
    del project
    return out


class _Builder:
    """One sheet in the making."""

    def __init__(
        self, eff: EffSheet, facts: ServerFacts, design: Design, sheet_id: str, heat: Mapping[str, float]
    ) -> None:
        self.eff = eff
        self.facts = facts
        self.heat = heat
        self.tree: Tree = build_tree(eff)
        sheet = design.sheets[sheet_id]
        seated = {i for i, item in eff.items.items() if item.seat}
        places = {k: (v.xy[0], v.xy[1]) for k, v in sheet.look.items() if len(v.xy) == 2 and k not in seated}
        self.bends = {k: look.bends for k, look in sheet.look.items() if look.bends and k in eff.links}
        self.bendable: dict[int, tuple[float, bool]] = {}
        self.placed: Placed = lay_out(self.tree, places, lambda _box: "")
        self.cards: list[Card] = []
        self.boxes: list[Box] = []
        self.index: dict[str, int] = {}
        self.top: dict[str, list[Mark]] = {}
        self.marks: dict[str, list[Mark]] = {}
        self.power: Card | None = None

    def build(self) -> Scene:
        scene = Scene("server")
        self._frames()
        nodes = {id(n): n for n in self.tree.nodes.values() if n.id in self.placed.boxes}
        for node in nodes.values():
            self._collect_marks(node)
        for node in nodes.values():
            self._free_marks(node)
        for node in nodes.values():
            self._add(node.id, self._card(node), self.placed.boxes[node.id])
        self._nvlink_cards()
        if self.power is not None:
            self._add(self.power.id, self.power, self.placed.power)
        scene.fill_cards(self.cards, self.boxes)
        edges = EdgeList()
        used = self._tree_edges(scene, edges, list(nodes.values()))
        self._sockets(scene, edges)
        self._nvlink_edges(scene, edges)
        self._other_links(scene, edges, used)
        scene.edges = edges.arrays()
        scene.edges.memo["bendable"] = self.bendable
        scene.edges.memo["bent"] = frozenset(self.bends)
        return scene

    def _add(self, key: str, card: Card, box: Box) -> None:
        self.index[key] = len(self.cards)
        self.cards.append(card)
        self.boxes.append(box)

    def _frames(self) -> None:
        part = self.eff.chassis_part
        names = part_names(part, self.eff.chassis or self.eff.id, self.facts.lang)
        height = part.get("height_u") if part else 0
        title = f"{names[0]} · {height:g}U" if height else names[0]
        reserve = self.placed.power[2] + 12 if self.power is not None else 0.0
        card = Card("chassis", Style.FRAME, "frame", (title, *names), also=self.tree.board, reserve=reserve)
        self._add("chassis", card, self.placed.frame)
        for box_id, box in self.placed.box_frames.items():
            item = self.eff.items[box_id]
            name = item.part.name(self.facts.lang) if item.part else item.of
            titles = (f"{box_id} · {name}", *shortened(name))
            self._add(box_id, Card(box_id, Style.FRAME, "frame", titles, frame="border.strong"), box)

    # -- ports ------------------------------------------------------------------------------------------------------

    def _token(self, node: Node) -> str:
        return "cxl" if node.kind == "cxl" else "pcie"

    def _collect_marks(self, node: Node) -> None:
        x, _y, w, _h = self.placed.boxes[node.id]
        parent = node.parent
        own = self.marks.setdefault(node.id, [])
        if parent is not None and parent.id in self.placed.boxes:
            end = node.seat if node.slot is not None or node.cable is not None else f"{node.id}:up"
            own.append(Mark(end, "t", w / 2, self._token(node)))
            px, _py, pw, _ph = self.placed.boxes[parent.id]
            at = min(max(x + w / 2 - px, 10.0), pw - 10.0)
            self.marks.setdefault(parent.id, []).append(Mark(f"{parent.id}:{node.port}", "b", at, self._token(node)))
        elif node.kind != "cpu":
            if node.slot is not None:
                own.append(Mark(node.id, "t", w / 2, "pcie", filled=False))
            elif node.item is not None and "up" in node.item.ports:
                own.append(Mark(node.seat or f"{node.id}:up", "t", w / 2, self._token(node), filled=False))

    def _free_marks(self, node: Node) -> None:
        """Ports that nothing uses yet, network cages, NVLink."""
        item = node.item
        if item is None or len(node.ids) > 1:
            return
        _x, _y, w, _h = self.placed.boxes[node.id]
        own = self.marks.setdefault(node.id, [])
        used = {m.port for m in own}
        if item.kind in ("pcie-switch-card", "retimer", "pcie-switch", "riser"):
            free = [n for n, p in item.ports.items() if p.role == "down" and f"{node.id}:{n}" not in used]
            if free and (not item.locked or item.kind != "pcie-switch"):
                taken = [m.at for m in own if m.edge == "b"]
                for port, at in zip(free, _spread(len(free), w, taken), strict=True):
                    own.append(Mark(f"{node.id}:{port}", "b", at, "pcie", filled=False))
        net = [n for n, p in item.ports.items() if p.role == "net"]
        if item.kind == "nic" and net:
            down = any(m.edge == "b" for m in own)
            for k, port in enumerate(net[:4]):
                end = f"{node.id}:{port}"
                at = w * (k + 1) / (len(net[:4]) + 1) if not down else 16.0 + 26 * k
                rank = self.facts.cabled.get(end)
                token = (
                    "mgmt"
                    if rank is None
                    else f"rail{rank[0] % 8}"
                    if rank[1] == "compute"
                    else "storage"
                    if rank[1] in ("storage", "inband")
                    else "mgmt"
                )
                own.append(Mark(end, "b", at, token, filled=rank is not None, wide=True))
        if item.kind == "gpu" and "nv" in item.ports and self.tree.switches and not node.box:
            own.append(Mark(f"{node.id}:nv", "b", w / 2, "nvlink"))

    # -- cards ------------------------------------------------------------------------------------------------------

    def _card(self, node: Node) -> Card:
        marks = tuple(self.marks.get(node.id, ()))
        if node.slot is not None:
            return slot_card(node, self.facts, marks)
        if node.kind == "cpu":
            return cpu_card(node, self.placed.boxes[node.id][2], self.facts, marks, self.eff)
        if node.kind == "gpu":
            return gpu_card(node, self.facts, marks)
        if is_switch(node):
            return switch_card(node, self.facts, marks, self.eff)
        if is_chip(node):
            return chip_card(node, self.facts, marks, self.eff)
        return device_card(node, self.facts, marks, self.eff)

    def _nvlink_cards(self) -> None:
        gpus = [n.id for n in {id(n): n for n in self.tree.nodes.values()}.values() if n.kind == "gpu" and not n.box]
        if self.placed.bar and self.tree.switches:
            self._add(self.tree.switches[0], bar_card(self.tree, self.eff, self.facts, gpus), self.placed.bar)
        for domain, box in zip(self.tree.domains, self.placed.brackets, strict=True):
            if box[2] > 0:
                card = bracket_card(domain, self.eff, self.facts)
                self._add(card.id, card, box)

    # -- lines ------------------------------------------------------------------------------------------------------

    def _load(self, *names: str) -> float | None:
        return next((self.heat[n] for n in names if n in self.heat), None)

    def _tree_edges(self, scene: Scene, edges: EdgeList, nodes: list[Node]) -> set[str]:
        used: set[str] = set()
        for node in nodes:
            parent = node.parent
            if parent is None or parent.id not in self.index or node.id not in self.index:
                continue
            a, b = self.index[parent.id], self.index[node.id]
            top = next(m for m in self.cards[b].marks if m.edge == "t")
            bx, by = mark_place(scene, b, top)
            lows = [m for m in self.cards[a].marks if m.edge == "b" and m.port == f"{parent.id}:{node.port}"]
            places = [mark_place(scene, a, m) for m in lows]
            ax, ay = min(places, key=lambda p: abs(p[0] - bx))
            lane = (ay + by) / 2 if parent.kind != "cpu" else ay + 18
            if not node.children and parent.kind != "cpu" and by - ay > 90:
                lane = ay + 18
            points = tidy(vertical((ax, ay), (bx, by), lane))
            if node.link in self.eff.links:
                # The tree runs down from the processor; the row of the link may be told the other way round.
                down = self.eff.links[node.link].a.partition(":")[0] == parent.id
                self.bendable[len(edges)] = (0.0, not down)
                points = self._bent(node.link, (ax, ay), "b", (bx, by), "t", up=not down) or points
            kind = "cxl" if node.kind == "cxl" else "dmi" if node.kind == "chipset" else "pcie"
            link = node.link or node.id
            used.add(node.link)
            load = self._load(f"{node.id}:up", node.link, f"{parent.id}:{node.port}")
            edges.add(link, a, b, kind, points, load=load, built_in=node.built_in, count=1)
            self._lane_label(scene, node, (ax, ay), (bx, by))
        return used

    def _lane_label(self, scene: Scene, node: Node, a: tuple[float, float], b: tuple[float, float]) -> None:
        if not node.lanes or b[1] - a[1] < 26:
            return
        full = lanes_text(node.lanes, node.gen)
        if len(node.ids) > 1 and node.kind in ("nvme", "slot"):
            full = f"{len(node.ids)} × x{node.lanes}\tx{node.lanes}"
        elif node.kind == "chipset":
            full = f"DMI x{node.lanes}\tDMI"
        else:
            full += f"\tx{node.lanes}"
        x, y, room = b[0] + 7, b[1] - 17, b[1] - a[1]
        scene.labels.append(Label(x, y, full, 78.0, "l", "", node.link))
        length = ""
        if node.cable is not None and node.cable.length_m is not None and room > 42:
            length = self.facts.text(msg("{length} m", length=node.cable.length_m))
        segment = worst_of(self.facts.signal, node.ids) if room > 42 else None
        token = "text.3"
        if segment is not None:
            token = {"warn": "warn", "error": "error"}.get(verdict_of(segment), token)
            if length and room <= 59:  # one line for both: the longer form is read when zoomed in
                length, segment = f"{length} · {short_label(segment)}\t{short_label(segment)}", None
        for text in (length, label_of(segment) if segment is not None else ""):
            if text:
                y -= 17
                scene.labels.append(Label(x, y, text, 78.0, "l", "", node.link, token, 0.8))

    def _sockets(self, scene: Scene, edges: EdgeList) -> None:
        for n, (link_id, a_id, b_id, count, kind) in enumerate(self.tree.sockets):
            if a_id not in self.index or b_id not in self.index:
                continue
            a, b = self.index[a_id], self.index[b_id]
            if scene.x[a] > scene.x[b]:
                a, b = b, a
            word = {"upi": "UPI", "xgmi": "xGMI"}.get(kind, kind)
            x0, x1 = float(scene.x[a] + scene.w[a]), float(scene.x[b])
            y = float(scene.y[a]) + 36 + 18 * n
            load = self._load(link_id)
            if x1 - x0 < 200:
                lines = min(max(count, 1), 4)
                for k in range(lines):
                    edges.add(link_id, a, b, "upi", [(x0, y + 5 * k), (x1, y + 5 * k)], load=load, built_in=True)
                scene.labels.append(
                    Label((x0 + x1) / 2, y + 5 * lines + 10, f"{count} × {word}\t{word}", x1 - x0 - 2, "c", "", link_id)
                )
            else:
                over = float(scene.y[a]) - 16 - 12 * n
                ax, bx = float(scene.x[a] + scene.w[a] / 2), float(scene.x[b] + scene.w[b] / 2)
                edges.add(
                    link_id,
                    a,
                    b,
                    "upi",
                    [(ax, float(scene.y[a])), (ax, over), (bx, over), (bx, float(scene.y[b]))],
                    load=load,
                    built_in=True,
                )

    def _nvlink_edges(self, scene: Scene, edges: EdgeList) -> None:
        if not self.placed.bar or not self.tree.switches:
            return
        bar = self.index[self.tree.switches[0]]
        top = float(scene.y[bar])
        x0, x1 = float(scene.x[bar]), float(scene.x[bar] + scene.w[bar])
        for link_id, link in self.eff.builtin_links.items():
            gpu = link.a.partition(":")[0]
            if (
                link.medium not in NVLINK_MEDIA
                or gpu not in self.index
                or link.b.partition(":")[0] != self.tree.switches[0]
            ):
                continue
            g = self.index[gpu]
            x = float(scene.x[g] + scene.w[g] / 2)
            if x0 <= x <= x1:
                edges.add(
                    link_id,
                    g,
                    bar,
                    "nvlink",
                    [(x, float(scene.y[g] + scene.h[g])), (x, top)],
                    load=self._load(f"{gpu}:nv"),
                    built_in=True,
                )

    def _other_links(self, scene: Scene, edges: EdgeList, used: set[str]) -> None:
        """Links that are not part of the tree: a second feed, an odd cable. They are drawn around the cards."""
        boxes = np.array(
            [b for b, c in zip(self.boxes, self.cards, strict=True) if c.style != Style.FRAME], np.float32
        ).reshape(-1, 4)
        in_domain = {i for _members, links in self.tree.domains for i in links}
        for n, link_id in enumerate(sorted(self.eff.links)):
            link = self.eff.links[link_id]
            if link_id in used or link_id in in_domain or link.medium in NVLINK_MEDIA:
                continue
            ends = [self._end(scene, end) for end in (link.a, link.b)]
            if ends[0] is None or ends[1] is None:
                continue
            (a, pa, ea), (b, pb, eb) = ends[0], ends[1]
            kind = "cxl" if link.medium == "cxl" else "pcie"
            points = self._bent(link_id, pa, ea, pb, eb, up=False) or route(pa, ea, pb, eb, boxes, lane=6.0 * (n % 5))
            self.bendable[len(edges)] = (0.0, False)
            edges.add(link_id, a, b, kind, points)

    def _bent(self, link: str, pa: Point, ea: str, pb: Point, eb: str, *, up: bool) -> list[Point] | None:
        """Course through lanes drawn by hand, None without any; ``up`` = they are told from the second end."""
        bends = self.bends.get(link)
        if not bends:
            return None
        if not up:
            return laned(pa, ea, pb, eb, bends)
        course = laned(pb, eb, pa, ea, bends)
        return None if course is None else course[::-1]

    def _end(self, scene: Scene, end: str) -> tuple[int, tuple[float, float], str] | None:
        for index, card in enumerate(self.cards):
            for mark in card.marks:
                if mark.port == end:
                    return index, mark_place(scene, index, mark), mark.edge
        owner = end.partition(":")[0]
        node = self.tree.nodes.get(owner) or next((x for x in self.tree.nodes.values() if x.seat == end), None)
        found = self.index.get(node.id if node else owner)
        if found is None:
            return None
        x, y, w, _h = scene.box(found)
        return found, (x + w / 2, y), "t"


def _spread(count: int, width: float, taken: list[float]) -> list[float]:
    """Places for free ports along the lower edge that keep clear of the taken ones."""
    out: list[float] = []
    slots = max(count + len(taken), 1)
    grid = [width * (k + 0.5) / max(slots, 1) for k in range(slots)]
    grid += [width * (k + 0.25) / max(slots, 1) for k in range(slots)]
    for place in grid:
        if len(out) < count and all(abs(place - t) > 11 for t in (*taken, *out)):
            out.append(place)
    while len(out) < count:
        out.append(width / 2)
    return sorted(out)
