"""The scatter of alternatives over two figures, and the sketch of one of them: painted from rows, nothing computed."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from fabricwright.ui.paint import text
from fabricwright.ui.paint.chart_model import linear_ticks
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.sizing.rows import Row, fronts, head, letter, number
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, theme

CENTER = Qt.AlignmentFlag.AlignHCenter
LEFT, RIGHT, TOP, BOTTOM = 52.0, 18.0, 20.0, 34.0
NEAR_PX = 14.0


class Scatter(QWidget):
    """Points with their letters; filled ones meet all requirements, the dashed line joins those that no other beats."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._chosen, self._x, self._y = "", "power", "reduce"
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_rows(self, rows: list[Row], chosen: str, x: str, y: str) -> None:
        """What is plotted against what."""
        self._rows, self._chosen, self._x, self._y = list(rows), chosen, x, y
        self.setAccessibleName(f"{head(y)[0]} / {head(x)[0]}")
        picked = next((r for r in rows if r["id"] == chosen), None)
        if picked is not None:
            self.setAccessibleDescription(letter(picked))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, 150)

    # -- scales -------------------------------------------------------------------------------------------------------

    def _plot(self) -> QRectF:
        return QRectF(LEFT, TOP, max(20.0, self.width() - LEFT - RIGHT), max(20.0, self.height() - TOP - BOTTOM))

    def _ticks(self, axis: str) -> list[float]:
        values = [v for row in self._rows if (v := number(row, axis)) is not None]
        return linear_ticks(max(values, default=1.0) * 1.05, 6 if axis == self._y else 7)

    def spot(self, row: Row) -> QPointF | None:
        """Where a row is, None where a figure is missing."""
        x, y = number(row, self._x), number(row, self._y)
        if x is None or y is None:
            return None
        plot, right, top = self._plot(), self._ticks(self._x)[-1], self._ticks(self._y)[-1]
        return QPointF(plot.left() + x / right * plot.width(), plot.bottom() - y / top * plot.height())

    # -- input --------------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        spots = [(s, row) for row in self._rows if (s := self.spot(row)) is not None]
        near = min(spots, key=lambda pair: (pair[0] - event.position()).manhattanLength(), default=None)
        if near is not None and (near[0] - event.position()).manhattanLength() <= NEAR_PX:
            self.chosen.emit(str(near[1]["id"]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        order = sorted((r for r in self._rows if self.spot(r) is not None), key=lambda r: number(r, self._x) or 0.0)
        if not step or not order:
            super().keyPressEvent(event)
            return
        at = next((n for n, row in enumerate(order) if row["id"] == self._chosen), 0)
        self.chosen.emit(str(order[min(max(at + step, 0), len(order) - 1)]["id"]))

    # -- painting -----------------------------------------------------------------------------------------------------

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now, painter = theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        plot = self._plot()
        known = [r for r in self._rows if self.spot(r) is not None]
        if not known:
            said = self.tr("No figures to plot")
            text.draw_in(painter, QRectF(self.rect()), (said,), 12, now["text.3"], align=CENTER)
            painter.end()
            return
        xs, ys = self._ticks(self._x), self._ticks(self._y)
        for tick in ys:
            y = plot.bottom() - tick / ys[-1] * plot.height()
            painter.setPen(QPen(now["border"], 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            text.draw_in(painter, QRectF(0, y - 9, LEFT - 8, 18), (_short(tick),), 11, now["text.2"], align=text.RIGHT)
        every = max(1, round(len(xs) * 52 / plot.width()))
        for tick in xs[::every]:
            x = plot.left() + tick / xs[-1] * plot.width()
            painter.setPen(QPen(now["border"], 1))
            painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 4))
            text.draw_in(
                painter, QRectF(x - 30, plot.bottom() + 4, 60, 14), (_short(tick),), 11, now["text.2"], align=CENTER
            )
        text.draw_in(painter, QRectF(plot.left() - LEFT + 4, 0, 200, 16), (_axis(self._y),), 11, now["text.2"])
        text.draw_in(
            painter,
            QRectF(plot.right() - 220, self.height() - 16, 220, 16),
            (_axis(self._x),),
            11,
            now["text.2"],
            align=text.RIGHT,
        )
        self._front(painter, now["accent"], plot, [r for r in known if r["meets"]])
        self._points(painter, known)
        if self.hasFocus():
            rounded(painter, QRectF(self.rect()), None, now["focus"], radius=6, width=1.5)
        painter.end()

    def _front(self, painter: QPainter, colour: QColor, plot: QRectF, meeting: list[Row]) -> None:
        best = [s for row in fronts(meeting, self._x, self._y) if (s := self.spot(row)) is not None]
        if not best:
            return
        painter.setPen(QPen(colour, 1.25, Qt.PenStyle.DashLine))
        for one, two in pairwise(best):
            corner = QPointF(two.x(), one.y())
            painter.drawLine(one, corner)
            painter.drawLine(corner, two)
        painter.drawLine(best[-1], QPointF(plot.right(), best[-1].y()))

    def _points(self, painter: QPainter, known: list[Row]) -> None:
        now = theme()
        used: list[QRectF] = []
        for row in sorted(known, key=lambda r: r["id"] == self._chosen):
            spot = self.spot(row)
            assert spot is not None
            picked = row["id"] == self._chosen
            if picked:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(now.alpha("accent", 0.25))
                painter.drawEllipse(spot, 9, 9)
            ink = now["accent" if picked else "text.2"]
            painter.setPen(QPen(ink, 1.5))
            painter.setBrush(ink if row["meets"] else now["panel"])
            painter.drawEllipse(spot, 4.5, 4.5)
            # Above first: the dashed line comes from the left or from below and leaves to the right.
            places = [
                QRectF(spot.x() - 8, spot.y() - 24, 16, 16),
                QRectF(spot.x() - 8, spot.y() + 8, 16, 16),
                QRectF(spot.x() + 8, spot.y() - 8, 16, 16),
                QRectF(spot.x() - 24, spot.y() - 8, 16, 16),
            ]
            free = next((p for p in places if not any(p.intersects(u) for u in used)), places[0])
            used.append(free)
            text.draw_in(
                painter, free, (letter(row),), 12, now["accent" if picked else "text.2"], weight=SEMIBOLD, align=CENTER
            )


class Sketch(QWidget):
    """Spines, leafs and servers of a row as boxes: what will be drawn, in outline."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._row: Row | None = None
        self.setMinimumHeight(92)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_row(self, row: Row | None) -> None:
        """The row to outline."""
        self._row = row
        self.setAccessibleName("" if row is None else self.tr("{leafs} leafs").format(leafs=row["leaf"]["count"]))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, 112 if self._row is not None and self._row["core"] else 96)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now, painter = theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        area = QRectF(self.rect())
        rounded(painter, area, now["sunken"], radius=8)
        row = self._row
        if row is not None:
            area = area.adjusted(16, 8, -16, -8)
            tiers = [
                (row["core"], self.tr("{count} cores")),
                (row["spine"], self.tr("{count} spines")),
            ]
            above = [(t["count"], words) for t, words in tiers if t]
            step = (area.height() - 18) / (len(above) + 1)
            y = area.top()
            for count, words in above:
                self._box(painter, QRectF(area.left(), y, area.width(), 18), words.format(count=f"{count:,}"))
                y += step
            self._lower(painter, row, area, y, bool(above))
        painter.end()

    def _box(self, painter: QPainter, box: QRectF, words: str) -> None:
        now = theme()
        rounded(painter, box, now["panel"], now["border.strong"], radius=4)
        text.draw_in(painter, box.adjusted(4, 0, -4, 0), (words,), 11, now["text.2"], align=CENTER)

    def _lower(self, painter: QPainter, row: Row, area: QRectF, y: float, linked: bool) -> None:
        """Leafs in the colours of their rails, servers below."""
        now, leafs, units = theme(), int(row["leaf"]["count"]), int(row["scalable_units"])
        rails = int(row["rails"] or 1)
        planes = int(row["planes"])
        shown_units = min(units, 2)
        each = max(1, min(rails * planes, 16 // shown_units)) if row["rails"] else max(1, min(leafs, 8) // shown_units)
        gap, bottom = 12.0, area.bottom() - 18
        width = (area.width() - gap * (shown_units - 1)) / shown_units
        top = area.top() if not linked else y - (area.height() - 18) / (2 if not row["core"] else 3) + 18
        middle = (top + bottom) / 2 if linked else area.top() + 14
        for unit in range(shown_units):
            left = area.left() + unit * (width + gap)
            pitch = width / each
            for n in range(each):
                colour = now[f"rail{n % rails % 8}"] if row["rails"] else now["text.3"]
                x = left + pitch * (n + 0.5)
                if linked:
                    painter.setPen(QPen(now["text.3"], 1.25))
                    painter.drawLine(QPointF(x, top), QPointF(x, middle - 5))
                painter.setPen(QPen(colour, 1.75))
                painter.drawLine(QPointF(x, middle + 5), QPointF(x, bottom))
                rounded(
                    painter, QRectF(x - min(9.0, pitch * 0.4), middle - 6, min(18.0, pitch * 0.8), 12), colour, radius=3
                )
            servers = int(row["servers_per_unit"]) if units > 1 else int(row["servers"])
            if units > 2 and unit == 1:
                words = self.tr("{count} more units").format(count=units - 1)
            elif units == 2 and unit == 1:
                words = self.tr("{count} servers").format(count=f"{int(row['servers']) - servers:,}")
            else:
                words = self.tr("{count} servers").format(count=f"{servers:,}")
            self._box(painter, QRectF(left, bottom, width, 18), words)


def _short(value: float) -> str:
    return (
        f"{value / 1e6:,.3g} M"
        if value >= 1e6
        else f"{value:,.0f}"
        if value >= 10 or value == int(value)
        else f"{value:g}"
    )


def _axis(axis: str) -> str:
    title, unit = head(axis)
    return f"{title}, {unit}" if unit else title
