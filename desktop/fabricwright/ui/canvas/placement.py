"""Where the ranks of a training sit: colours on the cards by tensor-parallel group, pipeline stage or data-parallel
group.

Rank order is Megatron's: rank = ((pp x DP + dp) x CP + cp) x TP + tp. Eight colours that can be told apart by
colour-blind people repeat; the numbers on them do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from fabricwright.design.indexset import IndexSet
from fabricwright.ui.canvas.layers import Layer
from fabricwright.ui.canvas.state import CanvasState
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.paint import text
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.paint.primitives import NEAR, Ink, shell
from fabricwright.ui.paint.scene import Card, Style
from fabricwright.ui.theme import SEMIBOLD, theme
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

COLOURS = 8
MARGIN = 14
STRIP = 13.0
KINDS = ("tp", "pp", "dp")


@dataclass(frozen=True, slots=True)
class Placement:
    """Groups of every GPU: ``of`` (item, member) -> GPU id -> number of its group, ``count`` groups, ``kind`` what
    they are."""

    kind: str
    count: int
    size: int
    of: Mapping[tuple[str, int], Mapping[str, int]]

    def members(self, item: str) -> list[int]:
        """Members of an item that take part, in order."""
        return sorted(member for name, member in self.of if name == item)


def placement_of(context: UiContext) -> Placement | None:
    """What the canvas shows of the placement; None while that is off or there is no step."""
    kind, step = context.analysis.placement, context.analysis.training.get("step") or {}
    plan, where = step.get("plan"), step.get("placement") or {}
    if kind not in KINDS or not plan or context.analysis.training.get("design") != context.design:
        return None
    tp, cp, dp, pp = (int(plan[name]) for name in ("tp", "cp", "dp", "pp"))
    lists = where.get("gpus") or []
    found: dict[tuple[str, int], dict[str, int]] = {}
    for item, member, first, which in where.get("servers") or []:
        names = found.setdefault((str(item), int(member)), {})
        for n, gpu in enumerate(lists[which]):
            names[gpu] = group_of(kind, int(first) + n, tp, cp, dp)
    if not found:
        return None
    count, size = {"tp": (cp * dp * pp, tp), "pp": (pp, tp * cp * dp), "dp": (tp * pp, cp * dp)}[kind]
    return Placement(kind, count, size, found)


def group_of(kind: str, rank: int, tp: int, cp: int, dp: int) -> int:
    """Number of the group of a rank, from 0: ranks of one data-parallel group hold the same part of the model."""
    if kind == "tp":
        return rank // tp
    stage = rank // (tp * cp * dp)
    return stage if kind == "pp" else stage * tp + rank % tp


def kind_text(kind: str) -> Message:
    """A kind of group in words."""
    return {
        "tp": msg("Tensor-parallel groups"),
        "pp": msg("Pipeline stages"),
        "dp": msg("Data-parallel groups"),
    }[kind]


def token_of(group: int) -> str:
    """Colour of a group."""
    return f"rail{group % COLOURS}"


def member_on_sheet(context: UiContext, placement: Placement) -> int | None:
    """The server that the open sheet is shown for: the selected one's sheet first, else the first that has it."""
    root = context.design_row.sheets.get(context.design_row.root)
    item = root.items.get(context.host) if root is not None else None
    if item is None:
        return next((member for name, member in placement.of if name == context.host), None)
    other: dict[int, str] = {}
    for members, override in item.except_.items():
        if override.sheet:
            try:
                other.update(dict.fromkeys(IndexSet.parse(members), override.sheet))
            except UserError:
                continue
    own = item.of[6:] if item.of and item.of.startswith("sheet:") else ""
    return next((m for m in placement.members(context.host) if other.get(m, own) == context.sheet), None)


def runs_of(card: Card, placement: Placement) -> list[tuple[int, int]]:
    """(group, GPUs) in rank order of the servers that a card stands for, neighbours of the same group joined."""
    members: Iterable[int]
    members = placement.members(card.id) if card.members is None else list(card.members)
    groups = [g for m in members for g in placement.of.get((card.id, m), {}).values()]
    return [(group, len(list(same))) for group, same in groupby(groups)]


class PlacementLayer(Layer):
    """Colours on the cards; nothing while no placement is shown."""

    z = 3.5

    def __init__(self, state: CanvasState) -> None:
        super().__init__(state)
        self._known: tuple[object, object, Placement | None] = (None, None, None)

    def placement(self) -> Placement | None:
        """The placement as it should be now."""
        analysis = self.state.source.context.analysis
        key = (analysis.placement, id(analysis.training))
        if self._known[0] != key or self._known[1] is not analysis.training:
            self._known = (key, analysis.training, placement_of(self.state.source.context))
        return self._known[2]

    def draw(self, p: QPainter, area: QRectF, ink: Ink) -> None:
        if not self.state.source.context.analysis.placement:
            return
        placement = self.placement()
        if placement is None:
            return
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        scene = self.state.scene
        if scene.kind == "server":
            self._server(p, ink, placement)
            return
        items = {item for item, _member in placement.of}
        for index in scene.visible(area.left(), area.top(), area.right(), area.bottom()).tolist():
            if scene.style[index] == Style.FRAME:
                continue
            card = scene.card(index)
            if card.id in items and index not in self.state.hidden_cards:
                x, y, w, h = scene.box(index)
                self._strip(p, QRectF(x, y, w, h), runs_of(card, placement), ink)

    def _strip(self, p: QPainter, card: QRectF, runs: list[tuple[int, int]], ink: Ink) -> None:
        """Pieces along the foot of a card, as wide as their GPUs are many, numbered where there is room."""
        total = sum(count for _, count in runs)
        if not total:
            return
        high = STRIP
        x, unit = card.x() + 1, (card.width() - 2) / total
        p.setPen(Qt.PenStyle.NoPen)
        for group, count in runs:
            wide = unit * count
            box = QRectF(x, card.bottom() - 4, wide, high)
            p.fillRect(box.adjusted(0, 0, -min(1.0, wide * 0.2), 0), ink[token_of(group)])
            if wide * ink.scale > 15 and high * ink.scale > 9:
                text.draw_in(p, box, (str(group + 1),), 9, ink["text.on-accent"], weight=SEMIBOLD, align=text.CENTRE)
            x += wide

    def _server(self, p: QPainter, ink: Ink, placement: Placement) -> None:
        """Outline and number of every GPU."""
        scene, context = self.state.scene, self.state.source.context
        member = member_on_sheet(context, placement)
        groups = placement.of.get((context.host, member), {}) if member is not None else {}
        if not groups and not context.host:  # a design that is one server
            groups = next(iter(placement.of.values()), {})
        for gpu, group in groups.items():
            for index in scene.by_id.get(gpu, ())[:1]:
                x, y, w, h = scene.box(index)
                self._mark(p, QRectF(x, y, w, h), group, ink)

    @staticmethod
    def _mark(p: QPainter, box: QRectF, group: int, ink: Ink) -> None:
        colour = ink[token_of(group)]
        pen = p.pen()
        pen.setColor(colour)
        pen.setWidthF(3.0)
        pen.setStyle(Qt.PenStyle.SolidLine)
        p.setPen(pen)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawRoundedRect(box.adjusted(-1, -1, 1, 1), 7, 7)
        number = str(group + 1)
        wide = 9.0 + 7.0 * len(number)
        tag = QRectF(box.right() - wide - 3, box.bottom() - 20, wide, 17)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(colour)
        p.drawRoundedRect(tag, 4, 4)
        text.draw_in(p, tag, (number,), 11, ink["text.on-accent"], weight=SEMIBOLD, align=text.CENTRE)


class PlacementKey(QWidget):
    """What the colours mean, in the lower left corner while they are shown."""

    WIDE, STRIP_H = 226, 26

    def __init__(self, context: UiContext, layer: PlacementLayer, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._layer = context, layer
        #: One line, where no corner has room for the box.
        self.strip = False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        context.language_changed.connect(lambda _code: self.update())
        self.hide()

    def rows(self) -> tuple[str, str, int]:
        """(title, line below, groups whose colours are shown)."""
        placement = self._layer.placement()
        if placement is None:
            return "", "", 0
        line = msg("{count} × {size} GPUs", count=placement.count, size=placement.size)
        return text_of(kind_text(placement.kind)), text_of(line), min(placement.count, COLOURS)

    def follow(self) -> None:
        """Show, hide and place."""
        self.setVisible(self.wanted())
        self.strip = False
        self.resize(self.sizeHint())
        self.update()

    def wanted(self) -> bool:
        """Whether there is anything to say."""
        return bool(self._context.analysis.placement) and self._layer.placement() is not None

    def place(self, area: QRect, corner: str | None, taken: QRect | None) -> None:
        """Into a corner of the view, beside what stands there already; one line at the foot where none is free."""
        self.strip = corner is None
        self.resize(self.sizeHint())
        left = corner in (None, "bl")
        x = MARGIN if left else area.width() - self.width() - MARGIN
        y = MARGIN if corner == "tr" else area.height() - self.height() - (2 if self.strip else MARGIN)
        if taken is not None and taken.intersects(QRect(x, y, self.width(), self.height())):
            y = taken.bottom() + 12 if corner == "tr" else taken.top() - self.height() - 12
        self.move(x, max(y, 0))

    def sizeHint(self) -> QSize:
        if self.strip:
            title, line, count = self.rows()
            return QSize(round(text.width(title, 12, SEMIBOLD) + text.width(line, 11)) + 23 * count + 48, self.STRIP_H)
        return QSize(self.WIDE, 68)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        title, line, count = self.rows()
        ink = Ink(theme(), 1.0, NEAR)
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        shell(p, QRectF(1, 1, self.width() - 2, self.height() - 3), ink, outline="border", radius=10)
        first = QPointF(13, 43)
        if self.strip:
            wide, rest = text.width(title, 12, SEMIBOLD), text.width(line, 11)
            text.draw_in(p, QRectF(12, 0, wide + 6, self.height() - 1), (title,), 12, ink["text"], weight=SEMIBOLD)
            text.draw_in(p, QRectF(20 + wide, 0, rest + 6, self.height() - 1), (line,), 11, ink["text.2"])
            first = QPointF(32 + wide + rest, 5)
        else:
            text.draw_in(p, QRectF(13, 7, self.width() - 26, 18), (title,), 12, ink["text"], weight=SEMIBOLD)
            text.draw_in(p, QRectF(13, 24, self.width() - 26, 16), (line,), 11, ink["text.2"])
        for n in range(count):
            box = QRectF(first.x() + n * 23, first.y(), 20, 14)
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(ink[token_of(n)])
            p.drawRoundedRect(box, 3, 3)
            text.draw_in(p, box, (str(n + 1),), 10, ink["text.on-accent"], weight=SEMIBOLD, align=text.CENTRE)
        p.end()
