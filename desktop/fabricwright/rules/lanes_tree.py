"""LAN-08, LAN-10, LAN-11: switch chips, and the shape of the PCIe tree."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.parts import Part
from fabricwright.design.address import split_end
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.rules.card import item_label, label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.lanes import is_switch
from fabricwright.rules.moves import link_sheet, move_to_better_slot
from fabricwright.rules.pcie_path import ServerView, server_view
from fabricwright.rules.registry import rule
from fabricwright.rules.switched import switched
from fabricwright.topology.pcie_tree import TREE_MEDIA
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

DEEPEST = 2
"""Switches one below the other that NCCL's flattening and people's expectations cope with."""

_FED = ("gpu", "nic", "pcie-switch", "nvme", "cxl")
"""Kinds of parts that are of no use without a link to a processor."""

SWITCH_NS = 115
"""Latency of a Gen5 switch in ns (pex89144)."""


@rule(
    "LAN-08",
    "error",
    needs=("effective",),
    group="lanes & generation",
    subject="switch chip",
    direction="up",
    title=N_("More lanes or ports than the switch chip has"),
    checks=N_("The uplink and the used downstream ports of a switch chip are within its lanes and its ports."),
    reason=N_("Partitions and ports of a chip share its lanes; a second card on a port asks for lanes of its own."),
    source="pex89144; linley",
)
def lan_08(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for chip, items in _chips(view).items():
        part, card = _chip_part(view, items[0]), items[0].part
        most = int(part.get("chip_lanes")) if part is not None else 0
        most = most or (int(card.get("chip_lanes")) if card is not None else 0)
        ports = int(part.get("chip_ports")) if part is not None else 0
        lanes, used = _in_use(view, items)
        by_ports = not (most and lanes > most) and bool(ports) and used > ports
        if not by_ports and not (most and lanes > most):
            continue
        name = label(part) or label(card) or chip
        text = (
            msg("{chip}: {used} ports in use, {most} there.", chip=name, used=used, most=ports)
            if by_ports
            else msg("{chip}: {used} lanes in use, {most} there.", chip=name, used=lanes, most=most)
        )
        yield context.finding(
            [variant.at(item.id) for item in items],
            text,
            variant=variant,
            measured=float(used if by_ports else lanes),
            allowed=float(ports if by_ports else most),
            unit="ports" if by_ports else "lanes",
            values={"lanes": lanes, "ports": used},
            fix=_move_one(context, variant, view, {item.id for item in items}),
            estimate=_guessed(part or card) or any(item.estimate for item in items),
        )


def _chips(view: ServerView) -> dict[str, list[EffItem]]:
    """Chip -> its partitions. Cards and bare chips are a chip of their own."""
    out: dict[str, list[EffItem]] = {}
    for item_id in sorted(view.eff.items, key=natural_key):
        item = view.eff.items[item_id]
        if is_switch(item):
            out.setdefault(item.chip or item_id, []).append(item)
    return out


def _chip_part(view: ServerView, item: EffItem) -> Part | None:
    name = item.chip_part or (item.part.word("chip_part") if item.part is not None else "")
    return view.parts.get(name) if name else item.part


def _in_use(view: ServerView, items: list[EffItem]) -> tuple[int, int]:
    """(lanes, ports) in use over all partitions. A port counts in full, and more when more hangs on it."""
    lanes = ports = 0
    for item in items:
        feed = view.tree.feeds.get(item.id)
        if feed is not None:
            own = item.ports.get(feed.own)
            lanes += max(feed.lanes, own.lanes if own is not None else 0)
            ports += 1
        asked: dict[str, int] = {}
        for below in view.children().get(item.id, ()):
            port = view.tree.feeds[below].port
            if port in item.ports or not (item.part is not None and item.part.modes):  # another mode: LAN-07 says so
                asked[port] = asked.get(port, 0) + view.tree.feeds[below].lanes
        lanes += sum(max(n, item.ports[p].lanes if p in item.ports else 0) for p, n in asked.items())
        ports += len(asked)
    return lanes, ports


def _guessed(part: Part | None) -> bool:
    row = part.figures.get("chip_lanes") if part is not None else None
    return row is not None and row.confidence != "read"


def _move_one(context: RuleContext, variant: Variant, view: ServerView, chip: set[str]) -> tuple[EditCall, ...]:
    """Move one card that shares a port with another one to a slot that hangs elsewhere."""
    for seat, ids in view.seated.items():
        if len(ids) < 2 or view.feed_of_slot(seat)[0] not in chip:
            continue
        for item_id in ids:
            moved = move_to_better_slot(context, variant, view, item_id, lambda s: view.feed_of_slot(s)[0] not in chip)
            if moved:
                return moved
    return ()


def switches_above(view: ServerView, node: str) -> list[str]:
    """Switches on the way from a node up to the processor, the node itself left out."""
    return [n for n in view.above(node) if n in view.eff.items and _forwards(view, n)]


def _forwards(view: ServerView, node: str) -> bool:
    """A switch, or a NIC with a switch in it."""
    kind = view.eff.items[node].kind
    return kind in ("pcie-switch", "pcie-switch-card", "nic") and view.tree.levels(node) > 0


@rule(
    "LAN-10",
    "warning",
    needs=("effective",),
    group="lanes & generation",
    subject="tree",
    direction="up",
    title=N_("Switches more than two deep"),
    checks=N_("No more than two PCIe switches lie one below the other."),
    reason=N_("Each switch adds about 115 ns, and NCCL flattens two levels only."),
    source="nccl (BCM flatten); linley",
)
def lan_10(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for node in sorted(variant.eff.items, key=natural_key):
        if not _forwards(view, node):
            continue
        chain = switches_above(view, node)
        depth = 1 + len(chain)
        if depth <= DEEPEST or any(_forwards(view, n) for n in view.below(node) if n in variant.eff.items):
            continue
        yield context.finding(
            (variant.at(node),),
            msg(
                "{switch} is switch {depth} below the processor ({chain}); each adds about {ns} ns.",
                switch=item_label(variant.eff.items[node]),
                depth=depth,
                chain=[*reversed(chain), node],
                ns=SWITCH_NS,
            ),
            variant=variant,
            measured=float(depth),
            allowed=float(DEEPEST),
            unit="switches",
            values={"added_ns": depth * SWITCH_NS},
            fix=_flatten(context, variant, view, node),
        )


def _flatten(context: RuleContext, variant: Variant, view: ServerView, node: str) -> tuple[EditCall, ...]:
    if not view.eff.items[node].seat:
        return ()

    def higher(seat: str) -> bool:
        owner = view.feed_of_slot(seat)[0]
        return len([n for n in (owner, *view.above(owner)) if n in view.eff.items and _forwards(view, n)]) < DEEPEST

    return move_to_better_slot(context, variant, view, node, higher)


@rule(
    "LAN-11",
    "error",
    needs=("effective",),
    group="lanes & generation",
    subject="tree",
    title=N_("Not a PCIe tree"),
    checks=N_(
        "A device has one upstream link and the links form no loop; NTB and multi-host cards may have more. A card in "
        "a bay that the board does not feed has a cable."
    ),
    reason=N_("A device trains with one root complex. A second uplink needs hardware made for it."),
    source="EK",
)
def lan_11(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for node, uppers in sorted(_second_uplinks(view).items(), key=lambda row: natural_key(row[0])):
        item = variant.eff.items[node]
        yield context.finding(
            (variant.at(node),),
            msg(
                "{card} has {count} upstream links ({uplinks}); it takes one.",
                card=item_label(item),
                count=len(uppers),
                uplinks=[end for end, _ in uppers],
            ),
            variant=variant,
            measured=float(len(uppers)),
            allowed=1.0,
            unit="links",
            fix=_drop_link(context, variant, [link for _, link in uppers[1:] if link]),
        )
    alone = _without_link(view)
    if alone:
        yield context.finding(
            tuple(variant.at(node) for node in alone),
            msg(
                "{cards}: no PCIe link. The board does not feed {bays}; draw a cable from a port of the board, of a "
                "switch card or of a retimer card.",
                cards=alone,
                bays=[view.slot_label(variant.eff.items[node].seat) for node in alone],
            ),
            variant=variant,
            measured=0.0,
            allowed=1.0,
            unit="links",
        )
    for problem in sorted(set(view.tree.problems)):
        kind, _, node = problem.partition(":")
        node = split_end(node)[0]
        if kind == "loop" and node in variant.eff.items:
            links = _links_of(view, node)
            yield context.finding(
                (variant.at(node),),
                msg("The PCIe links of {card} form a loop.", card=item_label(variant.eff.items[node])),
                variant=variant,
                fix=_drop_link(context, variant, links[-1:]),
            )


def _without_link(view: ServerView) -> list[str]:
    """Cards in bays that neither the board nor a cable feeds."""
    bays = {name for name, slot in view.eff.slots.items() if not slot.fed_by and not view.feed_of_slot(name)[0]}
    cards = (item for item in view.eff.items.values() if item.kind in _FED and item.seat in bays and not item.locked)
    return sorted((item.id for item in cards if item.id not in view.tree.feeds), key=natural_key)


def _links_of(view: ServerView, node: str) -> list[str]:
    return sorted(
        (
            name
            for name, link in view.eff.links.items()
            if link.medium in TREE_MEDIA and node in (split_end(link.a)[0], split_end(link.b)[0])
        ),
        key=natural_key,
    )


def _second_uplinks(view: ServerView) -> dict[str, list[tuple[str, str]]]:
    """Item -> its uplinks ("item:port" above, id of the drawn link or ""), where it has more than it can take."""
    ups: dict[str, list[tuple[str, str]]] = {}
    for seat, ids in view.seated.items():
        slot = view.eff.slots.get(seat)
        if slot is None:
            continue
        feeds = [(slot.fed_by, "")] if slot.fed_by else []
        feeds += sorted(_cables_to(view, seat))
        for item_id in ids:
            ups.setdefault(item_id, []).extend(feeds)
    for row in view.eff.builtin_links.values():
        if row.medium in ("pcie", "cxl"):
            ups.setdefault(split_end(row.b)[0], []).append((row.a, ""))
    for name in sorted(view.eff.links, key=natural_key):
        link = view.eff.links[name]
        if link.medium in ("pcie", "cxl") and link.a not in view.eff.slots and link.b not in view.eff.slots:
            for end, other in ((link.a, link.b), (link.b, link.a)):
                owner, port = split_end(end)
                known = view.eff.items[owner].ports.get(port) if owner in view.eff.items else None
                if known is not None and known.role == "up":
                    ups.setdefault(owner, []).append((other, name))
    return {item: rows for item, rows in ups.items() if item in view.eff.items and _too_many(view, item, rows)}


def _cables_to(view: ServerView, seat: str) -> Iterator[tuple[str, str]]:
    for name, link in view.eff.links.items():
        if link.medium in TREE_MEDIA and seat in (link.a, link.b):
            yield (link.b if link.a == seat else link.a), name


def _too_many(view: ServerView, item_id: str, rows: list[tuple[str, str]]) -> bool:
    """More uplinks than upstream ports. Two cables from one switch may be the two halves of one x16 link."""
    item = view.eff.items[item_id]
    if switched(item.config.get("multi_host")) or (item.part is not None and item.part.word("multi_host")):
        return False
    takes = max(1, sum(p.role == "up" and p.medium in TREE_MEDIA for p in item.ports.values()))
    if len(rows) <= takes:
        return False
    owners = {split_end(end)[0] for end, _ in rows}
    if len(owners) > takes:
        return True
    own = max((p.lanes for p in item.ports.values() if p.role == "up"), default=16)
    return len({end for end, _ in rows}) > takes and sum(_lanes(view, end) for end, _ in rows) > own * takes


def _lanes(view: ServerView, end: str) -> int:
    owner, port = split_end(end)
    item = view.eff.items.get(owner)
    known = item.ports.get(port) if item is not None else None
    return known.lanes if known is not None else 0


def _drop_link(context: RuleContext, variant: Variant, links: list[str]) -> tuple[EditCall, ...]:
    return tuple(context.edit("remove", link_sheet(context, variant.sheet, link), ids=[link]) for link in links[-1:])
