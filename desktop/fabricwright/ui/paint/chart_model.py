"""The chart's model, which reports share; see ``fabricwright.exchange.chart_model``."""

from fabricwright.exchange.chart_model import (
    MICROSECONDS,
    ChartModel,
    Points,
    Reference,
    Region,
    Series,
    decade_ticks,
    interpolate,
    linear_ticks,
    nice_step,
    reading_text,
    signed_percent,
    size_labels,
    size_ticks,
    tick_label,
)

__all__ = [
    "MICROSECONDS",
    "ChartModel",
    "Points",
    "Reference",
    "Region",
    "Series",
    "decade_ticks",
    "interpolate",
    "linear_ticks",
    "nice_step",
    "reading_text",
    "signed_percent",
    "size_labels",
    "size_ticks",
    "tick_label",
]
