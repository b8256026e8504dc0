"""Where the editor of a label opens: over the label, whole in the view, for groups of several cards and long names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRect, QRectF, Qt

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.canvas.rename import InlineRename
from tests.ui.canvas_stage import NO, Stage, close, make_stage

pytestmark = pytest.mark.gui
LONG = "Servers of the first hall that train while the second one is being built"


@pytest.fixture
def stage(app, tmp_path: Path) -> Iterator[Stage]:
    stage = make_stage(TEMPLATES["seed-a-256x8"].build(), tmp_path)
    yield stage
    close(stage)


def opened(stage: Stage, row: str, card: int | None = None) -> QRect:
    """Box of the editor in the view; it is closed again."""
    stage.window.canvas.rename(row, card)
    editor = stage.view.viewport().findChildren(InlineRename)[-1]
    box = editor.geometry()
    editor._finish(keep=False)
    editor.setParent(None)
    assert stage.view.viewport().rect().contains(box)
    return box


def in_view(stage: Stage, card: int) -> QRect:
    return stage.view.mapFromScene(QRectF(*stage.scene.box(card))).boundingRect()


@pytest.mark.parametrize("name", ["node", LONG])
def test_over_the_card_that_is_meant(stage: Stage, name: str) -> None:
    stage.context.edit("rename", item="node", name=name)
    cards = stage.scene.by_id["node"]
    assert len(cards) == 4  # one for each unit
    for card in cards:
        box, spot = opened(stage, "node", card), in_view(stage, card)
        assert box.intersects(spot) and spot.top() < box.center().y() < spot.bottom()
        assert spot.contains(box.center()) or box.width() > spot.width()
    stage.move(stage.at("node", 2), NO, Qt.MouseButton.NoButton)
    assert opened(stage, "node").intersects(in_view(stage, cards[2]))  # by key: the one under the pointer
    stage.move(QPointF(-500, -500), NO, Qt.MouseButton.NoButton)
    box = opened(stage, "node")  # else one in sight
    assert any(box.intersects(in_view(stage, card)) for card in cards)


def test_at_the_foot_of_an_open_group_and_on_the_label_of_a_link(stage: Stage) -> None:
    ties = [tie for tie in stage.scene.ties if tie.link == "up"]
    box = opened(stage, "up")
    assert any(box.adjusted(-4, -4, 4, 4).contains(stage.view.mapFromScene(QPointF(t.x0, t.y))) for t in ties)
    stage.context.edit("rename", item="node", name=LONG)
    stage.context.edit("set_look", item="node", open=True)
    box = opened(stage, "node")
    spot = in_view(stage, stage.scene.rows_of("node")[0])
    assert 0 <= box.left() - spot.left() < 40 and spot.bottom() - 40 < box.bottom() <= spot.bottom()
