"""What the elevation view says about racks and devices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication

from fabricwright.design.effective import part_of
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Project
from fabricwright.exchange.elevation import Budget, Device, Rack
from fabricwright.ui.i18n import QT_TRANSLATE_NOOP, current_language

_BUDGETS = {
    "units": QT_TRANSLATE_NOOP("RackWords", "Units"),
    "power": QT_TRANSLATE_NOOP("RackWords", "Power"),
    "feed": QT_TRANSLATE_NOOP("RackWords", "One feed"),
    "weight": QT_TRANSLATE_NOOP("RackWords", "Weight"),
}


def _tr(text: str) -> str:
    return QCoreApplication.translate("RackWords", text)


def number(value: float) -> str:
    """Figures of racks: a decimal below 100, thousands with a comma."""
    return f"{value:,.1f}".removesuffix(".0") if value < 100 else f"{value:,.0f}"


def budget_name(what: str) -> str:
    """Units, power, feed, weight."""
    return _tr(_BUDGETS[what])


def budget_figure(budget: Budget) -> tuple[str, ...]:
    """``40.8 of 60 kW``, and shorter."""
    value = ("≥ " if budget.at_least and budget.value else "") + number(budget.value)
    if budget.at_least and not budget.value:
        value = "?"
    if not budget.limit:
        return (f"{value} {budget.unit}", value)
    whole = QCoreApplication.translate("RackWords", "{value} of {limit} {unit}")
    return (
        whole.format(value=value, limit=number(budget.limit), unit=budget.unit),
        f"{value} / {number(budget.limit)}",
        value,
    )


def device_power(device: Device) -> str:
    """Watts of a device, short."""
    return f"{device.power_w / 1e3:,.1f} kW" if device.power_w >= 1000 else f"{device.power_w:.0f} W"


def rack_title(racks: Sequence[Rack]) -> tuple[str, ...]:
    """Name of a rack, or of the first and last of folded ones."""
    if len(racks) == 1:
        return (racks[0].label,)
    return (f"{racks[0].label} … {racks[-1].label}", racks[0].label)


def row_title(rows: Sequence[int]) -> str:
    """``Row 3`` or ``Rows 1-4``."""
    numbers = IndexSet.of(n + 1 for n in rows)
    if len(rows) == 1:
        return QCoreApplication.translate("RackWords", "Row {number}").format(number=str(numbers))
    return QCoreApplication.translate("RackWords", "Rows {numbers}").format(numbers=str(numbers).replace("-", "–"))


def device_tip(device: Device, rack: Rack, project: Project, findings: Iterable[str]) -> str:
    """Lines of the hover tip of a device."""
    part = part_of(project, device.part)
    units = f"U{device.u}" if device.height_u == 1 else f"U{device.u}–{device.top}"
    lines = [f"{device.label} · {part.name(current_language()) if part is not None else device.part}"]
    lines.append(
        QCoreApplication.translate("RackWords", "{units} of {rack}, {height} U").format(
            units=units, rack=rack.label, height=device.height_u
        )
    )
    figures = []
    if device.power_w:
        heat = f"{device.power_w * 3.412142:,.0f} BTU/h"
        figures.append(f"{device_power(device)} ({heat})")
    if device.weight_kg:
        figures.append(f"{number(device.weight_kg)} kg")
    if figures:
        lines.append(" · ".join(figures))
    if device.by_hand:
        lines.append(QCoreApplication.translate("RackWords", "Moved by hand"))
    return "\n".join([*lines, *findings])


def rack_tip(rack: Rack, count: int, project: Project, findings: Iterable[str]) -> str:
    """Lines of the hover tip of a rack."""
    part = part_of(project, rack.part)
    title = f"{rack.label} · {part.name(current_language()) if part is not None else rack.part}"
    lines = [title if count == 1 else f"{title} × {count:,}"]
    lines += [f"{budget_name(b.what)}: {budget_figure(b)[0]}" for b in rack.budgets]
    lines.append(QCoreApplication.translate("RackWords", "Heat: {heat} BTU/h").format(heat=f"{rack.heat_btu_h:,.0f}"))
    if rack.feeds:
        lines.append(QCoreApplication.translate("RackWords", "Feeds: {count}").format(count=rack.feeds))
    return "\n".join([*lines, *findings])
