"""Counts of a folded Clos network: leafs, spines, cores and cables from numbers alone, in one plane.

No object per endpoint: a network of half a million endpoints is a handful of integers.

Sources: the reference designs' counts (H100, B200, B300 SuperPOD tables) follow from two rules, which hardware.md,
section 9, states. A leaf gives half its ports to servers and half to spines (more down than up where
oversubscription is allowed); and uplinks spread evenly: the uplinks of a switch are a multiple of the switches above.
With R ports a switch: two tiers join R * R / 2 endpoints, three tiers R * R * R / 4.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Radix:
    """A switch type as one tier sees it. ``cages`` cages, split so that one gives ``down`` ports of ``down_gbps`` or
    ``up`` ports of ``up_gbps``.
    """

    cages: int
    down: int
    down_gbps: float
    up: int
    up_gbps: float

    def halves(self, ratio: float) -> tuple[int, int]:
        """(cages down, cages up) of a switch whose rate down is at most ``ratio`` times its rate up."""
        one_down, one_up = self.down * self.down_gbps, self.up * self.up_gbps
        down = int(self.cages * ratio * one_up / (one_down + ratio * one_up) + 1e-9)
        return down, self.cages - down

    def uplinks_for(self, downlinks: int, ratio: float) -> int:
        """Uplinks that ``downlinks`` need."""
        return max(1, ceil_div_f(downlinks * self.down_gbps, ratio * self.up_gbps))

    def room_up(self, downlinks: int) -> int:
        """Uplink ports in the cages that ``downlinks`` leave."""
        return (self.cages - ceil_div(downlinks, self.down)) * self.up


@dataclass(frozen=True, slots=True)
class Load:
    """Endpoints of one plane: ``servers``, each with ``rails`` x ``per_rail`` ports. ``rails`` > 1: rail k of all
    servers of a scalable unit ends on one leaf; 1: all ports of a server end on one leaf. ``extra`` further links on
    leaf ports (fabric managers).
    """

    servers: int
    rails: int
    per_rail: int
    extra: int = 0


@dataclass(frozen=True, slots=True)
class Clos:
    """One plane of a network. Counts are of the plane.

    ``unit`` servers of a scalable unit, ``units`` of them, ``unit_pods`` units in one pod (all without a core tier),
    ``pods``. ``leafs`` that are there; ``spines`` per pod; ``cores`` per spine group. ``uplinks`` of a leaf,
    ``per_spine`` to each spine; ``spine_up`` uplinks of a spine, ``per_core`` to each core.
    """

    tiers: int
    rails: int
    per_rail: int
    servers: int
    unit: int
    units: int
    pods: int
    unit_pods: int
    spines: int
    cores: int
    uplinks: int
    per_spine: int
    spine_up: int
    per_core: int

    @property
    def leafs(self) -> int:
        """Leafs of the plane."""
        return self.units * self.rails

    @property
    def spine_count(self) -> int:
        """Spines of the plane, 0 in one tier."""
        return self.pods * self.spines

    @property
    def core_count(self) -> int:
        """Cores of the plane, 0 without that tier."""
        return self.spines * self.cores if self.tiers == 3 else 0

    @property
    def switches(self) -> int:
        """All switches of the plane."""
        return self.leafs + self.spine_count + self.core_count

    @property
    def down_links(self) -> int:
        """Links between servers and leafs."""
        return self.servers * self.rails * self.per_rail

    @property
    def up_links(self) -> int:
        """Links between leafs and spines."""
        return self.leafs * self.uplinks if self.tiers > 1 else 0

    @property
    def core_links(self) -> int:
        """Links between spines and cores."""
        return self.spine_count * self.spine_up if self.tiers == 3 else 0


def one_tier(load: Load, leaf: Radix) -> Clos | None:
    """Everything on one switch."""
    ports = load.rails * load.per_rail
    if load.servers * ports + load.extra > leaf.cages * leaf.down:
        return None
    unit = max(load.servers, 1)
    return Clos(1, 1, ports, load.servers, unit, 1, 1, 1, 0, 0, 0, 0, 0, 0)


def units_of(load: Load, leaf: Radix, ratio: float) -> tuple[int, int]:
    """(servers of a full scalable unit, units); (0, 0) where a leaf does not take one server."""
    down, _ = leaf.halves(ratio)
    unit = down * leaf.down // load.per_rail
    if unit < 1:
        return 0, 0
    units = ceil_div(load.servers, unit)
    if (unit * units - load.servers) * load.per_rail * load.rails < load.extra:
        units += ceil_div(load.extra, unit * load.per_rail * load.rails)
    # Servers of a unit when they are shared out evenly, fabric managers taken for servers.
    each = load.rails * load.per_rail
    even = max(ceil_div(load.servers, units), ceil_div(load.servers * each + load.extra, units * each))
    # Rails fill one unit after the other, as scalable units are built; single leafs, and units that are oversubscribed
    # anyway, share servers out evenly and need fewer uplinks.
    return (unit if load.rails > 1 and ratio <= 1 and units > 1 else even), units


def two_tiers(load: Load, leaf: Radix, spine: Radix, ratio: float, least_spines: int) -> Clos | None:
    """Leaf and spine; None where the spines' ports do not reach."""
    unit, units = units_of(load, leaf, ratio)
    if not unit:
        return None
    leafs = units * load.rails
    spread = _spread(
        leafs,
        _wanted(load, leaf, ratio, unit, units),
        _room(load, leaf, unit, ratio, units),
        spine.cages * spine.up,
        least_spines,
    )
    if spread is None:
        return None
    spines, uplinks = spread
    return Clos(
        2, load.rails, load.per_rail, load.servers, unit, units, 1, units, spines, 0, uplinks, uplinks // spines, 0, 0
    )


def three_tiers(
    load: Load,
    leaf: Radix,
    spine: Radix,
    core: Radix,
    ratios: tuple[float, float],
    least_spines: int,
) -> Clos | None:
    """Pods of leafs and spines under cores; the fewest switches, then the fewest pods."""
    unit, units = units_of(load, leaf, ratios[0])
    if not unit or spine.cages < 2:
        return None
    wanted = _wanted(load, leaf, ratios[0], unit, units)
    room = _room(load, leaf, unit, ratios[0], units)
    down_cages, _ = spine.halves(ratios[1])
    core_ports = core.cages * core.down
    best: Clos | None = None
    most_units = min(units, max(1, down_cages * spine.down // load.rails))
    for in_pod in range(most_units, 0, -1):
        pods = ceil_div(units, in_pod)
        if ceil_div(units, pods) != in_pod or (pods == 1 and units > 1):
            continue
        spread = _spread(in_pod * load.rails, wanted, room, down_cages * spine.down, least_spines)
        if spread is None:
            continue
        spines, uplinks = spread
        per_spine = uplinks // spines
        need = spine.uplinks_for(in_pod * load.rails * per_spine, ratios[1])
        rest = spine.room_up(in_pod * load.rails * per_spine)
        if ratios[1] <= 1 and units > in_pod:
            need = max(need, min(rest, (spine.cages - down_cages) * spine.up))
        above = _spread(pods, need, rest, core_ports, 1)
        if above is None:
            continue
        cores, spine_up = above
        found = Clos(
            3,
            load.rails,
            load.per_rail,
            load.servers,
            unit,
            units,
            pods,
            in_pod,
            spines,
            cores,
            uplinks,
            per_spine,
            spine_up,
            spine_up // cores,
        )
        if best is None or (found.switches, found.pods) < (best.switches, best.pods):
            best = found
    return best


def _wanted(load: Load, leaf: Radix, ratio: float, unit: int, units: int) -> int:
    """Uplinks of a leaf: those of a full one, unless there is one unit only and it is not full."""
    down, up = leaf.halves(ratio)
    full = leaf.uplinks_for(down * leaf.down, ratio)
    if units > 1 and load.rails > 1 and ratio <= 1:
        return min(full, up * leaf.up)
    return (
        min(leaf.uplinks_for(unit * load.per_rail, ratio), up * leaf.up)
        if ratio <= 1
        else leaf.uplinks_for(unit * load.per_rail, ratio)
    )


def _room(load: Load, leaf: Radix, unit: int, ratio: float, units: int) -> int:
    return leaf.room_up(unit * load.per_rail)


def _spread(below: int, wanted: int, room: int, ports: int, least: int) -> tuple[int, int] | None:
    """(switches above, uplinks of each of ``below`` switches): the fewest switches above with ``ports`` ports each
    over which at least ``wanted``, at most ``room`` uplinks spread evenly.
    """
    if wanted > room or wanted < 1:
        return None
    first = max(least, ceil_div(below * wanted, ports))
    for above in range(first, room + 1):
        uplinks = ceil_div(wanted, above) * above
        if uplinks <= room and below * (uplinks // above) <= ports:
            return above, uplinks
    return None


def ceil_div(a: int, b: int) -> int:
    """a / b rounded up."""
    return -(-a // b)


def ceil_div_f(a: float, b: float) -> int:
    """a / b rounded up, a hair's breadth off a whole number being that number."""
    return int(-(-(a / b - 1e-9) // 1))
