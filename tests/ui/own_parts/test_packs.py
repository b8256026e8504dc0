"""Packs and NetBox device types in the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QDialog

from fabricwright.catalog import own
from fabricwright.catalog.pack import export_pack, read_pack
from fabricwright.catalog.store import catalogue
from fabricwright.ui import dialogs
from fabricwright.ui.own_parts.netbox_dialog import NetboxDialog
from fabricwright.ui.own_parts.pack_dialogs import PackExport, PackImport
from fabricwright.ui.panels.palette import PalettePanel
from fabricwright.ui.panels.palette_model import ESTIMATE_ROLE

LEAF = """
manufacturer: Acme
model: LX-8
slug: acme-lx-8
u_height: 1
console-ports: [{name: con}]
interfaces:
""" + "".join(f"  - {{name: Ethernet1/{n}, type: 400gbase-x-qsfpdd}}\n" for n in range(1, 9))


# -- packs ------------------------------------------------------------------------------------------------------------


def answer(monkeypatch: pytest.MonkeyPatch, dialog: type[QDialog], reply: Callable[[Any], bool]) -> None:
    """Answer a dialog as a person would; ``reply`` tells whether it is accepted."""
    codes = {True: QDialog.DialogCode.Accepted, False: QDialog.DialogCode.Rejected}
    monkeypatch.setattr(dialog, "exec", lambda self: codes[bool(reply(self))])


def test_a_pack_goes_out_with_title_version_and_author(
    palette: PalettePanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own.save(*own.make_from("sn5600", {}))
    own.save(*own.make_from("sn4700", {}))

    def fill(dialog: PackExport) -> bool:
        assert dialog.chosen() == ["my-sn5600"] and not dialog.save_button.isEnabled()
        dialog.title.setText("Lab parts")
        dialog.author.setText("Li Wei")
        dialog.version.setText("v2")
        assert "numbers and dots" in dialog._fields["version"].message.text() and not dialog.save_button.isEnabled()
        dialog.version.setText("2.1")
        assert dialog.save_button.isEnabled()
        return True

    answer(monkeypatch, PackExport, fill)
    target = tmp_path / "lab.fwcat"
    monkeypatch.setattr(dialogs, "ask_save", lambda *_a, **_k: target)
    assert palette.own.export_pack(["my-sn5600"])
    pack = read_pack(target)
    assert (pack.title, pack.author, pack.pack_version, list(pack.parts)) == (
        "Lab parts",
        "Li Wei",
        "2.1",
        ["my-sn5600"],
    )


def make_pack(tmp_path: Path) -> Path:
    """A pack of three parts; then two of them change here, and one is not here any more."""
    for base in ("sn5600", "sn4700", "sn2201"):
        own.save(*own.make_from(base, {}))
    path = tmp_path / "theirs.fwcat"
    path.write_bytes(export_pack(["my-sn5600", "my-sn4700", "my-sn2201"], "Lab", "Li"))
    own.remove("my-sn2201")
    for base in ("sn5600", "sn4700"):
        own.save(*own.make_from(base, {"figures": {"height_u": 9}}, f"my-{base}"), replace_own=True)
    return path


def test_a_pack_comes_in_part_by_part(palette: PalettePanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = make_pack(tmp_path)

    def choose(dialog: PackImport) -> bool:
        shown = [[str(dialog.model.index(r, c).data()) for c in range(3)] for r in range(dialog.model.rowCount())]
        assert any(row[0] == "Figures: Height" and row[1].startswith("9 (engineering") for row in shown), shown
        assert dialog.replaced() == [], "nothing is replaced unless it is chosen"
        dialog.choose("my-sn4700", "replace")
        assert "Added: 1, replaced: 1" in dialog.summary.text()
        dialog.grab()
        return True

    answer(monkeypatch, PackImport, choose)
    assert set(palette.own.import_pack(path)) == {"my-sn2201", "my-sn4700"}
    assert catalogue().get("my-sn5600").get("height_u") == 9, "mine was kept"
    assert catalogue().get("my-sn4700").get("height_u") == 1, "theirs was taken"
    assert palette.model.find("my-sn2201").isValid()


def test_a_refused_pack_changes_nothing(palette: PalettePanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = make_pack(tmp_path)
    before = (tmp_path / "data" / "own_parts.json").read_bytes()
    answer(monkeypatch, PackImport, lambda dialog: dialog.choose_all("replace") is not None)
    assert palette.own.import_pack(path) == ()
    assert (tmp_path / "data" / "own_parts.json").read_bytes() == before


@pytest.mark.parametrize("data", [b"", b"\x00\xff", b"{}", b'{"format":"fabricwright-pack"}', b"[" * 5000])
def test_a_bad_pack_is_one_sentence(palette: PalettePanel, told: list[str], tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.fwcat"
    path.write_bytes(data)
    assert palette.own.import_pack(path) == ()
    assert len(told) == 1 and "\n" not in told[0]


# -- NetBox -----------------------------------------------------------------------------------------------------------


def test_a_device_type_becomes_a_part_through_the_form(
    palette: PalettePanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "lx-8.yaml"
    path.write_text(LEAF, encoding="utf-8")
    seen: list[str] = []

    def look(dialog: NetboxDialog) -> bool:
        seen.extend(dialog._understood() + dialog._inferred() + dialog._skipped())
        dialog.grab()
        return True

    answer(monkeypatch, NetboxDialog, look)
    form = palette.own.import_netbox(path)
    assert form is not None and form.draft.problems == []
    assert "Interfaces: 8 \u00d7 400gbase-x-qsfpdd" in seen and "Console ports: 1" in seen and "Kind: Switch" in seen
    assert "kind" in form.general.fields, "the kind is a guess, so it can be corrected"
    assert form.keep(place=False)
    part = catalogue().get("netbox-lx-8")
    assert (part.kind, len(part.cages), part.confidence) == ("switch", 8, "inferred")
    assert palette.model.find("netbox-lx-8").data(ESTIMATE_ROLE)


def test_a_device_of_the_catalogue_is_held_against_it(
    palette: PalettePanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = "".join(f"  - {{name: swp{n}, type: 800gbase-x-osfp}}\n" for n in range(1, 65))
    path = tmp_path / "sn5600.yaml"
    head = "manufacturer: NVIDIA\nmodel: SN5600\nslug: sn5600\nu_height: 3\ninterfaces:\n"
    path.write_text(head + rows, encoding="utf-8")
    found: list[NetboxDialog] = []

    def keep(dialog: NetboxDialog) -> bool:
        found.append(dialog)
        return True

    answer(monkeypatch, NetboxDialog, keep)
    before = catalogue().get("sn5600")
    form = palette.own.import_netbox(path)
    assert form is not None and found[0].found.same_model == "sn5600"
    part = form.draft.part()
    # From the catalogue's part, with the record's height and the record as its source.
    assert own.based_on(part) == "sn5600" and form.draft.part_id == "my-sn5600"
    assert (part.get("height_u"), part.figures["height_u"].source) == (3, "nbx")
    assert len(part.cages) == 65 and catalogue().get("sn5600") is before


@pytest.mark.parametrize("text", ["", "a: [", "manufacturer: x", "!!python/object:os.system {}", "&a [*a]", "\x00"])
def test_a_bad_record_is_one_sentence(palette: PalettePanel, told: list[str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    assert palette.own.import_netbox(path) is None
    assert len(told) == 1
