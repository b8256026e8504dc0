"""Predictions against measured collectives: every point of every entry, by the engine that the window uses.

Error = predicted / measured - 1 of the time. Entries whose ``use`` is not ok are not scored. Points count once each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fabricwright.catalog.parts import Scalar
from fabricwright.performance.layout import lay_out
from fabricwright.performance.measured.design import compiled
from fabricwright.performance.measured.entries import Entry
from fabricwright.performance.measured.hardware import Hardware, hardware_of
from fabricwright.performance.measured.request import algorithm_of, design_settings, launch_of, protocol_of
from fabricwright.performance.plans import PlanBook
from fabricwright.performance.predict import PredictRequest, times_of
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

F64 = NDArray[np.float64]
CLASSES = (
    ("<=64 KiB", 1 << 16),
    ("64 KiB-1 MiB", 1 << 20),
    ("1-16 MiB", 1 << 24),
    ("16-256 MiB", 1 << 28),
    (">256 MiB", None),
)
LARGE = 1 << 28


def size_class(n_bytes: float) -> str:
    """Name of the size class; upper limits belong to the class."""
    return next(name for name, limit in CLASSES if limit is None or n_bytes <= limit)


@dataclass(frozen=True, slots=True)
class Predicted:
    """One entry predicted. Arrays are parallel to ``entry.sizes``, seconds; empty when ``problem`` says why not."""

    entry: Entry
    hardware: Hardware
    time_s: F64
    low_s: F64
    high_s: F64
    notes: tuple[Message, ...]
    problem: Message | None = None


@dataclass(slots=True)
class Books:
    """Compiled designs by hardware and settings, shared by the entries of a file."""

    _known: dict[tuple[Hardware, tuple[tuple[str, Scalar], ...]], PlanBook] = field(default_factory=dict)

    def open(self, hardware: Hardware, settings: dict[str, Scalar]) -> PlanBook:
        """Flows of the design."""
        key = hardware, tuple(sorted(settings.items()))
        if key not in self._known:
            self._known[key] = PlanBook(lay_out(compiled(hardware, settings)))
        return self._known[key]


def request_of(entry: Entry, algorithm: str) -> PredictRequest:
    """What an entry's run asks the engine for."""
    return PredictRequest(entry.collective, entry.sizes, algorithm, protocol_of(entry), launch=launch_of(entry))


def predict_entry(entry: Entry, books: Books) -> Predicted:
    """Draw the entry's design, compile it and predict its sizes. What cannot be predicted carries a ``problem``."""
    hardware, notes = hardware_of(entry)
    none = np.zeros(0)
    usual, large, remarks = algorithm_of(entry)
    notes += remarks
    try:
        if entry.ranks < 2:
            raise UserError(msg("One GPU takes part: there is nothing to exchange."))
        book = books.open(hardware, design_settings(entry, hardware))
        times = _with(book, entry, usual)
        if times is None:
            notes += (msg("{algorithm} cannot run here; the choice is left to NCCL.", algorithm=usual),)
            times = times_of(book, request_of(entry, "auto"))
        if large != usual and large != "auto":
            forced = _with(book, entry, large)
            if forced is not None:
                beyond = np.array(entry.sizes) > LARGE
                first, second, third = (np.where(beyond, b, a) for a, b in zip(times, forced, strict=True))
                times = first, second, third
    except UserError as error:
        return Predicted(entry, hardware, none, none, none, notes, error.message)
    return Predicted(entry, hardware, *times, notes)


def _with(book: PlanBook, entry: Entry, algorithm: str) -> tuple[F64, F64, F64] | None:
    """Times with an algorithm, None when it cannot run; the automatic choice always can."""
    if algorithm == "auto":
        return times_of(book, request_of(entry, algorithm))
    try:
        return times_of(book, request_of(entry, algorithm))
    except UserError:
        return None


def score(entries: Sequence[Entry], say: Callable[[Message], str] = Message.english) -> dict[str, object]:
    """``classes``, ``all`` and ``points`` of the ``accuracy`` command, and ``notes`` per entry as ``say`` puts them."""
    books = Books()
    found = [predict_entry(entry, books) for entry in entries if entry.scored and entry.sizes]
    rows: list[tuple[float, float, float, float]] = []
    points: list[dict[str, object]] = []
    notes: list[dict[str, object]] = []
    for one in found:
        said = [say(m) for m in (*one.notes, *((one.problem,) if one.problem else ()))]
        if said:
            notes.append({"id": one.entry.id, "notes": said, "predicted": one.problem is None})
        if one.problem is not None:
            continue
        for n, size in enumerate(one.entry.sizes):
            measured, predicted = one.entry.times_s[n], float(one.time_s[n])
            low, high = float(one.low_s[n]), float(one.high_s[n])
            rows.append((size, predicted / measured - 1, float(low <= measured <= high), (high - low) / 2 / predicted))
            points.append(
                {
                    "id": one.entry.id,
                    "bytes": size,
                    "measured_us": measured * 1e6,
                    "predicted_us": predicted * 1e6,
                    "low_us": low * 1e6,
                    "high_us": high * 1e6,
                }
            )
    table = np.array(rows).reshape(-1, 4)
    named = np.array([size_class(row[0]) for row in rows], dtype=object)
    return {
        "classes": [{"class": name, **summary(table[named == name])} for name, _ in CLASSES],
        "all": summary(table),
        "points": points,
        "notes": notes,
        "entries": {
            "n": len(entries),
            "scored": len({str(p["id"]) for p in points}),
            "not_scored": sum(not e.scored for e in entries),
            "not_predicted": sum(one.problem is not None for one in found),
        },
    }


def summary(table: F64) -> dict[str, object]:
    """Figures of rows (size, relative error, inside the band, half-width of the band); null where there is no row."""
    if not len(table):
        return {"n": 0, **dict.fromkeys(("median_abs", "p90_abs", "median_signed", "in_band", "median_band"))}
    error = table[:, 1]
    return {
        "n": len(table),
        "median_abs": float(np.median(np.abs(error))),
        "p90_abs": float(np.quantile(np.abs(error), 0.9)),
        "median_signed": float(np.median(error)),
        "in_band": float(table[:, 2].mean()),
        "median_band": float(np.median(table[:, 3])),
    }
