"""The rounds on an ideal network against closed forms and ASTRA-sim's analytical runs."""

import json
from pathlib import Path

import pytest

from fabricwright.performance.accuracy_oracle import (
    NotExpressed,
    dimensions,
    load_oracle,
    predict_row,
    score_oracle,
)
from fabricwright.performance.ideal import IdealDimension
from fabricwright.performance.schedule import ring
from fabricwright.units.errors import UserError

ORACLE = Path(__file__).parents[1] / "data" / "oracle.json"


@pytest.fixture(scope="module")
def rows():
    return load_oracle(ORACLE)


def test_all_ideal_rows_within_a_thousandth(rows):
    ideal = [row for row in rows if row["semantics"] == "ideal"]
    assert len(ideal) == 400
    assert max(predict_row(row).relative_error for row in ideal) < 1e-3


def test_other_semantics_are_counted_with_a_reason(rows):
    result = score_oracle(rows)
    assert (result["n_rows"], result["n_expressed"]) == (522, 400)
    assert result["not_expressed"] == {
        "semantics astra-dbt": 37,
        "semantics bound": 12,
        "semantics store-and-forward": 38,
        "semantics unphysical": 35,
    }


def test_rows_without_the_semantics_field_are_judged_by_their_configuration(rows):
    for row in rows:
        bare = {key: value for key, value in row.items() if key != "semantics"}
        if row["semantics"] == "ideal":
            assert predict_row(bare).relative_error < 1e-3
        else:
            with pytest.raises(NotExpressed):
                predict_row(bare)


def test_no_row_is_known_by_its_id(rows):
    stripped = [{k: v for k, v in row.items() if k not in ("row", "source", "formula")} for row in reversed(rows)]
    assert score_oracle(stripped)["n_expressed"] == 400


def test_ring_on_a_ring_by_hand():
    # 4 members, 1 GB/s, 500 ns per hop, 10 ns per message: 6 steps of 1 MB/4 = 250 us + 0.51 us, and 10 ns at the end
    dim = IdealDimension("Ring", 4, 1e9, 500e-9, endpoint_delay_s=10e-9, tick_s=1e-9)
    assert dim.phase_s(ring("all_reduce", 4), 1e6) == pytest.approx(6 * (250e-6 + 0.51e-6) + 10e-9, rel=1e-6)


def test_direct_on_own_links_shares_no_port():
    # FullyConnected: two messages of S/N, three endpoint delays (the formula of the oracle's note)
    row = {
        "config": {
            "topology": ["FullyConnected"],
            "npus_count": [8],
            "bandwidth_bytes_per_s": [50e9],
            "latency_ns_per_hop": [500],
            "endpoint_delay_ns": 10,
            "backend": "congestion_unaware",
        },
        "collective": "all_reduce",
        "algorithm": "direct",
        "bytes": 8_000_000,
        "expected_time_us": 2 * (0.5 + 20.0) + 0.03,
    }
    assert predict_row(row).relative_error < 1e-6


@pytest.mark.parametrize("missing", ["config", "bytes", "expected_time_us", "algorithm"])
def test_missing_fields_are_one_sentence(rows, missing):
    row = {key: value for key, value in rows[0].items() if key != missing}
    with pytest.raises(UserError, match=f"'{missing}' is missing"):
        predict_row(row)


@pytest.mark.parametrize(
    "wrong",
    [
        {"bytes": "1K"},
        {"bytes": -1},
        {"expected_time_us": None},
        {"expected_time_us": 0},
        {"config": {}},
        {"config": {"npus_count": [-8]}},
        {"config": {"npus_count": []}},
        {"config": {"bandwidth_bytes_per_s": [0]}},
        {"config": {"latency_ns_per_hop": ["soon"]}},
    ],
)
def test_malformed_fields_are_one_sentence_without_python_in_it(rows, wrong):
    row = next(row for row in rows if row["semantics"] == "ideal" and row["algorithm"] == "ring")
    config = {**row["config"], **wrong["config"]} if wrong.get("config") else wrong.get("config", row["config"])
    with pytest.raises(UserError) as caught:
        predict_row({**row, **wrong, "config": config})
    assert str(row["row"]) in str(caught.value) and "Error" not in str(caught.value)


def test_absurd_sizes_are_counted_and_not_played(rows):
    row = next(row for row in rows if row["semantics"] == "ideal" and row["algorithm"] == "halvingDoubling")
    result = score_oracle([{**row, "config": {**row["config"], "npus_count": [1 << 60]}}])
    assert result["not_expressed"] == {"more than 1048576 members or chunks": 1}


def test_unknown_algorithm_and_topology_have_reasons(rows):
    ideal = next(row for row in rows if row["semantics"] == "ideal")
    result = score_oracle(
        [{**ideal, "algorithm": "gossip"}, {**ideal, "config": {**ideal["config"], "topology": ["Torus"]}}]
    )
    assert result["not_expressed"] == {"algorithm gossip": 1, "topology Torus": 1}
    assert result["max_rel_error"] is None


def test_unreadable_files(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        load_oracle(tmp_path / "absent.json")
    broken = tmp_path / "broken.json"
    broken.write_text("[{")
    with pytest.raises(UserError, match="not a JSON file"):
        load_oracle(broken)
    broken.write_text(json.dumps({"rows": []}))
    with pytest.raises(UserError, match="list of oracle rows"):
        load_oracle(broken)


def test_dimensions_of_closed_forms_have_no_clock(rows):
    closed = next(row for row in rows if row["config"].get("alpha_ns") is not None)
    assert dimensions(closed["config"])[0].tick_s == 0.0
