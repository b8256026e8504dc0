"""``fabricwright compliance``: printed, as CSV and as JSON, in both languages."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from tests.cli.conftest import Run


def test_prints_an_answer_to_every_statement(run: Run, files: dict[str, str]) -> None:
    code, out, err = run("compliance", files["seed-a-256x8"])
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) == 2 * 16 + 1
    assert "160 lanes" in out
    assert lines[-1] == "6 met, 1 partly met, 8 not met, 1 not judged"


def test_writes_csv_and_json(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    table, document = tmp_path / "answers.csv", tmp_path / "answers.json"
    code, out, _ = run("compliance", files["seed-b-512"], "--design", "after", "-o", str(table))
    assert code == 0
    assert "28 statements" in out
    with table.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 28
    assert rows[8]["Answer"] == "not met"
    assert rows[8]["Evidence"] == "320 GPUs (32 x 10), 512 stated: 192 missing."
    assert run("compliance", files["seed-b-512"], "--design", "after", "-o", str(document))[0] == 0
    assert json.loads(document.read_text(encoding="utf-8"))["design"] == "after"


def test_json(run: Run, files: dict[str, str]) -> None:
    code, out, _ = run("compliance", files["superpod-h100-127"], "--json")
    assert code == 0
    found = json.loads(out)
    assert found["counts"] == {"met": 3, "partly": 0, "not met": 0, "unknown": 0}
    assert [row["answer"] for row in found["rows"]] == ["met"] * 3


def test_a_project_without_statements(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    code, out, _ = run("compliance", files["single-8gpu"])
    assert code == 0
    assert out.splitlines()[-1] == "0 met, 0 partly met, 0 not met, 0 not judged"
    code, _, _ = run("compliance", files["single-8gpu"], "-o", str(tmp_path / "empty.csv"), "--lang", "zh_CN")
    assert code == 0
    assert (tmp_path / "empty.csv").read_bytes().startswith("\ufeff".encode())


def test_bad_input_is_one_line(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    for arguments in (
        ("compliance", str(tmp_path / "missing.fwproj")),
        ("compliance", files["seed-a-256x8"], "-o", str(tmp_path / "x.pdf")),
        ("compliance", files["seed-a-256x8"], "--design", "nope"),
    ):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 1
