"""What a step, a token and a training cost, and when one design has paid for itself against another.

Rent: GPUs x price of a GPU-hour. Own: price of the system over its years of use, plus power x PUE x price. A band of
the step carries through: cost is proportional to time. Prices are stated by the project (settings ``money.*``);
nothing is assumed but PUE and years, which say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabricwright.design.training.figures import number_of
from fabricwright.performance.training.train import Training
from fabricwright.units.text import Message, msg

HOUR = 3600.0
MONTH_H = 730.0
YEAR_H = 8760.0
ASSUMED_PUE = 1.3
"""Facility power over that of the machines; a usual air-cooled hall. An estimate, said wherever it is used."""
ASSUMED_YEARS = 4.0
"""Years over which a system is written off. An estimate, said wherever it is used."""
ASSUMED_USE = 0.9
"""Part of the hours of its life in which a system trains. An estimate, said wherever it is used."""


@dataclass(frozen=True, slots=True)
class Prices:
    """In one ``currency``; 0 = not stated. ``gpu_hour`` rent, ``kwh`` power, ``system`` the whole of it."""

    gpu_hour: float = 0.0
    kwh: float = 0.0
    system: float = 0.0
    pue: float = ASSUMED_PUE
    years: float = ASSUMED_YEARS
    use: float = ASSUMED_USE
    currency: str = "CNY"
    assumed: tuple[Message, ...] = ()

    @property
    def any(self) -> bool:
        """Whether something can be said about cost."""
        return bool(self.gpu_hour or self.kwh or self.system)


def prices_of(settings: Mapping[str, object], system: float | None, currency: str) -> Prices:
    """Prices that a design states; ``system`` the price of its bill of materials, used where none is stated."""
    assumed = []
    pue, years, use = (number_of(settings, key) for key in ("money.pue", "money.years", "money.use"))
    if pue is None and number_of(settings, "money.kwh"):
        assumed.append(msg("PUE is not stated; {pue} assumed.", pue=ASSUMED_PUE))
    whole = number_of(settings, "money.system") or system or 0.0
    if whole and years is None:
        assumed.append(
            msg(
                "Years of use are not stated; {years} assumed, {use} % of the hours.",
                years=ASSUMED_YEARS,
                use=round(100 * (use or ASSUMED_USE)),
            )
        )
    return Prices(
        number_of(settings, "money.gpu_hour") or 0.0,
        number_of(settings, "money.kwh") or 0.0,
        whole,
        pue or ASSUMED_PUE,
        years or ASSUMED_YEARS,
        use or ASSUMED_USE,
        str(settings.get("money.currency") or currency or "CNY"),
        tuple(assumed),
    )


@dataclass(frozen=True, slots=True)
class Cost:
    """Money in ``currency``; each with its band (low, high). ``hour`` of the whole cluster, rent or write-off plus
    power; ``rent`` whether it is rent."""

    currency: str
    hour: float
    power_hour: float
    rent: bool
    step: tuple[float, float, float]
    token: tuple[float, float, float]
    training: tuple[float, float, float]
    notes: tuple[Message, ...]

    def to_json(self) -> dict[str, object]:
        """Plain values; each triple as value, low, high."""

        def three(row: tuple[float, float, float]) -> dict[str, float]:
            return {"value": row[0], "low": row[1], "high": row[2]}

        return {
            "currency": self.currency,
            "per_hour": self.hour,
            "power_per_hour": self.power_hour,
            "basis": "rent" if self.rent else "own",
            "per_step": three(self.step),
            "per_token": three(self.token),
            "per_training": three(self.training),
            "notes": [note.english() for note in self.notes],
        }


def cost_of(training: Training, prices: Prices, power_w: float) -> Cost | None:
    """Cost of a training; None where no price is stated. Rent includes power; what is owned pays its own."""
    if not prices.any:
        return None
    power = power_w / 1000 * prices.pue * prices.kwh
    rent = prices.gpu_hour > 0
    owned = prices.system / (prices.years * YEAR_H * prices.use) if prices.system else 0.0
    hour = prices.gpu_hour * training.job.plan.ranks if rent else owned + power
    times = (training.step_time_s, training.low_s, training.high_s)
    step = tuple(hour * t / HOUR for t in times)
    token = tuple(c / training.tokens_per_step for c in step)
    whole = tuple(c * training.tokens for c in token)
    return Cost(prices.currency, hour, power, rent, step, token, whole, prices.assumed)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Saving:
    """Design B against A for the same tokens. ``month`` money saved in a month of A's work, with the band (low: A at
    its fastest and B at its slowest); ``extra_price`` None where it is not known; ``payback_months`` until it is saved,
    None where it never is or not known; ``notes`` what is missing in it."""

    currency: str
    month: tuple[float, float, float]
    extra_price: float | None
    payback_months: tuple[float | None, float | None, float | None]
    notes: tuple[Message, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Plain values; each triple as value, low, high."""
        names = ("value", "low", "high")
        return {
            "currency": self.currency,
            "per_month": dict(zip(names, self.month, strict=True)),
            "extra_price": self.extra_price,
            "payback_months": dict(zip(names, self.payback_months, strict=True)),
            "notes": [note.english() for note in self.notes],
        }


def saving_of(a: Training, cost_a: Cost, b: Training, cost_b: Cost, extra_price: float | None) -> Saving:
    """What B saves in the time in which A works a month, for the tokens that A trains in it. Rent counts the hours
    alone; the price of what B adds is what has to pay back. The two bands are taken as independent, so the limits are
    the outer ones.
    """
    tokens = a.tokens_per_s * MONTH_H * HOUR

    def saved(which_a: int, which_b: int) -> float:
        tokens_a = tokens * a.step_time_s / (a.step_time_s, a.low_s, a.high_s)[which_a]
        return tokens_a * (cost_a.token[which_a] - cost_b.token[which_b])

    month = (saved(0, 0), saved(1, 2), saved(2, 1))
    del b
    back = tuple(extra_price / m if extra_price is not None and m > 0 else None for m in (month[0], month[2], month[1]))
    return Saving(cost_a.currency, month, extra_price, back)  # type: ignore[arg-type]
