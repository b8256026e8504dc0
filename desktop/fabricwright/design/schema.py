"""The project file's JSON Schema, derived from the dataclasses of ``values`` so that there is one definition.

``python -m fabricwright.design.schema`` writes ``resources/schema/project.schema.json``. Never imported by the window.
"""

from __future__ import annotations

import json
from typing import Any

from fabricwright.catalog.schema import model_of
from fabricwright.design.storage import FORMAT, VERSION
from fabricwright.design.values import Project
from fabricwright.resources import resource_path


def project_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a project file. Unknown keys are allowed: they survive a load and save."""
    schema = model_of(Project, True).model_json_schema(by_alias=True)
    schema["properties"] = {
        "format": {"const": FORMAT},
        "version": {"type": "integer", "minimum": 1, "maximum": VERSION},
        **schema["properties"],
    }
    schema["required"] = ["format", "version"]
    schema["title"] = "Fabricwright project"
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema


def schema_text() -> str:
    """The published file."""
    return json.dumps(project_schema(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    resource_path("schema", "project.schema.json").write_text(schema_text(), encoding="utf-8")
