"""Scripted pictures of the window, offscreen: what docs/screenshots and the reviews are made with."""

from __future__ import annotations

import argparse
import time

from PySide6.QtCore import QEventLoop, QPointF, QSettings, Qt
from PySide6.QtWidgets import QApplication

from fabricwright.ui.window import MainWindow


def settle(app: QApplication, seconds: float = 0.3) -> None:
    """Let timers, layouts and paints happen."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        time.sleep(0.005)


def take(app: QApplication, settings: QSettings, options: argparse.Namespace) -> int:
    """One picture as the options say; the worker runs first, so that badges and figures are there."""
    from fabricwright.ui.app import make_window

    window = make_window(settings, options)
    assert isinstance(window, MainWindow)
    width, _, height = options.size.partition("x")
    window.resize(int(width), int(height))
    window.show()
    settle(app, 0.1)
    window.finish()
    window.resize(int(width), int(height))  # a window stays on the screen, a picture may be larger
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
    window.grab().save(options.screenshot)
    window.commands.stop_worker()
    return 0


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
