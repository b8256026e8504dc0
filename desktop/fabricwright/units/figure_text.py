"""Figures and differences of figures as short text, the way comparison tables and strips show them.

Units are SI: "B/s", "W", "s", "d" days, "U", "token/s", "1" a part of 1, "" a count; anything else is a currency.
"""

from __future__ import annotations

from fabricwright.units.text import Message, msg

MINUS = "\u2212"
TIMES = "\u00d7"
NOTHING = "\u2013"
TWICE = 1.5
"""Rates that differ by this factor or more are told as a multiple, smaller differences in percent."""


def figure_text(value: float | None, unit: str) -> str:
    """A figure with its unit; a dash where there is none."""
    if value is None:
        return NOTHING
    number, shown = _scaled(value, unit)
    return f"{number} {shown}" if shown else number


def figure_pair(a: float | None, b: float | None, unit: str) -> tuple[str, str]:
    """Two figures for ``a > b unit``: the unit stands with the second one only, and both have the same."""
    if a is None or b is None:
        return figure_text(a, unit), figure_text(b, unit)
    factor, shown = _step(max(abs(a), abs(b)), unit)
    return _digits(a / factor, unit), f"{_digits(b / factor, unit)} {shown}".rstrip()


def difference_text(absolute: float | None, ratio: float | None, unit: str) -> Message | str:
    """A difference as people say it: a multiple or percent of rates and money, points of shares, else what is more."""
    if absolute is None:
        return NOTHING
    if absolute == 0:
        return "="
    sign = "+" if absolute > 0 else MINUS
    if unit == "1":
        return msg(
            "{sign} {points} points",
            sign=sign,
            points=f"{abs(absolute) * 100:.2g}" if abs(absolute) < 0.1 else f"{abs(absolute) * 100:.0f}",
        )
    if unit in ("", "U", "W", "kg"):
        number, shown = _scaled(abs(absolute), unit)
        return f"{sign} {number} {shown}".rstrip()
    if ratio is None or ratio <= 0:
        return f"{sign} {figure_text(abs(absolute), unit)}"
    if unit == "B/s" and ratio >= TWICE:
        return f"{TIMES} {ratio:.1f}"
    percent = abs(ratio - 1) * 100
    return f"{sign} {percent:.0f} %" if percent >= 10 else f"{sign} {percent:.1f} %"


def _scaled(value: float, unit: str) -> tuple[str, str]:
    factor, shown = _step(abs(value), unit)
    return _digits(value / factor, unit), shown


def _step(size: float, unit: str) -> tuple[float, str]:
    """(divide by, unit shown) for a figure of this size."""
    if unit == "B/s":
        return 1e9, "GB/s"
    if unit == "W":
        return next(((f, u) for f, u in ((1e6, "MW"), (1e3, "kW")) if size >= f), (1.0, "W"))
    if unit == "s":
        return next(((f, u) for f, u in ((1.0, "s"), (1e-3, "ms")) if size >= f), (1e-6, "\u00b5s"))
    if unit == "1":
        return 0.01, "%"
    return 1.0, unit


def _digits(value: float, unit: str) -> str:
    """Three figures, more only of whole numbers."""
    sign = MINUS if value < 0 else ""
    size = abs(value)
    if unit in ("", "U") or size >= 1000:
        return f"{sign}{size:,.0f}"
    if unit == "B/s" and size >= 10:
        return f"{sign}{size:.1f}"
    if unit == "1":
        return f"{sign}{size:.3g}"
    if size >= 100:
        return f"{sign}{size:.0f}"
    return f"{sign}{size:.1f}" if size >= 10 else f"{sign}{size:.2f}"
