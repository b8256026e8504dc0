"""Statements as table rows: claims, requirements and targets, what they are about, and what the checks say to them.

A row that is not complete yet (no quantity, or a value of another form) lives here only; the moment it makes sense it
becomes one edit of the document.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from fabricwright.design.calls import EditCall
from fabricwright.design.quantities import QUANTITIES, fits
from fabricwright.design.values import Statement
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import text_of
from fabricwright.ui.panels.statements_texts import (
    kind_word,
    parse_value,
    quantity_name,
    subject_design,
    subject_text,
    subject_trouble,
    value_hint,
    value_text,
    value_trouble,
)
from fabricwright.ui.panels.words import listed, severity_word, spoken
from fabricwright.ui.theme import theme
from fabricwright.units.text import N_, Message

Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("verdict", "kind", "text", "quantity", "value", "subject", "source")
ROW_ROLE = Qt.ItemDataRole.UserRole
_NUMBER = re.compile(r"\d+$")
_ORDER = ("error", "warning", "info", "approved")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checks say to a statement: ``state`` a severity, ``approved``, ``clear`` (rules read it and none
    speaks against it), ``elsewhere`` (about another design than the open one), ``unread`` or ``draft``.
    """

    state: str
    text: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One row. ``id`` "" for a draft that is in no document yet; ``pending`` fields that wait for the rest."""

    id: str
    row: Statement
    verdict: Verdict
    pending: Mapping[str, Any] = field(default_factory=dict)
    draft: int = 0

    @property
    def incomplete(self) -> bool:
        """Whether something is still missing before it can be stored."""
        return bool(self.pending) or not self.id


class StatementsModel(QAbstractTableModel):
    """The table. Edits go to the document through ``context``; ``trouble`` says why a text is refused."""

    def __init__(self, context: UiContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._lines: list[Line] = []
        self._pending: dict[str, dict[str, Any]] = {}
        self._drafts: dict[int, dict[str, Any]] = {}
        self._next = 1
        self._text = ""
        self.refresh()

    # -- rows -------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read document and findings again."""
        rows = self._context.project.statements
        self._pending = {k: v for k, v in self._pending.items() if k in rows}
        verdicts = self._findings()
        fresh = []
        for statement_id in rows.ordered():
            pending = self._pending.get(statement_id, {})
            row = replace(rows[statement_id], **pending)
            fresh.append(Line(statement_id, row, self._verdict(statement_id, row, verdicts), pending))
        for number, fields in self._drafts.items():
            row = replace(Statement(), **fields)
            fresh.append(Line("", row, Verdict("draft", self._missing(row)), fields, number))
        words = self._text.split()
        fresh = [line for line in fresh if line.draft or self._holds(line.row, words)]
        if [(a.id, a.draft) for a in fresh] == [(a.id, a.draft) for a in self._lines]:
            changed = [n for n, (one, two) in enumerate(zip(fresh, self._lines, strict=True)) if one != two]
            self._lines = fresh
            for n in changed:
                self.dataChanged.emit(self.index(n, 0), self.index(n, len(COLUMNS) - 1))
            return
        self.beginResetModel()
        self._lines = fresh
        self.endResetModel()

    def set_filter(self, text: str) -> None:
        """Show only rows that hold every word."""
        self._text = text.casefold()
        self.refresh()

    def _holds(self, row: Statement, words: list[str]) -> bool:
        subject = subject_text(self._context.project, row.subject)
        shown = (kind_word(row.kind), row.text, quantity_name(row.quantity), value_text(row), subject, row.source)
        text = " ".join(shown).casefold()
        return all(word in text for word in words)

    def _findings(self) -> dict[str, list[Mapping[str, Any]]]:
        out: dict[str, list[Mapping[str, Any]]] = {}
        for finding in self._context.analysis.findings.values():
            for statement in finding.get("statements") or ():
                out.setdefault(str(statement), []).append(finding)
        return out

    def _verdict(self, statement_id: str, row: Statement, found: Mapping[str, list[Mapping[str, Any]]]) -> Verdict:
        if statement_id in self._pending:
            return Verdict("draft", self._missing(row))
        rows = [f for f in found.get(statement_id, ()) if f.get("severity") != "fact"]
        if rows:
            state = {name: place for place, name in enumerate(_ORDER)}
            words = [("approved" if f.get("approved") else str(f.get("severity"))) for f in rows]
            worst = min(words, key=lambda word: state.get(word, 2))
            told = (
                f"{severity_word(w)} {f.get('rule')}: {spoken(f.get('message'))}"
                for w, f in zip(words, rows, strict=True)
            )
            return Verdict(worst, "\n".join(told), tuple(str(f.get("key")) for f in rows))
        other = subject_design(row.subject)
        known = self._context.project.designs
        if other and other != self._context.design and other in known:
            text = self.tr("About design {design}; open it to see what the checks say.")
            return Verdict("elsewhere", text.format(design=known[other].title or other))
        quantity = QUANTITIES.get(row.quantity)
        if quantity is None or not quantity.rules:
            return Verdict("unread", self.tr("No rule reads this."))
        text = self.tr("Read by {rules}; nothing speaks against it.")
        return Verdict("clear", text.format(rules=listed(quantity.rules)))

    def _missing(self, row: Statement) -> str:
        if row.quantity not in QUANTITIES:
            return self.tr("Not stored yet: choose a quantity.")
        return self.tr("Not stored yet: the value is missing.")

    def line(self, index: Index | int) -> Line | None:
        """The row at an index or row number."""
        number = index if isinstance(index, int) else index.row() if index.isValid() else -1
        return self._lines[number] if 0 <= number < len(self._lines) else None

    def row_of(self, statement_id: str) -> int:
        """Row number of a stored statement, -1 when it is not shown."""
        return next((n for n, line in enumerate(self._lines) if line.id == statement_id), -1)

    def total(self) -> int:
        """How many statements the project has."""
        return len(self._context.project.statements)

    # -- changing ---------------------------------------------------------------------------------------------------

    def add(self, **fields: Any) -> int:
        """A new draft at the end; its row number. It is stored as soon as quantity and value are there."""
        number, self._next = self._next, self._next + 1
        self._drafts[number] = {"kind": "requirement", **fields}
        self.refresh()
        return next(n for n, line in enumerate(self._lines) if line.draft == number)

    def duplicate(self, rows: list[int]) -> list[str]:
        """Copies of stored rows, as one undo entry; their ids."""
        stored = [line.row for line in map(self.line, rows) if line is not None and not line.incomplete]
        before = set(self._context.project.statements)
        calls = [
            EditCall("set_statement", {"statement": name, **_fields(row)})
            for name, row in zip(self._fresh_ids(len(stored)), stored, strict=True)
        ]
        if calls:
            self._context.edit_all(N_("Duplicate statements"), calls)
        return [s for s in self._context.project.statements.ordered() if s not in before]

    def _fresh_ids(self, count: int) -> list[str]:
        """Ids behind all others, so that new rows stand at the end, where they were written."""
        numbers = [int(found[0]) for s in self._context.project.statements if (found := _NUMBER.findall(s))]
        first = max(numbers, default=0) + 1
        return [f"s{first + n}" for n in range(count)]

    def delete(self, rows: list[int]) -> None:
        """Remove rows, as one undo entry; drafts just go."""
        lines = [line for line in map(self.line, rows) if line is not None]
        for line in lines:
            self._drafts.pop(line.draft, None)
            self._pending.pop(line.id, None)
        calls = [EditCall("set_statement", {"statement": line.id, "kind": None}) for line in lines if line.id]
        if calls:
            self._context.edit_all(N_("Delete statements"), calls)
        self.refresh()

    def trouble(self, index: Index, value: object) -> str:
        """Why a value cannot stand in a cell, "" when it can."""
        line, column = self.line(index), COLUMNS[index.column()]
        if line is None:
            return ""
        if column == "value":
            return value_trouble(line.row.quantity, parse_value(line.row.quantity, value))
        if column == "subject":
            return subject_trouble(self._context, str(value))
        return ""

    def set_cell(self, index: Index, value: object) -> bool:
        """Take over what was typed or chosen; False when it is refused or nothing changed."""
        line, column = self.line(index), COLUMNS[index.column()]
        if line is None or self.trouble(index, value):
            return False
        changes: dict[str, Any] = {column: value}
        if column == "value":
            changes["value"] = parse_value(line.row.quantity, value)
        elif column == "quantity":
            quantity = QUANTITIES.get(str(value))
            changes["unit"] = quantity.unit if quantity else ""
        if all(getattr(line.row, name) == new for name, new in changes.items()):
            return False
        self._store(line, {**line.pending, **changes})
        return True

    def _store(self, line: Line, fields: dict[str, Any]) -> None:
        row = replace(line.row, **fields)
        complete = row.quantity in QUANTITIES and fits(row.quantity, row.value)
        if line.draft:
            self._drafts[line.draft] = fields
            if complete:
                self._drafts.pop(line.draft, None)  # before the document speaks: the row is there once
                name = self._fresh_ids(1)[0]
                if self._context.edit("set_statement", statement=name, **_fields(row)) is None:
                    self._drafts[line.draft] = fields
        elif complete:
            if self._context.edit("set_statement", statement=line.id, **fields) is not None:
                self._pending.pop(line.id, None)
        else:
            self._pending[line.id] = fields
        self.refresh()

    # -- Qt ---------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        usual = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        if not index.isValid() or COLUMNS[index.column()] == "verdict":
            return usual
        return usual | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        return role == Qt.ItemDataRole.EditRole and self.set_cell(index, value)

    def shown(self, line: Line, column: str) -> str:
        """Text of a cell."""
        row = line.row
        return {
            "verdict": lambda: "",
            "kind": lambda: kind_word(row.kind),
            "text": lambda: row.text,
            "quantity": lambda: quantity_name(row.quantity),
            "value": lambda: value_text(row),
            "subject": lambda: subject_text(self._context.project, row.subject),
            "source": lambda: row.source,
        }[column]()

    def hint(self, line: Line, column: str) -> str:
        """What an empty cell asks for."""
        if column == "value":
            return value_hint(line.row.quantity)
        hints = {
            "text": self.tr("What is stated"),
            "quantity": self.tr("Choose a quantity"),
            "subject": self.tr("Whole project"),
        }
        return hints.get(column, "")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.line(index)
        if line is None:
            return None
        column = COLUMNS[index.column()]
        text = self.shown(line, column)
        if role == ROW_ROLE:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return text or self.hint(line, column)
        if role == Qt.ItemDataRole.EditRole:
            return getattr(line.row, column, "")
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme()["text.3"] if not text or column == "source" else None
        if role == Qt.ItemDataRole.TextAlignmentRole and column == "value":
            numeric = text and QUANTITIES.get(line.row.quantity) and QUANTITIES[line.row.quantity].kind == "number"
            side = Qt.AlignmentFlag.AlignRight if numeric else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(line, column, text)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return line.verdict.text if column == "verdict" else text or self.hint(line, column)
        return None

    def _tip(self, line: Line, column: str, text: str) -> str:
        if column == "verdict":
            return line.verdict.text
        if column == "subject" and line.row.subject:
            return line.row.subject
        if column == "quantity" and line.row.quantity in QUANTITIES:
            return f"{text}\n{text_of(Message(QUANTITIES[line.row.quantity].help))}"
        return text

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return {
            "verdict": "",
            "kind": self.tr("Kind"),
            "text": self.tr("Statement"),
            "quantity": self.tr("Quantity"),
            "value": self.tr("Value"),
            "subject": self.tr("About"),
            "source": self.tr("Source"),
        }[COLUMNS[section]]


def _fields(row: Statement) -> dict[str, Any]:
    names = ("kind", "text", "quantity", "value", "unit", "subject", "source")
    return {name: getattr(row, name) for name in names}
