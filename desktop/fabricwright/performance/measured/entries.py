"""The file of measured collectives: entries with hardware fields and points (format: tests/data/README.md).

Fields that are not known are ignored. What an entry needs to mean anything (ranks, collective, sizes) is checked, and a
wrong value is one sentence that names the entry; everything else may be missing and is then not known.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fabricwright.performance.collectives import COLLECTIVES, busbw_factor
from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.reading import plain_json, read_file
from fabricwright.units.text import msg

SPELLINGS = {
    "alltoall": "all_to_all",
    "alltoallv": "all_to_all",
    "sendrecv": "send_recv",
    "allreduce": "all_reduce",
    "allgather": "all_gather",
    "reducescatter": "reduce_scatter",
    "bcast": "broadcast",
}
MOST_RANKS = 1 << 20
MOST = 1e7


@dataclass(frozen=True, slots=True)
class Entry:
    """One measured curve. ``fields`` is the entry as read; ``sizes`` in bytes and ``times_s`` in seconds are parallel,
    points without a time left out. ``scored``: ``use`` is ok.
    """

    id: str
    fields: Mapping[str, object]
    collective: str
    nodes: int
    gpus_per_node: int
    sizes: tuple[int, ...]
    times_s: tuple[float, ...]
    scored: bool

    @property
    def ranks(self) -> int:
        """GPUs that take part."""
        return self.nodes * self.gpus_per_node

    def word(self, name: str) -> str:
        """A text field in lower case, "" when it is missing, null or no text."""
        value = self.fields.get(name)
        return value.strip().lower() if isinstance(value, str) else ""

    def number(self, name: str) -> float:
        """A positive number, 0 when it is missing, null, none or beyond reason."""
        value = self.fields.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return 0.0
        return float(value) if 0 < value <= MOST else 0.0

    def settings(self) -> dict[str, str] | None:
        """NCCL variables without their prefix; None when they are not known, {} when they are stated to be default."""
        value = self.fields.get("nccl_settings")
        if not isinstance(value, Mapping):
            return None
        return {str(key).upper().removeprefix("NCCL_"): str(setting).strip() for key, setting in value.items()}


def load_measured(path: Path) -> list[Entry]:
    """Read a file. ``UserError`` (one sentence) when it cannot be read or an entry has no meaning."""
    otherwise = msg("{file}: not JSON; expected a list of measured entries.", file=str(path))
    document = plain_json(read_file(path, limits.MEASURED_BYTES), str(path), limits.MEASURED_DEPTH, otherwise)
    if not isinstance(document, list):
        raise UserError(msg("{file}: expected a list of measured entries.", file=str(path)))
    seen: set[str] = set()
    entries = []
    for number, row in enumerate(document, 1):
        if not isinstance(row, Mapping):
            raise UserError(msg("{file}: entry {n} is no object.", file=str(path), n=number))
        name = row.get("id")
        if not isinstance(name, str) or not name.strip():
            raise UserError(
                msg("{file}: entry {n} has no id; expected a text that no other has.", file=str(path), n=number)
            )
        if name in seen:
            raise UserError(msg("{file}: the id '{id}' is there twice.", file=str(path), id=name))
        seen.add(name)
        entries.append(_entry(str(path), name, row))
    return entries


def _entry(file: str, name: str, row: Mapping[str, object]) -> Entry:
    nodes, per_node = (_count(file, name, row, field) for field in ("nodes", "gpus_per_node"))
    if nodes * per_node > MOST_RANKS:
        raise UserError(
            msg("{file}: '{id}': {n} ranks are too many; at most {most}.", file=file, id=name, n=nodes * per_node,
                most=MOST_RANKS)
        )  # fmt: skip
    collective = str(row.get("collective") or "").strip().lower()
    collective = SPELLINGS.get(collective.replace("_", ""), collective)
    if collective not in COLLECTIVES:
        raise UserError(
            msg(
                "{file}: '{id}': collective '{name}' is not known; expected one of {known}.",
                file=file,
                id=name,
                name=collective,
                known=list(COLLECTIVES),
            )
        )
    points = row.get("points")
    if not isinstance(points, Sequence) or isinstance(points, str):
        raise UserError(msg("{file}: '{id}' has no points; expected a list.", file=file, id=name))
    factor = busbw_factor(collective, nodes * per_node)
    sizes, times = [], []
    for number, point in enumerate(points, 1):
        size, time_s = _point(file, name, number, point, factor)
        if time_s is not None:
            sizes.append(size)
            times.append(time_s)
    use = row.get("use")
    scored = use is None or str(use).strip().lower() == "ok"
    return Entry(name, row, collective, nodes, per_node, tuple(sizes), tuple(times), scored)


def _count(file: str, name: str, row: Mapping[str, object], field: str) -> int:
    value = row.get(field)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value or value < 1 or value % 1:
        raise UserError(
            msg(
                "{file}: '{id}': {field} is {value}; expected a positive whole number.",
                file=file,
                id=name,
                field=field,
                value=json.dumps(value, default=str)[:40],
            )
        )
    return int(value)


def _point(file: str, name: str, number: int, point: object, factor: float) -> tuple[int, float | None]:
    if not isinstance(point, Mapping):
        raise UserError(msg("{file}: '{id}': point {n} is no object.", file=file, id=name, n=number))
    size = _positive(file, name, number, point, "bytes")
    if size is None or size < 1:
        raise UserError(
            msg("{file}: '{id}': point {n} has no bytes; expected a positive number.", file=file, id=name, n=number)
        )
    time_us = _positive(file, name, number, point, "time_us")
    if time_us is not None:
        return int(size), time_us * 1e-6
    busbw = point.get("busbw_gbs")
    if isinstance(busbw, (int, float)) and not isinstance(busbw, bool) and 0 < busbw < 1e300 and factor > 0:
        return int(size), size * factor / (busbw * 1e9)
    return int(size), None


def _positive(file: str, name: str, number: int, point: Mapping[str, object], field: str) -> float | None:
    """A number above 0, None when it is null or missing."""
    value = point.get(field)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1e300:
        raise UserError(
            msg(
                "{file}: '{id}': point {n}: {field} is {value}; expected a positive number.",
                file=file,
                id=name,
                n=number,
                field=field,
                value=json.dumps(value, default=str)[:40],
            )
        )
    return float(value)
