"""A recorded drawing: plain frozen operations that the SVG, draw.io and Qt writers replay.

Everything that leaves as a page is drawn once on an ``Ink``. Coordinates are the page's own units, y grows downwards;
colours are tokens of the print theme or hex. Later operations lie on top of earlier ones.

Groups carry the address of what they draw; ``port`` marks the places of a group where lines end, and a ``line`` with
``ends`` joins two of them, so that a writer for an editable format makes real ports and connectors.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TypeAlias

from fabricwright.exchange.font_metrics import fit, text_width
from fabricwright.resources import resource_path
from fabricwright.units.record import record

Point: TypeAlias = tuple[float, float]


@record
class Rect:
    """A rectangle; ``width`` 0 draws no outline."""

    x: float
    y: float
    w: float
    h: float
    fill: str
    stroke: str
    width: float
    radius: float
    dash: str


@record
class Line:
    """A polyline, its corners rounded by ``radius``. ``ends`` the two ports it joins, or None; ``name`` of the link."""

    points: tuple[Point, ...]
    stroke: str
    width: float
    dash: str
    radius: float
    ends: tuple[str, str] | None
    name: str


@record
class Path:
    """A free shape: steps ("M", x, y), ("L", x, y), ("Q", cx, cy, x, y), ("C", ax, ay, bx, by, x, y), ("Z",)."""

    steps: tuple[tuple[str | float, ...], ...]
    fill: str
    stroke: str
    width: float
    dash: str


@record
class Text:
    """One line with its baseline at ``y``; ``anchor`` start, middle or end; ``turn`` degrees clockwise about (x, y)."""

    x: float
    y: float
    text: str
    size: float
    weight: int
    fill: str
    anchor: str
    turn: float = 0.0


@record
class Symbol:
    """A pictogram that ships with the program, in a square of ``size``; its lines take the colour ``fill``."""

    name: str
    x: float
    y: float
    size: float
    fill: str


@record
class Picture:
    """A PNG or JPEG, as large as it is said to be: ``data`` base64 of a file that was checked before."""

    x: float
    y: float
    w: float
    h: float
    media: str
    data: str


@record
class Port:
    """A place of group ``owner`` where lines end. ``fill`` "none" marks it without drawing anything."""

    name: str
    owner: str
    x: float
    y: float
    w: float
    h: float
    fill: str


@record
class Begin:
    """Opens a group. ``name`` is unique in the drawing; ``address`` what it stands for."""

    name: str
    address: str
    layer: str


@record
class End:
    """Closes the group."""


Op: TypeAlias = Rect | Line | Path | Text | Symbol | Picture | Port | Begin | End


@lru_cache(maxsize=1)
def print_theme() -> dict[str, str]:
    """Colour tokens of the print theme."""
    tokens: dict[str, dict[str, str]] = json.loads(resource_path("themes", "tokens.json").read_text(encoding="utf-8"))
    return tokens["print"]


def colour(token: str) -> str:
    """Hex colour of a token; a hex colour stays."""
    return token if token.startswith("#") or token == "none" else print_theme()[token]


def grey(token: str) -> str:
    """The same without hue: white stays white, a colour becomes a dark enough grey of its own lightness.

    Kinds of link keep their dashes, and the load ramp runs from light to dark anyway, so nothing is lost on a printer
    without colour.
    """
    shade = colour(token)
    if shade == "none":
        return shade
    red, green, blue = (int(shade[k : k + 2], 16) for k in (1, 3, 5))
    # ITU-R BT.601 luma
    luma = round(0.299 * red + 0.587 * green + 0.114 * blue)
    if not token.startswith("heat") and luma < 200 and max(red, green, blue) - min(red, green, blue) > 40:
        luma = min(luma, 96)
    return f"#{luma:02X}{luma:02X}{luma:02X}"


class Ink:
    """A growing drawing of ``width`` x ``height`` units on a page of ``width_mm`` x ``height_mm``."""

    def __init__(self, width: float, height: float, width_mm: float, height_mm: float, title: str, lang: str) -> None:
        self.width, self.height = width, height
        self.width_mm, self.height_mm = width_mm, height_mm
        self.title = title
        self.lang = lang
        self.ops: list[Op] = []
        self.layer = ""
        self.without_colour = False
        self.transparent = False
        self._names: dict[str, int] = {}
        self._open: list[str] = []
        self._ports: set[str] = set()

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
        self.ops.append(Rect(x, y, w, h, fill, stroke, width, min(radius, h / 2, w / 2), dash))

    def line(
        self,
        points: list[Point],
        *,
        stroke: str = "text",
        width: float = 1.2,
        dash: str = "",
        radius: float = 0,
        ends: tuple[str, str] | None = None,
        name: str = "",
    ) -> None:
        """A polyline; ``radius`` rounds its corners; ``ends`` names the two ports it joins."""
        self.ops.append(Line(tuple(points), stroke, width, dash, radius, ends, name))

    def path(
        self,
        steps: list[tuple[str | float, ...]],
        *,
        fill: str = "none",
        stroke: str = "text",
        width: float = 1.2,
        dash: str = "",
    ) -> None:
        """A free shape, see ``Path``."""
        self.ops.append(Path(tuple(steps), fill, stroke, width, dash))

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
        turn: float = 0.0,
    ) -> float:
        """One line with its baseline at ``y``; shortened to ``room`` when that is given. Returns the width drawn."""
        shown = fit(text, room, size, weight) if room else text
        if shown:
            self.ops.append(Text(x, y, shown, size, weight, fill, anchor, turn))
        return text_width(shown, size, weight)

    def icon(self, name: str, x: float, y: float, size: float, fill: str = "text") -> None:
        """A pictogram; its lines take the colour ``fill``."""
        self.ops.append(Symbol(name, x, y, size, fill))

    def picture(self, x: float, y: float, w: float, h: float, media: str, data: str) -> None:
        """An image of the project; ``data`` base64."""
        self.ops.append(Picture(x, y, w, h, media, data))

    def port(self, name: str, owner: str, x: float, y: float, w: float, h: float, fill: str = "none") -> str:
        """Mark where lines end on group ``owner``, (x, y) the middle; a name is marked once. Returns the name."""
        if name not in self._ports:
            self._ports.add(name)
            self.ops.append(Port(name, owner, x - w / 2, y - h / 2, w, h, fill))
        return name

    def begin(self, name: str, layer: str = "") -> str:
        """Open a group that carries the address of what it draws; returns its name, unique in the drawing."""
        seen = self._names[name] = self._names.get(name, 0) + 1
        unique = name if seen == 1 else f"{name}~{seen}"
        self.ops.append(Begin(unique, name, layer or self.layer))
        self._open.append(unique)
        return unique

    def end(self) -> None:
        """Close the group."""
        self._open.pop()
        self.ops.append(End())

    def colour(self, token: str) -> str:
        """Hex colour of a token as this drawing is to be shown."""
        return grey(token) if self.without_colour else colour(token)


def corners(line: Line) -> list[tuple[str | float, ...]]:
    """Steps through a line's points, each inner corner cut by a quadratic curve."""
    points, radius = line.points, line.radius
    steps: list[tuple[str | float, ...]] = [("M", *points[0])]
    for before, here, after in zip(points, points[1:], points[2:], strict=False):
        room = min(radius, _distance(before, here) / 2, _distance(here, after) / 2)
        if room <= 0:
            steps.append(("L", *here))
            continue
        (x1, y1), (x2, y2) = _towards(here, before, room), _towards(here, after, room)
        steps += [("L", x1, y1), ("Q", *here, x2, y2)]
    steps.append(("L", *points[-1]))
    return steps


def _distance(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def _towards(start: Point, end: Point, step: float) -> Point:
    length = _distance(start, end) or 1.0
    return start[0] + (end[0] - start[0]) * step / length, start[1] + (end[1] - start[1]) * step / length
