"""What a chart shows, and its axes: values, scales and ticks, for the window and for reports. No painting here."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from fabricwright.units.quantity import format_size, format_time

MICROSECONDS = "\u00b5s"


@dataclass(frozen=True, slots=True)
class Series:
    """One curve over message size.

    ``x_bytes`` ascending; ``y`` in the model's unit; ``low`` and ``high`` (same length) make the band. ``label`` is
    written at the curve. This design: token ``accent``, solid; another one: ``text.3``, dashed.
    """

    x_bytes: tuple[float, ...]
    y: tuple[float, ...]
    label: str = ""
    token: str = "accent"
    dashed: bool = False
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()

    def at(self, n_bytes: float) -> float | None:
        """Value at a size, linear in log2(size); None outside the curve."""
        return interpolate(self.x_bytes, self.y, n_bytes)


@dataclass(frozen=True, slots=True)
class Reference:
    """A level to compare with (line rate), dashed, labelled directly."""

    value: float
    label: str
    token: str = "text.2"


@dataclass(frozen=True, slots=True)
class Region:
    """A range of sizes with a name, for example where the ring algorithm is chosen."""

    from_bytes: float
    to_bytes: float
    label: str


@dataclass(frozen=True, slots=True)
class Points:
    """What was measured. ``predicted`` (same length, or empty) is joined to each point by a thin line; ``off`` is
    predicted / measured - 1 in time.
    """

    x_bytes: tuple[float, ...]
    y: tuple[float, ...]
    label: str = ""
    token: str = "text"
    predicted: tuple[float, ...] = ()
    off: tuple[float, ...] = ()

    def nearest(self, n_bytes: float) -> int | None:
        """Index of the point whose size is nearest by ratio; None without points."""
        if not self.x_bytes:
            return None
        return min(range(len(self.x_bytes)), key=lambda n: abs(math.log2(self.x_bytes[n] / n_bytes)))


@dataclass(frozen=True, slots=True)
class ChartModel:
    """A chart over message size (log2 axis).

    ``y_unit`` is written over the y axis, ``x_title`` under the x axis. ``reading_bytes`` puts a dashed line and ringed
    dots at one size. ``y_log`` for times, which span decades.
    """

    series: tuple[Series, ...] = ()
    references: tuple[Reference, ...] = ()
    regions: tuple[Region, ...] = ()
    reading_bytes: float | None = None
    y_unit: str = "GB/s"
    x_title: str = ""
    y_log: bool = False
    y_max: float | None = None
    points: tuple[Points, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not any(series.x_bytes for series in self.series)

    def x_range(self) -> tuple[float, float]:
        """Smallest and largest size of all series, bytes."""
        low = min(series.x_bytes[0] for series in self.series if series.x_bytes)
        high = max(series.x_bytes[-1] for series in self.series if series.x_bytes)
        return (low, high) if high > low else (low / 2, low * 2)

    def read(self, value: float, *, unit: bool = False) -> str:
        """A read value: three figures, times with the unit that suits them; others with theirs when asked for."""
        if self.y_unit == MICROSECONDS:
            return format_time(value * 1e-6)
        return f"{reading_text(value)} {self.y_unit}".strip() if unit else reading_text(value)

    def y_values(self) -> list[float]:
        """Every finite value that must fit on the y axis."""
        values = [v for s in self.series for column in (s.y, s.low, s.high) for v in column]
        values += [v for p in self.points for v in p.y]
        values += [r.value for r in self.references]
        return [v for v in values if math.isfinite(v)]


def interpolate(x_bytes: Sequence[float], y: Sequence[float], n_bytes: float) -> float | None:
    """Value at ``n_bytes``, linear in log2; None outside the samples."""
    if not x_bytes or n_bytes < x_bytes[0] * 0.999 or n_bytes > x_bytes[-1] * 1.001:
        return None
    right = min(max(bisect_left(x_bytes, n_bytes), 1), len(x_bytes) - 1)
    if len(x_bytes) == 1:
        return y[0]
    x0, x1 = math.log2(x_bytes[right - 1]), math.log2(x_bytes[right])
    share = (math.log2(n_bytes) - x0) / (x1 - x0) if x1 > x0 else 0.0
    share = min(max(share, 0.0), 1.0)
    return y[right - 1] + share * (y[right] - y[right - 1])


def nice_step(rough: float) -> float:
    """The smallest of 1, 2, 2.5, 5, 10 x 10^n that is at least ``rough``."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(m * power for m in (1.0, 2.0, 2.5, 5.0, 10.0) if m * power >= rough * 0.999999)


def linear_ticks(top: float, count: int) -> list[float]:
    """Ticks from 0 to just over ``top``, at most ``count`` intervals (rounded up to the next nice step)."""
    if top <= 0 or not math.isfinite(top):
        return [0.0, 1.0]
    step = nice_step(top / max(1, count))
    # nice_step forgives a hair over a step; so must the count, or a value just over one costs an interval too many.
    n = math.ceil(top / step - 5e-4)
    return [i * step for i in range(n + 1)]


def decade_ticks(low: float, high: float, count: int = 6) -> list[float]:
    """Powers of ten that enclose ``low`` .. ``high`` (both positive), at most ``count`` intervals of whole decades."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    step = max(1, -(-(last - first) // max(1, count)))
    n = max(1, -(-(last - first) // step))
    return [10.0 ** (first + i * step) for i in range(n + 1)]


def size_ticks(low: float, high: float, count: int) -> list[int]:
    """Powers of two (in steps of 4, 16, 64 ...) between two sizes, at most ``count`` of them."""
    first, last = math.ceil(math.log2(low) - 1e-9), math.floor(math.log2(high) + 1e-9)
    for step in (1, 2, 4, 6, 8, 10, 20):
        start = -(-first // step) * step if step != 1 else first
        ticks = [1 << e for e in range(start, last + 1, step)]
        if len(ticks) <= max(2, count) and (step >= 2 or last - first < 4):
            return ticks
    return [1 << first, 1 << last]


def size_labels(ticks: Sequence[int]) -> list[str]:
    """``1 MiB, 4, 16, 64, 256, 1 GiB, 4 GiB``: the unit where it begins and at the end."""
    labels: list[str] = []
    before = ""
    for index, tick in enumerate(ticks):
        text = format_size(tick)
        figure, _, unit = text.partition(" ")
        labels.append(figure if unit == before and index != len(ticks) - 1 else text)
        before = unit
    return labels


def tick_label(value: float, step: float) -> str:
    """A y-axis figure without needless digits."""
    if value == 0:
        return "0"
    if step >= 1 or (step == 0 and value >= 1):
        return f"{value:,.0f}" if abs(value - round(value)) < 1e-6 else f"{value:,.1f}"
    digits = max(0, -math.floor(math.log10(step or value) + 1e-9))
    text = f"{value:.{digits}f}"
    return text if abs(float(text) - value) < step / 100 else f"{value:.{digits + 1}f}"


def reading_text(value: float) -> str:
    """A read value with three significant figures: 0.512, 3.76, 37.6, 376, 1,240."""
    if value >= 99.95:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 9.995 else f"{value:.1f}"


def signed_percent(part: float) -> str:
    """``+3.2 %`` or ``\u22124.1 %`` of a part, with a real minus sign."""
    return f"{100 * part:+.1f} %".replace("-", "\u2212")
