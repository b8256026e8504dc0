"""Workbooks and label sheets, opened by LibreOffice and pdftotext; each test skips where its program is missing."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.foreign, pytest.mark.e2e]
CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1"
"""LibreOffice's filter: comma, double quote, UTF-8, from the first line."""


def fabricwright(*arguments: str) -> str:
    """Run a subcommand that has to work."""
    command = [sys.executable, "-m", "fabricwright", *arguments]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


def tool(name: str) -> str:
    """Path of another program, or a skip."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def recalculated(path: Path, folder: Path) -> list[list[str]]:
    """The first sheet as LibreOffice computes it anew: its stored results are taken out before."""
    bare = folder / f"bare-{path.name}"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(bare, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if name.startswith("xl/worksheets/"):
                data = re.sub(rb"(</f>)<v>[^<]*</v>", rb"\1", data)
            new.writestr(name, data)
    profile = f"-env:UserInstallation={(folder / 'office').as_uri()}"
    command = [tool("soffice"), "--headless", profile, "--convert-to", CSV, "--outdir", str(folder), str(bare)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    text = bare.with_suffix(".csv").read_text(encoding="utf-8")
    return list(csv.reader(io.StringIO(text)))


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
def test_libreoffice_computes_the_same_bill(lang: str, tmp_path: Path) -> None:
    """Orders, totals and tax, with spares, discounts and a rate of exchange."""
    tool("soffice")
    project, prices, book = tmp_path / "plan.fwproj", tmp_path / "list.csv", tmp_path / "bill.xlsx"
    fabricwright("new", "superpod-h100-127", "-o", str(project))
    prices.write_text(
        "part,price,currency,discount,tax\nDGX-H100,2800000,CNY,10%,13%\nQM9700,30000,USD,,13%\nSN2201,9999.99,CNY,,\n",
        encoding="utf-8",
    )
    options = ["--prices", str(prices), "--rate", "USD=7.1", "--spares", "optic=2%", "--spares", "fibre=5%"]
    told = json.loads(fabricwright("bom", str(project), *options, "--json", "--lang", lang))
    fabricwright("bom", str(project), *options, "-o", str(book), "--lang", lang)
    rows = recalculated(book, tmp_path)
    head = next(n for n, row in enumerate(rows) if "dgx-h100" in rows[n + 1][0])
    column = {name: n for n, name in enumerate(rows[head])}
    quantity, total = (column["数量"], column["合计"]) if lang == "zh_CN" else (column["Quantity"], column["Total"])
    for row, line in zip(rows[head + 1 :], told["lines"], strict=False):
        assert row[0] == line["part"]
        assert number(row[quantity]) == line["quantity"]
        assert number(row[total]) == pytest.approx(line["total"] or 0.0, abs=0.006)
    sums = [number(row[total]) for row in rows[head + 1 + len(told["lines"]) :] if len(row) > total and row[total]]
    money = told["money"][0]
    assert sums[:3] == pytest.approx([money["net"], money["tax"], money["gross"]], abs=0.006)
    # 127 x 2,520,000 + 60 x 213,000 + 8 x 9,999.99
    assert money["net"] == pytest.approx(127 * 2_520_000 + 60 * 213_000 + 8 * 9_999.99)


def number(text: str) -> float:
    """A cell as it is shown."""
    return float(text.replace(",", "")) if text else 0.0


def test_labels_say_every_cable(tmp_path: Path) -> None:
    tool("pdftotext")
    project, labels = tmp_path / "plan.fwproj", tmp_path / "labels.pdf"
    fabricwright("new", "seed-b-512", "-o", str(project))
    fabricwright("cables", str(project), "-o", str(labels), "--label-sheet", "L7160")
    text = subprocess.run(["pdftotext", "-layout", str(labels), "-"], capture_output=True, check=True).stdout.decode()
    told = json.loads(fabricwright("cables", str(project), "--json"))["cables"]
    assert all(row["id"] in text for row in told)
