"""The search for the best layout: how far it is, the best so far with reasons, and a button that puts one in."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from fabricwright.ui import dialogs
from fabricwright.ui.compare.ledger import Cell, Column, Ledger, Row
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.panels.words import spoken_inside
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.training.figures import gigabytes, seconds
from fabricwright.ui.widgets import TextLabel, set_surface
from fabricwright.units.text import Message

KEEP = 12


class LayoutsDialog(QDialog):
    """Stays beside the drawing; the worker searches, and closing the dialog ends it."""

    def __init__(self, context: UiContext, workload: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.workload = workload
        self._rows: list[dict[str, Any]] = []
        self.setWindowTitle(self.tr("Find layout"))
        set_surface(self, "panel")
        row = context.project.workloads.get(workload)
        self.title = TextLabel(row.title if row and row.title else workload, self, px=15, weight=SEMIBOLD)
        text = self.tr("Every TP, PP, DP, CP and EP that divides and fits, with micro-batch, interleaving, ZeRO and "
                       "recomputation; batch, precision and offload stay.")  # fmt: skip
        self.text = TextLabel(text, self, px=11.5, token="text.2", wrap=True)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.said = TextLabel("", self, px=11.5, token="text.2", wrap=True)
        self.table = Ledger(self)
        self.use = QPushButton(self.tr("Use this"), self)
        self.stop = QPushButton(self.tr("Stop"), self)
        self.again = QPushButton(self.tr("Search again"), self)
        self.shut = QPushButton(self.tr("Close"), self)
        self.use.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 14)
        column.setSpacing(8)
        for widget in (self.title, self.text, self.bar, self.said):
            column.addWidget(widget)
        column.addWidget(self.table, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.stop)
        foot.addWidget(self.again)
        foot.addStretch(1)
        foot.addWidget(self.shut)
        foot.addWidget(self.use)
        column.addLayout(foot)
        self.use.clicked.connect(lambda _c=False: self._use(self.table.current))
        self.stop.clicked.connect(lambda _c=False: context.analysis.stop_layouts())
        self.again.clicked.connect(lambda _c=False: self.start())
        self.shut.clicked.connect(lambda _c=False: self.close())
        self.table.opened.connect(lambda key: self._use(int(key)))
        context.analysis.changed.connect(self._analysed)
        dialogs.fit_to_screen(self, QSize(820, 460))

    def start(self) -> None:
        """Search from the beginning."""
        if not self.context.analysis.ask_layouts(self.workload, KEEP):
            self.said.setText(self.tr("The checks do not run; restart them in the status bar."))
        self.refresh()

    def done(self, code: int) -> None:
        """Button, Escape and title bar all come here: nobody waits for the search any longer."""
        self.context.analysis.stop_layouts()
        super().done(code)

    def _analysed(self, topics: frozenset[str]) -> None:
        if "layouts" in topics:
            self.refresh()

    def refresh(self) -> None:
        """How far it is, and the best so far."""
        found = self.context.analysis.layouts
        if not found or found.get("workload") not in (self.workload, "", None):
            return
        ended, total, done = bool(found.get("end")), int(found.get("total") or 0), int(found.get("done") or 0)
        self.bar.setRange(0, max(total, 1) if total or ended else 0)
        self.bar.setValue(max(total, 1) if ended and "error" not in found and not found.get("stopped") else done)
        self._rows = list(found.get("rows") or ())
        self.stop.setVisible(not ended)
        self.again.setVisible(ended)
        self.use.setEnabled(bool(self._rows))
        if "error" in found:
            self.said.setText(text_of(Message.from_json(found["error"])))
            self.said.set_token("error")
        else:
            self.said.set_token("text.2")
            line = self.tr("{done} of {total} layouts looked at, {fit} run.")
            if found.get("stopped"):
                line = self.tr("Stopped after {done} of {total} layouts; {fit} run.")
            self.said.setText(line.format(done=done, total=total, fit=int(found.get("fit") or 0)))
        columns = (
            Column("", 22),
            Column(self.tr("Layout"), share=1.0),
            Column(self.tr("Step"), 76, right=True),
            Column(self.tr("Per GPU"), 76, right=True),
        )
        rows = []
        for n, one in enumerate(self._rows):
            reason = spoken_inside(self.context.design_row, one["reason"])
            cells = (
                Cell(str(n + 1), "text.3"),
                Cell(text_of(Message.from_json(one["layout"])), sub=reason),
                Cell(seconds(float(one["step_time_s"])), weight=SEMIBOLD),
                Cell(gigabytes(float(one["memory_per_gpu_bytes"]))),
            )
            rows.append(Row(cells, tip=reason, key=str(n)))
        if self.table.current < 0 and rows:
            self.table.current = 0
        self.table.show_rows(columns, rows, empty=self.tr("Nothing yet.") if not ended else "")

    def _use(self, number: int) -> None:
        """Put a layout into the workload, as one entry of the undo list."""
        if not 0 <= number < len(self._rows):
            self.said.setText(self.tr("Choose a layout in the list first."))
            self.said.set_token("warn")
            return
        if self.workload not in self.context.project.workloads:
            return
        plan = {**self.context.project.workloads[self.workload].plan, **self._rows[number]["plan"]}
        kept = {name: value for name, value in plan.items() if value is not None}
        if self.context.edit("set_workload", workload=self.workload, plan=kept) is not None:
            line = self.tr("{layout} is in use; Undo takes it back.")
            self.said.setText(line.format(layout=text_of(Message.from_json(self._rows[number]["layout"]))))
            self.said.set_token("ok")
