"""From a requirement to workable networks: every switch, split, tier count and port mode that does, best first.

``size(requirement)`` is the engine's front door. Nothing is drawn here; ``fabricwright.sizing.draw`` draws one choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fabricwright.catalog.ports import parse_split
from fabricwright.catalog.store import catalogue
from fabricwright.sizing.cabling import can_join
from fabricwright.sizing.clos import Clos, Load, one_tier
from fabricwright.sizing.growth import Growth, clos_of, growth, largest, prepared
from fabricwright.sizing.offer import Offer, offers
from fabricwright.sizing.refusal import nothing_works
from fabricwright.sizing.requirement import Requirement, checked
from fabricwright.sizing.switch_use import SwitchUse, addressable, carries, splits_of, use_of
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

PREFERRED = ("qm9700", "sn5600", "generic-64x400", "sn3700", "q3400-ra", "qm8700", "sn4700", "sn5400")
"""Of equals, the switch that the reference designs and the case study use."""

USUAL_MEDIUM = {"dgx-a100": "ib", "dgx-a100-8sxm": "ib", "hgx-a100-8sxm": "ib"}
"""Servers whose reference design runs the other protocol than the NIC part comes with: the eight HDR ports of DGX A100
are InfiniBand in NVIDIA's reference architecture (``fabric_validation`` of the catalogue)."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One workable compute network. ``clos`` is one plane of ``planes``; ``rails`` whether rail k of all servers of a
    unit shares a leaf; ``leaf``/``spine``/``core`` None where the tier does not exist. ``growth`` what reaching
    ``grow_to`` takes, None when it was not asked for. ``differs`` names what departs
    from the requirement ("oversubscription", "switch", "rails", "planes", "nic", "tiers"), () when it meets it.
    """

    requirement: Requirement
    offer: Offer
    medium: str
    rails: bool
    clos: Clos
    leaf: SwitchUse
    spine: SwitchUse | None
    core: SwitchUse | None
    growth: Growth | None = None
    differs: tuple[str, ...] = ()

    @property
    def planes(self) -> int:
        """Planes of the network."""
        return self.offer.planes

    @property
    def servers(self) -> int:
        """Servers in it."""
        return self.clos.servers

    @property
    def gpus(self) -> int:
        """GPUs of all servers."""
        return self.servers * self.offer.gpus

    @property
    def switches(self) -> int:
        """Switches of all planes and tiers."""
        return self.clos.switches * self.planes

    @property
    def links(self) -> dict[str, int]:
        """Logical links of each pair of tiers, all planes; fabric managers' among ``node_leaf``."""
        down = self.clos.down_links * self.planes + self.requirement.ufm_links
        out = {"node_leaf": down}
        if self.clos.tiers > 1:
            out["leaf_spine"] = self.clos.up_links * self.planes
        if self.clos.tiers > 2:
            out["spine_core"] = self.clos.core_links * self.planes
        return out


def servers_of(wanted: Requirement, gpus_each: int) -> int:
    """Servers that the requirement asks for."""
    return wanted.servers or -(-wanted.gpus // max(1, gpus_each))


def size(wanted: Requirement) -> list[Choice]:
    """Workable networks, those that meet the requirement best first. Raises UserError with the requirement that no
    part satisfies and the nearest that works, and for growth to fewer GPUs than today's; never gives an empty list.
    """
    wanted = checked(wanted)
    ways = offers(wanted)
    today = wanted.servers * ways[0].gpus or wanted.gpus  # servers alone count where both are stated
    if 0 < wanted.grow_to < today:
        raise UserError(
            msg(
                "Growth to {later} GPUs is less than the {today} GPUs of today; expected at least as many.",
                later=wanted.grow_to,
                today=today,
            )
        )
    found = [choice for offer in ways for choice in _of_offer(wanted, offer)]
    if not found:
        raise nothing_works(wanted, ways)
    return sorted(found, key=_rank)


def _rank(choice: Choice) -> tuple[object, ...]:
    """Full speed of the NICs, few tiers, rails as usual, their own protocol, few switches, well-described parts."""
    offer = choice.offer
    wants = choice.requirement.medium or USUAL_MEDIUM.get(offer.server, "") or own_medium(offer.nic)
    place = PREFERRED.index(choice.leaf.part) if choice.leaf.part in PREFERRED else len(PREFERRED)
    usual_rails = choice.rails or offer.rails < 2 or choice.clos.tiers == 1
    grows = choice.growth
    return (
        grows is not None and grows.later is None,
        grows is not None and grows.recabled > 0,
        -offer.gbps * len(offer.ports),
        choice.medium != wants,
        choice.leaf.part not in PREFERRED,
        choice.clos.tiers,
        not usual_rails,
        place,
        choice.switches,
        sum(choice.links.values()),
        choice.leaf.part,
        choice.spine.part if choice.spine else "",
    )


def own_medium(nic_id: str) -> str:
    """The protocol that a NIC speaks as it comes."""
    nic = catalogue().get(nic_id)
    mode = nic.modes.get(nic.default_mode)
    table = mode.ports if mode is not None else nic.ports
    return next((table[p].medium for p in table.ordered() if table[p].medium in ("eth", "ib")), "")


def _of_offer(wanted: Requirement, offer: Offer) -> Iterator[Choice]:
    for medium in sorted(offer.media):
        # Fabric managers manage InfiniBand.
        if wanted.medium in ("", medium) and (medium == "ib" or not wanted.ufm_links):
            for leaf in leafs_for(wanted, medium, offer):
                yield from _of_leaf(wanted, offer, medium, leaf)


def leaf_parts(wanted: Requirement) -> tuple[str, ...]:
    """Switches that may be leafs."""
    if wanted.leaf:
        return (wanted.leaf,)
    return wanted.switches or tuple(
        i for i in catalogue().kinds().get("switch", ()) if catalogue().get(i).word("role") != "oob"
    )


def leafs_for(wanted: Requirement, medium: str, offer: Offer) -> Iterator[SwitchUse]:
    """Every allowed leaf that has ports of the NIC's rate and can be cabled to it, with its native uplinks, and with
    uplinks of that rate.
    """
    gbps = offer.gbps
    for part_id in leaf_parts(wanted):
        down = carries(part_id, medium, gbps)
        if not down:
            continue
        _, _, splits = splits_of(part_id, medium)
        native = parse_split(splits[0])
        for up in dict.fromkeys((splits[0], down)):
            rate = parse_split(up)
            if native is None or rate is None or rate[1] + 0.5 < gbps:
                continue
            use = use_of(part_id, medium, down, up)
            radix = use.radix
            if addressable(use) and can_join(offer.cage, offer.per_cage, use.cage, radix.down, gbps):
                yield use


def _above(wanted: str, allowed: tuple[str, ...], below: SwitchUse, medium: str) -> Iterator[SwitchUse]:
    """Switches for the tier above: the named one, else the same part, whose ports run at the uplinks' rate."""
    rate = parse_split(below.up)
    assert rate is not None
    for part_id in (wanted,) if wanted else dict.fromkeys((below.part, *allowed)):
        split = carries(part_id, medium, rate[1])
        if split:
            use = use_of(part_id, medium, split, split)
            if addressable(use):
                yield use


def _of_leaf(wanted: Requirement, offer: Offer, medium: str, leaf: SwitchUse) -> Iterator[Choice]:
    servers = servers_of(wanted, offer.gpus)
    extra = -(-wanted.ufm_links // offer.planes)
    whole = Load(servers, offer.rails, offer.per_rail, extra)
    if wanted.tiers in (0, 1) and not wanted.spine and not _must_spread(wanted, offer):
        found = one_tier(whole, leaf.radix)
        if found is not None:
            one = Choice(wanted, offer, medium, False, found, leaf, None, None)
            yield replace(one, growth=_growth_of_one(one, whole))
            if wanted.tiers == 0 and not wanted.grow_to:
                return
    for rails in _rails(wanted, offer):
        load = whole if rails else Load(servers, 1, offer.ports_per_plane, extra)
        for spine in _above(wanted.spine, wanted.switches, leaf, medium):
            for core in _above(wanted.core, wanted.switches, spine, medium):
                ways = list(_of_tiers(Choice(wanted, offer, medium, rails, _NONE, leaf, spine, core), load))
                yield from ways
                if ways:
                    break


_NONE = Clos(0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0)


def _of_tiers(base: Choice, load: Load) -> Iterator[Choice]:
    """The network with the fewest tiers, and where growth is asked for the one that is ready for it first."""
    wanted = base.requirement
    assert base.spine is not None and base.core is not None
    radixes = base.leaf.radix, base.spine.radix, base.core.radix
    ratios = (wanted.ratio(1), wanted.ratio(2))
    least = max(2, wanted.redundancy + 1)
    now = clos_of(load, *radixes, ratios, least, wanted.tiers)
    if now is None:
        return
    later_servers = -(-wanted.grow_to // max(1, base.offer.gpus))
    if later_servers <= load.servers:
        yield _held(base, now)
        return
    later = clos_of(replace(load, servers=later_servers), *radixes, ratios, least)
    most = 0 if later is not None else largest(load, *radixes, ratios, least, 0)
    ready = prepared(later, load) if later is not None else None
    for clos in dict.fromkeys(c for c in (ready, now) if c is not None):
        if not wanted.tiers or clos.tiers == wanted.tiers:
            told = growth(clos, later, base.planes, most, base.offer.gpus)
            yield replace(_held(base, clos), growth=told)


def _held(base: Choice, clos: Clos) -> Choice:
    return replace(base, clos=clos, core=base.core if clos.tiers > 2 else None)


def _growth_of_one(choice: Choice, load: Load) -> Growth | None:
    wanted = choice.requirement
    later_servers = -(-wanted.grow_to // max(1, choice.offer.gpus))
    if later_servers <= load.servers:
        return None
    later = one_tier(replace(load, servers=later_servers), choice.leaf.radix)
    radix = choice.leaf.radix
    most = 0 if later else largest(load, radix, radix, radix, (1.0, 1.0), 2, 1)
    return growth(choice.clos, later, choice.planes, most, choice.offer.gpus)


def _must_spread(wanted: Requirement, offer: Offer) -> bool:
    """One switch for everything is a single point of failure, unless another plane stands in."""
    return wanted.redundancy >= offer.planes


def _rails(wanted: Requirement, offer: Offer) -> tuple[bool, ...]:
    able = offer.rails > 1
    spread = offer.rails * offer.planes > wanted.redundancy
    if wanted.rails == "yes" or (wanted.redundancy and offer.planes <= wanted.redundancy):
        return (True,) if able and spread else ()
    if wanted.rails == "no" or not able:
        return (False,)
    return (True, False)
