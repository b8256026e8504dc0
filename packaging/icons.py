"""The program's icons in the forms that desktops want, drawn from the two SVG files that the program ships.

    python packaging/icons.py FOLDER

Writes ``SIZE.png`` and ``file-SIZE.png``, ``fabricwright.ico``, ``fabricwright-file.ico`` (Windows) and
``fabricwright.icns`` (macOS). Both containers may hold PNG pictures as they are, so no further tool is needed.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
SMALL = 20
"""Up to this many pixels the simpler drawing of the program's icon is used."""
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
ICNS_TYPES = {"icp4": 16, "icp5": 32, "icp6": 64, "ic07": 128, "ic08": 256, "ic09": 512}


def main(folder: Path) -> None:
    """Draw everything into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    icons = ROOT / "resources" / "icons"
    program = {s: picture(icons / ("app-icon-16.svg" if s <= SMALL else "app-icon.svg"), s) for s in SIZES}
    file = {s: picture(icons / "file-type.svg", s) for s in SIZES}
    for size in SIZES:
        (folder / f"{size}.png").write_bytes(program[size])
        (folder / f"file-{size}.png").write_bytes(file[size])
    (folder / "fabricwright.ico").write_bytes(ico(program))
    (folder / "fabricwright-file.ico").write_bytes(ico(file))
    (folder / "fabricwright.icns").write_bytes(icns(program))


def picture(svg: Path, size: int) -> bytes:
    """``svg`` as a square PNG with ``size`` pixels a side, transparent where nothing is drawn."""
    from PySide6.QtCore import QBuffer, QIODevice, QRectF
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(str(svg))
    if not renderer.isValid():
        raise SystemExit(f"icons: {svg.name} is not a drawing that can be read")
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    box = renderer.viewBoxF()
    scale = size / max(box.width(), box.height())
    width, height = box.width() * scale, box.height() * scale
    renderer.render(painter, QRectF((size - width) / 2, (size - height) / 2, width, height))
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """Windows' icon container: a directory of 16 bytes a picture, then the pictures."""
    sizes = [s for s in ICO_SIZES if s in pictures]
    offset = 6 + 16 * len(sizes)
    head, body = struct.pack("<HHH", 0, 1, len(sizes)), b""
    for size in sizes:
        data = pictures[size]
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), offset + len(body))
        body += data
    return head + body


def icns(pictures: dict[int, bytes]) -> bytes:
    """Apple's icon container: chunks of type, length, picture."""
    body = b"".join(
        kind.encode() + struct.pack(">I", 8 + len(pictures[size])) + pictures[size] for kind, size in ICNS_TYPES.items()
    )
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python packaging/icons.py FOLDER")
    main(Path(sys.argv[1]))
