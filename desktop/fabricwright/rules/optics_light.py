"""OPT: whether the two ends of a link speak alike: lanes, light, error correction; and what splits can do to light."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.calls import EditCall
from fabricwright.design.options import stated
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.optics_ends import (
    LANE_GBPS,
    LinkEnd,
    LinkEnds,
    Socket,
    at_link,
    classes,
    connectors,
    fibre_of,
    link_ends,
    optic_fits,
    optical_lane_gbps,
    same_light,
    talks,
)
from fabricwright.rules.registry import rule
from fabricwright.topology.cable_fit import port_cages
from fabricwright.units.text import N_, Message, msg

PASSIVE = ("DAC", "ACC", "twisted pair")
"""Kinds of cables that hand lanes through as they are. Retimed and optical ones turn one lane rate into another."""


def _names(context: RuleContext) -> dict[int, str]:
    """Part object -> id, for the lists ``talks_to``."""
    return {id(part): part_id for part_id, part in context.project.parts.items()}


def _optic_label(optic: Part) -> str:
    return optic.model or optic.name().split(" transceiver")[0]


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
                yield _lanes(context, ends, rates[0], rates[1], _fitting_partner(context, ends))
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


def _fitting_partner(context: RuleContext, ends: LinkEnds) -> tuple[EditCall, ...]:
    """Another transceiver for one end: it fits the cages there, sends the same light at the same lane rate, and is fast
    enough.
    """
    for place, keep, change in ((1, ends.a, ends.b), (0, ends.b, ends.a)):
        kept, old = keep.optic, change.optic
        if kept is None or old is None:
            continue
        for part_id in catalogue().kinds().get("optic", ()):
            new = catalogue().get(part_id)
            if (
                change.sockets
                and all(optic_fits(new, s.type) for s in change.sockets)
                and same_light(kept, new)
                and optical_lane_gbps(kept) & optical_lane_gbps(new)
                and new.get("gbps") / max(1.0, new.get("ports_per_module", 1)) >= ends.gbps
                and all(_serves(new, s, ends.gbps) for s in change.sockets)
                and _joined_by(ends.cable, new)
            ):
                pair = [*ends.link.optics[:2]]
                pair[place] = part_id
                return (context.edit("set_link", context.design.root, link=ends.id, optics=pair),)
    return ()


def _serves(optic: Part, socket: Socket, gbps: float) -> bool:
    """Whether one module carries all ports of its cage: as fast as they are together, and not all in one fibre."""
    ports = max(socket.ports, 1)
    alone = optic.get("ports_per_module", 1) >= ports or "WDM" not in classes(optic)
    return optic.get("gbps") >= gbps * ports * 0.999 and alone


def _medium_matches(cable: Part, optic: Part) -> bool:
    kinds = fibre_of(cable), fibre_of(optic)
    return not all(kinds) or kinds[0] == kinds[1]


@rule(
    "OPT-08",
    "error",
    needs=("root", "wiring"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="fibre",
    title=N_("Transceivers that cannot talk to each other"),
    checks=N_(
        "Both transceivers of a link send the same light over the same kind of fibre, and the fibre cable is of that "
        "kind and ends in their connectors."
    ),
    reason=N_(
        "SR sends 850 nm over multimode, DR one wavelength over single mode, FR and LR several in one fibre; an MPO "
        "does not go into an LC socket."
    ),
    source="EK; linkx",
)
def opt_08(context: RuleContext) -> Iterator[Finding]:
    names = _names(context)
    for ends in link_ends(context):
        one, two = ends.a.optic, ends.b.optic
        if one is not None and two is not None and not same_light(one, two) and not talks(one, two, names):
            yield context.finding(
                (at_link(ends.id),),
                msg(
                    "Link {link}: {a} ({light_a}) cannot talk to {b} ({light_b}).",
                    link=ends.id,
                    a=_optic_label(one),
                    light_a=_light(one),
                    b=_optic_label(two),
                    light_b=_light(two),
                ),
                values={"a": _light(one), "b": _light(two)},
                fix=_fitting_partner(context, ends),
            )
            continue
        wrong = next((end for end in ends.both if end.optic is not None and not _joins(ends, end)), None)
        if wrong is not None and wrong.optic is not None and ends.cable is not None:
            yield context.finding(
                (at_link(ends.id), at_link(wrong.side.item)),
                msg(
                    "Link {link}: {fibre} ({a}) does not join {optic} ({b}).",
                    link=ends.id,
                    fibre=ends.cable.model or ends.cable.name(),
                    a=f"{ends.cable.word('fibre')}, {ends.cable.word('end_a')}",
                    optic=_optic_label(wrong.optic),
                    b=f"{wrong.optic.word('fibre')}, {wrong.optic.word('connector')}",
                ),
                fix=_fitting_fibre(context, ends),
            )


def _light(optic: Part) -> str:
    kinds = "/".join(sorted(classes(optic)))
    return ", ".join(word for word in (kinds, optic.word("fibre")) if word)


def _joins(ends: LinkEnds, end: LinkEnd) -> bool:
    """Whether the named fibre cable is of the transceiver's kind and has its connector at one of its ends."""
    return end.optic is None or _joined_by(ends.cable, end.optic)


def _joined_by(cable: Part | None, optic: Part) -> bool:
    if cable is None or cable.kind != "fibre":
        return True
    if not _medium_matches(cable, optic):
        return False
    own = connectors(optic.word("connector"))
    plugs = connectors(cable.word("end_a")) | connectors(cable.word("end_b"))
    return not own or not plugs or bool(own & plugs)


def _fitting_fibre(context: RuleContext, ends: LinkEnds) -> tuple[EditCall, ...]:
    """A fibre cable that joins both transceivers and splits alike."""
    optics = [end.optic for end in ends.both if end.optic is not None]
    assert ends.cable is not None
    for part_id in catalogue().kinds().get("fibre", ()):
        new = catalogue().get(part_id)
        plugs = connectors(new.word("end_a")) | connectors(new.word("end_b"))
        if new.get("branches", 1) == ends.cable.get("branches", 1) and all(
            _medium_matches(new, o) and connectors(o.word("connector")) & plugs for o in optics
        ):
            return (context.edit("set_link", context.design.root, link=ends.id, cable=part_id),)
    return ()


@rule(
    "OPT-09",
    "warning",
    needs=("root", "wiring"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="optics",
    title=N_("Wavelength-multiplexed module in a split port"),
    checks=N_("A cage that is split has no FR4, LR4 or CWDM4 module, which sends all lanes in one fibre."),
    reason=N_("Its wavelengths leave in one fibre pair and cannot be led to several ports; DR4 and PLR4 can."),
    source="arista_brk",
)
def opt_09(context: RuleContext) -> Iterator[Finding]:
    for ends in link_ends(context):
        for place, end in enumerate(ends.both):
            optic = end.optic
            if optic is None or not _multiplexed(optic):
                continue
            modules = max(1, int(optic.get("ports_per_module", 1)))
            split = next((s for s in end.sockets if s.ports > modules), None)
            if split is None or _offers(optic, f"{split.ports}x{split.gbps:g}"):
                continue
            yield context.finding(
                (at_link(ends.id), at_link(end.side.item)),
                msg(
                    "Link {link}: {optic} cannot be split into {split}; its wavelengths share one fibre.",
                    link=ends.id,
                    optic=_optic_label(optic),
                    split=f"{split.ports}x{split.gbps:g}",
                ),
                measured=float(split.ports),
                allowed=float(modules),
                unit="ports",
                values={"split": f"{split.ports}x{split.gbps:g}"},
                fix=_parallel(context, ends, place, end, f"{split.ports}x{split.gbps:g}"),
            )


def _multiplexed(optic: Part) -> bool:
    figure = optic.figures.get("wdm")
    return bool(figure.value) if figure is not None else classes(optic) == {"WDM"}


def _offers(optic: Part, split: str) -> bool:
    figure = optic.figures.get("splits")
    listed = figure.value if figure is not None and isinstance(figure.value, tuple) else ()
    return any(str(entry).split(" ")[0] == split for entry in listed)


def _parallel(context: RuleContext, ends: LinkEnds, place: int, end: LinkEnd, split: str) -> tuple[EditCall, ...]:
    """A module for this end that offers the split and, where the other end names one, talks to it."""
    other = ends.both[1 - place].optic
    for part_id in catalogue().kinds().get("optic", ()):
        new = catalogue().get(part_id)
        if (
            not _multiplexed(new)
            and _offers(new, split)
            and all(optic_fits(new, s.type) for s in end.sockets)
            and (other is None or (same_light(new, other) and optical_lane_gbps(new) & optical_lane_gbps(other)))
            and (ends.cable is None or _medium_matches(ends.cable, new))
        ):
            pair = [*ends.link.optics[:2], None, None][:2]
            pair[place] = part_id
            return (context.edit("set_link", context.design.root, link=ends.id, optics=pair),)
    return ()


@rule(
    "OPT-10",
    "warning",
    needs=("root", "wiring"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="twin",
    title=N_("Straight and split fibre on one twin module"),
    checks=N_("Both fibres of a twin-port module are straight, or both are splitters, and of one kind of fibre."),
    reason=N_("The two halves of a twin module are set up together; one straight and one split is not supported."),
    source="mms4x00; mma4z00",
)
def opt_10(context: RuleContext) -> Iterator[Finding]:
    plugged: dict[tuple[str, str], dict[tuple[int, str], list[LinkEnds]]] = {}
    for ends in link_ends(context):
        if ends.cable is None or ends.cable.kind != "fibre":
            continue
        kind = (int(ends.cable.get("branches", 1)), fibre_of(ends.cable))
        for end in ends.both:
            if end.row is None:
                continue
            cages = port_cages(context.project, context.design, end.row, end.side.ports)
            for cage in dict.fromkeys(c.cage for c in cages):
                plugged.setdefault((end.side.item, cage), {}).setdefault(kind, []).append(ends)
    told: set[tuple[str, str, str]] = set()
    for (item, cage), kinds in plugged.items():
        if len(kinds) < 2 or not _twin(context, item, cage):
            continue
        (one, *_), (two, *_) = list(kinds.values())[:2]
        if (item, one.id, two.id) in told or not _same_device(context, item, cage, one, two):
            continue
        told.add((item, one.id, two.id))
        yield context.finding(
            (at_link(item), at_link(one.id), at_link(two.id)),
            msg(
                "{item}: links {a} and {b} share twin modules (cage {cage}), one by {fibre_a} and one by {fibre_b}.",
                item=item,
                a=one.id,
                b=two.id,
                cage=cage,
                fibre_a=one.cable.name() if one.cable else "",
                fibre_b=two.cable.name() if two.cable else "",
            ),
            values={"cage": cage},
        )


def _twin(context: RuleContext, item: str, cage: str) -> bool:
    """A cage with two ports of its own: OSFP as 2x400 or 4x200."""
    row = context.root.items[item]
    owners = [row.part] if row.part is not None else []
    if row.of.startswith("sheet:"):
        owners = [chassis] if (chassis := context.effective(row.of[6:]).chassis_part) is not None else []
    known = next((part.cages[cage] for part in owners if cage in part.cages), None)
    return known is not None and bool(re.match(r"2x", known.default))


def _same_device(context: RuleContext, item: str, cage: str, one: LinkEnds, two: LinkEnds) -> bool:
    """Whether some member has both links in that very cage."""
    found = []
    for ends in (one, two):
        members: list[np.ndarray[tuple[int], np.dtype[np.int32]]] = []
        for column, end in ((0, ends.a), (2, ends.b)):
            if end.side.item != item or end.row is None:
                continue
            cages = port_cages(context.project, context.design, end.row, end.side.ports)
            wanted = np.array([c.cage == cage for c in cages] + [False])
            rows = ends.bundle.rows[ends.bundle.alive]
            members.append(np.unique(rows[wanted[rows[:, column + 1]], column]))
        found.append(np.concatenate(members) if members else np.zeros(0, dtype=np.int32))
    return bool(len(np.intersect1d(found[0], found[1])))


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
