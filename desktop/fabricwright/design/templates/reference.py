"""Templates ``h100-4su``, ``b200-8su`` and ``b300-4su``: the compute fabrics of NVIDIA's reference designs, 1,016 to
2,048 GPUs, and nothing else.

Counts of servers, leafs, spines, UFM links and cables are those that NVIDIA publishes (SuperPOD tables of H100, B200
and B300); that B300's are two planes is inferred from the counts. Racks, optics and positions are chosen here.
"""

from __future__ import annotations

from dataclasses import replace

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.templates.drafting import deal, embed, item, mesh, plan, rows, statements, without_tail
from fabricwright.design.values import Export, Item, Link, Project, Seating, Sheet
from fabricwright.units.table import Table
from fabricwright.units.text import N_

TWIN_SR4 = "optic-800g-2xsr4-mma4z00-ns"
TWIN_DR4 = "optic-800g-2xdr4-mms4x00-ns"
FLAT_SR4 = "optic-400g-sr4-osfp-flat"
DR8 = "optic-800g-dr8"
MMF = "mpo12-apc-mmf"
SMF = "mpo12-apc-smf"
SMF_16 = "mpo16-apc-smf"
SMF_16_SPLIT = "mpo16-smf-2xmpo12"
RACK = "rack-48u"
UNSTATED = ("cooling", "cooling_kw", "feeds", "static_load_kg", "usable_kw")
"""What the reference leaves open about its racks."""


def plain_rack() -> Part:
    """A rack of 48 units of which nothing is stated but its size."""
    part = catalogue().copies("rack-48u-60kw")["rack-48u-60kw"]
    figures = Table({name: figure for name, figure in part.figures.items() if name not in UNSTATED})
    return replace(part, names=Table({"en": "Rack 48U", "zh_CN": "机柜48U"}), figures=figures)


def draw_h100(title: str) -> Project:
    """127 of 128 DGX H100 in four units of 32; four UFM links on leaf ports of the missing server."""
    node = without_tail(item("sheet:node", axes=(("su", 4), ("node", 32)), name="dgx-{index1:03}"), 127)
    items = {
        "node": node,
        "leaf": item("qm9700", axes=(("su", 4), ("rail", 8)), name="leaf-{su1}-{rail1}"),
        "spine": item("qm9700", axes=(("spine", 16),), name="spine-{spine1:02}"),
        "ufm": item("ufm-appliance", axes=(("ufm", 2),), name="ufm-{ufm1}"),
        "rack": item(RACK, axes=(("row", 4), ("rack", 6)), name="r{row1}{rack1:02}"),
        "lrack": item(RACK, axes=(("row", 4),), name="net-{row1}", rack0=6),
        "srack": item(RACK, name="core", row0=4),
    }
    # The last server's ports: unit 4, port 2 of cage 16 on the leafs of four rails.
    free = rows((0, 0, 24, 0), (0, 1, 25, 0), (1, 0, 26, 0), (1, 1, 27, 0))
    links = {
        "down": _quantum_down(),
        "up": Link("leaf:17-32/1-2", "spine:1-32/1-2", mesh(2), "ib", cable=SMF, optics=(TWIN_DR4, TWIN_DR4)),
        "ufm": Link("ufm:1-2", "leaf:16/2", free, "ib", cable=MMF, optics=(FLAT_SR4, TWIN_SR4)),
    }
    seats = {
        "node": Seating("rack", per_rack=6, u=1),
        "leaf": Seating("lrack", per_rack=8, u=20),
        "spine": Seating("srack", per_rack=16, u=10),
        "ufm": Seating("srack", per_rack=2, u=30),
    }
    return _project(title, "dgx-h100", items, links, seats, 1016)


def draw_b200(title: str) -> Project:
    """256 DGX B200 in eight units of 32; one uplink of each leaf to each of 32 spines, all ports used."""
    items = {
        "node": item("sheet:node", axes=(("su", 8), ("node", 32)), name="dgx-{index1:03}"),
        "leaf": item("qm9700", axes=(("su", 8), ("rail", 8)), name="leaf-{su1}-{rail1}"),
        "spine": item("qm9700", axes=(("spine", 32),), name="spine-{spine1:02}"),
        "rack": item(RACK, axes=(("row", 8), ("rack", 8)), name="r{row1}{rack1:02}"),
        "lrack": item(RACK, axes=(("row", 8),), name="net-{row1}", rack0=8),
        "srack": item(RACK, name="core", row0=8),
    }
    links = {
        "down": _quantum_down(),
        "up": Link("leaf:17-32/1-2", "spine:1-32/1-2", mesh(1), "ib", cable=SMF, optics=(TWIN_DR4, TWIN_DR4)),
    }
    seats = {
        "node": Seating("rack", per_rack=4, u=1),
        "leaf": Seating("lrack", per_rack=8, u=20),
        "spine": Seating("srack", per_rack=32, u=5),
    }
    return _project(title, "dgx-b200", items, links, seats, 2048)


def draw_b300(title: str, planes: int) -> Project:
    """256 DGX B300 in four units of 64: two planes of 400G on SN5600 as 128 ports, or one of 64 ports of 800G."""
    two = planes == 2
    split = Table({"1-64": "2x400" if two else "1x800"})
    third, size = ("plane", 2) if two else ("half", 2)
    items = {
        "node": item("sheet:node", axes=(("su", 4), ("node", 64)), name="dgx-{index1:03}"),
        "leaf": item(
            "sn5600",
            axes=(("su", 4), ("rail", 8), (third, size)),
            name=f"leaf-{{su1}}-{{rail1}}-{{{third}1}}",
            breakout=split,
        ),
        "spine": item(
            "sn5600",
            axes=(("plane", 2), ("spine", 16)) if two else (("spine", 32),),
            name="spine-{plane1}-{spine1:02}" if two else "spine-{spine1:02}",
            breakout=split,
        ),
        "rack": item(RACK, axes=(("row", 4), ("rack", 16)), name="r{row1}{rack1:02}"),
        "lrack": item(RACK, axes=(("row", 4),), name="net-{row1}", rack0=16),
        "srack": item(RACK, axes=(("core", 2),), name="core-{core1}", row0=4),
    }
    if two:
        # One 800G cable per NIC and per pair of uplinks: a split one to two leafs, a straight one within a plane.
        links = {
            "down": Link(
                "node:compute", "leaf:1-32/1-2", deal("su", "rail", "plane"), cable=SMF_16_SPLIT, optics=(DR8, TWIN_DR4)
            ),
            "up": Link("leaf:33-64/1-2", "spine:1-64/1-2", mesh(4, "plane")),
        }
    else:
        links = {
            "down": Link("node:compute", "leaf:1-32", deal("su", "rail"), cable=SMF_16, optics=(DR8, DR8)),
            "up": Link("leaf:33-64", "spine:1-64", mesh(1), cable=SMF_16, optics=(DR8, DR8)),
        }
    seats = {
        "node": Seating("rack", per_rack=4, u=1),
        "leaf": Seating("lrack", per_rack=16, u=10),
        "spine": Seating("srack", per_rack=16, u=10),
    }
    return _project(title, "dgx-b300", items, links, seats, 2048, {} if two else _one_port_each())


def _one_port_each() -> dict[str, Item]:
    """Every ConnectX-8 as one port of 800G."""
    return {f"nic{n}": item(None, mode="1x800") for n in range(8)}


def _quantum_down() -> Link:
    return Link("node:compute", "leaf:1-16/1-2", deal("su", "rail"), "ib", cable=MMF, optics=(TWIN_SR4, TWIN_SR4))


def _project(
    title: str,
    server: str,
    items: dict[str, Item],
    links: dict[str, Link],
    seats: dict[str, Seating],
    gpus: int,
    inside: dict[str, Item] | None = None,
) -> Project:
    exports = {"compute": Export(tuple(f"nic{n}:1" for n in range(8)), (("rail", 8),))} if inside else {}
    node = Sheet("server", "", server, items=Table(inside or {}), exports=Table(exports))
    fabric = Sheet("fabric", items=Table(items), links=Table(links), seats=Table(seats))
    design = plan("", 0, {"fabric": fabric, "node": node}, {"ecmp.mode": "adaptive"})
    wanted = statements(
        "",
        ("target", f"The cluster has {gpus:,} GPUs.", "cluster.gpus", gpus, "GPUs", "design:main"),
        ("target", N_("The compute network is not oversubscribed."), "leaf.oversubscription", 1, "x", "leaf"),
    )
    return embed(Project(title, designs=Table({"main": design}), statements=wanted, parts=Table({RACK: plain_rack()})))
