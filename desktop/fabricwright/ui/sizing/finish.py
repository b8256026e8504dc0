"""What the worker drew becomes the open project, or one undo step in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fabricwright.design.patch import patch_from_json
from fabricwright.design.storage import loads
from fabricwright.design.values import Project
from fabricwright.ui.views import CANVAS
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow


def has_content(project: Project) -> bool:
    """Whether anything is drawn in a project: an empty sheet is not worth adding to."""
    return any(sheet.items for design in project.designs.values() for sheet in design.sheets.values())


def taken(window: MainWindow, answer: Mapping[str, Any], view: str) -> None:
    """Open the answer to ``take_size``: a whole project, or a patch of new designs. ``view`` comes to the front."""
    document, context = window.document, window.context
    if "project" in answer:
        document.replace(loads(str(answer["project"]).encode("utf-8")), modified=True)
    else:
        before = set(context.project.designs)
        document.push(patch_from_json(answer["patch"]))
        fresh = [d for d in context.project.designs if d not in before]
        if fresh:
            context.open_design(fresh[0])
    window.hide_welcome()
    window.commands.show_view(view or CANVAS)
    key = window.actions_set["view-racks"].shortcut().toString()
    if view == CANVAS and key:
        context.say(msg("Drawn and seated in racks; {key} shows the racks.", key=key))
