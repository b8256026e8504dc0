"""The comparison: two drawings with what differs marked, figures, curves, training step, claims and parts.

The worker computes (``AnalysisState.comparison``); the drawings and their marks follow the document at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from fabricwright.design.diff import drawing_changes, sheet_pairs
from fabricwright.design.order import designs_in_order
from fabricwright.design.patch import Patch
from fabricwright.design.snapshots import snapshot_project
from fabricwright.design.values import Project
from fabricwright.design.versions import load_version
from fabricwright.ui.compare import contents
from fabricwright.ui.compare.head import Choice, CompareHead
from fabricwright.ui.compare.ledger import Ledger
from fabricwright.ui.compare.marks import marks_of
from fabricwright.ui.compare.pane import PairCamera, Pane
from fabricwright.ui.compare.strip import Strip
from fabricwright.ui.compare.training import StepBar, TrainingBars
from fabricwright.ui.context import UiContext
from fabricwright.ui.designs import copy_design
from fabricwright.ui.theme import SEMIBOLD, theme_changed
from fabricwright.ui.widgets import Divider, ElidedLabel, EmptyState, SegmentedSwitch, TextLabel, set_surface
from fabricwright.ui.widgets.chart_view import ChartView
from fabricwright.units.errors import UserError
from fabricwright.units.figure_text import NOTHING

TABLES = ("claims", "findings", "drawing", "figures")


class CompareView(QWidget):
    """``view`` is what the zoom commands act on. ``place_wanted`` (design, address) somebody wants to see a place on
    the drawing itself.
    """

    place_wanted = Signal(str, str)

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self.context = context
        self._in_front = False
        self._other: dict[str, Project] = {}
        self._pair = 0
        self._rows: list[dict[str, Any]] = []
        self.head = CompareHead(self)
        self.strip = Strip(self)
        self.panes = (Pane(context, self), Pane(context, self))
        self.view = PairCamera(self.panes)
        self._build()
        context.document.project_changed.connect(self._project_changed)
        context.analysis.changed.connect(self._analysed)
        context.language_changed.connect(lambda _code: self.refresh())
        theme_changed.connect(self._themed)
        self.head.chosen.connect(self._chosen)
        self.head.file_wanted.connect(self._pick_file)
        self.head.only_changed.connect(lambda _on: self._marks())
        self.head.export_wanted.connect(self._export)
        self.head.report_wanted.connect(self._report)
        self.switch.changed.connect(lambda _key: self._tables())
        for n, pane in enumerate(self.panes):
            pane.opened.connect(lambda row, n=n: self._open_row(n, row))
        self.table.opened.connect(self._open_key)
        self.head.start_with(context.project)
        self.refresh()

    # -- building -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(Divider(self))
        column.addWidget(self.strip)
        column.addWidget(Divider(self))
        self.split = QSplitter(Qt.Orientation.Vertical, self)
        self.split.setHandleWidth(1)
        self.split.setChildrenCollapsible(False)
        drawings = QWidget(self.split)
        row = QHBoxLayout(drawings)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.panes[0], 1)
        row.addWidget(Divider(drawings, vertical=True))
        row.addWidget(self.panes[1], 1)
        self.lonely = EmptyState((), "", "compare", drawings)
        self.lonely.activated.connect(lambda: copy_design(self.context))
        row.addWidget(self.lonely, 1)
        below = QWidget(self.split)
        set_surface(below, "panel")
        columns = QHBoxLayout(below)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(0)
        columns.addWidget(self._chart_column(below), 32)
        columns.addWidget(Divider(below, vertical=True))
        columns.addWidget(self._middle_column(below), 34)
        columns.addWidget(Divider(below, vertical=True))
        columns.addWidget(self._parts_column(below), 34)
        self.split.addWidget(drawings)
        self.split.addWidget(below)
        self.split.setStretchFactor(0, 51)
        self.split.setStretchFactor(1, 49)
        self.split.setSizes([510, 490])
        column.addWidget(self.split, 1)
        set_surface(self, "panel")

    def _titled(self, parent: QWidget, title: TextLabel, right: QWidget) -> tuple[QWidget, QVBoxLayout]:
        box = QWidget(parent)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 8, 0, 4)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.setContentsMargins(14, 0, 14, 0)
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(right)
        column.addLayout(head)
        return box, column

    def _chart_column(self, parent: QWidget) -> QWidget:
        self.chart_title = TextLabel("", parent, px=13, weight=SEMIBOLD)
        self.chart_note = TextLabel("", parent, px=11.5, token="text.3")
        box, column = self._titled(parent, self.chart_title, self.chart_note)
        self.chart = ChartView(box)
        self.bind_line = ElidedLabel("", box, px=12, weight=SEMIBOLD)
        self.how_line = ElidedLabel("", box, px=11.5, token="text.2")
        inner = QVBoxLayout()
        inner.setContentsMargins(12, 0, 14, 6)
        inner.setSpacing(3)
        inner.addWidget(self.chart, 1)
        inner.addWidget(Divider(box))
        inner.addSpacing(3)
        inner.addWidget(self.bind_line)
        inner.addWidget(self.how_line)
        column.addLayout(inner, 1)
        return box

    def _middle_column(self, parent: QWidget) -> QWidget:
        self.training_title = TextLabel("", parent, px=13, weight=SEMIBOLD)
        self.training_note = TextLabel("", parent, px=11.5, token="text.3")
        box, column = self._titled(parent, self.training_title, self.training_note)
        self.training = TrainingBars(box)
        self.training_line = Divider(box)
        self.training_problem = ElidedLabel("", box, px=11.5, token="text.2")
        told = QHBoxLayout()
        told.setContentsMargins(14, 0, 14, 4)
        told.addWidget(self.training_problem)
        column.addWidget(self.training)
        column.addLayout(told)
        column.addWidget(self.training_line)
        self.switch = SegmentedSwitch(tuple((name, name) for name in TABLES), TABLES[0], box)
        self.table_note = TextLabel("", box, px=11.5, token="text.3")
        head = QHBoxLayout()
        head.setContentsMargins(14, 2, 14, 0)
        head.addWidget(self.switch)
        head.addStretch(1)
        head.addWidget(self.table_note)
        column.addLayout(head)
        self.table = Ledger(box)
        column.addWidget(self.table, 1)
        return box

    def _parts_column(self, parent: QWidget) -> QWidget:
        self.parts_title = TextLabel("", parent, px=13, weight=SEMIBOLD)
        self.parts_note = TextLabel("", parent, px=11.5, token="text.3")
        box, column = self._titled(parent, self.parts_title, self.parts_note)
        self.pairs = SegmentedSwitch((("0", "A \u203a B"), ("1", "A \u203a C")), "0", box)
        self.pairs.changed.connect(self._pick_pair)
        column.itemAt(0).layout().addWidget(self.pairs)  # type: ignore[attr-defined]
        self.parts = Ledger(box)
        column.addWidget(self.parts, 1)
        self.amounts = ElidedLabel("", box, px=11.5, token="text.2")
        foot = QHBoxLayout()
        foot.setContentsMargins(14, 0, 14, 4)
        foot.addWidget(self.amounts, 1)
        column.addLayout(foot)
        return box

    # -- what is asked ------------------------------------------------------------------------------------------------

    def shown(self, on: bool) -> None:
        """In front or not: only then anything is computed."""
        self._in_front = on
        self._ask()
        if on:
            self.refresh()
            self.view.fit()

    def _pick_pair(self, key: str) -> None:
        self._pair = int(key)
        self._tables()

    def _ask(self) -> None:
        sides = [side.to_wire() for side in self.head.known()] if self._in_front else []
        self.context.analysis.ask_comparison(sides if len(sides) > 1 else [])

    def _project_changed(self, patch: Patch | None) -> None:
        if patch is None:
            self._other.clear()
            self.head.start_with(self.context.project)
        else:
            self.head.show_project(self.context.project)
        if not self._in_front:
            return
        self._ask()
        self._drawings(patch)
        if patch is None:
            self.refresh()

    def _chosen(self) -> None:
        if len(self.head.known()) < 3:
            self._pair = 0
            self.pairs.set_current("0")
        self._ask()
        self.refresh()
        self.view.fit()

    def _pick_file(self, number: int) -> None:
        from fabricwright.ui import dialogs

        document = self.context.document
        path = dialogs.ask_open(self.window(), str(document.file.parent) if document.file else "")
        if path is not None:
            self.open_file(number, Path(path))

    def open_file(self, number: int, path: Path) -> bool:
        """Put the first design of another file (that of the same id where it has one) on a side."""
        from fabricwright.ui import dialogs

        try:
            project = load_version(path)
            order = designs_in_order(project)
            if not order:
                return False
        except UserError as error:
            dialogs.show_problem(self.window(), error.message)
            return False
        self._other[str(path)] = project
        before = self.head.sides[number]
        wanted = before.design if before is not None and before.design in project.designs else order[0]
        self.head.set_side(number, Choice(wanted, str(path)))
        return True

    # -- what is shown ------------------------------------------------------------------------------------------------

    def project_of(self, choice: Choice) -> Project:
        """The project that a side is of."""
        if choice.snapshot and choice.snapshot in self.context.project.snapshots:
            return snapshot_project(self.context.project, choice.snapshot)
        return self._other.get(choice.file, Project()) if choice.file else self.context.project

    def refresh(self) -> None:
        """Everything anew; nothing while another view is in front."""
        if not self._in_front:
            return
        self._drawings(None)
        self._texts()
        self._figures()
        self._tables()

    def _drawings(self, patch: Patch | None) -> None:
        sides = self.head.sides
        self.panes[1].setVisible(sides[1] is not None)
        self.lonely.setVisible(sides[1] is None)
        for pane, side in zip(self.panes, sides, strict=False):
            if side is not None:
                pane.show_project(self.project_of(side), patch, side.design)
        self._marks()

    def _marks(self) -> None:
        """What differs, from the document itself: nobody waits for the worker to see it."""
        a, b = self.head.sides[:2]
        if a is None or b is None:
            return
        one, two = self.project_of(a), self.project_of(b)
        if a.design not in one.designs or b.design not in two.designs:
            return
        self._rows = [row.to_json() for row in drawing_changes(one, a.design, two, b.design)]
        for pane, side in zip(self.panes, ("a", "b"), strict=True):
            marks = marks_of(self._rows, side, pane.context.sheet)
            marks.only = self.head.only.isChecked()
            pane.view.set_marks(marks)

    def _analysed(self, topics: frozenset[str]) -> None:
        if topics & {"comparison", "status"} and self._in_front:
            self._figures()
            self._tables()

    def _themed(self, _theme: object) -> None:
        for widget in (self.strip, self.training, self.table.viewport(), self.parts.viewport()):
            widget.update()

    def _texts(self) -> None:
        self.chart_title.setText(self.tr("AllReduce bandwidth by message size"))
        self.training_title.setText(self.tr("Training step"))
        self.training_note.setText("s")
        self.parts_title.setText(self.tr("Bill of materials, difference"))
        self.pairs.setAccessibleName(self.tr("Which sides"))
        self.lonely.set_content(
            (
                self.tr("There is nothing to compare with yet."),
                self.tr("Choose another file or a snapshot above, or change a copy of this design."),
            ),
            self.tr("Copy this design"),
            "compare",
        )
        words = {
            "claims": self.tr("Claims checked"),
            "findings": self.tr("Findings"),
            "drawing": self.tr("Drawing"),
            "figures": self.tr("Figures"),
        }
        self.switch.set_options([(name, words[name]) for name in TABLES])
        for table, name in ((self.table, words["claims"]), (self.parts, self.parts_title.text())):
            table.setAccessibleName(name)

    @property
    def comparison(self) -> dict[str, Any]:
        """What the worker told of the sides that are chosen."""
        found = self.context.analysis.comparison
        return found if found.get("asked") == [side.to_wire() for side in self.head.known()] else {}

    def _figures(self) -> None:
        found = self.comparison
        error = found.get("error")
        names = self.head.names()
        waiting = self.tr("Comparing…") if len(names) > 1 else self.tr("Choose two designs to compare.")
        self.strip.show_figures(contents.strip(found))
        self.strip.set_stale(bool(found) and self.context.analysis.status == "busy" and "claims" not in found)
        self.chart.set_empty_text(contents.spoken(error) if error else waiting)
        self.chart.set_model(contents.chart(found, names))
        binds, how = contents.binds(found)
        self.bind_line.set_text(binds)
        self.how_line.set_text(how)
        figures = contents.figures_told(found)
        told = figures.get("designs") or []
        self.chart_note.setText(
            self.tr("{gpus} GPUs, {servers} servers").format(
                gpus=f"{told[0]['gpus']:,}", servers=f"{told[0]['servers']:,}"
            )
            if told and all((d["gpus"], d["servers"]) == (told[0]["gpus"], told[0]["servers"]) for d in told)
            else ""
        )
        lines = figures.get("networks") or []
        for n, pane in enumerate(self.panes):
            pane.name.setText(names[n] if n < len(names) else "")
            servers, uplinks = lines[n] if n < len(lines) else (None, None)
            pane.network.set_text(contents.spoken(servers))
            pane.uplinks.setText(contents.spoken(uplinks))
        self._training(found, names)

    def _training(self, found: dict[str, Any], names: list[str]) -> None:
        figures = contents.figures_told(found)
        steps = [d.get("training") for d in figures.get("designs") or []]
        bars: list[StepBar] = []
        for name, step in zip(names, steps, strict=False):
            if step:
                compute, comm = float(step["compute_s"]), float(step["exposed_communication_s"])
                rest = max(0.0, float(step["step_time_s"]) - compute - comm)
                pieces = [(self.tr("compute"), compute, "pcie"), (self.tr("comm"), comm, "rail1")]
                if rest > 0.005 * float(step["step_time_s"]):
                    pieces.append((self.tr("other"), rest, "mgmt"))
                bars.append(StepBar(name, float(step["step_time_s"]), tuple(pieces)))
        claimed = self._claimed_gain(found)
        if len(bars) > 1 and claimed:
            text = self.tr("+{percent} % throughput").format(percent=f"{claimed * 100:.0f}")
            bars.append(StepBar(self.tr("Claim"), bars[0].seconds / (1 + claimed), claim=text))
        self.training.show_bars(tuple(bars) if len(bars) > 1 else ())
        problems = [contents.spoken(p) for p in figures.get("training_problems") or [] if p]
        problem = problems[0] if problems and not self.training.bars else ""
        self.training_problem.set_text(problem)
        self.training_problem.setVisible(bool(problem))
        self.training_note.setVisible(bool(self.training.bars))
        for widget in (self.training_title, self.training_line):
            widget.setVisible(bool(self.training.bars or problem))

    @staticmethod
    def _claimed_gain(found: dict[str, Any]) -> float:
        for row in found.get("claims") or ():
            if row["quantity"] == "train.gain" and isinstance(row["value"], (int, float)):
                return float(row["value"])
        return 0.0

    def _tables(self) -> None:
        found, lang = self.comparison, self.context.language
        self.pairs.setVisible(len(self.head.known()) > 2)
        pair = len(self.head.known()) > 1
        waiting = "" if found else self.tr("Comparing…") if pair else self.tr("Choose two designs to compare.")
        which = self.switch.current()
        note = ""
        if which == "claims":
            columns, rows, open_ones = contents.claims(found, lang)
            if open_ones and rows:
                note = self.tr("{count} more are not judged").format(count=open_ones)
            empty = waiting or self.tr("No statement was judged on these sides.")
        elif which == "findings":
            columns, rows = contents.findings(found, self._pair)
            empty = waiting or self.tr("No finding gained, none lost.")
        elif which == "drawing":
            columns, rows = contents.drawing({"drawing": [self._rows]}, 0)
            empty = self.tr("The drawings are the same.") if pair else waiting
        else:
            columns, rows = contents.figures(found, len(self.head.known()))
            empty = waiting
        self.table.show_rows(columns, rows, empty=empty)
        self.table_note.setText(note)
        columns, rows, total = contents.parts(found, self._pair, lang)
        self.parts.show_rows(
            columns,
            rows,
            total=total,
            note=self.tr("Parts that are equal on both sides are not listed.") if rows else "",
            empty=waiting or self.tr("Both sides need the same parts."),
        )
        missing = sum(row.cells[-1].text == NOTHING for row in rows) if total is not None else 0
        if missing:
            self.parts_note.setText(self.tr("{count} without a price").format(count=missing))
        else:
            self.parts_note.setText("" if total is not None or not rows else self.tr("no prices loaded"))
        self.amounts.set_text(contents.amounts(found, self._pair) if found.get("bom") else "")

    # -- going places -------------------------------------------------------------------------------------------------

    def _open_row(self, number: int, row: str) -> None:
        """A card was double-clicked: into its sheet on both sides, or on the drawing itself."""
        pane = self.panes[number]
        item = pane.context.sheet_row.items.get(row)
        if item is not None and item.of and item.of.startswith("sheet:"):
            self._enter(number, item.of[6:])
            return
        if pane.context.sheet != pane.context.design_row.root and row not in pane.context.sheet_row.items:
            self._leave()
            return
        self._wanted(number, row)

    def _enter(self, number: int, sheet: str) -> None:
        designs = [pane.context.design_row for pane in self.panes]
        for pair in sheet_pairs(*designs):
            if pair[number] == sheet:
                for pane, name in zip(self.panes, pair, strict=True):
                    if name:
                        pane.show_sheet(name)
                break
        self._marks()
        self.view.fit()

    def _leave(self) -> None:
        for pane in self.panes:
            pane.show_sheet("")
        self._marks()
        self.view.fit()

    def _open_key(self, key: str) -> None:
        """A row of a table was double-clicked: ``a|sheet|id``, ``b|address`` or ``at|address``."""
        side, _, place = key.partition("|")
        number = 0 if side == "a" else 1
        if "|" in place:
            sheet, _, row = place.partition("|")
            pane = self.panes[number]
            host = pane.context.host_of(sheet)
            place = f"{host}/{row}" if host else row
        self._wanted(number, place)

    def _wanted(self, number: int, place: str) -> None:
        choice = self.head.sides[number]
        if choice is None or not place or place.startswith(("design:", "part:", "workload:", "document:")):
            return
        if choice.file or choice.snapshot:
            pane = self.panes[number]
            pane.context.go_to(place.rpartition("!")[2])
            self._marks()
            return
        pane = self.panes[number]
        if pane.context.host and "/" not in place and pane.context.sheet != pane.context.design_row.root:
            place = f"{pane.context.host}/{place}"
        design, mark, rest = place.rpartition("!")
        self.place_wanted.emit(design if mark else choice.design, rest)

    def _report(self) -> None:
        from fabricwright.ui.export.report_dialog import export_report

        first = next((side.design for side in self.head.known() if not (side.file or side.snapshot)), "")
        window: Any = self.window()
        export_report(window, first)

    def _export(self) -> None:
        from fabricwright.ui.compare.export import export_comparison

        export_comparison(self)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)
