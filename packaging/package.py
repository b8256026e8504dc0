"""Build the installers, install them in clean systems and try them there; `make package` ends here.

    python packaging/package.py [linux] [windows] [--again STEP]

Each step leaves a note of what it was made from, so that a build that stopped goes on where it was. The last thing
printed is a table: file, size, sha256, installed in, self-test, start time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import linux_build
import linux_try
import windows_build
import windows_try
from linux_build import DIST, ROOT, WORK, version
from linux_try import PICTURES, Tried
from systems import BOOKWORM, CACHE, StepFailed, logged

NOTES = WORK / "steps.json"
"""Step -> what it was made from, how long it took and what it showed."""
ASKED_OF_THE_RESULT = ("linux_try.py", "windows_try.py", "README.md")
"""What decides how an installer is tried, not what is in it."""
KEPT = ("bullseye-en", "bookworm-zh", "trixie-200-zh", "windows-zh")
"""Pictures of the tries that go to docs/screenshots/installed."""
INPUTS = ("desktop", "resources", "docs/guide", "packaging", "requirements.lock", "requirements-dev.lock")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do."""

    name: str
    system: str
    run: Callable[[], object]


def deb() -> Path:
    """Where the Debian package lies."""
    return DIST / f"fabricwright_{version()}_amd64.deb"


def run_file() -> Path:
    """Where the self-extracting archive lies."""
    return DIST / f"fabricwright-{version()}-linux-x86_64.run"


def setup() -> Path:
    """Where the Windows installer lies."""
    return DIST / f"Fabricwright-{version()}-win64-setup.exe"


def older() -> Path:
    """An installer of a version before, to update from; it is not delivered."""
    return DIST / "Fabricwright-0.0.1-win64-setup.exe"


def portable() -> Path:
    """Where the portable Windows program lies."""
    return DIST / f"Fabricwright-{version()}-win64-portable.zip"


def _compare() -> None:
    linux_build.compare_builds()


def _try_debs() -> list[Tried]:
    with linux_try.screen():
        return [linux_try.try_deb(deb(), base) for base in linux_try.ALL]


def _try_run_file() -> list[Tried]:
    with linux_try.screen():
        return [linux_try.try_run_file(run_file(), BOOKWORM)]


def _older_setup() -> None:
    windows_build.setup("0.0.1")


def _try_windows() -> list[Tried]:
    with linux_try.screen():
        return [windows_try.try_setup(setup(), older()), windows_try.try_portable(portable())]


STEPS = (
    Step("linux-system", "linux", linux_build.prepare),
    Step("linux-program", "linux", linux_build.build),
    Step("linux-twice", "linux", _compare),
    Step("deb", "linux", linux_build.deb),
    Step("run", "linux", linux_build.run_file),
    Step("lint", "linux", lambda: linux_build.lint(deb())),
    Step("try-deb", "linux", _try_debs),
    Step("try-run", "linux", _try_run_file),
    Step("windows-system", "windows", windows_build.prepare),
    Step("windows-program", "windows", windows_build.build),
    Step("setup", "windows", windows_build.setup),
    Step("portable", "windows", windows_build.portable),
    Step("older-setup", "windows", _older_setup),
    Step("try-windows", "windows", _try_windows),
)


def main(argv: list[str]) -> int:
    """Run the steps asked for that are not done yet; 0 when all held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", metavar="linux|windows", help="default: both")
    parser.add_argument("--again", metavar="STEP", help="do this step and those after it anew")
    options = parser.parse_args(argv)
    systems = set(options.systems) or {"linux", "windows"}
    if not systems <= {"linux", "windows"}:
        parser.error("expected linux, windows or both")
    wanted = [step for step in STEPS if step.system in systems]
    if options.again is not None and options.again not in [step.name for step in wanted]:
        parser.error(f"--again: expected one of {', '.join(step.name for step in wanted)}")
    notes = json.loads(NOTES.read_text(encoding="utf-8")) if NOTES.exists() else {}
    DIST.mkdir(exist_ok=True)
    WORK.mkdir(parents=True, exist_ok=True)
    built_from, tried_by = _state(but=ASKED_OF_THE_RESULT), _state()
    stale = False
    for number, step in enumerate(wanted, 1):
        stale = stale or step.name == options.again
        note = notes.get(step.name)
        state = tried_by if step.name.startswith("try-") else built_from
        if not stale and note is not None and note["state"] == state:
            print(f"[{number}/{len(wanted)}] {step.name}: done before ({note['seconds']:.0f} s)")
            continue
        print(f"[{number}/{len(wanted)}] {step.name} ...", flush=True)
        begun = time.monotonic()
        try:
            seen = step.run()
        except StepFailed as failed:
            print(f"package: {step.name} failed: {failed}", file=sys.stderr)
            return 1
        seconds = time.monotonic() - begun
        tried = [asdict(row) for row in seen] if isinstance(seen, list) else []
        notes[step.name] = {"state": state, "seconds": round(seconds, 1), "tried": tried}
        NOTES.write_text(json.dumps(notes, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"[{number}/{len(wanted)}] {step.name}: {seconds:.0f} s", flush=True)
    older().unlink(missing_ok=True)
    _sums()
    _keep_pictures()
    print("\n" + table(notes))
    return 0


def _state(but: tuple[str, ...] = ()) -> str:
    """A digest of everything that the installers are made from and tried by; ``but``: names of files to leave out."""
    digest = hashlib.blake2b(digest_size=16)
    for name in INPUTS:
        top = ROOT / name
        for path in sorted([top, *top.rglob("*")]):
            if path.is_file() and path.name not in but and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(ROOT)}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def _keep_pictures() -> None:
    """A few of them with 256 colours, which the eye does not miss."""
    for name in KEPT:
        if (PICTURES / f"{name}.png").exists():
            target = ROOT / "docs" / "screenshots" / "installed" / f"{name}.png"
            target.parent.mkdir(parents=True, exist_ok=True)
            command = ["convert", str(PICTURES / f"{name}.png"), "-strip", "+dither", "-colors", "256", str(target)]
            logged(command, CACHE / "picture.log")


def _files() -> list[Path]:
    return [path for path in (deb(), run_file(), setup(), portable()) if path.exists()]


def _sums() -> None:
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in _files()]
    (DIST / "SHA256SUMS").write_text("".join(lines), encoding="ascii")


def table(notes: dict[str, dict[str, object]]) -> str:
    """What was built and how it did, one row per file and system, as Markdown."""
    rows = ["| file | MB | sha256 | installed in | self-test | start, s |", "|---|---|---|---|---|---|"]
    tried = [row for note in notes.values() for row in note["tried"]]  # type: ignore[attr-defined]
    for path in _files():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        for row in [r for r in tried if r["file"] == path.name]:
            starts = " / ".join(f"{s:.2f}" for s in row["start_s"]) or "-"
            ok = "ok" if row["selftest"] else "FAILED"
            size = f"{path.stat().st_size / 1e6:.1f}"
            rows.append(f"| {path.name} | {size} | {digest[:16]}... | {row['system']} | {ok} | {starts} |")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
