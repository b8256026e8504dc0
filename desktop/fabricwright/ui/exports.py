"""What leaves through the menu: diagrams, tables, labels, the prediction. Files are made in processes of their own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QProgressDialog

from fabricwright.design.output_jobs import file_stem
from fabricwright.ui import dialogs
from fabricwright.ui.export.job import ExportJob
from fabricwright.units.errors import UserError
from fabricwright.units.files import replace_file
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow


def export_diagram(window: MainWindow) -> None:
    """The dialog for sheets as PDF, SVG, PNG and draw.io."""
    from fabricwright.ui.export.dialog import ExportDialog

    ExportDialog(window, tuple(sorted(window.document.selection))).exec()


#: What -> (command of the command line, suffixes in the order they are offered).
TABLES: dict[str, tuple[str, tuple[str, ...]]] = {
    "bom": ("bom", (".xlsx", ".csv", ".json")),
    "cables": ("cables", (".xlsx", ".csv", ".json")),
    "labels": ("cables", (".pdf",)),
    "slots": ("slots", (".xlsx", ".csv", ".json")),
    "racks": ("racks", (".xlsx", ".csv", ".json")),
    "report": ("report", (".pdf",)),
}
KINDS = {".xlsx": "Excel (*.xlsx)", ".csv": "CSV (*.csv)", ".json": "JSON (*.json)", ".pdf": "PDF (*.pdf)"}
PATIENCE_MS = 1000


def export_table(window: MainWindow, what: str) -> None:
    """Ask where, and write a table (or the labels of the cables) in a process of its own."""
    more: list[str] = []
    if what == "labels":
        from fabricwright.ui.prices.label_dialog import LabelDialog

        dialog = LabelDialog(window.context, window)
        if not dialog.exec():
            return
        more = dialog.arguments()
    title = QCoreApplication.translate("Exports", "Export table")
    suffixes = TABLES[what][1]
    kinds = ";;".join(KINDS[suffix] for suffix in suffixes)
    path = dialogs.ask_save(window, start_of(window, f"{what}{suffixes[0]}"), title, kinds, suffixes[0])
    if path is None:
        return
    if path.suffix.lower() not in suffixes:
        path = path.with_name(path.name + suffixes[0])
    write_table(window, what, path, more)


def write_table(window: MainWindow, what: str, path: Path, more: Sequence[str] = ()) -> ExportJob:
    """Start writing; after a second a box shows that it runs, and Cancel stops it. A stopped job leaves no file."""
    context = window.context
    arguments = ["--design", context.design, "--lang", context.language, *more]
    divided = context.analysis.bill_wanted
    if what == "bom" and divided not in ("", "part"):
        arguments += ["--group", divided]
    if what == "report":
        from fabricwright.ui.project_dialog import template_arguments

        arguments += template_arguments(window)
    return write_file(window, TABLES[what][0], path, arguments)


def write_file(window: MainWindow, command: str, path: Path, arguments: Sequence[str]) -> ExportJob:
    """Start a command of the command line that writes one file."""
    context = window.context
    job = ExportJob(context.project, path, list(arguments), window, command=command)
    text = QCoreApplication.translate("Exports", "Writing {file}…").format(file=path.name)
    box = QProgressDialog(text, QCoreApplication.translate("Exports", "Cancel"), 0, 0, window)
    box.setWindowTitle(QCoreApplication.translate("Exports", "Export"))
    box.setMinimumDuration(PATIENCE_MS)
    box.setAutoReset(False)
    box.setAutoClose(False)
    box.canceled.connect(job.stop)

    def advance(part: float) -> None:
        box.setMaximum(1000)
        box.setValue(round(1000 * part))

    job.progressed.connect(advance)
    late = QTimer(box, singleShot=True, interval=PATIENCE_MS)
    late.timeout.connect(box.show)
    late.start()

    def over() -> None:
        late.stop()
        box.canceled.disconnect(job.stop)
        box.close()
        box.deleteLater()
        job.deleteLater()

    def done(_rows: object) -> None:
        over()
        context.say_written(path)

    def failed(said: str) -> None:
        over()
        dialogs.show_problem(window, said)

    job.finished.connect(done)
    job.failed.connect(failed)
    job.stopped.connect(over)
    box.reset()
    job.start()
    return job


def export_predictions(window: MainWindow) -> None:
    """The prediction that the performance panel shows."""
    if not window.context.analysis.prediction:
        window.context.say(msg("There is no prediction yet."), "warning")
        return
    title = QCoreApplication.translate("Exports", "Export predictions")
    path = dialogs.ask_save(window, start_of(window, "prediction.json"), title, "JSON (*.json)", ".json")
    if path is not None:
        text = json.dumps(window.context.analysis.prediction, ensure_ascii=False, indent=1)
        _guarded(window, path, lambda: replace_file(path, (text + "\n").encode("utf-8")))


def start_of(window: MainWindow, name: str) -> str:
    """Where a file is offered to be written: beside the project, else where files were last."""
    file = window.document.file
    stem = file.stem if file else named_as(window.context.project.title)
    return str((file.parent if file else window.session.folder()) / f"{stem}-{name}")


def named_as(title: str) -> str:
    """The stem of a file that holds a project of that title."""
    return file_stem("{project}", {"project": title or "project"})


def _guarded(window: MainWindow, path: Path, write: object) -> None:
    try:
        write()  # type: ignore[operator]
    except UserError as error:
        dialogs.show_problem(window, error.message)
    except OSError as error:
        dialogs.show_problem(
            window, msg("{file}: cannot be written ({reason}).", file=str(path), reason=reason_of(error))
        )
    else:
        window.context.say_written(path)
