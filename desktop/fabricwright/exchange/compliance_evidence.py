"""Evidence for statements whose rules speak only when something is wrong: what the drawing says about them anyway."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from fabricwright.catalog.parts import Port
from fabricwright.design.effective import EffItem
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric import levels
from fabricwright.rules.nic_claims import cage_gbps, net_ports
from fabricwright.rules.statements import Held, meant
from fabricwright.units.text import Message, msg


@dataclass(frozen=True, slots=True)
class Evidence:
    """``holds`` None where the drawing only gives the figure and a rule decides; ``in_part`` where a statement is
    right about one thing and not about another.
    """

    holds: bool | None
    text: Message
    in_part: bool = False


Source = Callable[[RuleContext, Held], Iterator[Evidence]]


def _items(context: RuleContext, statement: Held, *kinds: str) -> Iterator[EffItem]:
    seen: set[tuple[str, str]] = set()
    for place in meant(context, statement):
        item = place.variant.eff.items.get(place.item)
        if item is not None and (not kinds or item.kind in kinds) and (item.id, item.of) not in seen:
            seen.add((item.id, item.of))
            yield item


def _one_flow(context: RuleContext, statement: Held) -> Iterator[Evidence]:
    value = statement.number or 0.0
    for item in _items(context, statement, "nic"):
        ports = net_ports(item.ports)
        if ports:
            fast = max(port.gbps for port in ports.values())
            text = msg("One flow on {nic} has one port of {port} Gb/s.", nic=item_label(item), port=fast)
            yield Evidence(value <= fast * 1.005, text)


def _fan_out(context: RuleContext, statement: Held) -> Iterator[Evidence]:
    value = statement.number or 0.0
    for item in _items(context, statement):
        up = sum(p.lanes for p in item.ports.values() if p.role == "up")
        down = sum(p.lanes for p in item.ports.values() if p.role == "down")
        if up and down:
            text = msg(
                "{card}: {down} lanes down, {up} up, {ratio}:1.",
                card=item_label(item),
                down=down,
                up=up,
                ratio=down / up,
            )
            yield Evidence(abs(down / up - value) < 0.01, text)


def _mode(context: RuleContext, statement: Held) -> Iterator[Evidence]:
    for item in _items(context, statement):
        mode = str(item.config.get("mode") or (item.part.default_mode if item.part is not None else ""))
        if mode:
            text = msg("{card} is drawn in mode {mode}.", card=item_label(item), mode=mode)
            yield Evidence(mode == str(statement.row.value).strip(), text)


def _oversubscription(context: RuleContext, statement: Held) -> Iterator[Evidence]:
    value = statement.number or 0.0
    for level in levels(context):
        if statement.scope == "address" and statement.address.item != level.item:
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(level.up > 0, level.down / level.up, 0.0)
        worst = float(ratio.max(initial=0.0))
        if worst > 0:
            yield Evidence(worst <= value * 1.001, msg("{leaf}: {ratio}:1 at most.", leaf=level.item, ratio=worst))


def _downlink(context: RuleContext, statement: Held) -> Iterator[Evidence]:
    """Rate of the ports of a leaf that servers are cabled to, and of the cages they are in."""
    value = statement.number or 0.0
    item = context.root.items.get(statement.address.item) if statement.scope == "address" else None
    if item is None or item.part is None:
        return
    fabric, servers = context.fabric(), {v.item for v in context.variants()}
    for k, bundle in enumerate(fabric.bundles):
        far = {bundle.a_item: bundle.b_item, bundle.b_item: bundle.a_item}.get(item.id)
        rates = fabric.rate[(fabric.bundle == k) & (fabric.rate > 0)] * 8e-9
        if far not in servers or not len(rates):
            continue
        port = float(rates.max())
        names = bundle.a_ports if bundle.a_item == item.id else bundle.b_ports
        cages = {item.ports[n].cage for n in names if n in item.ports}
        own = [item.part.cages[c] for c in cages if c in item.part.cages]
        cage = max((cage_gbps(c.type) for c in own), default=0.0)
        words = {"leaf": item_label(item), "port": port, "cage": cage}
        if abs(port - value) < 0.01 * value:
            yield Evidence(True, msg("{leaf}: downlinks of {port} Gb/s.", **words))
        elif cage >= value:
            text = msg("{leaf}: cages of {cage} Gb/s, split: every downlink has {port} Gb/s.", **words)
            yield Evidence(None, text, True)
        else:
            yield Evidence(False, msg("{leaf}: downlinks of {port} Gb/s.", **words))


def _lossless(context: RuleContext, statement: Held) -> Iterator[Evidence]:
    value = context.design.settings.get("lossless")
    if value is not None:
        on = value is True or str(value).lower() in ("on", "true", "yes", "1")
        text = (
            msg("The design is set to a lossless network; PFC and ECN of switches and NICs are not checked yet.")
            if on
            else msg("The design is set to a network that drops packets.")
        )
        yield Evidence(None if on else statement.row.value is not True, text)


def _external(context: RuleContext, statement: Held) -> Iterator[Evidence]:
    for item in _items(context, statement):
        connectors = sorted({_plugs(p) for p in item.ports.values() if p.connector})
        if connectors:
            text = msg("{card} has connectors {connectors}.", card=item_label(item), connectors=connectors)
            yield Evidence(None, text)


def _plugs(port: Port) -> str:
    """``2 x MCIO-8i``: the cable connectors of one port."""
    return f"{port.connectors} x {port.connector}" if port.connectors > 1 else port.connector


SOURCES: Mapping[str, Source] = {
    "flow.single_gbps": _one_flow,
    "switch_card.fanout": _fan_out,
    "switch_card.modes": _mode,
    "leaf.oversubscription": _oversubscription,
    "leaf.down_gbps": _downlink,
    "network.lossless": _lossless,
    "card.feeds_outside": _external,
}
"""Quantity -> where its evidence comes from."""
