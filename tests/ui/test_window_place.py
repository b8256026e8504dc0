"""The window comes back where a screen is; at 200 % it fits; typing with an input method; undo while dragging."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRect, QSettings, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.canvas.rename import InlineRename
from fabricwright.ui.session import DEFAULT_SIZE, MINIMUM_SIZE, TITLE_PX, Session, clamp
from tests.ui.canvas_stage import Stage


@pytest.mark.parametrize(
    "place", [(9000, 200, 900, 600), (-4000, -3000, 900, 600), (700, 9000, 5000, 4000), (-60, -80, 700, 500)]
)
def test_a_window_of_a_missing_monitor_comes_back_whole(app: QApplication, place: tuple[int, int, int, int]) -> None:
    window = QMainWindow()
    window.setGeometry(QRect(*place))
    clamp(window)
    area = window.screen().availableGeometry()
    assert area.contains(window.geometry())
    assert window.minimumWidth() <= area.width() and window.minimumHeight() <= area.height()
    window.deleteLater()


def test_a_first_start_has_its_title_in_reach(app: QApplication, tmp_path: Path) -> None:
    """Never shown before: in the middle below the screen's edge, and filling a screen that is hardly larger."""
    window = QMainWindow()
    Session(QSettings(str(tmp_path / "none.ini"), QSettings.Format.IniFormat)).restore_geometry(window)
    area = window.screen().availableGeometry()
    assert area.contains(window.normalGeometry())
    assert window.normalGeometry().top() >= min(area.top() + TITLE_PX, area.bottom() - window.height() + 1)
    small = area.width() * area.height() < 1.2 * DEFAULT_SIZE[0] * DEFAULT_SIZE[1]
    assert window.isMaximized() is small
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.setGeometry(QRect(area.left(), area.top(), MINIMUM_SIZE[0], area.height() // 2))
    clamp(window)
    if area.height() > MINIMUM_SIZE[1] + TITLE_PX:
        assert window.geometry().top() == area.top() + TITLE_PX
    window.deleteLater()


def test_a_window_that_filled_the_screen_fills_it_again(app: QApplication, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)
    old = QMainWindow()
    old.setGeometry(QRect(20, 60, 700, 500))
    old.setWindowState(Qt.WindowState.WindowMaximized)
    Session(settings).save_window(old)
    new = QMainWindow()
    Session(settings).restore_geometry(new)
    assert new.isMaximized()
    for window in (old, new):
        window.deleteLater()


def test_what_was_stored_on_another_desk_is_restored_within_this_one(app: QApplication, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)
    old = QMainWindow()
    old.setGeometry(QRect(5200, 2400, 3000, 1800))
    Session(settings).save_window(old)
    new = QMainWindow()
    Session(settings).restore_geometry(new)
    assert new.screen().availableGeometry().contains(new.geometry())
    settings.setValue("window/geometry", b"nonsense")
    third = QMainWindow()
    Session(settings).restore_geometry(third)
    assert third.screen().availableGeometry().contains(third.geometry())
    for window in (old, new, third):
        window.deleteLater()


SCALED = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings
from fabricwright.ui.app import make_application
app = make_application()
from PySide6.QtGui import QGuiApplication
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document
from fabricwright.ui.theme import apply_theme
from fabricwright.ui.window import MainWindow
apply_theme(app, "light")
settings = QSettings(str(Path(sys.argv[1]) / "s.ini"), QSettings.Format.IniFormat)
window = MainWindow(UiContext(Document(TEMPLATES["seed-b-512"].build())), settings)
window.show(); window.finish(); app.processEvents(); app.processEvents()
area = window.screen().availableGeometry()
print("screen", area.width(), area.height(), "window", window.width(), window.height())
assert (area.width(), area.height()) == (800, 500)
assert window.width() <= 800 and window.height() <= 500, window.geometry()
from PySide6.QtCore import QPoint
for widget in (*window.docks.all.values(), window.canvas, window.canvas.design_box, window.canvas.load_box):
    if widget.isVisible():
        right = widget.mapTo(window, QPoint(widget.width(), widget.height()))
        assert right.x() <= 801 and right.y() <= 501, (widget.objectName(), right)
box, limit = window.canvas.load_box, window.canvas
assert box.mapTo(limit, QPoint(box.width(), 0)).x() <= limit.width()
view = window.canvas.view
assert view.width() >= 200 and view.height() >= 60, (view.width(), view.height())
from fabricwright.ui.replace_dialog import ReplaceDialog
from fabricwright.ui.wiring.dialog import WiringDialog
from fabricwright.ui.settings_dialog import SettingsDialog
from fabricwright.ui.shortcuts.dialog import ShortcutDialog
for make in (
    lambda: ReplaceDialog(window.context, window),
    lambda: WiringDialog(window.context, "leaf", "spine", window),
    lambda: SettingsDialog(window),
    lambda: ShortcutDialog(window.actions_set, window),
):
    dialog = make()
    dialog.show(); app.processEvents()
    assert dialog.height() <= area.height() and dialog.width() <= area.width(), (type(dialog).__name__, dialog.size())
    dialog.close()
window.show_welcome(); app.processEvents()
assert window.welcome.width() == window.width()
"""


def test_at_twice_the_size_everything_fits_a_laptop(tmp_path: Path) -> None:
    """1600 x 1000 pixels at 200 % are 800 x 500 points, fewer than the window would like to have."""
    screen = {"name": "laptop", "x": 0, "y": 0, "width": 1600, "height": 1000, "logicalDpi": 96, "logicalBaseDpi": 96}
    config = tmp_path / "screens.json"
    config.write_text(json.dumps({"windowFrameMargins": False, "screens": [{**screen, "dpr": 1}]}))
    platform = f"offscreen:configfile={config}"
    env = {**os.environ, "QT_QPA_PLATFORM": platform, "QT_SCALE_FACTOR": "2", "HOME": str(tmp_path)}
    env["XDG_CONFIG_HOME"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", SCALED, str(tmp_path)], capture_output=True, text=True, timeout=120, env=env
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_name_is_composed_with_an_input_method(qtbot, blank: Stage) -> None:
    blank.document.replace(TEMPLATES["pcie-4gpu-1nic"].build())
    blank.document.select(["leaf"])
    blank.window.actions_set["rename"].trigger()
    editor = blank.view.viewport().findChild(InlineRename)
    assert editor.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
    editor.clear()
    before = blank.document.undo_stack.count()
    for pinyin in ("j", "ji", "jiao", "jiaohuan"):
        QApplication.sendEvent(editor, QInputMethodEvent(pinyin, []))
        assert editor.text() == ""  # what is being composed is no text yet
        assert blank.document.undo_stack.count() == before
    commit = QInputMethodEvent("", [])
    commit.setCommitString("交换机")
    QApplication.sendEvent(editor, commit)
    QTest.keyClicks(editor, "-1")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert blank.items["leaf"].name == "交换机-1"
    assert blank.document.undo_stack.count() == before + 1
    assert blank.scene.card(blank.scene.by_id["leaf"][0]).titles[0] == "交换机-1"


def test_undo_while_dragging_lets_go_and_takes_nothing_back(qtbot, blank: Stage) -> None:
    blank.document.replace(TEMPLATES["pcie-4gpu-1nic"].build())
    blank.view.fit()
    blank.drag(blank.at("leaf"), blank.at("leaf") + QPointF(80, 0))
    placed = blank.context.project
    index = blank.document.undo_stack.index()
    start = blank.at("leaf")
    blank.press(start)
    blank.move(start + QPointF(0, 90))
    assert blank.window.canvas.tool.busy and blank.view.state.hidden_cards
    blank.window.actions_set["undo"].trigger()
    assert not blank.window.canvas.tool.busy and not blank.view.state.hidden_cards
    blank.move(start + QPointF(0, 120))
    blank.release(start + QPointF(0, 120))
    assert blank.context.project is placed and blank.document.undo_stack.index() == index
    blank.window.actions_set["undo"].trigger()
    assert blank.context.project != placed


def test_the_least_size_is_that_of_a_small_laptop(app: QApplication) -> None:
    assert MINIMUM_SIZE == (1280, 720)
    assert QGuiApplication.primaryScreen() is not None
