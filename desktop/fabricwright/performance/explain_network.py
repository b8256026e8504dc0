"""Sentences about what the network makes of the flows: hashed, pinned or spread paths, and lost packets."""

from __future__ import annotations

from fabricwright.performance.choose import Candidate
from fabricwright.performance.ecmp import routing_of
from fabricwright.performance.layout import Layout
from fabricwright.performance.loss import Loss, loss_of
from fabricwright.performance.routing import Collisions
from fabricwright.units.quantity import format_time
from fabricwright.units.text import Message, msg

UNHARMED = 0.995


def collisions_of(candidate: Candidate) -> Collisions | None:
    """What routing does to the flows of a candidate's slowest phase; None where every path is used evenly."""
    return candidate.costed.plan.phases[candidate.costed.heaviest].collisions


def network_sentences(layout: Layout, candidate: Candidate) -> list[Message]:
    """How paths are used and what that costs, then loss."""
    if layout.k == 1:
        return []
    return _routing(layout, candidate) + _loss(layout)


def climbs(layout: Layout, candidate: Candidate) -> bool:
    """Whether anything crosses from switch to switch."""
    return any(bool((phase.wire[~layout.is_port] > 0).any()) for phase in candidate.costed.plan.phases)


def _routing(layout: Layout, candidate: Candidate) -> list[Message]:
    routing, found = routing_of(layout), collisions_of(candidate)
    if routing.mode != "hash":
        if found is None or found.slowest >= UNHARMED:
            return []
        return [
            msg(
                "Flows are pinned to paths in turn: the slowest one gets {share} % of its NIC port's rate, {mean} % on "
                "average.",
                share=round(100 * found.slowest),
                mean=round(100 * found.mean),
            )
        ]
    if found is None:
        if climbs(layout, candidate):
            return []
        return [msg("All of it stays on its leaf switch, so nothing is hashed to paths.")]
    if found.slowest >= UNHARMED:
        return [msg("Hashed to equal-cost paths, no flow gets less than its NIC port gives it.")]
    out = [_hashed(found)]
    if routing.assumed:
        out.append(msg("That paths are picked by a hash is assumed; ecmp.mode states how they are used."))
    return out


def _hashed(found: Collisions) -> Message:
    slowest, low, high, mean = (round(100 * x) for x in (found.slowest, found.low, found.high, found.mean))
    if found.flows:
        return msg(
            "{flows} flows of {qps} queue pairs each are hashed to equal-cost paths: the slowest flow is expected at "
            "{slowest} % of its NIC port's rate ({low}-{high} % over {seeds} hashes), the mean one at {mean} %, and a "
            "collective waits for the slowest. ecmp.mode=adaptive would spread them evenly.",
            flows=found.flows,
            qps=found.routing.qps,
            slowest=slowest,
            low=low,
            high=high,
            seeds=found.seeds,
            mean=mean,
        )
    return msg(
        "Every rank's flows to every other, {qps} queue pairs each, are hashed to equal-cost paths: the slowest flow "
        "is expected at {slowest} % of what its NIC port gives it ({low}-{high} % for 8 of 10 hashes), the mean one at "
        "{mean} %. ecmp.mode=adaptive would spread them evenly.",
        qps=found.routing.qps,
        slowest=slowest,
        low=low,
        high=high,
        mean=mean,
    )


def _loss(layout: Layout) -> list[Message]:
    found = loss_of(layout)
    if found is None:
        return []
    return [*_assumed(found), *_kept(found)]


def _assumed(found: Loss) -> list[Message]:
    if not found.assumed:
        return []
    return [
        msg(
            "The network is not lossless and no loss rate is stated (loss.rate): {rate} % is assumed, the rate that is "
            "said to set off go-back-N (estimate).",
            rate=100 * found.rate,
        )
    ]


def _kept(found: Loss) -> list[Message]:
    if found.selective:
        return [
            msg(
                "Of the packets {rate} are lost; the NICs resend only those (selective repeat), which leaves {share} % "
                "of the NIC ports' rate.",
                rate=found.rate,
                share=round(100 * found.share, 1),
            )
        ]
    return [
        msg(
            "Of the packets {rate} are lost and the NICs resend everything after a lost one (go-back-N): with {window} "
            "packets of {mtu} bytes under way in a round trip of {trip}, (1 - p) / (1 + p (W - 1)) leaves {share} % of "
            "the NIC ports' rate.",
            rate=found.rate,
            window=round(found.window),
            mtu=found.mtu,
            trip=format_time(found.round_trip_s),
            share=round(100 * found.share, 1),
        )
    ]
