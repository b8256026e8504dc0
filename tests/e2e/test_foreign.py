"""What the program writes, opened by other people's programs; each test skips where its program is not installed."""

from __future__ import annotations

import csv
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.foreign, pytest.mark.e2e]


def fabricwright(*arguments: str) -> None:
    """Run a subcommand that has to work."""
    command = [sys.executable, "-m", "fabricwright", *arguments]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)
    assert result.returncode == 0, result.stderr


def tool(name: str) -> str:
    """Path of another program, or a skip."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("foreign") / "案例 plan.fwproj"
    fabricwright("new", "pcie-4gpu-1nic", "-o", str(path))
    return path


@pytest.fixture(scope="module")
def diagram(project: Path) -> Path:
    path = project.with_suffix(".svg")
    fabricwright("diagram", str(project), "-o", str(path))
    return path


def test_rsvg_draws_the_diagram(diagram: Path, tmp_path: Path) -> None:
    """A PNG starts with 8 signature bytes and the IHDR chunk; width and height are its first 8 bytes, big-endian."""
    target = tmp_path / "diagram.png"
    subprocess.run([tool("rsvg-convert"), "--width", "800", str(diagram), "-o", str(target)], check=True, timeout=120)
    head = target.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", head[16:24])
    assert width == 800
    assert height > 50


def test_xmllint_finds_the_diagram_well_formed(diagram: Path) -> None:
    subprocess.run([tool("xmllint"), "--noout", "--nonet", str(diagram)], check=True, timeout=60)


@pytest.mark.slow
def test_libreoffice_opens_the_bill_of_materials(project: Path, tmp_path: Path) -> None:
    """Read as UTF-8 with commas (76, 44) and written again, the table has the same rows."""
    office = tool("soffice")
    source = tmp_path / "bom.csv"
    fabricwright("bom", str(project), "-o", str(source))
    command = [office, f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless", "--convert-to"]
    command += ["csv:Text - txt - csv (StarCalc):44,34,76", "--infilter=CSV:44,34,76"]
    command += ["--outdir", str(tmp_path / "again"), str(source)]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    with (
        source.open(encoding="utf-8-sig", newline="") as ours,
        (tmp_path / "again" / "bom.csv").open(encoding="utf-8-sig", newline="") as theirs,
    ):
        before, after = list(csv.reader(ours)), list(csv.reader(theirs))
    assert len(before) > 3
    assert [len(row) for row in after] == [len(row) for row in before]
    assert [row[0] for row in after] == [row[0] for row in before]
