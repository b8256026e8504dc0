"""Cases about instances, bridges and what is stated of a system."""

from __future__ import annotations

from fabricwright.design.values import Link, Project
from tests.cases.machines import cluster, gpus, node, stating
from tests.cases.register import draws
from tests.rules.drawing import claim, server


@draws("C072", finds="MEC-13")
def c072() -> Project:
    """Two RTX 2080 Ti side by side; a water block leaves a bridge 1.5 of the 5 mm it needs."""
    items = gpus("rtx2080ti", ["s1", "s3"], bridge_room_mm=1.5)
    bridge = Link("gpu0:nv", "gpu1:nv", medium="nvlink", cable="nvlink-bridge-2")
    return server("workstation-wrx90", items, {"bridge": bridge})


@draws("C111", finds="GPU-04")
def c111() -> Project:
    """Seven instances of each of two A100."""
    items = {"gpu0": stating(mig="7x1g.10gb"), "gpu1": stating(mig="7x1g.10gb")}
    return server("dgx-a100", items)


@draws("C132", finds="")
def c132() -> Project:
    """An HGX H100 with figures of both kinds: 900 GB/s both ways, 370 GB/s of ring bus bandwidth, 275 of algorithm."""
    said = (
        claim("allreduce.time_ms", 1000 * 20 / 275, "design:main"),
        claim("allreduce.payload_gb", 20, "design:main"),
    )
    return server("dgx-h100", {}, statements=said)


@draws("C133", "GB200 with 4x400, 8x400, 4x800 or 8x800", finds="")
def c133() -> Project:
    said = tuple(claim("server.nic_set", text, "node") for text in ("4x400", "8x400", "4x800", "8x800"))
    return server("gb200-compute-tray", {}, count=2, statements=said)


@draws("C133", "H100 stated with 4 ports", finds="SRV-02")
def c133_h100() -> Project:
    sheet = node("dgx-h100", {})
    said = (claim("nic.ports", 4, "node"),)
    return cluster(sheet, 2, "qm9700", "1-8/1-2", medium="ib", statements=said)
