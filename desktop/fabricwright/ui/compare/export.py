"""The comparison leaves the window: drawn by a process of its own, from the project as it is now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from fabricwright.ui import dialogs
from fabricwright.ui.exports import start_of, write_file
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.compare.view import CompareView

FILTER = "PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"


def export_comparison(view: CompareView) -> None:
    """Ask for a name and write the first two sides as a page."""
    sides = view.head.known()[:2]
    if len(sides) < 2 or any(side.file or side.snapshot for side in sides):
        view.context.say(msg("Choose two designs of this project to export their comparison."), "warning")
        return
    window: Any = view.window()
    title = QCoreApplication.translate("Compare", "Export comparison")
    path = dialogs.ask_save(window, start_of(window, "comparison.pdf"), title, FILTER, ".pdf")
    if path is not None:
        designs = ",".join(side.design for side in sides)
        write_file(window, "compare", path, ["--designs", designs, "--lang", view.context.language])
