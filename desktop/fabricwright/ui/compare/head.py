"""The bar over the comparison: which sides, what the marks mean, changes only, and what leaves the window."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from fabricwright.design.journal import SUFFIX as JOURNAL
from fabricwright.design.order import designs_in_order
from fabricwright.design.snapshots import in_order, snapshot_project
from fabricwright.design.values import Project
from fabricwright.ui.compare.marks import DASH, TOKENS
from fabricwright.ui.icons import icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import SEMIBOLD, make_pen, theme, ui_font
from fabricwright.ui.widgets import TextLabel, set_surface
from fabricwright.units.errors import UserError

HEIGHT = 46
PICK_FILE = "file"


@dataclass(frozen=True, slots=True)
class Choice:
    """One side: a design of the open project, as it is or as it was at a snapshot, or of another file. ``title`` what
    the design is called there.
    """

    design: str
    file: str = ""
    snapshot: str = ""
    title: str = field(default="", compare=False)

    def to_wire(self) -> dict[str, str]:
        """As the worker takes it."""
        row = {"design": self.design, "file": self.file}
        return {**row, "snapshot": self.snapshot} if self.snapshot else row


class _Sample(QWidget):
    """A frame as the marks are drawn, with its word."""

    def __init__(self, kind: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._kind, self._text = kind, ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_text(self, text: str) -> None:
        """Another language."""
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        self.setFont(ui_font(12))
        return QSize(26 + self.fontMetrics().horizontalAdvance(self._text), 24)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        token = TOKENS[self._kind]
        p.setPen(make_pen(now[token], 1.5, tuple(d / 2 for d in DASH) if self._kind == "removed" else ()))
        p.setBrush(now.alpha(token, 0.12))
        p.drawRoundedRect(QRectF(1, 6, 17, 12), 3, 3)
        p.setFont(ui_font(12))
        p.setPen(now["text.2"])
        p.drawText(QRectF(24, 0, self.width() - 24, self.height()), Qt.AlignmentFlag.AlignVCenter, self._text)
        p.end()


class CompareHead(QWidget):
    """``chosen`` after another side was picked; ``file_wanted`` (side) somebody wants a design of another file;
    ``only_changed`` (on); ``export_wanted`` the comparison as a page; ``report_wanted`` the design report.
    """

    chosen = Signal()
    file_wanted = Signal(int)
    only_changed = Signal(bool)
    export_wanted = Signal()
    report_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT)
        set_surface(self, "panel")
        self.sides: list[Choice | None] = [None, None, None]
        self._files: list[Choice] = []
        self._project = Project()
        self.title = TextLabel("", self, px=13, weight=SEMIBOLD)
        self.boxes = [QComboBox(self) for _ in range(3)]
        self.swap = QToolButton(self)
        self.samples = {kind: _Sample(kind, self) for kind in TOKENS}
        self.only = QPushButton(self)
        self.export = QPushButton(self)
        self._build()
        self.retranslate()

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 14, 0)
        row.setSpacing(10)
        sign = QToolButton(self)
        sign.setIcon(icon("compare"))
        sign.setIconSize(QSize(18, 18))
        sign.setAutoRaise(True)
        sign.setEnabled(True)
        sign.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        sign.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row.addWidget(sign)
        row.addWidget(self.title)
        for n, box in enumerate(self.boxes):
            box.setFixedHeight(28)
            box.setMinimumWidth(110)
            box.setMaximumWidth(240)
            box.setProperty("elide_middle", True)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.activated.connect(lambda index, n=n: self._picked(n, index))
            row.addWidget(box)
            if n == 0:
                self.swap.setIcon(icon("swap"))
                self.swap.setAutoRaise(True)
                self.swap.setFixedSize(26, 26)
                self.swap.clicked.connect(self._swap)
                row.addWidget(self.swap)
        row.addSpacing(8)
        for sample in self.samples.values():
            row.addWidget(sample)
        row.addStretch(1)
        self.only.setCheckable(True)
        self.only.setIcon(icon("check"))
        self.only.toggled.connect(self.only_changed)
        self.export.setIcon(icon("export"))
        menu = QMenu(self.export)
        self.as_page = menu.addAction(icon("compare"), "")
        self.as_page.triggered.connect(lambda _on=False: self.export_wanted.emit())
        self.as_report = menu.addAction(icon("book"), "")
        self.as_report.triggered.connect(lambda _on=False: self.report_wanted.emit())
        self.export.setMenu(menu)
        for button in (self.only, self.export):
            button.setFixedHeight(28)
            row.addWidget(button)

    # -- sides --------------------------------------------------------------------------------------------------------

    def known(self) -> list[Choice]:
        """The sides that are chosen, in order."""
        return [side for side in self.sides if side is not None]

    def show_project(self, project: Project) -> None:
        """Another state of the project: sides that are gone are replaced, and fresh ones are its first designs."""
        self._project = project
        order = designs_in_order(project)
        for n, side in enumerate(self.sides):
            if side is None or side.file:
                continue
            gone = side.snapshot not in project.snapshots if side.snapshot else side.design not in project.designs
            if gone:
                self.sides[n] = None
        if self.sides[0] is None and order:
            self.sides[0] = Choice(order[0])
        if self.sides[1] is None:
            rest = [name for name in order if Choice(name) not in self.sides]
            self.sides[1] = Choice(rest[0]) if rest else None
        self._fill()

    def start_with(self, project: Project) -> None:
        """The first three designs of another project."""
        order = designs_in_order(project)
        self.sides = [Choice(order[n]) if n < len(order) else None for n in range(3)]
        self._files = []
        self.show_project(project)

    def set_side(self, number: int, choice: Choice | None) -> None:
        """A side from outside (a design of another file); None: no third side."""
        if choice is not None and choice.file and choice not in self._files:
            self._files.append(choice)
        self.sides[number] = choice
        self._fill()
        self.chosen.emit()

    def name_of(self, choice: Choice) -> str:
        """Title of a side without its letter."""
        if choice.file:
            name = self.tr("unsaved work") if choice.file.endswith(JOURNAL) else Path(choice.file).name
            return f"{name}: {choice.title or choice.design}"
        if choice.snapshot:
            taken = self._project.snapshots.get(choice.snapshot)
            return f"{(taken.title if taken else '') or choice.snapshot}: {choice.title or choice.design}"
        row = self._project.designs.get(choice.design)
        return (row.title if row is not None else "") or choice.design

    def names(self) -> list[str]:
        """``A Before`` ... of the chosen sides."""
        return [f"{chr(ord('A') + n)} {self.name_of(side)}" for n, side in enumerate(self.known())]

    def _fill(self) -> None:
        for n, box in enumerate(self.boxes):
            letter = chr(ord("A") + n)
            box.blockSignals(True)
            box.clear()
            if n == 2:
                box.addItem(self.tr("no third side"), None)
            for name in designs_in_order(self._project):
                box.addItem(f"{letter} {self.name_of(Choice(name))}", Choice(name))
            for choice in (*self._snapshots(), *self._files):
                box.addItem(f"{letter} {self.name_of(choice)}", choice)
            box.addItem(self.tr("Another file…"), PICK_FILE)
            at = next((i for i in range(box.count()) if box.itemData(i) == self.sides[n]), -1)
            box.setCurrentIndex(at)
            box.blockSignals(False)

    def _snapshots(self) -> list[Choice]:
        """Every design of every snapshot; one that cannot be read is left out."""
        out: list[Choice] = []
        for key in in_order(self._project):
            try:
                kept = snapshot_project(self._project, key)
            except UserError:
                continue
            out += [Choice(n, snapshot=key, title=kept.designs[n].title) for n in designs_in_order(kept)]
        return out

    def _picked(self, number: int, index: int) -> None:
        wanted = self.boxes[number].itemData(index)
        if wanted == PICK_FILE:
            self._fill()
            self.file_wanted.emit(number)
            return
        self.sides[number] = wanted
        self.chosen.emit()

    def _swap(self) -> None:
        self.sides[0], self.sides[1] = self.sides[1], self.sides[0]
        self._fill()
        self.chosen.emit()

    # -- texts --------------------------------------------------------------------------------------------------------

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.setText(self.tr("Compare"))
        self.swap.setToolTip(self.tr("Swap the sides"))
        self.only.setText(self.tr("Changes only"))
        self.export.setText(self.tr("Export…"))
        self.as_page.setText(self.tr("Comparison as a page…"))
        self.as_report.setText(self.tr("Design report…"))
        for n, box in enumerate(self.boxes):
            box.setAccessibleName(self.tr("Side {letter}").format(letter=chr(ord("A") + n)))
        words = {"removed": self.tr("removed"), "added": self.tr("added"), "changed": self.tr("changed")}
        for kind, sample in self.samples.items():
            sample.set_text(words[kind])
        self._fill()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def resizeEvent(self, event: object) -> None:
        """What the marks mean gives way on a small window."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        for sample in self.samples.values():
            sample.setVisible(self.width() > 1180)
