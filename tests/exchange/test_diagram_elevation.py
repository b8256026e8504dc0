"""Rack pages: each kind of rack once, all that stands in it named, limits in figures, nothing outside the page."""

from __future__ import annotations

import pytest

from fabricwright.exchange.diagram_elevation import elevation_pages, piles
from fabricwright.exchange.drawing_options import DrawOptions
from fabricwright.exchange.elevation import elevation
from fabricwright.exchange.font_metrics import text_width
from fabricwright.exchange.ink import Ink, Rect, Text
from fabricwright.exchange.page_size import page_size
from fabricwright.exchange.svg import svg_bytes
from tests.rules.test_racks import racked
from tests.topology.samples import template


def drawn(project, paper: str = "A3", lang: str = "en") -> list[Ink]:
    pages = elevation_pages(project, next(iter(project.designs)))
    options = DrawOptions(page=page_size(paper))
    return pages.draw(project, lang, options, 1, pages.count(options.page))


def texts(ink: Ink) -> list[str]:
    return [op.text for op in ink.ops if isinstance(op, Text)]


def test_the_superpod_is_one_page_of_five_kinds() -> None:
    (page,) = drawn(template("superpod-h100-127"))
    said = texts(page)
    # 31 racks of four servers, one of three, four network racks, two different core racks.
    assert [len(p.racks) for p in piles(elevation(template("superpod-h100-127"), "main"))] == [31, 4, 1, 1, 1]
    assert "× 31" in said and "r101 … r407" in said
    assert {"dgx-001", "dgx-004", "leaf-1-8", "ufm-c1", "spine-16"} <= set(said)
    assert "40.8 / 60 kW" in said and "520 / 1,800 kg" in said and "32 / 48 U" in said
    assert "38 racks, 1,430 kW, fullest 40.8 kW" in said
    # 1,429.78 kW x 3.412142 BTU/h per W
    assert any("4,878,681 BTU/h" in line or line.startswith("becomes heat: 4,878") for line in said)
    assert svg_bytes(page) == svg_bytes(drawn(template("superpod-h100-127"))[0])


@pytest.mark.parametrize("paper", ["A4", "A4-portrait", "A3", "A1"])
@pytest.mark.parametrize("lang", ["en", "zh_CN"])
def test_all_of_it_is_on_the_page(paper: str, lang: str) -> None:
    pages = drawn(template("superpod-h100-127"), paper, lang)
    for page in pages:
        for op in page.ops:
            if isinstance(op, Rect) and op.stroke != "none":
                assert op.x >= 0 and op.x + op.w <= page.width and op.y + op.h <= page.height
            if isinstance(op, Text) and op.anchor == "start" and not op.turn:
                assert op.x + text_width(op.text, op.size, op.weight) <= page.width + 1
    everything = {line for page in pages for line in texts(page)}
    assert {"dgx-001", "spine-16", "leaf-1-1"} <= everything


def test_over_a_limit_is_marked_and_figures_are_coloured() -> None:
    (page,) = drawn(racked(4, 4, rack="rack-48u-60kw", feed_kw=34.5))
    said = {op.text: op.fill for op in page.ops if isinstance(op, Text)}
    assert said["40.8 / 34.5 kW"] == "error"
    assert any(getattr(op, "name", "") == "error-octagon" for op in page.ops)


def test_256_racks_are_one_pile_and_no_racks_say_so() -> None:
    (page,) = drawn(racked(1024, 4, racks=256, rack="rack-48u-60kw"))
    assert "× 256" in texts(page) and len(page.ops) < 2_000
    from fabricwright.ui.file_commands import blank_project

    (empty,) = drawn(blank_project())
    assert "No racks are drawn; seat the devices first." in texts(empty)
