"""Slot by slot, what a kind of server holds: card, lanes, generation, socket, watts; what is free; lanes per socket."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.catalog.kind_words import kind_words
from fabricwright.catalog.parts import Slot
from fabricwright.design.address import split_end
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.values import Design, Project
from fabricwright.exchange.cables import server_sheets
from fabricwright.exchange.data_table import Column, DataTable, Formula, TotalLine, Value, summed
from fabricwright.exchange.naming import part_label
from fabricwright.topology.interior import lane_use
from fabricwright.topology.pcie_tree import PcieTree, build_tree
from fabricwright.topology.server_power import item_w, supplies
from fabricwright.units.natural import natural_key
from fabricwright.units.text import Message, msg

TITLE = msg("Lanes and slots")


def slot_tables(project: Project, design_id: str, lang: str = "en") -> list[DataTable]:
    """Slots, lanes per socket and power of every kind of server of a design; without rows when it has none."""
    design = project.designs[design_id]
    counts: dict[str, int] = {}
    for _, sheet, members in server_sheets(design):
        counts[sheet] = counts.get(sheet, 0) + members
    sheets = sorted(counts, key=natural_key)
    seen = {sheet: effective(project, design, sheet) for sheet in sheets}
    trees = {sheet: build_tree(eff) for sheet, eff in seen.items()}
    return [
        _slots(design, seen, trees, lang),
        _lanes(design, seen, trees),
        _power(project, design, seen, counts),
    ]


def sheet_title(design: Design, sheet: str) -> str:
    """Title of a server sheet, else its id."""
    row = design.sheets.get(sheet)
    return row.title if row is not None and row.title else sheet


def _slots(design: Design, sheets: dict[str, EffSheet], trees: dict[str, PcieTree], lang: str) -> DataTable:
    columns = (
        Column("server", msg("Server type"), width=34),
        Column("slot", msg("Slot"), width=16),
        Column("kind", msg("Form factor"), width=8),
        Column("socket", msg("Socket"), width=9),
        Column("fed_by", msg("Fed by"), width=18),
        Column("slot_lanes", msg("Lanes of the slot"), "count", width=10, centred=True),
        Column("slot_gen", msg("Generation of the slot"), "count", width=11, centred=True),
        Column("item", msg("Item"), width=12),
        Column("card", msg("Card"), width=42),
        Column("card_kind", msg("Kind"), width=16),
        Column("lanes", msg("Lanes in use"), "count", width=9, centred=True),
        Column("gen", msg("Generation in use"), "count", width=11, centred=True),
        Column("power_w", msg("Power of the card (W)"), "power_w", width=10),
        Column("limit_w", msg("Power the slot gives (W)"), "power_w", width=10),
        Column("state", msg("State"), width=11),
    )
    rows: list[tuple[Value, ...]] = []
    soft: set[int] = set()
    for sheet, eff in sheets.items():
        name = sheet_title(design, sheet)
        for slot_id, slot, item in _seats(eff):
            if item is None:
                soft.add(len(rows))
            rows.append((name, *_slot_row(eff, trees[sheet], slot_id, slot, item, lang)))
    every = sum(len(eff.slots) for eff in sheets.values())
    notes = (
        msg("{taken} of {all} slots are taken, {free} are free.", taken=every - len(soft), all=every, free=len(soft)),
        msg("Lanes and generation in use are what card, slot and everything between them agree on."),
    )
    return DataTable("slots", TITLE, columns, tuple(rows), (), notes, frozenset(soft), frozen=2)


def _seats(eff: EffSheet) -> Iterator[tuple[str, Slot, EffItem | None]]:
    """Every slot with what sits in it, one entry per card; free ones with None."""
    seated = eff.seated()
    for slot_id in sorted(eff.slots, key=natural_key):
        items = seated.get(slot_id) or []
        for item in items:
            yield slot_id, eff.slots[slot_id], eff.items[item]
        if not items:
            yield slot_id, eff.slots[slot_id], None


def _slot_row(
    eff: EffSheet, tree: PcieTree, slot_id: str, slot: Slot, item: EffItem | None, lang: str
) -> tuple[Value, ...]:
    feeder = slot.fed_by
    if not feeder and item is not None and item.id in tree.feeds:
        feeder = f"{tree.feeds[item.id].parent}:{tree.feeds[item.id].port}"
    cable = eff.cable_fed().get(slot_id)
    if not feeder and cable is not None:
        feeder = cable[1]
    node = split_end(feeder)[0] if feeder else ""
    socket = tree.cpu_of(item.id if item is not None and item.id in tree.feeds else node) if node else ""
    _, _, short = slot_id.rpartition(":")
    label = f"{short} ({slot.label})" if slot.label else short
    owner = slot_id.partition(":")[0]
    if owner != "chassis":
        label = f"{owner}:{label}"
    give = (slot.power_w + slot.aux_w) or None
    if not feeder and slot.cable_feed is not None:  # nothing is plugged in yet: say what it takes
        feeder = f"{slot.cable_feed.count} x {slot.cable_feed.connector}"
    base: tuple[Value, ...] = (label, slot.kind, socket.upper(), feeder, slot.electrical or None, slot.gen or None)
    if item is None:
        return (*base, None, None, None, None, None, None, give, msg("free"))
    feed = tree.feeds.get(item.id)
    state: Message = msg("forced") if item.forced else msg("built in") if item.locked else msg("added")
    return (
        *base,
        item.id,
        part_label(item.part, item.of, lang),
        kind_words(item.kind),
        feed.lanes if feed is not None and feed.lanes else None,
        feed.gen if feed is not None and feed.gen else None,
        item_w(item) or None,
        give,
        state,
    )


def _lanes(design: Design, sheets: dict[str, EffSheet], trees: dict[str, PcieTree]) -> DataTable:
    columns = (
        Column("server", msg("Server type"), width=34),
        Column("socket", msg("Socket"), width=10),
        Column("cpu", msg("Processor"), width=26),
        Column("available", msg("Lanes available"), "count", width=12),
        Column("wired", msg("Lanes wired"), "count", width=12),
        Column("used", msg("Lanes in use"), "count", width=12),
        Column("free", msg("Lanes free"), "count", width=12),
        Column("share", msg("In use (share)"), "percent", width=12),
        Column("by_kind", msg("Used by"), width=44, wrap=True),
    )
    rows: list[tuple[Value, ...]] = []
    for sheet, eff in sheets.items():
        for cpu, use in lane_use(eff, trees[sheet]).items():
            part = eff.items[cpu].part if cpu in eff.items else None
            rows.append(
                (
                    sheet_title(design, sheet),
                    cpu.upper(),
                    part_label(part, cpu),
                    use.available or None,
                    use.wired,
                    use.used,
                    Formula(use.available - use.used, "{available}-{used}") if use.available else None,
                    Formula(use.used / use.available, "{used}/{available}") if use.available else None,
                    _joined([(kind_words(kind), n) for kind, n in sorted(use.by_kind.items(), key=lambda p: -p[1])]),
                )
            )
    return DataTable("lanes", msg("Lanes per socket"), columns, tuple(rows), frozen=2)


def _joined(pieces: list[tuple[Message, int]]) -> Message | None:
    out: Message | None = None
    for kind, n in pieces:
        one = msg("{kind} {count}", kind=kind, count=n)
        out = one if out is None else msg("{one}, {others}", one=out, others=one)
    return out


def _power(project: Project, design: Design, sheets: dict[str, EffSheet], counts: dict[str, int]) -> DataTable:
    columns = (
        Column("server", msg("Server type"), width=34),
        Column("servers", msg("Servers"), "count", width=10),
        Column("enclosure", msg("Enclosure"), width=16),
        Column("load_w", msg("Load at most (W)"), "power_w", width=13),
        Column("usable_w", msg("Supplies carry (W)"), "power_w", width=13),
        Column("rule", msg("Supplies"), width=16),
        Column("spare_w", msg("Left (W)"), "power_w", width=12),
        Column("all_w", msg("All servers (W)"), "power_w", width=15),
        Column("sure", msg("Figure"), width=14),
    )
    rows: list[tuple[Value, ...]] = []
    soft: set[int] = set()
    total = 0.0
    for sheet, eff in sheets.items():
        for supply in supplies(eff, project.parts, eff.chassis_config):
            if supply.estimate:
                soft.add(len(rows))
            total += supply.load_w * counts[sheet]
            rows.append(
                (
                    sheet_title(design, sheet),
                    counts[sheet],
                    supply.host,
                    supply.load_w,
                    supply.usable_w or None,
                    supply.rule,
                    Formula(supply.usable_w - supply.load_w, "{usable_w}-{load_w}") if supply.usable_w else None,
                    Formula(supply.load_w * counts[sheet], "{servers}*{load_w}"),
                    msg("estimate") if supply.estimate else msg("as stated"),
                )
            )
    line = TotalLine(msg("All servers"), {"all_w": summed("all_w", [total])}, strong=True)
    return DataTable("power", msg("Power of servers"), columns, tuple(rows), (line,), (), frozenset(soft), frozen=1)
