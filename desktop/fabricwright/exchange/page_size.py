"""Paper and how a page is laid out on it.

Pages are laid out in units of 1/96 inch, so that text of 12 units is 9 pt on paper. A page that is laid out larger
than its paper (``scale`` over 1) is shrunk onto it, one that is laid out smaller is a poster with larger letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

MM = 96.0 / 25.4
"""Units of a page per millimetre of the paper it is laid out for."""

PAPERS = {"A4": (297.0, 210.0), "A3": (420.0, 297.0), "A2": (594.0, 420.0), "A1": (841.0, 594.0), "A0": (1189.0, 841.0)}
"""ISO 216, landscape: width and height in mm."""

WIDE = 1300.0
"""Frames at least so wide have a column at the right, legend and notes at the foot."""


@dataclass(frozen=True, slots=True)
class PageSize:
    """Paper and the layout on it; all lengths but ``*_mm`` are page units."""

    name: str = "A3"
    landscape: bool = True
    scale: float = 1.0

    @property
    def width_mm(self) -> float:
        """Width of the paper."""
        return PAPERS[self.name][0 if self.landscape else 1]

    @property
    def height_mm(self) -> float:
        """Height of the paper."""
        return PAPERS[self.name][1 if self.landscape else 0]

    @property
    def width(self) -> float:
        """Width of the page."""
        return self.width_mm * MM * self.scale

    @property
    def height(self) -> float:
        """Height of the page."""
        return self.height_mm * MM * self.scale

    @property
    def left(self) -> float:
        """Left edge of the frame: 20 mm for the binder."""
        return 20 * MM

    @property
    def top(self) -> float:
        """Upper edge of the frame."""
        return 10 * MM

    @property
    def right(self) -> float:
        """Right edge of the frame."""
        return self.width - 10 * MM

    @property
    def bottom(self) -> float:
        """Lower edge of the frame."""
        return self.height - 10 * MM

    @property
    def wide(self) -> bool:
        """Whether there is room for a column at the right. Paper that is small at true size stays so when it is laid
        out larger: it is better to shrink the drawing alone."""
        return self.width_mm * MM * min(1.0, self.scale) - 30 * MM >= WIDE

    @property
    def foot(self) -> float:
        """Upper edge of the strip with the title block."""
        return self.bottom - (39 if self.wide else 26) * MM

    @property
    def side(self) -> float:
        """Left edge of the column at the right; the frame's own edge where there is none."""
        return self.right - 388 if self.wide else self.right

    @property
    def x0(self) -> float:
        """Left edge of the drawing."""
        return self.left + 24

    @property
    def x1(self) -> float:
        """Right edge of the drawing beside the column."""
        return self.side - 30 if self.wide else self.right - 24

    @property
    def y0(self) -> float:
        """Upper edge of the drawing."""
        return self.top + 66

    def layouts(self) -> Iterator[PageSize]:
        """This paper laid out ever larger: as a poster of A3 first, then at true size, then shrunk onto the paper."""
        scale = min(1.0, PAPERS["A3"][0] / PAPERS[self.name][0])
        while scale < 0.95:
            yield PageSize(self.name, self.landscape, scale)
            scale *= 2**0.5
        scale = 1.0
        for _ in range(36):
            yield PageSize(self.name, self.landscape, scale)
            scale *= 1.1


def page_size(text: str) -> PageSize:
    """``A3``, ``a4-portrait``, ``A0 landscape``. Raises UserError."""
    name, _, turn = text.strip().replace(" ", "-").partition("-")
    if name.upper() not in PAPERS or turn.lower() not in ("", "landscape", "portrait"):
        known = list(PAPERS)
        raise UserError(
            msg("'{text}' is no page size; expected {known}, with -portrait where wanted.", text=text[:40], known=known)
        )
    return PageSize(name.upper(), turn.lower() != "portrait")
