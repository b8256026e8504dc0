"""Requirements said in one line, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from fabricwright.sizing.choices import size
from fabricwright.sizing.requirement import Requirement
from fabricwright.sizing.sentence import read_sentence

SAID: list[tuple[str, dict[str, Any]]] = [
    (
        "512 H100, RoCE 400G, 1:1, 20 kW racks",
        {"gpus": 512, "server": "dgx-h100", "medium": "eth", "oversubscription": (1.0,), "rack_kw": 20.0},
    ),
    ("256 x 8 H100 NDR", {"servers": 256, "server": "dgx-h100", "medium": "ib"}),
    (
        "256 servers x 8 H100, one LRES1260PF-2QSFP112 each, two tiers, 1:1",
        {
            "servers": 256,
            "server": "cabled-4u8g",
            "gpu": "h100-pcie-80gb",
            "nic": "lres1260pf-2qsfp112",
            "nics_per_server": 1,
            "tiers": 2,
            "oversubscription": (1.0,),
        },
    ),
    (
        "256台服务器，每台8张H100，每台一张LRES1260PF，两层Spine-Leaf，1:1",
        {
            "servers": 256,
            "server": "cabled-4u8g",
            "gpu": "h100-pcie-80gb",
            "nic": "lres1260pf-2qsfp112",
            "nics_per_server": 1,
            "tiers": 2,
            "oversubscription": (1.0,),
        },
    ),
    (  # a comma between digits is part of a number only before three of them
        "512张H100，RoCE 400G，1:1，20 kW机柜",
        {"gpus": 512, "server": "dgx-h100", "medium": "eth", "oversubscription": (1.0,), "rack_kw": 20.0},
    ),
    ("16,384 H100,2:1,40 kW racks", {"gpus": 16384, "server": "dgx-h100", "oversubscription": (2.0,), "rack_kw": 40.0}),
    ("2k H200", {"gpus": 2048, "server": "dgx-h200"}),
    ("now 256 H100, later 1,024 GPUs", {"gpus": 256, "grow_to": 1024, "server": "dgx-h100"}),
    ("1024 gpus 3:1 40kW, 48U racks", {"gpus": 1024, "oversubscription": (3.0,), "rack_kw": 40.0, "rack_u": 48}),
    ("64 GPUs, no rails, two tiers", {"gpus": 64, "rails": "no", "tiers": 2}),
    ("64 GPUs, survives a leaf failure, top of rack", {"gpus": 64, "redundancy": 1, "leaf_place": "top"}),
    ("64 A100 HDR", {"gpus": 64, "server": "dgx-a100", "medium": "ib"}),
    ("128 GPUs, SN5600 leafs, cables up to 30 m", {"gpus": 128, "leaf": "sn5600", "max_cable_m": 30.0}),
    (
        "512张H100，RoCE 400G，无阻塞，每柜20kW",
        {"gpus": 512, "server": "dgx-h100", "medium": "eth", "oversubscription": (1.0,), "rack_kw": 20.0},
    ),
    (
        "128台 dgx-b300 服务器，双平面，三层，存储网络，扩展到4096卡",
        {
            "servers": 128,
            "server": "dgx-b300",
            "planes": 2,
            "tiers": 3,
            "networks": ("compute", "storage"),
            "grow_to": 4096,
        },
    ),
]


@pytest.mark.parametrize(("text", "values"), SAID)
def test_understood(text: str, values: dict[str, Any]) -> None:
    reading = read_sentence(text)
    assert reading.values == values and reading.rest == ()


def test_what_is_not_understood_is_given_back() -> None:
    reading = read_sentence("256 H100, purple curtains, 1:1")
    assert reading.values["gpus"] == 256 and reading.rest == ("purple curtains",)
    assert read_sentence("hello").values == {}
    assert read_sentence("").rest == ()


def test_a_rate_that_the_server_does_not_have_chooses_a_nic() -> None:
    assert read_sentence("64 H100 200G").values["nic"] == "lres1260pf-2qsfp112"
    assert "nic" not in read_sentence("64 H100 400G").values


@pytest.mark.parametrize("text", [said for said, _ in SAID])
def test_every_example_can_be_sized(text: str) -> None:
    assert size(Requirement(**read_sentence(text).values))
