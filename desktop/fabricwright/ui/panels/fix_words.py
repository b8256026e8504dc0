"""What the edits that mend a finding change, said before anybody presses the button."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import prod
from typing import Any

from fabricwright.catalog.store import catalogue
from fabricwright.ui.i18n import current_language, text_of
from fabricwright.units.text import N_, Message, msg

Args = Mapping[str, Any]
MOST_SAID = 3


def fix_text(calls: Iterable[Mapping[str, Any]]) -> str:
    """A line per edit, alike ones once; "" for none."""
    said = list(dict.fromkeys(text_of(_words(str(call["name"]), dict(call.get("args") or {}))) for call in calls))
    if len(said) > MOST_SAID:
        said[MOST_SAID:] = [text_of(msg("and {count} more edits", count=len(said) - MOST_SAID))]
    return "\n".join(said)


def _words(name: str, args: Args) -> Message:
    known = _EDITS.get(name)
    return known(args) if known is not None else msg("Edit: {name}", name=name)


def _part(part: object) -> str:
    return catalogue().name_of(str(part), current_language())


def _value(value: object) -> str:
    if value is None or value == "":
        return text_of(msg("nothing"))
    from fabricwright.design.options.words import label_of

    return text_of(Message(label_of(str(value))))


def _stated(key: str, value: object, place: str = "") -> tuple[str, str]:
    """Label and value of something that may be stated."""
    from fabricwright.design.options import OPTIONS  # not at the start of the window, which shows no fix

    rows = [o for (where, name), o in OPTIONS.items() if name == key and (not place or where == place)]
    unit = rows[0].unit if rows else ""
    label = text_of(Message(rows[0].label)) if rows else text_of(Message(_KEYS[key])) if key in _KEYS else key
    return label, f"{_value(value)} {unit}".strip()


def _setting(args: Args) -> Message:
    label, value = _stated(str(args.get("key")), args.get("value"), "design")
    return msg("Sets '{label}' of the design to {value}.", label=label, value=value)


def _config(args: Args) -> Message:
    label, value = _stated(str(args.get("key")), args.get("value"))
    return msg("{item}: sets '{label}' to {value}.", item=args.get("item"), label=label, value=value)


def _link(args: Args) -> Message:
    link = str(args.get("link"))
    for key, value in (args.get("config") or {}).items():
        label, shown = _stated(str(key), value)
        return msg("{item}: sets '{label}' to {value}.", item=link, label=label, value=shown)
    wire = args.get("wire") or {}
    if wire.get("per_pair"):
        return msg("Link {link}: {count} cables per pair.", link=link, count=wire["per_pair"])
    if wire:
        return msg("Link {link}: wires it another way.", link=link)
    if args.get("cable") == "auto":
        return msg("Link {link}: the program chooses a cable that fits and reaches.", link=link)
    if args.get("cable"):
        return msg("Link {link}: takes the cable {part}.", link=link, part=_part(args["cable"]))
    if args.get("optics"):
        parts = list(dict.fromkeys(_part(p) for p in args["optics"] if p))
        return msg("Link {link}: takes the transceivers {parts}.", link=link, parts=parts)
    if args.get("a") or args.get("b"):
        return msg("Link {link}: goes to {end}.", link=link, end=args.get("a") or args.get("b"))
    if args.get("length_m") is not None:
        return msg("Link {link}: is {length} m long.", link=link, length=args["length_m"])
    return msg("Changes the link {link}.", link=link)


def _ids(args: Args) -> Message:
    return msg("Removes {ids}.", ids=[str(i) for i in args.get("ids") or ()])


_KEYS: dict[str, str] = {"mode": N_("mode"), "breakout": N_("breakout")}
_EDITS: dict[str, Callable[[Args], Message]] = {
    "set_setting": _setting,
    "set_config": _config,
    "set_link": _link,
    "add_item": lambda a: msg("Adds {part}.", part=_part(a.get("part"))),
    "seat": lambda a: msg("Moves {item} to slot {slot}.", item=a.get("item"), slot=_slot(a.get("slot"))),
    "replace_part": lambda a: msg("Replaces {item} by {part}.", item=a.get("item"), part=_part(a.get("part"))),
    "remove": _ids,
    "move_cable": lambda a: msg("Moves cables of {link} to the port they belong to.", link=a.get("link")),
    "set_count": lambda a: msg("{item}: {count} of them.", item=a.get("item"), count=a.get("count")),
    "set_axes": lambda a: msg("{item}: {count} of them.", item=a.get("item"), count=_count(a.get("axes") or ())),
    "connect": lambda a: msg("Draws a link from {a} to {b}.", a=a.get("a"), b=a.get("b")),
}


def _slot(seat: object) -> str:
    owner, _, name = str(seat).rpartition(":")
    return name.upper() if owner == "chassis" else str(seat)


def _count(axes: Iterable[tuple[str, int]]) -> int:
    return prod(size for _, size in axes)
