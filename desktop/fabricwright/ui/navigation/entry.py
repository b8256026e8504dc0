"""What find and the palette list, and what happens when a row is chosen."""

from __future__ import annotations

from dataclasses import dataclass

from fabricwright.design.indexset import IndexSet


@dataclass(frozen=True, slots=True)
class Entry:
    """A row.

    ``kind`` item, member, link, note, sheet, finding, action, part or place; ``key`` what it means there (row id,
    finding key, action id, part id, sheet id); ``icon`` a name, or ``state:error``; ``tail`` stands at the right end;
    ``sheet`` and ``host`` say where a row of the drawing is.
    """

    kind: str
    key: str
    title: str
    detail: str = ""
    icon: str = ""
    tail: str = ""
    sheet: str = ""
    host: str = ""
    members: IndexSet | None = None
    enabled: bool = True
