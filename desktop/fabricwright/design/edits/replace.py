"""Replacing a part, in one place or everywhere, with an account of what did not map.

Nothing is lost silently. Ports and slots that the new part lacks stay written as they are (checks name them); rows that
could only dangle (a cable to a built-in card that the new chassis has not) are taken out and listed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from fabricwright.catalog.kind_words import kind_words
from fabricwright.catalog.parts import Part
from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.check_values import known_ids
from fabricwright.design.edits.annotations import drop_unseen
from fabricwright.design.edits.clipboard import FITTED, PART_KEYS
from fabricwright.design.edits.embed import embed
from fabricwright.design.edits.items import _drop_approvals, _shrunk, _variants
from fabricwright.design.edits.places import at, design_of, item_of, sheet_of
from fabricwright.design.effective import effective
from fabricwright.design.patch import ABSENT, Patch, PatchBuilder
from fabricwright.design.replacement import (
    Config,
    PortMap,
    Replacement,
    Unmapped,
    mapped_breakout,
    mapped_mode,
    port_map,
    same_kind,
)
from fabricwright.design.values import Item, Project, Sheet
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg


def replace_part(project: Project, *, design: str, sheet: str, item: str, part: str) -> Patch:
    """Another part in the same place; what it lacks is said by ``part_replacement``."""
    return part_replacement(project, design=design, sheet=sheet, item=item, part=part).patch


def part_replacement(project: Project, *, design: str, sheet: str, item: str, part: str) -> Replacement:
    """``replace_part`` and what did not map. For an item that stands for a sheet, the chassis of that sheet."""
    builder = PatchBuilder(project)
    row = item_of(project, design, sheet, item)
    new = embed(builder, part)
    said: list[Unmapped] = []
    if row.of is not None and row.of.startswith("sheet:"):
        _replace_chassis(builder, design, row.of[6:], part, said)
    else:
        _replace_item(builder, design, sheet, item, part, new, said)
    drop_unseen(builder, design, list(design_of(builder.project, design).sheets))
    return Replacement(builder.patch("Replace part"), 1, tuple(said))


def replace_everywhere(project: Project, *, old: str, new: str, design: str = "*") -> Patch:
    """Part ``new`` wherever ``old`` stands in a design (``*`` in all): items, chassis, cables, optics, fitted parts.

    ``replacement`` gives the same patch with the list of what did not map.
    """
    return replacement(project, old=old, new=new, design=design).patch


def replacement(project: Project, *, old: str, new: str, design: str = "*") -> Replacement:
    """What ``replace_everywhere`` does, how many rows it changes and what does not map. Raises UserError when the part
    stands nowhere, or the new one is another kind of thing."""
    builder = PatchBuilder(project)
    if design != "*":
        design_of(project, design)
    if old not in project.parts:
        raise UserError(msg("Part '{part}' is not used in this project.", part=str(old)[:60]))
    if old == new:
        raise UserError(msg("Part '{part}' would be replaced by itself.", part=old))
    part = embed(builder, new)
    before = project.parts[old]
    if not same_kind(before, part):
        raise UserError(
            msg(
                "'{old}' is a {old_kind}, '{new}' a {new_kind}; expected two of a kind.",
                old=old,
                old_kind=kind_words(before.kind),
                new=new,
                new_kind=kind_words(part.kind),
            )
        )
    said: list[Unmapped] = []
    count = 0
    for design_id in project.designs if design == "*" else (design,):
        for sheet_id in project.designs[design_id].sheets:
            count += _on_sheet(builder, design_id, sheet_id, old, new, part, said)
        _statements(project, design_id, old, said)
        drop_unseen(builder, design_id, list(project.designs[design_id].sheets))
    if not count:
        for one in said:
            raise UserError(one.message)
        raise UserError(msg("Part '{part}' is not used in this project.", part=old))
    unique = tuple({(one.kind, one.address, one.message.english()): one for one in said}.values())
    return Replacement(builder.patch("Replace part everywhere"), count, unique)


def _on_sheet(
    builder: PatchBuilder, design: str, sheet: str, old: str, new: str, part: Part, said: list[Unmapped]
) -> int:
    """Replace on one sheet; how many rows got the new part."""
    count = 0
    owner = sheet_of(builder.project, design, sheet)
    eff = effective(builder.project, design_of(builder.project, design), sheet)
    for item in eff.items.values():
        stored = owner.items.get(item.id)
        if item.of == old and (stored is None or stored.of is None) and owner.base is None:
            text = msg("{at}: built into its chassis; it stays.", at=_where(design, sheet, item.id))
            said.append(Unmapped("built-in", _where(design, sheet, item.id), text))
    for item_id, row in owner.items.items():
        if row.of == old:
            _replace_item(builder, design, sheet, item_id, new, part, said)
            count += 1
        here = sheet_of(builder.project, design, sheet).items.get(item_id)
        if here is not None:
            changed = _config_parts(here, old, new)
            if changed is not here:
                builder.set(at(design, sheet, "items", item_id), changed)
                count += 1
    if owner.chassis == old:
        _replace_chassis(builder, design, sheet, new, said)
        count += 1
    for link_id, link in sheet_of(builder.project, design, sheet).links.items():
        optics = tuple(new if optic == old else optic for optic in link.optics)
        cable = new if link.cable == old else link.cable
        if (cable, optics) != (link.cable, link.optics):
            builder.set(at(design, sheet, "links", link_id), dataclasses.replace(link, cable=cable, optics=optics))
            count += 1
    return count


def _config_parts(row: Item, old: str, new: str) -> Item:
    """The row with the part renamed where config names parts; itself when it does not."""

    def renamed(config: Config) -> Config:
        out = {}
        for key, value in config.items():
            if key == f"{FITTED}{old}":
                have = config.get(f"{FITTED}{new}", 0)
                both = isinstance(have, int) and isinstance(value, int)
                out[f"{FITTED}{new}"] = have + value if both else value  # type: ignore[operator]
            elif key != f"{FITTED}{new}" or f"{FITTED}{old}" not in config:
                out[key] = new if key in PART_KEYS and value == old else value
        return config if out == config else Table(out)

    config = renamed(row.config)
    changed = {k: dataclasses.replace(o, config=renamed(o.config)) for k, o in row.except_.items()}
    if config is row.config and changed == row.except_:
        return row
    return dataclasses.replace(row, config=config, except_=Table(changed))


def _statements(project: Project, design: str, old: str, said: list[Unmapped]) -> None:
    for key, row in project.statements.items():
        if row.subject == f"part:{old}":
            text = msg("Statement {key} speaks of {part} and stays.", key=key, part=old)
            said.append(Unmapped("statement", key, text))


# -- one item ----------------------------------------------------------------------------------------------------------


def _replace_item(
    builder: PatchBuilder, design: str, sheet: str, item_id: str, new: str, part: Part, said: list[Unmapped]
) -> None:
    row = item_of(builder.project, design, sheet, item_id)
    before = builder.project.parts.get(row.of or "")
    if before is None:  # an overlay, or a part that nobody knows: nothing to map
        before = Part(kind=part.kind)
    where = _where(design, sheet, item_id)
    config = mapped_breakout(mapped_mode(row.config, before, part, where, said), part, where, said)
    overrides = {
        key: dataclasses.replace(
            o, config=mapped_breakout(mapped_mode(o.config, before, part, where, said), part, where, said)
        )
        for key, o in row.except_.items()
    }
    changed = dataclasses.replace(row, of=new, config=config, except_=Table(overrides))
    ports = port_map(before, row.config, part, config, _used(builder.project, design, sheet, item_id))
    builder.set(at(design, sheet, "items", item_id), changed)
    shown = (
        set(before.interior.exports) if before.interior is not None else set(),
        set(part.interior.exports) if part.interior is not None else set(),
    )
    for here in _variants(builder.project, design, sheet):
        _map_ends(builder, design, here, item_id, ports, (set(before.slots), set(part.slots)), shown, said)
        _drop_dangling(builder, design, here, said)


def _used(project: Project, design: str, sheet: str, item_id: str) -> list[str]:
    """Ports of an item that links and exports of the sheet and its variants name."""
    out: list[str] = []
    for here in _variants(project, design, sheet):
        owner = sheet_of(project, design, here)
        ends = [end for link in owner.links.values() for end in (link.a, link.b)]
        ends += [port for export in owner.exports.values() for port in export.ports]
        for end in ends:
            item, ports = split_end(end)
            if item == item_id:
                out += expand_ports(ports)
    return out


def _map_ends(
    builder: PatchBuilder,
    design: str,
    sheet: str,
    item_id: str,
    ports: PortMap,
    slots: tuple[set[str], set[str]],
    shown: tuple[set[str], set[str]],
    said: list[Unmapped],
) -> None:
    """Ports of an item in links, moved cables and exports; cards in its slots."""

    def mapped(end: str, address: str) -> str:
        owner, text = split_end(end)
        if owner != item_id or not text or text in slots[1] or text in shown[1]:
            return end
        if text in slots[0] or text in shown[0]:
            kind, word = ("slot", msg("slot")) if text in slots[0] else ("export", msg("export"))
            problem = msg("{at}: the new part has no {kind} '{name}'.", at=address, kind=word, name=text)
            said.append(Unmapped(kind, address, problem))
            return end
        now, missing, changed = ports.end(text)
        if changed:
            some = [f"{a} -> {b}" for a, b in list(changed.items())[:8]]
            said.append(Unmapped("port", address, msg("{at}: ports are called {names} now.", at=address, names=some)))
        if missing:
            names = ", ".join(missing[:8])
            problem = msg("{at}: the new part has no port {names}; the cable stays written.", at=address, names=names)
            said.append(Unmapped("port", address, problem))
        return f"{owner}:{now}"

    owner = sheet_of(builder.project, design, sheet)
    for link_id, link in owner.links.items():
        address = _where(design, sheet, link_id)
        changed = dataclasses.replace(link, a=mapped(link.a, address), b=mapped(link.b, address))
        if changed != link:
            builder.set(at(design, sheet, "links", link_id), changed)
    for name, export in owner.exports.items():
        listed = tuple(mapped(port, _where(design, sheet, name)) for port in export.ports)
        if listed != export.ports:
            builder.set(at(design, sheet, "exports", name), dataclasses.replace(export, ports=listed))
    for card_id, card in owner.items.items():
        host, slot = split_end(card.seat or "")
        if host == item_id and slot not in slots[1]:
            address = _where(design, sheet, card_id)
            problem = msg(
                "{at}: the new part has no slot '{name}'; the card stays written there.", at=address, name=slot
            )
            said.append(Unmapped("slot", address, problem))


# -- a chassis ---------------------------------------------------------------------------------------------------------


def _replace_chassis(builder: PatchBuilder, design: str, sheet: str, new: str, said: list[Unmapped]) -> None:
    here: str = sheet
    seen = {sheet}
    while sheet_of(builder.project, design, here).chassis is None:  # a variant: its base has the chassis
        base = sheet_of(builder.project, design, here).base
        if base is None or base in seen:
            break
        seen.add(base)
        here = base
    before = builder.project.parts.get(sheet_of(builder.project, design, here).chassis or "")
    part = builder.project.parts[new]
    exported = {
        s: set(effective(builder.project, design_of(builder.project, design), s).exports)
        for s in _variants(builder.project, design, here)
    }
    builder.set(at(design, here, "chassis"), new)
    slots = (set(before.slots) if before is not None else set(), set(part.slots))
    nothing = PortMap({})
    for variant in _variants(builder.project, design, here):
        _map_ends(builder, design, variant, "chassis", nothing, slots, (set(), set()), said)
        _map_built_in(builder, design, variant, before, part, said)
        _drop_dangling(builder, design, variant, said)
        gone = exported[variant] - set(effective(builder.project, design_of(builder.project, design), variant).exports)
        _lost_exports(builder, design, variant, gone, said)


def _map_built_in(
    builder: PatchBuilder, design: str, sheet: str, before: Part | None, part: Part, said: list[Unmapped]
) -> None:
    """Cards built in under the same id may be another part with other ports."""
    inside = before.interior.items if before is not None and before.interior is not None else Table()
    now = part.interior.items if part.interior is not None else Table()
    for item_id in now:
        if item_id in inside and inside[item_id].of != now[item_id].of:
            old_part = builder.project.parts.get(inside[item_id].of)
            new_part = builder.project.parts.get(now[item_id].of)
            if old_part is not None and new_part is not None:
                used = _used(builder.project, design, sheet, item_id)
                config: list[Config] = [Table(dict(row.config)) for row in (inside[item_id], now[item_id])]
                ports = port_map(old_part, config[0], new_part, config[1], used)
                own = PortMap({**ports.names, **{n: n for n in used if n in now[item_id].ports}})
                slots = (set(old_part.slots), set(new_part.slots))
                _map_ends(builder, design, sheet, item_id, own, slots, (set(), set()), said)


def _lost_exports(builder: PatchBuilder, design: str, sheet: str, gone: set[str], said: list[Unmapped]) -> None:
    if not gone:
        return
    owner = design_of(builder.project, design)
    for fabric_id, fabric in owner.sheets.items():
        standing = {i for i, row in fabric.items.items() if row.of == f"sheet:{sheet}"}
        for link_id, link in fabric.links.items():
            for end in (link.a, link.b):
                item, ports = split_end(end)
                if item in standing and ports in gone:
                    address = _where(design, fabric_id, link_id)
                    text = msg(
                        "{at}: the server no longer shows '{name}'; the cables stay written.", at=address, name=ports
                    )
                    said.append(Unmapped("export", address, text))


# -- what would dangle -------------------------------------------------------------------------------------------------


def _drop_dangling(builder: PatchBuilder, design: str, sheet: str, said: list[Unmapped]) -> None:
    """Take out what refers to things that the new part does not have inside."""
    owner = sheet_of(builder.project, design, sheet)
    known = _there(builder.project, design, sheet)
    for item_id, row in owner.items.items():
        if row.of is None and item_id != "chassis" and item_id not in known:
            builder.remove(at(design, sheet, "items", item_id))
            text = msg(
                "{at}: what was set of it is gone; the new part has none inside.", at=_where(design, sheet, item_id)
            )
            said.append(Unmapped("row", _where(design, sheet, item_id), text, True))
        elif row.seat is not None and split_end(row.seat)[0] not in known:
            builder.set(at(design, sheet, "items", item_id), dataclasses.replace(row, seat=None, forced=False))
            text = msg(
                "{at}: its slot {slot} is gone; the card lies beside.", at=_where(design, sheet, item_id), slot=row.seat
            )
            said.append(Unmapped("slot", _where(design, sheet, item_id), text))
    for link_id, link in owner.links.items():
        gone = [end for end in (link.a, link.b) if split_end(end)[0] not in known]
        if gone:
            builder.set(at(design, sheet, "links", link_id), ABSENT)
            builder.remove(at(design, sheet, "look", link_id))
            _drop_approvals(builder, design, link_id)
            address = _where(design, sheet, link_id)
            text = msg("{at}: removed; the new part has no {name} inside.", at=address, name=split_end(gone[0])[0])
            said.append(Unmapped("row", address, text, True))
    _drop_exports(builder, design, sheet, owner, known, said)


def _drop_exports(
    builder: PatchBuilder, design: str, sheet: str, owner: Sheet, known: set[str], said: list[Unmapped]
) -> None:
    for name, export in owner.exports.items():
        kept = tuple(port for port in export.ports if split_end(port)[0] in known)
        if kept == export.ports:
            continue
        address = _where(design, sheet, name)
        gone = ", ".join(port for port in export.ports if port not in kept)
        said.append(Unmapped("export", address, msg("{at}: no longer shows {names}.", at=address, names=gone), True))
        if kept:
            row = dataclasses.replace(export, ports=kept, axes=_shrunk(export.axes, len(kept)))
            builder.set(at(design, sheet, "exports", name), row)
        else:
            builder.remove(at(design, sheet, "exports", name))


def _there(project: Project, design: str, sheet: str) -> set[str]:
    """Ids that may be named, without overlay rows that overlay nothing any more."""
    owner = design_of(project, design)
    bare: Mapping[str, Sheet] = {
        k: dataclasses.replace(s, items=Table({i: r for i, r in s.items.items() if r.of is not None or i == "chassis"}))
        for k, s in owner.sheets.items()
    }
    return known_ids(project, dataclasses.replace(owner, sheets=Table(bare)), sheet)


def _where(design: str, sheet: str, row: str) -> str:
    return f"{design}!{sheet}/{row}"
