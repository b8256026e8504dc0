"""Arguments of edits as they come from a menu, a file or another program: checked, with one clear sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

MAX_PLACE = 1e7
"""Furthest place on a drawing, in drawing units."""


def number(value: object, what: str) -> float:
    """A finite number of reasonable size."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= MAX_PLACE:
        return float(value)  # a comparison with nan is false
    raise UserError(msg("'{what}' is {value}; expected a number.", what=what, value=_shown(value)))


def whole(value: object, what: str, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``."""
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    raise UserError(
        msg(
            "'{what}' is {value}; expected a whole number from {low} to {high}.",
            what=what,
            value=_shown(value),
            low=low,
            high=high,
        )
    )


def flag(value: object, what: str) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    raise UserError(msg("'{what}' is {value}; expected true or false.", what=what, value=_shown(value)))


def text(value: object, what: str, longest: int = 20_000) -> str:
    """A text of bearable length."""
    if isinstance(value, str) and len(value) <= longest:
        return value
    raise UserError(
        msg(
            "'{what}' is {value}; expected a text of at most {limit} characters.",
            what=what,
            value=_shown(value),
            limit=longest,
        )
    )


def word(value: object, what: str, known: Sequence[str]) -> str:
    """One of the ``known`` words."""
    if isinstance(value, str) and value in known:
        return value
    raise UserError(msg("'{what}' is {value}; expected {known}.", what=what, value=_shown(value), known=list(known)))


def pair(value: object, what: str) -> tuple[float, float]:
    """Two numbers: a place or a size."""
    if isinstance(value, (list, tuple)) and len(value) == 2:
        return (number(value[0], what), number(value[1], what))
    raise UserError(msg("'{what}' is {value}; expected two numbers.", what=what, value=_shown(value)))


def size(value: object, what: str) -> tuple[float, float]:
    """Width and height, both above 0."""
    width, height = pair(value, what)
    if width <= 0 or height <= 0:
        raise UserError(msg("'{what}' is {value}; expected two numbers above 0.", what=what, value=_shown(value)))
    return (width, height)


def texts(value: object, what: str) -> list[str]:
    """A list of texts, repeats left out, in the given order."""
    if isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value):
        return list(dict.fromkeys(value))
    raise UserError(msg("'{what}' is {value}; expected a list of ids.", what=what, value=_shown(value)))


def mapping(value: object, what: str) -> dict[str, Any]:
    """A map with texts as keys."""
    if isinstance(value, Mapping) and all(isinstance(k, str) for k in value):
        return dict(value)
    raise UserError(msg("'{what}' is {value}; expected a map.", what=what, value=_shown(value)))


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:59]}…"
