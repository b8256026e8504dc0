"""Pictures of cards, painted once per zoom and colour set, so that panning and dragging only copy pixels."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap

from fabricwright.ui.paint.cards import MARGIN, paint_card
from fabricwright.ui.paint.cards_fabric import Name, name_apart
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.paint.scene import Card

MAX_SIDE = 2400
LIMIT_BYTES = 48 * 1024 * 1024
"""One and a half screens of 3840 x 2160 full of cards."""
#: Edits after which a picture that was not painted since is forgotten; undoing fewer finds it still there.
KEPT_EDITS = 40
#: Looks that are remembered; beyond that all are forgotten.
LIMIT_LOOKS = 30_000
#: Title of a picture that leaves the name out.
_BLANK = (" ",)


def _look(card: Card) -> tuple[object, ...]:
    """Everything of a card that can be seen, but for its name: cards that differ in ids only share a picture."""
    marks = tuple([(m.edge, m.at, m.token, m.label, m.filled, m.wide) for m in card.marks])
    flags = (card.rail, card.layers, card.forced, card.reserve, card.tile_columns)
    words = (card.subtitle, card.lines, card.corner, card.pill, card.picture)
    return (card.style, card.icon, card.frame, words, flags, marks, card.meters, card.tiles, card.lanes)


class SpriteCache:
    """Least-recently-used pixmaps by (look of the card, size, zoom, pixel ratio, theme)."""

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        self._limit = limit_bytes
        self._bytes = 0
        #: The pictures, each with the edit after which it was painted last.
        self._rows: OrderedDict[tuple[object, ...], tuple[QPixmap, int]] = OrderedDict()
        self._edits = 0
        self._numbers: dict[tuple[object, ...], int] = {}
        #: By identity, as long as the card lives: the numbers of its look with and without its name.
        self._cards: dict[int, tuple[weakref.KeyedRef[int, Card], int, int]] = {}
        self._names: dict[tuple[object, ...], Name | None] = {}
        self.painted = 0

    def get(self, card: Card, w: float, h: float, ink: Ink, ratio: float) -> tuple[QPixmap | None, Name | None]:
        """The picture with ``MARGIN`` scene units around the card, None when it would be too large to keep; and the
        name that is to be drawn over it, None when it is in the picture."""
        number, blank = self._numbered(card)
        look = (number, w, h, ink.scale, ink.band, ratio, ink.theme.name)
        if look in self._names:
            name = self._names[look]
        else:
            if len(self._names) > LIMIT_LOOKS:
                self._names.clear()
            name = self._names[look] = name_apart(card, w, h, ink)
        key = look if name is None else (blank, *look[1:])
        found = self._rows.get(key)
        if found is not None:
            self._rows[key] = (found[0], self._edits)
            self._rows.move_to_end(key)
            return found[0], name
        side_w, side_h = (w + 2 * MARGIN) * ink.scale * ratio, (h + 2 * MARGIN) * ink.scale * ratio
        if side_w > MAX_SIDE or side_h > MAX_SIDE:
            return None, None
        picture = QPixmap(max(1, round(side_w + 0.5)), max(1, round(side_h + 0.5)))
        picture.fill(Qt.GlobalColor.transparent)
        picture.setDevicePixelRatio(ratio)
        painter = QPainter(picture)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.scale(ink.scale, ink.scale)
        painter.translate(MARGIN, MARGIN)
        try:
            paint_card(painter, card if name is None else replace(card, titles=_BLANK, far=""), w, h, ink)
        finally:
            painter.end()
        self.painted += 1
        self._rows[key] = (picture, self._edits)
        self._bytes += picture.width() * picture.height() * 4
        while self._bytes > self._limit and len(self._rows) > 1:
            self._drop_oldest()
        return picture, name

    def age(self) -> None:
        """After an edit: pictures that nobody has looked at for many go, or a day's work would fill the cache."""
        self._edits += 1
        while self._rows and next(iter(self._rows.values()))[1] < self._edits - KEPT_EDITS:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        _, (old, _) = self._rows.popitem(last=False)
        self._bytes -= old.width() * old.height() * 4

    def _numbered(self, card: Card) -> tuple[int, int]:
        """Numbers of a card's look with its name and without."""
        key = id(card)
        known = self._cards.get(key)
        if known is not None and known[0]() is card:
            return known[1], known[2]
        if len(self._numbers) > LIMIT_LOOKS:
            self.clear()
        blank = self._numbers.setdefault(_look(card), len(self._numbers))
        own = self._numbers.setdefault((blank, card.titles, card.far), len(self._numbers))
        self._cards[key] = (weakref.KeyedRef(card, self._forget, key), own, blank)
        return own, blank

    def _forget(self, gone: weakref.KeyedRef[int, Card]) -> None:
        """A card is no more; a new one may have its identity already."""
        known = self._cards.get(gone.key)
        if known is not None and known[0] is gone:
            del self._cards[gone.key]

    def clear(self) -> None:
        """After a change of theme or fonts."""
        self._rows.clear()
        self._names.clear()
        self._cards.clear()
        self._numbers.clear()
        self._bytes = 0
