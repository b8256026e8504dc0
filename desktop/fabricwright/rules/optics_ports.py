"""OPT: how cages are split, how many ports that makes, and what the order needs for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import cage_of, expand_cages, parse_breakout, parse_split
from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.design.indexset import IndexSet
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_view import is_switch, members_where, sides
from fabricwright.rules.finding import Finding
from fabricwright.rules.optics_ends import at_link
from fabricwright.rules.registry import rule
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg


@rule(
    "OPT-04",
    "error",
    needs=("root",),
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
                (at_link(item_id),),
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


def _run(cages: list[str]) -> list[str]:
    return [f"{cages[0]}-{cages[-1]}"] if len(cages) > 2 else cages


def _legal_breakout(context: RuleContext, item_id: str, item: EffItem, part: Part, wrong: str) -> tuple[EditCall, ...]:
    """The breakout map with the wrong rows replaced by the offered split with as many branches, else left out; none
    where a cable would get fewer or slower ports.
    """
    value = item.config.get("breakout")
    if not isinstance(value, Mapping):
        return ()
    wanted = parse_split(wrong)
    cabled = _cabled(context, item_id)
    out: dict[str, str] = {}
    for cages, split in value.items():
        if split != wrong:
            out[str(cages)] = str(split)
            continue
        cage = part.cages.get(next(iter(expand_cages(str(cages))), ""))
        same = [s for s in (cage.breakouts if cage else ()) if wanted and (p := parse_split(s)) and p[0] == wanted[0]]
        fast = [s for s in same if wanted and (p := parse_split(s)) and p[1] >= wanted[1] * 0.999]
        if not fast and cabled & set(expand_cages(str(cages))):
            return ()
        if same:
            out[str(cages)] = (fast or same)[0]
    if out == dict(value):
        return ()
    return (context.edit("set_config", context.design.root, item=item_id, key="breakout", value=out or None),)


@rule(
    "OPT-05",
    "error",
    needs=("root",),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="switch",
    direction="up",
    title=N_("More logical ports than the switch has"),
    checks=N_("The ports that all splits together make are at most what the switch chip can address."),
    reason=N_(
        "A chip has fewer port numbers than its lanes could be cut into: 256 on SN5600, 320 on most Tomahawk 5 boxes, "
        "512 on 7060X6-64PE."
    ),
    source="sonic; th5",
)
def opt_05(context: RuleContext) -> Iterator[Finding]:
    root = context.root
    for item_id in sorted(root.items, key=natural_key):
        item = root.items[item_id]
        most = item.part.get("max_logical_ports") if item.part is not None and item.kind == "switch" else 0.0
        ports = sum(p.role == "net" and p.medium != "mgmt" for p in item.ports.values())
        if item.part is None or not most or ports <= most:
            continue
        yield context.finding(
            (at_link(item_id),),
            msg(
                "{switch}: {ports} logical ports, {most} at most.",
                switch=item_label(item),
                ports=ports,
                most=int(most),
            ),
            members=_everyone(item),
            measured=float(ports),
            allowed=most,
            unit="ports",
            fix=_fewer_splits(context, item_id, item, item.part, ports - int(most)),
            estimate=item.part.figures["max_logical_ports"].confidence != "read",
        )


def _cabled(context: RuleContext, item_id: str) -> set[str]:
    """Cages of an item that a link names."""
    cabled: set[str] = set()
    for link in context.root.links.values():
        for end in (link.a, link.b):
            owner, ports = split_end(end)
            if owner == item_id:
                cabled |= {cage_of(name) for name in expand_ports(ports)}
    return cabled


def _fewer_splits(context: RuleContext, item_id: str, item: EffItem, part: Part, surplus: int) -> tuple[EditCall, ...]:
    """Cages that nothing is plugged into go back to their native split, last ones first, until the ports fit."""
    cabled = _cabled(context, item_id)
    splits = dict(parse_breakout(item.config))
    for cage_id in sorted(splits, key=natural_key, reverse=True):
        cage = part.cages.get(cage_id)
        native = parse_split(cage.default) if cage is not None else None
        wanted = parse_split(splits[cage_id])
        if surplus <= 0 or cage_id in cabled or native is None or wanted is None or wanted[0] <= native[0]:
            continue
        surplus -= wanted[0] - native[0]
        del splits[cage_id]
    if surplus > 0:
        return ()
    value = splits or None
    return (context.edit("set_config", context.design.root, item=item_id, key="breakout", value=value),)


@rule(
    "OPT-13",
    "info",
    needs=("root", "wiring"),
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
                (at_link(leaf.item), at_link(link_id)),
                msg(
                    "{ports} NIC ports of 200G on 400G ports of {leaf}; splitters needed: {splitters}.",
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
