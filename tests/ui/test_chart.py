"""The chart painter: it paints, on every theme and size, and no two texts ever overlap."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fabricwright.ui.paint.chart import ChartLayout, ChartModel, Reference, Region, Series, paint_chart
from fabricwright.ui.paint.chart_model import (
    interpolate,
    linear_ticks,
    nice_step,
    reading_text,
    size_labels,
    size_ticks,
    tick_label,
)
from fabricwright.ui.theme import named_theme
from fabricwright.ui.widgets.chart_view import ChartView

MIB = 2.0**20
SIZES = tuple(MIB * 2**i for i in range(13))  # 1 MiB .. 4 GiB


def saturating(limit: float, half: float, **more: object) -> Series:
    y = tuple(limit * x / (x + half) for x in SIZES)
    return Series(SIZES, y, low=tuple(0.9 * v for v in y), high=tuple(1.1 * v for v in y), **more)  # type: ignore[arg-type]


MODELS = {
    "one": ChartModel(
        (saturating(38, 14 * MIB),),
        (Reference(50, "NIC line rate 50 GB/s"),),
        reading_bytes=1024 * MIB,
        x_title="message per GPU",
    ),
    "two": ChartModel(
        (saturating(38, 4 * MIB, label="B"), saturating(19, 5 * MIB, label="A", token="text.3", dashed=True)),
        reading_bytes=1024 * MIB,
        y_unit="GB/s busbw",
    ),
    "regions": ChartModel(
        (saturating(380, 40 * MIB, label="this"),),
        (Reference(400, "网卡线速 400 GB/s"),),
        (Region(MIB, 16 * MIB, "tree LL128"), Region(16 * MIB, 512 * MIB, "ring"), Region(512 * MIB, 2.0**40, "NVLS")),
        reading_bytes=16 * MIB,
        x_title="每 GPU 消息",
    ),
    "times": ChartModel(
        (Series(tuple(2.0**i for i in range(3, 35)), tuple(5 + 2.0**i / 4e4 for i in range(3, 35)), label="t"),),
        y_unit="µs",
        y_log=True,
        reading_bytes=MIB,
    ),
    "close": ChartModel(
        (saturating(38, 4 * MIB, label="B"), saturating(37.8, 4 * MIB, label="A", token="text.3", dashed=True)),
        (Reference(39, "a level"), Reference(38.5, "another level")),
        reading_bytes=4096 * MIB,
    ),
    "no reading": ChartModel((saturating(38, 4 * MIB, label="B"), saturating(20, 4 * MIB, label="A"))),
}


def painted(
    model: ChartModel, theme_name: str, width: int = 400, height: int = 180
) -> tuple[QImage, ChartLayout | None]:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    colours = named_theme(theme_name)
    image.fill(colours["panel"])
    painter = QPainter(image)
    layout = paint_chart(painter, QRectF(0, 0, width, height), model, colours)
    painter.end()
    return image, layout


def count_of(image: QImage, colour: str) -> int:
    pixels = itertools.product(range(image.width()), range(image.height()))
    return sum(image.pixelColor(x, y).name() == colour for x, y in pixels)


@pytest.mark.parametrize("theme_name", ["light", "dark", "print"])
@pytest.mark.parametrize("name", MODELS)
def test_paints_curve_and_axes(app: QApplication, name: str, theme_name: str) -> None:
    image, layout = painted(MODELS[name], theme_name)
    assert layout is not None
    assert count_of(image, named_theme(theme_name).hex("accent")) > 50
    assert count_of(image, named_theme(theme_name).hex("border.strong")) > 100


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("width", "height"), [(90, 70), (160, 100), (240, 120), (400, 180), (900, 500)])
def test_texts_neither_overlap_nor_leave_the_chart(app: QApplication, name: str, width: int, height: int) -> None:
    _, layout = painted(MODELS[name], "light", width, height)
    assert layout is not None
    for one, two in itertools.combinations(layout.texts, 2):
        assert not one.box.intersects(two.box), (one.text, two.text)
    inside = QRectF(-1, -1, width + 2, height + 2)
    for placed in layout.texts:
        assert inside.contains(placed.box), placed.text


@given(
    values=st.lists(st.floats(0.001, 1e5), min_size=13, max_size=13),
    level=st.floats(0.001, 1e5),
    at=st.integers(0, 12),
    width=st.integers(120, 900),
    height=st.integers(90, 400),
)
def test_any_curve_leaves_texts_apart(
    qapp: QApplication, values: list[float], level: float, at: int, width: int, height: int
) -> None:
    series = Series(SIZES, tuple(values), label="this")
    model = ChartModel((series,), (Reference(level, "line rate"),), reading_bytes=SIZES[at])
    _, layout = painted(model, "light", width, height)
    assert layout is not None
    for one, two in itertools.combinations(layout.texts, 2):
        assert not one.box.intersects(two.box), (one.text, two.text)


def test_reading_says_the_value_on_the_curve(app: QApplication) -> None:
    _, layout = painted(MODELS["one"], "light")
    assert layout is not None
    value = 38 * 1024 / (1024 + 14)  # the saturating curve at 1 GiB, 37.5
    assert reading_text(value) in [placed.text for placed in layout.texts]


def test_nothing_to_paint() -> None:
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    assert paint_chart(painter, QRectF(0, 0, 100, 100), ChartModel(), named_theme("light")) is None
    painter.end()


def test_scales_are_inverse(app: QApplication) -> None:
    _, layout = painted(MODELS["one"], "light")
    assert layout is not None
    for size in (MIB, 7 * MIB, 4096 * MIB):
        assert layout.bytes_at(layout.x_of(size)) == pytest.approx(size)
    assert layout.y_of(0) == pytest.approx(layout.plot.bottom())


def test_interpolation_is_linear_in_the_exponent() -> None:
    assert interpolate((1, 4), (10, 30), 2) == pytest.approx(20)  # halfway between 2^0 and 2^2
    assert interpolate((1, 4), (10, 30), 4) == pytest.approx(30)
    assert interpolate((1, 4), (10, 30), 8) is None
    assert interpolate((), (), 8) is None
    assert interpolate((64,), (3.0,), 64) == 3.0


@pytest.mark.parametrize(("rough", "step"), [(1, 1), (1.01, 2), (2.2, 2.5), (3, 5), (6, 10), (0.03, 0.05), (130, 200)])
def test_nice_steps(rough: float, step: float) -> None:
    assert nice_step(rough) == pytest.approx(step)


@given(st.floats(1e-6, 1e9), st.integers(1, 8))
def test_linear_ticks_cover_the_top(top: float, count: int) -> None:
    ticks = linear_ticks(top, count)
    assert ticks[0] == 0
    assert ticks[-1] >= top * 0.999
    assert len(ticks) - 1 <= count


def test_size_axis_as_in_the_design() -> None:
    ticks = size_ticks(MIB, 4096 * MIB, 8)
    assert size_labels(ticks) == ["1 MiB", "4", "16", "64", "256", "1 GiB", "4 GiB"]


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [(0, 1, "0"), (50, 10, "50"), (2.5, 2.5, "2.5"), (0.02, 0.01, "0.02"), (2000, 500, "2,000")],
)
def test_tick_labels(value: float, step: float, text: str) -> None:
    assert tick_label(value, step) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (37.62, "37.6"),
        (3.756, "3.76"),
        (0.5123, "0.512"),
        (462.4, "462"),
        (1240.2, "1,240"),
        (9.996, "10.0"),
        (99.97, "100"),
    ],
)
def test_reading_texts(value: float, text: str) -> None:
    assert reading_text(value) == text


def test_view_picks_powers_of_two(app: QApplication, qtbot) -> None:  # type: ignore[no-untyped-def]
    view = ChartView()
    qtbot.addWidget(view)
    view.animate = False
    view.resize(420, 180)
    view.set_model(MODELS["one"])
    view.grab()
    layout = view.chart_layout()
    assert layout is not None
    with qtbot.waitSignal(view.size_picked) as caught:
        spot = QPointF(layout.x_of(17 * MIB), layout.plot.center().y())
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=spot.toPoint())
    assert caught.args == [16 * MIB]
    with qtbot.waitSignal(view.size_picked) as caught:
        QTest.keyClick(view, Qt.Key.Key_Left)
    assert caught.args == [512 * MIB]


def test_view_without_figures_says_so(app: QApplication, qtbot) -> None:  # type: ignore[no-untyped-def]
    view = ChartView()
    qtbot.addWidget(view)
    view.set_empty_text("Choose a collective")
    view.resize(300, 160)
    assert view.grab().toImage() != QImage()
    assert view.chart_layout() is None


def test_not_a_number_is_left_out(app: QApplication) -> None:
    broken = Series(SIZES, tuple(math.nan if i % 3 == 0 else 10.0 for i in range(13)))
    _, layout = painted(ChartModel((broken,)), "light")
    assert layout is not None
