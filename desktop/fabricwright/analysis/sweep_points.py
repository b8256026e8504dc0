"""The rows of a sweep, one point after the other, with everything kept that the next point may share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fabricwright.analysis.analyze import Analysis
from fabricwright.analysis.sweep import Grid
from fabricwright.analysis.sweep_metrics import Cell
from fabricwright.analysis.sweep_stages import SweepCache, SweepStages
from fabricwright.design.values import Project
from fabricwright.design.variation import Value, redraw, vary
from fabricwright.exchange.data_table import Column, DataTable
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

CACHE_BYTES = 384 << 20


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One point: its number, and a value for every column. A value that could not be computed is None, and the last
    column says why."""

    index: int
    cells: tuple[Cell, ...]


class SweepPoints:
    """Computes points of a grid in this process. ``lang`` of the texts in the rows."""

    def __init__(self, project: Project, design: str, grid: Grid, lang: str = "en") -> None:
        self.grid = grid
        self._project, self._design, self._lang = project, design, lang
        self._cache = SweepCache(CACHE_BYTES)
        self._drawn: list[tuple[Value, Project]] = []

    @property
    def cache(self) -> SweepCache:
        """What was compiled, with counts."""
        return self._cache

    def rows(self, indices: Iterable[int]) -> Iterator[SweepRow]:
        """Rows of these points, one by one."""
        for index in indices:
            yield self.row(index)

    def row(self, index: int) -> SweepRow:
        """One row; never raises for a variant that cannot be drawn or computed: it says so in its last column."""
        point = self.grid.point(index)
        head: list[Cell] = [index, *(_cell(value) for value in point)]
        width = sum(len(metric.columns) for metric in self.grid.metrics)
        try:
            stages = SweepStages(self.variant(point), self._design, self._cache)
        except UserError as error:
            return SweepRow(index, (*head, *([None] * width), error.message.text(self._lang)))
        analysis = Analysis(stages)
        problems: dict[str, None] = {}
        for metric in self.grid.metrics:
            try:
                head += metric.compute(analysis, stages, self._lang)
            except UserError as error:
                problems.setdefault(error.message.text(self._lang))
                head += [None] * len(metric.columns)
            except Exception as error:  # noqa: BLE001 (one variant that trips a defect must not lose the others)
                what = f"{type(error).__name__}: {error}"
                text = msg("Internal error, please report it: {what}", what=" ".join(what.split())[:300])
                problems.setdefault(text.text(self._lang))
                head += [None] * len(metric.columns)
        return SweepRow(index, (*head, " ".join(problems)))

    def variant(self, point: tuple[Value, ...]) -> Project:
        """The project drawn with the values of a point. What was drawn for the point before is kept as far as its
        first values are equal."""
        same = 0
        for (value, _), wanted in zip(self._drawn, point, strict=False):
            if type(value) is not type(wanted) or value != wanted:
                break
            same += 1
        del self._drawn[same:]
        for n in range(same, len(point)):
            before = self._drawn[-1][1] if self._drawn else self._project
            field = self.grid.fields[n]
            if field.place == "template":
                settings = {f.key: v for f, v in zip(self.grid.fields[: n + 1], point, strict=False)}
                last = n + 1 == len(point) or self.grid.fields[n + 1].place != "template"
                after = redraw(self._project, field.name, settings) if last else before
            else:
                after = vary(before, self._design, field, point[n])
            self._drawn.append((point[n], after))
        return self._drawn[-1][1] if self._drawn else self._project


def _cell(value: Value) -> Cell:
    return "" if value is None else ("on" if value else "off") if isinstance(value, bool) else value


def columns_of(grid: Grid) -> tuple[Column, ...]:
    """Columns of the table: the number of the point, the fields, the metrics, and what went wrong."""
    kinds = [
        "text" if any(not isinstance(v, (int, float)) or isinstance(v, bool) for v in row) else "number"
        for row in grid.values
    ]
    fields = [
        Column(field.text, Message("{field}", {"field": field.text}), kind)
        for field, kind in zip(grid.fields, kinds, strict=True)
    ]
    metrics = [column for metric in grid.metrics for column in metric.columns]
    return (
        Column("point", msg("Point"), "count"),
        *fields,
        *metrics,
        Column("problem", msg("Problem"), "text", width=40, wrap=True),
    )


def table_of(grid: Grid, rows: Iterable[SweepRow]) -> DataTable:
    """The rows in the order of their numbers, as a table."""
    cells = tuple(row.cells for row in sorted(rows, key=lambda row: row.index))
    return DataTable("rows", msg("Sweep"), columns_of(grid), cells, frozen=1 + len(grid.fields))
