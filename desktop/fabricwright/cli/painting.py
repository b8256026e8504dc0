"""Who paints PDF and PNG for the command line. Painting is the window's floor, so the entry point installs it.

``fabricwright.__main__`` calls ``install`` with a function that imports the painter when it is first called: a command
that paints nothing never loads Qt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.exchange.ink import Ink

Progress = Callable[[float], bool]
"""Told how far it is (0..1); answers whether to go on."""


class Painter(Protocol):
    """Turns recorded drawings into files; see ``fabricwright.ui.paint.ink_files``."""

    def pdf(
        self,
        pages: Sequence[Ink],
        *,
        title: str = "",
        author: str = "",
        date: str = "",
        progress: Progress | None = None,
    ) -> bytes:
        """One PDF with a page for each drawing; ``date`` (ISO) is the date it states, "" for none."""
        ...

    def png(self, page: Ink, *, dpi: float = 150, transparent: bool = False, progress: Progress | None = None) -> bytes:
        """A picture of one drawing."""
        ...


_maker: list[Callable[[], Painter]] = []


def install(maker: Callable[[], Painter]) -> None:
    """Say who paints; the last one counts."""
    _maker[:] = [maker]


def painter() -> Painter:
    """The installed painter. Raises UserError when there is none."""
    if not _maker:
        raise UserError(msg("PDF and PNG need the whole program: start it as 'fabricwright'."))
    return _maker[0]()
