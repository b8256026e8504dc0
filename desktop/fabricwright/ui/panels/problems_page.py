"""The explanation beside the list: what a rule checks, why, how far off the drawing is, what can be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from fabricwright.catalog.store import catalogue
from fabricwright.ui.i18n import text_of
from fabricwright.ui.icons import paint_state
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.fix_words import fix_text
from fabricwright.ui.panels.problems_model import Problem
from fabricwright.ui.panels.problems_row import approval_note, chips_of
from fabricwright.ui.panels.words import figure_text, fix_calls, group_name, measured_text, severity_word, spoken
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import (
    Chip,
    Divider,
    ElidedLabel,
    EmptyState,
    FlowLayout,
    TextButton,
    TextLabel,
    set_surface,
)
from fabricwright.units.text import Message


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be done about the finding shown: how many of its kind have a fix, and whether they are being tried."""

    same_kind: int = 0
    mending: bool = False


class _Sign(QWidget):
    """The severity, 16 px."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.state = "info"
        self.setFixedSize(18, 18)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_state(painter, self.state, QRectF(1, 1, 16, 16))
        painter.end()


class _Passage(QWidget):
    """A small caption and a text under it; hidden while there is no text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        self.caption = TextLabel("", self, px=11, token="text.3")
        self.text = TextLabel("", self, px=12, wrap=True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(self.caption)
        column.addWidget(self.text)

    def show_text(self, caption: str, text: str) -> None:
        self.caption.setText(caption)
        self.text.setText(text)
        self.setVisible(bool(text))


class RulePane(QWidget):
    """``acted`` (fix, fix-all, approve, withdraw, go) when a button was pressed."""

    acted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem: Problem | None = None
        self._page: Mapping[str, str] = {}
        self._offer = Offer()
        self._body = QWidget(self)
        self.hint = EmptyState(parent=self)
        self.sign = _Sign(self._body)
        self.rule = ElidedLabel("", self._body, px=12, weight=SEMIBOLD, token="text.2")
        self.title = TextLabel("", self._body, px=13, weight=SEMIBOLD, wrap=True)
        self.message = TextLabel("", self._body, px=12, wrap=True)
        self.message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.chips = [Chip("", "neutral", self._body) for _ in range(2)]
        self.fix = QPushButton(self._body)
        self.fix_all = QPushButton(self._body)
        self.approve = QPushButton(self._body)
        self.withdraw = QPushButton(self._body)
        self.go = TextButton("", self._body)
        self.change = _Passage(self._body)
        self.approval = _Passage(self._body)
        self.figures = _Passage(self._body)
        self.place = _Passage(self._body)
        self.checks = _Passage(self._body)
        self.reason = _Passage(self._body)
        self.evidence = _Passage(self._body)
        self.source = _Passage(self._body)
        self._build()
        for button, name in (
            (self.fix, "fix"),
            (self.fix_all, "fix-all"),
            (self.approve, "approve"),
            (self.withdraw, "withdraw"),
            (self.go, "go"),
        ):
            button.clicked.connect(lambda _on=False, name=name: self.acted.emit(name))
        set_surface(self, "panel")
        self._retranslate()

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.sign)
        head.addWidget(self.rule)
        head.addStretch(1)
        head.addWidget(self.go)
        chips = FlowLayout(gap=6)
        for chip in self.chips:
            chips.addWidget(chip)
        self._buttons = FlowLayout(gap=8)
        for button in (self.fix, self.fix_all, self.approve, self.withdraw):
            button.setAutoDefault(False)
            self._buttons.addWidget(button)
        column = QVBoxLayout(self._body)
        column.setContentsMargins(16, 8, 16, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.title)
        column.addWidget(self.message)
        column.addLayout(chips)
        column.addLayout(self._buttons)
        column.addWidget(self.change)
        column.addWidget(self.approval)
        column.addWidget(self.figures)
        column.addWidget(self.place)
        column.addWidget(Divider(self._body))
        for passage in (self.checks, self.reason, self.evidence, self.source):
            column.addWidget(passage)
        column.addStretch(1)
        self._body.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        set_surface(self._body, "panel")
        self._scroll = QScrollArea(self)
        self._scroll.setWidget(self._body)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(Divider(self, vertical=True))
        whole.addWidget(self._scroll, 1)
        whole.addWidget(self.hint, 1)

    def sizeHint(self) -> QSize:
        return QSize(320, 160)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, 80)

    def show_problem(self, problem: Problem | None, page: Mapping[str, str], offer: Offer) -> None:
        """Explain a finding with the page of its rule (empty while the worker has not told it)."""
        moved = problem is None or self._problem is None or problem.key != self._problem.key
        self._problem, self._page, self._offer = problem, page, offer
        self._show()
        if moved:
            self._scroll.verticalScrollBar().setValue(0)

    def _show(self) -> None:
        problem = self._problem
        self._scroll.setVisible(problem is not None)
        self.hint.setVisible(problem is None)
        if problem is None:
            return
        page, finding = self._page, problem.finding
        self.sign.state = problem.state
        self.sign.setAccessibleName(severity_word(problem.state))
        self.sign.update()
        group = group_name(page.get("group", ""))
        self.rule.set_text(f"{problem.rule}  ·  {group}" if group else problem.rule)
        self.title.setText(text_of(Message(page["title"])) if page.get("title") else "")
        self.title.setVisible(bool(page.get("title")))
        self.message.setText(problem.text)
        chips = chips_of(problem)
        for n, chip in enumerate(self.chips):
            chip.set_text(*(chips[n] if n < len(chips) else ("", "neutral")))
        self._show_buttons(problem)
        self._show_approval(problem)
        self.figures.show_text(self.tr("Measured and allowed"), measured_text(problem.finding))
        self.place.show_text(self.tr("Where"), problem.place)
        self.checks.show_text(self.tr("What is checked"), _said(page.get("checks")))
        self.reason.show_text(self.tr("Why"), _said(page.get("reason")))
        evidence = [spoken(line) for line in finding.get("evidence") or ()]
        told = "\n".join(catalogue().source_text(line) for line in evidence)
        self.evidence.show_text(self.tr("Evidence"), _breakable(told))
        source = page.get("source", "").replace(";", ",")
        self.source.show_text(self.tr("Source"), _breakable(catalogue().source_text(source)))

    def _show_buttons(self, problem: Problem) -> None:
        open_ = problem.state != "approved"
        many = self._offer.same_kind
        self.fix.setVisible(open_ and problem.fixable)
        self.fix_all.setVisible(open_ and problem.fixable and many > 1)
        self.fix.setEnabled(not self._offer.mending)
        change = fix_text(fix_calls(problem.finding)) if open_ and problem.fixable else ""
        self.change.show_text(self.tr("What Fix does"), change)
        self.fix.setToolTip(change)
        text = self.tr("Stop trying fixes") if self._offer.mending else self.tr("Fix all {count}").format(count=many)
        self.fix_all.setText(text)
        self.approve.setVisible(open_)
        self.withdraw.setVisible(bool(problem.approval_key))

    def _show_approval(self, problem: Problem) -> None:
        if problem.state == "approved":
            self.approval.show_text(self.tr("Approved"), approval_note(problem))
        elif problem.lapsed:
            told = self._outgrown(problem)
            self.approval.show_text(self.tr("The approval lapsed"), f"{approval_note(problem)}\n{told}")
        else:
            self.approval.show_text("", "")

    def _outgrown(self, problem: Problem) -> str:
        """Why an approval no longer covers the finding: its value then and now, or its members."""
        given = problem.lapsed or {}
        unit = str(problem.finding.get("unit") or "")
        then, now = (figure_text(row.get("measured"), unit) for row in (given, problem.finding))
        if then and now and then != now:
            return self.tr("It was given for {then}; now it is {now}.").format(then=then, now=now)
        members, hit = str(given.get("members") or ""), str(problem.finding.get("members") or "")
        if members != hit:
            return self.tr("It was given for members {then}; now {now} are hit.").format(then=members, now=hit)
        return self.tr("It no longer covers what is found.")

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("Explanation"))
        self.hint.set_content([self.tr("Choose a problem to read what is checked and why.")])
        self.fix.setText(self.tr("Fix"))
        self.approve.setText(self.tr("Approve…"))
        self.withdraw.setText(self.tr("Withdraw"))
        self.go.setText(self.tr("Go to"))
        self._show()


def _breakable(text: str) -> str:
    """The text with leave to break long lists of files after a comma: one such word would make the page too wide."""
    return " ".join(word.replace(",", ",\u200b") if len(word) > 20 else word for word in text.split(" "))


def _said(template: str | None) -> str:
    return text_of(Message(template)) if template else ""
