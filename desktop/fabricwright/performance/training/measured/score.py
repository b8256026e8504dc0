"""Measured training runs against predictions: ``training`` of the ``accuracy`` command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from fabricwright.performance.training.measured.fit import Books, sample_of
from fabricwright.performance.training.measured.rows import case_of
from fabricwright.performance.training.train import training_constants
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message


def score_training(
    rows: Sequence[Mapping[str, object]], say: Callable[[Message], str] = Message.english
) -> dict[str, object]:
    """Every row with a step time, predicted by the shipped constants. ``rows`` of the answer are those predicted;
    ``not_expressed`` counts the others by reason; ``notes`` what was assumed, row by row.
    """
    constants, books = training_constants(), Books()
    scored: list[dict[str, object]] = []
    errors: list[float] = []
    reasons: dict[str, int] = {}
    notes: list[dict[str, object]] = []
    without_time = 0
    for row in rows:
        case = case_of(row, constants)
        problem = case.problem
        predicted = 0.0
        if case.measured_s <= 0:
            without_time += 1
            continue
        if problem is None:
            try:
                predicted = sample_of(case, books).step(constants).total_s
            except UserError as error:
                problem = error.message
        if problem is not None:
            reason = say(problem)
            reasons[reason] = reasons.get(reason, 0) + 1
            notes.append({"id": case.id, "notes": [reason], "predicted": False})
            continue
        if case.notes:
            notes.append({"id": case.id, "notes": [say(n) for n in case.notes], "predicted": True})
        errors.append(predicted / case.measured_s - 1)
        scored.append({"id": case.id, "measured_s": case.measured_s, "predicted_s": predicted})
    table = np.abs(errors)
    return {
        "n": len(scored),
        "median_abs": float(np.median(table)) if len(table) else None,
        "p90_abs": float(np.quantile(table, 0.9)) if len(table) else None,
        "median_signed": float(np.median(errors)) if errors else None,
        "rows": scored,
        "not_expressed": reasons,
        "without_time": without_time,
        "notes": notes,
    }
