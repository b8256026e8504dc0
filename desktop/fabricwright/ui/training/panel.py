"""The training panel: what a step of the workload takes on what is drawn, where the memory goes, what it costs, what
would change it. The worker computes (``AnalysisState.training``); nothing here waits.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
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
from fabricwright.ui.theme import SEMIBOLD, theme_changed
from fabricwright.ui.training import contents
from fabricwright.ui.training.bars import StackedBars
from fabricwright.ui.training.changes import ChangeList
from fabricwright.ui.training.figures import definition
from fabricwright.ui.training.verbs import WorkloadVerbs
from fabricwright.ui.widgets import (
    EmptyState,
    FlowLayout,
    KpiLabel,
    NoticeBox,
    SegmentedSwitch,
    TextButton,
    TextLabel,
    set_surface,
)
from fabricwright.units.text import Message

KPIS = ("step", "days", "mfu", "use", "share", "tokens")
_TWO_PX, _THREE_PX = 560, 900


class Section(QWidget):
    """A titled part of the panel."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.title = TextLabel("", self, px=12, weight=SEMIBOLD)
        self.note = TextLabel("", self, px=11, token="text.3")
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self.title)
        head.addStretch(1)
        head.addWidget(self.note)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 6)
        self.column.setSpacing(4)
        self.column.addLayout(head)

    def add(self, widget: QWidget) -> None:
        """One more widget below."""
        self.column.addWidget(widget)


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
        self._columns = 0
        self._build()
        self.verbs.looked_at.connect(self._look_at)
        context.analysis.changed.connect(self._analysed)
        context.document.project_changed.connect(self._project_changed)
        context.place_changed.connect(self._placed)
        context.language_changed.connect(lambda _code: self._retranslate())
        theme_changed.connect(self._themed)
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
        self.kpis = {key: KpiLabel(large=False) for key in KPIS}
        self.kpi_row = QWidget(self)
        row = FlowLayout(self.kpi_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(22)
        for label in self.kpis.values():
            row.addWidget(label)
        self.step_section, self.step_bars = Section(self), StackedBars(self)
        self.memory_section, self.memory_bars = Section(self), StackedBars(self, own_scale=True)
        self.host_bars = StackedBars(self, own_scale=True)
        self.host_line = TextLabel("", self, px=11, token="text.2", wrap=True)
        self.change_section, self.changes = Section(self), ChangeList(self)
        self.money_section, self.money_text = Section(self), TextLabel("", self, px=11.5, wrap=True)
        self.money_link = TextButton("", self, px=11.5)
        self.talk_section, self.talk_text = Section(self), TextLabel("", self, px=11.5, token="text.2", wrap=True)
        self.note_section, self.note_text = Section(self), TextLabel("", self, px=11.5, token="text.2", wrap=True)
        for section, widgets in (
            (self.step_section, (self.step_bars,)),
            (self.memory_section, (self.memory_bars, self.host_bars, self.host_line)),
            (self.change_section, (self.changes,)),
            (self.money_section, (self.money_text, self.money_link)),
            (self.talk_section, (self.talk_text,)),
            (self.note_section, (self.note_text,)),
        ):
            for widget in widgets:
                section.add(widget)
        self.sections = (
            self.step_section, self.memory_section, self.change_section,
            self.talk_section, self.money_section, self.note_section,
        )  # fmt: skip
        inner = QWidget(self)
        set_surface(inner, "panel")
        column = QVBoxLayout(inner)
        column.setContentsMargins(14, 8, 14, 8)
        column.setSpacing(8)
        column.addWidget(bar)
        column.addWidget(self.notice)
        column.addWidget(self.kpi_row)
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(26)
        self.grid.setVerticalSpacing(4)
        column.addLayout(self.grid)
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
        self.money_link.clicked.connect(lambda _c=False: self.verbs.edit(page="money"))
        self.shown.changed.connect(self.show_placement)
        self.changes.picked.connect(self._pick_change)
        self._arrange(1)

    def sizeHint(self) -> QSize:
        return QSize(620, 190)

    def head_widgets(self) -> list[QWidget]:
        """What stands at the right end of the panel's head."""
        return [self.shown]

    def _arrange(self, columns: int) -> None:
        """Sections in one, two or three columns."""
        if columns == self._columns:
            return
        self._columns = columns
        for section in self.sections:
            self.grid.removeWidget(section)
        for n in range(3):
            self.grid.setColumnStretch(n, 1 if n < columns else 0)
        for n, section in enumerate(self.sections):
            self.grid.addWidget(section, n // columns, n % columns, Qt.AlignmentFlag.AlignTop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width()
        self._arrange(3 if wide >= _THREE_PX else 2 if wide >= _TWO_PX else 1)

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
        places = self.changes.rows[row].at
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
        for label in self.kpis.values():
            label.set_stale(stale)
        self._problem(mine, step)
        for widget in (self.kpi_row, *self.sections):
            widget.setVisible(fits)
        if fits:
            self._figures(mine, step)

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

    def _figures(self, mine: dict[str, Any], step: dict[str, Any]) -> None:
        other = mine.get("other") or {}
        other = other if "step_time_s" in other else {}
        for key, shown in contents.kpis(step, other).items():
            self.kpis[key].set_figure(shown.value, note=shown.note, before=shown.before)
        designs = self.context.project.designs
        name = designs[self.context.design].title or self.context.design
        title = designs[other["design"]].title or other["design"] if other.get("design") in designs else ""
        self.step_section.note.setText(text_of(Message.from_json(step["layout"])) if "layout" in step else "")
        self.step_bars.show_bars(contents.step_bars(step, other, name, title))
        self.memory_bars.show_bars(contents.gpu_bars(step, other, title))
        self.host_bars.show_bars(contents.host_bars(step, other, title))
        self.host_line.setText(contents.offload_line(step))
        self.host_line.setVisible(bool(self.host_line.text()))
        self.memory_section.note.setText(str(step.get("gpu", "")))
        self.changes.show_rows(contents.changes(step))
        self.talk_text.setText("\n".join(contents.communication_lines(step)))
        money = contents.money_lines(step, other, mine.get("saving"), title)
        self.money_text.setText("\n".join(money) or self.tr("No prices are stated."))
        self.money_link.setText(self.tr("Prices…"))
        notes = [text_of(Message.from_json(note)) for note in step.get("notes", ())]
        self.note_text.setText("\n".join(notes))
        refused = (mine.get("other") or {}).get("error")
        if refused:
            line = self.tr("{design}: {reason}")
            who = designs[mine["other"]["design"]].title if mine["other"]["design"] in designs else ""
            self.note_text.setText(
                "\n".join([*notes, line.format(design=who, reason=text_of(Message.from_json(refused)))])
            )
        self.note_section.setVisible(bool(self.note_text.text()))

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
        self.step_section.title.setText(self.tr("Step"))
        self.memory_section.title.setText(self.tr("Memory"))
        self.change_section.title.setText(self.tr("What would change the step"))
        self.change_section.note.setText(self.tr("click shows it"))
        self.talk_section.title.setText(self.tr("Communication"))
        self.money_section.title.setText(self.tr("Money"))
        self.note_section.title.setText(self.tr("Assumed"))
        captions = {
            "step": self.tr("Step"),
            "days": self.tr("Training"),
            "mfu": self.tr("MFU"),
            "use": self.tr("GPU utilisation"),
            "share": self.tr("Communication share"),
            "tokens": self.tr("Tokens a second"),
        }
        for key, label in self.kpis.items():
            label.set_caption(captions[key])
            label.setToolTip(definition(key))
        self.refresh()


def _fill(box: QComboBox, rows: list[tuple[str, str]], current: str) -> None:
    """Entries of a box, only where they have changed (an open list would close)."""
    there = [(str(box.itemData(n)), box.itemText(n)) for n in range(box.count())]
    if there != rows:
        box.clear()
        for key, title in rows:
            box.addItem(title, key)
    box.setCurrentIndex(max(box.findData(current), 0) if rows else -1)
