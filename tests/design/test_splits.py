"""A cable to 17/2 splits cage 17 when nobody has said how; what was said stays."""

from __future__ import annotations

import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import EDITS
from fabricwright.design.effective import effective
from fabricwright.design.patch import apply
from fabricwright.design.splits import cabled_splits, with_implied_breakout
from fabricwright.design.values import Link
from fabricwright.units.table import Table
from tests.design.strategies import empty_project

WHERE = {"design": "main", "sheet": "fabric"}


def test_links_say_which_cages_are_split():
    links = [Link("node:compute", "leaf:1-2/1-2"), Link("leaf:33-64", "spine:1"), Link("leaf:3/4", "x:1")]
    assert cabled_splits(links) == {"leaf": {"1": 2, "2": 2, "3": 4}}


@pytest.mark.parametrize(
    ("part", "cabled", "said", "implied"),
    [
        ("generic-64x400", {"17": 2}, {}, {"17": "2x200"}),
        ("generic-64x400", {"17": 1}, {}, {"17": "2x200"}),
        ("generic-64x400", {"17": 3}, {}, {"17": "4x100"}),
        ("generic-64x400", {"17": 2}, {"17": "4x100"}, None),
        ("generic-64x400", {"17": 9}, {}, None),  # no such port in any split: a finding, not a guess
        ("qm9700", {"5": 2}, {}, None),  # a twin cage has two ports by itself
        ("qm9700", {"5": 3}, {}, {"5": "4x200"}),
    ],
)
def test_the_smallest_split_that_has_the_port(part, cabled, said, implied):
    config = Table({"breakout": Table(said)} if said else {})
    made = with_implied_breakout(catalogue().get(part), config, cabled)
    assert made == config if implied is None else dict(made["breakout"]) == implied


def test_a_drawn_cable_gives_the_ports_their_speed_and_undo_takes_it_back():
    project = empty_project()
    for name in ("leaf", "spine"):
        project = apply(project, EDITS["add_item"](project, **WHERE, part="generic-64x400", item=name))
    patch = EDITS["connect"](project, **WHERE, a="leaf:17/2", b="spine:1")
    after = apply(project, patch)
    ports = effective(after, after.designs["main"], "fabric").items["leaf"].ports
    assert ports["17/2"].gbps == 200 and ports["18"].gbps == 400 and "17" not in ports
    back = apply(after, patch.inverse())
    assert "17/2" not in effective(back, back.designs["main"], "fabric").items["leaf"].ports
