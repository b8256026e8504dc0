"""RET-04, RET-05, RET-11: PCIe cables inside and outside the chassis."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.store import catalogue
from fabricwright.design.address import split_end
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.design.stated_slots import stated_of_slot
from fabricwright.design.values import Link
from fabricwright.rules.card import card_of_item, item_label, upstream_port
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.moves import link_sheet
from fabricwright.rules.pcie_path import ServerView, device_link, server_view
from fabricwright.rules.registry import rule
from fabricwright.rules.retimer import PASSIVE
from fabricwright.rules.statements import held, meant
from fabricwright.rules.switched import number_in, switched
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.topology.pcie_tree import TREE_MEDIA
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

LONGEST_PASSIVE_M = 0.3
"""Passive Gen5 path that the field has found safe without a retimer, about 30 cm (field case C143)."""

OUTER_CABLE = "ext-pcie-2x8"
ADAPTER = "riser-2xmcio8i-x16"


def _pcie_links(variant: Variant) -> Iterator[tuple[str, Link]]:
    for name in sorted(variant.eff.links, key=natural_key):
        link = variant.eff.links[name]
        if link.medium in TREE_MEDIA:
            yield name, link


def enclosure(view: ServerView, end: str) -> str:
    """The box that a link's end is in: an external box's id, "" for the chassis."""
    owner = split_end(end)[0]
    for _ in range(8):
        if "/" in owner:
            return owner.partition("/")[0]
        item = view.eff.items.get(owner)
        if item is None:
            return ""
        if item.kind == "external-box":
            return owner
        if not item.seat:
            return ""
        owner = split_end(item.seat)[0]
    return ""


def inner_connectors(item: EffItem) -> bool:
    """Whether a card's cable connectors are made for inside the chassis."""
    where = item.part.word("cable_where") if item.part is not None else ""
    return where == "inside"


@rule(
    "RET-04",
    "error",
    needs=("effective", "statements"),
    group="retimer & signal",
    subject="cable",
    title=N_("Inner connector used outside"),
    checks=N_("Cables that leave the chassis, drawn or stated, start at cards with outer connectors."),
    reason=N_("MCIO and the like have no latch, shield or bracket opening; the variant for outside is another part."),
    source="seeds SD28, SD29 (naming inferred)",
)
def ret_04(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    told: set[str] = set()
    for name, link in _pcie_links(variant):
        boxes = [enclosure(view, end) for end in (link.a, link.b)]
        if boxes[0] == boxes[1] and not switched(link.config.get("outside")):
            continue
        owners = [split_end(end)[0] for end in (link.a, link.b) if end not in variant.eff.slots]
        items = [variant.eff.items[o] for o in owners if o in variant.eff.items]
        inner = [item for item in items if inner_connectors(item)]
        cable = view.parts.get(link.cable)
        for item in inner:
            if item.id not in told:
                told.add(item.id)
                yield context.finding(
                    (variant.at(item.id), variant.at(name)),
                    msg(
                        "{card} has connectors for inside the chassis; cable {cable} leaves it.",
                        card=item_label(item),
                        cable=name,
                    ),
                    variant=variant,
                    values={"link": name},
                    fix=_outer_part(context, variant, item, name),
                    estimate=bool(item.part and item.part.confidence != "read"),
                )
        if not inner and cable is not None and cable.word("cable_where") == "inside":
            yield context.finding(
                (variant.at(name),),
                msg(
                    "Cable {cable} ({part}) is made for inside the chassis and leaves it.", cable=name, part=link.cable
                ),
                variant=variant,
                values={"part": link.cable},
                estimate=cable.confidence != "read",
            )
    yield from _stated_outside(context, variant, told)


@judges("RET-04")
def outside_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Statements that a card feeds something outside the chassis."""
    for statement in held(context.project, "card.feeds_outside"):
        if switched(statement.row.value) is not True:
            continue
        for about in meant(context, statement):
            item = about.variant.eff.items.get(about.item)
            where = item.part.word("cable_where") if item is not None and item.part is not None else ""
            if item is None or not where:
                continue
            text = (
                msg(
                    "{card} has connectors for inside the chassis; it is stated to feed something outside.",
                    card=item_label(item),
                )
                if where == "inside"
                else msg("{card} has connectors for outside.", card=item_label(item))
            )
            yield Verdict(
                statement,
                where != "inside",
                text,
                (about.variant.at(item.id),),
                about.members,
                about.variant,
                estimate=bool(item.part and item.part.confidence != "read"),
            )


def _stated_outside(context: RuleContext, variant: Variant, told: set[str]) -> Iterator[Finding]:
    here = [
        verdict
        for verdict in outside_verdicts(context)
        if verdict.variant is not None
        and (verdict.variant.item, verdict.variant.sheet) == (variant.item, variant.sheet)
        and verdict.at[0].steps[-1].item not in told
    ]
    yield from contradictions(context, here)


def _outer_part(context: RuleContext, variant: Variant, item: EffItem, link: str) -> tuple[EditCall, ...]:
    """The same card for outside (``...2i`` becomes ``...2e``) and a cable that fits it."""
    outer = f"{item.of[:-1]}e" if item.of.endswith("i") else ""
    known = catalogue()
    if item.locked or not outer or outer not in known.kinds().get("retimer", ()):
        return ()
    mode = item.config.get("mode")
    if mode is not None and mode not in known.get(outer).modes:
        return ()
    return (
        context.edit("replace_part", context.owner_sheet(variant.sheet, item.id), item=item.id, part=outer),
        context.edit("set_link", link_sheet(context, variant.sheet, link), link=link, cable=OUTER_CABLE),
    )


@rule(
    "RET-05",
    "error",
    needs=("effective",),
    group="retimer & signal",
    subject="join",
    title=N_("Edge connector on a cable port"),
    checks=N_("A card with an edge connector hangs on a slot, not on a cable connector."),
    reason=N_("A cable ends in a plug, a card in gold fingers: an adapter board with a slot belongs between them."),
    source="seedB SD27",
)
def ret_05(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    for name, link in _pcie_links(variant):
        for end, other in ((link.a, link.b), (link.b, link.a)):
            owner, port = split_end(end)
            upper, upper_port = split_end(other)
            item, above = variant.eff.items.get(owner), variant.eff.items.get(upper)
            card = card_of_item(item) if item is not None else None
            if item is None or above is None or card is None or card.form != "cem" or end in variant.eff.slots:
                continue
            up = upstream_port(item.ports)
            if up is None or item.ports.get(port) is not up or up.connector or item.seat:
                continue
            down = above.ports.get(upper_port)
            connector = down.connector if down is not None else ""
            if not connector:
                continue
            yield context.finding(
                (variant.at(owner),),
                msg(
                    "{card} has an edge connector; {port} is a cable connector ({connector}): no slot on that side.",
                    card=item_label(item),
                    port=other,
                    connector=connector,
                ),
                variant=variant,
                values={"link": name, "connector": connector},
                fix=_adapter(context, variant, name, link, end, item) if connector == "MCIO-8i" else (),
                estimate=bool(item.part and item.part.confidence != "read"),
            )


def _adapter(
    context: RuleContext, variant: Variant, name: str, link: Link, end: str, item: EffItem
) -> tuple[EditCall, ...]:
    """An adapter board at the end of the cable, with the card in its slot."""
    sheet = link_sheet(context, variant.sheet, name)
    if context.owner_sheet(variant.sheet, item.id) != sheet:
        return ()
    taken = set(variant.eff.items) | set(variant.eff.links)
    for other in context.design.sheets.values():
        taken |= set(other.items) | set(other.links)
    board = next(f"adapter{n}" for n in range(len(taken) + 1) if f"adapter{n}" not in taken)
    side = "a" if link.a == end else "b"
    return (
        context.edit("add_item", sheet, part=ADAPTER, item=board),
        context.edit("set_link", sheet, link=name, **{side: f"{board}:up"}),
        context.edit("seat", sheet, item=item.id, slot=f"{board}:s1"),
    )


@rule(
    "RET-11",
    "warning",
    needs=("effective",),
    group="retimer & signal",
    subject="cable, riser",
    direction="up",
    title=N_("Long passive path at Gen5"),
    checks=N_("A Gen5 or faster link without a retimer passes at most 0.3 m of passive cable and riser."),
    reason=N_("Longer ones show errors under load or fall back to Gen4, depending on cable and board."),
    source="C143 (from field cases)",
)
def ret_11(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    chassis = context.config_of_chassis(variant.sheet)
    for item_id in sorted(variant.eff.items, key=natural_key):
        item = variant.eff.items[item_id]
        if item.kind in PASSIVE:
            continue
        link = device_link(view, item_id)
        if link is None or not link.own_gen or link.gen < 5 or link.retimers:
            continue
        cables, total = passive_path(view, chassis, item_id)
        if total <= LONGEST_PASSIVE_M * 1.0001:
            continue
        words = {"card": item_label(item), "length": round(total, 2), "gen": link.gen, "most": LONGEST_PASSIVE_M}
        assumed = [c for c in cables if view.parts.get(variant.eff.links[c].cable) is None]
        yield context.finding(
            (variant.at(item_id), *(variant.at(c) for c in cables)),
            msg(
                "{card}: {length} m of cable at Gen{gen} without a retimer ({cables}: kind not stated, passive "
                "assumed); {most} m is safe.",
                **words,
                cables=assumed,
            )
            if assumed
            else msg("{card}: {length} m of passive cable at Gen{gen} without a retimer; {most} m is safe.", **words),
            variant=variant,
            measured=total,
            allowed=LONGEST_PASSIVE_M,
            unit="m",
            values={"cables": cables},
            fix=_shorter(context, variant, view, cables) if len(cables) == 1 else (),
        )


def passive_path(view: ServerView, chassis: dict[str, object], item_id: str) -> tuple[list[str], float]:
    """(cables of known length inside the chassis, m of them and of risers) on the link above a device."""
    cables: list[str] = []
    total = 0.0
    node = item_id
    for _ in range(16):
        feed = view.tree.feeds.get(node)
        row = view.tree.items.get(node)
        if feed is None or row is None:
            break
        if row.seat in view.eff.slots:
            owner, _, name = row.seat.partition(":")
            config = chassis if owner == "chassis" else view.eff.items[owner].config
            total += number_in(stated_of_slot(config, name).get("riser_m")) or 0.0
            cable = view.feed_of_slot(row.seat)[2]
        else:
            cable = view.joined.get(frozenset((split_end(node)[0], split_end(feed.parent)[0])), "")
        if cable and _passive_inside(view, cable):
            cables.append(cable)
            total += view.eff.links[cable].length_m or 0.0
        node = feed.parent
        if not view.is_passive(node):
            break
    return cables, total


def _passive_inside(view: ServerView, cable: str) -> bool:
    link = view.eff.links[cable]
    part = view.parts.get(link.cable)
    if switched(link.config.get("outside")) or enclosure(view, link.a) != enclosure(view, link.b):
        return False
    if part is None:
        return True
    kind = part.word("cable_kind")
    return part.word("cable_where") != "outside" and not part.word("retimes") and not kind.startswith("active")


def _shorter(context: RuleContext, variant: Variant, view: ServerView, cables: list[str]) -> tuple[EditCall, ...]:
    part = view.parts.get(variant.eff.links[cables[0]].cable)
    lengths = [n for n in part.numbers("orderable_m") if n <= LONGEST_PASSIVE_M] if part is not None else []
    if not lengths:
        return ()
    sheet = link_sheet(context, variant.sheet, cables[0])
    return (context.edit("set_link", sheet, link=cables[0], length_m=max(lengths)),)
