"""Where each member stands, and how long the cables between members are.

Seating places instance i in rack ``first + stride * (i div per_rack)`` at unit ``u + (i mod per_rack) *
height``. A rack item stands at (row, position): its axis ``row`` counts rows, all other axes count positions along the
row, shifted by ``config.row0`` and ``config.rack0``; from the ``config.gap_at``-th rack of a row on, ``config.gap``
places are left free (for network racks in the middle of the row).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.design.rack_height import height_units
from fabricwright.design.values import Axes, Design, Project, RackPlace
from fabricwright.topology.model import F64, I32, Bundle
from fabricwright.topology.wiring import member_set, product

RACK_UNIT_M = 0.04445
ROW_PITCH_M = 1.2
SLACK_M = 1.0
DEFAULT_RACK_PITCH_M = 0.6
DEFAULT_RACK_UNITS = 48


@dataclass(frozen=True, slots=True)
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
    n = len(bundle.rows)
    if length_m is not None:
        return np.full(n, length_m)
    a, b = places.get(bundle.a_item), places.get(bundle.b_item)
    if a is None or b is None or n == 0:
        return np.zeros(n)
    i, j = np.maximum(bundle.rows[:, 0], 0), np.maximum(bundle.rows[:, 2], 0)
    known: NDArray[np.bool_] = (bundle.rows[:, 0] >= 0) & (bundle.rows[:, 2] >= 0) & (a.rack[i] >= 0) & (b.rack[j] >= 0)
    along = np.abs(a.position[i] - b.position[j]) * max(a.pitch_m, b.pitch_m)
    across = np.abs(a.row[i] - b.row[j]) * ROW_PITCH_M
    return np.where(known, a.drop_m[i] + b.drop_m[j] + along + across + SLACK_M, 0.0)


def orderable(part: Part | None, length_m: float) -> float:
    """The next length that can be ordered; rounded up to 0.5 m when the part lists none or all are too short;
    0 stays 0.
    """
    return float(orderable_all(part, np.array([length_m]))[0])


def orderable_all(part: Part | None, length_m: F64) -> F64:
    """``orderable`` for many lengths."""
    steps = np.array(sorted(part.numbers("orderable_m")) if part is not None else [], dtype=np.float64)
    half = np.ceil(length_m * 2 - 1e-9) / 2
    if not len(steps):
        return half
    at = np.searchsorted(steps, length_m - 1e-9)
    listed = steps[np.minimum(at, len(steps) - 1)]
    return np.where(length_m <= 0, 0.0, np.where(at < len(steps), listed, half))
