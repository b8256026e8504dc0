"""The editor of a workload: model, how it is spread, prices. Every field is checked while it is written; what is
accepted is one entry of the undo list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from fabricwright.design.edits.places import fresh_id, slug
from fabricwright.design.training.check import MODEL, MONEY, PLAN, number_problem, workload_problem
from fabricwright.design.training.figures import number_of
from fabricwright.design.training.presets import PRESETS
from fabricwright.design.training.shape import shape_of
from fabricwright.ui import dialogs
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.training.fields import CHOICES, GROUPS, choice_names, field_hint, field_name, group_name
from fabricwright.ui.widgets import SegmentedSwitch, TextLabel, answer_buttons, set_surface
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

PAGES = ("model", "plan", "money")
SHAPE_OFF = 1.5
"""How far the parameters that a size and shape make may be from those that are stated before it is said; what
published models leave out of their shape (norms, biases, towers of another kind) stays well below."""


class WorkloadDialog(QDialog):
    """``workload`` id of what is edited, "" for a new one (then ``apply`` gives it an id)."""

    def __init__(
        self, context: UiContext, workload: str = "", parent: QWidget | None = None, *, page: str = ""
    ) -> None:
        super().__init__(parent)
        self.context = context
        row = context.project.workloads.get(workload)
        self.workload = workload if row is not None else ""
        self._model: dict[str, Any] = dict(row.model) if row else {}
        self._plan: dict[str, Any] = dict(row.plan) if row else {}
        self._had = bool(row)
        self.fields: dict[str, QLineEdit] = {}
        self.choices: dict[str, QComboBox] = {}
        self._wrong: dict[str, TextLabel] = {}
        self.setWindowTitle(self.tr("Workload") if row else self.tr("New workload"))
        set_surface(self, "panel")
        self.title = QLineEdit(row.title if row else "", self)
        self.title.setMaxLength(200)
        self.title.setPlaceholderText(self.tr("Title"))
        self.title.setAccessibleName(self.tr("Title"))
        self.preset = QComboBox(self)
        self.preset.addItem(self.tr("Own figures"), "")
        for name, preset in PRESETS.items():
            self.preset.addItem(preset.title, name)
        self.preset.setAccessibleName(self.tr("Model"))
        self.source = TextLabel("", self, px=11, token="text.3", wrap=True)
        self.pages = QStackedWidget(self)
        for name in PAGES:
            self.pages.addWidget(self._page(name))
        names = {"model": self.tr("Model"), "plan": self.tr("Layout"), "money": self.tr("Money")}
        self.switch = SegmentedSwitch([(name, names[name]) for name in PAGES], PAGES[0], self)
        self.switch.changed.connect(self.show_page)
        self.summary = TextLabel("", self, px=11.5, token="text.2", wrap=True)
        buttons, self.ok = answer_buttons(self, self.tr("Cancel"), self.tr("Apply"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 14)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        head.addWidget(self.preset)
        column.addLayout(head)
        column.addWidget(self.source)
        column.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.pages, 1)
        column.addWidget(self.summary)
        column.addWidget(buttons)
        self._fill()
        self.preset.activated.connect(lambda _n: self.take_preset(str(self.preset.currentData())))
        for edit in self.fields.values():
            edit.textChanged.connect(lambda _text: self.check())
        for box in self.choices.values():
            box.currentIndexChanged.connect(lambda _n: self.check())
        self.show_page(page if page in PAGES else PAGES[0])
        self.check()
        dialogs.fit_to_screen(self, QSize(620, 560))

    # -- building -----------------------------------------------------------------------------------------------------

    def _page(self, page: str) -> QWidget:
        """Fields of a page in two columns, each with room for what is wrong with it."""
        body = QWidget(self)
        set_surface(body, "panel")
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 4, 8, 4)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        line = 0
        for group in (g for g in GROUPS if g.page == page):
            grid.addWidget(TextLabel(group_name(group.id), body, px=12, weight=SEMIBOLD), line, 0, 1, 4)
            line += 1
            for n, key in enumerate(group.fields):
                row, column = line + 2 * (n // 2), 2 * (n % 2)
                label = TextLabel(field_name(key), body, px=12)
                label.setToolTip(field_hint(key))
                grid.addWidget(label, row, column)
                grid.addWidget(self._widget(key, body), row, column + 1)
                wrong = TextLabel("", body, px=11, token="error", wrap=True)
                wrong.hide()
                self._wrong[key] = wrong
                grid.addWidget(wrong, row + 1, column, 1, 2)
            line += 2 * ((len(group.fields) + 1) // 2)
            grid.setRowMinimumHeight(line, 8)
            line += 1
        grid.setRowStretch(line, 1)
        scroll = QScrollArea(self)
        scroll.setWidget(body)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return scroll

    def _widget(self, key: str, parent: QWidget) -> QWidget:
        widget: QLineEdit | QComboBox
        if key in CHOICES:
            widget = self.choices[key] = QComboBox(parent)
            for word, name in choice_names(key):
                widget.addItem(name, word)
        else:
            widget = self.fields[key] = QLineEdit(parent)
            widget.setMaxLength(40)
        widget.setAccessibleName(field_name(key))
        widget.setToolTip(field_hint(key))
        widget.setMinimumWidth(110)
        return widget

    def show_page(self, page: str) -> None:
        """Model, layout or money."""
        self.switch.set_current(page)
        self.pages.setCurrentIndex(PAGES.index(page))

    # -- values -------------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        settings = self.context.design_row.settings
        for key, edit in self.fields.items():
            where: Mapping[str, Any] = settings if key in MONEY or key == "money.currency" else self._where(key)
            value = where.get(key)
            edit.setText("" if value is None else f"{value:.12g}" if isinstance(value, float) else str(value))
        for key, box in self.choices.items():
            box.setCurrentIndex(max(box.findData(_chosen(key, self._plan)), 0))
        named = next((n for n, p in PRESETS.items() if _same(p.model, self._model)), "")
        self.preset.setCurrentIndex(max(self.preset.findData(named), 0))
        self._say_source(named)

    def _where(self, key: str) -> dict[str, Any]:
        return self._model if key in MODEL else self._plan

    def take_preset(self, name: str) -> None:
        """Fill the shape of a published model in; "" keeps the figures and lets them be changed."""
        self._say_source(name)
        if not name:
            return
        found = PRESETS[name]
        known = {p.title for p in PRESETS.values()} | {""}
        if self.title.text().strip() in known:
            self.title.setText(found.title)
        self._model = {k: v for k, v in found.model.items() if k not in self.fields}
        for key in MODEL:
            if key in self.fields and key != "tokens_b":
                value = found.model.get(key)
                self.fields[key].setText(
                    "" if value is None else f"{value:.12g}" if isinstance(value, float) else str(value)
                )
        self.check()

    def _say_source(self, name: str) -> None:
        self.source.setText(self.tr("Source: {source}").format(source=PRESETS[name].source) if name else "")
        self.source.setVisible(bool(name))

    def model(self) -> dict[str, Any]:
        """What would be stored as the workload's model."""
        out = {k: v for k, v in self._model.items() if k not in self.fields}
        return {**out, **self._numbers(MODEL)}

    def plan(self) -> dict[str, Any]:
        """What would be stored as its plan."""
        taken = {*self.fields, *self.choices, "micro_batch", "batch", "global_batch", "sharding"}
        out = {k: v for k, v in self._plan.items() if k not in taken}
        out |= self._numbers(PLAN)
        for key, box in self.choices.items():
            word = str(box.currentData())
            if key == "zero" and word:
                out["zero"] = int(word)
            elif word and key != "zero":
                out[key] = word
        return out

    def _numbers(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key, edit in self.fields.items():
            if key in fields and edit.text().strip() and number_problem(edit.text(), fields[key]) is None:
                value = number_of({"v": edit.text()}, "v")
                if value is not None:
                    out[key] = int(value) if value == int(value) else value
        return out

    def money(self) -> dict[str, Any]:
        """Settings of the design that change; None takes one out."""
        settings, out = self.context.design_row.settings, {}
        numbers = self._numbers(MONEY)
        code = self.fields["money.currency"].text().strip().upper()
        for key in (*MONEY, "money.currency"):
            new = numbers.get(key) if key in MONEY else (code or None)
            if new != settings.get(key):
                out[key] = new
        return out

    # -- checks -------------------------------------------------------------------------------------------------------

    def problems(self) -> dict[str, Message]:
        """Field -> what is wrong with it."""
        out: dict[str, Message] = {}
        for key, edit in self.fields.items():
            takes = MODEL.get(key) or PLAN.get(key) or MONEY.get(key)
            found = number_problem(edit.text(), takes) if takes is not None else None
            if found is not None:
                out[key] = found
        code = self.fields["money.currency"].text().strip()
        if code and not (len(code) == 3 and code.isascii() and code.isalpha()):
            out["money.currency"] = msg("'{code}' is no currency code; expected three letters, as CNY.", code=code[:20])
        if not out:
            ranks = int(self.context.analysis.training.get("ranks") or 0)
            found_one = workload_problem(self.model(), self.plan(), ranks)
            if found_one is not None:
                out[found_one[0]] = found_one[1]
        return out

    def check(self) -> None:
        """Say what is wrong beside every field; only a workload without a wrong number can be applied."""
        wrong = self.problems()
        empty = list(wrong) == ["params_b"] and not self.model()
        for key, label in self._wrong.items():
            found = wrong.get(key) if not empty else None
            label.setText(text_of(found) if found is not None else "")
            label.setVisible(found is not None)
        self.ok.setEnabled(not wrong)
        if empty:  # Nobody has done anything wrong yet.
            self.summary.set_token("text.2")
            text = self.tr("Choose a model above, or state its parameters, or its layers and hidden size.")
            self.summary.setText(text)
            return
        self._summarise(wrong)

    def _summarise(self, wrong: Mapping[str, Message]) -> None:
        """What the shape counts to; on other pages than that of the problem, the problem."""
        if wrong:
            key, found = next(iter(wrong.items()))
            self.summary.set_token("error")
            self.summary.setText(f"{field_name(key)}: {text_of(found)}")
            return
        self.summary.set_token("text.2")
        try:
            shape = shape_of(self.model())
        except UserError as error:
            self.summary.setText(text_of(error.message))
            return
        if shape is None:
            return
        # Whether its feed-forward part is gated was guessed from the stated number where the preset does not say.
        low, high = sorted(replace(shape, gated=gated).counted_params() for gated in (False, True))
        if not shape.assumed and not low / SHAPE_OFF <= shape.params <= high * SHAPE_OFF:
            self.summary.set_token("warn")
            text = self.tr(
                "{billions} billion parameters are stated, but this size and shape make {low} to {high} billion."
            )
            figures = {"billions": shape.params, "low": low, "high": high}
            self.summary.setText(text.format(**{key: f"{value / 1e9:.4g}" for key, value in figures.items()}))
            return
        if shape.experts:
            line = self.tr(
                "{billions} billion parameters ({active} billion met by a token), {flops} TFLOP per sequence."
            )
        else:
            line = self.tr("{billions} billion parameters, {flops} TFLOP per sequence.")
        self.summary.setText(
            line.format(
                billions=f"{shape.params / 1e9:.4g}",
                active=f"{shape.active_params / 1e9:.4g}",
                flops=f"{shape.flops_per_token(shape.seq) * shape.seq / 1e12:,.0f}",
            )
        )

    def apply(self) -> bool:
        """Post the edits, together. False when one was refused."""
        project, calls = self.context.project, []
        name = self.workload or fresh_id(
            slug(self.title.text().strip() or "workload"), project.workloads, numbered=False
        )
        title = self.title.text().strip() or name
        row = project.workloads.get(name)
        if row is None or (title, self.model(), self.plan()) != (row.title, dict(row.model), dict(row.plan)):
            args = {"workload": name, "title": title, "model": self.model(), "plan": self.plan()}
            calls.append(("set_workload", args))
        for key, value in self.money().items():
            calls.append(("set_setting", {"key": key, "value": value}))
        if not self._had and self.context.design_row.settings.get("workload") != name and project.workloads:
            calls.append(("set_setting", {"key": "workload", "value": name}))
        if calls and self.context.edit_all("Change workload", calls) is None:
            return False
        self.workload = name
        return True


def _chosen(key: str, plan: Mapping[str, Any]) -> str:
    """The word of a choice that a plan states, in any of the ways in which plans are written."""
    from fabricwright.design.training import plan as plans

    if key == "zero":
        stage = plans.zero_stage(plan)
        return "" if stage is None else str(stage)
    if key == "precision":
        word = plans.word_of(plan, key)
        return plans.precision_of(word) if word else ""
    if key == "recompute":
        return {"": "off" if plan.get(key) not in (None, "") else ""}.get(
            plans.recompute_of(plan)
        ) or plans.recompute_of(plan)
    if key == "offload":
        return plans.offload_of(plan)
    return plans.word_of(plan, key)


def _same(preset: Mapping[str, Any], model: Mapping[str, Any]) -> bool:
    """Whether a model has the figures of a preset (the tokens to train on apart)."""
    mine = {k: v for k, v in model.items() if k != "tokens_b"}
    return mine == dict(preset)
