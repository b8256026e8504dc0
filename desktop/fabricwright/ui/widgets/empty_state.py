"""What an empty panel or canvas says: short lines in grey, the last one may be a link."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from fabricwright.ui.icons import pixmap
from fabricwright.ui.theme import Theme, follow_theme, theme
from fabricwright.ui.widgets.surface import TextLabel
from fabricwright.ui.widgets.text_button import TextButton


class EmptyState(QWidget):
    """Centred lines, an optional icon above them and an optional link below; ``activated`` when the link is clicked."""

    activated = Signal()

    def __init__(
        self, lines: Sequence[str] = (), link: str = "", icon_name: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setSpacing(6)
        self._icon_name = icon_name
        self._icon_token = "text.3"
        self._icon = QLabel(self)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._link = TextButton("", self, px=12.5)
        self._link.clicked.connect(self.activated)
        self._labels: list[TextLabel] = []
        self._column.addStretch(1)
        self._column.addWidget(self._icon)  # second; the lines follow it
        self._column.addWidget(self._link, alignment=Qt.AlignmentFlag.AlignHCenter)
        self._column.addStretch(1)
        follow_theme(self._recolour)
        self.set_content(lines, link, icon_name)

    def set_content(
        self, lines: Sequence[str], link: str = "", icon_name: str = "", icon_token: str = "text.3"
    ) -> None:
        """Show other lines; also used to retranslate."""
        # Labels are kept and filled anew: panels say the same again after every change of the drawing.
        for index in range(len(self._labels), len(lines)):
            label = TextLabel("", self, px=12.5, token="text.2", wrap=True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self._column.insertWidget(2 + index, label)
            self._labels.append(label)
        for index, label in enumerate(self._labels):
            label.setText(lines[index] if index < len(lines) else "")
            label.setVisible(index < len(lines))
        self._link.setText(link)
        self._link.setVisible(bool(link))
        self._icon_name, self._icon_token = icon_name, icon_token
        self._recolour(theme())

    def _recolour(self, now: Theme) -> None:
        self._icon.setVisible(bool(self._icon_name))
        if self._icon_name:
            self._icon.setPixmap(pixmap(self._icon_name, 24, now[self._icon_token]))
