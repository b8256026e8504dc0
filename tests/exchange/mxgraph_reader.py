"""Reads a draw.io file by the rules of mxGraph, knowing nothing of the program that wrote it."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree import ElementTree


@dataclass
class Cell:
    id: str
    parent: str
    style: dict[str, str]
    value: str = ""
    vertex: bool = False
    edge: bool = False
    source: str = ""
    target: str = ""
    box: tuple[float, float, float, float] | None = None
    points: list[tuple[float, float]] = field(default_factory=list)


@dataclass
class Page:
    name: str
    cells: dict[str, Cell]

    @property
    def layers(self) -> list[Cell]:
        return [cell for cell in self.cells.values() if cell.parent == "0"]

    @property
    def connectors(self) -> list[Cell]:
        return [cell for cell in self.cells.values() if cell.edge and cell.source]

    def ports(self) -> list[Cell]:
        """What connectors end on."""
        ends = {end for cell in self.connectors for end in (cell.source, cell.target)}
        return [self.cells[end] for end in ends]

    def place(self, cell: Cell) -> tuple[float, float]:
        """Left upper corner on the page: geometry is relative to the parent."""
        x = y = 0.0
        while cell.box is not None:
            x, y = x + cell.box[0], y + cell.box[1]
            cell = self.cells[cell.parent]
        return x, y

    def layer_of(self, cell: Cell) -> str:
        while cell.parent != "0":
            cell = self.cells[cell.parent]
        return cell.value


def read(data: bytes) -> list[Page]:
    root = ElementTree.fromstring(data)
    assert root.tag == "mxfile"
    pages = []
    for diagram in root.findall("diagram"):
        model = diagram.find("mxGraphModel")
        assert model is not None, "compressed"
        cells: dict[str, Cell] = {}
        for node in model.find("root") or ():
            inner = node if node.tag == "mxCell" else node.find("mxCell")
            assert inner is not None
            cell = _cell(node.get("id", ""), inner)
            assert cell.id and cell.id not in cells, f"id twice: {cell.id}"
            cells[cell.id] = cell
        for cell in cells.values():
            assert cell.id == "0" or cell.parent in cells, cell
            for end in (cell.source, cell.target):
                assert not end or cells[end].vertex, cell
        pages.append(Page(diagram.get("name", ""), cells))
    return pages


def _cell(name: str, node: ElementTree.Element) -> Cell:
    style = {}
    for part in (node.get("style") or "").split(";"):
        key, _, value = part.partition("=")
        style[key] = value
    cell = Cell(
        name,
        node.get("parent", ""),
        style,
        node.get("value", ""),
        node.get("vertex") == "1",
        node.get("edge") == "1",
        node.get("source", ""),
        node.get("target", ""),
    )
    geometry = node.find("mxGeometry")
    if geometry is not None and cell.vertex:
        cell.box = tuple(float(geometry.get(key, "0")) for key in ("x", "y", "width", "height"))  # type: ignore[assignment]
    if geometry is not None and cell.edge:
        cell.points = [(float(p.get("x", "0")), float(p.get("y", "0"))) for p in geometry.iter("mxPoint")]
    return cell
