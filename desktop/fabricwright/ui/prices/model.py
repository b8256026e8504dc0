"""The bill of materials as the worker told it, as rows of a table; owned quantities and unit prices can be written."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from fabricwright.catalog.kind_words import kind_words
from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Project
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.ui.theme import theme
from fabricwright.units.text import Message, msg

PLAIN = (
    "name",
    "model",
    "kind",
    "needed",
    "spares",
    "owned",
    "order",
    "unit_price",
    "total",
    "lead_days",
    "price_list",
)
GROUPED = ("group", "name", "kind", "needed")
FIGURES = frozenset(("needed", "spares", "owned", "order", "unit_price", "total", "lead_days"))
EDITABLE = frozenset(("owned", "unit_price"))
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


def head_of(column: str) -> str:
    """Head of a column."""
    return {
        "group": QCoreApplication.translate("Bill", "Where"),
        "name": QCoreApplication.translate("Bill", "Part"),
        "model": QCoreApplication.translate("Bill", "Part number"),
        "kind": QCoreApplication.translate("Bill", "Kind"),
        "needed": QCoreApplication.translate("Bill", "Needed"),
        "spares": QCoreApplication.translate("Bill", "Spares"),
        "owned": QCoreApplication.translate("Bill", "Owned"),
        "order": QCoreApplication.translate("Bill", "To order"),
        "unit_price": QCoreApplication.translate("Bill", "Unit price"),
        "total": QCoreApplication.translate("Bill", "Total"),
        "lead_days": QCoreApplication.translate("Bill", "Lead time"),
        "price_list": QCoreApplication.translate("Bill", "Price list"),
    }[column]


def part_name(project: Project, row: dict[str, Any], lang: str) -> str:
    """Name of a line's part with its length, or what was not chosen."""
    if row["note"] is not None:
        return text_of(Message.from_json(row["note"]))
    part_id = str(row["part"])
    part = project.parts.get(part_id) or (catalogue().get(part_id) if part_id in catalogue() else None)
    name = part.name(lang) if part is not None else part_id
    length = row["length_m"]
    return text_of(msg("{part}, {length} m", part=name, length=f"{length:g}")) if length else name


class BillModel(QAbstractTableModel):
    """``columns`` in view; ``rows`` after the filter. ``waiting`` = the worker has not told it yet."""

    def __init__(self, context: UiContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.columns: tuple[str, ...] = PLAIN
        self.rows: list[dict[str, Any]] = []
        self._filter = ""
        self.only_unpriced = False

    # -- contents -----------------------------------------------------------------------------------------------------

    @property
    def bill(self) -> dict[str, Any]:
        """What the worker told, {} while it has not told anything about the open design."""
        found = self._context.analysis.bill
        return found if found and found.get("design") == self._context.design else {}

    def refresh(self) -> None:
        """Take over what the worker told."""
        self.beginResetModel()
        bill = self.bill
        lang = current_language()
        grouped = bool(bill) and bill["by"] != "part"
        self.columns = GROUPED if grouped else PLAIN
        rows: list[dict[str, Any]] = []
        if grouped:
            for title, _, quantity, line in bill["groups"]:
                rows.append({**line, "needed": quantity, "group": text_of(Message.from_json(title))})
        elif bill:
            rows = [dict(line) for line in bill["lines"]]
        for row in rows:
            row["name"] = part_name(self._context.project, row, lang)
        wanted = self._filter.casefold().split()
        self.rows = [row for row in rows if self._shown(row, wanted)]
        self.endResetModel()

    def _shown(self, row: dict[str, Any], words: list[str]) -> bool:
        if self.only_unpriced and row["unit_price"] is not None:
            return False
        text = f"{row.get('group', '')} {row['name']} {row['part']} {row['model']} {row['vendor']}".casefold()
        return all(word in text for word in words)

    def set_filter(self, text: str) -> None:
        """Show rows that hold all words."""
        self._filter = text
        self.refresh()

    # -- as a table -----------------------------------------------------------------------------------------------

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.isValid() and self.columns[index.column()] in EDITABLE and self.rows[index.row()]["part"]:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return head_of(self.columns[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = self.columns[section] in FIGURES
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: _Index, role: int = 0) -> Any:
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.EditRole:
            value = row["list_price"] if column == "unit_price" else row.get(column)
            return "" if value is None else f"{value:.12g}" if isinstance(value, float) else str(value)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column in FIGURES else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row, column)
        if role == Qt.ItemDataRole.ForegroundRole:
            if not row["part"]:
                return theme()["warn"]
            quiet = column in ("model", "kind", "price_list", "lead_days") or (column == "order" and row["order"] == 0)
            return theme()["text.2"] if quiet else None
        return None

    def text(self, row: dict[str, Any], column: str) -> str:
        """What a cell shows."""
        value = row.get(column)
        if column == "model":  # what price lists are matched by
            return str(value or row["part"].upper())
        if column == "kind":
            return text_of(kind_words(str(value)))
        if column in ("needed", "order"):
            return f"{value:,}"
        if column in ("spares", "owned"):
            return f"{value:,}" if value else ""
        if column in ("unit_price", "total"):
            return f"{value:,.2f} {row['currency']}" if value is not None else ""
        if column == "lead_days":
            return QCoreApplication.translate("Bill", "{days} d").format(days=value) if value else ""
        return str(value or "")

    def _tip(self, row: dict[str, Any], column: str) -> str | None:
        if column == "name":
            told = [row["part"], row["vendor"], row["model"] if row["model"] != row["part"] else ""]
            return " · ".join(text for text in told if text) or None
        if column == "spares" and row["spare_share"]:
            text = QCoreApplication.translate("Bill", "{share}% of what is needed, rounded up")
            return text.format(share=f"{row['spare_share'] * 100:g}")
        if column == "unit_price" and row["unit_price"] is not None:
            lines = []
            if row["discount"]:
                text = QCoreApplication.translate("Bill", "List price {price}, {share}% off")
                lines.append(text.format(price=f"{row['list_price']:,.2f}", share=f"{row['discount'] * 100:g}"))
            if row["tax"] is not None:
                text = QCoreApplication.translate("Bill", "Without tax of {share}%")
                lines.append(text.format(share=f"{row['tax'] * 100:g}"))
            return "\n".join(lines) or None
        if column == "price_list" and row["price_date"]:
            return f"{row['price_list']} {row['price_date']}"
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Write what is owned, or a list price (empty takes it out), as one step of the history."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        row, column = self.rows[index.row()], self.columns[index.column()]
        text = str(value).strip().replace(",", "")
        if column == "owned":
            quantity = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0 if not text else -1
            if quantity < 0:
                self._context.say(msg("'{value}' is no whole number from 0.", value=str(value)[:40]), "warning")
                return False
            if quantity == row["owned"]:
                return False
            calls = self._owned(row, quantity)
            return self._context.edit_all("Change owned quantity", calls) is not None
        try:
            amount = float(text) if text else None
        except ValueError:
            self._context.say(msg("'{value}' is no price.", value=str(value)[:40]), "warning")
            return False
        if amount == row["list_price"]:
            return False
        args: dict[str, Any] = {"part": row["part"], "amount": amount, "length_m": row["length_m"]}
        if amount is not None:
            currency = row["currency"] or self.bill.get("currency") or "CNY"
            args |= {"currency": currency, "source": "", "date": "", "tax_included": False}
        elif not self._own_price(row):
            args["length_m"] = None
        return self._context.edit(("set_price", args)) is not None

    def _own_price(self, row: dict[str, Any]) -> bool:
        prices = self._context.project.prices.values()
        return any((p.part, p.length_m) == (row["part"], row["length_m"]) for p in prices)

    def _owned(self, row: dict[str, Any], quantity: int) -> list[tuple[str, dict[str, Any]]]:
        """A cable is owned in its length; what was owned in any length is put to this one."""
        calls: list[tuple[str, dict[str, Any]]] = []
        if row["length_m"] is not None and any(
            s.part == row["part"] and s.length_m is None for s in self._context.project.stock.values()
        ):
            calls.append(("set_owned", {"part": row["part"], "quantity": 0}))
        calls.append(("set_owned", {"part": row["part"], "quantity": quantity, "length_m": row["length_m"]}))
        return calls
