"""The legend on the canvas: one form for a sheet and a size, a corner that hides nothing, rest while a hand pans."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from tests.ui.canvas_stage import Stage

pytestmark = pytest.mark.gui


@pytest.fixture
def heated(blank: Stage, app: QApplication) -> Stage:
    """A sheet with the loads of its links switched on."""
    blank.context.set_heat("allreduce", 1 << 26)
    return blank


def _scores(stage: Stage, monkeypatch: pytest.MonkeyPatch, *corners: tuple[int, int]) -> None:
    """What a box would cover (cards, lines) at tr, br, bl, whatever is drawn."""
    left = stage.view.mapToScene(stage.view.viewport().rect()).boundingRect().center()

    def covered(box: tuple[float, float, float, float]) -> tuple[int, int]:
        top = box[1] < left.y() - 1 and box[3] < left.y() + 1
        return corners[0] if top else corners[2] if box[0] < left.x() and box[2] < left.x() else corners[1]

    monkeypatch.setattr(stage.view, "_covered", covered)


def test_the_corner_that_covers_least_is_taken(blank: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    view = blank.view
    place = (view.centre(), view.zoom, 100.0, 80.0)
    _scores(blank, monkeypatch, (1, 4), (0, 3), (0, 0))
    assert view.free_corner(*place) == "bl"
    _scores(blank, monkeypatch, (1, 4), (0, 3), (0, 5))
    assert view.free_corner(*place) is None and view.emptiest_corner(*place) == ("br", 0, 3)
    _scores(blank, monkeypatch, (0, 0), (0, 0), (0, 0))
    assert view.free_corner(*place) == "tr" and view.free_corner(*place, first="bl") == "bl"


def test_a_hand_that_pans_is_not_followed_at_every_move(blank: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    overlays, view = blank.window.canvas.overlays, blank.view
    called: list[int] = []
    look = view.emptiest_corner
    monkeypatch.setattr(view, "emptiest_corner", lambda *a, **k: called.append(1) or look(*a, **k))
    overlays.arrange()
    called.clear()
    for _ in range(20):
        view.pan_by(3, 1)
    assert not called and overlays._settle.isActive()
    view.fit()
    assert not overlays._settle.isActive()  # a sheet that is shown anew is arranged at once


def test_the_form_is_chosen_once_for_a_sheet(heated: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    overlays = heated.window.canvas.overlays
    monkeypatch.setattr(overlays.legend, "rows", lambda: ([("0 – 25 %", 1)], []))
    overlays._boxed.clear()
    _scores(heated, monkeypatch, (0, 0), (0, 0), (0, 0))
    overlays.arrange()
    assert not overlays.legend.strip and not overlays.legend.isHidden()
    _scores(heated, monkeypatch, (2, 0), (1, 0), (3, 0))
    overlays.arrange()  # elsewhere on the sheet, where nothing is free
    assert not overlays.legend.strip and not overlays.legend.isHidden()
    overlays._boxed.clear()
    overlays.arrange()  # had it been so from the beginning
    assert overlays.legend.strip
    _scores(heated, monkeypatch, (0, 0), (0, 0), (0, 0))
    overlays.arrange()
    assert overlays.legend.strip


def test_the_heat_map_leaves_the_view_where_it_is(heated: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    view, context = heated.view, heated.context
    view.fit()
    assert view.fitted
    context.set_heat("", None)
    before = (view.centre(), view.zoom)
    monkeypatch.setattr(view, "fit", lambda *_, **__: pytest.fail("the sheet was fitted anew"))
    context.set_heat("all_reduce", 1 << 30)
    assert (view.centre(), view.zoom) == before
    context.set_heat("", None)
    assert (view.centre(), view.zoom) == before
