"""The wheels that go into an installer: exactly those that the lock files name, checked against their hashes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from systems import CACHE, logged

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ("pyinstaller", "pyinstaller-hooks-contrib", "altgraph", "packaging", "setuptools", "pefile", "pywin32-ctypes")
"""What building needs besides the program's own requirements."""

PLATFORMS = {
    "linux": ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "windows": ("win_amd64",),
}


def wheels(system: str) -> Path:
    """Folder of all wheels for ``system`` ("linux" or "windows"), fetched once per state of the lock files."""
    wanted = requirements(system)
    folder = CACHE / f"wheels-{system}"
    note = folder / "requirements.txt"
    if note.exists() and note.read_text(encoding="utf-8") == wanted:
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.whl"):
        old.unlink()
    note.unlink(missing_ok=True)
    fresh = folder / "requirements.part"
    fresh.write_text(wanted, encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--require-hashes"]
    command += [
        "--python-version",
        "3.11",
        "--implementation",
        "cp",
        "--abi",
        "cp311",
        "--abi",
        "abi3",
        "--abi",
        "none",
    ]
    for platform in PLATFORMS[system]:
        command += ["--platform", platform]
    logged([*command, "-d", str(folder), "-r", str(fresh)], CACHE / f"wheels-{system}.log")
    fresh.rename(note)
    return folder


def requirements(system: str) -> str:
    """Lines with hashes, in pip's form: the program's lock file, and the building tools out of the other one.

    Markers are dropped, because pip judges them for the machine it runs on; what only other systems need is left out.
    """
    rows = _rows(ROOT / "requirements.lock")
    rows |= {name: row for name, row in _rows(ROOT / "requirements-dev.lock").items() if name in TOOLS}
    elsewhere = {"windows": "linux", "linux": "win32"}[system]
    kept = []
    for name in sorted(rows):
        head, marker, hashes = rows[name]
        if f"== '{elsewhere}'" in marker or ("'darwin'" in marker and "!=" not in marker):
            continue
        kept.append(" \\\n    ".join([head, *hashes]))
    return "\n".join(kept) + "\n"


def _rows(lock: Path) -> dict[str, tuple[str, str, list[str]]]:
    """Name -> (name==version, marker, hashes) of a lock file."""
    found = {}
    for block in re.split(r"\n(?=[a-zA-Z0-9])", lock.read_text(encoding="utf-8")):
        match = re.match(r"([a-zA-Z0-9_.-]+)(?:\[[^]]*\])?==([^\s;\\]+)\s*(?:;([^\\]*))?", block)
        if match:
            name, version, marker = match[1].lower(), match[2], (match[3] or "").strip()
            found[name] = (f"{name}=={version}", marker, re.findall(r"--hash=\S+", block))
    return found
