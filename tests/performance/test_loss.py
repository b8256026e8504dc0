"""What lost packets leave, by hand."""

from dataclasses import replace

import pytest

from fabricwright.design.values import Item
from fabricwright.performance.layout import lay_out
from fabricwright.performance.loss import go_back_n, kept_share, loss_of, packet_bytes
from fabricwright.performance.predict import PredictRequest, predict
from tests.topology.samples import interior as compiled_interior
from tests.topology.samples import server as server_sheet

from . import samples

GIB = 1 << 30


def lossy(qps=1, **stated):
    settings = {"ecmp.mode": "adaptive", "ecmp.qps": qps} | {k.replace("__", "."): v for k, v in stated.items()}
    return samples.clos(samples.nvlink_server(), 4, 4, 1, settings=settings)


def test_example_of_the_formula():
    # 400 Gb/s, 20 us, 4 KiB: W = 50e9 x 20e-6 / 4096 = 244; p = 1e-4 -> 0.976, 1e-3 -> 0.80, 1e-2 -> 0.29
    window = 50e9 * 20e-6 / 4096
    assert window == pytest.approx(244, abs=0.5)
    for rate, share in ((1e-4, 0.976), (1e-3, 0.80), (1e-2, 0.29)):
        assert go_back_n(rate, window) == pytest.approx(share, abs=0.005)


def test_window_of_the_drawn_path():
    layout = lay_out(lossy(lossless=False, loss__rate=1e-3))
    found = loss_of(layout)
    assert found is not None and not found.selective
    assert found.window == pytest.approx(50e9 * found.round_trip_s / 4096)
    assert found.share == pytest.approx(0.999 / (1 + 1e-3 * (found.window - 1)))
    four = loss_of(lay_out(lossy(4, lossless=False, loss__rate=1e-3)))  # a quarter of the packets per queue pair
    assert four is not None and four.window == pytest.approx(found.window / 4)


def test_busbw_falls_as_the_ports_do():
    plain = predict(lossy(), PredictRequest(sizes=(8 * GIB,), algorithm="ring"))
    hurt = predict(lossy(lossless=False, loss__rate=1e-2), PredictRequest(sizes=(8 * GIB,), algorithm="ring"))
    share = kept_share(lay_out(lossy(lossless=False, loss__rate=1e-2)))
    assert hurt.rows[0].bottleneck.kind == "nic_port"
    # 8 x 50 GB/s less what the ring's efficiency and the losses take
    ports = predict(
        samples.clos(samples.nvlink_server(nics=4), 4, 4, 1), PredictRequest(sizes=(GIB,), algorithm="ring")
    )
    assert hurt.rows[0].limit_rate == pytest.approx(2 * ports.rows[0].limit_rate * share, rel=1e-6)
    assert hurt.rows[0].busbw < plain.rows[0].busbw
    text = " ".join(m.english() for m in hurt.explanation)
    assert "go-back-N" in text and "0.01 are lost" in text


@pytest.mark.parametrize(
    "stated",
    [
        {"lossless": True, "loss.rate": 1e-2},
        {"lossless": "on", "loss.rate": 1e-2},
        {"lossless": False, "loss.rate": 0},
        {"pfc": False, "network.transport": "efa"},  # nothing of RoCE is assumed about other transports
        {},
    ],
)
def test_nothing_is_lost(stated):
    assert kept_share(lay_out(samples.with_settings(lossy(), stated))) == 1.0


@pytest.mark.parametrize("off", [{"lossless": False}, {"pfc": False}, {"pfc": "off"}])
def test_missing_pause_frames_cost_the_rate_that_is_assumed(off):
    # one packet in ten thousand, as the seed warns; said as an estimate
    cluster = samples.with_settings(lossy(), off)
    found = loss_of(lay_out(cluster))
    assert found is not None and found.assumed and found.rate == 1e-4
    assert found.share == pytest.approx(0.9999 / (1 + 1e-4 * (found.window - 1)))
    hurt = predict(cluster, PredictRequest(sizes=(8 * GIB,)))
    assert hurt.rows[0].busbw < predict(lossy(), PredictRequest(sizes=(8 * GIB,))).rows[0].busbw
    text = [m.english() for m in hurt.explanation]
    assert any("no loss rate is stated" in line and "0.01 %" in line and "estimate" in line for line in text)
    assert loss_of(lay_out(samples.with_settings(cluster, {**off, "loss.rate": 1e-3}))).assumed is False


def test_infiniband_is_lossless_unless_it_says_otherwise():
    stated = {"loss.rate": 1e-2}
    cluster = samples.infiniband(samples.with_settings(lossy(), stated))
    assert kept_share(lay_out(cluster)) == 1.0
    assert kept_share(lay_out(samples.with_settings(cluster, stated | {"lossless": "off"}))) < 1.0


def test_nics_with_selective_acknowledgement_lose_only_what_is_lost():
    inner = replace(samples.nvlink_server(), nic_selective=(True,) * 8)
    cluster = samples.clos(inner, 4, 4, 1, settings={"lossless": False, "loss.rate": 1e-2})
    found = loss_of(lay_out(cluster))
    assert found is not None and found.selective and found.share == pytest.approx(0.99)
    mixed = replace(inner, nic_selective=(True,) * 7 + (False,))
    other = loss_of(lay_out(samples.clos(mixed, 4, 4, 1, settings={"lossless": False, "loss.rate": 1e-2})))
    assert other is not None and not other.selective
    text = [m.english() for m in predict(cluster, PredictRequest(sizes=(GIB,))).explanation]
    assert any("selective repeat" in line for line in text)


def test_the_catalogue_says_which_nics_do():
    found = compiled_interior(
        server_sheet(
            "pcie-4dw-one-socket", {"a": Item("pollara-400", seat="chassis:s1"), "b": Item("b3140h", seat="chassis:s2")}
        )
    )
    assert dict(zip(found.nics, found.nic_selective, strict=True))["a"] is True
    assert dict(zip(found.nics, found.nic_selective, strict=True))["b"] is False


@pytest.mark.parametrize(
    ("stated", "size"),
    [({"roce.mtu": 1024}, 1024), ({"mtu": 9000}, 4096), ({"mtu": 1500}, 1024), ({"mtu": 4200}, 4096), ({}, 4096)],
)
def test_packet_size(stated, size):
    assert packet_bytes(lay_out(samples.with_settings(lossy(), stated))) == size


@pytest.mark.parametrize("nonsense", [10**400, 1e308, -1, True, "nan", float("inf"), [1], {"a": 1}])
@pytest.mark.parametrize("key", ["loss.rate", "roce.mtu", "mtu", "ecmp.qps"])
def test_nonsense_counts_as_not_stated(key, nonsense):
    plain = {"lossless": False, "ecmp.mode": "hash"}
    usual = loss_of(lay_out(samples.with_settings(lossy(), plain)))
    found = loss_of(lay_out(samples.with_settings(lossy(), {**plain, key: nonsense})))
    assert found == usual
