"""Budgets of what is selected: lanes of processors, power of enclosures, cages of switches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.parts import Part
from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.effective import EffItem
from fabricwright.ui.context import UiContext
from fabricwright.ui.panels.inspector_page import Budget
from fabricwright.ui.panels.inspector_texts import cages_used
from fabricwright.units.natural import natural_key


def summary_of(context: UiContext, sheet: str) -> Mapping[str, Any]:
    """What the worker said about a server sheet; empty when it said nothing yet."""
    return context.analysis.sheets.get(sheet) or {}


def lane_budget(label: str, used: float, available: float) -> Budget:
    """All lanes spent is fine; more than there are is an error."""
    text = QCoreApplication.translate("Panels", "{used} / {available}")
    figure = text.format(used=f"{used:.0f}", available=f"{available:.0f}")
    return Budget(label, figure, used / available if available else 0.0, "error" if used > available else "ok")


def power_budget(label: str, load_w: float, usable_w: float) -> Budget:
    """Watts against what the supplies carry with their redundancy kept; 10 % are kept back, as PWR-01 does."""
    text = QCoreApplication.translate("Panels", "{load} / {usable} kW")
    if not usable_w:
        alone = QCoreApplication.translate("Panels", "{load} kW").format(load=_kw(load_w))
        return Budget(label, alone, 0.0, "neutral")
    need = load_w * 1.1
    verdict = "error" if need > usable_w else "warn" if need > 0.95 * usable_w else "ok"
    return Budget(label, text.format(load=_kw(load_w), usable=_kw(usable_w)), load_w / usable_w, verdict)


def _kw(watts: float) -> str:
    return f"{watts / 1000:.1f}" if watts >= 1000 else f"{watts / 1000:.2f}"


def sheet_budgets(context: UiContext, sheet: str) -> list[Budget]:
    """Lanes of each processor and power of each enclosure of a server sheet."""
    summary = summary_of(context, sheet)
    out = []
    lanes: Mapping[str, Mapping[str, Any]] = summary.get("lanes") or {}
    for cpu in sorted(lanes, key=natural_key):
        label = QCoreApplication.translate("Panels", "Lanes, {cpu}").format(cpu=cpu.upper())
        out.append(lane_budget(label, float(lanes[cpu]["used"]), float(lanes[cpu]["available"])))
    for row in summary.get("power") or ():
        host = str(row.get("host", ""))
        label = QCoreApplication.translate("Panels", "Power")
        if host not in ("chassis", ""):
            label = QCoreApplication.translate("Panels", "Power, {box}").format(box=host)
        out.append(power_budget(label, float(row.get("load_w", 0)), float(row.get("usable_w", 0))))
    return out


def item_budgets(context: UiContext, item: EffItem, part: Part | None) -> list[Budget]:
    """Budgets of one item; empty when it has none."""
    if item.of.startswith("sheet:"):
        return _server_budgets(context, item.of[6:])
    if item.kind == "cpu":
        lanes = (summary_of(context, context.sheet).get("lanes") or {}).get(item.id)
        if not lanes:
            return []
        label = QCoreApplication.translate("Panels", "Lanes")
        rows = [lane_budget(label, float(lanes["used"]), float(lanes["available"]))]
        for kind, count in sorted((lanes.get("by_kind") or {}).items(), key=lambda p: -p[1]):
            rows.append(Budget(_kind(kind), f"{count:.0f}", count / max(1.0, float(lanes["available"])), "neutral"))
        return rows
    if item.kind == "switch" and part is not None:
        used, total = cages_used(part, item.config, _linked_ports(context, item.id))
        label = QCoreApplication.translate("Panels", "Cages, per switch")
        text = QCoreApplication.translate("Panels", "{used} / {available}")
        verdict = "error" if used > total else "ok"
        figure = text.format(used=used, available=total)
        return [Budget(label, figure, used / total, verdict)] if total else []
    if item.kind == "external-box":
        power = summary_of(context, context.sheet).get("power") or ()
        found = next((r for r in power if r.get("host") == item.id), None)
        label = QCoreApplication.translate("Panels", "Power")
        return [power_budget(label, float(found["load_w"]), float(found["usable_w"]))] if found else []
    return []


def _kind(kind: str) -> str:
    from fabricwright.ui.panels.inspector_texts import kind_name

    return kind_name(kind)


def _server_budgets(context: UiContext, sheet: str) -> list[Budget]:
    """Lanes and power of one server of a group, summed over its processors."""
    summary = summary_of(context, sheet)
    out = []
    lanes: Mapping[str, Mapping[str, Any]] = summary.get("lanes") or {}
    if lanes:
        used = sum(float(row["used"]) for row in lanes.values())
        there = sum(float(row["available"]) for row in lanes.values())
        out.append(lane_budget(QCoreApplication.translate("Panels", "Lanes, per server"), used, there))
    power = [row for row in summary.get("power") or () if row.get("host") == "chassis"]
    if power:
        label = QCoreApplication.translate("Panels", "Power, per server")
        out.append(power_budget(label, float(power[0]["load_w"]), float(power[0]["usable_w"])))
    return out


def _linked_ports(context: UiContext, item_id: str) -> set[str]:
    out: set[str] = set()
    for link in context.eff.links.values():
        for end in (link.a, link.b):
            owner, ports = split_end(end)
            if owner == item_id and ports:
                out.update(expand_ports(ports))
    return out
