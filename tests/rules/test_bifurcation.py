"""BIF: how the lanes of a slot are split."""

from __future__ import annotations

import pytest

from fabricwright.catalog.parts import BuiltinLink
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Item
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, cpu, everything, fired, places, root_port, server, slot, switch_chip
from tests.rules.examples import fires, silent

RETIMER = "lrsv9560-2i"
SWITCH = "lrsv9500-4i"
ADAPTER = "riser-x16-2x8"


def slots(count: int, **fields: object):
    return {f"s{n}": slot(f"cpu0:p{n}", **fields) for n in range(1, count + 1)}


@fires("BIF-01")
@silent("BIF-01")
def test_bif_01_split_the_board_does_not_list() -> None:
    def asked(split: str):
        chassis = board(slots(1, bifurcation=("x16", "x8x8", "x4x4x4x4")))
        return server(chassis, {"rt0": card(RETIMER, "chassis:s1", slot_split=split)})

    (found,) = fired(asked("x4x4x8"), "BIF-01")
    mended = apply(asked("x4x4x8"), run(asked("x4x4x8"), found.fix[0]))
    assert fired(mended, "BIF-01") == []
    assert fired(asked("x8x8"), "BIF-01") == []


@fires("BIF-03")
@silent("BIF-03")
def test_bif_03_slot_and_retimer_card_split_alike() -> None:
    def pair(mode: str, split: str | None):
        config = {"mode": mode} | ({"slot_split": split} if split else {})
        return server(board(slots(1)), {"rt0": card(RETIMER, "chassis:s1", **config)})

    assert len(fired(pair("1x16", "x8x8"), "BIF-03")) == 1
    assert fired(pair("2x8", "x8x8"), "BIF-03") == []
    assert fired(pair("1x16", None), "BIF-03") == []
    (found,) = fired(pair("2x8", None), "BIF-03")
    assert "not set" in found.message.english()  # the default that decides is named
    mended = apply(pair("2x8", None), run(pair("2x8", None), found.fix[0]))
    assert fired(mended, "BIF-03") == []


@pytest.mark.parametrize("split", ["x4x4x8", "x8x4x4"])
def test_bif_01_board_that_states_its_splits(split: str) -> None:
    """Field case C056: firmware lists what it offers; neither of these is in the list."""
    chassis = board(slots(1))
    offers = Item(None, config=Table({"slot.s1.bifurcation": "x16, x8x8, x4x4x4x4"}))
    project = server(chassis, {"rt0": card(RETIMER, "chassis:s1", slot_split=split), "chassis": offers})
    (found,) = fired(project, "BIF-01")
    assert found.values["offered"] == ["x16", "x8x8", "x4x4x4x4"]


def asked(split: str, *offered: str, more: tuple[str, ...] = ()):
    seats = slots(1, bifurcation=offered)
    if more:
        seats["s2"] = slot("cpu0:p2", bifurcation=more)
    return server(board(seats), {"rt0": card(RETIMER, "chassis:s1", mode="2x8", slot_split=split)})


@fires("BIF-02")
def test_bif_02_x8x8_of_a_port_that_offers_x16_only() -> None:
    project = asked("x8x8", "x16")
    assert places(fired(project, "BIF-02")) == ["node/rt0"]
    assert fired(project, "BIF-01") == []  # one cause, one finding


@silent("BIF-02")
def test_bif_02_port_that_offers_x8x8() -> None:
    assert fired(asked("x8x8", "x16", "x8x8"), "BIF-02") == []
    assert fired(asked("x16", "x16"), "BIF-02") == []


def test_bif_02_moves_the_card_to_a_slot_that_is_split() -> None:
    project = asked("x8x8", "x16", more=("x16", "x8x8"))
    (found,) = fired(project, "BIF-02")
    assert found.fix[0].args["slot"] == "chassis:s2"
    assert everything(apply(project, run(project, found.fix[0]))) == []


def test_bif_02_port_of_a_switch() -> None:
    items = {"cpu0": cpu({"p1": root_port()}), "sw0": switch_chip(1)}
    chassis = board({"s1": slot("sw0:d1")}, items, {"b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, 5)})
    (found,) = fired(server(chassis, {"a0": card(ADAPTER, "chassis:s1", slot_split="x8x8")}), "BIF-02")
    assert found.values["switch"] == "sw0"


def adapter(split: str = ""):
    config = {"slot_split": split} if split else {}
    return server(board(slots(1)), {"a0": card(ADAPTER, "chassis:s1", **config)})


@fires("BIF-04")
def test_bif_04_dual_adapter_in_an_unsplit_slot() -> None:
    (found,) = fired(adapter(), "BIF-04")
    assert (places([found]), found.measured, found.allowed) == (["node/a0"], 1, 2)
    assert "not set" in found.message.english()
    assert fired(apply(adapter(), run(adapter(), found.fix[0])), "BIF-04") == []
    (told,) = fired(adapter("x16"), "BIF-04")
    assert "it is x16" in told.message.english()


@silent("BIF-04")
def test_bif_04_slot_split_x8x8() -> None:
    assert fired(adapter("x8x8"), "BIF-04") == []


def switch_card(split: str = ""):
    config = {"slot_split": split} if split else {}
    return server(board(slots(1)), {"sw0": card(SWITCH, "chassis:s1", **config)})


@fires("BIF-05")
def test_bif_05_switch_card_in_a_split_slot() -> None:
    project = switch_card("x8x8")
    (found,) = fired(project, "BIF-05")
    assert (found.severity, found.measured, found.allowed) == ("info", 8, 16)
    assert fired(apply(project, run(project, found.fix[0])), "BIF-05") == []


@silent("BIF-05")
def test_bif_05_slot_x16() -> None:
    assert fired(switch_card("x16"), "BIF-05") == []
    assert fired(switch_card(), "BIF-05") == []
