"""SED-06, SED-07: statements about the way between servers, against the way that is drawn."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.design.address import Address, Step
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_paths import Ways, ways
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import Held, about_design, held, meant
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.units.text import N_, msg

NETWORK = "compute"
SLACK = 0.9
"""A stated latency within 10 % of the sum is not doubted: the sum rests on typical latencies of NICs and switches."""


def _drawn(context: RuleContext, statement: Held) -> Ways | None:
    """Ways between servers on the compute network; None when no two servers meet there, or for another design."""
    if not about_design(statement, context.design_id):
        return None
    return next((way for way in ways(context) if way.network == NETWORK), None)


def _groups(context: RuleContext, statement: Held) -> tuple[Address, ...] | None:
    """Groups of servers that a statement is about: places of a finding; None when it is about none."""
    found = dict.fromkeys(place.variant.item for place in meant(context, statement) if place.variant.item)
    return tuple(Address((Step(item),)) for item in found) or None


@rule(
    "SED-06",
    "error",
    needs=("effective", "root", "fabric", "statements"),
    scope="design",
    group="seed claims",
    subject="claim",
    title=N_("Other number of switches on the way"),
    checks=N_("A stated number of switches between two servers, or of tiers, is the one that is drawn."),
    reason=N_(
        "Below one leaf a packet crosses one switch. From leaf to leaf it crosses a leaf, a spine and a leaf: three "
        "switches, two of them leafs."
    ),
    source="seedA SD19",
)
def sed_06(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, switch_verdicts(context))


@judges("SED-06")
def switch_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Stated switches and tiers against the drawing."""
    for statement in held(context.project, "path.switches", "network.tiers"):
        value = statement.number
        drawn = _drawn(context, statement)
        at = _groups(context, statement)
        if value is None or drawn is None or at is None:
            continue
        fewest, most = drawn.switches[0], drawn.switches[-1]
        if statement.row.quantity == "network.tiers":
            tiers = (most + 1) // 2
            text = (
                msg("{drawn} tiers of switches, as stated.", drawn=tiers)
                if value == tiers
                else msg("{stated} tiers of switches stated, {drawn} drawn.", stated=value, drawn=tiers)
            )
            yield Verdict(statement, value == tiers, text, at, measured=value, allowed=float(tiers), unit="tiers")
            continue
        words = {"stated": value, "fewest": fewest, "most": most}
        if value == most:
            text = msg("{most} switches between two servers, as stated.", **words)
        elif fewest == most:
            text = msg("{stated} switches between two servers stated, {most} drawn.", **words)
        else:
            text = msg(
                "{stated} switches between any two servers stated; drawn are {fewest} below one leaf and {most} from "
                "leaf to leaf.",
                **words,
            )
        yield Verdict(
            statement,
            value == most,
            text,
            at,
            measured=value,
            allowed=float(most),
            unit="switches",
            values={"fewest": fewest, "most": most},
        )


@rule(
    "SED-07",
    "warning",
    needs=("effective", "root", "fabric", "statements"),
    scope="design",
    group="seed claims",
    subject="claim",
    title=N_("Latency below that of the way"),
    checks=N_("A stated latency one way is not below two NICs, all switches and all cables of the longest way drawn."),
    reason=N_(
        "NICs take about 0.6 us each, a switch 0.3 to 0.8 us, fibre 5 ns a metre. What is stated was measured on "
        "another way, often below one switch."
    ),
    source="seedB SD32; EK",
    direction="down",
)
def sed_07(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, latency_verdicts(context))


@judges("SED-07")
def latency_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Stated latencies against the longest way drawn."""
    for statement in held(context.project, "latency.one_way_us"):
        value = statement.number
        drawn = _drawn(context, statement)
        at = _groups(context, statement)
        if value is None or drawn is None or at is None:
            continue
        needed = drawn.seconds[-1] * 1e6
        near = drawn.seconds[0] * 1e6
        words = {
            "stated": value,
            "needed": f"{needed:.1f}",
            "switches": drawn.switches[-1],
            "near": f"{near:.1f}",
        }
        holds = value >= needed * SLACK
        if holds:
            text = msg("{stated} us stated; the longest way over {switches} switches needs {needed} us.", **words)
        elif len(drawn.switches) > 1:
            text = msg(
                "{stated} us stated, but the way over {switches} switches needs {needed} us, below one leaf {near} us: "
                "say which way was measured.",
                **words,
            )
        else:
            text = msg("{stated} us stated, but the way over one switch needs {needed} us.", **words)
        yield Verdict(
            statement,
            holds,
            text,
            at,
            measured=value,
            allowed=needed,
            unit="us",
            values={"us": dict(zip(map(str, drawn.switches), (s * 1e6 for s in drawn.seconds), strict=True))},
            estimate=True,
        )
