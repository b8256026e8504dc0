"""Drawings read by other people's programs: text is found, fonts are embedded, two renderers agree with the program."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from fabricwright.design.order import chosen_design
from fabricwright.design.storage import load
from fabricwright.exchange.diagram_svg import draw_pages
from fabricwright.exchange.ink import Ink, Text
from tests.e2e.test_foreign import fabricwright, tool

pytestmark = [pytest.mark.foreign, pytest.mark.e2e, pytest.mark.gui]
CASES = [("seed-a-256x8", "en"), ("seed-a-256x8", "zh_CN"), ("seed-b-512", "en"), ("seed-b-512", "zh_CN")]
DPI = 60


def drawn(folder: Path, name: str, lang: str) -> tuple[Path, Path, list[Ink]]:
    project = folder / f"{name}.fwproj"
    if not project.exists():
        fabricwright("new", name, "-o", str(project))
    target = folder / f"{name}-{lang}.pdf"
    fabricwright("diagram", str(project), "-o", str(target), "--lang", lang)
    loaded = load(str(project))
    return project, target, [page.ink for page in draw_pages(loaded, chosen_design(loaded, None), lang=lang)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drawings")


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize(("name", "lang"), CASES)
def test_pdftotext_finds_every_label(folder: Path, name: str, lang: str) -> None:
    _, pdf, pages = drawn(folder, name, lang)
    said = subprocess.run([tool("pdftotext"), "-raw", str(pdf), "-"], capture_output=True, encoding="utf-8", check=True)
    found = squeezed(said.stdout)
    missing = {op.text for ink in pages for op in ink.ops if isinstance(op, Text) and squeezed(op.text) not in found}
    assert missing == set()
    assert "\t" not in said.stdout


@pytest.mark.parametrize(("name", "lang"), CASES[2:])
def test_pdffonts_shows_only_embedded_fonts(folder: Path, name: str, lang: str) -> None:
    _, pdf, _ = drawn(folder, name, lang)
    said = subprocess.run([tool("pdffonts"), str(pdf)], capture_output=True, encoding="utf-8", check=True).stdout
    rows = said.splitlines()[2:]
    assert any("FabricwrightSans" in row for row in rows)
    assert lang == "en" or any("NotoSansSC" in row for row in rows)
    # columns: emb sub uni, then the object's number and generation
    assert all(re.search(r"yes +(yes|no) +yes +\d+ +\d+$", row) for row in rows), said


def grey(path: Path) -> np.ndarray:
    from PySide6.QtGui import QImage

    image = QImage(str(path)).convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width()].astype(float)


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """Mean difference of blocks of 8 x 8 pixels, as a share of black: line rasters differ, inked area must not."""
    h, w = (min(one.shape[n], other.shape[n]) // 8 * 8 for n in (0, 1))
    blocks = [a[:h, :w].reshape(h // 8, 8, w // 8, 8).mean(axis=(1, 3)) for a in (one, other)]
    return float(np.abs(blocks[0] - blocks[1]).mean() / 255)


BOUND = 0.012
"""Most that another renderer may differ; a page whose text is missing differs by more than twice that."""


@pytest.fixture(scope="module")
def pictures(folder: Path) -> tuple[Path, Path, tuple[int, int]]:
    project, _, _ = drawn(folder, "seed-a-256x8", "en")
    for suffix in ("svg", "png"):
        fabricwright("diagram", str(project), "--sheet", "fabric", "-o", str(folder / f"a.{suffix}"), "--dpi", str(DPI))
    shape = grey(folder / "a.png").shape
    return folder / "a.svg", folder / "a.png", (shape[1], shape[0])


def test_rsvg_draws_it_as_the_program_does(pictures: tuple[Path, Path, tuple[int, int]], tmp_path: Path) -> None:
    svg, png, (width, _) = pictures
    target = tmp_path / "r.png"
    subprocess.run([tool("rsvg-convert"), "--width", str(width), str(svg), "-o", str(target)], check=True, timeout=120)
    assert apart(grey(target), grey(png)) < BOUND


def test_chromium_draws_it_as_the_program_does(pictures: tuple[Path, Path, tuple[int, int]], tmp_path: Path) -> None:
    svg, png, (width, height) = pictures
    browser = shutil.which("chromium") or tool("chromium-browser")
    page = tmp_path / "page.html"
    style = f"style='width:{width}px;height:{height}px'"
    page.write_text(f"<body style='margin:0;background:#fff'><img src='{svg.as_uri()}' {style}>", encoding="utf-8")
    target = tmp_path / "c.png"
    subprocess.run(
        [
            *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--screenshot={target}"),
            *(f"--window-size={width},{height}", "--force-device-scale-factor=1", page.as_uri()),
        ],
        check=True,
        capture_output=True,
        timeout=180,
    )
    assert apart(grey(target), grey(png)) < BOUND
