"""The inspector says where figures are from and leads to the catalogue; several things are changed at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.panels.fields import ChoiceField
from fabricwright.ui.widgets import TextButton, TextLabel
from tests.ui.canvas_stage import Stage, close, make_stage


@pytest.fixture
def stage(app, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(TEMPLATES["pcie-4gpu-1nic"].build(), tmp_path)
    yield made
    close(made)


def entry(stage: Stage) -> TextButton:
    QApplication.processEvents()
    panel = stage.window.docks.panels["inspector"]
    panel.page.fill_folds()
    (button,) = [b for b in panel.findChildren(TextButton) if b.text() == "Catalogue entry"]
    return button


@pytest.mark.parametrize(
    ("sheet", "row", "part"),
    [
        ("fabric", "leaf", "sn5600"),
        ("fabric", "node", ""),
        ("node", "gpu0", "h100-pcie-80gb"),
        ("node", "nic0", "mcx715105as-weat"),
    ],
)
def test_the_way_to_the_catalogue(qtbot, stage: Stage, sheet: str, row: str, part: str) -> None:
    stage.open(sheet)
    stage.document.select([row])
    palette = stage.window.docks.panels["palette"]
    palette.search.setText("zzz nothing")
    palette._search("zzz nothing")
    wanted = part or stage.context.design_row.sheets["node"].chassis
    entry(stage).click()
    assert palette.current_part() == wanted
    assert palette.tree.isVisible()
    assert palette.model.category_of(palette.tree.currentIndex()) != "favourites"


def test_sources_and_confidence_are_told(stage: Stage) -> None:
    stage.document.select(["leaf"])
    QApplication.processEvents()
    panel = stage.window.docks.panels["inspector"]
    panel.page.fill_folds()
    texts = [label.text() for label in panel.findChildren(TextLabel)]
    assert any("source:" in text for text in texts)


def test_several_cards_change_their_part_in_one_step(stage: Stage) -> None:
    stage.open("node")
    stage.document.select(["gpu0", "gpu1", "gpu3"])
    QApplication.processEvents()
    panel = stage.window.docks.panels["inspector"]
    field = next(f for f in panel.findChildren(ChoiceField) if f.isVisible())
    before = stage.document.undo_stack.count()
    box = field.combo
    row = next(n for n in range(box.count()) if "L40S" in box.itemText(n))
    box.setCurrentIndex(row)
    box.activated.emit(row)
    parts = {name: item.of for name, item in stage.items.items()}
    assert parts["gpu0"] == parts["gpu1"] == parts["gpu3"] != parts["gpu2"]
    assert stage.document.undo_stack.count() == before + 1
    stage.document.undo()
    assert {stage.items[f"gpu{n}"].of for n in range(4)} == {"h100-pcie-80gb"}
