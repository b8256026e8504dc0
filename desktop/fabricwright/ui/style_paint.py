"""How single style elements are painted: flat, thin-lined, radius 6. Used by ``style.FabricwrightStyle`` only."""

from __future__ import annotations

from typing import Any, TypeAlias

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionButton, QTabBar, QWidget

from fabricwright.ui.icons import paint_icon
from fabricwright.ui.theme import theme, ui_font

State = QStyle.StateFlag

#: A QStyleOption of whatever kind the element brings; PySide6's stubs know none of their fields.
Option: TypeAlias = Any

RADIUS = 6.0
CHECK_BOX = 16


def on(option: Option, flag: QStyle.StateFlag) -> bool:
    """Whether a state flag is set."""
    return bool(option.state & flag)


def is_down(option: Option) -> bool:
    """Pressed or checked."""
    return bool(option.state & (State.State_Sunken | State.State_On))


def rounded(
    painter: QPainter,
    rect: QRect | QRectF,
    fill: QColor | None,
    line: QColor | None = None,
    radius: float = RADIUS,
    width: float = 1.0,
) -> None:
    """Rounded rectangle whose outline lies wholly inside ``rect``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    inset = width / 2 if line is not None else 0.0
    painter.setPen(QPen(line, width) if line is not None else Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(fill) if fill is not None else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius)
    painter.restore()


def chevron(painter: QPainter, box: QRectF, direction: str, token: str = "text.3") -> None:
    """12 px chevron centred in ``box``."""
    centre = box.center()
    paint_icon(painter, f"chevron-{direction}", QRectF(centre.x() - 6, centre.y() - 6, 12, 12), token)


def field(option: Option, painter: QPainter, widget: QWidget | None) -> None:
    """Frame and ground of line edits, combo boxes and spin boxes. Properties: ``sunken`` grey ground (searches),
    ``invalid`` frame in the error colour.
    """
    now = theme()
    enabled = on(option, State.State_Enabled)
    sunken = bool(widget is not None and widget.property("sunken"))
    ground = now["sunken"] if sunken or not enabled else now["raised" if now.dark else "panel"]
    if widget is not None and widget.property("invalid"):
        rounded(painter, option.rect, ground, now["error"], width=1.5)
    elif on(option, State.State_HasFocus) and enabled:
        rounded(painter, option.rect, ground, now["focus"], width=1.5)
    else:
        hovered = enabled and on(option, State.State_MouseOver)
        rounded(painter, option.rect, ground, now["border.strong" if hovered else "border"])


def push_button(option: Option, painter: QPainter) -> None:
    """Ground of a push button; the default button is the one accent-filled thing of a dialog."""
    now = theme()
    flat = bool(option.features & QStyleOptionButton.ButtonFeature.Flat)
    primary = bool(option.features & QStyleOptionButton.ButtonFeature.DefaultButton)
    enabled = on(option, State.State_Enabled)
    hover = enabled and on(option, State.State_MouseOver)
    if primary and enabled:
        fill = QColor(now["accent"])
        if hover or is_down(option):
            fill = fill.lighter(110) if now.dark else fill.darker(110)
        rounded(painter, option.rect, fill)
    elif is_down(option):
        rounded(painter, option.rect, now["accent.soft"], None if flat else now["border"])
    else:
        ground = now["hover"] if hover else None if flat else now["raised"]
        rounded(painter, option.rect, ground, None if flat else now["border"])
    if on(option, State.State_HasFocus) and on(option, State.State_KeyboardFocusChange):
        focus_ring(option, painter, inner=primary)


def tool_button(option: Option, painter: QPainter) -> None:
    """Flat; a soft ground when hovered, accent-soft when checked."""
    now = theme()
    enabled = on(option, State.State_Enabled)
    if on(option, State.State_On):
        rounded(painter, option.rect, now["accent.soft"])
    elif enabled and (on(option, State.State_MouseOver) or on(option, State.State_Sunken)):
        rounded(painter, option.rect, now["hover"])
    if on(option, State.State_HasFocus) and on(option, State.State_KeyboardFocusChange):
        focus_ring(option, painter)


def focus_ring(option: Option, painter: QPainter, *, inner: bool = False) -> None:
    """1.5 px ring in the focus colour; ``inner`` on accent grounds."""
    if inner:
        rounded(painter, option.rect.adjusted(2, 2, -2, -2), None, theme()["text.on-accent"], RADIUS - 2, 1.5)
    else:
        rounded(painter, option.rect, None, theme()["focus"], width=1.5)


def check_mark(option: Option, painter: QPainter, *, radio: bool = False) -> None:
    """Check box or radio button indicator."""
    now = theme()
    box = QRectF(option.rect)
    side = min(box.width(), box.height(), CHECK_BOX)
    box = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
    enabled = on(option, State.State_Enabled)
    chosen = on(option, State.State_On)
    partly = on(option, State.State_NoChange)
    radius = side / 2 if radio else 4.0
    if chosen or partly:
        rounded(painter, box, now["accent" if enabled else "text.disabled"], radius=radius)
    else:
        line = "accent" if enabled and on(option, State.State_MouseOver) else "border.strong"
        rounded(painter, box, now["panel"], now[line if enabled else "border"], radius=radius, width=1.25)
    if radio and chosen:
        rounded(painter, box.adjusted(5, 5, -5, -5), now["text.on-accent"], radius=3)
    elif chosen:
        paint_icon(painter, "check", box.adjusted(2, 2, -2, -2), now["text.on-accent"])
    elif partly:
        paint_icon(painter, "minus", box.adjusted(2, 2, -2, -2), now["text.on-accent"])
    if on(option, State.State_HasFocus) and on(option, State.State_KeyboardFocusChange):
        rounded(painter, box.adjusted(-2, -2, 2, 2), None, now["focus"], radius=radius + 2, width=1.5)


def item_row(option: Option, painter: QPainter) -> None:
    """Ground of one row of a list, tree or table: selected accent-soft, hovered grey, rounded at its outer ends."""
    now = theme()
    if on(option, State.State_Selected):
        disabled = option.palette.currentColorGroup() == QPalette.ColorGroup.Disabled
        fill = now["hover" if disabled else "accent.soft"]
    elif on(option, State.State_MouseOver) and on(option, State.State_Enabled):
        fill = now["hover"]
    else:
        return
    painter.fillRect(option.rect, fill)


def tab_shape(option: Option, painter: QPainter) -> None:
    """No frame: an accent line under the selected tab (beside it for vertical bars)."""
    if not on(option, State.State_Selected):
        return
    rect = QRectF(option.rect)
    if option.shape in (QTabBar.Shape.RoundedWest, QTabBar.Shape.TriangularWest):
        line = QRectF(rect.right() - 1, rect.top(), 2, rect.height())
    elif option.shape in (QTabBar.Shape.RoundedEast, QTabBar.Shape.TriangularEast):
        line = QRectF(rect.left() - 1, rect.top(), 2, rect.height())
    else:
        line = QRectF(rect.left() + 12, rect.bottom() - 1, rect.width() - 20, 2)
    painter.fillRect(line, theme()["accent"])


def tab_label(option: Option, painter: QPainter) -> None:
    """Tab text and icon: 600 when selected, text.2 otherwise."""
    now = theme()
    selected = on(option, State.State_Selected)
    enabled = on(option, State.State_Enabled)
    painter.save()
    painter.setFont(ui_font(12.5, 600 if selected else 500))
    painter.setPen(now["text" if selected else "text.2"] if enabled else now["text.disabled"])
    rect = QRectF(option.rect).adjusted(12, 0, -6, 0)  # tabs may stand close together
    if option.leftButtonSize.isValid():
        rect.setLeft(rect.left() + option.leftButtonSize.width() + 4)
    if not option.icon.isNull():
        size = option.iconSize
        spot = QRect(int(rect.left()), int(rect.center().y() - size.height() / 2), size.width(), size.height())
        option.icon.paint(painter, spot)
        rect.setLeft(rect.left() + size.width() + 6)
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextShowMnemonic
    painter.drawText(rect, flags, option.text)
    painter.restore()
    if on(option, State.State_HasFocus) and on(option, State.State_KeyboardFocusChange):
        rounded(painter, option.rect.adjusted(4, 4, -4, -4), None, now["focus"], width=1.5)


def line_at(painter: QPainter, rect: QRect, edge: str, token: str = "border") -> None:
    """One crisp line along an edge of ``rect``: top, bottom, left, right, hmiddle, vmiddle."""
    colour = theme()[token]
    x, y, w, h = rect.x(), rect.y(), rect.width(), rect.height()
    bars = {
        "top": QRectF(x, y, w, 1),
        "bottom": QRectF(x, y + h - 1, w, 1),
        "left": QRectF(x, y, 1, h),
        "right": QRectF(x + w - 1, y, 1, h),
        "hmiddle": QRectF(x, y + h // 2, w, 1),
        "vmiddle": QRectF(x + w // 2, y, 1, h),
    }
    painter.fillRect(bars[edge], colour)


def scroll_handle(painter: QPainter, rect: QRect, *, vertical: bool, active: bool) -> None:
    """Scroll bar handle: a thin pill that darkens under the pointer."""
    box = QRectF(rect)
    inset = 3.0
    box = box.adjusted(inset, 2, -inset, -2) if vertical else box.adjusted(2, inset, -2, -inset)
    colour = theme().alpha("border.strong", 0.9 if active else 0.5)
    rounded(painter, box, colour, radius=min(box.width(), box.height()) / 2)
