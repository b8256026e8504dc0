"""What a person should know about where a part comes from before using it: estimates, and parts of their own."""

from __future__ import annotations

from fabricwright.catalog.store import Catalogue
from fabricwright.units.text import Message, msg


def remarks(part_id: str, store: Catalogue) -> list[Message]:
    """Sentences for a tool tip or ``catalog show``; empty for a shipped part that was read from its source."""
    part = store.get(part_id)
    out: list[Message] = []
    if not store.is_shipped(part_id):
        out.append(msg("your own part: {origin}", origin=part.origin) if part.origin else msg("your own part"))
    inside = part.interior
    if inside and inside.archetype and inside.archetype != part_id:
        if inside.assumed:
            out.append(msg("inside: an estimate, wired as the archetype {archetype}", archetype=inside.archetype))
        else:
            out.append(msg("inside: wired as the archetype {archetype}", archetype=inside.archetype))
    if part.confidence == "inferred":
        out.append(msg("inferred from a name or other values, not read from a source"))
    elif part.confidence == "engineering":
        out.append(msg("engineering knowledge: verify against a datasheet before quoting"))
    return out
