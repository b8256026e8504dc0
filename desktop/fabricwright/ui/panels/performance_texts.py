"""A prediction in words and as a chart: what the panel, and later the report, say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from fabricwright.ui.paint.chart_model import ChartModel, Reference, Region, Series, reading_text
from fabricwright.ui.panels.words import spoken
from fabricwright.units.quantity import format_time

_LOW_BYTES, _HIGH_BYTES = 1 << 20, 1 << 32


@dataclass(frozen=True, slots=True)
class Headline:
    """The figure of one size: value in GB/s, range and time in words, what limits it, where that is."""

    value: str
    note: str
    limit: str
    choice: str
    others: str
    address: str


def row_at(prediction: Mapping[str, Any], size_bytes: int) -> Mapping[str, Any] | None:
    """The row of a size, None when the prediction is about other sizes."""
    rows = [r for r in prediction.get("rows") or () if isinstance(r, Mapping)]
    return next((r for r in rows if int(r.get("bytes", 0)) == size_bytes), None)


def headline(row: Mapping[str, Any]) -> Headline:
    """Texts for a row in the current language."""
    busbw, seconds = float(row["busbw_gbs"]), float(row["time_us"]) * 1e-6
    slow, fast = float(row["time_us_high"]) * 1e-6, float(row["time_us_low"]) * 1e-6
    low = busbw * seconds / slow if slow > 0 else busbw
    high = busbw * seconds / fast if fast > 0 else busbw
    note = QCoreApplication.translate("Performance", "range {low} – {high}; {time}")
    bottleneck: Mapping[str, Any] = row.get("bottleneck") or {}
    limit = QCoreApplication.translate("Performance", "Limit: {what}, {percent} %")
    choice = QCoreApplication.translate("Performance", "{algorithm} with {protocol}")
    return Headline(
        value=reading_text(busbw),
        note=note.format(low=reading_text(low), high=reading_text(high), time=format_time(seconds)),
        limit=limit.format(
            what=spoken(bottleneck.get("label")), percent=round(100 * min(1.0, float(bottleneck.get("utilisation", 0))))
        ),
        choice=choice.format(algorithm=row.get("algorithm", ""), protocol=row.get("protocol", "")),
        others=_others(row.get("alternatives") or ()),
        address=str(bottleneck.get("address") or ""),
    )


def _others(alternatives: Sequence[Mapping[str, Any]]) -> str:
    """``Ring, Simple 49.7 ms; Tree, LL 90.9 ms``: the two next best."""
    parts = [
        f"{a.get('algorithm')}, {a.get('protocol')} {format_time(float(a.get('time_us', 0)) * 1e-6)}"
        for a in alternatives[:2]
    ]
    if not parts:
        return ""
    return QCoreApplication.translate("Performance", "Others: {list}").format(list="; ".join(parts))


def heat_peak(heat: Mapping[str, Mapping[str, Any]]) -> tuple[str, float] | None:
    """(link id, busy part) of the busiest link of the fabric; None when there is none."""
    loads = {link: float(row.get("max", 0.0)) for link, row in heat.items()}
    return max(loads.items(), key=lambda pair: pair[1]) if loads else None


def chart_of(prediction: Mapping[str, Any], size_bytes: int) -> ChartModel:
    """busbw against size with its band, the limit as reference, and where each algorithm is chosen."""
    curve: Mapping[str, Sequence[Any]] = prediction.get("curve") or {}
    sizes = [float(b) for b in curve.get("bytes") or ()]
    if not sizes:
        return ChartModel()
    first = min(_LOW_BYTES, size_bytes / 4)
    last = max(_HIGH_BYTES, size_bytes * 4)
    kept = [i for i, size in enumerate(sizes) if first <= size <= last]
    if not kept:
        kept = list(range(len(sizes)))
    busbw = [float(v) for v in curve["busbw_gbs"]]
    times = [float(v) for v in curve["time_us"]]
    low, high = _band(curve, busbw, times)
    series = Series(
        tuple(sizes[i] for i in kept),
        tuple(busbw[i] for i in kept),
        low=tuple(low[i] for i in kept),
        high=tuple(high[i] for i in kept),
    )
    row = row_at(prediction, size_bytes)
    references: tuple[Reference, ...] = ()
    if row is not None and float(row.get("limit_gbs", 0)) > 0:
        limit = float(row["limit_gbs"])
        what = spoken((row.get("bottleneck") or {}).get("label"))
        text = QCoreApplication.translate("Performance", "{what}: {limit} GB/s")
        references = (Reference(limit, text.format(what=what, limit=reading_text(limit))),)
    return ChartModel(
        (series,),
        references,
        tuple(_regions(curve, sizes, kept)),
        float(size_bytes),
        x_title=QCoreApplication.translate("Performance", "message per GPU"),
    )


def _band(
    curve: Mapping[str, Sequence[Any]], busbw: Sequence[float], times: Sequence[float]
) -> tuple[list[float], list[float]]:
    slow = [float(v) for v in curve.get("high_us") or times]
    fast = [float(v) for v in curve.get("low_us") or times]
    low = [b * t / s if s > 0 else b for b, t, s in zip(busbw, times, slow, strict=True)]
    high = [b * t / f if f > 0 else b for b, t, f in zip(busbw, times, fast, strict=True)]
    return low, high


def _regions(curve: Mapping[str, Sequence[Any]], sizes: Sequence[float], kept: Sequence[int]) -> list[Region]:
    names = [f"{a}, {p}" for a, p in zip(curve.get("algorithm") or (), curve.get("protocol") or (), strict=False)]
    if len(names) != len(sizes):
        return []
    out: list[Region] = []
    for i in kept:
        start = sizes[i] if i == kept[0] else (sizes[i - 1] * sizes[i]) ** 0.5
        if out and out[-1].label == names[i]:
            out[-1] = Region(out[-1].from_bytes, sizes[i], names[i])
            continue
        if out:
            out[-1] = Region(out[-1].from_bytes, start, out[-1].label)
        out.append(Region(start, sizes[i], names[i]))
    return out
