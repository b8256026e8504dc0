"""Draw the pictures of the user guide from the running program, in both languages: docs/guide/pictures.

    python scripts/guide_pictures.py [--only WORD]

Windows of 1280 x 800 pixels, the smallest that the program promises to be usable in; of panels and dialogs only the
part that the page is about. All of them together stay under 3 MB, since they are in every installer.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "docs" / "guide" / "pictures"
LANGUAGES = ("en", "zh_CN")
SIZE = (1280, 800)


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture. ``show`` a view of the middle; ``take`` gives the widget that is drawn, else the whole window;
    ``size`` that of a dialog, where it is more than the offscreen screen has room for.
    """

    name: str
    template: str = "seed-b-512"
    design: str = ""
    sheet: str = ""
    show: str = ""
    select: str = ""
    take: Callable[[Any], Any] | None = None
    size: tuple[int, int] = (0, 0)


def _dock(name: str, tab: str = "") -> Callable[[Any], Any]:
    def take(window: Any) -> Any:
        dock = window.docks.all[name]
        window.resizeDocks([dock], [430], _vertical())
        if tab:
            window.docks.tabs.show_panel(tab)
        return dock

    return take


def _vertical() -> Any:
    from PySide6.QtCore import Qt

    return Qt.Orientation.Vertical


def _wizard(window: Any) -> Any:
    from fabricwright.ui.sizing.wizard import SizingWizard

    return SizingWizard(window)


def _wiring(window: Any) -> Any:
    from scripts.view_list import _wiring as wiring

    return wiring(window)


def _export(window: Any) -> Any:
    from fabricwright.ui.export.dialog import ExportDialog

    return ExportDialog(window)


def _sweep(window: Any) -> Any:
    """Run the sweep that the view offers, and wait for its rows."""
    from scripts.screenshots import _wait

    view = window.views.widget_of("sweep")
    view.start()
    for _ in range(20):
        _wait(window)
        if view.job is None:
            break
    return window


PICTURES = (
    Picture("fabric", design="after", select="leaf"),
    Picture("server", design="before", sheet="node", select="gpu2"),
    Picture("racks", show="racks"),
    Picture("compare", show="compare"),
    Picture("bill", show="bill"),
    Picture("network", show="health"),
    Picture("sweep", show="sweep", take=_sweep),
    Picture("performance", design="before", take=_dock("performance")),
    Picture("problems", design="after", take=_dock("problems", "problems")),
    Picture("statements", take=_dock("problems", "statements")),
    Picture("training", take=_dock("problems", "training")),
    Picture("wiring", take=_wiring),
    Picture("sizing", take=_wizard, size=(1180, 720)),
    Picture("export", take=_export, size=(1180, 740)),
)


def main() -> int:
    """A process per language."""
    parser = argparse.ArgumentParser(description="Draw the pictures of the user guide.")
    parser.add_argument("--only", default="", help="only pictures whose name holds this word")
    parser.add_argument("--one", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        return draw(options.one, options.only)
    KEPT.mkdir(parents=True, exist_ok=True)
    failed = 0
    for language in LANGUAGES:
        command = [sys.executable, __file__, "--one", language, "--only", options.only]
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        failed += subprocess.run(command, env=environment, cwd=ROOT, timeout=1200).returncode != 0
    names = {f"{picture.name}-{language}.png" for picture in PICTURES for language in LANGUAGES}
    for path in KEPT.glob("*.png"):
        if path.name not in names:
            path.unlink()
    return 1 if failed else 0


def draw(language: str, only: str) -> int:
    """All pictures in one language."""
    sys.path.insert(0, str(ROOT))
    from PySide6.QtCore import QSize

    from fabricwright.ui.app import make_application
    from fabricwright.ui.i18n import install_language
    from fabricwright.ui.screenshot import settle
    from fabricwright.ui.session import passing_settings
    from fabricwright.ui.theme import apply_theme
    from scripts.screenshots import _close, _open, _wait, save

    sys.argv[1:] = ["--screenshot"]
    app = make_application()
    apply_theme(app, "light")
    install_language(app, language)
    settings = passing_settings()
    for picture in PICTURES:
        if only not in picture.name:
            continue
        window = _open(settings, picture.template, SIZE)
        context = window.context
        if picture.design:
            context.open_design(picture.design)
        context.open_sheet(picture.sheet or context.project.designs[context.design].root)
        window.commands.show_view(picture.show or "canvas")
        _wait(window)
        context.document.select(picture.select.split(",") if picture.select else ())
        window.views.zoomed().fit()
        drawn = picture.take(window) if picture.take else window
        if drawn.isWindow() and drawn is not window:
            drawn.show()
            drawn.resize(QSize(*picture.size).expandedTo(drawn.size()))
        settle(app, 0.5)
        _wait(window)
        for _ in range(40):
            if picture.name != "export" or drawn.preview.pages:
                break
            settle(app, 0.5)
        settle(app, 0.8)
        path = KEPT / f"{picture.name}-{language}.png"
        save(drawn.grab().toImage(), path)
        print(f"{path.name:26} {path.stat().st_size} bytes", flush=True)
        if drawn.isWindow() and drawn is not window:
            drawn.close()
        _close(window)
    sys.stdout.flush()
    os._exit(0)  # as scripts/screenshots.py: what Qt would still tear down is nobody's business


if __name__ == "__main__":
    sys.exit(main())
