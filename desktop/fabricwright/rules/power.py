"""PWR: what the power supplies of a server can carry, and what slots and cables give a card."""

from __future__ import annotations

from collections.abc import Iterator

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
    fitted = context.config_of_chassis(variant.sheet)
    for supply in supplies(variant.eff, context.project.parts, fitted):
        reason = overload(supply)
        if reason is not None:
            at = variant.at() if supply.host == "chassis" else variant.at(supply.host)
            yield context.finding(
                (at,),
                reason.message,
                variant=variant,
                measured=reason.measured,
                allowed=reason.allowed,
                unit=reason.unit,
                values=reason.values,
                estimate=reason.estimate,
            )
