"""Many requirements: each drawn without an error of the rule book, or refused with what would do."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.sizing.choices import size
from fabricwright.sizing.draw import Drawn, draw
from fabricwright.sizing.requirement import NETWORKS, Requirement
from fabricwright.units.errors import UserError

CACHE = StageCache()


def first_drawn(**wanted: Any) -> Drawn:
    """The first choice that can be cabled."""
    for choice in size(Requirement(**wanted)):
        try:
            return draw(choice)
        except UserError:
            continue
    raise AssertionError(f"nothing can be drawn for {wanted}")


def errors(drawn: Drawn) -> list[str]:
    found = analyze(drawn.project, "main", cache=CACHE).findings
    return [f"{f.rule}: {f.message.english()}" for f in found if f.severity == "error"]


GRID = [
    {"gpus": gpus, "server": server, "oversubscription": ratio}
    for gpus, server, ratio in itertools.product(
        (8, 136, 1000, 4104),
        ("dgx-h100", "dgx-b300", "poweredge-xe9680", "esc8000a-e12"),
        ((1.0,), (3.0,)),
    )
]
SPECIAL = [
    {"gpus": 2048, "server": "cabled-4u8g", "nic": "lres1260pf-2qsfp112", "nics_per_server": 1},
    {"gpus": 512, "medium": "eth", "rack_kw": 20.0},
    {"servers": 32, "rails": "yes"},
    {"gpus": 16_384, "tiers": 3, "leaf": "qm9700"},
    {"gpus": 8192, "leaf": "qm9700", "oversubscription": (1.0, 2.0)},
    {"gpus": 3000, "rails": "no", "tiers": 3},
    {"gpus": 3000, "server": "dgx-b300", "planes": 2, "tiers": 3, "oversubscription": (2.0, 1.0)},
    {"gpus": 256, "redundancy": 1},
    {"gpus": 256, "redundancy": 3},
    {"gpus": 520, "ufm_links": 7},
    {"gpus": 24, "ufm_links": 2},
    {"gpus": 1024, "grow_to": 8192, "leaf": "qm9700"},
    {"gpus": 400, "server": "dgx-a100", "networks": NETWORKS},
    {"gpus": 2500, "server": "dgx-b200", "networks": NETWORKS},
    {"gpus": 400, "server": "gb200-compute-tray", "networks": NETWORKS},
    {"gpus": 64, "networks": NETWORKS},
    {"gpus": 512, "leaf_place": "top", "rack_kw": 45.0},
    {"gpus": 512, "leaf_place": "middle", "rack_kw": 12.0},
    {"gpus": 320, "server": "pcie-8dw-gen3-2switch"},
    {"gpus": 37, "server": "dgx-spark"},
]


@pytest.mark.parametrize("wanted", GRID + SPECIAL, ids=lambda w: "-".join(str(v) for v in w.values()))
def test_drawn_without_an_error(wanted: dict[str, Any]) -> None:
    drawn = first_drawn(**wanted)
    assert errors(drawn) == []
    assert drawn.racks > 0
    for item in ("node", "leaf"):
        assert item in drawn.design.sheets["fabric"].seats


def test_prime_numbers_of_gpus_are_rounded_up_to_servers() -> None:
    drawn = first_drawn(gpus=997)
    assert (drawn.choice.servers, drawn.choice.gpus) == (125, 1000)
    assert errors(drawn) == []


def test_planes_are_separate_networks() -> None:
    drawn = first_drawn(gpus=512, server="dgx-b300", planes=2)
    items = drawn.design.sheets["fabric"].items
    assert ("plane", 2) in items["leaf"].axes and ("plane", 2) in items["spine"].axes


def test_growth_only_adds_when_it_is_known_today() -> None:
    ready, plain = size(Requirement(gpus=256, leaf="qm9700", rails="yes", grow_to=1024))
    assert ready.growth is not None and plain.growth is not None
    # 1,024 GPUs take 32 leafs and 16 spines; today's 8 leafs get their 16 spines at once.
    assert (ready.clos.spine_count, ready.growth.recabled) == (16, 0)
    assert ready.growth.added["leaf"] == 24 and ready.growth.added["spine"] == 0
    # With 4 spines, 8 uplinks of a leaf go to each; with 16, 2: 8 of 32 stay, 24 x 8 leafs move.
    assert (plain.clos.spine_count, plain.growth.recabled) == (4, 192)
    assert plain.growth.blocked is not None and "192" in plain.growth.blocked.english()


def test_growth_beyond_the_switches_is_said_today() -> None:
    choice = size(Requirement(gpus=256, leaf="qm9700", grow_to=100_000))[0]
    assert choice.growth is not None and choice.growth.later is None
    assert choice.growth.blocked is not None
    assert "8192 servers (65536 GPUs)" in choice.growth.blocked.english()  # 64 ** 3 / 4


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({}, "at least 1"),
        ({"gpus": 5_000_000}, "4194304"),
        ({"gpus": 8, "server": "dgx-h10"}, "dgx-h100"),
        ({"gpus": 8, "leaf": "qm970"}, "qm9700"),
        ({"gpus": 8, "gpu": "h200"}, "nearest: h200-nvl-141gb, h200-sxm-141gb"),
        ({"gpus": 8, "leaf": "cat6a"}, "is a cable"),
        ({"gpus": 8, "oversubscription": (0.5,)}, "nearest is 1"),
        ({"gpus": 8, "planes": 2}, "nearest is 1"),
        ({"gpus": 8, "server": "dgx-b300", "planes": 3}, "nearest is 2"),
        ({"gpus": 8, "nics_per_server": 9}, "nearest is 8"),
        ({"gpus": 8, "server": "esc8000a-e12", "nics_per_server": 3}, "nearest is 2"),
        ({"gpus": 8, "leaf": "sn2700"}, "400 Gb/s"),
        ({"gpus": 8, "spine": "sn2700"}, "sn2700"),
        ({"gpus": 9000, "tiers": 2, "leaf": "qm9700"}, "256 servers (2048 GPUs)"),  # 64 * 64 / 2 endpoints
        ({"gpus": 1_000_003, "leaf": "sn5600"}, "65536 servers (524288 GPUs)"),
        ({"gpus": 8, "ufm_links": 4, "medium": "eth"}, "InfiniBand"),
        ({"gpus": 8, "redundancy": 8}, "redundancy of 7"),
        ({"gpus": 8, "networks": ("foo",)}, "storage"),
        ({"gpus": 8, "nic": "x710-da2"}, "cx7-ndr400-module"),
        ({"gpus": 8, "gpu": "l4"}, "h100-sxm5-80gb"),
        ({"gpus": 8, "server": "esc8000a-e12", "gpu": "h100-sxm5-80gb"}, "cem"),
    ],
)
def test_refused_with_what_would_do(wanted: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError) as refused:
        size(Requirement(**wanted))
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"gpus": 64, "rack_kw": 5.0}, "10.2 kW"),
        ({"gpus": 64, "max_cable_m": 2.0}, "m, or racks closer together"),
        ({"gpus": 64, "server": "cabled-4u8g", "networks": ("compute", "storage")}, "without that network"),
    ],
)
def test_drawing_refused_with_what_would_do(wanted: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError) as refused:
        draw(size(Requirement(**wanted))[0])
    assert says in str(refused.value)


@pytest.mark.parametrize(
    "wanted",
    [
        {"gpus": 2048, "server": "d74h-7u", "leaf": "sn4700", "rails": "no", "tiers": 3, "networks": ("oob",)},
        {"gpus": 8, "server": "dgx-b300", "nic": "mcx4121a-acat", "redundancy": 1},
    ],
    ids=["management switches of a pod", "a card besides built-in NICs"],
)
def test_found_by_trying_at_random(wanted: dict[str, Any]) -> None:
    assert errors(first_drawn(**wanted)) == []
