"""A CXL card dropped on the drawing: what the worker then tells of memory and step time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from fabricwright.analysis.client import WorkerClient
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project, Workload
from fabricwright.units.table import Table

CARD = {"part": "lr-cxl-generic", "seat": "chassis:slotb", "forced": True, "config": {"gib": 2048}}
LARGE = {"params_b": 540, "layers": 256, "hidden": 13312, "heads": 104, "seq": 512}
PLAN = {"zero": 3, "offload": "optimizer", "gbs": 400, "mbs": 1, "recompute": "full"}


@pytest.fixture
def worker() -> Iterator[WorkerClient]:
    client = WorkerClient()
    yield client
    client.close()


def _project() -> Project:
    project = TEMPLATES["seed-b-512"].build(servers=4, key_nodes=2)
    plan = {**PLAN, "offload_tier": "cxl"}
    rows = {
        "overflows": Workload("overflows", Table(LARGE), Table(PLAN)),
        "smaller": Workload("smaller", Table({**LARGE, "params_b": 300}), Table(PLAN)),
        "far": Workload("far", Table({**LARGE, "params_b": 300}), Table(plan)),
    }
    return replace(project, workloads=Table(rows))


def _told(worker: WorkerClient, workload: str) -> dict[str, Any]:
    worker.view(training={"workload": workload, "against": ""})
    said: dict[str, Any] = worker.until_idle()["training"]["training"]["step"]
    return said


def test_a_cxl_card_on_the_drawing_changes_room_rate_and_step(worker: WorkerClient) -> None:
    """Four servers of design ``after``, 40 GPUs, 2,048 GB of DRAM a server, of which 90 % are free for this. 540 B
    parameters keep 14 B each outside (fp32 state and fp16 gradients): 540 x 14 / 4 = 1,890 GB a server do not
    fit: the part beyond 1,843 GB lies on the drives. One card of 2,048 GB takes it over, at its own rate. Two of the
    servers hold more from the start (key nodes), which does not help: every rank keeps the same, so the server that
    holds least counts.
    """
    project = _project()
    worker.hello(project, "after")
    spilt = _told(worker, "overflows")
    beyond = 540e9 * 14 / 4 - 0.9 * 2048e9
    assert spilt["memory_per_host_bytes"]["tiers"] == pytest.approx({"dram": 0.9 * 2048e9, "nvme": beyond})
    before = _told(worker, "smaller")
    assert before["memory_per_host_bytes"]["capacity"].get("cxl", 0) == 0

    patch = EDITS["add_item"](project, design="after", sheet="node-after", item="cxl9", **CARD)
    project = apply(project, patch)
    worker.patch(project, patch)
    held = _told(worker, "overflows")
    host = held["memory_per_host_bytes"]
    assert host["capacity"]["dram"] == 2048e9 and host["capacity"]["cxl"] == pytest.approx(2048e9, rel=0.08)
    assert host["total"] == pytest.approx(540e9 * 14 / 4, rel=1e-6)
    assert host["tiers"] == pytest.approx({"dram": 0.9 * 2048e9, "cxl": beyond})
    tiers = {row["name"]: row for row in held["offload"]["tiers"]}
    assert tiers["cxl"]["latency_s"] > 2 * tiers["dram"]["latency_s"]
    assert tiers["cxl"]["rate"] == pytest.approx(55e9)  # the card's own; its x16 of Gen5 would carry 63
    part = 540e9 / 4 * 28 * beyond / host["total"]  # bytes that Adam moves there
    drives = {row["name"]: row for row in spilt["offload"]["tiers"]}["nvme"]["rate"]
    assert spilt["step_time_s"] - held["step_time_s"] == pytest.approx(part / drives - part / 55e9)

    # What fits in DRAM stays there and takes as long as before; in CXL the same Adam runs at the card's rate, while
    # the way between GPU and host is the same: a GPU has no other to CXL than PCIe and the host.
    same, far = _told(worker, "smaller"), _told(worker, "far")
    assert same["step_time_s"] == pytest.approx(before["step_time_s"])
    near_s, far_s = same["offload"]["update_s"], far["offload"]["update_s"]
    assert near_s == pytest.approx(300e9 / 4 * 28 / tiers["dram"]["rate"], rel=1e-6)
    assert far_s == pytest.approx(300e9 / 4 * 28 / 55e9, rel=1e-6)
    assert far["offload"]["link_s"] == same["offload"]["link_s"] > 0
    assert far["step_time_s"] - same["step_time_s"] == pytest.approx(far_s - near_s)

    # A second card in the same slot doubles the room, not the rate: both share the slot's x16 (63.0 GB/s).
    patch = EDITS["add_item"](project, design="after", sheet="node-after", item="cxl8", **CARD)
    worker.patch(apply(project, patch), patch)
    two = _told(worker, "far")
    assert two["memory_per_host_bytes"]["capacity"]["cxl"] == pytest.approx(2 * host["capacity"]["cxl"])
    assert two["offload"]["update_s"] == pytest.approx(300e9 / 4 * 28 / 63.015e9, rel=1e-3)
    assert two["step_time_s"] < far["step_time_s"]
