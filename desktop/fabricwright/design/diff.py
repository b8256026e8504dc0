"""The difference of two documents as a Patch, and of two drawings row by row.

``apply(a, diff(a, b)) == b``. Two designs, of one project or of two, are compared on their sheets: the root sheets with
each other, server sheets as the groups on them say, and the rows by id on what is effectively there (``effective``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.patch import ABSENT, Change, Patch, Path
from fabricwright.design.values import Design, Link, Project, Sheet
from fabricwright.units.natural import natural_key
from fabricwright.units.table import Table

INNER = (Project, Design, Sheet)
"""Values that are gone into; everything else is one row."""

REMOVED, ADDED, REPLACED, CHANGED = "removed", "added", "replaced", "changed"


def diff(a: Project, b: Project) -> Patch:
    """What turns ``a`` into ``b``: one change per row or field, in natural order."""
    return Patch("Compare", tuple(_changes((), a, b)))


def _changes(path: Path, a: object, b: object) -> Iterator[Change]:
    if a is b:
        return
    if isinstance(a, Table) and isinstance(b, Table):
        for key in sorted({*a, *b}, key=natural_key):
            yield from _one((*path, key), a.get(key, ABSENT), b.get(key, ABSENT))
    elif isinstance(a, INNER) and type(a) is type(b):
        for field in dataclasses.fields(a):
            yield from _one((*path, field.name), getattr(a, field.name), getattr(b, field.name))


def _one(path: Path, a: object, b: object) -> Iterator[Change]:
    if a is b:
        return
    if (isinstance(a, INNER) and type(a) is type(b)) or (isinstance(a, Table) and isinstance(b, Table)):
        yield from _changes(path, a, b)
    elif a != b or type(a) is not type(b):
        yield Change(path, a, b)


# -- two drawings -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a row on both sides, as short text ("" = not there)."""

    name: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row that differs. ``table`` items or links; ``sheet_a``/``sheet_b`` ids of the sheets it is on ("" = the
    side has no such sheet); ``part_a``/``part_b`` what it is on either side. ``kind``: removed (only in A), added (only
    in B), replaced (another part in its place), changed. ``inside``: only what its sheet holds differs.
    """

    sheet_a: str
    sheet_b: str
    table: str
    id: str
    kind: str
    part_a: str = ""
    part_b: str = ""
    fields: tuple[FieldChange, ...] = ()
    inside: bool = False

    def to_json(self) -> dict[str, object]:
        """Plain values."""
        return {
            "sheet_a": self.sheet_a or None,
            "sheet_b": self.sheet_b or None,
            "table": self.table,
            "id": self.id,
            "kind": self.kind,
            "part_a": self.part_a or None,
            "part_b": self.part_b or None,
            "fields": [{"name": f.name, "a": f.a, "b": f.b} for f in self.fields],
            "inside": self.inside,
        }


def drawing_changes(a: Project, design_a: str, b: Project, design_b: str) -> tuple[RowChange, ...]:
    """Rows that differ between two designs, the root sheet's first. Where things stand and how they are laid out is
    left out.
    """
    one, two = a.designs[design_a], b.designs[design_b]
    pairs = sheet_pairs(one, two)
    inner: dict[tuple[str, str], list[RowChange]] = {}
    for pair in pairs[1:]:
        inner[pair] = list(_sheet_changes(a, one, b, two, *pair, {}))
    changed = {pair for pair, rows in inner.items() if rows}
    root = list(_sheet_changes(a, one, b, two, *pairs[0], dict(changed)))
    return (*root, *(row for pair in pairs[1:] for row in inner[pair]))


def sheet_pairs(a: Design, b: Design) -> list[tuple[str, str]]:
    """Sheets that are each other's counterparts, roots first; "" where a side has none. A sheet that a group stands for
    on one side goes with the one that the group of the same id stands for on the other, then equal ids go together.
    """
    pairs = [(a.root, b.root)]
    left = [s for s in a.sheets.ordered() if s != a.root]
    right = [s for s in b.sheets.ordered() if s != b.root]
    rows_a = a.sheets[a.root].items if a.root in a.sheets else Table()
    rows_b = b.sheets[b.root].items if b.root in b.sheets else Table()
    for item in rows_a.ordered():
        x, y = _sheet_of(rows_a[item].of), _sheet_of(rows_b[item].of) if item in rows_b else ""
        if x in left and y in right:
            pairs.append((x, y))
            left.remove(x)
            right.remove(y)
    for name in list(left):
        if name in right:
            pairs.append((name, name))
            left.remove(name)
            right.remove(name)
    return [*pairs, *((name, "") for name in left), *(("", name) for name in right)]


def _sheet_of(of: str | None) -> str:
    return of[6:] if of and of.startswith("sheet:") else ""


def _sheet_changes(
    a: Project, one: Design, b: Project, two: Design, sheet_a: str, sheet_b: str, changed: Mapping[str, str]
) -> Iterator[RowChange]:
    eff_a = effective(a, one, sheet_a) if sheet_a else None
    eff_b = effective(b, two, sheet_b) if sheet_b else None
    yield from _items(one, two, sheet_a, sheet_b, eff_a, eff_b, changed)
    yield from _links(sheet_a, sheet_b, eff_a, eff_b)


def _items(
    one: Design,
    two: Design,
    sheet_a: str,
    sheet_b: str,
    eff_a: EffSheet | None,
    eff_b: EffSheet | None,
    changed: Mapping[str, str],
) -> Iterator[RowChange]:
    alone = eff_a is None or eff_b is None
    items_a, items_b = _own(eff_a, alone), _own(eff_b, alone)
    for item in sorted({*items_a, *items_b}, key=natural_key):
        x, y = items_a.get(item), items_b.get(item)
        if x is None or y is None:
            there = x or y
            assert there is not None
            kind = ADDED if x is None else REMOVED
            yield RowChange(sheet_a, sheet_b, "items", item, kind, x.of if x else "", y.of if y else "")
            continue
        groups = x.of.startswith("sheet:") and y.of.startswith("sheet:")
        fields = list(_item_fields(x, y))
        rows = (one.sheets[sheet_a].items.get(item), two.sheets[sheet_b].items.get(item))
        texts = [
            {k: f"{v.sheet or ''}{' absent' if v.absent else ''}" for k, v in r.except_.items()} if r else {}
            for r in rows
        ]
        fields += _table_fields("except", texts[0], texts[1])
        inside = groups and changed.get(x.of[6:]) == y.of[6:]
        if x.of != y.of and not groups:
            yield RowChange(sheet_a, sheet_b, "items", item, REPLACED, x.of, y.of, tuple(fields))
        elif fields or inside:
            yield RowChange(sheet_a, sheet_b, "items", item, CHANGED, x.of, y.of, tuple(fields), not fields)


def _own(eff: EffSheet | None, alone: bool) -> dict[str, EffItem]:
    """Items of a sheet and its chassis under the id ``chassis``; what is inside other items goes with them, and what is
    built into the chassis of a sheet without a counterpart (``alone``) with the chassis.
    """
    if eff is None:
        return {}
    out = {i: item for i, item in eff.items.items() if "/" not in i and not (alone and item.locked)}
    if eff.chassis:
        config = Table({str(k): v for k, v in eff.chassis_config.items()})
        out["chassis"] = EffItem("chassis", eff.chassis, eff.chassis_part, config=config)
    return out


def _item_fields(x: EffItem, y: EffItem) -> Iterator[FieldChange]:
    groups = x.of.startswith("sheet:") and y.of.startswith("sheet:")
    for name, p, q in (
        ("of", "" if groups else x.of, "" if groups else y.of),
        ("axes", _axes(x.axes), _axes(y.axes)),
        ("seat", x.seat, y.seat),
        ("forced", _word(x.forced), _word(y.forced)),
        ("name", x.name, y.name),
    ):
        if p != q:
            yield FieldChange(name, p, q)
    yield from _table_fields("config", x.config, y.config)


def _links(sheet_a: str, sheet_b: str, eff_a: EffSheet | None, eff_b: EffSheet | None) -> Iterator[RowChange]:
    links_a = eff_a.links if eff_a is not None else {}
    links_b = eff_b.links if eff_b is not None else {}
    for link in sorted({*links_a, *links_b}, key=natural_key):
        x, y = links_a.get(link), links_b.get(link)
        if x is None or y is None:
            kind = ADDED if x is None else REMOVED
            yield RowChange(sheet_a, sheet_b, "links", link, kind, x.cable if x else "", y.cable if y else "")
        elif x is not y and x != y:
            fields = tuple(_link_fields(x, y))
            if fields:
                yield RowChange(sheet_a, sheet_b, "links", link, CHANGED, x.cable, y.cable, fields)


def _link_fields(x: Link, y: Link) -> Iterator[FieldChange]:
    for name in ("a", "b", "medium", "network", "cable", "name"):
        if getattr(x, name) != getattr(y, name):
            yield FieldChange(name, getattr(x, name), getattr(y, name))
    for name in ("speed", "length_m", "optics"):
        p, q = _word(getattr(x, name)), _word(getattr(y, name))
        if p != q:
            yield FieldChange(name, p, q)
    for name in ("mode", "on", "per_pair"):
        p, q = _word(getattr(x.wire, name)), _word(getattr(y.wire, name))
        if p != q:
            yield FieldChange(f"wire.{name}", p, q)
    if x.wire.rows != y.wire.rows:
        yield FieldChange("wire.rows", str(len(x.wire.rows)), str(len(y.wire.rows)))
    if x.wire.moved != y.wire.moved:
        moved = {*x.wire.moved, *y.wire.moved}
        count = sum(x.wire.moved.get(row) != y.wire.moved.get(row) for row in moved)
        yield FieldChange("wire.moved", "", str(count))
    yield from _table_fields("config", x.config, y.config)


def _table_fields(name: str, x: Mapping[str, object], y: Mapping[str, object]) -> Iterator[FieldChange]:
    for key in sorted({*x, *y}, key=natural_key):
        p, q = _word(x.get(key)), _word(y.get(key))
        if p != q:
            yield FieldChange(f"{name}.{key}", p, q)


def _axes(axes: tuple[tuple[str, int], ...]) -> str:
    return " x ".join(f"{name} {size}" for name, size in axes)


def _word(value: object) -> str:
    """A value as short text; "" for what is not there."""
    if value is None or value is False or value == ():
        return ""
    if isinstance(value, Table):
        return ", ".join(f"{key}: {value[key]}" for key in value.ordered())
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return ", ".join("" if v is None else str(v) for v in value)
    return str(value)
