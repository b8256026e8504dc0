"""``size``: what is written, what is printed, what is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_reference_as_json_and_file(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "a.fwproj")
    arguments = ("--gpus", "248", "--server", "DGX-H100", "--leaf", "QM9700", "--ufm", "4", "--alternatives", "1")
    code, out, err = run("size", *arguments, "-o", file, "--json")
    assert (code, err) == (0, "")
    rows = json.loads(out)["alternatives"]
    row = rows[0]
    assert (row["tiers"], row["planes"], row["servers"], row["gpus"]) == (2, 1, 31, 248)
    assert row["leaf"] == {"part": "qm9700", "count": 8}
    assert row["spine"] == {"part": "qm9700", "count": 4}
    assert row["core"] is None
    assert row["cables"] == {
        "node_leaf": {"links": 252, "cables": 252},
        "leaf_spine": {"links": 256, "cables": 256},
        "spine_core": None,
    }
    for figure in ("power_w", "rack_units", "all_reduce_busbw_gbs", "all_to_all_busbw_gbs", "worst_failure_ratio"):
        assert row[figure] > 0
    assert row["cost"] is None
    code, out, _ = run("check", file, "--json")
    assert code == 0 and json.loads(out)["counts"]["error"] == 0
    code, out, _ = run("cables", file, "--json")
    assert len(json.loads(out)["cables"]) == 252 + 256


def test_table(run: Run) -> None:
    code, out, _ = run("size", "--gpus", "64", "--grow-to", "128", "--alternatives", "2")
    assert code == 0
    assert "8 servers dgx-h100" in out and "Growing to 128 GPUs" in out


def test_chinese(run: Run) -> None:
    code, out, _ = run("size", "--gpus", "16", "--alternatives", "1", "--lang", "zh_CN")
    assert code == 0 and "GPU" in out and "servers" not in out


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--gpus", "0"),
        ("--gpus", "-3"),
        ("--gpus", "1e9"),
        ("--gpus", "x"),
        ("--gpus", ""),
        ("--gpus", "99999999999999999999"),
        ("--gpus", "4000000"),
        ("--gpus", "8", "--server", ""),
        ("--gpus", "8", "--server", "nothing-like-it"),
        ("--gpus", "8", "--oversubscription", "0.5"),
        ("--gpus", "8", "--oversubscription", "0"),
        ("--gpus", "8", "--oversubscription", "3:0"),
        ("--gpus", "8", "--oversubscription", "nan"),
        ("--gpus", "8", "--oversubscription", "1,,2"),
        ("--gpus", "8", "--planes", "7"),
        ("--gpus", "8", "--tiers", "4"),
        ("--gpus", "8", "--tiers", "0"),
        ("--gpus", "8", "--rack-kw", "0"),
        ("--gpus", "8", "--rack-kw", "inf"),
        ("--gpus", "8", "--rack-u", "61"),
        ("--gpus", "8", "--rack", "qm9700"),
        ("--gpus", "8", "--max-cable-m", "0.1"),
        ("--gpus", "8", "--networks", "compute,other"),
        ("--gpus", "8", "--switches", "qm9700,nope"),
        ("--gpus", "8", "--alternatives", "0"),
        ("--gpus", "8", "--sizes", "1X"),
        ("--gpus", "8", "--ufm", "5000"),
        ("--gpus", "8", "--medium", "token-ring"),
        ("--gpus", "100", "--grow-to", "99"),
    ],
)
def test_refused_in_one_line(run: Run, arguments: tuple[str, ...]) -> None:
    code, out, err = run("size", *arguments)
    assert code == 2
    assert out == "" and err.count("\n") == 1 and "Internal error" not in err


def test_growth_to_fewer_gpus_than_today(run: Run) -> None:
    arguments = ("size", "--servers", "16", "--alternatives", "1")  # 16 DGX H100 of 8 GPUs: 128
    code, out, err = run(*arguments, "--grow-to", "127")
    assert (code, out) == (2, "")
    assert "Growth to 127 GPUs is less than the 128 GPUs of today; expected at least as many.\n" in err
    assert "扩展目标 127 块 GPU 少于目前的 128 块" in run(*arguments, "--grow-to", "127", "--lang", "zh_CN")[2]
    assert run(*arguments, "--grow-to", "128")[0] == 0


@pytest.mark.parametrize("gpus", ["1", "7", "9", "61", "509"])
def test_odd_numbers(run: Run, gpus: str) -> None:
    code, out, _ = run("size", "--gpus", gpus, "--alternatives", "1", "--json")
    assert code == 0
    row = json.loads(out)["alternatives"][0]
    assert row["gpus"] >= int(gpus) and row["findings"]["error"] == 0
