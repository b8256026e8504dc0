"""MEC-10, MEC-11, PWR-05, PWR-06, PWR-08, PWR-10: does what is seated fit the racks, and is it fed and cooled?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.address import Address, Step
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.design.indexset import IndexSet
from fabricwright.design.options import stated
from fabricwright.rules.card import label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.racks_spread import spread
from fabricwright.rules.registry import rule
from fabricwright.topology.racks import Bool, RackLoads, rack_loads
from fabricwright.topology.wiring import absent_members, member_set
from fabricwright.units.text import N_, Message, msg

# Cooling that a rack of this draw is built with: the racks of the catalogue (engineering knowledge, EK).
AIR_KW, CONTAINED_KW, REAR_DOOR_KW = 20.0, 40.0, 60.0


def loads_of(context: RuleContext) -> list[RackLoads]:
    """Loads of every rack item with something in it; computed once for all rules of a run."""
    found = context.shared("rack loads")
    if found is None:
        every = rack_loads(context.project, context.design, context.root, context.seating())
        found = [loads for loads in every.values() if loads.used.any()]
        context.share("rack loads", found)
    assert isinstance(found, list)
    return found


def contents(loads: RackLoads, rack: int) -> list[str]:
    """What stands in one rack, with watts: ``4 x 10.2 kW`` per item, the largest first."""
    here = [c for c in loads.contents.values() if c.count[rack]]
    here.sort(key=lambda c: (-float(c.power_w[rack]), c.item))
    return [
        f"{c.item}: {c.count[rack]} x {float(c.power_w[rack]) / int(c.count[rack]) / 1e3:.4g} kW"
        for c in here
        if c.power_w[rack]
    ]


def _members(loads: RackLoads, mask: Bool) -> IndexSet:
    return IndexSet.of_array(np.flatnonzero(mask)) if loads.n > 1 else IndexSet()


def _rack(loads: RackLoads, rack: int) -> str:
    return f"{loads.racks}[{rack}]" if loads.n > 1 else loads.racks


def _at(item: str) -> Address:
    return Address((Step(item),))


def _worst(over: Bool, excess: NDArray[np.float64]) -> int:
    return int(np.argmax(np.where(over, excess, -np.inf)))


@rule(
    "MEC-10",
    "error",
    needs=("effective", "seating"),
    scope="design",
    group="mechanical",
    subject="rack",
    direction="up",
    title=N_("Rack overfilled"),
    checks=N_(
        "What is seated in a rack takes no more units than the rack has, ends below its top, and is not deeper than it."
    ),
    reason=N_("What does not fit needs another rack, and cables, feeds and floor space with it."),
    source="EK",
)
def mec_10(context: RuleContext) -> Iterator[Finding]:
    for loads in loads_of(context):
        units, room = loads.total["units"], loads.limits["u"]
        known = room.value > 0
        over = known & (units > room.value + 1e-6)
        above = known & ~over & (loads.top_u > room.value + 1e-6)
        if over.any() or above.any():
            used = np.where(over, units, loads.top_u)
            worst = _worst(over | above, used - room.value)
            template = (
                msg(
                    "Rack {rack} holds {used} U of equipment; it has {room} U.",
                    rack=_rack(loads, worst),
                    used=float(used[worst]),
                    room=float(room.value[worst]),
                )
                if over[worst]
                else msg(
                    "What is seated in rack {rack} reaches unit {used}; it has {room} U.",
                    rack=_rack(loads, worst),
                    used=int(used[worst]),
                    room=float(room.value[worst]),
                )
            )
            yield context.finding(
                (_at(loads.racks),),
                template,
                members=_members(loads, over | above),
                measured=float(used[worst]),
                allowed=float(room.value[worst]),
                unit="U",
                values={"items": {c.item: int(c.count[worst]) for c in loads.contents.values() if c.count[worst]}},
                fix=spread(context, loads, worst, "units"),
                estimate=bool(room.guessed[worst] or loads.guessed["units"][worst]),
            )
        yield from _too_deep(context, loads)


def _too_deep(context: RuleContext, loads: RackLoads) -> Iterator[Finding]:
    depth, room = loads.total["depth_mm"], loads.limits["depth_mm"]
    deep = (room.value > 0) & (depth > room.value)
    for item in dict.fromkeys(loads.deepest[r] for r in np.flatnonzero(deep)):
        mine = deep & np.array([name == item for name in loads.deepest])
        worst = _worst(mine, depth - room.value)
        yield context.finding(
            (_at(loads.racks), _at(item)),
            msg(
                "{item} is {depth} mm deep; rack {rack} takes {room} mm.",
                item=item,
                depth=float(depth[worst]),
                rack=_rack(loads, worst),
                room=float(room.value[worst]),
            ),
            members=_members(loads, mine),
            measured=float(depth[worst]),
            allowed=float(room.value[worst]),
            unit="mm",
            estimate=bool(room.guessed[worst] or loads.guessed["depth_mm"][worst]),
        )


@rule(
    "MEC-11",
    "warning",
    needs=("effective", "seating"),
    scope="design",
    group="mechanical",
    subject="rack",
    direction="up",
    title=N_("Rack too heavy"),
    checks=N_("The equipment in a rack weighs no more than the rack carries (static load)."),
    reason=N_("The posts and the floor below are rated for it."),
    source="EK",
)
def mec_11(context: RuleContext) -> Iterator[Finding]:
    yield from _over_limit(
        context,
        "weight_kg",
        "static_kg",
        "kg",
        lambda rack, weight, most, _: msg(
            "Rack {rack} carries {kg} kg of equipment; its static load is {most} kg.", rack=rack, kg=weight, most=most
        ),
    )


def _over_limit(
    context: RuleContext, quantity: str, limit: str, unit: str, words: Callable[[str, float, float, list[str]], Message]
) -> Iterator[Finding]:
    """One finding for each rack item with racks above a limit, told of its worst; ``words`` of its name, what it has,
    what it may have, and what stands in it.
    """
    for loads in loads_of(context):
        most = loads.limits[limit]
        have = loads.total[quantity] / (1e3 if unit == "kW" else 1.0)
        over = (most.value > 0) & (have > most.value + 1e-9)
        if not over.any():
            continue
        worst = _worst(over, have - most.value)
        yield context.finding(
            (_at(loads.racks),),
            words(_rack(loads, worst), float(have[worst]), float(most.value[worst]), contents(loads, worst)),
            members=_members(loads, over),
            measured=float(have[worst]),
            allowed=float(most.value[worst]),
            unit=unit,
            values={"not_weighed": int(loads.unknown[quantity][worst])} if quantity == "weight_kg" else {},
            fix=spread(context, loads, worst, quantity),
            estimate=bool(most.guessed[worst] or loads.guessed[quantity][worst]),
        )


@rule(
    "PWR-05",
    "error",
    needs=("effective", "seating"),
    scope="design",
    group="power & cooling",
    subject="rack",
    direction="up",
    title=N_("One feed cannot carry the rack"),
    checks=N_("Where feeds or PDUs of a rack are stated, one of them carries the whole rack at maximum draw."),
    reason=N_("When feed A fails, feed B carries everything, or the rack goes down."),
    source="sp_b200; sp_b300",
)
def pwr_05(context: RuleContext) -> Iterator[Finding]:
    yield from _over_limit(
        context,
        "power_w",
        "feed_kw",
        "kW",
        lambda rack, kw, cap, what: msg(
            "Rack {rack} draws {kw} kW ({what}); one feed carries {cap} kW.", rack=rack, kw=kw, what=what, cap=cap
        ),
    )


@rule(
    "PWR-06",
    "warning",
    needs=("effective", "seating"),
    scope="design",
    group="power & cooling",
    subject="rack",
    direction="up",
    title=N_("More heat than the rack is cooled for"),
    checks=N_("The maximum draw of a rack is within its cooling capacity, where one is stated."),
    reason=N_("All of the power becomes heat; above the capacity the inlet air warms up and GPUs slow down."),
    source="EK",
)
def pwr_06(context: RuleContext) -> Iterator[Finding]:
    yield from _over_limit(
        context,
        "power_w",
        "cooling_kw",
        "kW",
        lambda rack, kw, cap, what: msg(
            "Rack {rack} draws {kw} kW ({what}); its cooling capacity is {cap} kW.",
            rack=rack,
            kw=kw,
            what=what,
            cap=cap,
        ),
    )


@rule(
    "PWR-08",
    "warning",
    needs=("effective", "seating"),
    scope="design",
    group="power & cooling",
    subject="airflow",
    title=N_("Switch blows against the aisle"),
    checks=N_(
        "The airflow of a switch, as its part or the drawing states it, is that of the aisle its rack stands in."
    ),
    reason=N_("A switch that draws its air from the hot aisle runs hot and heats the cold one."),
    source="nbx; sn3000um",
)
def pwr_08(context: RuleContext) -> Iterator[Finding]:
    for item_id, place in context.seating().items():
        item, racks = context.root.items[item_id], context.root.items[place.racks]
        if item.kind != "switch":
            continue
        for kit, mine in _airflows(context, item, item.part.word("airflow") if item.part is not None else ""):
            for aisle, there in _airflows(context, racks, ""):
                if not kit or not aisle or kit == aisle:
                    continue
                seated = (place.rack >= 0) & ~absent_members(context.design, context.root, item_id, len(place.rack))
                wrong = seated & mine & there[np.maximum(place.rack, 0)]
                if not wrong.any():
                    continue
                yield context.finding(
                    (_at(item_id), _at(place.racks)),
                    msg(
                        "{switch} ({part}) blows {kit}; the aisle of {racks} runs {aisle}.",
                        switch=item_id,
                        part=label(item.part),
                        kit=_direction(kit),
                        racks=place.racks,
                        aisle=_direction(aisle),
                    ),
                    members=IndexSet.of_array(np.flatnonzero(wrong)) if len(wrong) > 1 else IndexSet(),
                    values={"switch": kit, "aisle": aisle},
                    fix=_other_kit(context, item, aisle, bool(wrong[seated].all())),
                    estimate=not stated(item.config, "airflow")
                    and item.part is not None
                    and "airflow" in item.part.figures
                    and item.part.figures["airflow"].confidence != "read",
                )


def _airflows(context: RuleContext, item: EffItem, own: str) -> Iterable[tuple[str, Bool]]:
    """(direction, which members) of a switch or rack item; "" where nobody states one."""
    n = max(1, int(np.prod([size for _, size in item.axes], dtype=np.int64)))
    words = [str(stated(item.config, "airflow") or own)]
    code = np.zeros(n, dtype=np.int32)
    row = context.group(item.id)
    for text, override in row.except_.items() if row is not None else ():
        word = stated(override.config, "airflow")
        if isinstance(word, str):
            words += [word] if word not in words else []
            for lo, hi in member_set(text, item.axes).ranges:
                code[lo : hi + 1] = words.index(word)
    return [(word, code == k) for k, word in enumerate(words)]


def _other_kit(context: RuleContext, item: EffItem, aisle: str, all_wrong: bool) -> tuple[EditCall, ...]:
    if not all_wrong:
        return ()
    return (context.edit("set_config", context.design.root, item=item.id, key="airflow", value=aisle),)


def _direction(word: str) -> Message:
    return {
        "front-to-rear": msg("front to rear"),
        "rear-to-front": msg("rear to front"),
    }.get(word, msg("{direction}", direction=word))


@rule(
    "PWR-10",
    "fact",
    needs=("effective", "seating"),
    scope="design",
    group="power & cooling",
    subject="rack",
    title=N_("Power of each rack"),
    checks=N_("Nothing: it states what the equipment of each rack draws at most, and what cooling that asks for."),
    reason=N_("Feeds, cooling and the number of racks are planned by it."),
    source="EK",
)
def pwr_10(context: RuleContext) -> Iterator[Finding]:
    for loads in loads_of(context):
        watts = loads.total["power_w"]
        shown = loads.used & (watts > 0)
        if not shown.any():
            continue
        worst = _worst(shown, watts)
        kw = float(watts[worst]) / 1e3
        partly = bool(loads.unknown["power_w"][worst])
        others = len(np.unique(watts[shown].round(3))) > 1
        text = _drawn(kw, contents(loads, worst), partly)
        if others:
            text = msg("Fullest rack of {racks}: {text}", racks=loads.racks, text=text)
        yield context.finding(
            (_at(loads.racks),),
            text,
            members=_members(loads, shown),
            measured=kw,
            unit="kW",
            values={
                "content": contents(loads, worst),
                "racks": {
                    str(IndexSet.of_array(np.flatnonzero(shown & (watts == w)))): float(w) / 1e3
                    for w in np.unique(watts[shown])
                },
            },
            estimate=partly or bool(loads.guessed["power_w"][worst]),
        )


def _drawn(kw: float, what: list[str], partly: bool) -> Message:
    if partly:
        return msg(
            "At least {kw} kW per rack ({what}); not every part states its draw. {cooling}",
            kw=kw,
            what=what,
            cooling=_cooling(kw),
        )
    return msg("{kw} kW per rack ({what}). {cooling}", kw=kw, what=what, cooling=_cooling(kw))


def _cooling(kw: float) -> Message:
    """The class of cooling, as the catalogue's racks are built for it."""
    if kw <= AIR_KW:
        return msg("Air cooling.")
    if kw <= CONTAINED_KW:
        return msg("Air with a contained aisle, or a rear-door heat exchanger.")
    if kw <= REAR_DOOR_KW:
        return msg("Rear-door heat exchanger or liquid.")
    return msg("Direct liquid cooling.")
