"""Recorded drawings as PDF and PNG files, in memory; no window is needed.

PDF: vectors, text as text, fonts embedded, the same bytes for the same drawings (Qt states the time of writing and a
random identity; both are replaced). PNG: painted in strips and packed as they come, so that no picture is too large.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
import sys
import zlib
from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QRectF, QSizeF, Qt, QUuid
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtWidgets import QApplication

from fabricwright import __version__
from fabricwright.exchange.ink import Ink
from fabricwright.ui.paint.ink_painter import paint_ink
from fabricwright.ui.theme import load_fonts
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

PDF_DPI = 1200
STRIP_PX = 8_000_000
"""Pixels painted at a time."""
MOST_PX = 4_000_000_000
MM_PER_INCH = 25.4

Progress = Callable[[float], bool]


class Stopped(Exception):
    """The person stopped the work."""


_application: list[QApplication] = []


def ready() -> None:
    """Fonts need a running application; the command line has none, so it gets one without a screen."""
    if QApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        _application.append(QApplication(sys.argv[:1]))
    load_fonts()


def pdf(
    pages: Sequence[Ink], *, title: str = "", author: str = "", date: str = "", progress: Progress | None = None
) -> bytes:
    """One PDF with a page for each drawing; ``date`` (ISO) is the date it states, "" for none.

    Raises Stopped when ``progress`` answers False.
    """
    ready()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(PDF_DPI)
    writer.setTitle(title or (pages[0].title if pages else ""))
    writer.setCreator(f"Fabricwright {__version__}")
    if author:
        writer.setAuthor(author)
    digest = hashlib.sha256(repr([(p.width, p.height, p.ops) for p in pages]).encode()).hexdigest()
    writer.setDocumentId(QUuid(f"{{{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}}}"))
    painter = QPainter()
    for number, page in enumerate(pages):
        layout = QPageLayout(
            QPageSize(
                QSizeF(page.width_mm, page.height_mm),
                QPageSize.Unit.Millimeter,
                "",
                QPageSize.SizeMatchPolicy.ExactMatch,
            ),
            QPageLayout.Orientation.Portrait,
            QMarginsF(),
        )
        writer.setPageLayout(layout)
        if number == 0:
            painter.begin(writer)
        else:
            writer.newPage()
        paint_ink(painter, page, PDF_DPI * page.width_mm / MM_PER_INCH / page.width)
        if progress is not None and not progress((number + 1) / len(pages)):
            painter.end()
            raise Stopped
    painter.end()
    buffer.close()
    return _dated(_spaced(bytes(data.data())), date)


def _spaced(data: bytes) -> bytes:
    """Space and tab share a glyph, and Qt names the tab; what is copied and searched must be a space."""
    tables = re.compile(rb"beginbfrange.*?endbfrange", re.DOTALL)
    return tables.sub(lambda found: found[0].replace(b"<0009>", b"<0020>"), data)


def _dated(data: bytes, date: str) -> bytes:
    """The file with the stated date instead of the time of writing; lengths stay, since the file counts bytes."""
    digits = re.sub(r"[^0-9]", "", date)[:8]
    whole = len(digits) == 8

    def info(found: re.Match[bytes]) -> bytes:
        if not whole:
            return b" " * len(found[0])
        text = found[1] + b"(D:" + digits.encode() + b"000000Z"
        return text.ljust(len(found[0]) - 1) + b")"

    def meta(found: re.Match[bytes]) -> bytes:
        if not whole:
            return b" " * len(found[0])
        stated = f"{digits[:4]}-{digits[4:6]}-{digits[6:]}T00:00:00+00:00".encode()
        return (found[1] + b'"' + stated[: len(found[2])] + b'"').ljust(len(found[0]))

    data = re.sub(rb"(/(?:CreationDate|ModDate) )\(D:[^)]*\)", info, data)
    return re.sub(rb'(xmp:(?:CreateDate|ModifyDate|MetadataDate)=)"([^"]*)"', meta, data)


def png(page: Ink, *, dpi: float = 150, transparent: bool = False, progress: Progress | None = None) -> bytes:
    """A picture of one drawing. Raises UserError when it would be out of reason, Stopped when stopped."""
    ready()
    scale = dpi * page.width_mm / MM_PER_INCH / page.width
    width, height = max(1, round(page.width * scale)), max(1, round(page.height * scale))
    if width * height > MOST_PX:
        raise UserError(
            msg("A picture of {w} × {h} pixels is too large; expected fewer than 4,000 million.", w=width, h=height)
        )
    channels = 4 if transparent else 3
    colour_type = 6 if transparent else 2
    per_metre = round(dpi / MM_PER_INCH * 1000)
    out = [
        b"\x89PNG\r\n\x1a\n",
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0)),
        _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
    ]
    packer = zlib.compressobj(6)
    above = np.zeros((1, width * channels), np.uint8)
    rows = max(1, min(height, STRIP_PX // width))
    for top in range(0, height, rows):
        count = min(rows, height - top)
        strip = _strip(page, scale, top, width, count, transparent)
        flat = strip[:, :, :channels].reshape(count, width * channels)
        # PNG filter 2 (up): what is like the row above becomes zero.
        lines = np.empty((count, 1 + width * channels), np.uint8)
        lines[:, 0] = 2
        lines[:, 1:] = flat - np.vstack([above, flat[:-1]])
        above = flat[-1:].copy()
        packed = packer.compress(lines.tobytes())
        if packed:
            out.append(_chunk(b"IDAT", packed))
        if progress is not None and not progress((top + count) / height):
            raise Stopped
    out += [_chunk(b"IDAT", packer.flush()), _chunk(b"IEND", b"")]
    return b"".join(out)


TILE_PX = 16_384
"""Widest picture painted at once; Qt's own limit is 32,767."""


def _strip(page: Ink, scale: float, top: int, width: int, count: int, transparent: bool) -> np.ndarray:
    tiles = []
    for left in range(0, width, TILE_PX):
        across = min(TILE_PX, width - left)
        image = QImage(across, count, QImage.Format.Format_RGBA8888)
        image.fill(Qt.GlobalColor.transparent if transparent else Qt.GlobalColor.white)
        painter = QPainter(image)
        painter.translate(QPointF(-left, -top))
        paint_ink(painter, page, scale, QRectF(left / scale, top / scale, across / scale, count / scale))
        painter.end()
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(count, image.bytesPerLine())
        tiles.append(pixels[:, : across * 4].reshape(count, across, 4).copy())
    return tiles[0] if len(tiles) == 1 else np.hstack(tiles)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
