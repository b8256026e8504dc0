"""Findings as rows: sorted, filtered, in the current language. Facts are left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from fabricwright.design.values import Design
from fabricwright.ui.panels.words import fix_calls, place_text, severity_word, spoken
from fabricwright.units.natural import natural_key

ROW_ROLE = Qt.ItemDataRole.UserRole
STATES = ("error", "warning", "info", "approved")

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding as it is shown. ``state`` is its severity, or ``approved``; ``finding`` the row from the worker."""

    key: str
    state: str
    rule: str
    text: str
    place: str
    estimate: bool = False
    fixable: bool = False
    approval: Mapping[str, str] | None = None
    finding: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def sentence(self) -> str:
        """All of it in one line, for screen readers and the clipboard."""
        return f"{severity_word(self.state)} {self.rule}: {self.text} {self.place}".strip()


def problem_of(design: Design, finding: Mapping[str, Any]) -> Problem:
    """A finding in the current language."""
    approval = finding.get("approved")
    return Problem(
        key=str(finding.get("key", "")),
        state="approved" if approval else str(finding.get("severity", "info")),
        rule=str(finding.get("rule", "")),
        text=spoken(finding.get("message")),
        place=place_text(design, finding),
        estimate=bool(finding.get("estimate")),
        fixable=bool(fix_calls(finding)),
        approval=approval if isinstance(approval, Mapping) else None,
        finding=finding,
    )


class ProblemsModel(QAbstractListModel):
    """Errors first, then warnings and notes, approved ones last; by rule and place within."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[Problem] = []
        self._shown: list[Problem] = []
        self._text = ""
        self._states = frozenset(STATES)

    def set_findings(self, design: Design, findings: Iterable[Mapping[str, Any]]) -> None:
        """Take over what the worker said."""
        rows = [problem_of(design, f) for f in findings if f.get("severity") != "fact"]
        order = {state: place for place, state in enumerate(STATES)}
        self._all = sorted(rows, key=lambda p: (order.get(p.state, 2), p.rule, natural_key(p.key)))
        self._refill()

    def set_filter(self, text: str, states: Iterable[str]) -> None:
        """Show only rows that hold every word and have one of these states."""
        self._text, self._states = text.casefold(), frozenset(states)
        self._refill()

    def _refill(self) -> None:
        words = self._text.split()
        fresh = [p for p in self._all if p.state in self._states and _holds(p, words)]
        if [p.key for p in fresh] == [p.key for p in self._shown]:
            changed = [n for n, (one, two) in enumerate(zip(fresh, self._shown, strict=True)) if one != two]
            self._shown = fresh
            for n in changed:
                self.dataChanged.emit(self.index(n), self.index(n))
            return
        self.beginResetModel()
        self._shown = fresh
        self.endResetModel()

    def total(self) -> int:
        """How many findings there are, filtered or not."""
        return len(self._all)

    def counts(self) -> dict[str, int]:
        """Findings by state, whatever the filter."""
        out = dict.fromkeys(STATES, 0)
        for problem in self._all:
            out[problem.state] = out.get(problem.state, 0) + 1
        return out

    def problem(self, index: Index | int) -> Problem | None:
        """The row at an index or row number."""
        row = index if isinstance(index, int) else index.row() if index.isValid() else -1
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def row_of(self, key: str) -> int:
        """Row number of a finding, -1 when it is not shown."""
        return next((n for n, p in enumerate(self._shown) if p.key == key), -1)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        problem = self.problem(index)
        if problem is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return problem.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return problem.sentence
        if role == Qt.ItemDataRole.ToolTipRole:
            reason = (problem.approval or {}).get("reason", "")
            return "\n".join(p for p in (problem.text, problem.place, reason) if p)
        return problem if role == ROW_ROLE else None


def _holds(problem: Problem, words: list[str]) -> bool:
    if not words:
        return True
    text = f"{problem.rule} {problem.text} {problem.place}".casefold()
    return all(word in text for word in words)
