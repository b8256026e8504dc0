"""Cases about the network: routing, rails, cables between servers, optics and breakouts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from fabricwright.design.values import Item, Link, Moved, Project, Sheet, Wire
from fabricwright.units.table import Table
from tests.cases.machines import nics, node
from tests.cases.register import draws
from tests.rules.drawing import deal, fabric, group, mesh

HGX = "sys-821ge-tnhr"


def h100(card: str = "mcx715105as-weat") -> Sheet:
    """Eight H100 with a 400G RoCE NIC beside each."""
    items = nics(card, [f"n{n}" for n in range(1, 9)])
    return node(HGX, items, *(f"nic{n}:1" for n in range(8)), axis="rail")


def two_planes(**settings: Any) -> Project:
    """Eight B300 servers, two planes of one leaf and four spines."""
    split = Table({"breakout": Table({"1-64": "2x400"})})
    drawn = {
        "node": group("sheet:node", node=8),
        "leaf": Item("sn5600", (("plane", 2),), config=split),
        "spine": Item("sn5600", (("plane", 2), ("spine", 4)), config=split),
    }
    links = {
        "down": Link("node:compute", "leaf:1-32/1-2", deal("plane")),
        "up": Link("leaf:33-64/1-2", "spine:1-8/1-2", mesh(16, "plane")),
    }
    stated = {key.replace("_", ".", 1): value for key, value in settings.items()}
    return fabric(drawn, links, {"node": node("dgx-b300", {})}, settings=stated)


@draws("C040", finds="FAB-12")
def c040() -> Project:
    return two_planes()


@draws("C040", "adaptive routing on", finds="")
def c040_adaptive() -> Project:
    return two_planes(ecmp_mode="adaptive")


@draws("C042", "1 QP per connection, static ECMP", finds="FAB-12")
def c042() -> Project:
    """Eight servers of eight NICs on two leafs, four spines above them."""
    drawn = {
        "node": group("sheet:node", node=8),
        "leaf": group("generic-64x400", leaf=2),
        "spine": group("generic-64x400", spine=4),
    }
    links = {
        "down": Link("node:compute", "leaf:1-32", deal()),
        "up": Link("leaf:33-64", "spine:1-16", mesh(8)),
    }
    settings = {"ecmp.mode": "hash", "ecmp.qps": 1}
    return fabric(drawn, links, {"node": h100()}, settings=settings)


def rail_only(sheet: Sheet, nodes: int, rails: int, **settings: Any) -> Project:
    """Servers on one leaf per rail, nothing above."""
    drawn = {"node": group("sheet:node", node=nodes), "leaf": group("generic-64x400", rail=rails)}
    links = {"down": Link("node:compute", f"leaf:1-{nodes}", deal("rail"))}
    stated = {key.replace("_", ".", 1): value for key, value in settings.items()}
    return fabric(drawn, links, {"node": sheet}, settings=stated)


def two_rails() -> Sheet:
    return node(HGX, nics("mcx715105as-weat", ["n1", "n5"]), "nic0:1", "nic1:1", axis="rail")


@draws("C044", finds="FAB-20 P2P-07 P2P-16")
def c044() -> Project:
    return rail_only(two_rails(), 4, 2)


@draws("C045", finds="FAB-20 P2P-07 P2P-16")
def c045() -> Project:
    return rail_only(two_rails(), 2, 2, nccl_cross_nic="0")


@draws("C151", "gather", finds="FAB-20")
def c151() -> Project:
    return rail_only(h100(), 8, 8, job_collective="gather")


@draws("C151", "ring all-reduce in rail order", finds="")
def c151_ring() -> Project:
    return rail_only(h100(), 8, 8, job_collective="all_reduce")


def sparks(cables: Sequence[tuple[int, int, int, int]], nodes: int) -> Project:
    """DGX Spark, the right cage of one to the left cage of the next."""
    link = Link("node:nic0:1", "node:nic0:2", Wire("rows", rows=tuple(cables)))
    return fabric({"node": group("sheet:node", node=nodes)}, {"ring": link}, {"node": node("dgx-spark", {})})


@draws("C080", finds="FAB-21 NIC-04")
def c080() -> Project:
    return sparks([(n, 0, (n + 1) % 4, 0) for n in range(4)], 4)


@draws("C080", "3 nodes as a triangle", finds="NIC-04")
def c080_triangle() -> Project:
    return sparks([(n, 0, (n + 1) % 3, 0) for n in range(3)], 3)


def joined(
    a: Item, b: Item, ends: tuple[str, str], cable: str, length_m: float, *optics: str, medium: str = "eth"
) -> Project:
    link = Link(f"a:{ends[0]}", f"b:{ends[1]}", deal(), medium, cable=cable, length_m=length_m, optics=optics)
    return fabric({"a": a, "b": b}, {"l": link})


def split(part: str, cages: Mapping[str, str]) -> Item:
    return Item(part, config=Table({"breakout": Table(dict(cages))}))


NDR, HDR = Item("qm9700"), Item("qm8700")


@draws("C064", finds="OPT-02")
def c064() -> Project:
    optics = ("optic-800g-2xsr4-mma4z00-ns", "optic-200g-sr4")
    return joined(NDR, HDR, ("1/1", "1"), "mpo12-apc-mmf", 20.0, *optics, medium="ib")


@draws("C064", "listed 2x200G AOC", finds="")
def c064_aoc() -> Project:
    return joined(NDR, HDR, ("1/1-2", "1-2"), "mfa7u10-400g-2x200-q56", 20.0, medium="ib")


@draws("C064", "QSFP56 module in a QSFP112 cage", finds="")
def c064_module() -> Project:
    """A ConnectX-7 with a QSFP112 cage runs at 200G with the module of an HDR switch."""
    sheet = node("pcie-4dw-2u-direct", nics("mcx715105as-weat", ["r1"], mode="1x200"), "nic0:1")
    optics = ("optic-200g-sr4", "optic-200g-sr4")
    link = Link("node:compute", "leaf:1", deal(), "ib", cable="mpo12-upc-mmf", length_m=20.0, optics=optics)
    return fabric({"node": group("sheet:node"), "leaf": group("qm8700")}, {"l": link}, {"node": sheet})


@draws("C066", finds="OPT-04")
def c066() -> Project:
    """Eight lanes of a cage split into links of 25G each."""
    return fabric({"leaf": split("sn4700", {"1-4": "8x25"})}, {})


def four_of_a_dr4(partner: str) -> Project:
    switch = split("generic-64x400", {"1": "4x100"})
    return joined(switch, Item("sn2700"), ("1/1-4", "1-4"), "mpo12-smf-4xlc", 20.0, "optic-400g-dr4", partner)


@draws("C099", finds="OPT-02 OPT-08")
def c099() -> Project:
    return four_of_a_dr4("optic-100g-cwdm4")


@draws("C099", "partner 100G-DR1/FR1", finds="")
def c099_single_lambda() -> Project:
    return four_of_a_dr4("optic-100g-dr1")


@draws("C112", finds="FAB-12 FAB-15")
def c112() -> Project:
    """A leaf with an uplink to each of two spines; the second cable was plugged into the first spine as well."""
    drawn = {"node": group("sheet:node", node=2), "leaf": group("sn3700c"), "spine": group("sn3700c", spine=2)}
    sheet = node("gp-2u-2s-2dw", nics("mcx515a-ccat", ["s1"]), "nic0:1")
    up = dataclasses.replace(mesh(1), moved=Table({"1": Moved(b="spine[0]:2")}))
    links = {
        "down": Link("node:compute", "leaf:1-2", deal()),
        "up": Link("leaf:31-32", "spine:1-2", up),
    }
    return fabric(drawn, links, {"node": sheet})
