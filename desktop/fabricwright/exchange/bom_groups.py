"""By what a bill of materials is divided: rack, kind of server, or phase of the build-out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from fabricwright.design.effective import EffSheet
from fabricwright.design.naming import member_name
from fabricwright.design.values import Design
from fabricwright.rules.context import split_members
from fabricwright.topology.model import I32
from fabricwright.topology.seating import Places
from fabricwright.topology.wiring import member_set, product
from fabricwright.units.natural import natural_key
from fabricwright.units.text import Message, msg

GROUPINGS = ("part", "rack", "server", "phase")
BETWEEN, NOWHERE, NETWORK, ROOM = "between", "none", "network", "room"
_FIXED = {
    BETWEEN: msg("Between racks"),
    NOWHERE: msg("In no rack"),
    NETWORK: msg("Network"),
    ROOM: msg("Racks and power"),
}
_ROOM_KINDS = ("rack", "pdu", "power-shelf", "feed", "cooling", "power-cord", "rack-set")


@dataclass(slots=True)
class Groups:
    """Labels of the members of each item as numbers into ``keys``. A phase is the config value ``phase`` of an item or
    of some of its members, 1 where none is stated."""

    design: Design
    eff: EffSheet
    places: Mapping[str, Places]
    by: str = "part"
    keys: list[str] = field(default_factory=list)
    _codes: dict[str, I32] = field(default_factory=dict)

    def of(self, item_id: str) -> I32:
        """The label of every member of an item."""
        found = self._codes.get(item_id)
        if found is None:
            found = self._codes[item_id] = self._find(item_id)
        return found

    def code(self, key: str) -> int:
        """Number of a label."""
        if key not in self.keys:
            self.keys.append(key)
        return self.keys.index(key)

    def joined(self, a: int, b: int) -> int:
        """Label of a cable between two labels: the later phase; between racks; the network's between servers."""
        if self.by == "phase":
            return max((a, b), key=lambda code: natural_key(self.keys[code]))
        if self.by == "server":
            return self.code(NETWORK)
        return a if a == b else self.code(BETWEEN)

    def title(self, code: int) -> Message:
        """What a label is called."""
        key = self.keys[code]
        if self.by == "phase":
            return msg("Phase {phase}", phase=key)
        if self.by == "server" and key.startswith("sheet:"):
            sheet = self.design.sheets.get(key[6:])
            return msg("{name}", name=(sheet.title if sheet is not None else "") or key[6:])
        return _FIXED.get(key) or msg("{name}", name=key)

    def _find(self, item_id: str) -> I32:
        item = self.eff.items[item_id]
        count = product(item.axes)
        if self.by == "rack":
            return self._racks(item_id, count)
        if self.by == "server":
            return self._servers(item_id, count)
        if self.by == "phase":
            return self._phases(item_id, count)
        return np.full(count, self.code(""), dtype=np.int32)

    def _racks(self, item_id: str, count: int) -> I32:
        item = self.eff.items[item_id]
        if item.kind == "rack":
            return np.array([self._rack(item_id, n) for n in range(count)], dtype=np.int32)
        place = self.places.get(item_id)
        if place is None:
            return np.full(count, self.code(NOWHERE), dtype=np.int32)
        kinds, where = np.unique(place.rack, return_inverse=True)
        codes = [self.code(NOWHERE) if rack < 0 else self._rack(place.racks, int(rack)) for rack in kinds]
        return np.array(codes, dtype=np.int32)[where.reshape(-1)]

    def _rack(self, racks: str, n: int) -> int:
        item = self.eff.items[racks]
        return self.code(member_name(item.name, item.axes, n, racks))

    def _servers(self, item_id: str, count: int) -> I32:
        item = self.eff.items[item_id]
        if not item.of.startswith("sheet:"):
            part = item.part
            room = part is not None and part.kind in _ROOM_KINDS
            server = part is not None and part.kind.endswith("server")
            key = item_id if server else ROOM if room else NETWORK
            return np.full(count, self.code(key), dtype=np.int32)
        out = np.full(count, self.code(item.of), dtype=np.int32)
        row = self.design.sheets[self.eff.id].items.get(item_id)
        for sheet, members in split_members(row).items() if row is not None else ():
            for low, high in members.ranges:
                out[low : high + 1] = self.code(f"sheet:{sheet}")
        return out

    def _phases(self, item_id: str, count: int) -> I32:
        item = self.eff.items[item_id]
        out = np.full(count, self.code(_phase(item.config.get("phase"))), dtype=np.int32)
        row = self.design.sheets[self.eff.id].items.get(item_id)
        for text, override in row.except_.items() if row is not None else ():
            if "phase" in override.config:
                for low, high in member_set(text, item.axes).ranges:
                    out[low : high + 1] = self.code(_phase(override.config["phase"]))
        return out


def _phase(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value)[:60] if isinstance(value, (int, str)) and str(value).strip() else "1"
