"""Start the program on the case study; `make run` ends here, inside the virtual environment.

With a display it opens the window on the case study, a copy of the template kept in out/ so that what was drawn last
time is still there. Without a display it says so and does the main job headless: check and predict the case study,
write its diagram, bill of materials and report to out/, print where. FABRICWRIGHT_ARGS passes arguments on: options are
added to opening the case study, anything else ("check FILE", "other.fwproj") replaces it.
"""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "out"
TEMPLATE = "seed-b-512"
CASE_STUDY = OUT / "seed-b.fwproj"
PROGRAM = [sys.executable, "-m", "fabricwright"]
# These options open no window, so the case study is of no use to them.
ALONE = ("--version", "--selftest", "--worker", "--help", "-h")


def main() -> int:
    """Open the window, or do the headless job; the program's exit code."""
    arguments = shlex.split(os.environ.get("FABRICWRIGHT_ARGS", ""))
    if arguments and (not arguments[0].startswith("-") or arguments[0] in ALONE):
        return call(arguments)
    display, reason = find_display()
    OUT.mkdir(exist_ok=True)
    if not CASE_STUDY.exists():
        code = call(["new", TEMPLATE, "-o", str(CASE_STUDY), *language(arguments)])
        if code != 0:
            return code
    if display:
        print(f"run: opening {shown(CASE_STUDY)} on {display}", flush=True)
        return call([str(CASE_STUDY), *arguments])
    print(f"run: {reason}; no window then. Checking and predicting the case study headless.", flush=True)
    return headless()


def language(arguments: Sequence[str]) -> list[str]:
    """``--lang X`` of the arguments: the case study's titles are made in it."""
    for n, word in enumerate(arguments):
        if word == "--lang" and n + 1 < len(arguments):
            return ["--lang", arguments[n + 1]]
    return []


def headless() -> int:
    """Check, predict, draw and count the case study; 0 when every step worked (findings are not a failure)."""
    case = str(CASE_STUDY)
    steps: list[tuple[Sequence[str], Path | None]] = [
        (["check", case], OUT / "seed-b-check.txt"),
        (["predict", case], OUT / "seed-b-predict.txt"),
        (["diagram", case, "-o", str(OUT / "seed-b.svg")], None),
        (["bom", case, "-o", str(OUT / "seed-b-bom.csv")], None),
        (["report", case, "-o", str(OUT / "seed-b-report.pdf")], None),
    ]
    for arguments, listing in steps:
        words = (shown(Path(word)) if word.startswith(str(ROOT)) else word for word in arguments)
        print(f"\n$ fabricwright {' '.join(words)}", flush=True)
        code = call(arguments, listing)
        # check ends with 1 when it found errors, and the case study is drawn with some on purpose
        if code != 0 and not (arguments[0] == "check" and code == 1):
            print(f"run: `{arguments[0]}` failed with exit code {code}", file=sys.stderr)
            return code
    print("\nrun: written:")
    for path in sorted(OUT.glob("seed-b*")):
        print(f"    {shown(path)}  ({path.stat().st_size:,} bytes)")
    return 0


def call(arguments: Sequence[str], listing: Path | None = None) -> int:
    """Run the program; what it prints also goes to the file ``listing`` when one is given."""
    command = [*PROGRAM, *arguments]
    if listing is None:
        return subprocess.call(command, cwd=ROOT)
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")
    listing.write_text(result.stdout, encoding="utf-8")
    print(result.stdout, end="", flush=True)
    return result.returncode


def shown(path: Path) -> str:
    """Path as seen from the checkout."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


# ------------------------------------------------------------------------------------------------------------- display


def find_display() -> tuple[str, str]:
    """(what the window can open on, "") or ("", why there is none)."""
    if sys.platform != "linux":
        return "this desktop", ""
    if platform := os.environ.get("QT_QPA_PLATFORM"):
        return f"Qt platform {platform}", ""
    x11, wayland = os.environ.get("DISPLAY", ""), os.environ.get("WAYLAND_DISPLAY", "")
    if not x11 and not wayland:
        return "", "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)"
    if wayland and answers_unix(str(Path(os.environ.get("XDG_RUNTIME_DIR", "/run")) / wayland)):
        return f"wayland display {wayland}", ""
    if x11 and answers_x11(x11):
        return f"X display {x11}", ""
    return "", f"the display {x11 or wayland} does not answer"


def answers_x11(display: str) -> bool:
    """Whether an X server listens at ``host:number.screen``; Linux's abstract socket is tried as well as the file."""
    host, _, number = display.rpartition(":")
    number = number.split(".")[0]
    if not number.isdigit():
        return False
    if host in ("", "unix"):
        name = f"/tmp/.X11-unix/X{number}"
        return answers_unix(name) or answers_unix("\0" + name)
    try:
        socket.create_connection((host, 6000 + int(number)), timeout=5).close()
    except OSError:
        return False
    return True


def answers_unix(name: str) -> bool:
    """Whether something listens on a Unix socket."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(name)
        except OSError:
            return False
    return True


if __name__ == "__main__":
    sys.exit(main())
