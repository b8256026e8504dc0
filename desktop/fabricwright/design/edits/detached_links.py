"""Cables of members that leave a group: listed rows between the very ports that the rule gave them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from fabricwright.design.address import split_end
from fabricwright.design.edits.member_moves import Target, moved_text
from fabricwright.design.edits.places import at, design_of, fresh_id, referring_ids, sheet_of
from fabricwright.design.effective import effective
from fabricwright.design.patch import PatchBuilder
from fabricwright.design.values import Axes, Link, Moved, Wire
from fabricwright.units.table import Table

Row = tuple[int, int, int, int]


def move_cables(
    builder: PatchBuilder,
    design: str,
    sheet: str,
    item: str,
    axes: Axes,
    targets: Mapping[int, tuple[str, int | None]],
) -> dict[str, list[str]]:
    """Give the cables of members to their new items; old link id -> the new ones.

    In the old bundle nothing is renumbered: rows of absent members are wired and dropped. Variants of the sheet have
    links of their own to the group, which are treated alike.
    """
    out: dict[str, list[str]] = {}
    for here, owner in design_of(builder.before, design).sheets.items():
        if here != sheet and owner.base != sheet:
            continue
        for link_id, link in owner.links.items():
            if item in (split_end(end)[0].partition("/")[0] for end in (link.a, link.b)):
                fresh = _move_link(builder, design, here, link_id, item, axes, targets)
                if here == sheet and fresh:
                    out[link_id] = fresh
    return out


def _move_link(
    builder: PatchBuilder,
    design: str,
    sheet: str,
    link_id: str,
    item: str,
    axes: Axes,
    targets: Mapping[int, tuple[str, int | None]],
) -> list[str]:
    from fabricwright.design.wiring import end_of, place_of, rule_rows

    owner = design_of(builder.before, design)
    link = owner.sheets[sheet].links[link_id]
    eff = effective(builder.before, owner, sheet)
    ends = [end_of(builder.before, owner, eff, end) for end in (link.a, link.b)]
    mine = [end.item == item for end in ends]
    rows = rule_rows(link.wire, *ends)
    moved = link.wire.moved
    # Rows that end at a leaving member by the rule, and those that were plugged over to one.
    concerned = {int(n) for n in _at_members(rows, mine, targets)} | {
        int(key) for key in moved if key.isdigit() and int(key) < len(rows)
    }
    bundles: dict[tuple[str, str], list[tuple[Row, Moved | None]]] = {}
    left: dict[str, Moved] = dict(moved)
    for n in sorted(concerned):
        row: list[int] = [int(v) for v in rows[n]]
        place = moved.get(str(n))
        sides = ["", ""]
        for side, text in enumerate((place.a, place.b) if place is not None else (None, None)):
            there = place_of(text, ends[side].axes) if text is not None else None
            if there is not None and there[0] == ends[side].item and there[1] < ends[side].count:
                row[2 * side] = there[1]
        for side in (0, 1):
            target = targets.get(row[2 * side]) if mine[side] else None
            if target is not None:
                sides[side], row[2 * side] = target[0], target[1] or 0
        if not any(sides) or min(row[0], row[2]) < 0:
            continue
        left.pop(str(n), None)
        if place is not None and not _ruled(rows[n], mine, targets):
            left[str(n)] = place  # stays dead: it runs to a member that is absent now
        named = (row[0], row[1], row[2], row[3])
        bundles.setdefault((sides[0], sides[1]), []).append((named, place))
    fresh = [
        _store(builder, design, sheet, link_id, link, item, axes, targets, sides, found)
        for sides, found in sorted(bundles.items())
    ]
    if Table(left) != moved:
        wire = dataclasses.replace(link.wire, moved=Table(left))
        builder.set(at(design, sheet, "links", link_id), dataclasses.replace(link, wire=wire))
    return fresh


def _at_members(rows: object, mine: list[bool], targets: Mapping[int, object]) -> list[int]:
    """Numbers of the rows that end at one of the members."""
    import numpy as np
    from numpy.typing import NDArray

    wired: NDArray[np.int32] = np.asarray(rows)
    chosen = np.fromiter(targets, dtype=np.int64, count=len(targets))
    hit = np.zeros(len(wired), dtype=bool)
    for side in (0, 1):
        if mine[side]:
            hit |= np.isin(wired[:, 2 * side], chosen)
    found: list[int] = np.flatnonzero(hit).tolist()
    return found


def _ruled(row: object, mine: list[bool], targets: Mapping[int, object]) -> bool:
    """Whether the rule itself ends this row at a leaving member, so that the old bundle drops it."""
    ends = [int(v) for v in row]  # type: ignore[attr-defined]
    return any(mine[side] and ends[2 * side] in targets for side in (0, 1))


def _store(
    builder: PatchBuilder,
    design: str,
    sheet: str,
    link_id: str,
    link: Link,
    item: str,
    axes: Axes,
    targets: Mapping[int, tuple[str, int | None]],
    sides: tuple[str, str],
    found: list[tuple[Row, Moved | None]],
) -> str:
    """One new link with listed rows; a cable plugged elsewhere stays plugged there."""
    from fabricwright.design.wiring import end_of

    texts = [f"{new}{end[len(item) :]}" if new else end for new, end in zip(sides, (link.a, link.b), strict=True)]
    ports = []
    for project, pair in ((builder.before, (link.a, link.b)), (builder.project, texts)):
        owner = design_of(project, design)
        eff = effective(project, owner, sheet)
        ports.append([end_of(project, owner, eff, end).ports for end in pair])

    def moves(n: int) -> Target:
        return targets.get(n, (item, n))

    rows: list[Row] = []
    moved: dict[str, Moved] = {}
    for row, place in found:
        if place is not None:
            a, b = (None if t is None else moved_text(t, item, axes, moves) for t in (place.a, place.b))
            moved[str(len(rows))] = dataclasses.replace(place, a=a, b=b)
        here = [_same_port(row[2 * side + 1], ports[0][side], ports[1][side]) for side in (0, 1)]
        rows.append((row[0], here[0], row[2], here[1]))
    taken = referring_ids(builder.project, design, sheet) | set(sheet_of(builder.project, design, sheet).links)
    new_id = fresh_id(f"{link_id}-{'-'.join(s for s in sides if s)}", taken, numbered=False)
    wire = Wire("rows", rows=tuple(rows), moved=Table(moved))
    builder.set(at(design, sheet, "links", new_id), dataclasses.replace(link, a=texts[0], b=texts[1], wire=wire))
    return new_id


def _same_port(port: int, old: tuple[str, ...], new: tuple[str, ...]) -> int:
    """Place of a port in the new end's list, by name: a variant may show its ports in another order, or fewer."""
    if old == new or not 0 <= port < len(old):
        return port
    return new.index(old[port]) if old[port] in new else -1
