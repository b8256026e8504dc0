"""Settings of a RoCE network that an engineer can type in: values with formula and source, for every switch and NIC.

What the drawing states is kept; what it does not is proposed (``network_plans``). All of it is a proposal to be
verified on site: platforms differ in names of ports and in what they count against a buffer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from fabricwright.design.effective import effective
from fabricwright.design.values import Project
from fabricwright.exchange.network_plans import (
    CNP_DSCP,
    CNP_PRIORITY,
    RDMA_DSCP,
    RDMA_PRIORITY,
    NicPlan,
    PortPlan,
    SwitchPlan,
    lossless_priorities,
    nccl_variables,
    nic_plan,
    port_plan,
    switch_plan,
    which,
)
from fabricwright.exchange.network_values import Advice, nccl_values, switch_values
from fabricwright.topology.cable_fit import port_cages
from fabricwright.topology.fabric import compile_fabric
from fabricwright.topology.roce import RoceEnd, RoceLink, dscp_map, roce_links
from fabricwright.topology.switch_ports import cabled_ports
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

PROPOSAL = msg("A proposal by Fabricwright from the drawing; verify it on site before it is loaded.")


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
    pausing = lossless_priorities(settings, nic_ends)
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
                    port_plan(row, p.port, cage.cage, cage.type, p.gbps, p.length_m, settings)
                    for p, cage in zip(cabled, cages, strict=True)
                )
                groups.setdefault(plans, []).append(member)
        for ports, members in groups.items():
            if ports:
                switches.append(switch_plan(row, ports, tuple(members), pausing, marks, settings))
    dscp = next((d for d, p in sorted(marks.items()) if p in (pausing or (RDMA_PRIORITY,))), RDMA_DSCP)
    nics = [nic_plan(project, design_id, end, pausing, dscp, settings) for end in _distinct(nic_ends)]
    nccl = nccl_variables(settings, dscp, nics)
    kinds = Counter(s.item for s in switches)
    rows = (
        *(r for s in switches for r in switch_values(s, which(s) if kinds[s.item] > 1 else s.item, settings)),
        *nccl_values(nccl, settings),
    )
    return NetworkAdvice(tuple(switches), tuple(nics), nccl, rows)


def _sheets(project: Project, design_id: str, item: str) -> list[str]:
    row = project.designs[design_id].sheets[project.designs[design_id].root].items[item]
    named = [row.of or "", *(f"sheet:{o.sheet}" for o in row.except_.values() if o.sheet)]
    return [name[6:] for name in dict.fromkeys(named) if name.startswith("sheet:")]


def _distinct(ends: list[RoceEnd]) -> list[RoceEnd]:
    return list({(end.sheet, end.nic): end for end in ends}.values())
