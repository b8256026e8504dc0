"""The published schema is the one the dataclasses give, and every template's file validates against it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from fabricwright.design.schema import project_schema, schema_text
from fabricwright.design.storage import dumps
from fabricwright.design.templates import TEMPLATES
from fabricwright.resources import resource_path


def test_the_published_file_is_current():
    assert resource_path("schema", "project.schema.json").read_text(encoding="utf-8") == schema_text()


@pytest.mark.parametrize("template", TEMPLATES)
def test_saved_files_validate(template):
    jsonschema.validate(json.loads(dumps(TEMPLATES[template].build())), project_schema())


def test_unknown_keys_are_allowed_and_wrong_types_are_not():
    good = {"format": "fabricwright-project", "version": 1, "future": 1}
    jsonschema.validate(good, project_schema())
    for bad in ({**good, "designs": []}, {**good, "version": 2}, {"version": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, project_schema())
