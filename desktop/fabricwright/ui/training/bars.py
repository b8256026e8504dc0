"""Bars made of named pieces: a step by what it spends its time on, memory by what fills it, against what there is."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, make_pen, theme, ui_font

ROW, LABEL, LEAST_LABEL, GAP = 26, 104, 64, 8
LEGEND_ROW = 17


@dataclass(frozen=True, slots=True)
class Piece:
    """``name`` as the legend says it, ``value`` in the unit of its chart, colour ``token``, ``text`` of the figure."""

    name: str
    value: float
    token: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One row. ``figure`` at the right; ``band`` (low, high) as a whisker at the end of the bar; ``limit`` what there
    is, drawn as an outline; ``usable`` a mark within it; ``over``: it does not fit."""

    label: str
    pieces: tuple[Piece, ...]
    figure: str
    tip: str = ""
    band: tuple[float, float] | None = None
    limit: float = 0.0
    usable: float = 0.0
    over: bool = False

    @property
    def total(self) -> float:
        """Sum of the pieces."""
        return sum(piece.value for piece in self.pieces)

    @property
    def reach(self) -> float:
        """What the axis has to show of it."""
        return max(self.total, self.limit, self.band[1] if self.band else 0.0)


class StackedBars(QWidget):
    """``own_scale``: every row is drawn against its own limit (tiers of a host differ a thousandfold), else all rows
    share one scale."""

    def __init__(self, parent: QWidget | None = None, *, own_scale: bool = False) -> None:
        super().__init__(parent)
        self.own_scale = own_scale
        self.bars: tuple[Bar, ...] = ()
        self._label = self._figure = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_bars(self, bars: tuple[Bar, ...]) -> None:
        """Other rows."""
        self.bars = bars
        small, bold = QFontMetricsF(ui_font(11.5)), QFontMetricsF(ui_font(11.5, SEMIBOLD))
        self._label = min(LABEL, max((round(small.horizontalAdvance(b.label)) + GAP for b in bars), default=0))
        self._figure = max((round(bold.horizontalAdvance(b.figure)) + GAP for b in bars), default=0)
        self.setAccessibleName("; ".join(self._sentence(bar) for bar in bars))
        self.updateGeometry()
        self.update()

    @staticmethod
    def _sentence(bar: Bar) -> str:
        pieces = ", ".join(f"{piece.name} {piece.text}".strip() for piece in bar.pieces)
        return f"{bar.label}: {bar.figure}" + (f" ({pieces})" if pieces else "")

    def legend(self) -> list[tuple[str, str]]:
        """(name, token) of every piece that is there, once."""
        found: dict[str, str] = {}
        for bar in self.bars:
            for piece in bar.pieces:
                if piece.value > 0:
                    found.setdefault(piece.name, piece.token)
        return list(found.items())

    def _legend_places(self) -> list[tuple[str, str, QRectF]]:
        metrics = QFontMetricsF(ui_font(11))
        x, y, out = 0.0, float(ROW * len(self.bars) + 2), []
        for name, token in self.legend():
            wide = metrics.horizontalAdvance(name) + 15
            if x and x + wide > self.width():
                x, y = 0.0, y + LEGEND_ROW
            out.append((name, token, QRectF(x, y, wide, LEGEND_ROW)))
            x += wide + 12
        return out

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        metrics = QFontMetricsF(ui_font(11))
        x, rows = 0.0, 1 if self.legend() else 0
        for name, _token in self.legend():
            wide = metrics.horizontalAdvance(name) + 15
            if x and x + wide > width:
                x, rows = 0.0, rows + 1
            x += wide + 12
        return ROW * len(self.bars) + rows * LEGEND_ROW + 4

    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(max(self.width(), 220)))

    def minimumSizeHint(self) -> QSize:
        return QSize(180, ROW * len(self.bars) + LEGEND_ROW)

    def box_of(self, row: int) -> QRectF:
        """Where the bar of a row may reach, px."""
        label = max(min(self._label, round(self.width() * 0.3)), LEAST_LABEL if self._label else 0)
        return QRectF(label, row * ROW + 4, max(self.width() - label - self._figure - 4, 20), ROW - 9)

    def _scale(self, bar: Bar, room: float) -> float:
        longest = bar.reach if self.own_scale else max((b.reach for b in self.bars), default=0.0)
        return room / longest if longest > 0 else 0.0

    def piece_at(self, point: QPointF) -> tuple[Bar, Piece | None] | None:
        """Row and piece under a point."""
        row = int(point.y() // ROW)
        if not 0 <= row < len(self.bars):
            return None
        bar, box = self.bars[row], self.box_of(row)
        x, scale = box.x(), self._scale(bar, box.width())
        for piece in bar.pieces:
            wide = piece.value * scale
            if x <= point.x() < x + wide:
                return bar, piece
            x += wide
        return bar, None

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self.piece_at(QPointF(event.pos()))
            lines = [self._sentence(found[0]), found[0].tip] if found else []
            QToolTip.showText(event.globalPos(), "\n".join(line for line in lines if line), self)
            return True
        return super().event(event)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        for row, bar in enumerate(self.bars):
            self._paint_row(p, row, bar)
        now = theme()
        for name, token, box in self._legend_places():
            rounded(p, QRectF(box.x(), box.y() + 5, 9, 9), now[token], radius=2)
            p.setFont(ui_font(11))
            p.setPen(now["text.2"])
            p.drawText(box.adjusted(14, 0, 4, 0), Qt.AlignmentFlag.AlignVCenter, name)
        p.end()

    def _paint_row(self, p: QPainter, row: int, bar: Bar) -> None:
        now, box = theme(), self.box_of(row)
        middle = Qt.AlignmentFlag.AlignVCenter
        p.setFont(ui_font(11.5, MEDIUM))
        p.setPen(now["text"])
        label = p.fontMetrics().elidedText(bar.label, Qt.TextElideMode.ElideRight, round(box.x()) - 6)
        p.drawText(QRectF(0, row * ROW, box.x() - 4, ROW), middle, label)
        scale = self._scale(bar, box.width())
        if bar.limit:
            rounded(
                p, QRectF(box.x(), box.y(), bar.limit * scale, box.height()), now["sunken"], now["border"], radius=3
            )
        x = box.x()
        for piece in bar.pieces:
            wide = piece.value * scale
            if wide >= 0.5:
                rounded(p, QRectF(x, box.y(), max(1.0, wide - (1 if wide > 4 else 0)), box.height()), now[piece.token],
                        radius=min(3.0, wide / 2))  # fmt: skip
                self._inside(p, QRectF(x, box.y(), wide, box.height()), piece)
            x += wide
        if bar.usable:
            at = box.x() + bar.usable * scale
            p.setPen(make_pen(now["error" if bar.over else "border.strong"], 1.5, (3, 2)))
            p.drawLine(QPointF(at, box.y() - 2), QPointF(at, box.bottom() + 2))
        if bar.band:
            self._whisker(p, box, bar.band, scale)
        p.setFont(ui_font(11.5, SEMIBOLD))
        p.setPen(now["error" if bar.over else "text"])
        right = QRectF(self.width() - self._figure, row * ROW, self._figure, ROW)
        p.drawText(right, middle | Qt.AlignmentFlag.AlignRight, bar.figure)

    @staticmethod
    def _whisker(p: QPainter, box: QRectF, band: tuple[float, float], scale: float) -> None:
        low, high = (box.x() + end * scale for end in band)
        y = box.bottom() + 2.5
        p.setPen(make_pen(theme()["text.2"], 1.25))
        p.drawLine(QPointF(low, y), QPointF(high, y))
        for x in (low, high):
            p.drawLine(QPointF(x, y - 2.5), QPointF(x, y + 2))

    @staticmethod
    def _inside(p: QPainter, box: QRectF, piece: Piece) -> None:
        if not piece.text:
            return
        font = ui_font(10.5, MEDIUM)
        if QFontMetricsF(font).horizontalAdvance(piece.text) + 9 > box.width():
            return
        p.setFont(font)
        p.setPen(theme()["text.on-accent"])
        p.drawText(box.adjusted(5, 0, -2, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, piece.text)
