"""The small widgets: they say what happened, can be used from the keyboard, and their texts fit in both languages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from fabricwright.ui.paint.guard import clear_reported, reported_failures
from fabricwright.ui.theme import apply_theme, ui_font
from fabricwright.ui.widgets import (
    Breadcrumb,
    BudgetBar,
    Chip,
    DockHead,
    ElidedLabel,
    EmptyState,
    KpiLabel,
    NoticeBox,
    SearchField,
    SectionHeader,
    SegmentedSwitch,
    SeverityCounts,
    TextButton,
    TextLabel,
    chip_size,
    set_surface,
)

TEXTS = ["Show on canvas", "在画布上显示", "Auf der Zeichenfläche anzeigen"]  # English, Chinese, about 40 % longer


def everything(text: str) -> list[QWidget]:
    """One of each widget with a text in it."""
    crumb, counts, kpi, box, label = Breadcrumb(), SeverityCounts(), KpiLabel(text), NoticeBox(), ElidedLabel(text)
    crumb.set_path([("a", text), ("b", text)])
    counts.set_counts({"error": 2, "warning": 30, "approved": 1}, text)
    kpi.set_figure("37.6", "GB/s", text, before="19.0", chip=text, chip_kind="ok")
    box.set_notice("warning", text, text, [(text, lambda: None)])
    return [
        crumb, counts, kpi, box, label, Chip(text), BudgetBar(text, "56 / 64", 0.9, "warn"), DockHead(text, line=True),
        EmptyState([text, text], text, "shield"), SearchField(text, hint="Ctrl+K"), SectionHeader(text),
        SegmentedSwitch([("a", text), ("b", text)]), TextButton(text, icon_name="go"), TextLabel(text),
    ]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_everything_paints(app: QApplication, qtbot, mode: str, text: str) -> None:  # type: ignore[no-untyped-def]
    clear_reported()
    apply_theme(app, mode)
    for widget in everything(text):
        qtbot.addWidget(widget)
        widget.resize(widget.sizeHint().expandedTo(widget.minimumSizeHint()))
        assert not widget.grab().isNull()
    assert reported_failures() == frozenset()


@pytest.mark.parametrize("text", TEXTS)
def test_hints_leave_room_for_the_text(app: QApplication, text: str) -> None:
    """No control is sized to its English text."""
    plain = QFontMetricsF(ui_font(11.5)).horizontalAdvance(text)
    for widget in everything(text):
        if not isinstance(widget, (SearchField, SectionHeader, EmptyState, NoticeBox, DockHead)):
            assert widget.sizeHint().width() >= plain, type(widget).__name__
    assert chip_size(text).width() >= QFontMetricsF(ui_font(11, 600)).horizontalAdvance(text)


def test_segmented_switch(app: QApplication, qtbot) -> None:  # type: ignore[no-untyped-def]
    switch = SegmentedSwitch([("en", "EN"), ("zh_CN", "中文")], "en")
    qtbot.addWidget(switch)
    switch.resize(switch.sizeHint())
    with qtbot.waitSignal(switch.changed) as caught:
        QTest.mouseClick(switch, Qt.MouseButton.LeftButton, pos=QPoint(switch.width() - 10, 14))
    assert caught.args == ["zh_CN"]
    with qtbot.assertNotEmitted(switch.changed):
        switch.set_current("zh_CN")
        QTest.mouseClick(switch, Qt.MouseButton.LeftButton, pos=QPoint(switch.width() - 10, 14))
    with qtbot.waitSignal(switch.changed) as caught:
        QTest.keyClick(switch, Qt.Key.Key_Left)
    assert caught.args == ["en"]


def test_breadcrumb_leads_back(app: QApplication, qtbot) -> None:  # type: ignore[no-untyped-def]
    crumb = Breadcrumb()
    qtbot.addWidget(crumb)
    crumb.set_path([("fabric", "Fabric"), ("pod", "Pod A"), ("server", "HGX H100")])
    crumb.resize(400, 32)
    with qtbot.waitSignal(crumb.activated) as caught:
        QTest.mouseClick(crumb, Qt.MouseButton.LeftButton, pos=QPoint(30, 16))
    assert caught.args == ["fabric"]
    with qtbot.waitSignal(crumb.activated) as caught:
        QTest.keyClick(crumb, Qt.Key.Key_Return)
    assert caught.args == ["pod"]
    with qtbot.assertNotEmitted(crumb.activated):
        QTest.mouseClick(crumb, Qt.MouseButton.LeftButton, pos=QPoint(160, 16))  # the sheet one is on


def test_breadcrumb_keeps_the_last_step_when_narrow(app: QApplication) -> None:
    crumb = Breadcrumb()
    crumb.set_path([("a", "A very long name of a fabric"), ("b", "Another long name"), ("c", "Here")])
    crumb.resize(200, 32)
    shown = [text for _, text, _ in crumb._cells()]
    assert shown[-1] == "Here"
    assert shown[0].endswith("…")


def test_search_waits_for_the_last_key(app: QApplication, qtbot) -> None:  # type: ignore[no-untyped-def]
    field, heard = SearchField("Search parts"), []
    qtbot.addWidget(field)
    field.queried.connect(heard.append)
    with qtbot.waitSignal(field.queried):
        QTest.keyClicks(field, "nic")
    assert heard == ["nic"]
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert heard == ["nic", ""]
    with qtbot.waitSignal(field.leave_down):
        QTest.keyClick(field, Qt.Key.Key_Down)


def test_section_header_folds(app: QApplication, qtbot) -> None:  # type: ignore[no-untyped-def]
    head = SectionHeader("Servers", expanded=False)
    qtbot.addWidget(head)
    with qtbot.waitSignal(head.toggled) as caught:
        QTest.keyClick(head, Qt.Key.Key_Space)
    assert caught.args == [True]


def test_notice_button_calls(app: QApplication, qtbot) -> None:  # type: ignore[no-untyped-def]
    box, calls = NoticeBox(), []
    qtbot.addWidget(box)
    box.set_notice("error", "24 uplinks over 16 spines", "", [("Use 32 uplinks", lambda: calls.append(1))])
    box.buttons()[0].click()
    assert calls == [1]


def test_empty_state_can_be_changed(app: QApplication, qtbot) -> None:  # type: ignore[no-untyped-def]
    empty = EmptyState(["one", "two"], "link")
    qtbot.addWidget(empty)
    empty.set_content(["只有一行"])
    empty.resize(200, 200)
    assert not empty.grab().isNull()


def test_empty_state_that_says_the_same_again_makes_nothing_new(app: QApplication, qtbot) -> None:  # type: ignore[no-untyped-def]
    empty = EmptyState(["one", "two"], "link")
    qtbot.addWidget(empty)
    before = empty.findChildren(QWidget)
    for _ in range(3):
        empty.set_content(["one", "two"], "link")
        empty.set_content(["three"])
    assert empty.findChildren(QWidget) == before
    assert [label.text() for label in empty._labels if not label.isHidden()] == ["three"]


def test_surface_follows_the_theme(app: QApplication, qtbot) -> None:  # type: ignore[no-untyped-def]
    from fabricwright.ui.theme import named_theme

    widget = QWidget()
    qtbot.addWidget(widget)
    set_surface(widget, "canvas")
    apply_theme(app, "dark")
    assert widget.palette().color(widget.backgroundRole()) == named_theme("dark")["canvas"]
