"""Hostile project files: valid ones with a few things broken at random, taken through everything the program does.

Each either loads or is refused with one short sentence; what loads is checked, predicted, counted, scheduled and drawn
without an exception, and is written again without a change.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.design.check_ports import impossible_ports
from fabricwright.design.storage import dumps, loads
from fabricwright.design.templates import TEMPLATES
from fabricwright.exchange.bom import bom
from fabricwright.exchange.cables import cable_schedule
from fabricwright.performance.predict import PredictRequest
from fabricwright.units.errors import UserError
from tests.exchange.drawn import draw_sheets

SIZES = {"seed-b-512": {"servers": "2", "key_nodes": "1"}, "pcie-4gpu-1nic": {}, "seed-a-256x8": {"servers": "2"}}
ROUNDS = 60
LONGEST_SENTENCE = 4000

HOSTILE: tuple[Any, ...] = (
    *(None, 0, -1, 1.5, 2**31, -(2**31), 10**30, 1e299, True, "", "x", "auto", [], {}, [1], ["a"], {"a": 1}),
    *("gpu0", "gpu0:x", "node/gpu0:1", "node[0]:1", "chassis:s1", "leaf:1-4", "a/b/c/d:e", "1-999999999"),
    *("sheet:node", "sheet:fabric", "sheet:x", "h100-pcie-80gb", "dgx-h100", "2x200", "mesh", "rows", "deal"),
    *("{su1!r:>999999}", "{x.__class__}", "{", "\u0000", "<&>\"'", "=1+1", "A" * 20_000),
    *([["su", 0]], [["su", -3]], [["su", 2000], ["n", 2000]], [["a", 2], ["a", 2]]),
    *({"1-999999999": "2x200"}, {"1": "999999x400"}, {"1-64": "0x0"}),
    *([[0, 0, 0, 0]], [[-1, -1, -1, -1]], [[10**9] * 4]),
    *({"999999999": {"cut": True}}, {"0": {"a": "leaf[99999999]:1", "b": "node[0-9]:q"}}),
)
KEYS = (
    *("axes", "seat", "wire", "except", "config", "of", "speed", "length_m", "optics", "cable", "on", "per_pair"),
    *("moved", "rows", "name", "base", "removed", "exports", "ports", "first", "stride", "u", "per_rack", "chassis"),
)


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to everything inside parsed JSON."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            yield from places(inner, (*path, n))


def breakage(text: str, dice: random.Random) -> bytes:
    """The file with one to four places deleted, renamed, copied elsewhere, or given a value that does not belong."""
    data = json.loads(text)
    drawn = [p for p in places(data) if p[0] == "designs"]
    every = [p for p in places(data) if p[0] in ("designs", "parts", "statements")]
    for _ in range(dice.choice((1, 1, 2, 4))):
        pool = drawn if dice.random() < 0.8 else every
        path, other = dice.choice(pool), dice.choice(pool)
        here, there = data, data
        try:
            for key in path[:-1]:
                here = here[key]
            for key in other:
                there = there[key]
            what = dice.random()
            if what < 0.15:
                del here[path[-1]]
            elif what < 0.25 and isinstance(here, dict):
                here[f"{path[-1]}x"] = here.pop(path[-1])
            elif what < 0.4:
                here[path[-1]] = json.loads(json.dumps(there))
            elif what < 0.6 and isinstance(here, dict):
                here[dice.choice(KEYS)] = dice.choice(HOSTILE)
            else:
                here[path[-1]] = dice.choice(HOSTILE)
        except (KeyError, IndexError, TypeError):
            continue  # an earlier breakage took the place away
    return json.dumps(data).encode()


def use(data: bytes) -> bool:
    """Load and do everything; whether it loaded. UserErrors are right, anything else goes up."""
    try:
        project = loads(data, "hostile.fwproj")
    except UserError as error:
        said = error.message
    else:
        said = None
    if said is not None:
        assert len(said.english()) < LONGEST_SENTENCE and said.text("zh_CN")
        return False
    assert dumps(loads(dumps(project))) == dumps(project)
    if next(impossible_ports(project), None) is not None:
        return True
    for design in list(project.designs)[-1:]:
        analysis = analyze(project, design)
        for step in (
            lambda a=analysis: a.findings,
            lambda a=analysis: a.predict(PredictRequest(sizes=(8, 1 << 30))),
            lambda d=design: bom(project, d).to_csv(),
            lambda d=design: cable_schedule(project, d).to_csv(),
            lambda d=design: draw_sheets(project, d),
        ):
            try:
                step()
            except UserError:
                continue
    return True


@pytest.mark.parametrize("template", SIZES)
def test_hostile_files_end_in_a_result_or_in_a_sentence(template):
    text = dumps(TEMPLATES[template].build(**SIZES[template])).decode()
    loaded = sum(use(breakage(text, random.Random(seed))) for seed in range(ROUNDS // len(SIZES)))
    assert loaded  # or nothing beyond the reader was tried
