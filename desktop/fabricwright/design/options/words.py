"""What the stored words of options are called, and under which subject each option is shown."""

from __future__ import annotations

from types import ModuleType

from fabricwright.design import options as tables
from fabricwright.design.options.option import Option
from fabricwright.units.text import N_

WORDS: dict[str, str] = {
    "on": N_("on"),
    "off": N_("off"),
    "pt": N_("pass-through"),
    "hash": N_("hash"),
    "pinned": N_("pinned in turn"),
    "adaptive": N_("adaptive"),
    "spray": N_("packet spraying"),
    "none": N_("none"),
    "active-active": N_("both active"),
    "active-standby": N_("one on standby"),
    "FL": N_("full length"),
    "3/4": N_("3/4 length"),
    "HL": N_("half length"),
    "FH": N_("full height"),
    "LP": N_("low profile"),
    "front-to-rear": N_("front to rear"),
    "rear-to-front": N_("rear to front"),
    "standard": N_("standard FR-4"),
    "mid-loss": N_("mid-loss"),
    "low-loss": N_("low-loss"),
    "ultra-low-loss": N_("ultra-low-loss"),
    "common": N_("one for both ends"),
    "sris": N_("SRIS, independent with spread"),
    "srns": N_("SRNS, independent without spread"),
    "sonic": N_("table of SONiC"),
    "802.1qbb": "IEEE 802.1Qbb",
    "dscp": "DSCP",
    "pcp": "PCP",
    "LOC": N_("LOC, itself"),
    "NVL": N_("NVL, NVLink"),
    "PIX": N_("PIX, one switch"),
    "PXB": N_("PXB, switches"),
    "PHB": N_("PHB, same socket"),
    "SYS": N_("SYS, other socket"),
    "all_reduce": N_("All-reduce"),
    "reduce_scatter": N_("Reduce-scatter"),
    "all_gather": N_("All-gather"),
    "all_to_all": N_("All-to-all"),
    "send_recv": N_("Send and receive"),
    "gather": N_("Gather"),
    "broadcast": N_("Broadcast"),
    "process-per-gpu": N_("one process per GPU"),
    "single-process": N_("one process for all GPUs"),
    "cuda-graph": N_("replayed CUDA graph"),
    "framework": N_("a framework's loop"),
    "unknown": N_("not known"),
    "infiniband": "InfiniBand",
    "roce": "RoCE",
    "efa": "EFA",
    "tcp": "TCP",
    "tcpx": "GPUDirect-TCPX",
    "tcpxo": "GPUDirect-TCPXO",
    "slingshot": "Slingshot",
}
"""Stored word -> label. Words that people know by their own name (``RS544``, ``4``) are not here and keep it."""

SUBJECTS: dict[str, str] = {
    "host": N_("Firmware and host"),
    "nccl": "NCCL",
    "slots": N_("Slots and mechanics"),
    "lanes": N_("Lanes and address space"),
    "signal": N_("Signal path"),
    "power": N_("Power and cooling"),
    "fabric": N_("Network"),
    "lossless": N_("Lossless Ethernet"),
    "job": N_("Job"),
    "purchase": N_("Build-out"),
    "": N_("Other settings"),
}
"""Subject -> title, in the order they are shown."""


def label_of(word: str) -> str:
    """Label of a stored word: an English literal marked for translation, or the word itself."""
    return WORDS.get(word, word)


def subject_of(option: Option) -> str:
    """Key into ``SUBJECTS``: the table that declares the option; NCCL's own settings apart."""
    if option.key.startswith("nccl."):
        return "nccl"
    for name, module in vars(tables).items():
        if isinstance(module, ModuleType) and option in getattr(module, "OPTIONS", ()):
            return name if name in SUBJECTS else ""
    return ""
