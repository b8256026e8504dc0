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
    QVBoxLayout,
    QWidget,
)

from fabricwright.ui.i18n import text_of
from fabricwright.ui.icons import icon
from fabricwright.units.text import Message

FILTER = "Fabricwright (*.fwproj)"
_TITLE_BAR_PX = 48


def fit_to_screen(dialog: QWidget, wanted: QSize) -> None:
    """Give a dialog the size it wants, as far as its screen has room: the buttons stand at the bottom."""
    room = dialog.screen().availableSize() - QSize(16, _TITLE_BAR_PX)
    dialog.resize(wanted.boundedTo(room))


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

    dialog = QDialog(parent)
    dialog.setWindowTitle(QCoreApplication.translate("Dialogs", "New from template"))
    dialog.resize(560, 340)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(16, 16, 16, 16)
    rows = QListWidget(dialog)
    for template in TEMPLATES.values():
        row = QListWidgetItem(icon("layers"), text_of(template.title))
        row.setData(256, template.id)
        row.setToolTip(template.id)
        rows.addItem(row)
    rows.setCurrentRow(0)
    column.addWidget(rows)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, dialog)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    rows.itemActivated.connect(lambda _row: dialog.accept())
    column.addWidget(buttons)
    if dialog.exec() != QDialog.DialogCode.Accepted or rows.currentItem() is None:
        return None
    return str(rows.currentItem().data(256))


def show_about(parent: QWidget, version: str) -> None:
    """Name, version, licence."""
    text = QCoreApplication.translate(
        "Dialogs", "Drawing board for AI training clusters: draw it, check it, predict it."
    )
    QMessageBox.about(parent, "Fabricwright", f"<b>Fabricwright {version}</b><p>{text}</p><p>Apache-2.0</p>")
