"""Frame times of the canvas at 1,000 and 10,000 nodes, offscreen, in a whole window: CPU milliseconds, median and 95th
percentile. Figures are printed; only counts are asserted.

Two kinds of sheet: an expanded group, which is how thousands of servers are drawn, and as many cards that have nothing
in common, which is the worst a sheet can hold.
"""

from __future__ import annotations

import gc
import time

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.rules.legality import legality
from fabricwright.ui.canvas.gestures import MoveGesture
from fabricwright.ui.theme import apply_theme
from tests.bench.big_sheets import NODE_H, NODE_W, open_group, scattered_scene, single_rows
from tests.bench.measure import median_ms, report, spread, spread_ms, took
from tests.ui.canvas_stage import Stage, close, make_stage

pytestmark = pytest.mark.bench

VIEW = (1600, 900)
ZOOMS = ((0.45, "0.45"), (1.0, "1:1"))
FIT_GOAL, ZOOM_GOAL, PAN_GOAL, DRAG_GOAL = "<= 16 ms p95", "<= 33 ms", "<= 8 ms", "<= 16 ms"
SHARP_GOAL, TURN_GOAL = "<= 100 ms", "<= 50 ms"


@pytest.fixture
def stage_of(qapp, tmp_path):
    """Makes a window whose sheet is 1600 x 900 pixels."""
    made = []

    def make(project) -> Stage:
        apply_theme(qapp, "light")
        stage = make_stage(project, tmp_path, (1920, 1080))
        stage.view.setFixedSize(*VIEW)
        QApplication.processEvents()
        stage.view.fit()
        made.append(stage)
        gc.collect()
        gc.freeze()  # as the program does after its start: else a look through the heap of the tests counts
        return stage

    yield make
    gc.unfreeze()
    for stage in made:
        close(stage)


def show_scattered(stage: Stage, count: int) -> None:
    """Put a scene that no document made in front of the layers."""
    stage.view.source._scene = scattered_scene(count)
    stage.view.source._badges = {}
    stage.view.fit()


def tell(what: str, times: tuple[float, float], goal: str = "", reference: str = "") -> None:
    report(what, f"{times[0]:.1f} ms, p95 {times[1]:.1f}", goal, reference)


def paint_rows(name: str, stage: Stage) -> None:
    """Repaints, zoom steps and pans of the whole viewport, far to near."""
    view = stage.view
    paint = view.viewport().repaint
    swing = [1]

    def anew() -> None:
        view.backdrop.forget()
        paint()

    def wheel() -> None:
        swing[0] = -swing[0]
        view.zoom_by(1.25 ** swing[0])
        paint()

    def sharp(where: str) -> None:
        """The turns in which the sharp picture of a zoom that nothing was painted at is made, and all of them."""
        longest, whole = [], []
        for _ in range(15):
            view.look_at(view.centre(), view.zoom * 1.004)
            view._rest.stop()  # else a zoom step before counts as one that still goes on
            view.state.hasty = True
            turns = []
            while view.state.hasty:
                turns.append(took(view._rested))
            turns.append(took(paint))
            longest.append(max(turns))
            whole.append(sum(turns))
        tell(f"{name}: sharp picture after it, {where}", spread(whole), SHARP_GOAL)
        tell(f"{name}: longest turn of it, {where}", spread(longest), TURN_GOAL)

    def pan() -> None:
        swing[0] = -swing[0]
        view.pan_by(9.0 * swing[0], 5.0)
        QApplication.processEvents()  # pixels that stay in sight are copied, the edge is painted

    tell(f"{name}: paint all, fit", spread_ms(anew), FIT_GOAL)
    tell(f"{name}: hover, fit", spread_ms(paint), FIT_GOAL)
    tell(f"{name}: zoom step, fit", spread_ms(wheel), ZOOM_GOAL)
    sharp("fit")
    middle = QPointF(*(view.source.scene.bounds()[k] + view.source.scene.bounds()[k + 2] / 2 for k in (0, 1)))
    for zoom, label in ZOOMS:
        view.look_at(middle, zoom)
        paint()
        QApplication.processEvents()
        seen = len(view.source.scene.visible(*view.mapToScene(view.viewport().rect()).boundingRect().getCoords()))
        tell(f"{name}: paint all, {label}", spread_ms(anew), "", f"{seen} cards in sight")
        tell(f"{name}: pan, {label}", spread_ms(pan), PAN_GOAL)
        tell(f"{name}: zoom step, {label}", spread_ms(wheel), ZOOM_GOAL)
        sharp(label)
    view.fit()


@pytest.mark.parametrize(("units", "count"), [(32, 1_024), (320, 10_240)])
def test_expanded_group(stage_of, units: int, count: int) -> None:
    project = open_group(units)
    start = time.process_time()
    stage = stage_of(project)
    stage.view.viewport().repaint()
    spent = (time.process_time() - start) * 1e3
    name = f"{count:,} members, {4 * count:,} links"
    assert sum(card is None for card in stage.scene.cards) + 5 >= 0 and len(stage.scene) == count + 5
    assert sum(edge for edge in stage.scene.edges.count.tolist()) == 4 * count
    report(f"{name}: window made and first painted", f"{spent:.0f} ms", "<= 1,500 ms" if count > 9_999 else "")
    paint_rows(name, stage)


@pytest.mark.parametrize("count", [1_000, 10_000])
def test_cards_of_their_own(stage_of, count: int) -> None:
    stage = stage_of(TEMPLATES["single-8gpu"].build())
    show_scattered(stage, count)
    assert (len(stage.scene), len(stage.scene.edges)) == (count, 4 * count)
    name = f"{count:,} single cards, {4 * count:,} lines"
    paint_rows(name, stage)
    for zoom, label in ((stage.view.zoom, "fit"), *ZOOMS):
        for moved in (1, 100):
            stage.view.look_at(QPointF(stage.view.centre()), zoom)
            tell(f"{name}: drag {moved}, {label}", drag_frames(stage, moved), DRAG_GOAL)


def drag_frames(stage: Stage, moved: int) -> tuple[float, float]:
    """A block of cards in the middle of the view follows the pointer: gesture, then the frame."""
    view = stage.view
    scene, centre = view.source.scene, view.centre()
    distance = (scene.x + NODE_W / 2 - centre.x()) ** 2 + (scene.y + NODE_H / 2 - centre.y()) ** 2
    ids = [scene.card(int(k)).id for k in distance.argsort()[:moved]]
    stage.document.select(ids)
    tool = stage.window.canvas.tool
    tool.gesture = MoveGesture(tool, centre, ids)
    step = [0]

    def frame() -> None:
        step[0] += 1
        tool.gesture.move(centre + QPointF(13.0 * step[0], 7.0 * step[0]), Qt.KeyboardModifier.NoModifier)
        view.viewport().repaint()

    times = spread_ms(frame)
    tool.cancel()
    stage.document.select(())
    return times


def test_drag_with_the_mouse(stage_of) -> None:
    """100 of 225 switches that are rows of the document, moved with mouse events and dropped."""
    stage = stage_of(single_rows(225))
    built = stage.view.source.built
    ids = [f"s{k}" for k in range(100)]
    stage.document.select(ids)
    start = stage.at("s50")
    stage.press(start)
    stage.move(start + QPointF(40, 40))
    assert len(stage.view.state.hidden_cards) == 100
    step = [0]

    def frame() -> None:
        step[0] += 1
        stage.move(start + QPointF(11.0 * step[0], 6.0 * step[0]))
        stage.view.viewport().repaint()

    tell("225 rows, 900 links: drag 100 with the mouse, fit", spread_ms(frame), DRAG_GOAL)
    assert stage.view.source.built == built  # a drag touches no document and builds no scene
    stage.release(start + QPointF(500, 300))
    stage.view.viewport().repaint()
    assert stage.view.source.built == built + 1

    turns: list[float] = []

    def nudge() -> None:
        parts = [
            lambda: stage.context.edit("move", places={"s112": [2400.0 + step[0], 700.0]}),
            lambda: QApplication.sendPostedEvents(stage.view.source),  # the scene is built in a turn of its own
            stage.view.viewport().repaint,
        ]
        turns.append(max(took(part) for part in parts))
        step[0] += 1

    tell("the same: move one, from the edit to the frame", spread_ms(nudge, rounds=10), "<= 100 ms")
    tell("the same: longest turn of it", spread(turns[3:]), TURN_GOAL)


def test_verdict_of_a_drag() -> None:
    """From an edit to the verdict on every slot, and the same question again while the mouse moves."""
    project = TEMPLATES["seed-b-512"].build()
    design = next(iter(project.designs))
    part = catalogue().get("cx7-ndr400-osfp")
    state = {"project": project, "n": 0}
    slots = len(legality(project, design, "node", part))
    assert slots > 4
    again = median_ms(lambda: legality(project, design, "node", part), rounds=15)
    report("legality of a card on every slot, during a drag", f"{again:.2f} ms", "< 5 ms", f"{slots} slots")

    def edit() -> None:
        state["n"] += 1
        patch = EDITS["set_config"](
            state["project"], design=design, sheet="node", item="gpu0", key="mark", value=state["n"]
        )
        state["project"] = apply(state["project"], patch)
        legality(state["project"], design, "node", part)

    report("edit to verdict on every slot", f"{median_ms(edit, rounds=15):.2f} ms", "<= 100 ms", f"{slots} slots")


def test_part_on_the_mouse(stage_of) -> None:
    """Frames while a card from the palette hangs over the server sheet: verdicts, lane bars and tip included."""
    stage = stage_of(TEMPLATES["seed-b-512"].build())
    stage.open("node")
    stage.window.canvas.tool.start_place("cx7-ndr400-osfp")
    where = stage.at("gpu0")
    step = [0]

    def frame() -> None:
        step[0] += 1
        stage.move(where + QPointF(step[0] % 7, step[0] % 5))
        stage.view.viewport().repaint()

    tell("a part over the server sheet: pointer to frame", spread_ms(frame), DRAG_GOAL)
    stage.window.canvas.tool.cancel()
