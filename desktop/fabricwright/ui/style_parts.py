"""Painters of whole controls: fields, tool buttons, bars, docks, menus, headers. Used by ``style`` only.

Each takes (option, painter, widget), as the style's dispatch hands them on.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter
from PySide6.QtWidgets import (
    QStyleOptionHeader,
    QStyleOptionMenuItem,
    QWidget,
)

from fabricwright.ui import style_paint as paint
from fabricwright.ui.icons import paint_icon
from fabricwright.ui.style_paint import Option, State, on
from fabricwright.ui.theme import theme, ui_font


def line_edit(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    parent = widget.parent() if widget is not None else None
    if parent is not None and (parent.inherits("QAbstractSpinBox") or parent.inherits("QComboBox")):
        return  # the outer control has drawn the field
    if widget is not None and not getattr(widget, "hasFrame", lambda: True)():
        return
    paint.field(option, painter, widget)


def combo(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    paint.field(option, painter, widget)
    token = "text.3" if on(option, State.State_Enabled) else "text.disabled"
    paint.chevron(painter, QRectF(option.rect.right() - 22, option.rect.top(), 20, option.rect.height()), "down", token)


def spin(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    paint.field(option, painter, widget)
    rect = QRectF(option.rect)
    column = QRectF(rect.right() - 20, rect.top() + 3, 18, rect.height() / 2 - 3)
    for box, direction in ((column, "up"), (column.translated(0, column.height()), "down")):
        paint.chevron(painter, box.adjusted(3, 0, -3, 0), direction)


def tool_button_label(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    """Icon and text 5 px apart, the pair centred; accent when checked."""
    now = theme()
    enabled, checked = on(option, State.State_Enabled), on(option, State.State_On)
    style = option.toolButtonStyle
    with_icon = not option.icon.isNull() and style != Qt.ToolButtonStyle.ToolButtonTextOnly
    with_text = bool(option.text) and (style != Qt.ToolButtonStyle.ToolButtonIconOnly or option.icon.isNull())
    rect = QRectF(option.rect)
    side = option.iconSize
    painter.save()
    painter.setFont(ui_font(12.5, 500))
    text = option.text
    text_width = painter.fontMetrics().horizontalAdvance(text.replace("&", "")) if with_text else 0
    total = (side.width() if with_icon else 0) + text_width + (5 if with_icon and with_text else 0)
    x = rect.center().x() - total / 2
    if with_icon:
        mode = QIcon.Mode.Normal if enabled else QIcon.Mode.Disabled
        state = QIcon.State.On if checked else QIcon.State.Off
        spot = QRect(round(x), round(rect.center().y() - side.height() / 2), side.width(), side.height())
        option.icon.paint(painter, spot, Qt.AlignmentFlag.AlignCenter, mode, state)
        x += side.width() + 5
    if with_text:
        painter.setPen(now["text.disabled" if not enabled else "accent" if checked else "text"])
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextHideMnemonic
        painter.drawText(QRectF(x, rect.top(), text_width + 2, rect.height()), flags, text)
    painter.restore()


def focus(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    if widget is not None and (widget.inherits("QAbstractItemView") or widget.inherits("QTabBar")):
        return  # the row itself shows where the focus is
    if on(option, State.State_KeyboardFocusChange):
        paint.focus_ring(option, painter)


def branch(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    if on(option, State.State_Children):
        paint.chevron(painter, QRectF(option.rect), "down" if on(option, State.State_Open) else "right")


def bar(option: Option, painter: QPainter, ground: str, edge: str) -> None:
    painter.fillRect(option.rect, theme()[ground])
    paint.line_at(painter, option.rect, edge)


def tool_bar_separator(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    if on(option, State.State_Horizontal):
        middle = option.rect.center().y()
        paint.line_at(painter, QRect(option.rect.x(), middle - 10, option.rect.width(), 20), "vmiddle")
    else:
        paint.line_at(painter, option.rect.adjusted(6, 0, -6, 0), "hmiddle")


def separator(option: Option, painter: QPainter) -> None:
    painter.fillRect(option.rect, theme()["panel"])
    tall = option.rect.height() > option.rect.width()
    token = "border.strong" if on(option, State.State_MouseOver) else "border"
    paint.line_at(painter, option.rect, "vmiddle" if tall else "hmiddle", token)


def dock_title(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    now = theme()
    painter.fillRect(option.rect, now["panel"])
    painter.save()
    painter.setFont(ui_font(13, 600))
    painter.setPen(now["text"])
    rect = option.rect.adjusted(14, 0, -60 if option.closable or option.floatable else -14, 0)
    shown = painter.fontMetrics().elidedText(option.title, Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
    painter.restore()


def frame(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    typing = widget is not None and (widget.inherits("QTextEdit") or widget.inherits("QPlainTextEdit"))
    if typing and on(option, State.State_HasFocus):
        paint.rounded(painter, option.rect, None, theme()["focus"], 4, 1.5)
    else:
        paint.rounded(painter, option.rect, None, theme()["border"], 4)


def tab_close(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    if on(option, State.State_MouseOver):
        paint.rounded(painter, option.rect, theme()["hover"], radius=4)
    paint_icon(painter, "x", QRectF(option.rect).adjusted(2, 2, -2, -2), "text.3")


def menu_panel(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    painter.fillRect(option.rect, theme()["raised"])
    paint.rounded(painter, option.rect, None, theme()["border"], 0)


def menu_bar_text(text: str) -> str:
    """A menu title as shown: Chinese titles carry their key as ``(&F)``, which works but is not shown."""
    return re.sub(r"\s*\(&\w\)$", "", text)


def menu_bar_item(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    now = theme()
    painter.fillRect(option.rect, now["window"])
    if on(option, State.State_Selected):
        paint.rounded(painter, option.rect.adjusted(1, 2, -1, -2), now["border" if now.dark else "hover"])
    painter.setPen(now["text" if on(option, State.State_Enabled) else "text.disabled"])
    painter.drawText(
        option.rect, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextHideMnemonic, menu_bar_text(option.text)
    )


def menu_item(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    now = theme()
    rect = option.rect
    kind = QStyleOptionMenuItem.MenuItemType
    if option.menuItemType == kind.Separator:
        paint.line_at(painter, rect.adjusted(8, 0, -8, 0), "hmiddle")
        return
    enabled = on(option, State.State_Enabled)
    if on(option, State.State_Selected) and enabled:
        paint.rounded(painter, rect.adjusted(0, 0, 0, 0), now["accent.soft"], radius=4)
    painter.save()
    painter.setFont(option.font)
    if option.checked and option.checkType != QStyleOptionMenuItem.CheckType.NotCheckable:
        paint_icon(painter, "check", QRectF(rect.left() + 8, rect.center().y() - 7, 16, 16), "accent")
    elif not option.icon.isNull():
        mode = QIcon.Mode.Normal if enabled else QIcon.Mode.Disabled
        option.icon.paint(painter, QRect(rect.left() + 8, rect.center().y() - 7, 16, 16), mode=mode)
    text, _tab, shortcut = option.text.partition("\t")
    painter.setPen(now["text" if enabled else "text.disabled"])
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
    left = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextShowMnemonic
    painter.drawText(rect.adjusted(32, 0, -24, 0), flags | left, text)
    painter.setPen(now["text.3" if enabled else "text.disabled"])
    painter.drawText(rect.adjusted(32, 0, -12, 0), flags | Qt.AlignmentFlag.AlignRight, shortcut)
    painter.restore()
    if option.menuItemType == kind.SubMenu:
        paint.chevron(painter, QRectF(rect.right() - 22, rect.top(), 16, rect.height()), "right")


def header_section(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    painter.fillRect(option.rect, theme()["panel"])
    paint.line_at(painter, option.rect, "bottom")


def header_label(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    painter.save()
    painter.setFont(ui_font(11.5))
    painter.setPen(theme()["text.2"])
    metrics, room = painter.fontMetrics(), option.rect.width()
    lines = (metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in option.text.split("\n"))
    shown = "\n".join(lines)
    painter.drawText(option.rect, int(option.textAlignment) | int(Qt.AlignmentFlag.AlignVCenter), shown)
    painter.restore()


def header_arrow(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    down = getattr(option, "sortIndicator", None) == QStyleOptionHeader.SortIndicator.SortDown
    paint.chevron(painter, QRectF(option.rect), "down" if down else "up")


def progress(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    now = theme()
    rect = QRectF(option.rect)
    bar = QRectF(rect.x(), rect.center().y() - 3, rect.width(), 6)
    paint.rounded(painter, bar, now["hover"], radius=3)
    span = option.maximum - option.minimum
    share = (option.progress - option.minimum) / span if span > 0 else 0.3
    if share > 0:
        paint.rounded(painter, QRectF(bar.x(), bar.y(), max(6.0, bar.width() * share), 6), now["accent"], radius=3)
