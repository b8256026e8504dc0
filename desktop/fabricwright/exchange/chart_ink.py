"""A chart over message size as ink, for reports: band, curves, levels, labels; the window paints the same model."""

from __future__ import annotations

import math
from collections.abc import Callable

from fabricwright.exchange.chart_model import (
    ChartModel,
    Series,
    decade_ticks,
    linear_ticks,
    size_labels,
    size_ticks,
    tick_label,
)
from fabricwright.exchange.font_metrics import text_width
from fabricwright.exchange.ink import Ink

SMALL = 12.0
"""9 pt."""
BAND_SHADE = 0.82
"""How far the band's colour is mixed with white."""


def draw_chart(ink: Ink, x: float, y: float, w: float, h: float, model: ChartModel) -> None:
    """The chart in the box (x, y, w, h): unit above the axis, a key of curves and levels under it."""
    if model.empty:
        return
    key_h = 22.0
    ticks = _ticks(model, h)
    step = ticks[1] - ticks[0]
    labels = [tick_label(v, 0.0 if model.y_log else step) for v in ticks]
    left = x + max(text_width(label, SMALL) for label in labels) + 10
    right, top, bottom = x + w - 14, y + 22, y + h - key_h - 42
    across, up = _scales(model, ticks, (left, top, right, bottom))
    ink.text(x, y + 10, model.y_unit, SMALL, fill="text.2")
    for value, label in zip(ticks, labels, strict=True):
        level = up(value)
        ink.line([(left, level), (right, level)], stroke="border", width=0.8)
        ink.text(left - 6, level + 4, label, SMALL, fill="text.2", anchor="end")
    sizes = size_ticks(*model.x_range(), max(2, int((right - left) / 70)))
    for size, label in zip(sizes, size_labels(sizes), strict=True):
        place = across(size)
        ink.line([(place, bottom), (place, bottom + 4)], stroke="border.strong", width=1)
        ink.text(place, bottom + 18, label, SMALL, fill="text.2", anchor="middle")
    ink.line([(left, bottom), (right, bottom)], stroke="border.strong", width=1.2)
    if model.x_title:
        ink.text(right, bottom + 34, model.x_title, SMALL, fill="text.2", anchor="end")
    for series in model.series:
        _band(ink, series, across, up)
    for level_of in model.references:
        level = up(level_of.value)
        ink.line([(left, level), (right, level)], stroke=level_of.token, width=1.2, dash="6 4")
    for series in model.series:
        points = [(across(s), up(v)) for s, v in zip(series.x_bytes, series.y, strict=True) if math.isfinite(v)]
        if len(points) > 1:
            ink.line(points, stroke=series.token, width=2.0, dash="7 4" if series.dashed else "")
    _key(ink, x, y + h - 8, w, model)


def _ticks(model: ChartModel, h: float) -> list[float]:
    values = model.y_values()
    if model.y_log:
        positive = [v for v in values if v > 0] or [1.0]
        return decade_ticks(min(positive), max(max(positive), min(positive) * 10))
    return linear_ticks(max(values, default=1.0), max(3, int(h / 50)))


def _scales(
    model: ChartModel, ticks: list[float], box: tuple[float, float, float, float]
) -> tuple[Callable[[float], float], Callable[[float], float]]:
    left, top, right, bottom = box
    low, high = (math.log2(v) for v in model.x_range())

    def across(n_bytes: float) -> float:
        return left + (right - left) * (math.log2(n_bytes) - low) / (high - low)

    first, last = (math.log10(ticks[0]), math.log10(ticks[-1])) if model.y_log else (ticks[0], ticks[-1])

    def up(value: float) -> float:
        shown = math.log10(value) if model.y_log and value > 0 else first if model.y_log else value
        return bottom - (bottom - top) * min(1.0, max(0.0, (shown - first) / (last - first)))

    return across, up


def _band(ink: Ink, series: Series, across: Callable[[float], float], up: Callable[[float], float]) -> None:
    if not (len(series.low) == len(series.high) == len(series.y) > 1):
        return
    upper = [(across(s), up(v)) for s, v in zip(series.x_bytes, series.high, strict=True)]
    lower = [(across(s), up(v)) for s, v in zip(series.x_bytes, series.low, strict=True)]
    steps: list[tuple[str | float, ...]] = [("M", *upper[0])]
    steps += [("L", *p) for p in (*upper[1:], *reversed(lower))]
    ink.path([*steps, ("Z",)], fill=pale(ink.colour(series.token)), stroke="none", width=0)


def pale(shade: str, white: float = BAND_SHADE) -> str:
    """A hex colour mixed with white: a tint that prints without transparency."""
    parts = (int(shade[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(255 * white + part * (1 - white)):02X}" for part in parts)


def _key(ink: Ink, x: float, y: float, w: float, model: ChartModel) -> None:
    entries = [(s.label, s.token, "7 4" if s.dashed else "", 2.0) for s in model.series if s.label]
    entries += [(r.label, r.token, "6 4", 1.2) for r in model.references if r.label]
    place = x
    for n, (label, token, dash, width) in enumerate(entries):
        room = (x + w - place) / (len(entries) - n) - 52
        if room < 30:
            break
        ink.line([(place, y - 4), (place + 30, y - 4)], stroke=token, width=width, dash=dash)
        place += 38 + ink.text(place + 38, y, label, SMALL, room=room) + 22
