"""Every test of the window starts in English and light, whatever the one before it did."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    """The application with the program's style and fonts."""
    from fabricwright.ui.i18n import install_language
    from fabricwright.ui.theme import apply_theme

    apply_theme(qapp, "light")
    install_language(qapp, "en")
    yield qapp
    apply_theme(qapp, "light")
    install_language(qapp, "en")
