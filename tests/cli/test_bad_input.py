"""Bad input: one sentence that names file and place, exit code 2, nothing on stdout, never a traceback."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from fabricwright.cli.main import PLANNED
from tests.cli.conftest import Run, Spoil


def one_line(err: str) -> str:
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    assert "Internal error" not in err
    return err.strip()


def fabric(data: dict[str, Any]) -> dict[str, Any]:
    return data["designs"]["main"]["sheets"]["fabric"]  # type: ignore[no-any-return]


def node(data: dict[str, Any]) -> dict[str, Any]:
    return data["designs"]["main"]["sheets"]["node"]  # type: ignore[no-any-return]


COMMANDS = ("check", "predict", "bom", "cables")


@pytest.mark.parametrize("command", [*COMMANDS, "path", "diagram"])
def test_a_missing_file(run: Run, command: str, tmp_path: Path) -> None:
    more = {"path": ("--from", "node[0]", "--to", "node[1]"), "diagram": ("-o", str(tmp_path / "x.svg"))}
    code, out, err = run(command, "no-such.fwproj", *more.get(command, ()))
    assert (code, out) == (2, "")
    assert one_line(err) == "no-such.fwproj: no such file."


def test_a_folder(run: Run, tmp_path: Path) -> None:
    code, out, err = run("check", str(tmp_path))
    assert (code, out) == (2, "")
    assert "is a folder" in one_line(err)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not valid JSON"),
        (b'{"format":"fabricwright-project","version":1,"desi', "line 1, column"),
        (b'{"format":"fabricwright-project"\xff\xfe}', "byte 32 is not UTF-8"),
        (b'{"hello":"world"}', "is not a Fabricwright project"),
        (b"[1,2,3]", "is not a Fabricwright project"),
        (b'"just a text"', "is not a Fabricwright project"),
        (b'{"format":"fabricwright-project","version":2}', "file version 2 is newer than this program reads"),
        (b'{"format":"fabricwright-project","version":"1"}', "version: expected a whole number"),
        (b'{"format":"fabricwright-project","version":1}', "has no design"),
        (b"[" * 100_000 + b"]" * 100_000, "nested deeper than"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested deeper than"),
        (b'{"format":"fabricwright-project","version":1,"title":NaN}', "NaN"),
        (b'{"format":"fabricwright-project","version":1,"title":7}', "title: expected a text, found 7"),
    ],
)
def test_a_file_that_is_no_project(run: Run, tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "broken.fwproj"
    path.write_bytes(content)
    code, out, err = run("check", str(path))
    assert (code, out) == (2, "")
    line = one_line(err)
    assert line.startswith(str(path))
    assert words in line
    assert path.read_bytes() == content


def test_a_file_of_200_mb(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "huge.fwproj"
    with path.open("wb") as stream:
        stream.truncate(200_000_000)
    code, out, err = run("predict", str(path))
    assert (code, out) == (2, "")
    assert "200 MB" in one_line(err)


WRONG_ROWS = [
    (lambda d: node(d)["items"]["gpu0"].update(of="no-such-gpu"), "sheets.node.items.gpu0.of: part 'no-such-gpu'"),
    (lambda d: node(d).update(chassis="no-such"), "sheets.node.chassis: part 'no-such'"),
    (lambda d: fabric(d)["items"]["node"].update(of="sheet:none"), "items.node.of: sheet 'none' does not exist"),
    (lambda d: fabric(d)["items"]["node"].update(axes=[["su", -4], ["node", 64]]), "items.node.axes"),
    (lambda d: fabric(d)["items"]["node"].update(axes=[["su", 99999], ["node", 99999]]), "items.node.axes"),
    (lambda d: fabric(d)["links"]["up"]["wire"].update(per_pair=-8), "links.up"),
    (lambda d: fabric(d)["links"]["up"].update(length_m=-1), "links.up"),
    (lambda d: fabric(d)["links"]["up"].update(a="nobody:1-4"), "links.up.a: item 'nobody' does not exist"),
    (lambda d: fabric(d)["links"]["up"]["wire"].update(mode="knot"), "links.up.wire.mode: 'knot'"),
    (lambda d: fabric(d)["links"]["down"].update(b="leaf:900-932/1-2"), "links.down.b: port '900/1' does not exist"),
    (
        lambda d: fabric(d)["links"]["down"].update(a="node:nosuch"),
        "links.down.a: server 'node' has no export 'nosuch'",
    ),
    (lambda d: node(d)["links"]["c1"].update(a="sw0:d99"), "links.c1.a: port 'd99' does not exist on 'sw0'"),
    (lambda d: node(d)["links"]["c1"].update(b="chassis:bay99"), "links.c1.b: slot 'chassis:bay99' does not exist"),
    (lambda d: node(d)["exports"]["compute"].update(ports=["nic0:7"]), "exports.compute: port '7' does not exist"),
    (lambda d: node(d)["items"]["gpu0"].update(seat="chassis:bay99"), "items.gpu0.seat: slot 'chassis:bay99'"),
    (lambda d: node(d)["items"].update({"GPU 9": {"of": "h100-pcie-80gb"}}), "id 'GPU 9' is not allowed"),
    (lambda d: d["designs"]["main"].update(root="none"), "designs.main.root: sheet 'none'"),
    (lambda d: d["designs"]["main"].update(ranks=["nobody"]), "designs.main.ranks: item 'nobody'"),
    (lambda d: fabric(d)["items"]["leaf"].update(axes="many"), "items.leaf.axes: expected a list"),
    (lambda d: node(d).update(base="node"), "sheets.node.base"),
    (
        lambda d: fabric(d)["links"]["up"].update(wire={"mode": "rows", "rows": [[0, 0, 10**12, 0]]}),
        "links.up.wire.rows[0]: 'spine' has no member 1000000000000",
    ),
    (lambda d: fabric(d)["seats"]["node"].update(first=10**12), "seats.node: 1000000000000 is out of range"),
]


@pytest.mark.parametrize(("change", "words"), WRONG_ROWS, ids=[words for _, words in WRONG_ROWS])
def test_a_wrong_row_is_named_with_its_place(run: Run, spoil: Spoil, change: Any, words: str) -> None:
    path = spoil(change)
    code, out, err = run("check", path)
    assert (code, out) == (2, "")
    line = one_line(err)
    assert line.startswith(path)
    assert words in line


@pytest.mark.parametrize("size", ["1X", "-1", "0", "0.3", "", "1K,,1M", "1e400", "9" * 400, "9999999999T"])
def test_a_size_that_is_none(run: Run, files: dict[str, str], size: str) -> None:
    code, out, err = run("predict", files["single-8gpu"], "--sizes", size)
    assert (code, out) == (2, "")
    assert "ize" in one_line(err)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--fail", "nobody[0]"), "nobody"),
        (("--fail", "spine[99]"), "spine"),
        (("--fail", "node["), "not understood"),
        (("--ranks", "node[0-9999]"), "node"),
        (("--ranks", "nobody"), "nobody"),
        (("--ranks", "node[0]/gpu99"), "gpu99"),
        (("--ranks", ""), "not understood"),
        (("--nodes", "0"), "--nodes"),
        (("--nodes", "-2"), "--nodes"),
        (("--nodes", "x"), "--nodes"),
        (("--design", "nope"), "nope"),
        (("--workload", "nope"), "nope"),
        (("--algorithm", "guess"), "guess"),
        (("--protocol", "guess"), "guess"),
        (("--collective", "all_reduce_please"), "all_reduce_please"),
        (("--network", "magic"), "magic"),
    ],
)
def test_a_wrong_argument_of_predict(run: Run, files: dict[str, str], arguments: tuple[str, ...], words: str) -> None:
    code, out, err = run("predict", files["seed-a-256x8"], "--sizes", "1M", *arguments)
    assert (code, out) == (2, "")
    assert words in one_line(err)


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("node[0]/gpu99", "node[1]/gpu0", "gpu99"),
        ("node[999]/gpu0", "node[1]/gpu0", "node[999]"),
        ("spine[0]", "node[1]/gpu0", "spine[0]"),
        ("node[0]/gpu0", "node[0]/gpu0", "same GPU"),
        ("!!", "node[0]", "not understood"),
        ("node[0]/nic0:9", "node[1]", "nic0:9"),
    ],
)
def test_a_wrong_address_of_path(run: Run, files: dict[str, str], source: str, target: str, words: str) -> None:
    code, out, err = run("path", files["seed-a-256x8"], "--from", source, "--to", target)
    assert (code, out) == (2, "")
    assert words in one_line(err)


@pytest.mark.parametrize(
    ("command", "options", "words"),
    [
        ("check", ("--sheet", "colour"), "Sheet 'colour' does not exist; this design has fabric, node."),
        ("check", ("--group", "colour"), "Group 'colour' does not exist"),
        ("diagram", ("-o", "x.svg", "--only", "node,colour"), "'colour' is no row"),
        ("bom", ("--currency", "dollars"), "such as CNY"),
        ("predict", ("--workload", "colour"), "this project has"),
    ],
)
def test_a_name_that_does_not_exist_is_no_clean_answer(
    run: Run, files: dict[str, str], command: str, options: tuple[str, ...], words: str
) -> None:
    code, out, err = run(command, files["seed-a-256x8"], *options)
    assert (code, out) == (2, "")
    assert words in one_line(err)


def test_an_empty_file_and_the_system_in_chinese(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.fwproj").touch()
    _, _, err = run("check", str(tmp_path / "empty.fwproj"))
    assert "is empty and so not valid JSON; expected a project file" in one_line(err)
    _, _, err = run("new", "single-8gpu", "-o", str(tmp_path / "none" / "x.fwproj"), "--lang", "zh_CN")
    assert "没有此文件或文件夹" in one_line(err)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "a command is missing"),
        (("launch",), "there is no command 'launch'"),
        (("chekc", "a"), "near is 'check'"),
        (("check",), "FILE missing"),
        (("check", "a", "b"), "'b' not understood"),
        (("check", "a", "--fail-on", "sometimes"), "sometimes"),
        (("check", "a", "--fix", "LAN-06"), "go together"),
        (("new", "nothing", "-o", "x"), "no template 'nothing'"),
        (("new", "single-8gpu"), "-o/--output missing"),
        (("new", "single-8gpu", "-o", "x", "--set", "title"), "expected KEY=VALUE"),
        (("new", "single-8gpu", "-o", "x", "--set", "title=a", "--set", "title=b"), "given twice"),
        (("new", "single-8gpu", "-o", "/no/such/folder/x.fwproj"), "/no/such/folder/x.fwproj"),
        (("bom", "x", "-o", "x.xls"), "'.xls' is not supported"),
        (("bom", "x", "-o", "x.doc"), "'.doc' is not supported"),
        (("bom", "x", "--group", "colour"), "colour"),
        (("bom", "x", "--spares", "optic=much"), "expected a share"),
        (("bom", "x", "--spares", "colour=2%"), "no kind 'colour'"),
        (("bom", "x", "--tax", "much"), "--tax"),
        (("bom", "x", "--rate", "USD=-1"), "expected such as USD=7.1"),
        (("bom", "x", "--rate", "USD"), "expected KEY=VALUE"),
        (("cables", "x", "--label", "{a.colour}"), "'a.colour' is no field"),
        (("cables", "x", "-o", "x.pdf", "--label-sheet", "A4"), "expected L7651"),
        (("slots", "x", "-o", "x.doc"), "'.doc' is not supported"),
        (("racks", "x"), "x: "),
        (("cables", "x", "-o", "x"), "is not supported"),
        (("diagram", "x", "-o", "x.docx"), "'.docx' is not supported"),
        (("diagram", "x"), "-o/--output missing"),
        (("report", "x", "-o", "x.pdf", "--page", "A2"), "expected A4 or A3"),
        (("catalog",), "list|show|check|copy|remove|export|import|import-netbox"),
        (("catalog", "frobnicate"), "not an action"),
        (("catalog", "show"), "PART missing"),
        (("catalog", "show", "dgx-h1000"), "nearest: dgx-h100"),
        (("catalog", "list", "--kind", "toaster"), "no kind 'toaster'"),
        (("catalog", "import-netbox", "x"), "x: cannot be read"),
        (("catalog", "import"), "FILE missing"),
        (("catalog", "import", "a", "b"), "expected exactly one"),
        (("catalog", "import", "nowhere.fwcat"), "nowhere.fwcat: cannot be read"),
        (("catalog", "import", "x", "--replace", "--keep"), "exclude each other"),
        (("catalog", "export", "sn5600"), "-o FILE missing"),
        (("catalog", "export", "sn5600", "-o", "x.zip"), "the ending '.zip' is not supported here"),
        (("catalog", "export", "sn5600", "-o", "x.fwcat"), "--author missing"),
        (("catalog", "export", "sn5600", "-o", "x.fwcat", "--author", "a"), "not a part of your own"),
        (("accuracy",), "--oracle ORACLE.json is missing"),
        (("accuracy", "no-such-measured.json"), "no-such-measured.json: cannot be read"),
        (("accuracy", "--training", "x.json"), "x.json: cannot be read"),
        (("accuracy", "--oracle", "no-such.json"), "no-such.json"),
        (("templates", "--lang", "tlh"), "tlh"),
        (("check", "--lang"), "needs a value"),
    ],
)
def test_wrong_usage(run: Run, arguments: tuple[str, ...], words: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in one_line(err)


@pytest.mark.parametrize("command", PLANNED)
def test_a_command_that_is_not_built_yet_says_so(run: Run, command: str) -> None:
    code, out, err = run(command, "--gpus", "8")
    assert (code, out) == (2, "")
    assert "not built yet" in one_line(err)
    _, overview, _ = run("--help")
    assert f"\n  {command} " not in overview


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"[1]", b"\xff", b'[{"row":"x"}]', b"[" * 100_000])
def test_an_oracle_file_that_is_none(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "oracle.json"
    path.write_bytes(content)
    code, out, err = run("accuracy", "--oracle", str(path))
    assert (code, out) == (2, "")
    one_line(err)


ENTRY = {"id": "a", "nodes": 1, "gpus_per_node": 8, "collective": "all_reduce", "points": [{"bytes": 8, "time_us": 9}]}


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        (b"{", "not JSON"),
        (b"{}", "expected a list"),
        ([7], "entry 1 is no object"),
        ([{**ENTRY, "id": None}], "entry 1 has no id"),
        ([ENTRY, ENTRY], "the id 'a' is there twice"),
        ([{**ENTRY, "nodes": 0}], "nodes is 0; expected a positive whole number"),
        ([{**ENTRY, "gpus_per_node": None}], "gpus_per_node is null"),
        ([{**ENTRY, "nodes": 10**9}], "ranks are too many"),
        ([{**ENTRY, "collective": "gossip"}], "collective 'gossip' is not known"),
        ([{**ENTRY, "points": 3}], "has no points"),
        ([{**ENTRY, "points": [3]}], "point 1 is no object"),
        ([{**ENTRY, "points": [{"bytes": 0, "time_us": 1}]}], "bytes is 0; expected a positive number"),
        ([{**ENTRY, "points": [{"bytes": -8, "time_us": 1}]}], "bytes is -8"),
        ([{**ENTRY, "points": [{"time_us": 1}]}], "has no bytes"),
        ([{**ENTRY, "points": [{"bytes": 8, "time_us": -1}]}], "time_us is -1"),
    ],
)
def test_a_file_of_measurements_that_has_no_meaning(run: Run, tmp_path: Path, entries: object, words: str) -> None:
    path = tmp_path / "measured.json"
    path.write_bytes(entries if isinstance(entries, bytes) else json.dumps(entries).encode())
    code, out, err = run("accuracy", str(path))
    assert (code, out) == (2, "")
    assert words in one_line(err)
    assert "measured.json" in err


def test_complaints_come_in_the_chosen_language(run: Run) -> None:
    code, _, err = run("check", "没有.fwproj", "--lang", "zh_CN")
    assert code == 2
    assert "没有.fwproj" in err
    assert any("\u4e00" <= c <= "\u9fff" for c in err.replace("没有", ""))


def test_json_mode_prints_nothing_on_a_mistake(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.fwproj"
    path.write_text(json.dumps({"format": "other"}), encoding="utf-8")
    assert run("check", str(path), "--json")[:2] == (2, "")


def test_a_result_that_cannot_be_written_leaves_the_old_one(run: Run, files: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "there.csv"
    target.mkdir()
    code, out, err = run("bom", files["single-8gpu"], "-o", str(target))
    assert (code, out) == (2, "")
    assert "there.csv: cannot be written" in one_line(err)
    assert list(tmp_path.iterdir()) == [target]


COMMANDS_ON_ODD_FILES = (("check",), ("predict", "--sizes", "1M"), ("bom",), ("cables",))
ODD_VALUES: tuple[Any, ...] = (
    *(None, 0, -1, 7, 10**12, 1.5, True, "", "x", "auto", "node:compute", "chassis:s1", "sheet:node"),
    *([], {}, [1], ["a"], [["su", 0]], {"a": 1}, "0-9999", "h100-pcie-80gb", "mesh", "rows"),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside a design."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(p for key, v in inner for p in places(v, (*path, key)))]


@pytest.mark.parametrize("seed", range(24))
def test_a_file_with_something_odd_in_it_never_ends_in_an_internal_error(run: Run, spoil: Spoil, seed: int) -> None:
    """One place of a design is dropped or overwritten: an answer, or one sentence."""
    chance = random.Random(seed)

    def odd(data: dict[str, Any]) -> None:
        path = chance.choice([p for p in places(data["designs"]) if p])
        holder: Any = data["designs"]
        for key in path[:-1]:
            holder = holder[key]
        if chance.random() < 0.3:
            del holder[path[-1]]
        else:
            holder[path[-1]] = chance.choice(ODD_VALUES)

    path = spoil(odd)
    for command in COMMANDS_ON_ODD_FILES:
        code, _, err = run(command[0], path, *command[1:])
        assert "Internal error" not in err
        assert (code == 2) == bool(err)


def test_a_design_without_sheets(run: Run, spoil: Spoil, tmp_path: Path) -> None:
    path = spoil(lambda d: d["designs"]["main"].update(sheets={}, ranks=[]))
    for command in (("check",), ("bom",), ("cables",), ("diagram", "-o", str(tmp_path / "x.svg"))):
        _, _, err = run(command[0], path, *command[1:])
        assert "Internal error" not in err


def test_the_overview_says_in_chinese_how_to_have_chinese(run: Run) -> None:
    assert run("--help")[1].rstrip().endswith("中文：fabricwright --help --lang zh_CN")
    assert "中文：" not in run("--help", "--lang", "zh_CN")[1]
