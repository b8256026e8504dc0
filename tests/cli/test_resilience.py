"""``resilience`` and ``predict --fail``: what is printed, what is refused in one line."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run


def test_case_study_as_json(run: Run, files: dict[str, str]) -> None:
    code, out, err = run("resilience", files["pcie-4gpu-1nic"], "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["design"] and document["collective"] == "all_reduce" and document["bytes"] == 1 << 30
    kinds = {row["kind"] for row in document["failures"]}
    assert kinds == {"link", "nic", "leaf", "server", "gpu"}
    assert {row["address"] for row in document["single_points_of_failure"]} >= {"leaf"}
    assert document["single_failures"] == sum(row["count"] for row in document["failures"])


def test_table_and_sentences(run: Run, files: dict[str, str]) -> None:
    code, out, _ = run("resilience", files["seed-b-512"], "--nodes", "4", "--collective", "all_to_all", "--size", "64M")
    assert code == 0
    assert "all_to_all of 64 MiB, 32 ranks" in out
    assert "Single point of failure: node[" in out and "single failures of" in out


def test_chinese(run: Run, files: dict[str, str]) -> None:
    code, out, _ = run("resilience", files["single-8gpu"], "--lang", "zh_CN")
    assert code == 0 and "GPU" in out and "single failures" not in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--size", "1G,2G"), "--size: expected one size"),
        (("--size", "much"), "much"),
        (("--collective", "all_hands"), "not one of"),
        (("--design", "none"), "none"),
    ],
)
def test_bad_usage_is_one_line(run: Run, files: dict[str, str], arguments: tuple[str, ...], sentence: str) -> None:
    code, out, err = run("resilience", files["single-8gpu"], *arguments)
    assert (code, out) == (2, "")
    assert sentence in err and err.count("\n") == 1


def test_a_cut_fabric_names_the_ranks(run: Run, files: dict[str, str]) -> None:
    code, out, err = run("predict", files["seed-a-256x8"], "--nodes", "65", "--fail", "spine")
    assert (code, out) == (2, "")
    assert "The compute network is cut: ranks 0-511 (node[0], node[1], node[2], node[3] and 60 more)" in err
    assert "ranks 512-519 (node[64]) cannot reach each other" in err


def test_a_lost_nic_of_one_names_its_ranks(run: Run, files: dict[str, str]) -> None:
    code, _, err = run("predict", files["seed-b-512"], "--nodes", "2", "--fail", "node[1]")
    assert code == 0 and err == ""
    code, _, err = run("predict", files["pcie-4gpu-1nic"], "--fail", "node[1]/nic0")
    assert code == 2 and "ranks 4-7 (node[1]) cannot reach each other" in err


def test_hashing_is_in_the_rows(run: Run, files: dict[str, str]) -> None:
    code, out, _ = run("predict", files["seed-a-256x8"], "--collective", "all_to_all", "--sizes", "1G", "--json")
    assert code == 0
    row = json.loads(out)["rows"][0]
    assert row["slowest_flow"]["mode"] == "hash" and row["slowest_flow"]["queue_pairs"] == 4
    code, out, _ = run("predict", files["superpod-h100-127"], "--sizes", "1G", "--json")
    assert code == 0 and json.loads(out)["rows"][0]["slowest_flow"] is None
