"""Units as people read them: what is counted is translated, symbols stay."""

from __future__ import annotations

from fabricwright.units.text import N_, Message, msg

_SYMBOLS = {"us": "\u00b5s", "x": "\u00d7"}
_COUNTED = {
    "CXL version": N_("CXL version"),
    "GPUs": N_("GPUs"),
    "NICs": N_("NICs"),
    "PCIe gen": N_("PCIe gen"),
    "VMs": N_("VMs"),
    "cables": N_("cables"),
    "cards": N_("cards"),
    "days": N_("days"),
    "devices": N_("devices"),
    "end points": N_("end points"),
    "flows": N_("flows"),
    "hops": N_("hops"),
    "instances": N_("instances"),
    "lanes": N_("lanes"),
    "levels": N_("levels"),
    "links": N_("links"),
    "modules": N_("modules"),
    "pairs": N_("pairs"),
    "parts": N_("parts"),
    "ports": N_("ports"),
    "retimers": N_("retimers"),
    "root ports": N_("root ports"),
    "servers": N_("servers"),
    "slots": N_("slots"),
    "sockets per rank": N_("sockets per rank"),
    "spines": N_("spines"),
    "splitters": N_("splitters"),
    "switches": N_("switches"),
    "tiers": N_("tiers"),
    "uplinks": N_("uplinks"),
}


def unit_words(unit: str) -> Message:
    """``lanes`` as in "72 lanes"; a symbol such as ``GB/s`` as it is."""
    if unit in _COUNTED:
        return Message(_COUNTED[unit])
    return msg("{unit}", unit=_SYMBOLS.get(unit, unit))
