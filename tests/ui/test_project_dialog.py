"""Project properties: one step of the history, what is wrong is told, the template stays on this computer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.export import report_dialog
from fabricwright.ui.export.report_dialog import ReportDialog, write_reports
from fabricwright.ui.project_dialog import TEMPLATE, ProjectDialog, template_arguments
from tests.ui.canvas_stage import Stage, close, make_stage

pytestmark = pytest.mark.gui


@pytest.fixture
def stage(app, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(TEMPLATES["single-8gpu"].build(), tmp_path)
    yield made
    close(made)


@pytest.fixture
def dialog(stage: Stage) -> ProjectDialog:
    made = ProjectDialog(stage.window)
    made.show()
    return made


def test_everything_is_one_step_of_the_history(qtbot, stage: Stage, dialog: ProjectDialog) -> None:
    before = stage.context.project
    for key, text in (("title", "Hall 7"), ("customer", "Example"), ("number", "FW-7"), ("checked", "Wu")):
        dialog.fields[key].setText(text)
    dialog.fields["date"].setText("2026-11-30")
    dialog.currency.setCurrentText("USD")
    dialog.rates["CNY"].setText("0.14")
    dialog.tax.setText("13%")
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    project = stage.context.project
    assert project.title == "Hall 7"
    assert {k: project.meta[k] for k in ("customer", "number", "checked", "date")} == {
        "customer": "Example",
        "number": "FW-7",
        "checked": "Wu",
        "date": "2026-11-30",
    }
    assert dict(project.ordering) == {"currency": "USD", "rate.CNY": 0.14, "tax": 0.13}
    stage.document.undo()
    assert stage.context.project == before


def test_nothing_changed_leaves_no_step(stage: Stage, dialog: ProjectDialog) -> None:
    before = stage.context.project
    assert dialog.calls() == []
    dialog.accept()
    assert stage.context.project is before


def test_what_is_wrong_is_told_and_waits(dialog: ProjectDialog) -> None:
    for line, wrong in (
        (dialog.fields["date"], "30.11."),
        (dialog.tax, "lots"),
        (dialog.rates["USD"], "-7"),
        (dialog.template, "/nowhere/at-all.toml"),
    ):
        line.setText(wrong)
        assert dialog.said.text() and not dialog.ok.isEnabled()
        line.clear()
        assert not dialog.said.text() and dialog.ok.isEnabled()
    dialog.currency.setCurrentText("money")
    assert not dialog.ok.isEnabled()


def test_the_main_currency_has_no_rate(dialog: ProjectDialog) -> None:
    assert dialog.rates["CNY"].isHidden() and not dialog.rates["USD"].isHidden()
    dialog.currency.setCurrentText("USD")
    assert dialog.rates["USD"].isHidden() and not dialog.rates["CNY"].isHidden()


def test_the_template_is_kept_in_the_session(stage: Stage, dialog: ProjectDialog, tmp_path: Path) -> None:
    file = tmp_path / "look.json"
    file.write_text(json.dumps({"name": "Example Ltd", "accent": "#0B5CAD"}))
    before = stage.context.project
    dialog.template.setText(str(file))
    assert "Example Ltd" in dialog.look.text()
    dialog.accept()
    assert stage.context.project is before
    assert stage.window.session.text(TEMPLATE) == str(file)
    assert template_arguments(stage.window) == ["--template", str(file)]
    report = ReportDialog(stage.window)
    assert report.arguments("en")[-2:] == ["--template", str(file)]


def test_a_report_in_each_language(monkeypatch, stage: Stage, tmp_path: Path) -> None:
    dialog = ReportDialog(stage.window)
    dialog.language.setCurrentIndex(2)
    dialog.drawings.setChecked(False)
    dialog.revision.setText("C")
    assert dialog.languages() == ["en", "zh_CN"]
    told = dialog.arguments("zh_CN")
    assert told[told.index("--lang") + 1] == "zh_CN" and "--no-drawings" in told
    assert told[told.index("--revision") + 1] == "C"
    written: list[str] = []

    class Job:
        class finished:  # noqa: N801 - a signal's name
            @staticmethod
            def connect(after) -> None:  # type: ignore[no-untyped-def]
                after([])

    def write(_window, _command, path, arguments):  # type: ignore[no-untyped-def]
        written.append(path.name)
        return Job()

    monkeypatch.setattr("fabricwright.ui.exports.write_file", write)
    write_reports(stage.window, tmp_path / "report", [("en", []), ("zh_CN", [])])
    assert written == ["report-en.pdf", "report-zh_CN.pdf"]
    assert report_dialog.BOTH == ("en", "zh_CN")
