"""Values of fields as they are typed or come from a file, in the form that each field has."""

from __future__ import annotations

import math
import re

from fabricwright.design.templates import TEMPLATES
from fabricwright.design.variation import Field, Value
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

UNSET = "unset"
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def read_value(field: Field, text: object) -> Value:
    """A value in the form of the field. ``text`` as typed, or a plain value of a file. Raises UserError."""
    if text is None or (isinstance(text, str) and text.strip() == UNSET):
        if field.place in ("template", "item") and field.name != "config":
            raise UserError(msg("Field '{field}' cannot be unset.", field=field.text))
        return None
    if isinstance(text, bool) or not isinstance(text, (str, int, float)):
        if not isinstance(text, bool):
            raise UserError(
                msg("Field '{field}': '{value}' is no plain value.", field=field.text, value=str(text)[:60])
            )
        return text
    if isinstance(text, float) and not math.isfinite(text):
        raise UserError(msg("Field '{field}': expected a finite number.", field=field.text))
    word = str(text).strip()
    if field.place == "template":
        setting = next(row for row in TEMPLATES[field.name].settings if row.key == field.key)
        return setting.read(word)
    if field.name in ("count", "axes", "per_pair"):
        return _whole(field, word)
    if field.name in ("length_m", "speed_gbps"):
        return _positive(field, word)
    if field.name in ("of", "cable", "medium"):
        return word
    return _optional(field, text, word)


def _optional(field: Field, text: str | int | float, word: str) -> Value:
    option = field.option
    if option is None:
        value = number_of(word) if isinstance(text, str) else text
        if value is None:
            return {"true": True, "false": False}.get(word.lower(), word)
        return value
    if option.kind == "switch":
        low = word.lower()
        if low in ("on", "true", "yes", "1"):
            return True if isinstance(field.now, bool) else "on"
        if low in ("off", "false", "no", "0"):
            return False if isinstance(field.now, bool) else "off"
        raise UserError(msg("Field '{field}': expected on or off, found '{value}'.", field=field.text, value=word[:60]))
    if option.kind == "choice":
        found = next((c for c in option.choices if c.lower() == word.lower()), None)
        if found is None:
            raise UserError(
                msg(
                    "Field '{field}': expected one of {known}, found '{value}'.",
                    field=field.text,
                    known=list(option.choices),
                    value=word[:60],
                )
            )
        return found
    if option.kind == "number":
        number = number_of(word)
        low_edge = -math.inf if option.low is None else option.low
        high_edge = math.inf if option.high is None else option.high
        if number is None or not low_edge <= number <= high_edge:
            raise UserError(
                msg(
                    "Field '{field}': expected a number from {low} to {high}, found '{value}'.",
                    field=field.text,
                    low=low_edge,
                    high=high_edge,
                    value=word[:60],
                )
            )
        return number
    return word


def number_of(word: str) -> int | float | None:
    """A number as it is written, whole where it is; None for anything else."""
    if not _NUMBER.fullmatch(word) or len(word) > 40:
        return None
    value = float(word)
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < 1e15 and "e" not in word.lower() else value


def _whole(field: Field, word: str) -> int:
    value = number_of(word)
    if not isinstance(value, int) or not 1 <= value <= 1_000_000:
        raise UserError(
            msg("Field '{field}': expected a whole number from 1, found '{value}'.", field=field.text, value=word[:60])
        )
    return value


def _positive(field: Field, word: str) -> float:
    value = number_of(word)
    if value is None or value <= 0:
        raise UserError(
            msg("Field '{field}': expected a positive number, found '{value}'.", field=field.text, value=word[:60])
        )
    return float(value)
