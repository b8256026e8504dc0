"""Performance: what a collective reaches, why not more, how that depends on size and ranks, what a failure costs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from fabricwright.design.address import parse_address
from fabricwright.design.patch import Patch
from fabricwright.ui.context import UiContext
from fabricwright.ui.icons import icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.performance_chart import chart_of, row_at
from fabricwright.ui.panels.performance_choice import ChoiceRow
from fabricwright.ui.panels.performance_failures import FailureTable
from fabricwright.ui.panels.performance_figure import FigureColumn
from fabricwright.ui.panels.performance_same import SameFigure
from fabricwright.ui.panels.performance_texts import headline
from fabricwright.ui.panels.performance_verbs import ChartVerbs
from fabricwright.ui.panels.words import COLLECTIVES, SIZES, collective_name, spoken_in
from fabricwright.ui.theme import follow_theme, theme
from fabricwright.ui.widgets import SegmentedSwitch, set_surface
from fabricwright.ui.widgets.chart_view import ChartView
from fabricwright.units.errors import UserError
from fabricwright.units.quantity import format_size

BUSY_AFTER_MS = 300
_LEFT_PX, _NARROW_PX, _ROOMY_PX = 240, 184, 620


class PerformancePanel(QWidget):
    """Figure and reasons left, chart right; or all single failures left. Collective, size and the menu go into the
    panel's head (``head_widgets``), the other selectors stand over the chart.
    """

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self._context = context
        self._busy = False
        self._design = context.design
        self._same = SameFigure(context)
        self._failures_shown = False
        self.log_axis = False
        self.view = SegmentedSwitch([("figures", ""), ("failures", "")], "figures")
        self.more = QToolButton()
        self.more.setAutoRaise(True)
        self.choices = ChoiceRow(self)
        self.failures = FailureTable(self)
        self.figure = FigureColumn(context, self)
        self.collective = QComboBox()
        self.sizes = QComboBox()
        for box, letters in ((self.collective, 6), (self.sizes, 4)):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumContentsLength(letters)
            box.setMinimumWidth(84)
        self.chart = ChartView(self)
        self.verbs = ChartVerbs(self, context)
        self._build()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(BUSY_AFTER_MS)
        self._timer.timeout.connect(lambda: self._set_busy(True))
        self.collective.activated.connect(lambda _row: self._choose(str(self.collective.currentData()), None))
        self.sizes.activated.connect(lambda _row: self._choose(None, int(self.sizes.currentData())))
        self.chart.size_picked.connect(lambda size: self._choose(None, int(size)))
        self.figure.limit_wanted.connect(self._show_limit)
        self.view.changed.connect(self.show_view)
        self.more.clicked.connect(self._show_menu)
        self.figure.fit_wanted.connect(self.verbs.fit)
        self.choices.quantity_changed.connect(lambda _key: self.refresh())
        self.choices.nodes_changed.connect(lambda nodes: self._ask(nodes=nodes))
        self.choices.fail_changed.connect(lambda address: self._ask(fail=address))
        self.choices.list_wanted.connect(lambda: context.analysis.ask(sweep_wanted=True))
        self.failures.picked.connect(self._fail)
        context.document.project_changed.connect(self._edited)
        context.place_changed.connect(self._placed)
        context.analysis.changed.connect(self._analysed)
        context.heat_changed.connect(lambda *_: self.refresh())
        follow_theme(self._themed)
        self._retranslate()

    def _build(self) -> None:
        scroll = QScrollArea(self)
        scroll.setWidget(self.figure)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFixedWidth(_NARROW_PX + 16)
        self._scroll = scroll
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 6)
        row.setSpacing(4)
        row.addWidget(scroll)
        row.addWidget(self.failures, 4)
        chart = QVBoxLayout()
        chart.setContentsMargins(0, 4, 4, 0)
        chart.setSpacing(4)
        chart.addWidget(self.choices)
        chart.addWidget(self.chart, 1)
        row.addLayout(chart, 3)
        self.failures.hide()
        set_surface(self, "panel")

    def head_widgets(self) -> list[QWidget]:
        """What stands at the right end of the panel's head."""
        return [self.view, self.collective, self.sizes, self.more]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll.setFixedWidth((_LEFT_PX if self.width() >= _ROOMY_PX else _NARROW_PX) + 16)

    def sizeHint(self) -> QSize:
        return QSize(620, 190)

    # -- what is asked --------------------------------------------------------------------------------------------

    def _choose(self, collective: str | None, size_bytes: int | None) -> None:
        """Ask for another collective or size; with the heat map on it follows."""
        analysis = self._context.analysis
        analysis.collective = collective or analysis.collective
        analysis.size_bytes = size_bytes or analysis.size_bytes
        if self._context.heat_on:
            self._context.set_heat(analysis.collective, int(analysis.size_bytes))
        else:
            self._context.set_heat("", None)
        self.refresh()

    def _ask(self, **view: object) -> None:
        self._same.forget()
        self._context.analysis.ask(**view)
        self.refresh()

    def _fail(self, address: str) -> None:
        """Select what fails on the canvas, and show what is left beside the undamaged curve."""
        self._context.go_to(address)
        self._ask(fail=address)

    def show_view(self, key: str) -> None:
        """``figures`` or ``failures``; the sweep over all failures runs while its table is in view."""
        self.view.set_current(key)
        self._failures_shown = key == "failures"
        # Hide before showing: both at once are wider than the dock, which would grow for good.
        going, coming = (self._scroll, self.failures) if self._failures_shown else (self.failures, self._scroll)
        going.hide()
        coming.show()
        self.choices.fail.setVisible(not self._failures_shown)  # the table chooses
        self._context.analysis.ask(sweep_wanted=self._failures_shown)
        self.refresh()

    def set_log_axis(self, on: bool) -> None:
        """Bandwidth on a logarithmic axis, so that small sizes can be read."""
        self.log_axis = on
        self.refresh()

    def _show_menu(self) -> None:
        menu = self.verbs.menu()
        menu.exec(self.more.mapToGlobal(self.more.rect().bottomLeft()))
        menu.deleteLater()

    def _placed(self) -> None:
        """Another design has other addresses and another number of servers."""
        if self._context.design != self._design:
            self._design = self._context.design
            self._ask(fail="", nodes=0)

    def _fill_selectors(self) -> None:
        analysis = self._context.analysis
        if self.collective.count() != len(COLLECTIVES):
            self.collective.clear()
            for name in COLLECTIVES:
                self.collective.addItem("", name)
        for row, name in enumerate(COLLECTIVES):
            self.collective.setItemText(row, collective_name(name))
        self.collective.setCurrentIndex(max(0, self.collective.findData(analysis.collective)))
        wanted = sorted({*SIZES, int(analysis.size_bytes)})
        if [self.sizes.itemData(n) for n in range(self.sizes.count())] != wanted:
            self.sizes.clear()
            for size in wanted:
                self.sizes.addItem(format_size(size), size)
        self.sizes.setCurrentIndex(wanted.index(int(analysis.size_bytes)))
        servers = int(analysis.figures.get("servers") or 0)
        self.choices.fill(servers, analysis.nodes, analysis.fail, self._swept(), self._context.design_row)

    def _swept(self) -> dict[str, object]:
        """The sweep, when it is about what is shown."""
        analysis = self._context.analysis
        found = analysis.resilience
        asked = (analysis.collective, int(analysis.size_bytes), analysis.nodes)
        return found if (found.get("collective"), found.get("bytes"), found.get("nodes", 0)) == asked else {}

    def _show_limit(self) -> None:
        """Colour the links and bring what binds into view."""
        analysis = self._context.analysis
        self._context.set_heat(analysis.collective, int(analysis.size_bytes))
        row = row_at(analysis.prediction, int(analysis.size_bytes))
        address = headline(row, self._context.design_row).address if row is not None else ""
        if address:
            try:
                self._context.go_to(parse_address(address))
            except UserError:
                return

    # -- what is shown --------------------------------------------------------------------------------------------

    def _analysed(self, topics: frozenset[str]) -> None:
        if "status" in topics:
            if self._context.analysis.status in ("busy", "starting"):
                if not self._busy and not self._timer.isActive():
                    self._timer.start()
            else:
                self._timer.stop()
                self._set_busy(False)
                if self._context.analysis.status == "idle":
                    self._tell_same()
        if "prediction" in topics:  # the figures are here; what is still computed (failures, say) does not touch them
            self._timer.stop()
            self._set_busy(False)
        if "measured" in topics:
            self.verbs.arrived()
        if "resilience" in topics and not self._failures_shown:
            self._context.analysis.sweep_wanted = False  # the list of failures has what it dropped down for
        if topics & {"prediction", "heat", "status", "measured", "resilience", "figures", "fitting"}:
            self.refresh()

    def _edited(self, patch: Patch | None) -> None:
        self._same.edited(patch)
        if patch is None:
            self.figure.unchanged.setText("")  # what an edit of another project did is no news here

    def _tell_same(self) -> None:
        said = self._same.judge()
        if said is not None:
            self.figure.unchanged.setText(said)

    def _set_busy(self, busy: bool) -> None:
        if busy != self._busy:
            self._busy = busy
            self.refresh()
            self.update()

    @property
    def stale(self) -> bool:
        """Whether what is shown is not the answer to what was asked last."""
        analysis = self._context.analysis
        prediction = analysis.prediction
        if not prediction:
            return False
        other = prediction.get("collective") not in (None, analysis.collective)
        other = other or (prediction.get("nodes", 0), prediction.get("fail", "")) != (analysis.nodes, analysis.fail)
        answered = "error" in prediction or row_at(prediction, int(analysis.size_bytes)) is not None
        return self._busy or analysis.status in ("lost", "failed") or other or not answered

    def refresh(self) -> None:
        """Show the prediction as it is."""
        self._fill_selectors()
        analysis = self._context.analysis
        prediction = analysis.prediction
        rows = prediction.get("rows") or []
        row = row_at(prediction, int(analysis.size_bytes)) or (rows[0] if rows else None)
        failed = spoken_in(self._context.design_row, prediction.get("error")) if prediction.get("error") else ""
        if not failed and prediction.get("ranks") == 1:
            failed = self.tr("One GPU alone has nothing to exchange: a collective needs two.")
            prediction = {}
        shown = None if failed else row
        stale = self.stale
        self.figure.show_row(shown, failed or self._waiting(), stale)
        if shown is not None:
            texts = headline(shown, self._context.design_row)
            self.chart.setAccessibleDescription(f"{texts.value} GB/s, {texts.note}. {texts.limit}")
        if self._failures_shown:
            self.failures.show_result(self._swept(), self._context.design_row, analysis.fail, self._sweeping(), failed)
        size = int(shown["bytes"]) if shown is not None else int(analysis.size_bytes)
        self.chart.set_empty_text(failed if failed and self._failures_shown else "" if failed else self._waiting())
        quantity = self.choices.quantity.current()
        self.chart.set_model(
            chart_of(
                prediction,
                size,
                quantity,
                design=self._context.design_row,
                log_axis=self.log_axis,
                measured=analysis.measured,
            )
        )
        self.chart.set_stale(stale)

    def _sweeping(self) -> str:
        if self._context.analysis.status in ("lost", "failed"):
            return self.tr("The prediction is not running.")
        return self.tr("Failing one thing after the other…")

    def _waiting(self) -> str:
        status = self._context.analysis.status
        if status in ("lost", "failed"):
            return self.tr("The prediction is not running.")
        if status in ("busy", "starting"):
            return self.tr("Predicting…")
        return self.tr("Choose a collective")

    def _themed(self, _theme: object) -> None:
        self.more.setIcon(icon("more", "text.2"))
        self.update()

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._busy:
            painter = QPainter(self)
            painter.fillRect(0, 0, self.width(), 2, theme()["accent"])
            painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.collective.setAccessibleName(self.tr("Collective"))
        self.sizes.setAccessibleName(self.tr("Message size"))
        self.chart.setAccessibleName(self.tr("Bus bandwidth against message size"))
        self.figure.retranslate()
        self.view.set_options([("figures", self.tr("Figures")), ("failures", self.tr("Failures"))])
        self.view.setAccessibleName(self.tr("Figures or failures"))
        self.more.setIcon(icon("more", "text.2"))
        self.more.setToolTip(self.tr("Logs, copying and saving"))
        self.more.setAccessibleName(self.tr("Logs, copying and saving"))
        self.refresh()
