"""Every declared option has an effect, and the rules that it names read it: by the text of the program."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import fabricwright
from fabricwright.design.options import OPTIONS
from fabricwright.rules.registry import all_rules

PROGRAM = Path(fabricwright.__file__).parent
WHO_READS = re.compile(r"from (fabricwright\.(?:rules|topology|design|performance)[\w.]*) import")


@lru_cache
def text(module: str) -> str:
    path = PROGRAM.parent / (module.replace(".", "/") + ".py")
    return path.read_text(encoding="utf-8") if path.exists() and ".options" not in module else ""


def reached(module: str, depth: int = 2) -> set[str]:
    """A module, what it imports, and what that imports."""
    further = WHO_READS.findall(text(module)) if depth else []
    return {module}.union(*(reached(name, depth - 1) for name in further))


def names(key: str, code: str) -> bool:
    return re.search(rf"""["']{re.escape(key)}(\.[ab])?["']""", code) is not None


def test_every_option_is_read() -> None:
    """Below the window and outside the declarations, the templates and the edits, which only write."""
    floors = ("topology", "rules", "performance", "exchange", "analysis", "design", "cli")
    files = [p for floor in floors for p in (PROGRAM / floor).rglob("*.py")]
    files = [p for p in files if not {"options", "templates", "edits"} & set(p.parts)]
    code = "\n".join(p.read_text(encoding="utf-8") for p in files)
    assert [f"{place} {key}" for place, key in OPTIONS if not names(key, code)] == []


def test_the_rules_that_an_option_names_read_it() -> None:
    book = all_rules()
    wrong = [
        f"{place} {key}: {rule}"
        for (place, key), option in OPTIONS.items()
        for rule in option.rules
        if not any(names(key, text(module)) for module in reached(book[rule].run.__module__))
    ]
    assert wrong == []
