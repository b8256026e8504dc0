"""Clean Debian systems to build and try in: one folder each, made by debootstrap and kept for the next time.

Every command in one runs in a mount name space of its own, so that nothing stays mounted when it ends or is killed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

CACHE = Path(os.environ.get("FABRICWRIGHT_PACKAGING_CACHE", Path.home() / ".cache" / "fabricwright-packaging"))
"""Where systems and downloads are kept between builds; outside the tree, since each system has some 500 MB."""

ROOM = "/build"
"""Folder of a system that builds and trials work in; also the home of who does."""

DONE = ".fabricwright-done"
"""File in a system's root: one line per step that it has behind it."""


class StepFailed(Exception):
    """A step of the build ended badly; the text says which and where its log is."""


def mirror() -> str:
    """The Debian mirror that this machine's own apt is set up with."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)"], capture_output=True, text=True, check=True
    )
    for line in listed.stdout.split():
        if line.rstrip("/").endswith("debian"):
            return line.rstrip("/")
    raise StepFailed("apt on this machine names no Debian mirror; packaging needs one to make clean systems.")


class System:
    """A Debian of its own in a folder."""

    def __init__(self, name: str, suite: str) -> None:
        self.name = name
        self.suite = suite
        self.root = CACHE / name
        self.room = self.root / ROOM[1:]

    def ensure(self) -> None:
        """Make the system unless it is there whole."""
        if self.has("bootstrap"):
            return
        if shutil.which("debootstrap") is None:
            raise StepFailed("packaging needs debootstrap; please install it (apt-get install debootstrap).")
        if os.geteuid() != 0:
            raise StepFailed("packaging builds in clean systems and has to run as root.")
        shutil.rmtree(self.root, ignore_errors=True)
        CACHE.mkdir(parents=True, exist_ok=True)
        command = ["debootstrap", "--variant=minbase", self.suite, str(self.root), mirror()]
        logged(command, CACHE / f"{self.name}-bootstrap.log")
        self.mark("bootstrap")

    def has(self, step: str) -> bool:
        """Whether a step is behind this system."""
        note = self.root / DONE
        return note.exists() and step in note.read_text(encoding="utf-8").splitlines()

    def mark(self, step: str) -> None:
        """Note that a step is done."""
        with (self.root / DONE).open("a", encoding="utf-8") as note:
            note.write(f"{step}\n")

    def install(self, packages: Sequence[str], *, step: str) -> None:
        """Install Debian packages, once."""
        if self.has(step):
            return
        self.run(
            "apt-get update -qq && apt-get install -y -qq --no-install-recommends " + " ".join(packages),
            log=CACHE / f"{self.name}-{step}.log",
        )
        self.mark(step)

    def copy(self, twin: System) -> None:
        """Become a fresh copy of another system; what was here is gone."""
        shutil.rmtree(self.root, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", f"{twin.root}/.", str(self.root)], check=True)

    def run(
        self,
        script: str,
        *,
        log: Path | None = None,
        binds: Mapping[Path, str] | None = None,
        environment: Mapping[str, str] | None = None,
        network: bool = True,
        timeout_s: float = 3600,
        allowed: Sequence[int] = (0,),
    ) -> int:
        """Run a bash script in the system as root.

        ``binds`` shows folders of this machine inside it; ``network=False`` leaves it the loopback interface alone.
        Returns the exit code; raises StepFailed when that is not among ``allowed``.
        """
        mounts = [f"mkdir -p .{ROOM}", "mount -t proc proc proc", "mount --rbind /dev dev"]
        if network:
            mounts.append("cp /etc/resolv.conf /etc/hosts etc/")
        for outside, inside in (binds or {}).items():
            mounts.append(f"mkdir -p .{inside} && mount --bind '{outside}' .{inside}")
        outer = " && ".join(["cd " + f"'{self.root}'", *mounts, 'exec chroot . /bin/bash -euo pipefail -c "$1"'])
        kept = {"HOME": ROOM, "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        kept["PATH"] = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        space = ["unshare", "--mount", "--propagation", "private", *([] if network else ["--net"])]
        command = [*space, "/bin/bash", "-c", outer, "in-system", script]
        return logged(command, log, environment={**kept, **(environment or {})}, timeout_s=timeout_s, allowed=allowed)


def wait_until(true: Callable[[], object], sentence: str, timeout_s: float) -> None:
    """Until something holds; StepFailed with the sentence when it does not in time."""
    until = time.monotonic() + timeout_s
    while not true():
        if time.monotonic() > until:
            raise StepFailed(sentence)
        time.sleep(0.05)


def logged(
    command: Sequence[str],
    log: Path | None,
    *,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout_s: float = 3600,
    allowed: Sequence[int] = (0,),
) -> int:
    """Run a command with its output in ``log`` (None: on the terminal); StepFailed with the log's end when it fails."""
    out = log.open("wb") if log is not None else None
    try:
        code = subprocess.run(
            list(command),
            stdout=out,
            stderr=subprocess.STDOUT if out else None,
            env=environment,
            cwd=cwd,
            timeout=timeout_s,
            check=False,
            stdin=subprocess.DEVNULL,
        ).returncode
    except subprocess.TimeoutExpired as late:
        raise StepFailed(f"{command[0]} did not end within {timeout_s:.0f} s (log: {log})") from late
    finally:
        if out is not None:
            out.close()
    if code not in allowed:
        tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:] if log is not None else []
        raise StepFailed("\n".join([f"{command[0]} ended with {code} (log: {log})", *tail]))
    return code


BUILD_LINUX = System("bullseye-build", "bullseye")
"""Where the Linux program is built: glibc 2.31 is the oldest that the mirrors still have."""
BULLSEYE = System("bullseye", "bullseye")
BOOKWORM = System("bookworm", "bookworm")
TRIXIE = System("trixie", "trixie")
"""Debian 11, 12 and 13 as they come, to install in."""
WINE = System("wine", "trixie")
"""Where the Windows program is built and tried: Wine 10."""
