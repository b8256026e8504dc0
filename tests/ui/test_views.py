"""The middle of the window shows one view at a time; docks, menu, tool bar and session follow."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.view_commands import SESSION_KEY
from fabricwright.ui.views import CANVAS, VIEWS, opening_view
from tests.ui.canvas_stage import Stage


@pytest.fixture
def extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that this test brings along, under the name of one that is declared."""
    from fabricwright.ui import views

    spec = views.ViewSpec("racks", "Racks", "view-racks", "tests.ui.test_views", "Other", ("problems",))
    every = tuple(spec if row.id == "racks" else row for row in VIEWS)
    monkeypatch.setattr(views, "built_views", lambda: every)
    monkeypatch.setattr(views, "VIEWS", every)


class Other(QWidget):
    """A view that notes whether it is in front."""

    def __init__(self, _context: object) -> None:
        super().__init__()
        self.told: list[bool] = []

    def shown(self, on: bool) -> None:
        self.told.append(on)


def test_declared_views_have_actions_and_shortcuts_of_their_own(app: QApplication) -> None:
    from fabricwright.ui.actions import ACTIONS

    by_id = {spec.id: spec for spec in ACTIONS}
    assert all(spec.action in by_id and by_id[spec.action].shortcuts for spec in VIEWS)
    assert VIEWS[0].id == CANVAS


def test_a_view_takes_docks_away_and_gives_them_back(extra: None, blank: Stage) -> None:
    window = blank.window
    assert not window.docks.palette.isHidden()
    assert window.commands.show_view("racks")
    assert window.docks.palette.isHidden() and not window.docks.problems.isHidden()
    assert window.session.text(SESSION_KEY) == "racks"
    assert window.actions_set["view-racks"].isChecked() and window.bar.views.current() == "racks"
    assert window.commands.show_view(CANVAS)
    assert not window.docks.palette.isHidden()
    other = window.views.widget_of("racks")
    assert isinstance(other, Other) and other.told == [True, False]


def test_a_dock_closed_by_hand_stays_closed(extra: None, blank: Stage) -> None:
    window = blank.window
    window.docks.palette.hide()
    window.commands.show_view("racks")
    window.commands.show_view(CANVAS)
    assert window.docks.palette.isHidden()


def test_an_unknown_view_leaves_everything(blank: Stage) -> None:
    assert not blank.window.commands.show_view("no-such-view")
    assert blank.window.views.current == CANVAS


def test_a_project_of_before_and_after_opens_on_the_comparison(app: QApplication, tmp_path: Path) -> None:
    assert opening_view(TEMPLATES["seed-b-512"].build()) == "compare"
    assert opening_view(TEMPLATES["seed-a-256x8"].build()) == ""


def test_a_file_with_a_before_and_an_after_opens_so(app: QApplication, tmp_path: Path, blank: Stage) -> None:
    from fabricwright.design.storage import save

    path, other = tmp_path / "b.fwproj", tmp_path / "a.fwproj"
    save(TEMPLATES["seed-b-512"].build(), path)
    save(TEMPLATES["pcie-4gpu-1nic"].build(), other)
    assert blank.window.commands.open_path(path)
    assert blank.window.views.current == "compare"
    assert blank.window.commands.open_path(other)
    assert blank.window.views.current == CANVAS
