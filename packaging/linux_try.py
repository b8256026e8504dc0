"""Install the Linux packages in clean systems and use them there: self-test, window, file type, removal."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from linux_build import ID, WORK
from systems import BOOKWORM, BULLSEYE, CACHE, TRIXIE, StepFailed, System, logged, wait_until

PICTURES = WORK / "pictures"
TEMPLATE = "seed-b-512"
USER, HOME = "sales", "/home/张伟"
DISPLAY = ":93"
SIZE = "1600x1000"
ANY_END = range(-64, 256)
"""A window that is ended from outside ends as the signal has it."""
COMPARED_S = 6
"""The case study opens on its comparison, which follows the analysis."""


@dataclass(slots=True)
class Tried:
    """What one installation showed."""

    file: str
    system: str
    selftest: bool = False
    start_s: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@contextlib.contextmanager
def screen() -> Iterator[None]:
    """A virtual screen on this machine; the systems see its socket."""
    command = ["Xvfb", DISPLAY, "-screen", "0", f"{SIZE}x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(100):
                if Path(f"/tmp/.X11-unix/X{DISPLAY[1:]}").exists():
                    break
                time.sleep(0.1)
            yield
        finally:
            server.terminate()


def picture(target: Path) -> None:
    """The whole screen as a PNG file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "DISPLAY": DISPLAY}
    logged(["import", "-window", "root", str(target)], CACHE / "picture.log", environment=environment)


def fresh(base: System) -> System:
    """A system as it comes, with a user whose home has a Chinese name."""
    base.ensure()
    system = System(f"try-{base.name}", base.suite)
    system.copy(base)
    system.run(f"useradd --create-home --home-dir {HOME} --shell /bin/bash {USER}")
    return system


def try_deb(package: Path, base: System) -> Tried:
    """Install, self-test, open the case study, look at the file type, purge."""
    tried = Tried(package.name, f"Debian {base.suite}")
    system = fresh(base)
    binds = {package.parent: "/packages", Path("/tmp/.X11-unix"): "/tmp/.X11-unix"}
    before = _listing(system)
    log = CACHE / f"{system.name}-install.log"
    install = "apt-get update -qq && apt-get install -y -qq --no-install-recommends"
    system.run(f"{install} /packages/{package.name}", log=log, binds=binds)
    _use(system, "/usr/bin/fabricwright", tried, binds)
    system.run(
        f"test \"$(grep -c '^application/vnd.fabricwright.project:.*fwproj' /usr/share/mime/globs)\" = 1 && "
        f"grep -q '^application/vnd.fabricwright.project={ID}.desktop' /usr/share/applications/mimeinfo.cache",
        log=CACHE / f"{system.name}-type.log",
    )
    tried.notes.append("file type registered")
    system.run("apt-get purge -y -qq fabricwright", log=log)
    left = [name for name in _listing(system) - before if "fabricwright" in name.lower()]
    if left:
        raise StepFailed(f"{system.name}: removing the package left {', '.join(sorted(left)[:5])}")
    tried.notes.append("purge leaves nothing")
    return tried


def try_run_file(package: Path, base: System) -> Tried:
    """Install for one user without root, self-test, open the case study."""
    tried = Tried(package.name, f"Debian {base.suite}")
    system = fresh(base)
    binds = {package.parent: "/packages", Path("/tmp/.X11-unix"): "/tmp/.X11-unix"}
    # What any desktop has; this format can ask for nothing itself.
    desktop = ["xz-utils", "libegl1", "libgl1", "libfontconfig1", "libdbus-1-3", "libglib2.0-0", "libsqlite3-0"]
    desktop += ["libx11-xcb1", "libxcb-glx0", "libxcb-shm0", "libxcb-sync1", "libxcb-xfixes0", "libxcb-render0"]
    system.install(desktop, step="desktop")
    as_user = f"su {USER} -c 'sh /packages/{package.name} --quiet'"
    system.run(as_user, log=CACHE / f"{system.name}-run.log", binds=binds)
    _use(system, f"{HOME}/.local/bin/fabricwright", tried, binds)
    return tried


def _use(system: System, program: str, tried: Tried, binds: dict[Path, str]) -> None:
    """Self-test and window as a user without network, Chinese font and write access to the program."""
    log = CACHE / f"{system.name}-use.log"
    prefix = f"su {USER} -c"
    system.run(f"{prefix} 'cd && {program} --selftest report.json'", log=log, network=False)
    report = json.loads((system.root / HOME[1:] / "report.json").read_text(encoding="utf-8"))
    tried.selftest = bool(report["ok"] and report["frozen"])
    if not tried.selftest:
        raise StepFailed(f"{system.name}: the self-test failed (log: {log})")
    drawn = f"{HOME}/项目 plan.fwproj"
    system.run(f"{prefix} '{program} new {TEMPLATE} -o \"{drawn}\"'", log=log, network=False)
    system.run(f"{prefix} '{program} check \"{drawn}\" --json > /dev/null'", log=log, network=False, allowed=(0, 1))
    for name, scale, extra in (
        ("cold", "1", ""),
        ("en", "1", ""),
        ("zh", "1", "--lang zh_CN"),
        ("125", "1.25", ""),
        ("200-zh", "2", "--lang zh_CN"),
    ):
        tried.start_s.append(_window(system, program, drawn, binds, scale, extra, name))
    settings = system.root / HOME[1:] / ".config" / "Fabricwright" / "Fabricwright.conf"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("[General]\nversion=99\n[window]\nstate=@ByteArray(broken)\n", encoding="ascii")
    system.run(f"chown -R {USER}: {HOME}/.config")
    _window(system, program, drawn, binds, "1", "", "odd-settings")
    tried.notes.append("no network, no Chinese font, program not writable, home 张伟, 125 and 200 %, odd settings")


def _window(
    system: System, program: str, drawn: str, binds: dict[Path, str], scale: str, extra: str, name: str
) -> float:
    """Open the window on the case study; seconds from start to first frame. Keeps a picture of it."""
    ready = system.root / HOME[1:] / "ready.txt"
    ready.unlink(missing_ok=True)
    script = (
        f"exec su {USER} -c 'cd && DISPLAY={DISPLAY} QT_SCALE_FACTOR={scale} LANG=C.UTF-8 timeout -k 5 60 "
        f'{program} "{drawn}" {extra} --ready ready.txt\''
    )
    begun = time.time()
    log = CACHE / f"{system.name}-window-{name}.log"
    ended: list[int] = []
    thread = threading.Thread(
        target=lambda: ended.append(system.run(script, log=log, binds=binds, network=False, allowed=ANY_END))
    )
    thread.start()
    sentence = f"{system.name}: the window did not come up, or no analysis came to rest (log: {log})"
    wait_until(lambda: is_told(ready), sentence, 35)
    time.sleep(COMPARED_S)
    picture(PICTURES / f"{system.name.removeprefix('try-')}-{name}.png")
    subprocess.run(["pkill", "-TERM", "-f", f"{program}.*--ready ready.txt"], check=False)
    thread.join()
    return float(ready.read_text(encoding="ascii").split()[0]) - begun


def is_told(ready: Path) -> bool:
    """Whether the program has written both times into the file: the first frame, the first analysis."""
    return ready.exists() and ready.read_text(encoding="ascii").count("\n") >= 2


def _listing(system: System) -> set[str]:
    """Every path of the system outside of homes."""
    # What a user made stays when a package is removed, so homes do not count.
    command = ["find", ".", "-xdev", "-path", "./home", "-prune", "-o", "-print"]
    found = subprocess.run(command, cwd=system.root, capture_output=True, text=True, check=True)
    return set(found.stdout.splitlines())


ALL = (BULLSEYE, BOOKWORM, TRIXIE)
