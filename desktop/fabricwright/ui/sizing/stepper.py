"""The head of the wizard: numbered steps, those behind ticked, and what is going on at the right."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from fabricwright.ui.icons import paint_icon
from fabricwright.ui.paint import text
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import SEMIBOLD, theme

DISC, LINE = 22.0, 36.0


class Stepper(QWidget):
    """``set_step`` number of the step at hand; ``say`` the words at the right end."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._titles: tuple[str, ...] = ()
        self._step = 0
        self._said = ""
        self.setFixedHeight(56)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_titles(self, titles: tuple[str, ...]) -> None:
        """Names of the steps."""
        self._titles = titles
        self._describe()

    def set_step(self, step: int) -> None:
        """The step at hand, from 0."""
        self._step = step
        self._describe()

    def say(self, words: str) -> None:
        """What is going on."""
        self._said = words
        self._describe()

    def said(self) -> str:
        """The words at the right end."""
        return self._said

    def _describe(self) -> None:
        if self._titles:
            self.setAccessibleName(f"{self._step + 1}/{len(self._titles)} {self._titles[self._step]}. {self._said}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(600, 56)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 56)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now, painter = theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.fillRect(self.rect(), now["panel"])
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), now["border"])
        middle, x = self.height() / 2, 24.0
        widths = [text.width(t, 13, SEMIBOLD) for t in self._titles]
        # Where there is no room, only the step at hand keeps its name.
        short = x + sum(widths) + len(widths) * (DISC + 16 + LINE) > self.width() - text.width(self._said, 12) - 24
        for n, title in enumerate(self._titles):
            if n:
                painter.setPen(QPen(now["border.strong"], 1))
                gap = 12.0 if short else LINE
                painter.drawLine(int(x), int(middle), int(x + gap), int(middle))
                x += gap + (8 if short else 18)
            disc = QRectF(x, middle - DISC / 2, DISC, DISC)
            done, here = n < self._step, n == self._step
            painter.setPen(QPen(now["border"], 0))
            painter.setBrush(now["ok"] if done else now["accent"] if here else now["sunken"])
            painter.drawEllipse(disc)
            ink = now["text.on-accent"] if done or here else now["text.2"]
            if done:
                paint_icon(painter, "check", disc.adjusted(4, 4, -4, -4), ink)
            else:
                centre = Qt.AlignmentFlag.AlignHCenter
                text.draw_in(painter, disc, (str(n + 1),), 12, ink, weight=SEMIBOLD, align=centre)
            x += DISC + 8
            if not short or here:
                used = text.draw_in(
                    painter,
                    QRectF(x, 0, widths[n] + 4, self.height()),
                    (title,),
                    13,
                    now["text" if n <= self._step else "text.2"],
                    weight=SEMIBOLD,
                )
                x += used + 18
        room = self.width() - x - 20
        if self._said and room > 40:
            spot = QRectF(x, 0, room, self.height())
            shown = text.elide(self._said, room, 12)
            text.draw_in(painter, spot, (shown,), 12, now["text.2"], align=text.RIGHT)
        painter.end()
