"""Whatever a file holds, its reader takes it or says in one sentence why not; quickly, and in little memory.

A fixed part of what ``make fuzz`` does at length.
"""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path
from random import Random

import pytest

from fabricwright.design.storage import dumps, loads
from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.reading import read_file
from tests.hostile.mutate import mutate
from tests.hostile.readers import READERS, project

#: Inputs of each reader here; those that analyse or run commands are slow.
INPUTS = {"project-checked": 6, "command": 8, "project": 15, "block": 20, "clip": 20, "prices-xlsx": 15, "journal": 20}
INPUTS |= {"own-parts": 20, "pack": 20, "prices-csv": 40}


@pytest.mark.parametrize("name", READERS)
def test_mutated_files_are_taken_or_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    reader, random = READERS[name], Random(f"test {name}")
    sentences: list[str] = []
    for _ in range(INPUTS.get(name, 80)):
        data = mutate(random.choice(reader.seeds()), random)
        try:
            reader.read(data, tmp_path)
        except reader.refusals as error:
            sentences.append(str(error))
    assert [text for text in sentences if "\n" in text] == []


@pytest.mark.parametrize("name", [n for n in READERS if n not in ("report-template", "command", "grid", "words")])
def test_sound_files_are_taken(name: str, tmp_path: Path) -> None:
    for data in READERS[name].seeds()[:2]:
        READERS[name].read(data, tmp_path)


def test_a_device_is_read_no_further_than_its_bound() -> None:
    if not os.path.exists("/dev/zero"):
        pytest.skip("no /dev/zero here")
    with pytest.raises(UserError, match="is larger than 1 MB"):
        read_file("/dev/zero", limits.MB)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.log")
    with pytest.raises(UserError, match="cannot be read"):
        read_file(tmp_path / "x.log", 10)


def test_half_a_character_is_refused_where_it_could_not_be_saved_again() -> None:
    text = dumps(project()).decode().replace('"title":"', '"title":"\\ud800', 1)
    with pytest.raises(UserError, match="half a character"):
        loads(text.encode())


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 50_000_000)
    with pytest.raises(UserError, match="many times its size"):
        READERS["prices-xlsx"].read(held.getvalue(), tmp_path)


def _workbook(strings: bytes = b"", sheet: bytes = b"", **more: bytes) -> bytes:
    """A workbook of one sheet, as small as openpyxl takes it."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/>'
            f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}.sharedStrings+xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r" Type="{relation}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{relation}"><sheets><sheet name="P" sheetId="1" r:id="r"/></sheets>'
            "</workbook>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r" Type="{relation}/worksheet" '
            'Target="worksheets/sheet1.xml"/></Relationships>',
        )
        head = f'<worksheet xmlns="{main}"><sheetData>'.encode()
        archive.writestr("xl/worksheets/sheet1.xml", sheet or head + b"</sheetData></worksheet>")
        archive.writestr("xl/sharedStrings.xml", strings or f'<sst xmlns="{main}"/>'.encode())
        for name, data in more.items():
            archive.writestr(name, data)
    return held.getvalue()


def test_a_workbook_of_endless_texts_is_refused_before_they_are_read(tmp_path: Path) -> None:
    """One and a half million different texts keep openpyxl busy for 20 s before the first row."""
    rows = b"".join(b"<si><t>%x</t></si>" % (n * 2654435761 % (1 << 64)) for n in range(limits.TABLE_STRINGS + 1))
    with pytest.raises(UserError, match="holds more texts or formats than are read"):
        READERS["prices-xlsx"].read(_workbook(b"<sst>" + rows + b"</sst>"), tmp_path)
    with pytest.raises(UserError, match="holds 2007 files; at most 2000 are read"):
        READERS["prices-xlsx"].read(_workbook(**{f"x{n}": b"" for n in range(2001)}), tmp_path)


def test_entities_of_a_workbook_are_told_and_not_expanded(tmp_path: Path) -> None:
    laughs = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>'
    outside = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><worksheet>&a;</worksheet>'
    for data in (_workbook(sheet=laughs), _workbook(strings=laughs), _workbook(sheet=outside)):
        with pytest.raises(UserError, match="declares entities, which no spreadsheet does"):
            READERS["prices-xlsx"].read(data, tmp_path)
