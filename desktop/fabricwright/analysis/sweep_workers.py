"""Points of a sweep shared among processes of this very executable, or among the workers of a Dask cluster.

A local worker is ``fabricwright sweep FILE --grid @FILE --serve``: it reads lists of point numbers, one per line, and
answers ``[number, [values]]`` per row. It ends when its input ends, so it never outlives the run. A worker that dies is
replaced and its points are given out again; a point that ends two workers gets a row that says so. Rows are the same
whoever computes them.
"""

from __future__ import annotations

import importlib
import json
import queue
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from fabricwright.analysis.sweep import Grid, resolve
from fabricwright.analysis.sweep_journal import row_of
from fabricwright.analysis.sweep_points import SweepPoints, SweepRow, columns_of
from fabricwright.design.grid_text import grid_of
from fabricwright.design.storage import loads
from fabricwright.resources import own_program
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

MOST_IN_A_CHUNK = 64
MOST_DEATHS = 2
MOST_FAILED_STARTS = 3
CONNECT_S = 10.0
_OWN_GROUP_NO_WINDOW = 0x200 | 0x08000000
"""CREATE_NEW_PROCESS_GROUP and CREATE_NO_WINDOW of Windows."""


@dataclass(frozen=True, slots=True)
class SweepJob:
    """What is computed: the bytes of the project file, a design of it, the grid, the language of texts in rows."""

    project_file: bytes
    design: str
    grid: Grid
    lang: str = "en"

    @property
    def columns(self) -> int:
        """Columns of a row."""
        return len(columns_of(self.grid))

    def spec(self) -> str:
        """The grid as JSON text."""
        return json.dumps(self.grid.text.to_json(), ensure_ascii=False)


def chunks(indices: Sequence[int], shares: int) -> deque[list[int]]:
    """Neighbours stay together, since they share most of what is compiled; small enough that all workers end about
    the same time."""
    size = max(1, min(MOST_IN_A_CHUNK, len(indices) // (shares * 4) or 1))
    return deque(list(indices[n : n + size]) for n in range(0, len(indices), size))


# -- local processes --------------------------------------------------------------------------------------------------


def run_local(job: SweepJob, indices: Sequence[int], workers: int, done: Callable[[SweepRow], None]) -> None:
    """Compute points with ``workers`` processes; ``done`` gets each row in this thread, in any order. Raises UserError
    when no worker starts. However it ends, all of them are stopped.
    """
    with tempfile.TemporaryDirectory(prefix="fabricwright-sweep-") as folder:
        project, grid = Path(folder, "project.fwproj"), Path(folder, "grid.json")
        project.write_bytes(job.project_file)
        grid.write_text(job.spec(), "utf-8")
        command = [
            *own_program(),
            *("sweep", str(project), "--grid", f"@{grid}", "--design", job.design, "--lang", job.lang, "--serve"),
        ]
        pool = _Pool(job, command, chunks(indices, workers), workers)
        try:
            pool.run(done)
        finally:
            pool.stop()


class _Pool:
    def __init__(self, job: SweepJob, command: list[str], work: deque[list[int]], workers: int) -> None:
        self.job, self.command, self.work = job, command, work
        self.wanted = sum(map(len, work))
        self.deaths: Counter[int] = Counter()
        self.failed_starts = 0
        self.answers: queue.SimpleQueue[SweepRow | UserError] = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.ended = False
        self.processes: set[subprocess.Popen[str]] = set()
        self.threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(min(workers, len(work)))]

    def run(self, done: Callable[[SweepRow], None]) -> None:
        for thread in self.threads:
            thread.start()
        for _ in range(self.wanted):
            while True:
                try:  # with a limit, so that Ctrl-C is heard on every system
                    found = self.answers.get(timeout=0.5)
                    break
                except queue.Empty:
                    continue
            if isinstance(found, UserError):
                raise found
            done(found)

    def stop(self) -> None:
        self.ended = True
        with self.lock:
            processes = list(self.processes)
        for process in processes:
            process.kill()
        for thread in self.threads:
            thread.join(5.0)

    def _serve(self) -> None:
        """One worker after another, until there is no work."""
        while not self.ended and self.work:
            try:
                self._one_worker()
            except OSError as error:
                self.answers.put(UserError(msg("A worker could not be started ({reason}).", reason=str(error))))
                return

    def _one_worker(self) -> None:
        own_group: dict[str, Any] = (  # Ctrl-C is for this process, which then stops them
            {"creationflags": _OWN_GROUP_NO_WINDOW} if sys.platform == "win32" else {"start_new_session": True}
        )
        with (
            tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said,
            subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
                encoding="utf-8",
                **own_group,
            ) as process,
        ):
            with self.lock:
                self.processes.add(process)
            try:
                ready = process.stdout.readline() if process.stdout is not None else ""
                if ready.strip() != '"ready"':
                    self._start_failed(said)
                    return
                self.failed_starts = 0
                while not self.ended:
                    try:
                        chunk = self.work.popleft()
                    except IndexError:
                        return
                    if not self._ask(process, chunk):
                        return
            finally:
                process.kill()
                with self.lock:
                    self.processes.discard(process)

    def _start_failed(self, said: IO[str]) -> None:
        """A process that ends before it is ready may have been killed like any other; several in a row cannot start."""
        with self.lock:
            self.failed_starts += 1
            if self.ended or self.failed_starts < MOST_FAILED_STARTS:
                return
            self.ended = True
        said.seek(0)
        reason = " ".join(said.read().split())[:300] or "-"
        self.answers.put(UserError(msg("A worker could not be started ({reason}).", reason=reason)))

    def _ask(self, process: subprocess.Popen[str], chunk: list[int]) -> bool:
        """Have a chunk computed; False when the worker died over it, its points are then given back."""
        assert process.stdin is not None and process.stdout is not None
        left = list(chunk)
        try:
            process.stdin.write(json.dumps(chunk) + "\n")
            process.stdin.flush()
            while left:
                line = process.stdout.readline()
                row = row_of(json.loads(line), self.job.columns) if line.endswith("\n") else None
                if row is None or row.index != left[0]:
                    break
                left.pop(0)
                self.answers.put(row)
        except (OSError, ValueError):
            pass
        if not left:
            return True
        self.deaths[left[0]] += 1
        if self.deaths[left[0]] >= MOST_DEATHS:
            self.answers.put(_lost(self.job, left.pop(0)))
        if left:
            self.work.appendleft(left)
        return False


def _lost(job: SweepJob, index: int) -> SweepRow:
    text = msg("The process that computed this point ended, twice.").text(job.lang)
    point = job.grid.point(index)
    cells = (index, *point, *([None] * (job.columns - len(point) - 2)), text)
    return SweepRow(index, cells)


def serve(points: SweepPoints) -> int:
    """What a local worker does: numbers in, rows out, until the input ends."""
    out = sys.stdout
    out.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print('"ready"', file=out, flush=True)
    for line in sys.stdin:
        for row in points.rows(json.loads(line)):
            print(row_text(row), file=out, flush=True)
    return 0


def row_text(row: SweepRow) -> str:
    """A row as one line of JSON."""
    return json.dumps([row.index, list(row.cells)], ensure_ascii=False, separators=(",", ":"))


# -- a cluster --------------------------------------------------------------------------------------------------------

_ADDRESS = re.compile(r"([a-z]+://)?\S+:\d+")


def run_dask(job: SweepJob, indices: Sequence[int], address: str, done: Callable[[SweepRow], None]) -> None:
    """Compute points on a Dask cluster; ``done`` as for ``run_local``. The scheduler gives the points of a worker that
    was lost to others. Raises UserError when ``distributed`` is not installed or nobody answers at ``address``.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise UserError(
            msg("--dask needs the package distributed; install it with: pip install 'fabricwright[cluster]'.")
        ) from error
    if not _ADDRESS.fullmatch(address):
        raise UserError(msg("--dask: expected an address such as tcp://host:8786, found '{text}'.", text=address[:100]))
    try:
        client = distributed.Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise UserError(
            msg("{address}: no Dask scheduler answers there ({reason}).", address=address[:100], reason=reason)
        ) from error
    with client:
        shares = max(1, len(client.scheduler_info().get("workers", ())))
        spec = job.spec()
        futures = [
            client.submit(
                dask_rows, job.project_file, job.design, spec, job.lang, chunk, pure=False, retries=MOST_DEATHS
            )
            for chunk in chunks(indices, shares)
        ]
        try:
            for future in distributed.as_completed(futures, loop=client.loop):
                for index, cells in _result(future, address):
                    done(SweepRow(index, tuple(cells)))
        except BaseException:
            client.cancel(futures, force=True)
            raise


def _result(future: Any, address: str) -> list[tuple[int, list[Any]]]:
    try:
        rows: list[tuple[int, list[Any]]] = future.result()
    except UserError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        raise UserError(
            msg(
                "{address}: the workers could not compute ({reason}); is fabricwright installed there?",
                address=address[:100],
                reason=reason,
            )
        ) from error
    return rows


def dask_rows(
    project_file: bytes, design: str, spec: str, lang: str, indices: list[int]
) -> list[tuple[int, list[object]]]:
    """What a worker of a cluster does with one chunk: plain values in and out."""
    points = _kept_points(project_file, design, spec, lang)
    with _alone:
        return [(row.index, list(row.cells)) for row in points.rows(indices)]


_alone = threading.Lock()
"""A worker may run several threads; what they would share is not made for it."""


@lru_cache(maxsize=2)
def _kept_points(project_file: bytes, design: str, spec: str, lang: str) -> SweepPoints:
    project = loads(project_file)
    return SweepPoints(project, design, resolve(grid_of(json.loads(spec)), project, design), lang)
