"""MEC-07, MEC-08, MEC-09, MEC-13: what a server's bays, risers, vendor maxima and bridges allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fabricwright.design.address import split_end
from fabricwright.design.effective import EffItem, stated_at
from fabricwright.design.stated_slots import number_of
from fabricwright.design.values import Link
from fabricwright.rules.card import Card, card_of_item
from fabricwright.rules.card_findings import Question, ask_cards, finding_of, unmended
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.mechanical_fit import MAXIMA, above_maximum, counted, no_bay, riser_too_old
from fabricwright.rules.moves import link_sheet
from fabricwright.rules.pcie_path import ServerView
from fabricwright.rules.reason import Reason
from fabricwright.rules.registry import rule
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

SLOT_PITCH_MM = 20.32  # PCIe CEM (catalogue table ``cem``)
BRIDGE_ROOM_MM = 5.0  # what a bridge needs above its seat (rule book, from field case C072)


@rule(
    "MEC-07",
    "error",
    needs=("effective",),
    group="mechanical",
    subject="cxl, server",
    direction="up",
    title=N_("No E3.S bay for the CXL module"),
    checks=N_("A CXL module in E3.S form has an E3.S bay with CXL in its server."),
    reason=N_("E3.S modules go into a front bay that is wired for CXL; an edge slot takes add-in cards only."),
    source="cz120; memxref",
)
def mec_07(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from ask_cards(context, variant, _of_card(no_bay), unmended)


def _of_card(judge: Callable[[ServerView, Card, str], Reason | None]) -> Question:
    def question(view: ServerView, item: EffItem) -> Reason | None:
        card = card_of_item(item)
        return judge(view, card, item.seat) if card is not None else None

    return question


@rule(
    "MEC-08",
    "warning",
    needs=("effective",),
    group="mechanical",
    subject="riser, card",
    direction="down",
    title=N_("Riser older than the card"),
    checks=N_("A card sits on a riser of its own PCIe generation or a newer one."),
    reason=N_("Vendors sell risers by generation; an older riser takes only cards of its own generation."),
    source="lenovo",
)
def mec_08(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from ask_cards(context, variant, _of_card(riser_too_old))


@rule(
    "MEC-09",
    "warning",
    needs=("effective",),
    group="mechanical",
    subject="server, card",
    direction="up",
    title=N_("More cards of a kind than the vendor admits"),
    checks=N_("Double-wide GPUs, DPUs and retimer cards in a server are within the maxima of its vendor."),
    reason=N_("Vendors qualify power, airflow and cabling for that many; more may fit and are still not supported."),
    source="lenovo",
)
def mec_09(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    for key, counts, _ in MAXIMA:
        cards = counted(variant.eff, counts)
        reason = above_maximum(variant.eff, key, len(cards))
        if reason is not None:
            at = [variant.at(i.id) for i in sorted(cards, key=lambda i: natural_key(i.id))]
            yield finding_of(context, variant, at, reason)


@rule(
    "MEC-13",
    "warning",
    needs=("effective",),
    group="mechanical",
    subject="gpu, bridge",
    direction="up",
    title=N_("NVLink bridge cannot seat"),
    checks=N_(
        "An NVLink bridge spans as many slots as its cards are apart, and nothing stands in its way above the seat."
    ),
    reason=N_("A bridge that is not fully seated makes the link unstable: state calls hang, and jobs with them."),
    source="C072",
)
def mec_13(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    for link_id in sorted(variant.eff.links, key=natural_key):
        link = variant.eff.links[link_id]
        ends = [variant.eff.items.get(split_end(end)[0]) for end in (link.a, link.b)]
        a, b = ends
        if link.medium != "nvlink" or a is None or b is None or a.kind != "gpu" or b.kind != "gpu":
            continue
        yield from _wrong_span(context, variant, link_id, link, a, b)
        yield from _in_the_way(context, variant, link_id, a, b)


def _wrong_span(
    context: RuleContext, variant: Variant, link_id: str, link: Link, a: EffItem, b: EffItem
) -> Iterator[Finding]:
    own = link.config.get("bridge_slots")
    said = isinstance(own, (int, float)) and not isinstance(own, bool)
    part = context.project.parts.get(link.cable)
    span = float(own) if said else part.get("span_slots") if part is not None else 0.0  # type: ignore[arg-type]
    apart_mm = _distance_mm(variant, a.seat, b.seat)
    if not span or not apart_mm:
        return
    short = abs(apart_mm - span * SLOT_PITCH_MM)
    if short < SLOT_PITCH_MM / 4:  # pitches are stated in round millimetres
        return
    apart = apart_mm / SLOT_PITCH_MM
    whole = round(apart)
    yield context.finding(
        (variant.at(a.id), variant.at(b.id)),
        msg(
            "The bridge between {a} and {b} spans {span} slots; the cards are {apart} apart ({short} mm off).",
            a=a.id,
            b=b.id,
            span=span,
            apart=round(apart, 2),
            short=round(short, 1),
        ),
        variant=variant,
        measured=apart,
        allowed=span,
        unit="slots",
        values={"link": link_id, "apart_mm": apart_mm, "off_mm": short},
        fix=(
            context.edit(
                "set_link", link_sheet(context, variant.sheet, link_id), link=link_id, config={"bridge_slots": whole}
            ),
        )
        if said and abs(apart - whole) < 0.25
        else (),
        estimate=not said and part is not None and part.figures["span_slots"].confidence != "read",
    )


def _distance_mm(variant: Variant, a: str, b: str) -> float:
    """From slot to slot by the stated pitches of every slot on the way, 0 when one is not stated."""
    owner = a.partition(":")[0]
    if not a or a == b or b.partition(":")[0] != owner:
        return 0.0
    row = sorted((s for s in variant.eff.slots if s.partition(":")[0] == owner), key=natural_key)
    if a not in row or b not in row:
        return 0.0
    kind = variant.eff.slots[a].kind
    first, last = sorted((row.index(a), row.index(b)))
    total = 0.0
    for seat in row[first:last]:
        if variant.eff.slots[seat].kind != kind:
            continue
        pitch = number_of(stated_at(variant.eff, seat), "pitch_mm")
        if not pitch:
            return 0.0
        total += pitch
    return total


def _in_the_way(context: RuleContext, variant: Variant, link_id: str, a: EffItem, b: EffItem) -> Iterator[Finding]:
    """The taller of the two coolers, or the smaller room, decides."""
    blocked: list[tuple[float, EffItem]] = []
    for item in (a, b):
        high, room = _millimetres(item, "cooler_height_mm"), _millimetres(item, "bridge_room_mm")
        if high is not None and high > 0:
            blocked.append((high, item))
        elif room is not None and room < BRIDGE_ROOM_MM:
            blocked.append((BRIDGE_ROOM_MM - room, item))
    if not blocked:
        return
    short, item = max(blocked, key=lambda pair: pair[0])
    yield context.finding(
        (variant.at(item.id), variant.at(b.id if item is a else a.id)),
        msg(
            "The bridge between {a} and {b} cannot seat: card and cooler of {item} leave it {short} mm short.",
            a=a.id,
            b=b.id,
            item=item.id,
            short=round(short, 1),
        ),
        variant=variant,
        measured=short,
        allowed=0.0,
        unit="mm",
        values={"link": link_id},
    )


def _millimetres(item: EffItem, key: str) -> float | None:
    value = item.config.get(key)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
