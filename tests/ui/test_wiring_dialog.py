"""Wiring one group to another: what is proposed, shown while options change, drawn as one step, and what is short."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt

from fabricwright.ui.file_commands import blank_project
from fabricwright.ui.wiring.dialog import WiringDialog, parse_rows, proposed
from tests.ui.canvas_stage import CTRL, Stage, close, make_stage

pytestmark = [pytest.mark.gui, pytest.mark.usefixtures("all_painted")]


@pytest.fixture
def groups(app, tmp_path: Path) -> Iterator[Stage]:
    """16 servers with 8 ports each, 8 leaves and 4 spines of 32 ports."""
    stage = make_stage(blank_project(), tmp_path)
    stage.drop_part("dgx-h100", QPointF(0, 600))
    stage.drop_part("sn4700", QPointF(0, 300))
    stage.drop_part("sn4700", QPointF(0, 0))
    stage.context.edit("set_axes", item="node0", axes=[["node", 16]])
    stage.context.edit("set_axes", item="leaf0", axes=[["leaf", 8]])
    stage.context.edit("set_axes", item="leaf1", axes=[["spine", 4]])
    stage.view.fit()
    yield stage
    close(stage)


def pick(dialog: WiringDialog, pattern: str) -> None:
    dialog.pattern.setCurrentIndex(dialog.pattern.findData(pattern))


def test_servers_are_proposed_rails_and_switches_a_mesh(groups: Stage) -> None:
    assert proposed(groups.context, "node0:compute", "leaf0") == "rail-aligned"
    assert proposed(groups.context, "leaf0", "leaf1") == "full-mesh"


def test_preview_and_counts_follow_the_options(qtbot, groups: Stage) -> None:
    dialog = WiringDialog(groups.context, "node0:compute", "leaf0", groups.window)
    qtbot.addWidget(dialog)
    dialog.show()
    # 16 servers x 8 ports; the twin ports of an OSFP cage leave in one cable.
    assert dialog.plan.rows == 16 * 8 and "128 pairs" in dialog.detail.text() and "64" in dialog.count.text()
    assert len(dialog.preview.plan.preview) == 16 and "112" in dialog.preview.more
    dialog.grab()
    # Rail 0 of every server meets one leaf, rail 1 another.
    first, second = dialog.plan.preview[0][1], dialog.plan.preview[1][1]
    assert first.partition(":")[0] != second.partition(":")[0]
    assert "8 ports used" in dialog.detail.text() and "16 ports used" in dialog.detail.text()
    pick(dialog, "spread")
    assert dialog.plan.wish.pattern == "spread" and dialog.accept_button.isEnabled()
    dialog.network.setCurrentIndex(dialog.network.findData("storage"))
    assert dialog.plan.links[0].network == "storage"


def test_what_is_short_is_told_before_anything_is_drawn(qtbot, groups: Stage) -> None:
    groups.context.edit("set_axes", item="node0", axes=[["node", 64]])
    dialog = WiringDialog(groups.context, "node0:compute", "leaf0", groups.window)
    qtbot.addWidget(dialog)
    dialog.show()
    # 64 servers x 8 ports on 8 leaves of 32 ports: 256 of 512 find none.
    assert dialog.plan.short == 256 and dialog.notice.isVisible()
    pick(dialog, "one-to-one")
    assert not dialog.plan.possible and not dialog.accept_button.isEnabled()


def test_lines_by_hand_are_checked(qtbot, groups: Stage) -> None:
    assert parse_rows("0 1 0 1\n\n1, 2, 3, 4") == ((0, "1", 0, "1"), (1, "2", 3, "4"))
    assert parse_rows("0 1 0 1\nnonsense") == 2
    dialog = WiringDialog(groups.context, "leaf0", "leaf1", groups.window)
    qtbot.addWidget(dialog)
    dialog.show()
    pick(dialog, "by-hand")
    assert dialog.rows.isVisible() and not dialog.accept_button.isEnabled()
    dialog.rows.setPlainText("0 1 0 1\n1 1 0 2")
    assert dialog.plan.rows == 2 and dialog.accept_button.isEnabled()
    dialog.rows.setPlainText("0 1 0 1\nx")
    assert not dialog.accept_button.isEnabled()


def test_ctrl_l_and_a_drag_between_groups_ask_and_draw_one_step(
    qtbot, groups: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def accept(dialog: WiringDialog) -> int:
        asked.append((dialog.ends, str(dialog.pattern.currentData())))
        return dialog.DialogCode.Accepted

    monkeypatch.setattr(WiringDialog, "exec", accept)
    groups.context.document.select(["leaf0", "leaf1"])
    entries = groups.document.undo_stack.count()
    groups.key(qtbot, Qt.Key.Key_L, CTRL)
    assert asked == [(("leaf0", "leaf1"), "full-mesh")]
    assert groups.document.undo_stack.count() == entries + 1 and len(groups.links) == 1
    assert groups.document.undo_stack.undoText() == "Wire groups"
    groups.document.undo()
    assert not groups.links
    groups.drag(groups.port("node0", "node0:compute"), groups.at("leaf0"))
    assert asked[1][1] == "rail-aligned" and len(groups.links) == 1
    assert groups.context.selection == list(groups.links)


def test_giving_up_draws_nothing(groups: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WiringDialog, "exec", lambda dialog: dialog.DialogCode.Rejected)
    entries = groups.document.undo_stack.count()
    groups.drag(groups.port("node0", "node0:compute"), groups.at("leaf0"))
    assert groups.document.undo_stack.count() == entries and not groups.links
