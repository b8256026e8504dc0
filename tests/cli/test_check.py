"""``check``: the filters of the problems panel, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def rules(run: Run, *arguments: str) -> list[str]:
    _, out, _ = run("check", *arguments, "--json")
    return [row["rule"] for row in json.loads(out)["findings"]]


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        (("--severity", "error"), lambda row: row["severity"] == "error"),
        (("--severity", "error", "--severity", "info"), lambda row: row["severity"] in ("error", "info")),
        (("--sheet", "node"), lambda row: row["sheet"] == "node"),
        (("--group", "gpu4"), lambda row: any(at.endswith("gpu4") for at in row["at"])),
        (("--find", "P2P"), lambda row: "P2P" in row["rule"] or "p2p" in row["message"].lower()),
    ],
)
def test_filters_keep_what_they_name(run: Run, files: dict[str, str], filters, kept) -> None:
    everything = json.loads(run("check", files["seed-a-256x8"], "--json")[1])["findings"]
    wanted = [row["rule"] for row in everything if kept(row)]
    assert wanted and len(wanted) < len(everything)
    assert rules(run, files["seed-a-256x8"], *filters) == wanted


def test_filters_decide_the_exit_code_too(run: Run, files: dict[str, str]) -> None:
    assert run("check", files["seed-a-256x8"])[0] == 1
    assert run("check", files["seed-a-256x8"], "--severity", "warning")[0] == 0


def test_facts_are_printed_when_they_are_what_is_asked_for(run: Run, files: dict[str, str]) -> None:
    _, out, _ = run("check", files["seed-a-256x8"], "--severity", "fact")
    lines = out.splitlines()
    assert len(lines) > 1 and all(line.startswith("fact ") for line in lines[:-1])
    assert lines[-1].endswith(f"facts: {len(lines) - 1}")


def test_another_catalogue_is_told(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    data = json.loads(Path(files["seed-a-256x8"]).read_text(encoding="utf-8"))
    data["parts"]["lrsv9500-4i"]["note"] = "another revision"
    other = tmp_path / "other.fwproj"
    other.write_text(json.dumps(data), encoding="utf-8")
    sentence = "Parts of the project that differ from this catalogue: lrsv9500-4i; the project's own copies count."
    assert run("check", str(other))[1].splitlines()[-1] == sentence
    assert sentence not in run("check", files["seed-a-256x8"])[1]


def test_filters_look_at_the_text_in_the_language_of_the_output(run: Run, files: dict[str, str]) -> None:
    _, out, _ = run("check", files["seed-a-256x8"], "--find", "主机内存", "--lang", "zh_CN")
    assert "P2P-03" in out
