"""``fabricwright diagram``: every format, every choice, the same bytes each time, one sentence for a wrong wish."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pypdf
import pytest

from fabricwright.__main__ import main
from fabricwright.cli import painting
from tests.cli.conftest import Run
from tests.exchange.mxgraph_reader import read

pytestmark = pytest.mark.gui


@pytest.fixture(autouse=True)
def painted() -> None:
    """What the entry point does before it runs a command."""
    from fabricwright.ui.paint import ink_files

    painting.install(lambda: ink_files)


def draw(run: Run, files: dict[str, str], target: Path, *arguments: str) -> list[dict[str, object]]:
    code, out, err = run("diagram", files["seed-b-512"], "--design", "after", "-o", str(target), "--json", *arguments)
    assert code == 0, err
    sheets: list[dict[str, object]] = json.loads(out)["sheets"]
    return sheets


def test_pdf_is_a_book_and_the_same_bytes_each_time(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "x.pdf"
    rows = draw(run, files, target, "--lang", "zh_CN", "--also", "racks,parts,findings")
    first = target.read_bytes()
    draw(run, files, target, "--lang", "zh_CN", "--also", "findings,parts,racks")
    assert target.read_bytes() == first
    book = pypdf.PdfReader(target)
    assert len(book.pages) == len(rows) >= 6
    assert {row["sheet"] for row in rows} >= {"fabric", "node-after", "node-after-cxl", "racks", "parts", "findings"}
    for page in book.pages:
        assert float(page.mediabox.width) == pytest.approx(420 / 25.4 * 72, abs=1)
    text = "".join(page.extract_text() for page in book.pages)
    assert "LRES1260PF-2QSFP112" in text and "图例" in text
    # nobody stated a date, so the file states none
    assert b"CreationDate" not in first


def test_png_has_the_size_that_its_dots_ask_for(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    rows = draw(run, files, tmp_path / "x.png", "--dpi", "50", "--transparent")
    names = [Path(str(row["file"])).name for row in rows]
    assert names == ["x.png", "x-node-after.png", "x-node-after-cxl.png"]
    head = (tmp_path / "x.png").read_bytes()[16:29]
    width, height, _, colour = struct.unpack(">IIBB", head[:10])
    # 420 x 297 mm at 50 dots per inch; colour type 6 has transparency
    assert (width, height, colour) == (round(420 / 25.4 * 50), round(297 / 25.4 * 50), 6)


def test_drawio_and_svg(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    draw(run, files, tmp_path / "x.drawio")
    pages = read((tmp_path / "x.drawio").read_bytes())
    assert pages[0].name == "Fabric: After" and len(pages) == 3
    rows = draw(run, files, tmp_path / "one.svg", "--sheet", "node-after", "--print-safe", "--page", "a4-portrait")
    assert [Path(str(row["file"])).name for row in rows] == ["one.svg", "one-2.svg"]
    assert b'width="210mm"' in (tmp_path / "one.svg").read_bytes()


def test_revision_and_choices_reach_the_page(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "x.svg"
    draw(run, files, target, "--sheet", "fabric", "--revision", "Q7", "--heat", "--findings", "--no-legend")
    text = target.read_text(encoding="utf-8")
    assert ">Q7<" in text and ">Load, %<" in text and ">Legend<" not in text
    assert 'id="finding-' in text and " %</text>" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-o", "x.docx"), "the ending '.docx' is not supported here; expected .svg, .pdf, .png, .drawio"),
        (("-o", "x.png", "--dpi", "9999"), "--dpi: '9999' is not a number from 10 to 2400"),
        (("-o", "x.pdf", "--page", "letter"), "'letter' is no page size"),
        (("-o", "x.pdf", "--also", "poems"), "--also: 'poems' is not known"),
        (("-o", "x.pdf", "--sheet", "nope"), "Sheet 'nope' does not exist"),
    ],
)
def test_a_wrong_wish_is_one_sentence(
    run: Run, files: dict[str, str], tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    where = [str(tmp_path / arguments[1]) if n == 1 else text for n, text in enumerate(arguments)]
    code, out, err = run("diagram", files["single-8gpu"], *where)
    assert code == 2 and said in err and err.count("\n") == 1 and not out
    assert list(tmp_path.iterdir()) == []


def test_without_a_painter_it_says_so(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    painting._maker.clear()
    code, _, err = run("diagram", files["single-8gpu"], "-o", str(tmp_path / "x.pdf"))
    assert code == 2 and "start it as 'fabricwright'" in err


def test_the_entry_point_brings_the_painter(files: dict[str, str], tmp_path: Path) -> None:
    painting._maker.clear()
    assert main(["diagram", files["single-8gpu"], "-o", str(tmp_path / "x.pdf")]) == 0
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF-")
