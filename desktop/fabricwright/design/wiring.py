"""Wiring: the two ends of a link row joined on axes, then dealt, meshed or taken from explicit rows (document
model, 4).

A function of the link row, its two items and their exports only, so another link never renumbers anything. All
vectorised: no object per endpoint. Here and not in ``topology`` because edits need it, too: a member that leaves its
group keeps the very ports it was cabled to.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.address import expand_ports, parse_address, split_end
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Axes, Design, Link, Moved, Project, Wire
from fabricwright.units.errors import UserError
from fabricwright.units.record import record

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
MAX_ROWS = 16_000_000  # a bundle beyond this is a slip of the pen; it is left empty and rules report the missing links
SMALL = 64
"""Rows up to which equal link rows share their arrays, read only: a drawing without groups has thousands of them."""


@record
class End:
    """One end of a link: ``count`` instances of ``item`` over ``axes``, each with ``ports`` over ``port_axes``.

    ``absent`` bool(count). ``port_axes`` is () for a plain port list; joining on ``port`` then means the place
    in the list,
    unless the item has an axis of that name.
    """

    item: str
    count: int
    axes: Axes
    ports: tuple[str, ...]
    port_axes: Axes
    absent: NDArray[np.bool_]

    def joinable(self) -> tuple[Axes, Axes]:
        """(axes of the item, axes of the ports) that ``on`` may name; the item's win."""
        own = {name for name, _ in self.axes}
        ports = self.port_axes or ((("port", len(self.ports)),) if self.ports else ())
        return self.axes, tuple((name, size) for name, size in ports if name not in own)


def end_of(project: Project, design: Design, eff: EffSheet, end: str) -> End:
    """Resolve an end text of a fabric sheet: "leaf:1-32/1-2", "node:compute" (an export), "node/nic0:1-2".

    An unknown item gives an end without instances; a port text that is neither an export nor a range, one port
    of that name.
    """
    item_id, ports = split_end(end)
    item_id, _, inner = item_id.partition("/")
    item = eff.items.get(item_id)
    if item is None:
        return End(item_id, 0, (), (), (), np.zeros(0, dtype=bool))
    names, port_axes = _ports(project, design, item, inner, ports)
    count = product(item.axes)
    return End(item_id, count, item.axes, names, port_axes, absent_members(design, eff, item_id, count))


def product(axes: Axes) -> int:
    """Members of a group."""
    n = 1
    for _, size in axes:
        n *= size
    return n


def _ports(project: Project, design: Design, item: EffItem, inner: str, ports: str) -> tuple[tuple[str, ...], Axes]:
    if inner:
        return tuple(f"{inner}:{p}" for p in _names(ports)), ()
    if item.of.startswith("sheet:"):
        export = effective(project, design, item.of[6:]).exports.get(ports)
        if export is not None:
            return export.ports, export.axes if product(export.axes) == len(export.ports) else ()
    elif item.part is not None and item.part.interior is not None and ports in item.part.interior.exports:
        built = item.part.interior.exports[ports]
        return built.ports, built.axes if product(built.axes) == len(built.ports) else ()
    return _names(ports) if ports else (), ()


@lru_cache(maxsize=4096)
def _names(ports: str) -> tuple[str, ...]:
    return tuple(expand_ports(ports))


def absent_members(design: Design, eff: EffSheet, item_id: str, count: int) -> NDArray[np.bool_]:
    """Members of an item that its ``except`` rows make absent, bool(count); read only where there are none."""
    sheet = design.sheets.get(eff.id)
    row = sheet.items.get(item_id) if sheet is not None else None
    if row is None or not row.except_:
        return nobody(count) if count <= SMALL else np.zeros(count, dtype=bool)
    absent = np.zeros(count, dtype=bool)
    for key, override in row.except_.items():
        if override.absent:
            for lo, hi in member_set(key, row.axes).ranges:
                absent[lo : hi + 1] = True
    return absent


@lru_cache(maxsize=SMALL + 1)
def nobody(count: int) -> NDArray[np.bool_]:
    """No absent members among a few: one array for all who ask."""
    absent = np.zeros(count, dtype=bool)
    absent.flags.writeable = False
    return absent


def member_set(text: str, axes: Axes = ()) -> IndexSet:
    """An index set of the document; nothing when it cannot be read (a check reports it)."""
    try:
        return IndexSet.parse(text, axes)
    except UserError:
        return IndexSet()


@record
class Wired:
    """The physical links of one row. ``rows`` (n, 4) int32: a member, a port, b member, b port; ports index ``a_ports``
    and ``b_ports``; -1 = none left. ``alive`` bool(n): both members are there and the cable is not cut.
    """

    a_ports: tuple[str, ...]
    b_ports: tuple[str, ...]
    rows: I32
    alive: NDArray[np.bool_]


def rule_rows(row: Wire, a: End, b: End) -> I32:
    """What the wiring rule alone says, (n, 4) int32: nothing moved, absent members wired too."""
    if row.mode == "mesh":
        return _mesh(row, a, b)
    return _listed(row, a, b) if row.mode == "rows" else _deal(row, a, b)


def wire_rows(link: Link, a: End, b: End) -> Wired:
    """All physical links of a row.

    Rows whose side has no candidate keep member -1; rows beyond the last port keep port -1. ``moved`` may name ports
    outside the range: they are appended to the port lists. A row moved to another item counts as cut (a bundle joins
    two items).
    """
    row = link.wire
    if not row.moved and row.mode != "rows" and _few(row, a, b):
        return Wired(a.ports, b.ports, *_small(row.mode, row.on, row.per_pair, _shape(a), _shape(b)))
    rows = rule_rows(link.wire, a, b)
    alive = _present(rows[:, 0], rows[:, 1], a) & _present(rows[:, 2], rows[:, 3], b)
    ports = (list(a.ports), list(b.ports))
    for key, moved in link.wire.moved.items():
        if key.isdigit() and int(key) < len(rows):
            alive[int(key)] = _move(rows[int(key)], moved, (a, b), ports)
    return Wired(tuple(ports[0]), tuple(ports[1]), rows, alive)


_Shape = tuple[int, Axes, int, Axes]
"""What of an end decides the rows: members, their axes, number of ports, their axes."""


def _shape(end: End) -> _Shape:
    return end.count, end.axes, len(end.ports), end.port_axes


def _few(row: Wire, a: End, b: End) -> bool:
    """Whether a rule gives few rows between members that are all there."""
    if a.count > SMALL or b.count > SMALL or a.absent is not nobody(a.count) or b.absent is not nobody(b.count):
        return False
    most = a.count * len(a.ports)
    if row.mode == "mesh":
        most = a.count * b.count * max(row.per_pair, len(a.ports), len(b.ports))
    return most <= SMALL


@lru_cache(maxsize=4096)
def _small(mode: str, on: tuple[str, ...], per_pair: int, a: _Shape, b: _Shape) -> tuple[I32, NDArray[np.bool_]]:
    """(rows, alive) of a rule between ends of such shapes; read only."""
    left, right = (End("", n, axes, ("",) * ports, names, nobody(n)) for n, axes, ports, names in (a, b))
    rows = rule_rows(Wire(mode, on, per_pair), left, right)
    alive = _present(rows[:, 0], rows[:, 1], left) & _present(rows[:, 2], rows[:, 3], right)
    rows.flags.writeable = alive.flags.writeable = False
    return rows, alive


def _listed(row: Wire, a: End, b: End) -> I32:
    """Explicit rows; members and ports that are not there become -1, as everywhere else."""
    limits = (a.count, len(a.ports), b.count, len(b.ports))
    listed = [[v if 0 <= v < limit else -1 for v, limit in zip(entry, limits, strict=True)] for entry in row.rows]
    return np.array(listed, dtype=np.int32).reshape(-1, 4)


def _present(instance: I32, port: I32, end: End) -> NDArray[np.bool_]:
    ok: NDArray[np.bool_] = (instance >= 0) & (instance < end.count) & (port >= 0) & (port < len(end.ports))
    if end.absent.any():
        ok &= ~end.absent[np.where(ok, instance, 0)]
    return ok


def _move(row: I32, moved: Moved, ends: tuple[End, End], ports: tuple[list[str], list[str]]) -> bool:
    """Overlay one row in place; whether it is alive afterwards."""
    alive = not moved.cut
    for text, end, names, column in ((moved.a, ends[0], ports[0], 0), (moved.b, ends[1], ports[1], 2)):
        if text is not None:
            place = place_of(text, end.axes)
            if place is None or place[0] != end.item or place[1] >= end.count:
                return False
            if place[2] not in names:
                names.append(place[2])
            row[column], row[column + 1] = place[1], names.index(place[2])
        member = int(row[column])
        alive = alive and 0 <= member < end.count and int(row[column + 1]) >= 0 and not bool(end.absent[member])
    return alive


def place_of(text: str, axes: Axes) -> tuple[str, int, str] | None:
    """(item, member, port) of "leaf[1]:21/2" or "node[3]/nic0:1"; None when it is not one port of one member."""
    try:
        address = parse_address(text)
    except UserError:
        return None
    step = address.steps[0]
    members = member_set(step.raw, axes) if step.raw else step.members
    if not address.port or (members is not None and len(members) != 1):
        return None
    index = 0 if members is None else next(iter(members))
    inner = "/".join(s.item for s in address.steps[1:])
    return step.item, index, f"{inner}:{address.port}" if inner else address.port


# -- joining -----------------------------------------------------------------------------------------------------------


@record
class _Join:
    """Join classes as mixed-radix numbers: axis -> (stride, size). ``space`` = number of classes."""

    radix: dict[str, tuple[int, int]]
    space: int

    def key(self, axes: Axes, count: int) -> I64:
        """Part of the class number that ``axes`` decide, for each of ``count`` row-major members."""
        out = np.zeros(count, dtype=np.int64)
        index = np.arange(count, dtype=np.int64)
        for name, size in reversed(axes):
            if name in self.radix:
                out += (index % size) * self.radix[name][0]
            index //= size
        return out

    def part(self, classes: I64, axes: Axes) -> I64:
        """Reduce class numbers to the digits of ``axes``."""
        out = np.zeros(len(classes), dtype=np.int64)
        for name, _ in axes:
            if name in self.radix:
                stride, size = self.radix[name]
                out += (classes // stride % size) * stride
        return out


def _join(on: Iterable[str], a: End, b: End) -> _Join:
    """Axes that both ends have; one that an end lacks does not restrict."""
    left = dict([*a.joinable()[1], *a.joinable()[0]])
    right = dict([*b.joinable()[1], *b.joinable()[0]])
    radix: dict[str, tuple[int, int]] = {}
    stride = 1
    for name in dict.fromkeys(on):
        if name in left and name in right:
            size = max(left[name], right[name])
            radix[name] = (stride, size)
            stride *= size
    return _Join(radix, stride)


@record
class _Groups:
    """Members sorted by key: those of key k are ``order[first[k] : first[k] + size[k]]``."""

    order: I64
    first: I64
    size: I64


def _grouped(keys: I64, space: int) -> _Groups:
    size = np.bincount(keys, minlength=space).astype(np.int64)
    return _Groups(np.argsort(keys, kind="stable"), np.concatenate(([0], np.cumsum(size)[:-1])), size)


def _deal(row: Wire, a: End, b: End) -> I32:
    join = _join(row.on, a, b)
    own, ports = a.joinable()
    n_ports = len(a.ports)
    if max(join.space, a.count * n_ports) > MAX_ROWS:
        return np.zeros((0, 4), dtype=np.int32)
    rows = np.full((a.count * n_ports, 4), -1, dtype=np.int32)
    if not len(rows):
        return rows
    rows[:, 0] = np.repeat(np.arange(a.count, dtype=np.int32), n_ports)
    rows[:, 1] = np.tile(np.arange(n_ports, dtype=np.int32), a.count)
    classes = (join.key(own, a.count)[:, None] + join.key(ports, n_ports)[None, :]).ravel()
    turn = _grouped(classes, join.space)
    rank = np.empty(len(classes), dtype=np.int64)
    rank[turn.order] = np.arange(len(classes)) - np.repeat(turn.first, turn.size)
    b_own, b_ports = b.joinable()
    devices = _grouped(join.key(b_own, b.count), join.space)
    places = _grouped(join.key(b_ports, len(b.ports)), join.space)
    device_key, port_key = join.part(classes, b_own), join.part(classes, b_ports)
    k = devices.size[device_key]
    some = k > 0
    k = np.maximum(k, 1)
    rows[some, 2] = devices.order[(devices.first[device_key] + rank % k)[some]]
    fits = some & (rank // k < places.size[port_key])
    rows[fits, 3] = places.order[(places.first[port_key] + rank // k)[fits]]
    return rows


def _mesh(row: Wire, a: End, b: End) -> I32:
    join = _join(row.on, a, b)
    if join.space > MAX_ROWS:
        return np.zeros((0, 4), dtype=np.int32)
    sides = []
    for end in (a, b):
        own, ports = end.joinable()
        sides.append((own, _grouped(join.key(own, end.count), join.space)))
        sides.append((ports, _grouped(join.key(ports, len(end.ports)), join.space)))
    every = np.arange(join.space, dtype=np.int64)
    keys = [join.part(every, axes) for axes, _ in sides]
    n_a, n_a_ports, n_b, n_b_ports = (groups.size[k] for k, (_, groups) in zip(keys, sides, strict=True))
    if row.per_pair:
        per_pair = np.full(join.space, min(row.per_pair, MAX_ROWS + 1), dtype=np.int64)
    else:
        fair = np.minimum(n_a_ports // np.maximum(n_b, 1), n_b_ports // np.maximum(n_a, 1))
        per_pair = np.maximum(fair, 1)
    if float((n_a.astype(np.float64) * n_b * per_pair).sum()) > MAX_ROWS:
        return np.zeros((0, 4), dtype=np.int32)
    # Classes of equal size at once: nearly always that is all of them.
    shapes, shape_of = np.unique(np.stack((n_a, n_b, per_pair)), axis=1, return_inverse=True)
    parts, classes = [np.zeros((0, 4), dtype=np.int32)], [np.zeros(0, dtype=np.int64)]
    for n, (count_a, count_b, cables) in enumerate(shapes.T.tolist()):
        same = np.flatnonzero(shape_of.ravel() == n)
        c, i, j, r = (x.ravel() for x in np.indices((len(same), count_a, count_b, cables)))
        places = (i, j * cables + r, j, i * cables + r)
        parts.append(_mesh_rows(same[c], keys, [groups for _, groups in sides], places))
        classes.append(same[c])
    rows = np.concatenate(parts)
    return rows[np.lexsort((np.concatenate(classes), rows[:, 0]))]


def _mesh_rows(classes: I64, keys: list[I64], sides: list[_Groups], places: tuple[I64, ...]) -> I32:
    """Rows whose column m is member ``places[m]`` of side m of their class; -1 beyond the last port. a-ports run over
    (b, repetition), b-ports over (a, repetition).
    """
    rows = np.full((len(classes), 4), -1, dtype=np.int32)
    for column, (key, groups, at) in enumerate(zip(keys, sides, places, strict=True)):
        own = key[classes]
        fits = at < groups.size[own]
        rows[fits, column] = groups.order[groups.first[own[fits]] + at[fits]]
    return rows
