"""Edits of racks: one member by hand, back to the rule, another rack type, number and pitch."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricwright.design.calls import EditCall
from fabricwright.design.check_values import check
from fabricwright.design.edits import run
from fabricwright.design.effective import effective
from fabricwright.design.patch import apply
from fabricwright.design.storage import dumps
from fabricwright.design.values import Project
from fabricwright.topology.seating import places_of, rack_pitch_m
from fabricwright.units.errors import UserError
from tests.topology.samples import template

SEED_A = template("seed-a-256x8")  # four servers of 4 U per rack from unit 1: units 1-16; 64 racks of 48 U
WHERE = {"design": "main", "sheet": "fabric"}


def edited(project: Project, name: str, **args: Any) -> Project:
    patch = run(project, EditCall(name, {**WHERE, **args}))
    after = apply(project, patch)
    assert dumps(apply(after, patch.inverse(), check=True)) == dumps(project)
    assert [m.english() for m in check(after)] == []
    return after


def place(project: Project, item: str, member: int) -> tuple[int, int]:
    design = project.designs["main"]
    found = places_of(project, design, effective(project, design, design.root))[item]
    return int(found.rack[member]), int(found.u[member])


def test_one_member_moves_and_comes_back() -> None:
    moved = edited(SEED_A, "seat_member", item="node", member=5, rack=3, u=20)
    assert place(moved, "node", 5) == (3, 20)
    assert place(moved, "node", 4) == (1, 1) and place(moved, "node", 6) == (1, 9)  # nobody else moves
    # Where the rule would put it (5 = rack 1, second place: unit 5), it follows the rule again.
    back = edited(moved, "seat_member", item="node", member=5, rack=1, u=5)
    assert not back.designs["main"].sheets["fabric"].seats["node"].except_
    assert not edited(moved, "seat_again", item="node").designs["main"].sheets["fabric"].seats["node"].except_


@pytest.mark.parametrize(
    ("rack", "u", "words"),
    [
        (1, 3, "stands in unit 3"),  # node 4 takes units 1-4 of rack 1
        (3, 46, "unit 49; the rack has 48 U"),  # 46 + 4 - 1
        (64, 1, "no rack 64"),
        (3, 0, "from 1 to 99"),
    ],
)
def test_illegal_places_say_why(rack: int, u: int, words: str) -> None:
    with pytest.raises(UserError) as caught:
        run(SEED_A, EditCall("seat_member", {**WHERE, "item": "node", "member": 9, "rack": rack, "u": u}))
    assert words in str(caught.value)


def test_a_member_does_not_leave_the_racks_of_its_group() -> None:
    with pytest.raises(UserError, match="Detach"):
        run(
            SEED_A, EditCall("seat_member", {**WHERE, "item": "node", "member": 9, "racks": "nrack", "rack": 0, "u": 1})
        )


def test_rack_type_number_and_pitch() -> None:
    other = edited(SEED_A, "set_racks", item="rack", part="rack-52u-45kw", pitch_m=0.8)
    row = other.designs["main"].sheets["fabric"].items["rack"]
    assert row.of == "rack-52u-45kw" and "rack-52u-45kw" in other.parts
    design = other.designs["main"]
    assert rack_pitch_m(effective(other, design, "fabric").items["rack"]) == 0.8
    fewer = edited(SEED_A, "set_racks", item="rack", count=8)  # 8 in each of four rows: the tail of each row is gone
    assert fewer.designs["main"].sheets["fabric"].items["rack"].axes == (("row", 4), ("rack", 8))
    for args in ({"part": "sn5600"}, {"count": 0}, {"pitch_m": 0.0}, {"item": "leaf", "count": 3}):
        with pytest.raises(UserError):
            run(SEED_A, EditCall("set_racks", {**WHERE, "item": "rack", **args}))


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(0, 63), st.integers(1, 48)), max_size=8))
def test_moves_never_overlap_and_are_taken_back(moves: list[tuple[int, int, int]]) -> None:
    project = SEED_A
    patches = []
    for member, rack, u in moves:
        call = EditCall("seat_member", {**WHERE, "item": "node", "member": member, "rack": rack, "u": u})
        try:
            patches.append(run(project, call))
        except UserError:
            continue
        project = apply(project, patches[-1])
    design = project.designs["main"]
    found = places_of(project, design, effective(project, design, "fabric"))["node"]
    units = [
        (int(r), int(u) + k)
        for n, (r, u) in enumerate(zip(found.rack, found.u, strict=True))
        if n != 255
        for k in range(4)
    ]
    assert len(units) == len(set(units))
    for patch in reversed(patches):
        project = apply(project, patch.inverse(), check=True)
    assert dumps(project) == dumps(SEED_A)
