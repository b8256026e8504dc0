"""``train`` and ``accuracy --training`` as scripts see them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fabricwright.cli.main import main
from fabricwright.design.storage import load, save
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.training.plan import Plan
from fabricwright.design.values import Price
from fabricwright.performance.training.search import layout_words
from fabricwright.units.table import Table
from tests.performance.samples import workload_of

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


def test_train_has_the_documented_keys_and_its_shares_leave_room(
    project: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The keys of docs/interfaces.md, whatever the layout."""
    times = ["step_time_s", "compute_s", "exposed_communication_s", "bubble_s", "offload_s", "days"]
    bands = ["step_time_s_low", "step_time_s_high", "days_low", "days_high"]
    shares = ["mfu", "gpu_utilisation", "communication_share", "tokens_per_s"]
    tables = ["memory_per_gpu_bytes", "memory_per_host_bytes", "sensitivity", "communication", "notes", "money"]
    about = ["design", "workload", "plan", "ranks"]
    for design in ("before", "after-network"):
        found = _json(capsys, "train", project, "--design", design, "--workload", "w")
        assert set(found) == {*times, *bands, *shares, *tables, *about}
        assert 0 < float(found["gpu_utilisation"]) + float(found["communication_share"]) <= 1  # type: ignore[arg-type]
        assert all(set(row) == {"change", "step_time_s"} for row in found["sensitivity"])  # type: ignore[attr-defined]
        assert all(isinstance(row["change"], str) for row in found["sensitivity"])  # type: ignore[attr-defined]


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


@pytest.fixture
def priced(project: str) -> str:
    """The same with prices of parts instead of a stated price of the system."""
    drawn = load(Path(project))
    designs = {}
    for name, design in drawn.designs.items():
        settings = {key: value for key, value in design.settings.items() if key != "money.system"}
        designs[name] = replace(design, settings=Table(settings))
    amounts = {"lres1260pf-2qsfp112": 9000.0, "dgx-h100": 2e6}
    rows = {part: Price(part, amount, "CNY", "list", "2026-01-01") for part, amount in amounts.items()}
    save(replace(drawn, designs=Table(designs), prices=Table(rows)), Path(project))
    return project


def test_payback_from_the_parts_list(priced: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Four servers, one new NIC of 9,000 in each; the old one comes with the server."""
    found = _json(capsys, "train", priced, "--design", "after-network", "--workload", "w", "--against", "before")
    saving = found["saving"]
    assert isinstance(saving, dict)
    assert saving["extra_price"] == 36000
    month, back = saving["per_month"], saving["payback_months"]
    assert back["value"] == pytest.approx(36000 / month["value"])
    assert back["low"] == pytest.approx(36000 / month["high"])
    assert any("no price" in note for note in saving["notes"])


def test_payback_without_any_price_is_not_known(project: str, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = load(Path(project))
    designs = {n: replace(d, settings=Table({"money.gpu_hour": 10.0})) for n, d in drawn.designs.items()}
    save(replace(drawn, designs=Table(designs)), Path(project))
    found = _json(capsys, "train", project, "--design", "after-network", "--workload", "w", "--against", "before")
    saving = found["saving"]
    assert isinstance(saving, dict)
    assert saving["extra_price"] is None and saving["payback_months"]["value"] is None and saving["notes"]
    assert saving["per_month"]["value"] != 0


def test_layouts_are_told_in_chinese() -> None:
    plan = Plan(tp=8, pp=4, dp=2, vpp=2, mbs=1, gbs=64, zero=1, recompute="full")
    words = layout_words(plan)
    assert words.english() == "TP 8 x PP 4 x DP 2, micro-batch 1, interleaved 2, ZeRO-1, full recomputation"
    assert words.text("zh_CN") == "TP 8 x PP 4 x DP 2，微批 1，交错 2 段，ZeRO-1，全量重计算"


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
