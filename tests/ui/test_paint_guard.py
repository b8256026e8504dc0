"""Nothing escapes a paint method."""

from __future__ import annotations

import logging

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsScene, QGraphicsView, QWidget

from fabricwright.ui.paint.guard import clear_reported, reported_failures, safe_paint


@pytest.fixture(autouse=True)
def forget() -> None:
    clear_reported()


class BrokenItem(QGraphicsItem):
    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, 40, 40)

    @safe_paint
    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        raise RuntimeError("cannot draw")


class BrokenWidget(QWidget):
    @safe_paint
    def paintEvent(self, event: object) -> None:
        raise RuntimeError("cannot draw")


def red_pixels(image: QImage) -> int:
    sign = QColor("#C2242F").name()
    return sum(image.pixelColor(x, y).name() == sign for x in range(image.width()) for y in range(image.height()))


@pytest.mark.says("BrokenItem")
def test_a_broken_item_leaves_a_sign_and_one_log_entry(app: QApplication, caplog: pytest.LogCaptureFixture) -> None:
    scene = QGraphicsScene()
    item = BrokenItem()
    scene.addItem(item)
    view = QGraphicsView(scene)
    view.resize(120, 120)
    with caplog.at_level(logging.ERROR):
        first = view.grab().toImage()
        view.grab()
    assert red_pixels(first) > 0
    assert len(caplog.records) == 1
    assert reported_failures() == {"BrokenItem.paint"}


@pytest.mark.says("BrokenWidget")
def test_a_broken_widget_leaves_a_sign(app: QApplication, qtbot) -> None:  # type: ignore[no-untyped-def]
    widget = BrokenWidget()
    qtbot.addWidget(widget)
    widget.resize(60, 60)
    assert red_pixels(widget.grab().toImage()) > 0


def test_results_pass_through() -> None:
    @safe_paint
    def double(value: int) -> int:
        return 2 * value

    assert double(21) == 42
