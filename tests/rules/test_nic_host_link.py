"""NIC-01, 04, 05: what a card's host link and one flow can carry, on the rules' own examples and the field cases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabricwright.design.values import Export, Link, Project, Sheet
from fabricwright.units.table import Table
from tests.cases.machines import cluster, node
from tests.rules.drawing import board, card, claim, cpu, deal, fabric, fired, group, root_port, server, slot
from tests.rules.examples import fires, silent

DUAL_100, DUAL_200 = "mcx516a-cdat", "lres1260pf-2qsfp112"


def slots(*gens: int, lanes: int = 16):
    ports = {f"p{n}": root_port(16, 6) for n in range(len(gens))}
    return board(
        {f"s{n}": slot(f"cpu0:p{n}", gen=gen, electrical=lanes) for n, gen in enumerate(gens)}, {"cpu0": cpu(ports)}
    )


def cabled(nic: str, gen: int, switch: str, cages: str, *ports: str, cards: int = 1, **config: object) -> Project:
    """Cards of one kind in slots of one generation; the named ports cabled to one switch."""
    names = ports or ("nic0:1", "nic0:2")
    node = Sheet(
        "server",
        chassis="board",
        items=Table({f"nic{n}": card(nic, f"chassis:s{n}", **config) for n in range(cards)}),
        exports=Table({"compute": Export(names, (("port", len(names)),))}),
    )
    links = {"down": Link("node:compute", f"leaf:{cages}", deal())}
    parts = {"node": group("sheet:node"), "leaf": group(switch)}
    return fabric(parts, links, {"node": node}, chassis=slots(*[gen] * cards))


@fires("NIC-01")
def test_nic_01_800_claimed_on_one_gen5_x16() -> None:
    drawn = server(
        slots(5),
        {"nic0": card(DUAL_200, "chassis:s0")},
        statements=(claim("nic.aggregate_gbps", 800, "node/nic0"),),
    )
    (found,) = fired(drawn, "NIC-01")
    assert (found.measured, found.allowed) == (800, pytest.approx(504.1, abs=0.1))  # 16 x 31.508 Gb/s


@silent("NIC-01")
def test_nic_01_two_200g_ports_active_on_gen5() -> None:
    assert fired(cabled(DUAL_200, 5, "sn3700", "1-2", mode="2x200", bond="active-active"), "NIC-01") == []


def test_nic_01_ports_stated_active_together() -> None:
    both = cabled(DUAL_200, 4, "sn3700", "1-2", mode="2x200", bond="active-active")
    assert fired(both, "NIC-01")[0].measured == pytest.approx(400)  # over 252
    assert fired(cabled(DUAL_200, 4, "sn3700", "1-2", mode="2x200"), "NIC-01") == []  # C018: that is NIC-04's


@fires("NIC-04")
def test_nic_04_two_100g_ports_on_gen3() -> None:
    (found,) = fired(cabled(DUAL_100, 3, "sn4600c", "1-2"), "NIC-04")
    # 0.88 x 16 x 7.877 = 110.9 Gb/s
    assert (found.measured, found.allowed) == (pytest.approx(200), pytest.approx(110.9, abs=0.1))


@silent("NIC-04")
def test_nic_04_two_200g_ports_on_gen5() -> None:
    assert fired(cabled(DUAL_200, 5, "sn3700", "1-2", mode="2x200"), "NIC-04") == []  # 400 <= 443


def test_nic_04_the_slot_decides() -> None:
    """Field case C018."""
    assert fired(cabled("mcx623106an-cdat", 4, "sn4600c", "1-2"), "NIC-04") == []  # 200 <= 221
    (found,) = fired(cabled(DUAL_200, 4, "sn3700", "1-2", mode="2x200"), "NIC-04")
    assert found.allowed == pytest.approx(221.8, abs=0.1)
    assert fired(cabled(DUAL_200, 4, "sn3700", "1-2", mode="2x200", bond="active-standby"), "NIC-04") == []


def test_nic_04_one_port_of_each_card() -> None:
    """Field case C020: two cards on two root ports, one port of each in use."""
    assert fired(cabled(DUAL_100, 3, "sn4600c", "1-2", "nic0:1", "nic1:1", cards=2), "NIC-04") == []
    assert len(fired(cabled(DUAL_100, 3, "sn4600c", "1-4", "nic0:1", "nic0:2", "nic1:1", cards=2), "NIC-04")) == 1


def test_nic_04_an_800g_card() -> None:
    """Field case C113: 63 % of 800G through Gen5 x16; Gen6 x16 carries it."""
    (found,) = fired(cabled("c8180", 5, "sn5600", "1/1-2", mode="2x400"), "NIC-04")
    assert (found.measured, found.allowed) == (pytest.approx(800), pytest.approx(443.6, abs=0.1))
    assert fired(cabled("c8180", 6, "sn5600", "1/1-2", mode="2x400"), "NIC-04") == []


@fires("NIC-05")
def test_nic_05_a_flow_over_two_ports() -> None:
    drawn = server(
        slots(5),
        {"nic0": card(DUAL_200, "chassis:s0")},
        statements=(claim("flow.single_gbps", 390, "node/nic0", "target"),),
    )
    (found,) = fired(drawn, "NIC-05")
    assert (found.measured, found.allowed) == (390, 200)


@silent("NIC-05")
def test_nic_05_within_a_port_or_over_queue_pairs() -> None:
    within = server(
        slots(5),
        {"nic0": card(DUAL_200, "chassis:s0")},
        statements=(claim("flow.single_gbps", 190, "node/nic0", "target"),),
    )
    assert fired(within, "NIC-05") == []
    bonded = server(slots(5), {"nic0": card(DUAL_200, "chassis:s0", bond="lacp")}, settings={"ecmp.qps": 2})
    assert fired(bonded, "NIC-05") == []


def test_nic_05_lacp_with_one_queue_pair() -> None:
    """Field case C043: one queue pair uses one member, 200 of 400 Gb/s."""
    (found,) = fired(server(slots(5), {"nic0": card(DUAL_200, "chassis:s0", bond="lacp")}), "NIC-05")
    assert (found.measured, found.allowed) == (400, 200)
    named = found.message.english()
    assert "1 assumed" in named


@pytest.mark.parametrize(("word", "rules"), [("active-active", {"NIC-01", "NIC-05"}), ("active-standby", set())])
def test_a_bond_may_be_stated_on_the_link(word: str, rules: set[str]) -> None:
    drawn = cabled(DUAL_200, 4, "sn3700", "1-2", mode="2x200")
    design = drawn.designs["main"]
    root = design.sheets["fabric"]
    link = replace(root.links["down"], config=Table({"bond": word}))
    root = replace(root, links=root.links.put("down", link))
    drawn = replace(drawn, designs=Table({"main": replace(design, sheets=design.sheets.put("fabric", root))}))
    assert {rule for rule in ("NIC-01", "NIC-04", "NIC-05") if fired(drawn, rule)} == rules


def test_nic_04_halves_of_a_card_carry_its_cages_together() -> None:
    """A Socket Direct card on Gen3: 2 x 111 Gb/s take the 200 of its one cage, a half alone does not."""
    half = "mcx654105a-hcat-half"
    alone = cabled(half, 3, "sn3700", "1", "nic0:1")
    (found,) = fired(alone, "NIC-04")
    assert (found.measured, found.allowed) == (200, pytest.approx(110.9, abs=0.1))
    assert fired(cabled(half, 3, "sn3700", "1", "nic0:1", cards=2, base_guid="a0"), "NIC-04") == []
    # 222 Gb/s of two halves, 400 of two cages
    (found,) = fired(cluster(node("dgx-spark", {}), 2, "sn3700", "1-4"), "NIC-04")
    assert (found.measured, found.allowed) == (400, pytest.approx(221.8, abs=0.1))


def test_nic_05_bonds_of_other_networks_have_many_clients() -> None:
    cards = {"nic0": card("mcx75310aas-neat", "chassis:n1"), "nic1": card(DUAL_200, "chassis:n2", bond="lacp")}
    compute = {"compute": Export(("nic0:1",), (("port", 1),))}
    assert fired(server("pcie-4dw-one-socket", cards, exports=compute), "NIC-05") == []
    both = {"compute": Export(("nic1:1", "nic1:2"), (("port", 2),))}
    assert len(fired(server("pcie-4dw-one-socket", cards, exports=both), "NIC-05")) == 1


def test_nic_04_one_port_is_no_redundancy() -> None:
    (one,) = fired(cabled("mcx715105as-weat", 4, "sn4700", "1", "nic0:1"), "NIC-04")
    assert one.message.english() == (
        "nic0 (MCX715105AS-WEAT): its Gen4 x16 link carries 222 of the 400 Gb/s of its cabled port."
    )
    (two,) = fired(cabled(DUAL_200, 4, "sn3700", "1-2"), "NIC-04")
    assert two.message.english().endswith("as redundancy this is fine.")
