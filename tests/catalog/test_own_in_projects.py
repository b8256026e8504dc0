"""Own parts in projects: embedded like any other, so that the file opens where nobody has them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema

from fabricwright.catalog import own
from fabricwright.catalog.store import catalogue
from fabricwright.design import storage
from fabricwright.design.edits.embed import embed
from fabricwright.design.patch import PatchBuilder
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.resources import resource_path
from fabricwright.topology.cable_fit import candidates


def test_a_project_carries_the_parts_that_only_its_author_has(own_folder: Path, tmp_path: Path) -> None:
    own.save(*own.make_from("h100-sxm5-80gb", {"figures": {"tdp_w": 650}}, "lab-gpu"))
    items = {f"gpu{n}": {"of": "lab-gpu"} for n in range(8)}
    own.save(*own.make_from("dgx-h100", {"interior": {"items": items}}, "lab-server"))
    builder = PatchBuilder(next(iter(TEMPLATES.values())).build())
    embed(builder, "lab-server")
    project: Project = builder.project
    assert {"lab-server", "lab-gpu", "nvswitch3"} <= set(project.parts)
    path = tmp_path / "x.fwproj"
    storage.save(project, path)
    schema = json.loads(resource_path("schema", "project.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), schema)
    # At another desk nobody has these parts; the file has.
    for part_id in list(own.listing()):
        own.remove(part_id)
    assert "lab-server" not in catalogue()
    again = storage.load(path)
    assert again.parts["lab-server"] == project.parts["lab-server"]
    assert again.parts["lab-gpu"].get("tdp_w") == 650
    assert again.parts["lab-gpu"].origin.startswith("own parts, from h100-sxm5-80gb")
    assert storage.dumps(again) == storage.dumps(project)


def test_an_own_part_changed_later_changes_no_project(own_folder: Path) -> None:
    own.save(*own.make_from("sn5600", {"figures": {"power_w": 2000}}, "lab-leaf"))
    builder = PatchBuilder(next(iter(TEMPLATES.values())).build())
    before = embed(builder, "lab-leaf")
    part = catalogue().get("lab-leaf")
    own.save("lab-leaf", replace(part, note="revised"), replace_own=True)
    assert embed(builder, "lab-leaf") == before


def test_own_cables_are_chosen_automatically_only_where_the_project_has_them(own_folder: Path) -> None:
    project = next(iter(TEMPLATES.values())).build()
    before = list(candidates(project))
    own.save(*own.make_from("dac-400g-qdd", {"figures": {"max_m": 9}}, "lab-dac"))
    assert list(candidates(project)) == before, "the file means the same at every desk"
    builder = PatchBuilder(project)
    embed(builder, "lab-dac")
    assert "lab-dac" in candidates(builder.project)
