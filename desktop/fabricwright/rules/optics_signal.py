"""OPT: whether the two ends of a link run the same signal: rate of a lane, error correction, autonegotiation."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.calls import EditCall
from fabricwright.design.options import stated
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.optics_ends import LANE_GBPS, LinkEnd, LinkEnds, at_link, link_ends, optical_lane_gbps
from fabricwright.rules.optics_light import fitting_partner
from fabricwright.rules.registry import rule
from fabricwright.units.text import N_, Message, msg

PASSIVE = ("DAC", "ACC", "twisted pair")
"""Kinds of cables that hand lanes through as they are. Retimed and optical ones turn one lane rate into another."""


@rule(
    "OPT-02",
    "error",
    needs=("root", "wiring"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="link",
    direction="up",
    title=N_("Lanes of different rate"),
    checks=N_(
        "Both transceivers of a link, or both ports at a passive cable, run lanes of one rate; cables with a gearbox, "
        "retimed and optical cables are free to translate."
    ),
    reason=N_(
        "25G NRZ, 50G PAM4 and 100G PAM4 are different signals: 2 x 50G is not 4 x 25G, and a 100G module does not "
        "slow down to 50G. Only a gearbox turns one into the other."
    ),
    source="arista_brk; field cases C064, C099",
)
def opt_02(context: RuleContext) -> Iterator[Finding]:
    for ends in link_ends(context):
        one, two = ends.a.optic, ends.b.optic
        if one is not None and two is not None:
            rates = optical_lane_gbps(one), optical_lane_gbps(two)
            if all(rates) and not rates[0] & rates[1]:
                yield _lanes(context, ends, rates[0], rates[1], fitting_partner(context, ends))
        elif one is None and two is None and ends.cable is not None and _passive(ends.cable):
            rates = _port_lanes(ends, ends.a), _port_lanes(ends, ends.b)
            if all(rates) and not rates[0] & rates[1]:
                fix = context.edit("set_link", context.design.root, link=ends.id, cable="auto")
                yield _lanes(context, ends, rates[0], rates[1], (fix,))


def _lanes(
    context: RuleContext, ends: LinkEnds, a: frozenset[float], b: frozenset[float], fix: tuple[EditCall, ...]
) -> Finding:
    return context.finding(
        (at_link(ends.id),),
        msg(
            "Link {link}: lanes of {a}G at {one} and of {b}G at {two}.",
            link=ends.id,
            a=sorted(a),
            b=sorted(b),
            one=ends.a.side.item,
            two=ends.b.side.item,
        ),
        measured=max(a) / min(b) if max(a) > min(b) else max(b) / min(a),
        allowed=1.0,
        unit="x",
        values={"a": sorted(a), "b": sorted(b)},
        fix=fix,
    )


def _passive(cable: Part) -> bool:
    kind = cable.word("cable_kind")
    return cable.kind == "cable" and kind.startswith(PASSIVE) and "gearbox" not in kind and not cable.word("gearbox")


def _port_lanes(ends: LinkEnds, end: LinkEnd) -> frozenset[float]:
    """Lane rates at which the ports of an end can run the link: rates of the cage that divide it over its lanes."""
    table = catalogue().table("cage_types")
    out: set[float] | None = None
    for socket in end.sockets:
        cage = table.get(socket.type)
        lanes = int(cage.get("lanes", 0)) if isinstance(cage, dict) else 0
        most = float(cage.get("max_lane_gbps", 0)) if isinstance(cage, dict) else 0.0
        if not lanes or not most or not ends.gbps:
            return frozenset()
        share = max(1, lanes // max(1, socket.ports))
        able = {r for r in LANE_GBPS if r <= most and ends.gbps % r == 0 and ends.gbps / r <= share}
        out = able if out is None else out & able
    return frozenset(out or ())


@rule(
    "OPT-11",
    "warning",
    needs=("root", "wiring"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="fec",
    title=N_("Ends with different FEC or autonegotiation"),
    checks=N_("Where both ends of a link state their FEC or their autonegotiation, they state the same."),
    reason=N_("RS528 and RS544 code blocks differ, and an end that negotiates waits for one that does not: no link."),
    source="EK",
)
def opt_11(context: RuleContext) -> Iterator[Finding]:
    for ends in link_ends(context):
        config = ends.link.config
        fec = [_word(stated(config, f"fec.{end}")) for end in "ab"]
        if any(fec):
            fec = [f or _word(_own_fec(end)) for f, end in zip(fec, ends.both, strict=True)]
        auto = [_word(stated(config, f"autoneg.{end}")) for end in "ab"]
        for key, pair, text in (
            ("fec", fec, N_("Link {link}: FEC {a} at {one} and {b} at {two}.")),
            ("autoneg", auto, N_("Link {link}: autonegotiation {a} at {one} and {b} at {two}.")),
        ):
            if all(pair) and pair[0] != pair[1]:
                value = config.get(f"{key}.a")
                yield context.finding(
                    (at_link(ends.id),),
                    _said(text, ends, pair),
                    values={"a": pair[0], "b": pair[1], "key": key},
                    fix=(context.edit("set_link", context.design.root, link=ends.id, config={f"{key}.b": value}),)
                    if value is not None
                    else (),
                )
                break


def _said(text: str, ends: LinkEnds, pair: list[str]) -> Message:
    values = {"link": ends.id, "a": pair[0], "b": pair[1], "one": ends.a.side.item, "two": ends.b.side.item}
    return Message(text, values)


def _own_fec(end: LinkEnd) -> str:
    return end.optic.word("fec") if end.optic is not None else ""


def _word(value: object) -> str:
    """A stated switch or choice as one word, so that true and "on" are the same."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "on" if value else "off"
    word = str(value).strip()
    return {"true": "on", "yes": "on", "false": "off", "no": "off"}.get(word.lower(), word)
