"""How a finding looks: sign, rule, message, place, and the actions as text at the right."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from fabricwright.ui.icons import paint_state
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.problems_model import ROW_ROLE, Problem
from fabricwright.ui.theme import MEDIUM, REGULAR, theme, ui_font
from fabricwright.ui.widgets import chip_size, paint_chip

ROW_PX, TALL_PX = 36, 46
_SIGN_X, _RULE_X, _TEXT_X, _MARGIN = 16, 42, 100, 16
_LINE_PX = 16

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Places:
    """Where the pieces of a row go. ``place`` is empty on narrow panels, then the place is told in the tool tip."""

    text: QRect
    place: QRect
    actions: tuple[tuple[str, str, QRect], ...]
    note: QRect


def action_text(name: str) -> str:
    """What an action is called."""
    return {
        "fix": QCoreApplication.translate("Problems", "Fix"),
        "approve": QCoreApplication.translate("Problems", "Approve"),
        "go": QCoreApplication.translate("Problems", "Go"),
    }[name]


def approval_note(problem: Problem) -> str:
    """Who approved it, and when."""
    approval = problem.approval or {}
    text = QCoreApplication.translate("Problems", "approved by {author}, {date}")
    return text.format(author=approval.get("author", ""), date=approval.get("date", ""))


def actions_of(problem: Problem) -> tuple[str, ...]:
    """Actions a row offers, left to right."""
    if problem.state == "approved":
        return ("go",)
    return (("fix",) if problem.fixable else ("approve",)) + ("go",)


def layout_row(rect: QRect, problem: Problem) -> Places:
    """Places of the pieces in a row's rectangle."""
    font = QFontMetricsF(ui_font(12, MEDIUM))
    right = rect.right() - _MARGIN
    boxes = []
    for name in reversed(actions_of(problem)):
        text = action_text(name)
        width = round(font.horizontalAdvance(text)) + 12
        boxes.append((name, text, QRect(right - width + 6, rect.top() + 4, width, rect.height() - 8)))
        right -= width + 4
    edge = rect.right() - _MARGIN - 96
    note = QRect()
    if problem.state == "approved":
        wide = round(QFontMetricsF(ui_font(11.5)).horizontalAdvance(approval_note(problem)))
        wide = min(wide, rect.width() // 4)
        note = QRect(right - wide, rect.top(), wide, rect.height())
        edge = note.left() - 12
    edge = min(edge, right - 8)
    left = rect.left() + _TEXT_X
    if rect.width() < 560:
        place = QRect()
        text_right = edge
    else:
        start = rect.left() + round(rect.width() * 0.62)
        place = QRect(start, rect.top(), max(0, edge - start), rect.height())
        text_right = start - 14
    return Places(QRect(left, rect.top(), text_right - left, rect.height()), place, tuple(reversed(boxes)), note)


def wrapped(text: str, width: int, *, lines: int = 2) -> list[str]:
    """The text in at most ``lines`` lines of ``width`` px, the last one cut with an ellipsis."""
    font = ui_font(12)
    metrics = QFontMetricsF(font)
    if width <= 20 or metrics.horizontalAdvance(text) <= width:
        return [text]
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(width)
    cut = line.textLength()
    layout.endLayout()
    rest = text[cut:]
    if lines == 1 or not rest.strip():
        return [metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)]
    return [text[:cut].rstrip(), metrics.elidedText(rest.strip(), Qt.TextElideMode.ElideRight, width)]


class ProblemDelegate(QStyledItemDelegate):
    """Paints rows. ``hot`` is the action under the pointer: (row, name)."""

    hot: tuple[int, str] = (-1, "")

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        problem = index.data(ROW_ROLE)
        view = option.widget  # type: ignore[attr-defined]
        width = view.viewport().width() if isinstance(view, QListView) else 600
        if not isinstance(problem, Problem):
            return QSize(100, ROW_PX)
        places = layout_row(QRect(0, 0, width, ROW_PX), problem)
        room = places.text.width() - _chip_room(problem)
        return QSize(100, TALL_PX if len(wrapped(problem.text, room)) > 1 else ROW_PX)

    @safe_paint
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        problem = index.data(ROW_ROLE)
        if not isinstance(problem, Problem):
            return
        rect: QRect = option.rect  # type: ignore[attr-defined]
        state = option.state  # type: ignore[attr-defined]
        now = theme()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(now["accent.soft" if chosen else "hover"])
            painter.drawRoundedRect(QRectF(rect).adjusted(6, 1, -6, -1), 6, 6)
        middle = rect.center().y() + 0.5
        paint_state(painter, problem.state, QRectF(rect.left() + _SIGN_X, middle - 8, 16, 16))
        quiet = problem.state == "approved"
        vertical = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(ui_font(12, MEDIUM))
        painter.setPen(now["text.3" if quiet else "text.2"])
        painter.drawText(QRect(rect.left() + _RULE_X, rect.top(), 56, rect.height()), vertical, problem.rule)
        places = layout_row(rect, problem)
        self._text(painter, problem, places, chosen, quiet)
        painter.setFont(ui_font(12))
        painter.setPen(now["text.3" if quiet else "text.2"])
        if places.place.width() > 24:
            cut = painter.fontMetrics().elidedText(problem.place, Qt.TextElideMode.ElideMiddle, places.place.width())
            painter.drawText(places.place, vertical, cut)
        if quiet:
            painter.setFont(ui_font(11.5))
            cut = painter.fontMetrics().elidedText(
                approval_note(problem), Qt.TextElideMode.ElideRight, places.note.width()
            )
            painter.drawText(places.note, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, cut)
        painter.setFont(ui_font(12, MEDIUM))
        for name, text, box in places.actions:
            if (index.row(), name) == self.hot:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(now["panel" if chosen else "border"])
                painter.drawRoundedRect(QRectF(box).adjusted(0, 2, 0, -2), 4, 4)
            painter.setPen(now["accent"])
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        painter.restore()

    def _text(self, painter: QPainter, problem: Problem, places: Places, chosen: bool, quiet: bool) -> None:
        now = theme()
        box = places.text
        lines = wrapped(problem.text, box.width() - _chip_room(problem))
        font = ui_font(12, MEDIUM if chosen and len(lines) == 1 else REGULAR)
        painter.setFont(font)
        painter.setPen(now["text.2" if quiet else "text"])
        metrics = QFontMetricsF(font)
        top = box.center().y() + 1 - _LINE_PX * len(lines) / 2
        for n, line in enumerate(lines):
            cut = metrics.elidedText(line, Qt.TextElideMode.ElideRight, box.width() - _chip_room(problem))
            spot = QRectF(box.left(), top + n * _LINE_PX, box.width(), _LINE_PX)
            painter.drawText(spot, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, cut)
        if problem.estimate:
            word = QCoreApplication.translate("Problems", "estimate")
            size = chip_size(word)
            after = min(metrics.horizontalAdvance(lines[0]) + 8, box.width() - size.width())
            y = box.center().y() - size.height() / 2 if len(lines) == 1 else top - 1
            x = box.left() + (after if len(lines) == 1 else box.width() - size.width())
            paint_chip(painter, QRectF(x, y, size.width(), size.height()), word, "estimate")


def _chip_room(problem: Problem) -> int:
    if not problem.estimate:
        return 0
    return round(chip_size(QCoreApplication.translate("Problems", "estimate")).width()) + 8
