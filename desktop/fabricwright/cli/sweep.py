"""``fabricwright sweep FILE --grid SPEC``: many variants of a design, one row each."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

from fabricwright import __version__
from fabricwright.analysis.sweep import BIG_GRID, Grid, grid_hash, resolve
from fabricwright.analysis.sweep_journal import Journal
from fabricwright.analysis.sweep_points import SweepPoints, SweepRow, columns_of, table_of
from fabricwright.analysis.sweep_workers import SweepJob, row_text, run_dask, run_local, serve
from fabricwright.cli.arguments import Arguments, Parser, add_project, count
from fabricwright.cli.output import Output
from fabricwright.cli.projects import open_project
from fabricwright.cli.table_files import add_table_output, check_table_name, hand_out
from fabricwright.design.grid_text import read_grid
from fabricwright.design.storage import dumps
from fabricwright.design.values import Project
from fabricwright.exchange.data_table import DataTable, plain, table_records
from fabricwright.exchange.tabular import to_csv
from fabricwright.exchange.workbook import facts_of, workbook_bytes
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

SUMMARY = msg("compute many variants of a design: fields x values, one row each")

TRIED_POINTS, TRIED_S = 6, 2.0
"""An estimate is made from so many points after the first, or as many as fit into this time."""
MOST_WORKERS = 256
PROGRESS_EVERY_S = 1.0
SHOWN_ROWS = 60


def add_arguments(parser: Parser) -> None:
    """FILE, the grid, who computes, where it goes."""
    add_project(parser)
    parser.add_argument(
        "--grid",
        metavar="SPEC",
        required=True,
        help=parser.say(msg("fields and values, such as 'settings.ecmp.qps=1,4; up.per_pair=1..8', or @FILE")),
    )
    parser.add_argument("--workers", metavar="N", help=parser.say(msg("processes that share the points (default: 1)")))
    parser.add_argument("--dask", metavar="ADDRESS", help=parser.say(msg("a Dask scheduler, such as tcp://host:8786")))
    parser.add_argument("--limit", metavar="N", help=parser.say(msg("only N points, spread evenly over the grid")))
    parser.add_argument("--yes", action="store_true", help=parser.say(msg("compute a big grid without being asked")))
    parser.add_argument(
        "--estimate", action="store_true", help=parser.say(msg("only count the points and estimate the time"))
    )
    add_table_output(parser, xlsx=True)
    # For the program itself: be a worker; tell rows as they are ready.
    parser.add_argument("--serve", action="store_true", help=parser.say(msg("(internal)")))
    parser.add_argument("--report-rows", action="store_true", help=parser.say(msg("(internal)")))


def run(arguments: Arguments, out: Output) -> int:
    """Compute, print, write."""
    check_table_name(arguments.output, xlsx=True)
    workers = count(arguments.workers, "--workers") or 1
    limit = count(arguments.limit, "--limit")
    if arguments.dask and arguments.workers:
        raise UserError(msg("--workers and --dask exclude each other."))
    if workers > MOST_WORKERS:
        raise UserError(msg("--workers: at most {most}.", most=MOST_WORKERS))
    project, design = open_project(arguments)
    grid = resolve(read_grid(arguments.grid), project, design)
    if arguments.serve:
        return serve(SweepPoints(project, design, grid, out.lang))
    indices = grid.chosen(limit)
    if arguments.estimate or (len(indices) > BIG_GRID and not arguments.yes and limit is None):
        return _estimate(arguments, out, grid, indices, SweepPoints(project, design, grid, out.lang), workers)
    job = SweepJob(dumps(project), design, grid, out.lang)
    if arguments.output is None:
        rows: list[SweepRow] = []
        _run(arguments, job, project, indices, workers, _teller(arguments, rows.append, 0, len(indices)))
        _give(arguments, out, project, design, grid, rows)
    else:
        _with_journal(arguments, out, job, project, indices, workers)
    return 0


# -- computing --------------------------------------------------------------------------------------------------------


def _with_journal(
    arguments: Arguments, out: Output, job: SweepJob, project: Project, indices: Sequence[int], workers: int
) -> None:
    """Compute into a file, on top of what an earlier run left; what is finished is kept however it ends."""
    run_id = grid_hash(job.grid, job.project_file, job.design, job.lang, __version__)
    with Journal(arguments.output, run_id, job.columns) as journal:
        left = [index for index in indices if index not in journal.rows]
        before = len(indices) - len(left)
        if journal.other:
            _note(msg("{file} belongs to another sweep; it is begun anew.", file=str(journal.path)), job.lang)
        if before:
            _note(msg("{done} of {count} points were computed before.", done=before, count=len(indices)), job.lang)
        try:
            for row in journal.rows.values() if arguments.report_rows else ():
                print(row_text(row), flush=True)
            _run(arguments, job, project, left, workers, _teller(arguments, journal.add, before, len(indices)))
        except KeyboardInterrupt:
            found = [journal.rows[index] for index in indices if index in journal.rows]
            if found:
                _give(arguments, Output(job.lang), project, job.design, job.grid, found)
            raise UserError(
                msg(
                    "Interrupted: {done} of {count} points are in {file}; the same command goes on with the others.",
                    done=len(found),
                    count=len(indices),
                    file=arguments.output,
                )
            ) from None
        _give(arguments, out, project, job.design, job.grid, [journal.rows[index] for index in indices])
        journal.remove()


def _run(
    arguments: Arguments,
    job: SweepJob,
    project: Project,
    indices: Sequence[int],
    workers: int,
    done: Callable[[SweepRow], None],
) -> None:
    if not indices:
        return
    if arguments.dask:
        run_dask(job, indices, arguments.dask, done)
    elif workers > 1 and len(indices) > 1:
        run_local(job, indices, workers, done)
    else:
        for row in SweepPoints(project, job.design, job.grid, job.lang).rows(indices):
            done(row)


def _teller(
    arguments: Arguments, keep: Callable[[SweepRow], None], before: int, total: int
) -> Callable[[SweepRow], None]:
    """Keeps a row, and says on stderr how far it is when somebody is looking."""
    looking = sys.stderr.isatty()
    started = told = time.monotonic()
    done = 0

    def tell(row: SweepRow) -> None:
        nonlocal done, told
        keep(row)
        done += 1
        if arguments.report_rows:
            print(row_text(row), flush=True)
        now = time.monotonic()
        if looking and now - told >= PROGRESS_EVERY_S:
            told = now
            rate = done / (now - started)
            _note(
                msg(
                    "{done} of {count} points, {rate} a second, {left} left",
                    done=before + done,
                    count=total,
                    rate=f"{rate:.1f}",
                    left=_duration((total - before - done) / rate),
                ),
                arguments.lang,
            )

    return tell


def _note(text: Message, lang: str) -> None:
    print(text.text(lang), file=sys.stderr, flush=True)


# -- big grids --------------------------------------------------------------------------------------------------------


def _estimate(
    arguments: Arguments, out: Output, grid: Grid, indices: Sequence[int], points: SweepPoints, workers: int
) -> int:
    """Count, try a few, and say how long all would take; 2 when nobody agreed to a big grid."""
    started = time.perf_counter()
    points.row(indices[0])
    first = time.perf_counter() - started
    step = max(1, len(indices) // TRIED_POINTS)
    started, tried = time.perf_counter(), 0
    for index in indices[1::step][:TRIED_POINTS]:
        points.row(index)
        tried += 1
        if time.perf_counter() - started > TRIED_S:
            break
    each = (time.perf_counter() - started) / tried if tried else first
    seconds = first + each * (len(indices) - 1) / workers
    said = {"points": len(indices), "seconds": seconds, "seconds_per_point": each}
    out.document({**said, "columns": [column.key for column in columns_of(grid)]})
    text = msg(
        "{file}: the grid has {count} points, about {time} at {each} ms each.",
        file=arguments.file,
        count=f"{len(indices):,}",
        time=_duration(seconds),
        each=f"{each * 1e3:.1f}",
    )
    if not arguments.estimate:
        raise UserError(msg("{text} Add --yes to compute them all, or --limit N for some of them.", text=text))
    out.say(text)
    return 0


def _duration(seconds: float) -> Message:
    if seconds < 120:
        return msg("{n} s", n=f"{seconds:.0f}")
    if seconds < 7200:
        return msg("{n} min", n=f"{seconds / 60:.0f}")
    return msg("{n} h", n=f"{seconds / 3600:,.0f}")


# -- giving -----------------------------------------------------------------------------------------------------------


def _give(
    arguments: Arguments, out: Output, project: Project, design: str, grid: Grid, rows: Sequence[SweepRow]
) -> None:
    table = table_of(grid, rows)
    document = {
        "design": design,
        "points": grid.count,
        "grid": grid.text.to_json(),
        "columns": [column.key for column in table.columns],
        "rows": table_records(table, out.lang),
    }

    def csv() -> bytes:
        cells = ([plain(value, out.lang) for value in row] for row in table.rows)
        heads = [column.key for column in table.columns]
        return to_csv(heads, cells, out.lang, mark=True if arguments.bom_utf8 else None)

    def xlsx() -> bytes:
        name = project.designs[design].title or design
        return workbook_bytes([table], facts_of(msg("Sweep"), project.meta, project.title, name), out.lang)

    if arguments.report_rows and arguments.output is None:
        return
    said = msg("{file}: {count} lines", file=arguments.output, count=len(table.rows))
    if not hand_out(arguments.output, out, document, csv, said, xlsx):
        _print(out, table)


def _print(out: Output, table: DataTable) -> None:
    """As many rows as can be read, without the columns that are the same everywhere and say nothing."""
    shown = [
        n
        for n, column in enumerate(table.columns)
        if (column.key != "problem" or any(row[n] for row in table.rows))
        and not column.key.endswith(("_low", "_high", "_bottleneck_address"))
    ]
    right = "".join("l" if table.columns[n].kind == "text" else "r" for n in shown)
    rows = [[plain(row[n], out.lang) for n in shown] for row in table.rows[:SHOWN_ROWS]]
    out.table([table.columns[n].head for n in shown], rows, right)
    if len(table.rows) > SHOWN_ROWS:
        out.say(msg("... and {count} more; -o FILE writes them all.", count=len(table.rows) - SHOWN_ROWS))
