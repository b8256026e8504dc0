"""``fabricwright report``: what a reader finds in it, in both languages; the same bytes; nothing covered."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pypdf
import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.report import ReportWish, design_report
from fabricwright.cli import painting
from fabricwright.design.templates import TEMPLATES
from fabricwright.exchange.ink import Text
from tests.cli.conftest import Run
from tests.exchange.ink_lint import complaints, smallest_points

pytestmark = pytest.mark.gui


@pytest.fixture(autouse=True)
def painted() -> None:
    """What the entry point does before it runs a command."""
    from fabricwright.ui.paint import ink_files

    painting.install(lambda: ink_files)


def text_of(path: Path) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def flat(text: str) -> str:
    """Part numbers and sentences are wrapped in columns."""
    # Fonts share a glyph for both waves, and a PDF tells only one of them.
    return re.sub(r"\s+", "", text).replace("\u301c", "\uff5e")


@pytest.mark.parametrize("lang", ["en", "zh_CN"])
def test_the_upgrade_case_is_told_in_full(run: Run, files: dict[str, str], tmp_path: Path, lang: str) -> None:
    """The case study's figures by hand: 32 servers of 8 GPUs are 256; each has 2 links of 100 Gb/s to 4 leafs and 2
    spines; three designs, so two comparisons; its 15 statements are answered."""
    target = tmp_path / "x.pdf"
    code, out, err = run("report", files["seed-b-512"], "-o", str(target), "--lang", lang, "--json")
    assert code == 0, err
    told = json.loads(out)
    book = pypdf.PdfReader(target)
    assert told["pages"] == len(book.pages) and told["design"] == "before"
    text = text_of(target)
    packed = flat(text)
    chapters = {
        "en": ["Summary", "Drawings", "What was checked", "Performance", "Training step", "Network settings"],
        "zh_CN": ["摘要", "图纸", "检查内容", "性能", "训练步", "网络配置"],
    }[lang]
    chapters += {
        "en": ["Comparison", "Bill of materials", "Cables", "Lanes and slots", "Racks", "Assumptions and sources"],
        "zh_CN": ["方案对比", "物料清单", "线缆", "通道与插槽", "机柜", "假设与来源"],
    }[lang]
    for n, chapter in enumerate([*chapters, {"en": "Claims checked", "zh_CN": "陈述核对"}[lang]], 1):
        assert f"{n}{flat(chapter)}" in packed, chapter
    assert "256" in text and "NCCL_IB_TC" in packed
    parts = json.loads(run("bom", files["seed-b-512"], "--json")[1])["lines"]
    for line in parts:
        assert flat(line["part"]) in packed, line["part"]
        assert str(line["quantity"]) in text
    found = json.loads(run("check", files["seed-b-512"], "--json", "--lang", lang)[1])
    for row in found["findings"]:
        assert row["rule"] in text and flat(row["message"]) in packed, row["message"]
    answers = json.loads(run("compliance", files["seed-b-512"], "--json", "--lang", lang)[1])
    assert any(row["design"] == "before" for row in answers["rows"]) or answers["rows"]
    # text pages are A4 upright, drawings A3, comparisons A2: letters keep their size
    sizes = {(round(float(p.mediabox.width)), round(float(p.mediabox.height))) for p in book.pages}
    assert sizes == {(595, 842), (1191, 842), (1684, 1191)}
    if lang == "en":
        # figures as the other commands tell them
        row = json.loads(run("predict", files["seed-b-512"], "--sizes", "1G", "--json")[1])["rows"][0]
        assert f"{row['busbw_gbs']:.2f}" in text
        assert not re.search("[\u4e00-\u9fff]", "".join(p.extract_text() for p in book.pages[:4]))


def test_the_same_bytes_whatever_the_hash_seed(files: dict[str, str], tmp_path: Path) -> None:
    made = []
    for seed in ("1", "2"):
        target = tmp_path / f"{seed}.pdf"
        around = {**os.environ, "PYTHONHASHSEED": seed, "QT_QPA_PLATFORM": "offscreen"}
        words = [sys.executable, "-m", "fabricwright", "report", files["pcie-4gpu-1nic"], "-o", str(target)]
        subprocess.run(words, check=True, env=around, timeout=120, capture_output=True)
        made.append(target.read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize(("template", "lang"), [("seed-a-256x8", "zh_CN"), ("single-8gpu", "en")])
def test_nothing_is_clipped_covered_or_small(template: str, lang: str) -> None:
    project = TEMPLATES[template].build()
    pages = design_report(analyze(project, next(iter(project.designs))), lang, ReportWish())
    for page in pages:
        if page.width_mm < page.height_mm:
            assert not complaints(page)
            assert smallest_points(page) >= 8.0
            assert not [op.text for op in page.ops if isinstance(op, Text) and op.text.endswith("…")]
        else:
            assert smallest_points(page) >= 8.0


def test_the_template_is_used_and_wrong_wishes_are_one_sentence(
    run: Run, files: dict[str, str], tmp_path: Path
) -> None:
    look = tmp_path / "look.toml"
    look.write_text('name = "示例公司 Example"\naccent = "#880044"\nfooter = "Confidential"\n', encoding="utf-8")
    target = tmp_path / "x.pdf"
    file = files["pcie-4gpu-1nic"]
    code, _, err = run("report", file, "-o", str(target), "--template", str(look), "--no-drawings", "--revision", "Q7")
    assert code == 0, err
    text = text_of(target)
    assert "Confidential" in text and "示例公司" in text and "Q7" in text
    target.unlink()
    for wish, told in (
        (["-o", str(tmp_path / "x.docx")], ".docx"),
        (["-o", str(target), "--page", "B5"], "B5"),
        (["-o", str(target), "--template", str(tmp_path / "none.toml")], "none.toml"),
        (["-o", str(target), "--design", "nonsense"], "nonsense"),
    ):
        code, _, err = run("report", file, *wish)
        assert code == 2 and told in err and err.count("\n") == 1
    assert not target.exists()


def test_approvals_stand_with_their_reasons(run: Run, tmp_path: Path) -> None:
    from fabricwright.design import storage
    from fabricwright.design.edits import EDITS
    from fabricwright.design.patch import apply

    project = TEMPLATES["seed-b-512"].build()
    judged = analyze(project, "before").judged
    finding = next(entry.finding for entry in judged if entry.finding.severity == "warning")
    reason = "agreed with the customer"
    args = {"key": finding.key, "reason": reason, "author": "A. Reviewer", "date": "2026-11-30"}
    project = apply(project, EDITS["approve"](project, members="", measured=None, **args))
    path = tmp_path / "approved.fwproj"
    storage.save(project, path)
    target = tmp_path / "x.pdf"
    code, _, err = run("report", str(path), "-o", str(target), "--no-drawings")
    assert code == 0, err
    packed = flat(text_of(target))
    assert flat(reason) in packed and "Approvedfindings" in packed and "A.Reviewer,2026-11-30" in packed


def test_what_says_nothing_is_left_out(run: Run, tmp_path: Path) -> None:
    """One server: its sheet is the only drawing, since a network that joins nothing and cables that are not there tell
    nothing. In Chinese no English sentence is left but titles of sources."""
    project, target = tmp_path / "one.fwproj", tmp_path / "one.pdf"
    assert run("new", "single-8gpu", "-o", str(project), "--lang", "zh_CN")[0] == 0
    assert run("report", str(project), "-o", str(target), "--lang", "zh_CN")[0] == 0
    text = text_of(target)
    assert "后附1张图" in flat(text)
    assert "线缆表" not in flat(text)
    assert [x for x in re.findall(r"[a-z]{3,} [a-z]{2,} [a-z]{3,}", text) if "github" not in x] == []
