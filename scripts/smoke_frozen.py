"""Build the program with PyInstaller as one folder and let the result test itself; `make smoke-frozen` ends here.

What is asked of the folder: it starts, reports the right version, passes its self-test away from the checkout, does a
command-line job, holds nothing that must not be shipped, and is not changed by being used.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "dist" / "fabricwright"
PROGRAM = FOLDER / "fabricwright"
REPORT = ROOT / "build" / "selftest.json"
#: What has another licence than the program can take (docs/decisions/pyinstaller.md), and what only tests need.
UNWANTED = ("virtualkeyboard", "readline", "pytest", "hypothesis", "qtawesome", "Qt6Charts", "Qt6DataVisualization")
#: What a customer's desktop may lack, so that it has to come along (only what the building machine has can).
WANTED = ("libxcb-cursor.so.0", "libxcb-icccm.so.4", "libxcb-keysyms.so.1", "libxkbcommon-x11.so.0")
SIZE_LIMIT_MB = 300


def main() -> int:
    """Build, try, report; 0 when everything held."""
    build()
    size_mb = sum(path.lstat().st_size for path in FOLDER.rglob("*") if not path.is_symlink()) / 1e6
    complaints = [f"{path.relative_to(FOLDER)} must not be in the folder" for path in unwanted()]
    names = {path.name for path in FOLDER.rglob("*")}
    complaints += [f"{name} is missing; install it on this machine" for name in WANTED if name not in names]
    if size_mb > SIZE_LIMIT_MB:
        complaints.append(f"the folder has {size_mb:.0f} MB, more than {SIZE_LIMIT_MB}")
    before = contents()
    complaints += try_out()
    if contents() != before:
        complaints.append("using the program changed its folder")
    for complaint in complaints:
        print(f"smoke-frozen: {complaint}")
    print(f"smoke-frozen: {FOLDER.relative_to(ROOT)}, {size_mb:.0f} MB: {'FAILED' if complaints else 'all well'}")
    return 1 if complaints else 0


def build() -> None:
    """Run PyInstaller with the project's spec."""
    if shutil.which("objdump") is None and sys.platform == "linux":
        raise SystemExit("smoke-frozen: PyInstaller needs objdump; please install binutils")
    started = time.monotonic()
    shutil.rmtree(FOLDER, ignore_errors=True)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    command += ["--distpath", "dist", "--workpath", "build/pyinstaller", "packaging/fabricwright.spec"]
    if subprocess.call(command, cwd=ROOT) != 0:
        raise SystemExit("smoke-frozen: PyInstaller failed, see above")
    print(f"smoke-frozen: built in {time.monotonic() - started:.0f} s")


def try_out() -> list[str]:
    """Run the built program far from the checkout, without the environment's help; what went wrong."""
    complaints = []
    REPORT.unlink(missing_ok=True)
    hidden = ("PYTHON", "VIRTUAL_ENV", "QT_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(hidden)}
    with tempfile.TemporaryDirectory() as elsewhere:

        def run(*arguments: str) -> subprocess.CompletedProcess[str]:
            command = [str(PROGRAM), *arguments]
            return subprocess.run(
                command, cwd=elsewhere, env=environment, capture_output=True, encoding="utf-8", timeout=300
            )

        version = run("--version")
        if version.returncode != 0 or not version.stdout.startswith("fabricwright "):
            complaints.append(f"--version ended with {version.returncode}: {(version.stdout + version.stderr).strip()}")
        templates = run("templates", "--json")
        if templates.returncode != 0:
            complaints.append(f"templates ended with {templates.returncode}: {templates.stderr.strip()}")
        selftest = run("--selftest", str(REPORT))
        print(selftest.stdout, end="")
    if not REPORT.exists():
        return [*complaints, f"the self-test wrote no report and ended with {selftest.returncode}: {selftest.stderr}"]
    report = json.loads(REPORT.read_text(encoding="utf-8"))
    complaints += [f"probe {row['name']}: {row['error']}" for row in report["probes"] if not row["ok"]]
    if not report["frozen"]:
        complaints.append("the self-test does not know that it runs in a frozen build")
    if (selftest.returncode == 0) != report["ok"]:
        complaints.append(f"the self-test's exit code {selftest.returncode} contradicts its report")
    if f"fabricwright {report['version']}" != version.stdout.strip():
        complaints.append(f"--version prints {version.stdout.strip()}, the self-test reports {report['version']}")
    return complaints


def unwanted() -> list[Path]:
    """Files whose name says that they must not be shipped."""
    return [path for path in FOLDER.rglob("*") if any(word.lower() in path.name.lower() for word in UNWANTED)]


def contents() -> dict[str, tuple[int, int]]:
    """Size and time of change of every file of the folder."""
    stats = {str(path): path.lstat() for path in FOLDER.rglob("*")}
    return {name: (stat.st_size, stat.st_mtime_ns) for name, stat in stats.items() if not os.path.isdir(name)}


if __name__ == "__main__":
    sys.exit(main())
