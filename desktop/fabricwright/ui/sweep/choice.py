"""What is swept: a row per field with its values, the metrics, and how many points that makes."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from fabricwright.design.field_values import read_value
from fabricwright.design.grid_text import GridText, parse_grid
from fabricwright.design.templates import TEMPLATES, Template
from fabricwright.design.variation import Field, Value, field_names, find_field, redraw, template_of
from fabricwright.ui.context import UiContext
from fabricwright.ui.icons import icon
from fabricwright.ui.panels.words import collective_name
from fabricwright.ui.sweep.field_names import names_of
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import TextButton, TextLabel, set_surface
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

MOST_FIELDS = 8
METRICS = (
    "counts",
    "tiers",
    "cables",
    "power",
    "fabric_power",
    "rack_units",
    "cost",
    "findings",
    "worst_failure",
    "train",
)
CHOSEN = ("counts", "power")
SIZES = "1G"


class FieldRow(QWidget):
    """One field and its values as text. ``changed``; ``gone`` (itself) when it is taken away. Fields are shown by name;
    a key such as ``up.length_m`` may be typed as well.
    """

    changed = Signal()
    gone = Signal(object)

    def __init__(self, names: Mapping[str, str], key: str, values: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = QComboBox(self)
        self.field.setEditable(True)
        self.field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.field.setMinimumContentsLength(12)
        self.values = QLineEdit(values, self)
        self.remove = QToolButton(self)
        self.remove.setIcon(icon("delete"))
        self.remove.setAutoRaise(True)
        self.now = TextLabel("", self, px=11, token="text.3", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.field, 1)
        head.addWidget(self.remove)
        column.addLayout(head)
        column.addWidget(self.values)
        column.addWidget(self.now)
        for widget in (self.field, self.values):
            widget.setFixedHeight(28)
        self._names: dict[str, str] = {}
        self.offer(names, key)
        self.field.currentTextChanged.connect(lambda _text: self.changed.emit())
        self.values.textChanged.connect(lambda _text: self.changed.emit())
        self.remove.clicked.connect(lambda _on=False: self.gone.emit(self))

    def key(self) -> str:
        """Key of the field that is named, or what was typed where that names none."""
        text = self.field.currentText().strip()
        return next((key for key, name in self._names.items() if name.casefold() == text.casefold()), text)

    def offer(self, names: Mapping[str, str], key: str = "") -> None:
        """Offer fields (name of each key), keeping the one that is chosen unless ``key`` says another."""
        key = key or self.key()
        self._names = dict(names)
        self.field.blockSignals(True)
        self.field.clear()
        for each, name in names.items():
            self.field.addItem(name, each)
            self.field.setItemData(self.field.count() - 1, each, Qt.ItemDataRole.ToolTipRole)
        completer = QCompleter(list(names.values()), self.field)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field.setCompleter(completer)
        self.field.setCurrentText(names.get(key, key))
        line = self.field.lineEdit()
        if line is not None:
            line.setCursorPosition(0)
        self.field.blockSignals(False)


class SweepChoice(QWidget):
    """The left column. ``changed`` after anything that makes another grid."""

    changed = Signal()

    def __init__(self, context: UiContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.rows: list[FieldRow] = []
        self._template: Template | None = None
        self._template_for = ""
        self.fields_title = TextLabel("", self, px=12.5, weight=SEMIBOLD)
        self.metrics_title = TextLabel("", self, px=12.5, weight=SEMIBOLD)
        self.add = TextButton("", self, icon_name="plus")
        self.metrics = {name: QCheckBox(self) for name in METRICS}
        for name in CHOSEN:
            self.metrics[name].setChecked(True)
        self.collectives = {name: QCheckBox(self) for name in ("all_reduce", "all_to_all")}
        self.collectives["all_reduce"].setChecked(True)
        self.sizes = QLineEdit(SIZES, self)
        self.sizes_label = TextLabel("", self, px=12, token="text.2")
        self._build()
        self.add.clicked.connect(lambda _on=False: self.add_row())
        for box in (*self.metrics.values(), *self.collectives.values()):
            box.toggled.connect(lambda _on: self.changed.emit())
        self.sizes.textChanged.connect(lambda _text: self.changed.emit())
        self.retranslate()

    def _build(self) -> None:
        inner = QWidget(self)
        set_surface(inner, "panel")
        column = QVBoxLayout(inner)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(8)
        column.addWidget(self.fields_title)
        self._list = QVBoxLayout()
        self._list.setSpacing(4)
        column.addLayout(self._list)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignLeft)
        column.addSpacing(8)
        column.addWidget(self.metrics_title)
        for box in (*self.metrics.values(), *self.collectives.values()):
            column.addWidget(box)
        sizes = QHBoxLayout()
        sizes.setSpacing(8)
        sizes.addWidget(self.sizes_label)
        sizes.addWidget(self.sizes, 1)
        self.sizes.setFixedHeight(28)
        column.addLayout(sizes)
        column.addStretch(1)
        area = QScrollArea(self)
        area.setWidget(inner)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)
        set_surface(self, "panel")

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.fields_title.setText(self.tr("Fields"))
        self.metrics_title.setText(self.tr("Figures of every variant"))
        self.add.setText(self.tr("Add a field"))
        self.sizes_label.setText(self.tr("at sizes"))
        names = {
            "counts": self.tr("Servers, GPUs, switches, links"),
            "tiers": self.tr("Leafs, spines, cores"),
            "cables": self.tr("Cables"),
            "power": self.tr("Power"),
            "fabric_power": self.tr("Power of the network"),
            "rack_units": self.tr("Rack units"),
            "cost": self.tr("Price"),
            "findings": self.tr("Findings (slow)"),
            "worst_failure": self.tr("Worst single failure (slow)"),
            "train": self.tr("Training step (slow)"),
        }
        for name, box in self.metrics.items():
            box.setText(names[name])
        for name, box in self.collectives.items():
            box.setText(self.tr("{collective}: bandwidth and time").format(collective=collective_name(name)))
        self.sizes.setToolTip(self.tr("Sizes per GPU with commas, such as 64M, 1G"))
        self.sizes.setAccessibleName(self.sizes.toolTip())
        shown = self.names()
        for row in self.rows:
            row.offer(shown)
            self._label(row)
        self.follow()

    def _label(self, row: FieldRow) -> None:
        row.field.setAccessibleName(self.tr("Field"))
        row.values.setAccessibleName(self.tr("Values"))
        row.values.setPlaceholderText(self.tr("Values, such as 1, 2, 4 or 2..16:2"))
        row.remove.setToolTip(self.tr("Take this field away"))
        row.remove.setAccessibleName(row.remove.toolTip())

    # -- rows ---------------------------------------------------------------------------------------------------------

    def names(self) -> dict[str, str]:
        """Name of each field that the open design offers, by key."""
        context = self.context
        if context.design not in context.project.designs:
            return {}
        if self._template_for != context.design:  # drawn anew for each comparison: only when another design opens
            self._template, self._template_for = template_of(context.project), context.design
        own = [f"template.{s.key}" for s in self._template.settings if s.key != "title"] if self._template else []
        keys = [*own, *field_names(context.project, context.design_row)]
        named = {key: field for key in keys if ".config." in key and (field := self.field_of(key)) is not None}
        return names_of(keys, self._template, named)

    @property
    def template(self) -> Template | None:
        """The template that the project is drawn from, as far as it was looked for."""
        return self._template

    def forget_template(self) -> None:
        """Another project is open."""
        self._template_for = ""

    def add_row(self, name: str = "", values: str = "") -> FieldRow | None:
        """One more field; by default a setting that is not chosen yet, with values around what it is today."""
        if len(self.rows) >= MOST_FIELDS:
            return None
        names = self.names()
        if not name:
            taken = {row.key() for row in self.rows}
            name = next((n for n in (*self._usual(list(names)), *names) if n not in taken), "")
        row = FieldRow(names, name, values or self._values_for(name), self)
        self._label(row)
        self.rows.append(row)
        self._list.addWidget(row)
        row.changed.connect(self._edited)
        row.gone.connect(self._drop)
        row.field.activated.connect(lambda _n, row=row: row.values.setText(self._values_for(row.key())))
        self._edited()
        return row

    @staticmethod
    def _usual(names: list[str]) -> list[str]:
        wires = [name for name in names if name.endswith(".per_pair") and name.startswith(("up", "leaf-spine"))]
        return [*wires, *(n for n in names if n.endswith(".per_pair")), "settings.ecmp.qps", "settings.nccl.p2p_level"]

    def _values_for(self, name: str) -> str:
        field = self.field_of(name)
        if field is None:
            return ""
        if field.option is not None and field.option.kind == "choice":
            return ", ".join(field.option.choices)
        if field.option is not None and field.option.kind == "switch":
            return "off, on"
        if isinstance(field.now, bool) or field.now is None:
            return "1, 4, 16" if name.endswith("ecmp.qps") else ""
        if isinstance(field.now, int) and field.now > 1:
            return ", ".join(str(max(1, field.now * n // 4)) for n in range(1, 5))
        return f"{field.now:g}" if isinstance(field.now, float) else str(field.now)

    def field_of(self, name: str) -> Field | None:
        """The field of a key, None where the design has none."""
        try:
            return find_field(self.context.project, self.context.design, name, self._template)
        except (UserError, KeyError):
            return None

    def _drop(self, row: FieldRow) -> None:
        self.rows.remove(row)
        self._list.removeWidget(row)
        row.deleteLater()
        self._edited()

    def _edited(self) -> None:
        self.add.setEnabled(len(self.rows) < MOST_FIELDS)
        self.follow()
        self.changed.emit()

    def follow(self) -> None:
        """Say below every field what it is today, or what is wrong with it."""
        for row in self.rows:
            field = self.field_of(row.key())
            if field is None:
                row.now.setText(self.tr("There is no such field."))
                continue
            shown = "–" if field.now is None else str(field.now)
            if isinstance(field.now, bool):
                shown = self.tr("on") if field.now else self.tr("off")
            row.now.setText(self.tr("today {value}").format(value=shown))
            row.now.setToolTip(field.text)

    # -- the grid -----------------------------------------------------------------------------------------------------

    def grid(self) -> GridText:
        """What is chosen. Raises UserError with the first thing that is wrong."""
        pieces = [f"{row.key()}={row.values.text()}" for row in self.rows]
        metrics = [name for name, box in self.metrics.items() if box.isChecked()]
        sizes = [size.strip() for size in self.sizes.text().replace("，", ",").split(",") if size.strip()]
        metrics += [f"{name}@{size}" for name, box in self.collectives.items() if box.isChecked() for size in sizes]
        if not metrics:
            raise UserError(msg("Choose at least one figure."))
        template = f";template={self._template.id}" if self._template and any("template." in p for p in pieces) else ""
        text = ";".join(piece.replace("，", ",") for piece in pieces)
        return parse_grid(f"{text};metrics={','.join(metrics)}{template}")

    def chosen_fields(self) -> list[tuple[Field, tuple[Value, ...]]]:
        """Fields in the order of the table, with their values. Raises UserError."""
        grid, project = self.grid(), self.context.project
        template = TEMPLATES.get(grid.template)
        out: list[tuple[Field, tuple[Value, ...]]] = []
        order = sorted(
            grid.fields, key=lambda n: 0 if n.startswith("template.") else 1 if n == "settings.workload" else 2
        )
        for name in order:
            field = find_field(project, self.context.design, name, template)
            if field.place == "template" and not out:
                project = redraw(project, field.name, {})
            out.append((field, tuple(read_value(field, value) for value in grid.fields[name])))
        return out
