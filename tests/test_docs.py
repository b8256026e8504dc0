"""The pages of docs/ that can be held against the program: the rules, links between pages, the example project."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.cli.main import BUILT, PLANNED
from fabricwright.design.edits import EDITS
from fabricwright.design.options import OPTIONS
from fabricwright.design.quantities import QUANTITIES
from fabricwright.design.storage import dumps, loads
from fabricwright.topology.cluster import compile_cluster
from fabricwright.units import codec
from fabricwright.units.table import Table

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_pages_of_rules_are_current() -> None:
    """``scripts/rules_page.py`` writes them."""
    spec = importlib.util.spec_from_file_location("rules_page", ROOT / "scripts" / "rules_page.py")
    assert spec and spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for lang, name in script.PAGES.items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == script.page(lang), "run scripts/rules_page.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    # Pictures are made by a script from the running window, so only pages and folders are asked for.
    targets = re.findall(r"(?<!!)\[[^\]]*\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    missing = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert missing == []


def test_every_decision_is_listed() -> None:
    index = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"\(([a-z0-9-]+\.md)\)", index))
    assert listed == {path.name for path in (ROOT / "docs" / "decisions").glob("*.md")} - {"README.md"}


def test_the_document_model_lists_what_may_be_stated() -> None:
    text = (ROOT / "docs" / "document-model.md").read_text(encoding="utf-8")
    assert [o.key for o in OPTIONS.values() if f"`{o.key}`" not in text] == []
    assert [q for q in QUANTITIES if f"| `{q}` |" not in text] == []


def test_the_document_model_lists_all_edits() -> None:
    text = (ROOT / "docs" / "document-model.md").read_text(encoding="utf-8")
    assert [name for name in EDITS if f"`{name}`" not in text] == []


def test_the_interfaces_list_all_commands() -> None:
    text = (ROOT / "docs" / "interfaces.md").read_text(encoding="utf-8")
    there, later = text.split("## 5. What comes later")
    assert [name for name in BUILT if f"`{name} " not in there and f"`{name}`" not in there] == []
    assert [name for name in PLANNED if f"`{name} " not in later] == []


def test_architecture_names_every_folder_of_the_program() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    program = ROOT / "desktop" / "fabricwright"
    folders = [p.parent.relative_to(program).as_posix() for p in program.rglob("__init__.py")]
    assert [f for f in folders if f != "." and f"{f}/" not in text] == []


def test_architecture_and_the_tree_describe_each_other() -> None:
    """Section 2 names every module of a floor, by itself or in a group (``lanes*``); section 1 nothing that is gone."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tree = text.split("## 1. The repository")[1].split("## 2. The floors")[0]
    named = re.findall(r"`(?:[a-z]+[/.])?([a-z0-9_*]+)(?:\.[A-Za-z]+)?`", text)
    words = {*named, *BUILT.values()} - {"*"}
    program = ROOT / "desktop" / "fabricwright"
    modules = [p.relative_to(program) for p in program.glob("*/*.py") if p.stem != "__init__"]
    assert [str(m) for m in modules if not any(fnmatch(m.stem, w) for w in words)] == []
    folders = [name for line in tree.splitlines() for name in re.findall(r"(?<![\w.])[a-z_0-9/]+/(?=\s)", line[:28])]
    roots = (ROOT, program, ROOT / "resources", ROOT / "tests", ROOT / "docs")
    assert [name for name in folders if not any((root / name).is_dir() for root in roots)] == []


def test_the_example_of_the_document_model_is_a_project_as_the_program_writes_it() -> None:
    """Section 10: 4 x 64 servers x 2 ports = 512 links, the absent one's 2 dropped; 8 leafs x 4 spines x 8 = 256."""
    text = (ROOT / "docs" / "document-model.md").read_text(encoding="utf-8")
    found = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert found
    data = json.loads(found[1])
    todo = [value for value in re.findall(r'"(?:of|chassis|cable)":"([^"]+)"', found[1]) if ":" not in value]
    parts: dict[str, object] = {}
    while todo:
        name = todo.pop()
        if name not in parts:
            part = catalogue().get(name)
            parts[name] = codec.to_json(part)
            todo += [row.of for row in part.interior.items.values()] if part.interior else []
    project = loads(json.dumps({**data, "parts": parts}).encode())
    assert dumps(dataclasses.replace(project, parts=Table())).decode() == found[1]
    bundles = {b.link: b for b in compile_cluster(project, "main").fabric.bundles}
    assert {name: int(b.alive.sum()) for name, b in bundles.items()} == {"down": 510, "up": 256}
