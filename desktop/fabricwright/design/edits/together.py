"""Several edits as one step of the undo history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fabricwright.design.calls import EditCall
from fabricwright.design.edits import arguments as given
from fabricwright.design.patch import Patch, PatchBuilder
from fabricwright.design.values import Project
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

MAX_CALLS = 10_000


def together(project: Project, *, calls: Sequence[Any], label: str = "change") -> Patch:
    """Edits one after the other, each reading what the ones before did: [["set_axes", {...}], ["connect", {...}]].

    All or none: the first that does not apply raises its UserError. ``label`` change | wire | fix is what it is called
    in the undo menu.
    """
    builder = PatchBuilder(project)
    given.word(label, "label", ("change", "wire", "fix"))
    if not isinstance(calls, (list, tuple)) or len(calls) > MAX_CALLS:
        raise UserError(msg("'{what}' is {value}; expected a list of edits.", what="calls", value=str(calls)[:60]))
    run_all(builder, calls, {})
    if label == "wire":
        return builder.patch("Wire groups")
    return builder.patch("Apply fix" if label == "fix" else "Several changes")


def run_all(builder: PatchBuilder, calls: Sequence[Any], where: Mapping[str, str]) -> None:
    """Run edits into a builder; ``where`` is added to their arguments."""
    from fabricwright.design.edits import run

    for call in calls:
        if isinstance(call, EditCall):
            name, args = call.name, dict(call.args)
        elif isinstance(call, (list, tuple)) and len(call) == 2 and isinstance(call[0], str):
            name, args = call[0], given.mapping(call[1], call[0])
        else:
            raise UserError(msg("'{call}' is no edit; expected a name and arguments.", call=str(call)[:60]))
        if name == "together":
            raise UserError(msg("Edits cannot be nested."))
        builder.include(run(builder.project, EditCall(name, {**args, **where})))
