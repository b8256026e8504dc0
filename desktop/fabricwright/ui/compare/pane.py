"""One side of the comparison: its head, and its sheet on a canvas of its own that can be looked at, not edited."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from fabricwright.design.patch import Patch
from fabricwright.design.values import Project
from fabricwright.ui.analysis_state import AnalysisState
from fabricwright.ui.canvas.layers import NodeLayer, Shown
from fabricwright.ui.canvas.state import CanvasState
from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.compare.marks import MarkLayer, Marks
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document
from fabricwright.ui.paint.pick import hit
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.paint.scene import Style
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import ElidedLabel, TextLabel, set_surface

_CLOSER = 14.0
"""Scene units of the canvas' margin that a pane does without."""


class LookTool:
    """Looks only: a click selects, a double click asks for the place."""

    busy = False
    cursor = Qt.CursorShape.ArrowCursor
    reach = 6.0

    def __init__(self, pane: Pane) -> None:
        self._pane = pane

    def press(self, where: QPointF, event: QMouseEvent) -> None:
        """Select what is there."""
        row = self.row_at(where)
        self._pane.context.document.select([row] if row else ())

    def double(self, where: QPointF, event: QMouseEvent) -> None:
        """Go to what is there."""
        row = self.row_at(where)
        if row:
            self._pane.opened.emit(row)

    def row_at(self, where: QPointF) -> str:
        """Id of the card or link under a point, "" for nothing."""
        view = self._pane.view
        found = hit(view.source.scene, where.x(), where.y(), self.reach / max(view.zoom, 0.05))
        scene = view.source.scene
        if found.card is not None:
            return scene.card(found.card).id
        return scene.edges.links[int(scene.edges.link[found.edge])] if found.edge is not None else ""

    def move(self, where: QPointF, event: QMouseEvent) -> None:
        """Nothing moves."""

    def release(self, where: QPointF, event: QMouseEvent) -> None:
        """Nothing was held."""

    def leave(self) -> None:
        """Nothing was under the pointer."""

    def key(self, event: QKeyEvent) -> bool:
        """No keys of its own."""
        return False

    def key_up(self, event: QKeyEvent) -> None:
        """No keys of its own."""

    def cancel(self) -> bool:
        """Nothing is under way."""
        return False

    def drag_enter(self, event: QDragEnterEvent, where: QPointF) -> bool:
        """Nothing can be dropped."""
        return False

    def drag_move(self, event: QDragMoveEvent, where: QPointF) -> None:
        """Nothing can be dropped."""

    def drag_leave(self) -> None:
        """Nothing can be dropped."""

    def drop(self, event: QDropEvent, where: QPointF) -> None:
        """Nothing can be dropped."""


class PaneNodes(NodeLayer):
    """Cards but for those that are ``aside``."""

    def __init__(self, state: CanvasState) -> None:
        super().__init__(state)
        self.aside: frozenset[int] = frozenset()

    def _shown(self, area: QRectF, ink: Ink) -> Shown:
        """Leave out what is aside."""
        shown = super()._shown(area, ink)
        if not self.aside:
            return shown
        aside = list(self.aside)
        return Shown(*(rows[~np.isin(rows, aside)] for rows in (shown.blocks, shown.members, shown.cards)))


class PaneView(CanvasView):
    """A canvas with the marks of what differs. It fits what is wired, and racks that differ."""

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.marks = MarkLayer(self.state)
        self._cards = PaneNodes(self.state)
        parts = (self._cards if part is self.nodes else part for part in self.backdrop.parts)
        self.backdrop.parts = (*parts, self.marks)
        self.nodes = self._cards
        self.state.grid = False
        self.setAcceptDrops(False)

    def set_marks(self, marks: Marks) -> None:
        """Other marks; racks and notes that do not differ stay away, so that the network has the room."""
        scene = self.source.scene
        beside = np.flatnonzero(np.isin(scene.style, (Style.RACK, Style.NOTE))).tolist()
        aside = frozenset(i for i in beside if scene.card(i).id not in marks.items)
        if marks != self.marks.marks or aside != self._cards.aside:
            moved = aside != self._cards.aside and self._fitted
            self._cards.aside = aside
            self.marks.marks = marks
            self.backdrop.forget()
            self.refresh()
            if moved:  # what differs is only known now
                self.fit()

    def fit(self, *, animate: bool = False) -> None:
        """The wired part of the sheet, and what else differs."""
        scene = self.source.scene
        beside = np.isin(scene.style, (Style.RACK, Style.NOTE))
        if self.marks.marks.items:
            beside &= np.isin(np.arange(len(beside)), list(self._cards.aside))
        shown = np.flatnonzero(~beside)
        if not len(shown):
            super().fit(animate=animate)
            return
        x0, y0 = float(scene.x[shown].min()), float(scene.y[shown].min())
        x1, y1 = float((scene.x + scene.w)[shown].max()), float((scene.y + scene.h)[shown].max())
        # Closer than on the canvas: two pictures share the width, and nothing floats over them.
        box = QRectF(x0, y0, x1 - x0, y1 - y0).adjusted(_CLOSER, _CLOSER, -_CLOSER, -_CLOSER)
        self._fit_box(box, animate=animate, limit=1.25)
        self._fitted = True


class Pane(QWidget):
    """``opened`` (row id) a part was double-clicked."""

    opened = Signal(str)

    def __init__(self, outer: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = Document(outer.project, self)
        self.context = UiContext(self.document, AnalysisState(self), outer.language, outer.theme)
        self.context.setParent(self)
        self.view = PaneView(self.context, self)
        self.view.tool = LookTool(self)
        self.view.setMinimumHeight(120)
        self.name = TextLabel("", self, px=13, weight=SEMIBOLD)
        self.network = ElidedLabel("", self, px=12, token="text.2")
        self.uplinks = TextLabel("", self, px=12, token="text.2")
        head = QHBoxLayout()
        head.setContentsMargins(18, 10, 16, 4)
        head.setSpacing(18)
        head.addWidget(self.name)
        head.addWidget(self.network, 1)
        head.addWidget(self.uplinks)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.view, 1)
        set_surface(self, "canvas")
        outer.language_changed.connect(self.context.set_language)

    def show_project(self, project: Project, patch: Patch | None, design: str) -> None:
        """What is looked at: ``patch`` is what changed since the last call, None = another project."""
        if project is not self.document.project:
            self.document.project = project
            self.document.project_changed.emit(patch)
        if design in project.designs and design != self.context.design:
            self.context.design = design
            self.context.sheet, self.context.host = project.designs[design].root, ""
            self.document.select(())
            self.context.place_changed.emit()

    def show_sheet(self, sheet: str) -> None:
        """Another sheet of the same design; "" = its root."""
        self.context.open_sheet(sheet or self.context.design_row.root)


class PairCamera(QObject):
    """Moves the cameras of two panes together; what the zoom commands of the window act on.

    Either picture keeps its own fit: the other one follows by factor and by pixels.
    """

    zoom_changed = Signal(float)

    def __init__(self, panes: tuple[Pane, Pane]) -> None:
        super().__init__(panes[0])
        self._views = tuple(pane.view for pane in panes)
        self._base: list[tuple[QPointF, float]] = [(QPointF(), 1.0), (QPointF(), 1.0)]
        self._following = False
        for n, view in enumerate(self._views):
            view.zoom_changed.connect(lambda _zoom, n=n: self._moved(n))

    @property
    def zoom(self) -> float:
        """Factor of the first picture."""
        return self._views[0].zoom

    def _moved(self, number: int) -> None:
        view, other = self._views[number], self._views[1 - number]
        if view.fitted and other.fitted:
            self._base[number] = (view.centre(), view.zoom)
        elif not self._following:
            self._following = True
            try:
                (centre, zoom), (centre2, zoom2) = self._base[number], self._base[1 - number]
                moved = (view.centre() - centre) * view.zoom
                wanted = zoom2 * view.zoom / max(zoom, 1e-9)
                other.stand_at(centre2 + moved * (1.0 / max(wanted, 1e-9)), wanted)
            finally:
                self._following = False
        if number == 0:
            self.zoom_changed.emit(view.zoom)

    def zoom_by(self, factor: float) -> None:
        """Both by a factor around their middles."""
        self._views[0].zoom_by(factor)

    def zoom_to(self, zoom: float) -> None:
        """The first picture at a factor, the other one with it."""
        self._views[0].zoom_to(zoom)

    def fit(self, *, animate: bool = False) -> None:
        """Both whole."""
        for view in self._views:
            view._fitted = True
        for view in self._views:
            view.fit(animate=False)

    def fit_selection(self) -> None:
        """What is selected on either side."""
        for view in self._views:
            if view.context.selection:
                view.fit_selection()
                return
