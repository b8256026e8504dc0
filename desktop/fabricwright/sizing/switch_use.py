"""A switch type in one role: which of its cages count, how they are split towards servers and towards the next tier."""

from __future__ import annotations

from dataclasses import dataclass

from fabricwright.catalog.ports import parse_split
from fabricwright.catalog.store import catalogue
from fabricwright.sizing.clos import Radix

SLOW_CAGES = ("RJ45", "SFP+", "SFP28", "SFP56")


@dataclass(frozen=True, slots=True)
class SwitchUse:
    """``cages`` names of the alike network cages in order; ``down`` and ``up`` their splits ("2x400")."""

    part: str
    cages: tuple[str, ...]
    cage: str
    default: str
    down: str
    up: str
    height_u: int
    power_w: float
    power_known: bool

    @property
    def radix(self) -> Radix:
        """What the arithmetic needs."""
        down, up = parse_split(self.down), parse_split(self.up)
        assert down is not None and up is not None
        return Radix(len(self.cages), down[0], down[1], up[0], up[1])

    def ports_down(self, count: int, first: int = 0) -> str:
        """Port range of ``count`` cages from the first on, split towards servers ("1-16/1-2")."""
        return _range(self.cages[first : first + count], self.radix.down)

    def ports_up(self, count: int) -> str:
        """Port range of the last ``count`` cages, split towards the next tier."""
        return _range(self.cages[len(self.cages) - count :], self.radix.up)


def _range(cages: tuple[str, ...], split: int) -> str:
    if not cages:
        return ""
    text = cages[0] if len(cages) == 1 else f"{cages[0]}-{cages[-1]}"
    return text if split == 1 else f"{text}/1-{split}"


def splits_of(part_id: str, medium: str) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """(cage names, cage type, splits with the native one first) of the switch's network cages that carry ``medium``;
    empty where there are none.
    """
    part = catalogue().get(part_id)
    groups: dict[tuple[str, str], list[str]] = {}
    for name in part.cages.ordered():
        cage = part.cages[name]
        if cage.type in SLOW_CAGES or medium not in (cage.medium, *cage.media) or not parse_split(cage.default):
            continue
        groups.setdefault((cage.type, cage.default), []).append(name)
    if not groups:
        return (), "", ()
    (kind, default), names = max(groups.items(), key=lambda row: len(row[1]))
    cage = part.cages[names[0]]
    native = parse_split(default)
    total = native[0] * native[1] if native else 0.0
    whole = [s for s in cage.breakouts if (p := parse_split(s)) is not None and p[0] * p[1] <= total * 1.001]
    plain = [s for s in whole if not cage.plugs or not any(p.startswith(f"{s}=") for p in cage.plugs)]
    return tuple(names), kind, (default, *plain)


def use_of(part_id: str, medium: str, down: str, up: str) -> SwitchUse:
    """The switch with these splits. The caller takes them from ``splits_of``."""
    part = catalogue().get(part_id)
    names, kind, splits = splits_of(part_id, medium)
    return SwitchUse(
        part_id, names, kind, splits[0], down, up, int(part.get("height_u", 1)), part.get("power_w"),
        part.get("power_w") > 0,
    )


def carries(part_id: str, medium: str, gbps: float) -> str:
    """The split that gives the most ports of exactly this rate, "" when there is none."""
    _, _, splits = splits_of(part_id, medium)
    fitting = [(p[0], s) for s in splits if (p := parse_split(s)) is not None and abs(p[1] - gbps) < 0.5]
    return max(fitting, key=lambda row: row[0])[1] if fitting else ""


def port_count(use: SwitchUse) -> int:
    """Ports when every cage is split the finer way, to be held against what the chip can address."""
    return len(use.cages) * max(use.radix.down, use.radix.up)


def addressable(use: SwitchUse) -> bool:
    """Whether the chip can address that many ports."""
    most = catalogue().get(use.part).get("max_logical_ports")
    return not most or port_count(use) <= most
