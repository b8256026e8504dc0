"""``fabricwright calibrate FILE LOG...``: a site's own constants from nccl-tests logs, as a profile of the project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fabricwright.analysis.measurements import fit_logs, median_error
from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, open_project
from fabricwright.design.edits import run as run_edit
from fabricwright.design.patch import apply
from fabricwright.design.storage import save
from fabricwright.exchange.nccl_tests_log import LogTable, read_log
from fabricwright.performance.calibration import load_calibration
from fabricwright.performance.collectives import COLLECTIVES
from fabricwright.performance.predict import LAUNCHES
from fabricwright.performance.profile import Fit, Measured
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
    with Working(arguments):
        fitted = fit_logs(
            project, design, tables, arguments.name, collective=arguments.collective or "", launch=arguments.launch
        )
    for call in fitted.calls:
        project = apply(project, run_edit(project, call))
    save(project, arguments.output)
    _print(fitted.curves, fitted.fit, arguments, out)
    return 0


def _print(curves: Sequence[tuple[LogTable, Measured]], fit: Fit, arguments: Arguments, out: Output) -> None:
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
    summary = {
        "before": median_error(fit.before),
        "after": median_error(fit.after),
        "skipped_rows": skipped,
        "wrong_rows": wrong,
    }
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
