"""Figures on a server sheet: lanes by consumer, memory, and the words for them. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fabricwright.design.effective import EffSheet
from fabricwright.ui.canvas.server_tree import Node
from fabricwright.ui.paint.scene import LaneBar, Share
from fabricwright.units.text import Message, msg

#: Colour of a consumer in the lane bar.
SHARE_TOKENS = {
    "gpu": "pcie",
    "pcie-switch-card": "rail0",
    "pcie-switch": "rail0",
    "nic": "rail4",
    "retimer": "rail2",
    "cxl": "cxl",
    "nvme": "storage",
    "chipset": "mgmt",
}


@dataclass(slots=True)
class ServerFacts:
    """What the cards need to know besides the sheet: language, how the ports are cabled outside, the worker's lanes and
    signal segments by their lower end."""

    lang: str = "en"
    cabled: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    lanes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    signal: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def text(self, message: Message) -> str:
        """A message in the language of the sheet."""
        return message.text(self.lang)


def kind_word(kind: str) -> Message:
    """Short name of a consumer in the lane bar."""
    words = {
        "gpu": msg("GPU"),
        "pcie-switch-card": msg("switch"),
        "pcie-switch": msg("switch"),
        "nic": msg("NIC"),
        "retimer": msg("retimer"),
        "cxl": msg("CXL"),
        "nvme": msg("NVMe"),
        "external-box": msg("box"),
        "chipset": msg("board"),
        "riser": msg("riser"),
        "backplane": msg("bays"),
    }
    return words.get(kind, msg("other"))


def lanes_fact(lanes: int, gen: int) -> str:
    """The same with its short form."""
    return f"{lanes_text(lanes, gen)}\tx{lanes}"


def lanes_text(lanes: int, gen: int) -> str:
    """``x16 Gen5``"""
    return f"x{lanes} Gen{gen}" if gen else f"x{lanes}"


def memory_line(eff: EffSheet, facts: ServerFacts) -> tuple[str, ...]:
    part = eff.chassis_part
    if part is None or not part.get("dimm_count"):
        return ()
    sockets = max(1, sum(i.kind == "cpu" for i in eff.items.values()))
    count = int(part.get("dimm_count") / sockets)
    kind = part.word("dimm_type") or "DDR5"
    return (facts.text(msg("{count} × {kind}", count=count, kind=kind)),)


def lane_bar(node: Node, facts: ServerFacts) -> LaneBar:
    """Lanes of a CPU by consumer: the worker's figures where it has spoken, else counted here from what is drawn."""
    item = node.item
    assert item is not None
    known = facts.lanes.get(item.id)
    stated = item.config.get("lanes_available") or (item.part.get("lanes_per_socket") if item.part else 0)
    available = float(stated) if isinstance(stated, (int, float)) else 0.0
    if known:
        by_kind: Mapping[str, float] = dict(known.get("by_kind", {}))
        used, available = float(known.get("used", 0)), float(known.get("available", available))
    else:
        by_kind, used = count_lanes(node)
    shares = tuple(
        Share(facts.text(kind_word(kind)), value, SHARE_TOKENS.get(kind, "mgmt"))
        for kind, value in sorted(
            by_kind.items(), key=lambda kv: (list(SHARE_TOKENS).index(kv[0]) if kv[0] in SHARE_TOKENS else 99, kv[0])
        )
        if value
    )
    figure = facts.text(msg("{used} of {available}", used=f"{used:g}", available=f"{available:g}"))
    state = "error" if available and used > available else "plain"
    return LaneBar(shares, available, figure, state, facts.text(msg("Lanes")))


def count_lanes(node: Node) -> tuple[dict[str, float], float]:
    by_kind: dict[str, float] = {}
    seen: set[str] = set()
    for child in node.children:
        if child.slot is not None or child.kind == "chipset":
            continue
        for _ in child.ids if len(child.ids) > 1 else (child.id,):
            port = child.port if len(child.ids) == 1 else ""
            if port and port in seen:
                continue
            seen.add(port)
            by_kind[child.kind] = by_kind.get(child.kind, 0.0) + child.lanes
    return by_kind, sum(by_kind.values())
