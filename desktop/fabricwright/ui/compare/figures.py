"""The figures of a comparison below its drawings: curves, training step, claims and findings, parts."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from fabricwright.ui.compare import contents
from fabricwright.ui.compare.ledger import Ledger
from fabricwright.ui.compare.training import StepBar, TrainingBars
from fabricwright.ui.context import UiContext
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import Divider, ElidedLabel, SegmentedSwitch, TextLabel, set_surface
from fabricwright.ui.widgets.chart_view import ChartView
from fabricwright.units.figure_text import NOTHING

TABLES = ("claims", "findings", "drawing", "figures")


class CompareFigures(QWidget):
    """``opened``: key of a row that somebody wants to see on the drawing."""

    opened = Signal(str)

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._pair = 0
        self._found: dict[str, Any] = {}
        self._names: list[str] = []
        self._drawing: list[dict[str, Any]] = []
        columns = QHBoxLayout(self)
        columns.setContentsMargins(0, 0, 0, 0)
        columns.setSpacing(0)
        columns.addWidget(self._chart_column(), 32)
        columns.addWidget(Divider(self, vertical=True))
        columns.addWidget(self._middle_column(), 34)
        columns.addWidget(Divider(self, vertical=True))
        columns.addWidget(self._parts_column(), 34)
        set_surface(self, "panel")
        self.switch.changed.connect(lambda _key: self.show_tables())
        self.table.opened.connect(self.opened)
        self.retranslate()

    def _titled(self, title: TextLabel, right: QWidget) -> tuple[QWidget, QVBoxLayout]:
        box = QWidget(self)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 8, 0, 4)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.setContentsMargins(14, 0, 14, 0)
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(right)
        column.addLayout(head)
        return box, column

    def _chart_column(self) -> QWidget:
        self.chart_title = TextLabel("", self, px=13, weight=SEMIBOLD)
        self.chart_note = TextLabel("", self, px=11.5, token="text.3")
        box, column = self._titled(self.chart_title, self.chart_note)
        self.chart = ChartView(box)
        self.bind_line = ElidedLabel("", box, px=12, weight=SEMIBOLD)
        self.how_line = ElidedLabel("", box, px=11.5, token="text.2")
        inner = QVBoxLayout()
        inner.setContentsMargins(12, 0, 14, 6)
        inner.setSpacing(3)
        inner.addWidget(self.chart, 1)
        inner.addWidget(Divider(box))
        inner.addSpacing(3)
        inner.addWidget(self.bind_line)
        inner.addWidget(self.how_line)
        column.addLayout(inner, 1)
        return box

    def _middle_column(self) -> QWidget:
        self.training_title = TextLabel("", self, px=13, weight=SEMIBOLD)
        self.training_note = TextLabel("", self, px=11.5, token="text.3")
        box, column = self._titled(self.training_title, self.training_note)
        self.training = TrainingBars(box)
        self.training_line = Divider(box)
        self.training_problem = ElidedLabel("", box, px=11.5, token="text.2")
        told = QHBoxLayout()
        told.setContentsMargins(14, 0, 14, 4)
        told.addWidget(self.training_problem)
        column.addWidget(self.training)
        column.addLayout(told)
        column.addWidget(self.training_line)
        self.switch = SegmentedSwitch(tuple((name, name) for name in TABLES), TABLES[0], box)
        self.table_note = TextLabel("", box, px=11.5, token="text.3")
        head = QHBoxLayout()
        head.setContentsMargins(14, 2, 14, 0)
        head.addWidget(self.switch)
        head.addStretch(1)
        head.addWidget(self.table_note)
        column.addLayout(head)
        self.table = Ledger(box)
        column.addWidget(self.table, 1)
        return box

    def _parts_column(self) -> QWidget:
        self.parts_title = TextLabel("", self, px=13, weight=SEMIBOLD)
        self.parts_note = TextLabel("", self, px=11.5, token="text.3")
        box, column = self._titled(self.parts_title, self.parts_note)
        self.pairs = SegmentedSwitch((("0", "A \u203a B"), ("1", "A \u203a C")), "0", box)
        self.pairs.changed.connect(self._pick_pair)
        column.itemAt(0).layout().addWidget(self.pairs)  # type: ignore[attr-defined]
        self.parts = Ledger(box)
        column.addWidget(self.parts, 1)
        self.amounts = ElidedLabel("", box, px=11.5, token="text.2")
        foot = QHBoxLayout()
        foot.setContentsMargins(14, 0, 14, 4)
        foot.addWidget(self.amounts, 1)
        column.addLayout(foot)
        return box

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.chart_title.setText(self.tr("All-reduce bandwidth by message size"))
        self.training_title.setText(self.tr("Training step"))
        self.training_note.setText("s")
        self.parts_title.setText(self.tr("Bill of materials, difference"))
        self.pairs.setAccessibleName(self.tr("Which sides"))
        words = {
            "claims": self.tr("Claims checked"),
            "findings": self.tr("Findings"),
            "drawing": self.tr("Drawing"),
            "figures": self.tr("Figures"),
        }
        self.switch.set_options([(name, words[name]) for name in TABLES])
        for table, name in ((self.table, words["claims"]), (self.parts, self.parts_title.text())):
            table.setAccessibleName(name)

    # -- what is shown ------------------------------------------------------------------------------------------------

    def first_pair(self) -> None:
        """Back to the parts of the first two sides."""
        self._pair = 0
        self.pairs.set_current("0")

    def _pick_pair(self, key: str) -> None:
        self._pair = int(key)
        self.show_tables()

    def show_comparison(self, found: dict[str, Any], names: list[str]) -> None:
        """What the worker told of the sides (``found``, empty while it computes), and what they are called."""
        self._found, self._names = found, names
        error = found.get("error")
        self.chart.set_empty_text(contents.spoken(error) if error else self._waiting())
        self.chart.set_model(contents.chart(found, names))
        binds, how = contents.binds(found)
        self.bind_line.set_text(binds)
        self.how_line.set_text(how)
        told = contents.figures_told(found).get("designs") or []
        self.chart_note.setText(
            self.tr("{gpus} GPUs, {servers} servers").format(
                gpus=f"{told[0]['gpus']:,}", servers=f"{told[0]['servers']:,}"
            )
            if told and all((d["gpus"], d["servers"]) == (told[0]["gpus"], told[0]["servers"]) for d in told)
            else ""
        )
        self._training(found, names)
        self.show_tables()

    def show_drawing(self, rows: list[dict[str, Any]]) -> None:
        """What differs in the drawings, as the document has it."""
        self._drawing = rows

    def _waiting(self) -> str:
        return self.tr("Comparing…") if len(self._names) > 1 else self.tr("Choose two designs to compare.")

    def _training(self, found: dict[str, Any], names: list[str]) -> None:
        figures = contents.figures_told(found)
        steps = [d.get("training") for d in figures.get("designs") or []]
        bars: list[StepBar] = []
        for name, step in zip(names, steps, strict=False):
            if step:
                compute, comm = float(step["compute_s"]), float(step["exposed_communication_s"])
                rest = max(0.0, float(step["step_time_s"]) - compute - comm)
                pieces = [(self.tr("compute"), compute, "pcie"), (self.tr("comm"), comm, "rail1")]
                if rest > 0.005 * float(step["step_time_s"]):
                    pieces.append((self.tr("other"), rest, "mgmt"))
                bars.append(StepBar(name, float(step["step_time_s"]), tuple(pieces)))
        claimed = self._claimed_gain(found)
        if len(bars) > 1 and claimed:
            text = self.tr("+{percent} % throughput").format(percent=f"{claimed * 100:.0f}")
            bars.append(StepBar(self.tr("Claim"), bars[0].seconds / (1 + claimed), claim=text))
        self.training.show_bars(tuple(bars) if len(bars) > 1 else ())
        problems = [contents.spoken(p) for p in figures.get("training_problems") or [] if p]
        problem = problems[0] if problems and not self.training.bars else ""
        self.training_problem.set_text(problem)
        self.training_problem.setVisible(bool(problem))
        self.training_note.setVisible(bool(self.training.bars))
        for widget in (self.training_title, self.training_line):
            widget.setVisible(bool(self.training.bars or problem))

    @staticmethod
    def _claimed_gain(found: dict[str, Any]) -> float:
        for row in found.get("claims") or ():
            if row["quantity"] == "train.gain" and isinstance(row["value"], (int, float)):
                return float(row["value"])
        return 0.0

    def show_tables(self) -> None:
        """The table that is chosen, and the parts."""
        found, lang = self._found, self.context.language
        self.pairs.setVisible(len(self._names) > 2)
        pair = len(self._names) > 1
        # Sections arrive one after the other; what is not there yet is no finding that there is nothing.
        waiting = {section: "" if section in found else self._waiting() for section in ("claims", "findings", "bom")}
        which = self.switch.current()
        note = ""
        if which == "claims":
            columns, rows, open_ones = contents.claims(found, lang)
            if open_ones and rows:
                note = self.tr("{count} more are not judged").format(count=open_ones)
            empty = waiting["claims"] or self.tr("No statement was judged on these sides.")
        elif which == "findings":
            columns, rows = contents.findings(found, self._pair)
            empty = waiting["findings"] or self.tr("No finding gained, none lost.")
        elif which == "drawing":
            columns, rows = contents.drawing({"drawing": [self._drawing]}, 0)
            empty = self.tr("The drawings are the same.") if pair else self._waiting()
        else:
            columns, rows = contents.figures(found, len(self._names))
            empty = "" if "figures" in found else self._waiting()
        self.table.show_rows(columns, rows, empty=empty)
        self.table_note.setText(note)
        columns, rows, total = contents.parts(found, self._pair, lang)
        self.parts.show_rows(
            columns,
            rows,
            total=total,
            note=self.tr("Parts that are equal on both sides are not listed.") if rows else "",
            empty=waiting["bom"] or self.tr("Both sides need the same parts."),
        )
        missing = sum(row.cells[-1].text == NOTHING for row in rows) if total is not None else 0
        if missing:
            self.parts_note.setText(self.tr("{count} without a price").format(count=missing))
        else:
            self.parts_note.setText("" if total is not None or not rows else self.tr("no prices loaded"))
        self.amounts.set_text(contents.amounts(found, self._pair) if found.get("bom") else "")

    def repaint_themed(self) -> None:
        """Other colours."""
        for widget in (self.training, self.table.viewport(), self.parts.viewport()):
            widget.update()
