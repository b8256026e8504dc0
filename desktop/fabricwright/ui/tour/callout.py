"""What the tour shows: a callout that points at something, and a ring around it. Neither blocks the window."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, follow_theme, make_pen, theme
from fabricwright.ui.widgets import TextButton, TextLabel

WIDTH, ARROW, GAP = 348, 9, 10


class Ring(QWidget):
    """An accent outline around the target; the mouse goes through it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)

    def point_at(self, target: QRect) -> None:
        """Lie around a rectangle of the window."""
        self.setGeometry(target.adjusted(-5, -5, 5, 5).intersected(self._window.rect()))

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        painter.setPen(make_pen(theme().alpha("accent", 0.25), 4.0))
        painter.drawRoundedRect(box, 9, 9)
        painter.setPen(make_pen(theme()["accent"], 1.5))
        painter.drawRoundedRect(box, 9, 9)
        painter.end()


class Callout(QWidget):
    """Title, text, progress and three buttons; an arrow to the target. Esc while it has the focus skips the tour."""

    back = Signal()
    next = Signal()
    skipped = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._side = "none"
        self._tip = QPointF()
        self._fraction = 0.0
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(18 + ARROW, 16 + ARROW, 18 + ARROW, 14 + ARROW)
        column.setSpacing(6)
        head = QHBoxLayout()
        self.title = TextLabel("", self, px=15, weight=SEMIBOLD)
        self.count = TextLabel("", self, px=12, token="text.3")
        head.addWidget(self.title, 1)
        head.addWidget(self.count)
        self.text = TextLabel("", self, px=13, token="text", wrap=True)
        self.hint = TextLabel("", self, px=12, token="accent", wrap=True)
        column.addLayout(head)
        column.addWidget(self.text)
        column.addWidget(self.hint)
        column.addSpacing(6)
        line = QHBoxLayout()
        self.skip_button = TextButton("", self, px=12.5, token="text.2")
        self.back_button = QPushButton(self)
        self.next_button = QPushButton(self)
        self.next_button.setDefault(True)
        line.addWidget(self.skip_button)
        line.addStretch(1)
        line.addWidget(self.back_button)
        line.addWidget(self.next_button)
        column.addLayout(line)
        self.skip_button.clicked.connect(self.skipped)
        self.back_button.clicked.connect(self.back)
        self.next_button.clicked.connect(self.next)
        follow_theme(self._themed)

    def show_step(self, title: str, text: str, hint: str, number: int, total: int) -> None:
        """Other words. ``hint`` says what the tour waits for, "" for nothing."""
        self.title.setText(title)
        self.text.setText(text)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self.count.setText(f"{number} / {total}")
        self._fraction = number / total
        self.setAccessibleName(f"{title}. {text}")
        inner = WIDTH - 36
        for label in (self.text, self.hint):
            label.setFixedWidth(inner)
            label.setFixedHeight(max(0, label.heightForWidth(inner)))
        self._column.activate()
        self.resize(QSize(WIDTH + 2 * ARROW, self._column.sizeHint().height()))

    def point_at(self, target: QRect | None, *, inside: bool = False) -> None:
        """Stand beside a rectangle of the window, where there is room; in the lower middle without one, and of the
        rectangle with ``inside``.
        """
        room = self._window.rect().adjusted(8, 8, -8, -8)
        size = self.size()
        spots: dict[str, QRect] = {}
        if target is not None and not inside:
            middle = target.center()
            spots = {
                "left": QRect(target.right() + GAP, middle.y() - size.height() // 2, size.width(), size.height()),
                "right": QRect(
                    target.left() - GAP - size.width(), middle.y() - size.height() // 2, size.width(), size.height()
                ),
                "top": QRect(middle.x() - size.width() // 2, target.bottom() + GAP, size.width(), size.height()),
                "bottom": QRect(
                    middle.x() - size.width() // 2, target.top() - GAP - size.height(), size.width(), size.height()
                ),
            }
        for side, spot in spots.items():
            across = side in ("left", "right")
            fits = (
                spot.left() >= room.left() and spot.right() <= room.right()
                if across
                else spot.top() >= room.top() and spot.bottom() <= room.bottom()
            )
            if fits:
                spot.moveTop(max(room.top(), min(spot.top(), room.bottom() - size.height())))
                spot.moveLeft(max(room.left(), min(spot.left(), room.right() - size.width())))
                self._side = side
                self._tip = QPointF(target.center() - spot.topLeft()) if target is not None else QPointF()
                self.move(spot.topLeft())
                self.update()
                return
        self._side = "none"
        around = target if target is not None else room
        x = around.center().x() - size.width() // 2
        y = around.bottom() - size.height() - 24
        self.move(max(room.left(), min(x, room.right() - size.width())), max(room.top(), y))
        self.update()

    def _themed(self, _theme: object) -> None:
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc skips; other keys belong to the buttons."""
        if event.key() == Qt.Key.Key_Escape:
            self.skipped.emit()
        else:
            super().keyPressEvent(event)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(ARROW, ARROW, -ARROW, -ARROW)
        shade = now.alpha("text", 0.05) if not now.dark else now.alpha("canvas", 0.5)
        for grow in (5.0, 3.0, 1.5):
            rounded(painter, box.adjusted(-grow, -grow + 2, grow, grow + 2), shade, radius=10 + grow)
        rounded(painter, box, now["raised"], now["accent"], 10, 1.5)
        self._arrow(painter, box)
        track = QRectF(box.left() + 18, box.bottom() - 5, box.width() - 36, 2)
        painter.fillRect(track, now["hover"])
        painter.fillRect(QRectF(track.left(), track.top(), track.width() * self._fraction, 2), now["accent"])
        painter.end()

    def _arrow(self, painter: QPainter, box: QRectF) -> None:
        if self._side == "none":
            return
        y = max(box.top() + 24, min(self._tip.y(), box.bottom() - 24))
        x = max(box.left() + 24, min(self._tip.x(), box.right() - 24))
        base, tip = {
            "left": (box.left() + 1, box.left() - ARROW),
            "right": (box.right() - 1, box.right() + ARROW),
            "top": (box.top() + 1, box.top() - ARROW),
            "bottom": (box.bottom() - 1, box.bottom() + ARROW),
        }[self._side]
        if self._side in ("left", "right"):
            points = [QPointF(base, y - ARROW), QPointF(tip, y), QPointF(base, y + ARROW)]
        else:
            points = [QPointF(x - ARROW, base), QPointF(x, tip), QPointF(x + ARROW, base)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme()["raised"])
        painter.drawPolygon(QPolygonF(points))
        painter.setPen(make_pen(theme()["accent"], 1.5))
        painter.drawPolyline(QPolygonF(points))
