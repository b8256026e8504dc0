"""Performance: what a collective reaches, why not more, and how that depends on the message size."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QFrame, QGraphicsOpacityEffect, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from fabricwright.design.address import parse_address
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.performance_texts import chart_of, headline, heat_peak, row_at
from fabricwright.ui.panels.words import COLLECTIVES, SIZES, collective_name, spoken
from fabricwright.ui.theme import MEDIUM, theme, theme_changed
from fabricwright.ui.widgets import Divider, KpiLabel, TextButton, TextLabel, set_surface
from fabricwright.ui.widgets.chart_view import ChartView
from fabricwright.units.errors import UserError
from fabricwright.units.quantity import format_size

BUSY_AFTER_MS = 300
_LEFT_PX = 240


class PerformancePanel(QWidget):
    """Figure and reasons left, chart right. The two selectors go into the panel's head (``head_widgets``)."""

    def __init__(self, context: UiContext) -> None:
        super().__init__()
        self._context = context
        self._busy = False
        self.collective = QComboBox()
        self.sizes = QComboBox()
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
        self._build()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(BUSY_AFTER_MS)
        self._timer.timeout.connect(lambda: self._set_busy(True))
        self.collective.activated.connect(lambda _row: self._choose(str(self.collective.currentData()), None))
        self.sizes.activated.connect(lambda _row: self._choose(None, int(self.sizes.currentData())))
        self.chart.size_picked.connect(lambda size: self._choose(None, int(size)))
        self.show_limit.clicked.connect(self._show_limit)
        context.analysis.changed.connect(self._analysed)
        context.heat_changed.connect(lambda *_: self.refresh())
        theme_changed.connect(self._themed)
        self._retranslate()

    def _build(self) -> None:
        left = QWidget(self)
        column = QVBoxLayout(left)
        column.setContentsMargins(16, 10, 10, 10)
        column.setSpacing(6)
        pieces = (self.headline, self.trouble, self._line, self.limit, self.peak, self.show_limit, self._line_two)
        for widget in (*pieces, self.choice, self.others, self.reasons):
            column.addWidget(widget)
        column.addStretch(1)
        set_surface(left, "panel")
        self._left = left
        scroll = QScrollArea(self)
        scroll.setWidget(left)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFixedWidth(_LEFT_PX + 16)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 6)
        row.setSpacing(4)
        row.addWidget(scroll)
        chart = QVBoxLayout()
        chart.setContentsMargins(0, 8, 4, 0)
        chart.addWidget(self.chart)
        row.addLayout(chart, 1)
        set_surface(self, "panel")

    def head_widgets(self) -> list[QWidget]:
        """What stands at the right end of the panel's head."""
        return [self.collective, self.sizes]

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
        if topics & {"prediction", "heat", "status"}:
            self.refresh()

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
        size = int(row["bytes"]) if good and row is not None else int(analysis.size_bytes)
        self.chart.set_empty_text("" if failed else self._waiting())
        self.chart.set_model(chart_of({} if failed else prediction, size))
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
        sentences = [spoken(s) for s in self._context.analysis.prediction.get("explanation") or ()]
        self.reasons.setText("\n".join(sentences[1:]))
        self.chart.setAccessibleDescription(f"{texts.value} GB/s, {texts.note}. {texts.limit}")

    def _waiting(self) -> str:
        status = self._context.analysis.status
        if status in ("lost", "failed"):
            return self.tr("The prediction is not running.")
        if status in ("busy", "starting"):
            return self.tr("Predicting…")
        return self.tr("Choose a collective")

    def _themed(self, _theme: object) -> None:
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
