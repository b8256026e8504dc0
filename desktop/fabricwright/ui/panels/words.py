"""Words of the analysis as people read them: messages that crossed the pipe, collectives, severities, places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication

from fabricwright.design.address import Address, parse_address
from fabricwright.design.calls import EditCall
from fabricwright.design.indexset import IndexSet
from fabricwright.design.place_words import places_text, said_of
from fabricwright.design.unit_words import unit_words
from fabricwright.design.values import Design
from fabricwright.ui.i18n import text_of
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message

COLLECTIVES = ("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast", "send_recv")
BLANK = Design()
"""For what is about no design: nothing is called otherwise than its address."""
SIZES = tuple(1 << e for e in (10, 16, 20, 22, 24, 26, 28, 30, 32, 34))


def spoken(value: object) -> str:
    """A message as it came from the worker (``[template, params]``), a ``Message`` or plain text, in the current
    language.
    """
    if isinstance(value, Message):
        return text_of(value)
    if isinstance(value, list) and len(value) == 2 and isinstance(value[1], dict):
        return text_of(Message.from_json(value))
    return "" if value is None else str(value)


def spoken_in(design: Design, value: object, at: str = "") -> str:
    """The same, with addresses and ids called as the sheets label them; ``at`` is where in a server it is about."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[1], dict):
        value = Message.from_json(value)
    return spoken(said_of(design, value, at) if isinstance(value, Message) else value)


def binding_text(design: Design, row: Mapping[str, Any] | None) -> str:
    """What binds a row of the prediction: ``NIC port of Slot 1``."""
    found: Mapping[str, Any] = (row or {}).get("bottleneck") or {}
    return spoken_in(design, found.get("label"), str(found.get("address") or ""))


def spoken_inside(design: Design, value: object) -> str:
    """The same where it is not told which server is meant: the first of the sheet."""
    root = design.sheets.get(design.root)
    servers = (key for key, item in root.items.items() if (item.of or "").startswith("sheet:")) if root else iter(())
    return spoken_in(design, value, next(servers, ""))


def listed(words: Iterable[str]) -> str:
    """Words one after the other with the comma of the language; empty ones are left out."""
    return QCoreApplication.translate("Panels", ", ").join(word for word in words if word)


def collective_name(collective: str) -> str:
    """What a collective is called on screen."""
    return {
        "all_reduce": QCoreApplication.translate("Panels", "All-reduce"),
        "reduce_scatter": QCoreApplication.translate("Panels", "Reduce-scatter"),
        "all_gather": QCoreApplication.translate("Panels", "All-gather"),
        "all_to_all": QCoreApplication.translate("Panels", "All-to-all"),
        "broadcast": QCoreApplication.translate("Panels", "Broadcast"),
        "send_recv": QCoreApplication.translate("Panels", "Send and receive"),
    }.get(collective, collective)


def severity_word(severity: str) -> str:
    """Error, warning, note or approved."""
    return {
        "error": QCoreApplication.translate("Panels", "Error"),
        "warning": QCoreApplication.translate("Panels", "Warning"),
        "info": QCoreApplication.translate("Panels", "Note"),
        "approved": QCoreApplication.translate("Panels", "Approved"),
    }.get(severity, severity)


def unit_word(unit: str) -> str:
    """A unit in the current language: what is counted is translated, symbols stay."""
    return text_of(unit_words(unit)) if unit else ""


def figure_text(value: object, unit: str) -> str:
    """``72 lanes``, ``1.5:1``, ``12,000 W``; "" for nothing."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return ""
    number = f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"
    number = number.replace("-", "\u2212")
    if unit.startswith((":", "%")):
        return f"{number}{unit}" if unit.startswith(":") else f"{number} {unit}"
    return f"{number} {unit_word(unit)}".strip()


def measured_text(finding: Mapping[str, object]) -> str:
    """``9 cards; at most 7 cards``: what a finding measured and the limit that it missed, "" where it has neither."""
    unit = str(finding.get("unit") or "")
    measured, allowed = (figure_text(finding.get(name), unit) for name in ("measured", "allowed"))
    if not measured or not allowed:
        return measured or allowed
    below = float(str(finding["measured"])) < float(str(finding["allowed"]))
    text = (
        QCoreApplication.translate("Panels", "{measured}; at least {allowed}")
        if below
        else QCoreApplication.translate("Panels", "{measured}; at most {allowed}")
    )
    return text.format(measured=measured, allowed=allowed)


def group_name(group: str) -> str:
    """What a group of rules is called."""
    return {
        "bifurcation": QCoreApplication.translate("Panels", "Bifurcation"),
        "CXL": "CXL",
        "export": QCoreApplication.translate("Panels", "Export"),
        "import": QCoreApplication.translate("Panels", "Import"),
        "lanes & generation": QCoreApplication.translate("Panels", "Lanes and generation"),
        "lossless": QCoreApplication.translate("Panels", "Lossless network"),
        "mechanical": QCoreApplication.translate("Panels", "Mechanics"),
        "memory & capacity": QCoreApplication.translate("Panels", "Memory and capacity"),
        "NIC, ports, cables, optics": QCoreApplication.translate("Panels", "NICs, ports, cables, optics"),
        "P2P & NUMA": QCoreApplication.translate("Panels", "P2P and NUMA"),
        "power & cooling": QCoreApplication.translate("Panels", "Power and cooling"),
        "retimer & signal": QCoreApplication.translate("Panels", "Retimers and signal"),
        "scale": QCoreApplication.translate("Panels", "Scale"),
        "seed claims": QCoreApplication.translate("Panels", "Claims"),
        "spine-leaf": QCoreApplication.translate("Panels", "Spine and leaf"),
    }.get(group, group)


def sheet_name(design: Design, sheet: str) -> str:
    """Title of a sheet; the fabric sheet without one is called the fabric."""
    row = design.sheets.get(sheet)
    if row is not None and row.title:
        return row.title
    return QCoreApplication.translate("Panels", "Fabric") if sheet == design.root else sheet


def place_text(design: Design, row: Mapping[str, Any]) -> str:
    """Where a finding is, short and as the sheet labels it: ``node › GPU0 … GPU7``; ``n001 … n004 › …`` only when not
    all members are meant."""
    places = [str(a).partition("!")[2] or str(a) for a in row.get("at", ())]
    if not places:
        return ""
    if not any(places):  # about no part of it: the design itself
        return design.title
    return places_text(design, places, str(row.get("members") or ""))


def address_of(design: Design, row: Mapping[str, Any], at: str) -> Address | None:
    """Address of one place of a finding, with members that really have the sheet that the finding is about."""
    try:
        found = parse_address(at)
    except UserError:
        return None
    text = str(row.get("members") or "")
    root = design.sheets.get(design.root)
    if not text or not found.steps or root is None or found.steps[0].item not in root.items:
        return found
    item = root.items[found.steps[0].item]
    try:
        members = IndexSet.parse(text)
    except UserError:
        return found
    sheet = str(row.get("sheet") or "")
    if len(found.steps) > 1 and sheet:
        for key, other in item.except_.items():
            if other.sheet == sheet:
                members = _common(members, IndexSet.parse(key))
                break
            if other.sheet:
                members = members.minus(IndexSet.parse(key))
    if not members or len(members) == item.count:
        return found if len(members) == item.count and len(found.steps) == 1 else _with(found, members)
    return _with(found, members)


def _common(one: IndexSet, two: IndexSet) -> IndexSet:
    return one.minus(one.minus(two))


def _with(found: Address, members: IndexSet) -> Address:
    if not members:
        return found
    return replace(found, steps=(replace(found.steps[0], members=members), *found.steps[1:]))


def row_ids(row: Mapping[str, Any]) -> list[str]:
    """Ids on the finding's sheet of all its places: ``node/gpu0`` -> ``gpu0``, ``leaf`` -> ``leaf``."""
    return list(dict.fromkeys("/".join(path[1:]) if len(path) > 1 else path[0] for path in row_paths(row)))


def row_paths(row: Mapping[str, Any]) -> list[list[str]]:
    """Ids along each place of a finding, without members and ports: ``node[0-7]/gpu0:1`` -> ``[node, gpu0]``."""
    out = []
    for at in row.get("at", ()):
        path = str(at).rpartition("!")[2].partition(":")[0].partition("#")[0]
        steps = [step.partition("[")[0] for step in path.split("/")]
        if steps[0]:
            out.append(steps)
    return out


def calls_of(row: Mapping[str, Any]) -> list[EditCall]:
    """The edits that mend a finding, ready to be posted in this order."""
    return [EditCall(str(call["name"]), dict(call.get("args") or {})) for call in fix_calls(row)]


def fix_calls(row: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The edits that mend a finding, as they came from the worker; empty when there are none."""
    fix = row.get("fix")
    return [call for call in fix if isinstance(call, Mapping) and "name" in call] if isinstance(fix, list) else []
