"""``export FILE --to FORMAT -o PATH``."""

from __future__ import annotations

import json

import pytest

from fabricwright.cli.main import main
from fabricwright.exchange.formats import FORMATS


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("export") / "a.fwproj"
    assert main(["new", "seed-a-256x8", "-o", str(path)]) == 0
    return str(path)


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_is_written(seed: str, tmp_path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    target = tmp_path / "out"
    capsys.readouterr()
    assert main(["export", seed, "--to", name, "-o", str(target), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == name and document["files"]
    assert target.is_file() == FORMATS[name].single


def test_one_file_may_be_named(seed: str, tmp_path) -> None:
    target = tmp_path / "node.xml"
    assert main(["export", seed, "--to", "nccl-xml", "-o", str(target)]) == 0
    assert target.read_text().startswith("<system")


def test_bad_input_is_one_line(seed: str, tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["export", seed, "--to", "visio", "-o", str(tmp_path / "x")]) == 2
    assert "there are sonic, nvue" in capsys.readouterr().err
    for planned in ("netbox", "astra-sim"):
        assert main(["export", seed, "--to", planned, "-o", str(tmp_path / "x")]) == 2
        assert f"'{planned}' is not built yet" in capsys.readouterr().err
    (tmp_path / "taken").write_text("")
    assert main(["export", seed, "--to", "sonic", "-o", str(tmp_path / "taken")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
