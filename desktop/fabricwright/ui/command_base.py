"""What every group of commands has at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow


class CommandGroup(QObject):
    """Window, context, document and actions."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.context = window.context
        self.document = window.document
        self.actions = window.actions_set
