"""Pages of docs/ that scripts/reference_pages.py writes: current, and the example of the file format is a project."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.cli.main import main
from fabricwright.design.storage import loads

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference_pages", ROOT / "scripts" / "reference_pages.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["file-format.md", "parts.md", "catalogue.md", "floors.svg"])
def test_the_pages_are_current(script: ModuleType, name: str) -> None:
    written = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert script.PAGES[name]() == written, "run scripts/reference_pages.py"


def test_the_example_of_the_file_format_is_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "file-format.md").read_text(encoding="utf-8")
    found = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert found
    project = loads(found[1].encode())
    assert list(project.designs) == ["main"]
    path = tmp_path / "example.fwproj"
    path.write_text(found[1], encoding="utf-8")
    assert main(["check", str(path)]) == 0
    assert "errors: 0" in capsys.readouterr().out


def test_links_inside_the_file_format_lead_to_a_heading() -> None:
    page = (ROOT / "docs" / "file-format.md").read_text(encoding="utf-8")
    heads = {head.lower() for head in re.findall(r"^## (.+)$", page, re.MULTILINE)}
    assert set(re.findall(r"\(#([a-z]+)\)", page)) <= heads


def test_the_catalogue_page_counts_the_parts_of_each_kind() -> None:
    page = (ROOT / "docs" / "catalogue.md").read_text(encoding="utf-8")
    counted = {kind: int(count) for kind, count in re.findall(r"^\| `([a-z-]+)` \| (\d+) \|", page, re.MULTILINE)}
    store = catalogue()
    assert counted == {kind: sum(map(store.is_shipped, ids)) for kind, ids in store.kinds().items()}
