"""What moves with the pointer: selection, hover, dragged cards with their lines, slot verdicts, ghost, rubber band,
link being drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from fabricwright.design.frames import rows_in
from fabricwright.ui.canvas.cable_lines import shown_cables
from fabricwright.ui.canvas.dragged import DraggedLines
from fabricwright.ui.canvas.layers import Layer, NodeLayer
from fabricwright.ui.canvas.routing import vertical
from fabricwright.ui.canvas.selected import boxes_of, chosen_groups
from fabricwright.ui.canvas.state import CanvasState
from fabricwright.ui.canvas.tips import paint_note, paint_tip
from fabricwright.ui.icons import paint_icon
from fabricwright.ui.paint.cards import paint_card
from fabricwright.ui.paint.cards_server import verdict_slot
from fabricwright.ui.paint.lines import edge_path, paint_edge, paint_label, paint_tie
from fabricwright.ui.paint.pick import mark_place
from fabricwright.ui.paint.primitives import FAR, NEAR, Ink, mark_box
from fabricwright.ui.paint.scene import Style
from fabricwright.ui.paint.sheet import badge_place, paint_badge, paint_far
from fabricwright.ui.theme import make_pen


class LiveLayer(Layer):
    """Selection and everything under way. ``nodes`` is the layer below, which holds the pictures of the cards."""

    z = 4.0

    def __init__(self, state: CanvasState, nodes: NodeLayer) -> None:
        super().__init__(state)
        self.nodes = nodes
        self._lines: DraggedLines | None = None

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._drag(p, ink)
        self._signs(p, ink)
        self._found(p, ink)
        self._selection(p, ink)
        self._selected_badges(p, ink)
        self._hover(p, ink)
        self._pulse(p, ink)
        self._link(p, ink)
        self._band(p, ink)
        self._ghost(p, ink)
        del area

    # -- selection --------------------------------------------------------------------------------------------------

    def _selection(self, p: QPainter, ink: Ink) -> None:
        document = self.state.source.context.document
        scene = self.state.scene
        dx, dy = self.state.drag_offset
        links = scene.edges.numbers() if document.selection else {}
        rings: dict[bool, list[QRectF]] = {False: [], True: []}
        lines: list[int] = []
        p.setBrush(Qt.BrushStyle.NoBrush)
        for row_id in document.selection:
            members = document.members.get(row_id)
            rows = scene.by_id.get(row_id, [])
            if row_id in scene.runs:
                rows = scene.rows_of(row_id, members)[:400]
                if members is not None:
                    self._cables(p, rows[:40], ink)
            if len(rows) == 1:
                x, y, w, h = scene.box(rows[0])
                moved = rows[0] in self.state.hidden_cards
                rings[True].append(QRectF(x + dx, y + dy, w, h) if moved else QRectF(x, y, w, h))
            for index in rows if len(rows) > 1 else ():
                card = scene.card(index)
                meant = members is None or card.members is None or any(x in card.members for x in members)
                x, y, w, h = scene.box(index)
                if index in self.state.hidden_cards:
                    x, y = x + dx, y + dy
                rings[meant].append(QRectF(x, y, w, h))
            if row_id in links and ink.band == NEAR:
                for index in np.flatnonzero(scene.edges.link == links[row_id])[:300].tolist():
                    if members is not None and not shown_cables(self.state.source.context, scene, index):
                        continue
                    if index not in self.state.hidden_edges:
                        paint_edge(p, scene.edges, index, ink, selected=True)
                        lines.append(index)
        self._bent(p, ink)
        self._annotations(p, lines, ink)
        self._groups(p, ink)
        for strong, boxes in rings.items():
            self._rings(p, boxes, ink, strong=strong)
        self._locks(p, ink)

    def _groups(self, p: QPainter, ink: Ink) -> None:
        """A dashed box around each group that the selection is in."""
        context = self.state.source.context
        dx, dy = self.state.drag_offset
        for group in chosen_groups(context)[:50]:
            inside = boxes_of(self.state.scene, rows_in(context.sheet_row, group))
            if inside:
                boxes = [QRectF(*box) for box in inside.values()]
                whole = boxes[0]
                for box in boxes[1:]:
                    whole = whole.united(box)
                gap = 10.0 / ink.scale
                p.setPen(make_pen(ink["accent"], 1.25 / ink.scale, (5 / ink.scale, 4 / ink.scale)))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawRoundedRect(whole.translated(dx, dy).adjusted(-gap, -gap, gap, gap), 12, 12)

    def _locks(self, p: QPainter, ink: Ink) -> None:
        """A padlock on selected cards that are locked in place."""
        context = self.state.source.context
        side = 17.0 / ink.scale
        looks = context.sheet_row.look
        for row_id in context.document.selection:
            look = looks.get(row_id)
            if look is None or not look.locked:
                continue
            for index in self.state.scene.rows_of(row_id)[:50]:
                x, y, _w, h = self.state.scene.box(index)
                box = QRectF(x - side / 2, y + h - side / 2, side, side)
                p.setPen(make_pen(ink["select"], 1.25 / ink.scale))
                p.setBrush(ink["raised"])
                p.drawEllipse(box)
                inset = 3.5 / ink.scale
                paint_icon(p, "lock", box.adjusted(inset, inset, -inset, -inset), "select")

    def _bent(self, p: QPainter, ink: Ink) -> None:
        """A link while it is being bent."""
        for index, course in self.state.bent.items():
            paint_edge(p, self.state.scene.edges, index, ink, points=course, selected=True)

    def _annotations(self, p: QPainter, lines: list[int], ink: Ink) -> None:
        """What selected lines say, and what stands in their way, once more above them."""
        scene = self.state.scene
        if not lines or ink.band != NEAR:
            return
        boxes = scene.edges.boxes()[lines]
        links = {scene.edges.links[int(scene.edges.link[n])] for n in lines}

        def near(x0: float, y0: float, x1: float, y1: float) -> bool:
            touch = (boxes[:, 0] <= x1) & (boxes[:, 2] >= x0) & (boxes[:, 1] <= y1) & (boxes[:, 3] >= y0)
            return bool(touch.any())

        for label in scene.labels:
            if label.link in links or near(label.x - 60, label.y - 10, label.x + 60, label.y + 10):
                paint_label(p, label, ink)
        for tie in scene.ties:
            if tie.link in links or near(tie.x0 - 60, tie.y - 10, tie.x1 + 60, tie.y + 10):
                paint_tie(p, tie, ink, heat=self.state.heat)

    def _found(self, p: QPainter, ink: Ink) -> None:
        """What the find bar lists, behind the ring of what is selected."""
        scene = self.state.scene
        gap = 4.0 / ink.scale
        boxes = [
            QRectF(*scene.box(i)).adjusted(-gap, -gap, gap, gap)
            for i in self.state.found
            if i < len(scene) and i not in self.state.hidden_cards
        ]
        p.setPen(make_pen(ink.theme.alpha("warn", 0.9), 2.0 / ink.scale))
        p.setBrush(ink.theme.alpha("warn", 0.08))
        for box in boxes:
            p.drawRoundedRect(box, 9, 9)
        p.setBrush(Qt.BrushStyle.NoBrush)

    def _cables(self, p: QPainter, rows: list[int], ink: Ink) -> None:
        """Lines of members of an open group that is drawn with its bundles only."""
        scene = self.state.scene
        if scene.cables is None or ink.band == FAR:
            return
        for row in rows:
            if row not in self.state.hidden_cards:
                edges = scene.cables(row)
                for index in range(len(edges)):
                    paint_edge(p, edges, index, ink, heat=self.state.heat)

    def _selected_badges(self, p: QPainter, ink: Ink) -> None:
        """Badges of selected cards once more, over the handles of their ring."""
        scene = self.state.scene
        chosen = set(self.state.source.context.document.selection)
        for index, badge in self.state.badges.items():
            if index < len(scene) and index not in self.state.hidden_cards and scene.card(index).id in chosen:
                paint_badge(p, badge_place(scene, index), badge, ink)

    def _rings(self, p: QPainter, boxes: list[QRectF], ink: Ink, *, strong: bool) -> None:
        gap = 3.0 / ink.scale
        rings = [box.adjusted(-gap, -gap, gap, gap) for box in boxes]
        p.setBrush(Qt.BrushStyle.NoBrush)
        if strong:
            p.setPen(make_pen(ink["select"], 2.0 / ink.scale))
        else:
            p.setPen(make_pen(ink.theme.alpha("select", 0.55), 1.25 / ink.scale, (4 / ink.scale, 3 / ink.scale)))
        if len(rings) > 40:
            p.drawRects(rings)
        else:
            for ring in rings:
                p.drawRoundedRect(ring, 9, 9)
        if strong and len(rings) <= 40:  # among more than that, handles are clutter
            side = 6.0 / ink.scale
            p.setPen(make_pen(ink["select"], 1.5 / ink.scale))
            p.setBrush(ink["raised"])
            corners = [c for r in rings for c in (r.topLeft(), r.topRight(), r.bottomLeft(), r.bottomRight())]
            p.drawRects([QRectF(c.x() - side / 2, c.y() - side / 2, side, side) for c in corners])

    def _hover(self, p: QPainter, ink: Ink) -> None:
        state = self.state
        scene = state.scene
        p.setBrush(Qt.BrushStyle.NoBrush)
        if state.hover is not None and state.hover < len(scene) and not state.hidden_cards:
            if scene.card(state.hover).id in scene.runs:
                self._cables(p, [state.hover], ink)
                p.setBrush(Qt.BrushStyle.NoBrush)
            x, y, w, h = scene.box(state.hover)
            p.setPen(make_pen(ink["border.strong"], 1.5 / ink.scale))
            p.drawRoundedRect(QRectF(x, y, w, h), 8, 8)
        if state.hover_edge is not None and state.hover_edge < len(scene.edges) and ink.band == NEAR:
            p.setPen(make_pen(ink.theme.alpha("select", 0.25), ink.line(8)))
            p.drawPath(edge_path(scene.edges.polyline(state.hover_edge)))
        if state.hover_end is not None and state.hover_end[0] < len(scene.edges) and ink.band == NEAR:
            edge, which = state.hover_end
            x, y = scene.edges.polyline(edge)[-which].tolist()
            p.setPen(make_pen(ink["select"], 2.0 / ink.scale))
            p.setBrush(ink["raised"])
            p.drawEllipse(QPointF(x, y), 6 / ink.scale, 6 / ink.scale)
            p.setBrush(Qt.BrushStyle.NoBrush)
        if state.hover_mark is not None and state.hover_mark[0] < len(scene):
            index, mark = state.hover_mark
            x, y, w, h = scene.box(index)
            box = mark_box(mark, w, h, ink.band).translated(x, y).adjusted(-3, -3, 3, 3)
            p.setPen(make_pen(ink["accent"], 2.0 / ink.scale))
            p.setBrush(ink.theme.alpha("accent", 0.2))
            p.drawRoundedRect(box, 4, 4)

    def _pulse(self, p: QPainter, ink: Ink) -> None:
        if self.state.pulse is None:
            return
        cards, fraction = self.state.pulse
        scene = self.state.scene
        for index in cards:
            if index < len(scene):
                x, y, w, h = scene.box(index)
                grow = (3 + 12 * fraction) / ink.scale
                p.setPen(make_pen(ink.theme.alpha("select", max(0.0, 0.8 * (1 - fraction))), 3.0 / ink.scale))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawRoundedRect(QRectF(x, y, w, h).adjusted(-grow, -grow, grow, grow), 10, 10)

    # -- dragging ---------------------------------------------------------------------------------------------------

    def _drag(self, p: QPainter, ink: Ink) -> None:
        state = self.state
        if not state.hidden_cards:
            return
        scene = state.scene
        dx, dy = state.drag_offset
        if state.guides:  # upright and level hair lines: smoothing shows nothing and takes milliseconds
            p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            p.setPen(make_pen(ink.theme.alpha("accent", 0.7), 1.0, (4, 3), cosmetic=True))
            p.drawLines([QLineF(*guide) for guide in state.guides])
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state.ghost is None:
            lines = self._lines
            if lines is None or lines.edges is not scene.edges or lines.moving is not state.hidden_edges:
                lines = self._lines = DraggedLines(scene.edges, state.hidden_edges, state.hidden_cards)
            lines.draw(p, dx, dy, ink, heat=state.heat)
            cards = np.array(sorted(state.hidden_cards), np.int32)
            p.save()
            p.translate(dx, dy)
            if ink.band == FAR and len(cards) > 60:
                paint_far(p, scene, cards, ink)
            else:
                self.nodes.draw_cards(p, cards, ink)
            p.restore()

    def _signs(self, p: QPainter, ink: Ink) -> None:
        scene = self.state.scene
        for index, card in self.state.pending.items():
            x, y, w, h = scene.box(index)
            p.save()
            p.translate(x, y)
            paint_card(p, card, w, h, ink)
            p.restore()
            if index in self.state.badges:
                paint_badge(p, badge_place(scene, index), self.state.badges[index], ink)
        for index in self.state.signs:
            if index < len(scene) and index != self.state.hot:
                self._sign(p, index, ink)
        if self.state.hot is not None and self.state.hot in self.state.signs and self.state.hot < len(scene):
            self._sign(p, self.state.hot, ink)

    def _sign(self, p: QPainter, index: int, ink: Ink) -> None:
        scene = self.state.scene
        sign = self.state.signs[index]
        x, y, w, h = scene.box(index)
        occupied = scene.card(index).style != Style.SLOT
        hot = index == self.state.hot
        if occupied and sign.state == "error" and not hot:
            # A taken slot steps back; why it is taken is told when the pointer is on it.
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(ink.theme.alpha("canvas", 0.55))
            p.drawRoundedRect(QRectF(x, y, w, h), 8, 8)
            return
        verdict_slot(p, QRectF(x, y, w, h), sign.state, sign.title, sign.lines, ink, hot=hot or sign.state == "ok")

    def _ghost(self, p: QPainter, ink: Ink) -> None:
        ghost = self.state.ghost
        if ghost is None:
            return
        p.save()
        p.translate(ghost.x, ghost.y)
        p.rotate(-2)
        p.setOpacity(0.96)
        p.translate(-ghost.w / 2, -ghost.h / 2)
        paint_card(p, ghost.card, ghost.w, ghost.h, Ink(ink.theme, ink.scale, NEAR if ink.scale > 0.35 else ink.band))
        p.restore()
        if ghost.tip_title:
            paint_tip(p, ghost, self.seen(), ink)

    def seen(self) -> QRectF:
        """The part of the plane that the view shows."""
        view = self.scene().views()[0]
        return view.mapToScene(view.viewport().rect()).boundingRect()

    # -- links and bands --------------------------------------------------------------------------------------------

    def _link(self, p: QPainter, ink: Ink) -> None:
        link = self.state.link
        scene = self.state.scene
        if self.state.show_ports:
            self._ports(p, ink)
        if link is None:
            return
        token = {"ok": "ok", "warn": "warn", "error": "error"}.get(link.state, "accent")
        if link.target is not None and link.target < len(scene):
            x, y, w, h = scene.box(link.target)
            p.setPen(
                make_pen(ink[token], 2.0 / ink.scale, () if link.state == "ok" else (5 / ink.scale, 3 / ink.scale))
            )
            p.setBrush(ink.theme.alpha(token, 0.12))
            p.drawRoundedRect(QRectF(x, y, w, h).adjusted(-3, -3, 3, 3), 9, 9)
        p.setPen(make_pen(ink[token], ink.line(2.0), (7, 4)))
        p.setBrush(Qt.BrushStyle.NoBrush)
        course = (
            vertical(link.start, link.end)
            if link.edge in "tb"
            else [link.start, (link.end[0], link.start[1]), link.end]
        )
        p.drawPath(edge_path(np.array(course, np.float32)))
        p.setBrush(ink[token])
        p.setPen(Qt.PenStyle.NoPen)
        p.drawEllipse(QPointF(*link.end), 4 / ink.scale, 4 / ink.scale)
        if link.lines:
            paint_note(p, link.end, link.lines, token, self.seen(), ink)

    def _ports(self, p: QPainter, ink: Ink) -> None:
        """In link mode every port shows where to start."""
        scene = self.state.scene
        if ink.band != NEAR:
            return
        for index in range(min(len(scene), 2000)):
            for mark in scene.card(index).marks:
                x, y = mark_place(scene, index, mark)
                p.setPen(make_pen(ink["accent"], 1.25 / ink.scale))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawEllipse(QPointF(x, y), 8, 8)

    def _band(self, p: QPainter, ink: Ink) -> None:
        if self.state.band is None:
            return
        x0, y0, x1, y1 = self.state.band
        box = QRectF(QPointF(x0, y0), QPointF(x1, y1)).normalized()
        p.setPen(make_pen(ink["accent"], 1.0 / ink.scale, () if x1 >= x0 else (4 / ink.scale, 3 / ink.scale)))
        p.setBrush(ink.theme.alpha("accent", 0.08))
        p.drawRect(box)
