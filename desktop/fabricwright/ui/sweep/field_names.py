"""What the fields of a sweep are called: words and units for keys such as ``up.length_m``, and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from fabricwright.design.options import OPTIONS
from fabricwright.design.options.option import Option
from fabricwright.design.templates import Template
from fabricwright.design.variation import Field
from fabricwright.ui.i18n import text_of
from fabricwright.ui.panels.words import unit_word
from fabricwright.ui.training.fields import field_name as workload_name
from fabricwright.units.text import Message

#: Keys of a workload that the editor knows under a shorter one.
_SAME = {"micro_batch": "mbs", "global_batch": "gbs"}


def names_of(keys: Sequence[str], template: Template | None, fields: Mapping[str, Field]) -> dict[str, str]:
    """Name of each key, all different. ``fields``: what is known of keys whose name depends on the part that they
    belong to.
    """
    names = {key: name_of(key, template, fields.get(key)) for key in keys}
    seen: dict[str, int] = {}
    for name in names.values():
        seen[name] = seen.get(name, 0) + 1
    return {key: name if seen[name] == 1 else f"{name} ({key})" for key, name in names.items()}


def name_of(key: str, template: Template | None = None, field: Field | None = None) -> str:
    """Name of one key in the current language; the key itself where it has none."""
    head, _, rest = key.partition(".")
    if head == "settings":
        option = OPTIONS.get(("design", rest))
        return _of_option(option) if option is not None else rest
    if head == "workload":
        last = rest.rpartition(".")[2]
        return QCoreApplication.translate("Sweep", "Workload: {what}").format(what=workload_name(_SAME.get(last, last)))
    if head == "template" and template is not None:
        words = next((text_of(s.note) for s in template.settings if s.key == rest), rest)
        return words[:1].upper() + words[1:]
    return _of_row(key, field)


def _of_row(key: str, field: Field | None) -> str:
    place, what, more = _parts(key)
    shown = place.replace("/", " › ")
    if what == "axes":
        return QCoreApplication.translate("Sweep", "{place}: number along {axis}").format(place=shown, axis=more)
    if what == "config":
        if field is not None and field.option is not None:
            more = _of_option(field.option)
        elif more == "mode":
            more = QCoreApplication.translate("Sweep", "mode")
        elif more == "breakout":
            more = QCoreApplication.translate("Sweep", "breakout")
        return QCoreApplication.translate("Sweep", "{place}: {what}").format(place=shown, what=more)
    words = {
        "of": QCoreApplication.translate("Sweep", "{place}: part"),
        "count": QCoreApplication.translate("Sweep", "{place}: number"),
        "per_pair": QCoreApplication.translate("Sweep", "{place}: cables per pair"),
        "length_m": QCoreApplication.translate("Sweep", "{place}: length (m)"),
        "cable": QCoreApplication.translate("Sweep", "{place}: cable"),
        "speed_gbps": QCoreApplication.translate("Sweep", "{place}: speed (Gb/s)"),
        "medium": QCoreApplication.translate("Sweep", "{place}: medium"),
    }
    return words[what].format(place=shown) if what in words else key


def _parts(key: str) -> tuple[str, str, str]:
    """``node/nic0.config.mode`` -> (``node/nic0``, ``config``, ``mode``). A place may have dots of its own."""
    for what in ("axes", "config"):
        place, found, more = key.partition(f".{what}.")
        if found:
            return place, what, more
    place, _, what = key.rpartition(".")
    return place, what, ""


def _of_option(option: Option) -> str:
    label, unit = text_of(Message(option.label)), unit_word(option.unit)
    return f"{label} ({unit})" if unit and unit not in label else label
