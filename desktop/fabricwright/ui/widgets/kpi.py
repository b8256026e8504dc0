"""Headline figures: caption, big number with unit, a note; optionally before and change."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import MEDIUM, REGULAR, SEMIBOLD, theme, ui_font
from fabricwright.ui.widgets.chip import chip_size, paint_chip


class KpiLabel(QWidget):
    """One figure. ``large`` is the 28 px headline of a panel, otherwise 20 px as in a comparison strip."""

    def __init__(self, caption: str = "", parent: QWidget | None = None, *, large: bool = True) -> None:
        super().__init__(parent)
        self._px = 28 if large else 20
        self._caption, self._value, self._unit, self._note = caption, "–", "", ""
        self._before, self._chip, self._chip_kind = "", "", "neutral"
        self._stale = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_caption(self, caption: str) -> None:
        """The line above the figure."""
        self._caption = caption
        self._changed()

    def set_figure(
        self,
        value: str,
        unit: str = "",
        note: str = "",
        *,
        before: str = "",
        chip: str = "",
        chip_kind: str = "neutral",
    ) -> None:
        """The figure as text, its unit, the line under it; ``before`` value and a ``chip`` (change, ``estimate``)."""
        self._value, self._unit, self._note = value, unit, note
        self._before, self._chip, self._chip_kind = before, chip, chip_kind
        self._changed()

    def set_stale(self, stale: bool) -> None:
        """Pale while a newer figure is being computed."""
        if stale != self._stale:
            self._stale = stale
            self.update()

    def _changed(self) -> None:
        self.setAccessibleName(f"{self._caption}: {self._value} {self._unit}")
        self.updateGeometry()
        self.update()

    def _pieces(self) -> list[tuple[str, int, int, str, float]]:
        """(text, px, weight, token, gap before) of the figure line."""
        pieces = []
        if self._before:
            pieces.append((self._before, self._px, REGULAR, "text.2", 0.0))
            pieces.append(("›", self._px - 2, REGULAR, "text.3", 6.0))
        pieces.append((self._value, self._px, SEMIBOLD, "text", 6.0 if self._before else 0.0))
        if self._unit:
            small = self._px >= 28
            pieces.append((self._unit, 13 if small else self._px, MEDIUM if small else SEMIBOLD,
                           "text.2" if small else "text", 6.0))  # fmt: skip
        return pieces

    def sizeHint(self) -> QSize:
        width = sum(QFontMetricsF(ui_font(px, w)).horizontalAdvance(t) + gap for t, px, w, _, gap in self._pieces())
        if self._chip:
            width += chip_size(self._chip).width() + 8
        small = QFontMetricsF(ui_font(11.5))
        width = max(width, small.horizontalAdvance(self._caption), small.horizontalAdvance(self._note))
        height = self._px + 12 + (17 if self._caption else 0) + (17 if self._note else 0)
        return QSize(int(width) + 2, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        painter.setOpacity(0.45 if self._stale else 1.0)
        y = 0.0
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if self._caption:
            painter.setFont(ui_font(11.5))
            painter.setPen(now["text.2"])
            painter.drawText(QRectF(0, 0, self.width(), 17), left, self._caption)
            y = 17.0
        baseline = y + self._px + 4
        x = 0.0
        for text, px, weight, token, gap in self._pieces():
            font = ui_font(px, weight)
            painter.setFont(font)
            painter.setPen(now[token])
            x += gap
            painter.drawText(QRectF(x, baseline - 60, 2000, 60 + QFontMetricsF(font).descent()),
                             Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text)  # fmt: skip
            x += QFontMetricsF(font).horizontalAdvance(text)
        if self._chip:
            size = chip_size(self._chip)
            spot = QRectF(x + 8, baseline - self._px * 0.36 - size.height() / 2, size.width(), size.height())
            paint_chip(painter, spot, self._chip, self._chip_kind)
        if self._note:
            painter.setFont(ui_font(11.5))
            painter.setPen(now["text.3"])
            shown = painter.fontMetrics().elidedText(self._note, Qt.TextElideMode.ElideRight, self.width())
            self.setToolTip(self._note if shown != self._note else "")
            painter.drawText(QRectF(0, self.height() - 17, self.width(), 17), left, shown)
        painter.end()
