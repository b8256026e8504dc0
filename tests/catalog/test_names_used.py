"""What the catalogue names is used: sources, and what built-in items are configured with."""

from __future__ import annotations

import re
from pathlib import Path

import fabricwright
from fabricwright.catalog.store import Catalogue
from fabricwright.resources import resource_path

PROGRAM = Path(fabricwright.__file__).parent


def words(*files: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def test_every_source_is_named_by_a_part_a_table_or_the_program() -> None:
    yaml = [path for path in resource_path("catalog").rglob("*.yaml") if path.name != "sources.yaml"]
    text = words(*yaml, *PROGRAM.rglob("*.py"))
    listed = resource_path("catalog", "sources.yaml").read_text(encoding="utf-8")
    names = re.findall(r"^([^\s#][^:\n]*):", listed, re.MULTILINE)
    assert len(names) > 60
    single = {word.strip(".-/") for word in re.findall(r"[\w./-]+", text)}
    assert [name for name in names if not (name in text if " " in name else name in single)] == []


def test_the_configuration_of_built_in_items_is_read(shipped: Catalogue) -> None:
    text = words(*PROGRAM.rglob("*.py"))
    insides = [part.interior for part in map(shipped.get, shipped.ids()) if part.interior is not None]
    keys = {key for inside in insides for item in inside.items.values() for key in item.config}
    assert "lanes_available" in keys
    assert sorted(key for key in keys if f'"{key}"' not in text) == []
