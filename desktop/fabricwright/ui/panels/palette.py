"""Parts: search, favourites, categories. Drag a row onto a sheet, or double-click to hang the part on the pointer."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSettings,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QContextMenuEvent, QDrag, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from fabricwright.catalog import own
from fabricwright.catalog.pictograms import pictogram
from fabricwright.catalog.store import catalogue
from fabricwright.ui.blocks import is_block
from fabricwright.ui.blocks import remove as remove_block
from fabricwright.ui.context import UiContext
from fabricwright.ui.icons import icon, paint_icon
from fabricwright.ui.own_parts.verbs import OwnPartVerbs
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.palette_menu import fill_more, fill_part_menu
from fabricwright.ui.panels.palette_model import (
    COUNT_ROLE,
    ESTIMATE_ROLE,
    FACT_ROLE,
    KIND_ROLE,
    OWN_ROLE,
    PaletteModel,
)
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, follow_theme, theme, ui_font
from fabricwright.ui.widgets import EmptyState, SearchField, set_surface

Index = QModelIndex | QPersistentModelIndex
ROW_PX = 44
HEAD_PX = 30


class _PartDelegate(QStyledItemDelegate):
    """Two-line rows with an icon tile; category rows with a chevron and a count."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, ROW_PX if index.parent().isValid() else HEAD_PX)

    @safe_paint
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = option.rect  # type: ignore[attr-defined]
        state = option.state  # type: ignore[attr-defined]
        from PySide6.QtWidgets import QStyle

        selected = bool(state & QStyle.StateFlag.State_Selected)
        hover = bool(state & QStyle.StateFlag.State_MouseOver)
        if index.parent().isValid():
            self._part(painter, rect, index, selected, hover)
        else:
            tree = option.widget  # type: ignore[attr-defined]
            self._head(painter, rect, index, isinstance(tree, QTreeView) and tree.isExpanded(index))  # type: ignore[arg-type]
        painter.restore()

    def _head(self, painter: QPainter, rect: QRect, index: Index, is_open: bool) -> None:
        now = theme()
        chevron = QRectF(rect.left() + 10, rect.center().y() - 6, 12, 12)
        paint_icon(painter, "chevron-down" if is_open else "chevron-right", chevron, "text.3")
        painter.setPen(now["text"])
        painter.setFont(ui_font(12, SEMIBOLD if is_open else MEDIUM))
        text = rect.adjusted(28, 0, -8 if is_open else -40, 0)
        title = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, text.width())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, title)
        if not is_open:
            painter.setPen(now["text.3"])
            painter.setFont(ui_font(12))
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(rect.adjusted(0, 0, -14, 0), right, str(index.data(COUNT_ROLE)))

    def _part(self, painter: QPainter, rect: QRect, index: Index, selected: bool, hover: bool) -> None:
        now = theme()
        model = index.model()
        usable = not isinstance(model, PaletteModel) or model.placeable(model.part_at(index))
        if selected or hover:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now["accent.soft"] if selected else now["hover"])
            painter.drawRoundedRect(QRectF(rect).adjusted(6, 1, -6, -1), 6, 6)
        tile = QRectF(rect.left() + 12, rect.center().y() - 13, 26, 26)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(now["sunken"] if not selected else now["panel"])
        painter.drawRoundedRect(tile, 5, 5)
        kind = str(index.data(KIND_ROLE))
        token = "text.disabled" if not usable else "cxl" if kind == "cxl" else "text.2"
        paint_icon(painter, pictogram(kind), tile.adjusted(4, 4, -4, -4), token)
        left, width = rect.left() + 46, rect.width() - 56
        font = ui_font(12, MEDIUM)
        painter.setFont(font)
        painter.setPen(now["text"] if usable else now["text.3"])
        room = width - self._marks(painter, rect, index)
        painter.setFont(font)
        painter.setPen(now["text"] if usable else now["text.3"])
        name = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRect(left, rect.top() + 5, room, 18), Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(ui_font(11))
        painter.setPen(now["text.3"])
        fact = painter.fontMetrics().elidedText(str(index.data(FACT_ROLE)), Qt.TextElideMode.ElideRight, width)
        painter.drawText(QRect(left, rect.top() + 22, width, 17), Qt.AlignmentFlag.AlignVCenter, fact)

    @staticmethod
    def _marks(painter: QPainter, rect: QRect, index: Index) -> int:
        """Signs at the right end of the name: a person for an own part, a wave for an estimate. Their width."""
        right = rect.right() - 12
        for shown, name, token in (
            (index.data(ESTIMATE_ROLE), "estimate", "info"),
            (index.data(OWN_ROLE), "person", "accent"),
        ):
            if shown:
                paint_icon(painter, name, QRectF(right - 13, rect.top() + 7.5, 13, 13), token)
                right -= 17
        return rect.right() - 12 - right


class _PartTree(QTreeView):
    """The list itself: folds on click, drags with a ghost card."""

    def __init__(self, context: UiContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setMouseTracking(True)
        self.setUniformRowHeights(False)
        self.setDragEnabled(True)
        self.setDragDropMode(QTreeView.DragDropMode.DragOnly)
        self.setItemDelegate(_PartDelegate(self))
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._fold)

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """The delegate draws the chevrons."""

    def _fold(self, index: QModelIndex) -> None:
        if not index.parent().isValid():
            self.setExpanded(index, not self.isExpanded(index))

    def startDrag(self, actions: Qt.DropAction) -> None:
        index = self.currentIndex()
        if not index.parent().isValid() or not index.flags() & Qt.ItemFlag.ItemIsDragEnabled:
            return
        drag = QDrag(self)
        drag.setMimeData(self.model().mimeData([index]))
        # The sheet draws the card and what it would do there; a second card on the pointer would hide the slots.
        chip = _chip(str(index.data(KIND_ROLE)), self.devicePixelRatioF())
        drag.setPixmap(chip)
        drag.setHotSpot(QPoint(-10, 30))
        drag.exec(Qt.DropAction.CopyAction)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            model = self.model()
            if isinstance(model, PaletteModel) and model.part_at(index):
                self._context.start_place(model.part_at(index))
            else:
                self._fold(index)
            return
        super().keyPressEvent(event)


def _chip(kind: str, ratio: float) -> QPixmap:
    """The pictogram that goes with the pointer while a part is dragged."""
    now = theme()
    side = 26
    pixmap = QPixmap(int(side * ratio), int(side * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(now["cxl"] if kind == "cxl" else now["accent"])
    painter.setBrush(now["raised"])
    painter.drawRoundedRect(QRectF(1, 1, side - 2, side - 2), 6, 6)
    paint_icon(painter, pictogram(kind), QRectF(5, 5, 16, 16), "text")
    painter.end()
    return pixmap


class PalettePanel(QWidget):
    """Search field, list, and an empty state that says what to try."""

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self.setMinimumWidth(140)  # category names and the beginning of part names
        self._context = context
        self.model = PaletteModel(self)
        self.search = SearchField(parent=self)
        self.tree = _PartTree(context, self)
        self.tree.setModel(self.model)
        self._empty = EmptyState(parent=self)
        self._empty.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(6)
        self.own = OwnPartVerbs(context, self)
        self.more = QToolButton(self)
        self.more.setAutoRaise(True)
        self.more.setIcon(icon("more", "text.2"))
        self.more.clicked.connect(lambda _on=False: self._show_more())
        top = QHBoxLayout()
        top.setContentsMargins(12, 0, 8, 0)
        top.setSpacing(4)
        top.addWidget(self.search, 1)
        top.addWidget(self.more)
        column.addLayout(top)
        column.addWidget(self.tree, 1)
        column.addWidget(self._empty, 1)
        set_surface(self, "panel")
        stored = QSettings().value("palette/favourites")
        if isinstance(stored, list) and stored:
            self.model.set_favourites([str(p) for p in stored])
        self.search.queried.connect(self._search)
        self.search.leave_down.connect(self._into_list)
        self.tree.doubleClicked.connect(self._place)
        context.place_changed.connect(self._follow_sheet)
        context.catalogue_changed.connect(self._catalogue_changed)
        context.part_wanted.connect(self.show_part)
        follow_theme(self._themed)
        self._retranslate()
        self._follow_sheet()
        self._unfold()
        QTimer.singleShot(0, self, self._tell_problems)  # when the status line is there to say it

    def _tell_problems(self) -> None:
        """Own parts that could not be read are told once, when the window opens."""
        found = own.problems()
        if found:
            self._context.say(found[0], "warning")

    def _themed(self, _theme: object) -> None:
        self.tree.viewport().update()

    def focus_search(self) -> None:
        """Put the cursor into the search field, its text marked."""
        self.search.setFocus()
        self.search.selectAll()

    def _follow_sheet(self) -> None:
        self.model.set_sheet_kind(self._context.sheet_row.kind)
        self.tree.viewport().update()

    def _search(self, text: str) -> None:
        self.model.set_search(text)
        self._unfold()
        nothing = self.model.rowCount() == 0
        self.tree.setVisible(not nothing)
        self._empty.setVisible(nothing)

    def _unfold(self) -> None:
        """Everything open while searching, else the favourites and the seeds' card families."""
        for row in range(self.model.rowCount()):
            index = self.model.index(row, 0)
            small = self.model.rowCount(index) <= 2 or self.model.category_of(index) in ("own", "blocks")
            self.tree.setExpanded(index, bool(self.search.text()) or row == 0 or small)

    def _into_list(self) -> None:
        self.tree.setFocus()
        first = self.model.index(0, 0)
        if first.isValid():
            self.tree.setCurrentIndex(self.model.index(0, 0, first))

    def _place(self, index: QModelIndex) -> None:
        part = self.model.part_at(index)
        if part and self.model.placeable(part):
            self._context.start_place(part)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.tree.indexAt(self.tree.viewport().mapFrom(self, event.pos()))
        part = self.model.part_at(index)
        if not part:
            return
        menu = self.block_menu(part) if is_block(part) else self.menu(part)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def block_menu(self, name: str) -> QMenu:
        """The menu of a block of the user."""
        menu = QMenu(self)
        menu.addAction(icon("plus"), self.tr("Put on the sheet"), lambda: self._context.start_place(name))
        menu.addAction(icon("delete"), self.tr("Delete…"), lambda: remove_block(self._context, name, self.window()))
        return menu

    def menu(self, part: str) -> QMenu:
        """The menu of a part."""
        menu = QMenu(self)
        starred = part in self.model.favourites()
        text = self.tr("Remove from favourites") if starred else self.tr("Add to favourites")
        menu.addAction(icon("star"), text, lambda: self._star(part, on=not starred))
        menu.addSeparator()
        fill_part_menu(menu, self.own, part)
        return menu

    def _star(self, part: str, *, on: bool) -> None:
        parts = [p for p in self.model.favourites() if p != part] + ([part] if on else [])
        self.model.set_favourites(parts)
        QSettings().setValue("palette/favourites", parts)
        self._unfold()

    def _show_more(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_more(menu, self.own)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))

    def current_part(self) -> str:
        """The part that is chosen in the list, "" when none is, or a block."""
        part = self.model.part_at(self.tree.currentIndex())
        return "" if is_block(part) else part

    def _catalogue_changed(self, parts: object) -> None:
        """Own parts came or went: what was open stays open, and the first of those that came is chosen."""
        opened = {self.model.category_of(i) for i in self._heads() if self.tree.isExpanded(i)}
        self.model.refresh()
        fresh = [p for p in parts if p in catalogue()] if isinstance(parts, (list, tuple)) else []
        if fresh and self.search.text() and not self.model.find(fresh[0]).isValid():
            self.search.clear()  # a new part must not be hidden by what was searched for before
        for index in self._heads():
            self.tree.setExpanded(index, self.model.category_of(index) in {*opened, "own"})
        index = self.model.find(fresh[0]) if fresh else QModelIndex()
        if index.isValid():
            self.tree.setCurrentIndex(index)
            self.tree.scrollTo(index)

    def show_part(self, part: str) -> bool:
        """Choose a part in the list, where it is not among the favourites. False when the list has none of that id."""
        for clear in (False, True):
            if clear:
                self.search.clear()  # what was searched for hides it
                self.model.set_search("")
            for head in reversed(self._heads()):
                index = self.model.find(part, self.model.category_of(head))
                if index.isValid():
                    self.tree.setVisible(True)
                    self._empty.hide()
                    self.tree.setExpanded(head, True)
                    self.tree.setCurrentIndex(index)
                    self.tree.scrollTo(index, QTreeView.ScrollHint.PositionAtCenter)
                    self.tree.setFocus()
                    return True
        return False

    def _heads(self) -> list[QModelIndex]:
        return [self.model.index(row, 0) for row in range(self.model.rowCount())]

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.search.set_placeholder(self.tr("Search parts"))
        self.tree.setAccessibleName(self.tr("Parts"))
        self.more.setToolTip(self.tr("Import and export parts"))
        self.more.setAccessibleName(self.tr("Import and export parts"))
        self._empty.set_content([self.tr("No part is called that."), self.tr("Try a model, a maker or a kind.")])
        self.model.set_language(self._context.language)
        self._unfold()
