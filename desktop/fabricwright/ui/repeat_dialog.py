"""How often and how far apart: asked before the selection is repeated."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QSpinBox, QVBoxLayout, QWidget

from fabricwright.design.edits.repeat import MAX_COPIES
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, make_pen, theme
from fabricwright.ui.widgets import SegmentedSwitch, TextLabel, answer_buttons, set_surface

FARTHEST = 100_000


class _Preview(QWidget):
    """The original and its copies, small."""

    def __init__(self, dialog: RepeatDialog) -> None:
        super().__init__(dialog)
        self._dialog = dialog
        self.setFixedHeight(96)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        rounded(p, self.rect(), now["sunken"], now["border"], radius=8)
        width, height = self._dialog.size_of_selection
        times, (dx, dy) = self._dialog.values()
        shown = min(times, 40)
        boxes = [QRectF(dx * n, dy * n, max(width, 1), max(height, 1)) for n in range(shown + 1)]
        whole = QRectF(boxes[0])
        for box in boxes:
            whole = whole.united(box)
        scale = min((self.width() - 32) / whole.width(), (self.height() - 24) / whole.height(), 0.4)
        p.translate(QPointF(self.rect().center()) - whole.center() * scale)
        for n, box in enumerate(boxes):
            small = QRectF(box.x() * scale, box.y() * scale, box.width() * scale, box.height() * scale)
            p.setPen(make_pen(now["accent" if n else "border.strong"], 1.25, () if not n else (3, 2)))
            p.setBrush(now["raised"] if not n else now["accent.soft"])
            p.drawRoundedRect(small, 3, 3)
        p.end()


class RepeatDialog(QDialog):
    """``values()`` (copies, step). ``slots`` = free slots when cards in slots are repeated: they take those instead."""

    def __init__(self, parent: QWidget, size: tuple[float, float], slots: int | None = None) -> None:
        super().__init__(parent)
        self.size_of_selection = size
        self.setWindowTitle(self.tr("Repeat"))
        self.times = self._box(1, MAX_COPIES if not slots else min(MAX_COPIES, slots), min(3, slots or 3))
        self.across = self._box(-FARTHEST, FARTHEST, round((size[0] + 30) / 10) * 10)
        self.down = self._box(-FARTHEST, FARTHEST, 0)
        self.way = SegmentedSwitch((("right", self.tr("Side by side")), ("down", self.tr("Below"))), "right", self)
        self.preview = _Preview(self)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(1, 1)
        rows: list[tuple[str, QWidget]] = [(self.tr("Copies"), self.times)]
        if slots is None:
            rows += [
                (self.tr("Direction"), self.way),
                (self.tr("Step to the right"), self.across),
                (self.tr("Step down"), self.down),
            ]
        for row, (label, control) in enumerate(rows):
            grid.addWidget(TextLabel(label, self, token="text.2"), row, 0)
            grid.addWidget(control, row, 1)
            control.setAccessibleName(label)
        for hidden in () if slots is None else (self.way, self.across, self.down, self.preview):
            hidden.hide()
        buttons, self.accept_button = answer_buttons(self, self.tr("Cancel"), self.tr("Repeat"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(14)
        column.addWidget(TextLabel(self.tr("Repeat the selection"), self, px=17, weight=SEMIBOLD))
        if slots is not None:
            text = self.tr("The copies take the free slots one after the other: {count} are free.").format(count=slots)
            column.addWidget(TextLabel(text, self, token="text.2", wrap=True))
        column.addLayout(grid)
        column.addWidget(self.preview)
        column.addWidget(buttons)
        set_surface(self, "panel")
        for box in (self.times, self.across, self.down):
            box.valueChanged.connect(lambda _v: self.preview.update())
        self.way.changed.connect(self._turn)
        self.accept_button.setEnabled(slots is None or slots > 0)
        self.times.setFocus()
        self.times.selectAll()

    def sizeHint(self) -> QSize:
        return QSize(400, super().sizeHint().height())

    def _box(self, low: int, high: int, value: int) -> QSpinBox:
        box = QSpinBox(self)
        box.setRange(low, max(low, high))
        box.setSingleStep(10 if high > 1000 else 1)
        box.setValue(value)
        return box

    def _turn(self, way: str) -> None:
        width, height = self.size_of_selection
        self.across.setValue(round((width + 30) / 10) * 10 if way == "right" else 0)
        self.down.setValue(round((height + 30) / 10) * 10 if way == "down" else 0)

    def values(self) -> tuple[int, tuple[float, float]]:
        """Number of copies and the step from one to the next."""
        return self.times.value(), (float(self.across.value()), float(self.down.value()))


def ask_repeat(
    parent: QWidget, size: tuple[float, float], slots: int | None = None
) -> tuple[int, tuple[float, float]] | None:
    """(copies, step), None when the person changed their mind."""
    dialog = RepeatDialog(parent, size, slots)
    try:
        return dialog.values() if dialog.exec() == QDialog.DialogCode.Accepted else None
    finally:
        dialog.deleteLater()
