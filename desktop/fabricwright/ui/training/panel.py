"""The training panel: what a step of the workload takes on what is drawn, where the memory goes, what it costs, what
would change it. The worker computes (``AnalysisState.training``); nothing here waits.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from fabricwright.design.order import chosen_workload, designs_in_order
from fabricwright.design.patch import Patch
from fabricwright.ui.canvas.placement import KINDS
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.icons import icon
from fabricwright.ui.theme import follow_theme
from fabricwright.ui.training.sections import StepSections
from fabricwright.ui.training.verbs import WorkloadVerbs
from fabricwright.ui.widgets import (
    EmptyState,
    FlowLayout,
    NoticeBox,
    SegmentedSwitch,
    TextLabel,
    set_surface,
)
from fabricwright.units.text import Message


class TrainingPanel(QWidget):
    """Figures that are older than the drawing are pale."""

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self.context = context
        self._against = ""
        self._workload = ""
        self._design = context.design
        self._rows: list[dict[str, Any]] = []
        self.verbs = WorkloadVerbs(context, lambda: self.workload, self)
        self._build()
        self.verbs.looked_at.connect(self._look_at)
        context.analysis.changed.connect(self._analysed)
        context.document.project_changed.connect(self._project_changed)
        context.place_changed.connect(self._placed)
        context.language_changed.connect(lambda _code: self._retranslate())
        follow_theme(self._themed)
        self._retranslate()

    # -- building -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.workload_box, self.against_box = QComboBox(self), QComboBox(self)
        for box, least in ((self.workload_box, 120), (self.against_box, 110)):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(least)
            box.setMaximumWidth(190)
            box.setFixedHeight(26)
        self.against = QWidget(self)
        self.against_label = TextLabel("", self.against, px=12, token="text.2")
        pair = QHBoxLayout(self.against)
        pair.setContentsMargins(0, 0, 0, 0)
        pair.setSpacing(6)
        pair.addWidget(self.against_label)
        pair.addWidget(self.against_box)
        self.edit_button = QPushButton(self)
        self.search_button = QPushButton(self)
        for button in (self.edit_button, self.search_button):
            button.setFixedHeight(26)
            button.setAutoDefault(False)
        self.more_button = QToolButton(self)
        self.more_button.setAutoRaise(True)
        self.more_button.setFixedSize(26, 26)
        self.shown = SegmentedSwitch([(k, k) for k in ("", *KINDS)], "", self)
        bar = QWidget(self)
        flow = FlowLayout(bar)
        flow.setContentsMargins(0, 0, 0, 0)
        flow.setSpacing(8)
        pieces: tuple[QWidget, ...] = (
            self.workload_box,
            self.edit_button,
            self.more_button,
            self.search_button,
            self.against,
        )
        for widget in pieces:
            flow.addWidget(widget)
        self.notice = NoticeBox(self)
        self.notice.hide()
        self.step = StepSections(self.context, self)
        inner = QWidget(self)
        set_surface(inner, "panel")
        column = QVBoxLayout(inner)
        column.setContentsMargins(14, 8, 14, 8)
        column.setSpacing(8)
        column.addWidget(bar)
        column.addWidget(self.notice)
        column.addWidget(self.step)
        column.addStretch(1)
        self.empty = EmptyState(parent=self)
        self.empty.activated.connect(lambda: self.verbs.edit(new=True))
        scroll = QScrollArea(self)
        scroll.setWidget(inner)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area = scroll
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        outer.addWidget(self.empty)
        set_surface(self, "panel")
        self.workload_box.activated.connect(lambda _n: self._pick_workload())
        self.against_box.activated.connect(lambda _n: self._pick_against())
        self.edit_button.clicked.connect(lambda _c=False: self.verbs.edit())
        self.search_button.clicked.connect(lambda _c=False: self.verbs.search())
        self.more_button.clicked.connect(lambda _c=False: self.verbs.show_menu(self.more_button))
        self.step.prices_wanted.connect(lambda: self.verbs.edit(page="money"))
        self.shown.changed.connect(self.show_placement)
        self.step.changes.picked.connect(self._pick_change)

    def sizeHint(self) -> QSize:
        return QSize(620, 190)

    def head_widgets(self) -> list[QWidget]:
        """What stands at the right end of the panel's head."""
        return [self.shown]

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._ask()

    # -- what is asked ------------------------------------------------------------------------------------------------

    @property
    def workload(self) -> str:
        """Id of the workload that is looked at, "" when there is none."""
        rows = self.context.project.workloads
        if self._workload in rows:
            return self._workload
        return chosen_workload(self.context.project, self.context.design_row) or next(iter(rows.ordered()), "")

    def _ask(self) -> None:
        """Figures are computed only while somebody looks at them, or at the placement on the canvas."""
        analysis = self.context.analysis
        wanted = None
        if self.workload and (self.isVisible() or analysis.placement):
            wanted = {"workload": self.workload, "against": self._against}
        analysis.ask(training_wanted=wanted)

    def _pick_workload(self) -> None:
        """Another workload; it becomes the design's own, so that the checks judge by the same one."""
        self._workload = str(self.workload_box.currentData() or "")
        if self._workload and self._workload != self.context.design_row.settings.get("workload"):
            self.context.edit("set_setting", key="workload", value=self._workload)
        self._ask()
        self.refresh()

    def _look_at(self, workload: str) -> None:
        self._workload = workload
        self._ask()
        self.refresh()

    def _pick_against(self) -> None:
        self._against = str(self.against_box.currentData() or "")
        self._ask()
        self.refresh()

    def show_placement(self, kind: str) -> None:
        """Colour the canvas by groups of a kind; "" takes the colours away."""
        self.shown.set_current(kind)
        self.context.analysis.update(placement=kind)
        self._ask()

    def _pick_change(self, row: int) -> None:
        """Select on the canvas what the change is about."""
        places = self.step.changes.rows[row].at
        if not places:
            return
        if self.context.go_to(places[0]) and len(places) > 1:
            names = [place.rpartition("/")[2] for place in places]
            eff = self.context.eff
            ids = [name for name in names if name in eff.items or name in eff.links or name in eff.builtin_links]
            if ids:
                self.context.document.select(ids)
                self.context.reveal.emit(ids)

    # -- what is shown ------------------------------------------------------------------------------------------------

    def _analysed(self, topics: frozenset[str]) -> None:
        if topics & {"training", "status"}:
            self.refresh()
        if "placement" in topics and self.shown.current() != self.context.analysis.placement:
            self.shown.set_current(self.context.analysis.placement)

    def _project_changed(self, patch: Patch | None) -> None:
        if patch is None:
            self._workload = self._against = ""
        self._ask()
        self.refresh()

    def _placed(self) -> None:
        if self.context.design != self._design:
            self._design = self.context.design
            self._workload = ""
            self._ask()
        self.refresh()

    def _themed(self, _theme: object) -> None:
        self.update()

    def refresh(self) -> None:
        """Everything as it is known now; nothing while out of sight."""
        if not self.isVisible():
            return
        self._choices()
        there = bool(self.workload)
        self.area.setVisible(there)
        self.empty.setVisible(not there)
        if not there:
            self.empty.set_content(
                [self.tr("No workload yet: what is trained here, and how is it spread over the GPUs?")],
                self.tr("Add a workload…"),
            )
            return
        analysis = self.context.analysis
        known = analysis.training
        mine = known if known.get("design") == self.context.design and known.get("asked") == self.workload else {}
        step = mine.get("step") or {}
        fits = "step_time_s" in step
        stale = analysis.status == "busy" or not mine
        self.step.set_stale(stale)
        self._problem(mine, step)
        self.step.setVisible(fits)
        if fits:
            self.step.show_step(mine, step)

    def _choices(self) -> None:
        project = self.context.project
        rows = [(name, project.workloads[name].title or name) for name in project.workloads.ordered()]
        _fill(self.workload_box, rows, self.workload)
        others = [d for d in designs_in_order(project) if d != self.context.design]
        if self._against not in others:
            self._against = ""
        names = [("", self.tr("nothing"))] + [(d, project.designs[d].title or d) for d in others]
        _fill(self.against_box, names, self._against)
        self.against.setVisible(bool(others))

    def _problem(self, mine: dict[str, Any], step: dict[str, Any]) -> None:
        """Why there is no step, with the nearest that works and a button for it; or that it is being worked out."""
        analysis = self.context.analysis
        self.notice.setVisible("error" in step or not mine)
        if "error" in step:
            near = step.get("nearest")
            buttons = []
            line = ""
            if near:
                words = text_of(Message.from_json(near["words"]))
                buttons.append((self.tr("Use the nearest that works"), lambda: self.verbs.apply_plan(near["plan"])))
                line = self.tr("Nearest that works: {layout}, batch {gbs}.").format(layout=words, gbs=near["gbs"])
            sentence = text_of(Message.from_json(step["error"]))
            self.notice.set_notice("error", sentence, line, buttons)
        elif not mine:
            gone = analysis.status in ("lost", "failed")
            text = self.tr("The checks do not run; restart them in the status bar.")
            self.notice.set_notice("info", text if gone else self.tr("Working out the step…"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.edit_button.setText(self.tr("Edit…"))
        self.search_button.setText(self.tr("Find layout…"))
        self.search_button.setToolTip(self.tr("Search TP, PP, DP, CP and EP for the fastest that fits"))
        self.more_button.setIcon(icon("more", "text.2"))
        self.more_button.setToolTip(self.tr("Add, duplicate, rename, remove"))
        self.more_button.setAccessibleName(self.tr("Workloads"))
        self.workload_box.setAccessibleName(self.tr("Workload"))
        self.against_label.setText(self.tr("against"))
        self.against_box.setAccessibleName(self.tr("Compare with design"))
        self.shown.set_options([("", self.tr("off")), ("tp", "TP"), ("pp", "PP"), ("dp", "DP")])
        self.shown.setToolTip(
            self.tr("Colour the GPUs by tensor-parallel group, pipeline stage or data-parallel group")
        )
        self.shown.setAccessibleName(self.tr("Placement of the ranks on the drawing"))
        self.step.retranslate()
        self.refresh()


def _fill(box: QComboBox, rows: list[tuple[str, str]], current: str) -> None:
    """Entries of a box, only where they have changed (an open list would close)."""
    there = [(str(box.itemData(n)), box.itemText(n)) for n in range(box.count())]
    if there != rows:
        box.clear()
        for key, title in rows:
            box.addItem(title, key)
    box.setCurrentIndex(max(box.findData(current), 0) if rows else -1)
