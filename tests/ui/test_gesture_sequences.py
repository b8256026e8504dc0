"""Random gestures through the real window: each is one undo entry, undoing all of them gives back the very bytes, and
doing them again the edited file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fabricwright.design import storage
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.canvas.group_size import GroupSizeEditor
from fabricwright.ui.canvas.rename import InlineRename
from fabricwright.ui.paint.pills import pill_box
from fabricwright.ui.paint.primitives import Ink
from fabricwright.ui.paint.scene import Style
from fabricwright.ui.theme import theme
from tests.ui.canvas_stage import CTRL, SHIFT, Stage, close, make_stage

FABRIC_PARTS = ("dgx-h100", "sn5600", "sn4700", "rack-48u-20kw", "pcie-8dw-cpu-direct")
CARDS = ("mcx715105as-weat", "h100-pcie-80gb", "lr-cxl-generic", "lrsv9500-4i")
START = {name: TEMPLATES[name].build() for name in ("pcie-4gpu-1nic", "seed-b-512")}


@pytest.fixture(scope="module")
def stage(qapp, tmp_path_factory) -> Iterator[Stage]:
    from fabricwright.ui.i18n import install_language
    from fabricwright.ui.theme import apply_theme

    apply_theme(qapp, "light")
    install_language(qapp, "en")
    made = make_stage(START["pcie-4gpu-1nic"], tmp_path_factory.mktemp("gestures"), (1400, 900))
    made.window.commands.wire_ends = lambda *_a: None
    made.window.canvas.tool.wiring_asked.disconnect()  # its dialog would wait for a person
    yield made
    qapp.clipboard().clear()
    close(made)


class Hands:
    """One gesture each; ``a`` and ``b`` choose among what is there."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def _rows(self) -> list[str]:
        row = self.stage.context.sheet_row
        return [i for i in (*row.items, *row.notes, *row.frames) if i in self.stage.scene.by_id]

    def _row(self, a: int) -> str | None:
        rows = self._rows()
        return rows[a % len(rows)] if rows else None

    def _trigger(self, name: str) -> None:
        self.stage.window.actions_set[name].trigger()

    def _spot(self, a: int, b: int) -> QPointF:
        view = self.stage.view
        return view.mapToScene(40 + a * 37 % (view.width() - 80), 40 + b * 53 % (view.height() - 80))

    def place(self, a: int, b: int) -> None:
        parts = FABRIC_PARTS if self.stage.context.sheet_row.kind == "fabric" else CARDS
        self.stage.drop_part(parts[a % len(parts)], self._spot(b, a))

    def seat(self, a: int, b: int) -> None:
        """A card onto a slot; with Alt where it does not belong."""
        cards = [i for i in range(len(self.stage.scene)) if self.stage.scene.style[i] == Style.SLOT]
        if cards:
            x, y, w, h = self.stage.scene.box(cards[b % len(cards)])
            mods = Qt.KeyboardModifier.AltModifier if a % 3 == 0 else Qt.KeyboardModifier.NoModifier
            self.stage.drop_part(CARDS[a % len(CARDS)], QPointF(x + w / 2, y + h / 2), mods)

    def drag(self, a: int, b: int) -> None:
        row = self._row(a)
        if row is not None:
            start = self.stage.at(row, dx=0.3, dy=0.6)
            mods = (Qt.KeyboardModifier.NoModifier, CTRL, SHIFT)[b % 3]
            self.stage.drag(start, start + QPointF(20 + 10 * (b % 17), 10 * (a % 13)), mods)

    def link(self, a: int, b: int) -> None:
        one, two = self._row(a), self._row(a + 1 + b)
        if one is not None and two is not None and one != two:
            self.stage.window.canvas.tool.set_mode("link")
            self.stage.drag(self.stage.at(one), self.stage.at(two))
            self.stage.window.canvas.tool.cancel()
            self.stage.window.canvas.tool.set_mode("select")

    def band(self, a: int, b: int) -> None:
        self.stage.drag(self._spot(a, 0), self._spot(b, 9))

    def group(self, a: int, b: int) -> None:
        rows = self._rows()
        if len(rows) > 1:
            self.stage.document.select(list(dict.fromkeys([rows[a % len(rows)], rows[b % len(rows)]])))
            self._trigger("group" if a % 3 else "ungroup")

    def count(self, a: int, b: int) -> None:
        """The count on the card, or the same box by its key."""
        row = self._row(a)
        if row not in self.stage.items or self.stage.context.sheet_row.kind != "fabric":
            return
        index = self.stage.scene.by_id[row][0]
        x, y, w, h = self.stage.scene.box(index)
        box = pill_box(self.stage.scene.card(index), w, h, Ink.at(theme(), self.stage.view.zoom))
        spot = box.translated(x, y).center() if box is not None else None
        if spot is not None and self.stage.view.viewport().rect().contains(self.stage.view.mapFromScene(spot)):
            self.stage.click(spot)
        else:
            self.stage.document.select([row])
            self._trigger("group-size")
        editors = [e for e in self.stage.view.viewport().findChildren(GroupSizeEditor) if e.isVisible()]
        if editors:
            editors[-1].sizes[-1].setValue(1 + b % 9)
            QTest.keyClick(editors[-1].sizes[-1].lineEdit(), Qt.Key.Key_Return)

    def rename(self, a: int, b: int) -> None:
        row = self._row(a)
        if row is not None:
            self.stage.document.select([row])
            self._trigger("rename")
            for editor in self.stage.view.viewport().findChildren(InlineRename):
                if editor.isVisible():
                    editor.setText(f"名 {b}")
                    QTest.keyClick(editor, Qt.Key.Key_Return)

    def delete(self, a: int, b: int) -> None:
        row = self.stage.context.sheet_row
        rows = [*self._rows(), *row.links]
        if rows:
            self.stage.document.select(list(dict.fromkeys([rows[a % len(rows)], rows[b % len(rows)]]))[: 1 + a % 2])
            self._trigger("delete")

    def copies(self, a: int, b: int) -> None:
        row = self._row(a)
        if row is not None:
            self.stage.document.select([row])
            if b % 3 == 0:
                self._trigger("duplicate")
            elif b % 3 == 1:
                self._trigger("copy")
            else:
                self._trigger("paste-in-place" if a % 2 else "paste")

    def cut(self, a: int, b: int) -> None:
        row = self._row(a)
        if row is not None:
            self.stage.document.select([row])
            self._trigger("cut")

    def drawn(self, a: int, b: int) -> None:
        self._trigger(("add-note", "add-frame", "lock", "unlock", "order-front", "auto-layout")[a % 6])

    def nudge(self, a: int, b: int) -> None:
        row = self._row(a)
        if row is not None:
            self.stage.document.select([row])
            self._trigger(("nudge-left", "nudge-right-far", "nudge-up", "nudge-down")[b % 4])

    def member(self, a: int, b: int) -> None:
        """A member of a group goes its own way."""
        groups = [i for i, item in self.stage.items.items() if item.count > 1]
        if groups and self.stage.context.sheet_row.kind == "fabric":
            item = groups[a % len(groups)]
            member = str(b % self.stage.items[item].count)
            if a % 2:
                self.stage.context.edit("detach", item=item, members=member)
            else:
                self.stage.context.edit("add_exception", item=item, members=member, override={"absent": True})

    def cable(self, a: int, b: int) -> None:
        links = list(self.stage.links)
        if links and self.stage.context.sheet_row.kind == "fabric":
            self.stage.context.edit("move_cable", link=links[a % len(links)], row=b % 8, cut=True)

    def sheet(self, a: int, b: int) -> None:
        """Another sheet; no edit."""
        sheets = list(self.stage.context.design_row.sheets)
        self.stage.open(sheets[a % len(sheets)])

    def undo(self, a: int, b: int) -> None:
        self._trigger("undo")

    def redo(self, a: int, b: int) -> None:
        self._trigger("redo")

    def undo_in_a_drag(self, a: int, b: int) -> None:
        """Undo while a card is dragged lets go of the card and takes nothing back."""
        row = self._row(a)
        if row is not None:
            start = self.stage.at(row, dx=0.3, dy=0.6)
            self.stage.press(start)
            self.stage.move(start + QPointF(60, 30))
            busy = self.stage.window.canvas.tool.busy
            index = self.stage.document.undo_stack.index()
            if busy:
                self.stage.document.undo()
                assert self.stage.document.undo_stack.index() == index
                assert not self.stage.window.canvas.tool.busy
            self.stage.release(start + QPointF(60, 30))


GESTURES: tuple[str, ...] = tuple(name for name in vars(Hands) if not name.startswith("_"))
STEPS = st.lists(st.tuples(st.sampled_from(GESTURES), st.integers(0, 99), st.integers(0, 99)), min_size=4, max_size=14)


def check(stage: Stage, template: str, steps: list[tuple[str, int, int]]) -> None:
    document = stage.document
    document.replace(START[template])
    stage.view.fit()
    start = storage.dumps(document.project)
    hands = Hands(stage)
    for name, a, b in steps:
        before, index = document.project, document.undo_stack.index()
        gesture: Callable[[int, int], None] = getattr(hands, name)
        gesture(a, b)
        menu = stage.window.canvas.link_menu
        if menu is not None and menu.isVisible():
            menu.hide()
        QApplication.processEvents()
        moved = document.undo_stack.index() - index
        assert moved in ((-1, 0) if name == "undo" else (0, 1)), name
        assert not stage.window.canvas.tool.busy, name
        if name != "nudge":  # the same arrow again grows the entry
            assert (document.project is not before) == (moved != 0), name
    edited = storage.dumps(document.project)
    index = document.undo_stack.index()
    while document.undo_stack.canUndo():
        document.undo()
    assert storage.dumps(document.project) == start
    assert not document.modified and not stage.window.isWindowModified()
    while document.undo_stack.index() < index:
        document.redo()
    assert storage.dumps(document.project) == edited
    assert storage.loads(edited, "edited") == document.project


@settings(
    max_examples=int(os.environ.get("GESTURE_EXAMPLES", "8")),
    derandomize="GESTURE_EXAMPLES" not in os.environ,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(template=st.sampled_from(sorted(START)), steps=STEPS)
def test_undo_and_redo_give_the_very_bytes(stage: Stage, template: str, steps: list[tuple[str, int, int]]) -> None:
    check(stage, template, steps)


@pytest.mark.parametrize("template", sorted(START))
def test_every_gesture_once(stage: Stage, template: str) -> None:
    """Whatever hypothesis drew: each gesture ran, on the fabric and inside the server."""
    takes_away = ("cut", "delete")
    kept = [name for name in GESTURES if name not in ("undo", "redo", "sheet", *takes_away)]
    # Three places each: what lies at one of them may be nothing that the gesture is for.
    steps = [(name, *place) for place in ((3, 5), (1, 1), (0, 3)) for name in kept]
    steps += [(name, 3, 5) for name in takes_away]
    inside = [(name, 1, 1) for name in ("seat", "place", "drag", "drawn", "delete")]
    inside.insert(1, ("seat", 3, 1))  # with Alt: it goes in whatever the slot says
    # The server first: what is done on the fabric may take the only server away, and its sheet with it.
    check(stage, template, [("sheet", 1, 0), *inside, ("sheet", 0, 0), *steps])
    assert stage.document.undo_stack.index() >= 12  # they did something
