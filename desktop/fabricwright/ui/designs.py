"""Designs of a project in the window: a second one to try something on, and away with one."""

from __future__ import annotations

from fabricwright.design.order import designs_in_order
from fabricwright.ui.context import UiContext
from fabricwright.units.text import msg


def copy_design(context: UiContext) -> str:
    """Copy the open design and open the copy; its id, "" when nothing was copied."""
    before = set(context.project.designs)
    source = context.design_row.title or context.design
    taken = {row.title for row in context.project.designs.values()}
    title = next(t for n in range(2, len(before) + 3) if (t := f"{source} ({n})") not in taken)
    if context.edit("copy_design", design=context.design, title=title) is None:
        return ""
    name = next(iter(set(context.project.designs) - before))
    context.open_design(name)
    context.say(msg("'{title}' is open, a copy of '{source}': change it, then compare.", title=title, source=source))
    return name


def remove_design(context: UiContext) -> None:
    """Delete the open design, and open the one that is left; the last one stays and a sentence says so."""
    gone = context.design
    if context.edit("remove_design", design=gone) is not None and gone not in context.project.designs:
        context.open_design(designs_in_order(context.project)[0])
