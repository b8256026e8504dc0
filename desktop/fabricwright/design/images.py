"""Pictures that a project carries: small PNG and JPEG files, checked before anything decodes them.

A file from a stranger may hold anything under "image". Here it is looked at byte by byte, and never decoded: the right
magic, whole chunks, a size in pixels that fits into memory, a size in bytes that fits into a project. SVG is refused:
it can carry scripts and references. What is taken in loses its metadata (place, camera, colour profiles).
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Iterator

from fabricwright.design.values import Image
from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.record import record
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

MAX_IMAGE_BYTES = limits.PICTURE_BYTES
MAX_IMAGES = limits.PICTURES
MAX_TOTAL_BYTES = limits.PICTURES_BYTES
MAX_SIDE = limits.PICTURE_SIDE

PNG, JPEG = "image/png", "image/jpeg"
_PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = (b"IHDR", b"PLTE", b"tRNS", b"pHYs", b"sRGB", b"gAMA", b"IDAT", b"IEND")
_JPEG_SIZES = frozenset((*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0)))
_JPEG_DROPPED = frozenset((*range(0xE2, 0xEE), 0xE1, 0xEF, 0xFE))


@record
class Pixels:
    """Kind of an image file and its size in pixels."""

    media: str
    width: int
    height: int


def image_of(data: bytes, title: str = "") -> Image:
    """The row for the bytes of a PNG or JPEG file, without its metadata. Raises UserError."""
    if len(data) > 8 * MAX_IMAGE_BYTES:
        raise _too_big(len(data))
    pixels = _checked(data)
    kept = b"".join(_png_kept(data)) if pixels.media == PNG else b"".join(_jpeg_kept(data))
    if len(kept) > MAX_IMAGE_BYTES:
        raise _too_big(len(kept))
    return Image(pixels.media, base64.b64encode(kept).decode("ascii"), title)


def image_bytes(image: Image) -> bytes:
    """The file's bytes, checked. Raises UserError."""
    if len(image.data) > MAX_IMAGE_BYTES * 4 // 3 + 4:
        raise _too_big(len(image.data) * 3 // 4)
    try:
        data = base64.b64decode(image.data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UserError(msg("The picture is not base64 text.")) from error
    if _checked(data).media != image.media:
        raise UserError(msg("The picture is not the {media} that it says it is.", media=image.media))
    return data


def pixels_of(image: Image) -> Pixels:
    """Kind and size of a picture of the project. Raises UserError."""
    return _checked(image_bytes(image))


def image_problems(images: Table[Image]) -> Iterator[tuple[str, Message]]:
    """(id, what is wrong) of the pictures of a project."""
    if len(images) > MAX_IMAGES:
        yield "", msg("{count} pictures; at most {limit} are supported.", count=len(images), limit=MAX_IMAGES)
        return
    if sum(len(image.data) for image in images.values()) > MAX_TOTAL_BYTES * 4 // 3:
        yield "", msg("The pictures are more than {limit} MB together.", limit=MAX_TOTAL_BYTES >> 20)
        return
    for image_id, image in images.items():
        try:
            image_bytes(image)
        except UserError as error:
            yield image_id, error.message


def _too_big(size: int) -> UserError:
    return UserError(
        msg(
            "The picture has {size} KB; expected at most {limit} KB.",
            size=-(-size // 1024),
            limit=MAX_IMAGE_BYTES // 1024,
        )
    )


def _checked(data: bytes) -> Pixels:
    if data.startswith(_PNG_MAGIC):
        pixels = _png_pixels(data)
    elif data.startswith(b"\xff\xd8\xff"):
        pixels = _jpeg_pixels(data)
    else:
        raise UserError(msg("The picture is neither PNG nor JPEG."))
    if pixels is None:
        raise UserError(msg("The picture is damaged."))
    if not (0 < pixels.width <= MAX_SIDE and 0 < pixels.height <= MAX_SIDE):
        raise UserError(
            msg(
                "The picture has {width} x {height} pixels; expected at most {limit} a side.",
                width=pixels.width,
                height=pixels.height,
                limit=MAX_SIDE,
            )
        )
    return pixels


# -- PNG: magic, then chunks of length, type, data, checksum -----------------------------------------------------------


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """(type, first byte, byte after) of each chunk; stops where the file is cut off."""
    at = len(_PNG_MAGIC)
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        end = at + 12 + length
        if end > len(data):
            return
        yield data[at + 4 : at + 8], at, end
        at = end


def _png_pixels(data: bytes) -> Pixels | None:
    kinds = []
    for kind, at, end in _png_chunks(data):
        if _crc(data[at + 4 : end - 4]) != struct.unpack_from(">I", data, end - 4)[0]:
            return None
        kinds.append(kind)
    whole = kinds[:1] == [b"IHDR"] and kinds[-1:] == [b"IEND"] and b"IDAT" in kinds
    if not whole or struct.unpack_from(">I", data, 8)[0] != 13:
        return None
    width, height = struct.unpack_from(">II", data, 16)
    return Pixels(PNG, width, height)


def _crc(data: bytes) -> int:
    """The checksum that PNG chunks carry."""
    return binascii.crc32(data) & 0xFFFFFFFF


def _png_kept(data: bytes) -> Iterator[bytes]:
    yield _PNG_MAGIC
    for kind, at, end in _png_chunks(data):
        if kind in _PNG_KEPT:
            yield data[at:end]


# -- JPEG: markers FF xx, most with a length; after SOS the picture itself ---------------------------------------------


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """(marker, first byte, byte after) of the segments before the picture itself; SOS comes last with the rest."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        end = at + 2 + length
        if length < 2 or end > len(data):
            return
        if marker == 0xDA:
            yield marker, at, len(data)
            return
        yield marker, at, end
        at = end


def _jpeg_pixels(data: bytes) -> Pixels | None:
    size: Pixels | None = None
    for marker, at, end in _jpeg_segments(data):
        if marker in _JPEG_SIZES and end - at >= 9 and size is None:
            height, width = struct.unpack_from(">HH", data, at + 5)
            size = Pixels(JPEG, width, height)
        elif marker in _JPEG_SIZES:
            return None  # two sizes: a decoder might believe the other one
        if marker == 0xDA:
            return size if data.rstrip(b"\0").endswith(b"\xff\xd9") else None
    return None


def _jpeg_kept(data: bytes) -> Iterator[bytes]:
    yield data[:2]
    for marker, at, end in _jpeg_segments(data):
        if marker not in _JPEG_DROPPED:
            yield data[at:end]
