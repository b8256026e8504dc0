"""The template projects, built once."""

from __future__ import annotations

import pytest

from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project


@pytest.fixture(scope="session")
def projects() -> dict[str, Project]:
    """Template id -> project."""
    return {name: template.build() for name, template in TEMPLATES.items()}
