"""MEM: the chosen workload against GPUs and hosts. Sizes are worked out by hand beside each test."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.values import Link, Project, Sheet, Wire, Workload
from fabricwright.rules.training_job import job_of, state_gb
from fabricwright.units.table import Table
from tests.rules.drawing import card, claim, context, fabric, fired, group, places, server
from tests.rules.examples import fires, silent


def trained(project: Project, model: dict[str, Any], **plan: Any) -> Project:
    """The project with one workload."""
    return replace(project, workloads=Table({"job": Workload("Job", Table(model), Table(plan))}))


def h100(count: int = 1, **more: Any) -> Project:
    return server("dgx-h100", {}, count=count, **more)


@fires("MEM-01")
def test_mem_01_70b_with_zero_3_over_8_gpus() -> None:
    (found,) = fired(trained(h100(), {"params_b": 70}, zero=3, dp=8), "MEM-01")
    assert found.measured == pytest.approx(140)  # 16 x 70e9 / 8
    assert found.allowed == pytest.approx(72)  # 80 x 0.9
    assert places([found]) == ["node"]


@silent("MEM-01")
def test_mem_01_the_same_over_64_gpus() -> None:
    project = trained(h100(8), {"params_b": 70}, zero=3)
    assert fired(project, "MEM-01") == []  # 16 x 70e9 / 64 = 17.5 GB


@pytest.mark.parametrize(
    ("stage", "gb"),
    # 8 ranks, 10e9 parameters: 16P, 4P + 12P/8, 2P + 14P/8, 16P/8
    [(0, 160.0), (1, 55.0), (2, 37.5), (3, 20.0)],
)
def test_mem_01_bytes_by_zero_stage(stage: int, gb: float) -> None:
    job = job_of(context(trained(h100(), {"params_b": 10}, zero=stage)))
    assert job is not None
    assert state_gb(job) == pytest.approx(gb)


def test_mem_01_is_silent_while_the_plan_does_not_say_how_state_is_kept() -> None:
    assert fired(trained(h100(), {"params_b": 500}), "MEM-01") == []
    assert fired(trained(h100(), {"params_b": 500}, tp=8), "MEM-01") == []
    assert fired(h100(), "MEM-01") == []  # no workload at all


def test_mem_01_counts_tensor_and_pipeline_parallel_shares() -> None:
    # 175e9 x 16 / (8 x 2) / 4 data-parallel ranks of 64 GPUs = 43.75 GB
    assert fired(trained(h100(8), {"params_b": 175}, zero=3, tp=8, pp=2), "MEM-01") == []
    (found,) = fired(trained(h100(8), {"params_b": 175}, zero=0, tp=8, pp=2), "MEM-01")
    assert found.measured == pytest.approx(175)  # 16 x 175 / 16


def test_mem_01_optimizer_in_host_memory_is_not_on_the_gpu() -> None:
    # ZeRO-1 over 8: 4 + 12/8 = 5.5 bytes, of which 12/8 leave: 4 x 15e9 = 60 GB of 72
    assert fired(trained(h100(), {"params_b": 15}, zero=1, offload="optimizer"), "MEM-01") == []
    assert fired(trained(h100(), {"params_b": 15}, zero=1), "MEM-01") != []  # 82.5 GB


def test_mem_01_stated_sizes_follow_a_count_of_bytes() -> None:
    def stated(quantity: str, value: float):
        said = claim(quantity, value, "workload:job")
        return fired(trained(h100(statements=(said,)), {"params_b": 175}), "MEM-01")

    (found,) = stated("model.state_tb", 3.5)
    assert found.values["figures"]["s1"]["bytes_per_param"] == pytest.approx(20)
    assert stated("model.state_tb", 2.8) == []  # ZeRO: 16 bytes
    assert stated("model.state_tb", 3.15) == []  # Megatron: 18 bytes
    assert stated("model.state_per_gpu_gb", 350) == []  # 2.8 TB over 8 GPUs
    assert stated("model.state_per_gpu_gb", 440) != []


@fires("MEM-02")
def test_mem_02_40b_tp_8_dp_8_without_the_distributed_optimizer() -> None:
    project = trained(h100(8), {"params_b": 40}, tp=8, dp=8, distributed_optimizer="off")
    (found,) = fired(project, "MEM-02")
    assert (found.measured, found.allowed) == (pytest.approx(90), pytest.approx(72))  # 18 x 40e9 / 8
    assert found.values["distributed_gb"] == pytest.approx(37.5)  # (6 + 12/8) x 40e9 / 8
    assert fired(project, "MEM-01") == []  # the narrower rule speaks


@silent("MEM-02")
def test_mem_02_with_the_distributed_optimizer() -> None:
    project = trained(h100(8), {"params_b": 40}, tp=8, dp=8, distributed_optimizer="on")
    assert fired(project, "MEM-02") == []
    assert fired(project, "MEM-01") == []


def test_mem_02_leaves_to_mem_01_what_the_distributed_optimizer_cannot_save() -> None:
    project = trained(h100(8), {"params_b": 200}, tp=8, dp=8, distributed_optimizer="off")
    assert fired(project, "MEM-02") == []  # (6 + 1.5) x 200 / 8 = 187.5 GB
    (found,) = fired(project, "MEM-01")
    assert found.measured == pytest.approx(450)


@fires("MEM-03")
def test_mem_03_a_trillion_parameters_offloaded_to_4_nodes() -> None:
    (found,) = fired(trained(h100(4), {"params_b": 1000}, offload="optimizer"), "MEM-03")
    assert (found.measured, found.allowed) == (pytest.approx(3.0), pytest.approx(2.0))  # 12e12 / 4; 32 x 64 GB
    assert places([found]) == ["node"]


@silent("MEM-03")
def test_mem_03_the_same_on_32_nodes() -> None:
    assert fired(trained(h100(32), {"params_b": 1000}, offload="optimizer"), "MEM-03") == []  # 0.375 TB


def test_mem_03_without_servers_nothing_is_shared_out() -> None:
    project = trained(h100(4), {"params_b": 1000}, offload="optimizer")
    gone = EDITS["remove"](project, design="main", sheet="fabric", ids=["node"])
    assert fired(apply(project, gone), "MEM-03") == []


def test_mem_03_without_offload_host_memory_is_not_asked() -> None:
    assert fired(trained(h100(4), {"params_b": 1000}, zero=3), "MEM-03") == []


def test_mem_03_a_stated_overflow_is_borne_out_on_few_nodes() -> None:
    def stated(nodes: int):
        said = claim("memory.overflow", 2, "node")
        return fired(trained(h100(nodes, statements=(said,)), {"params_b": 1000}, zero=3), "MEM-03")

    assert stated(8) == []  # 20e12 / 8 = 2.5 TB
    (found,) = stated(32)
    assert found.values["least_tb"] == pytest.approx(0.5)
    assert found.values["most_tb"] == pytest.approx(0.625)


def test_mem_03_cxl_memory_counts_as_host_memory() -> None:
    plain = trained(h100(4), {"params_b": 1000}, offload="optimizer")
    more = server("dgx-h100", {"cxl0": card("lr-cxl-generic", "chassis:slotb", True, gib=2048)}, count=4)
    assert fired(plain, "MEM-03") != []
    assert fired(trained(more, {"params_b": 1000}, offload="optimizer"), "MEM-03") == []  # 4 TB


@fires("MEM-04")
def test_mem_04_10b_in_bf16() -> None:
    (found,) = fired(trained(h100(32), {"params_b": 10}, gradient_dtype="bf16"), "MEM-04")
    assert (found.severity, found.measured) == ("fact", pytest.approx(20))  # 2 x 10e9
    assert found.values["workloads"]["job"]["wire_gb"] == pytest.approx(2 * 255 / 256 * 20)  # about 40


@silent("MEM-04")
def test_mem_04_only_with_a_workload() -> None:
    assert fired(h100(32), "MEM-04") == []


def test_mem_04_fp32_gradients_are_twice_as_large() -> None:
    (found,) = fired(trained(h100(), {"params_b": 10}, gradient_dtype="fp32"), "MEM-04")
    assert found.measured == pytest.approx(40)
    (assumed,) = fired(trained(h100(), {"params_b": 10}), "MEM-04")
    assert "bf16 assumed" in assumed.message.english()


@fires("MEM-05")
def test_mem_05_tp_16_on_servers_of_8() -> None:
    (found,) = fired(trained(h100(2), {"params_b": 70}, tp=16), "MEM-05")
    assert (places([found]), found.measured, found.allowed) == (["node"], 16, 8)


@silent("MEM-05")
def test_mem_05_tp_8_on_servers_of_8_and_tp_16_in_an_nvl72_rack() -> None:
    assert fired(trained(h100(2), {"params_b": 70}, tp=8), "MEM-05") == []
    assert fired(trained(nvl72(), {"params_b": 70}, tp=16), "MEM-05") == []
    (found,) = fired(trained(nvl72(), {"params_b": 70}, tp=128), "MEM-05")
    assert found.allowed == 72


def nvl72() -> Project:
    """18 compute trays of four GPUs on 9 NVSwitch trays: every tray has 8 cables to every switch tray."""
    node = Sheet("server", chassis="gb200-compute-tray")
    link = Link("node:nvlink", "nvsw:1-144", Wire("deal", ("sw",)), "nvlink", "nvlink")
    items = {"node": group("sheet:node", node=18), "nvsw": group("nvl72-switch-tray", sw=9)}
    return fabric(items, {"nvl": link}, {"node": node})


def test_mem_05_pcie_gpus_count_by_server_and_the_setting_counts_without_a_workload() -> None:
    gpus = {f"gpu{n}": card("h100-pcie-80gb", f"chassis:g{n + 1}") for n in range(4)}
    inside = server("pcie-4dw-one-socket", gpus, count=4, settings={"job.tp": 4})
    across = server("pcie-4dw-one-socket", gpus, count=4, settings={"job.tp": 8})
    assert fired(inside, "MEM-05") == []
    (found,) = fired(across, "MEM-05")
    assert "without NVLink" in found.message.english()


@fires("MEM-06")
def test_mem_06_mfu_of_0_7() -> None:
    (found,) = fired(trained(h100(), {"params_b": 70}, mfu=0.7), "MEM-06")
    assert (found.measured, found.allowed) == (0.7, 0.6)
    assert "794" in found.message.english()
    assert "989" in found.message.english()


@silent("MEM-06")
def test_mem_06_mfu_of_0_45() -> None:
    assert fired(trained(h100(), {"params_b": 70}, mfu=0.45), "MEM-06") == []


def test_mem_06_throughput_over_the_best_matrix_multiplication() -> None:
    (found,) = fired(trained(h100(), {"params_b": 70}, tflops_per_gpu=850), "MEM-06")
    assert found.allowed == pytest.approx(794.5)
    assert fired(trained(h100(), {"params_b": 70}, tflops_per_gpu=400), "MEM-06") == []


def test_mem_06_statements() -> None:
    assert fired(h100(statements=(claim("train.mfu", 0.65, "design:main"),)), "MEM-06") != []
    assert fired(h100(statements=(claim("train.mfu", 0.5, "design:main"),)), "MEM-06") == []
    assert fired(h100(statements=(claim("train.tflops_per_gpu", 900, ""),)), "MEM-06") != []


# 34 bytes per token, hidden unit and layer (ffn = 4 h): 4096 x 12 x 1000 x 34 x 24 = 40.1 GB
SHAPE = {"params_b": 26, "layers": 24, "hidden": 1000, "seq": 4096}


@fires("MEM-07")
def test_mem_07_40_gb_of_activations_in_20_gb() -> None:
    # ZeRO-3 over 8: 16 x 26e9 / 8 = 52 GB; 72 - 52 = 20 GB are left
    (found,) = fired(trained(h100(), SHAPE, zero=3, dp=8, mbs=12), "MEM-07")
    assert (found.measured, found.allowed) == (pytest.approx(40.1, abs=0.1), pytest.approx(20))
    assert found.values["recomputed_gb"] == pytest.approx(4.03, abs=0.02)  # 24 x 2 + 34 of 24 x 34
    assert fired(trained(h100(), SHAPE, zero=3, dp=8, mbs=12), "MEM-01") == []  # the narrower rule speaks


@silent("MEM-07")
def test_mem_07_recomputed() -> None:
    project = trained(h100(), SHAPE, zero=3, dp=8, mbs=12, recompute="full")
    assert fired(project, "MEM-07") == []
    assert fired(project, "MEM-01") == []


def test_mem_07_leaves_to_mem_01_what_recomputation_cannot_save() -> None:
    project = trained(h100(), {**SHAPE, "layers": 240}, zero=3, dp=8, mbs=12)
    assert fired(project, "MEM-07") == []  # 240 x 2 + 34 of 34 is still 25 GB
    assert len(fired(project, "MEM-01")) == 1


def test_the_design_chooses_among_several_workloads() -> None:
    project = h100()
    two = {"small": Workload("", Table({"params_b": 1})), "large": Workload("", Table({"params_b": 70}))}
    project = replace(project, workloads=Table({k: replace(w, plan=Table({"zero": 0})) for k, w in two.items()}))
    assert context(project).workload() is None
    assert fired(project, "MEM-01") == []
    chosen = apply(project, EDITS["set_setting"](project, design="main", key="workload", value="large"))
    assert context(chosen).workload() == project.workloads["large"]
    assert len(fired(chosen, "MEM-01")) == 1
    gone = apply(project, EDITS["set_setting"](project, design="main", key="workload", value="other"))
    assert context(gone).workload() is None


def test_a_hostile_workload_is_no_accident() -> None:
    for model in ({"params_b": "many"}, {"params_b": -1}, {}, {"params_b": 1, "layers": "x", "hidden": 0}):
        for rule in ("MEM-01", "MEM-02", "MEM-03", "MEM-04", "MEM-05", "MEM-06", "MEM-07"):
            project = trained(h100(), model, tp="no", zero=9, dp=0, offload=True, mbs=-3)
            fired(project, rule)
