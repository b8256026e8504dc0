"""The strip of headline figures: before, after, and the change as a chip."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QWidget

from fabricwright.ui.widgets import Divider, KpiLabel, set_surface

HEIGHT = 66
MOST = 6
_BETWEEN = 2 * 14 + 1
"""Air and line between two figures, px."""


class Strip(QWidget):
    """Up to six figures side by side, those that do not fit are left out from the end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT)
        set_surface(self, "panel")
        self.labels = [KpiLabel("", self, large=False) for _ in range(MOST)]
        self._lines = [Divider(self, vertical=True) for _ in range(MOST - 1)]
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 12, 8)
        row.setSpacing(14)
        for n, label in enumerate(self.labels):
            row.addWidget(label)
            if n < MOST - 1:
                row.addWidget(self._lines[n])
        self._count = 0
        self.show_figures(())

    def show_figures(self, figures: Sequence[dict[str, str]]) -> None:
        """Rows of ``contents.strip``."""
        self._count = len(figures)
        for n, label in enumerate(self.labels):
            if n < len(figures):
                row = figures[n]
                label.set_caption(row["caption"])
                label.set_figure(row["value"], before=row["before"], chip=row["chip"], chip_kind=row["kind"])
        self._fit()

    def set_stale(self, stale: bool) -> None:
        """Pale while newer figures are being computed."""
        for label in self.labels:
            label.set_stale(stale)

    def _fit(self) -> None:
        room, shown = self.width() - 28 + _BETWEEN, 0
        for n in range(self._count):
            room -= self.labels[n].sizeHint().width() + _BETWEEN
            if room < 0 and n:
                break
            shown += 1
        for n, label in enumerate(self.labels):
            label.setVisible(n < shown)
            if n < len(self._lines):
                self._lines[n].setVisible(n < shown - 1)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._fit()
