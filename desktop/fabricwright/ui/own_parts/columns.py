"""Columns of the tables of a part: what each cell is called, what it may hold, how it is typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.store import Catalogue
from fabricwright.ui.own_parts.draft import read_number, shown_value
from fabricwright.units.text import Message, msg

MEDIA = ("eth", "ib", "pcie", "cxl", "nvlink", "c2c", "dmi", "mgmt")
ROLES = ("net", "up", "down", "root", "nv", "peer")
SLOT_KINDS = ("cem", "ocp3", "u2", "m2", "e1s", "e3s", "sxm4", "sxm5", "sxm6", "oam", "superchip", "cx-module")
LENGTHS = ("", "HL", "3/4", "FL", "SFF")
HEIGHTS = ("", "LP", "FH", "OCP")
TABLES = ("ports", "cages", "modes", "slots")


@dataclass(frozen=True, slots=True)
class Column:
    """``kind``: text, int, number, texts (a list with commas), flag, choice (``choices``; others may be typed when
    ``free``). ``default`` is what an absent field means."""

    key: str
    title: str
    kind: str = "text"
    width: int = 90
    default: Any = ""
    choices: tuple[str, ...] = ()
    free: bool = False
    tip: str = ""


def columns_of(table: str, store: Catalogue) -> tuple[Column, ...]:
    """Columns of ``ports``, ``cages``, ``modes`` or ``slots`` in the current language; the first names the row."""
    return _MAKERS[table](store)


def _ports(store: Catalogue) -> tuple[Column, ...]:
    return (
        Column("name", QCoreApplication.translate("OwnPart", "Port"), width=110),
        Column("medium", QCoreApplication.translate("OwnPart", "Medium"), "choice", 84, "", MEDIA),
        Column("role", QCoreApplication.translate("OwnPart", "Role"), "choice", 74, "net", ROLES, tip=_role_tip()),
        Column("gbps", QCoreApplication.translate("OwnPart", "Rate, Gb/s"), "number", 84, 0),
        Column("lanes", QCoreApplication.translate("OwnPart", "Lanes"), "int", 64, 0),
        Column("gen", QCoreApplication.translate("OwnPart", "PCIe generation"), "int", 110, 0),
        Column("cage", QCoreApplication.translate("OwnPart", "Cage"), width=74),
        Column("media", QCoreApplication.translate("OwnPart", "May also carry"), "texts", 110),
        Column("connector", QCoreApplication.translate("OwnPart", "Cable connector"), width=120),
        Column("connectors", QCoreApplication.translate("OwnPart", "Connectors"), "int", 84, 0),
    )


def _modes(store: Catalogue) -> tuple[Column, ...]:
    mode = Column("mode", QCoreApplication.translate("OwnPart", "Mode"), width=90)
    return (mode, *_ports(store))


def _cages(store: Catalogue) -> tuple[Column, ...]:
    types = tuple(store.table("cage_types"))
    split = QCoreApplication.translate("OwnPart", "Ports × rate, for example 1x400 or 2x200")
    return (
        Column("name", QCoreApplication.translate("OwnPart", "Cage"), width=110),
        Column("type", QCoreApplication.translate("OwnPart", "Type"), "choice", 110, "", types),
        Column("default", QCoreApplication.translate("OwnPart", "Ports"), width=84, tip=split),
        Column("breakouts", QCoreApplication.translate("OwnPart", "Other splits"), "texts", 150, tip=split),
        Column("medium", QCoreApplication.translate("OwnPart", "Medium"), "choice", 84, "eth", MEDIA),
        Column("media", QCoreApplication.translate("OwnPart", "May also carry"), "texts", 120),
        Column("ports", QCoreApplication.translate("OwnPart", "Ports behind it"), "texts", 150),
        Column("plugs", QCoreApplication.translate("OwnPart", "Plugs"), "texts", 100),
    )


def _slots(store: Catalogue) -> tuple[Column, ...]:
    feed = QCoreApplication.translate("OwnPart", "Item and port inside, item:port")
    return (
        Column("name", QCoreApplication.translate("OwnPart", "Slot"), width=100),
        Column("label", QCoreApplication.translate("OwnPart", "Label"), width=90),
        Column("kind", QCoreApplication.translate("OwnPart", "Kind"), "choice", 84, "cem", SLOT_KINDS, free=True),
        Column("electrical", QCoreApplication.translate("OwnPart", "Lanes"), "int", 60, 16),
        Column("physical", QCoreApplication.translate("OwnPart", "Length in lanes"), "int", 104, 16),
        Column("gen", QCoreApplication.translate("OwnPart", "PCIe generation"), "int", 110, 5),
        Column(
            "fed_by",
            QCoreApplication.translate("OwnPart", "Fed by"),
            width=110,
            tip=feed,
        ),
        Column("length", QCoreApplication.translate("OwnPart", "Card length"), "choice", 84, "", LENGTHS),
        Column("height", QCoreApplication.translate("OwnPart", "Card height"), "choice", 84, "", HEIGHTS),
        Column("max_width", QCoreApplication.translate("OwnPart", "Widest card, slots"), "int", 128, 1),
        Column("neighbour", QCoreApplication.translate("OwnPart", "Covered neighbour"), width=140),
        Column("power_w", QCoreApplication.translate("OwnPart", "From the slot, W"), "number", 110, 75),
        Column("aux_w", QCoreApplication.translate("OwnPart", "Auxiliary, W"), "number", 90, 0),
        Column("bifurcation", QCoreApplication.translate("OwnPart", "Bifurcation"), "texts", 130),
        Column("cxl", "CXL", "flag", 60, False),
        Column("open_ended", QCoreApplication.translate("OwnPart", "Open end"), "flag", 76, False),
    )


_MAKERS: dict[str, Callable[[Catalogue], tuple[Column, ...]]] = {
    "ports": _ports,
    "modes": _modes,
    "cages": _cages,
    "slots": _slots,
}


def _role_tip() -> str:
    return QCoreApplication.translate(
        "OwnPart", "net: a network cage; up: towards the CPU; down: away from it; root: a CPU's root port"
    )


def flag_word(on: bool) -> str:
    """Yes or no."""
    return QCoreApplication.translate("Panels", "yes") if on else QCoreApplication.translate("Panels", "no")


def shown_cell(column: Column, value: object) -> str:
    """A cell as it is shown and typed."""
    if column.kind == "flag":
        return flag_word(bool(value))
    if column.default == 0 and column.kind in ("int", "number") and value == 0:
        return ""  # where no rate, lane or watt applies, nothing is clearer than a zero
    return shown_value(value)


def read_cell(column: Column, typed: str) -> tuple[Any, Message | None]:
    """(value, None), or (None, what was expected)."""
    words = typed.strip()
    if column.kind == "texts":
        return [cell.strip() for cell in re.split(r"[,;\uff0c\u3001\uff1b]", words) if cell.strip()], None
    if column.kind == "flag":
        return words in ("true", flag_word(True)), None
    if column.kind in ("int", "number"):
        number = read_number(words) if words else column.default
        if number is None or (isinstance(number, float) and (column.kind == "int" and not number.is_integer())):
            return None, msg("expected a number, found {value}.", value=words[:40])
        return (int(number) if column.kind == "int" else number), None
    if column.kind == "choice" and not column.free and words not in column.choices:
        return None, msg("expected one of {known}, found {value}.", known=list(column.choices), value=words[:40])
    return words, None
