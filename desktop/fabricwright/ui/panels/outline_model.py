"""The drawing as a tree: sheets, their items (cards below what they sit in), their links. Built from the document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from PySide6.QtCore import QAbstractItemModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from fabricwright.catalog.pictograms import pictogram
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.values import Design, Project
from fabricwright.ui.icons import icon
from fabricwright.ui.panels.inspector_item import slot_text
from fabricwright.ui.panels.inspector_texts import network_name
from fabricwright.ui.panels.words import listed
from fabricwright.units.natural import natural_key

Index = QModelIndex | QPersistentModelIndex
NOTE_ROLE = Qt.ItemDataRole.UserRole
KEY_ROLE = Qt.ItemDataRole.UserRole + 1


@dataclass(slots=True)
class Node:
    """A row. ``kind`` sheet, item, links or link; ``row_id`` the id on ``sheet`` ("" for the sheet itself)."""

    kind: str
    sheet: str
    row_id: str
    text: str
    note: str = ""
    icon_name: str = ""
    parent: Node | None = None
    place: int = 0
    number: int = 0
    children: list[Node] = field(default_factory=list)
    opens: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What stays the same over edits."""
        return self.kind, self.sheet, self.row_id

    def add(self, node: Node) -> Node:
        """Append a child."""
        node.parent, node.place = self, len(self.children)
        self.children.append(node)
        return node

    def walk(self) -> Iterator[Node]:
        """This row and everything below."""
        yield self
        for child in self.children:
            yield from child.walk()


def tree_of(project: Project, design: Design, lang: str) -> Node:
    """The whole design; the fabric sheet comes first."""
    top = Node("top", "", "", "")
    names = [design.root, *(s for s in design.sheets.ordered() if s != design.root)]
    for sheet_id in names:
        sheet = design.sheets.get(sheet_id)
        if sheet is None:
            continue
        eff = effective(project, design, sheet_id)
        fabric = QCoreApplication.translate("Outline", "Fabric")
        title = sheet.title or (fabric if sheet_id == design.root else sheet_id)
        count = QCoreApplication.translate("Outline", "{items} items").format(items=len(eff.items))
        row = top.add(Node("sheet", sheet_id, "", title, count, "server" if sheet.kind == "server" else "layers"))
        _items(row, eff, design, lang)
        _links(row, eff)
    return top


def _items(parent: Node, eff: EffSheet, design: Design, lang: str) -> None:
    nodes: dict[str, Node] = {}
    for item_id in sorted(eff.items, key=natural_key):
        item = eff.items[item_id]
        nodes[item_id] = Node("item", eff.id, item_id, _label(item), _note(item, eff, design, lang), _icon(item))
        if item.of.startswith("sheet:"):
            nodes[item_id].opens = item.of[6:]
    for item_id, node in nodes.items():
        seat_owner = eff.items[item_id].seat.partition(":")[0]
        box = item_id.rpartition("/")[0]
        owner = nodes.get(seat_owner) or nodes.get(box)
        (owner if owner is not None and owner is not node else parent).add(node)


def _label(item: EffItem) -> str:
    n = 1
    for _, size in item.axes:
        n *= size
    return f"{item.id} × {n:,}" if n > 1 else item.name or item.id


def _note(item: EffItem, eff: EffSheet, design: Design, lang: str) -> str:
    if item.of.startswith("sheet:"):
        sheet = design.sheets.get(item.of[6:])
        return sheet.title if sheet else item.of
    name = item.part.name(lang) if item.part else item.of
    if item.seat.startswith("chassis:"):
        text = QCoreApplication.translate("Outline", "{part}, in {slot}")
        return text.format(part=name, slot=slot_text(item.seat, eff.slots.get(item.seat)))
    return name


def _icon(item: EffItem) -> str:
    return pictogram(item.part.kind if item.part else item.kind)


def _links(parent: Node, eff: EffSheet) -> None:
    if not eff.links:
        return
    title = QCoreApplication.translate("Outline", "Links")
    group = parent.add(Node("links", eff.id, "", title, str(len(eff.links)), "link"))
    for link_id in sorted(eff.links, key=natural_key):
        link = eff.links[link_id]
        ends = f"{link.a} – {link.b}"
        shown = ends if eff.kind != "fabric" else listed((ends, network_name(link.network)))
        group.add(Node("link", eff.id, link_id, link.name or link_id, shown, "cable"))


class OutlineModel(QAbstractItemModel):
    """A tree of nodes; ``rebuild`` resets only when something that is shown changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._top = Node("top", "", "", "")
        # Indexes carry numbers, not Python objects: a view may hold an index longer than the object lives.
        self._nodes: list[Node] = [self._top]
        self._by_key: dict[tuple[str, str, str], Node] = {}

    def rebuild(self, project: Project, design: Design, lang: str) -> bool:
        """Build the tree anew; False when it shows what it showed before."""
        fresh = tree_of(project, design, lang)
        if _shape(fresh) == _shape(self._top):
            return False
        self.beginResetModel()
        self._top = fresh
        self._nodes = list(fresh.walk())
        for number, node in enumerate(self._nodes):
            node.number = number
        self._by_key = {n.key: n for n in self._nodes}
        self.endResetModel()
        return True

    def node(self, index: Index) -> Node:
        """The row at an index; the invisible top for an invalid one."""
        number = index.internalId() if index.isValid() else 0
        return self._nodes[number] if 0 <= number < len(self._nodes) else self._top

    def index_of(self, kind: str, sheet: str, row_id: str) -> QModelIndex:
        """Where a row is; invalid when it is not there."""
        found = self._by_key.get((kind, sheet, row_id))
        return self.createIndex(found.place, 0, found.number) if found is not None else QModelIndex()

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        owner = self.node(parent) if parent is not None else self._top
        if not 0 <= row < len(owner.children) or column:
            return QModelIndex()
        return self.createIndex(row, 0, owner.children[row].number)

    def parent(self, index: Index | None = None) -> QModelIndex:  # type: ignore[override]
        owner = self.node(index).parent if index is not None and index.isValid() else None
        if owner is None or owner is self._top:
            return QModelIndex()
        return self.createIndex(owner.place, 0, owner.number)

    def rowCount(self, parent: Index | None = None) -> int:
        return len((self.node(parent) if parent is not None else self._top).children)

    def columnCount(self, parent: Index | None = None) -> int:
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        node = self.node(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return node.text
        if role == NOTE_ROLE:
            return node.note
        if role == KEY_ROLE:
            return node.key
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(node.icon_name)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{node.text}, {node.note}" if node.note else node.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return node.note or None
        return None


def _shape(top: Node) -> list[tuple[str, str, str, str, str]]:
    return [(n.kind, n.sheet, n.row_id, n.text, n.note) for n in top.walk()]
