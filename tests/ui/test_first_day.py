"""What somebody stumbled over on the first day with the installed program."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QListWidget

from fabricwright.design import recovery, storage
from fabricwright.design.blank import blank_project
from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.options import OPTIONS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui import dialogs
from fabricwright.ui.exports import named_as, start_of
from fabricwright.ui.guide.pages import load_pages, search
from fabricwright.ui.guide.window import GuideWindow
from fabricwright.ui.i18n import install_language
from fabricwright.ui.panels.fields import TextField
from fabricwright.ui.panels.fix_words import fix_text
from fabricwright.ui.session import documents
from fabricwright.ui.sizing.rows import split_text
from fabricwright.ui.tour.guide import start_tour
from fabricwright.ui.widgets import SearchField
from tests.ui.canvas_stage import Stage, close, make_stage


def answered(act) -> None:  # type: ignore[no-untyped-def]
    """Do something with the dialog that opens next."""

    def now() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        act(dialog)

    QTimer.singleShot(50, now)


def test_many_rows_are_searched(blank: Stage) -> None:
    def act(dialog: QDialog) -> None:
        field, rows = dialog.findChild(SearchField), dialog.findChild(QListWidget)
        assert field is not None and rows is not None
        field.setText("no such chassis")
        assert rows.currentItem() is None
        field.setText("dgx b200")
        assert "B200" in rows.currentItem().text()
        dialog.accept()

    answered(act)
    assert dialogs.ask_chassis(blank.window) == "dgx-b200-8sxm"


def test_templates_are_called_as_on_the_first_page(blank: Stage) -> None:
    def act(dialog: QDialog) -> None:
        rows = dialog.findChild(QListWidget)
        assert rows is not None
        assert rows.item(0).text() == "8-GPU server, NVSwitch\nDGX H100, two sockets, PCIe 5.0"
        rows.setCurrentRow(3)
        dialog.accept()

    answered(act)
    assert dialogs.ask_template(blank.window) == "seed-b-512"


def test_menus_have_lines_and_every_panel(blank: Stage) -> None:
    window = blank.window
    for name in ("file", "edit", "view", "insert", "export"):
        rows = window.menus[name].actions()
        lines = [n for n, row in enumerate(rows) if row.isSeparator()]
        assert len(lines) >= 3, name
        assert 0 not in lines and all(b - a > 1 for a, b in pairwise(lines)), name
    texts = [row.text() for row in window.menus["window"].actions()]
    assert {"Paths", "Training"} <= set(texts)
    window.actions_set["toggle-paths"].trigger()
    tabs = window.docks.tabs
    assert tabs.names[tabs.head.bar.currentIndex()] == "paths"


def test_files_begin_where_files_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = tmp_path / "Documents"
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _kind: str(where))
    assert documents() == Path.home()  # nobody has made that folder
    where.mkdir()
    assert documents() == where


def test_files_are_offered_under_the_name_of_the_project(blank: Stage) -> None:
    blank.document.edit("retitle", title="Phase 1/2: 华东")
    assert Path(start_of(blank.window, "report.pdf")).name == "Phase 1-2- 华东-report.pdf"
    assert named_as("") == "project"
    blank.document.file = Path("/data/plan.fwproj")
    assert Path(start_of(blank.window, "bom.xlsx")) == Path("/data/plan-bom.xlsx")


def test_a_file_that_may_not_be_written_is_not_offered(blank: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(dialogs, "ask_save", lambda _parent, start: asked.append(start))
    blank.document.file, blank.document.read_only = Path("/data/plan.fwproj"), True
    assert not blank.window.commands.save()
    assert asked == [str(Path("/data/plan (copy).fwproj"))]


def test_the_first_page_keeps_room_for_found_work(
    blank: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "left_over", lambda: [tmp_path / "a", tmp_path / "b"])
    blank.window.show_welcome()
    page = blank.window.welcome
    assert page is not None
    page.keep_places()
    assert [banner.buttons for banner in page.banners] == [{}, {}]
    page.show_recovered([])
    assert page.banners == []


def test_found_work_is_compared_by_the_design_that_is_open(blank: Stage, tmp_path: Path) -> None:
    project = TEMPLATES["seed-b-512"].build()
    changed = apply(project, run(project, EditCall("retitle", {"title": "other"})))
    path = tmp_path / "other.fwproj"
    storage.save(changed, path)
    blank.document.replace(project)
    blank.context.open_design("after")
    assert blank.window.commands.show_view("compare")
    view = blank.window.views.widget_of("compare")
    view.open_file(1, path, "after")
    side = view.head.sides[1]
    assert side is not None and side.design == "after"
    assert view.head.name_of(side) == f"other.fwproj: {project.designs['after'].title}"
    view.head.set_side(2, None)
    assert len(view.head.known()) == 2


def test_a_new_server_is_titled_in_the_language_of_the_window(app: QApplication, blank: Stage) -> None:
    install_language(app, "zh_CN")
    try:
        blank.document.replace(blank_project())
        blank.context.edit("add_item", sheet="fabric", part="cabled-4u8g")
    finally:
        install_language(app, "en")
    (title,) = (s.title for s in blank.context.design_row.sheets.values() if s.kind == "server")
    assert title.startswith("4U机箱")


def test_places_of_the_guide_show_the_word(app: QApplication) -> None:
    hits = search(load_pages("zh_CN"), "收敛比")
    assert hits and all("收敛比" in hit.line[:14] for hit in hits if "收敛比" in hit.section.text)
    guide = GuideWindow()
    guide.open_page("sizing")
    guide.search.setText("oversubscription")
    guide.search.returnPressed.emit()
    assert guide.view.extraSelections()
    guide.search.clear()
    assert not guide.view.extraSelections()
    guide.close()


def test_a_fix_says_what_it_changes() -> None:
    calls = [
        {"name": "set_link", "args": {"link": "down", "cable": "auto"}},
        {"name": "set_setting", "args": {"design": "main", "key": "nccl.p2p_level", "value": "SYS"}},
        {"name": "seat", "args": {"item": "gpu0", "slot": "chassis:s2"}},
    ]
    assert fix_text(calls).splitlines() == [
        "Link down: the program chooses a cable that fits and reaches.",
        f"Sets '{OPTIONS['design', 'nccl.p2p_level'].label}' of the design to SYS, other socket.",
        "Moves gpu0 to slot S2.",
    ]
    removed = [{"name": "remove", "args": {"ids": [f"l{n}"]}} for n in range(5)]
    assert fix_text(removed).splitlines() == ["Removes l0.", "Removes l1.", "Removes l2.", "and 2 more edits"]
    assert fix_text([]) == ""


@pytest.mark.parametrize(
    ("name", "args", "said"),
    [
        ("set_config", {"item": "sw0", "key": "mode", "value": "2x16"}, "sw0: sets 'mode' to 2x16."),
        ("set_link", {"link": "up", "wire": {"per_pair": 4}}, "Link up: 4 cables per pair."),
        ("set_link", {"link": "up", "wire": {"on": ["su"]}}, "Link up: wires it another way."),
        ("set_link", {"link": "c", "length_m": 2.5}, "Link c: is 2.5 m long."),
        ("set_link", {"link": "c", "a": "rt0:up"}, "Link c: goes to rt0:up."),
        ("set_link", {"link": "c"}, "Changes the link c."),
        ("set_axes", {"item": "spine", "axes": [["spine", 2], ["plane", 3]]}, "spine: 6 of them."),
        ("set_count", {"item": "node", "count": 64}, "node: 64 of them."),
        ("connect", {"a": "rt0:d1", "b": "gpu0:up"}, "Draws a link from rt0:d1 to gpu0:up."),
        ("move_cable", {"link": "down", "row": 3}, "Moves cables of down to the port they belong to."),
        ("tidy", {}, "Edit: tidy"),
    ],
)
def test_every_kind_of_fix_has_words(name: str, args: dict[str, object], said: str) -> None:
    assert fix_text([{"name": name, "args": args}]) == said


def test_cables_per_pair_only_where_they_count(app: QApplication, tmp_path: Path) -> None:
    stage = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path)
    try:
        stage.document.select(["down"])
        app.processEvents()
        fields = stage.window.docks.panels["inspector"].findChildren(TextField)
        (field,) = [f for f in fields if f.label.text() == "Cables per pair"]
        field.edit.setText("3")
        field.edit.textEdited.emit("3")
        assert field.error.text().startswith("Only the wiring")
        assert stage.context.sheet_row.links["down"].wire.per_pair == 1
    finally:
        close(stage)


def test_splits_are_written_with_their_unit() -> None:
    assert [split_text(s) for s in ("2x400", None)] == ["2 × 400G", "–"]


def test_what_is_new_begins_on_the_drawing(blank: Stage) -> None:
    commands, views = blank.window.commands, blank.window.views
    assert commands.show_view("bill")
    commands.new()
    assert views.current == "canvas"
    assert commands.show_view("bill")
    guide = start_tour(blank.window)
    assert views.current == "canvas"
    guide.end()


def test_a_template_of_one_server_opens_inside_it(blank: Stage) -> None:
    blank.window.commands.start_template("single-8gpu")
    assert blank.context.sheet_row.kind == "server"
    blank.window.commands.start_template("pcie-4gpu-1nic")
    assert blank.context.sheet_row.kind == "fabric"
