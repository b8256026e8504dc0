"""A switch type in one role: which of its cages count, how they are split towards servers and towards the next tier."""

from __future__ import annotations

from dataclasses import dataclass

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import parse_split
from fabricwright.catalog.store import catalogue
from fabricwright.sizing.clos import Radix, ceil_div

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

    @property
    def radix(self) -> Radix:
        """What the arithmetic needs."""
        down, up = parse_split(self.down), parse_split(self.up)
        assert down is not None and up is not None
        return Radix(len(self.cages), down[0], down[1], up[0], up[1])

    def ports_down(self, ports: int) -> str:
        """Range of the first ``ports`` ports, split towards servers ("1-16/1-2"; "1-5/1-2,6/1" for eleven)."""
        return _range(self.cages, self.radix.down, ports)

    def ports_up(self, ports: int) -> str:
        """Range of ``ports`` ports in the last cages, split towards the next tier."""
        cages = ceil_div(ports, self.radix.up)
        return _range(self.cages[len(self.cages) - cages :], self.radix.up, ports)


def _range(cages: tuple[str, ...], split: int, ports: int) -> str:
    """Exactly so many ports: what a range has too many would count as planned and not cabled."""
    whole, rest = divmod(ports, split)
    pieces = []
    if whole:
        text = cages[0] if whole == 1 else f"{cages[0]}-{cages[whole - 1]}"
        pieces.append(text if split == 1 else f"{text}/1-{split}")
    if rest:
        pieces.append(f"{cages[whole]}/1" if rest == 1 else f"{cages[whole]}/1-{rest}")
    return ",".join(pieces)


def splits_of(part_id: str, medium: str) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """(cage names, cage type, splits with the native one first) of the switch's network cages that carry ``medium``;
    empty where there are none.
    """
    part = catalogue().get(part_id)
    known = _SPLITS.get((part_id, medium))
    if known is None or known[0] is not part:  # own parts may change while the program runs
        known = _SPLITS[part_id, medium] = part, _splits_of(part, medium)
    return known[1]


_SPLITS: dict[tuple[str, str], tuple[Part, tuple[tuple[str, ...], str, tuple[str, ...]]]] = {}


def _splits_of(part: Part, medium: str) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
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
        part_id,
        names,
        kind,
        splits[0],
        down,
        up,
        int(part.get("height_u", 1)),
        part.get("power_w"),
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
