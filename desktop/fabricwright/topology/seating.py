"""Where each member stands, and how long the cables between members are.

Seating places instance i in rack ``first + stride * (i div per_rack)`` at unit ``u + (i mod per_rack) *
height``. A rack item stands at (row, position): its axis ``row`` counts rows, all other axes count positions along the
row, shifted by ``config.row0`` and ``config.rack0``; from the ``config.gap_at``-th rack of a row on, ``config.gap``
places are left free (for network racks in the middle of the row).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.design.rack_height import height_units
from fabricwright.design.values import Axes, Design, Project, RackPlace
from fabricwright.topology.model import F64, I32, Bundle
from fabricwright.topology.wiring import member_set, product
from fabricwright.units.record import record

I64 = NDArray[np.int64]

RACK_UNIT_M = 0.04445
ROW_PITCH_M = 1.2
SLACK_M = 1.0
DEFAULT_RACK_PITCH_M = 0.6
DEFAULT_RACK_UNITS = 48


@record
class Places:
    """Members of one item: ``rack`` member of the rack item ``racks`` (-1 = not seated or beyond the last rack), lowest
    unit ``u``, ``height_u``, and where it stands: ``row``, ``position``, ``drop_m`` from the overhead tray to
    its middle.
    """

    racks: str
    rack: I32
    u: I32
    height_u: int
    row: F64
    position: F64
    drop_m: F64
    pitch_m: float


def places_of(project: Project, design: Design, eff: EffSheet) -> dict[str, Places]:
    """Places of every seated item of a fabric sheet."""
    sheet = design.sheets.get(eff.id)
    out: dict[str, Places] = {}
    if sheet is None:
        return out
    for item_id, seat in sheet.seats.items():
        item, racks = eff.items.get(item_id), eff.items.get(seat.racks)
        if item is None or racks is None:
            continue
        count, n_racks = product(item.axes), product(racks.axes)
        height = height_units(project, design, item.of)
        i = np.arange(count, dtype=np.int32)
        per_rack = max(1, seat.per_rack)
        rack = (seat.first + seat.stride * (i // per_rack)).astype(np.int32)
        u = (seat.u + (i % per_rack) * height).astype(np.int32)
        for key, place in seat.except_.items():
            _place(rack, u, key, item.axes, place)
        rack[(rack < 0) | (rack >= n_racks)] = -1
        units = rack_units(racks)
        row, position = standing(racks)
        drop: F64 = RACK_UNIT_M * (units + 1 - (u.astype(np.float64) + (height - 1) / 2))
        known = np.maximum(rack, 0)
        out[item_id] = Places(seat.racks, rack, u, height, row[known], position[known], drop, rack_pitch_m(racks))
    return out


def _place(rack: I32, u: I32, key: str, axes: Axes, place: RackPlace) -> None:
    for lo, hi in member_set(key, axes).ranges:
        rack[lo : hi + 1] = place.rack
        u[lo : hi + 1] = place.u


def rack_units(racks: EffItem) -> int:
    """Rack units of each rack of a rack item: stated, else its part's, else 48."""
    own = _number(racks, "u")
    part = racks.part.get("u", DEFAULT_RACK_UNITS) if racks.part is not None else DEFAULT_RACK_UNITS
    return int(own if own > 0 else part)


def rack_pitch_m(racks: EffItem) -> float:
    """Metres from one rack of a row to the next: stated (``pitch_m``), else its part's, else 0.6 m."""
    own = _number(racks, "pitch_m")
    part = racks.part.get("pitch_mm", 0.0) / 1e3 if racks.part is not None else 0.0
    return own if own > 0 else part or DEFAULT_RACK_PITCH_M


def standing(racks: EffItem) -> tuple[F64, F64]:
    """(row, position along the row in racks) of each rack of a rack item."""
    n = product(racks.axes)
    row, position = np.zeros(n), np.zeros(n)
    index = np.arange(n)
    stride = 1
    for name, size in reversed(racks.axes):
        step = index % size
        index = index // size
        if name == "row":
            row += step
        else:
            position += step * stride
            stride *= size
    gap = np.where(position >= _number(racks, "gap_at"), _number(racks, "gap"), 0.0)
    return row + _number(racks, "row0"), position + gap + _number(racks, "rack0")


def _number(item: EffItem, key: str) -> float:
    value = item.config.get(key)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else 0.0


def bundle_lengths(places: Mapping[str, Places], bundle: Bundle, length_m: float | None) -> F64:
    """Cable length of each row of a bundle in metres, before rounding up to what can be ordered; 0 where not known.

    Vertical runs to the overhead tray, Manhattan distance of the racks (pitch along a row, 1.2 m between
    rows), 1 m slack. A
    stated ``length_m`` of the link wins.
    """
    return all_lengths(places, [bundle], [length_m])


def all_lengths(places: Mapping[str, Places], bundles: Sequence[Bundle], length_m: Sequence[float | None]) -> F64:
    """``bundle_lengths`` of many bundles, one after the other; ``length_m`` is what their links state."""
    sizes = np.array([len(bundle.rows) for bundle in bundles], dtype=np.int64)
    out = np.repeat(np.array([0.0 if length is None else length for length in length_m]), sizes)
    measured = [
        n
        for n, bundle in enumerate(bundles)
        if length_m[n] is None and bundle.a_item in places and bundle.b_item in places and len(bundle.rows)
    ]
    if not measured:
        return out
    first = np.concatenate(([0], np.cumsum(sizes)))
    standing_of = {item: n for n, item in enumerate({x for m in measured for x in _ends(bundles[m])})}
    stands = _Standing([places[item] for item in standing_of])
    rows = np.concatenate([bundles[n].rows for n in measured])
    own = sizes[measured]
    near = np.repeat(np.array([standing_of[bundles[n].a_item] for n in measured]), own)
    far = np.repeat(np.array([standing_of[bundles[n].b_item] for n in measured]), own)
    at = np.repeat(first[measured] - np.cumsum(own) + own, own) + np.arange(len(rows))
    out[at] = stands.between(near, rows[:, 0], far, rows[:, 2])
    return out


def _ends(bundle: Bundle) -> tuple[str, str]:
    return bundle.a_item, bundle.b_item


class _Standing:
    """Where the members of several items stand, one item after the other."""

    def __init__(self, places: Sequence[Places]) -> None:
        self.first = np.concatenate(([0], np.cumsum([len(p.rack) for p in places]))).astype(np.int64)
        self.pitch_m = np.array([p.pitch_m for p in places])
        self.seated, self.position, self.row, self.drop_m = (
            np.concatenate([np.asarray(getattr(p, name)) for p in places])
            for name in ("rack", "position", "row", "drop_m")
        )

    def between(self, a_item: I64, a_member: I32, b_item: I64, b_member: I32) -> F64:
        """Metres between two members each, 0 where one is not seated or none (-1)."""
        i = self.first[a_item] + np.maximum(a_member, 0)
        j = self.first[b_item] + np.maximum(b_member, 0)
        known = (a_member >= 0) & (b_member >= 0) & (self.seated[i] >= 0) & (self.seated[j] >= 0)
        pitch = np.maximum(self.pitch_m[a_item], self.pitch_m[b_item])
        along = np.abs(self.position[i] - self.position[j]) * pitch
        across = np.abs(self.row[i] - self.row[j]) * ROW_PITCH_M
        return np.where(known, self.drop_m[i] + self.drop_m[j] + along + across + SLACK_M, 0.0)


def orderable_all(part: Part | None, length_m: F64) -> F64:
    """For each length the next one that can be ordered; rounded up to 0.5 m when the part lists none or all are too
    short; 0 stays 0.
    """
    steps = np.array(sorted(part.numbers("orderable_m")) if part is not None else [], dtype=np.float64)
    half = np.ceil(length_m * 2 - 1e-9) / 2
    if not len(steps):
        return half
    at = np.searchsorted(steps, length_m - 1e-9)
    listed = steps[np.minimum(at, len(steps) - 1)]
    return np.where(length_m <= 0, 0.0, np.where(at < len(steps), listed, half))
