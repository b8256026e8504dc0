"""Bytes and JSON from strangers: bounded, and one sentence for what is refused."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricwright.units import strict_json
from fabricwright.units.codec import reader
from fabricwright.units.errors import UserError
from fabricwright.units.quantity import format_rate, parse_rate, parse_size, parse_sizes
from fabricwright.units.reading import json_depth, plain_json, read_file
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(UserError) as failed:
        call()
    return failed.value.message.english()


def test_no_more_than_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes(b"x" * 1025)
    assert read_file(path, 1025) == b"x" * 1025
    assert "is larger than 1 KB" in refusal(lambda: read_file(path, 1024))
    assert "cannot be read" in refusal(lambda: read_file(tmp_path / "absent", 10))


def test_a_folder_a_pipe_and_a_socket_are_no_files(tmp_path: Path) -> None:
    assert "cannot be read (Is a directory)" in refusal(lambda: read_file(tmp_path, 10))
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert "cannot be read" in refusal(lambda: read_file(tmp_path / "pipe", 10))
        here = os.getcwd()
        os.chdir(tmp_path)  # the address of a socket is short
        try:
            with socket.socket(socket.AF_UNIX) as server:
                server.bind("socket")
                assert "cannot be read" in refusal(lambda: read_file("socket", 10))
        finally:
            os.chdir(here)


def test_json_is_bounded_in_depth_and_has_whole_characters() -> None:
    other = msg("no JSON")
    assert json_depth('{"a[[": [1, {"b": 2}]}') == 3
    assert plain_json(b'{"a": [1]}', "f", 2, other) == {"a": [1]}
    assert refusal(lambda: plain_json(b"[[[1]]]", "f", 2, other)) == "f: is nested deeper than 2 levels."
    assert refusal(lambda: plain_json(b"[1", "f", 2, other)) == "no JSON"
    assert refusal(lambda: plain_json(b'["\\ud800"]', "f", 2, other)) == "f: holds half a character (a lone surrogate)."
    assert plain_json(rb'["\ud83d\ude00"]', "f", 2, other) == ["\N{GRINNING FACE}"]


def test_a_pack_larger_than_its_limit_is_not_parsed() -> None:
    bounds = strict_json.Limits(file_bytes=1_048_576)
    assert refusal(lambda: strict_json.loads(b" " * 1_048_577, "pack", bounds)) == "pack: is larger than 1 MB."


def test_a_pack_of_more_rows_than_its_limit_is_refused_before_it_is_parsed() -> None:
    bounds = strict_json.Limits(rows=3)
    assert refusal(lambda: strict_json.loads(b"[" + b"{}," * 9 + b"{}]", "pack", bounds)) == (
        "pack: holds more than 3 rows."
    )
    assert strict_json.loads(b'["[{[{[{[{"]', "pack", bounds) == ["[{[{[{[{"]  # brackets in a text are none


def test_readers_of_plain_types() -> None:
    assert reader(int)(3.0) == 3 and isinstance(reader(int)(3.0), int)
    assert reader(object)({"a": [1]}) == Table({"a": (1,)})
    with pytest.raises(TypeError, match="no reader for"):
        reader(bytes)


def test_sizes_and_rates() -> None:
    """K, M, G are powers of 1024 for sizes; rates are decimal bit/s."""
    assert [parse_size(t) for t in ("8", "1K", "64KiB", "1G")] == [8, 1024, 65536, 1 << 30]
    assert parse_sizes("1K,2K") == (1024, 2048)
    assert parse_rate("400G") == 400e9 and parse_rate("1.6T") == 1.6e12
    assert [format_rate(r) for r in (400e9, 1.6e12, 100e6, 999.0)] == ["400G", "1.6T", "100M", "999"]
    for wrong in ("1X", "-1", "", "0"):
        assert "is not understood" in refusal(lambda wrong=wrong: parse_size(wrong))  # type: ignore[misc]
        assert "is not understood" in refusal(lambda wrong=wrong: parse_rate(wrong))  # type: ignore[misc]


def test_a_table_prints_its_rows() -> None:
    assert repr(Table({"a": 1})) == "Table({'a': 1})"


def test_a_message_without_its_value_shows_its_template() -> None:
    assert Message("{a} and {b}", {"a": 1}).english() == "{a} and {b}"


def test_depth_of_what_was_made_to_be_counted_slowly() -> None:
    """Sixty million brackets and a text of backslashes: neither minutes nor gigabytes."""
    assert json_depth("[" * 1_000_000, 64) == 65
    assert json_depth("[]" * 1000 + '"' + "\\\\" * 1_000_000 + '[["') == 1
    assert json_depth('"方案\\"[[" [{}]') == 2
