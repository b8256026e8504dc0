"""``compare`` and ``diff`` from the outside: exit codes, JSON, both languages, files that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabricwright.cli.main import main
from fabricwright.design import storage
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES


@pytest.fixture(scope="module")
def seed_b(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("compare") / "b.fwproj"
    assert main(["new", "seed-b-512", "-o", str(path)]) == 0
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_compare_prints_tables(seed_b: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "compare", str(seed_b), "--designs", "before,after-network")
    assert (code, err) == (0, "")
    assert "All-reduce busbw" in out and "× 2.0" in out and "lres1260pf-2qsfp112" in out
    code, chinese, _ = run(capsys, "compare", str(seed_b), "--designs", "before,after-network", "--lang", "zh_CN")
    assert code == 0 and "物料清单" in chinese and "Bill of materials" not in chinese


def test_compare_json(seed_b: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "compare", str(seed_b), "--json")
    document = json.loads(out)
    assert code == 0
    assert [side["design"] for side in document["sides"]] == ["before", "after-network", "after"]
    assert set(document) == {"sides", "settings", "figures", "designs", "curves", "differences", "claims", "binds"}
    row = next(r for r in document["figures"] if r["key"] == "all_reduce_busbw")
    assert row["unit"] == "B/s" and row["deltas"][0]["verdict"] == "better"


def test_compare_writes_a_page(seed_b: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "x.svg"
    assert run(capsys, "compare", str(seed_b), "--designs", "before,after", "-o", str(target))[0] == 0
    assert target.read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--designs", "before,nowhere"), "nowhere"),
        (("--designs", "before"), "two designs"),
        (("--size", "1X"), "1X"),
        (("-o", "x.docx"), ".docx"),
    ],
)
def test_compare_refuses(
    seed_b: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], word: str
) -> None:
    code, out, err = run(capsys, "compare", str(seed_b), *arguments)
    assert (code, out) == (2, "")
    assert word in err and err.count("\n") == 1


def test_diff_of_a_file_with_itself_is_empty(seed_b: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "diff", str(seed_b), str(seed_b), "--json")
    document = json.loads(out)
    assert code == 0 and document["empty"] and document["designs"] == []
    assert "same project" in run(capsys, "diff", str(seed_b), str(seed_b))[1]


def test_diff_of_two_versions(seed_b: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    smaller = tmp_path / "smaller.fwproj"
    assert main(["new", "seed-b-512", "-o", str(smaller), "--set", "servers=24"]) == 0
    code, out, _ = run(capsys, "diff", str(seed_b), str(smaller), "--json")
    document = json.loads(out)
    assert code == 0 and not document["empty"] and len(document["designs"]) == 3
    rows = {r["part"]: r["delta"] for r in document["designs"][0]["differences"][0]["bom"]}
    assert rows["dgx-h100"] == -8  # 32 servers, 24 servers


def test_diff_of_quite_different_projects(seed_b: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.fwproj"
    assert main(["new", "pcie-4gpu-1nic", "-o", str(other)]) == 0
    code, out, err = run(capsys, "diff", str(seed_b), str(other))
    assert (code, err) == (0, "")
    assert "after-network" in out


@pytest.mark.parametrize("content", [None, b"not a project", b"{}", b"\xff\xfe\x00"])
def test_diff_with_an_unreadable_second_file(
    seed_b: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None
) -> None:
    bad = tmp_path / "bad.fwproj"
    if content is not None:
        bad.write_bytes(content)
    code, out, err = run(capsys, "diff", str(seed_b), str(bad))
    assert (code, out) == (2, "")
    assert "bad.fwproj" in err and err.count("\n") == 1 and "Traceback" not in err


def test_diff_with_a_snapshot_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = TEMPLATES["pcie-4gpu-1nic"].build(servers="3")
    edits = (
        ("take_snapshot", {"title": "before the meeting", "time": "2026-11-30T09:00:00+08:00"}),
        ("set_count", {"design": "main", "sheet": "fabric", "item": "node", "count": 4}),
    )
    for name, arguments in edits:
        project = apply(project, EDITS[name](project, **arguments))
    path = tmp_path / "plan.fwproj"
    storage.save(project, path)
    code, out, _err = run(capsys, "diff", f"{path}@before the meeting", str(path), "--json")
    told = json.loads(out)
    assert code == 0 and told["files"][0].endswith("@before the meeting")
    assert [row["id"] for row in told["designs"][0]["differences"][0]["drawing"] if row["table"] == "items"] == ["node"]
    code, out, _err = run(capsys, "diff", f"{path}@snapshot0", f"{path}@snapshot0", "--json")
    assert code == 0 and json.loads(out)["empty"]
    code, _out, err = run(capsys, "diff", f"{path}@nothing", str(path))
    assert code == 2 and "Snapshot 'nothing' does not exist; there are snapshot0." in err
