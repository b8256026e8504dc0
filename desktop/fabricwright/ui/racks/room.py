"""Where racks are drawn: rows of the room below each other, racks side by side, equal neighbours folded into one.

Scene units are pixels at 100 %. Racks of a row stand on one floor line, whatever their height.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF

from fabricwright.exchange.elevation import Device, Elevation, Rack

UNIT = 13.0
"""Height of one rack unit."""
RACK_W = 178.0
GUTTER = 24.0
"""Left of a rack: the numbers of its units."""
BETWEEN = 26.0
HEAD = 42.0
FOOT_LINE = 33.0
"""Height of one budget under a rack."""
ROW_HEAD = 52.0
ROW_GAP = 34.0
MARGIN = 28.0
FLOW_W = 1_800.0
"""Folded rows are short: they stand beside each other up to this width."""
FOLD_ABOVE = 48
"""Racks from which on equal ones are folded unless somebody says otherwise."""


@dataclass(frozen=True, slots=True)
class Stand:
    """One rack as drawn: ``racks`` all it speaks for (itself alone when nothing is folded), ``frame`` its units."""

    rack: Rack
    racks: tuple[Rack, ...]
    frame: QRectF
    many: int = 1

    @property
    def box(self) -> QRectF:
        """With head, numbers and budgets."""
        return self.frame.adjusted(-GUTTER, -HEAD, 8, 10 + FOOT_LINE * len(self.rack.budgets))

    def unit_box(self, u: int, height: int) -> QRectF:
        """Where units ``u`` .. ``u + height - 1`` are."""
        top = self.frame.bottom() - (u - 1 + height) * UNIT
        return QRectF(self.frame.left(), top, self.frame.width(), height * UNIT)

    def unit_at(self, y: float) -> int:
        """Unit at a height (may lie outside the rack)."""
        return int((self.frame.bottom() - y) // UNIT) + 1


@dataclass(frozen=True, slots=True)
class RoomRow:
    """One row: ``rows`` numbers of the rows of the room it speaks for (from 0), what is drawn, from left to right."""

    rows: tuple[int, ...]
    top: float
    bottom: float
    stands: tuple[Stand, ...]
    lefts: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """All rows, and the size of the whole."""

    rows: tuple[RoomRow, ...] = ()
    size: QRectF = field(default_factory=QRectF)

    def visible(self, seen: QRectF) -> Iterator[Stand]:
        """Stands that a part of the scene shows."""
        for row in self.rows:
            if row.bottom >= seen.top() and row.top <= seen.bottom():
                first = max(0, bisect_right(row.lefts, seen.left()) - 1)
                for stand in row.stands[first:]:
                    if stand.box.left() > seen.right():
                        break
                    yield stand

    def stand_at(self, point: QPointF) -> Stand | None:
        """The rack under a point, its head and budgets included."""
        return next((s for s in self.visible(QRectF(point.x(), point.y(), 1, 1)) if s.box.contains(point)), None)

    def stand_of(self, racks: str, index: int) -> Stand | None:
        """Where a rack is drawn, alone or folded."""
        for row in self.rows:
            for stand in row.stands:
                if any((r.racks, r.index) == (racks, index) for r in stand.racks):
                    return stand
        return None

    def stands(self) -> list[Stand]:
        """All of them, row by row."""
        return [stand for row in self.rows for stand in row.stands]


def lay_out(elevation: Elevation, fold: bool, chosen: Rack | None = None) -> Room:
    """Place all racks. With ``fold`` equal neighbours of a row, and equal rows, are drawn once; of those ``chosen`` is
    the one that is shown.
    """
    y, left, below = MARGIN, MARGIN, 0.0
    rows: list[RoomRow] = []
    widest = 0.0
    for numbers, runs in _rows(elevation, fold):
        shown = [(_shown(run, chosen), run) for run in runs]
        wide = len(runs) * (RACK_W + BETWEEN + GUTTER)
        if rows and (not fold or left + wide > FLOW_W):
            y, left, below = below + ROW_GAP, MARGIN, 0.0
        floor = y + ROW_HEAD + HEAD + max((r.units for r, _ in shown), default=0) * UNIT
        x, stands, last = left + GUTTER, list[Stand](), -1
        for rack, run in shown:
            place = min(r.place for r in run)
            if stands and not fold and place > last + 1:
                x += (RACK_W + BETWEEN + GUTTER) * 0.5 * min(2, place - last - 1)  # a gap in the row
            frame = QRectF(x, floor - rack.units * UNIT, RACK_W, rack.units * UNIT)
            stands.append(Stand(rack, run, frame, len(run)))
            x += RACK_W + BETWEEN + GUTTER + (10 if len(run) > 1 else 0)
            last = max(r.place for r in run)
        bottom = floor + 10 + FOOT_LINE * max((len(r.budgets) for r, _ in shown), default=0)
        rows.append(RoomRow(numbers, y, bottom, tuple(stands), tuple(s.box.left() for s in stands)))
        widest, below, left = max(widest, x), max(below, bottom), x + 2 * BETWEEN
    return Room(tuple(rows), QRectF(0, 0, max(widest, 1.0), max(below + ROW_GAP, 1.0)))


def _shown(run: tuple[Rack, ...], chosen: Rack | None) -> Rack:
    if chosen is not None:
        for rack in run:
            if (rack.racks, rack.index) == (chosen.racks, chosen.index):
                return rack
    return run[0]


def _rows(elevation: Elevation, fold: bool) -> list[tuple[tuple[int, ...], list[tuple[Rack, ...]]]]:
    """(row numbers, runs of equal racks) of each row that is drawn."""
    if not fold:
        return [((number,), [(rack,) for rack in racks]) for number, racks in elevation.rows().items()]
    out: dict[tuple[object, ...], tuple[list[int], list[list[Rack]]]] = {}
    for number, racks in elevation.rows().items():
        runs: list[list[Rack]] = []
        for rack in racks:
            if runs and _alike(runs[-1][-1], rack):
                runs[-1].append(rack)
            else:
                runs.append([rack])
        key = tuple((run[0].racks, run[0].look, run[0].budgets, len(run)) for run in runs)
        if key in out:
            known = out[key]
            known[0].append(number)
            for mine, run in zip(known[1], runs, strict=True):
                mine.extend(run)
        else:
            out[key] = ([number], runs)
    return [(tuple(numbers), [tuple(run) for run in runs]) for numbers, runs in out.values()]


def _alike(a: Rack, b: Rack) -> bool:
    return (a.racks, a.look, a.budgets) == (b.racks, b.look, b.budgets)


def device_at(elevation: Elevation, stand: Stand, point: QPointF) -> Device | None:
    """What stands at a point of a rack; of things in the same units the one drawn last."""
    if not stand.frame.contains(point):
        return None
    u = stand.unit_at(point.y())
    return next((d for d in reversed(elevation.devices(stand.rack)) if d.u <= u <= d.top), None)


def neighbour(
    elevation: Elevation, stands: Sequence[Stand], at: int, device: Device | None, step: int
) -> Device | None:
    """The device of the next rack that has one, at the nearest height; ``step`` -1 left, 1 right."""
    n = at + step
    while 0 <= n < len(stands):
        found = elevation.devices(stands[n].rack)
        if found:
            u = device.u if device is not None else 1
            return min(found, key=lambda d: abs(d.u - u))
        n += step
    return None
