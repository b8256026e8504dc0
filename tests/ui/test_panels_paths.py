"""The path matrix: both words for a path, bandwidth under the pointer, copied as text and as CSV."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication

from fabricwright.ui.panels.paths import PathsPanel
from tests.ui.panel_stage import SHEETS, stage

pytestmark = pytest.mark.gui


@pytest.fixture
def panel(app) -> PathsPanel:
    context = stage("node-after")
    sheet = SHEETS["node-after"]
    matrix = sheet["matrix"] | {
        "gpu_nic_gbs": [[24.0, 21.0, 9.4], [9.4, 24.0, 21.0]],
        "gpu_nic_way": [[4, 5, 5], [5, 4, 5]],
    }
    context.analysis.update(sheets={"node-after": sheet | {"matrix": matrix}})
    made = PathsPanel(context)
    made.resize(620, 190)
    return made


def test_words_of_nvidia_smi_and_of_nccl(panel: PathsPanel) -> None:
    model = panel.model
    assert [model.word(2, c) for c in (0, 1)] == ["SYS", "NODE"]
    panel.words.set_current("nccl")
    panel.refresh()
    assert [model.word(2, c) for c in (0, 1)] == ["SYS", "PHB"]
    panel.view.set_current("rdma")
    panel.refresh()
    assert model.word(0, 0) == "on" and not panel.words.isEnabled()


def test_the_pointer_is_told_the_way_and_its_bandwidth(panel: PathsPanel) -> None:
    said = panel.model.data(panel.model.index(0, 0), 3)  # ToolTipRole
    assert said.splitlines()[0] == "gpu0 to nic0: PXB; NCCL sees PXB"
    assert said.splitlines()[1] == "24 GB/s by GPUDirect RDMA"
    panel.view.set_current("gpu")
    panel.refresh()
    assert panel.model.data(panel.model.index(0, 0), 3) == "gpu0"
    assert panel.model.data(panel.model.index(0, 1), 3) == "gpu4 to gpu0: NV18; NCCL sees NVL"


def test_the_matrix_is_copied_as_text_and_as_csv(panel: PathsPanel) -> None:
    panel.copy_text.trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines == ["\tgpu0\tgpu4", "nic0\tPXB\tSYS", "nic8\tPHB\tPIX", "nic7\tSYS\tNODE"]
    panel.copy_csv.trigger()
    assert QGuiApplication.clipboard().text().splitlines()[1] == "nic0,PXB,SYS"
