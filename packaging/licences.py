"""Licence texts and the bill of software of a built program folder. A part without a text fails the build.

What is in the folder is found, not listed by hand: Python packages by their wheels, C libraries by the files that lie
there. Only where a file cannot say where it is from (Windows' DLLs) a table says it.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import zipfile
from dataclasses import dataclass, field
from email.parser import HeaderParser
from pathlib import Path

from systems import StepFailed, System

COMMON = Path("/usr/share/common-licenses")
"""Debian's own copies of the texts that many parts share."""

QT = ("LGPL-3", "GPL-3")
"""Qt, PySide6 and Shiboken are used under the LGPL 3, which adds to the GPL 3; their wheels carry no text."""
QT_WHEELS = ("pyside6-essentials", "shiboken6")
NOT_SHIPPED = ("altgraph", "packaging", "setuptools", "pefile", "pywin32-ctypes", "pyinstaller-hooks-contrib")
"""Wheels that only build."""

TEXT = re.compile(r"\.dist-info/(?:.*/)?(?:licen[cs]e|copying|notice|authors)[^/]*$", re.IGNORECASE)

WINDOWS_LIBRARIES = {
    r"(python3|python311)\.dll": "cpython",
    r"(vcruntime|msvcp|concrt|vccorlib|vcomp|vcamp)\d.*\.dll": "microsoft-vc-runtime",
    r"libffi.*\.dll": "libffi",
    r"sqlite3\.dll": "sqlite",
    r"(ucrtbase|api-ms-win-.*)\.dll": "microsoft-vc-runtime",
}
"""Name of a file -> part it belongs to. Their texts are in the licence file that comes with Python for Windows."""


@dataclass(slots=True)
class Component:
    """One part of what is shipped."""

    name: str
    version: str
    licence: str
    kind: str = "library"
    purl: str = ""
    texts: dict[str, bytes] = field(default_factory=dict)
    hashes: list[tuple[str, str]] = field(default_factory=list)


def collect(
    folder: Path, wheels: Path, python_licence: Path, python_version: str, *, system: System | None
) -> list[Component]:
    """Components of the program in ``folder`` (its PyInstaller folder), each with its texts.

    ``system``: the Debian it was built in, None for Windows. Raises StepFailed with the names of those without a text.
    """
    found = [
        _program(),
        Component(
            "cpython",
            python_version,
            "Python-2.0",
            purl=f"pkg:generic/cpython@{python_version}",
            texts={"LICENSE.txt": python_licence.read_bytes()},
        ),
    ]
    found += [_wheel(path) for path in sorted(wheels.glob("*.whl")) if _shipped(path)]
    qt = next(row for row in found if row.name == "pyside6-essentials")
    found.append(
        Component("qt", qt.version, "LGPL-3.0-only", purl=f"pkg:generic/qt@{qt.version}", texts=dict(qt.texts))
    )
    found.append(_fonts())
    found.append(_icons())
    found += _debian_libraries(folder, system) if system else _windows_libraries(folder, python_licence)
    without = sorted(row.name for row in found if not row.texts)
    if without:
        raise StepFailed(f"licences: no text was found for {', '.join(without)}")
    return found


def write(found: list[Component], target: Path, notice: Path) -> None:
    """``target/NAME/TEXT`` for every component, and ``NOTICE.txt``: what is in it and under which licence."""
    shutil.rmtree(target, ignore_errors=True)
    for row in found:
        for name, text in row.texts.items():
            path = target / row.name / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
    lines = [f"{row.name} {row.version}: {row.licence}" for row in sorted(found, key=lambda r: r.name)]
    head = notice.read_text(encoding="utf-8")
    (target / "NOTICE.txt").write_text(head + "\n" + "\n".join(lines) + "\n", encoding="utf-8")


def _shipped(path: Path) -> bool:
    return path.name.split("-")[0].lower().replace("_", "-") not in NOT_SHIPPED


def _program() -> Component:
    root = Path(__file__).resolve().parents[1]
    text = (root / "desktop" / "fabricwright" / "__init__.py").read_text(encoding="utf-8")
    version = re.search(r'__version__ = "([^"]+)"', text)
    assert version is not None
    return Component(
        "fabricwright", version[1], "Apache-2.0", "application", texts={"LICENSE": (root / "LICENSE").read_bytes()}
    )


def _fonts() -> Component:
    fonts = Path(__file__).resolve().parents[1] / "resources" / "fonts"
    texts = {path.name: path.read_bytes() for path in sorted(fonts.glob("*LICENSE*"))}
    return Component("fonts", "1", "OFL-1.1", "data", texts=texts)


def _icons() -> Component:
    icons = Path(__file__).resolve().parents[1] / "resources" / "icons"
    return Component(
        "icons", "1", "Apache-2.0 AND MIT", "data", texts={"NOTICE.txt": (icons / "NOTICE.txt").read_bytes()}
    )


def _wheel(path: Path) -> Component:
    with zipfile.ZipFile(path) as wheel:
        meta_name = next(n for n in wheel.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", n))
        meta = HeaderParser().parsestr(wheel.read(meta_name).decode("utf-8"))
        own = meta_name.split("/")[0] + "/"
        texts = {
            name[len(own) :].removeprefix("licenses/").replace("/", "-"): wheel.read(name)
            for name in wheel.namelist()
            if name.startswith(own) and TEXT.search(name)
        }
    name, version = meta["Name"].lower().replace("_", "-"), meta["Version"]
    licence = meta["License-Expression"] or _short(meta["License"]) or _classified(meta.get_all("Classifier") or [])
    if name in QT_WHEELS:
        licence = "LGPL-3.0-only"
        texts |= {f"{text}.txt": (COMMON / text).read_bytes() for text in QT}
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Component(
        name, version, licence, purl=f"pkg:pypi/{name}@{version}", texts=texts, hashes=[("SHA-256", digest)]
    )


def _short(text: str | None) -> str:
    return text if text and len(text) < 60 and "\n" not in text else ""


def _classified(rows: list[str]) -> str:
    return next((row.split("::")[-1].strip() for row in rows if row.startswith("License ::")), "see its text")


def _debian_libraries(folder: Path, system: System) -> list[Component]:
    """C libraries of the building system that lie in the program's folder, by the Debian package they came from."""
    names = sorted({path.name for path in folder.rglob("*.so*") if path.is_file() and "/PySide6/" not in str(path)})
    listing = "\n".join(names)
    query = f"""
    while read -r name; do
      for place in /usr/lib/x86_64-linux-gnu /lib/x86_64-linux-gnu; do
        if [ -e "$place/$name" ]; then
          real=$(readlink -f "$place/$name")
          owners=$(dpkg -S "$real" "$place/$name" "*/$(basename "$real")" 2>/dev/null || true)
          package=$(cut -d: -f1 <<< "$owners" | sort -u | head -1)
          if [ -n "$package" ]; then
            echo "$package $(dpkg-query -W -f '${{Version}}\\n' "$package" | sort -u | head -1)"
          fi
          break
        fi
      done
    done > $HOME/libraries.txt <<'NAMES'
{listing}
NAMES
    """
    system.run(query, network=False)
    rows = sorted(set((system.room / "libraries.txt").read_text(encoding="utf-8").splitlines()))
    out = []
    for row in rows:
        package, version = row.split()
        text = system.root / "usr" / "share" / "doc" / package / "copyright"
        texts = {"copyright": text.read_bytes()} if text.exists() else {}
        named = re.findall(r"^License: *(\S+)", texts.get("copyright", b"").decode("utf-8", "replace"), re.MULTILINE)
        licence = " / ".join(dict.fromkeys(named)) or "see its text"
        out.append(Component(package, version, licence, purl=f"pkg:deb/debian/{package}@{version}", texts=texts))
    return out


def _windows_libraries(folder: Path, python_licence: Path) -> list[Component]:
    """DLLs in the folder that no wheel brought."""
    parts: dict[str, str] = {}
    for path in sorted(folder.rglob("*.dll")):
        if {"PySide6", "shiboken6", "numpy.libs", "numpy", "pydantic_core"} & set(path.parts):
            continue
        part = next(
            (p for pattern, p in WINDOWS_LIBRARIES.items() if re.fullmatch(pattern, path.name, re.IGNORECASE)), None
        )
        if part is None:
            raise StepFailed(f"licences: nothing says which part {path.name} belongs to (packaging/licences.py)")
        parts[part] = path.name
    text = {"LICENSE.txt": python_licence.read_bytes()}
    known = {"libffi": "MIT", "sqlite": "blessing", "microsoft-vc-runtime": "LicenseRef-Microsoft-Distributable-Code"}
    return [
        Component(part, "as in Python for Windows", known[part], texts=text)
        for part in sorted(parts)
        if part != "cpython"
    ]


def sbom(found: list[Component], target: Path, tool: Path) -> None:
    """CycloneDX 1.6 as JSON, written and checked against its schema by the standard's own library in ``tool``."""
    rows = [
        {"name": r.name, "version": r.version, "licence": r.licence, "kind": r.kind, "purl": r.purl, "hashes": r.hashes}
        for r in sorted(found, key=lambda r: (r.kind != "application", r.name))
    ]
    import json

    script = Path(__file__).with_name("write_sbom.py")
    done = subprocess.run(
        [str(tool / "bin" / "python"), str(script), str(target)],
        input=json.dumps(rows),
        text=True,
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        raise StepFailed(f"the bill of software could not be written: {done.stderr.strip()[-600:]}")
