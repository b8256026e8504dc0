"""OPT: plugs, reach, breakouts and splitters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import expand_cages, parse_breakout, parse_split
from fabricwright.design.address import Address, Step
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Link
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_view import Side, is_switch, members_where, sides
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.topology.cable_fit import accepted_plugs, plug_fits, plugs, port_cages
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

CABLES = ("cable", "fibre")


def _at(name: str) -> Address:
    return Address((Step(name),))


def cage_types(context: RuleContext, side: Side) -> dict[str, str]:
    """Cage type -> an example port, over the ports that an end of a bundle names. Unknown cages are left out."""
    row = context.root.items.get(side.item)
    out: dict[str, str] = {}
    if row is not None:
        for name, cage in zip(side.ports, port_cages(context.project, context.design, row, side.ports), strict=True):
            if cage.type:
                out.setdefault(cage.type, name)
    return out


def _misfits(cages: Mapping[str, str], cable: Part, end: str) -> list[tuple[str, str]]:
    """(plug, cage type) of the cages that do not take that end of a cable."""
    return [(plugs(cable, end)[0], cage) for cage in cages if not plug_fits(cable, end, cage)]


@rule(
    "OPT-01",
    "error",
    needs=("effective", "wiring"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="cage, plug",
    title=N_("Plug does not fit the cage"),
    checks=N_("Both ends of a cable, and the transceivers, are of a form that the cages of the link accept."),
    reason=N_(
        "QSFP-DD cages take older QSFP plugs; OSFP takes OSFP only, and NIC cages with a riding heat sink only "
        "flat tops."
    ),
    source="qdd_compat; cx7; EK",
)
def opt_01(context: RuleContext) -> Iterator[Finding]:
    for link_id, bundle in context.bundles().items():
        link = context.root.links.get(link_id)
        if link is None or not len(bundle.rows):
            continue
        first, second = (cage_types(context, side) for side in sides(bundle))
        wrong: list[tuple[str, str, str]] = []
        cable = context.project.parts.get(link.cable)
        if cable is not None and cable.kind == "cable":
            straight = (_misfits(first, cable, "a"), _misfits(second, cable, "b"))
            turned = (_misfits(first, cable, "b"), _misfits(second, cable, "a"))
            best = min(straight, turned, key=lambda pair: len(pair[0]) + len(pair[1]))
            for side, misses in zip(sides(bundle), best, strict=True):
                wrong += [(side.item, plug, cage) for plug, cage in misses]
        for side, cages, optic in zip(sides(bundle), (first, second), _optics(context, link), strict=True):
            if optic is not None:
                wrong += [
                    (side.item, optic.word("form") or optic.name(), cage) for cage in cages if not _fits(optic, cage)
                ]
        for item in dict.fromkeys(name for name, _, _ in wrong):
            plug, cage = next((p, c) for name, p, c in wrong if name == item)
            yield context.finding(
                (_at(link_id), _at(item)),
                msg(
                    "Link {link}: a plug {plug} does not fit the {cage} cage of {item}.",
                    link=link_id,
                    plug=plug,
                    cage=cage,
                    item=item,
                ),
                values={"plug": plug, "cage": cage, "accepts": sorted(accepted_plugs(cage))},
                fix=(context.edit("set_link", context.design.root, link=link_id, cable="auto", optics=[]),),
            )


def _optics(context: RuleContext, link: Link) -> list[Part | None]:
    named = [context.project.parts.get(o) if o else None for o in link.optics[:2]]
    return [*named, None, None][:2]


def _fits(optic: Part, cage: str) -> bool:
    figure = optic.figures.get("fits_cages")
    if figure is not None and isinstance(figure.value, tuple):
        return cage in figure.value
    form = optic.word("form")
    return not form or not accepted_plugs(cage) or form in accepted_plugs(cage)


def reach_m(context: RuleContext, link: Link) -> tuple[float, str]:
    """(most metres, what limits): the cable's own reach, or that of the transceivers; 0 when nothing states one."""
    cable = context.project.parts.get(link.cable)
    limits = [
        (optic.get("max_m"), optic) for optic in _optics(context, link) if optic is not None and optic.get("max_m")
    ]
    if cable is not None and cable.kind in CABLES and cable.get("max_m"):
        limits.append((cable.get("max_m"), cable))
    if not limits:
        return 0.0, ""
    most, part = min(limits, key=lambda pair: pair[0])
    return most, part.model or part.name()


@rule(
    "OPT-03",
    "error",
    needs=("effective", "fabric"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="cable",
    direction="up",
    title=N_("Cable longer than it reaches"),
    checks=N_("The length of every cable is within the reach of its part, or of its transceivers."),
    reason=N_("Beyond its reach a copper cable or module has no link margin left; the part is not made longer."),
    source="cables table",
)
def opt_03(context: RuleContext) -> Iterator[Finding]:
    fabric = context.fabric()
    for k, bundle in enumerate(fabric.bundles):
        link = context.root.links.get(bundle.link)
        if link is None or link.cable == "auto":
            continue
        most, limit = reach_m(context, link)
        lengths = fabric.length_m[(fabric.bundle == k) & (fabric.rate > 0)]
        if not most or not np.nanmax(lengths, initial=0.0) > 0:
            continue
        over = lengths > most + 1e-6
        if over.any():
            longest = float(np.nanmax(lengths))
            yield context.finding(
                (_at(bundle.link),),
                msg(
                    "Link {link}: {count} cables up to {length} m; {part} reaches {most} m.",
                    link=bundle.link,
                    count=int(over.sum()),
                    length=round(longest, 1),
                    part=limit,
                    most=most,
                ),
                measured=longest,
                allowed=most,
                unit="m",
                values={"cables": int(over.sum())},
                fix=(context.edit("set_link", context.design.root, link=bundle.link, cable="auto"),),
            )


@rule(
    "OPT-04",
    "error",
    needs=("effective",),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="breakout",
    title=N_("Breakout that the switch does not offer"),
    checks=N_("The split of every cage is one of the switch's, and its branches together are within the cage."),
    reason=N_("Port logic supports certain lane groupings only; others do not come up."),
    source="sonic",
)
def opt_04(context: RuleContext) -> Iterator[Finding]:
    root = context.root
    for item_id in sorted(root.items, key=natural_key):
        item = root.items[item_id]
        part = item.part
        if part is None or not part.cages or not isinstance(item.config.get("breakout"), Mapping):
            continue
        wrong: dict[str, list[str]] = {}
        for cage_id, split in parse_breakout(item.config).items():
            cage = part.cages.get(cage_id)
            if cage is None or (
                split != cage.default and (split not in cage.breakouts or _too_much(cage.default, split))
            ):
                wrong.setdefault(split, []).append(cage_id)
        for split, cages in wrong.items():
            known = part.cages.get(cages[0])
            offered = [known.default, *known.breakouts] if known is not None else []
            text = (
                msg(
                    "{switch} does not offer {split} at cage {cages}; it offers {offered}.",
                    switch=item_label(item),
                    split=split,
                    cages=_run(cages),
                    offered=offered,
                )
                if known is not None
                else msg("{switch} has no cage {cages}.", switch=item_label(item), cages=_run(cages))
            )
            yield context.finding(
                (_at(item_id),),
                text,
                members=_everyone(item),
                values={"split": split, "cages": cages, "offered": offered},
                fix=_legal_breakout(context, item_id, item, part, split),
            )


def _everyone(item: EffItem) -> IndexSet:
    count = 1
    for _, size in item.axes:
        count *= size
    return IndexSet.span(count)


def _too_much(default: str, split: str) -> bool:
    """Branches times their rate exceed what the cage carries in its native split."""
    native, wanted = parse_split(default), parse_split(split)
    return native is not None and wanted is not None and wanted[0] * wanted[1] > native[0] * native[1] * 1.001


def _run(cages: list[str]) -> str:
    return f"{cages[0]}-{cages[-1]}" if len(cages) > 2 else ", ".join(cages)


def _legal_breakout(context: RuleContext, item_id: str, item: EffItem, part: Part, wrong: str) -> tuple[EditCall, ...]:
    """The breakout map with the wrong rows replaced by the offered split with as many branches, else left out."""
    value = item.config.get("breakout")
    if not isinstance(value, Mapping):
        return ()
    wanted = parse_split(wrong)
    out: dict[str, str] = {}
    for cages, split in value.items():
        if split != wrong:
            out[str(cages)] = str(split)
            continue
        cage = part.cages.get(next(iter(expand_cages(str(cages))), ""))
        same = [s for s in (cage.breakouts if cage else ()) if wanted and (p := parse_split(s)) and p[0] == wanted[0]]
        if same:
            out[str(cages)] = same[0]
    return (context.edit("set_config", context.design.root, item=item_id, key="breakout", value=out or None),)


@rule(
    "OPT-13",
    "info",
    needs=("effective", "wiring"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="bom",
    direction="up",
    title=N_("Splitters needed"),
    checks=N_("Shown where a 400G leaf port feeds two 200G NIC ports: one splitter for each such port."),
    reason=N_(
        "A 400G port talks to 200G ports only when it is split, by a cable that is one end in two; it belongs "
        "in the order."
    ),
    source="seedB SD30; qdd_brk",
)
def opt_13(context: RuleContext) -> Iterator[Finding]:
    root = context.root
    for link_id, bundle in context.bundles().items():
        for leaf, far in zip(sides(bundle), reversed(sides(bundle)), strict=True):
            row = root.items.get(leaf.item)
            other = root.items.get(far.item)
            if (
                row is None
                or row.part is None
                or not is_switch(root, leaf.item)
                or other is None
                or other.kind == "switch"
            ):
                continue
            halves = [k for k, name in enumerate(leaf.ports) if _is_half(row, name)]
            live = bundle.rows[bundle.alive]
            live = live[np.isin(live[:, leaf.column + 1], halves)]
            if not len(live):
                continue
            cage_of = {k: row.ports[leaf.ports[k]].cage for k in halves}
            pairs = {
                (int(r[leaf.column]), cage_of[int(r[leaf.column + 1])])
                for r in np.unique(live[:, [0, 1, 2, 3]], axis=0)
            }
            count = row.axes
            devices = np.zeros(max(1, int(np.prod([n for _, n in count], dtype=np.int64))), dtype=bool)
            devices[np.unique(live[:, leaf.column])] = True
            yield context.finding(
                (_at(leaf.item), _at(link_id)),
                msg(
                    "{ports} NIC ports of 200G on 400G ports of {leaf}: {splitters} splitters.",
                    ports=len(live),
                    leaf=item_label(row),
                    splitters=len(pairs),
                ),
                members=members_where(devices),
                measured=float(len(pairs)),
                unit="splitters",
                values={"nic_ports": len(live)},
            )


def _is_half(row: EffItem, name: str) -> bool:
    """A 200G port of a cage that is one 400G port when it is not split."""
    port = row.ports.get(name)
    part = row.part
    if port is None or part is None or port.gbps != 200 or port.cage not in part.cages:
        return False
    return part.cages[port.cage].default == "1x400"
