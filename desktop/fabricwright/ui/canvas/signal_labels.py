"""What the links of a server sheet lose, beside their lanes: ``26.75 / 36 dB``. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

MARGIN = 0.15
"""Part of the budget that designers keep (RET-03): with less left, the label says so in colour."""


def segments_by_lower(signal: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Lower end of a segment (a device or a retimer) -> the segment, the one that loses most where paths share it."""
    out: dict[str, Mapping[str, Any]] = {}
    for path in signal.values():
        for segment in path.get("segments", ()):
            known = out.get(segment["lower"])
            if segment.get("budget_db") and (known is None or segment["loss_db"] > known["loss_db"]):
                out[segment["lower"]] = segment
    return out


def worst_of(segments: Mapping[str, Mapping[str, Any]], ids: Iterable[str]) -> Mapping[str, Any] | None:
    """The segment above one of these that loses most."""
    return max((segments[i] for i in ids if i in segments), key=lambda s: float(s["loss_db"]), default=None)


def verdict_of(segment: Mapping[str, Any]) -> str:
    """ok, warn (less than the usual margin is left), error (over the budget), neutral (something states no loss)."""
    loss, budget = float(segment["loss_db"]), float(segment["budget_db"])
    if loss > budget * (1 + 1e-9):
        return "error"
    if loss > budget * (1 - MARGIN) * (1 + 1e-9):
        return "warn"
    return "ok" if segment["known"] else "neutral"


def decibels(loss_db: float) -> str:
    """``26.75``, ``22.5``, ``36``."""
    return f"{loss_db:.2f}".rstrip("0").rstrip(".")


def short_label(segment: Mapping[str, Any]) -> str:
    """``26.75 dB``; ``≥`` before it where something states no loss."""
    return f"{'' if segment['known'] else '≥ '}{decibels(float(segment['loss_db']))} dB"


def label_of(segment: Mapping[str, Any]) -> str:
    """Text of the label, loss and budget, with a shorter form after a tab."""
    loss = short_label(segment)
    return f"{loss.removesuffix(' dB')} / {decibels(float(segment['budget_db']))} dB\t{loss}"
