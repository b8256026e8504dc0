"""Recorded drawings as PDF and PNG: embedded fonts, one state for one input, strips that meet without a seam."""

from __future__ import annotations

import numpy as np
import pypdf
import pytest
from PySide6.QtGui import QImage

from fabricwright.exchange.ink import Ink
from fabricwright.ui.paint import ink_files
from fabricwright.units.errors import UserError

pytestmark = pytest.mark.gui


def drawing(text: str = "LRES1260PF-2QSFP112 PCIe 5.0 x16 机柜") -> Ink:
    ink = Ink(800, 600, 211.67, 158.75, "T", "en")
    ink.rect(20, 20, 300, 200, fill="sunken", dash="9 3")
    ink.line([(20, 400), (400, 400), (400, 590)], stroke="rail3", width=3, radius=12, dash="2 3")
    ink.icon("app-icon", 500, 100, 200)
    ink.text(30, 60, text, 12)
    ink.text(700, 300, "turned 90", 14, weight=600, anchor="middle", turn=90)
    ink.path([("M", 600, 500), ("Q", 650, 450, 700, 500), ("Z",)], fill="warn")
    return ink


def pixels(data: bytes) -> np.ndarray:
    image = QImage.fromData(data).convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).copy()


def test_pdf_text_is_text_in_both_scripts(app) -> None:
    import io

    data = ink_files.pdf([drawing(), drawing()], title="Book", author="A. Person", date="2026-11-30")
    book = pypdf.PdfReader(io.BytesIO(data))
    assert len(book.pages) == 2
    assert "LRES1260PF-2QSFP112 PCIe 5.0 x16" in book.pages[0].extract_text()
    assert "机柜" in book.pages[0].extract_text()
    assert book.metadata.title == "Book" and book.metadata.author == "A. Person"
    assert book.metadata.get("/CreationDate") == "D:20261130000000Z" or "20261130" in str(
        book.metadata.get("/CreationDate")
    )
    assert ink_files.pdf([drawing(), drawing()], title="Book", author="A. Person", date="2026-11-30") == data
    assert ink_files.pdf([drawing("other"), drawing()], title="Book") != data


def test_a_stopped_export_raises(app) -> None:
    with pytest.raises(ink_files.Stopped):
        ink_files.pdf([drawing()] * 3, progress=lambda part: part < 0.5)
    with pytest.raises(ink_files.Stopped):
        ink_files.png(drawing(), progress=lambda part: False)


def test_strips_and_tiles_make_the_same_picture_as_one(app, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pixels(ink_files.png(drawing(), dpi=96))
    monkeypatch.setattr(ink_files, "STRIP_PX", 30_000)
    monkeypatch.setattr(ink_files, "TILE_PX", 333)
    told: list[float] = []
    tiled = pixels(ink_files.png(drawing(), dpi=96, progress=lambda part: told.append(part) is None))
    assert len(told) > 10 and told == sorted(told) and told[-1] == 1.0
    assert tiled.shape == whole.shape
    # Qt starts a dash of a long line a fraction of a pixel elsewhere when only a part of the line is in sight.
    apart = np.abs(tiled.astype(int) - whole).max(axis=2)
    assert np.count_nonzero(apart > 3) < 0.001 * apart.size and apart.max() < 100


def test_transparent_ground_and_white_ground(app) -> None:
    assert pixels(ink_files.png(drawing(), dpi=40, transparent=True))[2, 2, 3] == 0
    assert pixels(ink_files.png(drawing(), dpi=40))[2, 2].tolist() == [255, 255, 255, 255]


def test_a_picture_out_of_reason_is_refused(app) -> None:
    with pytest.raises(UserError, match="too large"):
        ink_files.png(Ink(10, 10, 84100, 59400, "t", "en"), dpi=2400)
