"""Power, heat, weight and units of every rack against its limits, and what stands in it."""

from __future__ import annotations

from fabricwright.design.values import Project
from fabricwright.exchange.data_table import Column, DataTable, Formula, TotalLine, Value, summed
from fabricwright.exchange.elevation import BTU_H_PER_W, Budget, Elevation, Rack, elevation
from fabricwright.units.text import Message, msg

TITLE = msg("Racks: power, heat, weight")
_STATES = {"": msg("within limits"), "warning": msg("above a limit"), "error": msg("does not fit")}


def rack_tables(project: Project, design_id: str, racks: Elevation | None = None) -> list[DataTable]:
    """The rack table and the contents of the racks, without rows when the design has none. ``racks`` when already
    made."""
    standing = racks if racks is not None else elevation(project, design_id)
    return [_racks(project, standing), _contents(standing)]


def _racks(project: Project, standing: Elevation) -> DataTable:
    columns = (
        Column("rack", msg("Rack"), width=16),
        Column("row", msg("Row"), "count", width=7, centred=True),
        Column("place", msg("Place"), "count", width=7, centred=True),
        Column("part", msg("Part"), width=18),
        Column("devices", msg("Devices"), "count", width=9),
        Column("used_u", msg("Units in use"), "count", width=9),
        Column("units", msg("Units"), "count", width=8),
        Column("power_w", msg("Power at most (W)"), "power_w", width=12),
        Column("limit_w", msg("Cooling limit (W)"), "power_w", width=12),
        Column("power_share", msg("Of the limit"), "percent", width=9),
        Column("feed_w", msg("One feed carries (W)"), "power_w", width=12),
        Column("heat_btu_h", msg("Heat (BTU/h)"), "power_w", width=12),
        Column("weight_kg", msg("Weight (kg)"), "mass_kg", width=11),
        Column("weight_limit_kg", msg("Weight limit (kg)"), "mass_kg", width=11),
        Column("feeds", msg("Feeds"), "count", width=7, centred=True),
        Column("state", msg("State"), width=15),
    )
    rows = tuple(_row(standing, rack) for rack in standing.racks)
    sums = ("devices", "used_u", "units", "power_w", "heat_btu_h", "weight_kg")
    places = {column.key: n for n, column in enumerate(columns)}
    cells: dict[str, Value] = {}
    for key in sums:
        cells[key] = summed(key, [_number(row[places[key]]) for row in rows])
    notes = [msg("Sums count what the catalogue or the drawing states; all power becomes heat (1 W = 3.412 BTU/h).")]
    if any(budget.at_least for rack in standing.racks for budget in rack.budgets):
        notes.append(msg("Some devices have no figure for power or weight: their racks' sums are lower bounds."))
    for item, n in standing.unseated.items():
        notes.append(msg("{count} of {item} stand in no rack.", count=n, item=item))
    total = TotalLine(msg("All racks"), cells, strong=True)
    return DataTable("racks", TITLE, columns, rows, (total,), tuple(notes), frozen=1)


def _number(value: Value) -> float:
    if isinstance(value, Formula):
        value = value.value
    return float(value) if isinstance(value, (int, float)) else 0.0


def _row(standing: Elevation, rack: Rack) -> tuple[Value, ...]:
    budgets = {budget.what: budget for budget in rack.budgets}
    power, feed, weight = budgets.get("power"), budgets.get("feed"), budgets.get("weight")
    limit = _limit(power, 1000.0 if power is not None and power.unit == "kW" else 1.0)
    state: Message = _STATES.get(rack.severity, _STATES[""])
    return (
        rack.label,
        rack.row + 1,
        rack.place + 1,
        rack.part,
        len(standing.devices(rack)),
        rack.used_u,
        rack.units or None,
        rack.power_w or None,
        limit,
        Formula(rack.power_w / limit, "{power_w}/{limit_w}") if limit else None,
        _limit(feed, 1000.0 if feed is not None and feed.unit == "kW" else 1.0),
        Formula(rack.power_w * BTU_H_PER_W, f"{{power_w}}*{BTU_H_PER_W!r}"),
        rack.weight_kg or None,
        _limit(weight, 1.0),
        rack.feeds or None,
        state,
    )


def _limit(budget: Budget | None, factor: float) -> float | None:
    return budget.limit * factor if budget is not None and budget.limit else None


def _contents(standing: Elevation) -> DataTable:
    columns = (
        Column("rack", msg("Rack"), width=18),
        Column("u", msg("Unit"), "count", width=8, centred=True),
        Column("top", msg("To unit"), "count", width=8, centred=True),
        Column("device", msg("Device"), width=22),
        Column("part", msg("Part"), width=28),
        Column("power_w", msg("Power at most (W)"), "power_w", width=14),
        Column("weight_kg", msg("Weight (kg)"), "mass_kg", width=12),
    )
    rows: list[tuple[Value, ...]] = []
    for rack in standing.racks:
        for device in sorted(standing.devices(rack), key=lambda d: -d.u):
            rows.append(
                (
                    rack.label,
                    device.u,
                    device.top,
                    device.label,
                    device.part,
                    device.power_w or None,
                    device.weight_kg or None,
                )
            )
    cells: dict[str, Value] = {
        key: summed(key, [_number(row[n]) for row in rows]) for key, n in (("power_w", 5), ("weight_kg", 6))
    }
    return DataTable(
        "contents", msg("What stands where"), columns, tuple(rows), (TotalLine(msg("All racks"), cells),), frozen=1
    )
