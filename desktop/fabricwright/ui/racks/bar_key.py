"""One line over the racks that says what the bars under each of them are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from fabricwright.exchange.elevation import Budget, Rack
from fabricwright.ui.racks.words import budget_figure, budget_name
from fabricwright.ui.widgets import ElidedLabel

ORDER = ("units", "power", "feed", "weight")


def _against(what: str) -> str:
    """A bar and what its whole length is."""
    return {
        "units": QCoreApplication.translate("BarKey", "units used"),
        "power": QCoreApplication.translate("BarKey", "power against cooling"),
        "feed": QCoreApplication.translate("BarKey", "power against one feed"),
        "weight": QCoreApplication.translate("BarKey", "weight"),
    }[what]


class BarKey(QWidget):
    """Names of the bars from above; its tip has the fullest rack of each."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(26)
        self.label = ElidedLabel("", self, px=12, token="text.2")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 14, 0)
        row.addWidget(self.label, 1)
        self.hide()

    def show_racks(self, racks: Sequence[Rack]) -> None:
        """Which bars there are is read from the racks; gone while there are none."""
        fullest: dict[str, tuple[Budget, str]] = {}
        for rack in racks:
            for budget in rack.budgets:
                best = fullest.get(budget.what)
                if best is None or (budget.fraction, budget.value) > (best[0].fraction, best[0].value):
                    fullest[budget.what] = budget, rack.label
        shown = [what for what in ORDER if what in fullest]
        self.setVisible(bool(shown))
        if not shown:
            return
        names = self.tr(", ").join(_against(what) for what in shown)
        self.label.set_text(self.tr("Bars under a rack, from above: {names}").format(names=names))
        line = self.tr("{name}: {figure} in {rack}, the fullest")
        lines = [
            line.format(name=budget_name(what), figure=budget_figure(fullest[what][0])[0], rack=fullest[what][1])
            for what in shown
        ]
        lines.append(self.tr("A whole bar is the limit of the rack; grey where no limit is stated."))
        self.setToolTip("\n".join(lines))
        self.label.setToolTip("\n".join(lines))
