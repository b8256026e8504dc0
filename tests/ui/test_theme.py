"""Colours can be read, types are the ones that ship, and a switch reaches everybody."""

from __future__ import annotations

import itertools

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

import fabricwright.ui.theme
from fabricwright.ui.theme import (
    LOAD_WIDTHS,
    Theme,
    apply_theme,
    follow_theme,
    link_style,
    load_color,
    load_fonts,
    load_step,
    load_tokens,
    load_width,
    make_pen,
    named_theme,
    rail_color,
    theme,
    ui_font,
)

THEMES = ("light", "dark", "print")
GROUNDS = ("window", "panel", "canvas", "raised", "sunken", "hover")
INKS = ("text", "text.2", "text.3", "accent")


def luminance(colour: QColor) -> float:
    """Relative luminance, WCAG 2.1."""

    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def contrast(one: QColor, two: QColor) -> float:
    """Contrast ratio, WCAG 2.1: 1 (same) to 21 (black on white)."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_known_pairs() -> None:
    assert contrast(QColor("#000000"), QColor("#FFFFFF")) == pytest.approx(21.0)
    assert contrast(QColor("#777777"), QColor("#FFFFFF")) == pytest.approx(4.48, abs=0.01)  # the usual WCAG example


@pytest.mark.parametrize("name", THEMES)
def test_text_can_be_read_on_every_ground(name: str) -> None:
    colours = named_theme(name)
    for ink, ground in itertools.product(INKS, GROUNDS):
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("state", ["error", "warn", "ok", "info", "accent"])
def test_state_colours_can_be_read(name: str, state: str) -> None:
    colours = named_theme(name)
    assert contrast(colours[state], colours[f"{state}.soft"]) >= 4.5
    assert contrast(colours["text"], colours[f"{state}.soft"]) >= 4.5
    assert contrast(colours["text.on-accent"], colours[state]) >= 4.5
    for ground in ("panel", "canvas", "raised"):
        assert contrast(colours[state], colours[ground]) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_lines_can_be_seen(name: str) -> None:
    colours = named_theme(name)
    lines = [f"rail{i}" for i in range(8)] + ["storage", "mgmt", "pcie", "cxl", "nvlink", "border.strong"]
    for token, ground in itertools.product([*lines, *(f"heat{i}" for i in range(5))], ("panel", "canvas", "raised")):
        assert contrast(colours[token], colours[ground]) >= 3.0, (token, ground)


@pytest.mark.parametrize("name", THEMES)
def test_load_ramp_runs_one_way_in_grey(name: str) -> None:
    steps = [luminance(named_theme(name)[f"heat{i}"]) for i in range(5)]
    assert steps == sorted(steps, reverse=name != "dark")


def test_themes_have_the_same_tokens() -> None:
    tokens = load_tokens()
    assert set(tokens["light"]) == set(tokens["dark"]) == set(tokens["print"])


@pytest.mark.parametrize(
    ("fraction", "step"), [(0, 0), (0.249, 0), (0.25, 1), (0.5, 2), (0.76, 3), (0.9, 4), (1.0, 4), (1.4, 4)]
)
def test_load_steps(fraction: float, step: int) -> None:
    colours = named_theme("light")
    assert load_step(fraction) == step
    assert load_color(fraction, colours) == colours[f"heat{step}"]
    assert load_width(fraction) == LOAD_WIDTHS[step]


def test_rails_repeat_after_eight() -> None:
    colours = named_theme("dark")
    assert rail_color(9, colours) == rail_color(1, colours) == colours["rail1"]


def test_link_styles() -> None:
    assert link_style("storage").gap > 0
    assert link_style("oob") == link_style("mgmt")
    assert link_style("compute", rail=5).token == "rail5"
    assert link_style("compute", rail=5).dash == ()
    dashes = {link_style("compute", rail=i, paper=True).dash for i in range(8)}
    assert len(dashes) == 8  # rails can be told apart without colour on paper
    style = link_style("mgmt")
    pen = make_pen(named_theme("light")[style.token], style.width, style.dash)
    assert [step * pen.widthF() for step in pen.dashPattern()] == pytest.approx([5, 3])


def test_switch_changes_palette_and_tells(app: QApplication) -> None:
    heard: list[str] = []

    class Follower(QObject):
        def hear(self, now: Theme) -> None:
            heard.append(now.name)

    follower = Follower()
    follow_theme(follower.hear)
    apply_theme(app, "dark")
    assert theme().dark
    assert app.palette().color(QPalette.ColorRole.Window) == named_theme("dark")["window"]
    apply_theme(app, "dark")
    apply_theme(app, "light")
    assert heard == ["dark", "light"]
    before = len(fabricwright.ui.theme._followers)
    del follower
    apply_theme(app, "dark")  # one that is gone is not called, and nothing is kept of it
    apply_theme(app, "light")
    assert heard == ["dark", "light"]
    assert len(fabricwright.ui.theme._followers) == before - 1


def test_a_follower_that_qt_deleted_is_not_called(app: QApplication) -> None:
    heard: list[str] = []

    class Follower(QObject):
        def hear(self, now: Theme) -> None:
            heard.append(now.name)

    follower = Follower()
    follow_theme(follower.hear)
    shiboken6.delete(follower)
    apply_theme(app, "dark")
    apply_theme(app, "light")
    assert heard == []


def test_unknown_mode_is_refused(app: QApplication) -> None:
    with pytest.raises(ValueError, match="sepia"):
        apply_theme(app, "sepia")


@pytest.mark.parametrize(("weight", "style"), [(400, "Regular"), (500, "Medium"), (600, "Semi Bold"), (700, "Bold")])
def test_own_faces_are_used(app: QApplication, weight: int, style: str) -> None:
    info = QFontInfo(ui_font(13, weight))
    assert info.family() == "Fabricwright Sans"
    assert info.styleName().replace(" ", "") == style.replace(" ", "")


def test_han_text_has_glyphs_from_a_simplified_face(app: QApplication) -> None:
    from PySide6.QtGui import QTextLayout

    layout = QTextLayout("集群 2,048 GPU", ui_font(13))
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    families = {run.rawFont().familyName() for run in layout.glyphRuns()}
    assert families == {"Fabricwright Sans", "Noto Sans SC"}
    assert all(0 not in run.glyphIndexes() for run in layout.glyphRuns())


def test_fonts_load_where_qt_cannot_open_their_path(app: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFontDatabase, "addApplicationFont", lambda _path: -1)
    load = load_fonts.__wrapped__  # past its cache
    assert {"Fabricwright Sans", "Noto Sans SC"} <= set(load())
