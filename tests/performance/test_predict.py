"""The answer as others read it, and what requests may ask."""

import json

import numpy as np
import pytest

from fabricwright.performance.band import LARGE, NONE, SPARSE, USUAL, band_limits, coverage_of
from fabricwright.performance.calibration import load_calibration
from fabricwright.performance.collectives import COLLECTIVES, busbw_factor
from fabricwright.performance.layout import lay_out
from fabricwright.performance.plans import PlanBook
from fabricwright.performance.predict import CURVE_SIZES, PredictRequest, predict, prepare
from fabricwright.performance.protocols import allowed_protocols, ceiling, payload_share
from fabricwright.topology.model import LinkKind, NcclClass
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message

from . import samples
from .samples import GB

MIB, GIB = 1 << 20, 1 << 30


@pytest.fixture(scope="module")
def four():
    return samples.clos(samples.nvlink_server(), 4, per_leaf=2, spines=8)


def value(name):
    """A calibrated value: tests derive the load by hand and multiply by it."""
    return load_calibration().value(name)


def one(cluster, size=GIB, collective="all_reduce", **request):
    return predict(cluster, PredictRequest(collective, (size,), **request)).rows[0]


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_shape_of_the_json(four, collective):
    document = predict(four, PredictRequest(collective, (8, MIB, GIB))).to_json()
    assert list(document) == ["collective", "ranks", "settings", "rows", "explanation"]
    assert document["ranks"] == 32
    factor = busbw_factor(collective, 32)
    for row in document["rows"]:
        assert {"bytes", "time_us", "time_us_low", "time_us_high", "algbw_gbs", "busbw_gbs", "algorithm"} <= set(row)
        assert {"protocol", "latency_us", "bandwidth_us", "bottleneck", "alternatives"} <= set(row)
        assert set(row["bottleneck"]) == {"address", "kind", "label", "utilisation"}
        assert row["algbw_gbs"] == pytest.approx(row["bytes"] / row["time_us"] / 1e3)
        assert row["busbw_gbs"] == pytest.approx(row["algbw_gbs"] * factor)
        assert row["latency_us"] + row["bandwidth_us"] == pytest.approx(row["time_us"])
        assert row["time_us_low"] < row["time_us"] < row["time_us_high"]
        assert 0 < row["bottleneck"]["utilisation"] <= 1
    json.dumps(document, allow_nan=False)


def test_what_the_window_gets_is_translatable(four):
    prediction = predict(four, PredictRequest(sizes=(GIB,)))
    wire = json.loads(json.dumps(prediction.to_wire(), allow_nan=False))
    assert Message.from_json(wire["explanation"][0]).english() == prediction.explanation[0].english()
    assert Message.from_json(wire["rows"][0]["bottleneck"]["label"]).english().startswith("NIC port of nic0")
    assert len(wire["curve"]["busbw_gbs"]) == len(CURVE_SIZES)


def test_curve_grows_with_size(four):
    curve = predict(four, PredictRequest()).curve
    time = np.array(curve["time_us"])
    assert (np.diff(time) >= 0).all()
    assert (np.array(curve["low_us"]) < time).all() and (np.array(curve["high_us"]) > time).all()


def test_heat_is_busy_share_of_the_time(four):
    prediction = predict(four, PredictRequest(sizes=(GIB,)))
    row = prediction.rows[0]
    heat = prediction.heat
    assert heat["down"]["max"] == pytest.approx(row.bottleneck.utilisation, rel=1e-6)
    # load / capacity / time
    assert heat["down"]["load_bytes"] / heat["down"]["capacity"] / row.time_s == pytest.approx(heat["down"]["max"])
    assert heat["down"]["capacity"] == pytest.approx(50 * GB * value("network.rdma"))
    assert set(heat["interior"]["node"]) == {link.name for link in four.interiors[0].links}
    assert 0 < heat["interior"]["node"]["gpu0:nv"] < 1


def test_nic_in_half_a_slot():
    # 8 rings, each through a NIC whose PCIe link counts 24 GB/s instead of 48; a NIC moves 1.2 of that (payload 256 B)
    inner = samples.nvlink_server()
    slow = samples.nvlink_server()
    links = tuple(
        link
        if "nic" not in link.name
        else type(link)(link.name, link.src, link.dst, link.kind, 31.5 * GB, 24 * GB, link.latency_s)
        for link in slow.links
    )
    slow = type(slow)(**{f: getattr(slow, f) for f in slow.__dataclass_fields__} | {"links": links})
    wide = one(samples.clos(inner, 4, 4, 1), 8 * GIB, algorithm="ring")
    narrow = one(samples.clos(slow, 4, 4, 1), 8 * GIB, algorithm="ring")
    assert wide.limit_rate == pytest.approx(value("nvlink.ring_4") * 450e9)  # the NICs would give 380
    assert narrow.limit_rate == pytest.approx(8 * 24e9 * 1.2)
    assert narrow.bottleneck.kind == "nic_pcie"


def test_one_nic_for_eight_gpus():
    row = one(samples.clos(samples.nvlink_server(nics=1), 4, 4, 1), 8 * GIB, algorithm="ring")
    assert row.limit_rate == pytest.approx(50e9 * value("network.rdma"))
    assert row.bottleneck.label.english() == "NIC port of nic0"


def test_oversubscribed_uplinks_bind_an_all_to_all():
    # 8 servers, 4 to a unit; leafs with four uplinks, then with one
    server = samples.nvlink_server()
    full = one(samples.clos(server, 8, 4, 4), 8 * GIB, "all_to_all")
    half = one(samples.clos(server, 8, 4, 1), 8 * GIB, "all_to_all")
    assert full.bottleneck.kind == "nic_port"
    assert half.bottleneck.kind == "fabric_link"
    # over a leaf's uplink: 4 servers x 8 GPUs x (32 / 64 of the buffer to the other unit) / 8 rails = 2
    assert half.limit_rate == pytest.approx(50e9 * value("network.rdma") / 2 * 63 / 64)


@pytest.mark.parametrize(("gpus", "algorithm"), [(3, "Ring"), (4, "Ring"), (5, "NVLS"), (8, "NVLS")])
def test_nvls_from_five_gpus_up(gpus, algorithm):
    server = samples.clos(samples.nvlink_server(gpus=gpus), 1, 1, 1)
    assert one(server, 8 * GIB).algorithm == algorithm


def test_nvls_bandwidth_follows_the_number_of_gpus():
    # a port carries 1 + 1/g buffers: bus bandwidth = port x 2 (g - 1) / g / (1 + 1/g) = port x 2 (g - 1) / (g + 1)
    port = value("nvlink.nvls_4") * 450e9
    for gpus, factor in ((5, 8 / 6), (6, 10 / 7), (7, 12 / 8), (8, 14 / 9)):
        row = one(samples.clos(samples.nvlink_server(gpus=gpus), 1, 1, 1), 8 * GIB)
        assert row.limit_rate == pytest.approx(port * factor)
    # plateaus measured with 8: 473-480 GB/s
    assert 473e9 * 0.98 < port * 14 / 9 < 480e9 * 1.02


def test_ideal_ring_is_the_textbook():
    # 8 GPUs, one server: 14 steps of 1 us and 2 x 7/8 of the buffer at line rate
    row = one(samples.clos(samples.nvlink_server(), 1, 1, 1), 64 * MIB, network="ideal", algorithm="ring")
    assert row.time_s == pytest.approx(14 * 1e-6 + 1.75 * 64 * MIB / 450e9)
    assert row.low_s == row.time_s == row.high_s
    assert row.protocol == "Simple"


def test_ideal_two_levels_add_up(four):
    # ring inside (7 steps twice), ring across 4 servers per GPU (6 steps) on 1/8 of the buffer, serial
    book = PlanBook(lay_out(four))
    size = 64 * MIB
    row = one(book, size, network="ideal", algorithm="hierarchical")
    inside = 2 * (7 * 1e-6 + 7 / 8 * size / 450e9)
    across = 6 * book.paths.network_s + 2 * 3 / 4 * size / 8 / 50e9
    assert row.time_s == pytest.approx(inside + across)


def test_ideal_halving_doubling_adds_its_rounds(four):
    # inside: 1/2 + 1/4 + 1/8 over NVLink; across: 1/16 + 1/32 from each GPU over its own NIC; and back
    book = PlanBook(lay_out(four))
    size = 64 * MIB
    row = one(book, size, network="ideal", algorithm="halving_doubling")
    transfer = 2 * (7 / 8 * size / 450e9 + 3 / 32 * size / 50e9)
    assert row.time_s == pytest.approx(6 * 1e-6 + 4 * book.paths.network_s + transfer)


def test_forced_choice_is_kept(four):
    row = one(four, GIB, algorithm="tree", protocol="ll128")
    assert (row.algorithm, row.protocol) == ("Tree", "LL128")
    assert row.alternatives == ()


def test_a_replayed_graph_saves_the_launch(four):
    # 8 GPUs per server: launch + 7 further launches, against the start of a kernel in a graph
    launch = value("time_us.launch") + 7 * value("time_us.launch_per_gpu") * value("launch.process_per_gpu")
    for size in (8, GIB):
        saved = one(four, size, launch="process-per-gpu").time_s - one(four, size, launch="cuda-graph").time_s
        assert saved == pytest.approx((launch - value("time_us.launch_graph")) * 1e-6)


def test_one_process_enqueues_the_sends_of_all_its_gpus():
    # all_to_all on 8 GPUs: 7 sends each; one process enqueues 56
    server = samples.clos(samples.nvlink_server(), 1, 1, 1)
    alone = one(server, 8, "all_to_all", launch="process-per-gpu").time_s
    every = one(server, 8, "all_to_all", launch="single-process").time_s
    further = 7 * value("time_us.launch_per_gpu") * (value("launch.single_process") - value("launch.process_per_gpu"))
    assert every - alone == pytest.approx((49 * value("time_us.launch_send") + further) * 1e-6)


def test_small_messages_are_bound_by_latency(four):
    bottleneck = one(four, 8).bottleneck
    assert (bottleneck.kind, bottleneck.address) == ("latency", "")


def test_one_gpu_has_nothing_to_exchange():
    row = one(samples.clos(samples.nvlink_server(gpus=1), 1, 1, 1), MIB)
    assert row.busbw == 0
    prediction = predict(samples.clos(samples.nvlink_server(gpus=1), 1, 1, 1), PredictRequest())
    assert "nothing to exchange" in prediction.explanation[0].english()


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (PredictRequest("all_hands"), "Collective 'all_hands' is not known"),
        (PredictRequest(algorithm="gossip"), "Algorithm 'gossip' is not known"),
        (PredictRequest(protocol="LL64"), "Protocol 'LL64' is not known"),
        (PredictRequest(network="real"), "Network 'real' is not known"),
        (PredictRequest(launch="magic"), "Launch mode 'magic' is not known"),
        (PredictRequest(sizes=(0,)), "Sizes must be positive"),
        (PredictRequest(sizes=()), "Sizes must be positive"),
        (PredictRequest("all_to_all", algorithm="ring"), "Ring does not run all_to_all"),
        (PredictRequest(algorithm="nvls"), "NVLS cannot run here"),
        (PredictRequest("all_to_all", protocol="LL"), "Protocol LL is not available for all_to_all"),
    ],
)
def test_requests_that_cannot_be_met_are_one_sentence(four, request_, sentence):
    with pytest.raises(UserError, match=sentence):
        predict(four, request_)


def test_halving_doubling_needs_a_power_of_two():
    with pytest.raises(UserError, match="power of two; there are 24"):
        one(samples.clos(samples.nvlink_server(), 3, 4, 1), algorithm="halving_doubling")


def test_protocol_rules():
    assert allowed_protocols(True, NcclClass.PXN, 4) == ("LL", "LL128", "Simple")
    assert allowed_protocols(True, NcclClass.PXN, 3) == ("LL", "Simple")
    assert allowed_protocols(True, NcclClass.PHB, 4) == ("LL", "Simple")
    assert allowed_protocols(False, NcclClass.LOC, 0) == ("LL", "Simple")


def test_ll_ceiling():
    # NCCL's llMaxBw for Hopper on one server is 141 GB/s of bus bandwidth; half of each line is payload
    term = ceiling(1.75, 4)
    assert 1.75 / term.amount == pytest.approx(141e9)
    assert term.names == ("protocol.ll_ceiling",)
    assert (payload_share("LL"), payload_share("LL128"), payload_share("Simple")) == (0.5, 0.92, 1.0)


def test_every_constant_names_its_source():
    constants = load_calibration().constants
    assert len(constants) > 40
    assert all(c.source and c.value >= 0 for c in constants.values())


def test_band_narrows_with_size_and_is_wider_where_less_is_measured():
    sizes = np.array([1e3, 64e6, 8e9])
    widths = {}
    for coverage in (USUAL, LARGE, SPARSE, NONE):
        low, high = band_limits(sizes, coverage, load_calibration())
        assert (low < 1).all() and (high > 1).all()
        widths[coverage] = high - low
    assert widths[USUAL][0] > widths[USUAL][1] > widths[USUAL][2]
    assert (widths[LARGE] >= widths[USUAL] - 0.1).all()
    assert (widths[SPARSE] > widths[USUAL]).all() and (widths[NONE] > widths[SPARSE]).all()


def test_what_is_covered_by_measurements(four):
    layout = lay_out(four)
    assert coverage_of(layout, "all_reduce", "nvls_tree") == USUAL
    assert coverage_of(layout, "all_to_all", "direct") == SPARSE
    assert coverage_of(layout, "all_reduce", "hierarchical") == NONE
    many = lay_out(samples.clos(samples.nvlink_server(), 32, per_leaf=32, spines=1))  # 256 ranks
    assert coverage_of(many, "all_reduce", "ring") == LARGE
    odd = lay_out(samples.clos(samples.nvlink_server(), 2, 2, 1, settings={"network.transport": "slingshot"}))
    assert coverage_of(odd, "all_reduce", "ring") == NONE


def test_a_link_without_bandwidth_is_named():
    cluster = samples.clos(samples.nvlink_server(), 1, 1, 1)
    inner = cluster.interiors[0]
    links = tuple(
        type(link)(link.name, link.src, link.dst, link.kind, 0.0, 0.0, link.latency_s)
        if link.name == "gpu3:nv"
        else link
        for link in inner.links
    )
    assert any(link.kind is LinkKind.NVLINK for link in links)
    broken = type(inner)(**{f: getattr(inner, f) for f in inner.__dataclass_fields__} | {"links": links})
    with pytest.raises(UserError, match="NVLink of gpu3"):
        one(samples.clos(broken, 1, 1, 1))


def test_a_book_is_shared_between_collectives(four):
    book = PlanBook(lay_out(four))
    first = prepare(book, PredictRequest("all_reduce")).candidates[0]
    second = prepare(book, PredictRequest("all_gather")).candidates[0]
    assert second.costed.plan.phases[0].wire.sum() == pytest.approx(first.costed.plan.phases[0].wire.sum() / 2)


def test_two_servers_with_one_nic():
    # a forced tree carries the buffer once over the NIC: busbw NIC x 2 x 15/16; NCCL does not expect it
    nic = 50e9 * value("network.rdma")
    pair = samples.clos(samples.nvlink_server(nics=1), 2, 2, 1)
    assert one(pair, GIB, algorithm="tree").limit_rate == pytest.approx(nic * 2 * 15 / 16)
    row = one(pair, GIB)
    assert row.algorithm == "Ring" and row.limit_rate == pytest.approx(nic)
    text = predict(pair, PredictRequest(sizes=(GIB,))).explanation[0].english()
    assert "but NCCL expects it to be slower" in text


def test_xgmi_mesh():
    # 7 x 64 GB/s; the cut from an all-to-all is the same links
    server = samples.clos(samples.mesh_server(), 1, 1, 1)
    assert one(server, 8 * GIB).limit_rate == pytest.approx(value("nvlink.xgmi") * 7 * 64e9)
    assert one(server, 8 * GIB, "all_to_all").limit_rate == pytest.approx(value("nvlink.all_to_all") * 64e9 * 7)
