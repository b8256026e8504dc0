"""The parts that can be placed, as a two-level model: categories with counts, parts with an icon and a line of facts.

Rows hold ids and names only; a part is built when its row is painted. A search flattens nothing: categories
stay, emptied ones go.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from PySide6.QtCore import (
    QAbstractItemModel,
    QByteArray,
    QCoreApplication,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from fabricwright.catalog.provenance import remarks
from fabricwright.catalog.store import catalogue
from fabricwright.ui.blocks import PREFIX, block_names, is_block, kind_of
from fabricwright.ui.panels.part_facts import fact_line

PART_MIME = "application/x-fabricwright-part"
PART_ROLE = Qt.ItemDataRole.UserRole
FACT_ROLE = Qt.ItemDataRole.UserRole + 1
KIND_ROLE = Qt.ItemDataRole.UserRole + 2
COUNT_ROLE = Qt.ItemDataRole.UserRole + 3
OWN_ROLE = Qt.ItemDataRole.UserRole + 4
ESTIMATE_ROLE = Qt.ItemDataRole.UserRole + 5

_TOP = QModelIndex()

CATEGORIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("servers", ("server", "chassis")),
    ("gpus", ("gpu",)),
    ("switch-cards", ("pcie-switch-card",)),
    ("retimers", ("retimer",)),
    ("cxl", ("cxl",)),
    ("nics", ("nic",)),
    ("switches", ("switch",)),
    ("boxes", ("external-box", "riser")),
    ("storage", ("nvme", "storage-server", "management-server")),
    ("racks", ("rack", "pdu")),
)
FABRIC_KINDS = frozenset(
    {"server", "chassis", "switch", "rack", "pdu", "storage-server", "management-server", "external-box"}
)
SERVER_KINDS = frozenset({"gpu", "pcie-switch-card", "retimer", "cxl", "nic", "nvme", "external-box", "riser"})
SEED_FAVOURITES = ("dgx-h100", "lres1260pf-2qsfp112", "lrsv9500-4i", "lrsv9560-2i", "lr-cxl-generic", "sn4700")


def category_title(name: str) -> str:
    """Title of a category in the current language."""
    titles = {
        "favourites": QCoreApplication.translate("Palette", "Favourites"),
        "own": QCoreApplication.translate("Palette", "My parts"),
        "blocks": QCoreApplication.translate("Palette", "My blocks"),
        "servers": QCoreApplication.translate("Palette", "Servers"),
        "gpus": QCoreApplication.translate("Palette", "GPUs"),
        "switch-cards": QCoreApplication.translate("Palette", "PCIe switch cards"),
        "retimers": QCoreApplication.translate("Palette", "Retimers"),
        "cxl": QCoreApplication.translate("Palette", "CXL memory"),
        "nics": QCoreApplication.translate("Palette", "NICs and DPUs"),
        "switches": QCoreApplication.translate("Palette", "Switches"),
        "boxes": QCoreApplication.translate("Palette", "Boxes and risers"),
        "storage": QCoreApplication.translate("Palette", "Storage"),
        "racks": QCoreApplication.translate("Palette", "Racks and power"),
    }
    return titles[name]


def placeable_on(sheet_kind: str, kind: str) -> bool:
    """Whether a part of a kind can stand on a kind of sheet."""
    return kind in (FABRIC_KINDS if sheet_kind == "fabric" else SERVER_KINDS)


@dataclass(slots=True)
class _Category:
    name: str
    parts: list[str] = field(default_factory=list)


class PaletteModel(QAbstractItemModel):
    """Categories at the top level; parts below. ``lang`` and the sheet kind change what is shown and what is
    enabled.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._categories: list[_Category] = []
        self._favourites: list[str] = list(SEED_FAVOURITES)
        self._lang = "en"
        self._text = ""
        self._sheet_kind = "fabric"
        self._fill()

    def set_language(self, lang: str) -> None:
        """Show names in another language."""
        self._lang = lang
        self._reset()

    def set_sheet_kind(self, kind: str) -> None:
        """Grey out what cannot stand on the open sheet."""
        self._sheet_kind = kind
        self.layoutChanged.emit()

    def set_search(self, text: str) -> None:
        """Only parts that hold every word."""
        self._text = text.strip()
        self._reset()

    def set_favourites(self, parts: Iterable[str]) -> None:
        """Parts of the first category, in order; unknown ids are left out."""
        store = catalogue()
        self._favourites = [p for p in dict.fromkeys(parts) if p in store]
        self._reset()

    def favourites(self) -> list[str]:
        """Favourite part ids."""
        return list(self._favourites)

    def placeable(self, part_id: str) -> bool:
        """Whether a part can stand on the open kind of sheet; a server as a block gives another one its cards."""
        if is_block(part_id):
            return self._sheet_kind == "server" or kind_of(part_id) == "fabric"
        return placeable_on(self._sheet_kind, catalogue().kind_of(part_id))

    def refresh(self) -> None:
        """The catalogue has other parts now."""
        self._reset()

    def find(self, part_id: str, category: str = "own") -> QModelIndex:
        """Row of a part in a category; invalid when it is not shown there."""
        for number, row in enumerate(self._categories):
            if row.name == category and part_id in row.parts:
                return self.index(row.parts.index(part_id), 0, self.index(number, 0))
        return QModelIndex()

    def category_of(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """Name of the category that a row is, or is in."""
        row = index.parent() if index.parent().isValid() else index
        return self._categories[row.row()].name if row.isValid() else ""

    def _reset(self) -> None:
        self.beginResetModel()
        self._fill()
        self.endResetModel()

    def _fill(self) -> None:
        store = catalogue()
        hits = store.search(self._text, self._lang) if self._text else None
        kinds = store.kinds()
        own = store.own_ids()
        rows = [
            _Category("favourites", [p for p in self._favourites if p in store and (hits is None or p in hits)]),
            _Category("own", [p for p in (own if hits is None else hits) if p in own]),
        ]
        words = self._text.casefold().split()
        rows.append(_Category("blocks", [b for b in block_names() if all(w in b.casefold() for w in words)]))
        for name, members in CATEGORIES:
            if hits is None:
                parts = [p for kind in members for p in kinds.get(kind, ())]
            else:
                parts = [p for p in hits if store.kind_of(p) in members]
            rows.append(_Category(name, parts))
        self._categories = [row for row in rows if row.parts]

    # -- QAbstractItemModel -------------------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: QModelIndex | QPersistentModelIndex = _TOP) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        # Category rows carry 0, part rows their category's number plus one.
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, child: QModelIndex | QPersistentModelIndex) -> QModelIndex:  # type: ignore[override]
        if not child.isValid() or child.internalId() == 0:
            return QModelIndex()
        return self.createIndex(int(child.internalId()) - 1, 0, 0)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> int:
        if not parent.isValid():
            return len(self._categories)
        return len(self._categories[parent.row()].parts) if parent.internalId() == 0 else 0

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> int:
        return 1

    def part_at(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """Part id of a row, "" for a category."""
        if not index.isValid() or index.internalId() == 0:
            return ""
        return self._categories[int(index.internalId()) - 1].parts[index.row()]

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        part_id = self.part_at(index)
        if not part_id:
            category = self._categories[index.row()]
            if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
                return category_title(category.name)
            return len(category.parts) if role == COUNT_ROLE else None
        if role == PART_ROLE:
            return part_id
        if is_block(part_id):
            return _block_data(part_id, role)
        store = catalogue()
        if role == KIND_ROLE:
            return store.kind_of(part_id)
        if role == FACT_ROLE:
            return fact_line(store.get(part_id))
        if role == Qt.ItemDataRole.DisplayRole:
            part = store.get(part_id)
            # An own part often has the model of the part it was made from; its own name tells them apart.
            own = not store.is_shipped(part_id)
            return (part.name(self._lang) if own else part.model) or part.model or part.name(self._lang) or part_id
        if role == OWN_ROLE:
            return not store.is_shipped(part_id)
        if role == ESTIMATE_ROLE:
            return store.get(part_id).is_estimate()
        if role == Qt.ItemDataRole.ToolTipRole:
            notes = [remark.text(self._lang) for remark in remarks(part_id, store)]
            return "\n".join([store.name_of(part_id, self._lang), *notes])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            notes = [remark.text(self._lang) for remark in remarks(part_id, store)]
            return ". ".join([store.name_of(part_id, self._lang), *notes])
        return None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        part_id = self.part_at(index)
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return base | Qt.ItemFlag.ItemIsDragEnabled if part_id and self.placeable(part_id) else base

    def mimeTypes(self) -> list[str]:
        return [PART_MIME]

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:  # type: ignore[override]
        data = QMimeData()
        parts = [p for p in (self.part_at(i) for i in indexes) if p]
        if parts:
            data.setData(PART_MIME, QByteArray(parts[0].encode("utf-8")))
            data.setText(parts[0])
        return data


def _block_data(name: str, role: int) -> object:
    """A block of the user in the list."""
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
        return name.removeprefix(PREFIX)
    if role == KIND_ROLE:
        return "block"
    if role == FACT_ROLE:
        kind = kind_of(name)
        if kind == "server":
            return QCoreApplication.translate("Palette", "Block: cards of a server")
        if kind == "fabric":
            return QCoreApplication.translate("Palette", "Block for a fabric sheet")
        return QCoreApplication.translate("Palette", "Block that cannot be read")
    return False if role in (OWN_ROLE, ESTIMATE_ROLE) else None
