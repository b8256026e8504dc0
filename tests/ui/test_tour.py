"""The guided tour: steps are done by doing them, by button and by key; it is never in the way."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.rules.direct import check
from fabricwright.ui.tour.guide import start_tour
from fabricwright.ui.tour.steps import CONDITIONS, NODE, SAMPLE, SERVERS, STEPS
from tests.ui.canvas_stage import Stage


def settled() -> None:
    for _ in range(3):
        QApplication.processEvents()


def test_every_condition_is_used_and_known() -> None:
    assert {step.done for step in STEPS if step.done} == set(CONDITIONS)
    assert len({step.id for step in STEPS}) == len(STEPS)


def test_the_steps_are_done_by_doing_them(qtbot, blank: Stage, all_painted) -> None:
    guide = start_tour(blank.window)
    names = [step.id for step in STEPS]
    assert guide.step.id == "look" and guide.callout.isVisible()
    assert not blank.document.modified
    qtbot.mouseClick(guide.callout.next_button, Qt.MouseButton.LeftButton)
    assert guide.step.id == "enter"
    blank.view.setFocus()
    blank.double(blank.at(NODE))
    qtbot.waitUntil(lambda: guide.step.id == "place", timeout=3000)
    taken = {str(item.seat).partition(":")[2] for item in blank.items.values()}
    slot = next(k for k in blank.context.eff.slots if k not in taken)
    blank.context.edit("add_item", part="mcx715105as-weat", xy=(0, 0), seat=f"chassis:{slot}", forced=True)
    settled()
    assert guide.step.id == "all"
    assert "4" in blank.window.canvas.applies.text()
    guide.next()
    blank.window.actions_set["undo"].trigger()
    settled()
    assert guide.step.id == "up"
    blank.window.actions_set["up"].trigger()
    qtbot.waitUntil(lambda: guide.step.id == "break", timeout=3000)
    assert blank.context.selection == [NODE]  # what the step speaks of
    blank.context.edit("set_count", item=NODE, count=200)
    settled()
    assert guide.step.id == "problems"
    guide.next()
    assert guide.step.id == "mend"
    blank.window.actions_set["undo"].trigger()
    settled()
    assert guide.step.id == "performance"
    guide.next()
    assert guide.step.id == "find"
    blank.window.actions_set["command-palette"].trigger()
    qtbot.waitUntil(lambda: guide.step.id == "end", timeout=3000)
    assert names.index("end") == guide.index
    guide.next()
    assert guide.step is None and not guide.callout.isVisible() and not guide.ring.isVisible()


def test_a_step_that_was_not_done_does_not_strand_the_next(qtbot, blank: Stage) -> None:
    """Next instead of a double-click opens the server all the same; entering it is not mistaken for placing a card."""
    guide = start_tour(blank.window)
    guide.next()
    guide.next()
    assert guide.step.id == "place" and blank.context.sheet_row.kind == "server"
    blank.window.actions_set["up"].trigger()
    settled()
    blank.context.open_sheet("node", NODE)
    settled()
    assert guide.step.id == "place"
    for _ in range(4):
        guide.next()
    assert guide.step.id == "break" and blank.context.sheet_row.kind == "fabric"
    guide.end()


def test_a_broken_sample_shows_an_error() -> None:
    """The tour's promise: after its break, the checks name the switch that runs out of ports."""
    project = TEMPLATES[SAMPLE].build()
    (item,) = [row for key, row in project.designs["main"].sheets["fabric"].items.items() if key == NODE]
    assert item.count == SERVERS
    broken = apply(project, EDITS["set_count"](project, design="main", sheet="fabric", item=NODE, count=200))
    found = [f for f in check(broken, "main") if f.severity == "error"]
    assert "FAB-01" in {f.rule for f in found}


def test_keys_go_on_back_and_out(qtbot, blank: Stage) -> None:
    guide = start_tour(blank.window)
    actions = blank.window.actions_set
    actions["tour-next"].trigger()
    assert guide.index == 1
    actions["tour-back"].trigger()
    assert guide.index == 0
    assert not guide.callout.back_button.isEnabled()
    actions["tour-skip"].trigger()
    assert guide.index == -1 and not actions["tour-next"].isEnabled()
    start_tour(blank.window)
    guide.callout.setFocus()
    qtbot.keyClick(guide.callout, Qt.Key.Key_Escape)
    assert guide.index == -1


def test_the_callout_stays_in_the_window_and_beside_its_target(blank: Stage) -> None:
    guide = start_tour(blank.window)
    for width, height in ((1600, 1000), (1280, 720)):
        blank.window.resize(width, height)
        settled()
        for index in range(len(STEPS)):
            guide._go(index)
            assert blank.window.rect().contains(guide.callout.geometry()), STEPS[index].id
            target = guide.target()
            if target is not None and STEPS[index].target.startswith(("item", "dock")):
                inside = guide.callout.geometry().adjusted(12, 12, -12, -12)
                assert not inside.intersects(target), STEPS[index].id
    guide.end()


def test_the_ring_lets_the_mouse_through(blank: Stage) -> None:
    guide = start_tour(blank.window)
    assert guide.ring.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    blank.click(blank.at(NODE))
    assert blank.context.selection == [NODE]
    guide.end()


def test_it_changes_language_in_the_middle(blank: Stage) -> None:
    guide = start_tour(blank.window)
    before = guide.callout.title.text()
    blank.window.set_language("zh_CN")
    settled()
    assert guide.callout.title.text() != before
    guide.end()
