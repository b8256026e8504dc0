"""What can be done with the chart: lay logs over it, fit a profile to them, copy and save it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QCoreApplication, QMimeData, QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMenu

from fabricwright.design.calls import EditCall
from fabricwright.ui import dialogs
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.chart_export import SVG_MIME, chart_csv, chart_data, chart_image, chart_svg
from fabricwright.ui.panels.performance_chart import chart_title
from fabricwright.ui.session import documents
from fabricwright.units.errors import UserError
from fabricwright.units.files import replace_file
from fabricwright.units.text import Message, msg

if TYPE_CHECKING:
    from fabricwright.ui.panels.performance import PerformancePanel


class ChartVerbs(QObject):
    """Verbs of a panel. The logs are read, and the profile is fitted, by the worker."""

    def __init__(self, panel: PerformancePanel, context: UiContext) -> None:
        super().__init__(panel)
        self._panel = panel
        self._context = context
        self._arriving = False
        context.analysis.fitted.connect(self._fitted)

    def menu(self) -> QMenu:
        """Everything, as a menu."""
        panel, state = self._panel, self._context.analysis
        menu = QMenu(panel)
        translate = QCoreApplication.translate
        menu.addAction(translate("Performance", "Lay nccl-tests logs over it…"), self.load_logs)
        fit = menu.addAction(translate("Performance", "Fit profile…"), self.fit)
        fit.setEnabled(bool(state.logs) and not state.fitting)
        remove = menu.addAction(translate("Performance", "Take the logs away"), self.remove_logs)
        remove.setEnabled(bool(state.logs))
        menu.addSeparator()
        log_axis = menu.addAction(translate("Performance", "Logarithmic axis for bandwidth"))
        log_axis.setCheckable(True)
        log_axis.setChecked(panel.log_axis)
        log_axis.toggled.connect(panel.set_log_axis)
        menu.addSeparator()
        there = not panel.chart.model().empty
        for text, verb in (
            (translate("Performance", "Copy as picture"), self.copy_picture),
            (translate("Performance", "Copy as SVG"), self.copy_svg),
            (translate("Performance", "Copy as CSV"), self.copy_csv),
            (translate("Performance", "Save chart…"), self.save),
        ):
            menu.addAction(text, verb).setEnabled(there)
        return menu

    # -- logs ---------------------------------------------------------------------------------------------------------

    def load_logs(self) -> None:
        """Ask for logs and lay them over the chart."""
        title = QCoreApplication.translate("Performance", "Logs of nccl-tests")
        kinds = QCoreApplication.translate("Performance", "Logs (*.log *.txt *.out)")
        every = QCoreApplication.translate("Performance", "All files (*)")
        names, _ = QFileDialog.getOpenFileNames(self._panel, title, self._folder(), f"{kinds};;{every}")
        if names:
            self.lay_over([str(name) for name in names])

    def lay_over(self, paths: list[str]) -> None:
        """Show these logs beside the prediction; what they measured is chosen when it arrives."""
        self._arriving = True
        state = self._context.analysis
        state.ask(logs=list(paths))

    def arrived(self) -> None:
        """The logs were read: look at the collective and the ranks of the first, so that its points are in view."""
        state = self._context.analysis
        measured = state.measured
        if not self._arriving or list(measured.get("logs") or ()) != state.logs:
            return
        self._arriving = False
        if measured.get("error"):
            message = measured["error"]
            self._context.say(Message.from_json(message), "error")
            return
        table: Mapping[str, Any] = next((t for t in measured["tables"] if not t["error"]), {})
        if table:
            state.ask(collective=str(table["collective"]), nodes=int(table["nodes"]))

    def remove_logs(self) -> None:
        """Take the points away."""
        state = self._context.analysis
        state.measured = {}
        state.ask(logs=[])
        self._panel.refresh()

    def fit(self) -> None:
        """Ask for a name and have the worker fit the constants to the logs."""
        state = self._context.analysis
        first = Path(state.logs[0]).stem if state.logs else "site"
        title = QCoreApplication.translate("Performance", "Fit profile")
        text = QCoreApplication.translate("Performance", "Name of the profile (small letters, digits, hyphens)")
        name, good = QInputDialog.getText(self._panel, title, text, text=profile_name(first))
        if good and name.strip():
            state.ask_fit(name.strip())

    def _fitted(self, answer: Mapping[str, Any]) -> None:
        if answer.get("error"):
            self._context.say(Message.from_json(answer["error"]), "error")
            return
        calls = [EditCall(str(call["name"]), dict(call["args"])) for call in answer["calls"]]
        if self._context.edit_all("Fit profile", calls) is None:
            return
        self._context.say(
            msg(
                "Profile {name} from {points} points: median error {before} % before, {after} % after.",
                name=str(answer["name"]),
                points=int(answer["points"]),
                before=round(100 * float(answer["before"]), 1),
                after=round(100 * float(answer["after"]), 1),
            )
        )

    # -- out ----------------------------------------------------------------------------------------------------------

    def _title(self) -> str:
        context = self._context
        design = context.design_row.title or context.design
        return chart_title(context.analysis.prediction, design, context.design_row)

    def copy_picture(self) -> None:
        """Pixels, with SVG beside them for programs that take it."""
        QGuiApplication.clipboard().setMimeData(chart_data(self._panel.chart.model(), self._title()))

    def copy_svg(self) -> None:
        """SVG, as a format of its own and as text."""
        data = QMimeData()
        svg = chart_svg(self._panel.chart.model(), self._title())
        data.setData(SVG_MIME, QByteArray(svg))
        data.setText(svg.decode("utf-8"))
        QGuiApplication.clipboard().setMimeData(data)

    def copy_csv(self) -> None:
        """The figures as text."""
        QGuiApplication.clipboard().setText(chart_csv(self._panel.chart.model()))

    def save(self) -> None:
        """Ask where and write the chart."""
        title = QCoreApplication.translate("Performance", "Save chart")
        start = str(Path(self._folder()) / f"{self._context.analysis.collective}.svg")
        path = dialogs.ask_save(self._panel, start, title, "SVG (*.svg);;PNG (*.png);;CSV (*.csv)", ".svg")
        if path is None:
            return
        try:
            self.write(path)
        except UserError as error:
            self._context.say(error.message, "error")

    def write(self, path: Path) -> None:
        """Write the chart in the format that the suffix names. ``UserError`` when it cannot be written."""
        model, kind = self._panel.chart.model(), path.suffix.lower()
        try:
            if kind == ".png":
                if not chart_image(model, self._title()).save(str(path)):
                    raise UserError(msg("{file}: cannot be written.", file=path.name))
            elif kind == ".csv":
                replace_file(path, chart_csv(model).encode("utf-8-sig"))
            else:
                replace_file(path, chart_svg(model, self._title()))
        except OSError as error:
            raise UserError(msg("{file}: cannot be written.", file=path.name)) from error

    def _folder(self) -> str:
        file = self._context.document.file
        return str(file.parent if file else documents())


def profile_name(text: str) -> str:
    """A name that a profile may have, from a file's."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "site"
