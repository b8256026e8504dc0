"""The steps of the tour as data: what is said, what is pointed at, and what completes a step.

``target`` is ``canvas``, ``item:ID`` (a card on the open sheet), ``dock:NAME``, ``bar:path`` or ``bar:counts``.
``done`` names a condition of ``CONDITIONS``; "" waits for *Next*. ``sheet`` is the kind of sheet that the step needs:
whoever went on without doing what was asked is brought there. Texts are looked up in the context ``Tour``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabricwright.ui.i18n import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

#: Template that the tour works on, its group of servers, and how many they are.
SAMPLE = "pcie-4gpu-1nic"
NODE, SERVERS = "node", 4


@dataclass(frozen=True, slots=True)
class TourStep:
    """One step."""

    id: str
    title: str
    text: str
    target: str = "canvas"
    done: str = ""
    sheet: str = ""
    select: str = ""


STEPS: tuple[TourStep, ...] = (
    TourStep(
        "look",
        QT_TRANSLATE_NOOP("Tour", "A small cluster"),
        QT_TRANSLATE_NOOP(
            "Tour",
            "Four servers with four GPUs each, drawn once: a group. Pan with the middle button, zoom "
            "with Ctrl and the wheel.",
        ),
        f"item:{NODE}",
    ),
    TourStep(
        "enter",
        QT_TRANSLATE_NOOP("Tour", "Look inside"),
        QT_TRANSLATE_NOOP("Tour", "Double-click the server, or select it and press Enter."),
        f"item:{NODE}",
        "inside",
    ),
    TourStep(
        "place",
        QT_TRANSLATE_NOOP("Tour", "Put a card in"),
        QT_TRANSLATE_NOOP(
            "Tour",
            "Drag a NIC or a CXL card from the parts over the slots. Green slots take it; the others "
            "say why not, before you let go.",
        ),
        "dock:palette",
        "placed",
        sheet="server",
    ),
    TourStep(
        "all",
        QT_TRANSLATE_NOOP("Tour", "Once drawn, four times built"),
        QT_TRANSLATE_NOOP(
            "Tour", "The bar says it: edits apply to all four servers. The parts list counts the card four times."
        ),
        "bar:path",
        sheet="server",
    ),
    TourStep(
        "undo",
        QT_TRANSLATE_NOOP("Tour", "Take it back"),
        QT_TRANSLATE_NOOP("Tour", "Press Ctrl+Z. Every gesture is one step back, and nothing is ever lost."),
        "canvas",
        "undone",
        sheet="server",
    ),
    TourStep(
        "up",
        QT_TRANSLATE_NOOP("Tour", "Back to the fabric"),
        QT_TRANSLATE_NOOP("Tour", "Press Alt+Up, or click Fabric in the bar above the sheet."),
        "bar:path",
        "outside",
    ),
    TourStep(
        "break",
        QT_TRANSLATE_NOOP("Tour", "Break it"),
        QT_TRANSLATE_NOOP(
            "Tour",
            "The servers are selected. Type 200 into Count in the inspector and press Enter: more servers than the "
            "switch has ports.",
        ),
        "dock:inspector",
        "broken",
        sheet="fabric",
        select=NODE,
    ),
    TourStep(
        "problems",
        QT_TRANSLATE_NOOP("Tour", "What is wrong, and why"),
        QT_TRANSLATE_NOOP(
            "Tour",
            "The checks answer at once: what, where, and the figures behind it. Many problems have a "
            "fix; others are approved with a reason.",
        ),
        "dock:problems",
    ),
    TourStep(
        "mend",
        QT_TRANSLATE_NOOP("Tour", "Mend it"),
        QT_TRANSLATE_NOOP("Tour", "Ctrl+Z brings the four servers back, with their cables."),
        "canvas",
        "mended",
        sheet="fabric",
    ),
    TourStep(
        "performance",
        QT_TRANSLATE_NOOP("Tour", "What it will do"),
        QT_TRANSLATE_NOOP(
            "Tour",
            "Bandwidth and time of a collective, with the range that measurements support and the link that binds.",
        ),
        "dock:performance",
    ),
    TourStep(
        "find",
        QT_TRANSLATE_NOOP("Tour", "Everything by name"),
        QT_TRANSLATE_NOOP("Tour", "Press Ctrl+K: commands, parts, problems and places. Esc closes it."),
        "canvas",
        "searched",
    ),
    TourStep(
        "end",
        QT_TRANSLATE_NOOP("Tour", "That was it"),
        QT_TRANSLATE_NOOP(
            "Tour",
            "The Export menu makes pictures, the parts list and the cable schedule. The sample is yours to play with.",
        ),
        "canvas",
    ),
)


def _inside(window: MainWindow, _before: Mapping[str, int]) -> bool:
    return window.context.sheet_row.kind == "server"


def _outside(window: MainWindow, _before: Mapping[str, int]) -> bool:
    return window.context.sheet_row.kind == "fabric"


def _placed(window: MainWindow, before: Mapping[str, int]) -> bool:
    return window.context.sheet_row.kind == "server" and len(window.context.sheet_row.items) > before["items"]


def _undone(window: MainWindow, before: Mapping[str, int]) -> bool:
    return window.document.undo_stack.index() < before["index"]


def _broken(window: MainWindow, _before: Mapping[str, int]) -> bool:
    return _servers(window) > SERVERS


def _mended(window: MainWindow, _before: Mapping[str, int]) -> bool:
    return _servers(window) == SERVERS


def _servers(window: MainWindow) -> int:
    design = window.context.design_row
    root = design.sheets.get(design.root)
    item = root.items.get(NODE) if root is not None else None
    return item.count if item is not None else 0


def _searched(window: MainWindow, _before: Mapping[str, int]) -> bool:
    return window.palette_box is not None and window.palette_box.isVisible()


#: Whether a step is done: (window, counts at its beginning: items on the sheet, index of the undo stack).
CONDITIONS: dict[str, Callable[[MainWindow, Mapping[str, int]], bool]] = {
    "inside": _inside,
    "outside": _outside,
    "placed": _placed,
    "undone": _undone,
    "broken": _broken,
    "mended": _mended,
    "searched": _searched,
}
