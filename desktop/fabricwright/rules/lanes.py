"""LAN: lanes of processors, slots and switch cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import mode_of, ports_of
from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.effective import EffItem
from fabricwright.rules.card import item_label, label
from fabricwright.rules.card_findings import ask_cards, finding_of
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.least_link import too_narrow
from fabricwright.rules.pcie_path import DeviceLink, ServerView, device_link, server_view, socket_lanes
from fabricwright.rules.predicates import can_be_plugged, lanes_reason, narrower, slot_assumed, slower
from fabricwright.rules.reason import Reason
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import at_item, held
from fabricwright.topology.pcie_tree import TREE_MEDIA
from fabricwright.units.text import N_, msg

CARRIERS = ("retimer", "riser", "backplane", "connector", "external-box")
"""Kinds that pass lanes on and use none."""


@rule(
    "LAN-01",
    "error",
    needs=("effective",),
    group="lanes & generation",
    subject="server",
    direction="up",
    title=N_("More lanes than the processor has"),
    checks=N_("The lanes of all root ports in use do not exceed what the processor offers in this board."),
    reason=N_(
        "A root port exists only where the processor has pins for it; links between sockets may take some of them."
    ),
    source="sth_lanes; xeon6",
)
def lan_01(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for use in socket_lanes(view):
        if use.available and use.assigned > use.available:
            reason = lanes_reason(use.cpu, use.assigned, use.available, use.estimate)
            yield finding_of(context, variant, (variant.at(use.cpu),), reason)


def _losses(
    judge: Callable[[str, DeviceLink], Reason | None],
) -> Callable[[ServerView, EffItem], Reason | None]:
    """Ask of the link of every device that is plugged in; what only carries lanes loses none of its own."""

    def question(view: ServerView, item: EffItem) -> Reason | None:
        link = device_link(view, item.id)
        if link is None or item.kind in CARRIERS or not can_be_plugged(view, item):
            return None
        return _guessed_with_slot(view, item, judge(label(item.part) or item.id, link))

    return question


def _guessed_with_slot(view: ServerView, item: EffItem, reason: Reason | None) -> Reason | None:
    return reason and replace(reason, estimate=slot_assumed(view, item.seat))


@rule(
    "LAN-03",
    "warning",
    needs=("effective",),
    group="lanes & generation",
    subject="slot, card",
    direction="down",
    title=N_("Slower generation than the card"),
    checks=N_("Slot, cable, retimers and ports on the link are of the card's generation, as drawn."),
    reason=N_("A link trains to the oldest of what it passes; each generation back halves the rate."),
    source="pcie table",
)
def lan_03(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from ask_cards(context, variant, _losses(slower))


@rule(
    "LAN-04",
    "warning",
    needs=("effective",),
    group="lanes & generation",
    subject="slot, card",
    direction="down",
    title=N_("Fewer lanes than the card"),
    checks=N_("Slot, cable, retimers and ports on the link have as many lanes as the card, as drawn."),
    reason=N_("A link trains to the narrowest of what it passes."),
    source="pcie table",
)
def lan_04(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from ask_cards(context, variant, _losses(narrower))


@rule(
    "LAN-07",
    "error",
    needs=("effective", "statements"),
    group="lanes & generation",
    subject="switch card",
    direction="up",
    title=N_("Modes of a switch card that exclude each other"),
    checks=N_("The ports in use, and the modes that statements claim, are those of one mode of the card."),
    reason=N_("A switch card has one set of downstream lanes; each mode is another way to deal them out."),
    source="seedB SD04",
)
def lan_07(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    claimed = _claimed_modes(context, variant)
    asked = _asked_ports(variant)
    for item_id in sorted(variant.eff.items):
        item = variant.eff.items[item_id]
        part = item.part
        if part is None or part.kind not in ("pcie-switch-card", "retimer") or not part.modes:
            continue
        mode = mode_of(part, item.config)
        ports = item.ports
        used = sum(ports[p].lanes for p in asked.get(item_id, ()) if p in ports and ports[p].role == "down")
        modes = [mode]
        for port in asked.get(item_id, ()):
            if port not in ports:
                other = _mode_with(part, port)
                if other:
                    modes.append(other)
                    used += ports_of(part, {"mode": other})[port].lanes
        stated = [m for m in claimed.get(item_id, []) if m in part.modes]
        total = int(part.get("downstream_lanes")) or _mode_lanes(part, mode)
        if len(set(stated)) > 1:
            modes = list(dict.fromkeys([*stated, *modes[1:]]))
            used = max(used, sum(_mode_lanes(part, m) for m in modes))
        if len(set(modes)) < 2 and used <= total:
            continue
        yield context.finding(
            (variant.at(item_id),),
            msg(
                "{card}: {used} of {total} lanes asked; the modes {modes} exclude each other.",
                card=item_label(item),
                used=used,
                total=total,
                modes=list(dict.fromkeys(modes)),
            ),
            variant=variant,
            measured=float(used),
            allowed=float(total),
            unit="lanes",
            values={"modes": list(dict.fromkeys(modes))},
            estimate=part.confidence != "read",
        )


def _claimed_modes(context: RuleContext, variant: Variant) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    if context.project.statements:
        for statement in held(context.project, "switch_card.modes"):
            found = at_item(context, statement, variant)
            if found is not None:
                out.setdefault(found[0], []).extend(m.strip() for m in str(statement.row.value).split(","))
    return out


def _asked_ports(variant: Variant) -> dict[str, list[str]]:
    """Ports that drawn PCIe links name, by item."""
    out: dict[str, list[str]] = {}
    for link in variant.eff.links.values():
        if link.medium in TREE_MEDIA:
            for end in (link.a, link.b):
                owner, ports = split_end(end)
                if end not in variant.eff.slots:
                    out.setdefault(owner, []).extend(expand_ports(ports))
    return out


def _mode_with(part: Part, port: str) -> str:
    """The mode with the fewest ports that has this port; "" when no mode has it."""
    having = [m for m in part.modes if port in part.modes[m].ports]
    return min(having, key=lambda m: (len(part.modes[m].ports), m)) if having else ""


def _mode_lanes(part: Part, mode: str) -> int:
    return sum(p.lanes for p in ports_of(part, {"mode": mode}).values() if p.role == "down")


@rule(
    "LAN-16",
    "error",
    needs=("effective",),
    group="lanes & generation",
    subject="slot, card",
    direction="down",
    title=N_("Link too narrow for the card"),
    checks=N_(
        "The link has the lanes that the card needs at least, and carries half of the card's fastest port or more."
    ),
    reason=N_("Below its least width a card does not work; with less than half a port's rate it is of no use."),
    source="C025 (from field cases)",
)
def lan_16(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    yield from ask_cards(context, variant, _useless)


def _useless(view: ServerView, item: EffItem) -> Reason | None:
    link = device_link(view, item.id)
    if link is None or item.part is None or not can_be_plugged(view, item):
        return None
    return _guessed_with_slot(view, item, too_narrow(item.part, item.ports, link))


def is_switch(item: EffItem) -> bool:
    """A PCIe switch: a chip, a partition of one, or a card."""
    return item.kind in ("pcie-switch", "pcie-switch-card")
