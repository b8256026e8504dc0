"""Cells of the statements table: how they are painted, and their editors."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)
from shiboken6 import isValid

from fabricwright.design.quantities import QUANTITIES
from fabricwright.ui.context import UiContext
from fabricwright.ui.icons import paint_icon, paint_state
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.statements_model import COLUMNS, ROW_ROLE, Line, StatementsModel
from fabricwright.ui.panels.statements_texts import (
    STATEMENT_KINDS,
    flag_word,
    kind_word,
    quantity_choices,
    subject_choices,
    typed_value,
)
from fabricwright.ui.widgets import CellCombo, Named, complain

ROW_PX = 34
_SIGNS = {
    "clear": ("check", "text.3"),
    "unread": ("minus", "text.3"),
    "elsewhere": ("layers", "text.3"),
    "draft": ("edit", "accent"),
}


class CellDelegate(QStyledItemDelegate):
    """Painting and editing."""

    def __init__(self, context: UiContext, view: QTableView) -> None:
        super().__init__(view)
        self._context = context
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # type: ignore[override]
        return QSize(super().sizeHint(option, index).width(), ROW_PX)

    @safe_paint
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # type: ignore[override]
        super().paint(painter, option, index)
        if COLUMNS[index.column()] != "verdict":
            return
        line = index.data(ROW_ROLE)
        if not isinstance(line, Line):
            return
        box = QRectF(option.rect)  # type: ignore[attr-defined]
        spot = QRectF(box.center().x() - 8, box.center().y() - 8, 16, 16)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if line.verdict.state in _SIGNS:
            name, token = _SIGNS[line.verdict.state]
            paint_icon(painter, name, spot, token)
        else:
            paint_state(painter, line.verdict.state, spot)
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex) -> QWidget:  # type: ignore[override]
        line, column = index.data(ROW_ROLE), COLUMNS[index.column()]
        flag = (
            isinstance(line, Line) and line.row.quantity in QUANTITIES and QUANTITIES[line.row.quantity].kind == "flag"
        )
        if column == "kind":
            editor: QWidget = CellCombo(parent, [Named(kind, kind_word(kind)) for kind in STATEMENT_KINDS])
        elif column == "quantity":
            editor = CellCombo(parent, quantity_choices(), search=True)
        elif column == "subject":
            editor = CellCombo(parent, subject_choices(self._context), free=True)
        elif column == "value" and flag:
            editor = CellCombo(parent, [Named(True, flag_word(True)), Named(False, flag_word(False))])
        else:
            editor = QLineEdit(parent)
            if column == "value" and isinstance(line, Line):
                editor.setPlaceholderText(self._model(index).hint(line, "value"))
                where = QModelIndex(index)
                editor.setProperty("cell", QPersistentModelIndex(index))
                editor.textEdited.connect(lambda text: self._complain(editor, where, text))
        if isinstance(editor, CellCombo):
            place = QPersistentModelIndex(index)
            editor.picked.connect(lambda: QTimer.singleShot(0, self, lambda: self._chosen(editor, place)))
        editor.setAccessibleName(str(index.model().headerData(index.column(), Qt.Orientation.Horizontal)))
        return editor

    def _model(self, index: QModelIndex) -> StatementsModel:
        model: QAbstractItemModel = index.model()
        assert isinstance(model, StatementsModel)
        return model

    def _chosen(self, editor: QWidget, where: QPersistentModelIndex) -> None:
        """A choice is taken at once; waiting for another click would lose it on the way to undo. After the quantity of
        a row that has no value yet, the value is asked for."""
        if isValid(editor) and editor.isVisible():  # the Enter key has done it already
            self.commitData.emit(editor)
        if isValid(editor) and editor.isVisible():  # a reset of the table has taken it away already
            self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.NoHint)
        if where.isValid() and COLUMNS[where.column()] == "quantity":
            line = where.data(ROW_ROLE)
            if isinstance(line, Line) and line.incomplete and line.row.quantity in QUANTITIES:
                value = where.sibling(where.row(), COLUMNS.index("value"))
                self._view.setCurrentIndex(value)
                self._view.edit(value)

    def _complain(self, editor: QWidget, index: QModelIndex, value: object) -> None:
        sentence = self._model(index).trouble(index, value) if value not in ("", None) else ""
        complain(editor, sentence)

    def setEditorData(self, editor: QWidget, index: QModelIndex) -> None:  # type: ignore[override]
        value = index.data(Qt.ItemDataRole.EditRole)
        if isinstance(editor, CellCombo):
            editor.set_value(value)
        elif isinstance(editor, QLineEdit):
            editor.setText(typed_value(value))

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex) -> None:  # type: ignore[override]
        value = editor.value() if isinstance(editor, CellCombo) else cast(QLineEdit, editor).text().strip()
        if value is None:
            return
        rows = self._model(index)
        sentence = rows.trouble(index, value) if value != "" else ""
        if sentence:
            self._context.said.emit(sentence, "error")
            return
        if COLUMNS[index.column()] == "value" and value == "":
            refused = self._refused(editor) if isinstance(editor, QLineEdit) else ""
            if refused:
                self._context.said.emit(refused, "warning")
            return
        editor.setProperty("stored", True)
        rows.set_cell(index, value)

    def _refused(self, editor: QLineEdit) -> str:
        """Why what an editor holds cannot be kept; a value that is only wiped out is no value."""
        where = editor.property("cell")
        if not isinstance(where, QPersistentModelIndex) or not where.isValid():
            return ""
        index, text = where.model().index(where.row(), where.column()), editor.text().strip()
        if text:
            return self._model(index).trouble(index, text)
        line = index.data(ROW_ROLE)
        had = isinstance(line, Line) and line.row.value is not None
        return self.tr("A value is needed; delete the row to take it back.") if had else ""

    def eventFilter(self, watched: QWidget, event: QEvent) -> bool:  # type: ignore[override]
        keeps = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
        if event.type() == QEvent.Type.KeyPress and isinstance(watched, QLineEdit) and isinstance(event, QKeyEvent):
            sentence = self._refused(watched) if event.key() in keeps else ""
            if sentence:  # the editor stays, with what was typed, until it is right or Esc is pressed
                complain(watched, sentence)
                self._context.said.emit(sentence, "error")
                return True
        if event.type() == QEvent.Type.Hide:
            QToolTip.hideText()
        if event.type() == QEvent.Type.FocusOut and watched.property("stored"):
            return False  # the table, filled anew, has let go of the editor: nobody can store it once more
        return bool(super().eventFilter(watched, event))

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # type: ignore[override]
        rect = option.rect.adjusted(1, 2, -1, -2)  # type: ignore[attr-defined]
        if isinstance(editor, CellCombo):
            rect.setWidth(max(rect.width(), 120))
        editor.setGeometry(rect)
