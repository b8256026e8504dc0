"""Memory outside the GPUs: sizes as the rules count them, rates over the links that cards share."""

from __future__ import annotations

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.design.templates import TEMPLATES
from fabricwright.topology.host_memory import Tier, tiers_of, together


def test_cxl_cards_of_one_slot_share_its_link() -> None:
    """Two cards of 55 GB/s each behind one Gen5 x16 (63.0 GB/s raw): 63.0 together, not 110."""
    project = TEMPLATES["seed-b-512"].build()
    analysis = analyze(project, "after")
    interior = analysis.stages.interior("node-after-cxl")
    assert together(interior, {"cxl0": 55e9}) == pytest.approx(55e9)
    both = together(interior, {"cxl0": 55e9, "cxl1": 55e9})
    assert both == pytest.approx(63.015e9, rel=1e-3)
    eff = analysis.stages.effective("node-after-cxl")
    tiers = {t.name: t for t in tiers_of(eff, project.parts, {}, interior)}
    assert tiers["dram"].capacity == 2048e9
    assert tiers["cxl"].capacity == 4096e9
    assert tiers["cxl"].read_rate == pytest.approx(both)


def test_a_stream_reads_and_writes_by_turns() -> None:
    """14 GB/s in and 7 GB/s out: 2/(1/14 + 1/7) = 9.33 GB/s."""
    assert Tier("nvme", 1.0, 14e9, 7e9, 0.0).stream_rate == pytest.approx(2 / (1 / 14e9 + 1 / 7e9))
