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
