"""The collectives, and what nccl-tests calls size, algbw and busbw.

Source of the factors: NVIDIA/nccl-tests doc/PERFORMANCE.md.
"""

from __future__ import annotations

from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

COLLECTIVES = ("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "reduce", "send_recv")


def check_collective(name: str) -> str:
    """The collective's name, or ``UserError`` naming the known ones."""
    if name not in COLLECTIVES:
        raise UserError(
            msg("Collective '{name}' is not known; expected one of {known}.", name=name, known=list(COLLECTIVES))
        )
    return name


def busbw_factor(collective: str, n_ranks: int) -> float:
    """busbw / algbw. ``size`` is the whole buffer of a rank (all_gather, reduce_scatter, all_to_all: the total
    over ranks).
    """
    if n_ranks < 2:
        return 0.0
    if collective == "all_reduce":
        return 2.0 * (n_ranks - 1) / n_ranks
    if collective in ("broadcast", "reduce", "send_recv"):
        return 1.0
    return (n_ranks - 1) / n_ranks
