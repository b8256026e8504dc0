"""Scene of a fabric sheet: cards, bundles with ties, frames of units, members of open groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.indexset import IndexSet
from fabricwright.design.naming import member_name
from fabricwright.design.values import Design, Project
from fabricwright.ui.canvas.cable_plan import Line
from fabricwright.ui.canvas.fabric_cabled import cabled_cards
from fabricwright.ui.canvas.fabric_cards import make_card
from fabricwright.ui.canvas.fabric_courses import NETWORK_KIND, Course, Courses, Memory, Plotter
from fabricwright.ui.canvas.fabric_figures import FabricFacts, unit_caption
from fabricwright.ui.canvas.fabric_layout import (
    FRAME_PAD,
    MEMBER_GAP,
    MEMBER_H,
    MEMBER_W,
    Box,
    Layout,
    lay_out,
    open_grid,
    tile_grid,
)
from fabricwright.ui.canvas.fabric_links import Wired
from fabricwright.ui.canvas.fabric_pieces import SERVER, SIDE, SPINE, Piece, Pieces
from fabricwright.ui.canvas.fabric_ties import BundleWords
from fabricwright.ui.canvas.naming import thousands
from fabricwright.ui.paint.scene import Card, EdgeList, Edges, Mark, Scene, Style

#: Open groups up to this size show the cables of every member. Larger ones show the bundles of the whole group, and
#: the cables of a member while it is selected or under the pointer: ten thousand times four lines say nothing.
MEMBER_LINES = 64


def fabric_scene(
    project: Project,
    design: Design,
    sheet_id: str,
    lang: str,
    *,
    heat: Mapping[str, Mapping[str, Any]] | None = None,
    sheets: Mapping[str, Mapping[str, Any]] | None = None,
    previous: Scene | None = None,
) -> Scene:
    """Scene of fabric sheet ``sheet_id``. ``heat`` by link id as the worker sends it, ``sheets`` its summaries of
    server sheets."""
    eff = effective(project, design, sheet_id)
    memory = previous.memo.get("courses") if previous is not None and previous.kind == "fabric" else None
    return _Builder(project, design, eff, lang, heat or {}, sheets or {}).build(memory)


class _Builder:
    """One sheet in the making."""

    def __init__(
        self,
        project: Project,
        design: Design,
        eff: EffSheet,
        lang: str,
        heat: Mapping[str, Mapping[str, Any]],
        sheets: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self.project, self.design, self.eff, self.lang, self.heat = project, design, eff, lang, heat
        self.sheet = design.sheets[eff.id]
        cabled = cabled_cards(project, design, eff)
        self.pieces: Pieces = cabled.pieces
        self.wired: list[Wired] = cabled.wired
        places = {k: (v.xy[0], v.xy[1]) for k, v in self.sheet.look.items() if len(v.xy) == 2}
        buses = {
            w.row.network
            for w in self.wired
            for s in w.strands[:1]
            if {self._role(s.a), self._role(s.b)} == {SERVER, SIDE}
        }
        self.layout: Layout = lay_out(self.pieces, places, len(buses))
        self.facts = FabricFacts(project, design, eff, self.pieces, lang, sheets, cabled.cages, self._spine_loads())
        self.cards: list[Card] = []
        self.boxes: list[Box] = []
        self.row: dict[int, int] = {}
        self.edges = EdgeList()
        self.lines: dict[int, Line] = {}

    def _role(self, piece: int) -> str:
        return self.pieces.pieces[piece].role

    def _load(self, link: str) -> float | None:
        row = self.heat.get(link)
        return float(row["max"]) if row and row.get("max") is not None else None

    def _spine_loads(self) -> dict[str, float]:
        out: dict[str, float] = {}
        for wired in self.wired:
            load = self._load(wired.link)
            if load is not None:
                for strand in wired.strands[:1]:
                    for n in (strand.a, strand.b):
                        item = self.pieces.pieces[n].item
                        out[item] = max(out.get(item, 0.0), load)
        return out

    def build(self, memory: object = None) -> Scene:
        scene = Scene("fabric")
        bends = {k: look.bends for k, look in self.sheet.look.items() if look.bends and k in self.eff.links}
        courses: Courses = Plotter(
            self.pieces, self.layout, self.wired, memory if isinstance(memory, Memory) else None, bends
        ).run()
        scene.memo["courses"] = courses.memory
        scene.memo["routed"] = courses.routed
        self._free_exports(courses)
        for unit, box in sorted(self.layout.frames.items()):
            card = Card(f"#{self.pieces.axis}{unit}", Style.FRAME, "", unit_caption(self.pieces, unit, self.facts))
            self.cards.append(card)
            self.boxes.append(box)
        opened: list[int] = []
        for n, piece in enumerate(self.pieces.pieces):
            box = self.layout.boxes[n]
            self.row[n] = len(self.cards)
            marks = tuple(courses.marks.get(n, ()))
            if piece.open:
                opened.append(n)
                self._open_frame(piece, box)
                continue
            columns = tile_grid(piece.count, box[2])[0] if piece.role == SPINE else 0
            self.cards.append(make_card(piece, marks, self.facts, columns))
            self.boxes.append(box)
        for note_id, note in self.sheet.notes.items():
            xy = note.xy or (0.0, 0.0)
            lines = note.text.splitlines() or [""]
            self.cards.append(Card(note_id, Style.NOTE, "", (note.text,)))
            self.boxes.append((xy[0], xy[1], 12 + 7.0 * max(len(x) for x in lines), 8 + 17.0 * len(lines)))
        scene.fill_cards(self.cards, self.boxes)
        edges = self.edges
        #: By edge: how far it lies from the middle of its bundle, and whether it is told from its other end.
        offsets: dict[int, tuple[float, bool]] = {}
        lined = {n for n in opened if len(self.pieces.pieces[n].members) <= MEMBER_LINES}
        for course in courses.lines:
            if course.strand.a not in lined and course.strand.b not in lined:
                if not course.bus:
                    offsets[len(edges)] = (course.offset, course.wired.flipped)
                self.lines[len(edges)] = Line(int(course.wired.flipped), course.strand.port)
                self._edge(edges, course)
        for n in opened:
            self._members(scene, edges, n)
        scene.edges = edges.arrays()
        scene.edges.memo["bendable"] = offsets
        scene.edges.memo["bent"] = frozenset(bends)
        scene.edges.memo["lines"] = self.lines
        words = BundleWords(self.pieces, self.layout, self.lang, self._load)
        scene.ties = words.ties(courses)
        scene.labels = words.side_labels(courses)
        scene.legend = {
            "networks": sorted({w.row.network for w in self.wired}),
            "rails": any(c.rail >= 0 for c in courses.lines),
        }
        return scene

    def _edge(self, edges: EdgeList, course: Course) -> None:
        s = course.strand
        edges.add(
            s.link,
            self.row[s.a],
            self.row[s.b],
            course.kind,
            course.points,
            rail=course.rail,
            count=s.count,
            load=self._load(s.link),
        )

    def _free_exports(self, courses: Courses) -> None:
        """Exports of servers that no link uses yet, as hollow ports: compute on top, the others below."""
        used = {end for w in self.wired for end in (w.row.a, w.row.b)}
        for n, piece in enumerate(self.pieces.pieces):
            if piece.role != SERVER or piece.open:
                continue
            item = self.eff.items[piece.item]
            exports = effective(self.project, self.design, item.of[6:]).exports if item.of.startswith("sheet:") else {}
            box = self.layout.boxes[n]
            low = len([m for m in courses.marks[n] if m.edge == "b"])
            for name, export in exports.items():
                end = f"{piece.item}:{name}"
                if end in used or not export.ports:
                    continue
                if name == self.pieces.main and not any(m.edge == "t" for m in courses.marks[n]):
                    count = min(len(export.ports), 16)
                    for k in range(count):
                        label = str(k) if count > 1 else ""
                        courses.marks[n].append(
                            Mark(end, "t", box[2] * (k + 0.5) / count, f"rail{k % 8}", label, filled=False)
                        )
                elif name != self.pieces.main:
                    courses.marks[n].append(Mark(end, "b", box[2] - 24 - 20 * low, "mgmt", filled=False))
                    low += 1

    # -- open groups ------------------------------------------------------------------------------------------------

    def _open_frame(self, piece: Piece, box: Box) -> None:
        item = self.eff.items[piece.item]
        title = f"{item.id} · {thousands(piece.count)}"
        self.cards.append(
            Card(
                item.id,
                Style.FRAME,
                "frame",
                (title,),
                members=piece.members_set(_count(item.axes)),
                frame="border.strong",
            )
        )
        self.boxes.append(box)

    def _members(self, scene: Scene, edges: EdgeList, n: int) -> None:
        """Cards of the members of an open group, made when painted; one line per member and card it is cabled with,
        drawn now or (large groups) when asked for."""
        piece = self.pieces.pieces[n]
        item = self.eff.items[piece.item]
        x, y, w, _h = self.layout.boxes[n]
        columns, _ = open_grid(len(piece.members))
        start = len(scene)
        k = np.arange(len(piece.members))
        boxes = np.stack(
            [
                x + FRAME_PAD + (k % columns) * (MEMBER_W + MEMBER_GAP),
                y + FRAME_PAD + (k // columns) * (MEMBER_H + MEMBER_GAP),
                np.full(len(k), MEMBER_W),
                np.full(len(k), MEMBER_H),
            ],
            axis=1,
        ).astype(np.float32)
        ids = {key: list(value) for key, value in scene.by_id.items()}
        members = piece.members
        old = np.stack([scene.x, scene.y, scene.w, scene.h], axis=1)
        styles = np.concatenate([scene.style, np.full(len(k), Style.DEVICE, np.int8)])
        previous = scene.make
        absent = set()
        for key, override in self.sheet.items[piece.item].except_.items() if piece.item in self.sheet.items else ():
            if override.absent:
                absent |= set(IndexSet.parse(key, item.axes))

        def make(index: int) -> Card:
            if index < start and previous is not None:
                return previous(index)
            member = int(members[index - start])
            name = member_name(item.name, item.axes, member, item.id)
            return Card(
                item.id,
                Style.DEVICE,
                "server",
                (name, str(member)),
                far=str(member),
                members=IndexSet.of([member]),
                forced=False,
                frame="border" if member in absent else "",
            )

        ids.setdefault(item.id, []).extend(range(start, start + len(k)))
        scene.fill([*scene.cards, *([None] * len(k))], np.concatenate([old, boxes]), styles, ids)
        scene.make = make
        scene.runs.setdefault(item.id, []).append((start, members))
        if len(members) <= MEMBER_LINES:
            place = {int(m): (start + j, boxes[j].tolist()) for j, m in enumerate(members.tolist())}
            for wired in self.wired:
                self._cables(edges, wired, piece, place)
        else:
            before = scene.cables

            def cables(index: int) -> Edges:
                if index < start:
                    return before(index) if before is not None else Edges()
                found = EdgeList()
                here = {int(members[index - start]): (index, boxes[index - start].tolist())}
                for wired in self.wired:
                    self._cables(found, wired, piece, here)
                return found.arrays()

            scene.cables = cables
        del w

    def _cables(
        self, edges: EdgeList, wired: Wired, piece: Piece, place: Mapping[int, tuple[int, list[float]]]
    ) -> None:
        """Lines of some members of an open group; ``place`` member -> its card and box."""
        bundle = wired.bundle
        side = 0 if bundle.a_item == piece.item else 2 if bundle.b_item == piece.item else -1
        if side < 0:
            return
        own = bundle.rows[bundle.alive & np.isin(bundle.rows[:, side], list(place))]
        other_item = bundle.b_item if side == 0 else bundle.a_item
        far = self.pieces.owner[other_item][own[:, 2 - side]]
        pairs, counts = np.unique(np.stack([own[:, side], far], axis=1), axis=0, return_counts=True)
        kind = NETWORK_KIND.get(wired.row.network, "compute")
        load = self._load(wired.link)
        for (member, target), count in zip(pairs.tolist(), counts.tolist(), strict=True):
            if target not in self.row:
                continue
            row, (bx, by, bw, bh) = place[member]
            tx, ty, tw, th = self.layout.boxes[target]
            above = ty + th <= by
            x0 = bx + bw * 0.5
            x1 = min(max(x0, tx + 6), tx + tw - 6)
            y1 = ty + th if above else ty
            y0 = by if above else by + bh
            points = (
                [(x0, y0), (x1, y1)]
                if abs(x0 - x1) < 0.5
                else [(x0, y0), (x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2), (x1, y1)]
            )
            if edges is self.edges:
                self.lines[len(edges)] = Line(side // 2, -1)
            edges.add(wired.link, row, self.row[target], kind, points, count=int(count), load=load)


def _count(axes: tuple[tuple[str, int], ...]) -> int:
    n = 1
    for _, size in axes:
        n *= size
    return n
