"""A small SVG writer: plain text, symbols for pictograms, no scripts, no foreign objects, no style sheet.

Coordinates are the page's own units (``fabricwright.exchange.sheet_page``). Colours are tokens of the print theme.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

from fabricwright.exchange.font_metrics import fit, text_width
from fabricwright.resources import resource_path

FAMILIES = (
    "'Fabricwright Sans', Inter, 'Noto Sans SC', 'Noto Sans CJK SC', 'Microsoft YaHei', 'PingFang SC', sans-serif"
)
RAIL_DASH = ("", "9 3", "2 3", "9 3 2 3", "14 4", "5 3", "9 3 2 3 2 3", "3 2")
"""Dash of rails 0..7 in print: kinds of link must be told apart without colour."""

_NOT_XML = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@lru_cache(maxsize=1)
def print_theme() -> dict[str, str]:
    """Colour tokens of the print theme."""
    tokens: dict[str, dict[str, str]] = json.loads(resource_path("themes", "tokens.json").read_text(encoding="utf-8"))
    return tokens["print"]


def colour(token: str) -> str:
    """Hex colour of a token; a hex colour stays."""
    return token if token.startswith("#") or token == "none" else print_theme()[token]


@lru_cache(maxsize=64)
def _pictogram(name: str) -> tuple[str, str]:
    """(viewBox, inner markup) of an icon that ships with the program."""
    text = resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")
    found = re.search(r"<svg[^>]*viewBox=\"([^\"]+)\"[^>]*>(.*)</svg>", text, re.DOTALL)
    assert found is not None, name
    return found[1], found[2]


class Svg:
    """A growing drawing. All methods draw on top of what is there."""

    def __init__(self, width: float, height: float, width_mm: float, height_mm: float, title: str, lang: str) -> None:
        self.width, self.height = width, height
        self._size = (width_mm, height_mm)
        self._title = title
        self._lang = "zh-CN" if lang == "zh_CN" else "en"
        self._symbols: dict[str, str] = {}
        self._body: list[str] = []

    def rect(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        *,
        fill: str = "none",
        stroke: str = "text",
        width: float = 1.2,
        radius: float = 6,
        dash: str = "",
    ) -> None:
        """A rectangle; ``width`` 0 draws no outline."""
        pen = f' stroke="{colour(stroke)}" stroke-width="{_n(width)}"' if width else ""
        self._body.append(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" rx="{_n(min(radius, h / 2))}" '
            f'fill="{colour(fill)}"{pen}{_dash(dash)}/>'
        )

    def line(
        self,
        points: list[tuple[float, float]],
        *,
        stroke: str = "text",
        width: float = 1.2,
        dash: str = "",
        radius: float = 0,
    ) -> None:
        """A polyline; ``radius`` rounds its corners."""
        if len(points) == 2 and not radius:
            (x1, y1), (x2, y2) = points
            self._body.append(
                f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" stroke="{colour(stroke)}" '
                f'stroke-width="{_n(width)}"{_dash(dash)}/>'
            )
            return
        pen = f'stroke="{colour(stroke)}" stroke-width="{_n(width)}"{_dash(dash)}'
        self._body.append(f'<path d="{_rounded(points, radius)}" fill="none" {pen}/>')

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 12,
        *,
        weight: int = 400,
        fill: str = "text",
        anchor: str = "start",
        room: float = 0,
    ) -> float:
        """One line with its baseline at ``y``; shortened to ``room`` when that is given. Returns the width drawn."""
        shown = fit(text, room, size, weight) if room else text
        where = f' text-anchor="{anchor}"' if anchor != "start" else ""
        heavy = f' font-weight="{weight}"' if weight != 400 else ""
        look = f'font-size="{_n(size)}" fill="{colour(fill)}"{heavy}{where}'
        self._body.append(f'<text x="{_n(x)}" y="{_n(y)}" {look}>{escape(clean(shown))}</text>')
        return text_width(shown, size, weight)

    def icon(self, name: str, x: float, y: float, size: float, fill: str = "text") -> None:
        """A pictogram; drawn once as a symbol, used wherever it is needed. Lines take the colour ``fill``."""
        box, markup = _pictogram(name)
        self._symbols[name] = f'<symbol id="i-{name}" viewBox="{box}">{markup}</symbol>'
        place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(size)}" height="{_n(size)}"'
        self._body.append(f'<use href="#i-{name}" {place} color="{colour(fill)}"/>')

    def begin(self, name: str) -> None:
        """Open a group that carries the address of what it draws."""
        self._body.append(f"<g id={quoteattr(clean(name))}>")

    def end(self) -> None:
        """Close the group."""
        self._body.append("</g>")

    def to_bytes(self) -> bytes:
        """The whole file, UTF-8."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(self._size[0])}mm" height="{_n(self._size[1])}mm" '
            f'viewBox="0 0 {_n(self.width)} {_n(self.height)}" font-family="{FAMILIES}" xml:lang="{self._lang}">'
        )
        defs = "<defs>" + "".join(self._symbols[k] for k in sorted(self._symbols)) + "</defs>"
        page = f'<rect x="0" y="0" width="{_n(self.width)}" height="{_n(self.height)}" fill="#FFFFFF"/>'
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            head,
            f"<title>{escape(clean(self._title))}</title>",
            defs,
            page,
        ]
        return "\n".join([*lines, *self._body, "</svg>", ""]).encode()


def draw_tie(svg: Svg, xs: list[float], y: float, text: str, name: str) -> None:
    """The white label that ties the lines at ``xs`` together at height ``y``."""
    width = max(max(xs) - min(xs) + 32, text_width(text, 12) + 26)
    middle = (min(xs) + max(xs)) / 2
    svg.begin(name)
    svg.rect(middle - width / 2, y - 11, width, 22, fill="raised", width=1.1, radius=11)
    svg.text(middle, y + 4.3, text, 12, anchor="middle")
    svg.end()


def clean(text: str) -> str:
    """Text without characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def _dash(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""


def _rounded(points: list[tuple[float, float]], radius: float) -> str:
    """Path through the points, each inner corner cut by a quadratic curve."""
    path = f"M{_n(points[0][0])} {_n(points[0][1])}"
    for before, here, after in zip(points, points[1:], points[2:], strict=False):
        room = min(radius, _distance(before, here) / 2, _distance(here, after) / 2)
        (x1, y1), (x2, y2) = _towards(here, before, room), _towards(here, after, room)
        path += f"L{_n(x1)} {_n(y1)}Q{_n(here[0])} {_n(here[1])} {_n(x2)} {_n(y2)}"
    return path + f"L{_n(points[-1][0])} {_n(points[-1][1])}"


def _distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def _towards(start: tuple[float, float], end: tuple[float, float], step: float) -> tuple[float, float]:
    length = _distance(start, end) or 1.0
    return start[0] + (end[0] - start[0]) * step / length, start[1] + (end[1] - start[1]) * step / length
