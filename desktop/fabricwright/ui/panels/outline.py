"""Outline: all that is drawn, as a tree for keyboard and screen reader; it shares its selection with the canvas."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QTreeView, QVBoxLayout, QWidget

from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import current_language
from fabricwright.ui.icons import paint_icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.outline_model import NOTE_ROLE, Index, OutlineModel
from fabricwright.ui.style_paint import Option
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, follow_theme, theme, ui_font
from fabricwright.ui.widgets import set_surface

ROW_PX = 26


class _RowDelegate(QStyledItemDelegate):
    """Icon, name, and a note in grey behind it."""

    def sizeHint(self, option: Option, index: Index) -> QSize:
        return QSize(120, ROW_PX)

    @safe_paint
    def paint(self, painter: QPainter, option: Option, index: Index) -> None:
        now = theme()
        rect: QRect = option.rect
        model = index.model()
        node = model.node(index) if isinstance(model, OutlineModel) else None
        if node is None:
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now["accent.soft" if chosen else "hover"])
            painter.drawRoundedRect(QRectF(rect).adjusted(0, 1, -6, -1), 5, 5)
        middle = rect.center().y() + 0.5
        paint_icon(painter, node.icon_name, QRectF(rect.left() + 4, middle - 8, 16, 16), "text.2")
        weight = SEMIBOLD if node.kind == "sheet" else MEDIUM
        painter.setFont(ui_font(12, weight))
        painter.setPen(now["text"])
        left = rect.left() + 26
        room = rect.right() - left - 12
        text = painter.fontMetrics().elidedText(node.text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRect(left, rect.top(), room, rect.height()), Qt.AlignmentFlag.AlignVCenter, text)
        left += painter.fontMetrics().horizontalAdvance(text) + 10
        painter.setFont(ui_font(11.5))
        painter.setPen(now["text.3"])
        room = rect.right() - left - 12
        if room > 30:
            note = painter.fontMetrics().elidedText(str(index.data(NOTE_ROLE)), Qt.TextElideMode.ElideRight, room)
            painter.drawText(QRect(left, rect.top(), room, rect.height()), Qt.AlignmentFlag.AlignVCenter, note)
        painter.restore()


class _Tree(QTreeView):
    """Enter opens a sheet or goes to the row on the canvas."""

    def __init__(self, panel: OutlinePanel) -> None:
        super().__init__(panel)
        self._panel = panel
        self.setHeaderHidden(True)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_RowDelegate(self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._panel.go(self.currentIndex())
            return
        super().keyPressEvent(event)


class OutlinePanel(QWidget):
    """The tree follows the selection of the canvas, and the canvas that of the tree."""

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self._context = context
        self._syncing = False
        self._stale = True
        self.model = OutlineModel(self)
        self.tree = _Tree(self)
        self.tree.setModel(self.model)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 0, 4)
        column.addWidget(self.tree)
        set_surface(self, "panel")
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._rebuild_if_seen)
        context.document.project_changed.connect(self._changed)
        context.place_changed.connect(self._changed)
        context.document.selection_changed.connect(self._show_selection)
        self.tree.selectionModel().selectionChanged.connect(self._selected)
        self.tree.doubleClicked.connect(self.go)
        follow_theme(self._themed)
        self._retranslate()
        self.rebuild()

    # -- building -------------------------------------------------------------------------------------------------

    def _changed(self, _patch: object = None) -> None:
        self._stale = True
        self._later.start()

    def _rebuild_if_seen(self) -> None:
        if self.isVisible():
            self.rebuild()

    def showEvent(self, event: QShowEvent) -> None:
        if self._stale:
            self.rebuild()
        super().showEvent(event)

    def rebuild(self) -> None:
        """Build the tree anew; what was open stays open."""
        self._stale = False
        opened = {self.model.node(i).key for i in self._indexes() if self.tree.isExpanded(i)}
        first = self.model.rowCount() == 0
        self._syncing = True
        try:
            if self.model.rebuild(self._context.project, self._context.design_row, current_language()):
                for index in self._indexes():
                    if self.model.node(index).key in opened:
                        self.tree.setExpanded(index, True)
                if first:
                    self.tree.setExpanded(self.model.index_of("sheet", self._context.sheet, ""), True)
        finally:
            self._syncing = False
        self._show_selection()

    def _indexes(self, parent: QModelIndex | None = None) -> list[QModelIndex]:
        out = []
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, 0, parent)
            if self.model.rowCount(index):
                out.append(index)
                out += self._indexes(index)
        return out

    # -- selection ------------------------------------------------------------------------------------------------

    def _show_selection(self) -> None:
        """Mark what the canvas has selected."""
        if self._syncing or self._stale:
            return
        sheet = self._context.sheet
        wanted = QItemSelection()
        first = QModelIndex()
        for row_id in self._context.selection:
            index = self.model.index_of("item", sheet, row_id)
            if not index.isValid():
                index = self.model.index_of("link", sheet, row_id)
            if index.isValid():
                wanted.select(index, index)
                first = first if first.isValid() else index
        self._syncing = True
        try:
            model = self.tree.selectionModel()
            model.select(wanted, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            if first.isValid():
                model.setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)
                self.tree.scrollTo(first)
        finally:
            self._syncing = False

    def _selected(self, *_change: object) -> None:
        """The person chose rows here: open their sheet and select them on the canvas."""
        if self._syncing:
            return
        nodes = [self.model.node(i) for i in self.tree.selectionModel().selectedIndexes()]
        rows = [n for n in nodes if n.kind in ("item", "link")]
        if not rows:
            return
        current = self.model.node(self.tree.currentIndex())
        sheet = current.sheet if current in rows else rows[0].sheet
        self._syncing = True
        try:
            self._context.open_sheet(sheet)
            self._context.document.select([n.row_id for n in rows if n.sheet == sheet])
        finally:
            self._syncing = False

    def go(self, index: QModelIndex) -> None:
        """Open a sheet, enter a server, or bring a row into view."""
        node = self.model.node(index)
        if node.kind == "sheet":
            self._context.open_sheet(node.sheet)
        elif node.opens:
            self._context.open_sheet(node.opens, node.row_id)
        elif node.kind in ("item", "link"):
            self._context.open_sheet(node.sheet)
            self._context.document.select([node.row_id])
            self._context.reveal.emit([node.row_id])
        elif index.isValid():
            self.tree.setExpanded(index, not self.tree.isExpanded(index))

    def _themed(self, _theme: object) -> None:
        self.tree.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._changed()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.tree.setAccessibleName(self.tr("Outline"))
