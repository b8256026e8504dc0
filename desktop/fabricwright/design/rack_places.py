"""Who stands where in the racks of one rack item, member by member: what an edit and a drag ask. Plain Python; arrays
over a whole design are ``fabricwright.topology.seating``."""

from __future__ import annotations

from fabricwright.design.effective import part_of
from fabricwright.design.indexset import IndexSet
from fabricwright.design.naming import member_name
from fabricwright.design.rack_height import height_units
from fabricwright.design.values import Item, Project, Seating
from fabricwright.units.text import Message, msg

DEFAULT_UNITS = 48
"""Rack units where neither the drawing nor the part says."""


def member_places(seat: Seating, row: Item, height: int) -> list[tuple[int, int]]:
    """(rack, lowest unit) of each member: by rule, then the exceptions."""
    per = max(1, seat.per_rack)
    out = [(seat.first + seat.stride * (i // per), seat.u + (i % per) * height) for i in range(row.count)]
    for key, place in seat.except_.items():
        for i in IndexSet.parse(key, row.axes).clip(row.count):
            out[i] = (place.rack, place.u)
    return out


class RackRoom:
    """Occupied units of the racks of one rack item on a fabric sheet."""

    def __init__(self, project: Project, design: str, sheet: str, racks: str) -> None:
        self._owner = owner = project.designs[design].sheets[sheet]
        self._racks = owner.items[racks]
        self.racks = racks
        part = part_of(project, self._racks.of or "")
        own = self._racks.config.get("u")
        units = own if isinstance(own, (int, float)) and not isinstance(own, bool) and own > 0 else 0
        self.units = int(units or (part.get("u", DEFAULT_UNITS) if part is not None else DEFAULT_UNITS))
        self._gone = _absent(self._racks)
        self._taken: dict[tuple[int, int], tuple[str, int]] = {}
        for item, seat in owner.seats.items():
            row = owner.items.get(item)
            if seat.racks != racks or row is None:
                continue
            height = height_units(project, project.designs[design], row.of or "")
            missing = _absent(row)
            for member, (rack, u) in enumerate(member_places(seat, row, height)):
                if member not in missing:
                    self._taken.update({(rack, unit): (item, member) for unit in range(u, u + height)})

    def objection(self, rack: int, u: int, height: int, but: tuple[str, int] | None = None) -> Message | None:
        """Why something of ``height`` units cannot stand at ``u`` of a rack; None when it can. ``but`` = (item, member)
        that moves away."""
        if not 0 <= rack < self._racks.count or rack in self._gone:
            return msg("There is no rack {rack} in '{racks}'.", rack=rack, racks=self.racks)
        if u < 1 or u + height - 1 > self.units:
            return msg(
                "{height} U from unit {u} end at unit {top}; the rack has {units} U.",
                height=height,
                u=u,
                top=u + height - 1,
                units=self.units,
            )
        for unit in range(u, u + height):
            there = self._taken.get((rack, unit))
            if there is not None and there != but:
                return msg("{name} stands in unit {unit} of this rack.", name=self._name(there), unit=unit)
        return None

    def move(self, who: tuple[str, int], rack: int, u: int, height: int) -> None:
        """(item, member) stands there now."""
        self._taken = {place: there for place, there in self._taken.items() if there != who}
        self._taken.update({(rack, unit): who for unit in range(u, u + height)})

    def _name(self, there: tuple[str, int]) -> str:
        item, member = there
        row = self._owner.items[item]
        fallback = f"{item}[{member}]" if row.count > 1 else item
        return member_name(row.name, row.axes, member, fallback) if row.name else fallback


def _absent(row: Item) -> IndexSet:
    gone = IndexSet()
    for key, override in row.except_.items():
        if override.absent:
            gone = gone.union(IndexSet.parse(key, row.axes))
    return gone
