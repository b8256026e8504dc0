"""When no network does: which requirement fails, and the nearest that works, with numbers."""

from __future__ import annotations

from collections.abc import Sequence

from fabricwright.catalog.ports import parse_split
from fabricwright.catalog.store import catalogue
from fabricwright.sizing.cabling import can_join
from fabricwright.sizing.clos import Clos, Load, Radix, one_tier, three_tiers, two_tiers, units_of
from fabricwright.sizing.offer import Offer
from fabricwright.sizing.requirement import Requirement
from fabricwright.sizing.switch_use import carries, splits_of, use_of
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg


def nothing_works(wanted: Requirement, ways: Sequence[Offer]) -> UserError:
    """The reason in one sentence. ``ways``: port modes that were tried."""
    offer = ways[0]
    media = sorted({m for o in ways for m in o.media})
    if wanted.medium and wanted.medium not in media:
        return UserError(
            msg(
                "{nic} does not speak '{medium}' in this port mode; it speaks {media}.",
                nic=offer.nic,
                medium=wanted.medium,
                media=media,
            )
        )
    if wanted.ufm_links and ("ib" not in media or wanted.medium == "eth"):
        return UserError(
            msg(
                "{count} UFM links are asked for, and UFM manages InfiniBand; this network is Ethernet. The nearest "
                "that works is without UFM links.",
                count=wanted.ufm_links,
            )
        )
    rates = sorted({o.gbps for o in ways}, reverse=True)
    leaf = wanted.leaf or (wanted.switches[0] if wanted.switches else "")
    tried = [leaf] if leaf else []
    if leaf and not any(carries(leaf, m, r) for m in media for r in rates):
        return _wrong_leaf(leaf, offer, media, rates)
    if leaf and not any(
        can_join(o.cage, o.per_cage, splits_of(leaf, m)[1], _down(leaf, m, o), o.gbps)
        for m in media
        for o in ways
        if carries(leaf, m, o.gbps)
    ):
        return UserError(
            msg(
                "Nothing in the catalogue joins the {cage} cages of {nic} to switch '{leaf}' at {rate} Gb/s. The "
                "nearest that works is another leaf.",
                cage=offer.cage,
                nic=offer.nic,
                leaf=leaf,
                rate=offer.gbps,
            )
        )
    for upper in (wanted.spine, wanted.core):
        if upper and leaf and not _meets(leaf, upper, media):
            return UserError(
                msg(
                    "Switch '{upper}' has no ports of the rate of the uplinks of '{leaf}' ({rates} Gb/s). The nearest "
                    "that works is '{leaf}' itself.",
                    upper=upper,
                    leaf=leaf,
                    rates=_rates(leaf, media),
                )
            )
    for upper in (wanted.spine, wanted.core):
        if (
            upper
            and not leaf
            and not any(
                _meets(i, upper, [m])
                for i in catalogue().kinds()["switch"]
                for m in media
                for r in rates
                if carries(i, m, r) and max(_rates(upper, [m]), default=0.0) + 0.5 >= r
            )
        ):
            return UserError(
                msg(
                    "Switch '{upper}' has no ports as fast as the uplinks of any leaf for {rate} Gb/s ports; its ports "
                    "run at {rates} Gb/s. The nearest that works is to let the spine be chosen.",
                    upper=upper,
                    rate=rates[0],
                    rates=_rates(upper, ["eth", "ib"]),
                )
            )
    if wanted.redundancy and offer.rails * offer.planes <= wanted.redundancy:
        return UserError(
            msg(
                "A server has ports on {count} leafs only (rails x planes), so it survives {nearest} failures, not "
                "{wanted}. The nearest that works is a redundancy of {nearest}, or more NICs.",
                count=offer.rails * offer.planes,
                nearest=offer.rails * offer.planes - 1,
                wanted=wanted.redundancy,
            )
        )
    if wanted.rails == "yes" and offer.rails < 2:
        return UserError(
            msg(
                "A server with {count} port per plane has no rails; rails need 2 at least. The nearest that works is "
                "without rails.",
                count=offer.ports_per_plane,
            )
        )
    return _too_large(wanted, ways, media, tried)


def _down(leaf: str, medium: str, offer: Offer) -> int:
    split = parse_split(carries(leaf, medium, offer.gbps))
    return split[0] if split is not None else 1


def _wrong_leaf(leaf: str, offer: Offer, media: list[str], rates: list[float]) -> UserError:
    fitting = [
        i for i in catalogue().kinds().get("switch", ()) if any(carries(i, m, r) for m in media for r in rates[:1])
    ]
    return UserError(
        msg(
            "Switch '{leaf}' has no {media} ports of {rates} Gb/s, which {nic} needs; such have {near}.",
            leaf=leaf,
            media=[{"eth": "Ethernet", "ib": "InfiniBand"}[m] for m in media],
            rates=rates,
            nic=offer.nic,
            near=fitting[:6],
        )
    )


def _all_rates() -> set[float]:
    """Rates of all network ports of all switches."""
    return {r for i in catalogue().kinds()["switch"] for r in _rates(i, ["eth", "ib"])}


def _rates(leaf: str, media: list[str]) -> list[float]:
    out = {p[1] for m in media for s in splits_of(leaf, m)[2] if (p := parse_split(s)) is not None}
    return sorted(out, reverse=True)


def _meets(leaf: str, upper: str, media: list[str]) -> bool:
    return any(carries(upper, m, p[1]) for m in media for s in splits_of(leaf, m)[2] if (p := parse_split(s)))


def _too_large(wanted: Requirement, ways: Sequence[Offer], media: list[str], tried: list[str]) -> UserError:
    """So many servers do not fit this many tiers: the largest number that does, over all port modes."""
    tiers = wanted.tiers or 3
    media = [wanted.medium] if wanted.medium else media
    best, name = 0, tried[0] if tried else ""
    gpus = ways[0].gpus
    for offer in ways:
        for part_id in tried or wanted.switches or catalogue().kinds().get("switch", ()):
            for medium in media:
                down = carries(part_id, medium, offer.gbps)
                if not down or medium not in offer.media:
                    continue
                kind = splits_of(part_id, medium)[1]
                ports = parse_split(down)
                if ports is None or not can_join(offer.cage, offer.per_cage, kind, ports[0], offer.gbps):
                    continue
                for up in dict.fromkeys((splits_of(part_id, medium)[2][0], down)):
                    radix = use_of(part_id, medium, down, up).radix
                    above = _above(wanted, medium, radix)
                    most = _largest(wanted, offer, radix, above, tiers)
                    if most > best:
                        best, name, gpus = most, part_id, offer.gpus
    if not best:
        rates = _all_rates()
        if ways[0].gbps not in rates and not tried:
            return UserError(
                msg(
                    "No switch of the catalogue has ports of {rate} Gb/s for '{nic}'. The nearest that works is a NIC "
                    "of {nearest} Gb/s.",
                    rate=ways[0].gbps,
                    nic=ways[0].nic,
                    nearest=min(rates, key=lambda r: (abs(r - ways[0].gbps), -r)),
                )
            )
        return UserError(
            msg(
                "No switch joins even one server with {ports} ports of {gbps} Gb/s in {tiers} tiers at an "
                "oversubscription of {ratio}.",
                ports=len(ways[0].ports),
                gbps=ways[0].gbps,
                tiers=tiers,
                ratio=wanted.ratio(1),
            )
        )
    count = wanted.servers or -(-wanted.gpus // max(1, gpus))
    return UserError(
        msg(
            "{servers} servers do not fit {tiers} tier(s) of '{leaf}' at an oversubscription of {ratio}; the most that "
            "work are {most} servers ({gpus} GPUs).",
            servers=count,
            tiers=tiers,
            leaf=name,
            ratio=wanted.ratio(1),
            most=best,
            gpus=best * gpus,
        )
        if best < count
        else msg(
            "{servers} servers with {ufm} fabric manager links do not fit {tiers} tiers of '{leaf}'; the nearest that "
            "works has no such links or another tier.",
            servers=count,
            ufm=wanted.ufm_links,
            tiers=tiers,
            leaf=name,
        )
    )


def _above(wanted: Requirement, medium: str, leaf: Radix) -> Radix:
    """The spine's radix: the named one's, else the leaf's own with all ports as its uplinks."""
    if wanted.spine:
        split = carries(wanted.spine, medium, leaf.up_gbps)
        if split:
            return use_of(wanted.spine, medium, split, split).radix
    return Radix(leaf.cages, leaf.up, leaf.up_gbps, leaf.up, leaf.up_gbps)


def _largest(wanted: Requirement, offer: Offer, leaf: Radix, above: Radix, tiers: int) -> int:
    """Most servers that so many tiers join, by bisection."""
    rails = wanted.rails != "no" and offer.rails > 1

    def works(servers: int) -> Clos | None:
        one = Load(servers, offer.rails, offer.per_rail, 0)
        load = one if rails else Load(servers, 1, offer.ports_per_plane, 0)
        if tiers == 1:
            return one_tier(one, leaf)
        if not units_of(load, leaf, wanted.ratio(1))[0]:
            return None
        least = max(2, wanted.redundancy + 1)
        if tiers == 2:
            return two_tiers(load, leaf, above, wanted.ratio(1), least)
        return three_tiers(load, leaf, above, above, (wanted.ratio(1), wanted.ratio(2)), least)

    low, high = 0, 1
    while high <= 1 << 23 and works(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if works(middle) else (low, middle)
    return low
