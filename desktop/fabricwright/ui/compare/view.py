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
from fabricwright.ui.compare.figures import CompareFigures
from fabricwright.ui.compare.head import Choice, CompareHead
from fabricwright.ui.compare.marks import marks_of
from fabricwright.ui.compare.pane import PairCamera, Pane
from fabricwright.ui.compare.strip import Strip
from fabricwright.ui.context import UiContext
from fabricwright.ui.designs import copy_design
from fabricwright.ui.theme import follow_theme
from fabricwright.ui.widgets import Divider, EmptyState, set_surface
from fabricwright.units.errors import UserError


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
        self.head = CompareHead(self)
        self.strip = Strip(self)
        self.panes = (Pane(context, self), Pane(context, self))
        self.view = PairCamera(self.panes)
        self.figures = CompareFigures(context, self)
        self._build()
        context.document.project_changed.connect(self._project_changed)
        context.analysis.changed.connect(self._analysed)
        context.language_changed.connect(lambda _code: self.refresh())
        follow_theme(self._themed)
        self.head.chosen.connect(self._chosen)
        self.head.file_wanted.connect(self._pick_file)
        self.head.only_changed.connect(lambda _on: self._marks())
        self.head.export_wanted.connect(self._export)
        self.head.report_wanted.connect(self._report)
        for n, pane in enumerate(self.panes):
            pane.opened.connect(lambda row, n=n: self._open_row(n, row))
        self.figures.opened.connect(self._open_key)
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
        self.split.addWidget(drawings)
        self.split.addWidget(self.figures)
        self.split.setStretchFactor(0, 51)
        self.split.setStretchFactor(1, 49)
        self.split.setSizes([510, 490])
        column.addWidget(self.split, 1)
        set_surface(self, "panel")

    # -- what is asked ------------------------------------------------------------------------------------------------

    def shown(self, on: bool) -> None:
        """In front or not: only then anything is computed."""
        self._in_front = on
        self._ask()
        if on:
            self.refresh()
            self.view.fit()

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
            self.figures.first_pair()
        self._ask()
        self.refresh()
        self.view.fit()

    def _pick_file(self, number: int) -> None:
        from fabricwright.ui import dialogs

        document = self.context.document
        path = dialogs.ask_open(self.window(), str(document.file.parent) if document.file else "")
        if path is not None:
            self.open_file(number, Path(path))

    def open_file(self, number: int, path: Path, design: str = "") -> bool:
        """Put a design of another file on a side: ``design`` where it has that, else that of the side's id, else its
        first.
        """
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
        likely = (design, before.design if before is not None else "")
        wanted = next((name for name in likely if name in project.designs), order[0])
        self.head.set_side(number, Choice(wanted, str(path), title=project.designs[wanted].title))
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
        self.figures.retranslate()
        self._show_figures()

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
        rows = [row.to_json() for row in drawing_changes(one, a.design, two, b.design)]
        self.figures.show_drawing(rows)
        for pane, side in zip(self.panes, ("a", "b"), strict=True):
            marks = marks_of(rows, side, pane.context.sheet)
            marks.only = self.head.only.isChecked()
            pane.view.set_marks(marks)

    def _analysed(self, topics: frozenset[str]) -> None:
        if topics & {"comparison", "status"} and self._in_front:
            self._show_figures()

    def _themed(self, _theme: object) -> None:
        self.strip.update()
        self.figures.repaint_themed()

    def _texts(self) -> None:
        self.lonely.set_content(
            (
                self.tr("There is nothing to compare with yet."),
                self.tr("Choose another file or a snapshot above, or change a copy of this design."),
            ),
            self.tr("Copy this design"),
            "compare",
        )

    @property
    def comparison(self) -> dict[str, Any]:
        """What the worker told of the sides that are chosen."""
        found = self.context.analysis.comparison
        return found if found.get("asked") == [side.to_wire() for side in self.head.known()] else {}

    def _show_figures(self) -> None:
        found, names = self.comparison, self.head.names()
        self.strip.show_figures(contents.strip(found))
        self.strip.set_stale(bool(found) and self.context.analysis.status == "busy" and "claims" not in found)
        lines = contents.figures_told(found).get("networks") or []
        for n, pane in enumerate(self.panes):
            pane.name.setText(names[n] if n < len(names) else "")
            servers, uplinks = lines[n] if n < len(lines) else (None, None)
            drawn = bool(pane.context.sheet_row.items)
            pane.network.set_text(contents.spoken(servers) if drawn else self.tr("nothing is drawn on this side"))
            pane.uplinks.setText(contents.spoken(uplinks))
        self.figures.show_comparison(found, names)

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
