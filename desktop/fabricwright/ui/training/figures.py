"""Figures of a training step as the panel shows them: times, bytes, money, and what each of them means."""

from __future__ import annotations

from typing import Any

from fabricwright.ui.i18n import text_of
from fabricwright.units.figure_text import MINUS, NOTHING
from fabricwright.units.text import msg

GB = 1e9
#: Pieces of a step: key, colour token.
STEP_PIECES = (
    ("compute_s", "pcie"),
    ("exposed_communication_s", "rail1"),
    ("bubble_s", "rail5"),
    ("offload_s", "cxl"),
)
#: Pieces of memory: key, colour token.
MEMORY_PIECES = (
    ("parameters", "rail0"),
    ("gradients", "rail2"),
    ("optimizer", "rail4"),
    ("activations", "rail1"),
    ("buffers", "rail6"),
)
TIER_TOKENS = {"dram": "rail0", "cxl": "cxl", "nvme": "storage"}


def seconds(value: float) -> str:
    """Three digits, in ms below a second."""
    if value < 1:
        return f"{value * 1e3:.3g} ms"
    return f"{value:.3g} s" if value < 1000 else f"{value:,.0f} s"


def gigabytes(value: float) -> str:
    """GB, TB from 1000."""
    if value >= 1e12:
        return f"{value / 1e12:.3g} TB"
    return f"{value / GB:.3g} GB" if value < 1e11 else f"{value / GB:.0f} GB"


def money(value: float) -> str:
    """Grouped, or three digits of a small amount."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def days(value: float) -> str:
    """One decimal below 100, years from 1000 days."""
    if value >= 1000:
        return text_of(msg("{n} years", n=f"{value / 365.25:,.1f}"))
    return text_of(msg("{n} days", n=f"{value:.1f}" if value < 100 else f"{value:.0f}"))


def percent(value: float) -> str:
    """A share."""
    return f"{100 * value:.1f} %" if value < 0.1 else f"{100 * value:.0f} %"


def delta(now: float, then: float) -> str:
    """What a change makes of a time."""
    if not now:
        return NOTHING
    change = 100 * (then / now - 1)
    if abs(change) < 0.05:
        return "="
    return f"{'+' if change > 0 else MINUS} {abs(change):.1f} %" if abs(change) < 100 else f"+ {change:.0f} %"


def piece_name(key: str) -> str:
    """A piece of a step or of memory in words."""
    return {
        "compute_s": text_of(msg("computing")),
        "exposed_communication_s": text_of(msg("exposed communication")),
        "bubble_s": text_of(msg("pipeline bubble")),
        "offload_s": text_of(msg("offload")),
        "parameters": text_of(msg("parameters")),
        "gradients": text_of(msg("gradients")),
        "optimizer": text_of(msg("optimizer")),
        "activations": text_of(msg("activations")),
        "buffers": text_of(msg("gathered layers")),
    }[key]


def definition(key: str) -> str:
    """What a figure means, for its tool tip."""
    return {
        "step": text_of(
            msg(
                "One update of all weights. The band is the error of the model on runs that were left out when it was "
                "fitted, together with the band of the collectives."
            )
        ),
        "days": text_of(msg("Days for all tokens of the training, at the predicted step, without interruptions.")),
        "mfu": text_of(
            msg(
                "Model FLOPs utilisation: operations that the model needs (as Megatron counts them, without "
                "recomputation) over what the peak of all GPUs could do in the same time."
            )
        ),
        "use": text_of(msg("Part of the step in which the busiest GPU computes: computing / step.")),
        "share": text_of(
            msg(
                "Part of the step in which a GPU waits for communication that nothing hides. Together with the "
                "utilisation never more than 100 %."
            )
        ),
        "tokens": text_of(msg("Tokens a second of the whole cluster: batch × sequence / step.")),
    }[key]


def tier_name(name: str) -> str:
    """A tier of memory as it is written on cards."""
    return {"dram": "DRAM", "cxl": "CXL", "nvme": "NVMe"}.get(name, name.upper())


def three(row: dict[str, Any]) -> tuple[float, float, float]:
    """(value, low, high) of a figure with its band."""
    return float(row["value"]), float(row["low"]), float(row["high"])
