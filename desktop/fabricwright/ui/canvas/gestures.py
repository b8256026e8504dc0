"""What the pointer is doing: moving cards, a rubber band, drawing a link, holding a part. Each ends in one edit, or
in nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt

from fabricwright.design.calls import EditCall
from fabricwright.ui.canvas.copies import make_copies
from fabricwright.ui.canvas.link_plan import LinkPlan, plan_link, server_end
from fabricwright.ui.canvas.place import Placement
from fabricwright.ui.canvas.state import RubberLink
from fabricwright.ui.paint.pick import edges_in_band, hit, in_band, mark_place, snap
from fabricwright.ui.paint.scene import Card, Mark, Style
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.text import Message, msg

if TYPE_CHECKING:
    from fabricwright.ui.canvas.key_tool import KeyTool

Mods = Qt.KeyboardModifier
GUIDE_PX = 6.0


class Gesture:
    """Base: updates the canvas state while it lasts and clears it at the end."""

    def __init__(self, tool: KeyTool) -> None:
        self.tool = tool
        self.state = tool.view.state
        self.context = tool.view.context

    def move(self, where: QPointF, mods: Mods) -> None:
        """The pointer moved."""

    def release(self, where: QPointF, mods: Mods) -> None:
        """The button was let go: post the edit."""

    def clear(self) -> None:
        """Take everything off the canvas state."""
        state = self.state
        told = bool(state.signs)
        state.hidden_cards, state.hidden_edges = frozenset(), frozenset()
        state.drag_offset, state.guides, state.band = (0.0, 0.0), (), None
        state.signs, state.hot, state.ghost, state.link, state.pending = {}, None, None, None, {}
        state.bent = {}
        if told:
            self.tool.view.verdicts_changed.emit()


class MoveGesture(Gesture):
    """Cards of the selected items follow the pointer; snap 10, Alt off, Shift keeps one axis, Ctrl makes a copy."""

    def __init__(self, tool: KeyTool, start: QPointF, ids: list[str]) -> None:
        super().__init__(tool)
        scene = self.state.scene
        self.start = start
        self.ids = ids
        cards = [i for row in ids for i in scene.by_id.get(row, ())]
        self.cards = frozenset(cards)
        self.state.hidden_cards = self.cards
        moved = np.zeros(len(scene), np.bool_)
        moved[list(self.cards)] = True
        edges = scene.edges
        touched = (moved[edges.a] | moved[edges.b]) if len(edges) else np.zeros(0, np.bool_)
        self.state.hidden_edges = frozenset(np.flatnonzero(touched)[:2000].tolist())
        self.origin: dict[str, tuple[float, float]] = {}
        for row in ids:
            mine = scene.by_id.get(row, ())
            if mine:
                self.origin[row] = (min(float(scene.x[i]) for i in mine), min(float(scene.y[i]) for i in mine))
        index = list(self.cards)
        self.box = (
            float(scene.x[index].min()),
            float(scene.y[index].min()),
            float((scene.x[index] + scene.w[index]).max()),
            float((scene.y[index] + scene.h[index]).max()),
        )
        others = ~moved & (scene.style != Style.FRAME)
        self.xs = (
            np.unique(
                np.concatenate(
                    [scene.x[others], scene.x[others] + scene.w[others], scene.x[others] + scene.w[others] / 2]
                )
            )
            if others.any()
            else np.zeros(0)
        )
        self.ys = (
            np.unique(
                np.concatenate(
                    [scene.y[others], scene.y[others] + scene.h[others], scene.y[others] + scene.h[others] / 2]
                )
            )
            if others.any()
            else np.zeros(0)
        )
        self.offset = (0.0, 0.0)

    def move(self, where: QPointF, mods: Mods) -> None:
        dx, dy = where.x() - self.start.x(), where.y() - self.start.y()
        if mods & Mods.ShiftModifier:
            dx, dy = (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
        guides: list[tuple[float, float, float, float]] = []
        if not mods & Mods.AltModifier:
            first = next(iter(self.origin.values()), (0.0, 0.0))
            dx, dy = snap(first[0] + dx) - first[0] if dx else 0.0, snap(first[1] + dy) - first[1] if dy else 0.0
            dx, guides_x = self._align(dx, self.box[0], self.box[2], self.xs, vertical=True)
            dy, guides_y = self._align(dy, self.box[1], self.box[3], self.ys, vertical=False)
            guides = [*guides_x, *guides_y]
        self.offset = (dx, dy)
        self.state.drag_offset = self.offset
        self.state.guides = tuple(guides)

    def _align(
        self, delta: float, low: float, high: float, lines: np.ndarray, *, vertical: bool
    ) -> tuple[float, list[tuple[float, float, float, float]]]:
        """Pull to the nearest edge or middle of another card within a few pixels, and show it."""
        if not len(lines) or not delta:
            return delta, []
        reach = GUIDE_PX / self.tool.view.zoom
        best: tuple[float, float] | None = None
        for edge in (low, high, (low + high) / 2):
            k = int(np.argmin(np.abs(lines - (edge + delta))))
            gap = float(lines[k]) - (edge + delta)
            if abs(gap) <= reach and (best is None or abs(gap) < abs(best[0])):
                best = (gap, float(lines[k]))
        if best is None:
            return delta, []
        line = best[1]
        y0, y1 = self.box[1] - 2000, self.box[3] + 2000
        x0, x1 = self.box[0] - 2000, self.box[2] + 2000
        return delta + best[0], [(line, y0, line, y1)] if vertical else [(x0, line, x1, line)]

    def release(self, where: QPointF, mods: Mods) -> None:
        dx, dy = self.offset
        self.clear()
        if not dx and not dy:
            return
        if mods & Mods.ControlModifier:
            make_copies(self.context, self.state.scene, self.ids, 1, (dx, dy))
            return
        places = {row: [x + dx, y + dy] for row, (x, y) in self.origin.items()}
        carried = self._carried_bends(dx, dy)
        if carried:
            self.context.edit_all("Move", [("move", {"places": places}), *carried])
        else:
            self.context.edit("move", places=places)

    def _carried_bends(self, dx: float, dy: float) -> list[tuple[str, dict[str, object]]]:
        """Lanes of links whose two ends are moved go along."""
        row = self.context.sheet_row
        out: list[tuple[str, dict[str, object]]] = []
        for link_id, look in row.look.items():
            link = row.links.get(link_id)
            if link is not None and look.bends:
                ends = {end.partition(":")[0].partition("/")[0] for end in (link.a, link.b)}
                if ends <= set(self.ids):
                    bends = [[p[0] + dx, p[1] + dy] for p in look.bends if len(p) == 2]
                    out.append(("set_look", {"item": link_id, "bends": bends}))
        return out


class BandGesture(Gesture):
    """Rubber band: left to right takes what is inside, right to left what it touches."""

    def __init__(self, tool: KeyTool, start: QPointF, add: bool) -> None:
        super().__init__(tool)
        self.start = start
        self.add = add

    def move(self, where: QPointF, mods: Mods) -> None:
        self.state.band = (self.start.x(), self.start.y(), where.x(), where.y())

    def release(self, where: QPointF, mods: Mods) -> None:
        x0, y0, x1, y1 = self.start.x(), self.start.y(), where.x(), where.y()
        self.clear()
        scene = self.state.scene
        contain = x1 >= x0
        ids = [scene.card(int(i)).id for i in in_band(scene, x0, y0, x1, y1, contain=contain)]
        stored = self.context.sheet_row.links
        links = [
            scene.edges.links[int(scene.edges.link[e])] for e in edges_in_band(scene, x0, y0, x1, y1, contain=contain)
        ]
        wanted = [*ids, *(name for name in dict.fromkeys(links) if name in stored and contain)]
        self.context.document.select([i for i in wanted if self.tool.is_row(i)], add=self.add)


class LinkGesture(Gesture):
    """From a port to whatever is under the pointer."""

    def __init__(self, tool: KeyTool, card: int, mark: Mark | None, where: QPointF) -> None:
        super().__init__(tool)
        scene = self.state.scene
        self.card = card
        self.source = scene.card(card).id
        if mark is not None:
            self.end, self.edge, self.start = mark.port, mark.edge, mark_place(scene, card, mark)
        else:
            x, y, w, h = scene.box(card)
            self.end, self.edge, self.start = (
                self._bare(scene.card(card)),
                "t" if where.y() < y + h / 2 else "b",
                (x + w / 2, y if where.y() < y + h / 2 else y + h),
            )
        self.plan: LinkPlan | None = None
        self.target = ""
        self.state.link = RubberLink(self.start, self.edge, (where.x(), where.y()))

    @staticmethod
    def _bare(card: Card) -> str:
        return card.id

    def move(self, where: QPointF, mods: Mods) -> None:
        scene = self.state.scene
        found = hit(scene, where.x(), where.y(), self.tool.reach)
        lang = self.context.language
        self.plan = None
        rubber = RubberLink(self.start, self.edge, (where.x(), where.y()))
        if found.card is not None and found.card != self.card and scene.style[found.card] != Style.FRAME:
            target = found.mark.port if found.mark is not None else scene.card(found.card).id
            self.target = target
            self.plan = self._plan(target)
            rubber.target = found.card
            if found.mark is not None:
                rubber.end = mark_place(scene, found.card, found.mark)
            if self.plan is None:
                rubber.state, rubber.lines = "error", (msg("These two cannot be joined.").text(lang),)
            else:
                rubber.state = self.plan.state
                words = [self.plan.problem.text(lang)] if self.plan.problem else [self.plan.title.text(lang)]
                words += [f"{text.text(lang)} {rule}".strip() for rule, text in self.plan.objections[:3]]
                rubber.lines = tuple(words)
        self.state.link = rubber

    def _between_groups(self, plan: LinkPlan) -> bool:
        """Whether both ends are groups on the fabric sheet, which may be wired in many ways."""
        if self.context.sheet_row.kind != "fabric":
            return False
        ends = [str(plan.call.args[k]).partition(":")[0].partition("/")[0] for k in ("a", "b")]
        items = [self.context.eff.items.get(end) for end in ends]
        return all(item is not None and any(size > 1 for _, size in item.axes) for item in items)

    def _is_far(self, where: QPointF) -> bool:
        """Whether the link was dropped on nothing, well away from where it began."""
        found = hit(self.state.scene, where.x(), where.y(), self.tool.reach)
        away = abs(where.x() - self.start[0]) + abs(where.y() - self.start[1])
        on_card = found.card is not None and self.state.scene.style[found.card] != Style.FRAME
        return not on_card and away * self.tool.view.zoom > 30

    def _plan(self, target: str) -> LinkPlan | None:
        context = self.context
        try:
            start = self.end if ":" in self.end or context.sheet_row.kind == "fabric" else self._port_for(target)
            return plan_link(context.project, context.design, context.sheet, start, target) if start else None
        except UserError:
            return None

    def _port_for(self, target: str) -> str:
        return server_end(self.context.eff, self.end, target) or ""

    def release(self, where: QPointF, mods: Mods) -> None:
        self.move(where, mods)
        plan, rubber = self.plan, self.state.link
        self.clear()
        if plan is None:
            if rubber is not None and rubber.target is None and self._is_far(where):
                self.tool.link_dropped.emit(self.end, rubber, where)
            return
        if plan.problem is not None:
            self.context.say(plan.problem, "warning")
            return
        if self._between_groups(plan):
            self.tool.wiring_asked.emit(self.end, self.target)
            return
        before = set(self.context.sheet_row.links)
        if self.context.edit(plan.call) is not None:
            fresh = [i for i in self.context.sheet_row.links if i not in before]
            self.context.document.select(fresh)
            if plan.objections:
                rule, text = plan.objections[0]
                self.context.say(msg("{text} ({rule})", text=text, rule=rule) if rule else text, "warning")


class PlaceGesture(Gesture):
    """A part hangs on the pointer. ``repeat`` keeps it there after each drop (place mode)."""

    def __init__(self, tool: KeyTool, part_id: str, *, item: str | None = None, repeat: bool = False) -> None:
        super().__init__(tool)
        self.part_id = part_id
        self.item = item
        self.repeat = repeat
        self.placement = Placement(self.context, self.state.scene, part_id, item)
        if item is not None:
            self.state.hidden_cards = frozenset(self.state.scene.by_id.get(item, ()))

    def move(self, where: QPointF, mods: Mods) -> None:
        if self.placement.scene is not self.state.scene:
            self.placement = Placement(self.context, self.state.scene, self.part_id, self.item)
        state = self.state
        placement = self.placement
        state.hot = placement.hover(where.x(), where.y(), self.tool.reach)
        ghost = placement.ghost(where.x(), where.y() + 78 / self.tool.view.zoom if placement.on_server else where.y())
        placement.describe(ghost, force=bool(mods & Mods.AltModifier))
        state.ghost = ghost
        told, state.signs = bool(state.signs), placement.signs()
        if told != bool(state.signs):
            self.tool.view.verdicts_changed.emit()
        state.pending = placement.pending()

    def release(self, where: QPointF, mods: Mods) -> None:
        self.drop(where, force=bool(mods & Mods.AltModifier))

    def drop(self, where: QPointF, *, force: bool) -> bool:
        """Let go. True when something was placed."""
        self.move(where, Mods.NoModifier)
        placement = self.placement
        if placement.host:
            self.clear()
            self._enter(placement.host)
            return True
        call = placement.call(where.x(), where.y(), force=force)
        self.clear()
        if isinstance(call, Message):
            self.context.say(call, "warning")
            return False
        return self._post(call)

    def next_slot(self, step: int) -> QPointF | None:
        """Middle of the next slot that takes the part, for the keyboard; legal ones first. None where there is none."""
        placement = self.placement
        order = {"legal": 0, "loss": 1}
        wanted = sorted(
            (
                slot
                for slot, verdict in placement.verdicts.items()
                if verdict.level in order and slot in placement.slot_card
            ),
            key=lambda slot: (order[placement.verdicts[slot].level], natural_key(slot)),
        )
        if not wanted:
            return None
        here = wanted.index(placement.slot) if placement.slot in wanted else (-1 if step > 0 else 0)
        x, y, w, h = self.state.scene.box(placement.slot_card[wanted[(here + step) % len(wanted)]])
        return QPointF(x + w / 2, y + h / 2)

    def _post(self, call: EditCall) -> bool:
        before = set(self.context.sheet_row.items)
        if self.context.edit(call) is None:
            return False
        fresh = [i for i in self.context.sheet_row.items if i not in before]
        self.context.document.select(fresh or ([self.item] if self.item else []))
        return True

    def _enter(self, host: str) -> None:
        item = self.context.eff.items[host]
        self.context.open_sheet(item.of[6:], host)
        self.context.start_place(self.part_id)
