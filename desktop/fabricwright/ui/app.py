"""Entry of the window: ``fabricwright [PROJECT]``. Paints first, makes panels and worker afterwards."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from fabricwright.units.errors import UserError

if TYPE_CHECKING:
    from fabricwright.design.file_state import FileState
    from fabricwright.ui.analysis_state import AnalysisState
    from fabricwright.ui.window import MainWindow

log = logging.getLogger(__name__)

CASE_STUDY = "seed-b-512"


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window and run until it closes. Exit code 2 when the named file cannot be opened without a window."""
    options = _options(list(sys.argv[1:] if argv is None else argv))
    if options.screenshot:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if not _has_display():
        print("fabricwright: there is no display; commands need none, see 'fabricwright --help'.", file=sys.stderr)
        return 2
    # Nothing here multiplies matrices; numpy's pool of threads would only cost start-up time, here and in the worker.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if not options.screenshot:
        gc.disable()  # what a start makes stays: looking through it for garbage would take 3 % of the time until then
    app = make_application()
    if not options.screenshot:
        _watch_messages()
    from fabricwright.ui.session import Session, default_settings, passing_settings

    settings = passing_settings() if options.screenshot else default_settings()
    session = Session(settings)
    _dress(app, session, options)
    if options.screenshot:
        from fabricwright.ui.screenshot import take

        try:
            return take(app, settings, options)
        except UserError as error:
            print(f"fabricwright: {error}", file=sys.stderr)
            return 2
    return _run(app, settings, options)


class _OneLine(argparse.ArgumentParser):
    """Says what is wrong in one line, as the commands do."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"fabricwright: {message}; see 'fabricwright --help'.\n")


def _has_display() -> bool:
    """Whether Qt can find a screen: without one it would end the process with a dump."""
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _options(argv: list[str]) -> argparse.Namespace:
    parser = _OneLine(prog="fabricwright", add_help=False)
    parser.add_argument("project", nargs="?")
    parser.add_argument("--lang", choices=("en", "zh_CN"))
    parser.add_argument("--template")
    parser.add_argument("--theme", choices=("light", "dark", "system"))
    parser.add_argument("--reset-layout", action="store_true")
    hidden = argparse.SUPPRESS
    parser.add_argument("--screenshot", help=hidden)
    parser.add_argument("--design", help=hidden)
    parser.add_argument("--sheet", help=hidden)
    parser.add_argument("--size", default="1600x1000", help=hidden)
    parser.add_argument("--select", default="", help=hidden)
    parser.add_argument("--heat", default="", help=hidden)
    parser.add_argument("--drag", default="", help=hidden)
    parser.add_argument("--view", default="", help=hidden)
    parser.add_argument("--welcome", action="store_true", help=hidden)
    parser.add_argument("--ready", help=hidden)  # a file for the clock's time: first paint, first analysis
    parser.add_argument("--no-worker", action="store_true", help=hidden)
    options, unknown = parser.parse_known_args(argv)
    if unknown and not unknown[0].startswith("-psn"):  # the number that macOS gives to what it opens
        parser.error(f"'{unknown[0][:60]}' is not understood")
    return options


def _tell_when_ready(file: Path, analysis: AnalysisState) -> None:
    """The clock's time now, and in a second line when the analysis has first come to rest."""
    file.write_text(f"{time.time():.3f}\n", encoding="ascii")

    def told(topics: frozenset[str]) -> None:
        if "status" in topics and analysis.status == "idle":
            analysis.changed.disconnect(told)
            with file.open("a", encoding="ascii") as lines:
                lines.write(f"{time.time():.3f}\n")

    analysis.changed.connect(told)


def make_application() -> QApplication:
    """The application object with its identity and rounding policy."""
    from fabricwright.ui.session import SCALE, default_settings, own_scale

    wanted = own_scale(default_settings().value(SCALE))
    if wanted and "--screenshot" not in sys.argv:
        os.environ.setdefault("QT_SCALE_FACTOR", wanted)  # Qt reads it once, when the application is made
    QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("Fabricwright")
    app.setOrganizationName("Fabricwright")
    return app


def _dress(app: QApplication, session: object, options: argparse.Namespace) -> None:
    from fabricwright.ui.i18n import install_language, system_language
    from fabricwright.ui.session import Session
    from fabricwright.ui.theme import apply_theme

    assert isinstance(session, Session)
    apply_theme(app, options.theme or session.text("view/theme", "system" if not options.screenshot else "light"))
    install_language(app, options.lang or session.text("view/language") or system_language())


def open_document(options: argparse.Namespace) -> tuple[object, Path | None, FileState | None]:
    """The project asked for: a file and what it holds, a template, or nothing yet (pictures: the case study). Raises
    UserError."""
    if options.project:
        from fabricwright.design import storage

        project, state = storage.load_with_state(options.project)
        return project, Path(options.project), state
    if not options.template and not getattr(options, "screenshot", None):
        from fabricwright.design.blank import blank_project

        return blank_project(), None, None
    from fabricwright.design.templates import TEMPLATES
    from fabricwright.ui.i18n import current_language
    from fabricwright.units.text import msg

    wanted = options.template or CASE_STUDY
    if wanted not in TEMPLATES:
        raise UserError(msg("There is no template '{name}'; there are {known}.", name=wanted, known=list(TEMPLATES)))
    return TEMPLATES[wanted].build(current_language()), None, None


def make_window(settings: QSettings, options: argparse.Namespace) -> object:
    """Window on the project asked for. A file that cannot be read opens the first page, and a dialog says why."""
    from fabricwright.design.values import Project
    from fabricwright.ui.context import UiContext
    from fabricwright.ui.document import Document
    from fabricwright.ui.i18n import current_language
    from fabricwright.ui.theme import theme
    from fabricwright.ui.window import MainWindow

    problem: UserError | None = None
    try:
        project, path, state = open_document(options)
    except UserError as error:
        if getattr(options, "screenshot", None):  # nobody is there to close a dialog
            raise
        problem = error
        project, path, state = open_document(argparse.Namespace(project=None, template=None))
    assert isinstance(project, Project)
    document = Document(project)
    document.file, document.file_state = path, state
    window = MainWindow(UiContext(document, language=current_language(), theme=theme().name), settings)
    if path is not None:
        window.session.add_recent(path)
    elif getattr(options, "welcome", False) or not (options.template or getattr(options, "screenshot", None)):
        window.show_welcome()
    if problem is not None:
        from fabricwright.ui import dialogs

        QTimer.singleShot(0, window, lambda: dialogs.show_problem(window, problem.message))
    return window


def _run(app: QApplication, settings: QSettings, options: argparse.Namespace) -> int:
    from fabricwright.ui.first_frame import FirstFrame
    from fabricwright.ui.window import MainWindow

    if options.reset_layout:
        settings.remove("window")
    window = make_window(settings, options)
    assert isinstance(window, MainWindow)
    _catch_faults(window)
    if window.welcome is not None and window.welcome.isVisibleTo(window):
        window.welcome.keep_places()
    window.show()

    def later() -> None:
        if options.ready:
            _tell_when_ready(Path(options.ready), window.context.analysis)
        window.finish()
        window.commands.start_safekeeping()
        if options.project or options.template or not window.session.text("view/shown"):
            window.commands.open_on()
        else:
            window.commands.reopen_view()
        if not options.no_worker:
            window.commands.start_worker()
        window.context.set_heat("all_reduce", 1 << 30)
        # Modules, panels and catalogue stay: no collection needs to look at them again.
        gc.freeze()
        gc.enable()

    FirstFrame(window, later)
    code = app.exec()
    _release_clipboard()
    return code


def _watch_messages() -> None:
    """Messages of Python and Qt are kept in memory; a fault below Python leaves its stack in a file."""
    from fabricwright.ui.faults.crash_file import keep_stack
    from fabricwright.ui.faults.log_ring import take_qt_messages

    take_qt_messages()
    keep_stack()


def _catch_faults(window: MainWindow) -> None:
    """What nobody caught is shown, after a copy was saved; handlers that take too long are logged."""
    from fabricwright.ui.faults.hooks import FaultHooks
    from fabricwright.ui.watchdog import Watchdog

    FaultHooks(window)
    watchdog = Watchdog(window)
    watchdog.start()
    QApplication.instance().aboutToQuit.connect(watchdog.stop)  # type: ignore[union-attr]


def _release_clipboard() -> None:
    """Take our own data off the clipboard: Qt would destroy it after the interpreter is gone, and crash."""
    clipboard = QGuiApplication.clipboard()
    # Without a screen the clipboard is the process's own, but Qt does not say so.
    if clipboard.ownsClipboard() or QGuiApplication.platformName() == "offscreen":
        clipboard.clear()
