"""Sweeps in the middle of the window: fields and values, figures, a run in processes of its own, table and plot."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QProgressBar, QPushButton, QVBoxLayout, QWidget

from fabricwright.design.variation import Field, Value, variant_patch
from fabricwright.exchange.tabular import to_csv
from fabricwright.ui import dialogs
from fabricwright.ui.canvas.panel import PathBar
from fabricwright.ui.context import UiContext
from fabricwright.ui.session import documents
from fabricwright.ui.sweep.choice import SweepChoice
from fabricwright.ui.sweep.columns import columns_of
from fabricwright.ui.sweep.field_names import name_of
from fabricwright.ui.sweep.job import SweepJob
from fabricwright.ui.sweep.model import cell_text
from fabricwright.ui.sweep.results import SweepResults
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import Divider, ElidedLabel, EmptyState, TextLabel, set_surface
from fabricwright.units.errors import UserError
from fabricwright.units.files import replace_file
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.text import msg

LEFT_PX = 300
ESTIMATE_AFTER_MS = 700
SHOW_EVERY_MS = 250
LIMIT = 2000


class SweepView(QWidget):
    """Choice at the left, plot above the table at the right."""

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.job: SweepJob | None = None
        self._estimating: SweepJob | None = None
        self._waiting: list[list[Any]] = []
        self._fields: list[tuple[Field, tuple[Value, ...]]] = []
        self._swept = ""
        self._total = 0
        self._front = False
        self.choice = SweepChoice(context, self)
        self.results = SweepResults(self)
        self.model, self.plot = self.results.model, self.results.plot
        self.title = TextLabel("", self, px=12.5, weight=SEMIBOLD)
        self.state = ElidedLabel("", self, px=12, token="text.2")
        self.count = TextLabel("", self, px=12, token="text.2", wrap=True)
        self.limit_label = TextLabel("", self, px=12, token="text.2")
        self.limit = QLineEdit(str(LIMIT), self)
        self.run = QPushButton(self)
        self.run.setDefault(True)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.export = QPushButton(self)
        self.open = QPushButton(self)
        self.empty = EmptyState((), "", "chart", self)
        self._build()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(ESTIMATE_AFTER_MS)
        self._later.timeout.connect(self._ask_time)
        self._show = QTimer(self)
        self._show.setInterval(SHOW_EVERY_MS)
        self._show.timeout.connect(self._take_waiting)
        self.choice.changed.connect(self._chosen)
        self.limit.textChanged.connect(lambda _text: self._chosen())
        self.run.clicked.connect(lambda _on=False: self.stop() if self.job is not None else self.start())
        self.export.clicked.connect(lambda _on=False: self.export_csv())
        self.open.clicked.connect(lambda _on=False: self.open_as_design())
        self.results.chosen.connect(lambda: self.open.setEnabled(bool(self.results.selected())))
        context.place_changed.connect(self._moved)
        context.document.project_changed.connect(self._edited)
        context.language_changed.connect(lambda _code: self.retranslate())
        self.retranslate()

    # -- building -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        bar = PathBar(self)
        bar.fill(self.title, self.state, (self.open, self.export))
        for button in (self.open, self.export):
            button.setFixedHeight(26)
        left = QWidget(self)
        left.setFixedWidth(LEFT_PX)
        set_surface(left, "panel")
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.choice, 1)
        column.addWidget(Divider(left))
        foot = QVBoxLayout()
        foot.setContentsMargins(14, 10, 14, 12)
        foot.setSpacing(8)
        foot.addWidget(self.count)
        low = QHBoxLayout()
        low.setSpacing(8)
        low.addWidget(self.limit_label)
        low.addWidget(self.limit)
        low.addStretch(1)
        low.addWidget(self.run)
        self.limit.setFixedSize(72, 28)
        self.run.setFixedHeight(28)
        foot.addLayout(low)
        foot.addWidget(self.bar)
        column.addLayout(foot)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(left)
        middle.addWidget(Divider(self, vertical=True))
        middle.addWidget(self.results, 1)
        middle.addWidget(self.empty, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(bar)
        whole.addLayout(middle, 1)
        set_surface(self, "panel")

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(self.tr("Sweep"))
        self.limit_label.setText(self.tr("At most"))
        self.limit.setAccessibleName(self.tr("Points at most"))
        self.limit.setToolTip(self.tr("Of a larger grid so many points are computed, spread evenly"))
        self.export.setText(self.tr("Export CSV…"))
        self.open.setText(self.tr("Open as design"))
        self.open.setToolTip(self.tr("Add the chosen variant to the project as a design of its own"))
        self.choice.retranslate()
        self.results.retranslate()
        self.results.name(self._field_names())
        self._say()
        self._count()

    # -- following ----------------------------------------------------------------------------------------------------

    def shown(self, on: bool) -> None:
        """Called when the view comes to the front or leaves it."""
        self._front = on
        if on:
            if not self.choice.rows:
                self.choice.add_row()
            self.choice.follow()
            self._chosen()

    def _moved(self) -> None:
        if self._front:
            self.choice.follow()
            self._chosen()

    def _edited(self, patch: object) -> None:
        if patch is None:
            self.choice.forget_template()
        if self._front:
            self.choice.follow()
            self._chosen()

    def _chosen(self) -> None:
        """Another grid: count at once, ask for the time a moment later."""
        self._forget_estimate()
        self._count()
        if self._front and self.job is None:
            self._later.start()

    def _limit(self) -> int:
        text = self.limit.text().replace(",", "").strip()
        return max(1, min(int(text), 10_000_000)) if text.isdigit() else LIMIT

    def _points(self) -> int:
        """Points of the grid. Raises UserError."""
        return math.prod(len(values) for _, values in self.choice.chosen_fields())

    def _count(self, seconds: float | None = None) -> None:
        try:
            points = self._points()
        except UserError as error:
            self.count.setText(error.message.text(self.context.language))
            self.run.setEnabled(self.job is not None)
            return
        self.run.setEnabled(True)
        text = self.tr("{count} points").format(count=f"{points:,}")
        if points > self._limit():
            text = self.tr("{some} of {count} points").format(some=f"{self._limit():,}", count=f"{points:,}")
        if seconds is not None:
            text = self.tr("{points}, about {time}").format(points=text, time=self._duration(seconds))
        self.count.setText(text)

    def _duration(self, seconds: float) -> str:
        if seconds < 90:
            return self.tr("{n} s").format(n=max(1, round(seconds)))
        if seconds < 5400:
            return self.tr("{n} min").format(n=round(seconds / 60))
        return self.tr("{n} h").format(n=f"{seconds / 3600:,.1f}")

    def _ask_time(self) -> None:
        if self.job is not None or not self._front:
            return
        try:
            grid = self.choice.grid()
            self._points()
        except UserError:
            return
        context = self.context
        job = SweepJob(context.project, context.design, grid, context.language, self._limit(), self, estimate=True)
        self._estimating = job
        job.estimated.connect(self._count)
        job.ended.connect(lambda _said, job=job: self._estimated(job))
        job.start()

    def _estimated(self, job: SweepJob) -> None:
        if self._estimating is job:
            self._estimating = None
        job.deleteLater()

    def _forget_estimate(self) -> None:
        self._later.stop()
        if self._estimating is not None:
            self._estimating.estimated.disconnect()
            self._estimating.stop()
            self._estimating = None

    # -- running ------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Compute what is chosen."""
        try:
            grid = self.choice.grid()
            self._fields = self.choice.chosen_fields()
        except UserError as error:
            self.context.say(error.message, "error")
            return
        self._forget_estimate()
        self._swept = self.context.design
        self._total = min(self._limit(), math.prod(len(values) for _, values in self._fields))
        self._waiting = []
        self.results.begin(self._fields, columns_of(grid.metrics), self._field_names())
        job = SweepJob(self.context.project, self.context.design, grid, self.context.language, self._limit(), self)
        self.job = job
        job.row.connect(self._take)
        job.ended.connect(self._ended)
        job.start()
        self._show.start()
        self._say()

    def stop(self) -> None:
        """Compute no more; finished rows stay."""
        if self.job is not None:
            self.job.stop()

    def _take(self, row: object) -> None:
        if isinstance(row, list) and len(row) == 2 and len(row[1]) == len(self.model.keys):
            self._waiting.append(row[1])

    def _take_waiting(self) -> None:
        if self._waiting:
            rows, self._waiting = self._waiting, []
            self.results.add(rows)
        self._say()

    def _ended(self, said: str) -> None:
        self._show.stop()
        job, self.job = self.job, None
        self._take_waiting()
        if job is not None:
            job.deleteLater()
        if said:
            self.context.say(msg("{problem}", problem=said), "error")
        self._say()

    def _say(self) -> None:
        done, running = len(self.model.rows), self.job is not None
        self.run.setText(self.tr("Stop") if running else self.tr("Run"))
        self.bar.setRange(0, max(1, self._total))
        self.bar.setValue(done)
        self.bar.setVisible(running)
        self.export.setEnabled(bool(done) and not running)
        self.open.setEnabled(bool(self.results.selected()))
        self.results.setVisible(bool(done))
        self.empty.setVisible(not done)
        if not done:
            lines = (
                (self.tr("Computing…"),)
                if running
                else (self.tr("Choose fields and values, then run."), self.tr("Every combination becomes a row."))
            )
            self.empty.set_content(lines, "", "chart")
        if not self._total:
            self.state.set_text("")
            return
        text = self.tr("{done} of {count} points").format(done=f"{done:,}", count=f"{self._total:,}")
        wrong = sum(1 for row in self.model.rows if row[-1])
        if wrong:
            text = self.tr("{points} · {wrong} with a problem").format(points=text, wrong=wrong)
        self.state.set_text(text)

    def _field_names(self) -> dict[str, str]:
        """What the swept fields are called, by key."""
        return {field.text: name_of(field.text, self.choice.template, field) for field, _ in self._fields}

    # -- what can be done with it -------------------------------------------------------------------------------------

    def export_csv(self, path: Path | None = None) -> None:
        """Write the rows as ``fabricwright sweep`` writes them."""
        if path is None:
            file = self.context.document.file
            start = str((file.parent if file else documents()) / "sweep.csv")
            path = dialogs.ask_save(self.window(), start, self.tr("Export sweep"), "CSV (*.csv)", ".csv")
        if path is None:
            return
        rows = sorted(self.model.rows, key=lambda row: row[0])
        try:
            replace_file(path, to_csv(self.model.keys, rows, self.context.language))
        except OSError as error:
            reason = reason_of(error)
            self.context.say(msg("{file}: cannot be written ({reason}).", file=path.name, reason=reason), "error")
            return
        self.context.say_written(path)

    def open_as_design(self) -> None:
        """The first chosen row becomes a design of the project, and is opened."""
        chosen = self.results.selected()
        if not chosen or not self._swept:
            return
        design = self._swept
        project = self.context.project
        row = min(chosen, key=lambda cells: cells[0])
        values: list[tuple[Field, Value]] = []
        index = int(row[0])
        for field, options in reversed(self._fields):
            index, n = divmod(index, len(options))
            values.append((field, options[n]))
        values.reverse()
        names = self._field_names()
        title = ", ".join(f"{names[field.text]} {cell_text(value)}" for field, value in values)
        before = set(project.designs)
        try:
            if design not in project.designs:
                raise UserError(msg("Design '{design}' is gone.", design=design))
            patch = variant_patch(project, design, values, title[:120])
        except UserError as error:
            self.context.say(error.message, "error")
            return
        self.context.document.push(patch)
        for name in set(self.context.project.designs) - before:
            self.context.open_design(name)
        self.context.say(msg("Added as design: {title}.", title=title[:120]))
