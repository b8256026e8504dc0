"""Draw every view of the program, offscreen, and check what is written on it: ``make views``.

python scripts/screenshots.py [--only WORD] [--looks light-en,dark-zh] [--scales 1,2] [--all FOLDER]

Light and dark, English and Chinese, 100 % and 200 % (a window of 1600 x 1000 device pixels each time). A moderate set
goes to docs/screenshots, everything to build/views. Each picture is checked by program (view_checks.py): no text
clipped, shortened without a tip, lying on another, or under a contrast of 4.5; no window that is too small for what is
in it. Prints a table; 1 when anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "docs" / "screenshots"
LOOKS = ("light-en", "dark-en", "light-zh", "dark-zh")
SIZE = (1600, 1000)
MOST_BYTES = 250_000


def main() -> int:
    """A process per look and scale, one after the other."""
    parser = argparse.ArgumentParser(description="Draw and check every view.")
    parser.add_argument("--only", default="", help="only views whose name holds this word")
    parser.add_argument("--looks", default=",".join(LOOKS))
    parser.add_argument("--scales", default="1,2")
    parser.add_argument("--all", type=Path, default=ROOT / "build" / "views", help="where every picture goes")
    parser.add_argument("--one", default="", help=argparse.SUPPRESS)  # a look: draw it in this process
    options = parser.parse_args()
    options.all.mkdir(parents=True, exist_ok=True)
    if options.one:
        return draw_look(options.one, options.only, options.all)
    KEPT.mkdir(parents=True, exist_ok=True)
    screen = options.all / "screen.json"
    one = {"name": "one", "x": 0, "y": 0, "width": SIZE[0], "height": SIZE[1], "logicalDpi": 96, "dpr": 1}
    screen.write_text(json.dumps({"screens": [one]}), encoding="utf-8")
    failed = 0
    for scale in options.scales.split(","):
        for look in options.looks.split(","):
            environment = {**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={screen}", "QT_SCALE_FACTOR": scale}
            command = [sys.executable, __file__, "--one", look, "--only", options.only, "--all", str(options.all)]
            failed += subprocess.run(command, env=environment, cwd=ROOT, timeout=1800).returncode != 0
    if not options.only and set(options.looks.split(",")) == set(LOOKS):
        _remove_old()
    return 1 if failed else 0


def _remove_old() -> None:
    from view_list import VIEWS

    names = {f"{view.name}-{look}.png" for view in VIEWS for look in view.looks}
    for path in KEPT.glob("*.png"):
        if path.name not in names and not path.name.startswith("wizard-"):  # those are of the walk in tests/e2e
            path.unlink()


def draw_look(look: str, only: str, folder: Path) -> int:
    """All views in one look; the number of texts that are wrong, at most 1."""
    sys.path.insert(0, str(ROOT))
    from fabricwright.ui.app import make_application
    from fabricwright.ui.i18n import install_language
    from fabricwright.ui.session import passing_settings
    from fabricwright.ui.theme import apply_theme
    from scripts.view_list import VIEWS

    sys.argv[1:] = ["--screenshot"]  # the size of texts that somebody set for themselves does not count
    app = make_application()
    scheme, _, lang = look.partition("-")
    apply_theme(app, scheme)
    install_language(app, "zh_CN" if lang == "zh" else lang)
    ratio = app.devicePixelRatio()
    settings = passing_settings()
    worst = 0
    window, template = None, ""
    for view in VIEWS:
        if only not in view.name:
            continue
        start = time.monotonic()
        if window is None or view.template != template:
            if window is not None:
                _close(window)
            window = _open(settings, view.template, (round(SIZE[0] / ratio), round(SIZE[1] / ratio)))
            template = view.template
        worst = max(worst, _draw(window, view, look, ratio, folder, start))
    if window is not None:
        _close(window)
    sys.stdout.flush()
    os._exit(worst)  # worker and timers are stopped; what Qt would still tear down is nobody's business


def _open(settings, template: str, size: tuple[int, int]):  # type: ignore[no-untyped-def]
    from fabricwright.design.templates import TEMPLATES
    from fabricwright.ui.context import UiContext
    from fabricwright.ui.document import Document
    from fabricwright.ui.i18n import current_language
    from fabricwright.ui.screenshot import settle
    from fabricwright.ui.theme import theme
    from fabricwright.ui.window import MainWindow

    document = Document(TEMPLATES[template].build(current_language()))
    window = MainWindow(UiContext(document, language=current_language(), theme=theme().name), settings)
    window.resize(*size)
    window.show()
    settle(_app(), 0.1)
    window.finish()
    window.resize(*size)
    window.context.set_heat("all_reduce", 1 << 30)
    window.commands.start_worker()
    _wait(window)
    return window


def _app():  # type: ignore[no-untyped-def]
    from PySide6.QtWidgets import QApplication

    return QApplication.instance()


def _wait(window) -> None:  # type: ignore[no-untyped-def]
    from fabricwright.ui.screenshot import settle

    # At rest for a while: what was just changed may not have been asked for yet.
    end, rest = time.monotonic() + 90, 0
    while time.monotonic() < end and rest < 12:
        settle(_app(), 0.05)
        rest = rest + 1 if window.context.analysis.status in ("idle", "lost", "failed") else 0
    settle(_app(), 0.4)


def _close(window) -> None:  # type: ignore[no-untyped-def]
    window.commands.stop_worker()
    window.document.undo_stack.setClean()
    window.close()
    window.deleteLater()


def _draw(window, view, look: str, ratio: float, folder: Path, start: float) -> int:  # type: ignore[no-untyped-def]
    from fabricwright.ui.screenshot import drag, settle
    from scripts.view_checks import drawn_texts, faults

    context = window.context
    window.hide_welcome()
    window.commands.show_view("canvas")
    window.docks.tabs.show_panel("problems")
    context.document.select(())
    if view.design and view.design != context.design:
        context.open_design(view.design)
    context.open_sheet(view.sheet or context.project.designs[context.design].root)
    window.commands.show_view(view.show or "canvas")
    _wait(window)
    if view.select:
        context.document.select(view.select.split(","))
    window.views.zoomed().fit()
    drawn = window
    if view.prepare is not None:
        drawn = view.prepare(window) or window
        if drawn is not window:
            drawn.show()
    if view.drag:
        settle(_app(), 0.3)
        drag(window, view.drag)
    settle(
        _app(), 8.0 if view.name == "export" else 1.2 if drawn is not window else 0.9
    )  # it draws its pages elsewhere
    wrong = []
    if drawn is not window and (drawn.width() * ratio > SIZE[0] or drawn.height() * ratio > SIZE[1]):
        from scripts.view_checks import OVERFLOW, Fault

        wrong.append(Fault(OVERFLOW, drawn.windowTitle(), "dialog", f"{drawn.width()} x {drawn.height()}"))
    image = drawn.grab().toImage()
    texts = drawn_texts(drawn)
    wrong += faults(drawn, image, texts)
    name = f"{view.name}-{look}" + ("" if ratio == 1 else f"-{round(ratio * 100)}")
    save(image, folder / f"{name}.png")
    if ratio == 1 and look in view.looks:
        save(image, KEPT / f"{name}.png")
    print(f"{name:34} {time.monotonic() - start:5.1f} s  {len(texts):4} texts  {len(wrong) or 'none'} wrong")
    for one in wrong:
        print(f"    {one.kind:9} {one.text[:60]!r:40} {one.where}  {one.detail}")
    sys.stdout.flush()
    if view.drag:
        window.canvas.tool.cancel()
    if drawn is not window:
        drawn.close()
        drawn.deleteLater()
        while window.document.undo_stack.canUndo():
            window.document.undo()
    palette = getattr(window.canvas, "find_bar", None)
    if palette is not None:
        palette.hide()
    settle(_app(), 0.05)
    return 1 if wrong else 0


def save(image, path: Path) -> None:  # type: ignore[no-untyped-def]
    """A small PNG: the 256 colours that are seen most, every other pixel in the nearest of them."""
    import numpy as np
    from PySide6.QtGui import QImage, QImageWriter

    flat = image.convertToFormat(QImage.Format.Format_RGB32)
    codes = np.frombuffer(flat.constBits(), np.uint32).reshape(flat.height(), -1)[:, : flat.width()] & 0xFFFFFF
    found, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    kept = found[np.argsort(counts)[::-1][:256]]

    def channels(values):  # type: ignore[no-untyped-def]
        return np.stack([values >> 16, values >> 8 & 255, values & 255], axis=-1).astype(np.int32)

    palette, nearest = channels(kept), np.empty(len(found), np.uint8)
    for start in range(0, len(found), 4096):
        part = channels(found[start : start + 4096])
        nearest[start : start + 4096] = ((part[:, None, :] - palette[None]) ** 2).sum(axis=2).argmin(axis=1)
    rows = np.zeros((flat.height(), (flat.width() + 3) // 4 * 4), np.uint8)
    rows[:, : flat.width()] = nearest[inverse.reshape(codes.shape)]
    few = QImage(rows.data, flat.width(), flat.height(), rows.shape[1], QImage.Format.Format_Indexed8)
    few.setColorTable([int(v) | 0xFF000000 for v in kept])
    writer = QImageWriter(str(path), b"png")
    writer.setCompression(100)
    writer.write(few)
    if path.stat().st_size > MOST_BYTES:
        print(f"    {path.name} has {path.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())
