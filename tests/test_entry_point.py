"""Which of the four the first arguments choose: window, command line, worker or self-test."""

from __future__ import annotations

import subprocess
import sys
import types

import pytest

import fabricwright
from fabricwright.__main__ import main, wants_command_line


@pytest.fixture(autouse=True)
def commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the command line with three subcommands."""
    stand_in = types.ModuleType("fabricwright.cli.main")
    stand_in.COMMANDS = ("check", "predict", "new")  # type: ignore[attr-defined]
    stand_in.main = lambda argv: 40 + len(argv)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fabricwright.cli.main", stand_in)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], False),
        (["plan.fwproj"], False),
        (["./check"], False),
        (["--lang", "zh_CN"], False),
        (["--lang", "zh_CN", "plan.fwproj"], False),
        (["check", "plan.fwproj"], True),
        (["--lang", "zh_CN", "check", "plan.fwproj"], True),
        (["--json", "predict", "plan.fwproj"], True),
        (["--help"], True),
        (["-h"], True),
    ],
)
def test_a_subcommand_means_the_command_line(arguments: list[str], expected: bool) -> None:
    assert wants_command_line(arguments) is expected


def test_the_exit_code_is_the_one_of_the_command() -> None:
    assert main(["check", "plan.fwproj"]) == 42


@pytest.mark.parametrize("arguments", [["--nothing"], ["a.fwproj", "b.fwproj"], ["--theme", "pink"]])
def test_the_window_refuses_what_it_does_not_know(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    from fabricwright.ui.app import main as window

    with pytest.raises(SystemExit) as left:
        window(arguments)
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"fabricwright {fabricwright.__version__}\n"


@pytest.mark.e2e
def test_version_of_the_module_as_a_program() -> None:
    command = [sys.executable, "-m", "fabricwright", "--version"]
    assert subprocess.check_output(command, text=True).strip() == f"fabricwright {fabricwright.__version__}"
