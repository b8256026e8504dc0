"""What is really on a sheet: chassis built-ins, then the base sheet, then own rows, minus what is removed.

A stored row with the id of an inherited one and ``of: null`` overrides only its config; the row ``chassis`` states
figures of the chassis' own slots. Items with an interior of
their own (external GPU boxes) contribute their inner items as ``box/inner``. The result is cached on the sheet and
parts identities.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from fabricwright.catalog.parts import BuiltinItem, BuiltinLink, Part, Port, Slot
from fabricwright.catalog.ports import ports_of
from fabricwright.design.splits import cabled_splits, with_implied_breakout
from fabricwright.design.stated_slots import stated_of_slot, with_stated
from fabricwright.design.values import Axes, ConfigValue, Design, Export, Item, Link, Project, Sheet
from fabricwright.units.record import record
from fabricwright.units.table import Table


@record
class EffItem:
    """An item as it counts.

    ``of`` part id or "sheet:<id>"; ``part`` None when unknown or a sheet; ``locked`` = built into the chassis (its
    row is not stored); ``ports`` name -> Port after mode and breakout; ``chip`` partitions of one switch chip share it.
    """

    id: str
    of: str
    part: Part | None
    seat: str = ""
    forced: bool = False
    axes: Axes = ()
    config: Table[ConfigValue] = field(default_factory=Table)
    ports: Mapping[str, Port] = field(default_factory=dict)
    locked: bool = False
    chip: str = ""
    chip_part: str = ""
    bridge_levels: int = 1
    name: str = ""
    estimate: bool = False

    @property
    def kind(self) -> str:
        """Part kind, "server" for an item that stands for a sheet, "" when the part is unknown."""
        if self.of.startswith("sheet:"):
            return "server"
        return self.part.kind if self.part else ""


@record
class EffSheet:
    """Items, links, exports and slots of a sheet after inheritance. ``slots`` is keyed "item:slot" ("chassis:s3");
    ``chassis_config`` is what the overlay row ``chassis`` states, nearer sheets first; ``cable_parts`` the parts of the
    cables that links name.
    """

    id: str
    kind: str
    chassis: str
    chassis_part: Part | None
    items: Mapping[str, EffItem]
    links: Mapping[str, Link]
    builtin_links: Mapping[str, BuiltinLink]
    exports: Mapping[str, Export]
    slots: Mapping[str, Slot]
    chassis_config: Mapping[str, ConfigValue] = field(default_factory=dict)
    cable_parts: Mapping[str, Part] = field(default_factory=dict)

    def seated(self) -> dict[str, list[str]]:
        """ "item:slot" -> ids of the items in it (more than one = overfull)."""
        out: dict[str, list[str]] = {}
        for item in self.items.values():
            if item.seat:
                out.setdefault(item.seat, []).append(item.id)
        return out

    def cable_fed(self) -> dict[str, tuple[str, str]]:
        """ "item:slot" fed by a cable link -> (link id, the other end "item:port")."""
        out: dict[str, tuple[str, str]] = {}
        for link_id, link in self.links.items():
            for end, other in ((link.a, link.b), (link.b, link.a)):
                if end in self.slots:
                    out[end] = (link_id, other)
        return out


def stated_at(eff: EffSheet, seat: str) -> dict[str, object]:
    """KEY -> value of everything stated about a slot "item:slot" of a sheet."""
    owner, _, name = seat.partition(":")
    holder = eff.items.get(owner)
    if owner == "chassis":
        return stated_of_slot(eff.chassis_config, name)
    return stated_of_slot(holder.config, name) if holder is not None else {}


def part_of(project: Project, part_id: str | None) -> Part | None:
    """The project's own copy of a part, else None. A project embeds every part it uses."""
    return project.parts.get(part_id) if part_id else None


def effective(project: Project, design: Design, sheet_id: str) -> EffSheet:
    """Effective rows of a sheet. Unknown sheets and cyclic bases give an empty or truncated result, never an
    exception."""
    sheet = design.sheets.get(sheet_id)
    if sheet is None:
        return EffSheet(sheet_id, "fabric", "", None, {}, {}, {}, {}, {})
    chain = design.lineage(sheet)
    memo_key = f"effective:{sheet_id}"
    # Where things are drawn does not count: a card that is moved leaves everything as it is.
    made_of = tuple((id(s.items), id(s.links), id(s.exports), id(s.removed), s.chassis, s.base, s.kind) for s in chain)
    cached = sheet.items.memo.get(memo_key)
    if cached is not None and cached[0] == made_of and cached[1] is project.parts:  # type: ignore[index]
        return cached[2]  # type: ignore[index,no-any-return]
    result = _compute(project, sheet_id, chain)
    sheet.items.memo[memo_key] = (made_of, project.parts, result, chain)
    return result


def _compute(project: Project, sheet_id: str, chain: list[Sheet]) -> EffSheet:
    chassis = next((s.chassis for s in chain if s.chassis), None) or ""
    part = part_of(project, chassis)
    items: dict[str, EffItem] = {}
    links: dict[str, Link] = {}
    builtin_links: dict[str, BuiltinLink] = {}
    exports: dict[str, Export] = {}
    slots: dict[str, Slot] = {}
    on_chassis: dict[str, ConfigValue] = {}
    if part is not None:
        slots.update({f"chassis:{name}": slot for name, slot in part.slots.items()})
        if part.interior:
            for item_id, builtin in part.interior.items.items():
                items[item_id] = _builtin(project, item_id, builtin)
            builtin_links.update(part.interior.links)
            for name, export in part.interior.exports.items():
                exports[name] = Export(export.ports, export.axes)
    for sheet in reversed(chain):
        for gone in sheet.removed:
            items.pop(gone, None)
            links.pop(gone, None)
            builtin_links.pop(gone, None)
            exports.pop(gone, None)
        for item_id, row in sheet.items.items():
            inherited = items.get(item_id)
            if row.of is None:
                if item_id == "chassis":
                    on_chassis.update(row.config)
                if inherited is not None:
                    items[item_id] = _overlaid(inherited, row)
                continue
            own = part_of(project, row.of)
            items[item_id] = EffItem(
                item_id,
                row.of,
                own,
                row.seat or "",
                row.forced,
                row.axes,
                row.config,
                ports_of(own, row.config) if own else {},
                False,
                item_id if own and own.kind == "pcie-switch-card" else "",
                "",
                int(own.get("bridge_levels", 1)) if own else 1,
                row.name,
                bool(own and own.confidence != "read"),
            )
        links.update(sheet.links)
        exports.update(sheet.exports)
    for item_id, cabled in cabled_splits(links.values()).items():
        split_item = items.get(item_id)
        if split_item is not None and split_item.part is not None and split_item.part.cages:
            implied = with_implied_breakout(split_item.part, split_item.config, cabled)
            if implied is not split_item.config:
                items[item_id] = replace(split_item, config=implied, ports=ports_of(split_item.part, implied))
    _expand_boxes(project, items, builtin_links, slots)
    for sheet in reversed(chain):
        for item_id, row in sheet.items.items():
            if row.of is None and "/" in item_id and item_id in items:
                items[item_id] = _overlaid(items[item_id], row)
    with_stated(slots, "chassis", on_chassis)
    for item in items.values():
        with_stated(slots, item.id, item.config)
    _drop_dangling(items, links, builtin_links)  # after the boxes: a cable may end inside one ("ext0/h:1")
    kind = chain[0].kind
    cables = {link.cable: project.parts[link.cable] for link in links.values() if link.cable in project.parts}
    return EffSheet(sheet_id, kind, chassis, part, items, links, builtin_links, exports, slots, on_chassis, cables)


def _overlaid(item: EffItem, row: Item) -> EffItem:
    """An inherited item with what a row without a part states about it."""
    config = Table({**item.config, **row.config})
    return replace(item, config=config, ports=_ports(item, config), name=row.name or item.name)


def _ports(item: EffItem, config: Table[ConfigValue]) -> Mapping[str, Port]:
    own = ports_of(item.part, config) if item.part else {}
    return {**own, **{k: v for k, v in item.ports.items() if k not in own}}


def _builtin(project: Project, item_id: str, row: BuiltinItem, prefix: str = "") -> EffItem:
    part = part_of(project, row.of)
    config: Table[ConfigValue] = Table(dict(row.config))
    ports = {**(ports_of(part, config) if part else {}), **row.ports}
    seat = (
        f"{prefix}{row.seat}"
        if (row.seat and not row.seat.startswith("chassis:")) or not prefix
        else row.seat.replace("chassis", prefix[:-1], 1)
    )
    return EffItem(
        item_id,
        row.of,
        part,
        seat,
        False,
        (),
        config,
        ports,
        row.locked,
        row.chip,
        row.chip_part,
        row.bridge_levels,
        "",
        row.confidence != "read",
    )


def _expand_boxes(
    project: Project, items: dict[str, EffItem], builtin_links: dict[str, BuiltinLink], slots: dict[str, Slot]
) -> None:
    """Slots of seated or free items; inner items and links of boxes under ``box/``."""
    for item in list(items.values()):
        if item.part is None or item.of.startswith("sheet:"):
            continue
        prefix = f"{item.id}/"
        for name, slot in item.part.slots.items():
            feed = slot.fed_by
            if feed:
                owner, _, port = feed.partition(":")
                inner = bool(item.part.interior and owner in item.part.interior.items)
                feed = f"{prefix}{owner}:{port}" if inner else f"{item.id}:{port or owner}"
            slots[f"{item.id}:{name}"] = replace(slot, fed_by=feed)
        if item.part.interior:
            for inner_id, row in item.part.interior.items.items():
                inner_item = _builtin(project, f"{prefix}{inner_id}", row, prefix)
                chip = f"{prefix}{inner_item.chip}" if inner_item.chip else ""
                items[f"{prefix}{inner_id}"] = replace(inner_item, chip=chip)
            for link_id, link in item.part.interior.links.items():
                builtin_links[f"{prefix}{link_id}"] = replace(link, a=f"{prefix}{link.a}", b=f"{prefix}{link.b}")


def _drop_dangling(items: dict[str, EffItem], links: dict[str, Link], builtin_links: dict[str, BuiltinLink]) -> None:
    """Built-in links of removed items go with them; stored links never dangle (invariant 2) except through a
    variant's ``removed``."""
    known = set(items) | {"chassis"}
    for table in (links, builtin_links):
        for link_id in list(table):
            row = table[link_id]
            if row.a.partition(":")[0] not in known or row.b.partition(":")[0] not in known:
                del table[link_id]
