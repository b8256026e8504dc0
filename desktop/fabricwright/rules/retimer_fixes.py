"""What mends too many or too old retimers: one less where the signal still arrives, a newer part."""

from __future__ import annotations

from fabricwright.catalog.store import catalogue
from fabricwright.design.address import split_end
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.design.values import Link
from fabricwright.rules.card import upstream_port
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.moves import link_sheet
from fabricwright.rules.pcie_path import ServerView


def without_one(context: RuleContext, variant: Variant, view: ServerView, device: str) -> tuple[EditCall, ...]:
    """Take out a retimer that hangs in a cable, and lead the cable above it to where the one below it went; only where
    the two segments together keep the budget, and all of that is drawn on one sheet.
    """
    path = view.tree.signal.get(device)
    if path is None:
        return ()
    for n, retimer in enumerate(path.retimers):
        item = variant.eff.items[retimer]
        ends = {
            split_end(own)[1]: (name, link, other)
            for name, link in variant.eff.links.items()
            for own, other in ((link.a, link.b), (link.b, link.a))
            if split_end(own)[0] == retimer
        }
        up = next((ends[port] for port in ends if port.startswith("up")), None)
        down = [ends[port] for port in ends if not port.startswith("up")]
        if item.locked or item.seat or up is None or len(down) != 1:
            continue
        pair = path.segments[n : n + 2]
        joined = sum(e.at(path.gen) for s in pair for e in s.elements if e.name != retimer)
        if not all(s.known for s in pair) or joined > pair[0].budget_db:
            continue
        sheets = {context.owner_sheet(variant.sheet, retimer)}
        sheets |= {link_sheet(context, variant.sheet, row[0]) for row in (up, *down)}
        if len(sheets) == 1:
            return _taken_out(context, sheets.pop(), retimer, up, down[0][2])
    return ()


def _taken_out(
    context: RuleContext, sheet: str, retimer: str, up: tuple[str, Link, str], target: str
) -> tuple[EditCall, ...]:
    name, link, _ = up
    side = "a" if split_end(link.a)[0] == retimer else "b"
    return (
        context.edit("set_link", sheet, link=name, **{side: target}),
        context.edit("remove", sheet, ids=[retimer]),
    )


def newer_retimer(context: RuleContext, variant: Variant, row: EffItem, gen: int) -> tuple[EditCall, ...]:
    """A retimer of the catalogue that is new enough, has the same connectors and, where one is stated, the mode."""
    if row.locked or row.part is None:
        return ()
    store = catalogue()
    wanted = upstream_port(row.ports)
    plugs = {port.connector for port in row.ports.values() if port.connector}
    for name in store.kinds().get("retimer", ()):
        part = store.get(name)
        mode = row.config.get("mode")
        if int(part.get("pcie_gen")) < gen or (mode is not None and mode not in part.modes):
            continue
        tables = (part.ports, *(row.ports for row in part.modes.values()))
        if not plugs <= {port.connector for ports in tables for port in ports.values()}:
            continue
        if wanted is not None and part.get("edge_lanes") < wanted.lanes:
            continue
        return (context.edit("replace_part", context.owner_sheet(variant.sheet, row.id), item=row.id, part=name),)
    return ()
