"""What members, parts and rates are called on exported sheets and in schedules."""

from __future__ import annotations

import re

from fabricwright.catalog.parts import Part
from fabricwright.design.values import Axes

_FIELD = re.compile(r"\{([a-z][a-z0-9_-]*?)(1?)(?::0?(\d{1,2}))?\}")
_BRACKETS = re.compile(r"\s*[(（][^)）]*[)）]")

PICTOGRAMS = {
    "server": "server",
    "chassis": "server",
    "management-server": "server",
    "storage-server": "storage",
    "gpu": "gpu",
    "cpu": "cpu",
    "nic": "nic",
    "pcie-switch": "pcie-switch",
    "pcie-switch-card": "pcie-switch",
    "retimer": "retimer",
    "cxl": "cxl-memory",
    "switch": "leaf-switch",
    "rack": "rack",
    "nvswitch": "nvlink-nvswitch",
    "nvme": "storage",
    "pdu": "power",
}


def member_name(template: str, axes: Axes, index: int, fallback: str) -> str:
    """Name of one member of a group.

    ``leaf-{su1}{rail1}`` counts from 1, ``{su}`` from 0, ``{index1:03}`` over all axes with leading zeros; a field that
    is no axis stays as it is written. Without a template: ``fallback`` and the index.
    """
    if not template:
        return f"{fallback}[{index}]" if axes else fallback
    values = {"index": index}
    rest = index
    for name, size in reversed(axes):
        rest, values[name] = divmod(rest, size)

    def fill(found: re.Match[str]) -> str:
        name, plus, width = found[1], int(found[2] or 0), int(found[3] or 0)
        return f"{values[name] + plus:0{width}d}" if name in values else found[0]

    return _FIELD.sub(fill, template)


def part_label(part: Part | None, fallback: str, lang: str = "en") -> str:
    """Order number of a part where it has one (the same in every language), else its name without remarks."""
    if part is None:
        return fallback
    return part.model or short_name(part, lang) or fallback


def short_name(part: Part, lang: str = "en") -> str:
    """Name of a part up to its first comma, without what stands in brackets."""
    return _BRACKETS.sub("", part.name(lang)).split(",")[0].split("，")[0].strip()


def pictogram(kind: str) -> str:
    """Icon of a kind of part."""
    return PICTOGRAMS.get(kind, "package")


def thousands(count: int) -> str:
    """``1,024``"""
    return f"{count:,}"
