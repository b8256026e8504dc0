"""Where the data files that ship with the program are found.

A checkout keeps them in ``resources/`` beside ``desktop/``; a frozen build unpacks them next to the executable
(PyInstaller sets ``sys._MEIPASS``). Nothing else in the program may compute such a path.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def resource_root() -> Path:
    """Folder that holds ``catalog/``, ``icons/``, ``i18n/`` and the rest."""
    frozen = getattr(sys, "_MEIPASS", None)
    if frozen:
        return Path(frozen) / "resources"
    return Path(__file__).resolve().parents[2] / "resources"


def resource_path(*parts: str) -> Path:
    """Path of one shipped file, for example ``resource_path("catalog", "catalog.json")``."""
    return resource_root().joinpath(*parts)
