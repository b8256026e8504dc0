"""Make a checkout ready to run: system packages, the virtual environment, the packages of the lock file.

    python3 scripts/setup.py            what `make run` needs
    python3 scripts/setup.py --dev      what `make test` needs besides

Standard library only: it runs before anything is installed. Safe to repeat: what is there already is left alone, and a
second run takes well under a second. As root it installs missing system packages through apt; otherwise it prints the
command that does.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
STAMP = VENV / "installed.json"
SUPPORTED = ((3, 11), (3, 12), (3, 13))

# Shared libraries that Qt's wheel expects from the system, and the Debian/Ubuntu package of each. Found by `ldd` over
# QtGui, QtWidgets, QtSvg and the xcb and wayland platform plugins, less what these packages pull in themselves.
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
# For the tests that drive the window with a real X server and real mouse events (they skip where these are absent), and
# for PyInstaller, which reads libraries with objdump.
TEST_PROGRAMS = {"Xvfb": "xvfb", "xdotool": "xdotool", "objdump": "binutils"}


def main() -> int:
    """Do every step that is still open; 0 when the checkout is ready."""
    parser = argparse.ArgumentParser(description="Make this checkout ready to run.")
    parser.add_argument("--dev", action="store_true", help="also what the tests need")
    dev = parser.parse_args().dev

    python = supported_python()
    if python is None:
        found = ".".join(map(str, sys.version_info[:3]))
        say(f"Python 3.11, 3.12 or 3.13 is needed; python3 is {found}. Install one of them (python3.11) and try again.")
        return 1
    if python != sys.executable:
        return subprocess.call([python, *sys.argv])

    if not install_system_packages(needed=missing_packages(), wanted=wanted_packages(dev)):
        return 1
    if not usable(VENV_PYTHON):
        say("creating .venv")
        shutil.rmtree(VENV, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    install_python_packages(dev)
    return 0


def say(text: str) -> None:
    """One line to the person, at once."""
    print(f"setup: {text}", flush=True)


# ------------------------------------------------------------------------------------------------------------- Python


def supported_python() -> str | None:
    """This interpreter when its version is supported, else another one found on the PATH."""
    if sys.version_info[:2] in SUPPORTED:
        return sys.executable
    for major, minor in SUPPORTED:
        if found := shutil.which(f"python{major}.{minor}"):
            return found
    return None


def usable(python: Path) -> bool:
    """Whether the environment starts, has pip, and is of a supported version (a moved checkout's is not)."""
    if not python.exists():
        return False
    probe = "import pip, sys; print(*sys.version_info[:2], sys.prefix)"
    result = subprocess.run([str(python), "-c", probe], capture_output=True, text=True)
    words = result.stdout.split(maxsplit=2)
    return (
        result.returncode == 0
        and (int(words[0]), int(words[1])) in SUPPORTED
        and Path(words[2].strip()).resolve() == VENV.resolve()
    )


# ---------------------------------------------------------------------------------------------------- system packages


def missing_packages() -> list[str]:
    """Packages without which the program cannot start."""
    if sys.platform != "linux":
        return []
    missing = [package for library, package in QT_LIBRARIES.items() if not loadable(library)]
    if not usable(VENV_PYTHON) and importlib.util.find_spec("ensurepip") is None:
        missing.insert(0, "python{}.{}-venv".format(*sys.version_info[:2]))
    return missing


def wanted_packages(dev: bool) -> list[str]:
    """Packages that are missed but not indispensable: for tests a display of their own, for frozen builds two more."""
    if sys.platform != "linux" or not dev:
        return []
    wanted = [package for program, package in TEST_PROGRAMS.items() if shutil.which(program) is None]
    # Debian links its interpreter statically; a frozen build takes the shared library of the same version.
    version = "{}.{}".format(*sys.version_info[:2])
    if sys.executable.startswith("/usr/bin/") and not loadable(f"libpython{version}.so.1.0"):
        wanted.append(f"libpython{version}")
    return wanted


def loadable(library: str) -> bool:
    """Whether the dynamic linker finds a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def install_system_packages(needed: list[str], wanted: list[str]) -> bool:
    """Install through apt when root, else say what to type; False when the program cannot work without."""
    if not needed and not wanted:
        return True
    apt = shutil.which("apt-get")
    if apt is None and not needed:
        return True
    if apt is None:
        libraries = [library for library, package in QT_LIBRARIES.items() if package in needed]
        say("no apt here; please install with this system's package manager: " + ", ".join(libraries or needed))
        return False
    if os.geteuid() != 0:
        say(f"these system packages are {'needed' if needed else 'recommended'}; please run")
        say(f"    sudo apt-get install --no-install-recommends {' '.join(needed + wanted)}")
        return not needed
    say("installing " + " ".join(needed + wanted))
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = [apt, "install", "-y", "-q", "--no-install-recommends"]
    log = ROOT / "out" / "setup-apt.log"
    log.parent.mkdir(exist_ok=True)
    with log.open("w") as sink:

        def run(command: Iterable[str]) -> bool:
            return subprocess.call(list(command), env=environment, stdout=sink, stderr=sink) == 0

        if not run([apt, "update", "-q"]):
            say("apt-get update failed; trying with the package lists at hand")
        if needed and not run([*install, *needed]):
            say(f"apt-get could not install {' '.join(needed)}; what it said is in {log.relative_to(ROOT)}:")
            sink.flush()
            print("".join(log.read_text().splitlines(keepends=True)[-15:]), end="")
            return False
        for package in wanted:
            if not run([*install, package]):
                say(f"apt-get could not install {package}; going on without it")
    return True


# ---------------------------------------------------------------------------------------------------- Python packages


def install_python_packages(dev: bool) -> None:
    """Install the lock file, every file checked against its hash, and the program itself, editable."""
    lock = ROOT / ("requirements-dev.lock" if dev else "requirements.lock")
    state = json.loads(STAMP.read_text()) if STAMP.exists() else {}
    # The development lock holds everything of the other one (tests/test_lock_files.py), so it satisfies `make run` too.
    digests = {name: digest(ROOT / name) for name in ("requirements.lock", "requirements-dev.lock", "pyproject.toml")}
    done_for = {name for name in digests if state.get(name) == digests[name]}
    pip = [str(VENV_PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    if lock.name not in done_for and not (lock.name == "requirements.lock" and "requirements-dev.lock" in done_for):
        say(f"installing the packages of {lock.name} (about {600 if dev else 400} MB on disk; takes a minute or two)")
        pip_run([*pip, "--require-hashes", "--only-binary", ":all:", "-r", str(lock)])
        state[lock.name] = digests[lock.name]
        STAMP.write_text(json.dumps(state))
    if "pyproject.toml" not in done_for:
        pip_run([*pip, "--no-deps", "--no-build-isolation", "--no-index", "-e", str(ROOT)])
        state["pyproject.toml"] = digests["pyproject.toml"]
        STAMP.write_text(json.dumps(state))


def pip_run(command: list[str]) -> None:
    """Run pip; its own words say what went wrong."""
    if subprocess.call(command) != 0:
        say("pip failed, see above; run the same command again once that is mended")
        raise SystemExit(1)


def digest(path: Path) -> str:
    """Content of a file in 64 hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
