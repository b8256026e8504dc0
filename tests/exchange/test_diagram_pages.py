"""Pages of every template on every paper: nothing clipped, nothing on top of another, letters large enough to read."""

from __future__ import annotations

import base64
import struct
import zlib
from dataclasses import replace

import pytest

from fabricwright.design.images import image_of
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Frame, Item, Look, Note, Picture, Project
from fabricwright.exchange.diagram_svg import DrawnPage, draw_pages
from fabricwright.exchange.drawing_options import Badge, DrawOptions, heat_pen
from fabricwright.exchange.ink import Begin, Line, Text
from fabricwright.exchange.ink import Picture as InkPicture
from fabricwright.exchange.mxgraph import drawio_bytes
from fabricwright.exchange.page_size import PAPERS, page_size
from fabricwright.topology.fabric import compile_fabric
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.exchange.ink_lint import complaints, smallest_points
from tests.exchange.mxgraph_reader import read


def pages_of(project: Project, design: str, options: DrawOptions | None = None, lang: str = "en") -> list[DrawnPage]:
    return draw_pages(project, design, lang=lang, options=options)


def words(page: DrawnPage) -> str:
    return " ".join(op.text for op in page.ink.ops if isinstance(op, Text))


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_reads_well(name: str, lang: str, projects: dict[str, Project]) -> None:
    project = projects[name]
    for design in project.designs:
        fabric = compile_fabric(project, project.designs[design])
        links = {bundle.link: 0.95 for bundle in fabric.bundles}
        root = project.designs[design].root
        badges = {root: {item: Badge("error", 12) for item in project.designs[design].sheets[root].items}}
        full = DrawOptions(loads=links, badges=badges)
        for options in (DrawOptions(), full, DrawOptions(page=page_size("A2-portrait"))):
            for page in draw_pages(project, design, lang=lang, fabric=fabric, options=options):
                assert complaints(page.ink) == [], (design, page.sheet)
                assert page.shrunk == 1.0 and smallest_points(page.ink) >= 7.99


@pytest.mark.parametrize("name", ["seed-a-256x8", "seed-b-512", "superpod-h100-127", "single-8gpu"])
def test_small_paper_has_its_legend_on_a_second_page(name: str, projects: dict[str, Project]) -> None:
    project = projects[name]
    design = next(iter(project.designs))
    for paper in ("A4", "A4-portrait"):
        pages = pages_of(project, design, DrawOptions(page=page_size(paper)))
        assert [page.part for page in pages] == [1, 2] * (len(pages) // 2)
        assert "Legend" not in words(pages[0]) and "Legend" in words(pages[1])
        assert f"2 of {len(pages)}" in words(pages[1])
        for page in pages:
            assert complaints(page.ink) == [], (paper, page.sheet, page.part)
            # said on the page, and to the person who exports it
            assert page.shrunk == 1.0 or f"1 : {page.shrunk:.3g}" in words(page)


def test_papers_have_their_sizes_and_keep_the_look(projects: dict[str, Project]) -> None:
    for name, (wide, high) in PAPERS.items():
        if name != "A4":
            page = pages_of(projects["seed-a-256x8"], "main", DrawOptions(page=page_size(name)))[0]
            assert (page.ink.width_mm, page.ink.height_mm) == (wide, high)
            # a poster: the same page in larger letters
            assert smallest_points(page.ink) >= 7.99 * wide / 420 * 0.99
    assert page_size("a1 portrait").height_mm == 841
    with pytest.raises(UserError, match="'B5' is no page size; expected A4"):
        page_size("B5")


def test_loads_become_width_and_words(projects: dict[str, Project]) -> None:
    options = DrawOptions(loads={"down": 0.62, "up": 0.1})
    page = pages_of(projects["seed-a-256x8"], "main", options)[0]
    assert heat_pen(0.62) == ("heat2", 2.75) and heat_pen(0.95)[1] == 4.5
    down = [op for op in page.ink.ops if isinstance(op, Line) and op.name == "down"]
    assert {(op.stroke, op.width) for op in down} == {("heat2", 2.75)}
    # the dash still tells the rail
    assert len({op.dash for op in down}) == 2
    assert "64 × 200G per rail  ·  62 %" in words(page) and "Load, %" in words(page)


def test_choices_leave_things_out(projects: dict[str, Project]) -> None:
    project = projects["superpod-h100-127"]
    whole = words(pages_of(project, "main")[0])
    assert "per rail" in whole and "Legend" in whole and "Fabric parts" in whole
    bare = pages_of(project, "main", DrawOptions(labels=False, legend=False, figures=False))[0]
    for gone in ("per rail", "Legend", "Notes", "Fabric parts", "254 × 400G"):
        assert gone not in words(bare)
    some = draw_pages(project, "main", sheet="fabric", options=DrawOptions(only=frozenset({"leaf", "spine"})))[0]
    groups = {op.address for op in some.ink.ops if isinstance(op, Begin)}
    assert any(name.startswith("spine") for name in groups) and not any(name.startswith("node") for name in groups)


def test_frames_notes_and_pictures_are_drawn(projects: dict[str, Project]) -> None:
    project = projects["seed-a-256x8"]
    design = project.designs["main"]
    pixel = zlib.compress(b"\x00\xff\x00\x00")
    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d))
        for k, d in ((b"IHDR", head), (b"IDAT", pixel), (b"IEND", b""))
    )
    sheet = replace(
        design.sheets["fabric"],
        frames=Table({"f1": Frame("Row 7", ("spine",), colour="teal")}),
        notes=Table({"n1": Note("Mind the\npillar", (0.0, 0.0))}),
        pictures=Table({"p1": Picture("logo")}),
    )
    marked = replace(
        project,
        images=Table({"logo": image_of(png, "Logo")}),
        designs=project.designs.put("main", replace(design, sheets=design.sheets.put("fabric", sheet))),
    )
    page = pages_of(marked, "main")[0]
    assert "Row 7" in words(page) and "Mind the pillar" in words(page)
    (picture,) = (op for op in page.ink.ops if isinstance(op, InkPicture))
    assert base64.b64decode(picture.data).startswith(b"\x89PNG")
    assert complaints(page.ink) == []


def test_an_open_group_shows_members_and_counts_the_rest(projects: dict[str, Project]) -> None:
    project = projects["single-8gpu"]
    design = project.designs["main"]
    fabric = design.sheets["fabric"]
    node = fabric.items["node"]
    many = replace(fabric, items=fabric.items.put("node", replace(node, axes=(("node", 200),), name="n{index1:03}")))
    opened = replace(many, look=Table({"node": Look(open=True)}))
    project = replace(
        project, designs=project.designs.put("main", replace(design, sheets=design.sheets.put("fabric", opened)))
    )
    page = draw_pages(project, "main", sheet="fabric")[0]
    shown = [word for word in words(page).split() if word.startswith("n0")]
    assert "n001" in shown
    # every member is shown or counted
    assert f"… × {200 - len(shown)}" in words(page)
    assert complaints(page.ink) == []


def test_many_equal_rows_are_folded_and_counted(projects: dict[str, Project]) -> None:
    project = projects["superpod-h100-127"]
    design = project.designs["main"]
    root = design.sheets["fabric"]
    rows = {f"s{k}": Item("qm9700") for k in range(400)}
    crowded = replace(root, items=Table({**root.items, **rows}))
    project = replace(
        project, designs=project.designs.put("main", replace(design, sheets=design.sheets.put("fabric", crowded)))
    )
    page = draw_pages(project, "main", sheet="fabric")[0]
    assert "× 400 QM9700 s0 to s399" in words(page)
    assert complaints(page.ink) == [] and page.shrunk == 1.0


@pytest.mark.parametrize("name", TEMPLATES)
def test_drawio_has_every_link_connected_at_both_ends(name: str, projects: dict[str, Project]) -> None:
    project = projects[name]
    for design_id in project.designs:
        design = project.designs[design_id]
        pages = pages_of(project, design_id)
        found = read(drawio_bytes([page.ink for page in pages]))
        assert len(found) == len(pages)
        for page, drawn in zip(found, pages, strict=True):
            named = {op.name for op in drawn.ink.ops if isinstance(op, Line) and op.ends is not None}
            assert {cell.id.removeprefix("l-").rpartition("-")[0] for cell in page.connectors} == named
            assert len(page.connectors) == sum(isinstance(op, Line) and op.ends is not None for op in drawn.ink.ops)
            for link in page.connectors:
                for end in (link.source, link.target):
                    assert page.cells[page.cells[end].parent].style.get("container") == "1"
        if design.sheets[design.root].links:
            main = {c.id.split("-")[1] for c in found[0].connectors}
            assert main, "no link of the fabric is drawn"
