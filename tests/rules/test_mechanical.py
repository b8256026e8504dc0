"""MEC: every rule at the two sides of its limit."""

from __future__ import annotations

from dataclasses import replace

from fabricwright.catalog.parts import Figure
from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from tests.rules.drawing import board, card, fired, places, server, slot
from tests.rules.examples import fires, silent

NIC = "mcx715105as-weat"  # half length, low profile, x16
GPU = "h100-pcie-80gb"  # full length (268 mm), full height, two slots wide


def slots(count: int, **fields: object):
    return {f"s{n}": slot(f"cpu0:p{n}", **fields) for n in range(1, count + 1)}


def nics(count: int, unseated: int = 0):
    cards = {f"nic{n}": card(NIC, f"chassis:s{n + 1}") for n in range(count - unseated)}
    return {**cards, **{f"nic{n}": card(NIC) for n in range(count - unseated, count)}}


@fires("MEC-01")
def test_mec_01_four_cards_for_three_slots() -> None:
    (found,) = fired(server(board(slots(3)), nics(4, unseated=1)), "MEC-01")
    assert (places([found]), found.measured, found.allowed) == (["node/nic3"], 4, 3)


@silent("MEC-01")
def test_mec_01_three_cards_for_three_slots() -> None:
    assert fired(server(board(slots(3)), nics(3)), "MEC-01") == []


def test_mec_01_two_cards_in_one_slot_name_the_forced_one_and_move_it() -> None:
    project = server(board(slots(2)), {"a": card(NIC, "chassis:s1", forced=True), "b": card(NIC, "chassis:s1")})
    (found,) = fired(project, "MEC-01")
    assert places([found]) == ["node/a"]
    mended = apply(project, run(project, found.fix[0]))
    assert mended.designs["main"].sheets["node"].items["a"].seat == "chassis:s2"
    assert fired(mended, "MEC-01") == []


def test_mec_01_a_card_without_seat_is_fine_while_a_slot_is_free() -> None:
    assert fired(server(board(slots(2)), {"a": card(NIC, "chassis:s1"), "b": card(NIC)}), "MEC-01") == []


@fires("MEC-02")
def test_mec_02_double_wide_card_in_a_single_slot() -> None:
    (found,) = fired(server(board(slots(1)), {"gpu0": card(GPU, "chassis:s1")}), "MEC-02")
    assert (found.measured, found.allowed, found.unit) == (2, 1, "slots")


@silent("MEC-02")
def test_mec_02_double_wide_card_in_a_double_wide_slot() -> None:
    assert fired(server(board(slots(1, max_width=2)), {"gpu0": card(GPU, "chassis:s1")}), "MEC-02") == []


def test_mec_02_neighbour_taken() -> None:
    # gp-2u-2s-2dw: a double-wide card in g1 covers s1.
    chassis = "gp-2u-2s-2dw"
    assert fired(server(chassis, {"gpu0": card(GPU, "chassis:g1")}), "MEC-02") == []
    (found,) = fired(server(chassis, {"gpu0": card(GPU, "chassis:g1"), "nic0": card(NIC, "chassis:s1")}), "MEC-02")
    assert places([found]) == ["node/gpu0"]


@fires("MEC-03")
def test_mec_03_267_mm_card_in_a_half_length_slot() -> None:
    project = server(board(slots(1, length="HL", max_width=2)), {"gpu0": card("a100-pcie-80gb", "chassis:s1")})
    (found,) = fired(project, "MEC-03")
    assert (found.measured, found.allowed, found.unit) == (267, 167.65, "mm")


@silent("MEC-03")
def test_mec_03_half_length_card_in_a_half_length_slot() -> None:
    assert fired(server(board(slots(1, length="HL")), {"nic0": card(NIC, "chassis:s1")}), "MEC-03") == []


@fires("MEC-04")
def test_mec_04_full_height_in_low_profile() -> None:
    low = board(slots(1, height="LP", max_width=2))
    (found,) = fired(server(low, {"gpu0": card(GPU, "chassis:s1")}), "MEC-04")
    assert (places([found]), found.measured, found.allowed) == (["node/gpu0"], 111.15, 68.9)


@silent("MEC-04")
def test_mec_04_low_profile_version_fits() -> None:
    assert fired(server(board(slots(1, height="LP")), {"nic0": card(NIC, "chassis:s1")}), "MEC-04") == []


@fires("MEC-05")
def test_mec_05_x16_edge_in_closed_x8() -> None:
    closed = board(slots(1, electrical=8, physical=8))
    (found,) = fired(server(closed, {"nic0": card(NIC, "chassis:s1")}), "MEC-05")
    assert (found.measured, found.allowed) == (16, 8)


@silent("MEC-05")
def test_mec_05_x16_edge_in_an_open_x8() -> None:
    opened = server(board(slots(1, electrical=8, physical=8, open_ended=True)), {"nic0": card(NIC, "chassis:s1")})
    assert fired(opened, "MEC-05") == []
    assert fired(opened, "LAN-04") != []  # it fits, and trains to x8


@fires("MEC-06")
def test_mec_06_pcie_gpu_in_an_sxm_server() -> None:
    project = server("dgx-h100", {"gpu8": card(GPU, "chassis:sxm0", forced=True)})
    assert places(fired(project, "MEC-06")) == ["node/gpu8"]


@silent("MEC-06")
def test_mec_06_sxm_gpus_in_it() -> None:
    assert fired(server("dgx-h100", {}), "MEC-06") == []


def test_mec_06_unseated_sxm_gpu_where_nothing_takes_it() -> None:
    project = server(board(slots(2)), {"gpu0": card("h100-sxm5-80gb")})
    assert places(fired(project, "MEC-06")) == ["node/gpu0"]
    assert fired(project, "MEC-01") == []  # one finding, not two


def test_built_in_cards_are_not_judged() -> None:
    for rule in ("MEC-01", "MEC-02", "MEC-03", "MEC-04", "MEC-05", "MEC-06"):
        assert fired(server("dgx-h100", {}), rule) == []


def test_a_guessed_figure_is_marked_as_an_estimate() -> None:
    part = catalogue().get(GPU)
    sure = replace(part, figures=part.figures.put("length_mm", Figure(268, "datasheet", "read")))
    project = server(board(slots(1, length="HL", max_width=2)), {"gpu0": card(GPU, "chassis:s1")}, parts={GPU: sure})
    assert fired(project, "MEC-03")[0].estimate  # width and form are still engineering knowledge
