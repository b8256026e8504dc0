"""The shipped catalogue, built from its YAML (so that these tests do not need a baked file)."""

from __future__ import annotations

import pytest

from fabricwright.catalog.bake import build
from fabricwright.catalog.store import Catalogue
from fabricwright.resources import resource_path


@pytest.fixture(scope="session")
def shipped() -> Catalogue:
    """All shipped parts."""
    return Catalogue(build(resource_path("catalog")))
