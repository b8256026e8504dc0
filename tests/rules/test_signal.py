"""RET-02, RET-03, RET-08, RET-09: signal loss and clocks, with the numbers of the examples."""

from __future__ import annotations

import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Item, Project
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, fired, places, server, slot
from tests.rules.examples import fires, silent
from tests.rules.test_retimer import cable, mended
from tests.topology.test_signal import passive, tree_of

NIC = "mcx715105as-weat"


def with_board(trace_db: float | None = None, gen: int = 5, **on_card: float) -> Project:
    """A card in a slot whose trace is stated."""
    chassis = board({"s1": slot("cpu0:p1", gen=gen), "s2": slot("cpu0:p2", gen=gen)})
    items = {"nic0": card(NIC, "chassis:s1", **on_card)}
    if trace_db is not None:
        items["chassis"] = Item(None, config=Table({"slot.s1.board_db": trace_db, "slot.s2.board_db": 12.0}))
    return server(chassis, items)


@fires("RET-02")
def test_ret_02_cx8_with_its_auxiliary_card() -> None:
    """9 + 16 + 1.5 + (5 + 2.5 + 3.5 = 11) = 37.5 dB; the other slot's trace of 12 dB is short enough."""
    project = with_board(16, board_db=5, aux_db=2.5, harness_db=3.5)
    (found,) = fired(project, "RET-02")
    assert (found.measured, found.allowed, found.unit, places([found])) == (
        pytest.approx(37.5),
        36,
        "dB",
        ["node/nic0"],
    )
    assert found.values["falls_to"] == 4
    assert "37.5 dB" in found.message.english() and "31.5 of 63 GB/s" in found.message.english()
    after = mended(project, "RET-02")
    assert after.designs["main"].sheets["node"].items["nic0"].seat == "chassis:s2"
    assert fired(after, "RET-02") == []


@silent("RET-02")
def test_ret_02_at_the_budget() -> None:
    assert fired(with_board(16, board_db=5, aux_db=2.5, harness_db=2), "RET-02") == []  # 9 + 16 + 1.5 + 9.5 = 36


@fires("RET-03")
def test_ret_03_less_than_15_percent() -> None:
    (found,) = fired(with_board(11), "RET-03")
    assert (found.measured, found.allowed) == (pytest.approx(31), pytest.approx(30.6))


@silent("RET-03")
def test_ret_03_enough_margin() -> None:
    assert fired(with_board(10), "RET-03") == []  # 30 dB
    assert fired(with_board(16, board_db=11), "RET-03") == []  # that is RET-02


def test_boards_nobody_described_are_assumed_and_said_so() -> None:
    (found,) = fired(passive(), "RET-02")
    assert found.measured == pytest.approx(39.25) and found.estimate
    assert "6 dB assumed" in found.message.english()


def test_a_shorter_cable_mends() -> None:
    """39.25 dB with 0.75 m; 0.25 m saves 3.5 dB: 35.75."""
    after = mended(passive(), "RET-02")
    assert after.designs["main"].sheets["node"].links["c"].length_m == 0.25
    assert fired(after, "RET-02") == []


def test_a_retimer_in_the_cable_mends() -> None:
    """A backplane of 4 dB: 40.25, with the shortest cable 36.75. A retimer on an adapter board in the cable: 9 + 6 +
    1.5 + 2 + 3.25 + 2.5 + 1.5 + 2 + 4 = 31.75 above it, 4 + 2 + 5.35 + 4 + 1.5 + 9.5 = 26.35 with 0.55 m below."""
    (found,) = fired(passive(4), "RET-02")
    assert found.measured == pytest.approx(40.25)
    after = mended(passive(4), "RET-02")
    assert fired(after, "RET-02") == []
    sheet = after.designs["main"].sheets["node"]
    assert sorted(link.length_m for link in sheet.links.values()) == [0.25, 0.55]
    (path,) = [p for n, p in tree_of(after).signal.items() if n == "gpu0"]
    assert [round(s.loss_db, 2) for s in path.segments] == [31.75, 26.35]


def test_nothing_is_offered_where_nothing_helps() -> None:
    assert fired(passive(17), "RET-02")[0].fix == ()


def test_a_stated_cable_counts_at_the_generation_of_its_link() -> None:
    """Gen3: a share is 22/36 of Gen5's, a line (4/16)^0.75 = 0.354: 5.5 + 2.12 + 0.92 + 5.81 = 14.34 without cable."""

    def drawn(loss_db: float) -> Project:
        items = {
            "a0": card("riser-2xmcio8i-x16"),
            "nic0": card(NIC, "a0:s1"),
            "sw0": card("lrsv9500-4i", "chassis:s1", mode="2x16"),
        }
        items["chassis"] = Item(None, config=Table({"slot.s1.gen": 5}))
        items["a0"] = card("riser-2xmcio8i-x16", **{"slot.s1.gen": 3})
        return server("cabled-4u8g", items, {"c": cable("sw0:d1", "a0:up", "mcio-2x8i", 0.25, loss_db=loss_db)})

    assert [f for f in fired(drawn(8), "RET-02") if f.at[0].bare() == "node/nic0"] == []
    (found,) = fired(drawn(15), "RET-02")
    assert (found.allowed, found.fix) == (22, ())


@fires("RET-08")
def test_ret_08_cx8_board_auxiliary_card_and_harness() -> None:
    (found,) = fired(with_board(None, board_db=5, aux_db=2.5, harness_db=3.5), "RET-08")
    assert (found.measured, found.allowed, found.values["excess"]) == (11, 9.5, 1.5)
    assert "5 + 2.5 + 3.5" in found.message.english()


@silent("RET-08")
def test_ret_08_within_the_share() -> None:
    assert fired(with_board(None, board_db=5, aux_db=2.5, harness_db=2), "RET-08") == []
    assert fired(with_board(None), "RET-08") == []


def box(**clocks: str) -> Project:
    items = {"rt0": card("lrsv9560-2e", "chassis:s1", mode="1x16"), "ext0": card("ext-gpu-box-2")}
    items |= {"gpu0": card("h100-pcie-80gb", "ext0:g1")}
    config = {key.replace("_", "."): value for key, value in clocks.items()}
    return server("cabled-4u8g", items, {"c1": cable("rt0:d1", "ext0:g1", "ext-pcie-2x8", 1.0, **config)})


@fires("RET-09")
def test_ret_09_two_kinds_of_clock() -> None:
    (found,) = fired(box(clock_a="sris", clock_b="common"), "RET-09")
    assert places([found]) == ["node/c1"]
    assert fired(mended(box(clock_a="sris", clock_b="common"), "RET-09"), "RET-09") == []


@silent("RET-09")
def test_ret_09_one_kind_or_unknown() -> None:
    assert fired(box(clock_a="sris", clock_b="sris"), "RET-09") == []
    assert fired(box(clock_a="sris"), "RET-09") == []


def test_servers_as_shipped_are_silent() -> None:
    for kind in ("server", "chassis"):
        for name in catalogue().kinds().get(kind, ()):
            if catalogue().get(name).interior is not None:
                project = server(name, {})
                assert [f.message.english() for rule in ("RET-02", "RET-03") for f in fired(project, rule)] == [], name
