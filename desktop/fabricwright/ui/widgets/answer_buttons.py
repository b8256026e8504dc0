"""The two buttons at the foot of a dialog."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton


def answer_buttons(dialog: QDialog, cancel: str, accept: str) -> tuple[QDialogButtonBox, QPushButton]:
    """Cancel, and what the dialog is for (the default): the row of both, and the latter."""
    row = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, dialog)
    row.button(QDialogButtonBox.StandardButton.Cancel).setText(cancel)
    wanted = row.addButton(accept, QDialogButtonBox.ButtonRole.AcceptRole)
    wanted.setDefault(True)
    row.accepted.connect(dialog.accept)
    row.rejected.connect(dialog.reject)
    return row, wanted
