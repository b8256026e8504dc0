"""Exported sheets: well-formed, complete, plain, and with no text on top of another or outside its page."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from xml.etree import ElementTree

import pytest

from fabricwright.design.values import Design, Project, Sheet
from fabricwright.exchange.font_metrics import fit, metrics, text_width, wrap
from fabricwright.exchange.page_size import PageSize
from fabricwright.exchange.sheet_page import SideBlock
from fabricwright.exchange.svg import Svg, clean
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.exchange.drawn import draw_sheets

SVG = "{http://www.w3.org/2000/svg}"
EVERY = [
    ("seed-a-256x8", "main"),
    ("seed-b-512", "before"),
    ("seed-b-512", "after-network"),
    ("seed-b-512", "after"),
    ("single-8gpu", "main"),
    ("pcie-8gpu-switch", "default"),
    ("pcie-4gpu-1nic", "main"),
    ("superpod-h100-127", "main"),
]


@dataclass(frozen=True)
class Box:
    text: str
    left: float
    top: float
    right: float
    bottom: float


def text_boxes(data: bytes) -> list[Box]:
    out = []
    for node in ElementTree.fromstring(data).iter(f"{SVG}text"):
        size, weight = float(node.get("font-size", "12")), int(node.get("font-weight", "400"))
        width = text_width(node.text or "", size, weight)
        x, y = float(node.get("x", "0")), float(node.get("y", "0"))
        left = {"start": x, "middle": x - width / 2, "end": x - width}[node.get("text-anchor", "start")]
        if width:
            out.append(Box(node.text or "", left, y - 0.72 * size, left + width, y + 0.1 * size))
    return out


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
@pytest.mark.parametrize(("name", "design"), EVERY)
def test_no_text_lies_on_another_or_off_the_page(
    name: str, design: str, lang: str, projects: dict[str, Project]
) -> None:
    side = (SideBlock("Checks", (("errors", "1"), ("warnings", "12"), ("approved", "0"))),)
    for sheet in draw_sheets(projects[name], design, lang=lang, side=side):
        boxes = text_boxes(sheet.data)
        assert len(boxes) > 20
        for box in boxes:
            assert box.left >= 0, box
            assert box.right <= PageSize().width, box
            assert 0 <= box.top < box.bottom <= PageSize().height, box
        for n, one in enumerate(boxes):
            for other in boxes[n + 1 :]:
                apart = (
                    one.right <= other.left + 0.5
                    or other.right <= one.left + 0.5
                    or one.bottom <= other.top + 0.5
                    or other.bottom <= one.top + 0.5
                )
                assert apart, (sheet.sheet, one, other)


@pytest.mark.parametrize(("name", "design"), EVERY)
def test_only_plain_elements(name: str, design: str, projects: dict[str, Project]) -> None:
    allowed = {"svg", "title", "defs", "symbol", "use", "g", "rect", "line", "path", "text", "circle"}
    for sheet in draw_sheets(projects[name], design):
        root = ElementTree.fromstring(sheet.data)
        assert {node.tag.removeprefix(SVG) for node in root.iter()} <= allowed
        assert root.get("width") == "420mm"
        symbols = {node.get("id") for node in root.iter(f"{SVG}symbol")}
        used = {node.get("href", "")[1:] for node in root.iter(f"{SVG}use")}
        assert used <= symbols


def words(data: bytes) -> str:
    return " ".join(node.text or "" for node in ElementTree.fromstring(data).iter(f"{SVG}text"))


def test_the_fabric_page_of_seed_a_tells_its_counts(projects: dict[str, Project]) -> None:
    fabric = draw_sheets(projects["seed-a-256x8"], "main", sheet="fabric")[0]
    text = words(fabric.data)
    # per unit and rail: 64 nodes; each leaf has 32 uplinks
    assert text.count("64 × 200G per rail") == 4
    assert text.count("32 × 400G per rail") == 4
    for piece in ("Spine, 4 × GENERIC-64x400", "64 of 64 ports each", "LRES1260PF-2QSFP112", "leaf-42", "2,048 GPUs"):
        assert piece in text


def test_the_other_networks_are_cards(projects: dict[str, Project]) -> None:
    text = words(draw_sheets(projects["superpod-h100-127"], "main", sheet="fabric")[0].data)
    for piece in ("Storage network", "In-band network", "Management network", "254 × 400G", "127 × 1G", "4 × 400G"):
        assert piece in text


def test_the_server_page_tells_lanes_slots_and_force(projects: dict[str, Project]) -> None:
    text = words(draw_sheets(projects["seed-b-512"], "after", sheet="node-after-cxl")[0].data)
    for piece in ("80 of 80", "x16", "SLOTB · 2x16 · forced", "CXL0", "2048 GiB", "0.35 m", "4 × NVSwitch"):
        assert piece in text
    lanes = words(draw_sheets(projects["seed-a-256x8"], "main", sheet="node")[0].data)
    assert lanes.count("48 of 80") == 2


def test_chinese_pages_are_chinese(projects: dict[str, Project]) -> None:
    for sheet in draw_sheets(projects["superpod-h100-127"], "main", lang="zh_CN"):
        text = words(sheet.data)
        assert "图例" in text
        assert b'xml:lang="zh-CN"' in sheet.data
        assert not re.search(r"\b(Legend|Notes|Drawing|links|servers|empty|switch)\b", text), text


def test_an_unknown_sheet_is_one_sentence(projects: dict[str, Project]) -> None:
    with pytest.raises(UserError, match=r"Sheet 'nope' does not exist; this design has fabric, node\."):
        draw_sheets(projects["single-8gpu"], "main", sheet="nope")


def test_an_empty_sheet_and_a_lone_server_draw() -> None:
    empty = Project("Empty", designs=Table({"d": Design(sheets=Table({"fabric": Sheet()}))}))
    assert "Nothing is drawn" in words(draw_sheets(empty, "d")[0].data)
    lone = Project("Lone", designs=Table({"d": Design(root="s", sheets=Table({"s": Sheet("server")}))}))
    assert "No CPU on this sheet" in words(draw_sheets(lone, "d")[0].data)


def test_hostile_names_stay_text(projects: dict[str, Project]) -> None:
    project = projects["single-8gpu"]
    nasty = "</text><script>alert(1)</script>&\x00\x1b"
    sheet = draw_sheets(replace(project, title=nasty), "main", sheet="fabric")[0]
    root = ElementTree.fromstring(sheet.data)
    assert not list(root.iter(f"{SVG}script"))
    assert clean("\x00a") == "\ufffda"


def test_many_groups_draw_within_the_page(projects: dict[str, Project]) -> None:
    """Nine server groups side by side, no network: cards get narrow but stay inside."""
    project = projects["single-8gpu"]
    design = project.designs["main"]
    fabric = design.sheets["fabric"]
    rows = {f"node{n}": fabric.items["node"] for n in range(9)}
    wide = replace(design, ranks=(), sheets=design.sheets.put("fabric", replace(fabric, items=Table(rows))))
    drawn = draw_sheets(replace(project, designs=project.designs.put("main", wide)), "main", sheet="fabric")[0]
    assert all(box.left >= 0 and box.right <= PageSize().width for box in text_boxes(drawn.data))


def test_widths_come_from_the_font() -> None:
    # Inter's digits are tabular in the baked font: all ten have one width
    assert len({metrics(400).width(str(n)) for n in range(10)}) == 1
    assert text_width("WWW", 10) > text_width("iii", 10) * 2
    assert text_width("中文", 12) == 24
    assert fit("LRES1260PF-2QSFP112", 60, 12).endswith("…")
    assert fit("x16", 60, 12) == "x16"
    assert wrap("H100 PCIe 80GB", 60, 12) == ["H100 PCIe", "80GB"] or len(wrap("H100 PCIe 80GB", 60, 12)) <= 3
    assert wrap("", 60, 12) == []


def test_a_rounded_line_starts_and_ends_where_it_should() -> None:
    svg = Svg(10, 10, 10, 10, "t", "en")
    svg.line([(0, 0), (0, 8), (8, 8)], radius=2)
    assert b'd="M0 0L0 6Q0 8 2 8L8 8"' in svg.to_bytes()
