"""Output jobs: kept, changed, removed, undone; file names that every system takes."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricwright.design import storage
from fabricwright.design.edits import EDITS
from fabricwright.design.output_jobs import KINDS, check_job, default_jobs, file_stem, jobs_of
from fabricwright.design.patch import apply
from fabricwright.design.values import OutputJob
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.design.strategies import empty_project


def test_jobs_live_in_the_file_and_are_undone() -> None:
    project = empty_project()
    patch = EDITS["set_job"](project, kind="bom", options={"format": "csv", "name": "", "group": "rack"})
    kept = apply(project, patch)
    assert kept.jobs["bom"] == OutputJob("bom", Table({"format": "csv", "group": "rack"}))
    text = storage.dumps(kept)
    assert json.loads(text)["jobs"] == {"bom": {"kind": "bom", "options": {"format": "csv", "group": "rack"}}}
    assert storage.loads(text).jobs == kept.jobs
    again = apply(kept, EDITS["set_job"](kept, kind="bom", options={}))
    assert set(again.jobs) == {"bom", "bom-2"}
    assert set(apply(again, EDITS["remove_job"](again, job="bom")).jobs) == {"bom-2"}
    assert apply(kept, patch.inverse()).jobs == project.jobs


def test_a_project_without_jobs_has_the_usual_set_and_each_is_sound() -> None:
    jobs = jobs_of(empty_project())
    assert jobs == default_jobs() and {job.kind for job in jobs.values()} == set(KINDS)
    for job in jobs.values():
        check_job(job)


@pytest.mark.parametrize(
    ("edit", "args"),
    [
        ("set_job", {"kind": "nonsense", "options": {}}),
        ("set_job", {"kind": "bom", "options": {"format": "pdf"}}),
        ("set_job", {"kind": "bom", "options": {"language": "fr"}}),
        ("set_job", {"kind": "bom", "options": {"name": "x" * 500}}),
        ("set_job", {"kind": "bom", "options": {"name": "{nonsense}"}}),
        ("set_job", {"kind": "diagram", "options": {"page": "B5"}}),
        ("set_job", {"kind": "bom", "options": {}, "job": "No Id"}),
        ("set_jobs", {"jobs": {"No Id": {"kind": "bom"}}}),
        ("set_jobs", {"jobs": {f"j{n}": {"kind": "bom"} for n in range(200)}}),
        ("remove_job", {"job": "none"}),
    ],
)
def test_what_cannot_be_is_refused(edit: str, args: dict[str, object]) -> None:
    with pytest.raises(UserError):
        EDITS[edit](empty_project(), **args)


@given(st.text(max_size=200), st.text(max_size=200))
def test_file_names_suit_every_system(project: str, rest: str) -> None:
    """Neither separators nor what Windows refuses, not empty, no dot or space at either end."""
    name = file_stem("{project} " + rest.replace("{", "").replace("}", ""), {"project": project})
    assert name and len(name) <= 101
    assert not re.search(r'[\x00-\x1f<>:"/\\|?*]', name)
    assert name == name.strip(" .") and name.lower() not in ("con", "nul", "com1", "..", ".")


def test_reserved_names_get_out_of_the_way() -> None:
    assert file_stem("con", {}) == "_con" and file_stem("COM1.x", {}) == "_COM1.x"
    assert file_stem("{project}-{kind}", {"project": "a/b", "kind": "bom"}) == "a-b-bom"
