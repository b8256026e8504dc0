"""Templates of one server or a few: ``single-8gpu``, ``pcie-8gpu-switch``, ``pcie-4gpu-1nic``."""

from __future__ import annotations

from fabricwright.catalog.parts import Scalar
from fabricwright.design.templates.drafting import deal, embed, export, gpus, item, plan
from fabricwright.design.values import Link, Project, Seating, Sheet
from fabricwright.units.table import Table
from fabricwright.units.text import N_


def draw_single(title: str, servers: int, server: str) -> Project:
    """``servers`` servers of one orderable part, side by side and uncabled."""
    axes = (("node", servers),) if servers > 1 else ()
    fabric = Sheet(
        "fabric",
        items=Table({"node": item("sheet:node", axes=axes, name="n{index1:02}" if servers > 1 else "")}),
    )
    design = plan("", 0, {"fabric": fabric, "node": Sheet("server", "", server.lower())})
    return embed(Project(title, designs=Table({"main": design})))


def draw_switched(title: str, gpu: str) -> Project:
    """Eight PCIe GPUs behind two switch chips of one socket, with peer-to-peer allowed up to SYS, and as NCCL comes."""
    fabric = Sheet("fabric", items=Table({"node": item("sheet:node")}))
    node = Sheet(
        "server",
        N_("Eight GPUs, two switches, one root"),
        "pcie-8dw-2switch-single-root",
        items=Table(gpus(gpu.lower(), [f"chassis:g{n}" for n in range(1, 9)])),
    )
    sheets = {"fabric": fabric, "node": node}
    tuned: dict[str, Scalar] = {"nccl.p2p_level": "SYS", "acs": "off", "iommu": "off"}
    designs = {
        "p2p-sys": plan(N_("Peer-to-peer up to SYS"), 0, sheets, tuned),
        "default": plan(N_("Default settings"), 1, sheets),
    }
    return embed(Project(title, designs=Table(designs)))


def draw_one_nic(title: str, servers: int) -> Project:
    """Servers with four GPUs and one NIC on socket 0, a switch, a rack; the lesson is to move the NIC to socket 1."""
    cages = -(-servers // 2)
    fabric = Sheet(
        "fabric",
        items=Table(
            {
                "node": item("sheet:node", axes=(("node", servers),), name="n{node1}"),
                "leaf": item("sn5600", breakout=Table({f"1-{cages}" if cages > 1 else "1": "2x400"})),
                "rack": item("rack-48u-20kw"),
            }
        ),
        links=Table(
            {
                "down": Link(
                    "node:compute",
                    f"leaf:1-{cages}/1-2" if cages > 1 else "leaf:1/1-2",
                    deal(),
                    cable="mcp7y10-800g-2x400-q112",
                    length_m=2.0,
                )
            }
        ),
        seats=Table({"node": Seating("rack", 0, 1, servers, 1), "leaf": Seating("rack", 0, 1, 1, 40)}),
    )
    node = Sheet(
        "server",
        N_("Four GPUs and one NIC on one socket"),
        "pcie-4dw-one-socket",
        items=Table(
            {
                **gpus("h100-pcie-80gb", [f"chassis:g{n}" for n in range(1, 5)]),
                "nic0": item("mcx715105as-weat", "chassis:n1"),
            }
        ),
        exports=Table({"compute": export("nic0:1", rail=1)}),
    )
    design = plan("", 0, {"fabric": fabric, "node": node}, {"nccl.p2p_level": "SYS", "nccl.gdr_level": "SYS"})
    return embed(Project(title, designs=Table({"main": design})))
