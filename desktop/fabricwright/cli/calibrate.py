"""``fabricwright calibrate FILE LOG...``: a site's own constants from nccl-tests logs, as a profile of the project."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fabricwright.analysis.analyze import Analysis, analyze
from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, open_project
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.storage import save
from fabricwright.design.values import Project
from fabricwright.exchange.nccl_tests_log import LogTable, good_rows, read_log
from fabricwright.performance.calibration import load_calibration
from fabricwright.performance.collectives import COLLECTIVES
from fabricwright.performance.predict import LAUNCHES, PredictRequest
from fabricwright.performance.profile import Fit, Measured, fit_profile
from fabricwright.units.errors import UserError
from fabricwright.units.quantity import format_size
from fabricwright.units.text import msg

SUMMARY = msg("fit a profile of the project to nccl-tests logs")


def add_arguments(parser: Parser) -> None:
    """FILE, the logs, what the profile is called and where the project goes."""
    add_project(parser)
    parser.add_argument("logs", metavar="LOG", nargs="+", help=parser.say(msg("output of nccl-tests")))
    parser.add_argument("--name", metavar="PROFILE", required=True, help=parser.say(msg("what the profile is called")))
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help=parser.say(msg("project file to write")))
    parser.add_argument(
        "--collective", choices=COLLECTIVES, help=parser.say(msg("what ran, where a log does not say it"))
    )
    parser.add_argument(
        "--launch", choices=LAUNCHES, default="", help=parser.say(msg("who started the kernels in these runs"))
    )


def run(arguments: Arguments, out: Output) -> int:
    """Fit, show measured against predicted before and after, write the project with the profile in use."""
    tables = [table for log in arguments.logs for table in read_log(Path(log))]
    project, design = open_project(arguments)
    project = _without_profile(project, design)
    with Working(arguments):
        curves = [(table, _measured(project, design, table, arguments)) for table in tables]
        fit = fit_profile([curve for _, curve in curves])
    patch = EDITS["set_profile"](project, name=arguments.name, values=dict(fit.values), title=_title(arguments.logs))
    project = apply(project, patch)
    project = apply(project, EDITS["set_setting"](project, design=design, key="profile", value=arguments.name))
    save(project, arguments.output)
    _print(curves, fit, arguments, out)
    return 0


def _title(logs: list[str]) -> str:
    return ", ".join(Path(log).name for log in logs)[:200]


def _without_profile(project: Project, design: str) -> Project:
    """The fit starts from the shipped constants, whatever the design used until now."""
    patch = EDITS["set_setting"](project, design=design, key="profile", value=None)
    return apply(project, patch) if patch else project


def _measured(project: Project, design: str, table: LogTable, arguments: Arguments) -> Measured:
    """A table of a log on the ranks of the design that it ran on: its first servers."""
    collective = arguments.collective or table.collective
    if not collective:
        raise UserError(msg("{file}: which collective ran is not said; give --collective.", file=table.source))
    rows = list(good_rows(table))
    if not rows:
        raise UserError(msg("{file}: every row has wrong values; nothing to fit.", file=table.source))
    whole = analyze(project, design)
    analysis = whole if table.ranks in (0, whole.cluster.n_ranks) else _first(project, design, table, whole)
    return Measured(
        analysis.book(),
        PredictRequest(collective, tuple(r.n_bytes for r in rows), launch=arguments.launch),
        tuple(r.n_bytes for r in rows),
        tuple(r.time_s for r in rows),
    )


def _first(project: Project, design: str, table: LogTable, whole: Analysis) -> Analysis:
    """The first servers of the design that hold as many GPUs as the log has ranks."""
    servers, gpus = np.unique(whole.cluster.rank_server, return_counts=True)
    held = np.cumsum(gpus)
    nodes = int(np.searchsorted(held, table.ranks)) + 1
    if nodes > len(servers) or int(held[nodes - 1]) != table.ranks:
        raise UserError(
            msg(
                "{file}: {ranks} ranks; the design has {gpus} GPUs on {servers} servers, which no number of them makes.",
                file=table.source,
                ranks=table.ranks,
                gpus=whole.cluster.n_ranks,
                servers=len(servers),
            )
        )
    return analyze(project, design, nodes=nodes)


def _print(curves: list[tuple[LogTable, Measured]], fit: Fit, arguments: Arguments, out: Output) -> None:
    shipped = load_calibration()
    document: list[dict[str, object]] = []
    at = 0
    cells = []
    for table, curve in curves:
        for n_bytes, time_s in zip(curve.sizes, curve.times_s, strict=True):
            before, after = time_s * float(np.exp(fit.before[at])), time_s * float(np.exp(fit.after[at]))
            at += 1
            row = {
                "log": table.source,
                "collective": curve.request.collective,
                "bytes": n_bytes,
                "measured_us": time_s * 1e6,
                "shipped_us": before * 1e6,
                "profile_us": after * 1e6,
                "residual": after / time_s - 1,
            }
            document.append(row)
            cells.append(
                [
                    format_size(n_bytes),
                    f"{time_s * 1e6:.1f}",
                    f"{before * 1e6:.1f}",
                    f"{100 * (before / time_s - 1):+.1f} %",
                    f"{after * 1e6:.1f}",
                    f"{100 * (after / time_s - 1):+.1f} %",
                ]
            )
    skipped = sum(table.skipped for table, _ in curves)
    wrong = sum(1 for table, _ in curves for row in table.rows if row.wrong)
    changed = {name: {"value": value, "shipped": shipped.value(name)} for name, value in sorted(fit.values.items())}
    summary = {"before": _median(fit.before), "after": _median(fit.after), "skipped_rows": skipped, "wrong_rows": wrong}
    out.document({"profile": arguments.name, "values": changed, "points": document, "median_abs": summary})
    out.table(
        [msg("size"), msg("measured (us)"), msg("shipped (us)"), msg("off"), msg("profile (us)"), msg("residual")],
        cells,
        "rrrrrr",
    )
    for name, value in sorted(fit.values.items()):
        out.say(
            msg("{name}: {value} (shipped {old})", name=name, value=f"{value:.4g}", old=f"{shipped.value(name):.4g}")
        )
    out.say(
        msg(
            "{file}: profile {name} from {points} points; median error {before} % before, {after} % after.",
            file=arguments.output,
            name=arguments.name,
            points=len(cells),
            before=round(100 * summary["before"], 1),
            after=round(100 * summary["after"], 1),
        )
    )
    if skipped or wrong:
        out.say(
            msg(
                "Left out: {skipped} rows cut off or mixed with other lines, {wrong} rows with wrong values.",
                skipped=skipped,
                wrong=wrong,
            )
        )


def _median(residuals: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    return float(np.median(np.abs(np.expm1(residuals))))
