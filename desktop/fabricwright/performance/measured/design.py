"""The design that stated hardware stands for: equal servers on a fabric that is nowhere oversubscribed.

Entries say little about the network between servers, so what is drawn never binds: one switch up to 64 servers, above
that rail-wired leafs with as many uplinks as downlinks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from fabricwright.catalog.parts import Figure, Part, Port, Scalar
from fabricwright.design.values import Design, Item, Link, Override, Project, Sheet, Wire
from fabricwright.performance.measured.hardware import Hardware
from fabricwright.performance.measured.server import CHASSIS, parts_of
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.constants import SWITCH_ASIC_LATENCY_S
from fabricwright.topology.model import Cluster
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

ONE_TIER = 64
UNIT = 32
MOST_GPUS = 144
"""Of one drawn server, two full NVL72 racks; paths grow with the square."""
SPREAD: dict[str, Scalar] = {"ecmp.mode": "adaptive"}
"""Entries do not say how equal-cost paths are used; what is drawn must not bind, so they are used evenly."""
LEAF, SPINE = "measured-leaf", "measured-spine"


def design_of(hardware: Hardware, settings: Mapping[str, Scalar]) -> Project:
    """A project with one design ``main`` of that hardware."""
    h = hardware
    medium = "ib" if h.fabric == "infiniband" else "eth"
    parts = parts_of(h, medium)
    if h.servers == 1:
        items: dict[str, Item] = {"node": Item("sheet:node")}
        links: dict[str, Link] = {}
    else:
        units = 1 if h.servers <= ONE_TIER else math.ceil(h.servers / UNIT)
        per_unit = h.servers if units == 1 else UNIT
        places = units * per_unit
        gone = {f"{h.servers}-{places - 1}" if places - h.servers > 1 else f"{h.servers}": Override(absent=True)}
        absent = Table(gone) if places > h.servers else Table[Override]()
        items = {
            "node": Item("sheet:node", (("su", units), ("node", per_unit)), except_=absent),
            "leaf": Item(LEAF, (("su", units), ("rail", h.nics)) if units > 1 else ()),
        }
        down, uplinks = (per_unit, per_unit) if units > 1 else (per_unit * h.nics, 0)
        wire = Wire("deal", ("su", "rail") if units > 1 else ())
        links = {"down": Link("node:compute", f"leaf:1-{down}", wire, medium)}
        parts[LEAF] = _switch(medium, down + uplinks, h.nic_gbps)
        if units > 1:
            items["spine"] = Item(SPINE, (("spine", uplinks),))
            parts[SPINE] = _switch(medium, units * h.nics, h.nic_gbps)
            ends = f"leaf:{down + 1}-{down + uplinks}", f"spine:1-{units * h.nics}"
            links["up"] = Link(*ends, Wire("mesh"), medium)
    fabric = Sheet("fabric", items=Table(items), links=Table(links))
    sheets = Table({"fabric": fabric, "node": Sheet("server", chassis=CHASSIS)})
    design = Design(ranks=("node",), sheets=sheets, settings=Table({**SPREAD, **settings}))
    return Project("measured", designs=Table({"main": design}), parts=Table(parts))


def compiled(hardware: Hardware, settings: Mapping[str, Scalar]) -> Cluster:
    """The same, compiled, with exactly the GPUs that take part as ranks."""
    h = hardware
    if h.gpus > MOST_GPUS or h.gpus * max(h.nics, 1) > MOST_GPUS * MOST_GPUS:
        raise UserError(
            msg(
                "{gpus} GPUs and {nics} NICs in one server or NVLink domain are too many; at most {most} each.",
                gpus=h.gpus,
                nics=h.nics,
                most=MOST_GPUS,
            )
        )
    ranks = None
    if h.last_gpus < h.gpus:
        full = [f"node[{s}]" for s in range(h.servers - 1)] if h.servers > 1 else []
        last = f"node[{h.servers - 1}]" if h.servers > 1 else "node"
        ranks = full + [f"{last}/gpu{n}" for n in range(h.last_gpus)]
    return compile_cluster(design_of(h, settings), "main", ranks=ranks)


def _switch(medium: str, ports: int, gbps: float) -> Part:
    names = {str(n): Port(medium, gbps=gbps, media=(medium,)) for n in range(1, ports + 1)}
    return Part("switch", ports=Table(names), figures=Table({"latency_ns": Figure(SWITCH_ASIC_LATENCY_S * 1e9)}))
