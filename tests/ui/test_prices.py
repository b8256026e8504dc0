"""Parts and prices in the window: the list follows the worker, figures are written through undo, lists are taken in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.bill import bill_frame, price_list_frame
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.analysis_state import AnalysisState
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document
from fabricwright.ui.prices.import_dialog import PriceListDialog, share_of
from fabricwright.ui.prices.label_dialog import LabelDialog
from fabricwright.ui.prices.spares_dialog import SparesDialog
from fabricwright.ui.prices.view import BillView
from fabricwright.ui.widgets import NoticeBox

pytestmark = pytest.mark.gui


class Desk:
    """A context whose worker answers at once."""

    def __init__(self) -> None:
        self.document = Document(TEMPLATES["pcie-4gpu-1nic"].build())
        self.context = UiContext(self.document, AnalysisState())
        self.state = self.context.analysis
        self.state.update(status="idle")
        self.state.view_wanted.connect(self.answer)
        self.state.price_list_wanted.connect(self.read)
        self.document.project_changed.connect(lambda _patch: self.answer())

    def answer(self) -> None:
        if self.state.bill_wanted:
            found = bill_frame(analyze(self.context.project, self.context.design), self.state.bill_wanted)
            self.state.update(bill={**found, "design": self.context.design})

    def read(self, asked: dict[str, Any]) -> None:
        found = price_list_frame(self.context.project, asked)
        self.state.price_list_read.emit({"type": "price_list", "path": asked["path"], **found})


@pytest.fixture
def desk(app: QApplication) -> Desk:
    return Desk()


@pytest.fixture
def view(desk: Desk) -> BillView:
    view = BillView(desk.context)
    view.resize(1400, 700)
    view.shown(True)
    return view


def cell(view: BillView, part: str, column: str) -> Any:
    row = next(n for n, line in enumerate(view.model.rows) if line["part"] == part)
    return view.model.index(row, view.model.columns.index(column))


def test_the_list_is_asked_for_only_while_it_is_in_front(desk: Desk, view: BillView) -> None:
    assert desk.state.bill_wanted == "part"
    assert cell(view, "h100-pcie-80gb", "needed").data() == "16"
    view.shown(False)
    assert desk.state.bill_wanted == ""


def test_owned_pieces_and_prices_are_written_through_undo(desk: Desk, view: BillView) -> None:
    before = desk.context.project
    assert view.model.setData(cell(view, "h100-pcie-80gb", "owned"), "6")
    assert cell(view, "h100-pcie-80gb", "order").data() == "10"
    assert view.model.setData(cell(view, "h100-pcie-80gb", "unit_price"), "1,000.50")
    assert cell(view, "h100-pcie-80gb", "total").data() == "10,005.00 CNY"
    assert "10,005.00 CNY" in view.sums.text()
    desk.document.undo()
    desk.document.undo()
    assert desk.context.project == before


@pytest.mark.parametrize(("column", "text"), [("owned", "-1"), ("owned", "2.5"), ("owned", "x"), ("unit_price", "=1")])
def test_nonsense_is_refused_with_a_sentence(desk: Desk, view: BillView, column: str, text: str) -> None:
    said: list[object] = []
    desk.context.said.connect(lambda message, _severity: said.append(message))
    before = desk.context.project
    assert not view.model.setData(cell(view, "h100-pcie-80gb", column), text)
    assert said and desk.context.project is before


def test_dividing_and_filtering(desk: Desk, view: BillView) -> None:
    view.by.setCurrentIndex(view.by.findData("rack"))
    view.by.activated.emit(view.by.currentIndex())
    assert view.model.columns[0] == "group" and view.model.rowCount() > 0
    view.by.setCurrentIndex(0)
    view.by.activated.emit(0)
    view.model.set_filter("h100")
    assert [row["part"] for row in view.model.rows] == ["h100-pcie-80gb"]


def test_spares_are_one_step(desk: Desk, view: BillView) -> None:
    dialog = SparesDialog(desk.context, ["gpu", "nic"])
    dialog.boxes["gpu"].setValue(10.0)
    dialog.accept()
    assert dict(desk.context.project.ordering) == {"spares.gpu": 0.1}
    assert cell(view, "h100-pcie-80gb", "spares").data() == "2"  # 10% of 16, rounded up


def test_a_price_list_is_previewed_mapped_and_taken_in(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("Code,Cost,Old\r\nH100-PCIE-80GB,200,100\r\nsomething,1,1\r\n", encoding="utf-8")
    dialog = PriceListDialog(desk.context, path)
    assert not dialog.take_button.isEnabled()  # "Code" says nothing
    for column, field in ((0, "part"), (1, "price")):
        combo = dialog.table.cellWidget(0, column)
        assert isinstance(combo, QComboBox)
        combo.setCurrentIndex(combo.findData(field))
        dialog._choose(column)
    dialog._read()
    assert dialog.take_button.isEnabled()
    assert dialog.found["unknown_count"] == 1
    dialog.accept()
    (price,) = desk.context.project.prices.values()
    assert (price.part, price.amount, price.currency, price.source) == ("h100-pcie-80gb", 200.0, "CNY", "list")
    desk.document.undo()
    assert not desk.context.project.prices


def test_prices_of_other_parts_only_are_no_success(desk: Desk, tmp_path: Path, monkeypatch) -> None:
    """Known parts, but none of this project: the notice warns instead of ticking it off."""
    told: list[str] = []
    monkeypatch.setattr(NoticeBox, "set_notice", lambda _box, kind, *_texts: told.append(kind))
    for part, kind in (("h100-pcie-80gb", "ok"), ("sn3700c", "warning")):
        path = tmp_path / f"{part}.csv"
        path.write_text(f"part,price\r\n{part},200\r\n", encoding="utf-8")
        told.clear()
        PriceListDialog(desk.context, path)
        assert told[0] == kind


def test_a_file_that_is_none_is_told(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "list.xlsx"
    path.write_bytes(b"nothing")
    dialog = PriceListDialog(desk.context, path)
    assert dialog.found["error"] is not None and not dialog.take_button.isEnabled()


def test_shares() -> None:
    assert [share_of(text) for text in ("13%", "0.13", "13", "", "x", "-1")] == [0.13, 0.13, 0.13, None, -1.0, -1.0]


def test_editors_stand_where_figures_stand(desk: Desk, view: BillView) -> None:
    index = cell(view, "h100-pcie-80gb", "owned")
    assert index.flags() & Qt.ItemFlag.ItemIsEditable
    assert not cell(view, "h100-pcie-80gb", "needed").flags() & Qt.ItemFlag.ItemIsEditable


def test_the_text_of_labels_is_checked_and_kept(desk: Desk) -> None:
    dialog = LabelDialog(desk.context)
    assert dialog.ok.isEnabled() and "leaf-11:1/1 - n001:nic0:1" in dialog.said.text()
    dialog.template.setText("{a.colour}")
    assert not dialog.ok.isEnabled() and "a.colour" in dialog.said.text()
    dialog.template.setText("{a.rack}-{a.u} / {b.name}")
    assert "net-1-40 / n001" in dialog.said.text()
    dialog.sheet.setCurrentText("9x1")
    assert not dialog.ok.isEnabled()
    dialog.sheet.setCurrentText("62x29")
    dialog.accept()
    assert dialog.arguments() == ["--label-sheet", "62x29"]
    assert desk.context.project.ordering["cable_label"] == "{a.rack}-{a.u} / {b.name}"
