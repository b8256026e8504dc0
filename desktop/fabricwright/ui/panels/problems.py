"""Problems: every finding with its place and what can be done about it."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QMenu, QVBoxLayout, QWidget

from fabricwright.design.calls import EditCall
from fabricwright.ui.context import UiContext
from fabricwright.ui.panels.approve_dialog import ApproveDialog
from fabricwright.ui.panels.problems_model import STATES, Problem, ProblemsModel
from fabricwright.ui.panels.problems_row import ProblemDelegate, layout_row
from fabricwright.ui.panels.severity_filter import SeverityFilter
from fabricwright.ui.panels.words import address_of, fix_calls, row_ids
from fabricwright.ui.theme import theme_changed
from fabricwright.ui.widgets import EmptyState, SearchField, set_surface
from fabricwright.units.text import N_


class _ProblemList(QListView):
    """Rows whose text actions can be clicked. ``acted(row, name)``; Enter and double click mean ``go``."""

    acted = Signal(int, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.delegate = ProblemDelegate(self)
        self.setItemDelegate(self.delegate)

    def action_at(self, point: QPoint) -> tuple[int, str]:
        """(row, action) under a point of the viewport, (-1, "") elsewhere."""
        index = self.indexAt(point)
        model = self.model()
        problem = model.problem(index) if isinstance(model, ProblemsModel) else None
        if problem is None:
            return -1, ""
        for name, _, box in layout_row(self.visualRect(index), problem).actions:
            if box.contains(point):
                return index.row(), name
        return -1, ""

    def action_box(self, row: int, name: str) -> QRect:
        """Where an action of a row is, in the viewport (tests, tool tips)."""
        model = self.model()
        problem = model.problem(row) if isinstance(model, ProblemsModel) else None
        if problem is None:
            return QRect()
        boxes = layout_row(self.visualRect(model.index(row, 0)), problem).actions
        return next((box for n, _, box in boxes if n == name), QRect())

    def _set_hot(self, hot: tuple[int, str]) -> None:
        if hot != self.delegate.hot:
            self.delegate.hot = hot
            self.viewport().update()
            shape = Qt.CursorShape.PointingHandCursor if hot[1] else Qt.CursorShape.ArrowCursor
            self.viewport().setCursor(shape)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._set_hot(self.action_at(event.position().toPoint()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._set_hot((-1, ""))
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row, name = self.action_at(event.position().toPoint())
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and name:
            self.acted.emit(row, name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            self.acted.emit(row, "go")
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def sizeHint(self) -> QSize:
        return QSize(400, 160)


class ProblemsPanel(QWidget):
    """The list. ``count_changed(int)`` tells how many findings are not approved; ``step(+1/-1)`` is F8 and Shift+F8."""

    count_changed = Signal(int)

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self._context = context
        self._count = -1
        self._checked_at = time.monotonic()
        self.model = ProblemsModel(self)
        self.list = _ProblemList(self)
        self.list.setModel(self.model)
        self.filter = SearchField()
        self.filter.setMaximumWidth(220)
        self.severities = SeverityFilter(STATES)
        self.empty = EmptyState(parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 3, 0, 3)
        column.setSpacing(0)
        column.addWidget(self.list, 1)
        column.addWidget(self.empty, 1)
        set_surface(self, "panel")
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._say_empty)
        self.list.acted.connect(self._act)
        self.list.clicked.connect(lambda index: self._go(index.row()))
        self.filter.queried.connect(lambda _text: self._refilter())
        self.filter.leave_down.connect(self.list.setFocus)
        self.severities.changed.connect(self._refilter)
        self.empty.activated.connect(self._clear_filter)
        context.analysis.changed.connect(self._analysed)
        context.place_changed.connect(self._take)
        theme_changed.connect(self._themed)
        self._retranslate()

    def head_widgets(self) -> list[QWidget]:
        """What stands at the right end of the panel's head."""
        return [self.severities, self.filter]

    # -- what is shown --------------------------------------------------------------------------------------------

    def _analysed(self, topics: frozenset[str]) -> None:
        if "status" in topics and self._context.analysis.status == "idle":
            self._checked_at = time.monotonic()
        if topics & {"findings", "status"}:
            self._take()

    def _take(self) -> None:
        chosen = self.model.problem(self.list.currentIndex())
        self.model.set_findings(self._context.design_row, self._context.analysis.findings.values())
        self._after(chosen)

    def _refilter(self) -> None:
        chosen = self.model.problem(self.list.currentIndex())
        self.model.set_filter(self.filter.text(), self.severities.chosen())
        self._after(chosen)

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
        self.list.setVisible(not nothing)
        self.empty.setVisible(nothing)
        if nothing:
            self._clock.start()
            self._say_empty()
        else:
            self._clock.stop()

    def _say_empty(self) -> None:
        if not self.empty.isVisibleTo(self):
            return
        analysis = self._context.analysis
        if self.model.total():
            self.empty.set_content([self.tr("No problem matches the filter.")], self.tr("Show all"))
        elif analysis.status in ("lost", "failed"):
            self.empty.set_content([self.tr("The checks are not running.")], "", "warning-triangle", "warn")
        elif analysis.status == "starting" or (analysis.status == "busy" and analysis.seconds is None):
            self.empty.set_content([self.tr("Checking…")])
        else:
            self.empty.set_content([self._all_clear()], "", "ok-circle", "ok")

    def _all_clear(self) -> str:
        since = time.monotonic() - self._checked_at
        seconds = f"{since:.1f}" if since < 1 else f"{since:.0f}"
        rules = self._context.analysis.figures.get("rules")
        if since >= 90:
            return self.tr("No problems.")
        if rules:
            return self.tr("No problems. {rules} rules, {seconds} s ago.").format(rules=rules, seconds=seconds)
        return self.tr("No problems. Checked {seconds} s ago.").format(seconds=seconds)

    def _clear_filter(self) -> None:
        self.filter.clear()
        for state in STATES:
            self.severities.switch(state).setChecked(True)

    # -- what can be done -----------------------------------------------------------------------------------------

    def _act(self, row: int, name: str) -> None:
        {"fix": self.fix, "approve": self.approve, "go": self._go}[name](row)

    def _go(self, row: int) -> None:
        """Open the sheet and select every place of the finding."""
        problem = self.model.problem(row)
        at = problem.finding.get("at") if problem else None
        if problem is None or not at:
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
        problem = self.model.problem(self.list.currentIndex().row() if row is None else row)
        if problem is None:
            return
        calls = [EditCall(str(c["name"]), dict(c.get("args") or {})) for c in fix_calls(problem.finding)]
        if len(calls) == 1:
            self._context.edit(calls[0])
        elif calls:
            self._context.edit_all(N_("Fix problem"), calls)

    def approve(self, row: int | None = None) -> None:
        """Ask for a reason and accept a finding."""
        problem = self.model.problem(self.list.currentIndex().row() if row is None else row)
        if problem is None or problem.state == "approved":
            return
        dialog = ApproveDialog(problem, self, str(self._context.project.meta.get("author") or ""))
        if dialog.exec():
            self._context.edit("approve", dialog.arguments())

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

    def approve_chosen(self) -> bool:
        """Ask to accept the selected finding; False when none is selected or it is accepted already."""
        row = self._chosen()
        problem = self.model.problem(row) if row is not None else None
        if row is None or problem is None or problem.state == "approved":
            return False
        self.approve(row)
        return True

    def withdraw(self, row: int) -> None:
        """Take an approval back."""
        problem = self.model.problem(row)
        if problem is not None and problem.state == "approved":
            self._context.edit("unapprove", key=problem.key)

    def step(self, by: int) -> None:
        """Choose the next (+1) or previous (-1) finding that is not approved, and go there."""
        rows = [n for n in range(self.model.rowCount()) if self._state(n) != "approved"]
        if not rows:
            return
        # A list that only got the focus has a current row, but nothing is chosen yet.
        current = self.list.currentIndex().row() if self.list.selectionModel().hasSelection() else -1
        ahead = [n for n in rows if n > current] if by > 0 else [n for n in rows[::-1] if n < current]
        if current < 0 and by < 0:
            ahead = rows[::-1]
        row = ahead[0] if ahead else (rows[0] if by > 0 else rows[-1])
        index = self.model.index(row)
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)
        self._go(row)

    def _state(self, row: int) -> str:
        problem = self.model.problem(row)
        return problem.state if problem else ""

    def next_problem(self) -> None:
        """F8."""
        self.step(1)

    def prev_problem(self) -> None:
        """Shift+F8."""
        self.step(-1)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index: QModelIndex = self.list.indexAt(self.list.viewport().mapFrom(self, event.pos()))
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.list.currentIndex()
        problem = self.model.problem(index)
        if problem is None:
            return
        row = index.row()
        menu = QMenu(self)
        menu.addAction(self.tr("Go to the place"), lambda: self._go(row))
        if problem.fixable and problem.state != "approved":
            menu.addAction(self.tr("Fix"), lambda: self.fix(row))
        if problem.state == "approved":
            menu.addAction(self.tr("Withdraw the approval"), lambda: self.withdraw(row))
        else:
            menu.addAction(self.tr("Approve…"), lambda: self.approve(row))
        menu.addSeparator()
        menu.addAction(self.tr("Copy text"), lambda: QGuiApplication.clipboard().setText(problem.sentence))
        menu.exec(event.globalPos())

    def _themed(self, _theme: object) -> None:
        self.list.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.filter.set_placeholder(self.tr("Filter by rule, part, text"))
        self.list.setAccessibleName(self.tr("Problems"))
        self._take()
        self.list.scheduleDelayedItemsLayout()
