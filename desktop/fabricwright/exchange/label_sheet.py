"""Cable labels on sheets of stickers, or one after the other for a label printer: a label for every end of every cable.

Sheets are those that office shops sell; their sizes are the makers' nominal ones, the grid stands in the middle of the
paper. ``WxH`` in millimetres is one label per page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from fabricwright.exchange.cables import CableTable, ScheduledCable
from fabricwright.exchange.font_metrics import fit, text_width
from fabricwright.exchange.ink import Ink
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

PX_PER_MM = 96 / 25.4
PT = 96 / 72
"""Drawing units of one point."""
LARGEST_PT, SMALLEST_PT = 10.0, 4.5
LEADING = 1.22
BAR_MM = 1.2
MOST_MM = 400.0


@dataclass(frozen=True, slots=True)
class LabelFormat:
    """Labels of ``label_mm`` (width, height) on a page of ``page_mm``, ``columns`` x ``rows`` of them, ``gap_mm``
    apart."""

    name: str
    page_mm: tuple[float, float]
    label_mm: tuple[float, float]
    columns: int
    rows: int
    gap_mm: tuple[float, float] = (0.0, 0.0)

    @property
    def per_page(self) -> int:
        """Labels of one page."""
        return self.columns * self.rows

    def place(self, n: int) -> tuple[float, float]:
        """Upper left corner of the n-th label of a page, mm; the grid is centred on the page."""
        row, column = divmod(n, self.columns)
        (page_w, page_h), (w, h), (gap_x, gap_y) = self.page_mm, self.label_mm, self.gap_mm
        left = (page_w - self.columns * w - (self.columns - 1) * gap_x) / 2
        top = (page_h - self.rows * h - (self.rows - 1) * gap_y) / 2
        return left + column * (w + gap_x), top + row * (h + gap_y)


_A4, _LETTER = (210.0, 297.0), (215.9, 279.4)
FORMATS = {
    f.name: f
    for f in (
        LabelFormat("L7651", _A4, (38.1, 21.2), 5, 13, (2.5, 0.0)),
        LabelFormat("L4731", _A4, (25.4, 10.0), 7, 27, (2.5, 0.0)),
        LabelFormat("L7160", _A4, (63.5, 38.1), 3, 7, (2.54, 0.0)),
        LabelFormat("5160", _LETTER, (66.675, 25.4), 3, 10, (3.175, 0.0)),
    )
}
"""Formats by the number that Avery (Zweckform) sells them under; other makers use the same grids."""
DEFAULT = "L7651"


def label_format(name: str) -> LabelFormat:
    """A format by its number, or ``WxH`` (mm) for single labels. Raises UserError."""
    known = {key.lower(): value for key, value in FORMATS.items()}
    if name.lower() in known:
        return known[name.lower()]
    size = re.fullmatch(r"(\d{1,3}(?:\.\d)?)x(\d{1,3}(?:\.\d)?)(?:mm)?", name.lower())
    if size and 8 <= float(size[1]) <= MOST_MM and 5 <= float(size[2]) <= MOST_MM:
        page = float(size[1]), float(size[2])
        return LabelFormat(name, page, page, 1, 1)
    raise UserError(
        msg(
            "Label format '{name}' is not known; expected {known}, or WIDTHxHEIGHT in mm such as 62x29.",
            name=name[:40],
            known=list(FORMATS),
        )
    )


@dataclass(frozen=True, slots=True)
class Sticker:
    """One label: its lines of text, the first one bold, and the colour of the network."""

    lines: tuple[str, ...]
    colour: str


def stickers(table: CableTable, *, templated: bool = False) -> Iterator[Sticker]:
    """A label for every end: where this end goes, where the other ones are, and the cable's id. With ``templated`` the
    text of the template instead, the branch's at both of its ends."""
    for row in table.cables:
        for n, (name, end) in enumerate(zip(row.names, row.ends, strict=True)):
            if templated and row.labels:
                own = row.labels if n == 0 else row.labels[min(n, len(row.labels)) - 1 :][:1]
                yield Sticker((*own, _small(row)), row.colour)
                continue
            others = range(1, len(row.ends)) if n == 0 else (0,)
            far = tuple(_end(row, k) for k in others)
            place = f"{row.racks[n]} U{end.u}  " if row.racks[n] and end.u else ""
            yield Sticker((f"{place}{name}:{end.port}", *(f"→ {text}" for text in far), _small(row)), row.colour)


def _end(row: ScheduledCable, n: int) -> str:
    place = f"{row.racks[n]} U{row.ends[n].u}  " if row.racks[n] and row.ends[n].u else ""
    return f"{place}{row.names[n]}:{row.ends[n].port}"


def _small(row: ScheduledCable) -> str:
    length = f"  {row.length_m:g} m" if row.length_m else ""
    return f"{row.id}{length}"


def label_pages(
    table: CableTable,
    form: LabelFormat,
    lang: str = "en",
    *,
    templated: bool = False,
    checkpoint: Callable[[], None] | None = None,
) -> list[Ink]:
    """The pages. ``checkpoint`` is called for every page and may raise to give up."""
    title: Message = msg("Cable labels")
    pages: list[Ink] = []
    page: Ink | None = None
    every = list(stickers(table, templated=templated))
    sizes = [_size(sticker, form, LARGEST_PT) for sticker in every]
    common = sorted(sizes)[len(sizes) // 20] if sizes else LARGEST_PT  # at which nineteen of twenty labels fit
    for n, sticker in enumerate(every):
        k = n % form.per_page
        if k == 0 or page is None:
            if checkpoint is not None:
                checkpoint()
            width, height = form.page_mm
            page = Ink(width * PX_PER_MM, height * PX_PER_MM, width, height, title.text(lang), lang)
            pages.append(page)
        size = common if sizes[n] >= common else sizes[n]
        _draw(page, sticker, form, size, *form.place(k))
    return pages


def _room(form: LabelFormat) -> tuple[float, float, float]:
    """Inset, and the width and height that text may take."""
    w, h = form.label_mm[0] * PX_PER_MM, form.label_mm[1] * PX_PER_MM
    inset = min(1.5, form.label_mm[1] * 0.08) * PX_PER_MM
    return inset, w - 3 * inset - BAR_MM * PX_PER_MM, h - 2 * inset


def _size(sticker: Sticker, form: LabelFormat, largest: float) -> float:
    """The largest size in points at which everything is on the label."""
    _, room_w, room_h = _room(form)
    size = largest
    lines = _wrapped(sticker.lines, room_w, size * PT)
    while size > SMALLEST_PT and (len(lines) * size * PT * LEADING > room_h or _cut(lines, room_w, size * PT)):
        size -= 0.5
        lines = _wrapped(sticker.lines, room_w, size * PT)
    return size


def _draw(page: Ink, sticker: Sticker, form: LabelFormat, size: float, left_mm: float, top_mm: float) -> None:
    """A bar in the network's colour at the left, the lines beside it in ``size`` points."""
    x, y = left_mm * PX_PER_MM, top_mm * PX_PER_MM
    inset, room_w, room_h = _room(form)
    bar = BAR_MM * PX_PER_MM
    page.rect(x + inset, y + inset, bar, room_h, fill=sticker.colour, width=0, radius=0)
    step = size * PT * LEADING
    lines = _wrapped(sticker.lines, room_w, size * PT)
    most = max(1, int(room_h // step))
    shown = lines if len(lines) <= most else [*lines[: most - 1], lines[-1]]
    top = y + inset + (room_h - len(shown) * step) / 2
    for n, (text, weight) in enumerate(shown):
        cut = fit(text, room_w, size * PT, weight)
        page.text(x + 2 * inset + bar, top + (n + 0.82) * step, cut, size * PT, weight=weight)


def _wrapped(lines: tuple[str, ...], room: float, size: float) -> list[tuple[str, int]]:
    """Lines broken between words; those of one name run on at the next line."""
    out: list[tuple[str, int]] = []
    for n, line in enumerate(lines):
        weight = 600 if n == 0 else 400
        current = ""
        for word in line.split(" "):
            tried = f"{current} {word}" if current else word
            if current and _width(tried, weight) * size > room:
                out.append((current, weight))
                current = word
            else:
                current = tried
        out.append((current.strip(), weight))
    return out


@lru_cache(maxsize=1 << 16)
def _width(text: str, weight: int) -> float:
    """Width at size 1: it grows with the size."""
    return text_width(text, 1.0, weight)


def _cut(lines: list[tuple[str, int]], room: float, size: float) -> bool:
    return any(_width(text, weight) * size > room for text, weight in lines)
