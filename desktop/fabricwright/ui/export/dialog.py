"""The export dialog: formats at the left, what is to be on the page beside them, the pages themselves at the right."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QImage
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from fabricwright.exchange.page_order import sheets_of
from fabricwright.ui import dialogs
from fabricwright.ui.export.choices import PAPERS, RESOLUTIONS, Choices
from fabricwright.ui.export.job import ExportJob
from fabricwright.ui.export.preview import Preview
from fabricwright.ui.exports import start_of
from fabricwright.ui.icons import icon
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import Divider, ElidedLabel, TextLabel, set_surface
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

PREVIEW_DPI = 88
DELAY_MS = 350
SUFFIXES = {"pdf": ".pdf", "svg": ".svg", "png": ".png", "drawio": ".drawio"}


CHECK_PX = 232
"""Room for the text of a box among the options."""


class ExportDialog(QDialog):
    """Made anew each time. Everything chosen shows in the preview."""

    def __init__(self, window: MainWindow, selection: tuple[str, ...] = ()) -> None:
        super().__init__(window)
        self.window_ = window
        self.setWindowTitle(self.tr("Export"))
        set_surface(self, "panel")
        self._selection = selection
        self._folder = Path(tempfile.mkdtemp(prefix="fabricwright-preview-"))
        self._drawing: ExportJob | None = None
        self._exporting: ExportJob | None = None
        self._target = Path()
        self._round = 0
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self._draw_preview)
        self.preview = Preview(self)
        self._make_controls()
        self._lay_out()
        self._change()
        self.formats.setFocus()
        dialogs.fit_to_screen(self, self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(1360, 840)

    # -- controls -----------------------------------------------------------------------------------------------------

    def _make_controls(self) -> None:
        context = self.window_.context
        self.formats = QListWidget(self)
        self.formats.setAccessibleName(self.tr("Format"))
        self.formats.setFrameShape(QListWidget.Shape.NoFrame)
        self.formats.setIconSize(QSize(20, 20))
        self.formats.setSpacing(2)
        for key, name, image in (
            ("pdf", self.tr("PDF, all pages in one file"), "file"),
            ("svg", self.tr("SVG, a file per page"), "image"),
            ("png", self.tr("PNG, a file per page"), "image"),
            ("drawio", self.tr("draw.io, to edit further"), "edit"),
        ):
            row = QListWidgetItem(icon(image), name, self.formats)
            row.setData(Qt.ItemDataRole.UserRole, key)
            row.setSizeHint(QSize(180, 40))
        self.formats.setCurrentRow(0)
        self.paper = self._combo(PAPERS, "A3", self.tr("Paper"))
        self.turn = QComboBox(self)
        self.turn.addItems([self.tr("landscape"), self.tr("portrait")])
        self.turn.setAccessibleName(self.tr("Orientation"))
        self.language = QComboBox(self)
        for code, name in (("en", "English"), ("zh_CN", "简体中文")):
            self.language.addItem(name, code)
        self.language.setCurrentIndex(1 if context.language == "zh_CN" else 0)
        self.style_ = QComboBox(self)
        self.style_.addItems([self.tr("Colour and dashes"), self.tr("Print-safe: greys and dashes")])
        self.dpi = self._combo(tuple(str(n) for n in RESOLUTIONS), "150", self.tr("Resolution"))
        self.revision = QLineEdit(str(context.project.meta.get("revision") or ""), self)
        self.revision.setMaxLength(12)
        self.sheets: dict[str, QCheckBox] = {}
        design = context.design_row
        for number, sheet in enumerate(sheets_of(design), 1):
            title = design.sheets[sheet].title or (
                self.tr("Fabric") if sheet == design.root else self.tr("Server, {sheet}").format(sheet=sheet)
            )
            self.sheets[sheet] = self._check(f"{number}  {title}", True)
        racked = any(design.sheets[design.root].seats)
        self.racks = self._check(self.tr("Rack elevation"), racked)
        self.parts = self._check(self.tr("Bill of materials"), True)
        self.problems = self._check(self.tr("Findings and approvals"), True)
        self.legend = self._check(self.tr("Legend and notes"), True)
        self.figures = self._check(self.tr("Parts, predictions, counts"), True)
        self.labels = self._check(self.tr("Labels on links"), True)
        self.heat = self._check(self.tr("Link load"), context.heat_on)
        self.findings = self._check(self.tr("Findings on the cards"), False)
        self.only = self._check(self.tr("Selection only"), False)
        self.only.setEnabled(bool(self._selection))
        self.transparent = self._check(self.tr("Transparent ground"), False)
        for combo in (self.paper, self.turn, self.language, self.style_, self.dpi):
            combo.currentIndexChanged.connect(self._change)
        self.formats.currentRowChanged.connect(self._change)
        self.revision.textEdited.connect(self._change)

    def _combo(self, values: tuple[str, ...], chosen: str, name: str) -> QComboBox:
        combo = QComboBox(self)
        combo.addItems(list(values))
        combo.setCurrentText(chosen)
        combo.setAccessibleName(name)
        return combo

    def _check(self, text: str, on: bool) -> QCheckBox:
        # The column is narrow and does not scroll sideways; a long title of a sheet goes into the tip.
        short = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, CHECK_PX)
        box = QCheckBox(short.replace("&", "&&"), self)
        box.setToolTip(text if short != text else "")
        box.setChecked(on)
        box.toggled.connect(self._change)
        return box

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(24, 16, 24, 14)
        head.setSpacing(12)
        head.addWidget(TextLabel(self.tr("Export"), self, px=17, weight=SEMIBOLD))
        head.addWidget(ElidedLabel(self.window_.context.project.title, self, px=12.5, token="text.2"), 1)
        left = QVBoxLayout()
        left.setContentsMargins(14, 14, 14, 14)
        left.addWidget(TextLabel(self.tr("Diagram as"), self, px=11.5, token="text.2"))
        left.addWidget(self.formats, 1)
        left_side = QWidget(self)
        left_side.setLayout(left)
        left_side.setFixedWidth(228)
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(left_side)
        body.addWidget(Divider(self, vertical=True))
        body.addWidget(self._options())
        body.addWidget(Divider(self, vertical=True))
        body.addWidget(self.preview, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(Divider(self))
        column.addLayout(body, 1)
        column.addWidget(Divider(self))
        column.addLayout(self._foot())

    def _options(self) -> QScrollArea:
        inner = QWidget(self)
        column = QVBoxLayout(inner)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(8)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self._rows: dict[str, tuple[QWidget, QWidget]] = {}
        for n, (key, label, control) in enumerate(
            (
                ("paper", self.tr("Paper"), self.paper),
                ("turn", self.tr("Orientation"), self.turn),
                ("language", self.tr("Language"), self.language),
                ("style", self.tr("Style"), self.style_),
                ("dpi", self.tr("Dots per inch"), self.dpi),
                ("revision", self.tr("Revision"), self.revision),
            )
        ):
            name = TextLabel(label, inner, px=12.5)
            grid.addWidget(name, n, 0)
            grid.addWidget(control, n, 1)
            control.setMinimumWidth(60)
            if isinstance(control, QComboBox):
                control.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
                control.setMinimumContentsLength(8)
            control.setAccessibleName(label)
            self._rows[key] = (name, control)
        column.addLayout(grid)
        for title, boxes in (
            (self.tr("Pages"), [*self.sheets.values(), self.racks, self.parts, self.problems]),
            (
                self.tr("Show"),
                [self.legend, self.figures, self.labels, self.heat, self.findings, self.only, self.transparent],
            ),
        ):
            column.addSpacing(4)
            column.addWidget(Divider(inner))
            column.addWidget(TextLabel(title, inner, px=13, weight=SEMIBOLD))
            for box in boxes:
                column.addWidget(box)
        column.addStretch(1)
        area = QScrollArea(self)
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFixedWidth(312)
        set_surface(inner, "panel")
        return area

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 12, 24, 14)
        foot.setSpacing(12)
        self.hint = TextLabel("", self, px=12, token="text.2")
        self.bar = QProgressBar(self)
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(200)
        self.bar.hide()
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.accept_ = QPushButton(self.tr("Export…"), self)
        self.accept_.setDefault(True)
        self.cancel.clicked.connect(self.reject)
        self.accept_.clicked.connect(self._ask)
        foot.addWidget(self.hint, 1)
        foot.addWidget(self.bar)
        foot.addWidget(self.cancel)
        foot.addWidget(self.accept_)
        return foot

    # -- choices ------------------------------------------------------------------------------------------------------

    def format(self) -> str:
        """Key of the chosen format."""
        row = self.formats.currentItem()
        return str(row.data(Qt.ItemDataRole.UserRole)) if row is not None else "pdf"

    def choices(self) -> Choices:
        """What is chosen now."""
        sheets = tuple(sheet for sheet, box in self.sheets.items() if box.isChecked())
        booked = self.format() == "pdf"
        also = (("racks", self.racks), ("parts", self.parts), ("findings", self.problems))
        return Choices(
            format=self.format(),
            sheets=sheets if len(sheets) < len(self.sheets) else (),
            also=tuple(name for name, box in also if booked and box.isChecked()),
            paper=self.paper.currentText(),
            portrait=self.turn.currentIndex() == 1,
            language=str(self.language.currentData()),
            print_safe=self.style_.currentIndex() == 1,
            revision=self.revision.text(),
            legend=self.legend.isChecked(),
            figures=self.figures.isChecked(),
            labels=self.labels.isChecked(),
            heat=self.heat.isChecked(),
            findings=self.findings.isChecked(),
            transparent=self.transparent.isChecked(),
            dpi=int(self.dpi.currentText()),
            only=self._selection if self.only.isChecked() else (),
        )

    def _change(self, *_: object) -> None:
        kind = self.format()
        for widget in self._rows["dpi"]:
            widget.setVisible(kind == "png")
        self.transparent.setVisible(kind in ("png", "svg"))
        for box in (self.racks, self.parts, self.problems):
            box.setVisible(kind == "pdf")
        hints = {
            "pdf": self.tr("Text stays text: part numbers can be searched in the PDF."),
            "svg": self.tr("Plain SVG: text stays text, nothing is fetched from elsewhere."),
            "png": self.tr("Painted in strips, so that large pages need little memory."),
            "drawio": self.tr("Ports and connectors stay connected; every tier is a layer."),
        }
        self.hint.setText(hints[kind])
        any_sheet = any(box.isChecked() for box in self.sheets.values())
        self.accept_.setEnabled(any_sheet)
        if any_sheet:
            self.preview.set_busy()
            self._timer.start()
        else:
            self._timer.stop()
            self.preview.say(self.tr("Choose at least one sheet."))

    def _draw_preview(self) -> None:
        if self._drawing is not None:
            self._drawing.stop()
        self._round += 1
        folder = self._folder / str(self._round)
        folder.mkdir()
        choices = self.choices()
        arguments = [*choices.arguments(self.window_.context.design), "--dpi", str(PREVIEW_DPI)]
        job = self._drawing = ExportJob(self.window_.context.project, folder / "page.png", arguments, self)
        job.finished.connect(lambda rows, of=self._round: self._previewed(rows, of))
        job.failed.connect(lambda text, of=self._round: self.preview.say(text) if of == self._round else None)
        job.start()

    def _previewed(self, rows: list[dict[str, object]], of: int) -> None:
        if of != self._round:
            return
        images = [QImage(str(row["file"])) for row in rows]
        shown = [(image, str(row["title"])) for image, row in zip(images, rows, strict=True) if not image.isNull()]
        self.preview.show_pages([image for image, _ in shown], [title for _, title in shown])

    # -- export -------------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        suffix = SUFFIXES[self.format()]
        kinds = {"pdf": "PDF (*.pdf)", "svg": "SVG (*.svg)", "png": "PNG (*.png)", "drawio": "draw.io (*.drawio)"}
        path = dialogs.ask_save(
            self, start_of(self.window_, f"diagram{suffix}"), self.tr("Export"), kinds[self.format()], suffix
        )
        if path is not None:
            self.export_to(path if path.suffix.lower() == suffix else path.with_name(path.name + suffix))

    def export_to(self, path: Path) -> None:
        """Write in the background; the dialog stays until it is done, and Cancel stops it."""
        choices = self.choices()
        arguments = [*choices.arguments(self.window_.context.design), "--dpi", str(choices.dpi)]
        self._target = path
        job = self._exporting = ExportJob(self.window_.context.project, path, arguments, self)
        job.progressed.connect(self._advance)
        job.finished.connect(self._written)
        job.failed.connect(self._failed)
        job.stopped.connect(lambda: self._rest(self.tr("Stopped; nothing was written.")))
        self.accept_.setEnabled(False)
        self.bar.setRange(0, 0)
        self.bar.show()
        self.hint.setText(self.tr("Writing {file}…").format(file=path.name))
        job.start()

    def _advance(self, part: float) -> None:
        self.bar.setRange(0, 1000)
        self.bar.setValue(round(1000 * part))

    def _written(self, rows: list[dict[str, object]]) -> None:
        names = list(dict.fromkeys(Path(str(row["file"])).name for row in rows))
        self._exporting = None
        if len(names) > 1:
            said = msg("Saved {n} files, {file} first.", n=len(names), file=names[0])
        else:
            said = msg("Saved to {file}.", file=names[0] if names else "")
        if rows:
            self.window_.context.say_written(self._target.with_name(names[0]), said)
        else:
            self.window_.context.say(said)
        self.accept()

    def _failed(self, text: str) -> None:
        self._rest("")
        self._change()
        dialogs.show_problem(self, text)

    def _rest(self, text: str) -> None:
        self._exporting = None
        self.bar.hide()
        self.accept_.setEnabled(True)
        self.hint.setText(text)

    def reject(self) -> None:
        """Cancel stops a running export first; with nothing running it closes."""
        if self._exporting is not None:
            self._exporting.stop()
            return
        super().reject()

    def done(self, code: int) -> None:
        self._timer.stop()
        for job in (self._drawing, self._exporting):
            if job is not None:
                job.stop()
        shutil.rmtree(self._folder, ignore_errors=True)
        super().done(code)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._exporting = None
        super().closeEvent(event)
