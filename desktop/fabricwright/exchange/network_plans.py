"""Settings of one switch, one NIC and one job of a RoCE network: what is stated, else what is proposed.

One lossless priority 3 marked DSCP 26, notification packets DSCP 48 in priority 6, jumbo frames, marking by
``buffers.ecn_plan``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabricwright.design.effective import EffItem, effective
from fabricwright.design.indexset import IndexSet
from fabricwright.design.options import effective_value
from fabricwright.design.values import Project
from fabricwright.topology.buffers import (
    LARGEST_MTU,
    SHORTEST_M,
    BufferUse,
    EcnPlan,
    Headroom,
    buffer_use,
    ecn_plan,
    headroom,
    pause_threshold,
)
from fabricwright.topology.classes import flag
from fabricwright.topology.roce import RoceEnd, priorities
from fabricwright.topology.stated import stated_figure

RDMA_PRIORITY, RDMA_DSCP = 3, 26
CNP_PRIORITY, CNP_DSCP = 6, 48
NIC_MTU = 9000
PROPOSED_QPS = 4
GID_INDEX = 3
"""First GID of RoCE v2 over IPv4 on a NIC with one address (engineering; ``show_gids`` tells)."""

LONGEST_MEMBERS = 40
"""Characters of the members of a switch; the files name them all."""

PROFILE_M = (5.0, 10.0, 20.0, 30.0, 40.0, 60.0, 80.0, 100.0, 150.0, 300.0, 500.0, 1000.0, 2000.0)
"""Cable lengths that buffer profiles are made for: a length takes the next longer one, so few profiles do."""


@dataclass(frozen=True, slots=True)
class PortPlan:
    """A port of a switch: its name in the drawing, cage number and branch of how many, rate, length that its profile is
    made for (0 not known), headroom."""

    port: str
    cage: int
    branch: int
    branches: int
    lanes: int
    gbps: float
    length_m: float
    headroom: Headroom


@dataclass(frozen=True, slots=True)
class SwitchPlan:
    """Settings of the members of a switch item that have equal ports. ``ecn`` one plan per rate; ``priorities`` empty:
    nothing pauses, because every NIC resends only what was lost or because the drawing says so.
    """

    item: str
    members: tuple[int, ...]
    part: str
    name: str
    ports: tuple[PortPlan, ...]
    use: BufferUse
    priorities: tuple[int, ...]
    dscp: Mapping[int, int]
    ecn: tuple[EcnPlan, ...]
    mtu: int


@dataclass(frozen=True, slots=True)
class NicPlan:
    """Settings of a NIC of a server sheet: ``tool`` mlnx | bnxt | "" by its vendor; ``device`` name in the system where
    the drawing states one."""

    sheet: str
    nic: str
    part: str
    name: str
    tool: str
    device: str
    priorities: tuple[int, ...]
    dscp: int
    mtu: int


def which(plan: SwitchPlan) -> str:
    """The members that a plan is for, as ``leaf 0-7,9``."""
    members = str(IndexSet.of(plan.members))
    return f"{plan.item} {members if len(members) <= LONGEST_MEMBERS else members[:LONGEST_MEMBERS] + '…'}"


def lossless_priorities(settings: Mapping[str, object], nics: list[RoceEnd]) -> tuple[int, ...]:
    """Lossless priorities: stated, none where PFC is stated off or no NIC needs it, else 3."""
    stated = priorities(settings.get("pfc.priorities"))
    for key in ("pfc", "lossless"):
        if settings.get(key) is not None:
            return (stated or (RDMA_PRIORITY,)) if flag(settings.get(key), False) else ()
    if stated:
        return stated
    return () if nics and all(end.selective for end in nics) else (RDMA_PRIORITY,)


def port_plan(
    item: EffItem, port: str, cage: str, cage_type: str, gbps: float, length_m: float, settings: Mapping[str, object]
) -> PortPlan:
    """A cabled port: the length that its profile is made for, and the headroom that this takes."""
    number, _, branch = port.partition("/")
    length = next((n for n in PROFILE_M if n >= length_m * 0.999), length_m) if length_m else 0.0
    lanes = 4 if cage_type.startswith("QSFP") and "DD" not in cage_type else 8 if cage_type else 1
    names = [n for n in item.ports if n.partition("/")[0] == number]
    room = headroom(
        item.part,
        item.of,
        gbps,
        length or SHORTEST_M,
        mtu=_mtu(item, settings),
        method=str(settings.get("pfc.method") or ""),
    )
    digits = "".join(c for c in number if c.isdigit())
    return PortPlan(
        port,
        int(digits or 0),
        int(branch) if branch.isdigit() else 1,
        max(1, len(names)),
        lanes,
        gbps,
        length,
        room,
    )


def _mtu(item: EffItem, settings: Mapping[str, object]) -> int:
    return int(stated_figure(item.config.get("mtu", settings.get("mtu"))) or LARGEST_MTU)


def switch_plan(
    item: EffItem,
    ports: tuple[PortPlan, ...],
    members: tuple[int, ...],
    pausing: tuple[int, ...],
    marks: Mapping[int, int],
    settings: Mapping[str, object],
) -> SwitchPlan:
    """Settings of switches with equal ports. ``pausing`` lossless priorities of the design, ``marks`` by DSCP."""
    own = (priorities(item.config.get("pfc.priorities")) or pausing) if pausing else ()
    counted: dict[tuple[float, float], int] = {}
    for port in ports:
        counted[port.gbps, port.length_m] = counted.get((port.gbps, port.length_m), 0) + 1
    use = buffer_use(
        item.part,
        item.of,
        [(gbps, length, n) for (gbps, length), n in counted.items()],
        classes=len(own),
        reserved=stated_figure(settings.get("pfc.pool_reserved")) or 0.0,
        mtu=_mtu(item, settings),
        method=str(settings.get("pfc.method") or ""),
    )
    xoff = pause_threshold(use) if own and use.buffer else 0.0
    plans = []
    for gbps in sorted({port.gbps for port in ports}):
        plan = ecn_plan(gbps, _mtu(item, settings), xoff)
        kmin, kmax, pmax = (
            stated_figure(item.config.get(key, settings.get(key))) for key in ("ecn.kmin", "ecn.kmax", "ecn.pmax")
        )
        plans.append(
            EcnPlan(gbps, kmin or plan.kmin, kmax or plan.kmax, plan.pmax if pmax is None else pmax, plan.xoff)
        )
    name = item.part.model if item.part is not None else ""
    return SwitchPlan(item.id, members, item.of, name, ports, use, own, dict(marks), tuple(plans), _mtu(item, settings))


def nic_plan(
    project: Project,
    design_id: str,
    end: RoceEnd,
    pausing: tuple[int, ...],
    dscp: int,
    settings: Mapping[str, object],
) -> NicPlan:
    """Settings of a NIC at one end of a link; sizes in bytes."""
    item = effective(project, project.designs[design_id], end.sheet).items[end.nic]
    part = item.part
    words = f"{part.vendor} {part.word('controller')} {item.of}".lower() if part is not None else ""
    tool = (
        "mlnx"
        if any(w in words for w in ("nvidia", "mellanox", "connectx", "bluefield"))
        else "bnxt"
        if any(w in words for w in ("broadcom", "bcm", "thor", "lr-link"))
        else ""
    )
    size = int(stated_figure(end.config.get("mtu", settings.get("mtu"))) or NIC_MTU)
    device = str(end.config.get("hca") or "").split(" ")[0]
    name = part.model if part is not None else ""
    return NicPlan(end.sheet, end.nic, item.of, name, tool, device, pausing, dscp, size)


def nccl_variables(settings: Mapping[str, object], dscp: int, nics: list[NicPlan]) -> dict[str, str]:
    """Environment of the job by variable of NCCL."""
    stated_tc, stated_gid = settings.get("nccl.ib_tc"), settings.get("nccl.ib_gid_index")
    qps = settings.get("ecmp.qps")
    mode, _ = effective_value(settings, "design", "ecmp.mode")
    out = {
        "NCCL_IB_TC": str(stated_tc if stated_tc is not None else dscp * 4),
        "NCCL_IB_GID_INDEX": str(stated_gid if stated_gid is not None else GID_INDEX),
        "NCCL_IB_QPS_PER_CONNECTION": str(qps if qps is not None else PROPOSED_QPS if mode == "hash" else 1),
    }
    if mode in ("adaptive", "spray"):
        out["NCCL_IB_ADAPTIVE_ROUTING"] = "1"
    elif mode == "hash":
        out["NCCL_IB_SPLIT_DATA_ON_QPS"] = "1"
    names = [nic.device for nic in nics]
    if settings.get("nccl.hca"):
        out["NCCL_IB_HCA"] = str(settings["nccl.hca"])
    elif names and all(names):
        out["NCCL_IB_HCA"] = "=" + ",".join(dict.fromkeys(names))
    return out
