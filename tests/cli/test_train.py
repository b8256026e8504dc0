"""``train`` and ``accuracy --training`` as scripts see them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fabricwright.cli.main import main
from fabricwright.design.storage import save
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.training.presets import workload_of
from fabricwright.units.table import Table

DATA = Path(__file__).resolve().parents[1] / "data" / "training.json"


@pytest.fixture
def project(tmp_path: Path) -> str:
    drawn = TEMPLATES["seed-b-512"].build(servers=4, key_nodes=2)
    drawn = replace(drawn, workloads=drawn.workloads.put("w", workload_of("llama3-8b", gbs=64, zero=3)))
    designs = {}
    for name, design in drawn.designs.items():
        settings = Table({**design.settings, "money.gpu_hour": 10.0, "money.system": 1e6 if name == "before" else 2e6})
        designs[name] = replace(design, settings=settings)
    file = tmp_path / "p.fwproj"
    save(replace(drawn, designs=Table(designs)), file)
    return str(file)


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main([*arguments, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_train_prints_the_documented_shape(project: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "train", project, "--design", "before", "--workload", "w")
    parts = sum(float(found[name]) for name in ("compute_s", "exposed_communication_s", "bubble_s", "offload_s"))  # type: ignore[arg-type]
    assert parts == pytest.approx(found["step_time_s"])
    assert found["gpu_utilisation"] == pytest.approx(found["compute_s"] / found["step_time_s"])  # type: ignore[operator]
    assert found["communication_share"] == pytest.approx(found["exposed_communication_s"] / found["step_time_s"])  # type: ignore[operator]
    for name in ("mfu", "tokens_per_s", "days", "memory_per_gpu_bytes", "memory_per_host_bytes", "sensitivity"):
        assert name in found
    assert found["money"]["per_hour"] == 320  # type: ignore[index]


def test_train_narrows_to_the_ranks_asked_for(project: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "train", project, "--design", "before", "--workload", "w", "--nodes", "2")
    assert found["ranks"] == 16


def test_train_against_another_design(project: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "train", project, "--design", "after-network", "--workload", "w", "--against", "before")
    saving = found["saving"]
    assert isinstance(saving, dict)
    assert saving["extra_price"] == 1e6
    assert saving["per_month"]["low"] < saving["per_month"]["value"] < saving["per_month"]["high"]
    assert saving["payback_months"]["value"] > 0


def test_train_in_both_languages(project: str, capsys: pytest.CaptureFixture[str]) -> None:
    for lang in ("en", "zh_CN"):
        assert main(["train", project, "--design", "before", "--workload", "w", "--search", "3", "--lang", lang]) == 0
        assert "MFU" in capsys.readouterr().out


@pytest.mark.parametrize("workload", ["none-such", "w"])
def test_train_complains_in_one_line(workload: str, project: str, capsys: pytest.CaptureFixture[str]) -> None:
    nodes = [] if workload == "none-such" else ["--nodes", "99999"]
    assert main(["train", project, "--workload", workload, *nodes]) in (0, 2)
    captured = capsys.readouterr()
    assert len(captured.err.splitlines()) <= 1


def test_accuracy_of_training_meets_its_target(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "accuracy", "--training", str(DATA))["training"]
    assert isinstance(found, dict)
    assert found["n"] >= 170
    assert found["median_abs"] <= 0.08
    alone = [r for r in json.loads(DATA.read_text("utf-8")) if "2205.05198" in r["source"]]
    rows = {r["id"]: r for r in found["rows"]}
    errors = [abs(rows[r["id"]]["predicted_s"] / rows[r["id"]]["measured_s"] - 1) for r in alone]
    assert np.mean(errors) <= 0.04


def test_names_and_order_do_not_matter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(DATA.read_text("utf-8"))[::9]
    whole = _json(capsys, "accuracy", "--training", _file(tmp_path, rows))["training"]
    renamed = [{**row, "id": f"r{n}", "source": "elsewhere"} for n, row in enumerate(rows)][::-1]
    other = _json(capsys, "accuracy", "--training", _file(tmp_path, renamed))["training"]
    seen, again = (sorted(r["predicted_s"] for r in found["rows"]) for found in (whole, other))  # type: ignore[index]
    assert seen == pytest.approx(again)


def _file(folder: Path, rows: object) -> str:
    path = folder / "t.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return str(path)


BARE = {"id": "x", "gpu": "H100", "gpus": 64, "layers": 32, "hidden": 4096, "seq": 4096, "gbs": 256, "step_time_s": 1.0}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"gpu": "Abacus 9000"}, "not known"),
        ({"gpu": None}, "not known"),
        ({"gbs": None}, "not stated"),
        ({"seq": "long"}, "not stated"),
        ({"layers": None, "model": "unheard of"}, "shape is not stated"),
        ({"gpus": 0}, "not stated"),
        ({"tp": 7, "pp": 1}, "does not divide"),
    ],
)
def test_what_cannot_be_predicted_is_said(
    change: dict[str, object], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = _json(capsys, "accuracy", "--training", _file(tmp_path, [{**BARE, **change}]))["training"]
    assert isinstance(found, dict)
    assert found["n"] == 0 and found["median_abs"] is None
    assert any(word in reason for reason in found["not_expressed"]), found["not_expressed"]


def test_bare_rows_are_predicted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [BARE, {**BARE, "unknown": [1], "tp": None, "vpp": "x", "precision": None, "interconnect": 7}]
    found = _json(capsys, "accuracy", "--training", _file(tmp_path, rows))["training"]
    assert isinstance(found, dict)
    assert found["n"] == 2


@pytest.mark.parametrize("text", ["{}", "[1]", "nonsense", ""])
def test_bad_files_are_one_sentence(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text, encoding="utf-8")
    assert main(["accuracy", "--training", str(file)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
