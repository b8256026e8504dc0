"""Throughput over loss rate: go-back-N and selective repeat, the textbook case, and where the network stands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF

from fabricwright.ui.health.painted import Painted
from fabricwright.ui.health.words import ESTIMATE, percent
from fabricwright.ui.theme import SEMIBOLD, Theme, make_pen, ui_font

HEIGHT = 244
_TICKS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)


class LossCurve(Painted):
    """``loss`` of the worker's frame."""

    def __init__(self) -> None:
        super().__init__(height=HEIGHT)
        self._loss: Mapping[str, Any] = {}

    def set_loss(self, loss: Mapping[str, Any]) -> None:
        """Show other figures."""
        self._loss = loss
        self.setAccessibleName(sentence_of(loss) if loss else "")
        self.update()

    def draw(self, painter: QPainter, now: Theme) -> None:
        loss = self._loss
        if not loss:
            return
        metrics = QFontMetricsF(ui_font(11))
        plot = QRectF(metrics.horizontalAdvance("100 %") + 8, 18, 0, 0)
        plot.setRight(self.width() - 10)
        plot.setBottom(self.height() - 56)
        rates = [float(rate) for rate in loss["rates"]]
        low, high = math.log10(rates[0]), math.log10(rates[-1])

        def at(rate: float, share: float) -> QPointF:
            x = plot.left() + plot.width() * (math.log10(max(rate, rates[0])) - low) / (high - low)
            return QPointF(min(x, plot.right()), plot.bottom() - plot.height() * min(max(share, 0.0), 1.0))

        self._axes(painter, plot, at, now)
        curves = (
            (loss["selective"], "ok", ()),
            (loss["example"]["go_back_n"], "text.3", (6.0, 4.0)),
            (loss["go_back_n"], "accent", ()),
        )
        for values, token, dash in curves:
            painter.setPen(make_pen(now[token], 2, dash))
            painter.drawPolyline(QPolygonF([at(r, float(v)) for r, v in zip(rates, values, strict=True)]))
        warning = float(loss["warning"]["rate"])
        foot, top = at(warning, 0), at(warning, 1)
        painter.setPen(make_pen(now["warn"], 1.25, (3, 3)))
        painter.drawLine(foot, top)
        dots = (
            (warning, loss["example"]["share"], "text.2"),
            (warning, loss["warning"]["share"], "ok" if loss["selective_now"] else "accent"),
        )
        for rate, share, token in dots:
            painter.setPen(QPen(now[token], 2))
            painter.setBrush(now["panel"])
            painter.drawEllipse(at(rate, float(share)), 3.5, 3.5)
        self._labels(painter, plot, at, now)
        self.tips.append((QRectF(0, 0, self.width(), self.height()), tip_of(loss)))

    def _axes(self, p: QPainter, plot: QRectF, at: Any, now: Theme) -> None:
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            y = at(1e-6, share).y()
            p.setPen(make_pen(now["border.strong" if share == 0 else "border"], 1))
            p.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            self.write(p, QPointF(plot.left() - 7, y), f"{100 * share:.0f} %", now["text.3"], anchor="r", must=True)
        for rate in _TICKS:
            x = at(rate, 0).x()
            p.setPen(make_pen(now["border.strong"], 1))
            p.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 4))
            last = rate == _TICKS[-1]
            anchor = "r" if last else "c"
            place = QPointF(x + (10 if last else 0), plot.bottom() + 12)
            self.write(p, place, f"{100 * rate:g} %", now["text.3"], anchor=anchor)
        text = QCoreApplication.translate("Health", "left of the port's rate, over packets lost")
        self.write(p, QPointF(0, 7), text, now["text.3"])

    def _labels(self, p: QPainter, plot: QRectF, at: Any, now: Theme) -> None:
        loss = self._loss
        example = loss["example"]
        warning = float(loss["warning"]["rate"])
        now_rate = float(loss["rate_now"])
        if now_rate > 0:
            spot = at(now_rate, float(loss["share_now"]))
            p.setPen(QPen(now["error"], 2.5))
            p.setBrush(now["panel"])
            p.drawEllipse(spot, 5, 5)
            sign = ESTIMATE if loss["assumed"] else ""
            text = QCoreApplication.translate("Health", "now: {sign}{rate} lost, {share} left")
            text = text.format(sign=sign, rate=percent(now_rate), share=percent(float(loss["share_now"])))
            # curves fall: left of the dot and below the lowest of them is free
            lowest = min(float(loss["share_now"]), go_back_n(now_rate, float(example["window"])))
            place = QPointF(spot.x() - 8, min(at(now_rate, lowest).y() + 14, plot.bottom() - 8))
            if not self.write(p, place, text, now["error"], anchor="r", weight=SEMIBOLD):
                self._beside(p, place, text, now["error"], plot)
        text = QCoreApplication.translate("Health", "{rate} at {gbps}G: {share} left")
        text = text.format(rate=percent(warning), gbps=f"{example['gbps']:g}", share=percent(example["share"]))
        foot = at(warning, 0.5)
        self._beside(p, QPointF(foot.x(), plot.bottom() - 14), text, now["warn"], plot)
        self._legend(p, plot.bottom() + 31, now)

    def _legend(self, p: QPainter, y: float, now: Theme) -> None:
        """What the curves are, below them; in as many lines as it takes."""
        loss = self._loss
        book = loss["example"]["gbps"]
        names = (
            (QCoreApplication.translate("Health", "go-back-N, {gbps}G as drawn"), loss["rate_gbps"], "accent", ()),
            (QCoreApplication.translate("Health", "go-back-N, {gbps}G, 20 µs"), book, "text.3", (4, 3)),
            (QCoreApplication.translate("Health", "selective repeat"), 0.0, "ok", ()),
        )
        metrics = QFontMetricsF(ui_font(11))
        x = 0.0
        for name, gbps, token, dash in names:
            text = name.format(gbps=f"{gbps:.0f}")
            wide = 20 + metrics.horizontalAdvance(text) + 16
            if x and x + wide - 16 > self.width():
                x, y = 0.0, y + 15
            p.setPen(make_pen(now[token], 2, dash))
            p.drawLine(QPointF(x, y), QPointF(x + 14, y))
            self.write(p, QPointF(x + 20, y), text, now["text.2"])
            x += wide

    def _beside(self, p: QPainter, spot: QPointF, text: str, colour: Any, plot: QRectF) -> None:
        for dx, dy, anchor in ((8, 12, "l"), (-8, 12, "r"), (8, -12, "l"), (-8, -12, "r"), (8, 26, "l"), (-8, 26, "r")):
            place = QPointF(spot.x() + dx, min(spot.y() + dy, plot.bottom() - 8))
            if self.write(p, place, text, colour, anchor=anchor, weight=SEMIBOLD):
                return


def go_back_n(rate: float, window: float) -> float:
    """Share that go-back-N leaves (performance.loss has the same, with numpy around it)."""
    return (1.0 - rate) / (1.0 + rate * (window - 1.0))


def sentence_of(loss: Mapping[str, Any]) -> str:
    """What the drawing says, in words."""
    text = QCoreApplication.translate(
        "Health", "{rate} of the packets lost leave {share} of a port's rate as drawn, {example} at 400G and 20 µs."
    )
    return text.format(
        rate=percent(loss["warning"]["rate"]),
        share=percent(loss["warning"]["share"]),
        example=percent(loss["example"]["share"]),
    )


def tip_of(loss: Mapping[str, Any]) -> str:
    """Formula, what goes into it, source."""
    text = QCoreApplication.translate(
        "Health",
        "Go-back-N leaves (1 - p) / (1 + p (W - 1)), selective repeat 1 - p (Bertsekas and Gallager 1992, 2.4).\n"
        "As drawn: W = {window} packets of {mtu} bytes in a round trip of {trip} µs (estimate: queues make it longer).",
    )
    lines = [
        text.format(window=f"{loss['window']:.0f}", mtu=loss["mtu"], trip=f"{1e6 * float(loss['round_trip_s']):.1f}"),
        sentence_of(loss),
    ]
    if loss["selective_now"]:
        lines.append(QCoreApplication.translate("Health", "The NICs drawn resend only what was lost."))
    return "\n".join(lines)
