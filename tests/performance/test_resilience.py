"""The sweep over single failures: what it counts, what it finds, what ``predict --fail`` says of the same."""

from __future__ import annotations

import json

import pytest

from fabricwright.performance.predict import PredictRequest, predict
from fabricwright.performance.resilience import sweep, worst_failure
from fabricwright.topology.cluster import compile_cluster
from fabricwright.units.errors import UserError
from tests.topology.samples import rail_fabric, server

from . import samples

GIB = 1 << 30


@pytest.fixture(scope="module")
def rails():
    return compile_cluster(rail_fabric(2, 4, 2, 4), "main")


def test_a_rail_fabric_has_no_single_point(rails):
    found = sweep(rails, PredictRequest("all_to_all", (GIB,)))
    assert found.ranks == 64 and found.single_points == ()
    assert found.count == sum(f.count for f in found.failures)
    by_kind = {f.kind: f for f in found.failures}
    # half of the peers sit in the other unit: two ports' worth climb over eight uplinks, or over four with one spine
    assert by_kind["spine"].ratio == pytest.approx(1.0)
    assert by_kind["server"].lost == 8 and by_kind["gpu"].lost == 1
    assert by_kind["nic"].ratio < 0.8
    assert found.worst is not None and found.worst.ratio == min(f.ratio for f in found.failures)


def test_the_same_as_predicting_with_the_failure(rails):
    project = rail_fabric(2, 4, 2, 4)
    request = PredictRequest("all_reduce", (GIB,))
    for failure in sweep(rails, request).failures:
        alone = predict(compile_cluster(project, "main", failed=[failure.address]), request).rows[0]
        assert failure.time_s == pytest.approx(alone.time_s), failure.address


def test_one_nic_is_a_single_point():
    found = sweep(samples.compiled("seed-b-512", "before", nodes=4), PredictRequest())
    points = {f.kind for f in found.single_points}
    assert "nic" in points
    assert all(f.ratio == 0 and f.cut_off == 8 for f in found.single_points if f.kind == "nic")
    assert found.worst is not None and found.worst.cut_off > 0
    # the others go on without the server that is cut off
    assert all(f.busbw is not None for f in found.single_points if f.kind == "nic")


def test_one_leaf_cuts_everybody_off():
    cluster = samples.compiled("pcie-4gpu-1nic")
    found = sweep(cluster, PredictRequest())
    leaf = next(f for f in found.failures if f.kind == "leaf")
    servers = len(cluster.server_dev)
    assert leaf.single_point and leaf.cut_off == cluster.n_ranks - 4  # each server keeps itself
    assert leaf.cut_ranks == f"4-{4 * servers - 1}"


@pytest.mark.parametrize("template", ["pcie-4gpu-1nic", "single-8gpu"])
def test_the_worst_alone_is_the_worst_of_the_sweep(rails, template):
    for cluster in (rails, samples.compiled(template)):
        whole, alone = sweep(cluster, PredictRequest()).worst, worst_failure(cluster, PredictRequest())
        assert whole is not None and alone is not None
        assert (alone.address, alone.kind, alone.cut_off, alone.cut_ranks, alone.ratio) == (
            whole.address,
            whole.kind,
            whole.cut_off,
            whole.cut_ranks,
            whole.ratio,
        )


def test_one_server_has_only_gpus():
    found = sweep(compile_cluster(server("dgx-h100"), "main"), PredictRequest())
    assert [(f.kind, f.count) for f in found.failures] == [("gpu", 8)]
    assert found.failures[0].lost == 1 and not found.failures[0].single_point


def test_the_median_counts_every_failure():
    found = sweep(samples.compiled("superpod-h100-127", nodes=8), PredictRequest("all_to_all", (GIB,)))
    ratios = sorted(r for f in found.failures for r in [f.ratio] * f.count)
    assert found.median_ratio == pytest.approx(ratios[(len(ratios) - 1) // 2], rel=0.02)


def test_shape_of_the_json(rails):
    document = json.loads(json.dumps(sweep(rails, PredictRequest()).to_json(), allow_nan=False))
    assert set(document) == {
        *("collective", "bytes", "ranks", "time_us", "busbw_gbs", "single_failures", "groups", "failures"),
        *("worst", "median_ratio", "single_points_of_failure"),
    }
    assert set(document["failures"][0]) == {
        *("kind", "address", "count", "ranks_lost", "ranks_cut_off", "cut_off", "time_us", "busbw_gbs", "ratio"),
        *("single_point_of_failure", "problem"),
    }


def test_what_cannot_run_whole_is_refused():
    cluster = compile_cluster(rail_fabric(2, 4, 2, 4), "main", failed=["spine"])
    with pytest.raises(UserError, match="cannot reach each other"):
        sweep(cluster, PredictRequest("all_to_all"))


def test_racks_lose_switch_trays():
    from .test_domains import compiled

    found = sweep(compiled(2, 2, 3), PredictRequest("all_to_all", (GIB,), network="ideal"))
    trays = [f for f in found.failures if f.kind == "nvlink-switch"]
    assert sum(f.count for f in trays) == 6 and not any(f.single_point for f in trays)
