"""How wide a text is in Fabricwright Sans, read from the font files themselves, so that drawings fit without a window.

Only what is needed of OpenType: ``head`` (units per em), ``hhea`` and ``hmtx`` (advances), ``cmap`` formats 4 and 12.
No kerning: the result is an upper estimate within a few per cent. Characters that the font lacks (Chinese) take one em.
"""

from __future__ import annotations

import struct
from functools import lru_cache

from fabricwright.resources import resource_path
from fabricwright.units.record import record

FILES = {400: "Regular", 500: "Medium", 600: "SemiBold", 700: "Bold"}
ELLIPSIS = "…"
CLOSING = "，。、；：？！）》」』”’％"
OPENING = "（《「『“‘"


@record
class FontMetrics:
    """Advance of each known character in em."""

    advance: dict[int, float]

    def width(self, text: str) -> float:
        """Width in em."""
        return sum(self.advance.get(ord(c), 1.0 if ord(c) > 0x2E7F else 0.6) for c in text)


def text_width(text: str, size: float, weight: int = 400) -> float:
    """Width of one line in the unit of ``size``."""
    return metrics(weight).width(text) * size


def fit(text: str, room: float, size: float, weight: int = 400) -> str:
    """The text, shortened with an ellipsis when it is wider than ``room``."""
    if text_width(text, size, weight) <= room:
        return text
    # Each letter adds to the width, so the longest beginning that fits is found in one pass.
    known, left, kept = metrics(weight), room / size - metrics(weight).width(ELLIPSIS), 0
    for char in text:
        left -= known.width(char)
        if left < 0:
            break
        kept += 1
    return text[:kept].rstrip() + ELLIPSIS if kept else ""


def wrap(text: str, room: float, size: float, weight: int = 400, most: int = 3) -> list[str]:
    """The text in at most ``most`` lines no wider than ``room``; breaks at spaces, after hyphens, between Chinese."""
    pieces: list[str] = []
    for char in text:
        starts = not pieces or pieces[-1][-1] in " -" or ord(char) > 0x2E7F or ord(pieces[-1][-1]) > 0x2E7F
        # No line of Chinese begins with a mark that closes or ends with one that opens (GB/T 15834).
        starts = starts and not (pieces and (char in CLOSING or pieces[-1][-1] in OPENING))
        if starts:
            pieces.append(char)
        else:
            pieces[-1] += char
    pieces = [part for piece in pieces for part in _cut(piece, room, size, weight)]
    lines = [""]
    for n, piece in enumerate(pieces):
        if lines[-1] and text_width((lines[-1] + piece).rstrip(), size, weight) > room:
            if len(lines) == most:
                lines[-1] = fit(lines[-1] + "".join(pieces[n:]), room, size, weight)
                break
            lines.append("")
        lines[-1] += piece
    return [fit(line.strip(), room, size, weight) for line in lines if line.strip()]


def _cut(piece: str, room: float, size: float, weight: int) -> list[str]:
    """A word in pieces that fit: a part number must be read in full."""
    out = [""]
    for char in piece:
        if out[-1] and text_width((out[-1] + char).rstrip(), size, weight) > room:
            out.append("")
        out[-1] += char
    return out


@lru_cache(maxsize=8)
def metrics(weight: int = 400) -> FontMetrics:
    """Metrics of one weight; a guess of 0.6 em per character when the font file is not there."""
    name = FILES.get(weight, "Regular")
    try:
        data = resource_path("fonts", f"FabricwrightSans-{name}.otf").read_bytes()
    except OSError:
        return FontMetrics({})
    return FontMetrics(_advances(data))


def _advances(data: bytes) -> dict[int, float]:
    tables: dict[bytes, int] = {}
    for n in range(struct.unpack_from(">H", data, 4)[0]):
        tag, _, offset, _ = struct.unpack_from(">4sLLL", data, 12 + 16 * n)
        tables[tag] = offset
    per_em = struct.unpack_from(">H", data, tables[b"head"] + 18)[0]
    count = struct.unpack_from(">H", data, tables[b"hhea"] + 34)[0]
    hmtx = tables[b"hmtx"]

    def advance(glyph: int) -> float:
        return int(struct.unpack_from(">H", data, hmtx + 4 * min(glyph, count - 1))[0]) / int(per_em)

    return {char: advance(glyph) for char, glyph in _character_map(data, tables[b"cmap"]).items() if glyph}


def _character_map(data: bytes, cmap: int) -> dict[int, int]:
    out: dict[int, int] = {}
    for n in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        offset = cmap + struct.unpack_from(">HHL", data, cmap + 4 + 8 * n)[2]
        form = struct.unpack_from(">H", data, offset)[0]
        if form == 12:
            for g in range(struct.unpack_from(">L", data, offset + 12)[0]):
                first, last, glyph = struct.unpack_from(">LLL", data, offset + 16 + 12 * g)
                out.update({first + k: glyph + k for k in range(last - first + 1)})
        elif form == 4:
            out.update(_format_4(data, offset))
    return out


def _format_4(data: bytes, offset: int) -> dict[int, int]:
    out: dict[int, int] = {}
    twice = struct.unpack_from(">H", data, offset + 6)[0]
    for s in range(0, twice, 2):
        last = struct.unpack_from(">H", data, offset + 14 + s)[0]
        first = struct.unpack_from(">H", data, offset + 16 + twice + s)[0]
        delta = struct.unpack_from(">H", data, offset + 16 + 2 * twice + s)[0]
        at = offset + 16 + 3 * twice + s
        shift = struct.unpack_from(">H", data, at)[0]
        for char in range(first, last + 1):
            if char == 0xFFFF:
                continue
            if shift:
                glyph = struct.unpack_from(">H", data, at + shift + 2 * (char - first))[0]
                out[char] = (glyph + delta) & 0xFFFF if glyph else 0
            else:
                out[char] = (char + delta) & 0xFFFF
    return out
