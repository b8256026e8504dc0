"""A file without ``parts`` opens with the catalogue's; a file's own parts win; unknown ones stay an error."""

from __future__ import annotations

import json

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.design.adopt import parts_that_differ, told_difference
from fabricwright.design.storage import dumps, loads
from fabricwright.design.templates import TEMPLATES
from fabricwright.units.errors import UserError


@pytest.fixture
def seed_a():
    return json.loads(dumps(TEMPLATES["seed-a-256x8"].build()))


def test_parts_left_out_come_from_the_catalogue(seed_a):
    del seed_a["parts"]
    project = loads(json.dumps(seed_a).encode())
    assert {"cabled-4u8g", "lrsv9500-4i", "h100-pcie-80gb", "generic-64x400", "xeon-spr"} <= set(project.parts)
    assert project.parts["lrsv9500-4i"].origin.startswith("catalogue ")
    # 256 servers x 2 ports down, 8 leafs x 4 spines x 8 up
    assert analyze(project, "main").figures()["links"] == 512 + 256


def test_a_part_of_the_file_is_never_replaced(seed_a):
    seed_a["parts"]["lrsv9500-4i"]["model"] = "mine"
    assert loads(json.dumps(seed_a).encode()).parts["lrsv9500-4i"].model == "mine"


def test_what_the_catalogue_has_otherwise_is_told(seed_a):
    seed_a["parts"]["lrsv9500-4i"]["origin"] = "another place"
    project = loads(json.dumps(seed_a).encode())
    assert parts_that_differ(project) == () and told_difference(project) is None
    for part in list(seed_a["parts"])[:7]:
        seed_a["parts"][part]["model"] = "mine"
        project = loads(json.dumps(seed_a).encode())
    told = told_difference(project)
    assert len(parts_that_differ(project)) == 7
    assert told is not None and told.english().startswith("7 parts of the project differ from this catalogue (")


def test_a_part_that_nobody_knows_is_named(seed_a):
    del seed_a["parts"]
    seed_a["designs"]["main"]["sheets"]["fabric"]["items"]["leaf"]["of"] = "no-such-switch"
    with pytest.raises(UserError, match="no-such-switch"):
        loads(json.dumps(seed_a).encode())
