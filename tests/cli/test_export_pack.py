"""``fabricwright export-pack``: all jobs or none, the same bytes, and what a person put into the folder stays."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fabricwright.cli import painting
from fabricwright.design import storage
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from tests.cli.conftest import Run

pytestmark = pytest.mark.gui


@pytest.fixture(autouse=True)
def painted() -> None:
    """What the entry point does before it runs a command."""
    from fabricwright.ui.paint import ink_files

    painting.install(lambda: ink_files)


def with_jobs(tmp_path: Path, jobs: dict[str, dict[str, object]], template: str = "single-8gpu") -> str:
    project = TEMPLATES[template].build()
    project = apply(project, EDITS["set_jobs"](project, jobs=jobs))
    path = tmp_path / "jobs.fwproj"
    storage.save(project, path)
    return str(path)


TWO = {
    "parts": {"kind": "bom", "options": {"format": "csv", "name": "{project} parts {language}"}},
    "lanes": {"kind": "slots", "options": {"format": "json"}},
    "later": {"kind": "racks", "options": {"off": True}},
}


def names(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def test_the_usual_pack_has_what_the_template_has_to_tell(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    code, out, err = run("export-pack", files["seed-b-512"], "-o", str(folder), "--json")
    assert code == 0, err
    told = json.loads(out)
    kinds = {row["job"] for row in told["files"]}
    expected = {"report", "diagram", "bom", "cables", "labels", "slots", "racks", "predictions", "compliance"}
    assert kinds >= expected and "settings-nccl" in kinds
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["format"] == "fabricwright-pack" and manifest["date"] == ""
    assert {row["name"] for row in manifest["files"]} | {"manifest.json"} == names(folder)
    for row in manifest["files"]:
        data = (folder / row["name"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == row["sha256"] and len(data) == row["bytes"]
    assert "README.txt" in names(folder)


def test_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    jobs = {"d": {"kind": "diagram", "options": {}}, "b": {"kind": "bom", "options": {}}, **TWO}
    jobs |= {"p": {"kind": "predictions", "options": {}}}
    file = with_jobs(tmp_path, jobs)
    packs = []
    for seed in ("1", "2"):
        folder = tmp_path / f"pack{seed}"
        around = {**os.environ, "PYTHONHASHSEED": seed, "QT_QPA_PLATFORM": "offscreen"}
        words = [sys.executable, "-m", "fabricwright", "export-pack", file, "-o", str(folder), "--lang", "zh_CN"]
        subprocess.run(words, check=True, env=around, timeout=240, capture_output=True)
        packs.append({name: (folder / name).read_bytes() for name in names(folder)})
    assert packs[0] == packs[1]


def test_saved_jobs_are_what_is_done(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    code, _, err = run("export-pack", with_jobs(tmp_path, TWO), "-o", str(folder))
    assert code == 0, err
    title = TEMPLATES["single-8gpu"].build().title
    assert names(folder) == {f"{title} parts en.csv", f"{title}-slots.json", "manifest.json", "README.txt"}
    code, _, err = run("export-pack", with_jobs(tmp_path, TWO), "-o", str(tmp_path / "one"), "--only", "lanes")
    assert code == 0 and f"{title} parts en.csv" not in names(tmp_path / "one")


def test_a_job_that_cannot_be_done_leaves_nothing(run: Run, tmp_path: Path) -> None:
    file = with_jobs(tmp_path, {**TWO, "s": {"kind": "settings", "options": {"format": "sonic"}}})
    folder = tmp_path / "pack"
    code, _, err = run("export-pack", file, "-o", str(folder))
    assert code == 2 and "jobs.s" in err and err.count("\n") == 1
    assert not folder.exists()


def test_a_later_pack_replaces_its_own_files_only(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    assert run("export-pack", with_jobs(tmp_path, TWO), "-o", str(folder))[0] == 0
    (folder / "mine.txt").write_text("mine")
    title = TEMPLATES["single-8gpu"].build().title
    parts = folder / f"{title} parts en.csv"
    only = {"lanes": TWO["lanes"]}
    assert run("export-pack", with_jobs(tmp_path, only), "-o", str(folder))[0] == 0
    assert not parts.exists() and (folder / "mine.txt").read_text() == "mine"
    # what a person changed since is not written over, and nothing else is either
    slots = folder / f"{title}-slots.json"
    slots.write_text("changed")
    before = (folder / "manifest.json").read_bytes()
    code, _, err = run("export-pack", with_jobs(tmp_path, TWO), "-o", str(folder))
    assert code == 2 and "changed since" in err and slots.read_text() == "changed"
    assert (folder / "manifest.json").read_bytes() == before and not parts.exists()
    assert run("export-pack", with_jobs(tmp_path, TWO), "-o", str(folder), "--replace")[0] == 0
    assert slots.read_text() != "changed" and parts.exists()


def test_a_folder_with_other_files_of_the_same_names_is_left_alone(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "README.txt").write_text("about my things")
    code, _, err = run("export-pack", with_jobs(tmp_path, TWO), "-o", str(folder))
    assert code == 2 and "README.txt" in err and names(folder) == {"README.txt"}
    code, _, err = run("export-pack", with_jobs(tmp_path, TWO), "-o", str(folder / "README.txt"))
    assert code == 2 and "expected a folder" in err


def test_a_hostile_manifest_deletes_nothing_outside(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    folder.mkdir()
    victim = tmp_path / "victim.txt"
    victim.write_text("v")
    checksum = hashlib.sha256(b"v").hexdigest()
    rows = [{"name": name, "sha256": checksum} for name in ("../victim.txt", str(victim), "..\\victim.txt", "a/../..")]
    listed = {"format": "fabricwright-pack", "files": rows}
    (folder / "manifest.json").write_text(json.dumps(listed))
    assert run("export-pack", with_jobs(tmp_path, TWO), "-o", str(folder), "--replace")[0] == 0
    assert victim.exists()


def test_jobs_of_one_name_get_names_of_their_own(run: Run, tmp_path: Path) -> None:
    jobs = {
        "en": {"kind": "slots", "options": {"format": "csv", "language": "en"}},
        "zh": {"kind": "slots", "options": {"format": "csv", "language": "zh_CN"}},
        "more": {"kind": "slots", "options": {"format": "csv", "name": "README", "language": "en"}},
        "again": {"kind": "slots", "options": {"format": "csv", "name": "../../x/..", "language": "en"}},
    }
    folder = tmp_path / "pack"
    assert run("export-pack", with_jobs(tmp_path, jobs), "-o", str(folder))[0] == 0
    title = TEMPLATES["single-8gpu"].build().title
    assert {f"{title}-slots.csv", f"{title}-slots-zh_CN.csv", "README.csv"} <= names(folder)
    assert not any(".." in name for name in names(folder)) and len(names(folder)) == 6


@pytest.mark.parametrize(
    ("job", "told"),
    [
        ({"kind": "nonsense"}, "'nonsense' is not a kind"),
        ({"kind": "bom", "options": {"format": "docx"}}, "docx"),
        ({"kind": "bom", "options": {"colour": "red"}}, "colour"),
        ({"kind": "bom", "options": {"name": "{secret}"}}, "secret"),
        ({"kind": "bom", "options": {"design": "--json"}}, "--json"),
    ],
)
def test_jobs_written_by_hand_are_checked(run: Run, tmp_path: Path, job: dict[str, object], told: str) -> None:
    document = json.loads(storage.dumps(TEMPLATES["single-8gpu"].build()))
    document["jobs"] = {"one": job}
    path = tmp_path / "hand.fwproj"
    path.write_text(json.dumps(document))
    code, _, err = run("export-pack", str(path), "-o", str(tmp_path / "pack"))
    assert code == 2 and told in err and err.count("\n") == 1, err
    assert not (tmp_path / "pack").exists()
