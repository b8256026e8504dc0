"""What leaves through the menu: diagrams, tables as CSV or JSON, the prediction as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from fabricwright.ui import dialogs
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

PNG_WIDTH = 4000
MARGIN = 30.0


def export_diagram(window: MainWindow) -> None:
    """The dialog for sheets as PDF, SVG, PNG and draw.io."""
    from fabricwright.ui.export.dialog import ExportDialog

    ExportDialog(window, tuple(sorted(window.document.selection))).exec()


def export_table(window: MainWindow, what: str) -> None:
    """Bill of materials or cable schedule."""
    title = QCoreApplication.translate("Exports", "Export table")
    path = dialogs.ask_save(window, _start(window, f"{what}.csv"), title, "CSV (*.csv);;JSON (*.json)", ".csv")
    if path is not None:
        _guarded(window, path, lambda: write_table(window, what, path))


def write_table(window: MainWindow, what: str, path: Path) -> None:
    """Write through the same code as the command line."""
    from fabricwright.exchange.bom import bom
    from fabricwright.exchange.cables import cable_schedule

    context = window.context
    lang = context.language
    if what == "bom":
        lines = bom(context.project, context.design)
        document, csv = lines.to_json(lang), lines.to_csv(lang)
    else:
        cables = cable_schedule(context.project, context.design)
        document, csv = cables.to_json(), cables.to_csv(lang)
    as_json = path.suffix.lower() == ".json"
    path.write_bytes((json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode() if as_json else csv)


def export_predictions(window: MainWindow) -> None:
    """The prediction that the performance panel shows."""
    if not window.context.analysis.prediction:
        window.context.say(msg("There is no prediction yet."), "warning")
        return
    title = QCoreApplication.translate("Exports", "Export predictions")
    path = dialogs.ask_save(window, _start(window, "prediction.json"), title, "JSON (*.json)", ".json")
    if path is not None:
        text = json.dumps(window.context.analysis.prediction, ensure_ascii=False, indent=1)
        _guarded(window, path, lambda: path.write_text(text + "\n", encoding="utf-8"))


def _start(window: MainWindow, name: str) -> str:
    folder = window.document.file.parent if window.document.file else Path(window.session.text("files/folder"))
    return str(folder / name)


def _guarded(window: MainWindow, path: Path, write: object) -> None:
    try:
        write()  # type: ignore[operator]
    except UserError as error:
        dialogs.show_problem(window, error.message)
    except OSError as error:
        dialogs.show_problem(
            window, msg("{file}: cannot be written ({reason}).", file=str(path), reason=error.strerror or str(error))
        )
    else:
        window.context.say(msg("Saved to {file}.", file=path.name))
