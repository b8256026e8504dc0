"""docs/interfaces.md against the program: every JSON shape that it lists is what the command prints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fabricwright.cli import painting
from fabricwright.design import storage
from fabricwright.design.templates import TEMPLATES
from tests.cli.conftest import Run
from tests.performance.samples import workload_of

PAGE = Path(__file__).parents[2] / "docs" / "interfaces.md"
DATA = Path(__file__).parents[1] / "data"
TOKEN = re.compile(r'"[^"]*"|[{}\[\],:|]|[^{}\[\],:|"]+')

Shape = dict[str, Any] | list[Any] | None
"""Keys of an object with their shapes, a list with the shape of its rows, or None: anything."""


class Reader:
    """The page's notation: JSON in which a key may stand without value, and words stand for values."""

    def __init__(self, text: str) -> None:
        self.tokens = [t.strip() for t in TOKEN.findall(text) if t.strip()]
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def value(self) -> Shape:
        """One value, or several between bars, of which the one with a shape counts."""
        found: Shape = None
        while self.peek() not in ("", ",", "}", "]"):
            if self.peek() == "{":
                found = self.object()
            elif self.peek() == "[":
                found = self.rows()
            else:
                self.take()
        return found

    def object(self) -> dict[str, Shape]:
        self.take()
        out: dict[str, Shape] = {}
        while self.peek() != "}":
            key = self.take()
            shape: Shape = None
            if self.peek() == ":":
                self.take()
                shape = self.value()
            if key.startswith('"') and key != '"FIELD"':
                out[key.strip('"')] = shape
            if self.peek() == ",":
                self.take()
        self.take()
        return out

    def rows(self) -> list[Shape]:
        self.take()
        shape = self.value()
        while self.peek() != "]":
            self.take()
        self.take()
        return [shape]


def documented() -> dict[str, dict[str, Shape]]:
    """Command -> its JSON shape. ``manifest.json`` counts as a command."""
    out: dict[str, dict[str, Shape]] = {}
    text = PAGE.read_text(encoding="utf-8").split("JSON shapes:")[1].split("## 3.")[0]
    for command, shape in re.findall(r"(?:^\* |; )`?([a-z.-]+)`?(?: of a pack)?: `(\{.*?\})`", text, re.MULTILINE):
        out[command] = Reader(shape).object()
    return out


def missing(shape: Shape, value: Any, place: str = "") -> Iterator[str]:
    """Documented keys that a document has not."""
    if value is None or shape is None:
        return
    if isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{place} is no list"
        for row in value[:3] if isinstance(value, list) else ():
            yield from missing(shape[0], row, f"{place}[]")
    elif isinstance(value, dict):
        for key, inner in shape.items():
            if key not in value:
                yield f"{place}.{key}"
            else:
                yield from missing(inner, value[key], f"{place}.{key}")


SHAPES = documented()


ORACLE = {
    "row": "ring",
    "config": {
        "topology": ["Ring"],
        "npus_count": [4],
        "bandwidth_bytes_per_s": [1e9],
        "latency_ns_per_hop": [0],
        "alpha_ns": [0],
    },
    "collective": "all_reduce",
    "algorithm": "ring",
    "bytes": 4_000_000,
    "expected_time_us": 6000.0,
    "semantics": "ideal",
}

PLAN, AT = "PLAN", ("--design", "before")
COMMANDS: dict[str, tuple[str, ...]] = {
    "templates": ("templates",),
    "new": ("new", "single-8gpu", "-o", "new.fwproj"),
    "diagram": ("diagram", PLAN, "-o", "sheets.svg"),
    "check": ("check", PLAN, *AT, "--facts", "--fail-on", "error"),
    "predict": ("predict", PLAN, *AT, "--sizes", "1M,1G"),
    "resilience": ("resilience", PLAN, *AT, "--size", "64M"),
    "size": (
        "size",
        "--servers",
        "8",
        "--server",
        "dgx-h100",
        "--sizes",
        "1G",
        "--alternatives",
        "2",
        "-o",
        "s.fwproj",
    ),
    "train": ("train", PLAN, *AT, "--workload", "w"),
    "path": ("path", PLAN, *AT, "--from", "FIRST", "--to", "OTHER"),
    "report": ("report", PLAN, *AT, "--no-drawings", "-o", "report.pdf"),
    "export-pack": ("export-pack", PLAN, *AT, "--only", "bom", "-o", "pack"),
    "export": ("export", PLAN, *AT, "--to", "graphml", "-o", "fabric.graphml"),
    "bom": ("bom", PLAN, *AT),
    "cables": ("cables", PLAN, *AT),
    "slots": ("slots", PLAN, *AT),
    "racks": ("racks", PLAN, *AT),
    "compliance": ("compliance", PLAN, *AT),
    "compare": ("compare", PLAN, "--designs", "before,after-network", "--size", "64M"),
    "diff": ("diff", PLAN, PLAN, "--size", "64M"),
    "sweep": ("sweep", PLAN, *AT, "--grid", "settings.nccl.p2p_level=PIX,SYS; metrics=counts", "--workers", "1"),
    "accuracy": ("accuracy", "measured.json", "--training", "training.json", "--oracle", "oracle.json"),
}
"""Command -> what is run for it, in a folder of its own. ``calibrate`` needs a log and has a test of its own."""


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Four servers in several designs, with a workload."""
    project = TEMPLATES["seed-b-512"].build(servers=4, key_nodes=2)
    project = replace(project, workloads=project.workloads.put("w", workload_of("llama3-8b", gbs=64, zero=3)))
    path = tmp_path_factory.mktemp("interfaces") / "plan.fwproj"
    storage.save(project, path)
    return str(path)


def test_every_command_with_a_shape_is_tried() -> None:
    assert set(SHAPES) == {*COMMANDS, "calibrate", "manifest.json"}


@pytest.mark.parametrize("command", COMMANDS)
def test_documents_have_the_listed_keys(
    command: str, plan: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("oracle.json").write_text(json.dumps([ORACLE]), encoding="utf-8")
    for name, source in (("measured", "collectives"), ("training", "training")):
        rows = json.loads((DATA / f"{source}.json").read_text(encoding="utf-8"))
        Path(f"{name}.json").write_text(json.dumps(rows[:1]), encoding="utf-8")
    if command == "report":  # what the entry point does before it runs a command that paints
        from fabricwright.ui.paint import ink_files

        painting.install(lambda: ink_files)
    words = {"PLAN": plan, "FIRST": "node[0]/gpu0", "OTHER": "node[1]/gpu0"}
    code, out, err = run(*(words.get(word, word) for word in COMMANDS[command]), "--json")
    assert code in (0, 1), err
    document = json.loads(out)
    assert list(missing(SHAPES[command], document)) == []
    if command == "export-pack":
        manifest = json.loads(Path("pack/manifest.json").read_text(encoding="utf-8"))
        assert list(missing(SHAPES["manifest.json"], manifest)) == []


def test_the_notation_is_read() -> None:
    shape = Reader('{"a","b":null|{"c":bool,"d":[{"e"}]},name:{"f"},"g":[ADDRESS],"h":"x|y","i":{...}}').object()
    assert shape == {"a": None, "b": {"c": None, "d": [{"e": None}]}, "g": [None], "h": None, "i": {}}
    assert list(missing(shape, {"a": 1, "b": {"c": 1, "d": [{}]}, "g": [], "h": 2, "i": {"z": 1}})) == [".b.d[].e"]
