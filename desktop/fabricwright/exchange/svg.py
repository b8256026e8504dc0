"""A recorded drawing as SVG: plain text, symbols for pictograms, no scripts, no foreign objects, no style sheet."""

from __future__ import annotations

import re
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

from fabricwright.exchange.font_metrics import text_width
from fabricwright.exchange.ink import (
    Begin,
    End,
    Ink,
    Line,
    Path,
    Picture,
    Port,
    Rect,
    Symbol,
    Text,
    colour,
    corners,
    print_theme,
)
from fabricwright.resources import resource_path

__all__ = ["FAMILIES", "RAIL_DASH", "Svg", "clean", "colour", "draw_tie", "print_theme", "svg_bytes"]

FAMILIES = (
    "'Fabricwright Sans', Inter, 'Noto Sans SC', 'Noto Sans CJK SC', 'Microsoft YaHei', 'PingFang SC', sans-serif"
)
RAIL_DASH = ("", "9 3", "2 3", "9 3 2 3", "14 4", "5 3", "9 3 2 3 2 3", "3 2")
"""Dash of rails 0..7 in print: kinds of link must be told apart without colour."""

SIZE, WIDTH = 12.0, 1.2
"""What the root element states once for all text and lines."""

_NOT_XML = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@lru_cache(maxsize=128)
def pictogram_markup(name: str) -> tuple[str, str]:
    """(viewBox, inner markup) of an icon that ships with the program."""
    text = resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")
    found = re.search(r"<svg([^>]*)viewBox=\"([^\"]+)\"([^>]*)>(.*)</svg>", text, re.DOTALL)
    assert found is not None, name
    return found[2], found[4]


class Svg(Ink):
    """A recorded drawing that is going to be SVG."""

    def to_bytes(self) -> bytes:
        """The whole file, UTF-8."""
        return svg_bytes(self)


def svg_bytes(ink: Ink) -> bytes:
    """The drawing as an SVG file, UTF-8; the same drawing gives the same bytes."""
    writer = _Writer(ink)
    body = [piece for op in ink.ops if (piece := writer.piece(op))]
    text = ink.colour("text")
    lang = "zh-CN" if ink.lang == "zh_CN" else "en"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(ink.width_mm)}mm" height="{_n(ink.height_mm)}mm" '
        f'viewBox="0 0 {_n(ink.width)} {_n(ink.height)}" font-family="{FAMILIES}" font-size="{_n(SIZE)}" '
        f'fill="{text}" color="{text}" stroke-width="{_n(WIDTH)}" xml:lang="{lang}">'
    )
    defs = "<defs>" + "".join(_symbol(name) for name in sorted(writer.symbols)) + "</defs>"
    page = f'<rect x="0" y="0" width="{_n(ink.width)}" height="{_n(ink.height)}" fill="#FFFFFF"/>'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head, f"<title>{escape(clean(ink.title))}</title>", defs]
    if not ink.transparent:
        lines.append(page)
    return "\n".join([*lines, *body, "</svg>", ""]).encode()


def _symbol(name: str) -> str:
    box, markup = pictogram_markup(name)
    # What the icon's own root says (no fill, round ends) must be said again where only its inside is taken over.
    outer = "" if "fill=" in markup else ' fill="none"'
    return f'<symbol id="i-{name}" viewBox="{box}"{outer}>{markup}</symbol>'


class _Writer:
    """Turns operations into elements."""

    def __init__(self, ink: Ink) -> None:
        self._colour = lru_cache(maxsize=256)(ink.colour)
        self.symbols: set[str] = set()

    def piece(self, op: object) -> str:
        """One element, or "" for what SVG does not show."""
        if isinstance(op, Rect):
            pen = f' stroke="{self._colour(op.stroke)}"{_width(op.width)}' if op.width else ""
            round_ = f' rx="{_n(op.radius)}"' if op.radius > 0 else ""
            return (
                f'<rect x="{_n(op.x)}" y="{_n(op.y)}" width="{_n(op.w)}" height="{_n(op.h)}"{round_} '
                f'fill="{self._colour(op.fill)}"{pen}{_dash(op.dash)}/>'
            )
        if isinstance(op, Text):
            return self._text(op)
        if isinstance(op, Line):
            return self._line(op)
        if isinstance(op, Symbol):
            self.symbols.add(op.name)
            tint = "" if op.fill == "text" else f' color="{self._colour(op.fill)}"'
            place = f'x="{_n(op.x)}" y="{_n(op.y)}" width="{_n(op.size)}" height="{_n(op.size)}"'
            return f'<use href="#i-{op.name}" {place}{tint}/>'
        if isinstance(op, Begin):
            return f"<g id={quoteattr(clean(op.name))}>"
        if isinstance(op, End):
            return "</g>"
        if isinstance(op, Picture):
            place = f'x="{_n(op.x)}" y="{_n(op.y)}" width="{_n(op.w)}" height="{_n(op.h)}"'
            return f'<image {place} href="data:{op.media};base64,{op.data}"/>'
        if isinstance(op, Port) and op.fill != "none":
            return (
                f'<rect x="{_n(op.x)}" y="{_n(op.y)}" width="{_n(op.w)}" height="{_n(op.h)}" rx="1.5" '
                f'fill="{self._colour(op.fill)}"/>'
            )
        if isinstance(op, Path):
            pen = f' stroke="{self._colour(op.stroke)}"{_width(op.width)}' if op.width else ""
            return f'<path d="{_d(op.steps)}" fill="{self._colour(op.fill)}"{pen}{_dash(op.dash)}/>'
        return ""

    def _text(self, op: Text) -> str:
        where = f' text-anchor="{op.anchor}"' if op.anchor != "start" else ""
        heavy = f' font-weight="{op.weight}"' if op.weight != 400 else ""
        size = f' font-size="{_n(op.size)}"' if op.size != SIZE else ""
        tint = f' fill="{self._colour(op.fill)}"' if op.fill != "text" else ""
        turn = f' transform="rotate({_n(op.turn)} {_n(op.x)} {_n(op.y)})"' if op.turn else ""
        shown = escape(clean(op.text))
        return f'<text x="{_n(op.x)}" y="{_n(op.y)}"{size}{tint}{heavy}{where}{turn}>{shown}</text>'

    def _line(self, op: Line) -> str:
        pen = f'stroke="{self._colour(op.stroke)}"{_width(op.width)}{_dash(op.dash)}'
        if len(op.points) == 2:
            (x1, y1), (x2, y2) = op.points
            return f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" {pen}/>'
        return f'<path d="{_d(tuple(corners(op)))}" fill="none" {pen}/>'


def draw_tie(svg: Ink, xs: list[float], y: float, text: str, name: str) -> None:
    """The white label that ties the lines at ``xs`` together at height ``y``."""
    width = max(max(xs) - min(xs) + 32, text_width(text, 12) + 26)
    middle = (min(xs) + max(xs)) / 2
    svg.begin(f"tie-{name}", layer="labels")
    svg.rect(middle - width / 2, y - 11, width, 22, fill="raised", width=1.1, radius=11)
    svg.text(middle, y + 4.3, text, 12, anchor="middle")
    svg.end()


def clean(text: str) -> str:
    """Text without characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def _d(steps: tuple[tuple[str | float, ...], ...]) -> str:
    return "".join(f"{step[0]}{' '.join(_n(float(v)) for v in step[1:])}" for step in steps)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def _width(width: float) -> str:
    return "" if width == WIDTH else f' stroke-width="{_n(width)}"'


def _dash(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""
