"""Figures and sentences of the network's health in the current language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

ESTIMATE = "≈ "
_SCALES = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def bytes_text(count: float) -> str:
    """``10.3 MB`` in powers of ten, as buffers are sold."""
    for scale, unit in _SCALES:
        if count >= scale:
            return f"{count / scale:.3g} {unit}"
    return f"{count:.0f} B"


def percent(share: float) -> str:
    """``97.6 %``, ``100 %``; small ones with the digits they need."""
    text = f"{100 * share:.3g}" if share < 0.9995 else "100"
    return f"{text} %"


def switch_name(row: Mapping[str, Any]) -> str:
    """``leaf 0-7 · SN5600``: item, members, part."""
    members = f" {row['members']}" if row.get("members") not in ("", "0") else ""
    return f"{row['item']}{members} · {row['part']}" if row.get("part") else f"{row['item']}{members}"


def headline(health: Mapping[str, Any]) -> str:
    """What the drawing says about losing packets, as one sentence."""
    pfc = str(health.get("pfc", ""))
    sentences = {
        "on": QCoreApplication.translate("Health", "Pause frames keep packets from being dropped."),
        "off": QCoreApplication.translate("Health", "Pause frames are off: full buffers drop packets."),
        "unknown": QCoreApplication.translate(
            "Health", "Nothing is stated about pause frames; shown as if one priority paused."
        ),
        "unneeded": QCoreApplication.translate(
            "Health", "Every NIC resends only what was lost; pause frames are not needed."
        ),
        "credits": QCoreApplication.translate("Health", "InfiniBand grants credits; nothing is dropped."),
    }
    return sentences.get(pfc, "")


def why_no_buffers(health: Mapping[str, Any]) -> str:
    """Why there are no bars."""
    if health.get("pfc") == "credits":
        return QCoreApplication.translate(
            "Health", "InfiniBand needs no headroom: a sender waits until it is granted room."
        )
    if health.get("pfc") in ("off", "unneeded"):
        return QCoreApplication.translate("Health", "No port pauses, so no headroom is kept.")
    return QCoreApplication.translate("Health", "There is no Ethernet switch with a lossless port.")


def traffic_name(traffic: str) -> str:
    """Kind of burst."""
    if traffic == "storage":
        return QCoreApplication.translate("Health", "Storage: all servers write to one port")
    return QCoreApplication.translate("Health", "All-to-all: all other servers send to one port")


def outcome_text(row: Mapping[str, Any]) -> tuple[str, str]:
    """(what becomes of a burst, token of its colour)."""
    outcome = str(row["outcome"])
    texts = {
        "fits": (QCoreApplication.translate("Health", "fits into the queue"), "ok"),
        "pauses": (QCoreApplication.translate("Health", "more than the queue takes: senders are paused"), "warn"),
        "drops": (QCoreApplication.translate("Health", "more than the queue takes: packets are dropped"), "error"),
        "credits": (QCoreApplication.translate("Health", "senders wait for credits"), "text.2"),
    }
    return texts.get(outcome, (QCoreApplication.translate("Health", "buffer not known"), "text.2"))


def row_of(name: str) -> str:
    """Whose figure a row of the table is: items as they are called, the rest in words."""
    names = {
        "loss": QCoreApplication.translate("Health", "Loss"),
        "storage": QCoreApplication.translate("Health", "Storage"),
        "all_to_all": QCoreApplication.translate("Health", "All-to-all"),
        "all_reduce": QCoreApplication.translate("Health", "All-reduce"),
    }
    return names.get(name, name)
