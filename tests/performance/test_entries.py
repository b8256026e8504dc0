"""Files of measurements: what is read of them, and one sentence for what is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fabricwright.performance.accuracy_oracle import NotExpressed, predict_row
from fabricwright.performance.measured.entries import MOST_RANKS, Entry, load_measured
from fabricwright.performance.measured.hardware import hardware_of
from fabricwright.performance.measured.request import design_settings
from fabricwright.units.errors import UserError

ROW: dict[str, Any] = {
    "id": "one",
    "nodes": 2,
    "gpus_per_node": 8,
    "collective": "AllReduce",
    "points": [{"bytes": 1024, "time_us": 50}],
}


def load(folder: Path, document: object) -> list[Entry]:
    path = folder / "measured.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return load_measured(path)


def test_times_are_taken_or_follow_from_busbw(tmp_path: Path) -> None:
    """busbw of an all-reduce on n ranks is 2 (n-1)/n x bytes/time: 16 GB at 15 GB/s take 2 x 15/16 x 16/15 = 2 s."""
    points = [
        {"bytes": 1024, "time_us": 50},
        {"bytes": 16e9, "busbw_gbs": 15},
        {"bytes": 2048},
        {"bytes": 4096, "busbw_gbs": True},
    ]
    (entry,) = load(tmp_path, [{**ROW, "points": points}])
    assert (entry.collective, entry.ranks, entry.sizes) == ("all_reduce", 16, (1024, 16_000_000_000))
    assert entry.times_s == pytest.approx((50e-6, 2.0)) and entry.scored
    assert not load(tmp_path, [{**ROW, "use": "not comparable"}])[0].scored


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({}, "expected a list of measured entries"),
        (["x"], "entry 1 is no object"),
        ([{**ROW, "id": " "}], "entry 1 has no id"),
        ([ROW, ROW], "the id 'one' is there twice"),
        ([{**ROW, "nodes": MOST_RANKS}], "ranks are too many"),
        ([{**ROW, "nodes": 1.5}], "nodes is 1.5; expected a positive whole number"),
        ([{**ROW, "gpus_per_node": True}], "gpus_per_node is true"),
        ([{**ROW, "collective": "all_sing"}], "collective 'all_sing' is not known"),
        ([{**ROW, "points": "many"}], "has no points"),
        ([{**ROW, "points": [7]}], "point 1 is no object"),
        ([{**ROW, "points": [{"time_us": 1}]}], "point 1 has no bytes"),
        ([{**ROW, "points": [{"bytes": 1, "time_us": -1}]}], "time_us is -1; expected a positive number"),
    ],
)
def test_what_has_no_meaning_is_one_sentence(tmp_path: Path, document: object, said: str) -> None:
    with pytest.raises(UserError) as failed:
        load(tmp_path, document)
    text = failed.value.message.english()
    assert said in text and "measured.json" in text and "\n" not in text


def entry(nodes: int = 2, gpus: int = 8, **fields: object) -> Entry:
    return Entry("e", fields, "all_reduce", nodes, gpus, (), (), True)


def test_links_that_nobody_states_are_the_usual_ones() -> None:
    """xGMI: 64 GB/s (MI300X) or 76.8 GB/s (MI35x) to each of seven others; bridges: two of 28.125 GB/s before A100's
    300 GB/s.
    """

    def rate(**fields: object) -> float:
        return hardware_of(entry(1, **fields))[0].line_gbs

    assert rate(gpu="MI300X", intra="xgmi") == pytest.approx(64 * 7)
    assert rate(gpu="MI355X", intra="xgmi") == pytest.approx(76.8 * 7)
    assert rate(gpu="A100 PCIe", intra="nvlink3-bridge") == rate(gpu="H100 NVL", intra="nvlink4-bridge") == 300
    assert rate(gpu="V100 PCIe", intra="nvlink2-bridge") == 56.25


def test_networks_that_nobody_states_are_said_to_be_assumed() -> None:
    def words(**fields: object) -> str:
        return " ".join(note.english() for note in hardware_of(entry(**fields))[1])

    assert "size is not stated; 16 GPUs assumed" in words(gpu="GB200", intra="nvlink5", fabric_kind="nvlink-domain")
    assert "TCP assumed" in words(gpu="H100", intra="nvlink4", rdma=False)
    assert "between NVLink domains is not stated" in words(
        gpu="GB200", intra="nvlink5", fabric_kind="nvlink-domain", nvlink_domain_gpus=8
    )
    assert hardware_of(entry(gpu="H100", intra="nvlink4", fabric_kind="tcpx", fabric_gen="TCPXO"))[0].fabric == "tcpxo"


def test_nvls_may_be_switched_off() -> None:
    for stated in ({"NVLS_ENABLE": "0"}, {"ALGO": "^NVLS"}):
        one = entry(gpu="H100", intra="nvlink4", nccl_settings=stated)
        hardware, _ = hardware_of(one)
        assert design_settings(one, hardware)["nccl.nvls"] == "off"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"algorithm": "flat ring x2", "collective": "all_gather"}, "flat rings on other than two levels"),
        ({"algorithm": "ring+ring+ring"}, "one algorithm per dimension is needed"),
    ],
)
def test_runs_of_the_oracle_that_cannot_be_expressed(change: dict[str, object], said: str) -> None:
    from fabricwright.performance.accuracy_oracle import load_oracle

    rows = load_oracle(Path(__file__).parents[1] / "data" / "oracle.json")
    row = next(row for row in rows if row["semantics"] == "ideal" and row["collective"] == "all_reduce")
    with pytest.raises(NotExpressed, match=said):
        predict_row({**row, **change})
