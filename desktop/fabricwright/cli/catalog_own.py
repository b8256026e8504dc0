"""``fabricwright catalog copy|remove``: a part of the user's own from an existing one, without a window."""

from __future__ import annotations

import json
from typing import Any

from fabricwright.catalog import own
from fabricwright.catalog.difference import differences
from fabricwright.catalog.store import catalogue
from fabricwright.cli.arguments import Arguments, key_values
from fabricwright.cli.output import Output
from fabricwright.units.codec import to_json
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg


def run(arguments: Arguments, part_id: str, out: Output) -> int:
    """copy or remove."""
    if arguments.action == "remove":
        own.remove(part_id)
        out.document({"removed": part_id})
        out.say(msg("{part} removed from your own parts; projects keep their copies.", part=part_id))
        return 0
    return _copy(arguments, part_id, out)


def _copy(arguments: Arguments, part_id: str, out: Output) -> int:
    """Make, check and save; every field that is wrong is a sentence, and then nothing is saved."""
    changes = changes_of(arguments.set)
    new_id, part = own.make_from(part_id, changes, arguments.new_id or "")
    found = own.validate(new_id, part)
    if not found:
        own.save(new_id, part)
    changed = differences(catalogue().get(part_id), part)
    out.document(
        {
            "saved": None if found else new_id,
            "part": {"id": new_id, **to_json(part)},
            "problems": [{"place": row.place, "message": row.message.text(out.lang)} for row in found],
        }
    )
    for row in found:
        out.say(msg("{place}: {problem}", place=row.place, problem=row.message))
    for change in changed:
        if change.place.split(".")[-1] in {key.split(".")[-1] for key in key_values(arguments.set, "--set")}:
            out.say(
                msg("{place}: {here} becomes {there}", place=change.place, here=change.here, there=change.there or "-")
            )
    if not found:
        out.say(msg("Saved as {part} among your own parts.", part=new_id))
    return 1 if found else 0


def changes_of(pairs: list[str]) -> dict[str, Any]:
    """``figures.power_w=650`` as nested changes. A value is JSON where it reads as JSON, else a text; "" removes."""
    out: dict[str, Any] = {}
    for key, text in key_values(pairs, "--set").items():
        steps = key.split(".")
        if len(steps) > 8 or not all(steps):
            raise UserError(msg("--set: '{key}' is not a field such as figures.power_w.", key=key[:60]))
        row = out
        for step in steps[:-1]:
            row = row.setdefault(step, {})
            if not isinstance(row, dict):
                raise UserError(msg("--set: '{key}' lies inside a field that is set already.", key=key[:60]))
        row[steps[-1]] = _value(text)
    return out


def _value(text: str) -> Any:
    if not text:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
