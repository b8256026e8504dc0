"""Export pack: the jobs at the left, what the chosen one is to be in the middle, where it goes and how far it is at the
right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from fabricwright.design.output_jobs import KINDS, check_job
from fabricwright.ui import dialogs
from fabricwright.ui.export.pack_jobs import ICONS, JobSet, with_jobs
from fabricwright.ui.export.pack_options import JobOptions
from fabricwright.ui.export.pack_preview import PackPreview
from fabricwright.ui.export.pack_row import JobRow
from fabricwright.ui.export.pack_run import PackRun
from fabricwright.ui.export.pack_target import PackTarget
from fabricwright.ui.icons import icon
from fabricwright.ui.project_dialog import template_arguments
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import Divider, ElidedLabel, TextButton, TextLabel, set_surface
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow


class PackDialog(QDialog):
    """Made anew each time. Jobs are kept in the project when they were changed; Cancel keeps nothing."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window_ = window
        self.setWindowTitle(self.tr("Export pack"))
        set_surface(self, "panel")
        self.jobs = JobSet.of(window.context.project)
        self._running: PackRun | None = None
        self._make_controls()
        self._lay_out()
        self._fill()
        self.list.setCurrentRow(0)
        dialogs.fit_to_screen(self, self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(1180, 740)

    # -- controls -----------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        context = self.window_.context
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Output jobs"))
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.setIconSize(QSize(20, 20))
        self.list.setSpacing(1)
        self.list.setItemDelegate(JobRow(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._choose)
        self.list.itemChanged.connect(self._tick)
        self.add = QPushButton(icon("plus"), self.tr("Add"), self)
        menu = QMenu(self.add)
        for kind in KINDS.values():
            row = menu.addAction(icon(ICONS[kind.name]), kind.title.text(context.language))
            row.triggered.connect(lambda _on=False, name=kind.name: self._add(name))
        self.add.setMenu(menu)
        self.remove = QPushButton(icon("delete"), self.tr("Remove"), self)
        self.remove.clicked.connect(self._remove)
        self.usual = TextButton(self.tr("Usual jobs"), self)
        self.usual.clicked.connect(self._reset)
        self.options = JobOptions(context, self)
        self.options.changed.connect(self._changed)
        self.pages = PackPreview(context, self)
        self.target = PackTarget(self.window_, self)
        self.target.changed.connect(self._retarget)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(24, 16, 24, 14)
        head.setSpacing(12)
        head.addWidget(TextLabel(self.tr("Export pack"), self, px=17, weight=SEMIBOLD))
        head.addWidget(ElidedLabel(self.window_.context.project.title, self, px=12.5, token="text.2"), 1)
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self._left())
        body.addWidget(Divider(self, vertical=True))
        middle = QVBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.options, 1)
        middle.addWidget(self.pages)
        body.addLayout(middle, 3)
        body.addWidget(Divider(self, vertical=True))
        body.addWidget(self.target, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(Divider(self))
        column.addLayout(body, 1)
        column.addWidget(Divider(self))
        column.addLayout(self._foot())

    def _left(self) -> QWidget:
        side = QWidget(self)
        side.setFixedWidth(262)
        column = QVBoxLayout(side)
        column.setContentsMargins(14, 14, 14, 14)
        column.setSpacing(8)
        column.addWidget(TextLabel(self.tr("Output jobs"), side, px=11.5, token="text.2"))
        column.addWidget(self.list, 1)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.add)
        row.addWidget(self.remove)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.usual)
        return side

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 12, 24, 14)
        foot.setSpacing(12)
        self.hint = TextLabel("", self, px=12, token="text.2")
        self.bar = QProgressBar(self)
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(180)
        self.bar.hide()
        self.open_folder = QPushButton(self.tr("Open folder"), self)
        self.open_folder.hide()
        self.open_folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.target.path()))))
        self.keep = QPushButton(self.tr("Keep jobs in project"), self)
        self.keep.clicked.connect(self.keep_jobs)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.clicked.connect(self.reject)
        self.accept_ = QPushButton(self.tr("Export"), self)
        self.accept_.setDefault(True)
        self.accept_.clicked.connect(self.export)
        foot.addWidget(self.hint, 1)
        for widget in (self.bar, self.open_folder, self.keep, self.cancel, self.accept_):
            foot.addWidget(widget)
        return foot

    # -- jobs ---------------------------------------------------------------------------------------------------------

    def _fill(self, chosen: str = "") -> None:
        """The list anew."""
        lang = self.window_.context.language
        self.list.blockSignals(True)
        self.list.clear()
        for name, job in self.jobs.jobs.items():
            text = f"{self.jobs.title(name, lang)}\n{self.jobs.subtitle(name, lang)}"
            row = QListWidgetItem(icon(ICONS.get(job.kind, "file")), text, self.list)
            row.setData(Qt.ItemDataRole.UserRole, name)
            row.setFlags(row.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            ticked = name in self.jobs.ticked
            row.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
            row.setSizeHint(QSize(190, 44))
            if name == chosen:
                self.list.setCurrentItem(row)
        self.list.blockSignals(False)
        self._tell()

    def _tell(self) -> None:
        """Who can be pressed, and what will be written."""
        lang = self.window_.context.language
        n = len(self.jobs.ticked)
        if self._running is None:
            self.target.show_jobs(
                (name, ICONS[job.kind], f"{self.jobs.title(name, lang)}{self.tr(', ')}{self.jobs.subtitle(name, lang)}")
                for name, job in self.jobs.jobs.items()
                if name in self.jobs.ticked
            )
            self.accept_.setEnabled(n > 0 and bool(self.target.folder.text().strip()))
            self.accept_.setText(self.tr("Export {n} jobs").format(n=n) if n != 1 else self.tr("Export 1 job"))
            self.keep.setEnabled(self.jobs.edited or self._ticks_differ())
        self.remove.setEnabled(self.list.currentRow() >= 0 and self._running is None)
        self.hint.setText(self.tr("Files appear whole, with a list of their checksums. It can be stopped."))

    def _ticks_differ(self) -> bool:
        on = {name for name, job in self.jobs.jobs.items() if job.options.get("off") is not True}
        return not self.jobs.usual and on != self.jobs.ticked

    def _name(self) -> str:
        row = self.list.currentItem()
        return str(row.data(Qt.ItemDataRole.UserRole)) if row is not None else ""

    def _choose(self, _row: int = 0) -> None:
        name = self._name()
        self.options.show_job(name, self.jobs.jobs.get(name))
        self._show_pages()
        self._tell()

    def _show_pages(self) -> None:
        self.pages.show_job(self.jobs.jobs.get(self._name()), self.target.languages()[0])

    def _retarget(self) -> None:
        self._show_pages()
        self._tell()

    def _tick(self, row: QListWidgetItem) -> None:
        name = str(row.data(Qt.ItemDataRole.UserRole))
        if row.checkState() == Qt.CheckState.Checked:
            self.jobs.ticked.add(name)
        else:
            self.jobs.ticked.discard(name)
        self._tell()

    def _changed(self, name: str, key: str, value: object) -> None:
        self.jobs.set_option(name, key, value)  # type: ignore[arg-type]
        self._show_pages()
        row = self.list.currentItem()
        if row is not None:
            lang = self.window_.context.language
            self.list.blockSignals(True)
            row.setText(f"{self.jobs.title(name, lang)}\n{self.jobs.subtitle(name, lang)}")
            self.list.blockSignals(False)
        self._tell()

    def _add(self, kind: str) -> None:
        name = self.jobs.add(kind)
        self._fill(name)
        self._choose()

    def _remove(self) -> None:
        name = self._name()
        if name:
            self.jobs.remove(name)
            self._fill()
            self.list.setCurrentRow(0)
            self._choose()

    def _reset(self) -> None:
        self.jobs.reset()
        self._fill()
        self.list.setCurrentRow(0)

    def keep_jobs(self) -> bool:
        """Put the jobs into the project; whether that worked."""
        done = self.window_.context.edit("set_jobs", jobs=self.jobs.rows())
        if done is None:
            return False
        ticked = set(self.jobs.ticked)
        self.jobs = JobSet.of(self.window_.context.project)
        self.jobs.ticked = ticked & set(self.jobs.jobs)
        self._tell()
        return True

    # -- export -------------------------------------------------------------------------------------------------------

    def export(self) -> None:
        """Do the ticked jobs in a process of its own; the dialog stays, and Cancel stops it."""
        try:
            for name in self.jobs.ticked:
                check_job(self.jobs.jobs[name])
        except UserError as error:
            dialogs.show_problem(self, error.message)
            return
        context = self.window_.context
        project = context.project if not self.jobs.edited else with_jobs(context.project, self.jobs)
        arguments = ["--design", context.design, *template_arguments(self.window_)]
        wanted = [name for name in self.jobs.jobs if name in self.jobs.ticked]
        if self.jobs.edited or not self.jobs.usual or len(wanted) < len(self.jobs.jobs):
            arguments += ["--only", ",".join(wanted)]
        run = self._running = PackRun(project, self.target.path(), self.target.languages(), arguments, self)
        run.began.connect(lambda name: self.hint.setText(self.tr("Writing {file}…").format(file=name)))
        run.progressed.connect(self._advance)
        run.worked.connect(self.target.mark)
        run.finished.connect(self._written)
        run.failed.connect(self._failed)
        run.stopped.connect(self._stopped)
        self._enable(False)
        self.bar.setRange(0, 0)
        self.bar.show()
        self.open_folder.hide()
        run.start()

    def _stopped(self, whole: int) -> None:
        some = self.tr("Stopped; the pack in the first language is written.")
        self._rest(some if whole else self.tr("Stopped; nothing was written."))

    def _enable(self, on: bool) -> None:
        for widget in (self.accept_, self.keep, self.list, self.add, self.remove, self.options, self.usual):
            widget.setEnabled(on)
        self.target.set_choices_enabled(on)

    def _advance(self, part: float) -> None:
        self.bar.setRange(0, 1000)
        self.bar.setValue(round(1000 * part))

    def _written(self, n: int) -> None:
        folder = self.target.path()
        self.window_.context.say(msg("Saved {n} files to {folder}.", n=n, folder=folder.name))
        self._rest(self.tr("Saved {n} files to {folder}.").format(n=n, folder=folder.name))
        self.cancel.setText(self.tr("Close"))
        self.open_folder.show()

    def _failed(self, text: str) -> None:
        self._rest("")
        self._tell()
        dialogs.show_problem(self, text)

    def _rest(self, text: str) -> None:
        self._running = None
        self.bar.hide()
        self._enable(True)
        self.accept_.setEnabled(bool(self.jobs.ticked))
        self.hint.setText(text)

    def reject(self) -> None:
        """Cancel stops a running export first; with nothing running it closes."""
        if self._running is not None:
            self._running.stop()
            return
        super().reject()

    def done(self, code: int) -> None:
        self.pages.end()
        if self._running is not None:
            self._running.stop()
        super().done(code)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._running is not None:
            self._running.stop()
            self._running = None
        super().closeEvent(event)


def export_pack(window: MainWindow) -> None:
    """The dialog for all output jobs."""
    PackDialog(window).exec()
