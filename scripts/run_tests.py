"""The test suite on two cores; `make test` ends here.

    python scripts/run_tests.py [pytest's arguments]

With arguments it is pytest with those. Without, the suite is cut into parts, two of which run at a time: the window's
tests take turns file by file, all others are one part. What a part prints comes in one piece when it has ended. The
exit code is 0 when every part passed.
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
WINDOW_PARTS = 4


def main(arguments: list[str]) -> int:
    """Run; 0 when everything passed."""
    if arguments:
        return subprocess.call([sys.executable, "-m", "pytest", *arguments], cwd=ROOT)
    begun = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        codes = list(pool.map(run, range(WINDOW_PARTS + 1), parts()))
    word = "passed" if not any(codes) else "FAILED"
    print(f"tests: {len(codes)} parts {word} in {time.monotonic() - begun:.0f} s")
    return next((code for code in codes if code), 0)


def parts() -> list[list[str]]:
    """What each part names to pytest; the longest comes first."""
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "ui").rglob("test_*.py"))
    return [["tests", "--ignore=tests/ui"], *(files[n::WINDOW_PARTS] for n in range(WINDOW_PARTS))]


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
