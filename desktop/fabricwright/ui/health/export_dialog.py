"""Settings of the network as files that can be typed in or loaded: SONiC, NVUE, NIC commands, NCCL variables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFileDialog, QVBoxLayout

from fabricwright.ui import dialogs
from fabricwright.ui.export.job import ExportJob
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import TextLabel, set_surface
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

#: Format of ``export --to`` -> where it goes in the folder that was chosen.
FORMATS = {"sonic": "sonic", "nvue": "nvue", "nic": "nic", "nccl-env": "nccl.env"}


class SettingsExportDialog(QDialog):
    """Which formats; ``run`` writes them one after the other into a folder, in processes of their own."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._main = window
        self.setWindowTitle(self.tr("Export network settings"))
        set_surface(self, "panel")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        column.addWidget(TextLabel(self.windowTitle(), self, px=17, weight=SEMIBOLD))
        text = self.tr(
            "A proposal from the drawing, with formula and source of every value. Verify it on site before loading it."
        )
        column.addWidget(TextLabel(text, self, token="text.2", wrap=True))
        self.boxes = {
            "sonic": QCheckBox(self.tr("Switches: tables for SONiC (JSON)"), self),
            "nvue": QCheckBox(self.tr("Switches: commands for NVUE"), self),
            "nic": QCheckBox(self.tr("NICs: commands (mlnx_qos, bnxt)"), self),
            "nccl-env": QCheckBox(self.tr("NCCL: environment variables"), self),
        }
        for box in self.boxes.values():
            box.setChecked(True)
            box.toggled.connect(lambda _on: self._enable())
            column.addWidget(box)
        buttons = QDialogButtonBox(self)
        self.save = buttons.addButton(self.tr("Choose folder…"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.save.setDefault(True)
        buttons.accepted.connect(self._choose)
        buttons.rejected.connect(self.reject)
        column.addSpacing(6)
        column.addWidget(buttons)
        self.setMinimumWidth(420)

    def wanted(self) -> list[str]:
        """Formats that are ticked."""
        return [name for name, box in self.boxes.items() if box.isChecked()]

    def _enable(self) -> None:
        self.save.setEnabled(bool(self.wanted()))

    def _choose(self) -> None:
        window = self._main
        start = window.document.file.parent if window.document.file else window.session.folder()
        folder = QFileDialog.getExistingDirectory(self, self.windowTitle(), str(start))
        if folder:
            self.accept()
            write_settings(window, Path(folder), self.wanted())


def export_settings(window: MainWindow) -> None:
    """Ask what, ask where, write."""
    SettingsExportDialog(window).exec()


def write_settings(window: MainWindow, folder: Path, formats: list[str]) -> ExportJob | None:
    """Write the first of ``formats`` and the others after it; the first that fails ends it with its sentence."""
    context = window.context
    if not formats:
        context.say_written(folder)
        return None
    name, *rest = formats
    arguments = ["--to", name, "--design", context.design, "--lang", context.language]
    job = ExportJob(context.project, folder / FORMATS[name], arguments, window, command="export")

    def done(_rows: object) -> None:
        job.deleteLater()
        write_settings(window, folder, rest)

    def failed(said: str) -> None:
        job.deleteLater()
        dialogs.show_problem(window, said)

    job.finished.connect(done)
    job.failed.connect(failed)
    context.say(msg("Writing {file}…", file=FORMATS[name]))
    job.start()
    return job
