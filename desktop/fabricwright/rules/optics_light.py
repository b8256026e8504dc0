"""OPT: whether the transceivers of a link send the same light, over what joins them, and what splits do to it."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.calls import EditCall
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.optics_ends import (
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
from fabricwright.units.text import N_, msg


def _names(context: RuleContext) -> dict[int, str]:
    """Part object -> id, for the lists ``talks_to``."""
    return {id(part): part_id for part_id, part in context.project.parts.items()}


def _optic_label(optic: Part) -> str:
    return optic.model or optic.name().split(" transceiver")[0]


def fitting_partner(context: RuleContext, ends: LinkEnds) -> tuple[EditCall, ...]:
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
                fix=fitting_partner(context, ends),
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
