"""Counting what has to be ordered for a design, divided into groups.

A server part (``kind`` server) is one line: what it ships with is inside. A bare chassis brings its CPUs and memory
modules as lines of their own. Cables are counted per physical cable and ordered length, transceivers per cage, PDUs as
the racks state them unless they are drawn, power cords per supply where the inlet is stated. What is needed but was
not chosen is counted apart ("open").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import EffItem, EffSheet, effective, part_of
from fabricwright.design.options.option import NO_PART
from fabricwright.design.values import ConfigValue, Design, Project
from fabricwright.exchange.bom_groups import Groups
from fabricwright.rules.context import chassis_config, split_members
from fabricwright.topology.cables import BundleCables, all_cables
from fabricwright.topology.fabric import wire_all
from fabricwright.topology.model import F64, I32, Bundle
from fabricwright.topology.seating import places_of
from fabricwright.topology.shared_cables import SharedCables, shared_cables
from fabricwright.topology.wiring import absent_members, product

FEW = 16
FITTED = "fitted."
AUTO = "auto"
CORDS = {"C20": "cord-c19-c20", "C14": "cord-c13-c14"}
"""Inlet of a supply -> the cord that goes into it (IEC 60320: a C19 plug mates a C20 inlet, C13 a C14)."""
NO_MODULE = frozenset(("", "RJ45", "MPO"))
"""Cages into which no transceiver goes, or that are not known."""


@dataclass(slots=True)
class Count:
    """(group, part, length) -> how many; ``open`` (group, kind, where) -> how many of what no part was chosen for."""

    parts: dict[tuple[int, str, float], int] = field(default_factory=dict)
    open: dict[tuple[int, str, str], int] = field(default_factory=dict)

    def add(self, part: str, count: int, length_m: float = 0.0, group: int = 0) -> None:
        """Count a part; nothing without a name."""
        if part and count > 0:
            key = (group, part, round(length_m, 3))
            self.parts[key] = self.parts.get(key, 0) + count

    def leave_open(self, kind: str, where: str, count: int, group: int = 0) -> None:
        """Count something that no part was chosen for."""
        if count > 0:
            self.open[group, kind, where] = self.open.get((group, kind, where), 0) + count

    def take(self, other: Count, times: int, group: int) -> None:
        """Add another count so many times to a group."""
        for (_, part, length), n in other.parts.items():
            self.add(part, n * times, length, group)
        for (_, kind, where), n in other.open.items():
            self.leave_open(kind, where, n * times, group)


def count_parts(
    project: Project, design: Design, by: str = "part", bundles: Mapping[str, Bundle] | None = None
) -> tuple[Count, Groups]:
    """Count a design, divided ``by`` one of ``bom_groups.GROUPINGS``. ``bundles`` are link rows already wired."""
    eff = effective(project, design, design.root)
    count = Count()
    if eff.kind != "fabric":
        groups = Groups(design, eff, {}, by)
        group = groups.code({"rack": "none", "server": f"sheet:{design.root}", "phase": "1"}.get(by, ""))
        count.take(_server(project, design, design.root), 1, group)
        return count, groups
    places = places_of(project, design, eff)
    groups = Groups(design, eff, places, by)
    _fabric(project, design, eff, groups, count)
    wired = bundles if bundles is not None else wire_all(project, design, eff)
    cables = all_cables(project, design, wired, places)
    _cables(project, eff, wired, cables, groups, count)
    return count, groups


# -- devices ----------------------------------------------------------------------------------------------------------


def _fabric(project: Project, design: Design, eff: EffSheet, groups: Groups, count: Count) -> None:
    drawn_pdus = {item.of for item in eff.items.values() if item.kind == "pdu"}
    for item_id, item in eff.items.items():
        codes = groups.of(item_id)
        if item.of.startswith("sheet:"):
            row = design.sheets[design.root].items.get(item_id)
            for sheet, members in split_members(row).items() if row is not None else ():
                content = _server(project, design, sheet)
                chosen = np.zeros(len(codes), dtype=bool)
                for low, high in members.ranges:
                    chosen[low : high + 1] = True
                for group, number in _numbers(codes[chosen]):
                    count.take(content, number, group)
            continue
        one = Count()
        one.add(item.of, 1)
        _config(item.config, one)
        _cords(item.part, one)
        pdu = item.config.get("pdu")
        if isinstance(pdu, str) and pdu not in drawn_pdus:
            one.add(pdu, _number(item.config, "feeds", 1) * _number(item.config, "pdus_per_feed", 1))
        for group, number in _numbers(codes[~absent_members(design, eff, item_id, product(item.axes))]):
            count.take(one, number, group)


def _numbers(codes: np.ndarray) -> Iterator[tuple[int, int]]:
    if len(codes) == 1:
        yield int(codes[0]), 1
        return
    for group, number in zip(*np.unique(codes, return_counts=True), strict=True):
        yield int(group), int(number)


def _number(config: Mapping[str, ConfigValue], key: str, default: int) -> int:
    value = config.get(key)
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else default


def _config(config: Mapping[str, ConfigValue], count: Count, times: int = 1) -> None:
    """Parts that a row's config names: an auxiliary power cable, things fitted beside the slots."""
    aux = config.get("aux")
    if isinstance(aux, str) and aux != NO_PART:
        count.add(aux, times)
    for key in config:
        if key.startswith(FITTED):
            count.add(key[len(FITTED) :], times * _number(config, key, 0))


def _cords(part: Part | None, count: Count) -> None:
    """A cord per supply, where the inlet is stated; what is sold as a whole system brings its own."""
    if part is None or part.kind == "server":
        return
    words = part.word("feed").replace(",", " ").split()
    for inlet, cord in CORDS.items():
        if inlet in words:
            count.add(cord, int(part.get("psu_count")))


def _server(project: Project, design: Design, sheet: str) -> Count:
    """What one server of a sheet needs."""
    count = Count()
    eff = effective(project, design, sheet)
    part = eff.chassis_part
    count.add(eff.chassis, 1)
    extra = {str(k): v for k, v in chassis_config(design, sheet).items()}
    _config({k: v for k, v in extra.items() if isinstance(v, (str, int, float))}, count)
    _cords(part, count)
    bare = part is not None and part.kind != "server"
    if part is not None and bare:
        count.add(part.word("dimm_part"), int(part.get("dimm_count")))
    for item in eff.items.values():
        if "/" in item.id or item.of.startswith("sheet:"):
            continue
        if not item.locked:
            each = product(item.axes)
            count.add(item.of, each)
            _config(item.config, count, each)
            _small_parts(eff, item, sheet, each, count)
        elif bare and item.kind == "cpu":
            count.add(item.of, 1)
    for link_id, link in eff.links.items():
        if link.cable != AUTO:
            count.add(link.cable, 1, link.length_m or 0.0)
        else:
            count.leave_open("pcie-cable", f"{sheet}/{link_id}", 1)
    return count


def _small_parts(eff: EffSheet, item: EffItem, sheet: str, each: int, count: Count) -> None:
    """What a card needs besides itself and nobody chose: its power cable, a low-profile bracket."""
    part = item.part
    if part is None:
        return
    if part.word("aux_connector") and "aux" not in item.config:
        count.leave_open("aux-cable", f"{sheet}/{item.id}", each)
    slot = eff.slots.get(item.seat)
    if slot is not None and slot.kind == "cem" and slot.height == "LP" and part.word("form") == "cem":
        count.leave_open("bracket", f"{sheet}/{item.id}", each)


# -- cables -----------------------------------------------------------------------------------------------------------


def _cables(
    project: Project,
    eff: EffSheet,
    bundles: Mapping[str, Bundle],
    cables: Mapping[str, BundleCables],
    groups: Groups,
    count: Count,
) -> None:
    shared = shared_cables(project, eff, bundles, cables)
    sharing = {name for name, _ in (*shared.owner, *shared.length_m)}
    plugged: dict[str, set[tuple[str, int, str]]] = {}
    for link_id, row in cables.items():
        link, bundle = eff.links[link_id], bundles[link_id]
        _count_link(link_id, bundle, row, shared if link_id in sharing else None, groups, count)
        chosen = part_of(project, link.cable) or (catalogue().get(link.cable) if link.cable in catalogue() else None)
        optics = (*link.optics, None, None)[:2]
        for side, optic in enumerate(optics):
            if optic:
                plugged.setdefault(optic, set()).update(_cages(bundle, row, side))
            elif chosen is not None and chosen.kind == "fibre":
                for item, member, _ in _cages(bundle, row, side, modules=True):
                    count.leave_open("optic", link_id, 1, int(groups.of(item)[member]))
    for optic, cages in plugged.items():
        for item, member, _ in cages:
            count.add(optic, 1, 0.0, int(groups.of(item)[member]))


def _count_link(
    link_id: str, bundle: Bundle, row: BundleCables, shared: SharedCables | None, groups: Groups, count: Count
) -> None:
    first = bundle.rows[row.first]
    near, far = groups.of(bundle.a_item)[first[:, 0]], groups.of(bundle.b_item)[first[:, 2]]
    lengths, own = row.length_m, None
    if shared is not None:
        own = shared.own(link_id, row.count)
        lengths = row.length_m.copy()
        for (name, n), length in shared.length_m.items():
            if name == link_id:
                lengths[n] = length
    for part, length, a, b, number in _alike(row.part, lengths, near, far, own):
        group = groups.joined(a, b)
        if part >= 0:
            count.add(row.parts[part], number, length, group)
        else:
            count.leave_open("cable", link_id, number, group)


def _alike(
    part: I32, length_m: F64, a: I32, b: I32, own: NDArray[np.bool_] | None
) -> Iterator[tuple[int, float, int, int, int]]:
    """(part, length, group of a, group of b, how many) in order, of cables ``own`` (None = all)."""
    columns = (part, length_m, a, b) if own is None else (part[own], length_m[own], a[own], b[own])
    if len(columns[0]) == 1:
        kind, length, near, far = (column.item() for column in columns)
        yield int(kind), float(length), int(near), int(far), 1
        return
    if len(columns[0]) <= FEW:  # most links of a drawing without groups: numpy takes longer to start than this
        few = Counter(zip(*(column.tolist() for column in columns), strict=True))
        for row in sorted(few):
            yield (*row, few[row])
        return
    found, numbers = np.unique(np.stack([c.astype(np.float64) for c in columns]), axis=1, return_counts=True)
    for (kind, length, near, far), number in zip(found.T.tolist(), numbers.tolist(), strict=True):
        yield int(kind), length, int(near), int(far), number


def _cages(bundle: Bundle, cables: BundleCables, side: int, *, modules: bool = False) -> set[tuple[str, int, str]]:
    """(item, member, cage) of one side's live rows: one transceiver each. ``modules``: only cages known to take one."""
    item = (bundle.a_item, bundle.b_item)[side]
    cages = (cables.a_cages, cables.b_cages)[side]
    names = (bundle.a_ports, bundle.b_ports)[side]
    ends = np.unique(bundle.rows[bundle.alive][:, 2 * side : 2 * side + 2], axis=0)
    return {
        (item, member, cages[port].cage or names[port])
        for member, port in ends.tolist()
        if port >= 0 and not (modules and cages[port].type in NO_MODULE)
    }
