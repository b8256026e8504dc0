"""The test suite on two cores: the window's tests in one process, all others beside it; `make test` ends here.

    python scripts/run_tests.py [pytest's arguments]

With arguments it is pytest with those. Without, both halves run at once, and what they print comes one after the other,
so that it reads like one run each. The exit code is 0 when both passed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HALVES = (("tests/ui",), ("tests", "--ignore=tests/ui"))


def main(arguments: list[str]) -> int:
    """Run; 0 when everything passed."""
    pytest = [sys.executable, "-m", "pytest"]
    if arguments:
        return subprocess.call([*pytest, *arguments], cwd=ROOT)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for n, half in enumerate(HALVES):
            out = (Path(folder) / f"{n}.txt").open("w+", encoding="utf-8", errors="replace")
            # Each has its own cache, or the one would write over what the other notes.
            command = [*pytest, *half, "-o", f"cache_dir=.pytest_cache/{n}"]
            running.append((subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT), out))
        codes = []
        for process, out in running:
            codes.append(process.wait())
            out.seek(0)
            sys.stdout.write(out.read())
            sys.stdout.flush()
            out.close()
    print(
        f"tests: {' and '.join('passed' if code == 0 else 'FAILED' for code in codes)}, "
        f"{time.monotonic() - begun:.0f} s"
    )
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
