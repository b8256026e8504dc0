"""LAN-12: memory windows of GPUs against what firmware reserves."""

from __future__ import annotations

import pytest

from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Item
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, fired, places, server, slot
from tests.rules.examples import fires, silent
from tests.rules.hosts import host

BAR = {"bar_gib": 32}


def stated(**config: object) -> Item:
    return Item(None, config=Table(config))


def one(window: float):
    return host(["gpu"], config={"gpu0": BAR, "cpu0": {"lanes_available": 128, "mmio_window_gib": window}})


@fires("LAN-12")
def test_lan_12_32_gib_below_a_12_gib_window() -> None:
    (found,) = fired(one(12), "LAN-12")
    assert (places([found]), found.measured, found.allowed) == (["node/cpu0:p0", "node/gpu0"], 32, 12)


@silent("LAN-12")
def test_lan_12_same_bar_below_48_gib() -> None:
    assert fired(one(48), "LAN-12") == []
    assert fired(host(["gpu"], config={"gpu0": BAR}), "LAN-12") == []  # window not stated


def test_lan_12_one_port_of_six_is_small() -> None:
    """Field case C097: six GPUs of 32 GiB; five root ports have 48 GiB, the sixth 12."""
    seats = {f"s{n}": slot(f"cpu0:p{n}", max_width=2) for n in range(6)}
    gpus = {f"gpu{n}": card("rtx5090", f"chassis:s{n}", bar_gib=32) for n in range(6)}
    windows = {f"slot.s{n}.mmio_window_gib": 12 if n == 5 else 48 for n in range(6)}
    (found,) = fired(server(board(seats), {**gpus, "chassis": stated(**windows)}), "LAN-12")
    assert places([found]) == ["node/cpu0:p5", "node/gpu5"]


def test_lan_12_bars_behind_a_switch_add_up_and_are_rounded() -> None:
    def pair(window: int):
        gpus = {f"gpu{n}": {"bar_gib": 24} for n in range(2)}
        return host([["gpu", "gpu"]], config={**gpus, "cpu0": {"mmio_window_gib": window}})

    (found,) = fired(pair(48), "LAN-12")
    assert found.measured == 64  # 24 GiB takes 32 each
    assert fired(pair(64), "LAN-12") == []


def test_lan_12_window_of_the_whole_host() -> None:
    def four(total: int):
        project = host(
            ["gpu", "gpu"],
            ["gpu", "gpu"],
            config={f"gpu{n}": BAR for n in range(4)} | {"chassis": {"mmio_total_gib": total}},
        )
        return fired(project, "LAN-12")

    (found,) = four(64)
    assert (found.measured, found.allowed, places([found])) == (128, 64, ["node"])
    assert four(128) == []


@pytest.mark.parametrize("key", ["above_4g", "resizable_bar"])
def test_lan_12_firmware_switched_off(key: str) -> None:
    """Field case C098: two or more GPUs and decoding above 4 GiB off."""
    project = host(["gpu", "gpu"], config={"chassis": {key: "off"}})
    (found,) = fired(project, "LAN-12")
    assert places([found]) == ["node/gpu0", "node/gpu1"]
    assert fired(apply(project, run(project, found.fix[0])), "LAN-12") == []
    assert fired(host(["gpu", "gpu"], config={"chassis": {key: "on"}}), "LAN-12") == []
    assert fired(host(["nic"], config={"chassis": {key: "off"}}), "LAN-12") == []


def test_lan_12_no_resizable_bar_behind_the_switches() -> None:
    """Field case C123: the board states that resizable BARs do not work in the switch slots."""
    off = {"sw0": {"resizable_bar": "off"}, "sw1": {"resizable_bar": "off"}}
    four = ["gpu"] * 4
    (found,) = fired(host([four, "gpu"], [four], gpu="rtx5090", cpu="epyc-genoa", config=off), "LAN-12")
    assert found.measured == 8 and "sw0" in found.message.english()
    assert fired(host([four], [four], gpu="rtx5090"), "LAN-12") == []
