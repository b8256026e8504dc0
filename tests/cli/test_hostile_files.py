"""Hostile files and arguments of compliance, resilience, calibrate, catalog and the filters of check."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricwright.catalog.store import catalogue
from tests.cli.conftest import Run
from tests.cli.test_bad_input import one_line


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("FABRICWRIGHT_DATA", str(tmp_path / "data"))
    catalogue().set_own({})
    yield
    catalogue().set_own({})


JUNK: dict[str, bytes] = {
    "empty": b"",
    "zeros": b"\0" * 1000,
    "binary": bytes(range(256)) * 400,
    "lists": b"[" * 100_000 + b"]" * 100_000,
    "tables": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "utf16": b"\xff\xfe{}",
    "line": b"A" * 3_000_000,
    "text": b'"x"',
    "infinite": b'{"format":"fabricwright-pack","version":1e999,"title":NaN}',
    "digits": b'{"format":"fabricwright-pack","version":' + b"9" * 5000 + b"}",
}
COMMANDS = {
    "compliance": ("compliance", "FILE"),
    "resilience": ("resilience", "FILE"),
    "check": ("check", "FILE", "--find", "x"),
    "log": ("calibrate", "PROJECT", "FILE", "--name", "site", "-o", "OUT"),
    "import": ("catalog", "import", "FILE"),
    "netbox": ("catalog", "import-netbox", "FILE"),
}
LONG = "A" * 100_000


def filled(command: str, files: dict[str, str], file: str, folder: Path) -> tuple[str, ...]:
    names = {"FILE": file, "PROJECT": files["single-8gpu"], "OUT": str(folder / "out.fwproj")}
    return tuple(names.get(word, word) for word in COMMANDS[command])


@pytest.mark.parametrize("content", JUNK)
@pytest.mark.parametrize("command", COMMANDS)
def test_junk(run: Run, files: dict[str, str], tmp_path: Path, command: str, content: str) -> None:
    path = tmp_path / "junk"
    path.write_bytes(JUNK[content])
    code, out, err = run(*filled(command, files, str(path), tmp_path))
    assert (code, out) == (2, "")
    assert len(one_line(err)) < 4000


@pytest.mark.skipif(os.name == "nt", reason="no /dev/zero")
@pytest.mark.parametrize("command", ["log", "import", "netbox"])
@pytest.mark.parametrize("file", ["/dev/zero", "/", "x" * 300, "no/such"])
def test_what_is_no_file(run: Run, files: dict[str, str], tmp_path: Path, command: str, file: str) -> None:
    code, out, err = run(*filled(command, files, file, tmp_path))
    assert (code, out) == (2, "")
    one_line(err)


ROWS = {
    "nan": " 8 2 float sum -1 nan nan nan 0 inf 0.0 0.0 0\n",
    "zero": " 1048576 262144 float sum -1 0 0 0 0 0 0 0 0\n" * 9,
    "digits": f" 8 2 float sum -1 {'9' * 5000} 1 1 0 1 1 1 0\n",
    "large": " 999999999999999999999999999999 1 float sum -1 1 1 1 0 1 1 1 0\n" * 9,
}


@pytest.mark.parametrize("rows", ROWS)
def test_logs_of_nonsense(run: Run, files: dict[str, str], tmp_path: Path, rows: str) -> None:
    log = tmp_path / "a.log"
    log.write_text(f"# nThread 1 nGpus 8\n{ROWS[rows]}", encoding="utf-8")
    code, _, err = run(*filled("log", files, str(log), tmp_path), "--collective", "all_reduce")
    assert code == 2
    one_line(err)


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "FILE", "--severity", LONG),
        ("check", "FILE", "--fix", LONG, "-o", "OUT"),
        ("resilience", "FILE", "--size", "nan"),
        ("resilience", "FILE", "--size", "9" * 5000),
        ("resilience", "FILE", "--size", "1M,2M"),
        ("resilience", "FILE", "--ranks", LONG),
        ("compliance", "FILE", "-o", "/no/such/x.csv"),
        ("compliance", "FILE", "-o", f"{LONG}.csv"),
        ("catalog", "copy", "no-such-part", "--as", "mine"),
        ("catalog", "export", LONG, "-o", "OUT.fwcat", "--author", "a"),
        ("catalog", "remove", LONG),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_arguments(run: Run, files: dict[str, str], tmp_path: Path, arguments: tuple[str, ...]) -> None:
    words = [w.replace("OUT", str(tmp_path / "out")).replace("FILE", files["single-8gpu"]) for w in arguments]
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert len(one_line(err)) < 4000


@pytest.mark.parametrize("words", [("--group", "!!"), ("--group", LONG), ("--sheet", "{x}"), ("--sheet", LONG)])
def test_a_filter_by_what_does_not_exist(run: Run, files: dict[str, str], words: tuple[str, str]) -> None:
    """Passing for a clean design would hide a slip."""
    code, out, err = run("check", files["single-8gpu"], *words)
    assert (code, out) == (2, "")
    assert len(one_line(err)) < 300


@pytest.mark.parametrize("words", [("--find", LONG), ("--find", "\0")])
def test_words_that_find_nothing_are_no_mistake(run: Run, files: dict[str, str], words: tuple[str, str]) -> None:
    code, out, err = run("check", files["single-8gpu"], *words)
    assert (code, err) == (0, "")
    assert out.startswith("errors: 0")


def test_a_pack_of_wrong_parts_writes_nothing(run: Run, tmp_path: Path) -> None:
    for number, parts in enumerate(([], {"x": 5}, {"X Y": {}}, {"a": {"copy_of": "a"}}, {"../x": {"kind": "gpu"}})):
        path = tmp_path / f"p{number}.fwcat"
        head = {"format": "fabricwright-pack", "version": 1, "title": "T", "author": "A", "pack_version": "1.0"}
        path.write_text(json.dumps({**head, "parts": parts}), encoding="utf-8")
        code, out, err = run("catalog", "import", str(path))
        assert (code, out) == (2, ""), parts
        one_line(err)
