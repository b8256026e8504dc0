"""Ports, cages, modes and slots of a draft as a table: equal neighbours on one line (``1–64``), edited together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from fabricwright.catalog.own_check import MOST_ROWS, ROW_ID
from fabricwright.ui.i18n import text_of
from fabricwright.ui.own_parts.columns import Column, columns_of, read_cell, shown_cell
from fabricwright.ui.own_parts.draft import Draft
from fabricwright.units.natural import natural_key
from fabricwright.units.text import Message, msg

Index = QModelIndex | QPersistentModelIndex
BAD_ROLE = Qt.ItemDataRole.UserRole + 1
COLUMN_ROLE = Qt.ItemDataRole.UserRole + 2
MESSAGE = "message"

_TOP = QModelIndex()
_NUMBERED = re.compile(r"(.*?)(\d{1,6})$")
_RANGE = re.compile(r"(.*?)(\d{1,6})\s*(?:\u2013|\.\.)\s*(\d{1,6})$")
_PLAIN_RANGE = re.compile(r"(\d{1,6})\s*-\s*(\d{1,6})$")


@dataclass(slots=True)
class Line:
    """Equal rows side by side: ``mode`` they belong to ("" outside modes), their names, their fields."""

    mode: str
    names: list[str]
    row: dict[str, Any]


class RowsModel(QAbstractTableModel):
    """One table of the draft. The last column says what is wrong with a line."""

    def __init__(self, draft: Draft, table: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.draft = draft
        self.table = table
        self.columns: tuple[Column, ...] = (
            *columns_of(table, draft.store),
            Column(MESSAGE, "", width=360),
        )
        self.together = True
        self._lines: list[Line] = []
        self._problems: dict[int, dict[str, str]] = {}
        self.reload()
        draft.changed.connect(self._follow)

    # -- lines --------------------------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Read the draft anew."""
        self.beginResetModel()
        self._lines = []
        for mode, rows in self._sections():
            for name in sorted(rows, key=natural_key):
                last = self._lines[-1] if self._lines else None
                joins = last is not None and last.mode == mode and last.row == rows[name] and self.together
                if joins and last is not None and _follows(last.names[-1], name):
                    last.names.append(name)
                else:
                    self._lines.append(Line(mode, [name], rows[name]))
            if not rows:
                self._lines.append(Line(mode, [], {}))
        self._mark()
        self.endResetModel()

    def set_together(self, on: bool) -> None:
        """Equal rows on one line, or every row on its own."""
        self.together = on
        self.reload()

    def _sections(self) -> list[tuple[str, dict[str, Any]]]:
        rows = self.draft.table(self.table)
        if self.table != "modes":
            return [("", rows)] if rows else []
        return [(mode, rows[mode].get("ports", {})) for mode in sorted(rows, key=natural_key)]

    def line(self, row: int) -> Line | None:
        """A line, None beyond the end."""
        return self._lines[row] if 0 <= row < len(self._lines) else None

    def total(self) -> int:
        """Rows, those that share a line counted each."""
        return sum(max(1, len(line.names)) for line in self._lines)

    def trouble(self) -> int:
        """Lines with something wrong."""
        return len(self._problems)

    def place(self, line: Line, name: str) -> str:
        """Place of one row as the check names it."""
        return f"modes.{line.mode}.ports.{name}" if line.mode else f"{self.table}.{name}"

    def row_of(self, place: str) -> tuple[int, int] | None:
        """(line, column) that a place is on."""
        best: tuple[int, tuple[int, int]] | None = None
        keys = [c.key for c in self.columns]
        for number, line in enumerate(self._lines):
            if line.mode and place == f"modes.{line.mode}":
                return number, 0
            for name in line.names or [""]:
                here = self.place(line, name).rstrip(".")
                # A name may hold dots: 17.1 is not a field of 17, so the longest name that fits counts.
                if (place == here or place.startswith(f"{here}.")) and (best is None or len(here) > best[0]):
                    key = place[len(here) + 1 :]
                    best = len(here), (number, keys.index(key) if key in keys else 0)
        return best[1] if best else None

    def _mark(self) -> None:
        self._problems = {}
        for problem in self.draft.problems:
            found = self.row_of(problem.place)
            if found:
                cells = self._problems.setdefault(found[0], {})
                cells.setdefault(self.columns[found[1]].key, text_of(problem.message))

    def _follow(self) -> None:
        self._mark()
        if self._lines:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._lines) - 1, len(self.columns) - 1))

    # -- QAbstractTableModel ------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.tip or column.title
        if role == Qt.ItemDataRole.TextAlignmentRole and column.kind in ("int", "number"):
            return Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        return column.title if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        column, line = self.columns[index.column()], self.line(index.row())
        fixed = column.key == MESSAGE or (line is not None and not line.names and column.key not in ("mode", "name"))
        return base if fixed else base | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self.line(index.row())
        if line is None:
            return None
        column = self.columns[index.column()]
        wrong = self._problems.get(index.row(), {})
        if role == COLUMN_ROLE:
            return column
        if role == BAD_ROLE:
            return column.key in wrong or (column.key == MESSAGE and bool(wrong))
        if role == Qt.ItemDataRole.ToolTipRole:
            return wrong.get(column.key) or column.tip or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = column.kind in ("int", "number")
            return Qt.AlignmentFlag.AlignVCenter | (
                Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            )
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._shown(line, column, wrong)
        return None

    def _shown(self, line: Line, column: Column, wrong: dict[str, str]) -> str:
        if column.key == MESSAGE:
            return next(iter(wrong.values()), "")
        for name in line.names:
            typed = self.draft.typed(f"{self.place(line, name)}.{column.key}")
            if typed is not None:
                return typed
        if column.key == "name":
            return span(line.names)
        if column.key == "mode":
            return line.mode
        return shown_cell(column, line.row.get(column.key, column.default))

    # -- edits --------------------------------------------------------------------------------------------------------

    def set_cell(self, index: Index, typed: str) -> None:
        """Write what was typed into every row of the line. What can be no value stays as typed and is marked."""
        line, column = self.line(index.row()), self.columns[index.column()]
        if line is None or typed == index.data(Qt.ItemDataRole.EditRole):
            return
        if column.key == "name":
            self._rename(line, typed.strip())
        elif column.key == "mode":
            self._rename_mode(line, typed.strip())
        else:
            value, problem = read_cell(column, typed)
            for name in line.names:
                place = f"{self.place(line, name)}.{column.key}"
                self.draft.forget(place)
                if problem is not None:
                    self.draft.put_bad(place, typed, problem)
            if problem is None:
                line.row = {key: kept for key, kept in line.row.items() if key != column.key}
                if value != column.default and value != []:
                    line.row[column.key] = value
                for name in line.names:
                    self._write(line.mode, name, line.row)
            self.draft.touch()

    def _write(self, mode: str, name: str, row: dict[str, Any] | None) -> None:
        if self.table != "modes":
            self.draft.set_row(self.table, name, row)
            return
        whole = dict(self.draft.table("modes").get(mode, {}))
        ports = dict(whole.get("ports", {}))
        if row is None:
            ports.pop(name, None)
            self.draft.forget(f"modes.{mode}.ports.{name}")
        else:
            ports[name] = row
        whole["ports"] = ports
        self.draft.set_row("modes", mode, whole)

    def _taken(self, mode: str) -> set[str]:
        return {name for line in self._lines if line.mode == mode for name in line.names}

    def _rename(self, line: Line, typed: str) -> None:
        names = expand(typed)
        place = f"{self.place(line, line.names[0] if line.names else '')}.name"
        others = self._taken(line.mode) - set(line.names)
        problem: Message | None = None
        if not names or any(not ROW_ID.fullmatch(n) or ".." in n for n in names):
            problem = msg("'{name}' is not a name (letters, digits, . _ / + -).", name=typed[:50])
        elif others & set(names):
            problem = msg("'{name}' is there already.", name=min(others & set(names), key=natural_key))
        self.draft.forget(place)
        if problem is not None:
            if line.names:
                self.draft.put_bad(place, typed, problem)
        else:
            for name in line.names:
                self._write(line.mode, name, None)
            for name in names:
                self._write(line.mode, name, dict(line.row or self._blank()))
            self.reload()
        self.draft.touch()

    def _rename_mode(self, line: Line, typed: str) -> None:
        modes = self.draft.table("modes")
        if not ROW_ID.fullmatch(typed) or typed in modes:
            for name in line.names[:1]:
                problem = (
                    msg("'{name}' is there already.", name=typed)
                    if typed in modes
                    else msg("'{name}' is not a name (letters, digits, . _ / + -).", name=typed[:50])
                )
                self.draft.put_bad(f"{self.place(line, name)}.mode", typed, problem)
        else:
            self.draft.set_row("modes", typed, modes[line.mode])
            self.draft.set_row("modes", line.mode, None)
            if self.draft.text("default_mode") == line.mode:
                self.draft.row["default_mode"] = typed
            self.reload()
        self.draft.touch()

    def _blank(self) -> dict[str, Any]:
        if self.table == "cages":
            return {"type": "QSFP-DD", "default": "1x400"}
        if self.table == "slots":
            return {"kind": "cem"}
        return {"medium": "eth"}

    def add(self, like: int) -> int:
        """A new row like a line (or a plain one); the line it is on."""
        model = self.line(like)
        mode = model.mode if model else ""
        if self.table == "modes" and not mode:
            mode = _free("1x100", set(self.draft.table("modes")))
            self.draft.set_row("modes", mode, {"ports": {}})
            self.draft.row["default_mode"] = mode
        row = dict(model.row) if model and model.row else self._blank()
        last = model.names[-1] if model and model.names else "1"
        name = _free(last, self._taken(mode))
        self._write(mode, name, row)
        self.reload()
        self.draft.touch()
        found = self.row_of(f"modes.{mode}.ports.{name}" if mode else f"{self.table}.{name}")
        return found[0] if found else 0

    def add_mode(self, like: int) -> int:
        """A new mode with the ports of another one; its first line."""
        model = self.line(like)
        modes = self.draft.table("modes")
        name = next(n for k in range(2, MOST_ROWS) if (n := f"{model.mode}-{k}" if model else "1x100") not in modes)
        self.draft.set_row("modes", name, dict(modes[model.mode]) if model else {"ports": {"1": self._blank()}})
        if not self.draft.text("default_mode"):
            self.draft.row["default_mode"] = name
        self.reload()
        self.draft.touch()
        return next(n for n, line in enumerate(self._lines) if line.mode == name)

    def remove(self, rows: Sequence[int]) -> None:
        """Take lines out, with all rows on them; a mode goes with its last port."""
        for line in [self._lines[row] for row in rows]:
            for name in line.names:
                self._write(line.mode, name, None)
            if line.mode and not self.draft.table("modes").get(line.mode, {}).get("ports"):
                self.draft.set_row("modes", line.mode, None)
        if self.draft.text("default_mode") not in ("", *self.draft.table("modes")):
            self.draft.row["default_mode"] = next(iter(sorted(self.draft.table("modes"), key=natural_key)), "")
        self.reload()
        self.draft.touch()


def span(names: Sequence[str]) -> str:
    """``1–64`` for rows that share a line."""
    if len(names) < 2:
        return "".join(names)
    found = _NUMBERED.match(names[-1])
    return f"{names[0]}\u2013{found.group(2)}" if found else QCoreApplication.translate("OwnPart", "several")


def expand(typed: str) -> list[str]:
    """Names that were typed: one, or a range ``1–64``, ``eth1..8``, ``1-4``."""
    found = _RANGE.match(typed)
    if found:
        stem, first, last = found.group(1), int(found.group(2)), int(found.group(3))
    else:
        plain = _PLAIN_RANGE.match(typed)
        if plain is None:
            return [typed] if typed else []
        stem, first, last = "", int(plain.group(1)), int(plain.group(2))
    return [f"{stem}{n}" for n in range(first, last + 1)] if first <= last < first + MOST_ROWS else []


def _follows(name: str, following: str) -> bool:
    one, two = _NUMBERED.match(name), _NUMBERED.match(following)
    if not one or not two or one.group(1) != two.group(1) or two.group(2) != str(int(two.group(2))):
        return False
    return int(two.group(2)) == int(one.group(2)) + 1


def _free(like: str, taken: set[str]) -> str:
    """The next free name after one: ``64`` gives ``65``."""
    found = _NUMBERED.match(like)
    stem, first = (found.group(1), int(found.group(2))) if found else (f"{like}-", 1)
    names = (f"{stem}{n}" for n in range(first, first + MOST_ROWS + len(taken) + 2))
    return next(name for name in names if name not in taken)
