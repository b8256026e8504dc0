"""Reference designs of 1,016 to 2,048 GPUs: no error, no warning, no info, as NVIDIA publishes them."""

from __future__ import annotations

import time

from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Link, Project, Sheet
from tests.rules.drawing import deal, everything, fabric, fired, group, mesh, server

SETTINGS = {"ecmp.mode": "adaptive"}


def b200_8() -> Project:
    """256 DGX B200 in 8 scalable units of 32, QM9700 leafs and spines, one uplink to each of 32 spines."""
    return fabric(
        {
            "node": group("sheet:node", su=8, node=32),
            "leaf": group("qm9700", su=8, rail=8),
            "spine": group("qm9700", spine=32),
        },
        {
            "down": Link("node:compute", "leaf:1-16/1-2", deal("su", "rail"), "ib"),
            "up": Link("leaf:17-32/1-2", "spine:1-32/1-2", mesh(1), "ib"),
        },
        {"node": Sheet("server", chassis="dgx-b200")},
        settings=SETTINGS,
    )


def b300_4() -> Project:
    """256 DGX B300 in 4 scalable units of 64, two planes of SN5600 as 128 ports of 400G."""
    return fabric(
        {
            "node": group("sheet:node", su=4, node=64),
            "leaf": group("sn5600", su=4, rail=8, plane=2),
            "spine": group("sn5600", plane=2, spine=16),
        },
        {
            "down": Link("node:compute", "leaf:1-32/1-2", deal("su", "rail", "plane")),
            "up": Link("leaf:33-64/1-2", "spine:1-64/1-2", mesh(4, "plane")),
        },
        {"node": Sheet("server", chassis="dgx-b300")},
        settings=SETTINGS,
    )


def test_b200_8_is_silent() -> None:
    assert everything(b200_8()) == []


def test_b300_4_is_silent() -> None:
    assert everything(b300_4()) == []


def test_every_server_of_the_catalogue_is_silent_as_shipped() -> None:
    kinds = catalogue().kinds()
    for part in (*kinds["server"], *kinds["chassis"]):
        assert everything(server(part, {})) == [], part


def test_a_dgx_b300_counts_the_gpu_side_of_its_nics() -> None:
    # The processor's link is Gen5 x16 (443 Gb/s), the GPU's Gen6 x16 (830 Gb/s): 800 Gb/s fit.
    assert fired(b300_4(), "NIC-04") == []


def test_2048_servers_check_in_array_time() -> None:
    """16,384 GPUs: arrays, not objects. No time is asserted; a loop over servers would be seen here."""
    project = fabric(
        {
            "node": group("sheet:node", su=64, node=32),
            "leaf": group("qm9700", su=64, rail=8),
            "spine": group("qm9700", spine=256),
        },
        {"down": Link("node:compute", "leaf:1-16/1-2", deal("su", "rail"), "ib")},
        {"node": Sheet("server", chassis="dgx-h100")},
        settings=SETTINGS,
    )
    begin = time.perf_counter()
    assert everything(project) == []
    print(f"{time.perf_counter() - begin:.2f} s")
