"""The pages of a diagram job, small, beside its options."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from fabricwright.design.output_jobs import format_of_job, is_on, text_of
from fabricwright.design.values import OutputJob
from fabricwright.ui.context import UiContext
from fabricwright.ui.export.job import ExportJob
from fabricwright.ui.export.preview import PageView
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import ElidedLabel, TextButton, TextLabel, set_surface

DELAY_MS = 350
DPI = "60"
HIGH_PX = 236


class PackPreview(QWidget):
    """Shown for diagrams only: tables have no pages before they are written."""

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._folder = Path(tempfile.mkdtemp(prefix="fabricwright-preview-"))
        self._wanted: list[str] = []
        self._drawing: ExportJob | None = None
        self._round = 0
        self.pages: list[QImage] = []
        self.names: list[str] = []
        self.current = 0
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self._draw)
        set_surface(self, "window")
        self.setFixedHeight(HIGH_PX)
        self.title = TextLabel(self.tr("Pages"), self, px=13, weight=SEMIBOLD)
        self.told = ElidedLabel("", self, px=12, token="text.2")
        self.back, self.on = (
            TextButton("", self, token="text.2", icon_name=f"chevron-{way}") for way in ("left", "right")
        )
        for button, text, step in ((self.back, self.tr("Page before"), -1), (self.on, self.tr("Next page"), 1)):
            button.setAccessibleName(text)
            button.setToolTip(text)
            button.setFixedSize(28, 24)
            button.clicked.connect(lambda _on=False, step=step: self.turn(step))
        self.page = PageView(self)
        self.page.setMinimumSize(120, 100)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.told, 1)
        head.addWidget(self.back)
        head.addWidget(self.on)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 10, 24, 10)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.page, 1)
        self.hide()

    def show_job(self, job: OutputJob | None, language: str) -> None:
        """Draw the pages of a job; anything but a diagram hides the preview."""
        if job is None or job.kind != "diagram":
            self._stop()
            self._wanted = []
            self.hide()
            return
        wanted = arguments_of(job, text_of(job, "design") or self._context.design, text_of(job, "language") or language)
        self.show()
        if wanted != self._wanted:
            self._wanted = wanted
            self.page.busy = bool(self.pages)
            self.page.update()
            self._timer.start()

    def turn(self, step: int) -> None:
        """Another page."""
        if self.pages:
            self.current = min(max(0, self.current + step), len(self.pages) - 1)
            self.page.show_image(self.pages[self.current])
            text = self.tr("{n} of {m}, {title}")
            self.told.set_text(text.format(n=self.current + 1, m=len(self.pages), title=self.names[self.current]))
        self.back.setEnabled(self.current > 0)
        self.on.setEnabled(self.current + 1 < len(self.pages))

    def end(self) -> None:
        """The dialog closes."""
        self._stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _stop(self) -> None:
        self._timer.stop()
        self._round += 1
        if self._drawing is not None:
            self._drawing.stop()
            self._drawing = None

    def _draw(self) -> None:
        self._stop()
        folder = self._folder / str(self._round)
        folder.mkdir(parents=True)
        job = self._drawing = ExportJob(self._context.project, folder / "page.png", self._wanted, self)
        job.finished.connect(lambda rows, of=self._round: self._drawn(rows, of))
        job.failed.connect(lambda text, of=self._round: self._failed(text, of))
        job.start()

    def _failed(self, text: str, of: int) -> None:
        if of == self._round:
            self.page.message, self.page.busy = text, False
            self.page.update()

    def _drawn(self, rows: list[dict[str, object]], of: int) -> None:
        if of != self._round:
            return
        shown = [(image, str(row["title"])) for row in rows if not (image := QImage(str(row["file"]))).isNull()]
        self.pages, self.names = [image for image, _ in shown], [name for _, name in shown]
        self.page.busy, self.page.message = False, ""
        self.turn(0)


def arguments_of(job: OutputJob, design: str, language: str) -> list[str]:
    """Options of ``fabricwright diagram`` for pictures of the job's pages."""
    out = ["--design", design, "--lang", language, "--page", text_of(job, "page") or "A3", "--dpi", DPI]
    also = [key for key in ("racks", "parts", "findings") if is_on(job, key)]
    if also and format_of_job(job) in ("pdf", "drawio"):
        out += ["--also", ",".join(also)]
    out += ["--heat"] if is_on(job, "heat") else []
    return out + (["--print-safe"] if is_on(job, "print_safe") else [])
