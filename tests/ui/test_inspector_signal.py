"""Signal paths in the inspector and on the server sheet: seed A's segments, retimers, fall back and fixes."""

from __future__ import annotations

import json

import pytest
from PySide6.QtWidgets import QApplication

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.reports import finding_rows, sheet_summaries
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.canvas.server_scene import server_scene
from fabricwright.ui.canvas.signal_labels import label_of, verdict_of
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document
from fabricwright.ui.panels.inspector import InspectorPanel
from fabricwright.ui.panels.inspector_signal import SignalSection, paths_of

pytestmark = pytest.mark.gui


def context_of(template: str = "seed-a-256x8") -> UiContext:
    context = UiContext(Document(TEMPLATES[template].build()))
    context.open_sheet("node")
    tell(context)
    return context


def tell(context: UiContext) -> None:
    analysis = analyze(context.project, context.design)
    context.analysis.update(
        sheets=json.loads(json.dumps(sheet_summaries(analysis))),
        findings=json.loads(json.dumps(finding_rows(analysis))),
    )


def section(context: UiContext, row_id: str) -> SignalSection:
    panel = InspectorPanel(context)
    context.document.select([row_id])
    panel.refresh()
    panel.resize(272, 1400)
    panel.grab()
    assert panel.page is not None
    found = panel.page.findChildren(SignalSection)
    assert len(found) == 1
    found[0].setProperty("panel", panel)  # keeps it
    return found[0]


def test_a_cabled_gpu_loses_23_95_of_36(app: QApplication, all_painted: None) -> None:
    """Chip 4 + card 2 + cable 3.95 + backplane 3 + connector 1.5 + add-in card 9.5."""
    (chain,) = section(context_of(), "gpu0").chains
    lines = chain.text().splitlines()
    assert lines[0] == "sw0:d1 → gpu0: ≈ 23.95 / 36 dB"
    assert [line.split()[-2] for line in lines[1:]] == ["4", "2", "3.95", "3", "1.5", "9.5"]


def test_a_retimer_starts_afresh(app: QApplication, all_painted: None) -> None:
    shown = section(context_of(), "gpu6")
    (chain,) = shown.chains
    assert "cpu1:p2 → rt0: ≈ 22.5 / 36 dB" in chain.text() and "rt0 → gpu6: ≈ 26.75 / 36 dB" in chain.text()
    assert "starts the signal afresh" in chain.tip_at(next(r.top for r in chain._rows if r.kind == "restart") + 2)


@pytest.mark.parametrize("row_id", ["c7", "rt0", "gpu6"])
def test_cable_and_retimer_show_the_link_they_are_in(app: QApplication, row_id: str) -> None:
    assert [device for device, _ in paths_of(context_of(), row_id)] == ["gpu6"]


def test_other_rows_have_no_such_section(app: QApplication) -> None:
    context = context_of("single-8gpu")
    shown = section(context, "gpu0")
    assert shown.isHidden() == (not paths_of(context, "gpu0"))
    assert paths_of(context, "nowhere") == []


def test_a_link_that_falls_back_says_so_and_offers_the_fix(app: QApplication, all_painted: None) -> None:
    context = context_of()
    context.edit("set_link", link="c7", length_m=2.5)  # 1.5 + 7 x 2.5 = 19 dB of cable: 39 dB of 36
    tell(context)
    shown = section(context, "c7")
    (device, path), *_ = paths_of(context, "c7")
    assert (device, path["gen"], path["falls_to"]) == ("gpu6", 5, 4)
    assert path["segments"][1]["loss_db"] == pytest.approx(39.0)
    assert verdict_of(path["segments"][1]) == "error"
    texts = [child.text() for child in shown.findChildren(type(shown._column.itemAt(1).widget()))]
    assert any("falls back from Gen5 to Gen4" in text for text in texts)
    rules = {row["rule"] for row in context.analysis.findings.values()}
    assert "RET-02" in rules


def test_decibels_stand_beside_the_link(app: QApplication) -> None:
    context = context_of()
    summary = context.analysis.sheets["node"]
    scene = server_scene(context.project, context.design_row, "node", "en", host="node", summary=summary)
    texts = [label.text for label in scene.labels]
    assert any("23.95 dB" in text for text in texts) and any("26.75 dB" in text for text in texts)
    assert any(text.startswith("22.5 / 36 dB") for text in texts)


def test_what_states_no_loss_is_a_lower_bound() -> None:
    row = {"loss_db": 12.0, "budget_db": 36.0, "known": False}
    assert label_of(row) == "≥ 12 / 36 dB\t≥ 12 dB" and verdict_of(row) == "neutral"
