"""Own parts in the palette and in the window."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from fabricwright.catalog import own
from fabricwright.catalog.store import catalogue
from fabricwright.design.storage import dumps
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.own_parts import verbs as verbs_module
from fabricwright.ui.panels.palette import PalettePanel
from fabricwright.ui.panels.palette_model import ESTIMATE_ROLE, OWN_ROLE
from tests.ui.canvas_stage import Stage, close, make_stage
from tests.ui.own_parts.moves import form_of, texts

# -- the palette ------------------------------------------------------------------------------------------------------


def test_my_parts_are_a_section_with_origin_and_estimate(palette: PalettePanel) -> None:
    assert not palette.model.find("my-sn5600").isValid()
    own.save(*own.make_from("as-4126gs-nmr-lcc", {"names": {"en": "Our server"}}, "our-server"))
    palette._context.catalogue_changed.emit(["our-server"])
    index = palette.model.find("our-server")
    assert index.isValid() and index.data() == "Our server"
    assert index.data(OWN_ROLE) and index.data(ESTIMATE_ROLE)
    tip = str(index.data(Qt.ItemDataRole.ToolTipRole))
    assert "your own part: own parts, from as-4126gs-nmr-lcc" in tip and "an estimate, wired as the archetype" in tip
    plain = palette.model.find("sn4700", "favourites")
    assert not plain.data(OWN_ROLE) and not plain.data(ESTIMATE_ROLE)


def test_the_menu_of_a_part(palette: PalettePanel) -> None:
    own.save(*own.make_from("sn5600", {}))
    palette._context.catalogue_changed.emit([])
    make = "Make own part from this\u2026"
    assert make in texts(palette.menu("sn5600")) and "Remove\u2026" not in texts(palette.menu("sn5600"))
    assert {make, "Edit\u2026", "Remove\u2026", "Export as pack\u2026"} <= set(texts(palette.menu("my-sn5600")))
    assert {"Import pack\u2026", "Import NetBox device type\u2026"} <= set(texts(palette.menu("sn5600")))


def test_editing_replaces_the_part_and_says_what_the_project_keeps(palette: PalettePanel) -> None:
    own.save(*own.make_from("sn5600", {}, "lab-leaf"))
    context = palette._context
    assert context.edit("add_item", part="lab-leaf", item="lab") is not None
    said: list[str] = []
    context.said.connect(lambda message, _severity: said.append(message.english()))
    form = palette.own.edit("lab-leaf")
    assert form is not None and not form.general.edit("id").isEnabled()
    form.draft.set_figure("height_u", "3")
    assert form.keep(place=False)
    assert catalogue().get("lab-leaf").get("height_u") == 3
    assert context.project.parts["lab-leaf"].get("height_u") == 2 and "keeps its copy" in said[-1]


def test_removing_asks_and_leaves_the_project_alone(palette: PalettePanel, monkeypatch: pytest.MonkeyPatch) -> None:
    own.save(*own.make_from("sn5600", {}))
    palette._context.catalogue_changed.emit([])
    palette.model.set_favourites(["my-sn5600", "sn4700"])
    before = dumps(palette._context.project)
    monkeypatch.setattr(verbs_module, "ask_remove", lambda *_a, **_k: False)
    assert not palette.own.remove("my-sn5600") and "my-sn5600" in catalogue()
    monkeypatch.setattr(verbs_module, "ask_remove", lambda *_a, **_k: True)
    assert palette.own.remove("my-sn5600") and "my-sn5600" not in catalogue()
    assert not palette.model.find("my-sn5600", "favourites").isValid()
    assert dumps(palette._context.project) == before
    palette.grab()


# -- in a window ------------------------------------------------------------------------------------------------------


@pytest.fixture
def window(app: QApplication, own_folder: Path, tmp_path: Path) -> Iterator[Stage]:
    made = make_stage(TEMPLATES["seed-b-512"].build(), tmp_path)
    yield made
    close(made)


def test_an_own_part_is_dropped_like_any_other(window: Stage) -> None:
    palette = window.window.docks.panels["palette"]
    assert isinstance(palette, PalettePanel)
    form = form_of(palette, "sn5600")
    assert form.keep(place=False)
    items = set(window.items)
    x, y, w, h = window.scene.bounds()
    assert window.drop_part("my-sn5600", QPointF(x + w + 40, y + h + 40))
    fresh = set(window.items) - items
    assert [window.items[i].of for i in fresh] == ["my-sn5600"]
    assert "my-sn5600" in window.context.project.parts
    # Undo takes the drop back; the part stays in the catalogue.
    window.document.undo()
    assert set(window.items) == items and "my-sn5600" in catalogue()


def test_the_menu_makes_a_part_from_what_is_selected(window: Stage) -> None:
    palette = window.window.docks.panels["palette"]
    assert isinstance(palette, PalettePanel)
    switch = next(i for i in window.items if window.items[i].of == "sn3700c")
    window.document.select([switch])
    window.window.actions_set["own-part"].trigger()
    assert palette.own.form is not None and palette.own.form.draft.base_id == "sn3700c"
    palette.own.form.discard()


def test_the_window_needs_no_yaml_or_models() -> None:
    """The dialogs load neither the YAML parser nor what the analysis needs; only reading a record loads YAML."""
    code = (
        "import sys\n"
        "import fabricwright.ui.panels.palette, fabricwright.ui.own_parts.form\n"
        "import fabricwright.ui.own_parts.pack_dialogs, fabricwright.ui.own_parts.netbox_dialog\n"
        "print([m for m in ('yaml', 'pydantic', 'networkx', 'matplotlib') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
