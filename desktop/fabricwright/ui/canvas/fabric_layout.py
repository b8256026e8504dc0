"""Automatic layout of a fabric sheet: spines on top, leafs, servers; units side by side; other networks and racks at
the right.

Deterministic. A row of the document with a place of its own moves as a block: its first card stands there, the others
keep their distance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabricwright.ui.canvas.fabric_pieces import LEAF, SERVER, SIDE, SPINE, Piece, Pieces

Box = tuple[float, float, float, float]

GROUP_W, GROUP_H = 384.0, 104.0
NARROW_W = 300.0
LEAF_W, LEAF_H = 44.0, 56.0
LEAF_WIDE_MIN, LEAF_WIDE_MAX = 118.0, 180.0
WIDE_H = 72.0
SPINE_H, SPINE_HEAD = 88.0, 34.0
TILE_W, TILE_H = 49.0, 44.0
SIDE_W, SIDE_H = 176.0, 80.0
FRAME_PAD = 18.0
FRAME_FOOT = 34.0
UNIT_GAP = 20.0
TIER_GAP = 116.0
LEAF_GAP = 124.0
SIDE_GAP = 46.0
MEMBER_W, MEMBER_H, MEMBER_GAP = 108.0, 34.0, 8.0


@dataclass(slots=True)
class Layout:
    """Boxes of the pieces (by index), of the frames (by unit), members of open groups, and where buses may run."""

    boxes: dict[int, Box] = field(default_factory=dict)
    frames: dict[int, Box] = field(default_factory=dict)
    columns: dict[int, int] = field(default_factory=dict)
    bus_y: float = 0.0
    main_right: float = 0.0


def card_width(pieces: Pieces) -> float:
    """Width of a server card: narrower when several units stand side by side and few leafs need the room."""
    tiles = max((p.tiles for p in pieces.pieces if p.role == LEAF), default=1)
    return NARROW_W if pieces.units >= 3 and tiles <= 2 else GROUP_W


def leaf_size(tiles: int, card_w: float) -> tuple[float, float]:
    """Size of a leaf card when ``tiles`` of them share the width of a server card."""
    spacing = card_w / max(tiles, 1)
    if spacing - 8 >= LEAF_WIDE_MIN:
        return min(spacing - 12, LEAF_WIDE_MAX), WIDE_H
    return min(LEAF_W, spacing - 4), LEAF_H


def tile_grid(count: int, width: float) -> tuple[int, int]:
    """Columns and rows of the tiles of a spine frame."""
    columns = max(1, min(count, int((width - 20) // TILE_W)))
    rows = -(-count // columns)
    if rows > 3:
        rows = 3
        columns = max(columns, int((width - 20) // 40))
    columns = -(-count // rows) if count <= columns * rows else columns
    return columns, rows


def open_grid(count: int) -> tuple[int, int]:
    """Columns and rows of an expanded group."""
    columns = max(3, round((count * 2.2) ** 0.5)) if count > 12 else min(count, 3)
    return columns, -(-count // columns)


def size_of(piece: Piece, card_w: float) -> tuple[float, float]:
    """Size of a card; a spine frame grows with the width it is given."""
    if piece.role == SERVER:
        if piece.open:
            columns, rows = open_grid(len(piece.members))
            return max(card_w, columns * (MEMBER_W + MEMBER_GAP) + 2 * FRAME_PAD), rows * (
                MEMBER_H + MEMBER_GAP
            ) + 2 * FRAME_PAD + 24
        return card_w, GROUP_H
    if piece.role == LEAF:
        return leaf_size(piece.tiles, card_w)
    if piece.role == SPINE:
        return card_w, SPINE_H
    return SIDE_W, SIDE_H


def lay_out(pieces: Pieces, places: Mapping[str, tuple[float, float]], foot_lines: int) -> Layout:
    """Boxes of all cards. ``foot_lines`` = how many bus lines run under the units (they need room)."""
    out = Layout()
    card_w = card_width(pieces)
    rows: dict[tuple[int, int], list[int]] = {}
    for n, piece in enumerate(pieces.pieces):
        if piece.role != SIDE:
            rows.setdefault((piece.unit, piece.tier), []).append(n)
    units = sorted({unit for unit, _ in rows if unit >= 0})
    lanes = units or [-1]
    tiers = sorted({tier for _, tier in rows}, reverse=True)
    inside = {tier: any((u, tier) in rows for u in lanes) for tier in tiers}
    widths = {u: _unit_width(pieces, rows, u, card_w) for u in lanes}
    lefts: dict[int, float] = {}
    x = 0.0
    for u in lanes:
        lefts[u] = x
        x += widths[u] + (2 * FRAME_PAD if units else 0.0) + UNIT_GAP
    main_w = max(x - UNIT_GAP, 0.0) or card_w
    y = 0.0
    frame_top: float | None = None
    for tier in tiers:
        loose = rows.get((-1, tier), []) if units else []
        if inside[tier]:
            loose = _set_apart(pieces, loose, places, main_w, out, card_w)
        height = 0.0
        if loose:
            height = _row(pieces, loose, 0.0, main_w, y, out, card_w)
            y += height
        if inside[tier] and units:
            if loose:
                y += 40.0
            if frame_top is None:
                frame_top = y
                y += FRAME_PAD
            tallest = 0.0
            for u in lanes:
                row = rows.get((u, tier), [])
                if row:
                    tallest = max(tallest, _row(pieces, row, lefts[u] + FRAME_PAD, widths[u], y, out, card_w))
            y += tallest
        elif not units:
            height = _row(pieces, rows[(-1, tier)], 0.0, main_w, y, out, card_w)
            y += height
        y += LEAF_GAP if tier == 1 else TIER_GAP
    bottom = max((b[1] + b[3] for b in out.boxes.values()), default=0.0)
    if units and frame_top is not None:
        low = max(
            (out.boxes[n][1] + out.boxes[n][3] for (u, _), row in rows.items() for n in row if u >= 0),
            default=frame_top,
        )
        for u in lanes:
            out.frames[u] = (lefts[u], frame_top, widths[u] + 2 * FRAME_PAD, low - frame_top + 8 + FRAME_FOOT)
        bottom = max(bottom, low + 8 + FRAME_FOOT)
    out.bus_y = bottom + 18
    out.main_right = main_w if out.boxes else 0.0
    _side(pieces, out, bottom)
    del foot_lines
    _shift(pieces, places, out)
    return out


def _set_apart(
    pieces: Pieces,
    loose: list[int],
    places: Mapping[str, tuple[float, float]],
    width: float,
    out: Layout,
    card_w: float,
) -> list[int]:
    """Cards beside the units that stand where they were dropped take no room in the tier: a part that is dropped must
    not push the rest of the sheet about. Returns the others."""
    apart: dict[str, list[int]] = {}
    for n in loose:
        if pieces.pieces[n].item in places:
            apart.setdefault(pieces.pieces[n].item, []).append(n)
    for members in apart.values():
        _row(pieces, members, 0.0, width, 0.0, out, card_w)
    return [n for n in loose if pieces.pieces[n].item not in apart]


def _unit_width(pieces: Pieces, rows: Mapping[tuple[int, int], list[int]], unit: int, card_w: float) -> float:
    """Width of a unit: the widest row of cards that stand in it."""
    widest = 0.0
    for (u, _tier), row in rows.items():
        if u == unit:
            widest = max(widest, _row_width([pieces.pieces[n] for n in row], card_w))
    if unit == -1:
        spines = [
            pieces.pieces[n] for (u, _), row in rows.items() if u == -1 for n in row if pieces.pieces[n].role == SPINE
        ]
        widest = max([widest, *(min(p.count, 20) * TILE_W + 24 for p in spines)])
    return widest


def _row_width(row: list[Piece], card_w: float) -> float:
    leafs = [p for p in row if p.role == LEAF]
    others = [p for p in row if p.role != LEAF]
    total = sum(size_of(p, card_w)[0] + 24 for p in others)
    by_item: dict[str, int] = {}
    for piece in leafs:
        by_item[piece.item] = piece.tiles
    total += sum(card_w if tiles > 1 else LEAF_WIDE_MAX + 24 for tiles in by_item.values()) + 24 * max(
        0, len(by_item) - 1
    )
    return max(total - (24 if others else 0), card_w if row and row[0].role == SERVER else 0.0)


def _row(pieces: Pieces, row: list[int], x: float, width: float, y: float, out: Layout, card_w: float) -> float:
    """Cards of one tier in one unit, centred; returns the height."""
    items: dict[str, list[int]] = {}
    for n in row:
        items.setdefault(pieces.pieces[n].item, []).append(n)
    spines = all(pieces.pieces[n].role == SPINE for n in row)
    blocks = []
    for name, members in items.items():
        first = pieces.pieces[members[0]]
        if first.role == SPINE:
            share = (width - 20 * (len(row) - 1)) / len(row) if spines else size_of(first, card_w)[0]
            blocks.append((name, members, max(share, 220.0) * len(members) + 20 * (len(members) - 1)))
        elif first.role == LEAF and len(members) > 1:
            blocks.append((name, members, card_w))
        else:
            blocks.append(
                (name, members, sum(size_of(pieces.pieces[n], card_w)[0] for n in members) + 24 * (len(members) - 1))
            )
    total = sum(b[2] for b in blocks) + 24 * (len(blocks) - 1)
    at = x + max(0.0, (width - total) / 2)
    tallest = 0.0
    for _name, members, block_w in blocks:
        count = len(members)
        for k, n in enumerate(members):
            piece = pieces.pieces[n]
            w, h = size_of(piece, card_w)
            if piece.role == SPINE:
                w = (block_w - 20 * (count - 1)) / count
                h = SPINE_HEAD + 12 + tile_grid(piece.count, w)[1] * TILE_H
                left = at + k * (w + 20)
            elif piece.role == LEAF and count > 1:
                left = at + card_w * (k + 0.5) / count - w / 2
            else:
                left = at + k * (w + 24)
            out.boxes[n] = (left, y, w, h)
            tallest = max(tallest, h)
        at += block_w + 24
    return tallest


def _side(pieces: Pieces, out: Layout, low: float) -> None:
    """Other networks, storage, racks: columns at the right, one network after the other."""
    groups: dict[str, list[int]] = {}
    for n, piece in enumerate(pieces.pieces):
        if piece.role == SIDE:
            groups.setdefault(_side_key(pieces, piece), []).append(n)
    x = out.main_right + (SIDE_GAP if out.main_right else 0.0)
    y = 0.0
    column = 0
    limit = max(low, 3 * (SIDE_H + 24))
    for key in sorted(groups):
        members = sorted(groups[key], key=lambda n: (_rank(pieces.pieces[n].item), pieces.pieces[n].item))
        need = len(members) * (SIDE_H + 24) + 12
        if y > 0 and y + need > limit + 24:
            x += SIDE_W + 44
            y = 0.0
            column += 1
        for n in members:
            out.boxes[n] = (x, y, SIDE_W, SIDE_H)
            out.columns[n] = column
            y += SIDE_H + 30
        y += 6
    _settle(out, low)


def _settle(out: Layout, low: float) -> None:
    """Short columns stand at the foot of the sheet: the corner above them is where legend and minimap float."""
    for column in set(out.columns.values()):
        members = [n for n, c in out.columns.items() if c == column]
        foot = max(out.boxes[n][1] + out.boxes[n][3] for n in members)
        if foot < low * 0.6:
            for n in members:
                x, y, w, h = out.boxes[n]
                out.boxes[n] = (x, y + low - foot, w, h)


def _rank(item: str) -> int:
    """Spines above leafs above end devices."""
    return 0 if "core" in item else 1 if "spine" in item else 2 if "leaf" in item else 3


def _side_key(pieces: Pieces, piece: Piece) -> str:
    order = {"storage": "1", "inband": "2", "oob": "3"}
    if not piece.network:
        return "8-racks"
    return f"{order.get(piece.network, '5')}-{piece.network}"


def _shift(pieces: Pieces, places: Mapping[str, tuple[float, float]], out: Layout) -> None:
    """Move each item's cards so that the first one stands where the person put it; frames follow."""
    moved_units: set[int] = set()
    for item, (px, py) in places.items():
        mine = [n for n in pieces.of(item) if n in out.boxes]
        if not mine:
            continue
        x0 = min(out.boxes[n][0] for n in mine)
        y0 = min(out.boxes[n][1] for n in mine)
        for n in mine:
            x, y, w, h = out.boxes[n]
            out.boxes[n] = (x + px - x0, y + py - y0, w, h)
            moved_units.add(pieces.pieces[n].unit)
    for unit in sorted(moved_units & set(out.frames)):
        inside = [out.boxes[n] for n, p in enumerate(pieces.pieces) if p.unit == unit and n in out.boxes]
        if inside:
            x0, y0 = min(b[0] for b in inside) - FRAME_PAD, min(b[1] for b in inside) - FRAME_PAD
            x1, y1 = max(b[0] + b[2] for b in inside) + FRAME_PAD, max(b[1] + b[3] for b in inside) + 8 + FRAME_FOOT
            out.frames[unit] = (x0, y0, x1 - x0, y1 - y0)
    if moved_units:
        out.bus_y = (
            max(
                [b[1] + b[3] for n, b in out.boxes.items() if pieces.pieces[n].role != SIDE]
                + [f[1] + f[3] for f in out.frames.values()],
                default=0.0,
            )
            + 18
        )
