"""GPU-04 and GPU-05: instances of one GPU, and the host links of a group."""

from __future__ import annotations

import pytest

from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.rules.gpu import instances
from tests.rules.drawing import card, fired, places, server
from tests.rules.examples import fires, silent
from tests.rules.hosts import host


@fires("GPU-04")
def test_gpu_04_seven_instances() -> None:
    project = host(["gpu"], config={"gpu0": {"mig": "7x1g"}})
    (found,) = fired(project, "GPU-04")
    assert (found.measured, found.severity, places([found])) == (7, "info", ["node/gpu0"])
    for call in found.fix:
        project = apply(project, run(project, call))
    assert fired(project, "GPU-04") == []


@silent("GPU-04")
def test_gpu_04_off() -> None:
    assert fired(host(["gpu", "gpu"], config={"gpu0": {"mig": "off"}}), "GPU-04") == []
    assert fired(host(["gpu", "gpu"]), "GPU-04") == []


def test_gpu_04_one_instance_alone_is_no_group() -> None:
    assert fired(host(["gpu"], config={"gpu0": {"mig": "1x7g"}}), "GPU-04") == []
    assert fired(host(["gpu"], config={"gpu0": {"mig": "1x7g"}}, count=2), "GPU-04") != []
    (both,) = fired(host(["gpu", "gpu"], config={g: {"mig": "on"} for g in ("gpu0", "gpu1")}), "GPU-04")
    assert both.measured == 2


@pytest.mark.parametrize(
    ("stated", "count"),
    [
        ("7x1g", 7),
        ("7 x 1g.10gb", 7),
        ("3g.40gb,4g.40gb", 2),
        ("1g.5gb", 1),
        ("2", 2),
        (2, 2),
        ("on", 1),
        (True, 1),
        ("off", 0),
        (False, 0),
        (None, 0),
        ("", 0),
    ],
)
def test_instances_of_one_gpu(stated: object, count: int) -> None:
    assert instances(stated) == count


SLOW = {"gpu1": (4, 4)}


@fires("GPU-05")
def test_gpu_05_gen5_x16_beside_gen4_x4() -> None:
    (found,) = fired(host(["gpu", "gpu"], gpu="rtx5090", gens=SLOW, job_tp=2), "GPU-05")
    # Gen4 x4: 4 x 1.969 = 7.9 GB/s; Gen5 x16: 16 x 3.938 = 63.0 GB/s
    assert (found.measured, found.allowed) == (pytest.approx(7.88, abs=0.01), pytest.approx(63.0, abs=0.1))
    assert places([found]) == ["node/gpu1"]


@silent("GPU-05")
def test_gpu_05_both_gen5_x16() -> None:
    assert fired(host(["gpu", "gpu"], gpu="rtx5090", job_tp=2), "GPU-05") == []


def test_gpu_05_edges() -> None:
    assert fired(host(["gpu", "gpu"], gens=SLOW, gpu="rtx5090"), "GPU-05") == []  # no group stated
    assert fired(host(["gpu", "gpu"], gens=SLOW, gpu="rtx5090", job_tp=1), "GPU-05") == []
    four = host(["gpu"] * 4, gens={"gpu2": (4, 16), "gpu3": (4, 16)}, gpu="rtx5090", tp=2)
    assert fired(four, "GPU-05") == []  # each group is of one kind
    (wide,) = fired(host(["gpu"] * 4, gens={"gpu3": (4, 16)}, gpu="rtx5090", tp=8), "GPU-05")
    assert places([wide]) == ["node/gpu3"]
    nvlink = host(["gpu", "gpu"], gens=SLOW, gpu="h100-nvl-94gb", nvlink=[("gpu0", "gpu1")], job_tp=2)
    assert fired(nvlink, "GPU-05") == []


def test_gpu_05_a_card_that_gains_nothing_stays_where_it_is() -> None:
    """A Gen4 L40S beside a Gen5 H100 is as slow in every other slot."""
    cards = {"gpu0": card("l40s", "chassis:g1"), "gpu1": card("h100-nvl-94gb", "chassis:g2")}
    (found,) = fired(server("pcie-4dw-one-socket", cards, settings={"job.tp": 2}), "GPU-05")
    assert places([found]) == ["node/gpu0"] and found.fix == ()
