"""FAB: facts about the ways between servers: switches on the way, and how long it takes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.address import Address
from fabricwright.design.network_names import network_words
from fabricwright.design.options import stated
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric import at_item
from fabricwright.rules.fabric_cabling import cabling, downs, once, ups
from fabricwright.rules.fabric_joined import joined
from fabricwright.rules.fabric_view import F64, I64
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.topology.constants import FIBRE_S_PER_M, NIC_LATENCY_S
from fabricwright.units.record import record
from fabricwright.units.text import N_, Message, msg

FEC_S = 100e-9
"""One RS-FEC decoder at 100 to 400 Gb/s (engineering figures of the table ``link_latency``: 100, 120, 100 ns)."""
MESSAGE_BYTES = 256
"""A small message: what a latency figure is usually about. At 400 Gb/s it takes 5 ns to send."""


@record
class Ways:
    """Kinds of ways between the servers of a network, by the switches on them.

    ``items`` leaf items that serve servers; ``switches`` 1, 3 or 5, nearest first; ``seconds`` one way for each;
    ``known`` cable lengths are; ``fec`` decoders counted.
    """

    network: str
    items: tuple[str, ...]
    switches: tuple[int, ...]
    seconds: tuple[float, ...]
    known: bool
    fec: bool
    planes: int

    def at(self) -> tuple[Address, ...]:
        """The leafs, the first sixteen items of them."""
        return tuple(at_item(item) for item in self.items[:16])


def ways(context: RuleContext) -> list[Ways]:
    """Ways over every network that servers share."""
    return once(context, "ways", lambda: list(_ways(context)))


def _ways(context: RuleContext) -> Iterator[Ways]:
    fabric, seen, below = context.fabric(), cabling(context), downs(context)
    for code, network in enumerate(fabric.networks):
        rows = below.server & below.live & (below.network == code) & (seen.main[below.leaf] == code)
        if not rows.any():
            continue
        leaf, end = (below.leaf, below.end) if rows.all() else (below.leaf[rows], below.end[rows])
        leafs = np.flatnonzero(np.bincount(leaf, minlength=1))
        if len(np.flatnonzero(np.bincount(end, minlength=1))) < 2:
            continue
        near, all_of = joined(context, 2, network)[leafs], joined(context, 3, network)[leafs]
        switches = [1]
        if len(np.unique(near)) < len(leafs):
            switches.append(3)
        if len(np.unique(all_of)) < len(np.unique(near)):
            switches.append(5)
        items = tuple(dict.fromkeys(fabric.items[i] for i in seen.item[leafs]))
        fec = _fec(context, network)
        seconds, known = _seconds(context, leafs, code, float(below.gbps[rows].min()), switches, fec)
        yield Ways(network, items, tuple(switches), seconds, known, fec, len(np.unique(all_of)))


def _fec(context: RuleContext, network: str) -> bool:
    """Whether anybody stated forward error correction on links of the network."""
    return any(
        str(stated(link.config, f"fec.{end}") or "off") != "off"
        for link in context.root.links.values()
        if link.network == network
        for end in "ab"
    )


def _seconds(
    context: RuleContext, leafs: I64, code: int, gbps: float, switches: list[int], fec: bool
) -> tuple[tuple[float, ...], bool]:
    """One way per kind: both NICs, each switch, the mean cable of each level, error correction, and sending once."""
    fabric, seen = context.fabric(), cabling(context)
    main = (seen.main == code) & fabric.switch & ~fabric.absent
    tiers = [leafs, *(np.flatnonzero(main & (fabric.tier == tier)) for tier in (2, 3))]
    latency = [float(fabric.switch_latency_s[d].mean()) if len(d) else 0.0 for d in tiers]
    metres = [0.0, 0.0, 0.0]
    if fabric.length_m.any():
        above = ups(context)
        own = [seen.down & (seen.network == code)]
        own += [above.row[(above.network == code) & (above.tier == tier)] for tier in (1, 2)]
        metres = [_mean(fabric.length_m[rows]) for rows in own]
    send = MESSAGE_BYTES * 8 / (gbps * 1e9)
    out = []
    for count in switches:
        level = (count - 1) // 2
        time = 2 * NIC_LATENCY_S + send + (count + 1) * (FEC_S if fec else 0.0)
        time += latency[level] + 2 * sum(latency[:level]) + 2 * FIBRE_S_PER_M * sum(metres[: level + 1])
        out.append(time)
    return tuple(out), all(metres[: (switches[-1] + 1) // 2])


def _mean(length_m: F64) -> float:
    """Mean of the lengths that are known; 0 when none is."""
    total = float(length_m.sum())
    return total / max(1, int(np.count_nonzero(length_m))) if total > 0 else 0.0


@rule(
    "FAB-13",
    "fact",
    needs=("root", "fabric"),
    scope="design",
    group="spine-leaf",
    subject="path",
    direction="up",
    title=N_("Switches on the way"),
    checks=N_("Shown: one switch between servers of one leaf, three over a spine, five over a core."),
    reason=N_("Every switch adds its latency, and every tier a place where flows meet."),
    source="seed SD19; sp_h100",
)
def fab_13(context: RuleContext) -> Iterator[Finding]:
    for way in ways(context):
        yield context.finding(
            way.at(),
            msg(
                "Network {network}: {switches} between servers.",
                network=network_words(way.network),
                switches=_kinds(way),
            ),
            measured=float(way.switches[-1]),
            unit="switches",
            values={"switches": list(way.switches), "parts": way.planes},
        )


def _kinds(way: Ways) -> Message:
    if way.switches == (1,):
        return msg("same leaf 1 switch")
    if way.switches[-1] == 3:
        return msg("same leaf 1 switch, other leaf 3")
    if way.switches == (1, 5):
        return msg("same leaf 1 switch, other leaf 5")
    return msg("same leaf 1 switch, over a spine 3, over a core 5")


@rule(
    "FAB-14",
    "fact",
    needs=("root", "fabric"),
    scope="design",
    group="spine-leaf",
    subject="latency",
    direction="up",
    title=N_("Latency between servers"),
    checks=N_(
        "Shown for each kind of way: both NICs, the switches, 5 ns per metre of cable, error correction where it is "
        "stated, and a message of 256 bytes sent once."
    ),
    reason=N_("Small messages wait for this time, whatever the bandwidth."),
    source="seed SD32; EK",
)
def fab_14(context: RuleContext) -> Iterator[Finding]:
    for way in ways(context):
        shown = [f"{count}: {seconds * 1e6:.2f} us" for count, seconds in zip(way.switches, way.seconds, strict=True)]
        missing: Message | str = "" if way.known else msg(" (cable lengths not known)")
        yield context.finding(
            way.at(),
            msg(
                "Network {network}, one way by number of switches: {times}{missing}.",
                network=network_words(way.network),
                times=shown,
                missing=missing,
            ),
            measured=way.seconds[-1] * 1e6,
            unit="us",
            values={
                "us": dict(zip(map(str, way.switches), (round(s * 1e6, 3) for s in way.seconds), strict=True)),
                "fec": way.fec,
            },
            estimate=True,
        )
