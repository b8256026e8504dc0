"""One table of commands: unique ids, no key used twice from the same place, texts that follow the language."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from fabricwright.ui.actions import ACTIONS, MENUS, ActionSet, default_shortcuts, menu_name, menu_title
from fabricwright.ui.i18n import install_language
from fabricwright.ui.icons import has_icon

# Keys that Windows, Chinese input methods or graphics drivers take (research: editor.md 5.3).
TAKEN = {"Ctrl+Space", "Ctrl+Shift+0", "Shift+Space", "Ctrl+Alt+Left", "Ctrl+Alt+Right", "Ctrl+Alt+Up", "Ctrl+Alt+Down"}


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


def test_ids_are_unique() -> None:
    assert [name for name, n in Counter(spec.id for spec in ACTIONS).items() if n > 1] == []


def test_categories_and_icons_exist() -> None:
    menus = {name for name, _ in MENUS} | {"theme", "language", "align", "order", ""}
    for spec in ACTIONS:
        assert spec.category in menus, spec.id
        assert not spec.icon or has_icon(spec.icon), spec.id
        assert spec.context in ("window", "canvas"), spec.id


def test_no_key_means_two_things(app: QApplication) -> None:
    """A window command is reachable from the canvas too, so canvas keys must differ from window keys."""
    users: dict[str, list[str]] = {}
    for spec in ACTIONS:
        for key in default_shortcuts(spec):
            users.setdefault(key.toString(QKeySequence.SequenceFormat.PortableText), []).append(spec.id)
    assert {key: ids for key, ids in users.items() if len(ids) > 1} == {}
    assert not TAKEN & set(users)


def test_every_text_is_short_enough_for_a_menu() -> None:
    assert all(0 < len(spec.text) <= 40 for spec in ACTIONS)


def test_texts_follow_the_language(app: QApplication, settings: QSettings) -> None:
    actions = ActionSet(settings=settings)
    assert actions["undo"].text() == "Undo"
    install_language(app, "zh_CN")
    if app.translate("Actions", "Undo") == "Undo":
        pytest.skip("resources/i18n/fabricwright_zh_CN.qm is not compiled (`make bake`)")
    assert actions["undo"].text() == "撤销"
    assert "Ctrl+Z" in actions["undo"].toolTip()
    assert menu_title("file").startswith("文件")
    assert menu_name("file") == "文件"
    install_language(app, "en")
    assert actions["undo"].text() == "Undo"


def test_shortcuts_can_be_changed_and_are_remembered(app: QApplication, settings: QSettings) -> None:
    actions = ActionSet(settings=settings)
    assert actions.set_shortcuts("fit", ["Ctrl+Alt+F"]) == []
    assert ActionSet(settings=settings)["fit"].shortcut() == QKeySequence("Ctrl+Alt+F")
    assert actions.set_shortcuts("fit", None) == []
    assert ActionSet(settings=settings)["fit"].shortcut() == QKeySequence("Ctrl+1")


def test_a_key_can_be_taken_away(app: QApplication, settings: QSettings) -> None:
    actions = ActionSet(settings=settings)
    actions.set_shortcuts("toggle-heatmap", [])
    assert ActionSet(settings=settings)["toggle-heatmap"].shortcuts() == []


def test_a_taken_key_is_refused(app: QApplication, settings: QSettings) -> None:
    actions = ActionSet(settings=settings)
    assert actions.set_shortcuts("fit", ["Ctrl+Z"]) == ["undo"]
    assert actions["fit"].shortcut() == QKeySequence("Ctrl+1")


def test_triggering_reaches_the_slot_and_the_signal(app: QApplication, settings: QSettings) -> None:
    actions, heard, calls = ActionSet(settings=settings), [], []
    actions.triggered.connect(heard.append)
    actions.connect_to("fit", lambda: calls.append("fit"))
    actions.connect_to("toggle-heatmap", lambda checked: calls.append(checked))
    actions["fit"].trigger()
    actions["toggle-heatmap"].trigger()
    assert heard == ["fit", "toggle-heatmap"]
    assert calls == ["fit", True]


def test_modes_exclude_each_other(app: QApplication, settings: QSettings) -> None:
    actions = ActionSet(settings=settings)
    actions["select-mode"].trigger()
    actions["link-mode"].trigger()
    assert actions["link-mode"].isChecked()
    assert not actions["select-mode"].isChecked()
