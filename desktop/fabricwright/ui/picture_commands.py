"""Pictures on sheets: from a file, from the clipboard, dropped from the file manager."""

from __future__ import annotations

import base64
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QPointF
from PySide6.QtGui import QImage

from fabricwright.design.images import MAX_IMAGE_BYTES
from fabricwright.ui import dialogs
from fabricwright.ui.context import UiContext
from fabricwright.units.errors import UserError
from fabricwright.units.reading import read_file

SUFFIXES = (".png", ".jpg", ".jpeg")
#: Pixels of the longer side of what is pasted: a logo, not a photograph.
_PASTED_SIDE = 1200


def insert_file(context: UiContext, path: Path, centre: QPointF) -> bool:
    """Put a PNG or JPEG file on the open sheet. False when it could not be read or is none."""
    try:
        data = read_file(path, 8 * MAX_IMAGE_BYTES)
    except UserError as error:
        context.say(error.message, "error")
        return False
    return _insert(context, data, path.stem, centre)


def insert_image(context: UiContext, image: QImage, centre: QPointF) -> bool:
    """Put a picture of the clipboard on the open sheet, as PNG, no larger than a sheet needs."""
    if image.isNull():
        return False
    if max(image.width(), image.height()) > _PASTED_SIDE:
        from PySide6.QtCore import QSize, Qt

        side = QSize(_PASTED_SIDE, _PASTED_SIDE)
        image = image.scaled(side, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    out = QByteArray()
    buffer = QBuffer(out)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    buffer.close()
    return _insert(context, bytes(out.data()), "", centre)


def _insert(context: UiContext, data: bytes, title: str, centre: QPointF) -> bool:
    before = set(context.sheet_row.pictures)
    text = base64.b64encode(data).decode("ascii")
    at = [round(centre.x() / 10) * 10.0, round(centre.y() / 10) * 10.0]
    if context.edit("add_picture", data=text, title=title, xy=at) is None:
        return False
    context.document.select([i for i in context.sheet_row.pictures if i not in before])
    return True


def picture_files(data: QMimeData) -> list[Path]:
    """Pictures among dropped or copied files."""
    files = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()] if data.hasUrls() else []
    return [path for path in files if path.suffix.lower() in SUFFIXES]


def ask_file(context: UiContext, parent: object, folder: str, centre: QPointF) -> None:
    """Choose a file and put it in the middle of the view."""
    path = dialogs.ask_picture(parent, folder)  # type: ignore[arg-type]
    if path is not None:
        insert_file(context, path, centre)
