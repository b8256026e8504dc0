"""What leaves the program, timed: a page of ten thousand parts, and a design of ten thousand rows."""

from __future__ import annotations

import pytest

from fabricwright.exchange.diagram_svg import draw_pages
from fabricwright.exchange.ink import Ink
from fabricwright.exchange.mxgraph import drawio_bytes
from fabricwright.exchange.svg import svg_bytes
from fabricwright.topology.fabric import compile_fabric
from tests.bench.big_sheets import single_rows
from tests.bench.measure import median_ms, report

pytestmark = pytest.mark.bench
COUNT = 10_000


def ten_thousand(count: int = COUNT) -> Ink:
    """Cards with pictogram, name, port and a connector each, 125 to a row on an A0 page."""
    ink = Ink(12_500, 8_840, 1189, 841, "Big", "en")
    for k in range(count):
        x, y = 60 + k % 125 * 98, 60 + k // 125 * 108
        name = ink.begin(f"s{k}")
        ink.rect(x, y, 80, 60, fill="raised")
        ink.icon("leaf-switch", x + 6, y + 6, 20)
        ink.text(x + 6, y + 44, f"QM9700 {k}")
        ink.end()
        ink.port(f"{name}:1", name, x + 40, y + 60, 8, 6)
        if k >= 125:
            ink.line([(x + 40, y - 48), (x + 40, y)], ends=(f"s{k - 125}:1", f"s{k}:1"))
    return ink


def test_a_page_of_ten_thousand_parts():
    from fabricwright.ui.paint import ink_files

    ink = ten_thousand()
    spent = median_ms(lambda: svg_bytes(ten_thousand()), rounds=3)
    megabytes = len(svg_bytes(ink)) / 1e6
    report("SVG of 10,000 parts", f"{spent:.0f} ms, {megabytes:.1f} MB", "< 1,000 ms, < 3 MB", "Qt's writer: 16.7 MB")
    spent = median_ms(lambda: ink_files.pdf([ink]), rounds=3)
    report("PDF of 10,000 parts", f"{spent:.0f} ms, {len(ink_files.pdf([ink])) / 1e6:.1f} MB", "< 2,000 ms")
    spent = median_ms(lambda: drawio_bytes([ink]), rounds=3)
    report("draw.io of 10,000 parts", f"{spent:.0f} ms", "< 2,000 ms")


def test_a_design_of_ten_thousand_rows():
    project = single_rows(COUNT)
    fabric = compile_fabric(project, project.designs["main"])
    pages = draw_pages(project, "main", sheet="fabric", fabric=fabric)
    spent = median_ms(
        lambda: svg_bytes(draw_pages(project, "main", sheet="fabric", fabric=fabric)[0].ink), rounds=3, warm=0
    )
    report(
        "page of a sheet with 10,000 rows", f"{spent:.0f} ms, {len(svg_bytes(pages[0].ink)) / 1e3:.0f} kB", "< 1,000 ms"
    )
