"""Write the user-interface icons to ``resources/icons`` as SVG (build time only; the results are committed).

Two sources, one look (24 grid, 1.5 px line, ``currentColor``):

* ``STROKES``: drawn here in the grammar of the pictograms, as one open path each;
* ``GLYPHS``: Phosphor icons (MIT) taken as outlines from the font that qtawesome carries.

qtawesome is never imported by the program: it copies fonts into the user's font folder, which locked-down Windows
machines forbid. The part pictograms and the program's mark are drawn by hand and are not touched by this script.

    python scripts/bake_icons.py
"""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "resources" / "icons"

_CIRCLE = "M21 12a9 9 0 1 1-18 0a9 9 0 1 1 18 0"
_OCTAGON = "M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3Z"

#: name -> path data. Dots are zero-length lines (round caps).
STROKES: dict[str, str] = {
    "new": "M6 3h8l5 5v13H6ZM14 3v5h5",
    "open": "M3 19V6h6l2 2.5h9V11M3 19l3-8h16l-3 8Z",
    "save": "M5 4h11l4 4v12H4V4ZM8 4v5h7V4M8 20v-6h8v6",
    "save-as": "M11 20H4V4h12l4 4v3.5M8 4v5h7V4M8 20v-6h4M14 20.5l.6-2.8L20 12.3l2.2 2.2-5.4 5.4Z",
    "undo": "M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-4",
    "redo": "m16 5 4 4-4 4M20 9H10a5.5 5.5 0 0 0 0 11h4",
    "select": "m6 3 13 9-6 1.2L10 19Z",
    "select-all": "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8 12.3l2.8 2.8L16.2 9.5",
    "link": "M4 6h6v5H4ZM14 13h6v5h-6ZM7 11v4.5h7",
    "group": "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M8.5 8.5h7v7h-7Z",
    "ungroup": "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M7.5 7.5h4v4h-4ZM12.5 12.5h4v4h-4Z",
    "align": "M4 3v18M7.5 6h12v4h-12ZM7.5 14h8v4h-8Z",
    "minus": "M5 12h14",
    "person": "M16 8a4 4 0 1 1-8 0a4 4 0 1 1 8 0M4 21c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5",
    "estimate": "M4 9.5c2.5-3 5.5-3 8 0s5.5 3 8 0M4 16.5c2.5-3 5.5-3 8 0s5.5 3 8 0",
    "plus": "M12 5v14M5 12h14",
    "fit": "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
    "fit-selection": "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M12 12h.01",
    "heatmap": "M4 20V13M9.3 20V8M14.7 20V4M20 20V10",
    "chart": "M4 4v16h16M7.5 16c3.5-.5 3.5-8 12-8.5",
    "shield": "M12 3l7.5 3v5.5c0 4.5-3.2 8-7.5 9.5c-4.3-1.5-7.5-5-7.5-9.5V6ZM8.5 12l2.5 2.5 4.5-4.8",
    "warning-triangle": "M12 3.5 22 20.5H2ZM12 10v5M12 17.8h.01",
    "error-octagon": _OCTAGON + "M12 7.5v5.5M12 16.5h.01",
    "info-circle": _CIRCLE + "M12 11v5.5M12 7.5h.01",
    "ok-circle": _CIRCLE + "M8 12.3l2.8 2.8L16.2 9.5",
    "history": _CIRCLE + "M12 7v5.5l3.5 2",
    "help": _CIRCLE + "M9.3 9.4a2.8 2.8 0 1 1 4 2.6c-.9.45-1.3 1-1.3 2M12 17h.01",
    "stop": _CIRCLE + "M9 9h6v6H9Z",
    "language": _CIRCLE + "M3 12h18M12 3c5.5 5.5 5.5 12.5 0 18c-5.5-5.5-5.5-12.5 0-18",
    "search": "M17 10.5a6.5 6.5 0 1 1-13 0a6.5 6.5 0 1 1 13 0M15.3 15.3 21 21",
    "zoom-in": "M17 10.5a6.5 6.5 0 1 1-13 0a6.5 6.5 0 1 1 13 0M15.3 15.3 21 21M10.5 8v5M8 10.5h5",
    "zoom-out": "M17 10.5a6.5 6.5 0 1 1-13 0a6.5 6.5 0 1 1 13 0M15.3 15.3 21 21M8 10.5h5",
    "chevron-down": "m6 9.5 6 6 6-6",
    "chevron-right": "m9.5 6 6 6-6 6",
    "chevron-left": "m14.5 6-6 6 6 6",
    "chevron-up": "m6 14.5 6-6 6 6",
    "more": "M5 12h.01M12 12h.01M19 12h.01",
    "layers": "m12 3 9 5-9 5-9-5ZM3 12.5l9 5 9-5M3 16.5l9 5 9-5",
    "pin": "M9 3.5h6l-1 6 3.5 3.5h-11L10 9.5ZM12 13v7.5",
    "x": "M6 6l12 12M18 6 6 18",
    "check": "M5 12.5l4.5 4.5L19 7.5",
    "arrow-left": "M20 12H4M10 6l-6 6 6 6",
    "arrow-right": "M4 12h16M14 6l6 6-6 6",
    "arrow-up": "M12 20V4M6 10l6-6 6 6",
    "arrow-down": "M12 4v16M6 14l6 6 6-6",
    "up": "M9.5 8.5 14 4l4.5 4.5M14 4v11a4 4 0 0 1-4 4H5",
    "enter": "M19 5v6a4 4 0 0 1-4 4H5M9.5 10.5 5 15l4.5 4.5",
    "home": "M4 11.5 12 4l8 7.5M6.5 9.5V20h11V9.5",
    "table": "M4 5h16v14H4ZM4 10h16M4 14.5h16M10 10v9",
    "outline": "M4 5.5h4M11 5.5h9M7 12h4M14 12h6M7 18.5h4M14 18.5h6M4.01 8.5v10",
    "play": "M7 4.5v15l12-7.5Z",
    "file": "M6 3h8l5 5v13H6ZM14 3v5h5M9 13h7M9 16.8h5",
    "folder": "M3 19V6h6l2 2.5h10V19Z",
    "export": "M12 15.5V4M7.5 8.5 12 4l4.5 4.5M4 14v6h16v-6",
    "import": "M12 4v11.5M7.5 11l4.5 4.5 4.5-4.5M4 14v6h16v-6",
    "cables": "M4 4h5v5H4ZM15 15h5v5h-5ZM6.5 9v5a4 4 0 0 0 4 4H15M9 6.5h4.5a4 4 0 0 1 4 4V15",
    "bom": "M4 6.5h.01M4 12h.01M4 17.5h.01M8.5 6.5H20M8.5 12H20M8.5 17.5H20",
    "compare": "M4 5h6.5v14H4ZM13.5 5H20v14h-6.5ZM12 2.5v19",
    "copy": "M8.5 8.5h11v11h-11ZM15.5 8.5v-4h-11v11h4",
    "paste": "M9 4.5H5.5V20h13V4.5H15M9 3h6v4H9ZM9 12h6M9 15.8h4",
    "duplicate": "M8.5 8.5h11v11h-11ZM15.5 8.5v-4h-11v11h4M14 11.5v5M11.5 14h5",
    "delete": "M4 6.5h16M9 6.5V4h6v2.5M6 6.5 7 20h10l1-13.5M10 10.5v5.5M14 10.5v5.5",
    "text": "M5 7V5h14v2M12 5v14M9.5 19h5",
    "sun": "M16 12a4 4 0 1 1-8 0a4 4 0 1 1 8 0M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2"
    "M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
    "monitor": "M3.5 4.5h17v11.5h-17ZM9 20h6M12 16v4",
    "lock": "M5.5 10.5h13V20h-13ZM8 10.5V8a4 4 0 0 1 8 0v2.5",
    "refresh": "M20 5v5h-5M4 19v-5h5M19.3 10a7.8 7.8 0 0 0-14-2M4.7 14a7.8 7.8 0 0 0 14 2",
    "filter": "M4 5h16l-6.2 7.5V19l-3.6-2v-4.5Z",
    "go": "M18 12a6 6 0 1 1-12 0a6 6 0 1 1 12 0M12 2.5v6M12 15.5v6M2.5 12h6M15.5 12h6",
    "full-screen": "M9.5 4H4v5.5M14.5 4H20v5.5M20 14.5V20h-5.5M9.5 20H4v-5.5M4 4l6 6M20 4l-6 6M20 20l-6-6M4 20l6-6",
}

#: name -> Phosphor name.
GLYPHS: dict[str, str] = {
    "cut": "scissors",
    "settings": "gear-six",
    "moon": "moon",
    "book": "book-open",
    "lock-open": "lock-simple-open",
    "star": "star",
    "edit": "pencil-simple",
    "keyboard": "keyboard",
    "command": "command",
    "image": "image",
    "printer": "printer",
    "tag": "tag",
    "note": "note",
    "swap": "swap",
    "power": "lightning",
    "wand": "magic-wand",
    "ruler": "ruler",
    "price": "currency-circle-dollar",
    "gauge": "gauge",
    "clock": "timer",
    "grid": "dots-nine",
    "package": "package",
    "info-book": "notebook",
    "quit": "sign-out",
    "window": "app-window",
    "bug": "bug",
    "spinner": "spinner-gap",
}

_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">'
_PEN = 'stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'


def stroke_svg(path: str) -> str:
    """SVG text of a line icon. ``stroke-width="1.5"`` is what the program replaces for small sizes."""
    return f'{_HEAD}<path d="{path}" fill="none" {_PEN} stroke-width="1.5"/></svg>\n'


def outline_svg(path: str) -> str:
    """SVG text of an outline icon; its stroke is nought at 24 px and thickens the line for small sizes."""
    return f'{_HEAD}<path d="{path}" fill="currentColor" fill-rule="evenodd" {_PEN} stroke-width="0"/></svg>\n'


def state_svgs() -> dict[str, str]:
    """The filled state glyphs of the canvas; ``currentBack`` becomes the colour under or on the sign."""
    mark = f'fill="none" stroke="currentBack" stroke-width="2.4" {_PEN.partition(" ")[2]}'
    edge = f'fill="currentBack" {_PEN} stroke-width="1.5"'
    return {
        "error-filled": f'{_HEAD}<path d="{_OCTAGON}" fill="currentColor"/>'
        f'<path d="M12 7v5.5M12 16.7h.01" {mark}/></svg>\n',
        "warning-filled": f'{_HEAD}<path d="M12 3.5 22 20.5H2Z" {edge}/>'
        f'<path d="M12 10v5M12 17.8h.01" fill="none" {_PEN} stroke-width="1.5"/></svg>\n',
        "ok-filled": f'{_HEAD}<path d="{_CIRCLE}Z" fill="currentColor"/>'
        f'<path d="M8 12.3l2.8 2.8L16.2 9.5" {mark}/></svg>\n',
        "info-filled": f'{_HEAD}<path d="{_CIRCLE}Z" fill="currentColor"/>'
        f'<path d="M12 11v5.5M12 7.3h.01" {mark}/></svg>\n',
        "shield-filled": f'{_HEAD}<path d="M12 3l7.5 3v5.5c0 4.5-3.2 8-7.5 9.5c-4.3-1.5-7.5-5-7.5-9.5V6Z" {edge}/>'
        f'<path d="M8.5 12l2.5 2.5 4.5-4.8" fill="none" {_PEN} stroke-width="1.5"/></svg>\n',
    }


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def glyph_paths(names: dict[str, str]) -> dict[str, str]:
    """Path data on the 24 grid for each icon, from the Phosphor font inside qtawesome."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication, QPainterPath, QRawFont

    application = QGuiApplication.instance() or QGuiApplication([])
    spec = find_spec("qtawesome")
    assert spec is not None and spec.origin is not None, "qtawesome is needed to bake icons"
    fonts = Path(spec.origin).parent / "fonts"
    charmap = json.loads(next(fonts.glob("phosphor-charmap-*.json")).read_text(encoding="utf-8"))
    size = 960.0
    font = QRawFont(str(next(fonts.glob("phosphor-*.ttf"))), size)
    kind = QPainterPath.ElementType
    result = {}
    for name, glyph in names.items():
        index = font.glyphIndexesForString(chr(int(charmap[glyph], 16)))[0]
        path = font.pathForGlyph(index)
        out: list[str] = []
        curve: list[str] = []
        for i in range(path.elementCount()):
            element = path.elementAt(i)
            # glyph y runs from -size (top) to 0; the grid's from 0 to 24
            x, y = element.x * 24 / size, (element.y + size) * 24 / size
            point = f"{_number(x)} {_number(y)}"
            if element.type == kind.MoveToElement:
                out.append(("Z" if out else "") + f"M{point}")
            elif element.type == kind.LineToElement:
                out.append(f"L{point}")
            else:
                curve.append(point)
                if len(curve) == 3:
                    out.append("C" + " ".join(curve))
                    curve = []
        result[name] = "".join(out) + "Z"
    del application
    return result


def main() -> None:
    """Write every icon; prints the count."""
    TARGET.mkdir(parents=True, exist_ok=True)
    made = {name: stroke_svg(path) for name, path in STROKES.items()}
    made |= {name: outline_svg(path) for name, path in glyph_paths(GLYPHS).items()}
    made |= state_svgs()
    for name, text in sorted(made.items()):
        (TARGET / f"{name}.svg").write_text(text, encoding="utf-8")
    print(f"{len(made)} icons written to {TARGET.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
