"""What is written on the window is whole, apart and legible: the fast part of ``make views``, and the check itself."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.i18n import install_language
from fabricwright.ui.theme import apply_theme
from scripts.view_checks import CLIPPED, OVERFLOW, OVERLAP, PALE, SHORTENED, contrast, drawn_texts, faults
from scripts.view_list import VIEWS
from tests.ui.canvas_stage import close, make_stage

pytestmark = pytest.mark.gui


@pytest.fixture
def box(app: QApplication) -> QWidget:
    """An empty white widget of 200 x 100."""
    made = QWidget()
    made.resize(200, 100)
    made.setStyleSheet("background: #ffffff; color: #000000; border: 0; padding: 0")
    return made


def kinds(widget: QWidget) -> set[str]:
    widget.show()
    QApplication.processEvents()
    return {fault.kind for fault in faults(widget)}


def test_a_sound_label_has_no_fault(box: QWidget) -> None:
    QLabel("Whole", box).setGeometry(10, 10, 120, 20)
    assert kinds(box) == set()
    (text,) = drawn_texts(box)
    assert text.text == "Whole" and text.box.x() >= 10 and text.box.right() < 130


def test_a_label_without_room_is_clipped(box: QWidget) -> None:
    QLabel("Much too long for it", box).setGeometry(10, 10, 40, 20)
    assert kinds(box) == {CLIPPED}


def test_two_labels_on_one_place_overlap(box: QWidget) -> None:
    for text, x in (("First", 10), ("Second", 24)):
        label = QLabel(text, box)
        label.setGeometry(x, 10, 80, 20)
        label.setStyleSheet("background: transparent")
    assert kinds(box) == {OVERLAP}


def test_pale_text_is_found_and_a_disabled_button_is_not(box: QWidget) -> None:
    label = QLabel("Pale", box)
    label.setGeometry(10, 10, 80, 20)
    label.setStyleSheet("color: #999999")  # 2.85 : 1 on white
    assert kinds(box) == {PALE}
    label.hide()
    button = QPushButton("Pale", box)
    button.setGeometry(10, 40, 80, 24)
    button.setStyleSheet("color: #999999")
    button.setEnabled(False)
    assert kinds(box) == set()


def test_contrast_of_a_known_pair() -> None:
    # Grey 0x99 has luminance 0.3185: 1.05 / 0.3685 = 2.849.
    assert contrast(QColor("#999999"), QColor("#ffffff")) == pytest.approx(2.849, abs=0.001)


@pytest.mark.parametrize(("scheme", "lang", "size"), [("light", "en", (1600, 1000)), ("dark", "zh_CN", (800, 500))])
def test_the_window_says_everything_whole(app: QApplication, tmp_path, scheme: str, lang: str, size) -> None:
    """Fabric sheet, server sheets, racks, comparison and welcome page at two sizes; 800 x 500 is a laptop at 200 %."""
    apply_theme(app, scheme)
    install_language(app, lang)
    stage = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path, size)
    window = stage.window
    found = {}

    def look(place: str) -> None:
        for _ in range(3):  # layouts that wait for one another
            QApplication.processEvents()
        found[place] = faults(window)

    try:
        for sheet in ("fabric", "node"):
            stage.open(sheet)
            look(sheet)
        for view in ("racks", "compare", "bill"):
            window.commands.show_view(view)
            look(view)
        window.show_welcome()
        look("welcome")
        wrong = {place: [f for f in some if f.kind in WRONG] for place, some in found.items()}
        assert not any(wrong.values()), wrong
    finally:
        close(stage)


WRONG = (CLIPPED, SHORTENED, OVERLAP, PALE, OVERFLOW)


def test_every_view_of_the_list_has_a_template_and_few_pictures_are_kept() -> None:
    assert {view.template for view in VIEWS} <= set(TEMPLATES)
    names = [f"{view.name}-{look}" for view in VIEWS for look in view.looks]
    assert len(names) == len(set(names)) <= 40
