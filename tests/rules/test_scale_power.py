"""SCL and PWR at the two sides of their limits, and exports of hand-made sheets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabricwright.catalog.parts import Figure
from fabricwright.catalog.store import catalogue
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Export, Sheet
from fabricwright.rules.verdict import JUDGES
from fabricwright.units.table import Table
from tests.rules.drawing import card, claim, context, fabric, fired, group, places, server


def test_scl_01_256_and_64_gpus_are_not_512() -> None:
    def stated(target: int):
        wanted = claim("cluster.gpus", target, "main!", "requirement")
        return fired(server("dgx-h100", {}, count=32, statements=(wanted,)), "SCL-01")

    assert stated(256) == []
    (found,) = stated(512)
    assert (found.measured, found.allowed) == (256, 512)


def test_scl_01_counts_absent_members_out() -> None:
    project = TEMPLATES["superpod-h100-127"].build(servers=100)
    assert fired(project, "SCL-01") == []  # the template states 800


def test_scl_01_servers_without_gpus() -> None:
    def found(target: int):
        wanted = claim("cluster.gpus", target, "main!", "requirement")
        project = server("generic-2s-4u8g", {}, count=4, statements=(wanted,))
        return fired(project, "SCL-01"), next(iter(JUDGES["SCL-01"](context(project))))

    (said,), _ = found(16)
    assert said.message.english() == "No server has a GPU, 16 stated: 16 missing."
    assert said.message.text("zh_CN") == "没有一台服务器有 GPU，陈述为 16：少 16。"
    assert found(0)[0] == []
    assert found(0)[1].text.english() == "No server has a GPU, as stated."


def test_pwr_01_n_plus_n_counts_half() -> None:
    def dgx(redundancy: str):
        part = catalogue().get("dgx-h100")
        part = replace(part, figures=part.figures.put("psu_redundancy", Figure(redundancy)))
        return fired(server("dgx-h100", {}, parts={"dgx-h100": part}), "PWR-01")

    (found,) = dgx("3+3")
    assert (found.measured, found.allowed) == (pytest.approx(11_220), 9_900)  # 10,200 x 1.1 over 3 x 3,300
    assert dgx("4+2") == []  # 13,200


def test_pwr_01_external_boxes_have_supplies_of_their_own() -> None:
    items = {"ext0": card("ext-gpu-box-2"), **{f"gpu{n}": card("rtx-pro-6000-bse", f"ext0:g{n + 1}") for n in (0, 1)}}
    found = fired(server("dgx-h100", items), "PWR-01")
    # 120 + 2 x 600 = 1,320 W, x 1.1 = 1,452 of 1,600 W: fits; the same cards do not load the chassis.
    assert found == []
    weak = catalogue().get("ext-gpu-box-2")
    weak = replace(weak, figures=weak.figures.put("psu_w", Figure(1_400)))
    (over,) = fired(server("dgx-h100", items, parts={"ext-gpu-box-2": weak}), "PWR-01")
    assert places([over]) == ["node/ext0"]


def test_exports_of_a_hand_made_sheet_reach_the_rules() -> None:
    sheet = Sheet("server", chassis="dgx-h100", exports=Table({"compute": Export(("nic0:1",))}))
    project = fabric({"node": group("sheet:node")}, {}, {"node": sheet})
    assert fired(project, "P2P-01") == []


def test_gpu_03_equal_speed_and_another_memory() -> None:
    """H100 and H200 SXM have 989 TFLOPS both; 80 against 141 GB is the difference."""
    items = {"a": group("sheet:a", node=2), "b": group("sheet:b", node=1)}
    sheets = {"a": Sheet("server", chassis="dgx-h100"), "b": Sheet("server", chassis="dgx-h200")}
    (found,) = fired(fabric(items, {}, sheets), "GPU-03")
    assert found.message.english().endswith("the smaller memory bounds the job (80 against 141 GB).")
