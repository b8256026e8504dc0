"""Scripted pictures of the window, offscreen: what docs/screenshots and the reviews are made with."""

from __future__ import annotations

import argparse
import re
import time

from PySide6.QtCore import QEventLoop, QPointF, QSettings, Qt
from PySide6.QtWidgets import QApplication

from fabricwright.ui.window import MainWindow
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

MOST_PX = 8192


def settle(app: QApplication, seconds: float = 0.3) -> None:
    """Let timers, layouts and paints happen."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        time.sleep(0.005)


def take(app: QApplication, settings: QSettings, options: argparse.Namespace) -> int:
    """One picture as the options say; the worker runs first, so that badges and figures are there."""
    from fabricwright.ui.app import make_window

    width, height = size_of(options.size)
    window = make_window(settings, options)
    assert isinstance(window, MainWindow)
    window.resize(width, height)
    window.show()
    settle(app, 0.1)
    window.finish()
    window.resize(width, height)  # a window stays on the screen, a picture may be larger
    settle(app, 0.2)
    context = window.context
    if options.design:
        context.open_design(options.design)
    if options.sheet:
        context.open_sheet(options.sheet)
    if options.view:
        window.commands.show_view(options.view)
    if options.heat != "off":
        context.set_heat(options.heat or "all_reduce", 1 << 30)
    if not options.no_worker:
        window.commands.start_worker()
        end = time.monotonic() + 60
        while time.monotonic() < end and context.analysis.status not in ("idle", "lost", "failed"):
            settle(app, 0.05)
        settle(app, 0.5)
    if options.select:
        context.document.select(options.select.split(","))
    window.views.zoomed().fit()
    settle(app, 0.4)
    if options.drag:
        drag(window, options.drag)
    settle(app, 0.9)
    if options.welcome and window.welcome is not None:
        window.welcome.raise_()
        settle(app, 0.2)
    written = window.grab().save(options.screenshot)
    window.commands.stop_worker()
    if not written:
        raise UserError(msg("{file}: cannot be written.", file=options.screenshot))
    return 0


def size_of(text: str) -> tuple[int, int]:
    """``1600x1000`` as pixels. Raises ``UserError``."""
    found = re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)
    if found is None or max(map(int, found.groups())) > MOST_PX:
        raise UserError(
            msg(
                "--size: '{size}' is no size of a picture; expected such as 1600x1000, at most {most} a side.",
                size=text,
                most=MOST_PX,
            )
        )
    return int(found[1]), int(found[2])


def drag(window: MainWindow, spec: str) -> None:
    """``part@slot``: hang a part over a slot, as the mouse would."""
    part, _, slot = spec.partition("@")
    tool = window.canvas.tool
    tool.start_place(part)
    scene = window.canvas.view.source.scene
    rows = scene.by_id.get(slot, ())
    if rows and tool.gesture is not None:
        x, y, w, h = scene.box(rows[0])
        tool.gesture.move(QPointF(x + w / 2, y + h / 2), Qt.KeyboardModifier.NoModifier)
        window.canvas.view.refresh()
