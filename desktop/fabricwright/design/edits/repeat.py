"""Edits that make more of what is there: duplicate, repeat n times with an offset and counted names."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence

from fabricwright.design.address import split_end
from fabricwright.design.edits import arguments as given
from fabricwright.design.edits.annotations import drop_unseen
from fabricwright.design.edits.exports import join_exports
from fabricwright.design.edits.places import at, fresh_id, referring_ids, sheet_of
from fabricwright.design.frames import with_grouped
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Frame, Item, Link, Look, Project, Sheet
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from fabricwright.units.text import msg

MAX_COPIES = 256

_COUNTED = re.compile(r"(\d+)(\D*)$")


def duplicate(
    project: Project,
    *,
    design: str,
    sheet: str,
    ids: Sequence[str],
    offset: Sequence[float] = (20, 20),
    slots: Sequence[str] = (),
) -> Patch:
    """One more of each row, with the links between them; servers go on standing for the same sheet."""
    return _copies(project, design, sheet, ids, 1, offset, slots, "Duplicate")


def repeat(
    project: Project,
    *,
    design: str,
    sheet: str,
    ids: Sequence[str],
    times: int,
    offset: Sequence[float] = (20, 20),
    slots: Sequence[str] = (),
) -> Patch:
    """``times`` further copies, each ``offset`` beside the one before; names that end in a number count on.

    On a server sheet ``slots`` ("chassis:s4" ...) are taken one after the other; a card beyond them lands beside.
    """
    return _copies(project, design, sheet, ids, given.whole(times, "times", 1, MAX_COPIES), offset, slots, "")


def _copies(
    project: Project,
    design: str,
    sheet: str,
    ids: Sequence[str],
    times: int,
    offset: Sequence[float],
    slots: Sequence[str],
    label: str,
) -> Patch:
    builder = PatchBuilder(project)
    owner = sheet_of(project, design, sheet)
    step = given.pair(offset, "offset")
    chosen = with_grouped(owner, given.texts(ids, "ids"))
    rows = [i for i in chosen if i in owner.items and owner.items[i].of is not None]
    drawn = [i for i in chosen if i in owner.notes or i in owner.pictures or i in owner.frames]
    if not rows and not drawn:
        raise UserError(msg("Nothing that can be copied is selected."))
    free = _free_slots(owner, given.texts(slots, "slots"))
    taken = referring_ids(project, design, sheet)
    names = {row.name for row in owner.items.values()}
    inside = _links_between(owner, set(rows))
    ranks = list(project.designs[design].ranks)
    copied: list[str] = []
    for n in range(1, times + 1):
        by = (step[0] * n, step[1] * n)
        fresh: dict[str, str] = {}
        for old in (*rows, *inside, *drawn):
            fresh[old] = fresh_id(old, taken)
            taken.add(fresh[old])
        for old in rows:
            builder.set(at(design, sheet, "items", fresh[old]), _copy_item(owner.items[old], fresh, free, names))
            copied.append(fresh[old])
            if old in ranks:
                ranks.append(fresh[old])
        for old in inside:
            builder.set(at(design, sheet, "links", fresh[old]), renamed_link(owner.links[old], fresh))
        for old in drawn:
            _copy_drawn(builder, design, sheet, old, fresh, by)
        for old, new in fresh.items():
            look = owner.look.get(old)
            if look is not None:
                builder.set(at(design, sheet, "look", new), _shifted(look, by))
    builder.set(("designs", design, "ranks"), tuple(ranks))
    join_exports(builder, design, sheet, copied)
    drop_unseen(builder, design, [sheet])
    return builder.patch("Duplicate" if label else "Repeat")


def _free_slots(owner: Sheet, wanted: Iterable[str]) -> list[str]:
    used = {row.seat for row in owner.items.values() if row.seat}
    free = [slot for slot in wanted if slot not in used]
    for slot in free:
        host = split_end(slot)[0]
        if host != "chassis" and host not in owner.items:
            raise UserError(msg("Slot '{slot}' does not exist.", slot=slot))
    return free


def _links_between(owner: Sheet, rows: set[str]) -> list[str]:
    """Links whose two ends are both copied (a link to elsewhere is not doubled: its ports are taken)."""
    out = []
    for link_id, link in owner.links.items():
        ends = {split_end(end)[0].partition("/")[0] for end in (link.a, link.b)}
        if ends <= rows:
            out.append(link_id)
    return out


def _copy_item(row: Item, fresh: dict[str, str], free: list[str], names: set[str]) -> Item:
    seat = None
    if row.seat:
        host, slot = split_end(row.seat)
        if host in fresh:
            seat = f"{fresh[host]}:{slot}"
        elif free:
            seat = free.pop(0)
    name = next_name(row.name, names)
    names.add(name)
    return dataclasses.replace(row, seat=seat, forced=row.forced and seat is not None, name=name)


def renamed_link(row: Link, fresh: Mapping[str, str]) -> Link:
    """A link between items under other ids; single cables that run elsewhere follow."""
    moved = {
        key: dataclasses.replace(
            place,
            a=None if place.a is None else _renamed_end(place.a, fresh),
            b=None if place.b is None else _renamed_end(place.b, fresh),
        )
        for key, place in row.wire.moved.items()
    }
    wire = dataclasses.replace(row.wire, moved=Table(moved))
    return dataclasses.replace(row, a=_renamed_end(row.a, fresh), b=_renamed_end(row.b, fresh), wire=wire)


_HEAD = re.compile(r"^[a-z][a-z0-9-]*")


def _renamed_end(end: str, fresh: Mapping[str, str]) -> str:
    """An end or address with its first item under the new name."""
    found = _HEAD.match(end)
    return fresh.get(found[0], found[0]) + end[found.end() :] if found else end


def _copy_drawn(
    builder: PatchBuilder, design: str, sheet: str, old: str, fresh: dict[str, str], by: tuple[float, float]
) -> None:
    owner = sheet_of(builder.before, design, sheet)
    for table in ("notes", "pictures", "frames"):
        row = getattr(owner, table).get(old)
        if row is None:
            continue
        xy = (row.xy[0] + by[0], row.xy[1] + by[1]) if len(row.xy) == 2 else row.xy
        if isinstance(row, Frame):
            members = tuple(fresh[m] for m in row.members if m in fresh)
            if not members and (row.group or not row.xy):
                continue
            builder.set(at(design, sheet, table, fresh[old]), dataclasses.replace(row, xy=xy, members=members))
        else:
            builder.set(at(design, sheet, table, fresh[old]), dataclasses.replace(row, xy=xy))


def _shifted(look: Look, by: tuple[float, float]) -> Look:
    xy = (look.xy[0] + by[0], look.xy[1] + by[1]) if len(look.xy) == 2 else look.xy
    bends = tuple((p[0] + by[0], p[1] + by[1]) if len(p) == 2 else p for p in look.bends)
    return dataclasses.replace(look, xy=xy, bends=bends, locked=False)


def next_name(name: str, taken: set[str]) -> str:
    """A name not taken yet: ``spine-1`` counts on to ``spine-2``, ``leaf-{su1}`` becomes ``leaf-{su1}-2``; "" stays."""
    if not name:
        return ""
    found = _COUNTED.search(name)
    # A number inside braces belongs to the template, not to the name.
    if found is not None and "}" not in found[2] and len(found[1]) <= 9:
        width, n, head, tail = len(found[1]), int(found[1]), name[: found.start()], found[2]
        while (candidate := f"{head}{n:0{width}d}{tail}") in taken:
            n += 1
        return candidate
    n = 2
    while (candidate := f"{name}-{n}") in taken:
        n += 1
    return candidate
