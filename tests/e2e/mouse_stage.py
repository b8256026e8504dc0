"""The program under test for real mouse events: opens the window, says on standard output where things are on the
screen, and
answers questions on standard input. Run by test_real_mouse.py on an X server of its own."""

from __future__ import annotations

import itertools
import json
import sys
from typing import Any

from PySide6.QtCore import QModelIndex, QPointF, QSettings, QSocketNotifier, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QScrollArea, QTreeView

from fabricwright.design.indexset import IndexSet
from fabricwright.design.templates import TEMPLATES
from fabricwright.ui.app import make_application
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document
from fabricwright.ui.file_commands import blank_project
from fabricwright.ui.i18n import install_language
from fabricwright.ui.paint.guard import reported_failures
from fabricwright.ui.paint.pick import mark_place
from fabricwright.ui.theme import apply_theme
from fabricwright.ui.window import MainWindow


class Answers:
    """Where things are, and what the document holds."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    def answer(self, question: dict[str, Any]) -> Any:
        """One answer per question; ``do`` names the method."""
        try:
            return getattr(self, str(question.pop("do")))(**question)
        except Exception as error:  # noqa: BLE001 - an answer all the same: else the test waits for ever
            return {"wrong": repr(error)}

    def _screen(self, where: QPointF) -> list[int]:
        view = self.window.canvas.view
        spot = view.viewport().mapToGlobal(view.mapFromScene(where))
        return [spot.x(), spot.y()]

    def card(self, row: str, n: int = 0) -> list[int]:
        """Middle of a card."""
        scene = self.window.canvas.view.source.scene
        x, y, w, h = scene.box(scene.by_id[row][n])
        return self._screen(QPointF(x + w / 2, y + h / 2))

    def port(self, row: str, end: str) -> list[int]:
        """A port of a card."""
        scene = self.window.canvas.view.source.scene
        index = scene.by_id[row][0]
        mark = next(m for m in scene.card(index).marks if m.port == end)
        return self._screen(QPointF(*mark_place(scene, index, mark)))

    def empty(self) -> list[int]:
        """A point of the canvas with nothing on it."""
        view = self.window.canvas.view
        spot = view.viewport().mapToGlobal(view.viewport().rect().topLeft())
        return [spot.x() + 6, spot.y() + 6]

    def part(self, part: str) -> list[int]:
        """A row of the palette, scrolled into sight."""
        tree = self.window.docks.panels["palette"].findChild(QTreeView)
        model = tree.model()

        def find(parent: QModelIndex) -> QModelIndex | None:
            for row in range(model.rowCount(parent)):
                index = model.index(row, 0, parent)
                if model.part_at(index) == part:
                    return index
                found = find(index)
                if found is not None:
                    return found
            return None

        index = find(QModelIndex())
        tree.setExpanded(index.parent(), True)
        tree.scrollTo(index)
        spot = tree.viewport().mapToGlobal(tree.visualRect(index).center())
        return [spot.x(), spot.y()]

    def search(self) -> list[int]:
        """The search field over the palette."""
        field = self.window.docks.panels["palette"].search
        spot = field.mapToGlobal(field.rect().center())
        return [spot.x(), spot.y()]

    def line(self, link: str, share: float = 0.5) -> list[int]:
        """A point of a link's drawn line, on its longest piece."""
        scene = self.window.canvas.view.source.scene
        edges = scene.edges
        index = next(k for k in range(len(edges)) if edges.links[int(edges.link[k])] == link)
        course = edges.polyline(index).tolist()
        (ax, ay), (bx, by) = max(
            itertools.pairwise(course), key=lambda p: abs(p[0][0] - p[1][0]) + abs(p[0][1] - p[1][1])
        )
        return self._screen(QPointF(ax + (bx - ax) * share, ay + (by - ay) * share))

    def option(self, name: str) -> list[int] | None:
        """The drop-down list of the inspector with this label, None without one."""
        for widget in self.window.docks.panels["inspector"].findChildren(QComboBox):
            if widget.isVisible() and widget.accessibleName() == name:
                spot = widget.mapToGlobal(widget.rect().center())
                return [spot.x(), spot.y()]
        return None

    def member(self, row: str, member: int) -> list[int]:
        """Middle of the card of one member of an expanded group."""
        scene = self.window.canvas.view.source.scene
        (index,) = scene.rows_of(row, IndexSet.of([member]))
        x, y, w, h = scene.box(index)
        return self._screen(QPointF(x + w / 2, y + h / 2))

    def button(self, text: str) -> list[int]:
        """A button of the inspector, scrolled into sight."""
        panel = self.window.docks.panels["inspector"]
        for area in panel.findChildren(QScrollArea):
            for button in area.findChildren(QAbstractButton):
                if button.text() == text and not button.isHidden():
                    area.ensureWidgetVisible(button)
                    spot = button.mapToGlobal(button.rect().center())
                    return [spot.x(), spot.y()]
        raise LookupError(text)

    def out(self, row: str) -> list[int]:
        """The first port at the upper edge of a card, else its middle."""
        scene = self.window.canvas.view.source.scene
        index = scene.by_id[row][0]
        mark = next((m for m in scene.card(index).marks if m.edge == "t"), None)
        return self.card(row) if mark is None else self._screen(QPointF(*mark_place(scene, index, mark)))

    def ports(self, row: str) -> list[str]:
        """Ports that a card shows."""
        scene = self.window.canvas.view.source.scene
        return [mark.port for mark in scene.card(scene.by_id[row][0]).marks]

    def front(self) -> str:
        """Title of the dialog or class of the menu that is open, "" without one."""
        top = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        return "" if top is None else top.windowTitle() or type(top).__name__

    def fit(self) -> None:
        """Fit the sheet (not an action of the person)."""
        self.window.canvas.view.fit()

    def open(self, sheet: str) -> None:
        """Show a sheet."""
        self.window.context.open_sheet(sheet)
        self.window.canvas.view.fit()

    def zoom(self) -> float:
        """Zoom of the canvas."""
        return self.window.canvas.view.zoom

    def state(self) -> dict[str, Any]:
        """Items, links, selection and undo entries of the open sheet."""
        context = self.window.context
        row = context.sheet_row
        return {
            "sheet": context.sheet,
            "items": {
                k: {"of": v.of, "seat": v.seat, "forced": v.forced, "name": v.name, "count": v.count}
                for k, v in row.items.items()
            },
            "links": {k: [v.a, v.b] for k, v in row.links.items()},
            "look": {k: list(v.xy) for k, v in row.look.items()},
            "open": sorted(k for k, row_look in row.look.items() if row_look.open),
            "members": {k: str(v) for k, v in context.document.members.items()},
            "exceptions": {k: sorted(v.except_) for k, v in row.items.items() if v.count > 1},
            "selection": context.selection,
            "undo": context.document.undo_stack.count(),
            "busy": self.window.canvas.tool.busy,
            "failures": sorted(reported_failures()),
        }


def main() -> int:
    """Open the window on the template named first and serve until standard input ends."""
    app = make_application()
    apply_theme(app, "light")
    install_language(app, "en")
    settings = QSettings(sys.argv[2], QSettings.Format.IniFormat)
    project = TEMPLATES[sys.argv[1]].build() if sys.argv[1] != "blank" else blank_project()
    window = MainWindow(UiContext(Document(project)), settings)
    window.setGeometry(0, 0, 1280, 800)
    window.show()
    window.finish()
    window.activateWindow()
    answers = Answers(window)
    notifier = QSocketNotifier(0, QSocketNotifier.Type.Read)

    def read() -> None:
        line = sys.stdin.readline()
        if not line:
            window.document.undo_stack.setClean()
            app.quit()
            return
        print(json.dumps(answers.answer(json.loads(line))), flush=True)

    notifier.activated.connect(read)
    QTimer.singleShot(400, lambda: print(json.dumps("ready"), flush=True))
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
