"""The worker through its real pipe: what it answers, what it recomputes, and that it comes back after being killed."""

from __future__ import annotations

import os
import signal

import pytest

from fabricwright.analysis.client import WorkerClient
from fabricwright.analysis.protocol import pack
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply, patch_to_json
from fabricwright.design.templates import TEMPLATES

WHERE = {"design": "after", "sheet": "fabric"}


@pytest.fixture
def worker():
    client = WorkerClient()
    yield client
    client.close()


@pytest.fixture(scope="module")
def seed_b():
    return TEMPLATES["seed-b-512"].build()


def test_it_finds_predicts_and_colours(worker, seed_b):
    worker.hello(seed_b, "after", collective="all_reduce", size=1 << 30)
    said = worker.until_idle()
    assert said["figures"]["gpus"] == 320 and said["figures"]["servers"] == 32
    rules = {row["rule"] for row in said["findings"].values()}
    assert {"MEC-01", "SCL-01", "NIC-02"} <= rules
    row = said["prediction"]["prediction"]["rows"][0]
    assert row["bytes"] == 1 << 30 and row["busbw_gbs"] > 0
    assert len(said["prediction"]["prediction"]["curve"]["bytes"]) > 20
    assert set(said["heat"]["heat"]) == {"down", "up"}
    sheet = said["sheets"]["sheets"]["node-after"]
    assert set(sheet["lanes"]) == {"cpu0", "cpu1"} and len(sheet["matrix"]["gpus"]) == 10


def test_a_move_recomputes_nothing_and_costs_a_few_hundred_bytes(worker, seed_b):
    worker.hello(seed_b, "after")
    worker.until_idle()
    patch = EDITS["move"](seed_b, **WHERE, places={"leaf": (10, 20)})
    assert len(pack({"type": "patch", "seq": 1, "patch": patch_to_json(patch)})) < 400
    worker.patch(apply(seed_b, patch), patch)
    said = worker.until_idle()
    assert said["status"]["stages"]["ran"] == {}
    assert said["findings"] == {} and "prediction" not in said and "heat" not in said


def test_an_edit_inside_one_server_leaves_the_other_interiors_and_the_wiring_alone(worker, seed_b):
    worker.hello(seed_b, "after")
    worker.until_idle()
    patch = EDITS["set_config"](seed_b, design="after", sheet="node-after-cxl", item="cxl0", key="gib", value=1024)
    worker.patch(apply(seed_b, patch), patch)
    ran = worker.until_idle()["status"]["stages"]["ran"]
    assert ran.get("interior") == 1 and "wiring" not in ran


def test_undo_finds_every_stage_again(worker, seed_b):
    worker.hello(seed_b, "after")
    worker.until_idle()
    patch = EDITS["set_count"](seed_b, **WHERE, item="spine", count=1)
    changed = apply(seed_b, patch)
    worker.patch(changed, patch)
    assert worker.until_idle()["status"]["stages"]["ran"]
    worker.patch(apply(changed, patch.inverse()), patch.inverse())
    assert worker.until_idle()["status"]["stages"]["ran"] == {}


def test_killed_during_analysis_the_result_still_arrives(worker, seed_b):
    worker.hello(seed_b, "after")
    first = next(f for f in worker.frames() if f[0]["type"] == "status" and f[0]["state"] == "busy")
    assert first
    os.kill(worker.process.pid, signal.SIGKILL)
    said = worker.until_idle()
    assert said["figures"]["gpus"] == 320 and said["findings"]


def test_a_gap_in_the_patches_asks_for_everything_again(worker, seed_b):
    worker.hello(seed_b, "after")
    worker.until_idle()
    worker._send(pack({"type": "patch", "seq": 7, "patch": {"label": "", "changes": []}}))
    kinds = []
    for header, _ in worker.frames(20):
        kinds.append(header["type"])
        if header["type"] in ("resync", "status"):
            break
    assert "resync" in kinds


def test_it_ends_with_its_input(worker):
    assert worker.process.stdin is not None
    worker.process.stdin.close()
    assert worker.process.wait(20) == 0


def test_it_tells_the_rules_pages_once(worker, seed_b):
    worker.hello(seed_b, "after")
    page = worker.until_idle()["book"]["rules"]["MEC-01"]
    assert page["title"] and page["checks"] and page["reason"] and page["group"] and page["severity"] == "error"
    patch = EDITS["move"](seed_b, **WHERE, places={"leaf": (10, 20)})
    worker.patch(apply(seed_b, patch), patch)
    assert "book" not in worker.until_idle()


def test_it_mends_all_findings_of_a_rule(worker, seed_b):
    """Every offered fix is tried on the design that the one before it left behind."""
    worker.hello(seed_b, "after")
    said = worker.until_idle()
    mendable = [row for row in said["findings"].values() if row["fix"] and row["severity"] != "fact"]
    rule = mendable[0]["rule"]
    worker._send(pack({"type": "mend", "seq": 0, "rule": rule}))
    answer = worker.until_idle()["mended"]
    assert answer["rule"] == rule and answer["design"] == "after" and answer["seq"] == 0
    assert answer["fixed"] >= 1 and answer["calls"]


def test_a_rule_without_findings_has_nothing_to_mend(worker, seed_b):
    worker.hello(seed_b, "after")
    worker.until_idle()
    worker._send(pack({"type": "mend", "seq": 0, "rule": "MEC-99"}))
    answer = worker.until_idle()["mended"]
    assert (answer["fixed"], answer["left"], answer["calls"]) == (0, 0, [])


def test_health_is_told_while_it_is_wanted(worker):
    project = TEMPLATES["seed-a-256x8"].build()
    worker.hello(project, "main")
    assert "health" not in worker.until_idle()
    worker.view(health=True)
    said = worker.until_idle()["health"]
    assert said["design"] == "main" and said["health"]["pfc"] == "on"
    assert [row["members"] for row in said["health"]["switches"]] == ["0-7", "0-3"]
    patch = EDITS["set_setting"](project, design="main", key="lossless", value="off")
    project = apply(project, patch)
    worker.patch(project, patch)
    said = worker.until_idle()
    assert said["health"]["health"]["loss"]["assumed"] and "prediction" in said
    worker.view(health=False)
    worker.until_idle()
    worker.view(health=True)  # wanted again: told again, though nothing changed
    assert worker.until_idle()["health"]["health"]["loss"]["rate_now"] == 1e-4
    single = TEMPLATES["single-8gpu"].build()
    worker.hello(single, "main", health=True)
    assert worker.until_idle()["health"]["health"]["rows"] == []
