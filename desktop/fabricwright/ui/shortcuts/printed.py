"""The shortcut sheet on paper: A4, two columns, text as text."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QPageLayout, QPageSize, QPainter, QPdfWriter

from fabricwright.ui.actions import ActionSet
from fabricwright.ui.shortcuts.rows import ShortcutRow, sheet_rows
from fabricwright.ui.theme import MEDIUM, SEMIBOLD, make_pen, named_theme, ui_font

DPI = 1200
MARGIN_MM = 14.0
ROW, HEAD, GAP = 16.5, 26.0, 24.0


def write_pdf(actions: ActionSet, path: Path) -> bool:
    """Write the sheet with the keys as they are now. False when the file cannot be written."""
    writer = QPdfWriter(str(path))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageOrientation(QPageLayout.Orientation.Portrait)
    writer.setPageMargins(QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM), QPageLayout.Unit.Millimeter)
    writer.setResolution(DPI)
    title = QCoreApplication.translate("Shortcuts", "Fabricwright: keyboard and mouse")
    writer.setTitle(title)
    painter = QPainter()
    if not painter.begin(writer):
        return False
    scale = DPI / 96
    painter.scale(scale, scale)
    page = QRectF(0, 0, writer.width() / scale, writer.height() / scale)
    ink = named_theme("print")
    painter.setFont(ui_font(18, SEMIBOLD))
    painter.setPen(ink["text"])
    painter.drawText(QRectF(0, 0, page.width(), 30), Qt.AlignmentFlag.AlignVCenter, title)
    top = 40.0
    width = (page.width() - GAP) / 2
    x, y = 0.0, top
    rows = [row for row in sheet_rows(actions) if row.is_head or row.keys or row.how]
    for n, row in enumerate(rows):
        following = rows[n + 1] if n + 1 < len(rows) else None
        if row.is_head and (following is None or following.is_head):
            continue
        need = HEAD + ROW if row.is_head else ROW
        if y + need > page.height():
            x, y = (x + width + GAP, top) if x == 0 else (0.0, 0.0)
            if x == 0:
                writer.newPage()
                top = 0.0
        y += _row(painter, row, QRectF(x, y, width, HEAD if row.is_head else ROW))
    painter.end()
    return True


def _row(painter: QPainter, row: ShortcutRow, box: QRectF) -> float:
    ink = named_theme("print")
    if row.is_head:
        painter.setFont(ui_font(13, SEMIBOLD))
        painter.setPen(ink["text"])
        painter.drawText(box.adjusted(0, 6, 0, 0), Qt.AlignmentFlag.AlignVCenter, row.title)
        painter.setPen(make_pen(ink["border.strong"], 0.6))
        painter.drawLine(QPointF(box.left(), box.bottom()), QPointF(box.right(), box.bottom()))
        return HEAD
    keys = row.how or ", ".join(row.keys)
    painter.setFont(ui_font(11, MEDIUM))
    used = painter.fontMetrics().horizontalAdvance(keys)
    painter.setPen(ink["text"])
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, keys)
    painter.setFont(ui_font(11))
    room = box.adjusted(0, 0, -min(used + 10, box.width() * 0.6), 0)
    text = painter.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideRight, round(room.width()))
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
    return ROW
