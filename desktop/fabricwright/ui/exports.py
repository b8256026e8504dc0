"""What leaves through the menu: the diagram as SVG, PDF or PNG, tables as CSV or JSON, the prediction as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QMarginsF, QSizeF
from PySide6.QtGui import QPageLayout, QPageSize, QPainter, QPdfWriter

from fabricwright.ui import dialogs
from fabricwright.ui.paint.scene import Scene
from fabricwright.ui.paint.sheet import paint_scene, scene_image
from fabricwright.ui.theme import named_theme
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

PNG_WIDTH = 4000
MARGIN = 30.0


def export_diagram(window: MainWindow) -> None:
    """Ask where and write the open sheet."""
    title = QCoreApplication.translate("Exports", "Export diagram")
    start = _start(window, f"{window.context.sheet or 'sheet'}.svg")
    path = dialogs.ask_save(window, start, title, "SVG (*.svg);;PDF (*.pdf);;PNG (*.png)", ".svg")
    if path is not None:
        _guarded(window, path, lambda: write_diagram(window, path))


def write_diagram(window: MainWindow, path: Path) -> None:
    """Write the open sheet in the format that the suffix names. Raises OSError or UserError."""
    context = window.context
    kind = path.suffix.lower()
    scene = window.canvas.view.source.scene
    if kind == ".pdf":
        write_pdf(scene, path, heat=context.heat_on)
    elif kind == ".png":
        image = scene_image(scene, named_theme("print"), width_px=PNG_WIDTH, heat=context.heat_on)
        if not image.save(str(path)):
            raise UserError(msg("{file}: cannot be written.", file=path.name))
    else:
        from fabricwright.exchange.diagram_svg import draw_sheets

        for page in draw_sheets(context.project, context.design, sheet=context.sheet, lang=context.language):
            path.write_bytes(page.data)


def write_pdf(scene: Scene, path: Path, *, heat: bool = False) -> None:
    """One page, as large as the sheet needs, text as text."""
    x, y, w, h = scene.bounds()
    # 1 scene unit = 1/96 inch on paper.
    size = QSizeF((w + 2 * MARGIN) * 25.4 / 96, (h + 2 * MARGIN) * 25.4 / 96)
    writer = QPdfWriter(str(path))
    writer.setPageLayout(
        QPageLayout(QPageSize(size, QPageSize.Unit.Millimeter), QPageLayout.Orientation.Portrait, QMarginsF())
    )
    writer.setResolution(1200)
    writer.setTitle("Fabricwright")
    painter = QPainter()
    if not painter.begin(writer):
        raise UserError(msg("{file}: cannot be written.", file=path.name))
    scale = 1200 / 96
    painter.scale(scale, scale)
    painter.translate(MARGIN - x, MARGIN - y)
    paint_scene(painter, scene, named_theme("print"), 1.0, heat=heat)
    painter.end()


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
