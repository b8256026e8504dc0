"""The first cables of a plan: ports of one side at the left, those of the other at the right, a line for each cable."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fabricwright.topology.wiring_wish import WiringPlan
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, make_pen, rail_color, theme, ui_font

SHOWN = 16
HEAD = 34.0


class WiringPreview(QWidget):
    """Painted; ``set_plan`` shows another plan."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plan: WiringPlan | None = None
        self.more = ""
        self.setMinimumSize(380, 320)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Preview of the cables"))

    def sizeHint(self) -> QSize:
        return QSize(460, 380)

    def set_plan(self, plan: WiringPlan | None, more: str) -> None:
        """Show a plan; ``more`` says how many cables are not drawn."""
        self.plan, self.more = plan, more
        rows = plan.preview if plan is not None else ()
        self.setAccessibleDescription("; ".join(f"{a} – {b}" for a, b in rows))
        self.update()

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        rounded(p, self.rect(), now["canvas"], now["border"], radius=8)
        plan = self.plan
        if plan is None or not plan.preview:
            p.setPen(now["text.3"])
            p.setFont(ui_font(12))
            p.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.tr("No cable yet"))
            p.end()
            return
        rows = plan.preview[:SHOWN]
        lefts, rights = (list(dict.fromkeys(row[k] for row in rows)) for k in (0, 1))
        devices = list(dict.fromkeys(right.partition(":")[0] for right in rights))
        width = (self.width() - 28) * 0.36
        for k, side in enumerate((plan.a, plan.b)):
            if side is not None:
                box = QRectF(14 if k == 0 else self.width() - 14 - width, 8, width, 20)
                p.setFont(ui_font(12, SEMIBOLD))
                p.setPen(now["text"])
                align = Qt.AlignmentFlag.AlignLeft if k == 0 else Qt.AlignmentFlag.AlignRight
                shown = f"{side.item} × {side.members:,}" if side.members > 1 else side.item
                p.drawText(box, align | Qt.AlignmentFlag.AlignVCenter, shown)
        places: list[dict[str, QRectF]] = []
        for k, names in enumerate((lefts, rights)):
            step = min((self.height() - HEAD - 34) / max(len(names), 1), 24.0)
            x = 14.0 if k == 0 else self.width() - 14 - width
            places.append({name: QRectF(x, HEAD + n * step, width, step - 3) for n, name in enumerate(names)})
        for a, b in rows:
            colour = rail_color(devices.index(b.partition(":")[0]))
            start, end = places[0][a], places[1][b]
            first, last = QPointF(start.right(), start.center().y()), QPointF(end.left(), end.center().y())
            middle = (first.x() + last.x()) / 2
            path = QPainterPath(first)
            path.cubicTo(QPointF(middle, first.y()), QPointF(middle, last.y()), last)
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.setPen(make_pen(colour, 1.75))
            p.drawPath(path)
        p.setFont(ui_font(11, MEDIUM))
        for boxes in places:
            for name, box in boxes.items():
                p.setPen(make_pen(now["border"], 1.0))
                p.setBrush(now["raised"])
                p.drawRoundedRect(box, 4, 4)
                p.setPen(now["text"])
                inner = box.adjusted(7, 0, -7, 0)
                text = p.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, round(inner.width()))
                p.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        if self.more:
            p.setPen(now["text.3"])
            p.setFont(ui_font(11))
            p.drawText(QRectF(0, self.height() - 26, self.width(), 20), Qt.AlignmentFlag.AlignCenter, self.more)
        p.end()
