"""OPT: plugs and cages, reach, and links that nothing in the catalogue can serve."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fabricwright.catalog.parts import Part
from fabricwright.design.calls import EditCall
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_cabling import once
from fabricwright.rules.finding import Finding
from fabricwright.rules.optics_ends import (
    LinkEnd,
    LinkEnds,
    Serving,
    at_link,
    link_ends,
    optic_fits,
    optical_lane_gbps,
    same_light,
    serving,
)
from fabricwright.rules.registry import rule
from fabricwright.topology.cable_fit import accepted_plugs, plug_fits, plugs
from fabricwright.units.record import record
from fabricwright.units.text import N_, Message, msg

CABLES = ("cable", "fibre")
PASSIVE_M = {(100, 1): 2.0, (100, 2): 3.0, (50, 1): 3.0, (50, 2): 3.0, (25, 1): 5.0, (25, 2): 5.0}
"""(Gb/s per lane, 1 straight or 2 splitter) -> usual reach of passive copper in metres (mcp4y10, mcp7y00, aec)."""


@record
class Misfit:
    """A plug that does not go into a cage. ``rule`` says whose matter it is."""

    rule: str
    end: LinkEnd
    plug: str
    cage: str
    part: Part
    optic: bool


def misfits(context: RuleContext) -> dict[str, list[Misfit]]:
    """Link -> plugs that do not fit."""
    return once(context, "misfits", lambda: {e.id: found for e in link_ends(context) if (found := _misfits(e))})


def _misfits(ends: LinkEnds) -> list[Misfit]:
    out: list[Misfit] = []
    cable = ends.cable
    if cable is not None and cable.kind != "fibre":
        straight = [*_plugs(ends.a, cable, "a"), *_plugs(ends.b, cable, "b")]
        turned = [*_plugs(ends.a, cable, "b"), *_plugs(ends.b, cable, "a")]
        out += straight if len(straight) <= len(turned) else turned
    for end in ends.both:
        optic = end.optic
        if optic is not None:
            form = optic.word("form") or optic.name()
            out += [
                Misfit(_whose(form, socket.type, end), end, form, socket.type, optic, True)
                for socket in end.sockets
                if not optic_fits(optic, socket.type)
            ]
    return out


def _plugs(end: LinkEnd, cable: Part, which: str) -> list[Misfit]:
    """Cages of one end that do not take that end of a cable; each once."""
    types = dict.fromkeys(s.type for s in end.sockets)
    own = plugs(cable, which)
    return [
        Misfit(_whose(own[0], cage, end), end, own[0], cage, cable, False)
        for cage in types
        if own and not plug_fits(cable, which, cage)
    ]


def _whose(plug: str, cage: str, end: LinkEnd) -> str:
    """OPT-06 wrong top of an OSFP, OPT-07 OSFP and QSFP112 mixed up, else OPT-01."""
    if plug.startswith("OSFP") and cage.startswith("OSFP"):
        return "OPT-06"
    switch = end.row is not None and end.row.kind == "switch"
    if plug.startswith("OSFP") and cage == "QSFP112" and not switch:
        return "OPT-07"
    nvidia = end.row is not None and end.row.part is not None and end.row.part.vendor == "NVIDIA"
    if plug.startswith("QSFP112") and cage.startswith("OSFP") and switch and nvidia:
        return "OPT-07"
    return "OPT-01"


def _found(context: RuleContext, rule_id: str, text: str) -> Iterator[Finding]:
    for ends in link_ends(context):
        mine = [m for m in misfits(context).get(ends.id, ()) if m.rule == rule_id]
        for item in dict.fromkeys(m.end.side.item for m in mine):
            first = next(m for m in mine if m.end.side.item == item)
            yield context.finding(
                (at_link(ends.id), at_link(item)),
                Message(text, {"link": ends.id, "plug": first.plug, "cage": first.cage, "item": item}),
                values={"plug": first.plug, "cage": first.cage, "accepts": sorted(accepted_plugs(first.cage))},
                fix=_other(context, ends, first),
            )


def _other(context: RuleContext, ends: LinkEnds, wrong: Misfit) -> tuple[EditCall, ...]:
    """The transceiver that goes into that cage and talks to the other end's; else the cable is chosen anew."""
    root = context.design.root
    if wrong.optic:
        other = ends.b if wrong.end is ends.a else ends.a
        for part_id in _fitting_optics(context, wrong.cage):
            optic = part_of(context, part_id)
            partner = other.optic
            if partner is not None and not any(optic_fits(partner, s.type) for s in other.sockets):
                break
            rates = optical_lane_gbps(optic), optical_lane_gbps(partner or wrong.part)
            if all(rates) and not rates[0] & rates[1]:
                continue
            if same_light(optic, partner or wrong.part) and same_light(optic, wrong.part):
                pair = [part_id, ends.link.optics[1] if len(ends.link.optics) > 1 else None]
                if wrong.end is ends.b:
                    pair = [ends.link.optics[0] if ends.link.optics else None, part_id]
                return (context.edit("set_link", root, link=ends.id, optics=pair),)
    if _serving(context, ends) is not None and not _serves(_serving(context, ends), 0.0):
        return ()
    return (context.edit("set_link", root, link=ends.id, cable="auto", optics=[]),)


def part_of(context: RuleContext, part_id: str) -> Part:
    """The project's part, else the catalogue's."""
    from fabricwright.catalog.store import catalogue

    own = context.project.parts.get(part_id)
    return own if own is not None else catalogue().get(part_id)


def _fitting_optics(context: RuleContext, cage: str) -> list[str]:
    from fabricwright.catalog.store import catalogue

    return [i for i in catalogue().kinds().get("optic", ()) if optic_fits(part_of(context, i), cage)]


@rule(
    "OPT-01",
    "error",
    needs=("root", "wiring"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="cage, plug",
    title=N_("Plug does not fit the cage"),
    checks=N_(
        "Both ends of a cable, and the transceivers, are of a form that the cages of the link accept; and for a link "
        "whose cable is chosen automatically there is one."
    ),
    reason=N_(
        "QSFP-DD cages take older QSFP plugs; OSFP takes OSFP only, and NIC cages with a riding heat sink only "
        "flat tops."
    ),
    source="qdd_compat; cx7; EK",
)
def opt_01(context: RuleContext) -> Iterator[Finding]:
    yield from _found(context, "OPT-01", N_("Link {link}: a plug {plug} does not fit the {cage} cage of {item}."))
    for ends in link_ends(context):
        found = _serving(context, ends)
        if ends.link.cable == "auto" and found is not None and found.reach_m <= 0:
            cage_a, cage_b = ends.a.sockets[0].type, ends.b.sockets[0].type
            yield context.finding(
                (at_link(ends.id),),
                msg(
                    "Link {link}: no cable and no pair of transceivers goes into the {a} cage of {one} and the {b} "
                    "cage of {two}.",
                    link=ends.id,
                    a=cage_a,
                    b=cage_b,
                    one=ends.a.side.item,
                    two=ends.b.side.item,
                ),
                values={"cages": [cage_a, cage_b]},
            )


def _serving(context: RuleContext, ends: LinkEnds) -> Serving | None:
    """What the catalogue has for the cages of a link; None where a cage is not known."""
    if not ends.a.sockets or not ends.b.sockets:
        return None
    best: Serving | None = None
    for one in dict.fromkeys(s.type for s in ends.a.sockets):
        for two in dict.fromkeys(s.type for s in ends.b.sockets):
            if not accepted_plugs(one) or not accepted_plugs(two):
                return None
            pair = tuple(sorted((one, two)))
            memo = context.project.parts.memo  # the same parts serve the same cages in the next run, too
            found = memo.get(f"serving {pair}")
            if not isinstance(found, Serving):
                found = memo[f"serving {pair}"] = serving(context.project, pair[0], pair[1])
            best = found if best is None or found.reach_m < best.reach_m else best
    return best


def _serves(found: Serving | None, length_m: float) -> bool:
    return found is None or (found.reach_m > 0 and length_m <= found.reach_m + 1e-6)


@rule(
    "OPT-06",
    "error",
    needs=("root", "wiring"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="twin OSFP",
    title=N_("OSFP with the wrong top"),
    checks=N_("OSFP cages of NICs with a riding heat sink get flat tops, those of switches finned ones."),
    reason=N_(
        "A finned top does not go under the heat sink of the cage; a flat one has no cooling in a switch. The part "
        "numbers differ by -FLT."
    ),
    source="cx7; mcp7y60; mcp7y00",
)
def opt_06(context: RuleContext) -> Iterator[Finding]:
    yield from _found(
        context, "OPT-06", N_("Link {link}: an OSFP of form {plug} has the wrong top for the {cage} cage of {item}.")
    )


@rule(
    "OPT-07",
    "error",
    needs=("root", "wiring"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="bf3/cx7",
    title=N_("OSFP and QSFP112 ends mixed up"),
    checks=N_("A card with QSFP112 cages gets the QSFP112 end of a cable or module, an NVIDIA switch the OSFP end."),
    reason=N_(
        "The same ConnectX-7 and BlueField-3 exist with either cage, and cables with either end: MCP7Y00 and MCA7J60 "
        "end in OSFP, MCP7Y10 and MCA7J65 in QSFP112."
    ),
    source="mca7j60; mms4x00",
)
def opt_07(context: RuleContext) -> Iterator[Finding]:
    yield from _found(
        context, "OPT-07", N_("Link {link}: its {plug} end is on the {cage} cage of {item}; it takes the other kind.")
    )


def reach_m(ends: LinkEnds) -> tuple[float, str]:
    """(most metres, what limits): the cable's own reach, or that of the transceivers; 0 when nothing states one.

    A fibre states how long it is sold, and is spliced or run through panels beyond that: light reaches as far as the
    transceivers do.
    """
    limits = [(end.optic.get("max_m"), end.optic) for end in ends.both if end.optic is not None]
    light = ends.cable is not None and ends.cable.kind == "fibre" and any(most for most, _ in limits)
    if ends.cable is not None and ends.cable.kind in CABLES and not light:
        limits.append((ends.cable.get("max_m"), ends.cable))
    stated = [(most, part) for most, part in limits if most]
    if not stated:
        return 0.0, ""
    most, part = min(stated, key=lambda pair: pair[0])
    return most, part.model or part.name()


def _lengths(context: RuleContext) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Link -> lengths of its living cables, in metres; those not known are left out."""
    from fabricwright.rules.fabric_cabling import bundle_slices

    def make() -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
        fabric = context.fabric()
        out = {}
        for bundle, rows in zip(fabric.bundles, bundle_slices(fabric), strict=True):
            lengths = fabric.length_m[rows][fabric.rate[rows] > 0]
            out[bundle.link] = lengths[lengths > 0]
        return out

    return once(context, "cable lengths", make)


@rule(
    "OPT-03",
    "error",
    needs=("root", "fabric"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="cable",
    direction="up",
    title=N_("Cable longer than it reaches"),
    checks=N_(
        "The length of every cable is within the reach of its part, or of its transceivers; for a link whose cable is "
        "chosen automatically, within the farthest that there is."
    ),
    reason=N_("Beyond its reach a copper cable or module has no link margin left; the part is not made longer."),
    source="cables table",
)
def opt_03(context: RuleContext) -> Iterator[Finding]:
    lengths = _lengths(context)
    for ends in link_ends(context):
        run = lengths.get(ends.id)
        if run is None or not len(run):
            continue
        found = _serving(context, ends)
        most, limit = reach_m(ends)
        if not most and ends.cable is None and ends.link.cable == "auto" and found is not None:
            most, limit = (found.reach_m, found.part) if math.isfinite(found.reach_m) else (0.0, "")
        over = run > most + 1e-6
        if not most or not over.any():
            continue
        longest = float(run.max())
        fix: tuple[EditCall, ...] = ()
        if ends.link.cable != "auto" and _serves(found, longest):
            fix = (context.edit("set_link", context.design.root, link=ends.id, cable="auto", optics=[]),)
        text = msg(
            "Link {link}: {count} cables up to {length} m; {part} reaches {most} m.",
            link=ends.id,
            count=int(over.sum()),
            length=round(longest, 1),
            part=limit,
            most=most,
        )
        if ends.link.cable == "auto" and not any(end.optic for end in ends.both):
            text = msg(
                "Link {link}: {count} cables up to {length} m; the farthest that goes into both cages ({part}) reaches "
                "{most} m.",
                link=ends.id,
                count=int(over.sum()),
                length=round(longest, 1),
                part=limit,
                most=most,
            )
        yield context.finding(
            (at_link(ends.id),),
            text,
            measured=longest,
            allowed=most,
            unit="m",
            values={"cables": int(over.sum())},
            fix=fix,
        )


@rule(
    "OPT-12",
    "info",
    needs=("root", "fabric"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="cable",
    direction="up",
    title=N_("Long for passive copper"),
    checks=N_(
        "A passive copper cable whose part states no reach is within the usual one: at 100G per lane 2 m, as splitter "
        "3 m; at 50G 3 m, at 25G 5 m."
    ),
    reason=N_("The loss of copper grows with length and lane rate; beyond this an active cable is what works."),
    source="mcp4y10; aec",
)
def opt_12(context: RuleContext) -> Iterator[Finding]:
    lengths = _lengths(context)
    for ends in link_ends(context):
        cable, run = ends.cable, lengths.get(ends.id)
        if cable is None or cable.kind != "cable" or run is None or not len(run) or cable.get("max_m"):
            continue
        if not cable.word("cable_kind").upper().startswith("DAC"):
            continue
        lane = int(cable.get("lane_gbps"))
        usual = PASSIVE_M.get((lane, 2 if cable.get("branches", 1) > 1 else 1))
        longest = float(run.max())
        if usual is None or longest <= usual + 1e-6:
            continue
        yield context.finding(
            (at_link(ends.id),),
            msg(
                "Link {link}: {length} m of passive copper at {lane}G per lane; {usual} m is usual (the part states no "
                "reach).",
                link=ends.id,
                length=round(longest, 1),
                lane=lane,
                usual=usual,
            ),
            measured=longest,
            allowed=usual,
            unit="m",
            fix=(context.edit("set_link", context.design.root, link=ends.id, cable="auto"),)
            if _serves(_serving(context, ends), longest)
            else (),
            estimate=True,
        )
