"""How a job lays its groups over the GPUs of a server."""

from __future__ import annotations

from fabricwright.design.options import stated
from fabricwright.rules.context import RuleContext


def tensor_parallel(context: RuleContext) -> int:
    """GPUs of one tensor-parallel group: ``tp`` of the chosen workload's plan, else setting ``job.tp``; 0 = not
    stated.
    """
    workload = context.workload()
    value: object | None = stated(workload.plan, "tp") if workload is not None else None
    if value is None:
        value = stated(context.settings, "job.tp")
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 1 else 0


def tensor_groups(context: RuleContext, gpus: int) -> list[range]:
    """Groups of two or more GPUs of one server (indices), in rank order; a group larger than the server is all of
    it.
    """
    size = min(tensor_parallel(context), gpus)
    if size < 2:
        return []
    groups = [range(first, min(first + size, gpus)) for first in range(0, gpus, size)]
    return [group for group in groups if len(group) > 1]
