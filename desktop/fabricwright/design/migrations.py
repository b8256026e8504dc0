"""Older project files: one step per version, from the parsed JSON of version n to that of version n + 1.

A step is a pure function on plain dicts and lists. When the format changes in a way that an older program would read
wrongly, ``storage.VERSION`` goes up by one, the step is registered here under the version it starts from, and a sample
of the old version is frozen in ``tests/data/versions``: the tests load every sample for ever. New optional fields need
no step (an older program keeps what it does not know).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

Parsed = dict[str, Any]

STEPS: dict[int, Callable[[Parsed], Parsed]] = {}
"""Version a step starts from -> the step."""


def migrated(parsed: Parsed, version: int, wanted: int) -> Parsed:
    """The file's content in the form of version ``wanted``, without ``format`` and ``version``. Raises UserError when
    a step is missing or trips over what it finds."""
    content = {k: v for k, v in parsed.items() if k not in ("format", "version")}
    for number in range(version, wanted):
        step = STEPS.get(number)
        if step is None:
            raise UserError(msg("file version {version} can no longer be read.", version=version))
        try:
            content = step(content)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise UserError(
                msg("cannot be brought from version {version} to {next}.", version=number, next=number + 1)
            ) from error
    return content
