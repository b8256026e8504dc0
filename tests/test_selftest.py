"""The self-test itself: a failing probe is reported as a sentence and does not stop the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabricwright import selftest


def test_bindings_do_not_lose_references_of_none(qapp: object, tmp_path: Path) -> None:
    """PySide6 6.12.0 on Python 3.11 loses one per call and takes the process down after some thousand."""
    assert selftest.probe_none_refcount(tmp_path)["fall"] < selftest.NONE_SLACK


def test_a_failing_probe_is_reported_and_the_rest_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def probe_broken(place: Path) -> selftest.Facts:
        raise ValueError("the cable is unplugged")

    def probe_absent(place: Path) -> selftest.Facts:
        import fabricwright.nowhere  # type: ignore[import-not-found]  # noqa: F401

        return {}

    def probe_fine(place: Path) -> selftest.Facts:
        return {"place": place.is_dir()}

    monkeypatch.setattr(selftest, "PROBES", (probe_broken, probe_absent, probe_fine))
    target = tmp_path / "report.json"
    assert selftest.main([str(target)]) == 1
    report = json.loads(target.read_text(encoding="utf-8"))
    assert report["ok"] is False
    outcome = {row["name"]: row["ok"] for row in report["probes"]}
    assert outcome == {"broken": False, "absent": False, "fine": True}
    assert report["probes"][0]["error"] == "ValueError: the cable is unplugged"
    assert report["probes"][1]["error"] == "this build has no module fabricwright.nowhere"
    assert report["probes"][2]["facts"] == {"place": True}


def test_all_probes_fine_is_exit_code_0(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "PROBES", ())
    assert selftest.main([str(tmp_path / "report.json")]) == 0


def test_no_place_for_the_report_is_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert selftest.main([]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_report_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(selftest, "PROBES", ())
    assert selftest.main([str(tmp_path / "missing" / "report.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
