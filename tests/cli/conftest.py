"""Project files that the command line is tried on."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabricwright.cli.main import main
from fabricwright.design import storage
from fabricwright.design.templates import TEMPLATES

Run = Callable[..., tuple[int, str, str]]
Spoil = Callable[[Callable[[dict[str, Any]], object]], str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process: exit code, stdout, stderr."""

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(a) for a in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Template id -> a project file of it."""
    folder = tmp_path_factory.mktemp("projects")
    out = {}
    for name, template in TEMPLATES.items():
        path = folder / f"{name}.fwproj"
        storage.save(template.build(), path)
        out[name] = str(path)
    return out


@pytest.fixture
def spoil(files: dict[str, str], tmp_path: Path) -> Spoil:
    """A copy of seed A with something changed in its JSON."""
    sound = json.loads(Path(files["seed-a-256x8"]).read_text(encoding="utf-8"))

    def write(change: Callable[[dict[str, Any]], object]) -> str:
        data = copy.deepcopy(sound)
        change(data)
        path = tmp_path / "spoilt.fwproj"
        path.write_text(json.dumps(data), encoding="utf-8")
        return str(path)

    return write
