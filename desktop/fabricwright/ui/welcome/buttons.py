"""Painted buttons of the welcome page: ways to begin, template cards, rows of recent files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from fabricwright.ui.icons import paint_icon, paint_state, state_token
from fabricwright.ui.paint import text
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, REGULAR, SEMIBOLD, theme
from fabricwright.ui.welcome.thumbnails import SIZE


class _Painted(QAbstractButton):
    """Hover, focus and keys as every button of the program."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    @property
    def warm(self) -> bool:
        """Hovered or held."""
        return self.isEnabled() and (self.underMouse() or self.isDown())

    def ring(self, painter: QPainter, radius: float) -> None:
        """The focus ring, where the keyboard is."""
        if self.hasFocus():
            rounded(painter, QRectF(self.rect()), None, theme()["focus"], radius, 2.0)


class StartButton(_Painted):
    """One way to begin: icon, title, a line below or a key at the right. ``primary`` is the accent-filled one."""

    def __init__(self, icon_name: str, parent: QWidget | None = None, *, primary: bool = False) -> None:
        super().__init__(parent)
        self._icon = icon_name
        self._primary = primary
        self._note = ""
        self._key = ""
        self.setFixedHeight(76 if primary else 44)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_texts(self, title: str, note: str = "", key: str = "") -> None:
        """Title, line below it (primary only), key."""
        self.setText(title)
        self._note, self._key = note, key
        self.setAccessibleName(title)
        self.setAccessibleDescription(note)
        self._tell()
        self.update()

    def _tell(self) -> None:
        """A tip with the whole text where the button has no room for it."""
        room = self.width() - (80 if self._primary else 60) - (text.width(self._key, 12) + 8 if self._key else 0)
        title = text.width(self.text(), 15 if self._primary else 13, SEMIBOLD)
        short = max(title, text.width(self._note, 12) if self._primary else 0) > room
        self.setToolTip(" \u2013 ".join(t for t in (self.text(), self._note) if t) if short else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    def sizeHint(self) -> QSize:
        return QSize(320, self.height())

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        box = QRectF(self.rect())
        filled = self._primary and self.isEnabled()
        if filled:
            fill = now["accent"]
            warm = fill.lighter(110) if now.dark else fill.darker(110)
            rounded(painter, box, warm if self.warm else fill, radius=8)
        else:
            rounded(painter, box, now["hover" if self.warm else "panel"], now["border"], 8)
        usual = "text" if self.isEnabled() else "text.disabled"
        ink = now["text.on-accent" if filled else usual]
        second = now["text.on-accent" if filled else "text.2" if self.isEnabled() else "text.disabled"]
        side, left = (26, 22) if self._primary else (18, 16)
        paint_icon(painter, self._icon, QRectF(left, self.height() / 2 - side / 2, side, side), second)
        x = left + side + (18 if self._primary else 12)
        room = float(self.width() - x - 14)
        if self._primary:
            text.draw_in(painter, QRectF(x, 16, room, 22), (self.text(),), 15, ink, weight=SEMIBOLD)
            text.draw_in(painter, QRectF(x, 40, room, 20), (self._note,), 12, second)
        else:
            if self._key:
                used = text.width(self._key, 12) + 8
                spot = QRectF(self.width() - used - 10, 0, used, self.height())
                text.draw_in(painter, spot, (self._key,), 12, now["text.3"], align=text.RIGHT)
                room -= used
            text.draw_in(painter, QRectF(x, 0, room, self.height()), (self.text(),), 13, ink, weight=MEDIUM)
        self.ring(painter, 8)
        painter.end()


class LearnLink(_Painted):
    """A link with an icon before and a grey line below it."""

    def __init__(self, icon_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon_name
        self._note = ""
        self.setFixedHeight(42)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_texts(self, title: str, note: str) -> None:
        """The link and what is behind it."""
        self.setText(title)
        self._note = note
        self.setAccessibleName(title)
        self.setAccessibleDescription(note)
        self.update()

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        if self.warm:
            rounded(painter, QRectF(self.rect()), now["hover"], radius=6)
        ink = now["accent" if self.isEnabled() else "text.disabled"]
        paint_icon(painter, self._icon, QRectF(2, 12, 18, 18), ink)
        text.draw_in(painter, QRectF(32, 2, self.width() - 34, 20), (self.text(),), 13, ink, weight=MEDIUM)
        text.draw_in(painter, QRectF(32, 21, self.width() - 34, 18), (self._note,), 12, now["text.2"])
        self.ring(painter, 6)
        painter.end()


class TemplateCard(_Painted):
    """Thumbnail, title, one line about it."""

    HEIGHT = 190

    def __init__(self, template: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.template = template
        self._note = ""
        self._image: QImage | None = None
        self._read: Callable[[], QImage | None] | None = None
        self.setFixedHeight(self.HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_texts(self, title: str, note: str, whole: str) -> None:
        """Title and line, and a sentence for the tip and for screen readers."""
        self.setText(title)
        self._note = note
        self.setAccessibleName(title)
        self.setAccessibleDescription(whole)
        self.setToolTip(whole)
        self.update()

    def set_picture(self, read: Callable[[], QImage | None]) -> None:
        """The thumbnail, read once the card has been seen: the page is there before its pictures. None shows the icon
        of a sheet."""
        self._read = read
        self.update()

    def _fetch(self) -> None:
        read, self._read = self._read, None
        if read is not None:
            self._image = read()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(SIZE.width() + 16, self.HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, self.HEIGHT)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        box = QRectF(self.rect())
        rounded(painter, box, now["panel"], now["accent" if self.warm else "border"], 8)
        ground = QRectF(8, 8, self.width() - 16, SIZE.height() + 6)
        rounded(painter, ground, now["sunken"], radius=5)
        paint_fitted(painter, self._image, ground, "layers")
        if self._read is not None:
            QTimer.singleShot(0, self, self._fetch)
        room = self.width() - 32
        text.draw_in(painter, QRectF(16, 137, room, 22), (self.text(),), 14, now["text"], weight=SEMIBOLD)
        text.draw_in(painter, QRectF(16, 159, room, 20), (self._note,), 12, now["text.2"])
        self.ring(painter, 8)
        painter.end()


def paint_fitted(painter: QPainter, image: QImage | None, ground: QRectF, otherwise: str) -> None:
    """A thumbnail in the middle of a box, no larger than it is; without one an icon."""
    if image is None:
        side = min(24.0, ground.height() - 6)
        spot = QRectF(ground.center().x() - side / 2, ground.center().y() - side / 2, side, side)
        paint_icon(painter, otherwise, spot, "text.3")
        return
    size = image.deviceIndependentSize()
    k = min(1.0, ground.width() / size.width(), ground.height() / size.height())
    w, h = size.width() * k, size.height() * k
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(QRectF(ground.center().x() - w / 2, ground.center().y() - h / 2, w, h), image)


#: Columns of the list of recent files: share of the width at which each begins.
SIZE_AT, STATE_AT = 0.45, 0.68


class RecentRow(_Painted):
    """A file opened before: picture, title and folder, size, state, when."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cells: tuple[str, str, str] = ("", "", "")
        self._state: Sequence[tuple[str, str]] = ()
        self._image: QImage | None = None
        self.setFixedHeight(48)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_facts(
        self,
        title: str,
        folder: str,
        size: str,
        state: Sequence[tuple[str, str]],
        opened: str,
        image: QImage | None,
    ) -> None:
        """``state`` are (severity, text) pairs."""
        self.setText(title)
        self._cells, self._state, self._image = (folder, size, opened), state, image
        self.setAccessibleName(title)
        self.setAccessibleDescription(", ".join(t for t in (folder, size, *(s for _, s in state), opened) if t))
        self.setToolTip(folder)
        self.update()

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        w = self.width()
        if self.warm:
            rounded(painter, QRectF(self.rect()).adjusted(0, 1, 0, -1), now["hover"], radius=6)
        painter.fillRect(0, self.height() - 1, w, 1, now["border"])
        ground = QRectF(6, 7, 46, 34)
        rounded(painter, ground, now["sunken"], radius=4)
        paint_fitted(painter, self._image, ground.adjusted(1, 1, -1, -1), "server-group")
        folder, size, opened = self._cells
        room = w * SIZE_AT - 76
        text.draw_in(painter, QRectF(64, 5, room, 20), (self.text(),), 13, now["text"], weight=MEDIUM)
        text.draw_in(painter, QRectF(64, 24, room, 18), (folder,), 12, now["text.3"])
        text.draw_in(painter, QRectF(w * SIZE_AT, 0, w * (STATE_AT - SIZE_AT) - 12, 47), (size,), 12, now["text.2"])
        x = float(w * STATE_AT)
        for severity, word in self._state:
            paint_state(painter, severity, QRectF(x, 15, 16, 16))
            used = text.draw_in(painter, QRectF(x + 22, 0, 160, 47), (word,), 12, now[state_token(severity)])
            x += 22 + used + 16
        last = QRectF(w - 170, 0, 158, 47)
        text.draw_in(painter, last, (opened,), 12, now["text.2"], weight=REGULAR, align=text.RIGHT)
        self.ring(painter, 6)
        painter.end()
