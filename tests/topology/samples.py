"""Small designs for the tests of this floor, from the shipped parts."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import effective
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Design, Export, Item, Link, Project, Sheet, Wire
from fabricwright.resources import resource_path
from fabricwright.topology.interior import compile_interior
from fabricwright.topology.model import Cluster, Interior
from fabricwright.units.table import Table

EXPECTED: dict[str, Any] = json.loads(resource_path("catalog", "interiors_expected.json").read_text(encoding="utf-8"))[
    "interiors"
]


def rank_address(cluster: Cluster, rank: int) -> str:
    """Address of the GPU of a rank: "node[41]/gpu3"."""
    server = int(cluster.rank_server[rank])
    return f"{cluster.server_address(server)}/{cluster.interiors[cluster.variant[server]].gpus[cluster.rank_gpu[rank]]}"


def embed(*part_ids: str) -> Table[Any]:
    shelf = catalogue()
    return Table({inner: shelf.get(inner) for part_id in part_ids for inner in shelf.needs(part_id)})


def server(
    chassis: str,
    items: dict[str, Item] | None = None,
    links: dict[str, Link] | None = None,
    removed: tuple[str, ...] = (),
    exports: dict[str, Export] | None = None,
    populate: bool = False,
) -> Project:
    """One server sheet "node" as the root of design "main"; ``populate`` seats the reference population of the
    chassis.
    """
    rows: dict[str, Item] = {}
    cables: dict[str, Link] = {}
    if populate:
        for name, row in (EXPECTED[chassis].get("reference_population") or {}).items():
            config = {"mode": row["mode"]} if row.get("mode") else {}
            rows[name] = Item(row["of"], seat=row["seat"], config=Table(config))
        for name, row in (EXPECTED[chassis].get("reference_links") or {}).items():
            cables[name] = Link(row["a"], row["b"], medium="pcie")
    rows.update(items or {})
    cables.update(links or {})
    sheet = Sheet("server", "", chassis, None, removed, Table(rows), Table(cables), Table(exports or {}))
    design = Design("", "node", (), Table({"node": sheet}))
    parts = embed(chassis, *(row.of for row in rows.values() if row.of))
    return Project("", designs=Table({"main": design}), parts=parts)


def interior(project: Project, sheet: str = "node", **settings: object) -> Interior:
    """Compile a sheet of the first design; setting names with ``__`` for the dot (``nccl__p2p_level="SYS"``)."""
    design = next(iter(project.designs.values()))
    named = {key.replace("__", "."): value for key, value in settings.items()}
    return compile_interior(effective(project, design, sheet), named)


def fabric(
    items: dict[str, Item], links: dict[str, Link], chassis: str = "dgx-h100", export: Export | None = None
) -> Project:
    """A fabric sheet whose items ``of="sheet:node"`` are ``chassis``."""
    node = Sheet("server", "", chassis, exports=Table({"compute": export} if export else {}))
    sheet = Sheet("fabric", items=Table(items), links=Table(links))
    design = Design("", "fabric", ("node",) if "node" in items else (), Table({"fabric": sheet, "node": node}))
    parts = embed(chassis, *(row.of for row in items.values() if row.of and not row.of.startswith("sheet:")))
    return Project("", designs=Table({"main": design}), parts=parts)


def deal(*on: str) -> Wire:
    return Wire("deal", on)


def mesh(per_pair: int, *on: str) -> Wire:
    return Wire("mesh", on, per_pair)


def rail_fabric(units: int, servers: int, spines: int, per_pair: int, absent: str = "", **change: Link) -> Project:
    """DGX H100 in scalable units, a QM9700 leaf per unit and rail, spines above all (NVIDIA's two-tier reference)."""
    from fabricwright.design.values import Override

    gone = Table({absent: Override(absent=True)}) if absent else Table()
    items = {
        "node": Item("sheet:node", (("su", units), ("node", servers)), except_=gone),
        "leaf": Item("qm9700", (("su", units), ("rail", 8))),
        "spine": Item("qm9700", (("spine", spines),)),
    }
    links = {
        "down": Link("node:compute", "leaf:1-16/1-2", deal("su", "rail"), "ib"),
        "up": Link("leaf:17-32/1-2", "spine:1-32/1-2", mesh(per_pair), "ib"),
    }
    return fabric(items, {**links, **change})


@lru_cache(maxsize=8)
def template(name: str) -> Project:
    return TEMPLATES[name].build()
