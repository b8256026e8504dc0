"""From today's network to a later one: what stays, what is added, what must be cabled anew, and what blocks it.

``prepared`` cuts today's network out of the later one: the same units, spines and cable counts per pair, so that
growing only adds. ``growth`` says what any network costs to grow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fabricwright.sizing.clos import Clos, Load, Radix, ceil_div, one_tier, three_tiers, two_tiers
from fabricwright.units.text import Message, msg


@dataclass(frozen=True, slots=True)
class Growth:
    """Growing from ``now`` to ``later`` (clos of one plane, None where it cannot be), with the same switches.

    ``stays``/``added`` switches and links by tier name over all planes; ``recabled`` links that exist today and end
    elsewhere later; ``blocked`` why it cannot be done or what it costs, None when growing only adds; ``most_servers``
    the largest network with these switches, 0 where it was not needed.
    """

    now: Clos
    later: Clos | None
    stays: dict[str, int]
    added: dict[str, int]
    recabled: int
    blocked: Message | None
    most_servers: int = 0

    def to_json(self) -> dict[str, object]:
        """Plain values."""
        return {
            "possible": self.later is not None,
            "stays": self.stays,
            "added": self.added,
            "recabled_links": self.recabled,
            "warning": self.blocked.english() if self.blocked is not None else None,
        }


def clos_of(
    load: Load, leaf: Radix, spine: Radix, core: Radix, ratios: tuple[float, float], least: int, tiers: int = 0
) -> Clos | None:
    """The network with the fewest tiers (2 or 3, or just ``tiers``) for a load."""
    if tiers in (0, 2):
        two = two_tiers(load, leaf, spine, ratios[0], least)
        if two is not None:
            return two
    return three_tiers(load, leaf, spine, core, ratios, least) if tiers in (0, 3) else None


def prepared(later: Clos, load: Load) -> Clos | None:
    """Today's part of the later network: whole units and pods of it. None where units would have to change."""
    units = ceil_div(load.servers, later.unit)
    if later.rails != load.rails or units > later.units:
        return None
    pods = ceil_div(units, later.unit_pods)
    if later.tiers == 3 and pods > 1:
        return replace(later, servers=load.servers, units=units, pods=pods)
    spine_up = 0
    return replace(
        later,
        tiers=2,
        servers=load.servers,
        units=units,
        pods=1,
        unit_pods=units,
        cores=0,
        spine_up=spine_up,
        per_core=0,
    )


def growth(now: Clos, later: Clos | None, planes: int, most_servers: int, gpus: int) -> Growth:
    """What growing from one network to the other takes. ``gpus`` of a server, for the text."""
    before = _counts(now, planes)
    if later is None:
        blocked = msg(
            "These switches join at most {servers} servers ({gpus} GPUs); growing further needs larger switches or one "
            "more tier, so choose them today.",
            servers=most_servers,
            gpus=most_servers * gpus,
        )
        return Growth(now, None, before, {}, 0, blocked, most_servers)
    after = _counts(later, planes)
    added = {name: after[name] - before.get(name, 0) for name in after}
    moved = _recabled(now, later) * planes
    why: Message | None = None
    if moved:
        why = msg(
            "Growing moves {moved} of the {links} links of today; a network cut from the later one would only add.",
            moved=moved,
            links=now.up_links * planes + now.core_links * planes + now.down_links * planes,
        )
    return Growth(now, later, before, added, moved, why, most_servers)


def _counts(clos: Clos, planes: int) -> dict[str, int]:
    return {
        "servers": clos.servers,
        "leaf": clos.leafs * planes,
        "spine": clos.spine_count * planes,
        "core": clos.core_count * planes,
        "node_leaf": clos.down_links * planes,
        "leaf_spine": clos.up_links * planes,
        "spine_core": clos.core_links * planes,
    }


def _recabled(now: Clos, later: Clos) -> int:
    """Links of one plane that end on another switch afterwards."""
    moved = 0
    if now.rails != later.rails or (now.tiers == 1 and later.tiers > 1):
        moved += now.down_links if now.tiers > 1 or later.rails > 1 else 0
    elif now.unit > later.unit:
        moved += now.down_links - min(now.units * later.unit, now.servers) * now.rails * now.per_rail
    if now.tiers > 1:
        kept = min(now.spines, later.spines) * min(now.per_spine, later.per_spine)
        moved += now.leafs * max(0, now.uplinks - kept)
    if now.tiers > 2 and later.tiers > 2:
        kept = min(now.cores, later.cores) * min(now.per_core, later.per_core)
        moved += now.spine_count * max(0, now.spine_up - kept)
    return moved


def largest(
    load: Load, leaf: Radix, spine: Radix, core: Radix, ratios: tuple[float, float], least: int, tiers: int
) -> int:
    """Most servers that these switches join."""

    def works(servers: int) -> bool:
        wanted = replace(load, servers=servers, extra=0)
        if tiers == 1:
            return one_tier(wanted, leaf) is not None
        return clos_of(wanted, leaf, spine, core, ratios, least, tiers) is not None

    low, high = 0, 1
    while high <= 1 << 23 and works(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if works(middle) else (low, middle)
    return low
