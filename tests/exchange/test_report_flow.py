"""Setting a report: nothing clipped or covered, letters large enough, contents that tell the right pages."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.exchange.ink import Ink, Text
from fabricwright.exchange.page_size import PageSize
from fabricwright.exchange.report_blocks import (
    Block,
    Chapter,
    Cover,
    Figure,
    FullPage,
    Heading,
    Paragraph,
    ReportTable,
    TableColumn,
    Tile,
    Tiles,
)
from fabricwright.exchange.report_flow import MOST_ROWS
from fabricwright.exchange.report_pages import report_pages
from fabricwright.exchange.report_template import ReportTemplate
from tests.exchange.ink_lint import complaints, smallest_points

A4 = PageSize("A4", landscape=False)
COVER = Cover("A cluster", "Design report", (("Customer", "Example customer"),), "note")


def pages_of(blocks: list[Block], lang: str = "en", template: ReportTemplate | None = None) -> list[Ink]:
    return report_pages(COVER, blocks, A4, lang, template or ReportTemplate(), "A cluster")


def texts(page: Ink) -> list[str]:
    return [op.text for op in page.ops if isinstance(op, Text)]


def table(rows: int, cell: str = "cell") -> ReportTable:
    columns = (TableColumn("Part", 2), TableColumn("What", 4), TableColumn("Number", 1, True))
    return ReportTable("Parts", columns, tuple((f"part-{n}", cell, str(n)) for n in range(rows)))


def draw(ink: Ink, x: float, y: float, w: float, h: float) -> None:
    ink.rect(x, y, w, h)


def test_contents_name_the_pages_where_chapters_stand() -> None:
    blocks: list[Block] = []
    for n in range(6):
        blocks += [Chapter(f"Chapter {n}"), Heading(f"Part of {n}"), table(60), Figure(f"Picture {n}", 200, draw)]
    pages = pages_of(blocks)
    contents = next(n for n, page in enumerate(pages) if "Contents" in texts(page))
    said = texts(pages[contents])
    for n in range(6):
        title = f"{n + 1}  Chapter {n}"
        place = int(said[said.index(title) + 1])
        assert title in texts(pages[place - 1]), title
    listed = [t for page in pages[contents : contents + 2] for t in texts(page)]
    for n in range(6):
        label = f"Figure {n + 1}  Picture {n}"
        place = int(listed[listed.index(label) + 1])
        assert f"Figure {n + 1}" in texts(pages[place - 1])
    # every page but the cover says which one it is
    for number, page in enumerate(pages[1:], 2):
        assert f"Page {number} of {len(pages)}" in texts(page)


def test_a_long_table_repeats_its_head_and_keeps_every_row() -> None:
    pages = pages_of([Chapter("One"), table(150)])
    body = [page for page in pages if any(t.startswith("part-") for t in texts(page))]
    assert len(body) > 2
    assert all("Part" in texts(page) and "Number" in texts(page) for page in body)
    shown = [t for page in pages for t in texts(page) if t.startswith("part-")]
    assert shown == [f"part-{n}" for n in range(150)]
    assert sum("Parts (continued)" in texts(page) for page in body) == len(body) - 1


def test_a_table_without_end_says_how_much_is_elsewhere() -> None:
    pages = pages_of([Chapter("One"), table(MOST_ROWS + 7)])
    assert any("7 more rows are in the tables of the export pack." in texts(page) for page in pages)


def test_a_sum_never_stands_alone_on_a_page() -> None:
    for rows in range(30, 60):
        made = table(rows)
        last = ReportTable(made.caption, made.columns, (*made.rows, ("All", "", "9")), strong=frozenset({rows}))
        for page in pages_of([Chapter("One"), last]):
            said = texts(page)
            assert "All" not in said or any(t.startswith("part-") for t in said)


def test_a_heading_stays_with_its_table() -> None:
    for rows in range(20, 60):
        pages = pages_of([Chapter("One"), table(rows), Heading("Below"), table(4, "long text " * 30)])
        page = next(p for p in pages[2:] if "1.1  Below" in texts(p))
        assert "Table 2" in texts(page)


def test_drawings_keep_their_paper_and_are_numbered() -> None:
    drawing = Ink(1587, 1122, 420, 297, "Sheet", "en")
    drawing.text(100, 100, "Sheet", 22)
    pages = pages_of([Chapter("One"), FullPage("Sheet", drawing), Chapter("Two"), Paragraph("text")])
    own = next(page for page in pages if page.width_mm == 420)
    number = pages.index(own) + 1
    assert f"Figure 1 · page {number} of {len(pages)}" in texts(own)
    assert not complaints(own)


words = st.text(st.sampled_from("abcdefgh -/0123456789中文机柜，。（）「」"), min_size=1, max_size=200)


@settings(max_examples=40, deadline=None)
@given(st.lists(words, min_size=3, max_size=25), st.sampled_from(("en", "zh_CN")))
def test_whatever_is_said_nothing_is_clipped_or_covered(said: list[str], lang: str) -> None:
    rows = tuple((a, b, a[:12]) for a, b in zip(said, reversed(said), strict=True))
    columns = (TableColumn(said[0][:30], 1), TableColumn(said[1][:30], 3), TableColumn("Number", 1, True))
    blocks: list[Block] = [
        Chapter(said[0][:60]),
        Tiles(tuple(Tile(text[:30], text[:12], text) for text in said[:9])),
        *(Paragraph(text, bullet=n % 2 == 0) for n, text in enumerate(said)),
        Heading(said[2][:60]),
        ReportTable(said[1], columns, rows, (("shield", "ok"),) * len(rows), notes=(said[2],)),
        Figure(said[0], 180, draw),
    ]
    for page in pages_of(blocks, lang):
        assert not complaints(page)
        assert smallest_points(page) >= 8.0


def test_running_text_and_tables_are_9_points_at_least() -> None:
    template = ReportTemplate(name="Example Ltd", footer="Confidential")
    for page in pages_of([Chapter("One"), Paragraph("text"), table(3)], template=template):
        small = [op.text for op in page.ops if isinstance(op, Text) and op.size < 12]
        # head and foot are captions
        expected = r"A cluster|Example Ltd|Confidential|Page \d+ of \d+|Fabricwright .*"
        assert all(re.fullmatch(expected, text) for text in small), small


@pytest.mark.parametrize("accent", ["#0B5CAD", "#004400"])
def test_the_template_colours_and_names(accent: str) -> None:
    pages = pages_of([Chapter("One"), Paragraph("text")], template=ReportTemplate("Example Ltd", accent))
    assert "Example Ltd" in texts(pages[0]) and "Example Ltd" in texts(pages[2])
    assert any(getattr(op, "fill", "") == accent for op in pages[0].ops)
