"""From requirements to a drawn design: the wizard, its alternatives and what growing takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricwright.ui.sizing.wizard import SizingWizard
    from fabricwright.ui.window import MainWindow


def start(window: MainWindow, *, add: bool = False) -> SizingWizard:
    """Open the wizard over a window. ``add``: its designs go into the open project unless told otherwise."""
    from fabricwright.ui.sizing.wizard import SizingWizard

    wizard = SizingWizard(window, add=add)
    wizard.open()
    return wizard
