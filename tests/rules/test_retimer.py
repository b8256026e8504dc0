"""RET: retimers, connectors and cables of PCIe links."""

from __future__ import annotations

import pytest

from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Item, Link, Project
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, claim, everything, fired, places, server, slot
from tests.rules.examples import fires, silent
from tests.rules.pcie_parts import retimer_part

RETIMER = "lrsv9560-2i"
SWITCH = "lrsv9500-4i"
GPU = "h100-pcie-80gb"


def cable(a: str, b: str, part: str = "mcio-2x8i", length_m: float = 0.25, **config: object) -> Link:
    return Link(a, b, medium="pcie", cable=part, length_m=length_m, config=Table(config))


def mended(project: Project, rule: str) -> Project:
    """The project with the fix of the rule's first finding; total errors never grow."""
    errors = sum(f.severity == "error" for f in everything(project))
    for call in fired(project, rule)[0].fix:
        project = apply(project, run(project, call))
    assert sum(f.severity == "error" for f in everything(project)) <= errors
    return project


@fires("RET-01")
@silent("RET-01")
def test_ret_01_three_retimers_between_two_ports() -> None:
    def chain(count: int):
        items = {f"rt{n}": card(RETIMER) for n in range(count)}
        items["rt0"] = card(RETIMER, "chassis:s1")
        links = {f"c{n}": cable(f"rt{n}:d1", f"rt{n + 1}:up") for n in range(count - 1)}
        links["end"] = cable(f"rt{count - 1}:d1", "chassis:bay1")
        return server("cabled-4u8g", {**items, "gpu0": card("h100-pcie-80gb", "chassis:bay1")}, links)

    (found,) = fired(chain(3), "RET-01")
    assert (found.at[0].bare(), found.measured, found.allowed) == ("node/gpu0", 3, 2)
    assert fired(chain(2), "RET-01") == []


def to_box(retimer: str, part: str = "ext-pcie-2x8"):
    """A retimer card in the chassis, a GPU in an external box, a cable between them."""
    items = {"rt0": card(retimer, "chassis:s1", mode="1x16"), "ext0": card("ext-gpu-box-2")}
    items["gpu0"] = card(GPU, "ext0:g1")
    return server("cabled-4u8g", items, {"c1": cable("rt0:d1", "ext0:g1", part, 1.0)})


def test_ret_01_one_less_mends() -> None:
    """The two cables of 0.25 m beside rt1 lose 6.5 dB; from rt0 to rt2 that is 4 + 2 + 6.5 + 2 + 4 = 18.5 dB."""
    items = {f"rt{n}": card(RETIMER, "chassis:s1" if n == 0 else "") for n in range(3)}
    links = {"c0": cable("rt0:d1", "rt1:up"), "c1": cable("rt1:d1", "rt2:up"), "c2": cable("rt2:d1", "chassis:bay1")}
    project = server("cabled-4u8g", {**items, "gpu0": card(GPU, "chassis:bay1")}, links)
    after = mended(project, "RET-01")
    sheet = after.designs["main"].sheets["node"]
    assert "rt1" not in sheet.items and sheet.links["c0"].b == "rt2:up"
    assert fired(after, "RET-01") == [] == fired(after, "RET-02")


@fires("RET-04")
def test_ret_04_internal_card_to_an_external_box() -> None:
    project = to_box("lrsv9560-2i", "mcio-2x8i")
    (found,) = fired(project, "RET-04")
    assert places([found])[0] == "node/rt0"
    after = mended(project, "RET-04")
    assert after.designs["main"].sheets["node"].items["rt0"].of == "lrsv9560-2e"
    assert fired(after, "RET-04") == []


@silent("RET-04")
def test_ret_04_external_card() -> None:
    assert fired(to_box("lrsv9560-2e"), "RET-04") == []


def test_ret_04_internal_cable_on_an_external_card() -> None:
    assert places(fired(to_box("lrsv9560-2e", "mcio-2x8i"), "RET-04")) == ["node/c1"]


def test_ret_04_cable_stated_to_leave_the_chassis() -> None:
    items = {"sw0": card(SWITCH, "chassis:s1", mode="2x16")}
    inside = {"c1": cable("sw0:d1", "chassis:bay1")}
    assert fired(server("cabled-4u8g", items, inside), "RET-04") == []
    outside = {"c1": cable("sw0:d1", "chassis:bay1", outside="on")}
    assert places(fired(server("cabled-4u8g", items, outside), "RET-04"))[0] == "node/sw0"


def test_ret_04_statement_that_an_inner_card_feeds_something_outside() -> None:
    """Seeds SD28: the card with inner connectors is said to feed an external array."""
    items = {"sw0": card(SWITCH, "chassis:s1", mode="4x8")}
    said = claim("card.feeds_outside", True, "node/sw0")
    assert places(fired(server("cabled-4u8g", items, statements=(said,)), "RET-04")) == ["node/sw0"]
    assert fired(server("cabled-4u8g", items), "RET-04") == []


def joined(backplane: bool):
    """A retimer card with an edge connector on a cable port of a switch card."""
    items = {"sw0": card(SWITCH, "chassis:s1", mode="2x16"), "ext0": card("ext-gpu-box-2")}
    items |= {"gpu0": card(GPU, "ext0:g1")}
    links = {"c2": cable("rt0:d1", "ext0:g1", "ext-pcie-2x8", 1.0)}
    if backplane:
        items |= {"a0": card("riser-2xmcio8i-x16"), "rt0": card("lrsv9560-2e", "a0:s1", mode="1x16")}
        links["c1"] = cable("sw0:d1", "a0:up")
    else:
        items["rt0"] = card("lrsv9560-2e", mode="1x16")
        links["c1"] = cable("sw0:d1", "rt0:up")
    return server("cabled-4u8g", items, links)


@fires("RET-05")
def test_ret_05_edge_connector_on_an_mcio_port() -> None:
    (found,) = fired(joined(False), "RET-05")
    assert (places([found]), found.values["connector"]) == (["node/rt0"], "MCIO-8i")
    assert fired(mended(joined(False), "RET-05"), "RET-05") == []


@silent("RET-05")
def test_ret_05_backplane_with_a_slot_between() -> None:
    assert fired(joined(True), "RET-05") == []


def test_ret_05_in_seed_b_can_be_mended() -> None:
    project = TEMPLATES["seed-b-512"].build()
    before = everything(project, "after")
    found = [f for f in before if f.rule == "RET-05"]
    assert [str(f.members) for f in found] == ["0-31", "0-31"]
    for call in found[0].fix:
        project = apply(project, run(project, call))
    after = everything(project, "after")
    assert sum(f.rule == "RET-05" for f in after) == 1
    assert sum(f.severity == "error" for f in after) < sum(f.severity == "error" for f in before)


@fires("RET-06")
def test_ret_06_two_switches_and_two_retimers() -> None:
    """gpu0 - retimer - switch - processor - switch - retimer - nic0: 2 x 115 + 2 x 20 ns."""
    items = {f"sw{n}": card(SWITCH, f"chassis:s{n + 1}", mode="2x16") for n in (0, 1)}
    items |= {f"rt{n}": card(RETIMER, mode="1x16") for n in (0, 1)}
    items |= {"gpu0": card(GPU, "chassis:bay1"), "nic0": card("mcx715105as-weat", "chassis:bay2")}
    links = {f"u{n}": cable(f"sw{n}:d1", f"rt{n}:up") for n in (0, 1)}
    links |= {f"d{n}": cable(f"rt{n}:d1", f"chassis:bay{n + 1}") for n in (0, 1)}
    (found,) = fired(server("cabled-4u8g", items, links), "RET-06")
    assert (found.severity, found.measured, places([found])) == ("fact", 270, ["node/gpu0"])
    assert (found.values["switches"], found.values["retimers"]) == (2, 2)


@silent("RET-06")
def test_ret_06_nothing_on_the_way() -> None:
    chassis = board({"s1": slot("cpu0:p1", max_width=2), "s2": slot("cpu0:p2")})
    items = {"gpu0": card(GPU, "chassis:s1"), "nic0": card("mcx715105as-weat", "chassis:s2")}
    assert fired(server(chassis, items), "RET-06") == []


def with_ber(rate: object, gen: int = 5, subject: str = "node/sw0"):
    chassis = board({"s1": slot("cpu0:p1", gen=gen)})
    said = (claim("link.ber", rate, subject, "requirement"),) if rate else ()
    return server(chassis, {"sw0": card(SWITCH, "chassis:s1")}, statements=said)


@fires("RET-07")
@pytest.mark.parametrize("subject", ["node/sw0", "node", "design:main"])
def test_ret_07_1e_12_on_gen5_x16(subject: str) -> None:
    (found,) = fired(with_ber("1e-12", subject=subject), "RET-07")
    assert found.severity == "info" and found.values["seconds"] == pytest.approx(1 / (16 * 32e9 * 1e-12))  # 1.95 s


@silent("RET-07")
def test_ret_07_not_stated() -> None:
    assert fired(with_ber(None), "RET-07") == []
    assert fired(with_ber(1e-15), "RET-07") == []
    assert fired(with_ber(1e-12, gen=4), "RET-07") == []  # half the rate, one in four seconds


def behind_retimer(gen: int):
    items = {"rt0": card("rt", "chassis:s1"), "gpu0": card(GPU, "chassis:bay1")}
    return server("cabled-4u8g", items, {"c1": cable("rt0:d1", "chassis:bay1")}, parts={"rt": retimer_part(gen)})


@fires("RET-10")
def test_ret_10_gen4_retimer_in_a_gen5_link() -> None:
    (found,) = fired(behind_retimer(4), "RET-10")
    assert (places([found]), found.measured, found.allowed) == (["node/rt0"], 4, 5)


def test_ret_10_a_newer_retimer_mends() -> None:
    after = mended(behind_retimer(4), "RET-10")
    assert after.designs["main"].sheets["node"].items["rt0"].of == RETIMER
    assert fired(after, "RET-10") == []


@silent("RET-10")
def test_ret_10_gen5_retimer() -> None:
    assert fired(behind_retimer(5), "RET-10") == []


def test_ret_10_gen4_retimer_before_a_gen4_card() -> None:
    items = {"rt0": card("rt", "chassis:s1"), "gpu0": card("a100-pcie-80gb", "chassis:bay1")}
    project = server("cabled-4u8g", items, {"c1": cable("rt0:d1", "chassis:bay1")}, parts={"rt": retimer_part(4)})
    assert fired(project, "RET-10") == []


def cabled(length_m: float | None, part: str = "mcio-2x8i", retimer: bool = False, gpu: str = GPU, **chassis: object):
    items = {"up": card(RETIMER if retimer else SWITCH, "chassis:s1"), "gpu0": card(gpu, "chassis:bay1")}
    if chassis:
        items["chassis"] = Item(None, config=Table(chassis))
    link = Link("up:d1", "chassis:bay1", medium="pcie", cable=part, length_m=length_m)
    return server("cabled-4u8g", items, {"c1": link})


@fires("RET-11")
def test_ret_11_half_a_metre_of_mcio_at_gen5() -> None:
    """Field case C143."""
    (found,) = fired(cabled(0.5), "RET-11")
    assert (places([found]), found.measured, found.allowed) == (["node/gpu0", "node/c1"], 0.5, 0.3)
    assert fired(mended(cabled(0.5), "RET-11"), "RET-11") == []


@silent("RET-11")
def test_ret_11_short_or_with_retimer() -> None:
    assert fired(cabled(0.25), "RET-11") == []
    assert fired(cabled(0.5, retimer=True), "RET-11") == []


def test_ret_11_gen4_and_unknown_lengths_are_silent() -> None:
    assert fired(cabled(0.5, gpu="a100-pcie-80gb"), "RET-11") == []
    assert fired(cabled(0.5, "slimsas-2x8i"), "RET-11") == []  # a Gen4 cable
    assert fired(cabled(0.5, **{"slot.bay1.gen": 4}), "RET-11") == []  # pinned to Gen4
    assert fired(cabled(None), "RET-11") == []
    assert fired(to_box("lrsv9560-2e"), "RET-11") == []


def test_ret_11_a_riser_counts_as_cable() -> None:
    def on_riser(length_m: float):
        items = {"gpu0": card(GPU, "chassis:s1"), "chassis": Item(None, config=Table({"slot.s1.riser_m": length_m}))}
        return server(board({"s1": slot("cpu0:p1", max_width=2)}), items)

    assert [f.measured for f in fired(on_riser(0.4), "RET-11")] == [0.4]
    assert fired(on_riser(0.2), "RET-11") == []
