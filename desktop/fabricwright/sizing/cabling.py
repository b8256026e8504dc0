"""The cable of each link of a drawn sheet: a cable that is chosen by reach, or a pair of transceivers with fibre.

Ethernet links take ready cables (DAC, AEC, AOC) while one reaches; InfiniBand links between twin-port cages take
transceivers and one fibre per link, as the reference designs count them. The longest run decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.templates.drafting import embed
from fabricwright.design.values import Design, Link, Project
from fabricwright.topology.cable_fit import PortCage, cable_fits, port_cages
from fabricwright.topology.cables import BundleCables, bundle_cables
from fabricwright.topology.fabric import wire_one
from fabricwright.topology.model import Bundle
from fabricwright.topology.optic_fit import connectors, fibre_of, optic_fits, optical_lane_gbps, same_light
from fabricwright.topology.seating import Places, bundle_lengths, places_of
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg


@dataclass(frozen=True, slots=True)
class Cabled:
    """A project whose links have their cables. ``cables`` physical cables by link id, ``longest_m`` runs."""

    project: Project
    cables: dict[str, int]
    longest_m: dict[str, float]


@dataclass(frozen=True, slots=True)
class _End:
    """One end of a link: cage type, ports of the cage, their rate, whether they are of one device (a switch, a NIC):
    only then may a module with one connector serve them all.
    """

    cage: str
    ports: int
    gbps: float
    whole: bool


def cable_up(project: Project, design_id: str, most_m: float = 0.0) -> Cabled:
    """Choose cables for every link of the root sheet that is still "auto". ``most_m`` longest that is allowed, 0 = what
    parts reach. Raises UserError with the length that is needed and the reach that there is.
    """
    design = project.designs[design_id]
    eff = effective(project, design, design.root)
    places = places_of(project, design, eff)
    rows: dict[str, Link] = {}
    counts: dict[str, int] = {}
    longest: dict[str, float] = {}
    for link_id, link in eff.links.items():
        bundle = wire_one(project, design, eff, link_id)
        run = bundle_lengths(places, bundle, link.length_m)[bundle.alive]
        longest[link_id] = float(run.max()) if len(run) else 0.0
        if most_m and longest[link_id] > most_m + 1e-9:
            raise UserError(
                msg(
                    "Link '{link}' needs cables of {need} m; the longest allowed is {most} m. The nearest that works "
                    "is {need} m, or racks closer together.",
                    link=link_id,
                    need=round(longest[link_id] + 0.05, 1),
                    most=most_m,
                )
            )
        rows[link_id], counts[link_id] = _cable(project, design, eff, bundle, places, link, longest[link_id])
    sheet = design.sheets[design.root]
    sheet = replace(sheet, links=Table({**sheet.links, **rows}))
    design = replace(design, sheets=design.sheets.put(design.root, sheet))
    return Cabled(embed(replace(project, designs=project.designs.put(design_id, design))), counts, longest)


def _cable(
    project: Project,
    design: Design,
    eff: EffSheet,
    bundle: Bundle,
    places: dict[str, Places],
    link: Link,
    longest_m: float,
) -> tuple[Link, int]:
    a = port_cages(project, design, eff.items[bundle.a_item], bundle.a_ports)
    b = port_cages(project, design, eff.items[bundle.b_item], bundle.b_ports)
    known = any(c.type for c in a) and any(c.type for c in b)
    found = bundle_cables(project, design, eff, bundle, places)
    ready = not known or (len(found.part) > 0 and bool((found.part >= 0).all()))
    if link.cable != "auto":
        # A cable that is named but does not reach is chosen anew.
        if catalogue().get(link.cable).get("max_m", 1e9) + 1e-9 >= longest_m:
            return link, found.count
        return _cable(project, design, eff, bundle, places, replace(link, cable="auto"), longest_m)
    if ready and not _as_published(bundle, a, b):
        return link, found.count
    ends = (
        _end(a, bundle.a_ports, eff.items[bundle.a_item], project, design),
        _end(b, bundle.b_ports, eff.items[bundle.b_item], project, design),
    )
    pairs = _shared_pairs(bundle, a, b)
    for fibre, one, two in _light(*ends, pairs, bundle.medium == "ib", longest_m):
        chosen = replace(link, cable=fibre, optics=(one, two))
        held = _holding(project, design, bundle.link, chosen)
        there = held.designs[_id_of(project, design)]
        counted = bundle_cables(held, there, effective(held, there, design.root), bundle, places)
        return chosen, counted.count
    if ready:
        return link, found.count
    raise _no_cable(bundle.link, ends, longest_m, found)


def _id_of(project: Project, design: Design) -> str:
    return next(i for i, row in project.designs.items() if row is design)


def _with_link(design: Design, link_id: str, link: Link) -> Design:
    sheet = design.sheets[design.root]
    return replace(design, sheets=design.sheets.put(design.root, replace(sheet, links=sheet.links.put(link_id, link))))


def _holding(project: Project, design: Design, link_id: str, link: Link) -> Project:
    """The project with this link row and the parts that it names."""
    store = catalogue()
    parts = {**project.parts}
    for name in (link.cable, *link.optics):
        if name:
            parts = {**store.copies(name), **parts}
    here = _id_of(project, design)
    return replace(project, parts=Table(parts), designs=project.designs.put(here, _with_link(design, link_id, link)))


def _as_published(bundle: Bundle, a: list[PortCage], b: list[PortCage]) -> bool:
    """InfiniBand between twin OSFP cages: one fibre a link, whatever a twin copper cable could carry."""
    return bundle.medium == "ib" and all(c.type.startswith("OSFP") for c in (*a, *b))


def _end(cages: list[PortCage], ports: tuple[str, ...], item: EffItem, project: Project, design: Design) -> _End:
    """All ports of a cage count, cabled on this link or not: a module serves the whole cage."""
    counts: dict[str, int] = {}
    if item.of.startswith("sheet:"):
        part = effective(project, design, item.of[6:]).chassis_part
        if part is not None:
            counts = {name: len(cage.ports) for name, cage in part.cages.items()}
    else:
        for port in item.ports.values():
            counts[port.cage] = counts.get(port.cage, 0) + 1
    here = max(sum(1 for c in cages if c.cage == one.cage) for one in cages)
    owners = {p.partition(":")[0] for p, c in zip(ports, cages, strict=True) if c.cage == cages[0].cage}
    return _End(
        cages[0].type, max(here, counts.get(cages[0].cage, 1)), cages[0].gbps, ":" not in ports[0] or len(owners) < 2
    )


@lru_cache(maxsize=1024)
def can_join(cage_a: str, ports_a: int, cage_b: str, ports_b: int, gbps: float) -> bool:
    """Whether anything joins ports of these cages at all, however near they stand: a cable, or transceivers."""
    a, b = _End(cage_a, ports_a, gbps, True), _End(cage_b, ports_b, gbps, True)
    if any(_light_of(a, b, pairs, False, 1.0) for pairs in (True, False)):
        return True
    store = catalogue()
    for part_id in store.kinds()["cable"]:
        part = store.get(part_id)
        branches = int(part.get("branches", 1))
        for x, y, n in ((cage_a, cage_b, ports_a), (cage_b, cage_a, ports_b)):
            if branches in (1, n) and not cable_fits(part, x, y, 0.0, gbps) and (branches == n or ports_a == ports_b):
                return True
    return False


def _shared_pairs(bundle: Bundle, a: list[PortCage], b: list[PortCage]) -> bool:
    """Whether links that share a cage at one end share one at the other, too."""
    rows = bundle.rows[bundle.alive]
    if not len(rows):
        return False
    keys = []
    for cages, member, port in ((a, 0, 1), (b, 2, 3)):
        names = {c: n for n, c in enumerate(dict.fromkeys(x.cage for x in cages))}
        index = np.array([names[c.cage] for c in cages], dtype=np.int64)
        keys.append(rows[:, member].astype(np.int64) * len(names) + index[rows[:, port]])
    both = len(np.unique(keys[0] * (int(keys[1].max()) + 1) + keys[1]))
    return both == len(np.unique(keys[0])) == len(np.unique(keys[1])) < len(rows)


def _light(a: _End, b: _End, pairs: bool, apart: bool, longest_m: float) -> Iterator[tuple[str, str, str]]:
    """(fibre, optic at a, optic at b) that reach: the fewest cables first, or with ``apart`` a fibre for every link;
    then multimode and short reach.
    """
    return iter(_light_of(a, b, pairs, apart, float(np.ceil(longest_m))))


@lru_cache(maxsize=512)
def _light_of(a: _End, b: _End, pairs: bool, apart: bool, longest_m: float) -> list[tuple[str, str, str]]:
    store = catalogue()
    optics = {i: store.get(i) for i in store.kinds().get("optic", ()) if store.is_shipped(i)}
    fibres = {i: store.get(i) for i in store.kinds().get("fibre", ()) if store.is_shipped(i)}
    near = {i: o for i, o in optics.items() if optic_fits(o, a.cage) and _serves(o, a)}
    far = {i: o for i, o in optics.items() if optic_fits(o, b.cage) and _serves(o, b)}
    found = []
    for one, x in near.items():
        for two, y in far.items():
            if not (same_light(x, y) and fibre_of(x) == fibre_of(y) and optical_lane_gbps(x) & optical_lane_gbps(y)):
                continue
            reach = min(o.get("max_m") or 1e9 for o in (x, y))
            if reach + 1e-9 < longest_m:
                continue
            wanted = _branches(x, a, y, b, pairs)
            if wanted is None:
                continue
            together = any(o.get("ports_per_module", 1) < e.ports for o, e in ((x, a), (y, b)))
            for fibre, cable in fibres.items():
                if _joins(cable, x, y, wanted, longest_m):
                    odd = (a.cage == b.cage) != (one == two)
                    found.append(
                        (together == apart, fibre_of(x) != "MMF", odd, reach, x.get("power_w"), fibre, one, two)
                    )
    return [row[-3:] for row in sorted(found)]


def _serves(optic: Part, end: _End) -> bool:
    """A module carries all ports of its cage, in a split that it offers."""
    if optic.get("gbps") < end.gbps * end.ports * 0.999:
        return False
    figure = optic.figures.get("splits")
    listed = [str(v).split(" ")[0] for v in figure.value] if figure and isinstance(figure.value, tuple) else []
    return f"{end.ports}x{end.gbps:g}" in listed


def _branches(x: Part, a: _End, y: Part, b: _End, pairs: bool) -> int | None:
    """Branches of the fibre: 1 for a fibre a link (or one for all links of both cages), k for a splitter at the end
    whose module has one connector for k ports; None when that cannot be.
    """
    lone = [o.get("ports_per_module", 1) < e.ports for o, e in ((x, a), (y, b))]
    if (lone[0] and not a.whole) or (lone[1] and not b.whole):
        return None
    if lone == [False, False]:
        return 1
    if all(lone):
        return 1 if pairs and a.ports == b.ports else None
    return a.ports if lone[0] else b.ports


def _joins(cable: Part, x: Part, y: Part, branches: int, longest_m: float) -> bool:
    if int(cable.get("branches", 1)) != branches or cable.get("end_count_a", 1) != 1:
        return False
    if fibre_of(cable) != fibre_of(x) or cable.get("max_m") + 1e-9 < longest_m:
        return False
    ends = connectors(cable.word("end_a")), connectors(cable.word("end_b"))
    mine, other = connectors(x.word("connector")), connectors(y.word("connector"))
    return bool((ends[0] & mine and ends[1] & other) or (ends[1] & mine and ends[0] & other))


def _no_cable(link: str, ends: tuple[_End, _End], longest_m: float, found: BundleCables) -> UserError:
    a, b = ends
    reach = 0.0
    for step in (100, 70, 50, 40, 30, 20, 10, 5, 3, 2, 1):
        if any(_light_of(a, b, pairs, False, float(step)) for pairs in (True, False)):
            reach = float(step)
            break
    reach = max(reach, max((catalogue().get(p).get("max_m") for p in found.parts if p in catalogue()), default=0.0))
    if reach:
        return UserError(
            msg(
                "Link '{link}' needs cables of {need} m; the farthest between {a} and {b} cages reaches {reach} m. The "
                "nearest that works is a smaller network, or more kilowatts per rack.",
                link=link,
                need=round(longest_m, 1),
                a=a.cage,
                b=b.cage,
                reach=reach,
            )
        )
    return UserError(
        msg(
            "Link '{link}': nothing in the catalogue joins {n} x {rate} Gb/s of a {a} cage to {m} x {rate_b} Gb/s of a "
            "{b} cage.",
            link=link,
            n=a.ports,
            rate=a.gbps,
            a=a.cage,
            m=b.ports,
            rate_b=b.gbps,
            b=b.cage,
        )
    )
