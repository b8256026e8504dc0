"""Two fabric sheets side by side on one page, with what differs marked, and the tables of the difference below.

Both sheets are drawn as they always are and then set smaller into either half; the marks lie on top: removed dashed
red, added green, changed blue. Nothing is told by colour alone: the words stand in the legend and in the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fabricwright.design.diff import ADDED, REMOVED, REPLACED, RowChange
from fabricwright.design.values import Project
from fabricwright.exchange.diagram_svg import draw_pages
from fabricwright.exchange.drawing_options import DrawOptions
from fabricwright.exchange.ink import Begin, End, Ink, Line, Op, Path, Picture, Port, Rect, Symbol, Text
from fabricwright.exchange.page_size import PageSize
from fabricwright.exchange.svg import Svg
from fabricwright.units.text import Message, msg

TOKENS = {"removed": "error", "added": "ok", "changed": "accent"}
DASHES = {"removed": "7 4", "added": "", "changed": ""}
LEFT, RIGHT, HALF, TOP, MIDDLE = 60.0, 1560.0, 810.0, 108.0, 640.0
STEP = 19.0
_Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class DrawnSide:
    """One side: its project and design, ``title`` over its drawing and ``note`` beside that."""

    project: Project
    design: str
    title: str
    note: Message | str = ""


@dataclass(frozen=True, slots=True)
class CompareTable:
    """A table below the drawings. ``widths`` parts of the table's width; columns after the first are right-aligned
    where ``right`` has an r.
    """

    title: Message | str
    heads: tuple[Message | str, ...]
    rows: tuple[tuple[Message | str, ...], ...]
    widths: tuple[float, ...]
    right: str = ""


def draw_comparison(
    a: DrawnSide,
    b: DrawnSide,
    rows: Sequence[RowChange],
    tables: Sequence[CompareTable] = (),
    *,
    lang: str = "en",
    title: Message | None = None,
) -> Ink:
    """One A3 page. ``rows`` as ``drawing_changes`` of the two; only those of the root sheets are marked."""
    size = PageSize()
    heading = (title or msg("{a} and {b}", a=a.title, b=b.title)).text(lang)
    ink = Svg(size.width, size.height, size.width_mm, size.height_mm, heading, lang)
    ink.text(LEFT, 60, heading, 22, weight=600, room=900)
    _legend(ink, lang)
    ink.line([(HALF, TOP - 22), (HALF, MIDDLE - 10)], stroke="border.strong", width=1)
    for name, side, left, right in (("a", a, LEFT, HALF - 20), ("b", b, HALF + 20, RIGHT)):
        wide = ink.text(left, TOP - 8, side.title, 14, weight=600, room=(right - left) * 0.5)
        note = side.note.text(lang) if isinstance(side.note, Message) else side.note
        ink.text(left + wide + 14, TOP - 8, note, 12, fill="text.2", room=right - left - wide - 14)
        _half(ink, name, side, rows, (left, TOP + 8, right, MIDDLE - 16), lang)
    ink.line([(LEFT, MIDDLE), (RIGHT, MIDDLE)], stroke="border.strong", width=1)
    _tables(ink, tables, size.bottom, lang)
    return ink


def _legend(ink: Ink, lang: str) -> None:
    x = RIGHT - 330
    for kind, word in (("removed", msg("removed")), ("added", msg("added")), ("changed", msg("changed"))):
        ink.rect(x, 46, 26, 16, stroke=TOKENS[kind], width=1.8, radius=4, dash=DASHES[kind])
        x += 34 + ink.text(x + 34, 59, word.text(lang), 12, fill="text.2") + 24


def _half(ink: Ink, name: str, side: DrawnSide, rows: Sequence[RowChange], room: _Box, lang: str) -> None:
    """The sheet of one side, as large as it fits into ``room`` (left, top, right, bottom), with its marks."""
    design = side.project.designs[side.design]
    options = DrawOptions(legend=False, figures=False)
    page = draw_pages(side.project, side.design, sheet=design.root, lang=lang, options=options)[0]
    size = PageSize(scale=page.shrunk)
    area = (size.x0 - 20, size.y0 - 40, size.right - 20, size.foot - 2)
    ops = _inside(page.ink.ops, area)
    box = _bounds(ops)
    if box is None:
        return
    scale = min((room[2] - room[0]) / max(box[2] - box[0], 1), (room[3] - room[1]) / max(box[3] - box[1], 1), 1.0)
    x = (room[0] + room[2] - (box[2] - box[0]) * scale) / 2 - box[0] * scale
    y = (room[1] + room[3] - (box[3] - box[1]) * scale) / 2 - box[1] * scale
    moved = [_placed(op, name, x, y, scale) for op in ops]
    ink.ops += moved
    marked = _marks(rows, name)
    for row, frame in _groups(moved, name):
        kind = marked.get(row)
        if kind is not None:
            ink.rect(
                frame[0] - 3,
                frame[1] - 3,
                frame[2] - frame[0] + 6,
                frame[3] - frame[1] + 6,
                stroke=TOKENS[kind],
                width=2.4,
                radius=6,
                dash=DASHES[kind],
            )


def _marks(rows: Iterable[RowChange], side: str) -> dict[str, str]:
    """Row id (``tie-LINK`` for the label of a link) -> removed, added or changed, on the root sheet of one side."""
    out = {}
    gone = "removed" if side == "a" else "added"
    root = next((getattr(row, f"sheet_{side}") for row in rows), "")
    for row in rows:
        if getattr(row, f"sheet_{side}") != root or row.kind == (ADDED if side == "a" else REMOVED):
            continue
        kind = gone if row.kind in (REPLACED, REMOVED, ADDED) else "changed"
        out[row.id if row.table == "items" else f"tie-{row.id}"] = kind
    return out


def _groups(ops: Sequence[Op], side: str) -> list[tuple[str, _Box]]:
    """(row id, box) of every group that is closed in ``ops``."""
    out: list[tuple[str, _Box]] = []
    stack: list[tuple[str, int]] = []
    for n, op in enumerate(ops):
        if isinstance(op, Begin):
            stack.append((re.sub(r"(-\d+)*$", "", op.address.removeprefix(f"{side}/")), n))
        elif isinstance(op, End) and stack:
            row, start = stack.pop()
            box = _bounds(ops[start:n])
            if box is not None:
                out.append((row, box))
    return out


def _inside(ops: Sequence[Op], area: _Box) -> list[Op]:
    """The operations of the drawing itself: what lies in its area, and every group."""
    out: list[Op] = []
    for op in ops:
        box = _box(op)
        inside = box is not None and (
            box[0] >= area[0] and box[1] >= area[1] and box[2] <= area[2] + 1 and box[3] <= area[3] + 1
        )
        if inside or isinstance(op, (Begin, End)):
            out.append(op)
    return out


def _box(op: Op) -> _Box | None:
    """Left, top, right, bottom of an operation; of a text its start only."""
    if isinstance(op, (Rect, Picture, Port)):
        return op.x, op.y, op.x + op.w, op.y + op.h
    if isinstance(op, Symbol):
        return op.x, op.y, op.x + op.size, op.y + op.size
    if isinstance(op, Text):
        return op.x, op.y - op.size, op.x, op.y
    points = list(op.points) if isinstance(op, Line) else _corners(op) if isinstance(op, Path) else []
    if not points:
        return None
    return min(x for x, _ in points), min(y for _, y in points), max(x for x, _ in points), max(y for _, y in points)


def _corners(path: Path) -> list[tuple[float, float]]:
    out = []
    for step in path.steps:
        numbers = [float(v) for v in step[1:]]
        out += list(zip(numbers[::2], numbers[1::2], strict=False))
    return out


def _bounds(ops: Iterable[Op]) -> _Box | None:
    boxes = [box for op in ops if (box := _box(op)) is not None]
    if not boxes:
        return None
    return min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)


def _placed(op: Op, side: str, x: float, y: float, s: float) -> Op:
    """The operation ``s`` times as large, moved, its names made those of one side."""
    if isinstance(op, Begin):
        return replace(op, name=f"{side}/{op.name}", address=f"{side}/{op.address}")
    if isinstance(op, (Rect, Picture, Port)):
        moved = replace(op, x=x + op.x * s, y=y + op.y * s, w=op.w * s, h=op.h * s)
        if isinstance(moved, Rect):
            return replace(moved, width=moved.width * s, radius=moved.radius * s)
        return (
            replace(moved, name=f"{side}/{moved.name}", owner=f"{side}/{moved.owner}")
            if isinstance(moved, Port)
            else moved
        )
    if isinstance(op, Symbol):
        return replace(op, x=x + op.x * s, y=y + op.y * s, size=op.size * s)
    if isinstance(op, Text):
        return replace(op, x=x + op.x * s, y=y + op.y * s, size=op.size * s)
    if isinstance(op, Line):
        ends = None if op.ends is None else (f"{side}/{op.ends[0]}", f"{side}/{op.ends[1]}")
        points = tuple((x + px * s, y + py * s) for px, py in op.points)
        return replace(op, points=points, width=max(0.6, op.width * s), radius=op.radius * s, ends=ends)
    if isinstance(op, Path):
        steps = tuple(
            (step[0], *(float(v) * s + (x if n % 2 == 0 else y) for n, v in enumerate(step[1:]))) for step in op.steps
        )
        return replace(op, steps=steps, width=op.width * s)
    return op


# -- tables -----------------------------------------------------------------------------------------------------------


def _tables(ink: Ink, tables: Sequence[CompareTable], bottom: float, lang: str) -> None:
    if not tables:
        return
    gap = 28.0
    width = (RIGHT - LEFT - gap * (len(tables) - 1)) / len(tables)
    for n, table in enumerate(tables):
        _table(ink, table, LEFT + n * (width + gap), width, MIDDLE + 26, bottom, lang)


def _table(ink: Ink, table: CompareTable, left: float, width: float, y: float, bottom: float, lang: str) -> None:
    def say(text: Message | str) -> str:
        return text.text(lang) if isinstance(text, Message) else text

    ink.text(left, y, say(table.title), 13, weight=600, room=width)
    y += STEP + 3
    shares = [share / sum(table.widths) * width for share in table.widths]
    most = max(0, int((bottom - y) / STEP) - 2)
    shown = table.rows[:most]
    for number, row in enumerate((table.heads, *shown)):
        x = left
        for n, cell in enumerate(row):
            fill = "text.2" if number == 0 else "text"
            if table.right[n : n + 1] == "r":
                ink.text(x + shares[n] - 6, y, _fit(say(cell)), 11.5, fill=fill, anchor="end", room=shares[n] - 8)
            else:
                ink.text(x, y, _fit(say(cell)), 11.5, fill=fill, room=shares[n] - 8)
            x += shares[n]
        ink.line([(left, y + 6), (left + width, y + 6)], stroke="border", width=0.8)
        y += STEP
    if len(table.rows) > len(shown):
        rest = msg("{count} more", count=len(table.rows) - len(shown)).text(lang)
        ink.text(left, y, rest, 11.5, fill="text.2")


def _fit(text: str) -> str:
    return " ".join(text.split())
