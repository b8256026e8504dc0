"""``fabricwright diagram --sheet racks``: the rack pages asked for like a sheet."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_racks_are_a_sheet_of_their_own(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "racks.svg"
    code, out, err = run("diagram", files["seed-b-512"], "--sheet", "racks", "-o", str(target), "--json")
    assert code == 0, err
    assert [(row["sheet"], Path(row["file"]).name) for row in json.loads(out)["sheets"]] == [("racks", "racks.svg")]
    drawn = target.read_text(encoding="utf-8")
    # Eight racks of four servers fold into one; the network rack is another kind.
    assert "× 8" in drawn and "40.8 / 60 kW" in drawn and "n01" in drawn


def test_racks_follow_the_sheets_that_are_named(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "both.svg"
    code, out, err = run(
        "diagram", files["seed-b-512"], "--sheet", "racks,fabric", "--findings", "-o", str(target), "--json"
    )
    assert code == 0, err
    assert [row["sheet"] for row in json.loads(out)["sheets"]] == ["fabric", "racks"]
    assert (tmp_path / "both-racks.svg").exists()
