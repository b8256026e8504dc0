"""The test suite on two cores; `make test` ends here.

    python scripts/run_tests.py [pytest's arguments]

With arguments it is pytest with those. Without, the suite is cut into parts, two of which run at a time; in each kind
(the window's tests, and all others) the files are dealt out in turn. What a part prints comes in one piece when it has
ended. The exit code is 0 when every part passed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
AT_ONCE = 2
PARTS = {"window": 4, "others": 4}


def main(arguments: list[str]) -> int:
    """Run; 0 when everything passed."""
    if arguments:
        return subprocess.call([sys.executable, "-m", "pytest", *arguments], cwd=ROOT)
    begun = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        codes = list(pool.map(run, range(sum(PARTS.values())), parts()))
    word = "passed" if not any(codes) else "FAILED"
    print(f"tests: {len(codes)} parts {word} in {time.monotonic() - begun:.0f} s")
    return next((code for code in codes if code), 0)


def parts() -> list[list[str]]:
    """The files that each part names to pytest; the longer ones come first."""
    tests = ROOT / "tests"
    files: dict[str, list[str]] = {"others": [], "window": []}
    for path in sorted(tests.rglob("test_*.py")):
        kind = "window" if path.is_relative_to(tests / "ui") else "others"
        files[kind].append(str(path.relative_to(ROOT)))
    return [names[n :: PARTS[kind]] for kind, names in files.items() for n in range(PARTS[kind])]


def run(number: int, names: list[str]) -> int:
    """One part; prints it and returns pytest's exit code."""
    # Each has its own cache, or the one would write over what the other notes.
    command = [sys.executable, "-m", "pytest", *names, "-o", f"cache_dir=.pytest_cache/{number}"]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out:
        code = subprocess.call(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
        out.seek(0)
        print(out.read(), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
