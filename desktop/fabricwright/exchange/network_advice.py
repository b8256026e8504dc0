"""Settings of a RoCE network that an engineer can type in: values with formula and source, for every switch and NIC.

What the drawing states is kept; what it does not is proposed: one lossless priority 3 marked DSCP 26, notification
packets DSCP 48 in priority 6, jumbo frames, marking by ``buffers.ecn_plan``. All of it is a proposal to be verified on
site: platforms differ in names of ports and in what they count against a buffer.
"""

from __future__ import annotations

from collections import Counter
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
from fabricwright.topology.cable_fit import port_cages
from fabricwright.topology.classes import flag
from fabricwright.topology.fabric import compile_fabric
from fabricwright.topology.roce import RoceEnd, RoceLink, dscp_map, priorities, roce_links
from fabricwright.topology.stated import stated_figure
from fabricwright.topology.switch_ports import cabled_ports
from fabricwright.units.errors import UserError
from fabricwright.units.text import N_, Message, msg

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

DRAWING, PROPOSED = N_("drawing"), N_("proposal")
PROPOSAL = msg("A proposal by Fabricwright from the drawing; verify it on site before it is loaded.")


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


@dataclass(frozen=True, slots=True)
class Advice:
    """One value: whose, what, how much, by which formula, from which source (its short name, or a word that is
    translated where it is shown); ``stated``: the drawing says so.
    """

    device: str
    setting: Message
    value: str
    unit: str
    formula: Message
    source: str
    stated: bool = False
    estimate: bool = False


@dataclass(frozen=True, slots=True)
class NetworkAdvice:
    """All of a design. ``nccl`` environment of the job by variable."""

    switches: tuple[SwitchPlan, ...]
    nics: tuple[NicPlan, ...]
    nccl: Mapping[str, str]
    rows: tuple[Advice, ...]


def network_advice(project: Project, design_id: str) -> NetworkAdvice:
    """Settings for the Ethernet network of a design. UserError where it has none."""
    design = project.designs[design_id]
    root = effective(project, design, design.root)
    links: list[RoceLink] = []
    if root.kind == "fabric":
        fabric = compile_fabric(project, design)
        links = roce_links(
            root,
            fabric.bundles,
            lambda item: _sheets(project, design_id, item),
            lambda sheet: effective(project, design, sheet),
        )
    if not links:
        raise UserError(msg("Design '{design}' has no Ethernet links between NICs and switches.", design=design_id))
    settings = design.settings
    nic_ends = [end for link in links for _, end in link.sides() if end.nic]
    pausing = _priorities(settings, nic_ends)
    marks = dict(dscp_map(settings.get("qos.dscp_map")) or {})
    for priority in pausing:
        if priority not in marks.values():
            marks[RDMA_DSCP if priority == RDMA_PRIORITY else priority * 8] = priority
    marks.setdefault(CNP_DSCP, CNP_PRIORITY)
    switches = []
    items = dict.fromkeys(end.item for link in links for _, end in link.sides() if not end.nic)
    for item in items:
        row = root.items[item]
        groups: dict[tuple[PortPlan, ...], list[int]] = {}
        for member in range(fabric.count[item]):
            if not fabric.absent[fabric.offset[item] + member]:
                cabled = cabled_ports(fabric, links, item, member)
                cages = port_cages(project, design, row, tuple(p.port for p in cabled))
                plans = tuple(
                    _port(row, p.port, cage.cage, cage.type, p.gbps, p.length_m, settings)
                    for p, cage in zip(cabled, cages, strict=True)
                )
                groups.setdefault(plans, []).append(member)
        for ports, members in groups.items():
            if ports:
                switches.append(_switch(row, ports, tuple(members), pausing, marks, settings))
    dscp = next((d for d, p in sorted(marks.items()) if p in (pausing or (RDMA_PRIORITY,))), RDMA_DSCP)
    nics = [_nic(project, design_id, end, pausing, dscp, settings) for end in _distinct(nic_ends)]
    nccl = _nccl(settings, dscp, nics)
    kinds = Counter(s.item for s in switches)
    rows = (
        *(r for s in switches for r in _switch_rows(s, which(s) if kinds[s.item] > 1 else s.item, settings)),
        *_nccl_rows(nccl, settings),
    )
    return NetworkAdvice(tuple(switches), tuple(nics), nccl, rows)


def which(plan: SwitchPlan) -> str:
    """The members that a plan is for, as ``leaf 0-7,9``."""
    members = str(IndexSet.of(plan.members))
    return f"{plan.item} {members if len(members) <= LONGEST_MEMBERS else members[:LONGEST_MEMBERS] + '…'}"


def _sheets(project: Project, design_id: str, item: str) -> list[str]:
    row = project.designs[design_id].sheets[project.designs[design_id].root].items[item]
    named = [row.of or "", *(f"sheet:{o.sheet}" for o in row.except_.values() if o.sheet)]
    return [name[6:] for name in dict.fromkeys(named) if name.startswith("sheet:")]


def _distinct(ends: list[RoceEnd]) -> list[RoceEnd]:
    return list({(end.sheet, end.nic): end for end in ends}.values())


def _priorities(settings: Mapping[str, object], nics: list[RoceEnd]) -> tuple[int, ...]:
    """Lossless priorities: stated, none where PFC is stated off or no NIC needs it, else 3."""
    stated = priorities(settings.get("pfc.priorities"))
    for key in ("pfc", "lossless"):
        if settings.get(key) is not None:
            return (stated or (RDMA_PRIORITY,)) if flag(settings.get(key), False) else ()
    if stated:
        return stated
    return () if nics and all(end.selective for end in nics) else (RDMA_PRIORITY,)


def _port(
    item: EffItem, port: str, cage: str, cage_type: str, gbps: float, length_m: float, settings: Mapping[str, object]
) -> PortPlan:
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


def _switch(
    item: EffItem,
    ports: tuple[PortPlan, ...],
    members: tuple[int, ...],
    pausing: tuple[int, ...],
    marks: Mapping[int, int],
    settings: Mapping[str, object],
) -> SwitchPlan:
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


def _nic(
    project: Project,
    design_id: str,
    end: RoceEnd,
    pausing: tuple[int, ...],
    dscp: int,
    settings: Mapping[str, object],
) -> NicPlan:
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


def _nccl(settings: Mapping[str, object], dscp: int, nics: list[NicPlan]) -> dict[str, str]:
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


def _switch_rows(plan: SwitchPlan, device: str, settings: Mapping[str, object]) -> list[Advice]:
    rows = [
        Advice(
            device,
            msg("buffer"),
            f"{plan.use.buffer:.0f}",
            "B",
            msg("shared buffer of the switch"),
            "SONiC buffers_defaults, data sheet",
            estimate=plan.use.estimate,
        ),
        Advice(
            device,
            msg("lossless priorities"),
            ",".join(map(str, plan.priorities)) or "-",
            "",
            msg("each takes headroom of its own"),
            DRAWING if settings.get("pfc.priorities") else PROPOSED,
            stated=bool(settings.get("pfc.priorities")),
        ),
        Advice(device, msg("MTU"), str(plan.mtu), "B", msg("largest frame without headers"), "EK"),
    ]
    seen: set[tuple[float, float]] = set()
    for port in plan.ports if plan.priorities else ():
        if (port.gbps, port.length_m) in seen:
            continue
        seen.add((port.gbps, port.length_m))
        length = port.length_m or SHORTEST_M
        rows.append(
            Advice(
                device,
                msg("headroom {rate}G {length} m", rate=f"{port.gbps:g}", length=f"{length:g}"),
                f"{port.headroom.bytes:.0f}",
                "B",
                msg("table by rate and cable length")
                if port.headroom.method == "sonic"
                else msg("2 x cable x 5 ns/m x rate + 672 + 2 frames + interface + response, in bit times"),
                port.headroom.source,
                estimate=port.headroom.estimate or not port.length_m,
            )
        )
    for ecn in plan.ecn:
        rate = f"{ecn.gbps:g}"
        for label, value, unit, formula in (
            (
                msg("Kmin {rate}G", rate=rate),
                f"{ecn.kmin:.0f}",
                "B",
                msg("5 kB x rate / 40G, at least 2 frames, at most Kmax / 4"),
            ),
            (
                msg("Kmax {rate}G", rate=rate),
                f"{ecn.kmax:.0f}",
                "B",
                msg("200 kB x rate / 40G, at most 3/4 of the pause threshold"),
            ),
            (msg("Pmax {rate}G", rate=rate), f"{ecn.pmax:g}", "", msg("chance of a mark just below Kmax")),
        ):
            source = "Zhu et al., SIGCOMM 2015, scaled"
            rows.append(Advice(device, label, value, unit, formula, source, estimate=True))
        if ecn.xoff:
            rows.append(
                Advice(
                    device,
                    msg("xoff {rate}G", rate=rate),
                    f"{ecn.xoff:.0f}",
                    "B",
                    msg("pool / (1 + lossless queues), dynamic threshold of 1"),
                    "Choudhury and Hahne 1998",
                    estimate=True,
                )
            )
    return rows


def _nccl_rows(nccl: Mapping[str, str], settings: Mapping[str, object]) -> list[Advice]:
    stated = {"NCCL_IB_TC": "nccl.ib_tc", "NCCL_IB_GID_INDEX": "nccl.ib_gid_index", "NCCL_IB_HCA": "nccl.hca"}
    stated |= {"NCCL_IB_QPS_PER_CONNECTION": "ecmp.qps"}
    why = {
        "NCCL_IB_TC": msg("DSCP x 4"),
        "NCCL_IB_GID_INDEX": msg("entry of the GID table with RoCE v2 and IPv4; show_gids tells"),
        "NCCL_IB_QPS_PER_CONNECTION": msg("more flows spread better over equal paths"),
        "NCCL_IB_SPLIT_DATA_ON_QPS": msg("all queue pairs carry a part of each message"),
        "NCCL_IB_ADAPTIVE_ROUTING": msg("switches pick the way; packets may overtake"),
        "NCCL_IB_HCA": msg("NICs of the drawing"),
    }
    rows = []
    for name, value in nccl.items():
        said = settings.get(stated.get(name, "")) is not None
        rows.append(
            Advice("NCCL", msg("{name}", name=name), value, "", why[name], DRAWING if said else PROPOSED, stated=said)
        )
    return rows
