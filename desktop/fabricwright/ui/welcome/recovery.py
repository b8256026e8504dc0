"""The banner of the welcome page: unsaved work that a crash, a kill or a power cut left."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from fabricwright.design.recovery import Found
from fabricwright.ui.icons import paint_icon
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.storage_dialogs import found_words
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import SEMIBOLD, theme
from fabricwright.ui.widgets import TextLabel


class RecoveryBanner(QWidget):
    """One found journal, or one that is being read (None). ``answered`` (Found, "restore" | "compare" | "discard")."""

    answered = Signal(object, str)

    def __init__(self, left: Found | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.left = left
        self.setObjectName("recovery.banner")
        self._title = TextLabel("", self, px=13, weight=SEMIBOLD, wrap=True)
        self._text = TextLabel("", self, px=12, token="text.2", wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(52, 14, 16, 14)
        row.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(3)
        words.addWidget(self._title)
        words.addWidget(self._text)
        row.addLayout(words, 1)
        self.buttons: dict[str, QPushButton] = {}
        names = ("restore", "compare", "discard") if left is not None and left.journal is not None else ("discard",)
        for name in names if left is not None else ():
            button = QPushButton(self)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _on=False, name=name: self.answered.emit(self.left, name))
            self.buttons[name] = button
            row.addWidget(button)
        if "restore" in self.buttons:
            self.buttons["restore"].setDefault(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        if self.left is None:
            title, text = self.tr("Unsaved work was found"), self.tr("It is being read…")
        else:
            title, text = found_words(self.left)
        self._title.setText(title)
        self._text.setText(text)
        words = {"restore": self.tr("Restore"), "compare": self.tr("Compare"), "discard": self.tr("Discard")}
        for name, button in self.buttons.items():
            button.setText(words[name])
        self.setAccessibleName(f"{title} {text}")

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme()
        painter = QPainter(self)
        rounded(painter, QRectF(self.rect()), now["accent.soft"], now["accent"], 8)
        paint_icon(painter, "history", QRectF(18, self.height() / 2 - 9, 18, 18), now["accent"])
        painter.end()
