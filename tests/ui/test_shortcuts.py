"""The shortcut sheet: complete, searchable, keys changed in it at once and for good, conflicts told, printed."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from fabricwright.ui.actions import ACTIONS, ActionSet
from fabricwright.ui.file_commands import blank_project
from fabricwright.ui.i18n import install_language
from fabricwright.ui.shortcuts.dialog import ShortcutDialog
from fabricwright.ui.shortcuts.key_text import native
from fabricwright.ui.shortcuts.printed import write_pdf
from fabricwright.ui.shortcuts.rows import GESTURES, sheet_rows
from tests.ui.canvas_stage import CTRL, Stage, close, make_stage

pytestmark = pytest.mark.gui


@pytest.fixture
def actions(app, tmp_path: Path) -> ActionSet:
    return ActionSet(settings=QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def dialog(qtbot, actions: ActionSet) -> ShortcutDialog:
    dialog = ShortcutDialog(actions)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_the_sheet_lists_every_command_once_and_all_gestures(actions: ActionSet) -> None:
    rows = sheet_rows(actions)
    assert sorted(r.action for r in rows if r.action) == sorted(spec.id for spec in ACTIONS)
    assert len([r for r in rows if r.how]) == len(GESTURES)
    assert not any(a.is_head and b.is_head for a, b in itertools.pairwise(rows))


def test_search_by_text_and_by_key(actions: ActionSet) -> None:
    assert [r.action for r in sheet_rows(actions, "duplicate") if r.action] == ["duplicate"]
    assert "find" in [r.action for r in sheet_rows(actions, "ctrl+f") if r.action]
    assert any(r.how for r in sheet_rows(actions, "axis"))
    assert sheet_rows(actions, "no such command") == []


def press(qtbot, dialog: ShortcutDialog, key: Qt.Key, mods: Qt.KeyboardModifier) -> None:
    dialog.sheet.key.setFocus()
    qtbot.keyClick(dialog.sheet.key, key, mods)


def test_a_free_key_is_assigned_and_remembered(qtbot, dialog: ShortcutDialog, actions: ActionSet, tmp_path) -> None:
    sheet = dialog.sheet
    sheet.choose("fit")
    press(qtbot, dialog, Qt.Key.Key_J, CTRL)
    assert sheet.set_button.isEnabled() and "free" in sheet.said.text()
    qtbot.mouseClick(sheet.set_button, Qt.MouseButton.LeftButton)
    assert actions["fit"].shortcuts() == [QKeySequence("Ctrl+J")]
    again = ActionSet(settings=QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    assert again["fit"].shortcuts() == [QKeySequence("Ctrl+J")]
    assert next(r for r in sheet.model.rows if r.action == "fit").changed
    qtbot.mouseClick(sheet.default_button, Qt.MouseButton.LeftButton)
    assert actions["fit"].shortcuts() == [QKeySequence("Ctrl+1")]


def test_a_conflict_is_told_and_can_be_decided(qtbot, dialog: ShortcutDialog, actions: ActionSet) -> None:
    sheet = dialog.sheet
    sheet.choose("fit")
    press(qtbot, dialog, Qt.Key.Key_D, CTRL)
    assert "Duplicate" in sheet.said.text() and not sheet.set_button.isEnabled()
    assert actions["fit"].shortcuts() == [QKeySequence("Ctrl+1")]
    sheet.take_button.click()
    assert actions["fit"].shortcuts() == [QKeySequence("Ctrl+D")] and actions["duplicate"].shortcuts() == []
    sheet.choose("duplicate")
    qtbot.mouseClick(sheet.default_button, Qt.MouseButton.LeftButton)
    assert "Fit the sheet" in sheet.said.text() and actions["duplicate"].shortcuts() == []
    qtbot.mouseClick(dialog.reset_button, Qt.MouseButton.LeftButton)
    assert actions["duplicate"].shortcuts() == [QKeySequence("Ctrl+D")]


def test_system_keys_are_refused(qtbot, dialog: ShortcutDialog) -> None:
    dialog.sheet.choose("fit")
    press(qtbot, dialog, Qt.Key.Key_Space, CTRL)
    assert "taken by the system" in dialog.sheet.said.text()
    assert not dialog.sheet.set_button.isEnabled() and not dialog.sheet.take_button.isVisible()


def test_printed_sheet_holds_the_keys(actions: ActionSet, tmp_path: Path) -> None:
    actions.set_shortcuts("fit", ["Ctrl+J"])
    path = tmp_path / "keys.pdf"
    assert write_pdf(actions, path)
    assert path.read_bytes().startswith(b"%PDF")
    if shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, encoding="utf-8").stdout
        assert "Ctrl+J" in text and "Fit the sheet" in text and "Shift + drag" in text


def test_remapped_arrows_nudge(qtbot, app, tmp_path: Path) -> None:
    from PySide6.QtCore import QPointF

    stage: Stage = make_stage(blank_project(), tmp_path)
    stage.drop_part("sn4700", QPointF(0, 0))
    stage.window.activateWindow()
    stage.view.setFocus()
    stage.window.actions_set.set_shortcuts("nudge-right", ["Ctrl+Alt+R"])
    x = stage.context.sheet_row.look["leaf0"].xy[0]
    stage.key(qtbot, Qt.Key.Key_Right)
    assert stage.context.sheet_row.look["leaf0"].xy[0] == x
    stage.key(qtbot, Qt.Key.Key_R, CTRL | Qt.KeyboardModifier.AltModifier)
    assert stage.context.sheet_row.look["leaf0"].xy[0] == x + 10
    close(stage)


def test_arrows_keep_their_signs_in_chinese(app: QApplication) -> None:
    """Qt's Chinese spells an arrow key out; the sheet shows what is printed on it, as the guide's texts do."""
    install_language(app, "zh_CN")
    try:
        shown = {key: native(QKeySequence(key)) for key in ("Left", "Alt+Up", "Alt+Shift+Return", "Ctrl+K", "Esc")}
    finally:
        install_language(app, "en")
    assert shown == {
        "Left": "←", "Alt+Up": "Alt+↑", "Alt+Shift+Return": "Alt+Shift+Enter", "Ctrl+K": "Ctrl+K", "Esc": "Esc",
    }  # fmt: skip
    assert native(QKeySequence("Alt+Up")) == "Alt+Up"
