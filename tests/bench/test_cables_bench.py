"""Wiring, cables and bill of materials of a drawing without groups: forty thousand links of one cable each."""

from __future__ import annotations

import pytest

from fabricwright.design.effective import effective
from fabricwright.exchange.bom_count import count_parts
from fabricwright.topology.fabric import compile_fabric, wire_all
from tests.bench.big_sheets import single_rows
from tests.bench.measure import median_ms, report

pytestmark = pytest.mark.bench


def test_ten_thousand_single_rows():
    copies = [single_rows(10_000) for _ in range(2)]

    def count():
        project = copies.pop()
        design = project.designs["main"]
        bundles = wire_all(project, design, effective(project, design, design.root))
        fabric = compile_fabric(project, design, bundles=bundles)
        counted, _ = count_parts(project, design, bundles=bundles)
        return len(fabric.rate), sum(n for (_, part, _), n in counted.parts.items() if part == "qm9700")

    assert count() == (40_000, 10_000)
    spent = median_ms(count, rounds=1, warm=0)
    report("wire, compile, cable and count 10,000 single rows (40,000 links)", f"{spent:.0f} ms", "< 3,000 ms")
