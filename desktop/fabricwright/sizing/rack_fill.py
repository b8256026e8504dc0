"""What goes into one rack: members added up in units, watts and kilograms, held against the limits of a rack type."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fabricwright.units.errors import UserError
from fabricwright.units.text import msg


@dataclass(frozen=True, slots=True)
class RackGroup:
    """Equal things to be seated: ``count`` members of ``item``, each ``height_u`` rack units, ``power_w`` watts at most
    and ``weight_kg`` (0 = not known, counts for nothing).

    ``role`` server, leaf, spine (cores too) or service (storage, management). ``blocks`` scalable units that the
    members belong to in equal runs. ``space_u`` units it takes with boxes of its own beside it (0 = ``height_u``): they
    count against the rack, seats are stacked by ``height_u``.
    """

    item: str
    count: int
    role: str = "server"
    height_u: int = 1
    power_w: float = 0.0
    weight_kg: float = 0.0
    blocks: int = 1
    space_u: int = 0

    @property
    def takes_u(self) -> int:
        """Units one member takes of a rack."""
        return max(self.height_u, self.space_u)


@dataclass(frozen=True, slots=True)
class RackType:
    """A rack part and its limits; 0 = no limit stated. ``power_w`` is what cooling and one feed carry, the smaller of
    the two: when feed A fails, feed B carries everything, so ``feeds`` does not multiply it.
    """

    part: str
    units: int = 48
    power_w: float = 0.0
    weight_kg: float = 0.0
    feeds: int = 2
    pitch_m: float = 0.6


@dataclass(frozen=True, slots=True)
class Fill:
    """A sum of things in one rack."""

    units: int = 0
    power_w: float = 0.0
    weight_kg: float = 0.0

    def plus(self, group: RackGroup, count: int) -> Fill:
        """With ``count`` more members of a group."""
        return Fill(
            self.units + count * group.takes_u,
            self.power_w + count * group.power_w,
            self.weight_kg + count * group.weight_kg,
        )

    def most(self, other: Fill) -> Fill:
        """The larger of each quantity."""
        return Fill(
            max(self.units, other.units), max(self.power_w, other.power_w), max(self.weight_kg, other.weight_kg)
        )

    def broken(self, rack: RackType) -> str:
        """Which limit of a rack this is over: "height", "power", "weight", or "" when it fits."""
        if self.units > rack.units:
            return "height"
        if rack.power_w and self.power_w > rack.power_w + 1e-6:
            return "power"
        if rack.weight_kg and self.weight_kg > rack.weight_kg + 1e-6:
            return "weight"
        return ""

    @staticmethod
    def of(parts: Iterable[tuple[RackGroup, int]]) -> Fill:
        """Sum of (group, members)."""
        return fill(parts)


def fill(parts: Iterable[tuple[RackGroup, int]]) -> Fill:
    """Sum of (group, members)."""
    out = Fill()
    for group, count in parts:
        out = out.plus(group, count)
    return out


def servers_per_rack(group: RackGroup, rack: RackType, reserve: Fill, most: int) -> tuple[int, str]:
    """(how many members of ``group`` go into one rack beside ``reserve``, what limits it: "height", "power", "weight"
    or "style"). ``most`` 0 = as many as fit. Raises UserError when not even one goes in.
    """
    room = [("height", (rack.units - reserve.units) // max(1, group.takes_u))]
    if rack.power_w and group.power_w:
        room.append(("power", int((rack.power_w - reserve.power_w + 1e-6) // group.power_w)))
    if rack.weight_kg and group.weight_kg:
        room.append(("weight", int((rack.weight_kg - reserve.weight_kg + 1e-6) // group.weight_kg)))
    why, n = min(room, key=lambda r: r[1])
    if n < 1:
        raise _does_not_fit(group, rack, reserve, why)
    return (most, "style") if most and most < n else (n, why)


def _does_not_fit(group: RackGroup, rack: RackType, reserve: Fill, why: str) -> UserError:
    if why == "height":
        return UserError(
            msg(
                "One of '{item}' is {need} U high; a rack {part} has {room} U for it.",
                item=group.item,
                need=group.takes_u,
                part=rack.part,
                room=max(0, rack.units - reserve.units),
            )
        )
    if why == "power":
        return UserError(
            msg(
                "One of '{item}' draws {need} kW; a rack {part} has {room} kW for it.",
                item=group.item,
                need=group.power_w / 1e3,
                part=rack.part,
                room=max(0.0, rack.power_w - reserve.power_w) / 1e3,
            )
        )
    return UserError(
        msg(
            "One of '{item}' weighs {need} kg; a rack {part} carries {room} kg of it.",
            item=group.item,
            need=group.weight_kg,
            part=rack.part,
            room=max(0.0, rack.weight_kg - reserve.weight_kg),
        )
    )
