"""Finished rows of a sweep on disk, so that a run that was stopped, killed or lost its power goes on where it was.

Beside ``X.csv`` lies ``X.csv.sweep`` while a run is not complete: a first line with the hash of the grid and the
project, then one line per row, in the order in which they were finished. A last line that was cut off does not count.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType

from fabricwright.analysis.sweep_points import SweepRow
from fabricwright.units.errors import UserError
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.text import msg

FORMAT = "fabricwright-sweep"


class Journal:
    """The journal beside ``output``. ``rows`` what an earlier run of the same grid left; ``other`` whether there was
    one of another grid (it is overwritten)."""

    def __init__(self, output: str, run: str, columns: int) -> None:
        self.path = Path(f"{output}.sweep")
        self.rows: dict[int, SweepRow] = {}
        self.other = False
        kept = self._read(run, columns)
        try:
            self._stream = self.path.open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            reason = reason_of(error)
            raise UserError(msg("{file}: cannot be written ({reason}).", file=str(self.path), reason=reason)) from error
        self._write({"format": FORMAT, "run": run})
        for row in kept:
            self.add(row)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def add(self, row: SweepRow) -> None:
        """Keep a finished row."""
        self.rows[row.index] = row
        self._write([row.index, list(row.cells)])

    def remove(self) -> None:
        """The run is complete and its table written: the journal is not needed any more."""
        self._stream.close()
        self.path.unlink(missing_ok=True)

    def _write(self, value: object) -> None:
        self._stream.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")
        self._stream.flush()

    def _read(self, run: str, columns: int) -> list[SweepRow]:
        try:
            lines = self.path.read_text("utf-8", errors="replace").split("\n")
        except OSError:
            return []
        head = _parsed(lines[0])
        if not isinstance(head, dict) or head.get("run") != run or head.get("format") != FORMAT:
            self.other = len(lines) > 2
            return []
        return [row for line in lines[1:-1] if (row := row_of(_parsed(line), columns)) is not None]


def row_of(value: object, columns: int) -> SweepRow | None:
    """A row from ``[number, [values]]``; None for anything else."""
    if not (isinstance(value, list) and len(value) == 2 and isinstance(value[0], int) and isinstance(value[1], list)):
        return None
    return SweepRow(value[0], tuple(value[1])) if len(value[1]) == columns else None


def _parsed(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None
