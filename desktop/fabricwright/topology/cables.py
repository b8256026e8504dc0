"""Physical cables: rows of a bundle that run in one cable, the part of each cable and its orderable length.

A splitter serves consecutive ports of one cage at its common end; a straight cable between twin cages carries every row
of both; a fibre carries one row, a split one those of a cage. A cable is named after the first of its rows:
``link#first``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import EffSheet, effective, part_of
from fabricwright.design.values import Design, Link, Project
from fabricwright.topology.cable_choice import CableShelf, Offer, shelf_of
from fabricwright.topology.cable_fit import PortCage, plug_fits
from fabricwright.topology.model import F64, I32, Bundle
from fabricwright.topology.seating import Places, all_lengths, bundle_lengths, orderable_all
from fabricwright.topology.wiring import product
from fabricwright.units.record import record

I64 = NDArray[np.int64]
SMALL = 64  # rows of a bundle that may share its cables with bundles that are alike


@record
class BundleCables:
    """The cables of one link row.

    ``cable`` cable number of each row of the bundle, -1 for rows that are not cabled. Per cable: ``first``
    row, ``rows`` how
    many, ``part`` index into ``parts`` (-1 = no single cable does: optics and fibre, or a longer one),
    ``length_m`` as ordered
    (0 = not known), ``run_m`` as laid. ``trunk`` "a" or "b": the end with the common plug of a splitter, ""
    for straight ones.
    ``a_cages``/``b_cages`` cage of each port name of the bundle.
    """

    link: str
    cable: I32
    first: I32
    rows: I32
    parts: tuple[str, ...]
    part: I32
    length_m: F64
    run_m: F64
    trunk: str
    a_cages: tuple[PortCage, ...]
    b_cages: tuple[PortCage, ...]

    @property
    def count(self) -> int:
        """Number of cables."""
        return len(self.first)

    def counted(self) -> dict[tuple[str, float], int]:
        """(part id or "", ordered length) -> number of cables."""
        out: dict[tuple[str, float], int] = {}
        pairs, counts = np.unique(np.stack((self.part.astype(np.float64), self.length_m)), axis=1, return_counts=True)
        for (part, length), n in zip(pairs.T, counts, strict=True):
            out[self.parts[int(part)] if part >= 0 else "", float(length)] = int(n)
        return out


@record
class CableEnd:
    """One end: device address, rack address ("" not seated), unit, cage, ports (joined by "," when a plug
    serves several).
    """

    device: str
    rack: str
    u: int
    cage: str
    port: str


@record
class PhysicalCable:
    """One cable for a schedule: two ends, or 1 + k for a splitter (the common end first)."""

    id: str
    link: str
    part: str
    length_m: float
    ends: tuple[CableEnd, ...]
    rows: int


def bundle_cables(
    project: Project, design: Design, eff: EffSheet, bundle: Bundle, places: Mapping[str, Places]
) -> BundleCables:
    """Group the living rows of a bundle into cables and choose parts and lengths.

    The link's own cable part counts when it names one ("auto" chooses the cheapest that fits, per cable by its length).
    """
    run_m = bundle_lengths(places, bundle, eff.links[bundle.link].length_m)
    return _cables(project, design, eff, bundle, run_m, shelf_of(project))


def _cables(
    project: Project, design: Design, eff: EffSheet, bundle: Bundle, run_m: F64, shelf: CableShelf
) -> BundleCables:
    """``bundle_cables`` with the length of every row. Short bundles that are alike are worked out once."""
    link = eff.links[bundle.link]
    a = shelf.cages(project, design, eff.items[bundle.a_item], bundle.a_ports)
    b = shelf.cages(project, design, eff.items[bundle.b_item], bundle.b_ports)
    named = part_of(project, link.cable) or (catalogue().get(link.cable) if link.cable in catalogue() else None)
    whole = _whole_modules(project, link)
    if len(bundle.rows) > SMALL:
        return _found(shelf, link, bundle, run_m, a.cages, b.cages, named, whole)
    rows = (bundle.rows.tobytes(), bundle.alive.tobytes(), run_m.tobytes())
    key = (a.shape, b.shape, *rows, link.cable, id(named), link.speed, whole)
    known = shelf.alike.get(key)
    if not isinstance(known, _Alike):
        found = _found(shelf, link, bundle, run_m, a.cages, b.cages, named, whole)
        shelf.keep_alike(key, _Alike(named, found))
        return found
    like = known.cables
    chosen = (like.cable, like.first, like.rows, like.parts, like.part, like.length_m, like.run_m, like.trunk)
    return BundleCables(bundle.link, *chosen, a.cages, b.cages)


@record
class _Alike:
    """What bundles of a kind have; ``named`` is kept so that its id stays its own."""

    named: Part | None
    cables: BundleCables


def _found(
    shelf: CableShelf,
    link: Link,
    bundle: Bundle,
    run_m: F64,
    a: tuple[PortCage, ...],
    b: tuple[PortCage, ...],
    named: Part | None,
    whole: bool,
) -> BundleCables:
    live = np.flatnonzero(bundle.alive)
    run, rows = run_m[live], bundle.rows[live]
    keys_a, keys_b = _cage_keys(rows, a, 0), _cage_keys(rows, b, 2)
    trunk, order, group, parted = _grouped(rows, keys_a, keys_b, a, b, named, whole)
    numbers = np.full(len(bundle.rows), -1, dtype=np.int32)
    n = int(group.max()) + 1 if len(group) else 0
    numbers[live[order]] = group
    first = np.full(n, len(bundle.rows), dtype=np.int32)
    np.minimum.at(first, group, live[order].astype(np.int32))
    longest = np.zeros(n)
    np.maximum.at(longest, group, run[order])
    by_first = np.argsort(first, kind="stable")  # numbered by their first rows, whatever the cages are called
    place = np.empty(n, dtype=np.int32)
    place[by_first] = np.arange(n, dtype=np.int32)
    numbers[numbers >= 0] = place[numbers[numbers >= 0]]
    first, longest = first[by_first], longest[by_first]
    count = np.bincount(numbers[numbers >= 0], minlength=n).astype(np.int32)
    if named is not None:
        offer = Offer({link.cable: named}, (link.cable,), (0.0,))
        part = np.zeros(n, dtype=np.int32)
    else:
        offer = _NOTHING if parted else _legal(shelf, a, b, trunk, int(count.max()) if n else 1, link.speed)
        part = offer.cheapest(longest)
    length = np.zeros(n)
    for index in np.unique(part):
        mine = part == index
        length[mine] = orderable_all(offer.table[offer.parts[index]] if index >= 0 else None, longest[mine])
    return BundleCables(bundle.link, numbers, first, count, offer.parts, part, length, longest, trunk, a, b)


_NOTHING = Offer({}, (), ())


def _cage_keys(rows: I32, cages: Sequence[PortCage], column: int) -> I64:
    """A number per (instance, cage) of each row's end."""
    names = {cage: n for n, cage in enumerate(dict.fromkeys(c.cage for c in cages))}
    index = np.array([names[c.cage] for c in cages], dtype=np.int64)
    return rows[:, column].astype(np.int64) * max(len(names), 1) + index[rows[:, column + 1]]


def _whole_modules(project: Project, link: Link) -> bool:
    """Whether both transceivers have one connector for all ports of their cage (DR8): one fibre cable then carries
    every row that two cages share."""
    if not all(link.optics[:2]):
        return False
    optics = [part_of(project, optic) for optic in link.optics[:2] if optic]
    return len(optics) == 2 and all(o is not None and o.get("ports_per_module") == 1 for o in optics)


def _grouped(
    rows: I32, keys_a: I64, keys_b: I64, a: Sequence[PortCage], b: Sequence[PortCage], named: Part | None, whole: bool
) -> tuple[str, I64, I64, bool]:
    """(trunk end, row order, cable number of each row in that order, whether twin cages part so that only
    fibres do).
    """
    n = len(rows)
    every = np.arange(n, dtype=np.int64)
    if n == 0:
        return "", every, every, False
    if named is not None and named.kind == "fibre" and named.get("branches", 1) <= 1:
        if not whole or len(np.unique(keys_a)) == n or not _same_partition(keys_a, keys_b):
            return "", every, every, False
        pair = np.unique(keys_a, return_inverse=True)[1].reshape(-1).astype(np.int64)
        return ("", *_chunks(pair, rows[:, 1], n), False)
    shared_a, shared_b = len(np.unique(keys_a)) < n, len(np.unique(keys_b)) < n
    branches = int(named.get("branches", 1)) if named is not None else 0
    if branches != 1 and (shared_a or shared_b):
        trunk = _trunk(shared_a, shared_b, a, b, named)
        key, other = (keys_a, keys_b) if trunk == "a" else (keys_b, keys_a)
        port = rows[:, 1] if trunk == "a" else rows[:, 3]
        if branches or not _same_partition(key, other):
            if not branches and len(np.unique(other)) < n:
                return "", every, every, True
            most = branches or int(np.bincount(np.unique(key, return_inverse=True)[1]).max())
            return (trunk, *_chunks(key, port, most), False)
    if shared_a and shared_b and (branches == 1 or _same_partition(keys_a, keys_b)):
        rate = max((c.gbps for c in a), default=0.0)
        total = named.get("total_gbps") if named is not None else 0.0
        most = max(1, int(total // rate)) if total and rate else n
        pair = np.unique(np.stack((keys_a, keys_b), axis=1), axis=0, return_inverse=True)[1].reshape(-1)
        return ("", *_chunks(pair.astype(np.int64), rows[:, 1], most), False)
    return "", every, every, False


def _trunk(shared_a: bool, shared_b: bool, a: Sequence[PortCage], b: Sequence[PortCage], named: Part | None) -> str:
    """The end that takes the common plug: where several rows share a cage, and the plug fits."""
    if shared_a and shared_b and named is not None:
        return "b" if plug_fits(named, "a", b[0].type if b else "") else "a"
    return "b" if shared_b else "a"


def _same_partition(x: I64, y: I64) -> bool:
    """Whether two keys group the rows alike."""
    (kinds_x, place_x), (kinds_y, place_y) = (np.unique(key, return_inverse=True) for key in (x, y))
    pairs = len(
        np.unique(place_x.astype(np.int64) * len(kinds_y) + place_y)
    )  # one number a pair: sorts ten times faster
    return pairs == len(kinds_x) == len(kinds_y)


def _chunks(key: I64, port: I32, most: int) -> tuple[I64, I64]:
    """Rows ordered by (key, port), at most ``most`` of one key in a group."""
    order = np.lexsort((port, key)).astype(np.int64)
    ordered = key[order]
    starts = np.concatenate(([True], ordered[1:] != ordered[:-1]))
    at = np.flatnonzero(starts)
    place = np.arange(len(order)) - np.repeat(at, np.diff(np.concatenate((at, [len(order)]))))
    return order, np.cumsum(starts | (place % most == 0)) - 1


def _legal(
    shelf: CableShelf, a: Sequence[PortCage], b: Sequence[PortCage], trunk: str, per: int, speed: float | None
) -> Offer:
    """Cables that fit the cages, apart from their reach; cheapest first."""
    near, far = (b, a) if trunk == "b" else (a, b)
    rates = [c.gbps for c in (*a, *b) if c.gbps]
    gbps = min(rates, default=0.0) if speed is None else min([speed / 1e9, *rates])
    return shelf.offer(near[0].type if near else "", far[0].type if far else "", bool(trunk), per, gbps)


def cable_rows(
    project: Project, design: Design, bundle: Bundle, cables: BundleCables, places: Mapping[str, Places]
) -> Iterator[PhysicalCable]:
    """The cables of a bundle one by one, in order of their first rows, for schedules and labels."""
    eff = effective(project, design, design.root)
    order = np.flatnonzero(cables.cable >= 0)
    order = order[np.argsort(cables.cable[order], kind="stable")]
    bounds = np.searchsorted(cables.cable[order], np.arange(cables.count + 1))
    for n in range(cables.count):
        rows = bundle.rows[order[bounds[n] : bounds[n + 1]]]
        ends_a = _ends(eff, bundle.a_item, bundle.a_ports, cables.a_cages, rows[:, :2], places)
        ends_b = _ends(eff, bundle.b_item, bundle.b_ports, cables.b_cages, rows[:, 2:], places)
        part = cables.parts[cables.part[n]] if cables.part[n] >= 0 else ""
        ends = (*ends_b, *ends_a) if cables.trunk == "b" else (*ends_a, *ends_b)
        yield PhysicalCable(
            f"{cables.link}#{cables.first[n]}", cables.link, part, float(cables.length_m[n]), ends, len(rows)
        )


def _ends(
    eff: EffSheet,
    item: str,
    ports: tuple[str, ...],
    cages: tuple[PortCage, ...],
    rows: I32,
    places: Mapping[str, Places],
) -> list[CableEnd]:
    """One end per (instance, cage) among the rows, its ports joined."""
    plugged: dict[tuple[int, str], list[str]] = {}
    for member, port in rows.tolist():
        plugged.setdefault((member, cages[port].cage), []).append(ports[port])
    count = product(eff.items[item].axes)
    place = places.get(item)
    out = []
    for (member, cage), names in plugged.items():
        rack, u = "", 0
        if place is not None and place.rack[member] >= 0:
            rack = f"{place.racks}[{place.rack[member]}]" if product(eff.items[place.racks].axes) > 1 else place.racks
            u = int(place.u[member])
        out.append(CableEnd(f"{item}[{member}]" if count > 1 else item, rack, u, cage, ",".join(names)))
    return out


def all_cables(
    project: Project, design: Design, bundles: Mapping[str, Bundle], places: Mapping[str, Places]
) -> dict[str, BundleCables]:
    """Cables of every link row of the root sheet, link id -> cables. Rows between racks and slots are not the
    fabric's.
    """
    eff = effective(project, design, design.root)
    mine = {i: b for i, b in bundles.items() if i in eff.links and b.a_item in eff.items and b.b_item in eff.items}
    shelf = shelf_of(project)
    run_m = all_lengths(places, list(mine.values()), [eff.links[i].length_m for i in mine])
    out, first = {}, 0
    for i, bundle in mine.items():
        last = first + len(bundle.rows)
        out[i] = _cables(project, design, eff, bundle, run_m[first:last], shelf)
        first = last
    return out
