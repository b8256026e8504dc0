"""A link that does something: accent text, no frame."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from fabricwright.ui.icons import paint_icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, theme, ui_font


class TextButton(QAbstractButton):
    """``Fix``, ``Approve``, ``Show on canvas``. ``token`` colours it; an icon name may lead."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        px: float = 12,
        token: str = "accent",
        icon_name: str = "",
    ) -> None:
        super().__init__(parent)
        self._px = px
        self._token = token
        self._icon_name = icon_name
        self.setText(text)
        self.setFont(ui_font(px, MEDIUM))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        lead = 20 if self._icon_name else 0
        return QSize(metrics.horizontalAdvance(self.text()) + lead + 8, max(24, metrics.height() + 6))

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        ink = now[self._token if self.isEnabled() else "text.disabled"]
        if self.isEnabled() and (self.underMouse() or self.isDown()):
            rounded(painter, QRectF(self.rect()).adjusted(0, 1, 0, -1), now["hover"], radius=4)
        if self.hasFocus():
            rounded(painter, QRectF(self.rect()), None, now["focus"], radius=4, width=1.5)
        x = 4.0
        if self._icon_name:
            paint_icon(painter, self._icon_name, QRectF(x, self.height() / 2 - 8, 16, 16), ink)
            x += 20
        painter.setPen(ink)
        painter.drawText(
            QRectF(x, 0, self.width() - x, self.height()),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextHideMnemonic,
            self.text(),
        )
        painter.end()
