"""The comparison leaves the window: drawn by a process of its own, from the project as it is now."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QProcess

from fabricwright.analysis.client import worker_command
from fabricwright.design.storage import dumps
from fabricwright.ui import dialogs
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.compare.view import CompareView

FILTER = "PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"


def export_command(view: CompareView, source: str, path: str) -> list[str]:
    """Command line that writes the page: this executable with the command ``compare``."""
    sides = [side for side in view.head.known()[:2] if not (side.file or side.snapshot)]
    names = ",".join(side.design for side in sides)
    own = [part for part in worker_command() if part != "--worker"]
    return [*own, "compare", source, "--designs", names, "-o", path, "--lang", view.context.language]


def export_comparison(view: CompareView) -> None:
    """Ask for a name and write the first two sides as a page."""
    sides = view.head.known()[:2]
    if len(sides) < 2 or any(side.file or side.snapshot for side in sides):
        view.context.say(msg("Choose two designs of this project to export their comparison."), "warning")
        return
    document = view.context.document
    folder = document.file.parent if document.file else Path()
    title = QCoreApplication.translate("Compare", "Export comparison")
    path = dialogs.ask_save(view.window(), str(folder / "comparison.pdf"), title, FILTER, ".pdf")
    if path is not None:
        write_comparison(view, Path(path))


def write_comparison(view: CompareView, path: Path) -> QProcess:
    """Start writing; what came of it is said in the status line."""
    folder = tempfile.TemporaryDirectory(prefix="fabricwright-")
    source = Path(folder.name) / "project.fwproj"
    source.write_bytes(dumps(view.context.project))
    command = export_command(view, str(source), str(path))
    process = QProcess(view)

    def ended(code: int, _status: QProcess.ExitStatus) -> None:
        complaint = bytes(process.readAllStandardError().data()).decode(errors="replace").strip()
        folder.cleanup()
        process.deleteLater()
        if code == 0:
            view.context.say(msg("Saved to {file}.", file=path.name))
        else:
            view.context.say(msg("{file}: {problem}", file=path.name, problem=complaint or str(code)), "error")

    process.finished.connect(ended)
    process.start(command[0], command[1:])
    return process
