"""The Linux program: built in an old Debian so that it starts on glibc 2.28, then packed as .deb and as .run."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import icons
import licences
from systems import BUILD_LINUX, CACHE, StepFailed, logged, mirror
from wheels import wheels

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "packaging" / "linux"
DIST = ROOT / "dist"
FOLDER = DIST / "linux" / "fabricwright"
WORK = ROOT / "build" / "packaging"
ID = "io.fabricwright.Fabricwright"
EPOCH = 1767225600
"""1 January 2026: the stated date of all files, so that two builds of one state can be compared."""
GLIBC_MAX = (2, 28)
SIZE_LIMIT_MB = 60

BUILD_PACKAGES = [
    "build-essential",
    "dpkg-dev",
    "ca-certificates",
    "binutils",
    "zlib1g-dev",
    "libbz2-dev",
    "liblzma-dev",
    "libffi-dev",
    "libsqlite3-dev",
    "uuid-dev",
    "libxcb-cursor0",
    "libxkbcommon-x11-0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-render-util0",
    "libxcb-shape0",
    "libxcb-xinerama0",
    "libxcb-xkb1",
    "libxcb-randr0",
    "libegl1",
    "libgl1",
    "libfontconfig1",
    "libdbus-1-3",
    "libglib2.0-0",
]
"""PyInstaller takes along only the xcb libraries that the building system has."""

DEPENDS = """
libc6 (>= 2.28), libstdc++6 (>= 8), libgcc1 | libgcc-s1, libegl1, libgl1, libfontconfig1, libfreetype6, libdbus-1-3,
libglib2.0-0 | libglib2.0-0t64, libsqlite3-0, libx11-6, libx11-xcb1, libxext6, libxcb1, libxcb-glx0, libxcb-shm0,
libxcb-render0, libxcb-sync1, libxcb-xfixes0, libgssapi-krb5-2, libuuid1, shared-mime-info, desktop-file-utils,
hicolor-icon-theme
"""
"""What is taken from the host (the spec leaves these out)."""


def version() -> str:
    """The program's version, from the one place that states it."""
    text = (ROOT / "desktop" / "fabricwright" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "([^"]+)"', text)
    assert found is not None
    return found[1]


def prepare() -> None:
    """The building system with its own Python."""
    BUILD_LINUX.ensure()
    BUILD_LINUX.install(BUILD_PACKAGES, step="packages")
    if not BUILD_LINUX.has("python"):
        script = (HERE / "build_python.sh").read_text(encoding="utf-8")
        BUILD_LINUX.run(script, log=CACHE / "python.log", environment={"MIRROR": mirror()})
        BUILD_LINUX.mark("python")


def build(target: Path = FOLDER) -> None:
    """PyInstaller in the building system, then licences and the checks of what lies in the folder."""
    icons.main(WORK / "icons")
    source = wheels("linux")
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    pip = next(Path("/").glob("usr/share/python-wheels/pip-*.whl"), None) or _host_pip()
    script = f"""
    export PATH=/opt/python/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=1 SOURCE_DATE_EPOCH={EPOCH}
    rm -rf $HOME/venv $HOME/work && python3.11 -m venv --without-pip $HOME/venv
    PYTHONPATH=/pip/{pip.name if pip.is_file() else ""} $HOME/venv/bin/python -m pip install -q --no-index \
      --no-deps --find-links /wheels --require-hashes -r /wheels/requirements.txt
    cd $HOME && $HOME/venv/bin/python -m PyInstaller --noconfirm --clean --log-level WARN --distpath /out \
      --workpath $HOME/work /source/packaging/fabricwright.spec
    """
    BUILD_LINUX.run(
        script,
        log=CACHE / "pyinstaller-linux.log",
        binds={ROOT: "/source", source: "/wheels", pip.parent if pip.is_file() else pip: "/pip", target.parent: "/out"},
        network=False,
    )
    found = licences.collect(
        target,
        source,
        BUILD_LINUX.root / "opt/python/lib/python3.11/LICENSE.txt",
        _python_version(),
        system=BUILD_LINUX,
    )
    licences.write(found, target / "licenses", ROOT / "packaging" / "NOTICE.txt")
    licences.sbom(found, target / "licenses" / "sbom.cdx.json", sbom_tool())
    check(target)


def _host_pip() -> Path:
    """This machine's pip, as a folder to import it from (the building Python is made without one)."""
    import pip

    folder = WORK / "pip"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(Path(pip.__file__).parent, folder / "pip")
    return folder


def _python_version() -> str:
    header = BUILD_LINUX.root / "opt/python/include/python3.11/patchlevel.h"
    found = re.search(r'#define PY_VERSION\s+"([^"]+)"', header.read_text(encoding="utf-8"))
    assert found is not None
    return found[1]


def sbom_tool() -> Path:
    """A virtual environment with the CycloneDX library, made once."""
    folder = CACHE / "sbom-tool"
    if not (folder / "bin" / "cyclonedx-done").exists():
        logged(["python3", "-m", "venv", str(folder)], CACHE / "sbom-tool.log")
        pinned = "cyclonedx-python-lib[json-validation]==11.12.0"
        logged([str(folder / "bin" / "pip"), "install", "-q", pinned], CACHE / "sbom-tool.log")
        (folder / "bin" / "cyclonedx-done").touch()
    return folder


def check(folder: Path) -> None:
    """Nothing newer than glibc 2.28 is asked for, and nothing is inside that must not be shipped."""
    newest, where = (0, 0), ""
    for path in folder.rglob("*"):
        if not path.is_file() or path.is_symlink():
            continue
        name = path.name.lower()
        if any(word in name for word in ("virtualkeyboard", "readline", "qt6charts", "libssl", "libcrypto")):
            raise StepFailed(f"{path.relative_to(folder)} must not be shipped")
        with path.open("rb") as file:
            if file.read(4) != b"\x7fELF":
                continue
        text = subprocess.run(["objdump", "-T", str(path)], capture_output=True, text=True, check=False).stdout
        for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", text):
            if (int(major), int(minor)) > newest:
                newest, where = (int(major), int(minor)), str(path.relative_to(folder))
    if newest > GLIBC_MAX:
        raise StepFailed(f"{where} needs GLIBC_{newest[0]}.{newest[1]}, more than {GLIBC_MAX[0]}.{GLIBC_MAX[1]}")
    print(f"  newest symbol version asked for: GLIBC_{newest[0]}.{newest[1]} ({where})")


def _filled(text: str) -> str:
    day = datetime.fromtimestamp(EPOCH, UTC).strftime("%Y-%m-%d")
    return text.replace("@VERSION@", version()).replace("@DATE@", day).replace("@COMMANDS@", _commands())


def _commands() -> str:
    """The commands of the manual page, from the program's own help."""
    listed = subprocess.run(
        [str(FOLDER / "fabricwright"), "--help"], capture_output=True, text=True, check=False
    ).stdout
    rows = re.findall(r"^  ([a-z][a-z-]+) +(\S.*)$", listed, re.MULTILINE)
    return "\n".join(f".TP\n.B {name.replace('-', chr(92) + '-')}\n{text}" for name, text in rows)


def _share(root: Path) -> None:
    """usr/share of the package: menu entry, file type, icons, manual."""
    share = root / "usr" / "share"
    made = WORK / "icons"
    for size in icons.SIZES:
        folder = share / "icons" / "hicolor" / f"{size}x{size}"
        _install(made / f"{size}.png", folder / "apps" / f"{ID}.png")
        _install(made / f"file-{size}.png", folder / "mimetypes" / "application-vnd.fabricwright.project.png")
    _install(ROOT / "resources/icons/app-icon.svg", share / "icons/hicolor/scalable/apps" / f"{ID}.svg")
    _install(HERE / f"{ID}.desktop", share / "applications" / f"{ID}.desktop")
    _install(HERE / f"{ID}.mime.xml", share / "mime/packages" / f"{ID}.xml")
    meta = share / "metainfo" / f"{ID}.metainfo.xml"
    meta.parent.mkdir(parents=True, exist_ok=True)
    meta.write_text(_filled((HERE / meta.name).read_text(encoding="utf-8")), encoding="utf-8")
    manual = share / "man/man1/fabricwright.1.gz"
    manual.parent.mkdir(parents=True, exist_ok=True)
    page = _filled((HERE / "fabricwright.1").read_text(encoding="utf-8"))
    manual.write_bytes(gzip.compress(page.encode(), 9, mtime=0))


def _install(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def deb() -> Path:
    """The Debian package; xz, since older dpkg (UOS, Kylin) knows no zstd."""
    root = WORK / "deb"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(FOLDER, root / "opt" / "fabricwright", symlinks=True)
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "usr" / "bin" / "fabricwright").symlink_to("/opt/fabricwright/fabricwright")
    _share(root)
    doc = root / "usr/share/doc/fabricwright"
    _install(HERE / "copyright", doc / "copyright")
    stamp = datetime.fromtimestamp(EPOCH, UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
    log = f"fabricwright ({version()}) stable; urgency=medium\n\n  * Release {version()}.\n\n"
    log += f" -- The Fabricwright authors <packages@fabricwright.invalid>  {stamp}\n"
    (doc / "changelog.gz").write_bytes(gzip.compress(log.encode(), 9, mtime=0))
    _install(HERE / "lintian-overrides", root / "usr/share/lintian/overrides/fabricwright")
    control = root / "DEBIAN"
    control.mkdir()
    size = sum(p.lstat().st_size for p in root.rglob("*") if p.is_file() and not p.is_symlink()) // 1024
    control.joinpath("control").write_text(
        f"""Package: fabricwright
Version: {version()}
Section: science
Priority: optional
Architecture: amd64
Maintainer: The Fabricwright authors <packages@fabricwright.invalid>
Installed-Size: {size}
Depends: {" ".join(DEPENDS.split())}
Recommends: fonts-noto-cjk | fonts-wqy-microhei | fonts-wqy-zenhei
Description: drawing board for AI training clusters
 Draw servers, GPUs, PCIe switches, CXL memory, NICs and leaf-spine fabrics.
 While you draw, every slot, lane, cable, port and watt is checked, and the
 speed of collectives is predicted on exactly what is drawn. The result leaves
 as a diagram, a bill of materials and a cable schedule, in Chinese or English.
 .
 It works without a network connection and carries its own Python and Qt.
""",
        encoding="utf-8",
    )
    _modes(root)
    sums = "find opt usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums"
    subprocess.run(["bash", "-c", sums], cwd=root, check=True)
    _age(root)
    target = DIST / f"fabricwright_{version()}_amd64.deb"
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)}
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", str(root), str(target)]
    logged(command, CACHE / "dpkg-deb.log", environment=environment)
    megabytes = target.stat().st_size / 1e6
    if megabytes > SIZE_LIMIT_MB:
        raise StepFailed(f"{target.name} has {megabytes:.1f} MB, more than {SIZE_LIMIT_MB}")
    return target


def _modes(root: Path) -> None:
    for path in root.rglob("*"):
        if not path.is_symlink():
            path.chmod(
                0o755
                if path.is_dir()
                or (
                    path.name == "fabricwright"
                    and path.parent.name == "fabricwright"
                    and "opt" in path.parts
                    and path.is_file()
                )
                else 0o644
            )


def _age(root: Path) -> None:
    for path in [*root.rglob("*"), root]:
        os.utime(path, (EPOCH, EPOCH), follow_symlinks=False)


def run_file() -> Path:
    """A self-extracting archive for systems without dpkg; installs below the user's home, without root."""
    tree = WORK / "run"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(FOLDER, tree / "fabricwright", symlinks=True)
    _share(tree)
    _install(HERE / "install.sh", tree / "install.sh")
    (tree / "install.sh").chmod(0o755)
    _age(tree)
    target = DIST / f"fabricwright-{version()}-linux-x86_64.run"
    stamp = datetime.fromtimestamp(EPOCH, UTC).strftime("%a %b %d %H:%M:%S UTC %Y")
    command = [
        "makeself",
        "--xz",
        "--complevel",
        "6",
        "--threads",
        "2",
        "--nox11",
        "--sha256",
        "--tar-extra",
        f"--sort=name --owner=0 --group=0 --mtime=@{EPOCH}",
        "--packaging-date",
        stamp,
        str(tree),
        str(target),
        f"Fabricwright {version()}",
        "./install.sh",
    ]
    logged(command, CACHE / "makeself.log")
    return target


def lint(package: Path) -> None:
    """lintian without errors, and the two validators of menu entry and store entry."""
    share = WORK / "deb" / "usr" / "share"
    logged(["desktop-file-validate", str(share / "applications" / f"{ID}.desktop")], CACHE / "desktop-file.log")
    logged(
        ["appstreamcli", "validate", "--no-net", str(share / "metainfo" / f"{ID}.metainfo.xml")],
        CACHE / "appstream.log",
    )
    logged(["lintian", "--fail-on", "error", "--no-tag-display-limit", str(package)], CACHE / "lintian.log")


def compare_builds() -> list[str]:
    """Build once more and name the files that differ; every other file is equal byte for byte."""
    twin = FOLDER.with_name("fabricwright-twin") / FOLDER.name
    build(twin)
    names = {p.relative_to(d) for d in (FOLDER, twin) for p in d.rglob("*") if p.is_file() and not p.is_symlink()}
    different = sorted(str(name) for name in names if not _equal(FOLDER / name, twin / name))
    shutil.rmtree(twin.parent)
    (WORK / "differences.txt").write_text("".join(f"{name}\n" for name in different), encoding="utf-8")
    print(f"  two builds: {len(names)} files, {len(different)} differ{': ' if different else ''}{', '.join(different)}")
    return different


def _equal(first: Path, second: Path) -> bool:
    return first.is_file() and second.is_file() and first.read_bytes() == second.read_bytes()
