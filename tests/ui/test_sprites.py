"""The cache of painted cards forgets what is gone."""

from __future__ import annotations

import gc

from PySide6.QtWidgets import QApplication

from fabricwright.ui.canvas.sprites import KEPT_EDITS, SpriteCache
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.paint.scene import Card, Style
from fabricwright.ui.theme import theme


def test_cards_that_are_no_more_are_not_kept(app: QApplication) -> None:
    cache = SpriteCache()
    ink = Ink(theme(), 1.0)
    for n in range(50):
        cache.get(Card(id=f"n{n}", style=Style.LEAF, titles=(f"n{n}",)), 120.0, 60.0, ink, 1.0)
    gc.collect()
    assert not cache._cards


def test_a_card_that_lives_is_looked_up_once(app: QApplication) -> None:
    cache = SpriteCache()
    ink = Ink(theme(), 1.0)
    card = Card(id="leaf", style=Style.LEAF, titles=("leaf",))
    first, _ = cache.get(card, 120.0, 60.0, ink, 1.0)
    again, _ = cache.get(card, 120.0, 60.0, ink, 1.0)
    assert first is not None
    assert again is first
    assert (len(cache._cards), cache.painted) == (1, 1)


def test_pictures_nobody_looks_at_go_with_the_edits(app: QApplication) -> None:
    cache = SpriteCache()
    ink = Ink(theme(), 1.0)
    old, seen = (Card(id=name, style=Style.LEAF, titles=(name,)) for name in ("old", "seen"))
    cache.get(old, 120.0, 60.0, ink, 1.0)
    for _ in range(KEPT_EDITS + 1):
        cache.get(seen, 120.0, 60.0, ink, 1.0)
        cache.age()
    assert (len(cache._rows), cache.painted) == (1, 2)
    cache.get(old, 120.0, 60.0, ink, 1.0)
    assert cache.painted == 3
