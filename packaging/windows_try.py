"""Install the Windows program under Wine and use it: silent setup, self-test, window, file type, update, removal.

What Wine cannot show (SmartScreen, real fonts and drivers, printing) is said in packaging/README.md.
"""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from linux_build import DIST
from linux_try import ANY_END, COMPARED_S, DISPLAY, PICTURES, TEMPLATE, Tried, is_told, picture
from systems import CACHE, ROOM, WINE, StepFailed, wait_until
from windows_build import ENVIRONMENT

PREFIX = f"{ROOM}/prefix-try"
DRIVE = WINE.root / PREFIX[1:] / "drive_c"
PROFILE = DRIVE / "users" / "root"
PLACE = PROFILE / "AppData" / "Local" / "Programs" / "Fabricwright"
INSIDE = r"C:\users\root\AppData\Local\Programs\Fabricwright"
BINDS = {DIST: "/dist", Path("/tmp/.X11-unix"): "/tmp/.X11-unix"}
DRAWN = r"C:\users\root\Documents\测试 plan.fwproj"
SLACK_S = 2


def wine(script: str, name: str, *, timeout_s: float = 300, allowed: Sequence[int] = (0,)) -> int:
    """Run a script in the system with Wine; ``wine64`` calls in it need a ``timeout`` of their own."""
    environment = {**ENVIRONMENT, "WINEPREFIX": PREFIX, "DISPLAY": DISPLAY}
    return WINE.run(
        script,
        log=CACHE / f"windows-{name}.log",
        binds=BINDS,
        environment=environment,
        network=False,
        timeout_s=timeout_s,
        allowed=allowed,
    )


def try_setup(setup: Path, older: Path) -> Tried:
    """Older version first, then the real one over it, then everything a user would do, then removal."""
    tried = Tried(setup.name, "Windows under Wine 10")
    wine(
        "timeout 20 wineserver -k || true; rm -rf $WINEPREFIX; "
        "timeout 120 wine64 wineboot -i; timeout 60 wineserver -w",
        "boot",
    )
    wine(f"timeout 200 wine64 /dist/{older.name} /S", "older")
    _must(PLACE / "Fabricwright.exe", "the older setup installed nothing")
    (PLACE / "of-the-user.txt").write_text("keep", encoding="ascii")
    (PLACE / "_internal" / "left-over-of-the-old-version.txt").write_text("old", encoding="ascii")
    wine(f"timeout 200 wine64 /dist/{setup.name} /S", "setup")
    if (PLACE / "_internal" / "left-over-of-the-old-version.txt").exists():
        raise StepFailed("windows: updating kept a file of the old version")
    _must(PLACE / "of-the-user.txt", "updating removed a file of the user's own")
    _must(PROFILE / "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Fabricwright.lnk", "no start menu entry")
    tried.notes.append("silent setup, update over an older version")
    _selftest(tried)
    before = _contents()
    documents = PROFILE / "Documents"
    documents.mkdir(parents=True, exist_ok=True)
    drawn = documents / "测试 plan.fwproj"
    wine(
        f"timeout 90 wine64 '{INSIDE}\\fabricwright-cli.exe' new {TEMPLATE} -o '{DRAWN}'",
        "new",
    )
    _must(drawn, "the command line wrote no project")
    wine(
        f"timeout 90 wine64 '{INSIDE}\\fabricwright-cli.exe' predict '{DRAWN}' --sizes 1G --json > $HOME/predict.json",
        "predict",
    )
    rows = json.loads((WINE.room / "predict.json").read_text(encoding="utf-8"))["rows"]
    tried.notes.append(f"command line predicts {rows[0]['busbw_gbs']:.1f} GB/s")
    direct = f"timeout -k 5 150 wine64 '{INSIDE}\\Fabricwright.exe' '{DRAWN}'"
    tried.start_s.append(_window(direct, "en", ""))
    tried.start_s.append(_window(direct, "zh", "--lang zh_CN"))
    _file_type(tried)
    if _contents() != before:
        raise StepFailed("windows: using the program changed its folder")
    tried.notes.append("program folder unchanged by use")
    _remove(drawn)
    tried.notes.append("uninstalling leaves only what is the user's")
    return tried


def try_portable(archive: Path) -> Tried:
    """Unpack into a folder with a Chinese name and self-test there."""
    tried = Tried(archive.name, "Windows under Wine 10")
    target = DRIVE / "便携版"
    subprocess.run(["rm", "-rf", str(target)], check=True)
    subprocess.run(["unzip", "-q", str(archive), "-d", str(target)], check=True)
    wine(
        "timeout 200 wine64 'C:\\便携版\\Fabricwright\\Fabricwright.exe' --selftest 'C:\\portable.json'",
        "portable",
    )
    report = json.loads((DRIVE / "portable.json").read_text(encoding="utf-8"))
    tried.selftest = bool(report["ok"])
    subprocess.run(["rm", "-rf", str(target)], check=True)
    return tried


def _must(path: Path, sentence: str) -> None:
    if not path.exists():
        raise StepFailed(f"windows: {sentence} ({path.name})")


def _selftest(tried: Tried) -> None:
    report_file = DRIVE / "report.json"
    wine(f"timeout 250 wine64 '{INSIDE}\\Fabricwright.exe' --selftest 'C:\\report.json'", "selftest", allowed=(0, 1))
    _must(report_file, "the self-test wrote no report")
    report = json.loads(report_file.read_text(encoding="utf-8"))
    bad = [f"{row['name']}: {row['error']}" for row in report["probes"] if not row["ok"]]
    if bad or not report["frozen"]:
        raise StepFailed(f"windows: self-test: {'; '.join(bad)}")
    tried.selftest = True


def _window(command: str, name: str, extra: str) -> float:
    """Open the window on the project, keep a picture; seconds from start to first frame, as far as Wine can tell."""
    ready = DRIVE / "ready.txt"
    ready.unlink(missing_ok=True)
    begun = time.time()
    thread = threading.Thread(
        target=lambda: wine(f"{command} {extra} --ready 'C:\\ready.txt'", f"window-{name}", allowed=ANY_END)
    )
    thread.start()
    wait_until(lambda: is_told(ready), "windows: the window did not come up, or no analysis came to rest", 90)
    time.sleep(3 * COMPARED_S)
    picture(PICTURES / f"windows-{name}.png")
    wine(
        "timeout 30 wine64 taskkill /f /im Fabricwright.exe || true; timeout 20 wineserver -k || true",
        "close",
        allowed=ANY_END,
    )
    thread.join()
    return float(ready.read_text(encoding="ascii").split()[0]) - begun


def _file_type(tried: Tried) -> None:
    """The keys stand where Windows merges them from; Wine does not merge, so they are mirrored before opening."""
    keys = "HKCU\\Software\\Classes"
    wine(f"timeout 30 wine64 reg query '{keys}\\.fwproj' | grep -q Fabricwright.Project.1", "keys")
    machine = "HKLM\\Software\\Classes"
    open_command = f'"{INSIDE}\\Fabricwright.exe" "%1" --ready C:\\ready.txt'
    wine(
        f"timeout 30 wine64 reg add '{machine}\\.fwproj' /ve /d Fabricwright.Project.1 /f && "
        f"timeout 30 wine64 reg add '{machine}\\Fabricwright.Project.1\\shell\\open\\command' "
        f"/ve /d '{open_command}' /f",
        "mirror",
    )
    _window(f"timeout 150 wine64 start /wait '{DRAWN}' #", "file-type", "")
    tried.notes.append("opened by its file type (keys mirrored for Wine)")


def _contents() -> dict[str, tuple[int, bytes]]:
    import hashlib

    return {
        str(path.relative_to(PLACE)): (path.stat().st_size, hashlib.sha256(path.read_bytes()).digest())
        for path in PLACE.rglob("*")
        if path.is_file()
    }


def _remove(drawn: Path) -> None:
    wine(f"timeout 60 wine64 '{INSIDE}\\Uninstall.exe' /S; timeout 60 wineserver -w || true", "uninstall")
    wait_until(
        lambda: not (PLACE / "Fabricwright.exe").exists(), "windows: uninstalling did not remove the program", 60
    )
    time.sleep(SLACK_S)
    left = sorted(path.name for path in PLACE.rglob("*")) if PLACE.exists() else []
    if left != ["of-the-user.txt"]:
        raise StepFailed(f"windows: uninstalling left {left[:5]}")
    _must(drawn, "uninstalling removed a document of the user")
    gone = wine("timeout 30 wine64 reg query 'HKCU\\Software\\Classes\\.fwproj'", "keys-gone", allowed=ANY_END)
    if gone == 0:
        raise StepFailed("windows: uninstalling left the file type")
