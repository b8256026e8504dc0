"""The power budget at the foot of a server sheet: what draws how much, and what the supplies carry. No Qt."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffSheet
from fabricwright.topology.server_power import Supply, host_of, item_w, supplies
from fabricwright.ui.canvas.server_figures import SHARE_TOKENS, ServerFacts, kind_word
from fabricwright.ui.paint.scene import Card, LaneBar, Share, Style
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

POWER_ID = "~power"
#: A share below this part of the load is told with the rest.
LEAST = 0.03


def power_card(eff: EffSheet, parts: Table[Part], fitted: Mapping[str, object], facts: ServerFacts) -> Card | None:
    """Load of the chassis by kind of part, in kW; None without a chassis."""
    supply = next((s for s in supplies(eff, parts, fitted) if s.host == "chassis"), None)
    if supply is None or supply.load_w <= 0:
        return None
    by_kind: dict[str, float] = {}
    for item in eff.items.values():
        if item.kind != "external-box" and host_of(eff, item) == "chassis":
            by_kind[item.kind] = by_kind.get(item.kind, 0.0) + item_w(item)
    rows = [(kind, watts) for kind, watts in by_kind.items() if watts >= LEAST * supply.load_w]
    rows.sort(key=lambda row: (-row[1], row[0]))
    rows = rows[:4]
    told = sum(watts for _kind, watts in rows)
    # A maximum that the maker states may be less than the sum of what is drawn: the shares shrink to it.
    scale = min(1.0, supply.load_w / told) if told else 1.0
    shares = [
        Share(facts.text(_word(kind)), _kw(watts * scale), SHARE_TOKENS.get(kind, "text.3")) for kind, watts in rows
    ]
    rest = supply.load_w - told * scale
    if rest >= LEAST * supply.load_w:
        shares.append(Share(facts.text(msg("rest")), _kw(rest), "border.strong"))
    return Card(POWER_ID, Style.POWER, titles=(facts.text(msg("Power")),), lanes=_bar(supply, tuple(shares), facts))


def _word(kind: str) -> Message:
    return msg("CPU") if kind == "cpu" else kind_word(kind)


def _kw(watts: float) -> float:
    return round(watts / 1000, 2)


def _bar(supply: Supply, shares: tuple[Share, ...], facts: ServerFacts) -> LaneBar:
    load, limit = f"{supply.load_w / 1000:.2f}", f"{supply.usable_w / 1000:.2f}"
    if not supply.usable_w:
        figure, state = msg("{load} kW", load=load), "plain"
    else:
        figure = msg("{load} of {limit} kW", load=load, limit=limit)
        state = "error" if supply.load_w > supply.usable_w else "plain"
    return LaneBar(shares, supply.usable_w / 1000, facts.text(figure), state, facts.text(msg("Power")))


def with_pending(card: Card, kind: str, power_w: tuple[float, float], lang: str) -> Card:
    """The card with what a part on the mouse would draw, ``power_w`` before and after."""
    before_w, after_w = power_w
    if card.lanes is None or before_w == after_w:
        return card
    limit = card.lanes.total
    state = "error" if limit and after_w / 1000 > limit else "ok"
    share = Share(_word(kind).text(lang), _kw(after_w - before_w), SHARE_TOKENS.get(kind, "text.3"), state)
    figure = f"{before_w / 1000:.2f} → {after_w / 1000:.2f}"
    tail = msg("{load} kW", load=figure)
    if limit:
        tail = msg("{change} of {limit} kW", change=figure, limit=f"{limit:.2f}")
    lanes = dataclasses.replace(card.lanes, shares=(*card.lanes.shares, share), figure=tail.text(lang), state=state)
    return dataclasses.replace(card, lanes=lanes)
