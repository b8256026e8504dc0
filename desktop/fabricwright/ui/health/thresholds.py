"""Where marking begins, where pausing begins, where the buffer ends: one axis per kind of switch and rate."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QLinearGradient, QPainter

from fabricwright.ui.health.painted import Painted
from fabricwright.ui.health.words import ESTIMATE, bytes_text, switch_name
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, Theme, make_pen

ROW_PX, AXIS_Y = 84, 50
_MOST = 8


class ThresholdAxes(Painted):
    """Bytes in one queue on a logarithmic axis; ``rows`` of (switch, thresholds of one rate)."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = []

    def set_rows(self, switches: Sequence[Mapping[str, Any]]) -> None:
        """``switches`` of the worker's frame."""
        rows = [(row, axis) for row in switches for axis in row["thresholds"] if axis["buffer"]]
        self._rows = rows[:_MOST]
        self.set_height(ROW_PX * len(self._rows))
        self.setAccessibleName("\n".join(sentence_of(row, axis) for row, axis in self._rows))
        self.update()

    @property
    def empty(self) -> bool:
        """Whether no buffer is known."""
        return not self._rows

    def draw(self, painter: QPainter, now: Theme) -> None:
        for n, (row, axis) in enumerate(self._rows):
            self._axis(painter, row, axis, n * ROW_PX, now)

    def _axis(self, p: QPainter, row: Mapping[str, Any], axis: Mapping[str, Any], top: float, now: Theme) -> None:
        wide = float(self.width())
        values = [float(axis[key]) for key in ("kmin", "kmax", "xoff", "buffer") if axis[key] > 0]
        low = 10 ** math.floor(math.log10(min(values)))
        high = max(values)
        span = max(math.log10(high) - math.log10(low), 1e-9)

        def x_of(value: float) -> float:
            share = (math.log10(max(value, low)) - math.log10(low)) / span
            return 1.0 + (wide - 2.0) * min(max(share, 0.0), 1.0)

        title = f"{switch_name(row)}, {axis['gbps']:g}G"
        self.write(p, QPointF(0, top + 8), title, now["text"], px=11.5, weight=SEMIBOLD, must=True)
        if not axis["in_order"]:
            text = QCoreApplication.translate("Health", "out of order: Kmin < Kmax ≤ XOFF")
            self.write(p, QPointF(wide, top + 8), text, now["error"], anchor="r", weight=MEDIUM)
        y = top + AXIS_Y
        band = QRectF(0, y - 6, wide, 12)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(now["border" if now.dark else "hover"])
        p.drawRoundedRect(band, 3, 3)
        kmin, kmax, xoff = (x_of(float(axis[key])) for key in ("kmin", "kmax", "xoff"))
        if kmax > kmin:
            fade = QLinearGradient(kmin, 0, kmax, 0)
            fade.setColorAt(0, now.alpha("accent", 0.1))
            fade.setColorAt(1, now.alpha("accent", 0.6))
            p.fillRect(QRectF(kmin, band.top(), kmax - kmin, 12), fade)
        if xoff > kmax:
            p.fillRect(QRectF(kmax, band.top(), xoff - kmax, 12), now.alpha("accent", 0.85))
        room = x_of(max(float(axis["buffer"]) - float(row["headroom"]), low))
        p.fillRect(QRectF(room, band.top(), wide - room, 12), now.alpha("warn", 0.75))
        p.setPen(make_pen(now["border.strong"], 1))
        for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1):
            at = x_of(10.0**power)
            p.drawLine(QPointF(at, band.bottom()), QPointF(at, band.bottom() + 3))
        for key, name, token, anchor, above in (
            ("xoff", "XOFF", "error", "l", True),
            ("kmin", "Kmin", "accent", "c", False),
            ("kmax", "Kmax", "accent", "r", True),
        ):
            at = x_of(float(axis[key]))
            p.setPen(make_pen(now[token], 2))
            p.drawLine(QPointF(at, band.top() - 5), QPointF(at, band.bottom() + 2))
            sign = "" if key in axis["stated_keys"] else ESTIMATE
            value = f"{name} {sign}{bytes_text(axis[key])}"
            high_y, low_y = top + 31, y + 19
            for line in (high_y, low_y) if above else (low_y, high_y):
                for side in (anchor, "l", "r", "c"):
                    shift = {"l": -1.0, "r": 1.0, "c": 0.0}[side]
                    if self.write(p, QPointF(at + shift, line), value, now["text"], anchor=side):
                        break
                else:
                    continue
                break
        end = QCoreApplication.translate("Health", "headroom {headroom}, buffer ends at {bytes}")
        end = end.format(headroom=bytes_text(row["headroom"]), bytes=bytes_text(axis["buffer"]))
        self.write(p, QPointF(wide, y + 19), end, now["text.2"], anchor="r")
        if kmax - kmin > 60:
            pmax = f"Pmax {ESTIMATE if 'pmax' not in axis['stated_keys'] else ''}{100 * axis['pmax']:g} %"
            self.write(p, QPointF((kmin + kmax) / 2, y + 19), pmax, now["text.2"], anchor="c")
        self.tips.append((QRectF(0, top, wide, ROW_PX - 4), tip_of(row, axis)))


def sentence_of(row: Mapping[str, Any], axis: Mapping[str, Any]) -> str:
    """All values of an axis in a line."""
    values = f"Kmin {bytes_text(axis['kmin'])}, Kmax {bytes_text(axis['kmax'])}, Pmax {100 * axis['pmax']:g} %"
    return f"{switch_name(row)}, {axis['gbps']:g}G: {values}, XOFF {bytes_text(axis['xoff'])}"


def tip_of(row: Mapping[str, Any], axis: Mapping[str, Any]) -> str:
    """Formulas and sources."""
    lines = [sentence_of(row, axis)]
    lines.append(
        QCoreApplication.translate(
            "Health", "Blue: packets are marked, more often the longer the queue. Yellow: headroom of all ports."
        )
    )
    keys = set(axis["stated_keys"])
    if keys != {"kmin", "kmax", "pmax", "xoff"}:
        lines.append(
            QCoreApplication.translate(
                "Health",
                "≈ proposed: Kmin and Kmax from Zhu et al. (SIGCOMM 2015), scaled with the rate; XOFF = pool / (1 + "
                "lossless queues), Choudhury and Hahne 1998.",
            )
        )
    return "\n".join(lines)
