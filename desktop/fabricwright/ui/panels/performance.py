"""Performance: what a collective reaches, why not more, how that depends on size and ranks, what a failure costs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGraphicsOpacityEffect,
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
from fabricwright.ui.panels.performance_same import SameFigure
from fabricwright.ui.panels.performance_texts import headline, heat_peak, measured_text, spread_text
from fabricwright.ui.panels.performance_verbs import ChartVerbs
from fabricwright.ui.panels.words import COLLECTIVES, SIZES, collective_name, spoken
from fabricwright.ui.theme import MEDIUM, theme, theme_changed
from fabricwright.ui.widgets import Divider, KpiLabel, SegmentedSwitch, TextButton, TextLabel, set_surface
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
        self.measured = TextLabel(px=11.5, token="text.2", wrap=True)
        self.fit = TextButton()
        self.unchanged = TextLabel(px=11.5, token="text", wrap=True)
        self.spread = TextLabel(px=11.5, token="text.2", wrap=True)
        self.collective = QComboBox()
        self.sizes = QComboBox()
        for box, letters in ((self.collective, 6), (self.sizes, 4)):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumContentsLength(letters)
            box.setMinimumWidth(84)
        self.headline = KpiLabel()
        self.chart = ChartView(self)
        self.limit = TextLabel(px=12, weight=MEDIUM, wrap=True)
        self.peak = TextLabel(px=11.5, token="text.2", wrap=True)
        self.show_limit = TextButton()
        self.choice = TextLabel(px=11.5, token="text.2", wrap=True)
        self.others = TextLabel(px=11.5, token="text.2", wrap=True)
        self.reasons = TextLabel(px=11.5, token="text.2", wrap=True)
        self.trouble = TextLabel(px=12.5, token="text.2", wrap=True)
        self._line = Divider(self)
        self._line_two = Divider(self)
        self.verbs = ChartVerbs(self, context)
        self._build()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(BUSY_AFTER_MS)
        self._timer.timeout.connect(lambda: self._set_busy(True))
        self.collective.activated.connect(lambda _row: self._choose(str(self.collective.currentData()), None))
        self.sizes.activated.connect(lambda _row: self._choose(None, int(self.sizes.currentData())))
        self.chart.size_picked.connect(lambda size: self._choose(None, int(size)))
        self.show_limit.clicked.connect(self._show_limit)
        self.view.changed.connect(self.show_view)
        self.more.clicked.connect(self._show_menu)
        self.fit.clicked.connect(self.verbs.fit)
        self.choices.quantity_changed.connect(lambda _key: self.refresh())
        self.choices.nodes_changed.connect(lambda nodes: self._ask(nodes=nodes))
        self.choices.fail_changed.connect(lambda address: self._ask(fail=address))
        self.choices.list_wanted.connect(lambda: context.analysis.ask(sweep_wanted=True))
        self.failures.picked.connect(self._fail)
        context.document.project_changed.connect(self._edited)
        context.place_changed.connect(self._placed)
        context.analysis.changed.connect(self._analysed)
        context.heat_changed.connect(lambda *_: self.refresh())
        theme_changed.connect(self._themed)
        self._retranslate()

    def _build(self) -> None:
        left = QWidget(self)
        column = QVBoxLayout(left)
        column.setContentsMargins(16, 10, 10, 10)
        column.setSpacing(6)
        pieces = (self.headline, self.trouble, self.unchanged, self._line, self.limit, self.peak, self.show_limit)
        for widget in (*pieces, self.measured, self.fit, self._line_two, self.choice, self.others, self.spread):
            column.addWidget(widget)
        column.addWidget(self.reasons)
        column.addStretch(1)
        set_surface(left, "panel")
        self._left = left
        scroll = QScrollArea(self)
        scroll.setWidget(left)
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
        self.choices.fill(servers, analysis.nodes, analysis.fail, self._swept())

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
        address = headline(row).address if row is not None else ""
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
            self.unchanged.setText("")  # what an edit of another project did is no news here

    def _tell_same(self) -> None:
        said = self._same.judge()
        if said is not None:
            self.unchanged.setText(said)

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
        failed = spoken(prediction.get("error")) if prediction.get("error") else ""
        if not failed and prediction.get("ranks") == 1:
            failed = self.tr("One GPU alone has nothing to exchange: a collective needs two.")
            prediction = {}
        good = row is not None and not failed
        if good:
            assert row is not None
            self._show_row(row)
        self.trouble.setText(failed or self._waiting())
        self.trouble.setVisible(not good)
        for widget in (self.headline, self._line, self.limit, self.show_limit, self._line_two, self.choice):
            widget.setVisible(good)
        self.peak.setVisible(good and bool(self.peak.text()))
        self.others.setVisible(good and bool(self.others.text()))
        self.reasons.setVisible(good and bool(self.reasons.text()))
        self.spread.setVisible(good and bool(self.spread.text()))
        self.unchanged.setVisible(good and bool(self.unchanged.text()))
        self._show_measured()
        if self._failures_shown:
            self.failures.show_result(self._swept(), self._context.design_row, analysis.fail, self._sweeping(), failed)
        size = int(row["bytes"]) if good and row is not None else int(analysis.size_bytes)
        self.chart.set_empty_text(failed if failed and self._failures_shown else "" if failed else self._waiting())
        quantity = self.choices.quantity.current()
        self.chart.set_model(chart_of(prediction, size, quantity, log_axis=self.log_axis, measured=analysis.measured))
        stale = self.stale
        self.chart.set_stale(stale)
        self.headline.set_stale(stale)
        for label in (self.limit, self.peak, self.choice, self.others, self.reasons, self.trouble):
            _fade(label, stale)

    def _show_row(self, row: object) -> None:
        assert isinstance(row, dict)
        texts = headline(row)
        self.headline.set_figure(texts.value, "GB/s", texts.note)
        self.limit.setText(texts.limit)
        top = heat_peak(self._context.analysis.heat)
        peak = self.tr("Fabric peak: {link}, {percent} %")
        self.peak.setText(peak.format(link=top[0], percent=round(100 * top[1])) if top and top[1] > 0 else "")
        self.choice.setText(texts.choice)
        self.others.setText(texts.others)
        self.spread.setText(spread_text(row))
        sentences = [spoken(s) for s in self._context.analysis.prediction.get("explanation") or ()]
        self.reasons.setText("\n".join(sentences[1:]))
        self.chart.setAccessibleDescription(f"{texts.value} GB/s, {texts.note}. {texts.limit}")

    def _show_measured(self) -> None:
        analysis = self._context.analysis
        text = measured_text(analysis.measured, analysis.collective) if analysis.logs else ""
        self.measured.setText(text)
        self.measured.setVisible(bool(text))
        self.fit.setVisible(bool(text) and not analysis.measured.get("error"))
        self.fit.setEnabled(not analysis.fitting)
        self.fit.setText(self.tr("Fitting…") if analysis.fitting else self.tr("Fit profile…"))

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
        self.headline.set_caption(self.tr("Bus bandwidth per GPU"))
        self.show_limit.setText(self.tr("Show on canvas"))
        self.show_limit.updateGeometry()
        self.view.set_options([("figures", self.tr("Figures")), ("failures", self.tr("Failures"))])
        self.view.setAccessibleName(self.tr("Figures or failures"))
        self.more.setIcon(icon("more", "text.2"))
        self.more.setToolTip(self.tr("Logs, copying and saving"))
        self.more.setAccessibleName(self.tr("Logs, copying and saving"))
        self.unchanged.setText("")
        self.refresh()


def _fade(label: QWidget, stale: bool) -> None:
    """Old figures stay, pale."""
    effect = label.graphicsEffect()
    if not stale:
        if effect is not None:
            label.setGraphicsEffect(None)  # type: ignore[arg-type]
        return
    if effect is None:
        pale = QGraphicsOpacityEffect(label)
        pale.setOpacity(0.45)
        label.setGraphicsEffect(pale)
