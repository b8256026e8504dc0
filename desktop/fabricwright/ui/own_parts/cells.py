"""Cells of the form's tables: a wrong one is tinted and says why; editors write while they are typed in."""

from __future__ import annotations

from typing import Any, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from fabricwright.ui.icons import paint_icon
from fabricwright.ui.own_parts.columns import Column, flag_word
from fabricwright.ui.own_parts.rows_model import BAD_ROLE, COLUMN_ROLE, MESSAGE
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.inspector_figures import confidence_word
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import theme, ui_font
from fabricwright.ui.widgets import CellCombo, Named, complain

ROW_PX = 30
#: Columns that say which row it is.
NAMING = ("name", "mode")
Index = QModelIndex | QPersistentModelIndex


class PartCells(QStyledItemDelegate):
    """For ``RowsModel`` and ``FiguresModel``, which have ``set_cell``."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._open: tuple[QLineEdit, QPersistentModelIndex, str] | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), ROW_PX)

    @safe_paint
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        column = cast(Column, index.data(COLUMN_ROLE))
        box = QRectF(option.rect)  # type: ignore[attr-defined]
        now = theme()
        if column.key == MESSAGE:
            text = str(index.data() or "")
            if text:
                painter.save()
                paint_icon(painter, "error-octagon", QRectF(box.left() + 6, box.center().y() - 7, 14, 14), "error")
                painter.setFont(ui_font(11.5))
                painter.setPen(now["error"])
                room = box.adjusted(26, 0, -6, 0)
                shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(room.width()))
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
                painter.restore()
            return
        super().paint(painter, option, index)
        if index.data(BAD_ROLE):
            painter.save()
            rounded(painter, box.adjusted(2, 2, -2, -2), None, now["error"], radius=4)
            painter.restore()

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if not index.flags() & Qt.ItemFlag.ItemIsEditable and index.column():
            option.palette.setColor(option.palette.ColorRole.Text, theme()["text.3"])  # type: ignore[attr-defined]

    # -- editors ------------------------------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        column = cast(Column, index.data(COLUMN_ROLE))
        place = QPersistentModelIndex(index)
        editor: QWidget
        if column.kind == "flag":
            editor = CellCombo(parent, [Named("true", flag_word(True)), Named("false", flag_word(False))])
        elif column.kind == "choice":
            words = [
                Named(c, (confidence_word(c) if column.key == "confidence" else c) or "\u2013") for c in column.choices
            ]
            editor = CellCombo(parent, words, search=len(words) > 10, free=column.free)
        else:
            editor = QLineEdit(parent)
            self._open = (editor, place, str(index.data(Qt.ItemDataRole.EditRole) or ""))
            if column.key not in NAMING:  # names move the row; they wait until they are complete
                editor.textEdited.connect(lambda text: self._typed(editor, place, text))
        if isinstance(editor, CellCombo):
            editor.activated.connect(lambda _row: self._chosen(editor))
        editor.setAccessibleName(f"{index.sibling(index.row(), 0).data()} {column.title}")
        return editor

    def _chosen(self, editor: QComboBox) -> None:
        self.commitData.emit(editor)
        self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.NoHint)

    def _typed(self, editor: QWidget, place: QPersistentModelIndex, text: str) -> None:
        """Write at every key, and say under the cell what is wrong with it so far."""
        self._write(place, text)
        bad = bool(place.isValid() and place.data(BAD_ROLE))
        sentence = str(place.data(Qt.ItemDataRole.ToolTipRole) or "") if bad else ""
        complain(editor, sentence)

    @staticmethod
    def _write(place: Index, text: str) -> None:
        if place.isValid():
            cast(Any, place.model()).set_cell(place, text)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        text = str(index.data(Qt.ItemDataRole.EditRole) or "")
        if isinstance(editor, CellCombo):
            column = cast(Column, index.data(COLUMN_ROLE))
            if column.kind == "flag":
                text = "true" if text in ("true", flag_word(True)) else "false"
            editor.set_value(text)
        elif isinstance(editor, QLineEdit) and editor.text().strip() != text and not editor.isModified():
            # While it is being typed in, the model answers every key; the cursor must stay where it is.
            editor.setText(text)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, CellCombo):
            value = editor.value()
            if value is not None:
                self._write(index, str(value))
        elif isinstance(editor, QLineEdit):
            place, text = QPersistentModelIndex(index), editor.text().strip()
            if cast(Column, index.data(COLUMN_ROLE)).key in NAMING:
                # A new name orders the table anew, which must not happen while the editor is being closed.
                QTimer.singleShot(0, self, lambda: self._write(place, text))
            else:
                self._write(place, text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Hide:
            QToolTip.hideText()
        pressed = event.key() if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) else None
        if pressed == Qt.Key.Key_Escape and self._open is not None and self._open[0] is watched:
            _, place, before = self._open
            self._write(place, before)  # typing has been written at every key
        return bool(super().eventFilter(watched, event))

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        rect = option.rect.adjusted(1, 1, -1, -1)  # type: ignore[attr-defined]
        if isinstance(editor, CellCombo):
            rect.setWidth(max(rect.width(), 96))
        editor.setGeometry(rect)
