"""What holds for every sequence of edits: sound values, exact undo, patches that survive the pipe, files that
round-trip."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings

from fabricwright.design.check_values import check
from fabricwright.design.keys import table_key
from fabricwright.design.patch import apply, patch_from_json, patch_to_json
from fabricwright.design.storage import dumps, loads
from fabricwright.units.table import Table
from tests.design.strategies import edited_projects, empty_project, small_fabric

SLOW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

SESSIONS = edited_projects(12, (empty_project, small_fabric))


@SLOW
@given(SESSIONS)
def test_every_edit_keeps_the_invariants(session):
    start, patches, _ = session
    project = start
    for patch in patches:
        project = apply(project, patch, check=True)
        assert [m.english() for m in check(project)] == []


@SLOW
@given(SESSIONS)
def test_undo_all_is_byte_identical_and_redo_all_too(session):
    start, patches, end = session
    project = end
    for patch in reversed(patches):
        project = apply(project, patch.inverse(), check=True)
    assert dumps(project) == dumps(start)
    for patch in patches:
        project = apply(project, patch, check=True)
    assert dumps(project) == dumps(end)


@SLOW
@given(SESSIONS)
def test_a_replica_fed_with_patches_as_json_is_the_same_project(session):
    start, patches, end = session
    replica = loads(dumps(start))
    for patch in patches:
        replica = apply(replica, patch_from_json(json.loads(json.dumps(patch_to_json(patch)))), check=True)
    assert replica == end
    assert dumps(replica) == dumps(end)


@SLOW
@given(SESSIONS)
def test_save_and_load_round_trip(session):
    _, _, end = session
    again = loads(dumps(end))
    assert again == end
    assert dumps(again) == dumps(end)


@SLOW
@given(SESSIONS)
def test_table_keys_carried_along_equal_keys_computed_afresh(session):
    start, patches, _ = session
    project = start
    for sheet in project.designs["main"].sheets.values():
        table_key(sheet.items)
    for patch in patches:
        project = apply(project, patch)
        for design in project.designs.values():
            for sheet in design.sheets.values():
                assert table_key(sheet.items) == table_key(Table(dict(sheet.items)))
