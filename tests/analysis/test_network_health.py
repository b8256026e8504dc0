"""What panel and inspector are given: plain values that add up."""

from __future__ import annotations

import json

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.network_health import RATES, network_health, signal_rows
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES


def test_signal_of_seed_a() -> None:
    analysis = analyze(TEMPLATES["seed-a-256x8"].build(), "main")
    rows = signal_rows(analysis.interiors()["node"])
    json.dumps(rows, allow_nan=False)
    gpu6 = rows["gpu6"]
    assert (gpu6["gen"], gpu6["falls_to"], gpu6["retimers"]) == (5, 5, ["rt0"])
    assert [(s["name"], s["loss_db"]) for s in gpu6["segments"]] == [("cpu1:p2 - rt0", 22.5), ("rt0 - gpu6", 26.75)]
    for row in rows.values():
        for segment in row["segments"]:
            assert sum(e["db"] for e in segment["elements"]) == pytest.approx(segment["loss_db"], abs=0.01)
    assert gpu6["replays_per_s"] == pytest.approx(0.512)


def test_health_of_seed_a() -> None:
    """Leafs: 64 ports of 200G and 32 of 400G; spines: 64 of 400G over 20 m; one lossless class."""
    analysis = analyze(TEMPLATES["seed-a-256x8"].build(), "main")
    health = network_health(analysis)
    json.dumps(health, allow_nan=False)
    spine = next(row for row in health["switches"] if row["item"] == "spine")
    assert (spine["members"], spine["classes"]) == ("0-3", 1)
    (ports,) = spine["ports"]
    assert (ports["count"], ports["gbps"], ports["length_m"]) == (64, 400, 20)
    assert spine["headroom"] == pytest.approx(64 * ports["headroom"])
    assert spine["pool"] == pytest.approx(spine["buffer"] - spine["headroom"])
    (axis,) = spine["thresholds"]
    assert axis["kmin"] < axis["kmax"] < axis["xoff"] < axis["buffer"] and axis["in_order"]
    assert spine["incast"]["senders"] > 0
    leafs = [row for row in health["switches"] if row["item"] == "leaf"]
    assert all(sum(p["count"] for p in row["ports"]) == 96 for row in leafs)


def test_loss_curve() -> None:
    analysis = analyze(TEMPLATES["seed-a-256x8"].build(), "main")
    loss = network_health(analysis)["loss"]
    assert loss["lossless"] and loss["rate_now"] == 0 and loss["share_now"] == 1
    assert (loss["rates"][0], loss["rates"][-1]) == (pytest.approx(1e-6), pytest.approx(0.1))
    assert loss["go_back_n"] == sorted(loss["go_back_n"], reverse=True)
    at = RATES.index(min(RATES, key=lambda r: abs(r - 1e-3)))
    assert loss["go_back_n"][at] == pytest.approx(0.999 / (1 + 1e-3 * (loss["window"] - 1)), rel=1e-6)
    assert loss["selective"][at] == pytest.approx(0.999)


def test_a_stated_loss_without_pauses_shows_where_it_stands() -> None:
    project = TEMPLATES["seed-a-256x8"].build()
    for key, value in (("lossless", "off"), ("loss.rate", 1e-4)):
        project = apply(project, EDITS["set_setting"](project, design="main", key=key, value=value))
    health = network_health(analyze(project, "main"))
    assert health["switches"] == []
    assert health["loss"]["rate_now"] == 1e-4 and 0.9 < health["loss"]["share_now"] < 1


def test_infiniband_and_single_servers() -> None:
    assert network_health(analyze(TEMPLATES["single-8gpu"].build(), "main")) == {"switches": [], "loss": None}
    pod = network_health(analyze(TEMPLATES["superpod-h100-127"].build(), "main"))
    assert pod["switches"] == [] and pod["loss"]["lossless"]
