"""A row of the output jobs: box, picture, what it is, and in smaller grey letters its form."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import Option
from fabricwright.ui.theme import theme, ui_font
from fabricwright.ui.widgets.row_model import Index

_LINE_PX = 18


class JobRow(QStyledItemDelegate):
    """Of a text with two lines the second is the quiet one."""

    @safe_paint
    def paint(self, painter: QPainter, option: Option, index: Index) -> None:
        shown: Option = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        title, _, form = str(index.data()).partition("\n")
        style = shown.widget.style() if shown.widget is not None else QApplication.style()
        place = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, shown, shown.widget)
        shown.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, shown, painter, shown.widget)
        now = theme()
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        top = option.rect.center().y() - _LINE_PX + 1
        wide = option.rect.right() - place.left() - 6
        painter.save()
        for n, (text, px, token) in enumerate(((title, 13.0, "text"), (form, 11.5, "text.2"))):
            painter.setFont(ui_font(px))
            painter.setPen(now[token])
            box = QRect(place.left() + 3, top + n * _LINE_PX, wide, _LINE_PX)
            said = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, left, said)
        painter.restore()
