"""The pages about the upgrade case say what the program computes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("seed_b_page", ROOT / "scripts" / "seed_b_page.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_arithmetic_of_the_claims_by_hand() -> None:
    """3.2 ms x 50 GB/s / (2 x 31/32) = 82.6 MB; 0.88/0.65 = 1.354; 30/1.354 = 22.2 days; 0.92/0.65 = 1.415."""
    found = _script().arithmetic()
    assert found["MOVED_AFTER"] == "82.6"
    assert (found["GAIN_SHARE"], found["DAYS_SHARE"], found["GAIN_USE"], found["MOST_USE"]) == (
        "35.4",
        "22.2",
        "41.5",
        "88",
    )


@pytest.mark.parametrize("suffix", ["", ".zh_CN"])
def test_pages_are_what_the_script_writes(suffix: str) -> None:
    script = _script()
    figures = getattr(test_pages_are_what_the_script_writes, "figures", None) or script.figures_of()
    test_pages_are_what_the_script_writes.figures = figures  # type: ignore[attr-defined]
    text = (ROOT / "scripts" / f"seed_b_page{suffix}.md").read_text("utf-8")
    for key, value in figures.items():
        text = text.replace("{" + key + "}", value)
    assert (ROOT / "docs" / f"seed-b{suffix}.md").read_text("utf-8") == text
    assert "{" not in text
