"""The first page: ways to begin, templates and recent files, by mouse and keyboard."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QApplication

from fabricwright.design import storage
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui import dialogs
from fabricwright.ui.session import Session
from fabricwright.ui.theme import named_theme
from fabricwright.ui.welcome import thumbnails
from fabricwright.ui.welcome.recents import recent_facts, remember
from tests.ui.canvas_stage import Stage

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def page(blank: Stage):
    blank.window.show_welcome()
    QApplication.processEvents()
    return blank.window.welcome


def test_a_click_on_a_template_opens_it(qtbot, blank: Stage, page, all_painted) -> None:
    card = next(c for c in page.cards if c.template == "pcie-4gpu-1nic")
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(40, 40))
    assert not page.isVisible()
    assert blank.context.project == TEMPLATES["pcie-4gpu-1nic"].build()
    assert not blank.document.modified


def test_it_covers_everything_below_the_menus(blank: Stage, page) -> None:
    window = blank.window
    assert page.geometry().bottom() == window.height() - 1
    assert page.width() == window.width()
    assert page.y() == window.menuBar().height()
    window.resize(1300, 800)
    QApplication.processEvents()
    assert page.size().width() == 1300
    assert window.childAt(page.geometry().center()) is not window.canvas.view.viewport()


def test_tab_goes_round_on_the_page_and_enter_presses(qtbot, blank: Stage, page) -> None:
    seen = []
    for _ in range(60):
        page.focusNextPrevChild(True)
        here = QApplication.focusWidget()
        assert here is not None and page.isAncestorOf(here)
        if here in seen:
            break
        seen.append(here)
    assert here is seen[0]
    assert set(page.cards) <= set(seen)
    page.cards[0].setFocus()
    qtbot.keyClick(page.cards[0], Qt.Key.Key_Return)
    assert blank.context.project == TEMPLATES[page.cards[0].template].build()


def test_closing_a_project_shows_the_page(blank: Stage) -> None:
    blank.document.replace(TEMPLATES["single-8gpu"].build())
    blank.window.actions_set["close"].trigger()
    assert blank.window.welcome.isVisible()
    assert not blank.items


def test_a_blank_server_sheet_opens_inside_the_chassis(monkeypatch, blank: Stage, page) -> None:
    monkeypatch.setattr(dialogs, "ask_chassis", lambda _p: "pcie-8dw-cpu-direct")
    page.starts["new-server"].click()
    assert blank.context.sheet_row.kind == "server"
    assert blank.context.eff.slots
    assert not page.isVisible()


def test_requirements_wait_for_the_wizard(blank: Stage, page) -> None:
    from importlib.util import find_spec

    there = find_spec("fabricwright.ui.sizing") is not None
    assert blank.window.actions_set["new.requirements"].isEnabled() == there
    assert page.starts["new.requirements"].isEnabled() == there


def test_a_saved_file_is_listed_with_its_picture_and_opens(qtbot, blank: Stage, tmp_path: Path) -> None:
    window = blank.window
    blank.document.replace(TEMPLATES["pcie-4gpu-1nic"].build())
    path = tmp_path / "方案 v2.fwproj"
    assert window.commands._write(path)
    window.commands._keep_picture()
    blank.context.analysis.figures.update(servers=4, switches=1)
    blank.context.analysis.status = "idle"
    window.commands._analysed(frozenset({"status"}))
    blank.document.replace(TEMPLATES["single-8gpu"].build())
    window.show_welcome()
    (listed, row), *_ = window.welcome.rows
    assert listed == path.resolve()
    assert row.text() == "Four servers with one NIC each"
    assert "4 servers, 1 switch" in row.accessibleDescription()
    assert "no problems" in row.accessibleDescription()
    assert "today" in row.accessibleDescription()
    assert row._image is not None
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton)
    assert blank.document.file == path.resolve()


def test_the_search_leaves_what_holds_the_words(blank: Stage, page, tmp_path: Path) -> None:
    for name in ("alpha", "beta"):
        path = tmp_path / f"{name}.fwproj"
        storage.save(TEMPLATES["single-8gpu"].build(), path)
        page.session.add_recent(path)
    page.refresh()
    page.search.setText("bet")
    page._filter()
    assert [path.stem for path, row in page.rows if row.isVisible()] == ["beta"]
    page.search.setText("nothing like it")
    page._filter()
    assert page._none.isVisible()


def test_an_empty_list_says_what_to_do(blank: Stage, page) -> None:
    assert not page.rows
    assert page._none.isVisible()
    assert not page.search.isVisible()


def test_it_speaks_chinese_at_once(blank: Stage, page) -> None:
    blank.window.set_language("zh_CN")
    QApplication.processEvents()
    assert page.starts["open"].text() == "打开工程"
    assert page.language.current() == "zh_CN"


def test_settings_that_were_tampered_with_are_no_obstacle(app, tmp_path: Path) -> None:
    session = Session(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))
    file = tmp_path / "x.fwproj"
    file.write_text("{}")
    session.add_recent(file)
    session.put("files/recent_facts", "[not json")
    assert [path.name for path, _ in recent_facts(session)] == ["x.fwproj"]
    session.put("files/recent_facts", f'{{"{file.resolve()}": {{"servers": "many", "opened": 3}}}}')
    assert recent_facts(session)[0][1].servers == -1
    remember(session, file, servers=3)
    assert recent_facts(session)[0][1].servers == 3


def test_every_template_has_its_thumbnails() -> None:
    code = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "bake_thumbnails.py"), "--check"], capture_output=True, text=True
    )
    assert code.returncode == 0, code.stdout
    for template in TEMPLATES:
        assert thumbnails.baked(template, "dark") is not None


def test_a_thumbnail_is_painted_like_the_canvas(app) -> None:
    scene = thumbnails.scene_of(TEMPLATES["single-8gpu"].build())
    assert scene is not None and scene.kind == "server"
    image = thumbnails.picture(scene, named_theme("light"))
    assert image.size() == thumbnails.SIZE * 2
    assert image.pixelColor(1, 1).alpha() == 0
    assert any(image.pixelColor(x, 100).alpha() for x in range(0, image.width(), 7))
