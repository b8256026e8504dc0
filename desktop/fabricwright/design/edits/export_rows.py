"""Edits of exports that change what cables are tied to: another name, or none any more."""

from __future__ import annotations

import dataclasses

from fabricwright.design.address import ID, split_end
from fabricwright.design.edits.exports import ends_there, links_at
from fabricwright.design.edits.items import remove
from fabricwright.design.edits.places import at, design_of, sheet_of
from fabricwright.design.effective import effective
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Design, Project
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg


def rename_export(project: Project, *, design: str, sheet: str, name: str, to: str) -> Patch:
    """Another name for an export of a server; cables that end there stay. Exports of the chassis keep their name."""
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    row = design_of(project, design)
    if name not in owner.exports:
        raise UserError(msg("Export '{name}' does not exist on sheet '{sheet}'.", name=name, sheet=sheet))
    if not isinstance(to, str) or not ID.match(to):
        raise UserError(
            msg("Id '{id}' is not allowed; expected a-z, 0-9 and -, starting with a letter.", id=str(to)[:60])
        )
    if to == name:
        return builder.patch("Rename")
    inherited = effective(project, row, owner.base).exports if owner.base else _built_in(project, row, sheet)
    if name in inherited:
        raise UserError(msg("Export '{name}' comes with the server and keeps its name.", name=name))
    if to in effective(project, row, sheet).exports:
        raise UserError(msg("There is an export '{name}' already.", name=to))
    for here in [sheet, *(s for s, other in row.sheets.items() if other.base == sheet)]:
        export = row.sheets[here].exports.get(name)
        if export is not None:
            builder.remove(at(design, here, "exports", name))
            builder.set(at(design, here, "exports", to), export)
    for where, link_id in links_at(row, sheet, name):
        link = row.sheets[where].links[link_id]
        a, b = (
            f"{split_end(end)[0]}:{to}" if ends_there(row, where, end, sheet, name) else end for end in (link.a, link.b)
        )
        builder.set(at(design, where, "links", link_id), dataclasses.replace(link, a=a, b=b))
    return builder.patch("Rename")


def remove_export(project: Project, *, design: str, sheet: str, name: str) -> Patch:
    """Take an export away, with the cables that end at it. A chassis' own export comes back as it was built."""
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    if name not in owner.exports:
        raise UserError(msg("Export '{name}' does not exist on sheet '{sheet}'.", name=name, sheet=sheet))
    builder.remove(at(design, sheet, "exports", name))
    row = design_of(builder.project, design)
    if name not in effective(builder.project, row, sheet).exports:
        by_sheet: dict[str, list[str]] = {}
        for where, link_id in links_at(row, sheet, name):
            by_sheet.setdefault(where, []).append(link_id)
        for where, ids in by_sheet.items():
            builder.include(remove(builder.project, design=design, sheet=where, ids=ids))
    return builder.patch("Delete")


def _built_in(project: Project, design: Design, sheet: str) -> set[str]:
    part = project.parts.get(design.sheets[sheet].chassis or "")
    return set(part.interior.exports) if part is not None and part.interior is not None else set()
