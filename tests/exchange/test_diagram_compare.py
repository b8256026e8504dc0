"""Both sheets on one page: every part of either is there, what differs is framed, words stand in both languages."""

from __future__ import annotations

import functools
from xml.etree import ElementTree

import pytest

from fabricwright.design.diff import RowChange, drawing_changes
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.exchange.diagram_compare import CompareTable, DrawnSide, draw_comparison
from fabricwright.exchange.ink import Ink, Rect, Text
from fabricwright.exchange.svg import svg_bytes


@functools.cache
def seed_b() -> Project:
    return TEMPLATES["seed-b-512"].build()


def page(a: str, b: str, lang: str = "en") -> tuple[Ink, tuple[RowChange, ...]]:
    rows = drawing_changes(seed_b(), a, seed_b(), b)
    table = CompareTable("T", ("x", "y"), tuple((f"row {n}", str(n)) for n in range(80)), (2, 1), " r")
    sides = DrawnSide(seed_b(), a, "A"), DrawnSide(seed_b(), b, "B")
    return draw_comparison(*sides, rows, (table,), lang=lang), rows


def frames(ink: Ink, token: str) -> list[Rect]:
    return [op for op in ink.ops if isinstance(op, Rect) and op.stroke == token and op.width == 2.4]


def test_what_differs_is_framed_on_its_side() -> None:
    ink, _ = page("before", "after-network")
    # four leafs are replaced; two groups of servers and two labels of their cables are changed on either side
    assert len(frames(ink, "error")) == 4 and all(r.x < 800 and r.dash for r in frames(ink, "error"))
    assert len(frames(ink, "ok")) == 4 and all(r.x > 800 for r in frames(ink, "ok"))
    assert len(frames(ink, "accent")) == 8


def test_equal_designs_have_no_frames() -> None:
    ink, rows = page("before", "before")
    assert not rows
    assert not any(frames(ink, token) for token in ("error", "ok", "accent"))


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
def test_the_file_is_sound_and_stays_on_the_page(lang: str) -> None:
    ink, _ = page("before", "after", lang)
    root = ElementTree.fromstring(svg_bytes(ink))
    assert root.tag.endswith("svg")
    words = [op.text for op in ink.ops if isinstance(op, Text)]
    assert ("added" if lang == "en" else "新增") in words
    assert all(0 <= op.x <= ink.width and 0 <= op.y <= ink.height for op in ink.ops if isinstance(op, Text))


def test_a_table_that_is_too_long_says_how_much_is_left() -> None:
    ink, _ = page("before", "after")
    texts = [op.text for op in ink.ops if isinstance(op, Text)]
    shown = sum(text.startswith("row ") for text in texts)
    assert f"{80 - shown} more" in texts
