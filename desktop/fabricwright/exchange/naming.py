"""What parts and amounts are called on exported sheets and in schedules."""

from __future__ import annotations

import re

from fabricwright.catalog.parts import Part
from fabricwright.units.text import Message, msg

_BRACKETS = re.compile(r"\s*[(（][^)）]*[)）]")


def part_label(part: Part | None, fallback: str, lang: str = "en") -> str:
    """Order number of a part where it has one (the same in every language), else its name without remarks."""
    if part is None:
        return fallback
    return part.model or short_name(part, lang) or fallback


def short_name(part: Part, lang: str = "en") -> str:
    """Name of a part up to its first comma, without what stands in brackets."""
    return _BRACKETS.sub("", part.name(lang)).split(",")[0].split("，")[0].strip()


def thousands(count: int) -> str:
    """``1,024``"""
    return f"{count:,}"


def failure_word(kind: str) -> Message:
    """What can fail (``performance.resilience``), in words."""
    words = {
        "link": msg("cable"),
        "nic": msg("NIC"),
        "leaf": msg("leaf"),
        "spine": msg("spine"),
        "core": msg("core"),
        "nvlink-switch": msg("NVLink switch"),
        "server": msg("server"),
        "gpu": msg("GPU"),
    }
    return words.get(kind) or msg("{kind}", kind=kind)
