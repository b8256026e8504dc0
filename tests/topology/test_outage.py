"""Outages on compiled clusters are what compiling with them gives; likeness; who reaches whom."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fabricwright.topology.alike import single_failures
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.outage import without
from fabricwright.topology.reach import cut_statement, rank_parts
from tests.topology.samples import rail_fabric, template


@pytest.fixture(scope="module")
def project():
    # 2 units of 4 DGX H100, 8 rails, 2 spines with 2 cables to each leaf
    return rail_fabric(2, 4, 2, 2)


@pytest.fixture(scope="module")
def cluster(project):
    return compile_cluster(project, "main")


def test_an_outage_is_what_compiling_gives(project, cluster):
    groups = single_failures(cluster, "compute")
    assert {g.kind for g in groups} == {"link", "nic", "leaf", "spine", "server", "gpu"}
    for group in groups:
        address = group.example.address(cluster)
        quick, slow = without(cluster, group.example), compile_cluster(project, "main", failed=[address])
        assert (quick.fabric.rate == slow.fabric.rate).all(), address
        assert (quick.uplink == slow.uplink).all() and (quick.uplink_leaf == slow.uplink_leaf).all(), address
        assert (quick.rank_server == slow.rank_server).all() and (quick.rank_gpu == slow.rank_gpu).all(), address
        # domains are numbered anew when compiled; which ranks share one is the same
        assert (_numbers(quick.rank_domain) == _numbers(slow.rank_domain)).all(), address
        assert (quick.up == slow.up).all(), address
        assert (quick.fabric.up == slow.fabric.up).all(), address


def _numbers(labels: np.ndarray) -> np.ndarray:
    return np.unique(labels, return_inverse=True)[1]


def test_every_single_failure_is_counted_once(cluster):
    count = Counter[str]()
    for group in single_failures(cluster, "compute"):
        count[group.kind] += group.count
    # 8 servers x 8 rails down, 16 leafs x 2 spines x 2 up; 8 NICs and GPUs per server
    assert count == {"link": 64 + 64, "nic": 64, "leaf": 16, "spine": 2, "server": 8, "gpu": 64}


def test_a_regular_fabric_has_few_kinds(cluster):
    kinds = Counter(g.kind for g in single_failures(cluster, "compute"))
    # servers: first, middle and last of a unit; leafs and spines are all alike
    assert kinds == {"server": 3, "nic": 3, "gpu": 3, "leaf": 1, "spine": 1, "link": 4}


def test_an_irregular_cable_makes_kinds(project):
    hurt = compile_cluster(project, "main", failed=["up#0"])
    kinds = Counter(g.kind for g in single_failures(hurt, "compute"))
    assert kinds["leaf"] > 1 and kinds["spine"] == 2


def test_parts_of_a_cut_network(project):
    # without spines a unit's servers reach each other over their leafs, the other unit's not
    cut = compile_cluster(project, "main", failed=["spine"])
    part = rank_parts(cut, "compute")
    assert part.tolist() == [0] * 32 + [1] * 32
    statement = cut_statement(cut, "compute")
    assert statement is not None
    assert statement.english() == (
        "The compute network is cut: ranks 0-31 (node[0], node[1], node[2], node[3]) and ranks 32-63 (node[4], "
        "node[5], node[6], node[7]) cannot reach each other."
    )
    assert cut_statement(compile_cluster(project, "main"), "compute") is None


def test_a_server_without_living_cables_is_a_part(project):
    alone = compile_cluster(project, "main", failed=[f"node[5]/nic{n}" for n in range(8)])
    part = rank_parts(alone, "compute")
    assert np.flatnonzero(part).tolist() == list(range(40, 48))


def test_many_parts_are_counted():
    project = rail_fabric(6, 1, 1, 1)
    cut = compile_cluster(project, "main", failed=["spine"])
    statement = cut_statement(cut, "compute")
    assert statement is not None and "into 6 parts that cannot reach one another" in statement.english()


def test_rails_without_spines_are_one_part():
    # one unit: rails share no switch, but each server hands data from rail to rail inside
    cluster = compile_cluster(rail_fabric(1, 4, 1, 1), "main", failed=["spine"])
    assert not rank_parts(cluster, "compute").any()


def test_kinds_of_the_case_study():
    cluster = compile_cluster(template("seed-a-256x8"), "main")
    groups = single_failures(cluster, "compute")
    assert len(groups) < 40
    assert sum(g.count for g in groups if g.kind == "gpu") == 2048
