"""How an entry's run was made: NCCL's settings, launch and forced algorithm, in the words of the program.

``nccl_settings`` are NCCL's own variables without the prefix. ``algo`` may be what was asked for or what was seen.
"""

from __future__ import annotations

import re

from fabricwright.catalog.parts import Scalar
from fabricwright.performance.measured.entries import Entry
from fabricwright.performance.measured.hardware import Hardware
from fabricwright.units.text import Message, msg

LAUNCH = {
    "mpi-process-per-gpu": "process-per-gpu",
    "single-process": "single-process",
    "cuda-graph": "cuda-graph",
    "pytorch": "framework",
}
_ALGORITHMS = (
    (r"one.?shot", "one_shot"),
    (r"collnet|sharp", "collnet"),
    (r"nvls.?tree", "nvls_tree"),
    (r"nvls", "nvls"),
    (r"tree", "tree"),
    (r"ring", "ring"),
)
_OFF = ("0", "off", "no", "false")


def design_settings(entry: Entry, hardware: Hardware) -> dict[str, Scalar]:
    """Settings of the design: what decides which path the bytes take, and what kind of network carries them."""
    out: dict[str, Scalar] = {}
    stated = entry.settings() or {}
    if hardware.inside == "pcie-cpu" and entry.settings() is None:
        # the field says that the GPUs reach each other through the root complex, which NCCL only does when told to
        out["nccl.p2p_level"] = "SYS"
    if hardware.inside == "host-memory":
        out["nccl.p2p_disable"] = "on"
    if "P2P_LEVEL" in stated:
        out["nccl.p2p_level"] = _level(stated["P2P_LEVEL"])
    if stated.get("P2P_DISABLE", "0").lower() not in _OFF:
        out["nccl.p2p_disable"] = "on"
    if "NET_GDR_LEVEL" in stated:
        out["nccl.gdr_level"] = _level(stated["NET_GDR_LEVEL"])
    if stated.get("PXN_DISABLE", "0").lower() not in _OFF or stated.get("P2P_PXN_LEVEL") == "0":
        out["nccl.pxn"] = "off"
    excluded = stated.get("ALGO", "")
    if stated.get("NVLS_ENABLE", "1") == "0" or (excluded.startswith("^") and "nvls" in excluded.lower()):
        out["nccl.nvls"] = "off"
    for name in ("MIN_NCHANNELS", "NCHANNELS", "MAX_NCHANNELS"):
        if stated.get(name, "").isdigit():
            out["nccl.channels"] = int(stated[name])
            break
    if hardware.fabric:
        out["network.transport"] = hardware.fabric
    return out


def _level(value: str) -> Scalar:
    return int(value) if value.isdigit() else value.upper()


def launch_of(entry: Entry) -> str:
    """Launch mode; ``unknown`` when it is not stated."""
    return LAUNCH.get(entry.word("launch"), "unknown")


def algorithm_of(entry: Entry) -> tuple[str, str, tuple[Message, ...]]:
    """(algorithm for every size, algorithm above 256 MiB only, notes); ``auto`` where none is given.

    A remark such as "NVLS (large)" or "default (Tree at large sizes)" counts for large sizes only.
    """
    asked = (entry.settings() or {}).get("ALGO", "")
    seen = str(entry.fields.get("algo") or "")
    for text in (asked, seen):
        if not text or "," in text or text.startswith("^"):
            continue
        name = next((name for pattern, name in _ALGORITHMS if re.search(pattern, text.lower())), "")
        if name and "large" in text.lower():
            return "auto", name, ()
        if name:
            return name, name, ()
        if text.lower() not in ("default", "auto"):
            return "auto", "auto", (msg("Algorithm '{name}' is not known; the choice is left to NCCL.", name=text),)
    return "auto", "auto", ()


def protocol_of(entry: Entry) -> str:
    """Protocol that was asked for, or ``auto``."""
    asked = (entry.settings() or {}).get("PROTO", "")
    return {"ll": "LL", "ll128": "LL128", "simple": "Simple"}.get(asked.lower(), "auto")
