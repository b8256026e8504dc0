"""The recorder and its two text writers: names are unique, ports are real, the same drawing gives the same bytes."""

from __future__ import annotations

from xml.etree import ElementTree

from fabricwright.exchange.ink import Begin, Ink, grey
from fabricwright.exchange.mxgraph import drawio_bytes
from fabricwright.exchange.svg import svg_bytes
from tests.exchange.mxgraph_reader import read

SVG = "{http://www.w3.org/2000/svg}"


def two_cards() -> Ink:
    ink = Ink(400, 300, 100, 75, "Two", "en")
    for n, x in enumerate((20, 220)):
        ink.layer = f"tier{n + 1}"
        name = ink.begin("card")
        ink.rect(x, 40, 120, 60, fill="raised")
        ink.icon("server", x + 4, 44, 20)
        ink.text(x + 30, 60, f"<card> {n}", weight=600)
        ink.end()
        ink.port(f"{name}:p", name, x + 60, 100, 8, 6, "rail0")
    ink.line(
        [(80, 100), (80, 160), (280, 160), (280, 100)], radius=5, dash="9 3", ends=("card:p", "card~2:p"), name="l"
    )
    ink.path([("M", 10, 10), ("L", 20, 10), ("L", 15, 20), ("Z",)], fill="error", width=0)
    return ink


def test_names_of_groups_are_unique_and_keep_their_address() -> None:
    begins = [op for op in two_cards().ops if isinstance(op, Begin)]
    assert [op.name for op in begins] == ["card", "card~2"]
    assert {op.address for op in begins} == {"card"}
    ids = [node.get("id") for node in ElementTree.fromstring(svg_bytes(two_cards())).iter(f"{SVG}g")]
    assert len(ids) == len(set(ids)) == 2


def test_svg_and_drawio_are_the_same_bytes_each_time() -> None:
    assert svg_bytes(two_cards()) == svg_bytes(two_cards())
    assert drawio_bytes([two_cards()]) == drawio_bytes([two_cards()])


def test_a_connector_joins_ports_that_are_children_of_their_cards() -> None:
    (page,) = read(drawio_bytes([two_cards()], ["Name"]))
    assert page.name == "Name"
    (link,) = page.connectors
    ends = [page.cells[link.source], page.cells[link.target]]
    assert [page.cells[end.parent].id for end in ends] == ["g-card", "g-card~2"]
    # the middle of a port of 8 x 6 at (80, 100)
    assert page.place(ends[0]) == (76, 97)
    assert link.style["edgeStyle"] == "orthogonalEdgeStyle" and link.style["dashPattern"] == "9 3"
    assert link.points == [(80, 160), (280, 160)]
    assert [page.layer_of(end) for end in ends] == ["Leaf", "Spine"]
    assert page.layer_of(link) == "Links" and page.layers[-1].value == "Links"
    texts = [cell for cell in page.cells.values() if cell.value == "<card> 0"]
    assert len(texts) == 1 and texts[0].parent == "g-card"
    images = [cell for cell in page.cells.values() if cell.style.get("shape") == "image"]
    assert len(images) == 2 and images[0].style["image"].startswith("data:image/svg+xml,")


def test_without_colour_kinds_stay_apart_and_the_ramp_keeps_its_order() -> None:
    assert grey("none") == "none" and grey("raised") == "#FFFFFF"
    for token in ("rail0", "rail7", "error", "storage"):
        red, green, blue = (int(grey(token)[k : k + 2], 16) for k in (1, 3, 5))
        assert red == green == blue <= 110
    ramp = [int(grey(f"heat{n}")[1:3], 16) for n in range(5)]
    assert ramp == sorted(ramp, reverse=True) and len(set(ramp)) == 5
    ink = two_cards()
    ink.without_colour = True
    assert b"1D6FB8" not in svg_bytes(ink)


def test_a_transparent_drawing_has_no_ground() -> None:
    ink = two_cards()
    assert b'<rect x="0" y="0"' in svg_bytes(ink)
    ink.transparent = True
    assert b'<rect x="0" y="0"' not in svg_bytes(ink)
