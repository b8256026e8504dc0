"""The folder of collected facts beside the repository: tests that read it skip where it is absent."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"
FACTS = SHARED / "facts"
NETBOX = SHARED / "corpus" / "netbox"

needs_facts = pytest.mark.skipif(not FACTS.is_dir(), reason="the folder of facts is not beside the repository")
needs_netbox = pytest.mark.skipif(not NETBOX.is_dir(), reason="the NetBox samples are not beside the repository")


@lru_cache(maxsize=4)
def fact(name: str) -> dict[str, Any]:
    """A file of the facts, parsed; empty where the folder is absent (parametrisation happens before skipping)."""
    path = FACTS / name
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return loaded
