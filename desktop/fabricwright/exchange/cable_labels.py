"""What is printed on cables: a template over the ends of a cable.

Fields: ``{a.device}`` address, ``{a.name}`` name, ``{a.rack}``, ``{a.u}``, ``{a.cage}``, ``{a.port}`` of the first end
(the common one of a splitter), the same with ``b`` for the other end, or the branch of a splitter that the label is
for; ``{id}``, ``{network}``, ``{part}``, ``{length}``. ``{{`` and ``}}`` are braces. No other formatting: a template
comes from a file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

END_FIELDS = ("device", "name", "rack", "u", "cage", "port")
FIELDS = (*(f"{end}.{field}" for end in "ab" for field in END_FIELDS), "id", "network", "part", "length")
DEFAULT = "{a.name}:{a.port} - {b.name}:{b.port}"
EXAMPLE = "{a.rack}-{a.u}-{a.port} / {b.rack}-{b.u}-{b.port}"
_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def check_label(template: str) -> str:
    """The template itself. Raises UserError naming the field that is none."""
    for found in _PIECE.finditer(template):
        if found[0] in ("{{", "}}"):
            continue
        if found[1] is None:
            raise UserError(
                msg("Cable label '{template}': a brace is left open; expected such as {example}.", **_told(template))
            )
        if found[1] not in FIELDS:
            raise UserError(
                msg(
                    "Cable label: '{field}' is no field; expected {known}.",
                    field=found[1][:40],
                    known=list(FIELDS),
                )
            )
    if not template.strip():
        raise UserError(msg("A cable label needs some text; expected such as {example}.", example=EXAMPLE))
    return template


def _told(template: str) -> dict[str, object]:
    return {"template": template[:60], "example": EXAMPLE}


def fill_label(template: str, values: Mapping[str, str]) -> str:
    """A checked template with its values."""

    def fill(found: re.Match[str]) -> str:
        return found[0][0] if found[1] is None else values.get(found[1], "")

    return " ".join(_PIECE.sub(fill, template).split())
