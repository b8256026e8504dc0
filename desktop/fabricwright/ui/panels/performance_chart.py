"""A prediction as a chart: bandwidth or time against size, the undamaged design and what was measured beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from fabricwright.design.place_words import thing_text
from fabricwright.design.values import Design
from fabricwright.ui.paint.chart_model import MICROSECONDS, ChartModel, Points, Reference, Region, Series, reading_text
from fabricwright.ui.panels.words import BLANK, binding_text, collective_name

_LOW_BYTES, _HIGH_BYTES = 1 << 20, 1 << 32
_UNITS = {"busbw": "GB/s", "time": MICROSECONDS}


def row_at(prediction: Mapping[str, Any], size_bytes: int) -> Mapping[str, Any] | None:
    """The row of a size, None when the prediction is about other sizes."""
    rows = [r for r in prediction.get("rows") or () if isinstance(r, Mapping)]
    return next((r for r in rows if int(r.get("bytes", 0)) == size_bytes), None)


def chart_of(
    prediction: Mapping[str, Any],
    size_bytes: int,
    quantity: str = "busbw",
    *,
    design: Design = BLANK,
    log_axis: bool = False,
    measured: Mapping[str, Any] | None = None,
) -> ChartModel:
    """busbw (GB/s) or time (us) against size with its band, the limit, where each algorithm is chosen, the undamaged
    curve where something is down, and the points of logs of the same collective.
    """
    undamaged: Mapping[str, Any] = prediction.get("undamaged") or {}
    points = points_of(measured or {}, str(prediction.get("collective") or ""), quantity)
    smallest = min((x for p in points for x in p.x_bytes), default=_LOW_BYTES)
    first = min(_LOW_BYTES, size_bytes / 4, smallest)
    last = max(_HIGH_BYTES, size_bytes * 4, *(x for p in points for x in p.x_bytes))
    series: list[Series] = []
    for source, damaged in ((prediction, bool(undamaged)), (undamaged, False)):
        row = _series(source.get("curve") or {}, first, last, quantity)
        if row is None:
            continue
        if source is undamaged:
            name = QCoreApplication.translate("Performance", "undamaged")
            row = Series(row.x_bytes, row.y, name, "text.3", True)
        elif damaged:
            name = QCoreApplication.translate("Performance", "with the failure")
            row = Series(row.x_bytes, row.y, name, low=row.low, high=row.high)
        series.append(row)
    if not series:
        return ChartModel()
    shown = prediction if prediction.get("curve") else undamaged
    references, limits = _limit(shown, size_bytes, design, series[0], quantity)
    return ChartModel(
        (*series, *limits),
        references,
        tuple(_regions(shown["curve"], first, last)),
        float(size_bytes),
        y_unit=_UNITS[quantity],
        x_title=QCoreApplication.translate("Performance", "message per GPU"),
        y_log=quantity == "time" or log_axis,
        points=points,
    )


def _series(curve: Mapping[str, Sequence[Any]], first: float, last: float, quantity: str) -> Series | None:
    sizes = [float(b) for b in curve.get("bytes") or ()]
    if not sizes:
        return None
    kept = [i for i, size in enumerate(sizes) if first / 2 < size < last * 2] or list(range(len(sizes)))
    busbw, times = [float(v) for v in curve["busbw_gbs"]], [float(v) for v in curve["time_us"]]
    slow = [float(v) for v in curve.get("high_us") or times]
    fast = [float(v) for v in curve.get("low_us") or times]
    if quantity == "time":
        values, low, high = times, fast, slow
    else:
        values = busbw
        low = [b * t / s if s > 0 else b for b, t, s in zip(busbw, times, slow, strict=True)]
        high = [b * t / f if f > 0 else b for b, t, f in zip(busbw, times, fast, strict=True)]
    return Series(
        tuple(sizes[i] for i in kept),
        tuple(values[i] for i in kept),
        low=tuple(low[i] for i in kept),
        high=tuple(high[i] for i in kept),
    )


def _limit(
    prediction: Mapping[str, Any], size_bytes: int, design: Design, curve: Series, quantity: str
) -> tuple[tuple[Reference, ...], tuple[Series, ...]]:
    """What the binding resource allows at most: a level of bandwidth, and against time the line that it makes."""
    row = row_at(prediction, size_bytes)
    limit = float(row.get("limit_gbs") or 0) if row is not None else 0.0
    if row is None or limit <= 0:
        return (), ()
    if quantity == "busbw":
        what = binding_text(design, row)
        text = QCoreApplication.translate("Performance", "{what}: {limit} GB/s")
        return (Reference(limit, text.format(what=what, limit=reading_text(limit))),), ()
    # busbw = factor x bytes / time, so the row gives the factor, and time at the limit is factor x bytes / limit.
    factor = float(row["busbw_gbs"]) * float(row["time_us"]) / size_bytes
    name = QCoreApplication.translate("Performance", "at the limit")
    return (), (Series(curve.x_bytes, tuple(factor * x / limit for x in curve.x_bytes), name, "text.2", True),)


def _regions(curve: Mapping[str, Sequence[Any]], first: float, last: float) -> list[Region]:
    sizes = [float(b) for b in curve.get("bytes") or ()]
    names = [f"{a}, {p}" for a, p in zip(curve.get("algorithm") or (), curve.get("protocol") or (), strict=False)]
    if len(names) != len(sizes):
        return []
    kept = [i for i, size in enumerate(sizes) if first / 2 < size < last * 2] or list(range(len(sizes)))
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


def points_of(measured: Mapping[str, Any], collective: str, quantity: str) -> tuple[Points, ...]:
    """The points of the tables that are about ``collective``, one set per table."""
    out = []
    tables = [t for t in measured.get("tables") or () if t.get("collective") == collective and t.get("points")]
    for number, table in enumerate(tables):
        name = QCoreApplication.translate("Performance", "measured")
        if len(tables) > 1:
            name = Path(str(table["source"])).name
        rows = sorted(table["points"], key=lambda p: p["bytes"])
        judged = all("off" in p for p in rows)
        # predicted / measured - 1 is about time; bandwidth goes the other way round.
        value = "time_us" if quantity == "time" else "busbw_gbs"
        predicted = (
            tuple(p["predicted_us"] if quantity == "time" else p["busbw_gbs"] / (1 + p["off"]) for p in rows)
            if judged
            else ()
        )
        off = tuple(p["off"] if quantity == "time" else 1 / (1 + p["off"]) - 1 for p in rows) if judged else ()
        out.append(
            Points(
                tuple(float(p["bytes"]) for p in rows),
                tuple(float(p[value]) for p in rows),
                name,
                ("text", "warn", "ok", "text.2")[number % 4],
                predicted,
                off,
            )
        )
    return tuple(out)


def chart_title(prediction: Mapping[str, Any], title: str, design: Design = BLANK) -> str:
    """What stands over a chart that leaves the window."""
    ranks = prediction.get("ranks") or (prediction.get("undamaged") or {}).get("ranks") or 0
    one = QCoreApplication.translate("Performance", "{collective}, 1 rank, {design}")
    many = QCoreApplication.translate("Performance", "{collective}, {ranks} ranks, {design}")
    text = one if int(ranks) == 1 else many
    title = text.format(
        collective=collective_name(str(prediction.get("collective") or "")),
        ranks=f"{int(ranks):,}",
        design=title,
    )
    fail = str(prediction.get("fail") or "")
    if fail:
        title = QCoreApplication.translate("Performance", "{title}; {address} down").format(
            title=title, address=thing_text(design, fail)
        )
    return title
