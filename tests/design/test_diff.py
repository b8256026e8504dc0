"""The difference of two documents: a patch that turns one into the other; of two drawings, row by row."""

from __future__ import annotations

import functools

from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.design.calls import EditCall
from fabricwright.design.diff import ADDED, REMOVED, FieldChange, RowChange, diff, drawing_changes, sheet_pairs
from fabricwright.design.edits import run
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project


@functools.cache
def seed_b(servers: int = 32) -> Project:
    return TEMPLATES["seed-b-512"].build(servers=servers)


def test_a_project_does_not_differ_from_itself() -> None:
    assert not diff(seed_b(), seed_b())
    for design in seed_b().designs:
        assert drawing_changes(seed_b(), design, seed_b(), design) == ()


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 32), st.integers(2, 32))
def test_the_difference_turns_one_into_the_other(a: int, b: int) -> None:
    one, two = seed_b(a), seed_b(b)
    assert apply(one, diff(one, two), check=True) == two
    assert apply(two, diff(one, two).inverse(), check=True) == one


def test_a_rename_is_one_change_and_no_part_is_replaced() -> None:
    before = seed_b()
    patch = run(before, EditCall("rename", {"design": "before", "sheet": "fabric", "item": "leaf", "name": "edge"}))
    after = apply(before, patch)
    assert [c.path[-1] for c in diff(before, after).changes] == ["leaf"]
    (row,) = drawing_changes(before, "before", after, "before")
    assert (row.id, row.kind, [f.name for f in row.fields]) == ("leaf", "changed", ["name"])


def test_the_network_upgrade_row_by_row() -> None:
    # seed_b.py: the leafs become SN4700, the node cable a splitter, the own NIC goes and the new one comes.
    rows = drawing_changes(seed_b(), "before", seed_b(), "after-network")
    assert {(r.id, r.kind) for r in rows} == {
        ("leaf", "replaced"),
        ("node", "changed"),
        ("down", "changed"),
        ("nic8", "added"),
        ("slota-nic", "removed"),
    }
    node = next(r for r in rows if r.id == "node")
    assert node.inside and not node.fields
    leaf = next(r for r in rows if r.id == "leaf")
    assert (leaf.part_a, leaf.part_b) == ("sn3700c", "sn4700")


def test_swapping_the_sides_swaps_added_and_removed() -> None:
    there = drawing_changes(seed_b(), "before", seed_b(), "after-network")
    back = drawing_changes(seed_b(), "after-network", seed_b(), "before")

    def swapped(row: RowChange) -> RowChange:
        kind = {REMOVED: ADDED, ADDED: REMOVED}.get(row.kind, row.kind)
        fields = tuple(FieldChange(f.name, f.b, f.a) for f in row.fields)
        return RowChange(row.sheet_b, row.sheet_a, row.table, row.id, kind, row.part_b, row.part_a, fields, row.inside)

    assert {swapped(row) for row in there} == set(back)


def test_sheets_go_together_as_the_groups_say() -> None:
    designs = seed_b().designs
    pairs = sheet_pairs(designs["after-network"], designs["after"])
    assert pairs == [("fabric", "fabric"), ("node", "node-after"), ("", "node-after-cxl")]
