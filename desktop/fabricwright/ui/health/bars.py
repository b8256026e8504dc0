"""Headroom against buffer, one bar per kind of switch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath

from fabricwright.ui.health.painted import Painted
from fabricwright.ui.health.words import ESTIMATE, bytes_text, percent, switch_name
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, Theme, make_pen, ui_font

ROW_PX, BAR_PX = 58, 12


class HeadroomBars(Painted):
    """Buffer of every kind of switch: what lossless ports keep free, what is reserved, what is shared."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[Mapping[str, Any]] = ()

    def set_rows(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """``switches`` of the worker's frame."""
        self._rows = rows
        self.set_height(ROW_PX * len(rows))
        self.setAccessibleName("\n".join(f"{switch_name(row)}: {figure_of(row)}" for row in rows))
        self.update()

    def draw(self, painter: QPainter, now: Theme) -> None:
        for n, row in enumerate(self._rows):
            self._row(painter, row, n * ROW_PX, now)

    def _row(self, p: QPainter, row: Mapping[str, Any], top: float, now: Theme) -> None:
        wide = float(self.width())
        figure = figure_of(row)
        room = QFontMetricsF(ui_font(11.5, MEDIUM)).horizontalAdvance(figure)
        line = QRectF(0, top, wide, 20)
        middle = Qt.AlignmentFlag.AlignVCenter
        p.setFont(ui_font(11.5, MEDIUM))
        p.setPen(now["error" if verdict_of(row) == "error" else "text"])
        p.drawText(line, Qt.AlignmentFlag.AlignRight | middle, figure)
        font = ui_font(11.5, SEMIBOLD)
        p.setFont(font)
        p.setPen(now["text"])
        name = QFontMetricsF(font).elidedText(switch_name(row), Qt.TextElideMode.ElideRight, max(0.0, wide - room - 10))
        p.drawText(line, Qt.AlignmentFlag.AlignLeft | middle, name)
        box = QRectF(0, top + 21, wide, BAR_PX)
        self._bar(p, row, box, now)
        p.setFont(ui_font(11))
        p.setPen(now["text.2"])
        ports = QFontMetricsF(ui_font(11)).elidedText(ports_of(row), Qt.TextElideMode.ElideRight, wide)
        p.drawText(QRectF(0, top + 35, wide, 16), Qt.AlignmentFlag.AlignLeft | middle, ports)
        self.tips.append((QRectF(0, top, wide, ROW_PX - 4), tip_of(row)))

    def _bar(self, p: QPainter, row: Mapping[str, Any], box: QRectF, now: Theme) -> None:
        buffer = float(row["buffer"])
        full = max(buffer, float(row["headroom"]) + float(row["reserved"]), 1.0)
        p.save()
        shape = QPainterPath()
        shape.addRoundedRect(box, 3, 3)
        p.fillPath(shape, now["border" if now.dark else "hover"])
        p.setClipPath(shape)
        x = box.left()
        for value, token in ((row["headroom"], _TOKENS[verdict_of(row)]), (row["reserved"], "text.3")):
            wide = box.width() * float(value) / full
            p.fillRect(QRectF(x, box.top(), wide, box.height()), now[token])
            x += wide
        p.restore()
        if buffer and full > buffer:
            at = box.left() + box.width() * buffer / full
            p.setPen(make_pen(now["text"], 1.5))
            p.drawLine(QPointF(at, box.top() - 2), QPointF(at, box.bottom() + 2))


_TOKENS = {"ok": "accent", "warn": "warn", "error": "error", "neutral": "text.3"}


def verdict_of(row: Mapping[str, Any]) -> str:
    """error: more than there is; warn: more than half (LSL-01 asks for room to share); neutral: buffer not known."""
    taken = float(row["headroom"]) + float(row["reserved"])
    if not row["buffer"]:
        return "neutral"
    return "error" if taken > row["buffer"] else "warn" if taken > row["buffer"] / 2 else "ok"


def figure_of(row: Mapping[str, Any]) -> str:
    """``10.3 of 100 MB (10 %)``."""
    sign = ESTIMATE if row["estimate"] or row["assumed"] else ""
    if not row["buffer"]:
        text = QCoreApplication.translate("Health", "{headroom}, buffer not known")
        return sign + text.format(headroom=bytes_text(row["headroom"]))
    text = QCoreApplication.translate("Health", "{headroom} of {buffer} ({share})")
    return sign + text.format(
        headroom=bytes_text(row["headroom"]),
        buffer=bytes_text(row["buffer"]),
        share=percent(row["headroom"] / row["buffer"]),
    )


def ports_of(row: Mapping[str, Any]) -> str:
    """``64 × 200G, 32 × 400G, priority 3``."""
    ports = ", ".join(f"{port['count']} × {port['gbps']:g}G" for port in row["ports"])
    if row["priorities"]:
        names = ", ".join(str(priority) for priority in row["priorities"])
        text = QCoreApplication.translate("Health", "{ports}; lossless priority {names}")
        return text.format(ports=ports, names=names)
    text = QCoreApplication.translate("Health", "{ports}; one lossless priority assumed")
    return text.format(ports=ports)


def tip_of(row: Mapping[str, Any]) -> str:
    """Formula and source of the bar."""
    lines = [switch_name(row), figure_of(row)]
    for port in row["ports"]:
        text = QCoreApplication.translate("Health", "{count} × {rate}G: {headroom} each ({source})")
        lines.append(
            text.format(
                count=port["count"],
                rate=f"{port['gbps']:g}",
                headroom=bytes_text(port["headroom"]),
                source=port["source"],
            )
        )
    if row["reserved"]:
        text = QCoreApplication.translate("Health", "Reserved for others: {bytes}")
        lines.append(text.format(bytes=bytes_text(row["reserved"])))
    text = QCoreApplication.translate("Health", "Shared pool: {pool}")
    lines.append(text.format(pool=bytes_text(row["pool"])))
    text = QCoreApplication.translate("Health", "Buffer: {source}")
    lines.append(text.format(source=row["buffer_source"] or "?"))
    if row["assumed"]:
        lines.append(QCoreApplication.translate("Health", "Cables of unknown length count as 5 m."))
    if row["estimate"] or row["assumed"]:
        lines.append(QCoreApplication.translate("Health", "≈ marks an estimate."))
    return "\n".join(lines)
