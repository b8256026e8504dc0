"""Cases about lossless Ethernet: pause frames, priorities, packet sizes and receivers."""

from __future__ import annotations

import dataclasses

from fabricwright.design.values import Project
from fabricwright.units.table import Table
from tests.cases.draw_nics import b300
from tests.cases.machines import cluster, gpus, nics, node
from tests.cases.register import draws
from tests.rules.networks import with_link


@draws("C047", "lossless class drawn, host buffers", finds="LSL-09 NIC-08")
def c047_lossless() -> Project:
    return b300(traffic_host="on", lossless="on")


def sparks(**settings: object) -> Project:
    """Four DGX Spark on one switch, priority 3 lossless."""
    sheet = node("dgx-spark", {}, "nic0:1")
    return cluster(sheet, 4, "sn3700", "1-4", pfc_priorities="3", **settings)


@draws("C050", finds="LSL-07 LSL-09")
def c050() -> Project:
    """The launcher sets no traffic class, so NCCL sends in class 0. Each half of the NIC has four Gen5 lanes."""
    return sparks(nccl_ib_tc=0)


def switched_100g(**settings: object) -> Project:
    """Two servers with a 100G NIC each on a switch."""
    items = nics("mcx515a-ccat", ["s4"])
    return cluster(node("gp-2u-2s-2dw", items, "nic0:1"), 2, "sn2700", "1-2", **settings)


@draws("C051", "PFC drawn as off", finds="LSL-02")
def c051() -> Project:
    return switched_100g(pfc="off")


@draws("C051", "PFC state unknown", finds="")
def c051_unknown() -> Project:
    return switched_100g()


@draws("C052", finds="LSL-06 LSL-10 P2P-16")
def c052() -> Project:
    """Jumbo frames at the NICs, ports of the switch left at 1500."""
    project = cluster(node("dgx-a100", {}, "nic0:1"), 2, "sn4600", "1-2")
    return with_link(project, "down", config=Table({"mtu.a": 9000, "mtu.b": 1500}))


@draws(
    "C068",
    "receiver host path below the port rate",
    finds="LAN-04 LAN-06 LSL-09 NIC-04 P2P-01 P2P-03 P2P-16",
)
def c068() -> Project:
    """Eight V100 servers whose 100G NICs sit in Gen3 x8 slots, PFC on."""
    items = gpus("v100-pcie-32gb", [f"g{n}" for n in range(1, 9)]) | nics("mcx515a-ccat", ["n1"])
    sheet = node("pcie-8dw-gen3-2switch", items, "nic0:1")
    config = Table({"slot.n1.electrical": 8})
    items["chassis"] = dataclasses.replace(items["nic0"], of=None, seat=None, config=config)
    return cluster(dataclasses.replace(sheet, items=Table(items)), 8, "sn2700", "1-8", pfc="on")
