"""Findings as rows: sorted, filtered, in the current language. Facts are left out, approved ones are folded away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from fabricwright.design.values import Design
from fabricwright.ui.panels.fix_words import fix_text
from fabricwright.ui.panels.words import fix_calls, group_name, place_text, severity_word, sheet_name, spoken
from fabricwright.units.natural import natural_key

ROW_ROLE = Qt.ItemDataRole.UserRole
STATES = ("error", "warning", "info", "approved")
#: States that have a switch in the panel's head; approved findings have their fold.
SEVERITIES = ("error", "warning", "info")

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding as it is shown. ``state`` is its severity, or ``approved``; ``finding`` the row from the worker;
    ``lapsed`` an approval that it outgrew.
    """

    key: str
    state: str
    rule: str
    text: str
    place: str
    estimate: bool = False
    fixable: bool = False
    approval: Mapping[str, Any] | None = None
    lapsed: Mapping[str, Any] | None = None
    sheet: str = ""
    group: str = ""
    finding: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def approval_key(self) -> str:
        """Key of the approval, valid or outgrown, as the ``unapprove`` edit takes it; "" without one."""
        given = self.approval or self.lapsed
        return str(given.get("key") or self.key) if given else ""

    @property
    def sentence(self) -> str:
        """All of it in one line, for screen readers and the clipboard."""
        text = f"{severity_word(self.state)} {self.rule}: {self.text} {self.place}".strip()
        return f"{text} ({lapsed_word()})" if self.lapsed else text


@dataclass(frozen=True, slots=True)
class Fold:
    """The head of the approved findings at the end of the list."""

    count: int
    is_open: bool

    @property
    def sentence(self) -> str:
        """``Approved 3``, with what a click does."""
        word = (
            QCoreApplication.translate("Problems", "Approved: {count}, shown")
            if self.is_open
            else QCoreApplication.translate("Problems", "Approved: {count}, folded away")
        )
        return word.format(count=self.count)


def lapsed_word() -> str:
    """What is said of a finding that outgrew its approval."""
    return QCoreApplication.translate("Problems", "approval lapsed")


def problem_of(design: Design, finding: Mapping[str, Any], group: str = "") -> Problem:
    """A finding in the current language. ``group`` is the rule's, as the book has it."""
    approval, lapsed = finding.get("approved"), finding.get("lapsed")
    return Problem(
        key=str(finding.get("key", "")),
        state="approved" if approval else str(finding.get("severity", "info")),
        rule=str(finding.get("rule", "")),
        text=spoken(finding.get("message")),
        place=place_text(design, finding),
        estimate=bool(finding.get("estimate")),
        fixable=bool(fix_calls(finding)),
        approval=approval if isinstance(approval, Mapping) else None,
        lapsed=lapsed if isinstance(lapsed, Mapping) else None,
        sheet=str(finding.get("sheet") or design.root),
        group=group,
        finding=finding,
    )


class ProblemsModel(QAbstractListModel):
    """Errors first, then warnings and notes, by rule and place within; approved ones last, below a ``Fold``."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._design = Design()
        self._all: list[Problem] = []
        self._shown: list[Problem | Fold] = []
        self._text = ""
        self._states = frozenset(SEVERITIES)
        self._sheet = ""
        self._group = ""
        self._open = False

    def set_findings(
        self, design: Design, findings: Iterable[Mapping[str, Any]], book: Mapping[str, Mapping[str, str]] | None = None
    ) -> None:
        """Take over what the worker said."""
        self._design = design
        pages = book or {}
        rows = [
            problem_of(design, f, pages.get(str(f.get("rule")), {}).get("group", ""))
            for f in findings
            if f.get("severity") != "fact"
        ]
        order = {state: place for place, state in enumerate(STATES)}
        self._all = sorted(rows, key=lambda p: (order.get(p.state, 2), p.rule, natural_key(p.key)))
        self._refill()

    def set_filter(self, text: str, states: Iterable[str], sheet: str = "", group: str = "") -> None:
        """Show only rows that hold every word, have one of these severities, and are on a sheet, of a group of rules
        ("" = any). Approved rows have no severity to be filtered by."""
        self._text, self._states = text.casefold(), frozenset(states)
        self._sheet, self._group = sheet, group
        self._refill()

    def set_open(self, is_open: bool) -> None:
        """Show or fold away the approved rows."""
        if is_open != self._open:
            self._open = is_open
            self._refill()

    @property
    def is_open(self) -> bool:
        """Whether approved rows are shown."""
        return self._open

    def _refill(self) -> None:
        words = self._text.split()
        kept = [p for p in self._all if self._kept(p, words)]
        fresh: list[Problem | Fold] = [p for p in kept if p.state in self._states]
        accepted = [p for p in kept if p.state == "approved"]
        if accepted:
            fresh.append(Fold(len(accepted), self._open))
            fresh += accepted if self._open else []
        if [_key(p) for p in fresh] == [_key(p) for p in self._shown]:
            changed = [n for n, (one, two) in enumerate(zip(fresh, self._shown, strict=True)) if one != two]
            self._shown = fresh
            for n in changed:
                self.dataChanged.emit(self.index(n), self.index(n))
            return
        self.beginResetModel()
        self._shown = fresh
        self.endResetModel()

    def _kept(self, problem: Problem, words: list[str]) -> bool:
        if self._sheet and problem.sheet != self._sheet:
            return False
        if self._group and problem.group != self._group:
            return False
        if not words:
            return True
        page = f"{group_name(problem.group)} {sheet_name(self._design, problem.sheet)}"
        reason = (problem.approval or {}).get("reason", "")
        addresses = " ".join(str(at) for at in problem.finding.get("at", ()))
        text = f"{problem.rule} {problem.text} {problem.place} {addresses} {page} {reason}".casefold()
        return all(word in text for word in words)

    def total(self) -> int:
        """How many findings there are, filtered or not."""
        return len(self._all)

    def filtered(self) -> bool:
        """Whether a filter hides something that is not approved."""
        shown = sum(isinstance(p, Problem) and p.state != "approved" for p in self._shown)
        return shown < sum(p.state != "approved" for p in self._all)

    def counts(self) -> dict[str, int]:
        """Findings by state, whatever the filter."""
        out = dict.fromkeys(STATES, 0)
        for problem in self._all:
            out[problem.state] = out.get(problem.state, 0) + 1
        return out

    def sheets(self) -> list[str]:
        """Sheets that have findings, the fabric first."""
        found = dict.fromkeys(p.sheet for p in self._all)
        return sorted(found, key=lambda s: (s != self._design.root, natural_key(s)))

    def groups(self) -> dict[str, int]:
        """Groups of rules that have findings, with how many."""
        out: dict[str, int] = {}
        for problem in self._all:
            if problem.group:
                out[problem.group] = out.get(problem.group, 0) + 1
        return dict(sorted(out.items(), key=lambda p: group_name(p[0])))

    def same_kind(self, problem: Problem) -> list[Problem]:
        """All findings of the same rule that have a fix and are not approved, filtered or not."""
        return [p for p in self._all if p.rule == problem.rule and p.fixable and p.state != "approved"]

    def row(self, index: Index | int) -> Problem | Fold | None:
        """What stands at an index or row number."""
        number = index if isinstance(index, int) else index.row() if index.isValid() else -1
        return self._shown[number] if 0 <= number < len(self._shown) else None

    def problem(self, index: Index | int) -> Problem | None:
        """The finding at an index or row number."""
        found = self.row(index)
        return found if isinstance(found, Problem) else None

    def row_of(self, key: str) -> int:
        """Row number of a finding, -1 when it is not shown."""
        return next((n for n, p in enumerate(self._shown) if isinstance(p, Problem) and p.key == key), -1)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.sentence
        if isinstance(row, Fold):
            return row.sentence if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role == Qt.ItemDataRole.ToolTipRole:
            reason = str((row.approval or row.lapsed or {}).get("reason", ""))
            change = fix_text(fix_calls(row.finding)) if row.fixable and row.state != "approved" else ""
            told = QCoreApplication.translate("Problems", "Fix: {change}").format(change=change) if change else ""
            return "\n".join(p for p in (row.text, row.place, reason, told) if p)
        return None


def _key(row: Problem | Fold) -> str:
    return row.key if isinstance(row, Problem) else ""
