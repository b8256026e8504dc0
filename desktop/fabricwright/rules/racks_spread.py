"""The fix "spread": seat fewer members of one item per rack, where enough racks are drawn for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from fabricwright.design.address import split_end
from fabricwright.design.calls import EditCall
from fabricwright.rules.context import RuleContext
from fabricwright.topology.racks import RackLoads, rack_loads
from fabricwright.topology.seating import places_of
from fabricwright.topology.wiring import product

LIMIT_OF = {"units": ("u", 1.0), "weight_kg": ("static_kg", 1.0), "power_w": ("feed_kw", 1e3)}
"""Quantity -> (its limit, units of the quantity in one of the limit)."""


def spread(context: RuleContext, loads: RackLoads, rack: int, quantity: str) -> tuple[EditCall, ...]:
    """Fewer per rack of the item that weighs most in ``rack``, as many as the limits of all racks allow; nothing where
    the racks run out, members stand by hand, or a cable of a chosen part would have to become longer.
    """
    sheet = context.design.sheets[context.design.root]
    here = [c for c in loads.contents.values() if c.count[rack] > 1]
    if not here:
        return ()
    item = max(here, key=lambda c: float(c.count[rack]) * c.each[quantity]).item
    seat = sheet.seats.get(item)
    if seat is None or len(seat.except_) or not _may_move(context, item):
        return ()
    count = product(context.root.items[item].axes)
    for per_rack in range(seat.per_rack - 1, 0, -1):
        last = seat.first + seat.stride * ((count - 1) // per_rack)
        if not 0 <= last < loads.n:
            return ()
        moved = dataclasses.replace(seat, per_rack=per_rack)
        new = dataclasses.replace(sheet, seats=sheet.seats.put(item, moved))
        design = dataclasses.replace(context.design, sheets=context.design.sheets.put(context.design.root, new))
        every = rack_loads(context.project, design, context.root, places_of(context.project, design, context.root))
        if _within(every):
            return (
                context.edit(
                    "set_seating",
                    context.design.root,
                    item=item,
                    racks=seat.racks,
                    first=seat.first,
                    stride=seat.stride,
                    per_rack=per_rack,
                    u=seat.u,
                ),
            )
    return ()


def _may_move(context: RuleContext, item: str) -> bool:
    """Whether every cable at the item is chosen by its length or has a length of its own."""
    return all(
        link.length_m is not None or link.cable in ("", "auto")
        for link in context.root.links.values()
        if item in (split_end(link.a)[0].partition("/")[0], split_end(link.b)[0].partition("/")[0])
    )


def _within(every: Mapping[str, RackLoads]) -> bool:
    """Whether no rack of any rack item is over a limit."""
    for loads in every.values():
        room = loads.limits["u"].value
        if bool(((room > 0) & (loads.top_u > room)).any()):
            return False
        for quantity, (limit, scale) in (*LIMIT_OF.items(), ("power_w", ("cooling_kw", 1e3))):
            most = loads.limits[limit].value * scale
            if bool(((most > 0) & (loads.total[quantity] > most + 1e-6)).any()):
                return False
    return True
