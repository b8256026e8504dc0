"""Output of nccl-tests, as people keep it: whole logs, with NCCL's own lines between the rows, cut off, CRLF.

The heading names the columns (size, count, type, perhaps redop and root, then time, algbw, busbw and perhaps #wrong
or error, once for out of place and once for in place). Sizes are bytes, times microseconds. Which collective ran is
printed by newer versions only ("Collective test starting: all_reduce_perf"), stands in a command line of the log, or
follows from busbw / algbw (nccl-tests doc/PERFORMANCE.md: 2(n-1)/n for all_reduce, (n-1)/n for all_gather,
reduce_scatter and all_to_all, 1 for broadcast, reduce and send_recv).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.reading import read_file
from fabricwright.units.text import msg

MOST_BYTES = limits.LOG_BYTES
NAMES = {
    "all_reduce": "all_reduce",
    "all_gather": "all_gather",
    "reduce_scatter": "reduce_scatter",
    "alltoall": "all_to_all",
    "all_to_all": "all_to_all",
    "broadcast": "broadcast",
    "reduce": "reduce",
    "sendrecv": "send_recv",
    "send_recv": "send_recv",
}
_PROGRAM = re.compile(r"\b(all_reduce|all_gather|reduce_scatter|alltoall|broadcast|reduce|sendrecv)_perf\b")
_RANK = re.compile(r"^#\s*Rank\s+(\d+)\s+(?:Group\s+\d+\s+)?Pid\s+\d+\s+on\s+(\S+)\s+device", re.IGNORECASE)
_NUMBER = re.compile(r"^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$")
_COLUMNS = ("size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong", "error")
_TOLERANCE = 0.02


@dataclass(frozen=True, slots=True)
class LogRow:
    """One size: bytes, seconds of one operation, bytes/s. ``wrong`` values that were found wrong, 0 where unchecked."""

    n_bytes: int
    time_s: float
    algbw: float
    busbw: float
    wrong: int = 0


@dataclass(frozen=True, slots=True)
class LogTable:
    """One table of a log. ``collective`` "" and ``ranks`` 0 where the log does not say; ``hosts`` that it names;
    ``skipped`` rows that were cut off or mixed with other lines.
    """

    source: str
    collective: str
    ranks: int
    hosts: int
    rows: tuple[LogRow, ...]
    skipped: int = 0


@dataclass(slots=True)
class _Open:
    """A table that is being read."""

    columns: tuple[str, ...]
    rows: list[LogRow]
    redop: str = ""
    skipped: int = 0


def read_log(path: Path) -> list[LogTable]:
    """Tables of a file. ``UserError`` when it cannot be read, is too large, or holds no table of nccl-tests."""
    data = read_file(path, MOST_BYTES)
    if data.count(b"\n") > limits.LOG_LINES:
        raise UserError(
            msg("{file}: more than {n} lines; expected a log of nccl-tests.", file=str(path), n=limits.LOG_LINES)
        )
    return parse_log(data.decode("utf-8", errors="replace"), str(path))


def parse_log(text: str, source: str) -> list[LogTable]:
    """Tables of a text. Sizes that appear twice keep every row."""
    found: list[LogTable] = []
    program, ranks, hosts = "", set[int](), set[str]()
    table: _Open | None = None

    def close() -> None:
        if table is not None and table.rows:
            found.append(_table(source, program, len(ranks), len(hosts), table))

    for line in text.splitlines():
        named = _PROGRAM.search(line)
        if named:
            if table is not None and table.rows:
                close()
                table, ranks, hosts = None, set(), set()
            program = NAMES[named[1]]
        rank = _RANK.match(line.strip())
        if rank:
            ranks.add(int(rank[1]))
            hosts.add(rank[2])
        columns = _heading(line)
        if columns:
            close()
            table = _Open(columns, [])
        elif table is not None:
            _row(table, line)
    close()
    if not found:
        raise UserError(
            msg("{file}: no table of nccl-tests; expected a heading with size, time, algbw and busbw.", file=source)
        )
    return found


def _heading(line: str) -> tuple[str, ...]:
    """Columns of a heading line, () for any other line."""
    if not line.lstrip().startswith("#"):
        return ()
    words = tuple(w for w in line.lstrip().lstrip("#").split() if w in _COLUMNS)
    return words if words[:1] == ("size",) and {"time", "algbw", "busbw"} <= set(words) else ()


def _row(table: _Open, line: str) -> None:
    words = line.split()
    if not words or line.lstrip().startswith("#") or not words[0].isdigit():
        return
    columns = table.columns
    first = columns.index("busbw") + 1
    cells = dict(zip(columns[:first], words, strict=False))
    figures = [cells.get(name, "") for name in ("size", "time", "algbw", "busbw")]
    if len(words) < first or len(words) > len(columns) or not all(_NUMBER.match(f) for f in figures):
        table.skipped += 1
        return
    n_bytes, time_us, algbw, busbw = (float(f) for f in figures)
    if n_bytes <= 0 or time_us <= 0:
        table.skipped += n_bytes > 0
        return
    table.redop = cells.get("redop", "")
    table.rows.append(LogRow(int(n_bytes), time_us * 1e-6, algbw * 1e9, busbw * 1e9, _wrong(columns, words)))


def _wrong(columns: Sequence[str], words: Sequence[str]) -> int:
    """Wrong values of a row; ``error`` of older versions is a deviation and no count, N/A was not checked."""
    counts = [w for c, w in zip(columns, words, strict=False) if c == "#wrong" and w.isdigit()]
    return max((int(w) for w in counts), default=0)


def _table(source: str, program: str, ranks: int, hosts: int, table: _Open) -> LogTable:
    collective = program or _guess(table, ranks)
    return LogTable(source, collective, ranks or _ranks(table, collective), hosts, tuple(table.rows), table.skipped)


def _factor(table: _Open) -> float:
    """busbw / algbw at the largest size; 0 where the columns are too small to tell."""
    row = max(table.rows, key=lambda r: r.n_bytes)
    return row.busbw / row.algbw if row.algbw >= 1e9 else 0.0


def _guess(table: _Open, ranks: int) -> str:
    """The collective that busbw / algbw leaves; "" where several are left."""
    factor = _factor(table)
    if ranks < 2 or not factor:
        return ""
    if abs(factor - 2 * (ranks - 1) / ranks) < _TOLERANCE and ranks > 2:
        return "all_reduce"
    if abs(factor - (ranks - 1) / ranks) < _TOLERANCE and table.redop not in ("", "none"):
        return "reduce_scatter"
    return ""


def _ranks(table: _Open, collective: str) -> int:
    """Ranks from busbw / algbw = 2(n-1)/n or (n-1)/n, as far as two decimals tell; 0 otherwise."""
    factor = _factor(table)
    share = factor / 2 if collective == "all_reduce" else factor
    if collective not in ("all_reduce", "all_gather", "reduce_scatter", "all_to_all") or not 0 < share < 0.99:
        return 0
    n = round(1 / (1 - share))
    return n if n >= 2 and abs((n - 1) / n - share) < _TOLERANCE / n else 0


def good_rows(table: LogTable) -> Iterator[LogRow]:
    """Rows whose values were right, which are the only ones that say anything about speed."""
    return (row for row in table.rows if not row.wrong)
