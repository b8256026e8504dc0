"""The signal path of one link, painted: per segment loss against budget, and the chain of what loses it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from fabricwright.ui.canvas.signal_labels import MARGIN, decibels, verdict_of
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, Theme, make_pen, theme, ui_font

ROW_PX, HEAD_PX, BAR_PX, GAP_PX = 18, 20, 10, 8
_TOKENS = {"ok": "ok", "warn": "warn", "error": "error", "neutral": "text.3"}
_SHADES = (1.0, 0.62)


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the drawing: ``kind`` head | bar | element | restart."""

    kind: str
    top: float
    height: float
    segment: Mapping[str, Any]
    element: Mapping[str, Any] | None = None


def element_name(kind: str) -> str:
    """What an element of the chain is."""
    names = {
        "cpu-package": QCoreApplication.translate("Signal", "CPU package"),
        "chip-package": QCoreApplication.translate("Signal", "chip package"),
        "card": QCoreApplication.translate("Signal", "add-in card"),
        "card-trace": QCoreApplication.translate("Signal", "card trace"),
        "connector": QCoreApplication.translate("Signal", "slot connector"),
        "board": QCoreApplication.translate("Signal", "board trace"),
        "riser": QCoreApplication.translate("Signal", "riser"),
        "backplane": QCoreApplication.translate("Signal", "backplane"),
        "cable": QCoreApplication.translate("Signal", "cable"),
        "drive": QCoreApplication.translate("Signal", "drive"),
    }
    return names.get(kind, kind)


def element_figure(element: Mapping[str, Any]) -> str:
    """``6.75 dB``, ``≈ 6 dB`` for an estimate, ``?`` where nobody says."""
    if not element["known"]:
        return "?"
    estimate = element["confidence"] != "read" or element["assumed"]
    return f"{'≈ ' if estimate else ''}{decibels(float(element['db']))} dB"


def element_tip(element: Mapping[str, Any]) -> str:
    """Where an element is and where its figure is from."""
    lines = [f"{element_name(str(element['kind']))}, {element['name']}: {element_figure(element)}"]
    if element.get("length_m"):
        lines.append(QCoreApplication.translate("Signal", "{length} m").format(length=f"{element['length_m']:g}"))
    if not element["known"]:
        lines.append(QCoreApplication.translate("Signal", "Nobody states what it loses."))
    elif element["assumed"]:
        lines.append(QCoreApplication.translate("Signal", "Not stated; a usual value stands in (estimate)."))
    elif element["source"] == "stated":
        lines.append(QCoreApplication.translate("Signal", "As the drawing states."))
    elif element["confidence"] == "read":
        lines.append(QCoreApplication.translate("Signal", "Source: {source}").format(source=element["source"]))
    else:
        text = QCoreApplication.translate("Signal", "Source: {source} (estimate)")
        lines.append(text.format(source=element["source"]))
    return "\n".join(lines)


def segment_figure(segment: Mapping[str, Any]) -> str:
    """``26.75 / 36 dB``; ``≥`` where something states no loss, ``≈`` where something is an estimate."""
    sign = "" if segment["known"] and not segment["estimate"] else "≈ " if segment["known"] else "≥ "
    return f"{sign}{decibels(float(segment['loss_db']))} / {decibels(float(segment['budget_db']))} dB"


class SignalChain(QWidget):
    """Segments of one path from the upper end down; a retimer between two starts afresh."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._segments: Sequence[Mapping[str, Any]] = ()
        self._rows: list[_Row] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)

    def set_path(self, path: Mapping[str, Any]) -> None:
        """Show a path of ``signal_rows``."""
        self._segments = [s for s in path.get("segments", ()) if s["budget_db"]]
        self._rows = []
        y = 0.0
        for n, segment in enumerate(self._segments):
            if n:
                self._rows.append(_Row("restart", y, ROW_PX + 4, segment))
                y += ROW_PX + 4
            for kind, height in (("head", HEAD_PX), ("bar", BAR_PX + 6)):
                self._rows.append(_Row(kind, y, height, segment))
                y += height
            for element in segment["elements"]:
                self._rows.append(_Row("element", y, ROW_PX, segment, element))
                y += ROW_PX
            y += GAP_PX
        self.setFixedHeight(max(1, round(y)))
        self.setAccessibleName(self.text())
        self.update()

    def text(self) -> str:
        """All of it in words."""
        lines = []
        for segment in self._segments:
            lines.append(f"{_ends(segment)}: {segment_figure(segment)}")
            lines += [f"  {element_name(str(e['kind']))} {element_figure(e)}" for e in segment["elements"]]
        return "\n".join(lines)

    def tip_at(self, y: float) -> str:
        """What hovering at a height says."""
        row = next((r for r in self._rows if r.top <= y < r.top + r.height), None)
        if row is None:
            return ""
        if row.element is not None:
            return element_tip(row.element)
        if row.kind == "restart":
            return QCoreApplication.translate("Signal", "A retimer starts the signal afresh, with a budget of its own.")
        share = float(row.segment["loss_db"]) / float(row.segment["budget_db"])
        text = QCoreApplication.translate(
            "Signal", "Loss at the Nyquist frequency: {loss} of {budget} dB, {share} %.\nDesigners keep {margin} %."
        )
        return text.format(
            loss=decibels(float(row.segment["loss_db"])),
            budget=decibels(float(row.segment["budget_db"])),
            share=f"{100 * share:.0f}",
            margin=f"{100 * MARGIN:.0f}",
        )

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos().y()), self)
            return True
        return super().event(event)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        now = theme()
        for n, row in enumerate(self._rows):
            if row.kind == "head":
                _line(painter, row, self.width(), 0, _ends(row.segment), segment_figure(row.segment), now)
            elif row.kind == "bar":
                _bar(painter, row, self.width(), now)
            elif row.kind == "restart":
                _restart(painter, row, self.width(), now)
            elif row.element is not None:
                before = n and self._rows[n - 1].kind == "element"
                after = n + 1 < len(self._rows) and self._rows[n + 1].kind == "element"
                _chain(painter, row, bool(before), after, now)
                name = element_name(str(row.element["kind"]))
                _line(painter, row, self.width(), 16, name, element_figure(row.element), now)
        painter.end()


def _ends(segment: Mapping[str, Any]) -> str:
    return f"{segment['upper']} → {segment['lower']}"


def _line(p: QPainter, row: _Row, width: int, left: int, text: str, figure: str, now: Theme) -> None:
    head = row.kind == "head"
    colour = now["text" if head else "text.2"]
    if head:
        verdict = verdict_of(row.segment)
        figure_colour = now["text" if verdict in ("ok", "neutral") else _TOKENS[verdict]]
    else:
        figure_colour = now["text"]
    font = ui_font(11.5, SEMIBOLD if head else MEDIUM)
    room = QFontMetricsF(font).horizontalAdvance(figure)
    box = QRectF(left, row.top, width - left, row.height)
    p.setFont(font)
    p.setPen(figure_colour)
    p.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, figure)
    font = ui_font(11.5, MEDIUM if head else 400)
    p.setFont(font)
    p.setPen(colour)
    short = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, box.width() - room - 8))
    p.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, short)


def _bar(p: QPainter, row: _Row, width: int, now: Theme) -> None:
    """Elements one after the other against the budget; a line where the usual margin begins."""
    loss, budget = float(row.segment["loss_db"]), float(row.segment["budget_db"])
    full = max(loss, budget)
    box = QRectF(0, row.top + 2, width, BAR_PX)
    p.save()
    shape = QPainterPath()
    shape.addRoundedRect(box, 3, 3)
    p.setClipPath(shape)
    p.fillRect(box, now["border" if now.dark else "hover"])
    colour = now[_TOKENS[verdict_of(row.segment)]]
    x = 0.0
    for n, element in enumerate(row.segment["elements"]):
        wide = width * float(element["db"]) / full
        shade = QColor(colour)
        shade.setAlphaF(_SHADES[n % 2])
        p.fillRect(QRectF(x, box.top(), wide, box.height()), shade)
        x += wide
    p.restore()
    for share, dash in ((1 - MARGIN, (2.0, 2.0)), (1.0, ())):
        at = min(width * budget * share / full, width - 0.5)
        p.setPen(make_pen(now["text.2"], 1, dash))
        p.drawLine(QPointF(at, box.top() - 1), QPointF(at, box.bottom() + 1))


def _chain(p: QPainter, row: _Row, before: bool, after: bool, now: Theme) -> None:
    """A bead on a string."""
    middle = row.top + row.height / 2
    p.setPen(make_pen(now["border.strong"], 1.5))
    if before:
        p.drawLine(QPointF(5, row.top), QPointF(5, middle - 3))
    if after:
        p.drawLine(QPointF(5, middle + 3), QPointF(5, row.top + row.height))
    known = row.element is not None and row.element["known"]
    p.setBrush(now["pcie"] if known else now["panel"])
    p.setPen(make_pen(now["pcie" if known else "warn"], 1.2))
    p.drawEllipse(QPointF(5, middle), 3, 3)


def _restart(p: QPainter, row: _Row, width: int, now: Theme) -> None:
    """The retimer between two segments."""
    middle = row.top + row.height / 2 - 2
    p.setPen(make_pen(now["rail2"], 1.5))
    p.setBrush(now["panel"])
    p.drawRoundedRect(QRectF(0.75, middle - 5, 10, 10), 2.5, 2.5)
    text = QCoreApplication.translate("Signal", "{retimer}: starts afresh").format(retimer=row.segment["upper"])
    p.setFont(ui_font(11.5, MEDIUM))
    p.setPen(now["text"])
    box = QRectF(16, row.top - 2, width - 16, row.height)
    p.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
