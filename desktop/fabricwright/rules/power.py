"""PWR: what the power supplies of a server can carry, and what slots and cables give a card."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.rules.card_findings import finding_of
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.reason import Reason
from fabricwright.rules.registry import rule
from fabricwright.topology.server_power import Supply, supplies
from fabricwright.units.text import N_, msg

RESERVE = 1.1


def overload(supply: Supply) -> Reason | None:
    """PWR-01: the load with 10 % reserve is more than the supplies carry."""
    need = supply.load_w * RESERVE
    if not supply.usable_w or need <= supply.usable_w:
        return None
    return Reason(
        "PWR-01",
        "error",
        msg(
            "{need} W with 10 % reserve, the supplies carry {usable} W ({how}).",
            need=round(need),
            usable=round(supply.usable_w),
            how=supply.rule,
        ),
        need,
        supply.usable_w,
        "W",
        {"load_w": supply.load_w},
        supply.estimate,
    )


@rule(
    "PWR-01",
    "error",
    needs=("effective",),
    group="power & cooling",
    subject="server",
    direction="up",
    title=N_("Power supplies too small"),
    checks=N_(
        "The sum of the components with 10 % reserve is within the supplies, redundancy kept (4+2 counts 4, N+N half)."
    ),
    reason=N_(
        "When a feed or supply fails, the rest must carry everything, or GPUs are throttled or the server goes down."
    ),
    source="EK; basepod",
)
def pwr_01(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    for supply in supplies(variant.eff, context.project.parts, variant.eff.chassis_config):
        reason = overload(supply)
        if reason is not None:
            at = variant.at() if supply.host == "chassis" else variant.at(supply.host)
            yield finding_of(context, variant, (at,), reason)


@rule(
    "PWR-04",
    "warning",
    needs=("effective",),
    group="power & cooling",
    subject="server",
    direction="up",
    title=N_("Load above what redundancy keeps"),
    checks=N_(
        "In fault-tolerant mode (FTR) the load is within the supplies that remain after a failure, or below the "
        "throttling limit that is stated."
    ),
    reason=N_("Above it, losing one feed throttles the GPUs, on some servers to a quarter."),
    source="xe9680",
)
def pwr_04(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    limit = variant.eff.chassis_config.get("psu_throttle_w")
    for supply in supplies(variant.eff, context.project.parts, variant.eff.chassis_config):
        chosen = supply.kept_w if supply.fault_tolerant else 0.0
        if supply.host == "chassis" and isinstance(limit, (int, float)) and not isinstance(limit, bool) and limit > 0:
            chosen = float(limit)
        if not chosen or supply.load_w <= chosen:
            continue
        yield context.finding(
            (variant.at() if supply.host == "chassis" else variant.at(supply.host),),
            msg(
                "{load} W at full load; above {limit} W one failure of a feed throttles the GPUs ({mode}).",
                load=round(supply.load_w),
                limit=round(chosen),
                mode=supply.mode or supply.rule,
            ),
            variant=variant,
            measured=supply.load_w,
            allowed=chosen,
            unit="W",
            values={"mode": supply.mode},
            estimate=supply.estimate,
        )


@rule(
    "PWR-09",
    "fact",
    needs=("effective",),
    group="power & cooling",
    subject="gpu",
    title=N_("Power to plan per server"),
    checks=N_("Nothing: it states what one GPU server draws at most."),
    reason=N_("Feeds, cooling and the number of servers in a rack are planned by it."),
    source="mlc; EK",
)
def pwr_09(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    if not any(item.kind == "gpu" for item in variant.eff.items.values()):
        return
    chassis = variant.eff.chassis_part
    parts = supplies(variant.eff, context.project.parts, variant.eff.chassis_config)
    load = sum(s.load_w for s in parts)
    if not load:
        return
    kw = load / 1e3
    if chassis is not None and chassis.get("max_system_w"):
        text = msg("Plan {kw} kW per server.", kw=kw)
    else:
        text = msg(
            "Plan more than {kw} kW per server: the sum of the parts whose draw is known, without processors and fans.",
            kw=kw,
        )
    yield context.finding(
        (variant.at(),),
        text,
        variant=variant,
        measured=kw,
        unit="kW",
        values={s.host: s.load_w for s in parts},
        estimate=any(s.estimate for s in parts),
    )
