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
    alone = network_health(analyze(TEMPLATES["single-8gpu"].build(), "main"))
    assert (alone["pfc"], alone["medium"], alone["switches"], alone["loss"], alone["rows"]) == ("", "", [], None, [])
    pod = network_health(analyze(TEMPLATES["superpod-h100-127"].build(), "main"))
    assert pod["switches"] == [] and pod["loss"]["lossless"] and pod["pfc"] == "credits"
    traffic = {row["traffic"]: row for row in pod["incast"]}
    assert traffic["all_to_all"]["senders"] == 126 * 8 and traffic["all_to_all"]["outcome"] == "credits"
    assert traffic["storage"]["senders"] == 127 * 2  # two storage ports per server


def test_a_network_that_states_nothing_is_shown_as_if_it_paused() -> None:
    health = network_health(analyze(TEMPLATES["b300-4su"].build(), "main"))
    assert health["pfc"] == "unknown" and health["switches"]
    assert all(row["proposed"] and row["headroom"] > 0 for row in health["switches"])


def test_worst_bursts_of_seed_a() -> None:
    """Two ports of 200G per server, 256 of them: 255 x 2 ports send to one, each a round trip's worth."""
    health = network_health(analyze(TEMPLATES["seed-a-256x8"].build(), "main"))
    (row,) = health["incast"]
    assert (row["senders"], row["rate_gbps"]) == (510, pytest.approx(200))
    assert row["burst"] == pytest.approx(510 * 25e9 * health["loss"]["round_trip_s"])
    tight = min(health["switches"], key=lambda s: s["pool"])
    assert row["room"] == pytest.approx(tight["pool"] / 2)
    assert row["outcome"] == "pauses"


def test_every_figure_has_a_formula_and_a_source() -> None:
    for template in ("seed-a-256x8", "seed-b-512", "superpod-h100-127", "b300-4su"):
        project = TEMPLATES[template].build()
        health = network_health(analyze(project, sorted(project.designs)[0]))
        assert health["rows"]
        for row in health["rows"]:
            assert row["formula"][0] and (row["source"] or row["stated"])
            json.dumps(row, allow_nan=False)


def test_loss_without_pauses_is_assumed_where_nobody_states_it() -> None:
    project = TEMPLATES["seed-a-256x8"].build()
    for key, value in (("lossless", None), ("pfc", "off")):
        project = apply(project, EDITS["set_setting"](project, design="main", key=key, value=value))
    health = network_health(analyze(project, "main"))
    assert health["pfc"] == "off" and health["loss"]["assumed"] and health["loss"]["rate_now"] == 1e-4
    assert health["loss"]["share_now"] == pytest.approx(health["loss"]["warning"]["share"])
    (burst,) = health["incast"]  # half of 100 MB against 510 ports' round trips
    assert burst["room"] == 50e6 and burst["outcome"] == "drops"


def test_the_textbook_case_stands_beside_the_drawn_one() -> None:
    """400G, 20 us, 4 KiB: 0.976 at 0.01 %."""
    loss = network_health(analyze(TEMPLATES["seed-a-256x8"].build(), "main"))["loss"]
    assert loss["example"]["share"] == pytest.approx(0.976, abs=5e-4)
    assert loss["rate_gbps"] == pytest.approx(200)
