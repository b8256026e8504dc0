"""The form for a part of the user's own: names, figures, ports, cages, modes and slots; checked while typing."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from fabricwright.catalog.pictograms import pictogram
from fabricwright.ui import dialogs
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.icons import icon, paint_icon
from fabricwright.ui.own_parts.columns import TABLES
from fabricwright.ui.own_parts.draft import Draft
from fabricwright.ui.own_parts.figures_model import FiguresModel
from fabricwright.ui.own_parts.general_page import GeneralPage
from fabricwright.ui.own_parts.rows_model import RowsModel, span
from fabricwright.ui.own_parts.table_page import TablePage
from fabricwright.ui.own_parts.words import kind_name, place_name, table_name
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.panels.words import listed
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, theme
from fabricwright.ui.widgets import CellCombo, Chip, Divider, ElidedLabel, Named, TextButton, TextLabel, set_surface
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key


class _Tile(QWidget):
    """The pictogram of the kind."""

    def __init__(self, kind: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._kind = kind
        self.setFixedSize(40, 40)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        rounded(painter, QRectF(self.rect()), theme()["sunken"], radius=8)
        paint_icon(painter, pictogram(self._kind), QRectF(8, 8, 24, 24), "text.2")
        painter.end()


class PartForm(QDialog):
    """``saved(part_id, place_it)`` when the part is kept. Closing with changes asks first."""

    saved = Signal(str, bool)

    def __init__(self, draft: Draft, parent: QWidget | None = None, *, placeable: bool = False) -> None:
        super().__init__(parent)
        self.draft = draft
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("Edit own part") if draft.editing else self.tr("Make own part"))
        self.general = GeneralPage(draft, self)
        self.figures = TablePage(FiguresModel(draft, self), self)
        self.tables = {name: TablePage(RowsModel(draft, name, self), self) for name in TABLES}
        self.pages: dict[str, GeneralPage | TablePage] = {
            "general": self.general,
            "figures": self.figures,
            **self.tables,
        }
        self.tabs = QTabBar(self)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.stack = QStackedWidget(self)
        for name, page in self.pages.items():
            self.tabs.addTab(table_name(name))
            self.stack.addWidget(page)
        self.tabs.currentChanged.connect(self.stack.setCurrentIndex)
        self._texts()
        self.default_mode = CellCombo(self, [])
        self.default_mode.setAccessibleName(self.tr("Default mode"))
        self.default_mode.activated.connect(lambda _row: draft.set_text("default_mode", str(self.default_mode.value())))
        self._mode_row()
        self.title = ElidedLabel("", self, px=17, weight=SEMIBOLD)
        self.origin = ElidedLabel("", self, px=12, token="text.2")
        self.estimate = Chip("", "estimate", self)
        self.verdict = TextButton("", self, token="error", icon_name="error-octagon")
        self.verdict.clicked.connect(self.show_first)
        self.sound = TextLabel("", self, px=12, token="text.3")
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.place_button = QPushButton(self.tr("Save and place"), self)
        self.save_button = QPushButton(self.tr("Save"), self)
        self.place_button.setVisible(placeable)
        self.save_button.setDefault(True)
        self.cancel_button.clicked.connect(lambda _on=False: self.reject())
        self.save_button.clicked.connect(lambda _on=False: self.keep(place=False))
        self.place_button.clicked.connect(lambda _on=False: self.keep(place=True))
        self._arrange()
        set_surface(self, "panel")
        draft.changed.connect(self._refresh)
        self._refresh()
        self.general.show_field("names.zh_CN" if current_language() == "zh_CN" else "names.en")

    def sizeHint(self) -> QSize:
        return QSize(980, 640)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(20, 16, 20, 10)
        head.setSpacing(12)
        head.addWidget(_Tile(self.draft.text("kind"), self))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.origin)
        head.addLayout(words, 1)
        head.addWidget(self.estimate, 0, Qt.AlignmentFlag.AlignVCenter)
        tabs = QHBoxLayout()
        tabs.setContentsMargins(8, 0, 8, 0)
        tabs.addWidget(self.tabs)
        tabs.addStretch(1)
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 10, 16, 12)
        foot.setSpacing(8)
        foot.addWidget(self.verdict)
        foot.addWidget(self.sound)
        foot.addStretch(1)
        foot.addWidget(self.cancel_button)
        foot.addWidget(self.place_button)
        foot.addWidget(self.save_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addLayout(tabs)
        column.addWidget(Divider(self))
        column.addWidget(self.stack, 1)
        column.addWidget(Divider(self))
        column.addLayout(foot)

    def _texts(self) -> None:
        for name, lines, link in (
            ("figures", self.tr("No figures are stated."), ""),
            (
                "ports",
                self.tr("No fixed ports; those of cages follow from their splits."),
                self.tr("Add a port"),
            ),
            ("cages", self.tr("No cages for transceivers or cables."), self.tr("Add a cage")),
            ("modes", self.tr("One fixed set of ports; no modes to choose from."), self.tr("Add a mode")),
            ("slots", self.tr("No slots for cards or modules."), self.tr("Add a slot")),
        ):
            page = self.pages[name]
            assert isinstance(page, TablePage)
            page.set_empty([lines], link)
        if self.draft.row.get("interior"):
            self.tables["slots"].set_note(
                self.tr("The wiring inside is that of the part it was made from; slots must agree with it.")
            )

    def _mode_row(self) -> None:
        """The choice of the default mode stands above the table of modes."""
        row = QWidget(self)
        box = QHBoxLayout(row)
        box.setContentsMargins(14, 6, 14, 2)
        box.setSpacing(10)
        box.addWidget(TextLabel(self.tr("Default mode"), row, token="text.2"))
        self.default_mode.setMinimumWidth(140)
        box.addWidget(self.default_mode)
        box.addStretch(1)
        layout = self.tables["modes"].layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(0, row)
        self._modes = row

    # -- what is shown ------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        draft, lang = self.draft, current_language()
        name = draft.text(f"names.{lang}") or draft.text("names.en") or draft.text("model")
        self.title.set_text(name or draft.part_id)
        base = draft.store.name_of(draft.base_id, lang) if draft.base_id in draft.store else ""
        made = self.tr("made from {part}").format(part=base) if base else ""
        self.origin.set_text(listed([kind_name(draft.text("kind")), made or draft.text("origin")]))
        inside = draft.row.get("interior") or {}
        assumed = bool(inside.get("assumed")) or draft.text("confidence") == "inferred"
        self.estimate.set_text(self.tr("estimate") if assumed else "")
        self.estimate.setToolTip(
            self.tr("The wiring inside is assumed, not read from this part's source.")
            if inside.get("assumed")
            else self.tr("Inferred from a name or other values, not read from a source.")
        )
        for n, (name, page) in enumerate(self.pages.items()):
            count = page.model.total() if isinstance(page, TablePage) else 0
            wrong = page.trouble() if isinstance(page, GeneralPage) else page.model.trouble()
            text = table_name(name) + (f"  {count}" if count else "")
            self.tabs.setTabText(n, text)
            self.tabs.setTabIcon(n, icon("error-octagon", "error") if wrong else QIcon())
            self.tabs.setTabToolTip(
                n, self.tr("{count} to put right").format(count=wrong) if wrong else table_name(name)
            )
        self._refresh_modes()
        found = draft.problems
        self.verdict.setVisible(bool(found))
        self.sound.setVisible(not found)
        self.sound.setText(self.tr("All fields hold together."))
        if found:
            self.verdict.setText(self._sentence())
            self.verdict.updateGeometry()
        for button in (self.save_button, self.place_button):
            button.setEnabled(not found)

    def _sentence(self) -> str:
        first, rest = self.draft.problems[0], len(self.draft.problems) - 1
        text = text_of(first.message)
        if first.place:
            text = self.tr("{place}: {problem}").format(place=self._place(first.place), problem=text)
        if rest:
            text = self.tr("{problem} (and {count} more)").format(problem=text, count=rest)
        metrics = self.verdict.fontMetrics()
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(200, self.width() - 360))

    def _place(self, place: str) -> str:
        """Where a problem is, in the words of the page that it is on."""
        for name, page in self.tables.items():
            model = page.model
            cell = model.row_of(place)
            if cell and isinstance(model, RowsModel):
                line, column = model.line(cell[0]), model.columns[cell[1]]
                words = [line.mode, span(line.names)] if line else []
                return listed([table_name(name), *words, column.title if cell[1] else ""])
        return place_name(place)

    def _refresh_modes(self) -> None:
        modes = sorted(self.draft.table("modes"), key=natural_key)
        self._modes.setVisible(bool(modes))
        if [self.default_mode.itemData(n) for n in range(self.default_mode.count())] != modes:
            self.default_mode.clear()
            for named in (Named(mode, mode) for mode in modes):
                self.default_mode.addItem(named.text, named.value)
        self.default_mode.setCurrentIndex(self.default_mode.findData(self.draft.text("default_mode")))
        self.default_mode.setProperty("invalid", bool(self.draft.problems_at("default_mode")))

    def show_page(self, name: str) -> None:
        """Bring a page to the front."""
        self.tabs.setCurrentIndex(list(self.pages).index(name))

    def show_first(self) -> None:
        """Go to the first thing that is wrong."""
        for problem in self.draft.problems:
            for name, page in self.pages.items():
                if isinstance(page, GeneralPage):
                    field = page.row_of(problem.place)
                    if field:
                        self.show_page(name)
                        page.show_field(field)
                        return
                    continue
                cell = page.model.row_of(problem.place)
                if cell:
                    self.show_page(name)
                    page.show_cell(*cell)
                    return
            if problem.place == "default_mode":
                self.show_page("modes")
                self.default_mode.setFocus()
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter in a line of the first page saves, Ctrl+Enter anywhere; in tables and lists it belongs to them."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            here = self.focusWidget()
            in_line = isinstance(here, QLineEdit) and self.general.isAncestorOf(here)
            if (in_line or event.modifiers() & Qt.KeyboardModifier.ControlModifier) and self.save_button.isEnabled():
                self.keep(place=False)
            elif isinstance(here, QPushButton):
                here.click()
            return
        super().keyPressEvent(event)

    # -- the end ------------------------------------------------------------------------------------------------------

    def keep(self, *, place: bool) -> bool:
        """Save; False when it cannot be written."""
        try:
            part_id = self.draft.save()
        except UserError as error:
            dialogs.show_problem(self, error.message)
            return False
        self.saved.emit(part_id, place)
        self.accept()
        return True

    def reject(self) -> None:
        if not self.draft.dirty or self.ask_discard():
            super().reject()

    def discard(self) -> None:
        """Close without asking."""
        super().reject()

    def ask_discard(self) -> bool:
        """Whether what was typed may be lost."""
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Fabricwright")
        box.setText(self.tr("Discard this part?"))
        box.setInformativeText(self.tr("What was typed has not been saved."))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Cancel)
        return box.exec() == buttons.Discard
