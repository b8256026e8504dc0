"""Network health in the middle of the window: whether the drawn network loses packets, and what it does about it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from fabricwright.ui.canvas.panel import PathBar
from fabricwright.ui.context import UiContext
from fabricwright.ui.health.bars import HeadroomBars
from fabricwright.ui.health.facts import Facts, show_incast, show_paths
from fabricwright.ui.health.figure_table import FigureTable
from fabricwright.ui.health.loss_curve import LossCurve
from fabricwright.ui.health.thresholds import ThresholdAxes
from fabricwright.ui.health.words import headline, why_no_buffers
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import Divider, ElidedLabel, EmptyState, TextLabel, set_surface

TWO_COLUMNS_PX = 760


class Section(QWidget):
    """Title, content, and a sentence that stands in for content that is not there."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.title = TextLabel("", self, px=12.5, weight=SEMIBOLD)
        self.instead = TextLabel("", self, px=11.5, token="text.2", wrap=True)
        self.content = content
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(Divider(self))
        column.addWidget(self.title)
        column.addWidget(self.instead)
        column.addWidget(content)
        column.addStretch(1)
        self.say("")

    def say(self, sentence: str) -> None:
        """A sentence instead of the content; "" brings the content back."""
        self.instead.setText(sentence)
        self.instead.setVisible(bool(sentence))
        self.content.setVisible(not sentence)


class HealthView(QWidget):
    """``settings_wanted`` asks for the settings of lossless Ethernet in the inspector."""

    settings_wanted = Signal()

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.title = TextLabel("", self, px=12.5, weight=SEMIBOLD)
        self.state = ElidedLabel("", self, px=12, token="text.2")
        self.settings = QPushButton(self)
        self.export = QPushButton(self)
        self.bars, self.curve, self.axes = HeadroomBars(), LossCurve(), ThresholdAxes()
        self.incast, self.paths, self.table = Facts(), Facts(), FigureTable(self)
        self.sections = [Section(w) for w in (self.bars, self.curve, self.axes, self.incast, self.paths)]
        self.figures = Section(self.table)
        self.empty = EmptyState((), "", "gauge", self)
        self._two: bool | None = None
        self._build()
        self.settings.clicked.connect(lambda _on=False: self.settings_wanted.emit())
        self.export.clicked.connect(lambda _on=False: self.export_settings())
        context.analysis.changed.connect(self._said)
        context.place_changed.connect(self.refresh)
        context.language_changed.connect(lambda _code: self.retranslate())
        self.retranslate()

    def _build(self) -> None:
        bar = PathBar(self)
        bar.fill(self.title, self.state, (self.settings, self.export))
        for button in (self.settings, self.export):
            button.setFixedHeight(26)
        body = QWidget(self)
        set_surface(body, "panel")
        self._left, self._right = QVBoxLayout(), QVBoxLayout()
        for column in (self._left, self._right):
            column.setSpacing(16)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(28)
        self._grid.setVerticalSpacing(16)
        whole = QVBoxLayout(body)
        whole.setContentsMargins(16, 14, 16, 16)
        whole.setSpacing(16)
        whole.addLayout(self._grid)
        whole.addWidget(self.figures)
        whole.addStretch(1)
        self.area = QScrollArea(self)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(body)
        set_surface(self.area, "panel")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self.area, 1)
        column.addWidget(self.empty, 1)
        set_surface(self, "panel")
        self.setFocusProxy(self.area)
        self._arrange()

    def _arrange(self) -> None:
        """Two columns where there is room."""
        two = self.width() >= TWO_COLUMNS_PX
        if two == self._two:
            return
        self._two = two
        for layout in (self._left, self._right):
            while layout.count():
                layout.takeAt(0)
        while self._grid.count():
            self._grid.takeAt(0)
        bars, curve, axes, incast, paths = self.sections
        if two:
            for section in (bars, axes):
                self._left.addWidget(section)
            for section in (curve, incast, paths):
                self._right.addWidget(section)
            self._left.addStretch(1)
            self._right.addStretch(1)
            self._grid.addLayout(self._left, 0, 0)
            self._grid.addLayout(self._right, 0, 1)
        else:
            for section in (bars, axes, curve, incast, paths):
                self._left.addWidget(section)
            self._grid.addLayout(self._left, 0, 0)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1 if two else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    # -- following the project ----------------------------------------------------------------------------------------

    def shown(self, on: bool) -> None:
        """Called when the view comes to the front or leaves it: only then the worker works the figures out."""
        self.context.analysis.ask(health_wanted=on)
        if on:
            self.refresh()
            self.area.setFocus()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(self.tr("Network health"))
        self.settings.setText(self.tr("Settings"))
        self.settings.setToolTip(self.tr("Show the settings of lossless Ethernet in the inspector"))
        self.export.setText(self.tr("Export settings…"))
        self.export.setToolTip(self.tr("SONiC, NVUE, NIC commands and NCCL variables, as a proposal"))
        titles = (
            self.tr("Headroom against buffer"),
            self.tr("Loss of packets"),
            self.tr("Marking and pausing, bytes in a queue"),
            self.tr("Bursts to one port"),
            self.tr("Equal-cost paths"),
        )
        for section, title in zip(self.sections, titles, strict=True):
            section.title.setText(title)
        self.figures.title.setText(self.tr("Figures, formulas, sources"))
        self.table.setAccessibleName(self.figures.title.text())
        self.refresh()

    def _said(self, topics: object) -> None:
        if isinstance(topics, frozenset) and topics & {"health", "status"}:
            self.refresh()

    @property
    def health(self) -> dict[str, Any]:
        """What the worker said about the open design, empty while it has not."""
        said = self.context.analysis.health
        return said if said.get("design", self.context.design) == self.context.design else {}

    def refresh(self) -> None:
        """Show what the worker said last."""
        health = self.health
        there = bool(health) and bool(health["loss"] or health["switches"])
        self.area.setVisible(there)
        self.empty.setVisible(not there)
        self.state.set_text(headline(health) if there else "")
        self.export.setEnabled((there and health["medium"] == "eth") or bool(health.get("switches")))
        if not there:
            self._say_why()
            return
        bars, curve, axes, *_ = self.sections
        self.bars.set_rows(health["switches"])
        bars.say("" if health["switches"] else why_no_buffers(health))
        self.axes.set_rows(health["switches"])
        axes.say("" if not self.axes.empty else why_no_buffers(health) if not health["switches"] else self._unknown())
        if health["loss"]:
            self.curve.set_loss(health["loss"])
        curve.say("" if health["loss"] else self.tr("Nothing runs between servers yet."))
        show_incast(self.incast, health, self.context.language)
        show_paths(self.paths, health, self.context.language)
        self.table.set_rows(health["rows"])

    def _unknown(self) -> str:
        return self.tr("The buffers of these switches are not known.")

    def _say_why(self) -> None:
        status = self.context.analysis.status
        if status in ("lost", "failed"):
            lines: tuple[str, ...] = (self.tr("The checks do not run."), self.tr("Restart them to see the network."))
        elif not self.health:
            lines = (self.tr("Working out the network…"),)
        else:
            lines = (
                self.tr("There is no network between servers yet."),
                self.tr("Draw switches and link servers to them, and buffers and thresholds are worked out."),
            )
        self.empty.set_content(lines, "", "gauge")

    # -- what can be done -------------------------------------------------------------------------------------------

    def export_settings(self) -> None:
        """Write the settings as files."""
        from fabricwright.ui.health.export_dialog import export_settings

        export_settings(self.window())  # type: ignore[arg-type]
