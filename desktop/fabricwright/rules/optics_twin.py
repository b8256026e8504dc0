"""OPT: what a module with two ports asks of the two fibres in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.optics_ends import LinkEnds, at_link, fibre_of, link_ends
from fabricwright.rules.registry import rule
from fabricwright.topology.cable_fit import port_cages
from fabricwright.units.text import N_, msg


@rule(
    "OPT-10",
    "warning",
    needs=("root", "wiring", "effective"),
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
        for item, row, ports in ((end.side.item, end.row, end.side.ports) for end in ends.both if end.row is not None):
            for cage in dict.fromkeys(c.cage for c in port_cages(context.project, context.design, row, ports)):
                plugged.setdefault((item, cage), {}).setdefault(kind, []).append(ends)
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
