"""Scores the engine's rounds in ideal semantics against oracle rows (closed forms and ASTRA-sim analytical runs).

A row is configuration, collective, algorithm, bytes and the expected time; rows whose value means something an ideal
network cannot do (store-and-forward, un-pipelined trees, ports that carry more than their rate, bounds without
latency) are counted with the reason and not expressed. Rows are never recognised by their id.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabricwright.performance import schedule
from fabricwright.performance.ideal import IdealDimension, lock_step_ring_s
from fabricwright.performance.schedule import SCHEDULES, Schedule
from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.reading import plain_json, read_file
from fabricwright.units.text import msg

_NAMES = {
    "ring": "ring",
    "halvingdoubling": "halving_doubling",
    "direct": "direct",
    "direct, port limited": "direct",
    "pairwise": "pairwise",
    "recursive doubling": "recursive_doubling",
    "doublebinarytree": "double_tree",
    "in-network": "in_network",
    "binomial tree": "binomial",
    "p2p": "one_message",
}
_ONLY = {
    "pairwise": ("all_to_all",),
    "recursive_doubling": ("all_reduce",),
    "double_tree": ("all_reduce",),
    "in_network": ("all_reduce",),
    "binomial": ("broadcast",),
    "one_message": ("send_recv",),
    "ring": ("all_reduce", "reduce_scatter", "all_gather"),
    "halving_doubling": ("all_reduce", "reduce_scatter", "all_gather"),
    "direct": ("all_reduce", "reduce_scatter", "all_gather", "all_to_all"),
}
MOST_MEMBERS = 1 << 20
"""Members of a level (or chunks) up to which the rounds are played."""

_POWER_OF_TWO = ("halving_doubling", "recursive_doubling", "double_tree")


class NotExpressed(Exception):
    """Why a row has no time in ideal semantics. ``str`` is the reason, the same text for all rows of that reason."""


@dataclass(frozen=True, slots=True)
class OraclePoint:
    """One expressed row: seconds expected and predicted."""

    expected_s: float
    predicted_s: float

    @property
    def relative_error(self) -> float:
        """|predicted / expected - 1|."""
        return abs(self.predicted_s / self.expected_s - 1.0)


def score_oracle(rows: Iterable[Mapping[str, Any]]) -> dict[str, object]:
    """The ``oracle`` part of the accuracy JSON: ``n_rows, n_expressed, max_rel_error, not_expressed {reason:
    count}``.
    """
    n_rows = 0
    worst: float = 0.0
    n_expressed = 0
    reasons: Counter[str] = Counter()
    for n_rows, row in enumerate(rows, start=1):
        try:
            point = predict_row(row, n_rows)
        except NotExpressed as reason:
            reasons[str(reason)] += 1
            continue
        n_expressed += 1
        worst = max(worst, point.relative_error)
    return {
        "n_rows": n_rows,
        "n_expressed": n_expressed,
        "max_rel_error": worst if n_expressed else None,
        "not_expressed": dict(sorted(reasons.items())),
    }


def predict_row(row: Mapping[str, Any], number: int = 1) -> OraclePoint:
    """Expected and predicted time of one row. Raises ``NotExpressed`` with the reason, ``UserError`` that names the row
    (``number`` counts from 1) when fields are missing or malformed.
    """
    name = str(row.get("row", number))
    try:
        _refuse_other_semantics(row)
        dims = dimensions(row["config"])
        expected_s = float(row["expected_time_us"]) * 1e-6
        n_bytes = float(row["bytes"])
        _refuse_sizes(row["config"], dims, n_bytes)
        seconds = _seconds(str(row["algorithm"]).strip().lower(), str(row["collective"]), n_bytes, dims, row["config"])
    except KeyError as error:
        raise UserError(msg("Oracle row {row}: '{field}' is missing.", row=name, field=str(error.args[0]))) from None
    except (TypeError, ValueError, IndexError, ArithmeticError):
        raise UserError(
            msg(
                "Oracle row {row}: expected positive numbers, and in 'config' one entry per level in each list.",
                row=name,
            )
        ) from None
    if not 0 < expected_s < math.inf:
        raise UserError(msg("Oracle row {row}: expected_time_us must be positive.", row=name))
    return OraclePoint(expected_s, seconds)


def _refuse_sizes(config: Mapping[str, Any], dims: tuple[IdealDimension, ...], n_bytes: float) -> None:
    """ValueError for what is no network; NotExpressed for what would take for ever round by round."""
    if not 0 < n_bytes < math.inf or not dims:
        raise ValueError("bytes, levels")
    for dim in dims:
        if dim.members < 1 or not 0 < dim.rate < math.inf or not 0 <= dim.hop_latency_s < math.inf:
            raise ValueError("members, rates, latencies")
    most = max(*(dim.members for dim in dims), int(config.get("chunks") or 1), int(config.get("rings") or 1))
    if most > MOST_MEMBERS:
        raise NotExpressed(f"more than {MOST_MEMBERS} members or chunks")


def dimensions(config: Mapping[str, Any]) -> tuple[IdealDimension, ...]:
    """The topology of a row. ``alpha_ns`` marks a closed form (no endpoint delay, no clock)."""
    kinds, counts = list(config["topology"]), list(config["npus_count"])
    rates, hops = list(config["bandwidth_bytes_per_s"]), list(config["latency_ns_per_hop"])
    alpha = config.get("alpha_ns")
    alphas = list(alpha) if isinstance(alpha, (list, tuple)) else [alpha] * len(kinds)
    simulated = alpha is None
    delay_s = float(config.get("endpoint_delay_ns") or 0.0) * 1e-9
    out = []
    for i, kind in enumerate(kinds):
        if kind not in ("Switch", "Ring", "FullyConnected"):
            raise NotExpressed(f"topology {kind}")
        out.append(
            IdealDimension(
                kind=kind,
                members=int(counts[i]),
                rate=float(rates[i]),
                hop_latency_s=float(hops[i]) * 1e-9,
                alpha_s=None if alphas[i] is None else float(str(alphas[i])) * 1e-9,
                endpoint_delay_s=delay_s if simulated else 0.0,
                tick_s=1e-9 if simulated else 0.0,
            )
        )
    return tuple(out)


def _refuse_other_semantics(row: Mapping[str, Any]) -> None:
    """A row says what its value means; rows without the field are judged by their configuration."""
    semantics = row.get("semantics")
    if semantics is not None:
        if semantics != "ideal":
            raise NotExpressed(f"semantics {semantics}")
        return
    config, algorithm = row["config"], str(row["algorithm"]).lower()
    simulated = config.get("alpha_ns") is None
    if "bandwidth term only" in algorithm:
        raise NotExpressed("semantics bound")
    if not simulated:
        return
    if int(config.get("dataset_splits") or 1) > 1 or int(config.get("active_chunks") or 1) > 1:
        raise NotExpressed("several chunks at once")
    neighbour_ring = algorithm == "ring" and list(config["topology"]) == ["Ring"]
    if config.get("backend") == "congestion_aware" and not neighbour_ring:
        raise NotExpressed("semantics store-and-forward")
    if "tree" in algorithm:
        raise NotExpressed("semantics astra-dbt")
    if "direct" in algorithm and set(config["topology"]) != {"FullyConnected"}:
        raise NotExpressed("semantics unphysical")


def _seconds(
    algorithm: str, collective: str, n_bytes: float, dims: tuple[IdealDimension, ...], config: Mapping[str, Any]
) -> float:
    flat = re.match(r"^flat ring x(\d+)", algorithm)
    if flat:
        if len(dims) != 2 or collective != "all_reduce":
            raise NotExpressed("flat rings on other than two levels")
        return lock_step_ring_s((dims[0], dims[1]), int(config.get("rings") or flat[1]), n_bytes)
    if algorithm == "pipelined chain":
        chunks = int(config.get("chunks") or 1)
        return dims[0].phase_s(schedule.chain(collective, dims[0].members, chunks), n_bytes)
    names = [_canonical(part) for part in algorithm.split("+")]
    if len(names) != len(dims):
        raise NotExpressed("one algorithm per dimension is needed")
    for name, dim in zip(names, dims, strict=True):
        if collective not in _ONLY[name] and not (collective == "all_reduce" and len(dims) > 1):
            raise NotExpressed(f"{name} for {collective}")
        if name in _POWER_OF_TWO and dim.members & (dim.members - 1):
            raise NotExpressed(f"{name} on a number of ranks that is not a power of two")
    if collective == "all_gather":
        n_bytes *= math.prod(dim.members for dim in dims)
    return _levels_s(names, collective, n_bytes, dims)


def _canonical(part: str) -> str:
    bare = re.sub(r"\(.*\)", "", part).strip()
    if bare not in _NAMES:
        raise NotExpressed(f"algorithm {bare}")
    return _NAMES[bare]


def _levels_s(names: list[str], collective: str, n_bytes: float, dims: tuple[IdealDimension, ...]) -> float:
    """One phase per level: reduce_scatter outwards, the collective itself on the last level, all_gather back."""
    plan: Schedule
    if len(dims) == 1:
        plan = SCHEDULES[names[0]](collective, dims[0].members)
        return dims[0].phase_s(plan, n_bytes)
    if collective not in ("all_reduce", "reduce_scatter", "all_gather"):
        raise NotExpressed(f"several levels for {collective}")
    seconds = _levels_s(names[1:], collective, n_bytes / dims[0].members, dims[1:])
    for part in ("reduce_scatter", "all_gather"):
        if collective in ("all_reduce", part):
            seconds += dims[0].phase_s(SCHEDULES[names[0]](part, dims[0].members), n_bytes)
    return seconds


def load_oracle(path: Path) -> list[Mapping[str, Any]]:
    """Rows of an oracle file; ``UserError`` when it is not a list of objects."""
    otherwise = msg("{file}: not a JSON file; expected a list of oracle rows.", file=str(path))
    rows = plain_json(read_file(path, limits.MEASURED_BYTES), str(path), limits.MEASURED_DEPTH, otherwise)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UserError(msg("{file}: expected a list of oracle rows.", file=str(path)))
    return rows
