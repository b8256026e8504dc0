"""Problems: every finding with its place, what the rule says, and what can be done about it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QSplitter, QToolButton, QVBoxLayout, QWidget

from fabricwright.design.calls import EditCall
from fabricwright.ui.context import UiContext
from fabricwright.ui.icons import icon
from fabricwright.ui.panels.approve_dialog import ApproveDialog
from fabricwright.ui.panels.problems_filter import FilterButton
from fabricwright.ui.panels.problems_list import ProblemList
from fabricwright.ui.panels.problems_menu import row_menu
from fabricwright.ui.panels.problems_model import SEVERITIES, Fold, Problem, ProblemsModel
from fabricwright.ui.panels.problems_page import Offer, RulePane
from fabricwright.ui.panels.problems_quiet import quiet_words
from fabricwright.ui.panels.severity_filter import SeverityFilter
from fabricwright.ui.panels.words import address_of, calls_of, row_ids, sheet_name
from fabricwright.ui.theme import follow_theme
from fabricwright.ui.widgets import EmptyState, SearchField, set_surface
from fabricwright.units.text import N_, msg

_PANE_KEY = "problems/explanation"
#: From this width on there is room for list and explanation side by side.
_ROOM_PX = 640


class ProblemsPanel(QWidget):
    """The list and the explanation of the chosen finding. ``count_changed(int)`` tells how many findings are not
    approved; ``step(+1/-1)`` is F8 and Shift+F8."""

    count_changed = Signal(int)

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self._context = context
        self._count = -1
        self._design = context.design
        self._checked_at = time.monotonic()
        self.model = ProblemsModel(self)
        self.list = ProblemList(self)
        self.list.setModel(self.model)
        self.pane = RulePane(self)
        self.filter = SearchField()
        self.filter.setMinimumWidth(70)
        self.filter.setMaximumWidth(220)
        self.severities = SeverityFilter(SEVERITIES)
        self.severities.setProperty("gives_way", True)  # the tool bar tells the counts as well
        self.where = FilterButton()
        self.explain = QToolButton()
        self.explain.setAutoRaise(True)
        self.explain.setCheckable(True)
        self.explain.setChecked(QSettings().value(_PANE_KEY, True, bool) is not False)
        self.empty = EmptyState(parent=self)
        self.split = QSplitter(Qt.Orientation.Horizontal, self)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.list)
        self.split.addWidget(self.pane)
        self.split.setStretchFactor(0, 5)
        self.split.setStretchFactor(1, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.split, 1)
        column.addWidget(self.empty, 1)
        set_surface(self, "panel")
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._say_empty)
        self.list.acted.connect(self._act)
        self.list.folded.connect(lambda: self.fold(not self.model.is_open))
        self.list.clicked.connect(lambda index: self.go(index.row()))
        self.list.selectionModel().selectionChanged.connect(lambda *_: self._explain())
        self.pane.acted.connect(lambda name: self._act(self.list.currentIndex().row(), name))
        self.filter.queried.connect(lambda _text: self._refilter())
        self.filter.leave_down.connect(self.list.setFocus)
        self.severities.changed.connect(self._refilter)
        self.where.changed.connect(self._refilter)
        self.explain.toggled.connect(self._set_explain)
        self.empty.activated.connect(self._clear_filter)
        context.analysis.changed.connect(self._analysed)
        context.analysis.mended.connect(self._mended)
        context.place_changed.connect(self._moved)
        context.problem_wanted.connect(self.show_problem)
        follow_theme(self._themed)
        self._retranslate()

    def head_widgets(self) -> list[QWidget]:
        """What stands at the right end of the panel's head."""
        return [self.severities, self.where, self.filter, self.explain]

    # -- what is shown --------------------------------------------------------------------------------------------

    def _analysed(self, topics: frozenset[str]) -> None:
        if "status" in topics and self._context.analysis.status == "idle":
            self._checked_at = time.monotonic()
        if topics & {"findings", "book"}:
            self._take()
        elif "status" in topics:
            self._say_empty()
        if "mending" in topics:
            self._explain()

    def _moved(self) -> None:
        if self._context.design != self._design:
            self._design = self._context.design
            self._context.analysis.stop_mend()  # it was meant for the other design
        self._take()

    def _take(self) -> None:
        chosen = self.model.problem(self.list.currentIndex())
        analysis, design = self._context.analysis, self._context.design_row
        self.model.set_findings(design, analysis.findings.values(), analysis.book)
        sheets = {sheet: sheet_name(design, sheet) for sheet in self.model.sheets()}
        self.where.offer(sheets, self.model.groups(), self._context.sheet)
        self._after(chosen)

    def _refilter(self) -> None:
        chosen = self.model.problem(self.list.currentIndex())
        self.model.set_filter(self.filter.text(), self.severities.chosen(), self.where.sheet, self.where.rules)
        self._after(chosen)

    def fold(self, is_open: bool) -> None:
        """Show or fold away what was approved."""
        chosen = self.model.problem(self.list.currentIndex())
        self.model.set_open(is_open)
        self._after(chosen)
        if is_open:
            last = self.model.index(self.model.rowCount() - 1)
            self.list.scrollTo(last)

    def _after(self, chosen: Problem | None) -> None:
        counts = self.model.counts()
        self.severities.set_counts(counts)
        total = counts["error"] + counts["warning"] + counts["info"]
        if total != self._count:
            self._count = total
            self.count_changed.emit(total)
        row = self.model.row_of(chosen.key) if chosen else -1
        if row >= 0 and row != self.list.currentIndex().row():
            index = self.model.index(row)
            self.list.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        nothing = self.model.rowCount() == 0
        self.split.setVisible(not nothing)
        self.empty.setVisible(nothing)
        self._explain()
        if nothing:
            self._clock.start()
            self._say_empty()
        else:
            self._clock.stop()

    def _explain(self) -> None:
        row = self._chosen()
        problem = self.model.problem(row) if row is not None else None
        book = self._context.analysis.book
        same = len(self.model.same_kind(problem)) if problem else 0
        page: Mapping[str, str] = book.get(problem.rule, {}) if problem else {}
        self.pane.show_problem(problem, page, Offer(same, bool(self._context.analysis.mending)))

    def _set_explain(self, on: bool) -> None:
        QSettings().setValue(_PANE_KEY, on)
        self._fit_pane()

    def _fit_pane(self) -> None:
        """The explanation gives way where there is no room for it and the list."""
        self.pane.setVisible(self.explain.isChecked() and self.width() >= _ROOM_PX)
        self.explain.setEnabled(self.width() >= _ROOM_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_pane()

    def _say_empty(self) -> None:
        if not self.empty.isVisibleTo(self):
            return
        analysis, since_s = self._context.analysis, time.monotonic() - self._checked_at
        self.empty.set_content(*quiet_words(analysis, filtered=bool(self.model.total()), since_s=since_s))

    def _clear_filter(self) -> None:
        self.filter.clear()
        self.where.choose("", "")
        for state in SEVERITIES:
            self.severities.switch(state).setChecked(True)

    # -- what can be done -----------------------------------------------------------------------------------------

    def _act(self, row: int, name: str) -> None:
        {
            "fix": self.fix,
            "fix-all": self.fix_all,
            "approve": self.approve,
            "withdraw": self.withdraw,
            "go": self.go,
        }[name](row)

    def _problem(self, row: int | None) -> Problem | None:
        return self.model.problem(self.list.currentIndex().row() if row is None else row)

    def go(self, row: int) -> None:
        """Open the sheet and select every place of the finding."""
        problem = self.model.problem(row)
        at = problem.finding.get("at") if problem else None
        if problem is None or not at:
            return
        if not row_ids(problem.finding):  # about the design itself: its page is the one of nothing selected
            self._context.open_sheet(self._context.design_row.root, "")
            self._context.document.select(())
            return
        where = address_of(self._context.design_row, problem.finding, str(at[0]))
        if where is None or not self._context.go_to(where):
            return
        eff = self._context.eff
        ids = [i for i in row_ids(problem.finding) if i in eff.items or i in eff.links or i in eff.builtin_links]
        if len(ids) > 1:
            self._context.document.select(ids)
            self._context.reveal.emit(ids)

    def fix(self, row: int | None = None) -> None:
        """Apply the edits that mend a finding (the chosen one when ``row`` is left out), as one undo entry."""
        problem = self._problem(row)
        calls = calls_of(problem.finding) if problem else []
        if len(calls) == 1:
            self._context.edit(calls[0])
        elif calls:
            self._context.edit_all(N_("Fix problem"), calls)

    @property
    def anything(self) -> bool:
        """Whether there is a finding, shown or not."""
        return bool(self.model.total())

    @property
    def mending(self) -> bool:
        """Whether fixes are being tried."""
        return bool(self._context.analysis.mending)

    def fix_all(self, row: int | None = None) -> None:
        """Mend every finding of the rule, as one undo entry. The worker tries the fixes one after the other, since two
        of them may want the same place; what it found is applied when it answers. Asked again meanwhile, it stops."""
        problem = self._problem(row)
        if self._context.analysis.mending:
            self._context.analysis.stop_mend()
            return
        if problem is None or not self.model.same_kind(problem):
            return
        if not self._context.analysis.ask_mend(problem.rule):
            self._context.say(msg("The checks are not running, so the fixes cannot be tried."), "warning")

    def _mended(self, answer: Mapping[str, Any]) -> None:
        rule, fixed, left = str(answer["rule"]), int(answer["fixed"]), int(answer["left"])
        calls = [EditCall(str(c["name"]), dict(c.get("args") or {})) for c in answer["calls"]]
        if not calls:
            self._context.say(msg("No fix of {rule} helps without a new error.", rule=rule), "warning")
        elif self._context.edit_all(N_("Fix all problems of a rule"), calls) is not None:
            if left:
                text = msg("{rule}: {fixed} fixed, {left} left.", rule=rule, fixed=fixed, left=left)
            else:
                text = msg("{rule}: {fixed} fixed, none left.", rule=rule, fixed=fixed)
            self._context.say(text, "info")

    def approve(self, row: int | None = None) -> None:
        """Ask for a reason and accept a finding."""
        problem = self._problem(row)
        if problem is None or problem.state == "approved":
            return
        author = str(self._context.project.meta.get("author") or "")
        several = len(self._context.project.designs) > 1
        dialog = ApproveDialog(problem, self, author, several_designs=several)
        if dialog.exec():
            self._context.edit("approve", dialog.arguments())
            self.list.setFocus()  # the button that asked is gone; the next one of its row would be a surprise

    def withdraw(self, row: int | None = None) -> None:
        """Take an approval back, also one that was outgrown."""
        problem = self._problem(row)
        if problem is not None and problem.approval_key:
            self._context.edit("unapprove", key=problem.approval_key)

    def _chosen(self) -> int | None:
        """Row that is selected. A list that only got the focus has a current row, but nothing is chosen yet."""
        return self.list.currentIndex().row() if self.list.selectionModel().hasSelection() else None

    def fix_chosen(self) -> bool:
        """Mend the selected finding; False when none is selected or it has no fix."""
        row = self._chosen()
        problem = self.model.problem(row) if row is not None else None
        if row is None or problem is None or not problem.fixable or problem.state == "approved":
            return False
        self.fix(row)
        return True

    def fix_kind_chosen(self) -> bool:
        """Mend every finding of the selected one's rule; False when none is selected or it has no fix."""
        row = self._chosen()
        problem = self.model.problem(row) if row is not None else None
        if row is None or problem is None or not problem.fixable or problem.state == "approved":
            return False
        self.fix_all(row)
        return True

    def approve_chosen(self) -> bool:
        """Ask to accept the selected finding; False when none is selected or it is accepted already."""
        row = self._chosen()
        problem = self.model.problem(row) if row is not None else None
        if row is None or problem is None or problem.state == "approved":
            return False
        self.approve(row)
        return True

    def show_problem(self, key: str) -> None:
        """Choose a finding by its key and explain it, whatever the filter hides."""
        if self.model.row_of(key) < 0:
            self._clear_filter()
            self.fold(True)
        row = self.model.row_of(key)
        if row >= 0:
            self.list.setCurrentIndex(self.model.index(row))
            self.list.scrollTo(self.model.index(row))

    def step(self, by: int) -> None:
        """Choose the next (+1) or previous (-1) finding that is not approved, and go there."""
        rows = [n for n in range(self.model.rowCount()) if self._is_open(n)]
        if not rows:
            said = msg("No problem matches the filter.") if self.model.filtered() else msg("There are no problems.")
            self._context.say(said)
            return
        # A list that only got the focus has a current row, but nothing is chosen yet.
        current = self._chosen()
        if current is None:
            row = rows[0] if by > 0 else rows[-1]
        else:
            ahead = [n for n in rows if n > current] if by > 0 else [n for n in rows[::-1] if n < current]
            row = ahead[0] if ahead else (rows[0] if by > 0 else rows[-1])
        index = self.model.index(row)
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)
        self.go(row)
        problem = self.model.problem(row)
        if problem is not None:
            text = msg(
                "Problem {number} of {count}: {rule}, {text}",
                number=rows.index(row) + 1,
                count=len(rows),
                rule=problem.rule,
                text=problem.text,
            )
            self._context.say(text, problem.state)

    def _is_open(self, row: int) -> bool:
        problem = self.model.problem(row)
        return problem is not None and problem.state != "approved"

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index: QModelIndex = self.list.indexAt(self.list.viewport().mapFrom(self, event.pos()))
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.list.currentIndex()
        if isinstance(self.model.row(index), Problem | Fold):
            menu = self.menu(index.row())
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())

    def menu(self, row: int) -> QMenu:
        """The menu of a row."""
        return row_menu(self, row)

    def _themed(self, _theme: object) -> None:
        self.explain.setIcon(icon("info-book", "text.2"))
        self.list.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.filter.set_placeholder(self.tr("Filter by rule, part, text"))
        self.list.setAccessibleName(self.tr("Problems"))
        self.explain.setToolTip(self.tr("Explain the chosen problem"))
        self.explain.setAccessibleName(self.explain.toolTip())
        self.explain.setIcon(icon("info-book", "text.2"))
        self._take()
        self.list.scheduleDelayedItemsLayout()
