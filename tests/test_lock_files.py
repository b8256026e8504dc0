"""The lock files: complete, hashed, free of any machine's addresses, and the development one holds all of the other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+)")
REQUIRED = re.compile(r"^[A-Za-z0-9._-]+")


def pins(name: str) -> dict[str, str]:
    """Package name in lower case -> version."""
    matches = (PINNED.match(line) for line in (ROOT / name).read_text(encoding="utf-8").splitlines())
    return {match["name"].lower(): match["version"] for match in matches if match}


def required(*extras: str) -> set[str]:
    """Names that pyproject.toml asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = list(project["dependencies"])
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    names = {match[0].lower() for line in lines if (match := REQUIRED.match(line))}
    return names - {"fabricwright"}


def test_every_requirement_is_pinned() -> None:
    assert required("build") <= set(pins("requirements.lock"))
    assert required("build", "dev") <= set(pins("requirements-dev.lock"))


def test_the_development_lock_holds_the_other_one() -> None:
    assert pins("requirements.lock").items() <= pins("requirements-dev.lock").items()


def test_every_pin_has_hashes() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        blocks = re.split(r"\n(?=\S)", (ROOT / name).read_text(encoding="utf-8"))
        without = [block.split("==")[0] for block in blocks if PINNED.match(block) and "--hash=sha256:" not in block]
        assert without == []


def test_no_addresses_of_a_registry_or_a_machine() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert re.findall(r"https?:|file:|--index-url|--find-links|(?<![\w.])/\w+/", text) == []


def test_qt_is_the_release_that_the_decision_names() -> None:
    """6.9.3 and no other: docs/decisions/pyside6.md."""
    assert pins("requirements.lock")["pyside6-essentials"] == "6.9.3"
