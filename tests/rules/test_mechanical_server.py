"""MEC-07, MEC-08, MEC-09, MEC-13: bays, risers, vendor maxima and bridges, at the two sides of their limits."""

from __future__ import annotations

from typing import Any

from fabricwright.catalog.parts import Part, Slot
from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.values import Item, Link, Project
from fabricwright.rules.legality import legality
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, fired, places, server, slot
from tests.rules.examples import fires, silent

NIC = "mcx715105as-weat"  # Gen5 x16
GPU = "h100-pcie-80gb"  # two slots wide


def stated(**config: Any) -> Item:
    """The overlay row ``chassis``: ``slot__s1__gen=4`` states ``slot.s1.gen``."""
    return Item(None, config=Table({key.replace("__", "."): value for key, value in config.items()}))


def wide(count: int, **figures: float) -> Part:
    return board({f"g{n}": slot(f"cpu0:p{n}", max_width=2, aux_w=600.0) for n in range(1, count + 1)}, **figures)


def gpus(count: int) -> dict[str, Item]:
    return {f"gpu{n}": card(GPU, f"chassis:g{n + 1}") for n in range(count)}


# -- MEC-07 -------------------------------------------------------------------------------------------------------


@fires("MEC-07")
def test_mec_07_e3s_module_without_a_bay() -> None:
    (found,) = fired(server(board({"s1": slot("cpu0:p1")}), {"cxl0": card("cz120")}), "MEC-07")
    assert (places([found]), found.measured, found.allowed) == (["node/cxl0"], 1, 0)


@silent("MEC-07")
def test_mec_07_an_add_in_card_goes_into_an_edge_slot() -> None:
    project = server(board({"s1": slot("cpu0:p1", cxl=True)}), {"cxl0": card("lr-cxl-generic", "chassis:s1")})
    assert fired(project, "MEC-07") == []


def test_mec_07_a_bay_with_cxl_takes_it() -> None:
    chassis = board({"s1": slot("cpu0:p1"), "e1": Slot("e3s", "cpu0:p2", 8, 8, cxl=True)})
    assert fired(server(chassis, {"cxl0": card("cz120", "chassis:e1")}), "MEC-07") == []
    assert fired(server(chassis, {"cxl0": card("cz120")}), "MEC-07") == []


def test_mec_07_forced_into_an_edge_slot_is_said_before_and_after_the_drop() -> None:
    chassis = board({"s1": slot("cpu0:p1")})
    (verdict,) = legality(server(chassis, {}), "main", "node", catalogue().get("cz120")).values()
    assert {"MEC-06", "MEC-07"} <= {rule for rule, _ in verdict.reasons}
    dropped = server(chassis, {"cxl0": card("cz120", "chassis:s1", forced=True)})
    assert fired(dropped, "MEC-06") != [] and fired(dropped, "MEC-07") != []


def test_mec_07_is_silent_where_no_bay_of_the_server_is_known() -> None:
    assert fired(server(board({}, items={}), {"cxl0": card("cz120")}), "MEC-07") == []


# -- MEC-08 -------------------------------------------------------------------------------------------------------


@fires("MEC-08")
def test_mec_08_gen5_card_on_a_gen4_riser() -> None:
    chassis = board({"s1": slot("cpu0:p1"), "s2": slot("cpu0:p2")})
    project = server(chassis, {"nic0": card(NIC, "chassis:s1"), "chassis": stated(slot__s1__riser_gen=4)})
    (found,) = fired(project, "MEC-08")
    assert (places([found]), found.measured, found.allowed, found.estimate) == (["node/nic0"], 4, 5, False)
    assert fired(apply(project, run(project, found.fix[0])), "MEC-08") == []  # moved to the other slot
    reasons = {rule for rule, _ in legality(project, "main", "node", catalogue().get(NIC))["chassis:s1"].reasons}
    assert "MEC-08" in reasons


@silent("MEC-08")
def test_mec_08_gen5_riser() -> None:
    chassis = board({"s1": slot("cpu0:p1")})
    project = server(chassis, {"nic0": card(NIC, "chassis:s1"), "chassis": stated(slot__s1__riser_gen=5)})
    assert fired(project, "MEC-08") == []
    assert fired(server(chassis, {"nic0": card(NIC, "chassis:s1")}), "MEC-08") == []  # nobody speaks of a riser


def test_mec_08_a_riser_that_is_drawn_has_a_generation_of_its_own() -> None:
    chassis = board({"s1": slot("cpu0:p1")})
    items = {"riser0": card("riser-x16-1", "chassis:s1"), "nic0": card("c8180", "riser0:s1")}  # ConnectX-8: Gen6
    (found,) = fired(server(chassis, items), "MEC-08")
    assert (places([found]), found.measured, found.allowed, found.estimate) == (["node/nic0"], 5, 6, True)


# -- MEC-09 -------------------------------------------------------------------------------------------------------


@fires("MEC-09")
def test_mec_09_four_double_wide_gpus_where_the_vendor_admits_three() -> None:
    # ThinkSystem SR665 V3: three double-wide GPUs (lenovo).
    (found,) = fired(server(wide(4), {**gpus(4), "chassis": stated(max_gpus=3)}), "MEC-09")
    assert (len(found.at), found.measured, found.allowed, found.estimate) == (4, 4, 3, False)


@silent("MEC-09")
def test_mec_09_three_double_wide_gpus() -> None:
    assert fired(server(wide(4), {**gpus(3), "chassis": stated(max_gpus=3)}), "MEC-09") == []


def test_mec_09_figures_of_the_catalogue_count_and_the_mouse_knows() -> None:
    project = server(wide(4, max_gpus=3), gpus(3))
    assert fired(project, "MEC-09") == []
    verdict = legality(project, "main", "node", catalogue().get(GPU))["chassis:g4"]
    assert (verdict.level, [rule for rule, _ in verdict.reasons]) == ("loss", ["MEC-09"])
    assert len(fired(server(wide(4, max_gpus=3), gpus(4)), "MEC-09")) == 1


def test_mec_09_counts_kinds_apart() -> None:
    chassis = board({f"s{n}": slot(f"cpu0:p{n}", max_width=2, aux_w=150.0) for n in range(1, 8)})
    cards = {f"dpu{n}": card("b3220", f"chassis:s{n + 1}") for n in range(3)}
    cards |= {f"rt{n}": card("lrsv9560-2i", f"chassis:s{n + 4}") for n in range(4)}
    (dpus,) = fired(server(chassis, {**cards, "chassis": stated(max_gpus=3, max_dpus=2, max_retimers=4)}), "MEC-09")
    assert (places([dpus]), dpus.measured) == ([f"node/dpu{n}" for n in range(3)], 3)
    (retimers,) = fired(server(chassis, {**cards, "chassis": stated(max_dpus=3, max_retimers=3)}), "MEC-09")
    assert (retimers.measured, retimers.allowed) == (4, 3)


def test_mec_09_gpus_in_an_external_box_are_not_the_chassis_own() -> None:
    items = {"ext0": card("ext-gpu-box-2"), "gpu8": card(GPU, "ext0:g1"), "gpu9": card(GPU, "ext0:g2")}
    assert fired(server(wide(1, max_gpus=1), {**gpus(1), **items}), "MEC-09") == []


# -- MEC-13 -------------------------------------------------------------------------------------------------------


def bridged(pitch_mm: float | None, span: float | None = None, cable: str = "auto", **gpu0: float) -> Project:
    """Two cards in g1 and g2, ``pitch_mm`` apart, joined by a bridge."""
    items = {"gpu0": card(GPU, "chassis:g1", **gpu0), "gpu1": card(GPU, "chassis:g2")}
    if pitch_mm is not None:
        items["chassis"] = stated(slot__g1__pitch_mm=pitch_mm)
    config = Table({"bridge_slots": span}) if span is not None else Table[Any]()
    link = Link("gpu0:nv", "gpu1:nv", medium="nvlink", cable=cable, config=config)
    return server(wide(2), items, {"bridge": link})


@fires("MEC-13")
def test_mec_13_bridge_for_two_slots_between_cards_three_apart() -> None:
    project = bridged(60.96, 2)  # 3 x 20.32 mm
    (found,) = fired(project, "MEC-13")
    assert places([found]) == ["node/gpu0", "node/gpu1"]
    assert (round(found.measured or 0, 6), found.allowed) == (3, 2)
    assert round(found.values["off_mm"], 2) == 20.32
    assert fired(apply(project, run(project, found.fix[0])), "MEC-13") == []


@silent("MEC-13")
def test_mec_13_bridge_of_the_same_span() -> None:
    assert fired(bridged(60.96, 3), "MEC-13") == []
    assert fired(bridged(40.64, 2), "MEC-13") == []


def test_mec_13_a_bridge_of_the_catalogue_has_its_span() -> None:
    (found,) = fired(bridged(60.96, cable="nvlink-bridge-2"), "MEC-13")
    assert (found.allowed, found.estimate, found.fix) == (2, True, ())
    assert fired(bridged(40.64, cable="nvlink-bridge-2"), "MEC-13") == []


def test_mec_13_nothing_known_is_silent() -> None:
    assert fired(bridged(None, 2), "MEC-13") == []
    assert fired(bridged(60.96), "MEC-13") == []
    assert fired(bridged(None), "MEC-13") == []


def test_mec_13_a_cooler_in_the_way() -> None:
    # Field case C072: 3 to 4 mm of a water block keep the bridge from seating.
    (found,) = fired(bridged(40.64, 2, cooler_height_mm=4), "MEC-13")
    assert (places([found])[0], found.measured, found.unit) == ("node/gpu0", 4, "mm")
    assert fired(bridged(40.64, 2, cooler_height_mm=0), "MEC-13") == []
    (found,) = fired(bridged(None, bridge_room_mm=1.5), "MEC-13")  # 5 mm are needed
    assert found.measured == 3.5
    assert fired(bridged(None, bridge_room_mm=5), "MEC-13") == []
