"""What is on a sheet as a picture: cards, edges and ties in plain arrays. No Qt.

One scene feeds the canvas on screen, the minimap and the exports. Positions are scene units: 1 unit = 1 logical pixel
at
100 %. Cards of expanded groups are made only when they are painted, so ten thousand members cost four arrays.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.indexset import IndexSet
from fabricwright.ui.paint.edges import KINDS, EdgeList, Edges

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]

__all__ = [
    "BACKGROUND",
    "F32",
    "I32",
    "KINDS",
    "NOT_ROWS",
    "Card",
    "EdgeList",
    "Edges",
    "Label",
    "LaneBar",
    "Mark",
    "Meter",
    "Scene",
    "Share",
    "Style",
    "Tie",
    "Tile",
]


class Style(IntEnum):
    """How a card is drawn (design language section 7)."""

    FRAME = 0
    GROUP = 1
    LEAF = 2
    LEAF_WIDE = 3
    SPINE = 4
    DEVICE = 5
    RACK = 6
    CPU = 7
    GPU = 8
    CARD = 9
    SWITCH = 10
    CHIP = 11
    SLOT = 12
    BAR = 13
    BRACKET = 14
    NOTE = 15
    PICTURE = 16
    POWER = 17


#: Painted first, never picked before what stands on them.
BACKGROUND = (Style.FRAME,)
#: Drawing aids that are not rows of the document.
NOT_ROWS = (Style.BRACKET, Style.POWER)


@dataclass(frozen=True, slots=True)
class Mark:
    """A port on the edge of a card. ``edge`` t, b, l or r; ``at`` distance along the edge; ``token`` colour; ``wide``
    draws a cage."""

    port: str
    edge: str
    at: float
    token: str = "pcie"
    label: str = ""
    filled: bool = True
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Meter:
    """A budget bar: label left, bar, figure right. ``state`` ok, warn, error or plain decides the colour."""

    label: str
    fraction: float
    figure: str
    state: str = "ok"


@dataclass(frozen=True, slots=True)
class Share:
    """One consumer in a lane bar. ``pending`` marks what a card on the mouse would take."""

    label: str
    value: float
    token: str
    pending: str = ""


@dataclass(frozen=True, slots=True)
class LaneBar:
    """Lane budget of a CPU: shares, total available, and the figure at the right."""

    shares: tuple[Share, ...]
    total: float
    figure: str
    state: str = "plain"
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """One switch inside a spine frame."""

    label: str
    load: float | None = None


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Card:
    """One thing on the sheet, ready to paint.

    ``id`` row id ("leaf", "gpu0", "chassis:s6"); ``members`` which members of a group this card shows (None = all);
    ``also`` further ids folded into it; ``titles`` the name from long to short, the longest that fits is drawn;
    ``lines`` facts, dropped from the end when there is no room; ``frame`` colour token of the outline.
    """

    id: str
    style: Style
    icon: str = ""
    titles: tuple[str, ...] = ("",)
    subtitle: str = ""
    lines: tuple[str, ...] = ()
    corner: tuple[str, ...] = ()
    pill: str = ""
    far: str = ""
    members: IndexSet | None = None
    also: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    meters: tuple[Meter, ...] = ()
    tiles: tuple[Tile, ...] = ()
    tile_columns: int = 0
    lanes: LaneBar | None = None
    frame: str = ""
    rail: int = -1
    layers: int = 0
    forced: bool = False
    locked: bool = False
    estimate: bool = False
    drop: tuple[str, ...] = ()
    tip: str = ""
    #: Media type and base64 text of a picture.
    picture: tuple[str, str] = ("", "")
    #: Room that the title of a frame leaves free at the right.
    reserve: float = 0.0


@dataclass(frozen=True, slots=True)
class Tie:
    """The white pill that names what parallel lines carry. ``texts`` from long to short; ``vertical`` lines run up
    and down."""

    link: str
    x0: float
    x1: float
    y: float
    texts: tuple[str, ...]
    load: float | None = None
    token: str = ""
    vertical: bool = True


@dataclass(frozen=True, slots=True)
class Label:
    """Free text beside a link: lanes, generation, loss. ``anchor`` l, r or c; ``state`` "" or a severity (drawn as a
    pill);
    ``text`` may hold shorter forms after tabs, taken when the longer ones are wider than ``room``."""

    x: float
    y: float
    text: str
    room: float = 1e9
    anchor: str = "l"
    state: str = ""
    link: str = ""
    token: str = "text.2"
    min_scale: float = 0.0


class Scene:
    """Cards and edges of one sheet.

    ``cards`` may hold None where a card is made on demand by ``make``; ``x, y, w, h`` float32; ``style`` int8.
    Background cards
    come first in painting order by ``order``. ``runs`` row id -> (first card, the members its cards show, ascending)
    of open groups; ``cables`` lines of one member of a large open group, which are not in ``edges``.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.cards: list[Card | None] = []
        self.x: F32 = np.zeros(0, np.float32)
        self.y: F32 = np.zeros(0, np.float32)
        self.w: F32 = np.zeros(0, np.float32)
        self.h: F32 = np.zeros(0, np.float32)
        self.style: NDArray[np.int8] = np.zeros(0, np.int8)
        self.make: Callable[[int], Card] | None = None
        self.runs: dict[str, list[tuple[int, I32]]] = {}
        self.cables: Callable[[int], Edges] | None = None
        self.edges = Edges()
        self.ties: list[Tie] = []
        self.labels: list[Label] = []
        self.by_id: dict[str, list[int]] = {}
        self.legend: dict[str, object] = {}
        self.memo: dict[str, object] = {}
        #: Stacking of every card, int32(n); None = as they were made.
        self.rank: I32 | None = None

    # -- building ---------------------------------------------------------------------------------------------------

    def fill(
        self, cards: Sequence[Card | None], boxes: F32, styles: NDArray[np.int8], ids: dict[str, list[int]]
    ) -> None:
        """Set all cards at once; ``boxes`` (n, 4) x, y, w, h."""
        self.cards = list(cards)
        self.x, self.y, self.w, self.h = (np.ascontiguousarray(boxes[:, k], np.float32) for k in range(4))
        self.style = styles
        self.by_id = ids

    def fill_cards(self, cards: Sequence[Card], boxes: Sequence[tuple[float, float, float, float]]) -> None:
        """Set all cards from finished ones."""
        ids: dict[str, list[int]] = {}
        for index, card in enumerate(cards):
            for row_id in (card.id, *card.also, *card.drop):
                entry = ids.setdefault(row_id, [])
                if index not in entry:
                    entry.append(index)
        array = np.array(boxes, np.float32).reshape(len(cards), 4)
        self.fill(cards, array, np.array([card.style for card in cards], np.int8), ids)

    def append(self, cards: Sequence[Card], boxes: Sequence[tuple[float, float, float, float]]) -> None:
        """Further cards after all others; those known keep their numbers."""
        if not cards:
            return
        ids = {key: list(value) for key, value in self.by_id.items()}
        for n, card in enumerate(cards, len(self)):
            ids.setdefault(card.id, []).append(n)
        array = np.array(boxes, np.float32).reshape(len(cards), 4)
        old = np.stack([self.x, self.y, self.w, self.h], axis=1)
        styles = np.concatenate([self.style, np.array([card.style for card in cards], np.int8)])
        self.fill([*self.cards, *cards], np.concatenate([old, array]), styles, ids)

    def stack(self, order: Mapping[str, int]) -> None:
        """Put cards in front of others (row id -> level, 0 = where they were made); lines and frames stay behind."""
        if not order:
            return
        rank = np.zeros(len(self), np.int32)
        for row_id, level in order.items():
            rank[self.by_id.get(row_id, [])] = level
        self.rank = rank if rank.any() else None

    # -- reading ----------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.cards)

    def card(self, index: int) -> Card:
        """The card at ``index``, made now when it was left out."""
        card = self.cards[index]
        if card is None:
            assert self.make is not None
            card = self.cards[index] = self.make(index)
        return card

    def rows_of(self, row_id: str, members: IndexSet | None = None) -> list[int]:
        """Cards of a row that show any of ``members``; None = the row as a whole, which for an open group is its
        frame."""
        rows = self.by_id.get(row_id, [])
        runs = self.runs.get(row_id, ())
        if members is None:
            return rows[: bisect_left(rows, runs[0][0])] if runs else rows
        if not runs:
            return [i for i in rows if (m := self.card(i).members) is None or any(x in m for x in members)]
        out: list[int] = []
        for start, shown in runs:
            wanted = np.fromiter(members, np.int64, len(members))
            place = np.minimum(np.searchsorted(shown, wanted), len(shown) - 1)
            out += (start + place[shown[place] == wanted]).tolist()
        return out

    def box(self, index: int) -> tuple[float, float, float, float]:
        """x, y, w, h."""
        return float(self.x[index]), float(self.y[index]), float(self.w[index]), float(self.h[index])

    def bounds(self) -> tuple[float, float, float, float]:
        """x, y, w, h of everything; a unit square when empty."""
        if not len(self):
            return 0.0, 0.0, 1.0, 1.0
        x0, y0 = float(self.x.min()), float(self.y.min())
        x1, y1 = float((self.x + self.w).max()), float((self.y + self.h).max())
        if len(self.edges):
            boxes = self.edges.boxes()
            x0, y0 = min(x0, float(boxes[:, 0].min())), min(y0, float(boxes[:, 1].min()))
            x1, y1 = max(x1, float(boxes[:, 2].max())), max(y1, float(boxes[:, 3].max()))
        return x0, y0, x1 - x0, y1 - y0

    def bounds_of(self, ids: Iterable[str]) -> tuple[float, float, float, float] | None:
        """Box around the cards and edges of some rows; None when none is drawn."""
        rows = [i for row_id in ids for i in self.by_id.get(row_id, ())]
        boxes = [self.box(i) for i in rows]
        wanted = {n for n, link in enumerate(self.edges.links) if link in set(ids)}
        if wanted:
            mask = np.isin(self.edges.link, list(wanted))
            boxes += [
                (float(b[0]), float(b[1]), float(b[2] - b[0]), float(b[3] - b[1]))
                for b in self.edges.boxes()[mask][:200]
            ]
        if not boxes:
            return None
        x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
        return x0, y0, max(b[0] + b[2] for b in boxes) - x0, max(b[1] + b[3] for b in boxes) - y0

    def visible(self, x0: float, y0: float, x1: float, y1: float) -> I32:
        """Indices of the cards that touch a rectangle, backgrounds first."""
        mask = (self.x < x1) & (self.x + self.w > x0) & (self.y < y1) & (self.y + self.h > y0)
        found = np.flatnonzero(mask).astype(np.int32)
        front = self.style[found] != Style.FRAME
        if self.rank is not None:
            return found[np.lexsort((self.rank[found], front))]
        return np.concatenate([found[~front], found[front]])

    def visible_edges(self, x0: float, y0: float, x1: float, y1: float, *, courses: bool = False) -> I32:
        """Indices of the edges whose bounding box touches a rectangle; with ``courses`` one of their pieces must."""
        left, top, right, low = self.edges.sides()
        found = np.flatnonzero((left <= x1) & (right >= x0) & (top <= y1) & (low >= y0)).astype(np.int32)
        if not courses or len(found) < 100:
            return found
        edges = self.edges
        # Every two neighbouring points of those edges: the pieces, and joints between two edges, which are left out.
        counts = edges.indptr[found + 1] - edges.indptr[found]
        owner = np.repeat(found, counts)
        first = np.repeat(edges.indptr[found] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        p = edges.points[first + np.arange(len(owner))]
        a, b = p[:-1], p[1:]
        touch = (np.minimum(a[:, 0], b[:, 0]) <= x1) & (np.maximum(a[:, 0], b[:, 0]) >= x0)
        touch &= (np.minimum(a[:, 1], b[:, 1]) <= y1) & (np.maximum(a[:, 1], b[:, 1]) >= y0)
        touch &= owner[:-1] == owner[1:]
        hit = np.zeros(len(edges), np.bool_)
        hit[owner[:-1][touch]] = True
        return np.flatnonzero(hit).astype(np.int32)
