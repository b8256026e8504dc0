"""The figure of a prediction and what is said about it: what binds, how busy links are, what else NCCL could take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QGraphicsOpacityEffect, QVBoxLayout, QWidget

from fabricwright.design.place_words import thing_text
from fabricwright.ui.context import UiContext
from fabricwright.ui.panels.performance_texts import headline, heat_peak, measured_text, spread_text
from fabricwright.ui.panels.words import spoken_in
from fabricwright.ui.theme import MEDIUM
from fabricwright.ui.widgets import Divider, KpiLabel, TextButton, TextLabel, set_surface


class FigureColumn(QWidget):
    """``limit_wanted``: the links that bind are to be shown. ``fit_wanted``: a profile is to be fitted to the logs."""

    limit_wanted = Signal()
    fit_wanted = Signal()

    def __init__(self, context: UiContext, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.headline = KpiLabel()
        self.trouble = TextLabel(px=12.5, token="text.2", wrap=True)
        self.unchanged = TextLabel(px=11.5, token="text", wrap=True)
        self.limit = TextLabel(px=12, weight=MEDIUM, wrap=True)
        self.peak = TextLabel(px=11.5, token="text.2", wrap=True)
        self.show_limit = TextButton()
        self.measured = TextLabel(px=11.5, token="text.2", wrap=True)
        self.fit = TextButton()
        self.choice = TextLabel(px=11.5, token="text.2", wrap=True)
        self.others = TextLabel(px=11.5, token="text.2", wrap=True)
        self.spread = TextLabel(px=11.5, token="text.2", wrap=True)
        self.reasons = TextLabel(px=11.5, token="text.2", wrap=True)
        self._lines = Divider(self), Divider(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 10, 10, 10)
        column.setSpacing(6)
        for widget in (
            *(self.headline, self.trouble, self.unchanged, self._lines[0], self.limit, self.peak, self.show_limit),
            *(self.measured, self.fit, self._lines[1], self.choice, self.others, self.spread, self.reasons),
        ):
            column.addWidget(widget)
        column.addStretch(1)
        set_surface(self, "panel")
        self.show_limit.clicked.connect(lambda _on=False: self.limit_wanted.emit())
        self.fit.clicked.connect(lambda _on=False: self.fit_wanted.emit())

    def retranslate(self) -> None:
        """Texts that do not hang on a prediction."""
        self.headline.set_caption(QCoreApplication.translate("PerformancePanel", "Bus bandwidth per GPU"))
        self.show_limit.setText(QCoreApplication.translate("PerformancePanel", "Show on canvas"))
        self.show_limit.updateGeometry()
        self.unchanged.setText("")

    def show_row(self, row: Mapping[str, Any] | None, trouble: str, stale: bool) -> None:
        """A row of the prediction, or without one the sentence instead; ``stale`` figures are pale."""
        good = row is not None
        if row is not None:
            self._fill(row)
        self.trouble.setText(trouble)
        self.trouble.setVisible(not good)
        for widget in (self.headline, *self._lines, self.limit, self.show_limit, self.choice):
            widget.setVisible(good)
        for label in (self.peak, self.others, self.reasons, self.spread, self.unchanged):
            label.setVisible(good and bool(label.text()))
        self._show_measured()
        self.headline.set_stale(stale)
        for label in (self.limit, self.peak, self.choice, self.others, self.reasons, self.trouble):
            _fade(label, stale)

    def _fill(self, row: Mapping[str, Any]) -> None:
        design = self._context.design_row
        texts = headline(row, design)
        self.headline.set_figure(texts.value, "GB/s", texts.note)
        self.limit.setText(texts.limit.replace(" %", "\u00a0%"))  # the sign stays with its number
        top = heat_peak(self._context.analysis.heat)
        peak = QCoreApplication.translate("PerformancePanel", "Fabric peak: {link}, {percent} %")
        link = thing_text(design, top[0]) if top else ""
        self.peak.setText(peak.format(link=link, percent=round(100 * top[1])) if top and top[1] > 0 else "")
        self.choice.setText(texts.choice)
        self.others.setText(texts.others)
        self.spread.setText(spread_text(row))
        told = self._context.analysis.prediction.get("explanation") or ()
        sentences = [spoken_in(design, sentence, texts.address) for sentence in told]
        self.reasons.setText("\n".join(sentences[1:]))

    def _show_measured(self) -> None:
        analysis = self._context.analysis
        text = measured_text(analysis.measured, analysis.collective) if analysis.logs else ""
        self.measured.setText(text)
        self.measured.setVisible(bool(text))
        self.fit.setVisible(bool(text) and not analysis.measured.get("error"))
        self.fit.setEnabled(not analysis.fitting)
        self.fit.setText(
            QCoreApplication.translate("PerformancePanel", "Fitting…")
            if analysis.fitting
            else QCoreApplication.translate("PerformancePanel", "Fit profile…")
        )


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
