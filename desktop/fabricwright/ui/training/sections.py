"""A training step in figures: key figures above, then sections in as many columns as there is room for."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.training import contents
from fabricwright.ui.training.bars import StackedBars
from fabricwright.ui.training.changes import ChangeList
from fabricwright.ui.training.figures import definition
from fabricwright.ui.widgets import FlowLayout, KpiLabel, TextButton, TextLabel
from fabricwright.units.text import Message

KPIS = ("step", "days", "mfu", "use", "share", "tokens")
_TWO_PX, _THREE_PX = 532, 872


class Section(QWidget):
    """A titled part of the panel."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.title = TextLabel("", self, px=12, weight=SEMIBOLD)
        self.note = TextLabel("", self, px=11, token="text.3")
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self.title)
        head.addStretch(1)
        head.addWidget(self.note)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 6)
        self.column.setSpacing(4)
        self.column.addLayout(head)

    def add(self, widget: QWidget) -> None:
        """One more widget below."""
        self.column.addWidget(widget)


class StepSections(QWidget):
    """``prices_wanted``: somebody wants to state what a GPU-hour costs."""

    prices_wanted = Signal()

    def __init__(self, context: UiContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.context = context
        self._columns = 0
        self.kpis = {key: KpiLabel(large=False) for key in KPIS}
        self.kpi_row = QWidget(self)
        row = FlowLayout(self.kpi_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(22)
        for label in self.kpis.values():
            row.addWidget(label)
        self.step_section, self.step_bars = Section(self), StackedBars(self)
        self.memory_section, self.memory_bars = Section(self), StackedBars(self, own_scale=True)
        self.host_bars = StackedBars(self, own_scale=True)
        self.host_line = TextLabel("", self, px=11, token="text.2", wrap=True)
        self.change_section, self.changes = Section(self), ChangeList(self)
        self.money_section, self.money_text = Section(self), TextLabel("", self, px=11.5, wrap=True)
        self.money_link = TextButton("", self, px=11.5)
        self.talk_section, self.talk_text = Section(self), TextLabel("", self, px=11.5, token="text.2", wrap=True)
        self.note_section, self.note_text = Section(self), TextLabel("", self, px=11.5, token="text.2", wrap=True)
        for section, widgets in (
            (self.step_section, (self.step_bars,)),
            (self.memory_section, (self.memory_bars, self.host_bars, self.host_line)),
            (self.change_section, (self.changes,)),
            (self.money_section, (self.money_text, self.money_link)),
            (self.talk_section, (self.talk_text,)),
            (self.note_section, (self.note_text,)),
        ):
            for widget in widgets:
                section.add(widget)
        self.sections = (
            self.step_section, self.memory_section, self.change_section,
            self.talk_section, self.money_section, self.note_section,
        )  # fmt: skip
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(26)
        self.grid.setVerticalSpacing(4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.kpi_row)
        column.addLayout(self.grid)
        self.money_link.clicked.connect(lambda _c=False: self.prices_wanted.emit())
        self._arrange(1)

    def _arrange(self, columns: int) -> None:
        """Sections in one, two or three columns."""
        if columns == self._columns:
            return
        self._columns = columns
        for section in self.sections:
            self.grid.removeWidget(section)
        for n in range(3):
            self.grid.setColumnStretch(n, 1 if n < columns else 0)
        for n, section in enumerate(self.sections):
            self.grid.addWidget(section, n // columns, n % columns, Qt.AlignmentFlag.AlignTop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width()
        self._arrange(3 if wide >= _THREE_PX else 2 if wide >= _TWO_PX else 1)

    def set_stale(self, stale: bool) -> None:
        """Pale while what is drawn is newer."""
        for label in self.kpis.values():
            label.set_stale(stale)

    def show_step(self, mine: dict[str, Any], step: dict[str, Any]) -> None:
        """The figures of a step, beside those of ``mine["other"]`` where there are any."""
        other = mine.get("other") or {}
        other = other if "step_time_s" in other else {}
        for key, shown in contents.kpis(step, other).items():
            self.kpis[key].set_figure(shown.value, note=shown.note, before=shown.before)
        designs = self.context.project.designs
        name = designs[self.context.design].title or self.context.design
        title = designs[other["design"]].title or other["design"] if other.get("design") in designs else ""
        self.step_section.note.setText(text_of(Message.from_json(step["layout"])) if "layout" in step else "")
        self.step_bars.show_bars(contents.step_bars(step, other, name, title))
        self.memory_bars.show_bars(contents.gpu_bars(step, other, title))
        self.host_bars.show_bars(contents.host_bars(step, other, title))
        self.host_line.setText(contents.offload_line(step))
        self.host_line.setVisible(bool(self.host_line.text()))
        gpu = str(step.get("gpu", ""))
        known = self.context.project.parts.get(gpu)
        self.memory_section.note.setText((known.model or known.name(self.context.language)) if known else gpu)
        self.changes.show_rows(contents.changes(step))
        self.talk_text.setText("\n".join(contents.communication_lines(step, self.context.design_row)))
        money = contents.money_lines(step, other, mine.get("saving"), title)
        self.money_text.setText("\n".join(money) or self.tr("No prices are stated."))
        self.money_link.setText(self.tr("Prices…"))
        notes = [text_of(Message.from_json(note)) for note in step.get("notes", ())]
        self.note_text.setText("\n".join(notes))
        refused = (mine.get("other") or {}).get("error")
        if refused:
            line = self.tr("{design}: {reason}")
            who = designs[mine["other"]["design"]].title if mine["other"]["design"] in designs else ""
            self.note_text.setText(
                "\n".join([*notes, line.format(design=who, reason=text_of(Message.from_json(refused)))])
            )
        self.note_section.setVisible(bool(self.note_text.text()))

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.step_section.title.setText(self.tr("Step"))
        self.memory_section.title.setText(self.tr("Memory"))
        self.change_section.title.setText(self.tr("What would change the step"))
        self.change_section.note.setText(self.tr("click shows it"))
        self.talk_section.title.setText(self.tr("Communication"))
        self.money_section.title.setText(self.tr("Money"))
        self.note_section.title.setText(self.tr("Assumed"))
        captions = {
            "step": self.tr("Step"),
            "days": self.tr("Training"),
            "mfu": self.tr("MFU"),
            "use": self.tr("GPU utilisation"),
            "share": self.tr("Communication share"),
            "tokens": self.tr("Tokens a second"),
        }
        for key, label in self.kpis.items():
            label.set_caption(captions[key])
            label.setToolTip(definition(key))
