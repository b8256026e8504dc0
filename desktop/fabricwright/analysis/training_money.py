"""Money of a training step: a design's price, stated or from its parts list, and what one saves against another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabricwright.design.training.figures import number_of
from fabricwright.performance.training.money import Cost, Saving, cost_of, prices_of, saving_of
from fabricwright.performance.training.train import Training
from fabricwright.units.text import Message, msg

if TYPE_CHECKING:
    from fabricwright.analysis.analyze import Analysis
    from fabricwright.analysis.training import DesignTraining


@dataclass(frozen=True, slots=True)
class SystemPrice:
    """Price of a design: ``value`` None where nobody states one; ``stated`` by the setting ``money.system``, else the
    sum of the parts list with ``without_price`` lines missing in it. ``currency`` "" = not told."""

    value: float | None
    currency: str
    stated: bool
    without_price: int = 0


def system_price(analysis: Analysis) -> SystemPrice:
    """The stated price, else that of the bill of materials under the project's prices, spares and stock."""
    from fabricwright.exchange.bom import bom
    from fabricwright.exchange.prices import bill_price

    settings = analysis.stages.design.settings
    code = str(settings.get("money.currency") or "")
    whole = number_of(settings, "money.system")
    if whole:
        return SystemPrice(whole, code, True)
    if not len(analysis.project.prices):
        return SystemPrice(None, code, False)
    price = bill_price(bom(analysis.project, analysis.design, analysis.stages.bundles()))
    return SystemPrice(price.net, price.currency, False, price.without_price)


def money_of(analysis: Analysis, found: Training) -> Cost | None:
    """What the step costs under the prices that the design states; what is owned counts its price (``system_price``),
    rent does not. A parts list in another currency than the stated one counts for nothing, and the notes say so."""
    settings = analysis.stages.design.settings
    system, notes = system_price(analysis), list[Message]()
    code = str(settings.get("money.currency") or system.currency)
    value = None if number_of(settings, "money.gpu_hour") else system.value
    if value and not system.stated:
        if code != system.currency:
            notes.append(_currencies(system.currency, code))
            value = None
        elif system.without_price:
            notes.append(_unpriced(system.without_price))
    prices = prices_of(settings, value, code)
    if not prices.any:
        return None
    cost = cost_of(found, prices, float(analysis.figures()["power_w"]))
    return replace(cost, notes=(*cost.notes, *notes)) if cost is not None else None


def saving_between(before: Analysis, a: DesignTraining, after: Analysis, b: DesignTraining) -> Saving | None:
    """What design ``after`` (its step ``b``) saves against ``before``, and when its extra price is saved. The extra
    price is the difference of both prices, None where one of them is not known; None as a whole without money."""
    if a.cost is None or b.cost is None or a.cost.currency != b.cost.currency:
        return None
    old, new = system_price(before), system_price(after)
    notes: list[Message] = []
    extra = None
    if old.value is None or new.value is None:
        notes.append(
            msg("What the change costs is not known: state money.system of both designs, or prices of their parts.")
        )
    else:
        wrong = next((p for p in (old, new) if p.currency and p.currency != a.cost.currency), None)
        if wrong is not None:
            notes.append(_currencies(wrong.currency, a.cost.currency))
        else:
            extra = new.value - old.value
            missing = max(old.without_price, new.without_price)
            if missing:
                notes.append(_unpriced(missing))
    return replace(saving_of(a.training, a.cost, b.training, b.cost, extra), notes=tuple(notes))


def _unpriced(lines: int) -> Message:
    return msg("{n} lines of the parts list have no price; the rest counts.", n=lines)


def _currencies(found: str, wanted: str) -> Message:
    return msg(
        "The parts list is priced in {found}, the rest in {wanted}; its price is not counted.",
        found=found,
        wanted=wanted,
    )
