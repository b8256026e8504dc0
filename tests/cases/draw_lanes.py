"""Cases about one slot and its card: lanes, generation, splits, memory windows, CXL."""

from __future__ import annotations

import dataclasses
from typing import Any

from fabricwright.catalog.parts import BuiltinItem, BuiltinLink, Slot
from fabricwright.design.values import Item, Link, Project, Statement
from tests.cases.machines import cluster, gpus, nics, node, stating
from tests.cases.register import draws
from tests.rules.drawing import board, card, claim, cpu, deal, fabric, group, root_port, server, slot, switch_chip
from tests.rules.pcie_parts import retimer_part

GENERAL = "gp-2u-2s-2dw"


def in_slot(nic: str, leaf: str, mode: str = "", **of_slot: int) -> Project:
    """Two general servers with a NIC in slot s1, one port cabled; the slot as stated."""
    config: dict[str, Any] = {"mode": mode} if mode else {}
    items: dict[str, Item] = nics(nic, ["s1"], **config)
    items["chassis"] = stating(**{f"slot__s1__{key}": value for key, value in of_slot.items()})
    return cluster(node(GENERAL, items, "nic0:1"), 2, leaf, "1-2")


@draws("C021", finds="LAN-04 NIC-04")
def c021() -> Project:
    return in_slot("mcx515a-ccat", "sn2700", gen=3, electrical=8)


@draws("C023", finds="")
def c023() -> Project:
    """A 4090 on a short riser; what its link runs at when nothing runs is no property of a drawing."""
    items = gpus("rtx4090", ["s1"])
    items["chassis"] = stating(slot__s1__riser_m=0.2, slot__s1__gen=4)
    return server("workstation-wrx90", items)


@draws("C025", finds="LAN-03 LAN-04 LAN-16")
def c025() -> Project:
    """A 10G card of four lanes in the one lane of a single-board computer."""
    seat = slot("cpu0:p0", electrical=1, physical=1, gen=2, open_ended=True)
    return server(board({"x1": seat}), nics("mcx311a-xcat", ["x1"]))


@draws("C027", finds="LAN-03 NIC-04")
def c027() -> Project:
    return in_slot("mcx354a-fcbt", "sn2700", mode="2x40", gen=2, electrical=8)


@draws("C056", "board list without x4x4x8", finds="BIF-01 BIF-03")
def c056() -> Project:
    """A board whose firmware offers neither x4x4x8 nor x8x4x4; three devices are wanted."""
    items = {"rt0": card("lrsv9560-2i", "chassis:s1", mode="4x4", slot_split="x4x4x8")}
    items["chassis"] = stating(slot__s1__bifurcation="x16, x8x8, x4x4x4x4")
    return server(GENERAL, items)


@draws("C061", finds="CXL-11")
def c061() -> Project:
    """A Samsung E3.S module in a Sapphire Rapids board, CXL memory not enabled in firmware."""
    bay = dataclasses.replace(slot("cpu0:p0", electrical=8, physical=8, cxl=True), kind="e3s")
    return server(board({"e1": bay}), {"cxl0": card("cmm-d-md220", "chassis:e1"), "chassis": stating(cxl_bios="off")})


def two_expanders(*asked: Statement) -> Project:
    """Two x16 modules cabled behind a CXL switch, each over a retimer card of eight lanes."""
    chip = switch_chip(2)
    items = {"cpu0": cpu({"p0": root_port()}, cxl="2.0"), "sw0": BuiltinItem("xc50256", ports=chip.ports)}
    seats: dict[str, Slot] = {f"s{n}": slot(f"sw0:d{n}", cxl=True) for n in (1, 2)}
    seats |= {f"b{n}": slot("", cxl=True) for n in (1, 2)}
    chassis = board(seats, items, {"up": BuiltinLink("cpu0:p0", "sw0:up", "pcie", 16, 5)})
    rows = {f"rt{n}": card("rt", f"chassis:s{n}") for n in (1, 2)}
    rows |= {f"cxl{n}": card("cxa-4f1w", f"chassis:b{n}") for n in (1, 2)}
    cables = {f"c{n}": Link(f"rt{n}:d1", f"chassis:b{n}", medium="cxl", length_m=0.3) for n in (1, 2)}
    return server(chassis, rows, cables, parts={"rt": retimer_part(5, 8, cxl="2.0")}, statements=asked)


@draws("C082", finds="LAN-04")
def c082() -> Project:
    return two_expanders()


@draws("C082", "52 GB/s asked", finds="CXL-09 LAN-04")
def c082_asked() -> Project:
    return two_expanders(claim("cxl.read_gbs", 52, "node/cxl1", "requirement"))


@draws("C086", finds="LAN-04 NIC-04")
def c086() -> Project:
    """The same card in two hosts: sixteen lanes in one, eight in the other."""

    def host(lanes: int) -> Any:
        items: dict[str, Item] = nics("mcx515a-ccat", ["s1"])
        items["chassis"] = stating(slot__s1__gen=3, slot__s1__electrical=lanes)
        return node(GENERAL, items, "nic0:1")

    drawn = {"a": group("sheet:a"), "b": group("sheet:b"), "leaf": group("sn2700")}
    links = {"la": Link("a:compute", "leaf:1", deal()), "lb": Link("b:compute", "leaf:2", deal())}
    return fabric(drawn, links, {"a": host(16), "b": host(8)})


@draws("C097", finds="LAN-12 P2P-19")
def c097() -> Project:
    """Six GPUs of 32 GiB; firmware gives 48 GiB to five root ports and 12 to the sixth."""
    seats = ["s1", "s2", "s3", "s4", "s5", "s7"]
    windows = {f"slot__{seat}__mmio_window_gib": 12 if seat == "s7" else 48 for seat in seats}
    return server("workstation-wrx90", gpus("rtx5090", seats) | {"chassis": stating(**windows)})


@draws("C098", "window stated, or Above-4G off", finds="LAN-12 P2P-03 P2P-19")
def c098() -> Project:
    items = gpus("l40s", ["g1", "g2"]) | {"chassis": stating(above_4g="off")}
    return server(GENERAL, items)


@draws("C115", finds="LAN-04 NIC-04")
def c115() -> Project:
    """A ConnectX-5 Ex in a desktop's second slot: sixteen lanes' length, four lanes."""
    return cluster(node("desktop-am5", nics("mcx516a-cdat", ["s2"]), "nic0:1"), 2, "sn2700", "1-2")


@draws("C123", "board states no resizable BAR behind the switch", finds="LAN-06 LAN-12 P2P-14 P2P-18")
def c123() -> Project:
    """Eight RTX 5090 below two Broadcom switches of a two-socket EPYC server."""
    items = gpus("rtx5090", [f"g{n}" for n in range(1, 9)])
    items |= {"sw0": stating(resizable_bar="off"), "sw1": stating(resizable_bar="off")}
    return server("sr675-v3", items)
