"""The shipped catalogue, built from its YAML (so that these tests do not need a baked file)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricwright.catalog.bake import build
from fabricwright.catalog.store import Catalogue, catalogue
from fabricwright.resources import resource_path


@pytest.fixture(scope="session")
def shipped() -> Catalogue:
    """All shipped parts."""
    return Catalogue(build(resource_path("catalog")))


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder for the user's own parts; the program's catalogue forgets them afterwards."""
    folder = tmp_path / "data"
    monkeypatch.setenv("FABRICWRIGHT_DATA", str(folder))
    catalogue().set_own({})
    yield folder
    catalogue().set_own({})
