"""The outline: the tree mirrors the drawing and shares its selection."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fabricwright.ui.panels.outline import OutlinePanel
from fabricwright.ui.panels.outline_model import tree_of
from tests.ui.panel_stage import stage


def test_the_tree_holds_every_item_and_link_once(app: QApplication) -> None:
    context = stage("node-after")
    top = tree_of(context.project, context.design_row, "en")
    assert [n.sheet for n in top.children] == ["fabric", "node-after", "node-after-cxl"]
    sheet = top.children[1]
    items = [n.row_id for n in sheet.walk() if n.kind == "item"]
    links = [n.row_id for n in sheet.walk() if n.kind == "link"]
    assert sorted(items) == sorted(context.eff.items)
    assert sorted(links) == sorted(context.eff.links)
    box = next(n for n in sheet.walk() if n.row_id == "ext0")
    assert {"gpu8", "gpu9"} <= {n.row_id for n in box.children}


def test_selection_goes_both_ways(app: QApplication) -> None:
    context = stage()
    panel = OutlinePanel(context)
    panel.resize(400, 300)
    panel.show()
    context.document.select(["leaf"])
    assert [panel.model.node(i).row_id for i in panel.tree.selectedIndexes()] == ["leaf"]
    index = panel.model.index_of("item", "node-after", "sw0")
    panel.tree.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    assert (context.sheet, context.selection) == ("node-after", ["sw0"])


def test_enter_opens_a_server(app: QApplication) -> None:
    context = stage()
    panel = OutlinePanel(context)
    panel.show()
    panel.tree.setCurrentIndex(panel.model.index_of("item", "fabric", "node"))
    QTest.keyClick(panel.tree, Qt.Key.Key_Return)
    assert (context.sheet, context.host) == ("node-after", "node")


def test_an_edit_shows_and_open_rows_stay_open(app: QApplication) -> None:
    context = stage("node-after")
    panel = OutlinePanel(context)
    panel.show()
    box = panel.model.index_of("item", "node-after", "ext0")
    panel.tree.setExpanded(box, True)
    context.edit("add_item", part="lr-cxl-generic", item="memory")
    app.processEvents()
    assert panel.model.index_of("item", "node-after", "memory").isValid()
    assert panel.tree.isExpanded(panel.model.index_of("item", "node-after", "ext0"))


def test_a_move_does_not_rebuild_the_tree(app: QApplication) -> None:
    context = stage()
    panel = OutlinePanel(context)
    resets: list[int] = []
    panel.model.modelReset.connect(lambda: resets.append(1))
    context.edit("move", places={"leaf": [10, 10]})
    panel.rebuild()
    assert resets == []


def test_rows_speak(app: QApplication) -> None:
    panel = OutlinePanel(stage())
    index = panel.model.index_of("item", "fabric", "leaf")
    assert str(index.data()) == "leaf × 4"
    assert str(index.data(Qt.ItemDataRole.AccessibleTextRole)).startswith("leaf × 4, ")
    assert panel.tree.accessibleName() == "Outline"
