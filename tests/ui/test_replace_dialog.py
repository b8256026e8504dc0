"""Replacing a part everywhere: what it does is listed before, and told after."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.replace_dialog import ReplaceDialog, done
from tests.ui.canvas_stage import Stage, close, make_stage


@pytest.fixture
def stage(app, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(TEMPLATES["pcie-4gpu-1nic"].build(), tmp_path)
    yield made
    close(made)


def test_the_selected_part_is_proposed_and_parts_of_its_kind_offered(stage: Stage) -> None:
    stage.document.select(["leaf"])
    assert stage.window.commands._chosen_part() == "sn5600"
    dialog = ReplaceDialog(stage.context, stage.window, "sn5600")
    assert dialog.old.currentData() == "sn5600"
    assert not dialog.accept_button.isEnabled()
    assert dialog.choose("sn4700") and not dialog.choose("h100-pcie-80gb")
    assert dialog.accept_button.isEnabled()
    dialog.close()


def test_what_does_not_map_is_listed_and_told(stage: Stage) -> None:
    said: list[tuple[str, str]] = []
    stage.context.said.connect(lambda message, level: said.append((message.text("en"), level)))
    dialog = ReplaceDialog(stage.context, stage.window, "sn5600")
    dialog.choose("sn4700")
    # Cages of an SN4700 (400G) cannot be split into two of 400G.
    assert "One place gets the new part" in dialog.summary.text()
    texts = [dialog.lost.item(n).text() for n in range(dialog.lost.count())]
    assert any("cannot be split 2x400" in text for text in texts)
    before = stage.document.undo_stack.count()
    assert done(stage.context, dialog.plan)
    assert stage.items["leaf"].of == "sn4700"
    assert stage.document.undo_stack.count() == before + 1
    assert said[-1][1] == "warning" and "did not map: 1" in said[-1][0]
    dialog.close()


def test_a_card_in_every_server(stage: Stage) -> None:
    stage.open("node")
    stage.document.select(["gpu2"])
    dialog = ReplaceDialog(stage.context, stage.window, stage.window.commands._chosen_part())
    dialog.search.setText("L40S")
    dialog._fill()
    assert dialog.plan is not None
    done(stage.context, dialog.plan)
    assert {stage.items[f"gpu{n}"].of for n in range(4)} != {"h100-pcie-80gb"}
    assert len({stage.items[f"gpu{n}"].of for n in range(4)}) == 1
    stage.document.undo()
    assert stage.items["gpu0"].of == "h100-pcie-80gb"
    dialog.close()
