"""Sheets with a thousand and ten thousand nodes for the benchmarks of the canvas."""

from __future__ import annotations

from dataclasses import replace

from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.values import Design, Export, Item, Link, Look, Project, Sheet, Wire
from fabricwright.ui.paint.scene import Card, EdgeList, Mark, Scene, Style
from fabricwright.units.table import Table

COLUMN_W, ROW_H = 200.0, 140.0
NODE_W, NODE_H = 120.0, 60.0


def _bare() -> Project:
    """A server sheet ``node`` and the part of a 64-port switch, nothing wired."""
    project = Project("Big", designs=Table({"main": Design("", "fabric", (), Table({"fabric": Sheet("fabric")}))}))
    project = apply(project, EDITS["add_item"](project, design="main", sheet="fabric", part="dgx-h100", item="node"))
    return apply(project, EDITS["add_item"](project, design="main", sheet="fabric", part="qm9700", item="leaf"))


def _with(project: Project, fabric: Sheet, **sheets: Sheet) -> Project:
    design = project.designs["main"]
    rows = Table({**design.sheets, **sheets, "fabric": fabric})
    return replace(project, designs=Table({"main": replace(design, sheets=rows)}))


def open_group(units: int) -> Project:
    """One expanded group of ``units`` x 32 servers; each has four links, one to a leaf of its unit on each of four
    rails."""
    project = _bare()
    items = {"node": Item("sheet:node", (("su", units), ("node", 32)))}
    links = {}
    for rail in range(4):
        items[f"leaf{rail}"] = Item("qm9700", (("su", units),))
        links[f"rail{rail}"] = Link(f"node:nic{rail}", f"leaf{rail}:1-16/1-2", Wire("deal", ("su",)), "ib")
    look = Table({"node": Look(open=True)})
    fabric = Sheet("fabric", items=Table(items), links=Table(links), look=look)
    exports = Table({f"nic{rail}": Export((f"nic{rail}:1",)) for rail in range(4)})
    return _with(project, fabric, node=replace(project.designs["main"].sheets["node"], exports=exports))


def _neighbours(count: int) -> tuple[int, list[tuple[int, int]]]:
    """Columns of a grid of ``count`` nodes, and four links for each: right, below, diagonal, two to the right."""
    columns = round((count * 1.25) ** 0.5)
    return columns, [(k, (k + step) % count) for k in range(count) for step in (1, columns, columns + 1, 2)]


def single_rows(count: int) -> Project:
    """``count`` switches as rows of their own, each placed by hand, four links each."""
    project = _bare()
    columns, pairs = _neighbours(count)
    items = {f"s{k}": Item("qm9700") for k in range(count)}
    look = {f"s{k}": Look(xy=(k % columns * COLUMN_W, k // columns * ROW_H)) for k in range(count)}
    links = {}
    for n, (a, b) in enumerate(pairs):
        links[f"l{n}"] = Link(f"s{a}:{n % 4 + 1}/1", f"s{b}:{n % 4 + 9}/1", Wire(), "ib")
    return _with(project, Sheet("fabric", items=Table(items), links=Table(links), look=Table(look)))


def scattered_scene(count: int) -> Scene:
    """``count`` cards of their own with eight ports and a name, and four right-angled lines each: nothing to bundle,
    no two pictures alike."""
    columns, pairs = _neighbours(count)
    places = [(k % columns * COLUMN_W, k // columns * ROW_H) for k in range(count)]
    cards = []
    for k in range(count):
        marks = tuple(Mark(f"s{k}:{n}", "tb"[n % 2], 15.0 + 30 * (n // 2), f"rail{n}") for n in range(8))
        cards.append(Card(f"s{k}", Style.DEVICE, "switch", (f"Switch {k}",), marks=marks, far=str(k)))
    edges = EdgeList()
    for n, (a, b) in enumerate(pairs):
        (ax, ay), (bx, by) = places[a], places[b]
        x0, y0, x1, y1 = ax + 15 + 30 * (n % 4), ay + NODE_H, bx + 15 + 30 * (n % 4), by
        middle = y0 + 10 + 15 * (n % 4)
        edges.add(f"l{n}", a, b, "compute", [(x0, y0), (x0, middle), (x1, middle), (x1, y1)], rail=n % 4)
    scene = Scene("fabric")
    scene.fill_cards(cards, [(x, y, NODE_W, NODE_H) for x, y in places])
    scene.edges = edges.arrays()
    return scene
