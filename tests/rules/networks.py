"""Small fabrics for tests of FAB and OPT: one leaf with spines, rails of DGX H100, two switches and a cable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.values import Item, Link, Moved, Project, Sheet, Wire
from fabricwright.rules.finding import Finding
from fabricwright.units.table import Table
from tests.rules.drawing import deal, everything, fabric, group, mesh, one_nic

SWITCH = "generic-64x400"


def leaf_spine(
    nodes: int,
    uplinks: int,
    spines: int,
    *,
    ufm: int = 0,
    leafs: int = 1,
    switch: str = SWITCH,
    uplink_wire: Wire | None = None,
    **more: Any,
) -> Project:
    """``nodes`` servers with one 400G port each on each leaf of 64 ports, ``uplinks`` of them to ``spines`` spines."""
    axes = {"su": leafs} if leafs > 1 else {}
    items = {
        "node": group("sheet:node", **axes, node=nodes),
        "leaf": group(switch, **axes),
        "spine": group(switch, spine=spines),
    }
    links = {
        "down": Link("node:compute", "leaf:1-32", deal(*axes)),
        "up": Link(f"leaf:{65 - uplinks}-64", "spine:1-64", uplink_wire or mesh(uplinks // spines)),
    }
    if ufm:
        items["ufm"] = group("ufm-appliance", ufm=ufm)
        links["ufm"] = Link("ufm:1", "leaf:32", deal())
    return fabric(items, links, {"node": one_nic()}, **more)


def rails(
    moved: Mapping[str, Moved] | None = None, *, nodes: int = 8, units: int = 1, spines: int = 0, **more: Any
) -> Project:
    """``nodes`` DGX H100 per unit over eight rails; with ``spines`` an uplink to each from every leaf."""
    items = {"node": group("sheet:node", su=units, node=nodes), "leaf": group("qm9700", su=units, rail=8)}
    wire = replace(deal("su", "rail"), moved=Table(dict(moved or {})))
    links = {"down": Link("node:compute", "leaf:1-16/1-2", wire, "ib")}
    if spines:
        items["spine"] = group("qm9700", spine=spines)
        links["up"] = Link("leaf:17-32/1-2", "spine:1-32/1-2", mesh(1), "ib")
    return fabric(items, links, {"node": Sheet("server", chassis="dgx-h100")}, **more)


def pair(
    cable: str = "auto",
    length_m: float | None = 1.0,
    part: str = "sn5600",
    optics: tuple[str | None, ...] = (),
    *,
    other: str = "",
    ends: tuple[str, str] = ("1/1", "1/1"),
    parts: Mapping[str, Any] | None = None,
    breakout: Mapping[str, Mapping[str, str]] | None = None,
    **config: Any,
) -> Project:
    """Two switches ``a`` and ``b`` and a link ``l``."""
    items = {name: group(of) for name, of in (("a", part), ("b", other or part))}
    for name, splits in (breakout or {}).items():
        items[name] = Item(items[name].of, (), None, False, Table({"breakout": Table(dict(splits))}))
    link = Link(
        f"a:{ends[0]}", f"b:{ends[1]}", deal(), cable=cable, length_m=length_m, optics=optics, config=Table(config)
    )
    project = fabric(items, {"l": link})
    return replace(project, parts=Table({**project.parts, **parts})) if parts else project


def node_pair(cable: str, nic: str, optics: tuple[str | None, ...] = (), leaf: str = "qm9700") -> Project:
    """One server with one NIC on a leaf."""
    return fabric(
        {"node": group("sheet:node"), "leaf": group(leaf)},
        {"l": Link("node:compute", "leaf:1/1", deal(), "ib", cable=cable, length_m=2.0, optics=optics)},
        {"node": one_nic(nic=nic)},
    )


def with_link(project: Project, link: str, **fields: Any) -> Project:
    """The project with other fields of a root link."""
    design = project.designs["main"]
    root = design.sheets["fabric"]
    row = replace(root.links[link], **fields)
    sheet = replace(root, links=root.links.put(link, row))
    return replace(project, designs=Table({"main": replace(design, sheets=design.sheets.put("fabric", sheet))}))


def mended(project: Project, finding: Finding) -> Project:
    """The project after a finding's fix; no more errors than before."""
    assert finding.fix
    after = project
    for call in finding.fix:
        after = apply(after, EDITS[call.name](after, **call.args))
    assert errors(after) <= errors(project)
    return after


def errors(project: Project) -> int:
    """How many errors the rules report."""
    return sum(f.severity == "error" for f in everything(project))
