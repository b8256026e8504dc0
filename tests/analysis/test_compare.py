"""Designs side by side: seed B's figures, and what must hold of any two designs."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import replace

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.analysis.compare import SECTIONS, Comparer, Comparison, Side, compare
from fabricwright.analysis.compare_rows import delta, finding_delta, part_deltas
from fabricwright.analysis.compare_wire import OtherFiles, sections, sides_of
from fabricwright.analysis.versions import compare_versions, design_pairs
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Price, Project
from fabricwright.exchange.bom import bom
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table

DESIGNS = ("before", "after-network", "after")
_cache = StageCache()


@functools.cache
def seed_b() -> Project:
    return TEMPLATES["seed-b-512"].build()


def side(design: str, project: Project | None = None) -> Side:
    return Side(analyze(project or seed_b(), design, cache=_cache))


@functools.cache
def seed_comparison() -> Comparison:
    return Comparer([side(name) for name in DESIGNS], training=False).result()


def figure(found: Comparison, key: str) -> tuple[float | None, ...]:
    return next(row.values for row in found.rows if row.key == key)


def test_all_reduce_doubles_with_the_port_rate() -> None:
    # Two 100G ports carry 25 GB/s a server at most, two of 200G 50 GB/s; RoCE keeps some 93 % of it (Tree, 1 GiB).
    before, network, _ = figure(seed_comparison(), "all_reduce_busbw")
    assert before is not None and network is not None
    assert before == pytest.approx(23.5e9, rel=0.02)
    assert network == pytest.approx(46.5e9, rel=0.02)
    row = next(r for r in seed_comparison().rows if r.key == "all_reduce_busbw")
    assert row.deltas[0].verdict == "better"
    assert row.deltas[0].ratio == pytest.approx(2.0, rel=0.02)


def test_counts_by_hand() -> None:
    found = seed_comparison()
    assert figure(found, "gpus") == (256, 256, 320)  # 32 x 8, 32 x 8, 32 x 10
    assert figure(found, "switches") == (6, 6, 6)  # 4 leafs and 2 spines
    # 64 node cables and 64 of leaf-spine; splitters join two ports of a node to one cage: 32 and 64.
    assert figure(found, "cables") == (128, 96, 96)
    # 32 servers of 8 U, 6 switches of 1 U
    assert figure(found, "rack_units") == (262, 262, 262)
    assert "NIC ports" in found.binds.english()


def test_parts_of_the_network_upgrade() -> None:
    rows = {(r.line.part, r.line.length_m): r.delta for r in seed_comparison().pairs[0].changed_parts}
    assert rows == {
        ("lres1260pf-2qsfp112", None): 32,
        ("sn3700c", None): -4,
        ("sn4700", None): 4,
        ("aoc-100g-qsfp28", 10.0): -64,
        ("aoc-400g-qdd-2x200-q56", 10.0): 32,
    }


@pytest.mark.parametrize(("a", "b"), [("before", "after"), ("after-network", "after"), ("after", "before")])
def test_part_differences_are_the_difference_of_the_two_bills(a: str, b: str) -> None:
    one, two = bom(seed_b(), a), bom(seed_b(), b)
    wanted: Counter[str] = Counter()
    for line in two.lines:
        wanted[line.part] += line.quantity
    for line in one.lines:
        wanted[line.part] -= line.quantity
    got: Counter[str] = Counter()
    for row in part_deltas(one, two):
        got[row.line.part] += row.delta
    assert {k: v for k, v in got.items() if v} == {k: v for k, v in wanted.items() if v}


def test_cost_of_a_difference() -> None:
    prices = Table({"a": Price("sn3700c", 10_000.0, "USD"), "b": Price("sn4700", 25_000.0, "USD")})
    project = replace(seed_b(), prices=prices)
    rows = {r.line.part: r for r in part_deltas(bom(project, "before"), bom(project, "after-network"))}
    assert (rows["sn3700c"].cost, rows["sn4700"].cost) == (-40_000.0, 100_000.0)
    assert rows["aoc-100g-qsfp28"].cost is None
    assert rows["sn4700"].currency == "USD"


def test_a_design_beside_itself_differs_in_nothing() -> None:
    found = Comparer([side("before"), side("before")], training=False).result()
    assert found.empty
    assert all(d.absolute in (0.0, None) for row in found.rows for d in row.deltas)


def test_findings_gained_are_lost_the_other_way_round() -> None:
    one, two = (side(name).analysis.judged for name in ("before", "after"))
    there, back = finding_delta(one, two), finding_delta(two, one)
    assert [j.finding.key for j in there.gained] == [j.finding.key for j in back.lost]
    assert [j.finding.key for j in there.lost] == [j.finding.key for j in back.gained]
    assert there.kept == back.kept
    assert any(j.finding.rule == "SCL-01" for j in there.gained)


def test_a_claim_is_answered_on_the_sides_that_it_speaks_about() -> None:
    rows = {row.id: row for row in seed_comparison().claims}
    about_after = rows["s9"]  # 512 GPUs, design:after
    assert [a is None for a in about_after.answers] == [True, True, False]
    assert about_after.worst == "not met"
    assert [a.answer for a in rows["s4"].answers if a is not None] == ["unknown", "not met", "not met"]


def test_the_band_of_a_curve_encloses_it() -> None:
    for curve in seed_comparison().curves:
        assert all(lo <= y <= hi for lo, y, hi in zip(curve.low, curve.busbw, curve.high, strict=True))


def test_verdicts() -> None:
    assert delta(10.0, 12.0, "more").verdict == "better"
    assert delta(10.0, 12.0, "less").verdict == "worse"
    assert delta(10.0, 12.0, "").verdict == ""
    assert delta(10.0, 10.01, "less", 0.005).verdict == "same"
    assert delta(None, 1.0, "more").absolute is None
    assert delta(0.0, 1.0, "more").ratio is None


def test_json_is_plain_and_speaks_both_languages() -> None:
    import json

    for lang in ("en", "zh_CN"):
        document = json.loads(json.dumps(seed_comparison().to_json(lang), allow_nan=False))
        assert [s["design"] for s in document["sides"]] == list(DESIGNS)
        assert len(document["differences"]) == 2


def test_one_side_is_too_few() -> None:
    with pytest.raises(UserError):
        compare([side("before")])


def test_sections_for_the_window() -> None:
    wanted = [{"design": "before", "file": ""}, {"design": "after-network", "file": ""}]
    sides = sides_of(wanted, seed_b(), OtherFiles(), lambda p, d: analyze(p, d, cache=_cache))
    told = dict(sections(Comparer(sides, training=False)))
    assert tuple(told) == (*SECTIONS, "training")
    assert told["figures"]["networks"][0][0][0].startswith("{count}")
    with pytest.raises(UserError):
        sides_of([{"design": "", "file": "/nowhere.fwproj"}], seed_b(), OtherFiles(), analyze)


# -- versions ---------------------------------------------------------------------------------------------------------


def test_a_file_does_not_differ_from_itself() -> None:
    found = compare_versions(seed_b(), seed_b(), ("a", "b"), 1 << 30)
    assert found.empty
    assert found.equal == DESIGNS


def test_files_whose_designs_partly_match() -> None:
    one = seed_b()
    two = replace(one, title="Other", designs=one.designs.drop("after").put("later", one.designs["after"]))
    found = compare_versions(one, two, ("a", "b"), 1 << 30)
    assert (found.removed, found.added) == (("after",), ("later",))
    assert [row.table for row in found.other] == ["title"]
    assert not found.empty


def test_files_without_a_common_design_compare_their_first_ones() -> None:
    assert design_pairs(seed_b(), TEMPLATES["seed-a-256x8"].build()) == [("before", "main")]
