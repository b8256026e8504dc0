"""The few questions the window asks. Plain functions, so that tests can answer for the person."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from fabricwright.ui.i18n import text_of
from fabricwright.ui.icons import icon
from fabricwright.ui.widgets import SearchField
from fabricwright.units.text import Message

FILTER = "Fabricwright (*.fwproj)"
_TITLE_BAR_PX = 48
MANY_ROWS = 12


def fit_to_screen(dialog: QWidget, wanted: QSize) -> None:
    """Give a dialog the size it wants, as far as its screen has room: the buttons stand at the bottom. What needs more
    than there is scrolls."""
    room = dialog.screen().availableSize() - QSize(16, _TITLE_BAR_PX)
    least = dialog.minimumSizeHint()
    if least.width() > room.width() or least.height() > room.height():
        _let_scroll(dialog)
    dialog.resize(wanted.boundedTo(room))


def _let_scroll(dialog: QWidget) -> None:
    """Put all but the last row of a dialog (its buttons) into a scroll area."""
    column = dialog.layout()
    if not isinstance(column, QVBoxLayout) or column.count() < 2 or dialog.findChild(QScrollArea, "dialog.scroll"):
        return
    margins = column.contentsMargins()
    last = column.takeAt(column.count() - 1)
    inside = QWidget()
    column.setContentsMargins(0, 0, 8, 0)
    inside.setLayout(column)  # Qt moves the layout with all that is in it
    area = QScrollArea(dialog)
    area.setObjectName("dialog.scroll")
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(inside)
    inside.setAutoFillBackground(False)
    area.viewport().setAutoFillBackground(False)
    outer = QVBoxLayout(dialog)
    outer.setContentsMargins(margins)
    outer.setSpacing(column.spacing())
    outer.addWidget(area, 1)
    outer.addItem(last)


def show_problem(parent: QWidget, message: Message | str) -> None:
    """One clear sentence."""
    box = QMessageBox(QMessageBox.Icon.Warning, "Fabricwright", text_of(message), QMessageBox.StandardButton.Ok, parent)
    box.exec()


def ask_unsaved(parent: QWidget, name: str) -> str:
    """``save``, ``discard`` or ``cancel``."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Fabricwright")
    box.setText(QCoreApplication.translate("Dialogs", "Save the changes to {name}?").format(name=name))
    box.setInformativeText(
        QCoreApplication.translate("Dialogs", "What was changed since the last save is lost otherwise.")
    )
    box.setStandardButtons(
        QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Discard | QMessageBox.StandardButton.Cancel
    )
    box.setDefaultButton(QMessageBox.StandardButton.Save)
    answer = box.exec()
    return {QMessageBox.StandardButton.Save: "save", QMessageBox.StandardButton.Discard: "discard"}.get(
        QMessageBox.StandardButton(answer), "cancel"
    )


def ask_open(parent: QWidget, folder: str) -> Path | None:
    """A project file to open."""
    title = QCoreApplication.translate("Dialogs", "Open project")
    name, _ = QFileDialog.getOpenFileName(parent, title, folder, f"{FILTER};;{_all()}")
    return Path(name) if name else None


def ask_picture(parent: QWidget, folder: str) -> Path | None:
    """A PNG or JPEG file."""
    kinds = QCoreApplication.translate("Dialogs", "Pictures (*.png *.jpg *.jpeg)")
    title = QCoreApplication.translate("Dialogs", "Insert picture")
    name, _ = QFileDialog.getOpenFileName(parent, title, folder, kinds)
    return Path(name) if name else None


def ask_save(parent: QWidget, start: str, title: str = "", kinds: str = FILTER, suffix: str = ".fwproj") -> Path | None:
    """Where to write; the suffix is added when it was left out."""
    name, chosen = QFileDialog.getSaveFileName(
        parent, title or QCoreApplication.translate("Dialogs", "Save project"), start, kinds
    )
    if not name:
        return None
    path = Path(name)
    if not path.suffix:
        pattern = chosen.rpartition("*")[2].strip(" )") if "*" in chosen else suffix
        path = path.with_suffix(pattern or suffix)
    return path


def _all() -> str:
    return QCoreApplication.translate("Dialogs", "All files (*)")


def ask_template(parent: QWidget) -> str | None:
    """Id of a template."""
    from fabricwright.design.templates import TEMPLATES
    from fabricwright.ui.welcome.texts import in_order, note_of, title_of

    title = QCoreApplication.translate("Dialogs", "New from template")
    about = {name: text_of(row.title) for name, row in TEMPLATES.items()}
    rows = [(name, f"{title_of(name, about[name])}\n{note_of(name, about[name])}") for name in in_order(list(about))]
    return ask_row(parent, title, rows, "layers")


def ask_chassis(parent: QWidget) -> str | None:
    """Part id of a server whose slots are free."""
    from fabricwright.catalog.store import catalogue
    from fabricwright.ui.i18n import current_language

    store = catalogue()
    rows = [(part, store.name_of(part, current_language())) for part in store.kinds().get("chassis", ())]
    return ask_row(parent, QCoreApplication.translate("Dialogs", "Which chassis?"), rows, "server")


def ask_row(parent: QWidget, title: str, choices: list[tuple[str, str]], icon_name: str) -> str | None:
    """One of some (key, text) rows, None when the person gives up. Many can be searched by words and by key."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    fit_to_screen(dialog, QSize(600, 480))
    column = QVBoxLayout(dialog)
    column.setContentsMargins(16, 16, 16, 16)
    rows = QListWidget(dialog)
    if len(choices) > MANY_ROWS:
        search = SearchField(QCoreApplication.translate("Dialogs", "Search"), dialog)
        search.textChanged.connect(lambda text: _keep_rows(rows, text))
        search.leave_down.connect(rows.setFocus)
        column.addWidget(search)
        search.setFocus()
    for key, text in choices:
        row = QListWidgetItem(icon(icon_name), text)
        row.setData(256, key)
        row.setToolTip(key)
        rows.addItem(row)
    rows.setCurrentRow(0)
    column.addWidget(rows)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, dialog)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    rows.itemActivated.connect(lambda _row: dialog.accept())
    column.addWidget(buttons)
    chosen = rows.currentItem() if dialog.exec() == QDialog.DialogCode.Accepted else None
    return str(chosen.data(256)) if chosen is not None and not chosen.isHidden() else None


def _keep_rows(rows: QListWidget, text: str) -> None:
    """Only rows with every word, in text or key; the first of them is chosen."""
    words = text.lower().split()
    for n in range(rows.count()):
        row = rows.item(n)
        row.setHidden(any(word not in f"{row.text()} {row.data(256)}".lower() for word in words))
    current = rows.currentItem()
    if current is None or current.isHidden():
        shown = (n for n in range(rows.count()) if not rows.item(n).isHidden())
        rows.setCurrentRow(next(shown, -1))


def ask_text(parent: QWidget, title: str, label: str, text: str = "") -> str:
    """A line of text, "" when the person gives up."""
    from PySide6.QtWidgets import QInputDialog, QLineEdit

    answer, fine = QInputDialog.getText(parent, title, label, QLineEdit.EchoMode.Normal, text)
    return answer if fine else ""


def ask_yes(parent: QWidget, text: str) -> bool:
    """A plain question."""
    buttons = QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.Cancel
    return QMessageBox.question(parent, "Fabricwright", text, buttons) == QMessageBox.StandardButton.Yes


def ask_block(parent: QWidget, folder: str) -> Path | None:
    """A block file."""
    kinds = QCoreApplication.translate("Dialogs", "Blocks (*.fwblock)")
    name, _ = QFileDialog.getOpenFileName(parent, QCoreApplication.translate("Dialogs", "Insert block"), folder, kinds)
    return Path(name) if name else None


def show_about(parent: QWidget, version: str) -> None:
    """Name, version, licences."""
    from fabricwright.ui.about import AboutDialog

    AboutDialog(parent, version).exec()
