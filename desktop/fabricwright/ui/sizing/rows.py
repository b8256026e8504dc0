"""What one alternative says, in words and figures: cells of the table, axes of the chart, facts of the preview."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

Row = Mapping[str, Any]

COLUMNS = (
    "id",
    "nic",
    "switches",
    "ratio",
    "gbps",
    "cables",
    "cost",
    "power",
    "units",
    "reduce",
    "all",
    "worst",
    "verdict",
)
AXES = ("cost", "power", "units", "cables", "reduce", "all", "worst")
NUMBERS = ("ratio", "gbps", "cables", "cost", "power", "units", "reduce", "all", "worst")
#: More is better.
UPWARDS = ("reduce", "all", "worst", "gbps")


def letter(row: Row) -> str:
    """``a1`` is A."""
    n = int(str(row["id"])[1:])
    return chr(64 + n) if 1 <= n <= 26 else str(n)


def head(column: str) -> tuple[str, str]:
    """(title, unit) of a column."""
    return {
        "id": ("", ""),
        "nic": (QCoreApplication.translate("Sizing", "NIC per server"), ""),
        "switches": (QCoreApplication.translate("Sizing", "Leaf + spine"), ""),
        "ratio": (QCoreApplication.translate("Sizing", "Over-sub."), ""),
        "gbps": (QCoreApplication.translate("Sizing", "Per GPU"), "Gb/s"),
        "cables": (QCoreApplication.translate("Sizing", "Cables"), ""),
        "cost": (QCoreApplication.translate("Sizing", "Cost"), ""),
        "power": (QCoreApplication.translate("Sizing", "Power"), "kW"),
        "units": (QCoreApplication.translate("Sizing", "Rack U"), ""),
        "reduce": (QCoreApplication.translate("Sizing", "All-reduce"), "GB/s"),
        "all": (QCoreApplication.translate("Sizing", "All-to-all"), "GB/s"),
        "worst": (QCoreApplication.translate("Sizing", "Worst case"), QCoreApplication.translate("Sizing", "% left")),
        "verdict": (QCoreApplication.translate("Sizing", "Verdict"), ""),
    }[column]


def number(row: Row, column: str) -> float | None:
    """The figure of a column, None where it is not known."""
    cables = row["cables"]
    found = {
        "ratio": row["oversubscription"],
        "gbps": row["gbps"] * row["ports"] / max(1, row["gpus_per_server"]),
        "cables": sum(int((pair or {}).get("cables") or 0) for pair in cables.values()),
        "cost": row.get("fabric_cost"),
        "power": None if row["fabric_power_w"] is None else row["fabric_power_w"] / 1e3,
        "units": row["rack_units"],
        "reduce": row["all_reduce_busbw_gbs"],
        "all": row["all_to_all_busbw_gbs"],
        "worst": None if row["worst_failure_ratio"] is None else row["worst_failure_ratio"] * 100,
    }[column]
    return None if found is None else float(found)


def written(row: Row, column: str) -> str:
    """The cell."""
    if column == "id":
        return letter(row)
    if column == "nic":
        stem = str(row["nic"]).partition("-")[0].upper()
        each = row["ports"] // max(1, row["nics_per_server"])
        rate = f"{row['gbps']:g}G" if each == 1 else f"{each}×{row['gbps']:g}G"
        return f"{row['nics_per_server']} × {stem} {rate}"
    if column == "switches":
        return switches(row)
    if column == "verdict":
        return verdict(row)[1]
    value = number(row, column)
    if value is None:
        return "–"
    if column == "ratio":
        return f"{value:g}:1"
    if column == "cost":
        return money(value, str(row.get("currency") or ""))
    if column in ("reduce", "all", "power"):
        return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"
    return f"{value:,.0f}"


def money(value: float, currency: str) -> str:
    """``16.15 M USD``."""
    short = f"{value / 1e6:,.2f} M" if value >= 1e6 else f"{value:,.0f}"
    return f"{short} {currency}".strip()


def switches(row: Row) -> str:
    """``32 + 16 × SN5600``; several types with their own counts."""
    tiers = [t for t in (row["leaf"], row["spine"], row["core"]) if t]
    parts = {t["part"] for t in tiers}
    if len(parts) == 1:
        return " + ".join(f"{t['count']:,}" for t in tiers) + f" × {str(tiers[0]['part']).upper()}"
    return " + ".join(f"{t['count']:,} × {str(t['part']).upper()}" for t in tiers)


def verdict(row: Row) -> tuple[str, str]:
    """(severity, words): whether it meets all, else in what it departs."""
    findings = row.get("findings") or {}
    if findings.get("error"):
        return "error", QCoreApplication.translate("Sizing", "{count} errors").format(count=findings["error"])
    if row["differs"]:
        first = str(row["differs"][0])
        return "warning", {
            "oversubscription": QCoreApplication.translate("Sizing", "{ratio}:1").format(
                ratio=f"{row['oversubscription']:g}"
            ),
            "switch": QCoreApplication.translate("Sizing", "another switch"),
            "rails": QCoreApplication.translate("Sizing", "other wiring"),
            "medium": QCoreApplication.translate("Sizing", "the other protocol"),
            "tiers": QCoreApplication.translate("Sizing", "{count} tiers").format(count=row["tiers"]),
            "planes": QCoreApplication.translate("Sizing", "{count} planes").format(count=row["planes"]),
            "nics": QCoreApplication.translate("Sizing", "fewer NICs"),
        }.get(first, first)
    kind = (
        QCoreApplication.translate("Sizing", "meets all")
        if row["rails"] or row["tiers"] == 1
        else QCoreApplication.translate("Sizing", "meets all, no rails")
    )
    return "ok", kind


def split_text(split: object) -> str:
    """``2 × 400G`` of ``2x400``; a dash where a cage is not split."""
    return f"{split}G".replace("x", " × ") if split else "–"


def facts(row: Row) -> list[tuple[str, str]]:
    """(label, text) lines of the preview."""
    cables = row["cables"]
    lines = []
    breakouts = row.get("breakouts") or {}
    for tier, title in (
        ("leaf", QCoreApplication.translate("Sizing", "Leaf")),
        ("spine", QCoreApplication.translate("Sizing", "Spine")),
        ("core", QCoreApplication.translate("Sizing", "Core")),
    ):
        if row[tier]:
            text = f"{row[tier]['count']:,} × {str(row[tier]['part']).upper()}"
            if tier == "leaf":
                text += QCoreApplication.translate("Sizing", ": ports {down} down").format(
                    down=split_text(breakouts.get("leaf_down"))
                )
                if breakouts.get("leaf_up"):
                    text += QCoreApplication.translate("Sizing", ", {up} up").format(
                        up=split_text(breakouts["leaf_up"])
                    )
            lines.append((title, text))
    pairs = (
        ("node_leaf", QCoreApplication.translate("Sizing", "Server links")),
        ("leaf_spine", QCoreApplication.translate("Sizing", "Uplinks")),
        ("spine_core", QCoreApplication.translate("Sizing", "Core links")),
    )
    for name, title in pairs:
        pair = cables.get(name)
        if pair:
            text = f"{pair['links']:,}"
            if pair.get("cables") is not None:
                text = QCoreApplication.translate("Sizing", "{links} in {cables} cables").format(
                    links=f"{pair['links']:,}", cables=f"{pair['cables']:,}"
                )
            lines.append((title, text))
    if not row["rails"]:
        rails = QCoreApplication.translate("Sizing", "none: all NICs of a server on one leaf")
    elif row["scalable_units"] == 1:
        rails = QCoreApplication.translate("Sizing", "{rails}, one unit of {servers} servers").format(
            rails=row["rails"], servers=row["servers_per_unit"]
        )
    else:
        rails = QCoreApplication.translate("Sizing", "{rails}, {units} units of {servers} servers").format(
            rails=row["rails"], units=row["scalable_units"], servers=row["servers_per_unit"]
        )
    lines.append((QCoreApplication.translate("Sizing", "Rails"), rails))
    if row["racks"] is not None:
        reach = QCoreApplication.translate("Sizing", "{racks}, longest cable {metres} m").format(
            racks=f"{row['racks']:,}", metres=f"{row['longest_cable_m']:.0f}"
        )
        lines.append((QCoreApplication.translate("Sizing", "Racks"), reach))
    return lines


def default_title(row: Row) -> str:
    """Name of the design."""
    return f"{row['gpus']:,} GPU, {switches(row)}"


def fronts(rows: list[Row], x: str, y: str) -> list[Row]:
    """Rows that no other one beats in these two figures, by rising x."""

    def score(row: Row) -> tuple[float, float] | None:
        a, b = number(row, x), number(row, y)
        if a is None or b is None:
            return None
        return (-a if x in UPWARDS else a), (-b if y in UPWARDS else b)

    scored = [(s, row) for row in rows if (s := score(row)) is not None]
    kept = [
        row
        for s, row in scored
        if not any(o[0] <= s[0] and o[1] <= s[1] and o != s for o, other in scored if other is not row)
    ]
    return sorted(kept, key=lambda row: number(row, x) or 0.0)
