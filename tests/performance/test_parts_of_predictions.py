"""Pieces of the predictions asked directly: what a search finds nowhere, what faster hardware changes, odd clusters."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any, cast

import numpy as np
import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.training import groups_of, job_of
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.training.plan import Plan
from fabricwright.performance import accuracy_oracle, explain_network, heat, resilience
from fabricwright.performance import predict as predict_of
from fabricwright.performance.binding import Role, _inside_label
from fabricwright.performance.ecmp import routing_of
from fabricwright.performance.explain import binding_of
from fabricwright.performance.interior_order import Edge, _mesh_edges
from fabricwright.performance.layout import _shares, lay_out
from fabricwright.performance.pair_flows import _on_one_plane
from fabricwright.performance.predict import PredictRequest
from fabricwright.performance.sends import Sends
from fabricwright.performance.training import beside, search
from fabricwright.performance.training.groups import NOTHING
from fabricwright.performance.training.measured import fit, score
from fabricwright.performance.training.measured.rows import MOST_ROWS, _hardware, _usual, case_of, load_rows
from fabricwright.performance.training.nowhere import nowhere_error
from fabricwright.performance.training.offload import _link_seconds
from fabricwright.performance.training.search import _expert_degrees, _part, layout_words, layouts, nowhere, ranked
from fabricwright.performance.training.sensitivity import _more_nics, _more_spine, _wider_nvlink
from fabricwright.performance.training.step import _sum
from fabricwright.performance.training.train import train, training_constants
from fabricwright.performance.wires import _cut
from fabricwright.topology.host_memory import Tier
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message
from tests.performance import samples
from tests.performance.samples import workload_of

GIB = 1 << 30


@pytest.fixture(scope="module")
def small():
    """(job, groups): Llama 3 8B on 32 H100."""
    project = TEMPLATES["seed-b-512"].build(servers=4, key_nodes=2)
    row = workload_of("llama3-8b", gbs=64, mbs=1, zero=3)
    found = analyze(replace(project, workloads=project.workloads.put("w", row)), "before")
    groups = groups_of(found)
    return job_of(found, row, groups)[0], groups


@pytest.fixture(scope="module")
def four():
    return samples.clos(samples.nvlink_server(), 4, per_leaf=2, spines=8)


# -- searches


def test_a_batch_that_nothing_divides(small) -> None:
    """64 sequences over 32 GPUs divide; with no layout at all the nearest batch is named: 2 x 32."""
    job, _ = small
    said = nowhere_error(job, [], layouts, layout_words).message.english()
    assert "No layout divides 32 GPUs" in said and "a batch of 64 would" in said


def test_a_model_that_more_gpus_would_hold(small) -> None:
    """State in host memory is tried first; where that is asked for already, more GPUs are."""
    job, groups = small
    large = replace(job, shape=replace(job.shape, layers=64 * job.shape.layers), plan=replace(job.plan, offload="all"))
    assert "such GPUs would do" in nowhere(large, groups).message.english()


def test_a_job_whose_gpus_are_too_small(small) -> None:
    job, groups = small
    with pytest.raises(UserError, match="GB per GPU over"):
        train(replace(job, gpu=replace(job.gpu, memory=1e9)), groups)


def test_parts_of_a_search_are_the_search(small) -> None:
    """What worker processes look at, put together, is what one looks at."""
    job, groups = small
    every = layouts(job, groups.n)
    found = [row for n in range(2) for row in _part((job, groups.cluster, groups.profile, every[n::2], 5))]
    best = sorted(row.step_time_s for row in found)[:5]
    assert best == [row.step_time_s for row in ranked(job, groups, keep=5)]


def test_worker_processes_find_what_one_finds(small, monkeypatch: pytest.MonkeyPatch) -> None:
    job, groups = small
    alone = ranked(job, groups, keep=5)
    monkeypatch.setattr(search, "REPORT_EVERY", 1)
    together = ranked(job, groups, keep=5, workers=2)
    assert [row.step_time_s for row in together] == [row.step_time_s for row in alone]


def test_gpus_that_would_do_with_hosts_that_do_not(small) -> None:
    """8.03e9 parameters keep 12 B of optimizer and 2 B of gradients each in host memory, spread over 32 GPUs: 28.1 GB
    for the eight of a server, where 1 GB is.
    """
    job, groups = small
    poor = replace(job, plan=replace(job.plan, offload="optimizer"), tiers=(Tier("cxl", 1e9, 50e9, 50e9, 3e-7),))
    said = nowhere(poor, groups).message.english()
    assert said.startswith("28.1 GB per server are offloaded, 1 GB are free for it (CXL)")


def test_degrees_of_experts_divide_experts_and_ranks() -> None:
    assert _expert_degrees(0, 8) == [1] and _expert_degrees(8, 4) == [1, 2, 4] and _expert_degrees(6, 8) == [1, 2]


# -- what faster hardware would change


def test_hardware_that_is_not_there_cannot_be_faster(four) -> None:
    assert _more_spine(replace(four, fabric=replace(four.fabric, switch=np.zeros(0, dtype=bool)))) is None
    alone = replace(four.fabric, switch=np.zeros(len(four.fabric.switch), dtype=bool))
    assert _more_spine(replace(four, fabric=alone)) is None
    assert _more_nics(replace(four, uplink=np.full_like(four.uplink, -1))) is None
    racks = tuple(replace(i, domain_gpus=72) for i in four.interiors)
    assert _wider_nvlink(replace(four, interiors=racks)) is None
    doubled = _more_spine(four)
    assert doubled is not None and float(doubled.fabric.rate.max()) == 2 * float(four.fabric.rate.max())


def test_a_sum_with_nothing_is_the_other() -> None:
    one = cast(Any, Made(time_s=1.0))
    assert _sum(NOTHING, one) is one and _sum(one, NOTHING) is one


def test_groups_of_other_servers_are_not_added(four, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = iter([np.ones(3), np.ones(4)])
    monkeypatch.setattr(beside, "_cheapest", lambda _prepared: None)
    monkeypatch.setattr(beside, "_busy", lambda _prepared, _best: next(shapes))
    assert beside.together_inside(cast(Any, None), [cast(Any, None)]) == (0.0, None)


# -- measured runs


def test_too_many_rows_are_refused(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fabricwright.performance.training.measured.rows.MOST_ROWS", 1)
    path = tmp_path / "runs.json"
    path.write_text("[{}, {}]")
    with pytest.raises(UserError, match="more than 1 rows"):
        load_rows(path)
    assert MOST_ROWS > 1


def test_tensor_parallel_ranks_divide_the_gpus() -> None:
    """70 B parameters want eight; twelve GPUs take four of them in three stages or fewer."""
    shape = cast(Any, Made(params=70e9, layers=80))
    found = _usual(shape, 12, {})
    assert found["tp"] == 4 and 12 % (found["tp"] * found["pp"]) == 0


# -- odd clusters


def test_names_of_links() -> None:
    links = [cast(Any, Made(name="cpu0:c2c", src="cpu0", dst="gpu0"))]
    assert _inside_label(Role.C2C, links).english() == "C2C link of cpu0"


def test_nothing_that_is_sent_binds_nothing() -> None:
    candidate = cast(Any, Made(costed=Made(phase_peaks=((),), heaviest=0)))
    assert binding_of(cast(Any, None), candidate) is None


def test_a_prediction_that_nothing_binds_is_latency(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predict_of, "binding_of", lambda *_a: None)
    candidate = cast(Any, Made(ceiling=False))
    found = predict_of._bottleneck(cast(Any, None), candidate, 0, 1.0, 1.0, 0.1, {})
    assert (found.kind, found.utilisation) == ("latency", 1.0)


def test_a_drawn_link_without_cables_has_no_heat() -> None:
    """Link "up" is one cable, busy 0.2 there and 0.4 back; the devices of "none" are absent."""
    fabric = Made(bundle=np.array([0]), row=np.array([7]), bundles=(Made(link="up"), Made(link="none")))
    layout = cast(Any, Made(cluster=Made(fabric=fabric), is_port=np.array([True, True])))
    found = heat._bundles(layout, np.array([0.2, 0.4]), np.array([2.0, 4.0]), np.array([10.0, 10.0]), 1.0)
    assert found == {"up": {"max": 0.4, "mean": 0.4, "argmax": 7, "load_bytes": 4.0, "capacity": 10.0}}


def test_servers_that_share_the_loads_of_others_have_no_heat_of_their_own() -> None:
    """No row of loads begins with a server of the second kind: all its servers do as some of the first."""
    kinds = [
        Made(variant=n, interior=Made(sheet=sheet, links=(Made(name="sw0:d1"),))) for n, sheet in enumerate(("a", "b"))
    ]
    layout = cast(Any, Made(variant_of=np.array([0, 1]), classes=kinds))
    assert heat._interiors(layout, np.array([[0.5]]), np.array([0])) == {"a": {"sw0:d1": 0.5}}


def test_an_uneven_mesh_without_rings_shares_by_rate() -> None:
    """Three GPUs in a row: the outer ones send all to the middle one, which sends by rate."""
    mesh = {0: {1: 2.0}, 1: {0: 2.0, 2: 1.0}, 2: {1: 1.0}}
    assert _mesh_edges(mesh, 1.0) == (Edge(0, 1, 1.0), Edge(1, 0, 2 / 3), Edge(1, 2, 1 / 3), Edge(2, 1, 1.0))


def test_ports_whose_rate_is_not_known_share_evenly(four) -> None:
    layout = lay_out(four)
    silent = tuple(
        replace(c, interior=replace(c.interior, port_rate=np.zeros_like(c.interior.port_rate))) for c in layout.classes
    )
    assert _shares(silent, [np.arange(4)], 2).tolist() == [0.25] * 4


def test_sends_over_a_plane_that_is_down_leave_through_another_port() -> None:
    """Two leafs that nothing joins: server 0 has port 0 on the first and port 1 on the second, server 1 the second
    only. A send from port 0 goes out of port 1 instead.
    """

    class Parts:
        pass

    layout = cast(Any, Made(cluster=Made(fabric=Parts()), network="compute", leaf=np.array([[0, 1], [-1, 1]])))
    sends = Sends(*(np.array([v]) for v in (0, 0, 1, 1)), np.array([1.0]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fabricwright.performance.pair_flows.device_parts", lambda *_a: np.array([0, 1]))
        found = _on_one_plane(layout, sends)
        assert found.src_port.tolist() == [1] and found.dst_port.tolist() == [1]
        same = Sends(*(np.array([v]) for v in (0, 1, 1, 1)), np.array([1.0]))
        assert _on_one_plane(layout, same) is same


def test_no_route_in_a_whole_network_names_both_ends(four) -> None:
    layout = lay_out(four)
    leafs = np.flatnonzero(np.asarray(four.fabric.switch))[:2]
    said = _cut(layout, int(leafs[0]), int(leafs[1])).message.english()
    assert said.startswith("There is no route from ") and said.endswith("cannot exchange data.")
    assert routing_of(layout).mode


def test_drawings_too_irregular_for_a_sweep_say_so(four, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resilience, "MOST_GROUPS", 0)
    with pytest.raises(UserError, match="so irregular"):
        resilience._groups(four, "compute")


def test_a_failure_after_which_nothing_runs_tells_why(four, monkeypatch: pytest.MonkeyPatch) -> None:
    (group, *_) = resilience._groups(four, "compute")

    def refused(*_a: object) -> tuple[float, float]:
        raise UserError(Message("Nothing runs."))

    monkeypatch.setattr(resilience, "_run", refused)
    found = resilience._failure(four, group, PredictRequest(sizes=(GIB,)), "compute", 1.0, {})
    assert found.problem is not None and found.problem.english() == "Nothing runs."


# -- words about the network


def network_words(monkeypatch: pytest.MonkeyPatch, mode: str, found: object, climbing: bool = False) -> list[str]:
    monkeypatch.setattr(explain_network, "routing_of", lambda _layout: Made(mode=mode, assumed=False))
    monkeypatch.setattr(explain_network, "collisions_of", lambda _candidate: found)
    monkeypatch.setattr(explain_network, "climbs", lambda *_a: climbing)
    return [text.english() for text in explain_network._routing(cast(Any, None), cast(Any, None))]


def test_how_flows_share_paths_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half and 80 % of the port's rate; nothing is said of paths that were not looked at."""
    found = Made(slowest=0.5, low=0.45, high=0.55, mean=0.8, flows=48, routing=Made(qps=2), seeds=16)
    (pinned,) = network_words(monkeypatch, "pinned", found)
    assert "the slowest one gets 50 % of its NIC port's rate, 80 % on average" in pinned
    (hashed,) = network_words(monkeypatch, "hash", found)
    assert hashed.startswith("48 flows of 2 queue pairs each") and "45-55 %" in hashed
    assert network_words(monkeypatch, "pinned", None) == network_words(monkeypatch, "hash", None, climbing=True) == []


# -- rows of others


@pytest.mark.parametrize(
    ("algorithm", "collective", "sizes", "said"),
    [
        ("doublebinarytree", "all_to_all", (4,), "double_tree for all_to_all"),
        ("doublebinarytree", "all_reduce", (6,), "not a power of two"),
        ("direct+direct", "all_to_all", (4, 4), "several levels for all_to_all"),
    ],
)
def test_algorithms_of_the_oracle_that_have_no_ideal_time(
    algorithm: str, collective: str, sizes: tuple[int, ...], said: str
) -> None:
    dims = tuple(cast(Any, Made(members=n, phase_s=lambda _plan, _bytes: 1.0)) for n in sizes)
    with pytest.raises(accuracy_oracle.NotExpressed, match=said):
        accuracy_oracle._seconds(algorithm, collective, 1e6, dims, {})


# -- servers without what a figure needs


def test_gpus_without_host_memory_copy_nothing(small) -> None:
    inner = small[0].interior
    none = replace(inner.gpu_host, pci=inner.gpu_host.pci[:, :0])
    assert _link_seconds(replace(inner, gpu_host=none), 8) == 0.0


def test_servers_without_cabled_nics_stay_as_they_are(four) -> None:
    """A second kind of server that no member of the cluster is."""
    other = samples.nvlink_server()
    more = _more_nics(replace(four, interiors=(*four.interiors, other)))
    assert more is not None and more.interiors[-1] is other


def test_a_run_on_gpus_that_do_not_fill_their_servers() -> None:
    """Twelve GPUs on servers of eight: the last holds four."""
    notes: list[Message] = []
    row = {"gpu": "H100", "gpus_per_node": 8, "interconnect": "NVLink, 8x 400G InfiniBand"}
    found = _hardware(row, Plan(dp=12), notes)
    assert (found.servers, found.gpus, found.last_gpus) == (2, 8, 4)


def test_a_case_whose_network_cannot_carry_it_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_a: object) -> None:
        raise UserError(Message("Nothing runs."))

    monkeypatch.setattr(fit, "sample_of", refused)
    assert fit.samples_of([cast(Any, Made(known=True, measured_s=1.0))]) == []


def test_a_minimum_that_is_reached_is_kept() -> None:
    """(x - 1)^2 from 1: no step is better, and a flat residual ends at once."""
    assert fit._minimise(lambda x: x - 1.0, np.array([1.0]), 5).tolist() == [1.0]
    assert fit._minimise(lambda x: x - 1.0, np.array([3.0]), 1)[0] == pytest.approx(1.0, abs=0.05)


RUN = {"id": "x", "gpu": "H100", "gpus": 64, "layers": 32, "hidden": 4096, "seq": 4096, "gbs": 256}


def test_a_model_is_told_by_its_size_or_by_two_rates() -> None:
    """420 TFLOPS at 10,000 tokens/s are 42e9 operations a token, six for each of 7e9 parameters."""
    bare = {key: value for key, value in RUN.items() if key not in ("layers", "hidden")}
    for stated in ({"params_b": 7.0}, {"tflops_per_gpu": 420.0, "tokens_per_s_per_gpu": 10_000.0}):
        case = case_of({**bare, **stated}, training_constants())
        assert case.known and case.shape is not None and case.shape.params == pytest.approx(7e9, rel=0.03)
        assert case.notes[0].english().startswith("The shape is not stated; ")


def test_degrees_of_parallelism_come_to_the_number_of_gpus() -> None:
    def degrees(**stated: int) -> tuple[int, int]:
        plan = case_of({**RUN, **stated}, training_constants()).plan
        assert plan is not None and plan.ranks == 64
        return plan.cp, plan.dp

    assert degrees(tp=8, dp=8, cp=2) == (1, 8)  # 8 x 8 are all: the ranks of context parallelism are among them
    assert degrees(tp=8, dp=3) == (1, 8)  # 8 x 3 are not: as many as remain


def test_a_run_whose_network_cannot_carry_it_is_told_not_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_a: object) -> None:
        raise UserError(Message("Nothing runs."))

    monkeypatch.setattr(score, "sample_of", refused)
    found = score.score_training([{**RUN, "step_time_s": 1.0}])
    assert (found["n"], found["not_expressed"]) == (0, {"Nothing runs.": 1})
    assert found["notes"] == [{"id": "x", "notes": ["Nothing runs."], "predicted": False}]
