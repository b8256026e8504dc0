"""Grounds, lines and plain labels by token."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import REGULAR, Theme, follow_theme, theme, ui_font


class _SurfaceFollower(QObject):
    """Child of the widget it colours, so that it goes with the widget."""

    def __init__(self, widget: QWidget, token: str) -> None:
        super().__init__(widget)
        self._widget = widget
        self.token = token
        follow_theme(self.follow)

    def follow(self, now: Theme) -> None:
        palette = self._widget.palette()
        palette.setColor(QPalette.ColorRole.Window, now[self.token])
        self._widget.setPalette(palette)


def set_surface(widget: QWidget, token: str) -> None:
    """Fill ``widget`` with a surface token (panel, canvas, sunken ...) and keep it so when the theme changes."""
    follower = widget.findChild(_SurfaceFollower, options=Qt.FindChildOption.FindDirectChildrenOnly)
    if follower is None:
        follower = _SurfaceFollower(widget, token)
    follower.token = token
    widget.setAutoFillBackground(True)
    follower.follow(theme())


class Divider(QWidget):
    """A horizontal (or vertical) line of one pixel in the border colour."""

    def __init__(self, parent: QWidget | None = None, *, vertical: bool = False) -> None:
        super().__init__(parent)
        if vertical:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme()["border"])
        painter.end()


class TextLabel(QLabel):
    """A label with size, weight and colour token; its colour follows the theme."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        px: float = 12,
        weight: int = REGULAR,
        token: str = "text",
        wrap: bool = False,
    ) -> None:
        super().__init__(text, parent)
        self._token = token
        self.setFont(ui_font(px, weight))
        self.setWordWrap(wrap)
        self._follow(theme())
        follow_theme(self._follow)

    def set_token(self, token: str) -> None:
        """Change the colour token."""
        self._token = token
        self._follow(theme())

    def _follow(self, now: Theme) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, now[self._token])
        self.setPalette(palette)


class ElidedLabel(QWidget):
    """One line of text that ends in an ellipsis when there is no room; the whole text is then the tool tip."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        px: float = 12,
        weight: int = REGULAR,
        token: str = "text",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self._text = text
        self._token = token
        self._mode = mode
        self.setFont(ui_font(px, weight))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def text(self) -> str:
        """The whole text."""
        return self._text

    def set_text(self, text: str, token: str | None = None) -> None:
        """Change text, and colour token if given."""
        self._text = text
        self._token = token or self._token
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._text) + 1, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self.sizeHint().height())

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(theme()[self._token if self.isEnabled() else "text.disabled"])
        shown = painter.fontMetrics().elidedText(self._text, self._mode, self.width())
        self.setToolTip(self._text if shown != self._text else "")
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        painter.end()
