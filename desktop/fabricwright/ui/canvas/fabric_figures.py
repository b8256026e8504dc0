"""Figures on a fabric sheet: lanes and power of a group, cages in use, what a unit holds. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.values import Design, Project, Seating
from fabricwright.ui.canvas.fabric_pieces import SERVER, Piece, Pieces
from fabricwright.ui.canvas.naming import kilowatts, thousands
from fabricwright.ui.canvas.server_figures import count_lanes
from fabricwright.ui.canvas.server_tree import build_tree
from fabricwright.ui.paint.scene import Meter
from fabricwright.units.text import Message, msg


@dataclass(slots=True)
class FabricFacts:
    """What cards need besides their row."""

    project: Project
    design: Design
    eff: EffSheet
    pieces: Pieces
    lang: str = "en"
    sheets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    cages: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    loads: Mapping[str, float] = field(default_factory=dict)
    _plain: dict[str, str] = field(default_factory=dict)

    def text(self, message: Message) -> str:
        """A message in the language of the sheet."""
        if message.params:
            return message.text(self.lang)
        found = self._plain.get(message.template)  # hundreds of cards say the same
        if found is None:
            found = self._plain[message.template] = message.text(self.lang)
        return found


def group_meters(item: EffItem, part: Part | None, facts: FabricFacts) -> tuple[Meter, ...]:
    """Lanes and power of one server: the worker's figures, else what the sheet itself says."""
    if not item.of.startswith("sheet:"):
        return ()
    summary = facts.sheets.get(item.of[6:], {})
    out = []
    lanes = summary.get("lanes") or local_lanes(effective(facts.project, facts.design, item.of[6:]))
    used = sum(float(v.get("used", 0)) for v in lanes.values())
    available = sum(float(v.get("available", 0)) for v in lanes.values())
    if available:
        state = (
            "error" if any(float(v.get("used", 0)) > float(v.get("available", 0)) > 0 for v in lanes.values()) else "ok"
        )
        out.append(Meter(facts.text(msg("Lanes")), used / available, f"{used:g} / {available:g}", state))
    rows = [row for row in summary.get("power", ()) if row.get("host") == "chassis"]
    power = (
        float(rows[0]["load_w"])
        if rows
        else float((part.get("max_system_w") or part.get("power_w") if part else 0) or 0)
    )
    limit = float(rows[0]["usable_w"]) if rows else float(supply_w(part) if part else 0)
    if power and limit:
        state = "error" if power > limit else "ok"
        out.append(
            Meter(
                facts.text(msg("Power")),
                power / limit,
                facts.text(msg("{used} / {limit} kW", used=kilowatts(power), limit=kilowatts(limit))),
                state,
            )
        )
    return tuple(out)


def supply_w(part: Part) -> float:
    """Watts that the power supplies give with the redundant ones out: "4+2" of 3,300 W = 13,200 W."""
    redundancy = part.word("psu_redundancy")
    needed = redundancy.partition("+")[0]
    count = float(needed) if needed.isdigit() else part.get("psu_count")
    return count * part.get("psu_w")


def local_lanes(inner: EffSheet) -> dict[str, dict[str, float]]:
    """Lanes per socket counted from the drawing, until the worker has spoken."""

    out: dict[str, dict[str, float]] = {}
    for root in build_tree(inner).roots:
        if root.kind == "cpu" and root.item is not None:
            available = root.item.config.get("lanes_available") or (
                root.item.part.get("lanes_per_socket") if root.item.part else 0
            )
            out[root.id] = {"used": count_lanes(root)[1], "available": float(available or 0)}  # type: ignore[arg-type]
    return out


def unit_caption(pieces: Pieces, unit: int, facts: FabricFacts) -> tuple[str, ...]:
    """``SU 1: 16 servers, 128 GPUs, 4 racks``"""
    servers = gpus = 0
    racks: set[int] = set()
    sheet = facts.design.sheets.get(facts.eff.id)
    for piece in pieces.pieces:
        if piece.unit != unit or piece.role != SERVER:
            continue
        item = facts.eff.items[piece.item]
        servers += piece.count
        if item.of.startswith("sheet:"):
            inner = effective(facts.project, facts.design, item.of[6:])
            gpus += piece.count * sum(i.kind == "gpu" for i in inner.items.values())
        seat = sheet.seats.get(piece.item) if sheet is not None else None
        if seat is not None:
            racks |= _racks(seat, piece)
    name = f"{pieces.axis.upper() if len(pieces.axis) <= 3 else pieces.axis.capitalize()} {unit + 1}"
    short = facts.text(
        msg("{unit}: {servers} servers, {gpus} GPUs", unit=name, servers=thousands(servers), gpus=thousands(gpus))
    )
    if racks:
        long = facts.text(
            msg(
                "{unit}: {servers} servers, {gpus} GPUs, {racks} racks",
                unit=name,
                servers=thousands(servers),
                gpus=thousands(gpus),
                racks=len(racks),
            )
        )
        return (long, short, name)
    return (short, name)


def _racks(seat: Seating, piece: Piece) -> set[int]:
    members = piece.members
    return set((seat.first + seat.stride * (members // max(seat.per_rack, 1))).tolist()) if len(members) else set()


def used_cages(eff: EffSheet, used_ports: Mapping[str, set[str]]) -> dict[str, tuple[int, int]]:
    """Item -> (cages in use, cages) of one switch, from the port names that links use."""
    out: dict[str, tuple[int, int]] = {}
    known: dict[str, set[str]] = {}
    for item in eff.items.values():
        if item.part is None or not item.part.cages:
            continue
        names = used_ports.get(item.id, set())
        if item.of not in known:
            known[item.of] = _fabric_cages(item.part)
        fabric = known[item.of]
        used = {(item.ports[n].cage if n in item.ports else n.partition("/")[0]) for n in names}
        out[item.id] = (len(used & fabric), len(fabric))
    return out


def _fabric_cages(part: Part) -> set[str]:
    """Cages for the fabric: not those for management, and on a switch the kind it has most of."""
    rows = part.cages
    fabric = {n for n, c in rows.items() if c.medium != "mgmt" and c.type != "RJ45"} or set(rows)
    if part.kind == "switch" and len({c.type for c in rows.values()}) > 1:
        kind = Counter(c.type for n, c in rows.items() if n in fabric).most_common(1)[0][0]
        fabric = {n for n in fabric if rows[n].type == kind}
    return fabric
