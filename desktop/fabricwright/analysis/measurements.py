"""Logs of nccl-tests beside a design: what is predicted for what was measured, and a profile fitted to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fabricwright.analysis.analyze import Analysis, analyze
from fabricwright.design.calls import EditCall
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.values import Project
from fabricwright.exchange.nccl_tests_log import LogTable, good_rows, read_log
from fabricwright.performance.predict import PredictRequest
from fabricwright.performance.profile import Fit, Measured, fit_profile
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

#: ``analyse(project, nodes)``: a design on its first servers (None: all of them).
Analyse = Callable[[Project, int | None], Analysis]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A profile: the measured curves it was fitted to with their tables, the fit, and the edits that store and use
    it."""

    curves: tuple[tuple[LogTable, Measured], ...]
    fit: Fit
    calls: tuple[EditCall, ...]


def ranks_of(project: Project, table: LogTable, analyse: Analyse) -> tuple[Analysis, int | None]:
    """The design on the ranks that a table ran on, its first servers, and how many of them (None: all).
    ``UserError`` when no number of servers makes that many ranks.
    """
    whole = analyse(project, None)
    if table.ranks in (0, whole.cluster.n_ranks):
        return whole, None
    servers, gpus = np.unique(whole.cluster.rank_server, return_counts=True)
    held = np.cumsum(gpus)
    nodes = int(np.searchsorted(held, table.ranks)) + 1
    if nodes > len(servers) or int(held[nodes - 1]) != table.ranks:
        raise UserError(
            msg(
                "{file}: {ranks} ranks; the design has {gpus} GPUs on {servers} servers, which no number of them "
                "makes.",
                file=table.source,
                ranks=table.ranks,
                gpus=whole.cluster.n_ranks,
                servers=len(servers),
            )
        )
    return analyse(project, nodes), nodes


def measured_curve(
    project: Project, table: LogTable, analyse: Analyse, *, collective: str = "", launch: str = ""
) -> Measured:
    """A table on the ranks that it ran on. ``collective`` counts where the log does not say what ran."""
    name = table.collective or collective
    if not name:
        raise UserError(msg("{file}: which collective ran is not said; give --collective.", file=table.source))
    rows = list(good_rows(table))
    if not rows:
        raise UserError(msg("{file}: every row has wrong values; nothing to fit.", file=table.source))
    analysis, _ = ranks_of(project, table, analyse)
    sizes = tuple(r.n_bytes for r in rows)
    return Measured(analysis.book(), PredictRequest(name, sizes, launch=launch), sizes, tuple(r.time_s for r in rows))


def fit_logs(
    project: Project,
    design: str,
    tables: Sequence[LogTable],
    name: str,
    analyse: Analyse | None = None,
    *,
    collective: str = "",
    launch: str = "",
) -> Fitted:
    """Fit the shipped constants to ``tables`` and say which edits store the result as ``name`` and use it."""
    look = analyse or (lambda p, nodes: analyze(p, design, nodes=nodes))
    title = ", ".join(dict.fromkeys(Path(table.source).name for table in tables))[:200]
    bare = _without_profile(project, design)
    curves = tuple((table, measured_curve(bare, table, look, collective=collective, launch=launch)) for table in tables)
    fit = fit_profile([curve for _, curve in curves])
    calls = (
        EditCall("set_profile", {"name": name, "values": dict(fit.values), "title": title}),
        EditCall("set_setting", {"design": design, "key": "profile", "value": name}),
    )
    return Fitted(curves, fit, calls)


def _without_profile(project: Project, design: str) -> Project:
    """The fit starts from the shipped constants, whatever the design used until now."""
    patch = EDITS["set_setting"](project, design=design, key="profile", value=None)
    return apply(project, patch) if patch else project


def median_error(residuals: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """Median of |predicted / measured - 1| from the logarithms of the ratio."""
    return float(np.median(np.abs(np.expm1(residuals))))


class LogFiles:
    """The logs that a person laid over the prediction; a file that changed is read again."""

    def __init__(self) -> None:
        self._read: dict[str, tuple[tuple[int, int], list[LogTable]]] = {}

    def tables(self, paths: Sequence[str]) -> list[LogTable]:
        """Tables of all ``paths``. ``UserError`` for the first that cannot be read or is none of nccl-tests."""
        self._read = {path: row for path, row in self._read.items() if path in paths}
        found: list[LogTable] = []
        for path in paths:
            stamp = _stamp(path)
            if path not in self._read or self._read[path][0] != stamp:
                self._read[path] = (stamp, read_log(Path(path)))
            found += self._read[path][1]
        return found


def _stamp(path: str) -> tuple[int, int]:
    try:
        state = Path(path).stat()
    except OSError:
        return (0, 0)
    return (state.st_mtime_ns, state.st_size)


def overlay(project: Project, table: LogTable, analyse: Analyse, collective: str) -> dict[str, Any]:
    """A table for the window: its points (us, GB/s) with what is predicted for the ranks that it ran on and how far
    off that is (predicted / measured - 1). ``error`` instead of predictions where the design cannot run it.
    """
    rows = list(good_rows(table))
    shown: dict[str, Any] = {
        "source": table.source,
        "collective": table.collective or collective,
        "ranks": table.ranks,
        "nodes": 0,
        "skipped": table.skipped,
        "wrong": len(table.rows) - len(rows),
        "error": None,
        "points": [{"bytes": r.n_bytes, "time_us": r.time_s * 1e6, "busbw_gbs": r.busbw / 1e9} for r in rows],
    }
    if not rows:
        return shown
    try:
        analysis, nodes = ranks_of(project, table, analyse)
        found = analysis.predict(PredictRequest(str(shown["collective"]), tuple(r.n_bytes for r in rows)))
    except UserError as error:
        return {**shown, "error": error.message.to_json()}
    for point, row in zip(shown["points"], found.rows, strict=True):
        point |= {"predicted_us": row.time_s * 1e6, "off": row.time_s * 1e6 / point["time_us"] - 1}
    return {**shown, "nodes": nodes or 0, "ranks": found.n_ranks}
