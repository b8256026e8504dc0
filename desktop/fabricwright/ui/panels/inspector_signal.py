"""Inspector: the signal path of a PCIe or CXL link, and what mends it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fabricwright.ui.canvas.signal_labels import verdict_of
from fabricwright.ui.context import UiContext
from fabricwright.ui.panels.inspector_budgets import summary_of
from fabricwright.ui.panels.inspector_findings import findings_on
from fabricwright.ui.panels.inspector_page import Page
from fabricwright.ui.panels.signal_chain import SignalChain
from fabricwright.ui.panels.words import fix_calls, spoken
from fabricwright.ui.theme import SEMIBOLD
from fabricwright.ui.widgets import Divider, NoticeBox, TextLabel

_MOST_PATHS, _MOST_NOTICES = 4, 3
Paths = list[tuple[str, Mapping[str, Any]]]


def paths_of(context: UiContext, row_id: str) -> Paths:
    """(device, path) of the links that run through a row of the open sheet: the one above a device, those through a
    retimer, a cable or a slot.
    """
    signal: Mapping[str, Mapping[str, Any]] = summary_of(context, context.sheet).get("signal") or {}
    if row_id in signal:
        return [(row_id, signal[row_id])]
    return [
        (device, path)
        for device, path in signal.items()
        if row_id in path["retimers"] or any(e["name"] == row_id for s in path["segments"] for e in s["elements"])
    ]


class SignalSection(QWidget):
    """Trained generation, replays, chains, and findings about the path that the page does not show by itself."""

    def __init__(self, page: Page, row_id: str, shown: Sequence[str]) -> None:
        super().__init__(page)
        self._page, self._row, self._shown = page, row_id, tuple(shown)
        self._parts: list[QWidget] = []
        self._drawn: object = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 2, 0, 0)
        self._column.setSpacing(6)
        self._column.addWidget(Divider(self))
        title = QCoreApplication.translate("Signal", "Signal path")
        self._column.addWidget(TextLabel(title, self, px=12, weight=SEMIBOLD))
        self.chains: list[SignalChain] = []

    def refresh(self) -> None:
        """Read what the worker said; nothing is shown where there is no such link."""
        paths = paths_of(self._page.context, self._row)
        self.setVisible(bool(paths))
        findings = self._findings(paths)
        now = (repr(paths), [(row.get("key"), row.get("approved")) for row in findings])
        if now == self._drawn:
            return
        self._drawn = now
        for widget in self._parts:
            self._column.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._parts, self.chains = [], []
        for device, path in paths[:_MOST_PATHS]:
            self._add(TextLabel(_trained(device, path), self, px=11.5, token=_token(path), wrap=True))
            chain = SignalChain(self)
            chain.set_path(path)
            self.chains.append(chain)
            self._add(chain)
            self._add(TextLabel(_replays(path), self, px=11.5, token="text.2", wrap=True))
        if len(paths) > _MOST_PATHS:
            text = QCoreApplication.translate("Signal", "and {count} more links").format(count=len(paths) - _MOST_PATHS)
            self._add(TextLabel(text, self, px=11.5, token="text.2"))
        for row in findings:
            box = NoticeBox(self)
            buttons: list[tuple[str, Callable[[], object]]] = []
            if fix_calls(row) and not row.get("approved"):
                fix = QCoreApplication.translate("Page", "Fix")
                buttons.append((fix, lambda row=row: self._page.apply_fix(row)))  # type: ignore[misc]
            state = "approved" if row.get("approved") else str(row.get("severity", "info"))
            box.set_notice(state, str(row.get("rule", "")), spoken(row.get("message")), buttons)
            self._add(box)

    def _add(self, widget: QWidget) -> None:
        self._parts.append(widget)
        self._column.addWidget(widget)

    def _findings(self, paths: Paths) -> list[Mapping[str, Any]]:
        """Findings of the RET rules about devices and retimers of the paths; those of the row itself stand above."""
        ids = {device for device, _ in paths} | {r for _, path in paths for r in path["retimers"]}
        own = {str(row.get("key")) for row in findings_on(self._page.context, self._shown)}
        rows = findings_on(self._page.context, sorted(ids))
        signal = [r for r in rows if str(r.get("rule", "")).startswith("RET") and str(r.get("key")) not in own]
        return signal[:_MOST_NOTICES]


def add_signal(page: Page, row_id: str) -> None:
    """The section on a page that shows ``row_id``; it hides itself while there is no path."""
    section = SignalSection(page, row_id, (row_id,))
    page.add_widget(section)
    page.add_live(section.refresh)
    section.refresh()


def _token(path: Mapping[str, Any]) -> str:
    if path["falls_to"] != path["gen"]:
        return "error"
    verdicts = {verdict_of(s) for s in path["segments"] if s["budget_db"]}
    return "warn" if "warn" in verdicts else "text.2"


def _trained(device: str, path: Mapping[str, Any]) -> str:
    if path["falls_to"] != path["gen"]:
        text = QCoreApplication.translate(
            "Signal", "{device}: falls back from Gen{gen} to Gen{falls} x{lanes}, since a segment loses too much."
        )
        return text.format(device=device, gen=path["gen"], falls=path["falls_to"], lanes=path["lanes"])
    text = QCoreApplication.translate("Signal", "{device}: trains to Gen{gen} x{lanes}.")
    return text.format(device=device, gen=path["gen"], lanes=path["lanes"])


def _replays(path: Mapping[str, Any]) -> str:
    rate = float(path["replays_per_s"])
    shown = f"{rate:.2g}" if rate < 1000 else f"{rate:,.0f}"
    if path["falls_to"] >= 6:
        text = QCoreApplication.translate("Signal", "At most {rate} bit errors/s before correction (BER 1e-6).")
    else:
        text = QCoreApplication.translate("Signal", "At most {rate} replays/s (BER 1e-12, one direction).")
    return text.format(rate=shown)
