"""A page of the inspector: head, fields, budgets, findings, folds. What a page shows is put in by ``inspector_*``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from fabricwright.design.calls import EditCall
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.icons import paint_icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.fields import Field
from fabricwright.ui.panels.fix_words import fix_text
from fabricwright.ui.panels.inspector_findings import facts_on, findings_on
from fabricwright.ui.panels.words import calls_of, fix_calls, spoken
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, theme
from fabricwright.ui.widgets import BudgetBar, Divider, ElidedLabel, NoticeBox, SectionHeader, TextLabel
from fabricwright.units.errors import UserError
from fabricwright.units.text import N_, Message

_MOST_NOTICES = 4
_MOST_FACTS = 12


@dataclass(frozen=True, slots=True)
class Budget:
    """A budget bar: label, figure, fraction spent, verdict."""

    label: str
    figure: str
    fraction: float
    verdict: str = "ok"


class _Tile(QWidget):
    """The 40 px icon of the thing selected."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.icon_name, self.token = "package", "text"
        self.setFixedSize(40, 40)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rounded(painter, QRectF(self.rect()), theme()["sunken"], radius=8)
        paint_icon(painter, self.icon_name, QRectF(8, 8, 24, 24), self.token)
        painter.end()


class Page(QWidget):
    """One page. ``refresh`` reads everything again; the fields stay, so that typing is not disturbed."""

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self.context = context
        # A page that lost its place may still be left by the cursor, and then posts what was typed: to where it was.
        self.design, self.sheet = context.design, context.sheet
        self._trying = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 12, 14, 14)
        self._column.setSpacing(8)
        self._fields: list[Field] = []
        self._budgets: list[tuple[Callable[[], Sequence[Budget]], QWidget, QVBoxLayout, list[BudgetBar]]] = []
        self._heads: list[Callable[[], None]] = []
        self._ids: tuple[str, ...] | None = None
        self._notices: QVBoxLayout | None = None
        self._boxes: list[NoticeBox] = []
        self._more: TextLabel | None = None
        self._fold: QVBoxLayout | None = None
        self._unfilled: list[Callable[[], None]] = []
        self._facts_of: Sequence[str] = ()
        self._facts: QVBoxLayout | None = None
        self._facts_fold: QWidget | None = None
        self._fact_labels: list[TextLabel] = []

    # -- building -------------------------------------------------------------------------------------------------

    def add_head(self, icon_name: str, read: Callable[[], tuple[str, str]], token: str = "text") -> None:
        """Icon, title, line under it. ``read`` gives (title, line)."""
        row = QHBoxLayout()
        row.setSpacing(10)
        tile = _Tile(self)
        tile.icon_name, tile.token = icon_name, token
        title = ElidedLabel("", self, px=14, weight=SEMIBOLD)
        line = TextLabel("", self, px=11.5, token="text.2", wrap=True)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(title)
        texts.addWidget(line)
        row.addWidget(tile, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        self._column.addLayout(row)

        def show() -> None:
            name, below = read()
            title.set_text(name)
            line.setText(below)
            line.setVisible(bool(below))

        self._heads.append(show)
        show()

    def add_line(self, read: Callable[[], str], *, token: str = "text.2") -> None:
        """A sentence over the whole width; hidden while it is empty."""
        label = TextLabel("", self, px=11.5, token=token, wrap=True)
        self._target().addWidget(label)

        def show() -> None:
            text = read()
            label.setText(text)
            label.setVisible(bool(text))

        self._heads.append(show)
        show()

    def add_field(self, field: Field) -> Field:
        """Put an editor in."""
        self._target().addWidget(field)
        self._fields.append(field)
        return field

    def add_budgets(self, title: str, read: Callable[[], Sequence[Budget]]) -> None:
        """Budget bars under a title; nothing at all while there are none."""
        box = QWidget(self)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(8)
        column.addWidget(Divider(box))
        column.addWidget(TextLabel(title, box, px=12, weight=SEMIBOLD))
        self._column.addWidget(box)
        self._budgets.append((read, box, column, []))
        self._show_budgets()

    def add_findings(self, ids: Sequence[str]) -> None:
        """Findings about these rows of the open sheet (or ``inspector_findings.WHOLE``) with their fixes."""
        self._ids = tuple(ids)
        self._notices = QVBoxLayout()
        self._notices.setSpacing(8)
        self._column.addLayout(self._notices)
        self._more = TextLabel("", self, px=11.5, token="text.2")
        self._column.addWidget(self._more)
        self._show_findings()

    def add_facts(self, ids: Sequence[str]) -> None:
        """A fold with the facts about these rows (or ``inspector_findings.WHOLE``); not there without any."""
        self._facts_of = ids

        def fill() -> None:
            self._facts = QVBoxLayout()
            self._facts.setSpacing(8)
            self._target().addLayout(self._facts)
            self._show_facts()

        title = QCoreApplication.translate("Inspector", "Facts")
        self._facts_fold = self.add_fold(title, lambda: f"{len(facts_on(self.context, ids)):,}", fill)
        self._show_facts()

    def facts(self) -> list[str]:
        """Texts of the facts."""
        self.fill_folds()
        return [label.text() for label in self._fact_labels]

    def _show_facts(self) -> None:
        rows = facts_on(self.context, self._facts_of)
        if self._facts_fold is not None:
            self._facts_fold.setVisible(bool(rows))
        if self._facts is None:
            return
        shown = rows[:_MOST_FACTS]
        while len(self._fact_labels) < len(shown):
            self._fact_labels.append(TextLabel("", self, px=11.5, wrap=True))
            self._fact_labels[-1].setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._facts.addWidget(self._fact_labels[-1])
        while len(self._fact_labels) > len(shown):
            label = self._fact_labels.pop()
            self._facts.removeWidget(label)
            label.deleteLater()
        for label, row in zip(self._fact_labels, shown, strict=True):
            text = spoken(row.get("message"))
            if row.get("estimate"):
                text = QCoreApplication.translate("Inspector", "{text} (estimate)").format(text=text)
            label.setText(text)
            page = self.context.analysis.book.get(str(row.get("rule")), {})
            title = text_of(Message(page["title"])) if page.get("title") else ""
            label.setToolTip(f"{row.get('rule', '')} {title}".strip())

    def add_fold(
        self, title: str, note: Callable[[], str] | str, fill: Callable[[], None], *, expanded: bool = False
    ) -> QWidget:
        """A fold, handed back whole (head and body). ``fill`` puts into it what it holds when it is first opened: most
        are never, and a page is made with every click on the sheet. Folds that a person opened are open again on the
        next page."""
        opened = self.context.open_folds
        expanded = expanded or title in opened
        whole = QWidget(self)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        head = SectionHeader(title, whole, expanded=expanded, line=True)
        body = QWidget(whole)
        inside = QVBoxLayout(body)
        inside.setContentsMargins(0, 0, 0, 6)
        inside.setSpacing(6)

        def fill_once() -> None:
            if fill_once in self._unfilled:
                self._unfilled.remove(fill_once)
                self._fold = inside
                fill()
                self._fold = None

        self._unfilled.append(fill_once)
        if expanded:
            fill_once()
        body.setVisible(expanded)
        head.toggled.connect(lambda _on: fill_once())
        # A method of Qt itself as the receiver would keep the fold's wrapper in the binding for good.
        head.toggled.connect(lambda on: body.setVisible(on))
        head.toggled.connect(lambda on: opened.add(title) if on else opened.discard(title))
        column.addWidget(head)
        column.addWidget(body)
        self._column.addWidget(whole)

        def show() -> None:
            head.set_note(note if isinstance(note, str) else note())

        self._heads.append(show)
        show()
        return whole

    def fill_folds(self) -> None:
        """Put in what closed folds hold, without opening them."""
        for fill_once in list(self._unfilled):
            fill_once()

    def add_widget(self, widget: QWidget) -> None:
        """Anything else."""
        self._target().addWidget(widget)

    def add_live(self, show: Callable[[], None]) -> None:
        """Called whenever the page reads everything again."""
        self._heads.append(show)

    def finish(self) -> None:
        """Keep everything at the top."""
        self._column.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def _target(self) -> QVBoxLayout:
        return self._fold if self._fold is not None else self._column

    # -- showing --------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read everything again."""
        for show in self._heads:
            show()
        for field in self._fields:
            field.refresh()
        self._show_budgets()
        self._show_findings()
        self._show_facts()

    def fields(self) -> list[Field]:
        """All editors, those in closed folds last."""
        self.fill_folds()
        return list(self._fields)

    def field(self, label: str) -> Field:
        """The editor with a label."""
        return next(f for f in self.fields() if f.label.text() == label)

    def notices(self) -> list[NoticeBox]:
        """The finding boxes shown."""
        return list(self._boxes)

    def _show_budgets(self) -> None:
        for read, box, column, bars in self._budgets:
            wanted = list(read())
            while len(bars) < len(wanted):
                bars.append(BudgetBar(parent=box))
                column.addWidget(bars[-1])
            for n, bar in enumerate(bars):
                bar.setVisible(n < len(wanted))
                if n < len(wanted):
                    row = wanted[n]
                    bar.set_budget(row.label, row.figure, row.fraction, row.verdict)
            box.setVisible(bool(wanted))

    def _show_findings(self) -> None:
        if self._notices is None or self._more is None:
            return
        rows = findings_on(self.context, self._ids or ()) if self._ids is not None else []
        shown = rows[:_MOST_NOTICES]
        while len(self._boxes) < len(shown):
            self._boxes.append(NoticeBox(self))
            self._notices.addWidget(self._boxes[-1])
        while len(self._boxes) > len(shown):
            box = self._boxes.pop()
            self._notices.removeWidget(box)
            box.deleteLater()
        for box, row in zip(self._boxes, shown, strict=True):
            state = "approved" if row.get("approved") else str(row.get("severity", "info"))
            buttons = []
            if fix_calls(row) and state != "approved":
                buttons.append((self.tr("Fix"), lambda row=row: self.apply_fix(row)))
            box.set_notice(state, str(row.get("rule", "")), spoken(row.get("message")), buttons)
            box.setToolTip(fix_text(fix_calls(row)) if buttons else "")
        more = len(rows) - len(shown)
        self._more.setText(self.tr("and {count} more, see Problems").format(count=more) if more > 0 else "")
        self._more.setVisible(more > 0)

    # -- editing --------------------------------------------------------------------------------------------------

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Within this block ``post`` only says whether an edit would be refused."""
        self._trying = True
        try:
            yield
        finally:
            self._trying = False

    @property
    def trying(self) -> bool:
        """Whether an edit is only tried, not posted."""
        return self._trying

    def post(self, edit: str, /, *, merge: bool = False, **args: Any) -> str:
        """Post an edit on the page's design and sheet; the sentence of its refusal, "" when it went through."""
        from fabricwright.design.edits import run

        if edit not in ("retitle", "set_meta", "set_setting"):
            args = {"sheet": self.sheet, **args}
        if edit not in ("retitle", "set_meta"):
            args = {"design": self.design, **args}
        call = EditCall(edit, args)
        try:
            run(self.context.project, call)
        except UserError as error:
            return text_of(error.message)
        if not self._trying:
            self.context.edit(call, merge=merge)
        return ""

    def apply_fix(self, row: Mapping[str, Any]) -> None:
        """Apply the edits that mend a finding."""
        calls = calls_of(row)
        if len(calls) == 1:
            self.context.edit(calls[0])
        elif calls:
            self.context.edit_all(N_("Fix problem"), calls)
