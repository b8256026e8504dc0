"""Reference tables that stand behind constants of the program: the same values, so that their sources hold for both."""

from __future__ import annotations

import pytest

from fabricwright.catalog.store import Catalogue
from fabricwright.rules import card, fabric_paths, mechanical_server, retimer, slot_splits
from fabricwright.rules.cxl_memory import ADDED_NS
from fabricwright.topology import constants, host_memory


def test_cards_and_slots_are_those_of_the_table_cem(shipped: Catalogue) -> None:
    cem = shipped.table("cem")
    lengths = {name.replace("3/4L", "3/4"): mm for name, mm in cem["length_mm"].items()}
    assert lengths == card.LENGTH_MM
    assert cem["height_mm"] == card.HEIGHT_MM
    assert cem["slot_pitch_mm"] == mechanical_server.SLOT_PITCH_MM


def test_retimers_and_splits_are_those_of_the_tables(shipped: Catalogue) -> None:
    retimers = shipped.table("pcie_retimers")
    assert retimers["max_per_link"] == retimer.MOST_RETIMERS
    assert retimers["latency_ns"] == pytest.approx(constants.RETIMER_LATENCY_S * 1e9)
    assert set(slot_splits.DEFAULT_SPLITS) <= set(shipped.table("pcie_bifurcation")["legal_x16"])


def test_latencies_are_those_of_the_tables(shipped: Catalogue) -> None:
    links, cxl = shipped.table("link_latency"), shipped.table("cxl")["latency_ns"]
    assert links["nic_one_way_ns"] == pytest.approx(constants.NIC_LATENCY_S * 1e9)
    fec = links["fec_ns"]  # 100G, 200G and 400G; one value stands for them
    assert max(fec["100G_RS528"], fec["400G_RS544"]) == pytest.approx(fabric_paths.FEC_S * 1e9)
    low, high = cxl["cxl_direct_asic"]
    assert low <= host_memory.CXL_LATENCY_S * 1e9 <= high
    assert cxl["local_ddr"][0] <= host_memory.LOCAL_LATENCY_S * 1e9 <= cxl["local_ddr"][1]
    assert ADDED_NS[0] == cxl["pond_small_pool_add"][0]
