"""Resolve requirements.lock and requirements-dev.lock anew from pyproject.toml (docs/decisions/lock-files.md).

    python scripts/lock.py [uv's options, for example --upgrade or --upgrade-package numpy]

uv does the resolving, because it writes one list for all supported Pythons and platforms; it is fetched into
build/lock-tool and is not needed for anything else.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOOL = ROOT / "build" / "lock-tool"
COMPILE = [
    *("pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes"),
    *("--no-emit-index-url", "--no-emit-find-links", "--custom-compile-command", "make lock"),
]


def main() -> int:
    """Write both files; the development one is held to the versions of the other."""
    uv = TOOL / "bin" / "uv"
    if not uv.exists():
        venv.create(TOOL, with_pip=True)
        subprocess.run([str(TOOL / "bin" / "pip"), "install", "-q", "uv"], check=True)
    for extra, target, more in (
        ("build", "requirements.lock", []),
        ("dev", "requirements-dev.lock", ["--constraint", "requirements.lock"]),
    ):
        command = [str(uv), *COMPILE, "--extra", extra, *more, *sys.argv[1:], "--output-file", target, "pyproject.toml"]
        subprocess.run(command, cwd=ROOT, check=True)
        print(f"{target}: {sum('==' in line for line in (ROOT / target).read_text().splitlines())} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
