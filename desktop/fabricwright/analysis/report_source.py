"""What the chapters of a report read: one analysis, its language, and what several chapters need computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from fabricwright.analysis.analyze import Analysis, analyze
from fabricwright.analysis.compare import Curve, curve_of
from fabricwright.analysis.figures import GIB, DesignFigures, design_figures
from fabricwright.exchange.bom import BomTable, bom
from fabricwright.exchange.chart_ink import draw_chart
from fabricwright.exchange.chart_model import ChartModel, Reference, Series
from fabricwright.exchange.data_table import DataTable, Formula, Value
from fabricwright.exchange.ink import Ink
from fabricwright.exchange.report_blocks import Draw, ReportTable, TableColumn
from fabricwright.performance.predict import PredictRequest
from fabricwright.performance.resilience import Resilience
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, format_value, msg


class Source:
    """An analysis in one language. ``say`` turns whatever a cell may be into text."""

    def __init__(self, analysis: Analysis, lang: str) -> None:
        self.analysis = analysis
        self.lang = lang

    def say(self, text: object) -> str:
        """Text in the report's language."""
        if isinstance(text, Message):
            return text.text(self.lang)
        return "" if text is None else format_value(text, self.lang)

    @property
    def title(self) -> str:
        """Title of the design, its id where it has none."""
        return self.analysis.stages.design.title or self.analysis.design

    @cached_property
    def figures(self) -> DesignFigures:
        """Key figures, as everywhere else; the training step has a chapter of its own."""
        return design_figures(self.analysis, training=False)

    @cached_property
    def bom(self) -> BomTable:
        """The bill of materials."""
        return bom(self.analysis.project, self.analysis.design, self.analysis.stages.bundles())

    @cached_property
    def failures(self) -> Resilience | None:
        """Every single failure; None where the collective does not run."""
        try:
            return self.analysis.resilience(PredictRequest("all_reduce", (GIB,)))
        except UserError:
            return None

    def curve(self, collective: str) -> Curve:
        """busbw over message size with its band."""
        return curve_of(self.analysis, GIB, collective)

    def beside(self, design: str) -> Analysis:
        """Another design of the project."""
        return analyze(self.analysis.project, design)

    # -- charts and tables --------------------------------------------------------------------------------------------

    def chart(self, curves: Sequence[tuple[str, Curve, str, bool]], references: Sequence[Reference] = ()) -> ChartModel:
        """(label, curve, colour token, dashed) as a chart of busbw."""
        series = [
            Series(
                tuple(float(n) for n in curve.n_bytes),
                curve.busbw,
                label,
                token,
                dashed,
                curve.low,
                curve.high,
            )
            for label, curve, token, dashed in curves
            if curve.n_bytes
        ]
        title = self.say(msg("message per GPU"))
        return ChartModel(tuple(series), tuple(references), y_unit=self.say(msg("busbw, GB/s")), x_title=title)

    def drawer(self, model: ChartModel) -> Draw:
        """Draws a chart into a figure's box."""

        def draw(ink: Ink, x: float, y: float, w: float, h: float) -> None:
            draw_chart(ink, x, y, w, h, model)

        return draw

    def table(
        self,
        data: DataTable,
        shares: dict[str, float],
        caption: Message | None = None,
        keep: Callable[[tuple[Value, ...]], bool] = lambda row: True,
    ) -> ReportTable:
        """Some columns of a deliverable's table, with its totals and notes. ``shares`` column key -> share of the
        width; ``keep`` which rows."""
        places = {column.key: n for n, column in enumerate(data.columns)}
        chosen = [key for key in shares if key in places]
        kinds = [data.columns[places[key]].kind for key in chosen]
        columns = tuple(
            TableColumn(self.say(data.columns[places[key]].head), shares[key], kind != "text")
            for key, kind in zip(chosen, kinds, strict=True)
        )
        kept = [n for n, row in enumerate(data.rows) if keep(row)]
        rows = [
            tuple(self.cell(data.rows[n][places[key]], kind) for key, kind in zip(chosen, kinds, strict=True))
            for n in kept
        ]
        soft = frozenset(k for k, n in enumerate(kept) if n in data.soft)
        strong = []
        if len(kept) == len(data.rows):
            for line in data.totals:
                cells = [
                    self.cell(line.cells.get(key), kind) if key in line.cells else ""
                    for key, kind in zip(chosen, kinds, strict=True)
                ]
                if not any(cells):
                    continue
                cells[0] = cells[0] or self.say(line.label)
                strong.append(len(rows))
                rows.append(tuple(cells))
        return ReportTable(
            self.say(caption if caption is not None else data.title),
            columns,
            tuple(rows),
            (),
            frozenset(strong),
            soft,
            tuple(self.say(note) for note in data.notes),
        )

    def cell(self, value: Value, kind: str) -> str:
        """A value as people read it; ``kind`` of its column."""
        if isinstance(value, Formula):
            value = value.value
        if value is None or value == "":
            return ""
        if isinstance(value, (Message, str)):
            return self.say(value)
        if kind == "percent":
            return f"{value * 100:.1f} %"
        if kind == "money":
            return f"{value:,.2f}"
        if kind in ("count", "power_w"):
            return f"{value:,.0f}"
        if kind == "mass_kg":
            return f"{value:,.1f}"
        return f"{value:g}"
