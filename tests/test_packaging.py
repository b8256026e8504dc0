"""What the installers are made from, without building them."""

from __future__ import annotations

import configparser
import importlib
import re
import struct
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGING = ROOT / "packaging"


@pytest.fixture
def packaging(monkeypatch):
    """Import a module of the packaging folder, which is no package of the program."""
    monkeypatch.syspath_prepend(str(PACKAGING))

    def module(name: str):
        return importlib.import_module(name)

    yield module
    for name in ("icons", "wheels", "systems", "licences", "linux_build", "windows_build"):
        sys.modules.pop(name, None)


def test_windows_gets_what_only_windows_needs(packaging):
    rows = packaging("wheels").requirements("windows")
    names = re.findall(r"^([a-z0-9-]+)==", rows, re.MULTILINE)
    assert {"pyside6-essentials", "numpy", "pefile", "pywin32-ctypes"} <= set(names)
    assert "macholib" not in names
    assert all("--hash=sha256:" in block for block in rows.strip().split("\n") if "==" not in block)


def test_linux_gets_all_of_the_lock_file(packaging):
    locked = re.findall(r"^([a-z0-9._-]+)==", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    names = re.findall(r"^([a-z0-9-]+)==", packaging("wheels").requirements("linux"), re.MULTILINE)
    assert set(locked) <= set(names)
    assert "pefile" not in names


def test_containers_of_icons_hold_each_picture_where_their_directory_says(packaging):
    pictures = {size: bytes([size % 251]) * size for size in (16, 32, 256)}
    data = packaging("icons").ico(pictures)
    reserved, kind, count = struct.unpack_from("<HHH", data)
    assert (reserved, kind, count) == (0, 1, 3)
    for n, size in enumerate((16, 32, 256)):
        width, _height, _, _, planes, bits, length, offset = struct.unpack_from("<BBBBHHII", data, 6 + 16 * n)
        assert (width or 256, planes, bits) == (size, 1, 32)
        assert data[offset : offset + length] == pictures[size]
    whole = packaging("icons").icns({s: b"x" * s for s in (16, 32, 64, 128, 256, 512)})
    assert whole[:4] == b"icns"
    assert struct.unpack(">I", whole[4:8])[0] == len(whole)


def test_menu_entry_and_file_type_name_each_other():
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str
    folder = PACKAGING / "linux"
    entry.read(folder / "io.fabricwright.Fabricwright.desktop", encoding="utf-8")
    wanted = entry["Desktop Entry"]["MimeType"].rstrip(";")
    types = ElementTree.parse(folder / "io.fabricwright.Fabricwright.mime.xml").getroot()
    (declared,) = types
    assert declared.get("type") == wanted
    assert [g.get("pattern") for g in declared if g.tag.endswith("glob")] == ["*.fwproj"]
    assert entry["Desktop Entry"]["Comment[zh_CN]"]


def test_setup_deletes_only_what_it_installs():
    """Somebody may have chosen a folder that holds other things, too."""
    text = (PACKAGING / "windows" / "installer.nsi").read_text(encoding="utf-8")
    removed = re.findall(r'RMDir /r "([^"]+)"', text)
    assert removed == ["$INSTDIR\\_internal", "$INSTDIR\\licenses"]


def test_shell_scripts_parse():
    for path in (*PACKAGING.rglob("*.sh"), ROOT / ".ci" / "run"):
        shell = (
            "bash" if "bash" in path.read_text(encoding="utf-8").split("\n")[0] or path.parent.name == "linux" else "sh"
        )
        assert subprocess.run([shell, "-n", str(path)], check=False).returncode == 0, path.name
