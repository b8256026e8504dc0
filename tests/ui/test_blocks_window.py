"""Blocks in the window: kept from a sheet, listed in the palette, put into other projects by drag and drop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui import blocks, dialogs
from fabricwright.ui.file_commands import blank_project
from tests.ui.canvas_stage import Stage, close, make_stage


@pytest.fixture
def stage(app, tmp_path: Path, monkeypatch) -> Iterator[Stage]:
    monkeypatch.setenv("FABRICWRIGHT_DATA", str(tmp_path / "data"))
    made = make_stage(TEMPLATES["pcie-4gpu-1nic"].build(), tmp_path)
    yield made
    close(made)


def test_a_selection_becomes_a_block_and_comes_back_in_another_project(monkeypatch, stage: Stage, all_painted) -> None:
    monkeypatch.setattr(dialogs, "ask_text", lambda *_a: 'Pod / "four"')
    stage.document.select(["node", "leaf"])
    stage.window.actions_set["save-block"].trigger()
    assert blocks.block_names() == ["block:Pod four"]
    palette = stage.window.docks.panels["palette"]
    index = palette.model.find("block:Pod four", "blocks")
    assert index.isValid() and index.data() == "Pod four"
    assert palette.model.placeable("block:Pod four")

    stage.document.replace(blank_project())
    undo = stage.document.undo_stack.count()
    assert stage.drop_part("block:Pod four", QPointF(400, 300))
    counts = sorted(item.count for item in stage.items.values())  # ids are made anew
    assert counts == [1, 4] and len(stage.links) == 1
    assert set(stage.context.selection) == set(stage.items)
    assert stage.document.undo_stack.count() == undo + 1
    stage.document.undo()
    assert stage.context.project == blank_project()


def test_a_server_sheet_is_a_block_for_fabric_and_for_other_servers(monkeypatch, stage: Stage) -> None:
    monkeypatch.setattr(dialogs, "ask_text", lambda *_a: "Four GPUs")
    stage.open("node")
    stage.document.select(())
    stage.window.actions_set["save-block"].trigger()
    stage.document.replace(blank_project())
    stage.context.start_place("block:Four GPUs")
    assert stage.view.state.band is not None
    where = stage.view.centre()
    stage.move(where, held=Qt.MouseButton.NoButton)
    stage.click(where)
    (item,) = stage.items.values()
    assert item.of.startswith("sheet:")
    assert len(stage.context.design_row.sheets[item.of[6:]].items) == 5


def test_cards_need_a_server_sheet(monkeypatch, stage: Stage) -> None:
    said: list[str] = []
    stage.context.said.connect(lambda message, _s: said.append(message.text("en")))
    monkeypatch.setattr(dialogs, "ask_text", lambda *_a: "Two cards")
    stage.open("node")
    stage.document.select(["gpu0", "gpu1"])
    stage.window.actions_set["save-block"].trigger()
    stage.open("fabric")
    palette = stage.window.docks.panels["palette"]
    assert not palette.model.placeable("block:Two cards")
    stage.context.start_place("block:Two cards")
    assert said[-1].startswith("These are cards of a server")


def test_parts_that_differ_are_asked_about(monkeypatch, stage: Stage, tmp_path: Path) -> None:
    import dataclasses

    block = blocks.make_block(stage.context.project, design="main", sheet="fabric", ids=["leaf"], title="Leaf")
    path = tmp_path / "leaf.fwblock"
    blocks.save_block(block, path)
    project = stage.context.project
    mine = dataclasses.replace(project.parts["sn5600"], model="SN5600 of mine")
    stage.document.replace(dataclasses.replace(project, parts=project.parts.put("sn5600", mine)))
    asked = []
    monkeypatch.setattr(blocks, "ask_parts", lambda _p, report: asked.append(report) or "")
    assert not stage.window.commands.insert_block_file(path)
    monkeypatch.setattr(blocks, "ask_parts", lambda _p, report: "take")
    assert stage.window.commands.insert_block_file(path)
    assert len(asked) == 1
    assert stage.context.project.parts["sn5600"] == project.parts["sn5600"]
    assert len(stage.items) == 4


def test_a_broken_file_is_told_and_a_block_is_deleted(monkeypatch, stage: Stage, tmp_path: Path) -> None:
    said: list[str] = []
    stage.context.said.connect(lambda message, _s: said.append(message.text("en")))
    path = tmp_path / "x.fwblock"
    path.write_text('{"format": "fabricwright-block", "version": 99}')
    assert not stage.window.commands.insert_block_file(path)
    assert "version 99" in said[-1]
    monkeypatch.setattr(dialogs, "ask_text", lambda *_a: "Gone soon")
    stage.document.select(["leaf"])
    stage.window.actions_set["save-block"].trigger()
    monkeypatch.setattr(dialogs, "ask_yes", lambda *_a: True)
    assert blocks.remove(stage.context, "block:Gone soon", stage.window)
    QApplication.processEvents()
    assert blocks.block_names() == []
    stage.context.start_place("block:Gone soon")
    assert "is gone" in said[-1]
