"""Invariants of the document (docs/document-model.md section 2): what can never be in a project, however wrong the
design.

A wrong design (full slot, missing port) is a finding; a dangling id is not representable. Checked on load and, in
tests, after every edit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fabricwright.design.address import ID, split_end
from fabricwright.design.check_drawing import check_drawing, check_images
from fabricwright.design.indexset import IndexSet
from fabricwright.design.patch import ABSENT, Change, Patch, apply
from fabricwright.design.values import Design, Item, Link, Project
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

MAX_MEMBERS = 1 << 18
"""Members of one item: twenty times the 12,800 servers of the speed goals, and still computed in seconds."""

PLAIN_TABLES = ("prices", "stock", "profiles", "jobs", "images", "snapshots")
"""Tables of the project whose rows refer to nothing that must exist."""

# Workloads are named after models ("175b") and never stand in an address path, so they may start with a digit.
WORKLOAD_ID = re.compile(r"^[a-z0-9][a-z0-9-]*$")


def check(project: Project) -> list[Message]:
    """Every broken invariant as a message that names the place; empty = sound."""
    problems: list[Message] = []
    for table_name in (*("designs", "workloads", "statements", "approvals"), *PLAIN_TABLES):
        _ids(getattr(project, table_name), table_name, problems)
    problems += check_images(project)
    for design_id, design in project.designs.items():
        _design(project, design, f"designs.{design_id}", problems)
    return problems


def broken_by(project: Project, patch: Patch) -> list[Message]:
    """What ``patch`` would break in a sound project; empty = nothing.

    Rows that only come or change are looked at alone, whatever the size of the sheet; where anything goes, somebody may
    have named it, and the whole project is looked at. Places (``look``) break nothing.
    """
    changes = [change for change in patch.changes if change.path[4:5] != ("look",)]
    if not changes:
        return []
    after = apply(project, patch)
    if not all(map(_is_alone, changes)):
        whole = check(after)
        known = {problem.english() for problem in check(project)} if whole else ()
        return [problem for problem in whole if problem.english() not in known]
    touched: dict[tuple[str, str], dict[str, dict[str, None]]] = {}
    for _, design_id, _, sheet_id, table, row, *_ in (change.path for change in changes):
        touched.setdefault((design_id, sheet_id), {}).setdefault(table, {})[row] = None
    problems: list[Message] = []
    for (design_id, sheet_id), rows in touched.items():
        design = after.designs[design_id]
        on = design.sheets[sheet_id]
        place = f"designs.{design_id}.sheets.{sheet_id}"
        known_here = known_ids(after, design, sheet_id)
        items, links = ({row: getattr(on, name)[row] for row in rows.get(name, ())} for name in ("items", "links"))
        _ids(items, f"{place}.items", problems)
        _ids(links, f"{place}.links", problems)
        _rows(after, design, items, links, known_here, place, problems)
    return problems


def _is_alone(change: Change) -> bool:
    """Whether it comes to an item or a link of a sheet, ("designs", d, "sheets", s, "items", id, ...), and takes away
    nothing that others may name: the row, or the part whose inner items they mean."""
    path, old, new = change.path, change.old, change.new
    if len(path) < 6 or path[0] != "designs" or path[2] != "sheets" or path[4] not in ("items", "links"):
        return False
    if new is ABSENT or path[6:7] == ("of",):
        return False
    return not (isinstance(old, Item) and isinstance(new, Item) and old.of != new.of)


def _ids(table: object, where: str, problems: list[Message]) -> None:
    pattern = WORKLOAD_ID if where == "workloads" else ID
    for key in table:  # type: ignore[attr-defined]
        row = table[key]  # type: ignore[index]
        if isinstance(row, Item) and row.of is None and all(map(ID.match, key.split("/"))):
            continue  # states something about an inner item of a box: ``ext0/sw0``
        if not pattern.match(key):
            problems.append(
                msg(
                    "{where}: id '{id}' is not allowed; expected a-z, 0-9 and -, starting with a letter.",
                    where=where,
                    id=key[:60],
                )
            )


def _design(project: Project, design: Design, where: str, problems: list[Message]) -> None:
    _ids(design.sheets, f"{where}.sheets", problems)
    if design.sheets and design.root not in design.sheets:
        problems.append(msg("{where}.root: sheet '{sheet}' does not exist.", where=where, sheet=design.root))
    root = design.sheets.get(design.root)
    for ranked in design.ranks:
        if root is not None and ranked not in root.items:
            problems.append(
                msg(
                    "{where}.ranks: item '{item}' does not exist on sheet '{sheet}'.",
                    where=where,
                    item=ranked,
                    sheet=design.root,
                )
            )
    for sheet_id, sheet in design.sheets.items():
        place = f"{where}.sheets.{sheet_id}"
        if sheet.kind not in ("fabric", "server"):
            problems.append(
                msg(
                    "{where}.kind: '{kind}' is not a kind of sheet; expected fabric or server.",
                    where=place,
                    kind=sheet.kind,
                )
            )
        _base_chain(design, sheet_id, place, problems)
        if sheet.chassis is not None and sheet.chassis not in project.parts:
            problems.append(
                msg("{where}.chassis: part '{part}' is not among the project's parts.", where=place, part=sheet.chassis)
            )
        for table_name in ("items", "links", "exports", "notes", "frames", "pictures"):
            _ids(getattr(sheet, table_name), f"{place}.{table_name}", problems)
        known = known_ids(project, design, sheet_id)
        problems += check_drawing(project, design, sheet_id, known, place)
        _rows(project, design, sheet.items, sheet.links, known, place, problems)
        for item_id, seat in sheet.seats.items():
            for owner in (item_id, seat.racks):
                if owner not in sheet.items:
                    problems.append(
                        msg("{where}: item '{item}' does not exist.", where=f"{place}.seats.{item_id}", item=owner)
                    )
            given = [
                seat.first,
                seat.stride,
                seat.per_rack,
                seat.u,
                *(n for p in seat.except_.values() for n in (p.rack, p.u)),
            ]
            for number in given:
                if abs(number) > MAX_MEMBERS:
                    problems.append(
                        msg("{where}: {number} is out of range.", where=f"{place}.seats.{item_id}", number=number)
                    )
                    break


def _rows(
    project: Project,
    design: Design,
    items: Mapping[str, Item],
    links: Mapping[str, Link],
    known: set[str],
    place: str,
    problems: list[Message],
) -> None:
    """Items and links of one sheet; ``known`` are the ids that they may name."""
    for item_id, item in items.items():
        _item(project, design, item, known, f"{place}.items.{item_id}", problems)
    for link_id, link in links.items():
        for side, end in (("a", link.a), ("b", link.b)):
            owner = split_end(end)[0]
            if owner not in known:
                problems.append(
                    msg(
                        "{where}.{side}: item '{item}' does not exist.",
                        where=f"{place}.links.{link_id}",
                        side=side,
                        item=owner,
                    )
                )
        for part in (link.cable, *link.optics):
            if part and part != "auto" and part not in project.parts:
                problems.append(
                    msg(
                        "{where}: part '{part}' is not among the project's parts.",
                        where=f"{place}.links.{link_id}",
                        part=part,
                    )
                )
        if link.wire.mode not in ("deal", "mesh", "rows"):
            problems.append(
                msg(
                    "{where}.wire.mode: '{mode}' is not known; expected deal, mesh or rows.",
                    where=f"{place}.links.{link_id}",
                    mode=link.wire.mode,
                )
            )
        if (
            link.wire.per_pair < 0
            or (link.length_m is not None and link.length_m < 0)
            or (link.speed is not None and link.speed <= 0)
        ):
            problems.append(
                msg("{where}: counts, lengths and speeds must not be negative.", where=f"{place}.links.{link_id}")
            )


def _base_chain(design: Design, sheet_id: str, where: str, problems: list[Message]) -> None:
    seen = {sheet_id}
    base = design.sheets[sheet_id].base
    while base is not None:
        if base not in design.sheets:
            problems.append(msg("{where}.base: sheet '{sheet}' does not exist.", where=where, sheet=base))
            return
        if base in seen:
            problems.append(msg("{where}.base: sheet '{sheet}' is a variant of itself.", where=where, sheet=base))
            return
        seen.add(base)
        base = design.sheets[base].base


def known_ids(project: Project, design: Design, sheet_id: str) -> set[str]:
    """Ids that links and seats of a sheet may name: own rows, inherited rows, chassis built-ins and "chassis"."""
    known = {"chassis"}
    chain = design.lineage(design.sheets.get(sheet_id))
    for sheet in chain:
        known.update(sheet.items)
        part = project.parts.get(sheet.chassis) if sheet.chassis else None
        if part is not None and part.interior is not None:
            known.update(part.interior.items)
    for row in list(known):
        for sheet in chain:
            item = sheet.items.get(row)
            part = project.parts.get(item.of) if item is not None and item.of else None
            if part is not None and part.interior is not None:
                known.update(f"{row}/{inner}" for inner in part.interior.items)
    return known


def _item(project: Project, design: Design, item: Item, known: set[str], where: str, problems: list[Message]) -> None:
    if item.of is not None and item.of.startswith("sheet:"):
        if item.of[6:] not in design.sheets:
            problems.append(msg("{where}.of: sheet '{sheet}' does not exist.", where=where, sheet=item.of[6:]))
    elif item.of is not None and item.of not in project.parts:
        problems.append(msg("{where}.of: part '{part}' is not among the project's parts.", where=where, part=item.of))
    if item.seat is not None and split_end(item.seat)[0] not in known:
        problems.append(msg("{where}.seat: item '{item}' does not exist.", where=where, item=split_end(item.seat)[0]))
    names = [name for name, _ in item.axes]
    if len(set(names)) != len(names) or any(not name for name in names):
        problems.append(msg("{where}.axes: axis names must be different.", where=where))
    if any(size < 1 for _, size in item.axes):
        problems.append(msg("{where}.axes: a count must be 1 or more.", where=where))
    elif item.count > MAX_MEMBERS:
        problems.append(
            msg(
                "{where}.axes: {count} members; at most {limit} are supported.",
                where=where,
                count=item.count,
                limit=MAX_MEMBERS,
            )
        )
    for key, override in item.except_.items():
        try:
            members = IndexSet.parse(key)
        except UserError as error:
            problems.append(msg("{where}.except: {problem}", where=where, problem=error.message))
            continue
        if members and members.ranges[-1][1] >= item.count:
            problems.append(
                msg(
                    "{where}.except: member {member} is outside 0-{last}.",
                    where=where,
                    member=members.ranges[-1][1],
                    last=item.count - 1,
                )
            )
        if override.sheet is not None and override.sheet not in design.sheets:
            problems.append(msg("{where}.except: sheet '{sheet}' does not exist.", where=where, sheet=override.sheet))
