"""Exceptions of members: "node 17 has a CXL card" as one edit."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from fabricwright.design.edits import arguments as given
from fabricwright.design.edits.groups import chosen_members, with_override
from fabricwright.design.edits.places import at, design_of, fresh_id, item_of
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Item, Override, Project, Sheet
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg


def make_variant(
    project: Project,
    *,
    design: str,
    sheet: str,
    item: str,
    members: str,
    title: str = "",
    changes: Sequence[Sequence[Any]] = (),
    variant: str | None = None,
) -> Patch:
    """Members that differ inside: a sheet based on the one they had, an exception that points at it, and ``changes`` of
    it in the same step: [["add_item", {"part": "lr-cxl-generic", "seat": "chassis:s6"}], ["remove", {"ids": ["rt1"]}]].

    Edits of the sheet they had go on counting for them, too. Members of a group of bare parts (a server without a
    sheet) get a sheet with that part as the chassis. All members must have had the same sheet.
    """
    builder = PatchBuilder(project)
    row = item_of(project, design, sheet, item)
    chosen = chosen_members(row, members)
    old = _override_of(row, chosen)
    if old is not None and old.absent:
        raise UserError(msg("Members {members} are absent.", members=str(chosen)))
    owner = design_of(project, design)
    of = f"sheet:{old.sheet}" if old is not None and old.sheet else row.of or ""
    if of.startswith("sheet:"):
        base = of[6:]
        fresh = Sheet("server", given.text(title, "title", 400), base=base)
    else:
        part = project.parts.get(of)
        if part is None or part.kind not in ("server", "chassis", "storage-server"):
            raise UserError(msg("'{item}' has no inside of its own that could differ.", item=item))
        base = item
        fresh = Sheet("server", given.text(title, "title", 400) or part.name(), chassis=of)
    if variant is not None and variant in owner.sheets:
        raise UserError(msg("Sheet '{sheet}' exists already in design '{design}'.", sheet=variant, design=design))
    stem = f"{base}-{_stem(changes)}"
    sheet_id = fresh_id(variant or stem, owner.sheets, numbered=False)
    builder.set(("designs", design, "sheets", sheet_id), fresh)
    override = Override(sheet_id) if old is None else dataclasses.replace(old, sheet=sheet_id)
    builder.set(at(design, sheet, "items", item), with_override(row, chosen, override))
    if not isinstance(changes, (list, tuple)):
        raise UserError(msg("'{what}' is {value}; expected a list of edits.", what="changes", value=str(changes)[:60]))
    from fabricwright.design.edits.together import run_all

    run_all(builder, changes, {"design": design, "sheet": sheet_id})
    return builder.patch("Make exception")


def _stem(changes: Sequence[Sequence[Any]]) -> str:
    """The variant is called after the first part that makes it one: node-cxl."""
    from fabricwright.catalog.store import catalogue

    for change in changes if isinstance(changes, (list, tuple)) else ():
        named = change[1].get("part") if len(change) == 2 and hasattr(change[1], "get") else None
        if isinstance(named, str) and named in catalogue():
            return catalogue().kind_of(named) or "variant"
    return "variant"


def _override_of(row: Item, chosen: IndexSet) -> Override | None:
    """What all of these members have in common; UserError when they differ."""
    found: list[Override | None] = []
    rest = chosen
    for key, override in row.except_.items():
        left = rest.minus(IndexSet.parse(key))
        if len(left) != len(rest):
            found.append(override)
            rest = left
    if rest:
        found.append(None)
    if len(found) > 1:
        raise UserError(
            msg("Members {members} are not alike; make the exception for those that are.", members=str(chosen))
        )
    return found[0]
