"""What a report is made of, before it is pages: chapters, paragraphs, tables, figures. Texts are in the report's
language already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from fabricwright.exchange.ink import Ink

Draw: TypeAlias = Callable[[Ink, float, float, float, float], None]
"""Draws into the box (x, y, width, height)."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A numbered heading of the first level."""

    title: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within a chapter."""

    title: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text. ``bullet``: an item of a list; ``small``: set in the size of captions' neighbours, grey."""

    text: str
    bullet: bool = False
    small: bool = False
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Tile:
    """A key figure: what it is, the value, what to know about it (its band, what binds)."""

    label: str
    value: str
    note: str = ""
    token: str = "text"


@dataclass(frozen=True, slots=True)
class Tiles:
    """Key figures in rows of ``across``."""

    tiles: tuple[Tile, ...]
    across: int = 3


@dataclass(frozen=True, slots=True)
class TableColumn:
    """``share`` of the table's width; ``right`` set at the right edge (figures)."""

    head: str
    share: float = 1.0
    right: bool = False


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A numbered table; rows go on over pages under a repeated head. ``icons`` (name, colour token) before the first
    cell of each row, or empty; ``strong`` and ``soft`` rows by number (sums; estimates); ``notes`` below it."""

    caption: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    icons: tuple[tuple[str, str], ...] = ()
    strong: frozenset[int] = frozenset()
    soft: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A numbered figure of this height, as wide as the text."""

    caption: str
    height: float
    draw: Draw


@dataclass(frozen=True, slots=True)
class FullPage:
    """A numbered figure that is a page of its own, on its own paper: a drawing. ``low``: its number stands at the foot,
    since the head is taken.
    """

    caption: str
    ink: Ink
    low: bool = False


Block: TypeAlias = Chapter | Heading | Paragraph | Tiles | ReportTable | Figure | FullPage


@dataclass(frozen=True, slots=True)
class Cover:
    """The first page: a title, a line below it, and rows of name and value (customer, project, revision ...)."""

    title: str
    subtitle: str
    rows: tuple[tuple[str, str], ...]
    note: str = ""
