"""PWR-07: watts of transceivers and cable plugs, held against what a cage of the switch feeds and cools."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.address import Address, Step
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem, part_of
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Link
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.topology.cable_fit import PortCage, plug_fits
from fabricwright.topology.cables import BundleCables
from fabricwright.topology.model import F64, Bundle
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record
from fabricwright.units.text import N_, msg

SAME = ("form", "gbps", "lane_gbps", "fibre", "connector", "ports_per_module", "talks_to", "side")
"""What a transceiver must share with the one it replaces."""


@record
class _End:
    """One end of a link at a switch: columns of the bundle's rows, the cages behind its ports."""

    side: str
    item: EffItem
    column: int
    ports: tuple[str, ...]
    cages: tuple[PortCage, ...]


@rule(
    "PWR-07",
    "warning",
    needs=("root", "wiring", "cables"),
    scope="design",
    group="power & cooling",
    subject="switch",
    direction="up",
    title=N_("Module draws more than the port admits"),
    checks=N_("A transceiver or cable plug draws no more than its cage of the switch admits."),
    reason=N_("A switch refuses to enable a module above its class, or runs hot; some admit more in a few cages only."),
    source="sn5k; th5",
)
def pwr_07(context: RuleContext) -> Iterator[Finding]:
    for link_id, bundle in context.bundles().items():
        link = context.root.links.get(link_id)
        limited = [side for side, item in (("a", bundle.a_item), ("b", bundle.b_item)) if _limits(context, item)]
        if link is None or not limited or not len(bundle.rows):
            continue
        laid = context.cables().get(link_id)  # opened only where a switch states what its cages admit
        if laid is None:
            continue
        for side in limited:
            yield from _hot(context, link_id, link, bundle, laid, _end(context, bundle, laid, side))


def _limits(context: RuleContext, item_id: str) -> bool:
    item = context.root.items.get(item_id)
    return item is not None and item.kind == "switch" and item.part is not None and item.part.get("module_power_w") > 0


def _end(context: RuleContext, bundle: Bundle, laid: BundleCables, side: str) -> _End:
    if side == "a":
        return _End(side, context.root.items[bundle.a_item], 0, bundle.a_ports, laid.a_cages)
    return _End(side, context.root.items[bundle.b_item], 2, bundle.b_ports, laid.b_cages)


def _hot(
    context: RuleContext, link_id: str, link: Link, bundle: Bundle, laid: BundleCables, end: _End
) -> Iterator[Finding]:
    part = end.item.part
    assert part is not None
    at = np.flatnonzero((laid.cable >= 0) & (bundle.rows[:, end.column] >= 0) & (bundle.rows[:, end.column + 1] >= 0))
    port = bundle.rows[at, end.column + 1]
    limit = np.array([cage_limit_w(part, c.cage) for c in end.cages])[port]
    optic = _optic(context, link, end.side)
    if optic is not None:
        watts: F64 = np.full(len(at), optic.get("power_w"))
    else:
        watts = _plug_watts(context, laid, end)[laid.part[laid.cable[at]], port]
    over = (limit > 0) & (watts > limit)
    if not over.any():
        return
    worst = int(np.argmax(np.where(over, watts - limit, -np.inf)))
    module = optic or _cable(context, laid, int(laid.part[laid.cable[at[worst]]]))
    cages = sorted({end.cages[p].cage for p in np.unique(port[over])}, key=natural_key)
    members = np.unique(bundle.rows[at[over], end.column])
    yield context.finding(
        (Address((Step(end.item.id),)), Address((Step(link_id),))),
        msg(
            "{module} draws {watts} W in cage {cage} of {switch} ({part}), which admits {limit} W.",
            module=(module.model or module.name()) if module is not None else link_id,
            watts=float(watts[worst]),
            cage=end.cages[int(port[worst])].cage,
            switch=end.item.id,
            part=part.model or part.name(),
            limit=float(limit[worst]),
        ),
        members=IndexSet.of_array(members) if end.item.axes else IndexSet(),
        measured=float(watts[worst]),
        allowed=float(limit[worst]),
        unit="W",
        values={"cages": cages, "link": link_id},
        fix=_cooler_module(context, link_id, link, end.side, optic, float(limit[over].min())),
        estimate=_guessed(part, "module_power_w") or (module is not None and _guessed(module, "power_w", "power_w_a")),
    )


def cage_limit_w(part: Part, cage: str) -> float:
    """Watts that a cage of a switch admits, 0 where its part states none."""
    figure = part.figures.get("module_power_high_cages")
    if figure is not None and isinstance(figure.value, tuple) and cage in {str(v) for v in figure.value}:
        return part.get("module_power_high_w") or part.get("module_power_w")
    return part.get("module_power_w")


def _optic(context: RuleContext, link: Link, side: str) -> Part | None:
    named = [*link.optics, None, None]
    name = named[0] if side == "a" else named[1]
    return context.project.parts.get(name) if name else None


def _cable(context: RuleContext, laid: BundleCables, index: int) -> Part | None:
    if index < 0:
        return None
    name = laid.parts[index]
    return part_of(context.project, name) or (catalogue().get(name) if name in catalogue() else None)


def _plug_watts(context: RuleContext, laid: BundleCables, end: _End) -> F64:
    """(parts + 1, ports): watts of the plug at this end for each cable part and port; the last row, for index -1, is 0.

    A straight cable may be turned: where either end fits the cage, the cooler one counts.
    """
    out = np.zeros((len(laid.parts) + 1, len(end.cages)))
    types = [c.type for c in end.cages]
    for index in range(len(laid.parts)):
        part = _cable(context, laid, index)
        if part is None:
            continue
        first, second = part.get("power_w_a"), part.get("power_w_b")
        for kind in set(types):
            if laid.trunk:
                value = first if laid.trunk == end.side else second
            else:
                value = min([w for w, e in ((first, "a"), (second, "b")) if plug_fits(part, e, kind)], default=0.0)
            out[index, [n for n, t in enumerate(types) if t == kind]] = value
    return out


def _cooler_module(
    context: RuleContext, link_id: str, link: Link, side: str, optic: Part | None, limit: float
) -> tuple[EditCall, ...]:
    """The same kind of transceiver within the limit, which reaches as far; nothing when the catalogue has none."""
    if optic is None:
        return ()
    fitting = [
        (part.get("power_w"), name)
        for name in catalogue().kinds().get("optic", ())
        if (part := part_of(context.project, name) or catalogue().get(name)).get("power_w")
        and part.get("power_w") <= limit
        and part.get("max_m") >= optic.get("max_m")
        and all(_value(part, f) == _value(optic, f) for f in SAME)
    ]
    if not fitting:
        return ()
    new = [*link.optics, None, None][:2]
    new[0 if side == "a" else 1] = min(fitting)[1]
    return (context.edit("set_link", context.design.root, link=link_id, optics=new),)


def _value(part: Part, figure: str) -> object:
    return part.figures[figure].value if figure in part.figures else None


def _guessed(part: Part, *figures: str) -> bool:
    return any(f in part.figures and part.figures[f].confidence != "read" for f in figures)
