"""The views that ``make views`` draws and checks: what to open, and how to get there in a window."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from fabricwright.ui.window import MainWindow

CASE = "seed-b-512"
PRICES = """Part number,Description,Unit price,Currency,Lead time
MCX75310AAS-NEAT,ConnectX-7 400G adapter,"1,895.00",USD,6 weeks
920-9B210-00FN-0D0,Quantum-2 switch 64 x 400G,"23,500.00",USD,10 weeks
980-9I693-00NS00,Twin-port OSFP optic,"1,190.00",USD,4 weeks
unknown-1,Something else,12.00,USD,
"""


@dataclass(frozen=True, slots=True)
class View:
    """One picture. ``prepare`` gets the window, and gives what is drawn where that is another window.

    ``design``, ``sheet``, ``show`` (a view of the middle), ``select`` and ``drag`` (``part@row``) as the options of
    the program; ``looks`` of which a picture is kept in docs/screenshots; ``alone`` opens a window of its own.
    """

    name: str
    template: str = CASE
    design: str = ""
    sheet: str = ""
    show: str = ""
    select: str = ""
    drag: str = ""
    prepare: Callable[[MainWindow], QWidget | None] | None = None
    looks: tuple[str, ...] = ()


def _welcome(window: MainWindow) -> None:
    window.show_welcome()


def _wiring(window: MainWindow) -> QWidget:
    from fabricwright.ui.wiring.dialog import WiringDialog

    context = window.context
    context.edit("remove", ids=["up"])  # undone when the view is left
    return WiringDialog(context, "leaf", "spine", window)


def _export(window: MainWindow) -> QWidget:
    from fabricwright.ui.export.dialog import ExportDialog

    return ExportDialog(window)


def _settings(window: MainWindow) -> QWidget:
    from fabricwright.ui.settings_dialog import SettingsDialog

    return SettingsDialog(window)


def _shortcuts(window: MainWindow) -> QWidget:
    from fabricwright.ui.shortcuts.dialog import ShortcutDialog

    return ShortcutDialog(window.actions_set, window)


def _seat(window: MainWindow) -> QWidget:
    from fabricwright.ui.racks.seat_dialog import SeatDialog

    return SeatDialog(window, window.context)


def _prices(window: MainWindow) -> QWidget:
    from fabricwright.ui.prices.import_dialog import PriceListDialog

    path = Path(tempfile.mkdtemp(prefix="fabricwright-prices-")) / "price list.csv"
    path.write_text(PRICES, encoding="utf-8")
    return PriceListDialog(window.context, path, window)


def _spares(window: MainWindow) -> QWidget:
    from fabricwright.ui.prices.spares_dialog import SparesDialog

    return SparesDialog(window.context, ("gpu", "nic", "switch"), window)


def _labels(window: MainWindow) -> QWidget:
    from fabricwright.ui.prices.label_dialog import LabelDialog

    return LabelDialog(window.context, window)


def _repeat(window: MainWindow) -> QWidget:
    from fabricwright.ui.repeat_dialog import RepeatDialog

    return RepeatDialog(window, (230.0, 96.0))


def _replace(window: MainWindow) -> QWidget:
    from fabricwright.ui.replace_dialog import ReplaceDialog

    return ReplaceDialog(window.context, window)


def _about(window: MainWindow) -> QWidget:
    from fabricwright.ui.about import AboutDialog

    return AboutDialog(window, "1.0")


def _guide(window: MainWindow) -> QWidget:
    from fabricwright.ui.guide.window import open_guide

    return open_guide(window, "fabric")


def _part(window: MainWindow) -> QWidget | None:
    verbs: Any = window.docks.panels["palette"].own  # type: ignore[attr-defined]
    form: QWidget | None = verbs.make_from("lr-cxl-generic")
    return form


def _palette(window: MainWindow) -> None:
    window.actions_set["command-palette"].trigger()


def _panel(name: str) -> Callable[[MainWindow], None]:
    def show(window: MainWindow) -> None:
        window.docks.tabs.show_panel(name)

    return show


LIGHT, ALL = ("light-en",), ("light-en", "dark-zh")

VIEWS: tuple[View, ...] = (
    View("main", design="before", looks=("light-en", "dark-en", "light-zh", "dark-zh")),
    View("fabric-after", design="after", select="leaf", looks=LIGHT),
    View("server", design="before", sheet="node", select="gpu2", looks=ALL),
    View("server-after", design="after", sheet="node-after", looks=ALL),
    View("server-cxl", design="after", sheet="node-after-cxl", select="cxl0"),
    View("statements", prepare=_panel("statements")),
    View("outline", prepare=_panel("outline")),
    View("paths", design="after", sheet="node-after", prepare=_panel("paths")),
    View("racks", show="racks", looks=ALL),
    View("compare", show="compare", looks=("light-en", "dark-en", "light-zh", "dark-zh")),
    View("bill", show="bill", looks=ALL),
    View("wiring", prepare=_wiring, looks=ALL),
    View("export", prepare=_export, looks=LIGHT),
    View("settings", prepare=_settings, looks=LIGHT),
    View("shortcuts", prepare=_shortcuts, looks=("dark-zh",)),
    View("seat", prepare=_seat, looks=LIGHT),
    View("prices", prepare=_prices, looks=LIGHT),
    View("spares", prepare=_spares),
    View("labels", prepare=_labels),
    View("repeat", prepare=_repeat),
    View("replace", prepare=_replace),
    View("own-part", prepare=_part, looks=LIGHT),
    View("about", prepare=_about),
    View("guide", prepare=_guide, looks=ALL),
    View("command-palette", prepare=_palette, looks=LIGHT),
    View("welcome", prepare=_welcome, looks=ALL),
    View("rails", "superpod-h100-127", looks=LIGHT),
    View("units", "seed-a-256x8", looks=LIGHT),
    View("cabled-server", "seed-a-256x8", sheet="node", select="sw0", looks=LIGHT),
    View("drop-taken", "seed-a-256x8", sheet="node", drag="lr-cxl-generic@nic0", looks=LIGHT),
    View("drop-legal", "pcie-4gpu-1nic", sheet="node", drag="lr-cxl-generic@chassis:n2", looks=ALL),
)
