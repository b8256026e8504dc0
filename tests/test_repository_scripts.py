"""The scripts behind make: what they find out about a machine before they change anything on it."""

from __future__ import annotations

import importlib.util
import socket
import tomllib
import types
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


def script(name: str) -> types.ModuleType:
    """Load one script as a module."""
    spec = importlib.util.spec_from_file_location(f"script_{name}", SCRIPTS / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


def test_no_display_is_said(no_display: None) -> None:
    where, reason = script("run").find_display()
    assert where == ""
    assert "neither DISPLAY nor WAYLAND_DISPLAY" in reason


def test_a_display_that_does_not_answer_counts_as_none(no_display: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":9731")
    assert script("run").find_display() == ("", "the display :9731 does not answer")


def test_a_listening_wayland_socket_is_a_display(
    no_display: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        assert script("run").find_display() == ("wayland display wayland-7", "")


@pytest.mark.parametrize("display", ["", "nonsense", "host:", ":x"])
def test_a_malformed_display_does_not_answer(display: str) -> None:
    assert script("run").answers_x11(display) is False


def test_without_root_the_exact_command_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = script("setup")
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(setup.os, "geteuid", lambda: 1000)
    assert setup.install_system_packages(needed=["libegl1"], wanted=["xvfb"]) is False
    assert "sudo apt-get install --no-install-recommends libegl1 xvfb\n" in capsys.readouterr().out


def test_without_root_what_is_merely_wanted_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = script("setup")
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(setup.os, "geteuid", lambda: 1000)
    assert setup.install_system_packages(needed=[], wanted=["xvfb"]) is True


def test_without_apt_the_libraries_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = script("setup")
    monkeypatch.setattr(setup.shutil, "which", lambda name: None)
    assert setup.install_system_packages(needed=["libegl1"], wanted=[]) is False
    assert "libEGL.so.1" in capsys.readouterr().out


def test_an_environment_that_moved_is_not_usable(tmp_path: Path) -> None:
    setup = script("setup")
    assert setup.usable(tmp_path / "bin" / "python") is False


def test_a_new_constant_starts_at_its_prior(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fit's own predictions read cost.toml, so a constant has to be in it before it can be fitted."""
    fit = script("fit_calibration")
    known, rows = fit.priors()
    prior = fit.Prior(0.7, 0.1)
    monkeypatch.setattr(fit, "FOLDER", tmp_path)
    fit.begin_with({**known, "extra.new": prior}, {**rows, "extra.new": {"meaning": "new", "source": "a page"}})
    written = tomllib.loads((tmp_path / "cost.toml").read_text("utf-8"))
    shipped = fit.load_calibration().constants
    assert written.pop("extra")["new"]["value"] == 0.7
    got = {
        f"{section}.{key}": row["value"]
        for section in set(written) - {"title"}
        for key, row in written[section].items()
    }
    assert got == {name: constant.value for name, constant in shipped.items()}
