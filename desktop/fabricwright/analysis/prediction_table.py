"""Predicted collectives over message size as a plain table, for files."""

from __future__ import annotations

from fabricwright.analysis.analyze import Analysis
from fabricwright.exchange.data_table import Column, DataTable, Value
from fabricwright.performance.predict import PredictRequest
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

TITLE = msg("Predictions")
COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")
SIZES = tuple(1 << e for e in range(13, 35, 3))


def prediction_table(analysis: Analysis) -> DataTable:
    """A row per collective and size: times in microseconds with their band, rates in GB/s. A collective that does not
    run is told in the notes."""
    columns = (
        Column("collective", msg("Collective"), width=16),
        Column("bytes", msg("Size (B)"), "count", width=16),
        Column("time_us", msg("Time (us)"), "number", width=12),
        Column("time_us_low", msg("Time, low (us)"), "number", width=14),
        Column("time_us_high", msg("Time, high (us)"), "number", width=14),
        Column("algbw_gbs", msg("algbw (GB/s)"), "number", width=12),
        Column("busbw_gbs", msg("busbw (GB/s)"), "number", width=12),
        Column("algorithm", msg("Algorithm"), width=14),
        Column("protocol", msg("Protocol"), width=10),
        Column("limit", msg("What binds"), width=40),
    )
    rows: list[tuple[Value, ...]] = []
    notes = [msg("Predicted for {n} GPUs; the band is where measurements fell.", n=analysis.cluster.n_ranks)]
    for collective in COLLECTIVES:
        try:
            found = analysis.predict(PredictRequest(collective, SIZES))
        except UserError as error:
            notes.append(msg("{collective}: {problem}", collective=collective, problem=error.message))
            continue
        for row in found.rows:
            times = (round(s * 1e6, 3) for s in (row.time_s, row.low_s, row.high_s))
            rates = (round(rate / 1e9, 4) for rate in (row.algbw, row.busbw))
            choice = (row.algorithm, row.protocol, row.bottleneck.label)
            rows.append((collective, row.n_bytes, *times, *rates, *choice))
    return DataTable("predictions", TITLE, columns, tuple(rows), (), tuple(notes), frozen=2)
