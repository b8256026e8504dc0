"""Sizing at the largest scale that three tiers of 128 ports join."""

from __future__ import annotations

import pytest

from fabricwright.sizing.choices import size
from fabricwright.sizing.draw import draw
from fabricwright.sizing.requirement import Requirement
from tests.bench.measure import median_ms, report

pytestmark = pytest.mark.bench


def test_half_a_million_endpoints():
    wanted = Requirement(gpus=524_288, leaf="sn5600")
    first = size(wanted)[0]
    assert (first.clos.leafs, first.clos.spine_count, first.clos.core_count) == (8192, 8192, 4096)
    report("size 524,288 endpoints in three tiers", f"{median_ms(lambda: size(wanted), rounds=3):.1f} ms", "< 1,000 ms")
    every = Requirement(gpus=16_384)
    report("size 16,384 GPUs, every switch of the catalogue", f"{median_ms(lambda: size(every), rounds=3):.0f} ms")
    choice = size(Requirement(gpus=16_384, leaf="qm9700"))[0]
    report("draw, rack and cable 16,384 GPUs", f"{median_ms(lambda: draw(choice), rounds=3):.0f} ms")
