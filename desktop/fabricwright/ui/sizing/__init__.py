"""From requirements to a drawn design: the wizard, its alternatives and what growing takes."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from fabricwright.ui.sizing.wizard import SizingWizard
    from fabricwright.ui.window import MainWindow


def start(window: MainWindow, *, add: bool = False) -> SizingWizard:
    """Open the wizard over a window. ``add``: its designs go into the open project unless told otherwise."""
    from fabricwright.ui.sizing.wizard import SizingWizard

    wizard = SizingWizard(window, add=add)
    wizard.open()
    return wizard


def warm_up(owner: QObject, left: Iterator[None] | None = None) -> None:
    """Load the wizard before it is asked for, a piece per turn of the loop, so that opening it does not stop the
    window. ``owner``: while it lives."""
    pieces = left if left is not None else _pieces()
    for _piece in pieces:
        QTimer.singleShot(0, owner, lambda: warm_up(owner, pieces))
        return


def _pieces() -> Iterator[None]:
    for name in ("topology.racks", "sizing.sentence", "ui.sizing.form", "ui.sizing.wizard"):
        import_module(f"fabricwright.{name}")
        yield
    from fabricwright.catalog.store import catalogue

    store = catalogue()
    for n, part in enumerate(store.kinds().get("chassis", ())):
        store.raw(part)  # the catalogue keeps what it resolved; the form lists these by what they hold
        if n % 4 == 3:
            yield
