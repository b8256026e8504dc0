"""Icons take the colour they are asked for, follow the theme and exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage
from PySide6.QtWidgets import QApplication

import fabricwright
from fabricwright.resources import resource_path
from fabricwright.ui.icons import app_icon, has_icon, icon, pixmap, state_pixmap
from fabricwright.ui.theme import apply_theme, named_theme

COLOURED = {"app-icon", "app-icon-16", "file-type"}  # drawings with colours of their own
ICONS = sorted(path.stem for path in resource_path("icons").glob("*.svg"))


def opaque_colours(image: QImage) -> set[str]:
    """Colours of the pixels that are covered nearly wholly."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {p.name() for p in pixels if p.alpha() > 250}


@pytest.mark.parametrize("name", [n for n in ICONS if n not in COLOURED and not n.endswith("-filled")])
def test_icon_is_painted_in_the_colour_asked_for(app: QApplication, name: str) -> None:
    found = opaque_colours(pixmap(name, 48, "#c81e50", 2.0).toImage())
    assert found, f"{name} paints nothing"
    for value in found:
        colour = QColor(value)
        distance = abs(colour.red() - 0xC8) + abs(colour.green() - 0x1E) + abs(colour.blue() - 0x50)
        assert distance <= 9, (name, value)  # resampling rounds


def test_pixmap_has_the_size_asked_for_at_every_ratio(app: QApplication) -> None:
    for ratio in (1.0, 1.25, 1.5, 2.0):
        shown = pixmap("save", 16, "text", ratio)
        assert shown.width() == round(16 * ratio)
        assert shown.devicePixelRatio() == ratio


def test_icons_follow_the_theme_without_being_made_again(app: QApplication) -> None:
    made = icon("delete", "text")
    for mode in ("light", "dark"):
        apply_theme(app, mode)
        found = opaque_colours(made.pixmap(QSize(32, 32)).toImage())
        assert named_theme(mode).hex("text") in found


def test_disabled_and_checked_icons(app: QApplication) -> None:
    made, colours = icon("group"), named_theme("light")
    disabled = made.pixmap(QSize(32, 32), QIcon.Mode.Disabled)
    checked = made.pixmap(QSize(32, 32), QIcon.Mode.Normal, QIcon.State.On)
    assert colours.hex("text.disabled") in opaque_colours(disabled.toImage())
    assert colours.hex("accent") in opaque_colours(checked.toImage())


@pytest.mark.parametrize("severity", ["error", "warning", "info", "ok", "approved"])
def test_state_signs(app: QApplication, severity: str) -> None:
    assert opaque_colours(state_pixmap(severity, 17).toImage())
    assert opaque_colours(state_pixmap(severity, 17, filled=True).toImage())


def test_every_icon_is_used() -> None:
    """By name somewhere in the program or the installers."""
    root = Path(fabricwright.__file__).resolve().parents[2]
    files = [*(root / "desktop" / "fabricwright").rglob("*.py"), *(root / "packaging").rglob("*.py")]
    words = set(re.findall(r"[\w-]+", "\n".join(path.read_text(encoding="utf-8") for path in files)))
    by_side = {f"chevron-{side}" for side in ("left", "right", "up", "down")}
    assert [name for name in ICONS if name not in words | by_side] == []


def test_unknown_icon_shows_a_question_mark_instead_of_failing(app: QApplication) -> None:
    assert not has_icon("no-such-icon")
    assert opaque_colours(pixmap("no-such-icon", 24).toImage())


def test_program_icon(app: QApplication) -> None:
    assert not app_icon().isNull()


def test_no_icon_keeps_a_fixed_colour() -> None:
    for name in ICONS:
        text = resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")
        if name not in COLOURED:
            assert "#" not in text, name
            assert "currentColor" in text, name
