"""Where the program itself and the data files that ship with it are found.

A checkout keeps them in ``resources/`` beside ``desktop/``; a frozen build unpacks them next to the executable
(PyInstaller sets ``sys._MEIPASS``). What a person keeps for all projects (parts of their own) lies in the user's data
folder of the platform. Nothing else in the program may compute such a path.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path


def own_program() -> list[str]:
    """Command line that starts this very program again, from a checkout and from a frozen build."""
    return [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "fabricwright"]


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


def user_data_path(*parts: str) -> Path:
    """Path of one file that the user keeps for all projects, for example ``user_data_path("own_parts.json")``.

    ``FABRICWRIGHT_DATA`` names the folder; without it: ``%APPDATA%/Fabricwright`` on Windows, ``~/Library/Application
    Support/Fabricwright`` on macOS, else ``$XDG_DATA_HOME/fabricwright`` (``~/.local/share/fabricwright``). Nothing is
    created here.
    """
    stated = os.environ.get("FABRICWRIGHT_DATA")
    if stated:
        root = Path(stated)
    elif sys.platform == "win32":
        root = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "Fabricwright"
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / "Application Support" / "Fabricwright"
    else:
        root = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "fabricwright"
    return root.joinpath(*parts)
