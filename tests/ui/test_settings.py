"""Settings work at once and are remembered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from fabricwright.ui.dialogs import fit_to_screen
from fabricwright.ui.file_commands import blank_project
from fabricwright.ui.safekeeping import autosave_minutes
from fabricwright.ui.session import Session
from fabricwright.ui.settings_dialog import AGAIN, WHEEL_ZOOMS, SettingsDialog
from fabricwright.ui.theme import theme
from fabricwright.ui.welcome.recents import recent_facts
from tests.ui.canvas_stage import CTRL, NO, SHIFT, Stage, close, make_stage

pytestmark = pytest.mark.gui


@pytest.fixture
def stage(app, tmp_path: Path) -> Iterator[Stage]:
    stage = make_stage(blank_project(), tmp_path)
    yield stage
    close(stage)


def wheel(stage: Stage, mods: Qt.KeyboardModifier) -> float:
    """Factor by which one turn of the wheel changes the zoom."""
    before = stage.view.zoom
    middle = QPointF(stage.view.viewport().rect().center())
    event = QWheelEvent(
        middle,
        stage.view.viewport().mapToGlobal(middle),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        mods,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(stage.view.viewport(), event)
    return stage.view.zoom / before


def test_theme_and_language_switch_at_once(qtbot, stage: Stage) -> None:
    dialog = SettingsDialog(stage.window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.theme._pick("dark")
    assert theme().name == "dark" and stage.window.session.text("view/theme") == "dark"
    dialog.theme._pick("light")
    dialog.language._pick("zh_CN")
    assert dialog.result() == AGAIN and stage.context.language == "zh_CN"
    dialog.grab()


def test_wheel_alone_can_zoom(qtbot, stage: Stage) -> None:
    assert wheel(stage, NO) == 1.0 and wheel(stage, CTRL) == pytest.approx(1.25)
    dialog = SettingsDialog(stage.window)
    qtbot.addWidget(dialog)
    dialog.wheel.setChecked(True)
    assert wheel(stage, NO) == pytest.approx(1.25) and wheel(stage, SHIFT) == 1.0
    assert stage.window.session.flag(WHEEL_ZOOMS, False)


def test_keys_are_changed_in_the_settings_too(qtbot, stage: Stage) -> None:
    dialog = SettingsDialog(stage.window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.keys.choose("fit")
    dialog.keys.key.setFocus()
    qtbot.keyClick(dialog.keys.key, Qt.Key.Key_J, CTRL)
    qtbot.mouseClick(dialog.keys.set_button, Qt.MouseButton.LeftButton)
    assert stage.window.actions_set["fit"].shortcut().toString() == "Ctrl+J"
    dialog.reset.click()
    assert stage.window.actions_set["fit"].shortcut().toString() == "Ctrl+1"


def test_size_counts_from_the_next_start(qtbot, stage: Stage) -> None:
    from fabricwright.ui.session import SCALE, own_scale

    dialog = SettingsDialog(stage.window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.scale._pick("1.5")
    assert own_scale(stage.window.session.settings.value(SCALE)) == "1.5" and "150 %" in dialog.later.text()
    assert own_scale(None) == "" and own_scale("1") == "" and own_scale("17") == ""


def test_a_dialog_is_no_taller_than_its_screen(app: QApplication) -> None:
    dialog = QWidget()
    room = dialog.screen().availableSize()
    fit_to_screen(dialog, QSize(640, room.height() + 200))
    assert dialog.height() < room.height() and dialog.width() == 640
    fit_to_screen(dialog, QSize(500, 300))
    assert (dialog.width(), dialog.height()) == (500, 300)


GARBAGE = ("-1", "1e999", "@Size(5 5)", "@Variant(\\0\\0\\0\\x7f\\0\\0\\0\\x1aX)", "x" * 5000, "[[[[", "a, b")


@pytest.mark.says("QVariant::load: unknown user type")
@pytest.mark.parametrize("value", GARBAGE)
def test_settings_that_hold_anything_are_passed_over(app, tmp_path: Path, value: str) -> None:
    """A file that was cut, edited by hand, or written by another version."""
    keys = ("recent", "recent_facts", "folder", "autosave_min")
    text = "[files]\n" + "".join(f"{key}={value}\n" for key in keys) + f"[window]\ngeometry={value}\nlayout={value}\n"
    (tmp_path / "settings.ini").write_text(text + f"[view]\nscale={value}\ntheme={value}\nlanguage={value}\n")
    session = Session(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    assert session.recent() == [] and session.folder().is_dir()
    assert recent_facts(session) == [] and autosave_minutes(session) == 0
    window = QMainWindow()
    session.restore_geometry(window)
    assert not session.restore_layout(window) and window.width() > 100
    session.add_recent(tmp_path / "settings.ini")
    assert session.recent() == [tmp_path / "settings.ini"]
    window.deleteLater()
