"""The project file: what is written, and how every kind of bad file is refused in one sentence."""

from __future__ import annotations

import json
import os

import pytest

from fabricwright.design import storage
from fabricwright.design.edits import add_item, move
from fabricwright.design.patch import apply
from fabricwright.units.errors import UserError
from tests.design.strategies import empty_project


def _sample():
    project = empty_project()
    return apply(project, add_item(project, design="main", sheet="fabric", part="generic-64x400", xy=(0, 0)))


def test_save_and_load(tmp_path):
    file = tmp_path / "方案 v2.fwproj"
    storage.save(_sample(), file)
    assert storage.load(file) == _sample()
    assert [p.name for p in tmp_path.iterdir()] == [file.name]


def test_rows_stand_on_lines_of_their_own_in_natural_order(tmp_path):
    project = empty_project()
    for name in ("leaf10", "leaf2"):
        project = apply(project, add_item(project, design="main", sheet="fabric", part="generic-64x400", item=name))
    lines = storage.dumps(project).decode().splitlines()
    rows = [line.strip().split(":")[0] for line in lines if line.startswith('   "leaf')]
    assert rows == ['"leaf2"', '"leaf10"', '"leaf2"', '"leaf10"']  # items, then look


def test_unknown_keys_survive():
    data = json.loads(storage.dumps(_sample()))
    data["future"] = {"a": [1, {"b": 2}]}
    data["designs"]["main"]["sheets"]["fabric"]["items"]["leaf0"]["colour"] = "red"
    data["designs"]["main"]["sheets"]["fabric"]["mood"] = "calm"
    project = storage.loads(json.dumps(data).encode())
    again = json.loads(storage.dumps(project))
    assert again["future"] == {"a": [1, {"b": 2}]}
    assert again["designs"]["main"]["sheets"]["fabric"]["items"]["leaf0"]["colour"] == "red"
    edited = apply(project, move(project, design="main", sheet="fabric", places={"leaf0": (5, 5)}))
    assert json.loads(storage.dumps(edited))["designs"]["main"]["sheets"]["fabric"]["mood"] == "calm"


def _text(data: object) -> bytes:
    return json.dumps(data).encode()


GOOD = {"format": "fabricwright-project", "version": 1}
BAD = {
    "empty": b"",
    "truncated": storage.dumps(empty_project())[:-9],
    "not utf-8": b'{"format":"\xff\xfe"}',
    "other format": _text({"format": "drawio"}),
    "a list": b"[1,2,3]",
    "newer": _text({**GOOD, "version": 99}),
    "version word": _text({**GOOD, "version": "1"}),
    "deep": b"[" * 100_000,
    "deep closed": b"[" * 100_000 + b"]" * 100_000,
    "nan": b'{"format":"fabricwright-project","version":NaN}',
    "duplicate": b'{"format":"fabricwright-project","version":1,"title":"a","title":"b"}',
    "wrong type": _text(
        {**GOOD, "designs": {"main": {"sheets": {"fabric": {"items": {"a": {"axes": [["x", "many"]]}}}}}}}
    ),
    "negative count": _text(
        {
            **GOOD,
            "parts": {"p": {"kind": "switch"}},
            "designs": {"main": {"sheets": {"fabric": {"items": {"a": {"of": "p", "axes": [["x", -3]]}}}}}},
        }
    ),
    "unknown part": _text(
        {**GOOD, "designs": {"main": {"sheets": {"fabric": {"items": {"a": {"of": "no-such-part"}}}}}}}
    ),
    "unknown cable": _text(
        {
            **GOOD,
            "parts": {"p": {"kind": "switch"}},
            "designs": {
                "main": {
                    "sheets": {
                        "fabric": {
                            "items": {"a": {"of": "p"}},
                            "links": {"l": {"a": "a:1", "b": "a:2", "cable": "no-such-cable"}},
                        }
                    }
                }
            },
        }
    ),
    "dangling link": _text(
        {**GOOD, "designs": {"main": {"sheets": {"fabric": {"links": {"l": {"a": "x:1", "b": "y:1"}}}}}}}
    ),
    "cyclic base": _text(
        {
            **GOOD,
            "designs": {
                "main": {
                    "sheets": {"fabric": {}, "a": {"kind": "server", "base": "b"}, "b": {"kind": "server", "base": "a"}}
                }
            },
        }
    ),
    "bad id": _text({**GOOD, "designs": {"Main!": {}}}),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_in_one_sentence(tmp_path, name):
    file = tmp_path / "bad.fwproj"
    file.write_bytes(BAD[name])
    with pytest.raises(UserError) as failed:
        storage.load(file)
    text = str(failed.value)
    assert text.startswith(str(file)) and "\n" not in text and len(text) < 400
    assert file.read_bytes() == BAD[name]


def test_a_file_too_large_is_refused_before_it_is_read(tmp_path):
    file = tmp_path / "huge.fwproj"
    with open(file, "wb") as stream:
        stream.truncate(200_000_000)
    with pytest.raises(UserError, match="200 MB"):
        storage.load(file)


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        storage.load(tmp_path / "none.fwproj")
    with pytest.raises(UserError, match="folder"):
        storage.load(tmp_path)


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "p.fwproj"
    storage.save(_sample(), file)
    before = file.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match="No space left"):
        storage.save(empty_project(), file)
    assert file.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [file.name]


def test_saving_through_a_symlink_keeps_the_link(tmp_path):
    real = tmp_path / "real.fwproj"
    storage.save(_sample(), real)
    link = tmp_path / "link.fwproj"
    link.symlink_to(real)
    storage.save(empty_project(), link)
    assert link.is_symlink() and storage.load(real) == empty_project()
