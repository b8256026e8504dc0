"""Cases about PCIe switches: shared uplinks, bridges and quadrants, cables inside the box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabricwright.design.values import Item, Link, Project
from tests.cases.machines import four_a100, gpus, stating
from tests.cases.register import draws
from tests.rules.drawing import card, server
from tests.rules.hosts import Device

FRAME = "workstation-wrx90"
GPU = "rtx-pro-6000-bse"


def a100_board(nics: Sequence[Device]) -> Project:
    """Four A100 of an HGX board on two switches of an AMD host; the second switch's NICs as given."""
    return four_a100([["gpu", "gpu", "nic", "nic"]], [["gpu", "gpu", *nics]], chip="pex88096")


@draws("C015", "drawn behind one Gen4 x16 bridge", finds="LAN-14")
def c015() -> Project:
    return a100_board([["nic", "nic"]])


@draws("C015", "drawn with an own switch port each", finds="")
def c015_own_ports() -> Project:
    return a100_board(["nic", "nic"])


def frame(uplinks: Sequence[str], each: int, part: str, mode: str, **settings: object) -> Project:
    """Switch cards in the named slots of a WRX90 board, ``each`` GPUs cabled to every one."""
    items: dict[str, Item] = {f"sw{n}": card(part, f"chassis:{seat}", mode=mode) for n, seat in enumerate(uplinks)}
    count = each * len(uplinks)
    items |= gpus(GPU, [f"g{n + 1}" for n in range(count)])
    cables = {
        f"c{n}": Link(
            f"sw{n // each}:d{n % each + 1}", f"chassis:g{n + 1}", medium="pcie", cable="mcio-2x8i", length_m=0.3
        )
        for n in range(count)
    }
    return server(FRAME, items, cables, settings=settings)


def cards_of_four(*seats: str, **settings: Any) -> Project:
    return frame(seats, 4, "generic-sw-g5-96", "4x16", **settings)


@draws("C139", finds="LAN-06 P2P-03")
def c139() -> Project:
    return cards_of_four("s1", "s3")


@draws("C141", "two uplinks on one quadrant and host traffic stated", finds="LAN-06 LAN-15 P2P-03")
def c141() -> Project:
    """Four virtual switches with two GPUs each; two uplinks on one quadrant, one quadrant free."""
    return frame(["s1", "s2", "s3", "s5"], 2, "lrsv9500-4i", "2x16", **{"traffic.host": "on"})


@draws("C141", "one uplink per quadrant", finds="LAN-06 P2P-03")
def c141_spread() -> Project:
    return frame(["s1", "s3", "s5", "s7"], 2, "lrsv9500-4i", "2x16", **{"traffic.host": "on"})


@draws("C142", "layout B, host traffic stated", finds="LAN-06 LAN-15 P2P-03")
def c142() -> Project:
    """Two groups of eight GPUs, both cards of a group on one quadrant."""
    return cards_of_four("s1", "s2", "s3", "s4", **{"traffic.host": "on"})


@draws("C142", "layout A", finds="LAN-06 P2P-03")
def c142_apart() -> Project:
    return cards_of_four("s1", "s3", "s5", "s7", **{"traffic.host": "on"})


@draws("C143", finds="GPU-05 LAN-03 LAN-04 P2P-09 RET-11")
def c143() -> Project:
    """A tensor-parallel pair: one card on half a metre of MCIO at Gen5 x16, the other in a Gen4 x4 slot."""
    items: dict[str, Item] = gpus("rtx5090", ["g1", "s6"])
    items["sw0"] = card("lrsv9500-4i", "chassis:s1", mode="2x16")
    items["chassis"] = stating(slot__s6__gen=4, slot__s6__electrical=4)
    cable = Link("sw0:d1", "chassis:g1", medium="pcie", cable="mcio-2x8i", length_m=0.5)
    return server(FRAME, items, {"c0": cable}, settings={"job.tp": 2})
