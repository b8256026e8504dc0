"""What brings a segment of a PCIe link within a loss: another slot, a shorter or better cable, a retimer."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.address import split_end
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import stated_at
from fabricwright.design.values import Link
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.moves import link_sheet, move_to_better_slot
from fabricwright.rules.pcie_path import ServerView
from fabricwright.topology import signal_loss as db
from fabricwright.topology.signal import Segment, SignalPath, cable_db
from fabricwright.topology.signal_loss import Element
from fabricwright.topology.stated import stated_figure

RETIMER = "lrsv9560-2i"
ADAPTER = "riser-2xmcio8i-x16"


def within(
    context: RuleContext, variant: Variant, view: ServerView, path: SignalPath, segment: Segment, allowed_db: float
) -> tuple[EditCall, ...]:
    """The first of these that does: a slot with less trace, a shorter cable, another cable with the same plugs, a
    retimer in the cable; empty when none does, or when the cable's loss is stated (then only a measurement helps).
    """
    if not any(e.kind == "cable" and e.name in variant.eff.links for e in segment.elements):
        return _nearer_slot(context, variant, view, path, segment, allowed_db)
    for element in segment.elements:
        link = variant.eff.links.get(element.name) if element.kind == "cable" else None
        part = view.parts.get(link.cable) if link is not None else None
        if link is None or part is None or link.config.get("loss_db") is not None:
            continue
        rest = segment.loss_db - element.at(path.gen)
        changes = _other_cable(part, element, path.gen, allowed_db - rest)
        if changes:
            return (
                context.edit(
                    "set_link", link_sheet(context, variant.sheet, element.name), link=element.name, **changes
                ),
            )
        fix = _retimer(context, variant, view, path, segment, element, link, part, allowed_db)
        if fix:
            return fix
    return ()


def _nearer_slot(
    context: RuleContext, variant: Variant, view: ServerView, path: SignalPath, segment: Segment, allowed_db: float
) -> tuple[EditCall, ...]:
    item = view.tree.items[path.device]
    if segment.lower != path.device or item.seat not in variant.eff.slots:
        return ()
    here = [e for e in segment.elements if e.name == item.seat and e.kind in ("board", "riser", "backplane")]
    rest = segment.loss_db - sum(e.at(path.gen) for e in here)
    known = {
        seat: sum(e.at(path.gen) for e in elements)
        for other in view.tree.signal.values()
        for seat, elements in _traces(view, other)
    }

    def suits(seat: str) -> bool:
        trace = known.get(seat, _stated_trace(view, seat, path.gen))
        return trace is not None and rest + trace <= allowed_db * (1 + 1e-9)

    return move_to_better_slot(context, variant, view, item.id, suits)


def _traces(view: ServerView, path: SignalPath) -> Iterator[tuple[str, list[Element]]]:
    seat = view.tree.items[path.device].seat
    if seat:
        yield (
            seat,
            [
                e
                for s in path.segments
                for e in s.elements
                if e.name == seat and e.kind in ("board", "riser", "backplane")
            ],
        )


def _stated_trace(view: ServerView, seat: str, gen: int) -> float | None:
    """Loss of the trace to an empty slot: stated, else that of a usual board trace; None for slots fed by a cable."""
    slot = view.eff.slots.get(seat)
    if slot is None or seat in view.fed:
        return None
    stated = stated_at(view.eff, seat)
    loss, length = stated_figure(stated.get("board_db")), stated_figure(stated.get("board_m"))
    if loss is not None:
        return loss
    if length is not None:
        laminate = str(stated.get("laminate") or "low-loss")
        per_m = db.LAMINATE_DB_PER_M.get(laminate, db.LAMINATE_DB_PER_M["low-loss"])
        return Element("board", seat, length * per_m, line=True).at(gen)
    return Element("board", seat, db.BOARD_DB if slot.trace_db is None else slot.trace_db, line=True).at(gen)


def _other_cable(part: Part, element: Element, gen: int, allowed_db: float) -> dict[str, object]:
    """A shorter length of the same cable, else one with the same plugs that loses less at this length."""

    def loss(other: Part, length_m: float) -> float:
        own = min(int(other.get("pcie_gen")) or 5, 5)
        return Element("cable", "", cable_db(other, length_m), own, True).at(gen)

    shorter = [n for n in part.numbers("orderable_m") if n < element.length_m and loss(part, n) <= allowed_db]
    if shorter:
        return {"length_m": max(shorter)}
    store = catalogue()
    plugs = _plugs(part)
    for name in store.kinds().get("pcie-cable", ()):
        other = store.get(name)
        lengths = [n for n in other.numbers("orderable_m") if n >= element.length_m * 0.999]
        same = _plugs(other) == plugs
        wide = other.get("lanes") >= part.get("lanes") and other.get("pcie_gen") >= gen
        if other is part or not same or not wide or not lengths or other.get("retimes"):
            continue
        if loss(other, min(lengths)) <= allowed_db:
            return {"cable": name, "length_m": min(lengths)}
    return {}


def _retimer(
    context: RuleContext,
    variant: Variant,
    view: ServerView,
    path: SignalPath,
    segment: Segment,
    element: Element,
    link: Link,
    part: Part,
    allowed_db: float,
) -> tuple[EditCall, ...]:
    """A retimer card on an adapter board in the middle of an MCIO cable: each half gets the orderable length that keeps
    both segments within the budget. Only where the two ends take MCIO pairs, x16, and two retimers are not there yet.
    """
    sheet = link_sheet(context, variant.sheet, element.name)
    lengths = sorted(part.numbers("orderable_m"))
    if not _mcio_pair(part) or path.lanes != 16 or len(path.retimers) > 1 or not lengths:
        return ()
    place = segment.elements.index(element)
    card = [
        Element("connector", "", db.CONNECTOR_DB),
        Element("card-trace", "", db.CARD_TRACE_DB, line=True),
        Element("chip-package", "", db.CHIP_PACKAGE_DB),
    ]
    board = Element("riser", "", db.RISER_DB, line=True)
    above = sum(e.at(path.gen) for e in [*segment.elements[:place], board, *card])
    below = sum(e.at(path.gen) for e in [*card[1:], *segment.elements[place + 1 :]])

    def loss(length_m: float) -> float:
        return Element("cable", "", cable_db(part, length_m), min(int(part.get("pcie_gen")) or 5, 5), True).at(path.gen)

    halves = [
        (max(above + loss(first), below + loss(second)), first, second)
        for first in lengths
        for second in lengths
        if first + second >= element.length_m * 0.999
    ]
    best = min(halves, default=None)
    if best is None or best[0] > allowed_db * (1 + 1e-9):
        return ()
    taken = set(variant.eff.items) | set(variant.eff.links)
    for other in context.design.sheets.values():
        taken |= set(other.items) | set(other.links)
    adapter = next(f"adapter{n}" for n in range(len(taken) + 1) if f"adapter{n}" not in taken)
    retimer = next(f"retimer{n}" for n in range(len(taken) + 1) if f"retimer{n}" not in taken)
    lower, side = (link.b, "b") if _a_is_upper(view, link) else (link.a, "a")
    return (
        context.edit("add_item", sheet, part=ADAPTER, item=adapter),
        context.edit("add_item", sheet, part=RETIMER, item=retimer, seat=f"{adapter}:s1", config={"mode": "1x16"}),
        context.edit("set_link", sheet, link=element.name, length_m=best[1], **{side: f"{adapter}:up"}),
        context.edit("connect", sheet, a=f"{retimer}:d1", b=lower, medium="pcie", cable=link.cable, length_m=best[2]),
    )


def _plugs(part: Part) -> tuple[object, ...]:
    return tuple((part.word(f"end_{side}"), part.get(f"end_count_{side}", 1)) for side in "ab")


def _mcio_pair(part: Part) -> bool:
    return _plugs(part) == (("MCIO-8i", 2.0), ("MCIO-8i", 2.0))


def _a_is_upper(view: ServerView, link: Link) -> bool:
    """Whether end a of a PCIe cable is the one nearer to the processor."""
    if link.a in view.eff.slots or link.b in view.eff.slots:
        return link.b in view.eff.slots
    feed = view.tree.feeds.get(split_end(link.b)[0])
    return feed is not None and split_end(feed.parent)[0] == split_end(link.a)[0]
