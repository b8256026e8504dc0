"""The guide's window: pages, links, back and forward, search, language, theme, and the page that F1 opens."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QVBoxLayout

from fabricwright.ui import guide_commands
from fabricwright.ui.guide.document import heading_top, show_page
from fabricwright.ui.guide.pages import load_pages
from fabricwright.ui.guide.topics import DIALOGS, PLACES, page_for
from fabricwright.ui.guide.window import GuideWindow, open_guide
from fabricwright.ui.i18n import install_language
from fabricwright.ui.theme import apply_theme, theme
from fabricwright.ui.views import VIEWS
from tests.ui.canvas_stage import Stage

pytestmark = pytest.mark.usefixtures("all_painted")


@pytest.fixture
def guide(app: QApplication) -> GuideWindow:
    window = GuideWindow()
    window.open_page("first-design")
    window.show()
    app.processEvents()
    return window


def test_links_lead_to_pages_and_back_again(guide: GuideWindow) -> None:
    guide.view.anchorClicked.emit(QUrl("racks.md"))
    guide.view.anchorClicked.emit(QUrl("https://example.org/"))
    assert guide.page == "racks"
    guide.back_button.click()
    assert guide.page == "first-design" and not guide.back_button.isEnabled()
    guide.forward_button.click()
    assert guide.page == "racks" and not guide.forward_button.isEnabled()


def test_search_lists_sections_and_enter_opens_the_first(guide: GuideWindow) -> None:
    guide.search.setText("headroom")
    guide.search.queried.emit("headroom")
    rows = guide.contents.rows_model.rows
    assert rows and all(row.line for row in rows)
    guide.contents.choose_first()
    assert guide.page == rows[0].page
    guide.search.queried.emit("xyzzy")
    assert guide.contents.isHidden() and not guide.empty.isHidden()
    guide.search.queried.emit("")
    assert len(guide.contents.rows_model.rows) == len(load_pages("en"))


def test_language_and_theme_follow_the_program(guide: GuideWindow, app: QApplication) -> None:
    install_language(app, "zh_CN")
    app.processEvents()
    assert "五分钟" in guide.view.toPlainText()
    assert guide.windowTitle() == "用户指南"
    apply_theme(app, "dark")
    block = guide.view.document().begin()
    assert block.begin().fragment().charFormat().foreground().color() == theme()["text"]


def test_pictures_are_never_wider_than_the_page(guide: GuideWindow, app: QApplication) -> None:
    guide.resize(700, 500)
    app.processEvents()
    assert guide.view.document().idealWidth() <= guide.view.viewport().width()


@pytest.mark.parametrize("page", ["compare", "racks"])
def test_a_page_with_pictures_needs_no_bar_across(page: str, app: QApplication) -> None:
    window = GuideWindow()
    window.resize(1080, 760)
    window.show()
    window.view.setPlainText("A short page, which needs no bar down the side.")
    app.processEvents()
    window.open_page(page)
    app.processEvents()
    assert window.view.horizontalScrollBar().maximum() == 0
    assert window.view.document().size().width() <= window.view.viewport().width()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_page_is_shown(language: str, app: QApplication) -> None:
    for page in load_pages(language):
        document = QTextDocument()
        show_page(document, page.text, language, 500)
        document.setTextWidth(500)
        last = page.sections[-1]
        assert last.title.replace("`", "") in document.toPlainText()
        assert heading_top(document, last.number) > 0 or last.number == 0


def test_every_dock_view_and_dialog_has_a_page(app: QApplication) -> None:
    import ast
    from pathlib import Path

    pages = {page.name for page in load_pages("en")}
    assert set(PLACES.values()) | set(DIALOGS.values()) <= pages
    assert {view.id for view in VIEWS} - {"canvas"} <= set(PLACES)
    folder = Path(__file__).resolve().parents[2] / "desktop" / "fabricwright" / "ui"
    classes = {
        node.name
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    assert set(DIALOGS) <= classes


def test_f1_opens_the_page_about_what_has_the_keyboard(blank: Stage, app: QApplication) -> None:
    window = blank.window
    window.commands.open_guide_for(window.docks.all["performance"].widget(), window)
    guide = window.findChild(GuideWindow)
    assert guide is not None and guide.page == "performance"
    window.docks.tabs.show_panel("statements")
    window.commands.open_guide_for(window.docks.all["problems"].widget(), window)
    assert guide.page == "statements"
    window.commands.open_guide_for(window.canvas.view, window)
    assert guide.page == "fabric"
    assert page_for(None, view="racks", tab="problems", inside_server=False) == "racks"
    assert page_for(None, view="canvas", tab="problems", inside_server=True) == "servers"
    assert window.actions_set["help"].isEnabled()


def test_f1_on_a_tab_that_was_clicked_opens_its_page(blank: Stage, app: QApplication, monkeypatch) -> None:
    """A tab takes no focus: the page is that of the tab while the pointer is still over its dock."""
    window = blank.window
    window.show()
    blank.view.setFocus()
    app.processEvents()
    bar = window.docks.tabs.head.bar
    number = window.docks.tabs.names.index("statements")
    spot = bar.tabRect(number).center()
    monkeypatch.setattr(guide_commands.QCursor, "pos", lambda: bar.mapToGlobal(spot))
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=spot)
    window.actions_set["help"].trigger()
    assert window.findChild(GuideWindow).page == "statements"
    monkeypatch.setattr(guide_commands.QCursor, "pos", lambda: blank.view.mapToGlobal(QPoint(20, 20)))
    window.findChild(GuideWindow).hide()
    blank.view.setFocus()
    window.actions_set["help"].trigger()
    assert window.findChild(GuideWindow).page == "fabric"


def test_f1_works_in_a_dialog(blank: Stage, app: QApplication) -> None:
    class SeatDialog(QDialog):
        pass

    dialog = SeatDialog(blank.window)
    field = QLineEdit(dialog)
    QVBoxLayout(dialog).addWidget(field)
    blank.window.commands._focus_moved(None, field)
    blank.window.commands._focus_moved(None, field)  # a second time adds no second key
    from PySide6.QtGui import QShortcut

    keys = dialog.findChildren(QShortcut)
    assert len(keys) == len(blank.window.actions_set["help"].shortcuts())
    keys[0].activated.emit()
    guide = dialog.findChild(GuideWindow, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert guide is not None and guide.page == "racks"


def test_the_guide_is_made_once(blank: Stage) -> None:
    assert open_guide(blank.window) is open_guide(blank.window, "racks")


def test_a_page_opens_at_its_top(blank: Stage, app: QApplication) -> None:
    guide = open_guide(blank.window, "fabric")
    app.processEvents()
    guide.resize(900, 640)
    app.processEvents()
    assert guide.view.verticalScrollBar().value() == 0
