"""How much memory a server has beside its GPUs: modules on the processors and CXL cards.

Without arrays, since the window asks for it while a card is dragged.
"""

from __future__ import annotations

from collections.abc import Mapping

from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffSheet
from fabricwright.topology.stated import stated_figure


def card_memory_gb(part: Part, config: Mapping[str, object]) -> float:
    """GB on a CXL card: config ``gib`` where stated, else the part's default capacity."""
    stated = config.get("gib")
    if isinstance(stated, str):
        try:
            stated = float(stated)
        except ValueError:
            stated = None
    figure = stated_figure(stated)
    return part.get("memory_gb") if figure is None else figure


def dram_gb(eff: EffSheet, parts: Mapping[str, Part], fitted: Mapping[str, object]) -> float:
    """GB of the modules of a server (``fitted.PART`` counts, else the chassis' population)."""
    total, dimms = 0.0, False
    for key, value in fitted.items():
        part = parts.get(key[7:]) if key.startswith("fitted.") else None
        count = stated_figure(value)
        if part is not None and part.kind == "dimm" and count is not None:
            total += count * part.get("memory_gb")
            dimms = True
    chassis = eff.chassis_part
    if not dimms and chassis is not None:
        part = parts.get(chassis.word("dimm_part"))
        total += chassis.get("dimm_count") * part.get("memory_gb") if part else chassis.get("memory_tb") * 1024
    return total


def memory_with_cards_gb(eff: EffSheet, parts: Mapping[str, Part], fitted: Mapping[str, object]) -> float:
    """GB of modules and CXL cards."""
    return dram_gb(eff, parts, fitted) + sum(
        card_memory_gb(item.part, item.config)
        for item in eff.items.values()
        if item.kind == "cxl" and item.part is not None
    )
