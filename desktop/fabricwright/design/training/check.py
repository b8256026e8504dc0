"""A workload checked field by field while it is written: a sentence for every field that cannot stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fabricwright.design.training.figures import number_of
from fabricwright.design.training.plan import check_plan, plan_of
from fabricwright.design.training.shape import MOST_LAYERS, shape_of
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg


@dataclass(frozen=True, slots=True)
class Range:
    """What a field takes: from ``low`` to ``high``, whole numbers only where ``whole``."""

    low: float
    high: float
    whole: bool = True


MODEL: dict[str, Range] = {
    "params_b": Range(0.001, 1e6, False),
    "layers": Range(1, MOST_LAYERS),
    "hidden": Range(1, 1_000_000),
    "ffn": Range(1, 10_000_000),
    "heads": Range(1, 100_000),
    "kv_heads": Range(1, 100_000),
    "head_dim": Range(1, 100_000),
    "vocab": Range(1, 10_000_000),
    "seq": Range(1, 10_000_000),
    "experts": Range(0, 100_000),
    "top_k": Range(1, 1000),
    "expert_ffn": Range(1, 10_000_000),
    "shared_ffn": Range(0, 10_000_000),
    "dense_layers": Range(0, MOST_LAYERS),
    "tokens_b": Range(0.001, 1e9, False),
}
PLAN: dict[str, Range] = {
    "gbs": Range(1, 1e9),
    "mbs": Range(1, 100_000),
    **dict.fromkeys(("tp", "pp", "dp", "cp", "ep", "vpp"), Range(1, 1_000_000)),
    "zero": Range(0, 3),
}
MONEY: dict[str, Range] = {
    "money.gpu_hour": Range(0, 1e6, False),
    "money.kwh": Range(0, 1e4, False),
    "money.pue": Range(1, 3, False),
    "money.system": Range(0, 1e13, False),
    "money.years": Range(0.1, 50, False),
    "money.use": Range(0.01, 1, False),
}
"""Fields of a workload's model and plan, and settings of a design, with what each takes. An empty field is not stated.
"""


def number_problem(text: str, takes: Range) -> Message | None:
    """What is wrong with a number as it is written; None for a good one or none at all."""
    if not text.strip():
        return None
    value = number_of({"value": text}, "value")
    if value is None:
        return msg("'{text}' is not a number.", text=text.strip()[:40])
    if not takes.low <= value <= takes.high or (takes.whole and value != int(value)):
        if takes.whole:
            return msg(
                "{value} is not a whole number from {low} to {high}.",
                value=text.strip()[:40],
                low=f"{takes.low:,.0f}",
                high=f"{takes.high:,.0f}",
            )
        return msg(
            "{value} is not a number from {low} to {high}.",
            value=text.strip()[:40],
            low=f"{takes.low:,g}",
            high=f"{takes.high:,g}",
        )
    return None


def workload_problem(model: Mapping[str, object], plan: Mapping[str, object], ranks: int) -> tuple[str, Message] | None:
    """What keeps a workload from running on ``ranks`` GPUs, memory aside, and the field to mend; None when nothing
    does."""
    try:
        shape = shape_of(model)
    except UserError as error:
        return "layers", error.message
    if shape is None:
        return "params_b", msg(
            "The workload does not say how large its model is; state params_b, or layers and hidden."
        )
    if ranks < 1:
        return None
    try:
        check_plan(plan_of(plan, shape, ranks), shape)
    except UserError as error:
        return field_of(error.message), error.message
    return None


def field_of(problem: Message) -> str:
    """The field of a plan that a sentence of ``plan_of`` or ``check_plan`` is about."""
    names = set(problem.params)
    if "gbs" in names:
        return "gbs"
    if "layers" in names:
        return "pp"
    if "ep" in names or "experts" in names:
        return "ep"
    return "dp" if "dp" in names else "tp"
