"""Grids held against a design: every field found, every value in its form. The last field varies fastest."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from fabricwright.analysis.sweep_metrics import DEFAULT_METRICS, Metric, parse_metric
from fabricwright.design.field_values import read_value
from fabricwright.design.grid_text import GridText
from fabricwright.design.keys import digest
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.design.variation import Field, Value, find_field, redraw
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

BIG_GRID = 10_000
"""Points above which somebody has to agree first."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of one design. ``values`` in the form of each field; points are numbered, the last field fastest."""

    fields: tuple[Field, ...]
    values: tuple[tuple[Value, ...], ...]
    metrics: tuple[Metric, ...]
    text: GridText

    @property
    def count(self) -> int:
        """Points."""
        return math.prod(len(row) for row in self.values)

    def point(self, index: int) -> tuple[Value, ...]:
        """Values of one point, in the order of the fields."""
        out: list[Value] = []
        for row in reversed(self.values):
            index, n = divmod(index, len(row))
            out.append(row[n])
        return tuple(reversed(out))

    def chosen(self, limit: int | None) -> Sequence[int]:
        """Numbers of the points that are computed: all, or ``limit`` of them spread evenly over the grid."""
        if limit is None or limit >= self.count:
            return range(self.count)
        return [n * self.count // limit for n in range(limit)]


# -- against a project ------------------------------------------------------------------------------------------------


def resolve(text: GridText, project: Project, design: str) -> Grid:
    """The grid held against a design: every field found, every value in its form. Raises UserError."""
    template = TEMPLATES.get(text.template)
    fields: list[Field] = []
    for name in sorted(text.fields, key=_turn):
        found = find_field(project, design, name, template)
        if found.place == "template" and not fields:
            project = redraw(project, found.name, {})  # other fields are about what the template draws
            if design not in project.designs:
                raise UserError(
                    msg("Template '{template}' draws no design '{design}'.", template=found.name, design=design)
                )
        fields.append(found)
    values = []
    for field in fields:
        row = tuple(read_value(field, value) for value in text.fields[field.text])
        twice = next((v for n, v in enumerate(row) if v in row[:n]), None) if len(row) < 1000 else None
        if twice is not None:
            raise UserError(msg("Grid: field '{field}' has the value {value} twice.", field=field.text, value=twice))
        values.append(row)
    metrics = tuple(parse_metric(name) for name in text.metrics or DEFAULT_METRICS)
    return Grid(tuple(fields), tuple(values), metrics, text)


def _turn(name: str) -> int:
    """What draws anew comes first, then the choice of the workload, which other fields are about."""
    return 0 if name.startswith("template.") else 1 if name == "settings.workload" else 2


def grid_hash(grid: Grid, project_file: bytes, design: str, lang: str, version: str) -> str:
    """What a run is about: rows of an earlier run count again only when this is equal."""
    spec = json.dumps(grid.text.to_json(), ensure_ascii=True, default=str)
    return f"{digest(project_file, design, spec, lang, version):032x}"
