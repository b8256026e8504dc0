"""Export packs of both seeds in both languages, read by other programs: every part number and label is found, fonts are
embedded."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.test_foreign import fabricwright, tool

pytestmark = [pytest.mark.foreign, pytest.mark.e2e, pytest.mark.gui]

PACKS = [("seed-a-256x8", "en"), ("seed-a-256x8", "zh_CN"), ("seed-b-512", "en"), ("seed-b-512", "zh_CN")]


@pytest.fixture(scope="module", params=PACKS, ids=["-".join(p) for p in PACKS])
def pack(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """(project, folder, language)."""
    template, lang = request.param
    folder = tmp_path_factory.mktemp("pack")
    project = folder / "plan.fwproj"
    fabricwright("new", template, "-o", str(project))
    fabricwright("export-pack", str(project), "-o", str(folder / "out"), "--lang", lang)
    return project, folder / "out", lang


def command(*words: str) -> dict[str, list[dict[str, object]]]:
    made = subprocess.run(
        [sys.executable, "-m", "fabricwright", *words, "--json"], capture_output=True, encoding="utf-8", timeout=120
    )
    found: dict[str, list[dict[str, object]]] = json.loads(made.stdout)
    return found


def read(pdf: Path, *options: str) -> str:
    made = subprocess.run([tool("pdftotext"), *options, str(pdf), "-"], capture_output=True, check=True, timeout=120)
    return made.stdout.decode("utf-8")


def flat(text: str) -> str:
    return re.sub(r"\s+", "", text)


def of_kind(folder: Path, kind: str) -> Path:
    listed = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"]
    return folder / next(row["name"] for row in listed if row["kind"] == kind)


def test_pdftotext_finds_every_part_number(pack: tuple[Path, Path, str]) -> None:
    project, folder, lang = pack
    lines = command("bom", str(project))["lines"]
    report = flat(read(of_kind(folder, "report"), "-raw"))
    diagram = flat(read(of_kind(folder, "diagram"), "-raw"))
    for line in lines:
        assert flat(str(line["part"])) in report, line["part"]
        assert flat(str(line["model"] or line["part"])) in diagram, line["part"]
    assert ("物料清单" if lang == "zh_CN" else "Billofmaterials") in report


def test_pdftotext_finds_every_cable_label(pack: tuple[Path, Path, str]) -> None:
    project, folder, _ = pack
    text = flat(read(of_kind(folder, "labels"), "-raw"))
    cables = command("cables", str(project))["cables"]
    assert len(cables) > 100
    for row in cables:
        assert flat(str(row["id"])) in text, row["id"]


@pytest.mark.parametrize("kind", ["report", "diagram", "labels"])
def test_pdffonts_says_that_every_font_is_embedded(pack: tuple[Path, Path, str], kind: str) -> None:
    made = subprocess.run([tool("pdffonts"), str(of_kind(pack[1], kind))], capture_output=True, check=True, timeout=60)
    rows = made.stdout.decode().splitlines()[2:]
    assert rows
    for row in rows:
        # name type encoding emb sub uni object ID: the columns count from the right
        assert row.split()[-5] == "yes" and row.split()[-3] == "yes", row


def test_pdftoppm_draws_every_page(pack: tuple[Path, Path, str], tmp_path: Path) -> None:
    book = of_kind(pack[1], "report")
    subprocess.run([tool("pdftoppm"), "-r", "20", "-png", str(book), str(tmp_path / "p")], check=True, timeout=120)
    info = subprocess.run([tool("pdfinfo"), str(book)], capture_output=True, check=True, timeout=60).stdout.decode()
    pages = int(re.search(r"Pages:\s+(\d+)", info)[1])  # type: ignore[index]
    assert len(list(tmp_path.glob("p*.png"))) == pages > 15


def test_predictions_are_a_table_that_others_read(pack: tuple[Path, Path, str]) -> None:
    text = of_kind(pack[1], "predictions").read_text(encoding="utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert len({len(row) for row in rows}) == 1 and {row[0] for row in rows[1:]} >= {"all_reduce", "all_to_all"}
