"""A prediction in words: what the panel, and later the report, say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from PySide6.QtCore import QCoreApplication

from fabricwright.design.values import Design
from fabricwright.ui.paint.chart_model import reading_text, signed_percent
from fabricwright.ui.panels.words import BLANK, binding_text, collective_name, spoken
from fabricwright.units.quantity import format_size, format_time


@dataclass(frozen=True, slots=True)
class Headline:
    """The figure of one size: value in GB/s, range and time in words, what limits it, where that is."""

    value: str
    note: str
    limit: str
    choice: str
    others: str
    address: str


def headline(row: Mapping[str, Any], design: Design = BLANK) -> Headline:
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
            what=binding_text(design, row), percent=round(100 * min(1.0, float(bottleneck.get("utilisation", 0))))
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


def spread_text(row: Mapping[str, Any]) -> str:
    """What hashing or pinning flows to paths leaves of the NIC ports; "" where paths are used evenly."""
    found: Mapping[str, Any] = row.get("slowest_flow") or {}
    if not found:
        return ""
    low, share, high, mean = (round(100 * float(found[name])) for name in ("low", "share", "high", "mean"))
    if found.get("mode") == "hash":
        text = QCoreApplication.translate(
            "Performance", "Hashed paths: slowest flow {share} % of its NIC port ({low}–{high} %), mean {mean} %"
        )
    else:
        text = QCoreApplication.translate(
            "Performance", "Pinned paths: slowest flow {share} % of its NIC port ({low}–{high} %), mean {mean} %"
        )
    return text.format(share=share, low=low, high=high, mean=mean)


def measured_text(measured: Mapping[str, Any], collective: str) -> str:
    """One sentence for each table of the logs: how many points, how far off, or why it is not in the chart."""
    if measured.get("error"):
        return spoken(measured["error"])
    return "\n".join(_table_text(table, collective) for table in measured.get("tables") or ())


def _table_text(table: Mapping[str, Any], collective: str) -> str:
    name = Path(str(table["source"])).name
    points = table.get("points") or ()
    if table.get("error"):
        return spoken(table["error"])
    if table["collective"] != collective:
        text = QCoreApplication.translate("Performance", "{file}: {collective}, not shown here.")
        return text.format(file=name, collective=collective_name(str(table["collective"])))
    if not points:
        return QCoreApplication.translate("Performance", "{file}: no row with right values.").format(file=name)
    off = [float(p["off"]) for p in points]
    worst = max(points, key=lambda p: abs(float(p["off"])))
    text = QCoreApplication.translate(
        "Performance",
        "{file}: {points} points on {ranks} ranks; predicted time off by {median} % (median), at worst {worst} at "
        "{size}.",
    )
    out = text.format(
        file=name,
        points=len(points),
        ranks=table["ranks"],
        median=round(100 * median(abs(o) for o in off), 1),
        worst=signed_percent(float(worst["off"])),
        size=format_size(int(worst["bytes"])),
    )
    left_out = int(table.get("skipped") or 0) + int(table.get("wrong") or 0)
    if left_out:
        more = QCoreApplication.translate("Performance", "{count} rows left out (cut off or wrong values).")
        out += " " + more.format(count=left_out)
    return out


def failure_kind(kind: str) -> str:
    """What can fail, in words."""
    return {
        "link": QCoreApplication.translate("Performance", "cable"),
        "nic": QCoreApplication.translate("Performance", "NIC"),
        "leaf": QCoreApplication.translate("Performance", "leaf"),
        "spine": QCoreApplication.translate("Performance", "spine"),
        "core": QCoreApplication.translate("Performance", "core"),
        "nvlink-switch": QCoreApplication.translate("Performance", "NVLink switch"),
        "server": QCoreApplication.translate("Performance", "server"),
        "gpu": QCoreApplication.translate("Performance", "GPU"),
    }.get(kind, kind)


def failures_worst_first(resilience: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Single failures: those that cut ranks off, most first, then by what is left."""
    return sorted(resilience.get("failures") or (), key=lambda f: (-int(f["ranks_cut_off"]), float(f["ratio"])))


def left_text(failure: Mapping[str, Any]) -> str:
    """What is left of the bandwidth: ``50.0 %``, or that the job stops."""
    if failure.get("problem"):
        return QCoreApplication.translate("Performance", "does not run")
    if failure["ranks_cut_off"]:
        return QCoreApplication.translate("Performance", "stops")
    return f"{100 * float(failure['ratio']):.1f} %"
