"""Requests and clusters that the other tests do not ask for: profiles, planes that are down, algorithms by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fabricwright.performance import wires
from fabricwright.performance.calibration import load_calibration, profile_calibration
from fabricwright.performance.ecmp import routing_of
from fabricwright.performance.flows import Loads, total
from fabricwright.performance.interior_order import chain, closed_ring
from fabricwright.performance.layout import lay_out
from fabricwright.performance.plans import PlanBook
from fabricwright.performance.predict import PredictRequest, predict, prepare, rows_of
from fabricwright.performance.profile import Measured, fit_profile
from fabricwright.performance.resilience import Resilience
from fabricwright.performance.schedule import Partner, Round
from fabricwright.topology.interior import compile_interior
from fabricwright.units.errors import UserError
from tests.performance import samples

MIB, GIB = 1 << 20, 1 << 30


@pytest.fixture(scope="module")
def four():
    return samples.clos(samples.nvlink_server(), 4, per_leaf=2, spines=8)


# -- a site's own constants


def test_a_profile_takes_the_place_of_shipped_constants(four) -> None:
    shipped = load_calibration()
    name = next(iter(shipped.constants))
    profile = ("ours", ((name, shipped.value(name) * 2), ("no.such.constant", 1.0)))
    own = profile_calibration(profile)
    assert own.value(name) == shipped.value(name) * 2 and "no.such.constant" not in own.constants
    found = predict(four, PredictRequest(sizes=(GIB,), profile=profile))
    said = " ".join(text.english() for text in found.explanation)
    assert "2 constants come from the profile ours, fitted on measurements." in said


def test_a_profile_is_fitted_on_curves(four) -> None:
    """Curves 20 % slower than predicted: the fit moves the constants towards them and says how far it came."""
    sizes = (MIB, 64 * MIB, GIB)
    rows = rows_of(four, PredictRequest(sizes=sizes))
    book = PlanBook(lay_out(four))
    slower = Measured(book, PredictRequest(sizes=sizes), sizes, tuple(1.2 * row.time_s for row in rows))
    found = fit_profile([slower])
    assert np.abs(found.after).mean() < np.abs(found.before).mean() and found.values
    assert found.before == pytest.approx(np.full(3, -np.log(1.2)), abs=0.02)
    with pytest.raises(UserError, match="no measured point to fit"):
        fit_profile([replace(slower, sizes=(), times_s=())])
    with pytest.raises(UserError):
        fit_profile([replace(slower, times_s=tuple(1e4 * t for t in slower.times_s))])


# -- what may be asked


def test_sizes_are_positive(four) -> None:
    for sizes in ((), (0,), (MIB, -1)):
        with pytest.raises(UserError, match="Sizes must be positive"):
            rows_of(four, PredictRequest(sizes=sizes))


def test_algorithms_by_name(four) -> None:
    for collective in ("send_recv", "all_to_all", "all_reduce"):
        rows = rows_of(four, PredictRequest(collective, (MIB,), algorithm="direct"))
        assert rows[0].time_s > 0
    one = samples.clos(samples.nvlink_server(), 1, per_leaf=1, spines=1)
    with pytest.raises(UserError, match="needs several servers"):
        prepare(one, PredictRequest(algorithm="hierarchical"))


def test_an_algorithm_that_a_design_forces_need_not_exist_for_all(four) -> None:
    """nccl.algo = Tree forces all-reduce; an all-gather has no tree and takes NCCL's own choice."""
    forced = samples.with_settings(four, {"nccl.algo": "Tree"})
    assert rows_of(forced, PredictRequest("all_gather", (GIB,)))[0].algorithm != "tree"


# -- loads


def test_loads_on_the_same_wires_add_up() -> None:
    row = np.array([0, 0, 1])
    one = Loads(row, np.array([[1.0], [2.0]]), np.array([3.0]))
    both = total([one, one.scaled(2.0), one])
    assert both.inside.tolist() == [[4.0], [8.0]] and both.wire.tolist() == [12.0]
    other = Loads(np.array([0, 1, 1]), np.array([[10.0], [20.0]]), np.array([1.0]))
    mixed = one.plus(other)
    assert mixed.inside[mixed.row].reshape(-1).tolist() == [11.0, 21.0, 22.0] and mixed.wire.tolist() == [4.0]


def test_a_round_of_all_has_no_single_partners() -> None:
    with pytest.raises(ValueError):
        Round(1, 1.0, Partner.ALL).pairs(4)


def test_pairs_of_a_huge_fabric_are_not_kept(four, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = predict(four, PredictRequest(sizes=(GIB,))).rows[0].time_s
    monkeypatch.setattr(wires, "KEPT_UP_TO_LINKS", 0)
    fresh = replace(four, fabric=replace(four.fabric, memo={}))
    assert predict(fresh, PredictRequest(sizes=(GIB,))).rows[0].time_s == kept
    assert "spread" not in fresh.fabric.memo


# -- rings inside a server


def test_chains_of_nested_groups() -> None:
    """From 0 to 3 through pairs; 1 and 0 in one pair: the other pair is visited in between."""
    assert chain([[0, 1], [2, 3]], 0, 3) == [0, 1, 2, 3]
    assert chain([[0, 1], [2, 3]], 1, 0) == [1, 2, 3, 0]
    assert chain([[0, 1], [2, 3]], 2, 2) == [2, 3, 0, 1]
    assert chain([[[0, 1], [2, 3]]], 0, 3) == [0, 1, 2, 3]
    assert chain(5, 5, 5) == [5]


def test_bridged_pairs_are_passed_in_both_orders() -> None:
    """Two pairs of H100 PCIe with a bridge each: two rings, each with half of the bytes."""
    from fabricwright.design.effective import effective
    from fabricwright.design.values import Item, Link
    from tests.topology.samples import server

    gpus = {f"gpu{i}": Item("h100-pcie-80gb", seat=f"chassis:g{i + 1}") for i in range(4)}
    bridges = {f"b{n}": Link(f"gpu{a}:nv", f"gpu{a + 1}:nv", medium="nvlink") for n, a in enumerate((0, 2))}
    project = server("pcie-4dw-one-socket", gpus, bridges)
    inner = compile_interior(effective(project, project.designs["main"], "node"), {})
    ring = closed_ring(inner, range(4))
    amount = {(e.src, e.dst): e.share for e in ring.edges}
    assert sum(amount.values()) == pytest.approx(4.0)
    assert amount[0, 1] == amount[1, 0] == amount[2, 3] == amount[3, 2] == 0.5
    assert all(0 < share <= 0.5 for share in amount.values())


# -- what a figure is made of where there is nothing


def test_nothing_fails_is_no_loss() -> None:
    fields = dict.fromkeys(Resilience.__dataclass_fields__, ())
    empty = Resilience(**{**fields, "failures": ()})  # type: ignore[arg-type]
    assert empty.median_ratio == 1.0 and empty.worst is None


def test_pinned_paths_say_what_the_slowest_flow_gets() -> None:
    """Two servers per leaf, one spine of half the rate: flows in turn meet on it."""
    cluster = samples.clos(samples.nvlink_server(), 4, per_leaf=2, spines=1)
    pinned = samples.with_settings(cluster, {"ecmp.mode": "pinned"})
    assert routing_of(lay_out(pinned)).mode == "pinned"
    said = " ".join(t.english() for t in predict(pinned, PredictRequest(sizes=(GIB,))).explanation)
    assert "hashed" not in said
