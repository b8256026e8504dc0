"""The program on its first page, for a real mouse and keyboard: says where things are, what the wizard shows and what
was drawn. Run by test_wizard_walk.py on an X server of its own."""

from __future__ import annotations

import json
import sys
from typing import Any

from PySide6.QtCore import QSettings, QSocketNotifier, QTimer
from PySide6.QtWidgets import QWidget

from fabricwright.ui.app import make_application
from fabricwright.ui.context import UiContext
from fabricwright.ui.document import Document
from fabricwright.ui.file_commands import blank_project
from fabricwright.ui.i18n import install_language
from fabricwright.ui.paint.guard import reported_failures
from fabricwright.ui.sizing.wizard import SizingWizard
from fabricwright.ui.theme import apply_theme
from fabricwright.ui.window import MainWindow


class Answers:
    """Where things are, and what is shown."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    def answer(self, question: dict[str, Any]) -> Any:
        """One answer per question; ``do`` names the method."""
        return getattr(self, str(question.pop("do")))(**question)

    def wizard(self) -> SizingWizard | None:
        """The wizard, None while it is not open."""
        found = [w for w in self.window.findChildren(SizingWizard) if w.isVisible()]
        return found[0] if found else None

    def begin(self) -> list[int]:
        """Middle of the first page's button."""
        assert self.window.welcome is not None
        return _middle(self.window.welcome.starts["new.requirements"])

    def grab(self, path: str, what: str) -> bool:
        """A picture of the wizard or the window."""
        wizard = self.wizard()
        return (wizard if what == "wizard" and wizard is not None else self.window).grab().save(path)

    def state(self) -> dict[str, Any]:
        """Everything that a person would look for."""
        wizard, context = self.wizard(), self.window.context
        welcome = self.window.welcome
        return {
            "welcome": welcome is not None and welcome.isVisible(),
            "step": -1 if wizard is None else wizard.step,
            "active": wizard is not None and wizard.isActiveWindow(),
            "rows": [] if wizard is None else [row["id"] for row in wizard.rows],
            "busy": wizard is not None and wizard._busy,
            "sentence": "" if wizard is None else wizard.sentence.line.text(),
            "servers": None if wizard is None else wizard.form.fields["servers"].value(),
            "items": {i: row.count for i, row in context.sheet_row.items.items()},
            "status": context.analysis.status,
            "counts": context.analysis.counts(),
            "figures": bool(context.analysis.figures),
            "view": self.window.views.current,
            "failures": sorted(reported_failures()),
        }


def _middle(widget: QWidget) -> list[int]:
    spot = widget.mapToGlobal(widget.rect().center())
    return [spot.x(), spot.y()]


def main() -> int:
    """Open the first page and serve until standard input ends."""
    app = make_application()
    apply_theme(app, "light")
    install_language(app, "en")
    window = MainWindow(UiContext(Document(blank_project())), QSettings(sys.argv[1], QSettings.Format.IniFormat))
    window.setGeometry(0, 0, 1280, 800)
    window.show_welcome()
    window.show()
    window.finish()
    window.commands.start_worker()
    window.activateWindow()
    answers = Answers(window)
    notifier = QSocketNotifier(0, QSocketNotifier.Type.Read)

    def read() -> None:
        line = sys.stdin.readline()
        if not line:
            window.commands.stop_worker()
            app.quit()
            return
        print(json.dumps(answers.answer(json.loads(line))), flush=True)

    notifier.activated.connect(read)
    QTimer.singleShot(400, lambda: print(json.dumps("ready"), flush=True))
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
