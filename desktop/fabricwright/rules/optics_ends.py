"""What sits at the two ends of a link: cages, plugs, transceivers and fibre, and what their names say of the light."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.address import Address, Step
from fabricwright.design.effective import EffItem, effective
from fabricwright.design.values import Link, Project
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_view import Side, sides
from fabricwright.topology.cable_fit import plug_fits, port_cages
from fabricwright.topology.model import Bundle
from fabricwright.topology.optic_fit import (
    LANE_GBPS,
    classes,
    connectors,
    families,
    fibre_of,
    optic_fits,
    optical_lane_gbps,
    same_light,
    talks,
)
from fabricwright.units.record import record

__all__ = [
    "LANE_GBPS",
    "LinkEnd",
    "LinkEnds",
    "Serving",
    "Socket",
    "at_link",
    "classes",
    "connectors",
    "families",
    "fibre_of",
    "link_ends",
    "optic_fits",
    "optical_lane_gbps",
    "same_light",
    "serving",
    "talks",
]


@record
class Socket:
    """A kind of cage at one end: ``type`` ("" not known), ``ports`` that it is split into, line rate of each, an
    example port.
    """

    type: str
    ports: int
    gbps: float
    port: str


@record
class LinkEnd:
    """One end of a link row: the item, its sockets, the transceiver that is named for it."""

    side: Side
    row: EffItem | None
    sockets: tuple[Socket, ...]
    optic: Part | None


@record
class LinkEnds:
    """A link row with both ends; ``cable`` the named cable or fibre, None for "auto"."""

    id: str
    link: Link
    bundle: Bundle
    a: LinkEnd
    b: LinkEnd
    cable: Part | None

    @property
    def both(self) -> tuple[LinkEnd, LinkEnd]:
        """Both ends."""
        return self.a, self.b

    @property
    def gbps(self) -> float:
        """Line rate of the link: what both ends and the link row allow; 0 when not known."""
        rates = [s.gbps for end in self.both for s in end.sockets if s.gbps]
        if self.link.speed:
            rates.append(self.link.speed / 1e9)
        return min(rates, default=0.0)


def link_ends(context: RuleContext) -> list[LinkEnds]:
    """Every wired link of the root sheet."""
    found = context.shared("link_ends")
    if not isinstance(found, list):
        found = list(_link_ends(context))
        context.share("link_ends", found)
    return found


def _link_ends(context: RuleContext) -> Iterator[LinkEnds]:
    for link_id, bundle in context.bundles().items():
        link = context.root.links.get(link_id)
        if link is None or not len(bundle.rows) or bundle.medium not in ("eth", "ib", "mgmt"):
            continue
        named = context.project.parts.get(link.cable)
        optics = [context.project.parts.get(o) if o else None for o in link.optics[:2]]
        if named is not None and named.kind == "optic":  # a module named where a cable is asked for: one at each end
            optics, named = [named, named], None
        ends = [
            LinkEnd(side, context.root.items.get(side.item), tuple(_sockets(context, side)), optic)
            for side, optic in zip(sides(bundle), [*optics, None, None], strict=False)
        ]
        yield LinkEnds(link_id, link, bundle, ends[0], ends[1], named)


def _sockets(context: RuleContext, side: Side) -> Iterator[Socket]:
    """Kinds of cages behind the ports that an end names. Each kind once."""
    row = context.root.items.get(side.item)
    if row is None:
        return
    counts = _ports_per_cage(context, row)
    seen: set[tuple[str, int, float]] = set()
    for name, cage in zip(side.ports, port_cages(context.project, context.design, row, side.ports), strict=True):
        kind = (cage.type, counts.get(cage.cage, 1), cage.gbps)
        if kind not in seen:
            seen.add(kind)
            yield Socket(*kind, name)


def _ports_per_cage(context: RuleContext, row: EffItem) -> dict[str, int]:
    """How many ports each cage of an item serves now, by the names that ``port_cages`` gives cages."""
    counts: dict[str, int] = {}
    if not row.of.startswith("sheet:"):
        for port in row.ports.values():
            if port.cage:
                counts[port.cage] = counts.get(port.cage, 0) + 1
        return counts
    inner = effective(context.project, context.design, row.of[6:])
    if inner.chassis_part is not None:
        counts.update({name: len(cage.ports) or 1 for name, cage in inner.chassis_part.cages.items()})
    for item_id, item in inner.items.items():
        for port in item.ports.values():
            if port.cage and port.role == "net":
                key = f"{item_id}:{port.cage}"
                counts[key] = counts.get(key, 0) + 1
    return counts


def at_link(name: str) -> Address:
    """Address of a link row or item of the root sheet."""
    return Address((Step(name),))


# -- what fits ---------------------------------------------------------------------------------------------------------


@record
class Serving:
    """What the catalogue has for two cages: longest reach in metres, inf when some part states none; 0 nothing fits."""

    reach_m: float
    part: str


def serving(project: Project, cage_a: str, cage_b: str) -> Serving:
    """The farthest-reaching cable, or pair of transceivers with fibre, whose plugs go into both cages. Rates and
    splits are left aside.
    """
    best = Serving(0.0, "")
    cables, optics = _orderable(project, "cable"), _orderable(project, "optic")
    for part in cables:
        ways = ((cage_a, cage_b), (cage_b, cage_a))
        if any(plug_fits(part, "a", x) and plug_fits(part, "b", y) for x, y in ways):
            best = max(best, Serving(part.get("max_m") or float("inf"), part.model or part.name()), key=_reach)
    near, far = ([o for o in optics if optic_fits(o, cage)] for cage in (cage_a, cage_b))
    for one in near:
        for two in far:
            if same_light(one, two):
                reach = min(one.get("max_m") or float("inf"), two.get("max_m") or float("inf"))
                best = max(best, Serving(reach, one.model or one.name()), key=_reach)
    return best


def _reach(found: Serving) -> float:
    return found.reach_m


def _orderable(project: Project, kind: str) -> list[Part]:
    store = catalogue()
    parts = {i: store.get(i) for i in store.kinds().get(kind, ())}
    parts.update({i: p for i, p in project.parts.items() if p.kind == kind})
    return list(parts.values())
