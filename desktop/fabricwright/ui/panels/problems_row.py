"""How a finding looks: sign, rule, message, place, and the actions as text at the right."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from fabricwright.ui.icons import paint_state
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.problems_model import ROW_ROLE, Fold, Problem, lapsed_word
from fabricwright.ui.style_paint import chevron
from fabricwright.ui.theme import MEDIUM, REGULAR, SEMIBOLD, theme, ui_font
from fabricwright.ui.widgets import chip_size, paint_chip

ROW_PX, TALL_PX, FOLD_PX = 36, 46, 32
_SIGN_X, _RULE_X, _TEXT_X, _MARGIN = 16, 42, 100, 16
_LINE_PX = 16
_NARROW_PX, _PLACE_FROM = 620, 0.64

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Places:
    """Where the pieces of a row go. ``place`` is empty on narrow panels, then the place is told in the tool tip."""

    text: QRect
    place: QRect
    actions: tuple[tuple[str, str, QRect], ...]


def action_text(name: str) -> str:
    """What an action is called."""
    return {
        "fix": QCoreApplication.translate("Problems", "Fix"),
        "approve": QCoreApplication.translate("Problems", "Approve"),
        "withdraw": QCoreApplication.translate("Problems", "Withdraw"),
        "go": QCoreApplication.translate("Problems", "Go"),
    }[name]


def approval_note(problem: Problem) -> str:
    """Why it was approved, by whom and when."""
    approval = problem.approval or problem.lapsed or {}
    who = QCoreApplication.translate("Problems", "{author}, {date}")
    who = who.format(author=approval.get("author", ""), date=approval.get("date", "")).strip(" ,，")
    reason = str(approval.get("reason", ""))
    return QCoreApplication.translate("Problems", "{who}: {reason}").format(reason=reason, who=who)


def actions_of(problem: Problem) -> tuple[str, ...]:
    """Actions a row offers, left to right."""
    if problem.state == "approved":
        return ("withdraw", "go")
    return (("fix",) if problem.fixable else ("approve",)) + ("go",)


def chips_of(problem: Problem) -> list[tuple[str, str]]:
    """(word, kind) of the chips behind the text."""
    out = []
    if problem.lapsed:
        out.append((lapsed_word(), "warn"))
    if problem.estimate:
        out.append((QCoreApplication.translate("Problems", "estimate"), "estimate"))
    return out


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
    edge = min(rect.right() - _MARGIN - 96, right - 8)
    left = rect.left() + _TEXT_X
    place, text_right = QRect(), edge
    if rect.width() >= _NARROW_PX:
        start = rect.left() + round(rect.width() * _PLACE_FROM)
        place = QRect(start, rect.top(), max(0, edge - start), rect.height())
        text_right = start - 14
    return Places(QRect(left, rect.top(), max(0, text_right - left), rect.height()), place, tuple(reversed(boxes)))


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
            return QSize(100, FOLD_PX)
        if problem.state == "approved":
            return QSize(100, TALL_PX)
        places = layout_row(QRect(0, 0, width, ROW_PX), problem)
        room = places.text.width() - _chip_room(problem)
        return QSize(100, TALL_PX if len(wrapped(problem.text, room)) > 1 else ROW_PX)

    @safe_paint
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
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
        if isinstance(row, Fold):
            self._fold(painter, rect, row)
        elif isinstance(row, Problem):
            self._problem(painter, rect, row, chosen, index.row())
        painter.restore()

    @staticmethod
    def _fold(painter: QPainter, rect: QRect, fold: Fold) -> None:
        now = theme()
        middle = rect.center().y() + 0.5
        chevron(
            painter, QRectF(rect.left() + _SIGN_X, rect.top(), 16, rect.height()), "down" if fold.is_open else "right"
        )
        paint_state(painter, "approved", QRectF(rect.left() + _RULE_X, middle - 8, 16, 16))
        vertical = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        word = QCoreApplication.translate("Problems", "Approved")
        font = ui_font(12, SEMIBOLD if fold.is_open else MEDIUM)
        painter.setFont(font)
        painter.setPen(now["text" if fold.is_open else "text.2"])
        left = rect.left() + _RULE_X + 24
        painter.drawText(QRect(left, rect.top(), rect.width(), rect.height()), vertical, word)
        left += round(QFontMetricsF(font).horizontalAdvance(word)) + 8
        painter.setFont(ui_font(11.5))
        painter.setPen(now["text.3"])
        painter.drawText(QRect(left, rect.top(), 60, rect.height()), vertical, f"{fold.count:,}")

    def _problem(self, painter: QPainter, rect: QRect, problem: Problem, chosen: bool, row: int) -> None:
        now = theme()
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
        painter.setFont(ui_font(12, MEDIUM))
        for name, text, box in places.actions:
            if (row, name) == self.hot:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(now["panel" if chosen else "border"])
                painter.drawRoundedRect(QRectF(box).adjusted(0, 2, 0, -2), 4, 4)
            painter.setPen(now["accent"])
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _text(self, painter: QPainter, problem: Problem, places: Places, chosen: bool, quiet: bool) -> None:
        now = theme()
        box = places.text
        room = box.width() - _chip_room(problem)
        lines = wrapped(problem.text, room, lines=1 if quiet else 2)
        if quiet:
            lines = [*lines, approval_note(problem)]
        font = ui_font(12, MEDIUM if chosen and len(lines) == 1 else REGULAR)
        metrics = QFontMetricsF(font)
        top = box.center().y() + 1 - _LINE_PX * len(lines) / 2
        for n, line in enumerate(lines):
            painter.setFont(ui_font(11.5) if quiet and n else font)
            painter.setPen(now["text.3" if quiet and n else "text.2" if quiet else "text"])
            cut = painter.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, room)
            spot = QRectF(box.left(), top + n * _LINE_PX, box.width(), _LINE_PX)
            painter.drawText(spot, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, cut)
        one_line = len(lines) == 1
        x = box.left() + (min(metrics.horizontalAdvance(lines[0]) + 8, room + 8) if one_line else room + 8)
        for word, kind in chips_of(problem):
            size = chip_size(word)
            y = box.center().y() - size.height() / 2 if one_line else top - 1
            paint_chip(painter, QRectF(x, y, size.width(), size.height()), word, kind)
            x += size.width() + 6


def _chip_room(problem: Problem) -> int:
    chips = [round(chip_size(word).width()) for word, _ in chips_of(problem)]
    return sum(chips) + 6 * len(chips) + 2 if chips else 0
