"""The dialog that wires two groups. Every option makes the plan anew; what is drawn is exactly what is shown."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from fabricwright.design.calls import EditCall
from fabricwright.topology.wiring_plans import plan_wiring
from fabricwright.topology.wiring_wish import NETWORKS, PATTERNS, EndTally, WiringPlan, WiringWish, plan_calls
from fabricwright.ui.context import UiContext
from fabricwright.ui.dialogs import fit_to_screen
from fabricwright.ui.i18n import text_of
from fabricwright.ui.panels.inspector_texts import network_name
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import FlowLayout, NoticeBox, TextLabel, answer_buttons, set_surface
from fabricwright.ui.wiring.preview import SHOWN, WiringPreview
from fabricwright.units.errors import UserError

#: Patterns tried for a first proposal, in order: for servers to switches, and between switches.
FIRST = {True: ("rail-aligned", "dual-homed", "spread"), False: ("full-mesh", "one-to-one", "spread")}


def proposed(context: UiContext, a: str, b: str) -> str:
    """The pattern that wires two ends without anything left over, else the first that draws something."""
    root = context.design_row.sheets.get(context.sheet)
    of = [root.items[i].of or "" for i in (a.partition(":")[0], b.partition(":")[0]) if root and i in root.items]
    server = any(x.startswith("sheet:") for x in of)
    fallback = ""
    for pattern in FIRST[server]:
        try:
            plan = plan_wiring(context.project, context.design, context.sheet, WiringWish(a, b, pattern), shown=0)
        except UserError:
            continue
        if plan.possible and not plan.problems:
            return pattern
        fallback = fallback or (pattern if plan.possible else "")
    return fallback or FIRST[server][0]


def parse_rows(text: str) -> tuple[tuple[int, str, int, str], ...] | int:
    """Lines "0 nic0:1 2 33" as rows; the number of the first line that is none."""
    rows = []
    for n, line in enumerate(text.splitlines(), 1):
        words = line.replace(",", " ").split()
        if not words:
            continue
        if len(words) != 4 or not words[0].isdigit() or not words[2].isdigit():
            return n
        rows.append((int(words[0]), words[1], int(words[2]), words[3]))
    return tuple(rows)


class WiringDialog(QDialog):
    """``plan`` is what is shown now; ``calls()`` draw it as one step."""

    def __init__(self, context: UiContext, a: str, b: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.ends = (a, b)
        self.plan: WiringPlan | None = None
        self._on: tuple[str, ...] | None = None
        self.setWindowTitle(self.tr("Wire groups"))
        self.pattern = QComboBox(self)
        for name in PATTERNS:
            self.pattern.addItem(self._name(name), name)
        self.about = TextLabel("", self, px=11.5, token="text.3", wrap=True)
        self.network = QComboBox(self)
        self.network.addItem(self.tr("as the ports"), "")
        for name in NETWORKS:
            self.network.addItem(network_name(name), name)
        self.per_pair = QSpinBox(self)
        self.per_pair.setRange(0, 512)
        self.per_pair.setSpecialValueText(self.tr("as many as fit"))
        self.axes = QWidget(self)
        self.axes_row = FlowLayout(self.axes)
        self.rows = QPlainTextEdit(self)
        self.rows.setPlaceholderText("0 nic0:1 0 33\n0 nic1:1 1 33")
        self.rows.setFixedHeight(110)
        self.notice = NoticeBox(self)
        self.count = TextLabel("", self, px=20, weight=SEMIBOLD)
        self.detail = TextLabel("", self, px=12, token="text.2", wrap=True)
        self.preview = WiringPreview(self)
        self._build()
        self.pattern.setCurrentIndex(self.pattern.findData(proposed(context, a, b)))
        self.pattern.currentIndexChanged.connect(lambda _n: self._pattern_changed())
        self.network.currentIndexChanged.connect(lambda _n: self.refresh())
        self.per_pair.valueChanged.connect(lambda _n: self.refresh())
        self.rows.textChanged.connect(self.refresh)
        self._pattern_changed()

    def sizeHint(self) -> QSize:
        return QSize(880, 540)

    def _build(self) -> None:
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(12)
        self.grid.setVerticalSpacing(10)
        self.grid.setColumnStretch(1, 1)
        self._captions: dict[QWidget, TextLabel] = {}
        for row, (label, control) in enumerate(
            (
                (self.tr("Pattern"), self.pattern),
                ("", self.about),
                (self.tr("Network"), self.network),
                (self.tr("Cables per pair"), self.per_pair),
                (self.tr("Joined on"), self.axes),
                (self.tr("Cables"), self.rows),
            )
        ):
            caption = TextLabel(label, self, token="text.2")
            self._captions[control] = caption
            self.grid.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop)
            caption.setContentsMargins(0, 6, 0, 0)
            self.grid.addWidget(control, row, 1)
            if label:
                control.setAccessibleName(label)
        column_left = QWidget(self)
        column_left.setFixedWidth(340)
        left = QVBoxLayout(column_left)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(12)
        left.addLayout(self.grid)
        left.addStretch(1)
        left.addWidget(self.count)
        left.addWidget(self.detail)
        left.addWidget(self.notice)
        middle = QHBoxLayout()
        middle.setSpacing(20)
        middle.addWidget(column_left)
        middle.addWidget(self.preview, 1)
        buttons, self.accept_button = answer_buttons(self, self.tr("Cancel"), self.tr("Wire"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(16)
        title = self.tr("Wire {a} to {b}").format(a=self.ends[0], b=self.ends[1])
        column.addWidget(TextLabel(title, self, px=17, weight=SEMIBOLD))
        column.addLayout(middle, 1)
        column.addWidget(buttons)
        set_surface(self, "panel")
        fit_to_screen(self, self.sizeHint())

    def _name(self, pattern: str) -> str:
        return {
            "rail-aligned": self.tr("Rail-aligned"),
            "one-to-one": self.tr("One to one"),
            "full-mesh": self.tr("Full mesh"),
            "dual-homed": self.tr("Dual-homed"),
            "planes": self.tr("Planes"),
            "spread": self.tr("Spread"),
            "by-hand": self.tr("By hand"),
        }[pattern]

    def _about(self, pattern: str) -> str:
        return {
            "rail-aligned": self.tr("Port n of every server goes to the switch of rail n in its unit."),
            "one-to-one": self.tr("Member n meets member n; with axes in common, those that agree on them."),
            "full-mesh": self.tr("Every member meets every member on the other side."),
            "dual-homed": self.tr("The two ports of every member go to two different switches."),
            "planes": self.tr("The network is split into planes that never meet; port n goes to plane n."),
            "spread": self.tr("Ports are dealt out evenly, one after the other."),
            "by-hand": self.tr("One line per cable: member, port, member, port."),
        }[pattern]

    # -- making the plan --------------------------------------------------------------------------------------------

    def _pattern_changed(self) -> None:
        pattern = str(self.pattern.currentData())
        self._on = None
        self.about.setText(self._about(pattern))
        self._show(self.rows, pattern == "by-hand")
        self._show(self.per_pair, pattern in ("full-mesh", "planes"))
        self.refresh()

    def _show(self, control: QWidget, on: bool) -> None:
        control.setVisible(on)
        self._captions[control].setVisible(on)

    def wish(self) -> WiringWish:
        """What the controls ask for."""
        rows = parse_rows(self.rows.toPlainText())
        return WiringWish(
            *self.ends,
            pattern=str(self.pattern.currentData()),
            per_pair=self.per_pair.value() if not self.per_pair.isHidden() else 0,
            on=self._on,
            network=str(self.network.currentData()),
            rows=rows if isinstance(rows, tuple) else (),
        )

    def refresh(self) -> None:
        """Plan, preview, counts and what is wrong."""
        context = self.context
        wrong = parse_rows(self.rows.toPlainText()) if not self.rows.isHidden() else ()
        try:
            self.plan = plan_wiring(context.project, context.design, context.sheet, self.wish(), shown=SHOWN)
            problems = [text_of(problem) for problem in self.plan.problems]
        except UserError as error:
            self.plan, problems = None, [text_of(error.message)]
        if isinstance(wrong, int):
            problems.insert(0, self.tr("Line {number} is not: member, port, member, port.").format(number=wrong))
        plan = self.plan
        possible = plan is not None and plan.possible and not isinstance(wrong, int)
        self.accept_button.setEnabled(possible)
        self._fill_axes(plan)
        hidden = plan.rows - min(len(plan.preview), SHOWN) if plan is not None else 0
        more = self.tr("and {count} more").format(count=f"{hidden:,}") if hidden > 0 else ""
        self.preview.set_plan(plan, more)
        cables = plan.cables if plan is not None else 0
        self.count.setText(self.tr("{count} cables").format(count=f"{cables:,}") if possible else "")
        self.detail.setText(self._tally(plan) if possible and plan is not None else "")
        self.notice.setVisible(bool(problems))
        if problems:
            self.notice.set_notice("warning" if possible else "error", problems[0], " ".join(problems[1:3]))

    def _tally(self, plan: WiringPlan) -> str:
        lines = [self._side(side) for side in (plan.a, plan.b) if side is not None]
        if plan.cables != plan.rows:  # a cable with several branches counts once
            lines.insert(0, self.tr("{count} pairs of ports").format(count=f"{plan.rows:,}"))
        return "\n".join(lines)

    def _side(self, side: EndTally) -> str:
        used, free, peers = (
            f"{low}" if low == high else f"{low} … {high}"
            for low, high in (
                (side.used_min, side.used_max),
                (side.free_min, side.free_max),
                (side.peers_min, side.peers_max),
            )
        )
        text = self.tr("Each {item}: {used} ports used, {free} left, meets {peers}")
        return text.format(item=side.item, used=used, free=free, peers=peers)

    def _fill_axes(self, plan: WiringPlan | None) -> None:
        """A box for every axis that both sides have."""
        shared = plan.shared if plan is not None else ()
        self._show(self.axes, bool(shared) and self.pattern.currentData() not in ("by-hand", "spread"))
        known = [box.property("axis") for box in self.axes.findChildren(QCheckBox)]
        if known != list(shared):
            for box in self.axes.findChildren(QCheckBox):
                self.axes_row.removeWidget(box)
                box.setParent(None)
                box.deleteLater()
            for name in shared:
                box = QCheckBox(name, self.axes)
                box.setProperty("axis", name)
                self.axes_row.addWidget(box)
                box.clicked.connect(lambda _on: self._axes_changed())
                box.show()
        for box in self.axes.findChildren(QCheckBox):
            box.setChecked(plan is not None and box.property("axis") in plan.on)

    def _axes_changed(self) -> None:
        boxes = self.axes.findChildren(QCheckBox)
        self._on = tuple(str(box.property("axis")) for box in boxes if box.isChecked())
        self.refresh()

    def calls(self) -> EditCall | None:
        """The edit that draws the plan."""
        if self.plan is None or not self.plan.possible:
            return None
        calls = plan_calls(self.plan, self.context.design, self.context.sheet)
        return EditCall("together", {"calls": [[c.name, dict(c.args)] for c in calls], "label": "wire"})


def wire_groups(context: UiContext, a: str, b: str, parent: QWidget) -> bool:
    """Ask how to wire two ends and draw it as one undo entry; selects the new links. False when it was given up."""
    dialog = WiringDialog(context, a, b, parent)
    try:
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return False
        call = dialog.calls()
    finally:
        dialog.deleteLater()
    before = set(context.sheet_row.links)
    if call is None or context.edit(call) is None:
        return False
    context.document.select([i for i in context.sheet_row.links if i not in before])
    return True
