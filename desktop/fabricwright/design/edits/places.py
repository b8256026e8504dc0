"""Where edits find rows, and how they name new ones. Every accessor raises a UserError when the thing is not there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fabricwright.design.address import ID
from fabricwright.design.patch import Path
from fabricwright.design.values import Design, Item, Link, Project, Sheet
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg


def design_of(project: Project, design: str) -> Design:
    """The design, or UserError."""
    if design not in project.designs:
        raise UserError(
            msg(
                "Design '{design}' does not exist; this project has {known}.",
                design=design,
                known=", ".join(project.designs) or "-",
            )
        )
    return project.designs[design]


def sheet_of(project: Project, design: str, sheet: str) -> Sheet:
    """The sheet, or UserError."""
    found = design_of(project, design).sheets.get(sheet)
    if found is None:
        raise UserError(msg("Sheet '{sheet}' does not exist in design '{design}'.", sheet=sheet, design=design))
    return found


def item_of(project: Project, design: str, sheet: str, item: str) -> Item:
    """A stored item row, or UserError."""
    found = sheet_of(project, design, sheet).items.get(item)
    if found is None:
        raise UserError(msg("Item '{item}' does not exist on sheet '{sheet}'.", item=item, sheet=sheet))
    return found


def link_of(project: Project, design: str, sheet: str, link: str) -> Link:
    """A stored link row, or UserError."""
    found = sheet_of(project, design, sheet).links.get(link)
    if found is None:
        raise UserError(msg("Link '{link}' does not exist on sheet '{sheet}'.", link=link, sheet=sheet))
    return found


def at(design: str, sheet: str, *rest: str) -> Path:
    """Path of something on a sheet."""
    return ("designs", design, "sheets", sheet, *rest)


def slug(text: str) -> str:
    """A legal id made of ``text``."""
    cleaned = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return cleaned if cleaned and cleaned[0].isalpha() else f"x{cleaned}"


def fresh_id(stem: str, taken: Iterable[str], *, numbered: bool = True) -> str:
    """An id not in ``taken``: ``gpu0``, ``gpu1`` ...; without ``numbered`` the bare stem first."""
    used = set(taken)
    stem = slug(stem)
    if not numbered and stem not in used:
        return stem
    stem = stem.rstrip("0123456789") or stem if numbered else f"{stem}-"
    n = 0 if numbered else 2
    while f"{stem}{n}" in used:
        n += 1
    return f"{stem}{n}"


def ids_of(sheet: Sheet) -> set[str]:
    """Ids used by rows of a sheet, of any table: none is handed out twice."""
    return {*sheet.items, *sheet.links, *sheet.notes, *sheet.frames, *sheet.pictures, *sheet.removed}


def new_id(project: Project, design: str, sheet: str, wanted: str | None, stem: str) -> str:
    """The id of a new row: the wanted one when it is legal and not taken (UserError otherwise), or a fresh one."""
    taken = referring_ids(project, design, sheet)
    if wanted is None:
        return fresh_id(stem, taken)
    if not isinstance(wanted, str) or not ID.match(wanted):
        raise UserError(
            msg("Id '{id}' is not allowed; expected a-z, 0-9 and -, starting with a letter.", id=str(wanted)[:60])
        )
    if wanted in taken:
        raise UserError(msg("Id '{id}' is taken on sheet '{sheet}'.", id=wanted, sheet=sheet))
    return wanted


def referring_ids(project: Project, design: str, sheet: str) -> set[str]:
    """Ids that may not be reused on a sheet: its own, inherited ones, and those its variants use."""
    from fabricwright.design.check_values import known_ids

    owner = project.designs[design]
    taken = known_ids(project, owner, sheet) | ids_of(owner.sheets[sheet])
    for other_id, other in owner.sheets.items():
        if other.base == sheet:
            taken |= ids_of(owner.sheets[other_id])
    return taken
