"""Figures of a draft as a table: value, unit, source, how sure, and what is wrong with it."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from fabricwright.catalog import own
from fabricwright.catalog.own_check import figure_shape
from fabricwright.catalog.parts import CONFIDENCES
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.own_parts.columns import Column, flag_word
from fabricwright.ui.own_parts.draft import Draft, shown_value
from fabricwright.ui.own_parts.rows_model import BAD_ROLE, COLUMN_ROLE, MESSAGE
from fabricwright.ui.panels.inspector_figures import confidence_word
from fabricwright.ui.panels.words import unit_word
from fabricwright.units.natural import natural_key

Index = QModelIndex | QPersistentModelIndex
NAME_ROLE = Qt.ItemDataRole.UserRole + 3
OWN_ROLE = Qt.ItemDataRole.UserRole + 4

_TOP = QModelIndex()


class FiguresModel(QAbstractTableModel):
    """Rows in the natural order of the figures' names; those added here come first."""

    def __init__(self, draft: Draft, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.draft = draft
        whence = QCoreApplication.translate("OwnPart", "Where the value comes from")
        sure = QCoreApplication.translate("OwnPart", "How sure")
        self.columns = (
            Column("label", QCoreApplication.translate("OwnPart", "Figure"), width=210),
            Column("value", QCoreApplication.translate("OwnPart", "Value"), width=150),
            Column("unit", QCoreApplication.translate("OwnPart", "Unit"), width=64),
            Column("source", QCoreApplication.translate("OwnPart", "Source"), width=150, tip=whence),
            Column("confidence", sure, "choice", 150, "engineering", CONFIDENCES),
            Column(MESSAGE, "", width=220),
        )
        self._added: list[str] = []
        self._names: list[str] = []
        self.reload()
        draft.changed.connect(self._follow)

    def reload(self) -> None:
        """Read the draft anew."""
        self.beginResetModel()
        rows = self.draft.table("figures")
        self._added = [name for name in self._added if name in rows]
        self._names = [*self._added, *(n for n in sorted(rows, key=natural_key) if n not in self._added)]
        self.endResetModel()

    def total(self) -> int:
        """How many figures."""
        return len(self._names)

    def trouble(self) -> int:
        """How many have something wrong."""
        return sum(bool(self.draft.problems_at(f"figures.{name}")) for name in self._names)

    def row_of(self, place: str) -> tuple[int, int] | None:
        """(row, column) of a place."""
        name = place.removeprefix("figures.")
        return (self._names.index(name), 1) if place.startswith("figures.") and name in self._names else None

    def label(self, name: str) -> str:
        """What a figure is called."""
        info = self.draft.store.figure_info(name)
        return info.get(current_language()) or info.get("en") or name

    def add(self, name: str) -> int:
        """A further figure, empty; its row."""
        self._added.insert(0, name)
        self.draft.add_figure(name)
        self.reload()
        return 0

    def remove(self, rows: list[int]) -> None:
        """Leave figures out."""
        for name in [self._names[row] for row in rows]:
            self.draft.remove_figure(name)
        self.reload()

    def _follow(self) -> None:
        if self._names:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._names) - 1, len(self.columns) - 1))

    # -- QAbstractTableModel ------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.tip or column.title
        return column.title if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        typed = self.columns[index.column()].key in ("value", "source", "confidence")
        return base | Qt.ItemFlag.ItemIsEditable if typed else base

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._names):
            return None
        name = self._names[index.row()]
        row = self.draft.table("figures").get(name, {})
        key = self.columns[index.column()].key
        if role == NAME_ROLE:
            return name
        if role == OWN_ROLE:
            return row.get("source") == own.ORIGIN
        if role == COLUMN_ROLE:
            return self._column(name, index.column())
        if role == BAD_ROLE:
            return key in ("value", MESSAGE) and bool(self.draft.problems_at(f"figures.{name}"))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(name, key)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._shown(name, key, editing=role == Qt.ItemDataRole.EditRole)
        return None

    def _column(self, name: str, column: int) -> Column:
        """The column as it is for one figure: yes or no is chosen, not typed."""
        found = self.columns[column]
        if found.key == "value" and figure_shape(name, self.draft.store) == "flag":
            return Column("value", found.title, "flag", found.width, False)
        return found

    def _shown(self, name: str, key: str, *, editing: bool) -> str:
        row = self.draft.table("figures").get(name, {})
        if key == "label":
            return self.label(name)
        if key == "value":
            value = row.get("value")
            return flag_word(value) if isinstance(value, bool) and not editing else shown_value(value)
        if key == "unit":
            return unit_word(self.draft.store.figure_info(name).get("unit", ""))
        if key == "source":
            source = str(row.get("source") or "")
            if source == own.ORIGIN and not editing:
                return QCoreApplication.translate("OwnPart", "yours")
            return source
        if key == "confidence":
            confidence = str(row.get("confidence") or "engineering")
            return confidence if editing else confidence_word(confidence)
        problems = self.draft.problems_at(f"figures.{name}")
        return text_of(problems[0]) if problems else ""

    def _tip(self, name: str, key: str) -> str:
        problems = self.draft.problems_at(f"figures.{name}")
        if key in ("value", MESSAGE) and problems:
            return text_of(problems[0])
        if key == "source":
            source = str(self.draft.table("figures").get(name, {}).get("source") or "")
            return "" if source == own.ORIGIN else self.draft.store.source_text(source, current_language())
        return name if key == "label" else ""

    def set_cell(self, index: Index, typed: str) -> None:
        """Write a value, a source or a confidence."""
        name, key = self._names[index.row()], self.columns[index.column()].key
        if typed == index.data(Qt.ItemDataRole.EditRole):
            return
        if key == "value":
            self.draft.set_figure(name, typed)
        else:
            self.draft.set_figure_field(name, key, typed.strip())
