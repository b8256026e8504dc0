"""Edits: pure functions from a project and arguments to a Patch. The table below is the complete list.

A gesture, an inspector field, a menu entry and a quick fix all name an edit here (``EditCall``) with JSON-ready
arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite

from fabricwright.design.calls import EditCall
from fabricwright.design.edits.annotations import (
    add_frame,
    add_note,
    add_picture,
    group,
    set_frame,
    set_note,
    set_picture,
    ungroup,
)
from fabricwright.design.edits.blocks import insert_block
from fabricwright.design.edits.clipboard import copy_rows, paste
from fabricwright.design.edits.detach import detach
from fabricwright.design.edits.drawing import align, arrange, distribute, lock, tidy
from fabricwright.design.edits.export_rows import remove_export, rename_export
from fabricwright.design.edits.groups import add_exception, set_axes, set_count, set_export, set_seating
from fabricwright.design.edits.items import add_item, move, remove, rename, seat, set_config, set_look
from fabricwright.design.edits.jobs import remove_job, set_job, set_jobs
from fabricwright.design.edits.links import connect, insert_in_link, move_cable, set_link
from fabricwright.design.edits.ordering import set_ordering, set_owned, set_price, set_prices
from fabricwright.design.edits.projects import (
    add_design,
    approve,
    copy_design,
    remove_design,
    retitle,
    set_meta,
    set_profile,
    set_setting,
    set_statement,
    unapprove,
)
from fabricwright.design.edits.rack_seats import seat_again, seat_by_rule, seat_member, set_racks
from fabricwright.design.edits.repeat import duplicate, repeat
from fabricwright.design.edits.replace import replace_everywhere, replace_part
from fabricwright.design.edits.snapshots import remove_snapshot, rename_snapshot, take_snapshot
from fabricwright.design.edits.together import together
from fabricwright.design.edits.variants import make_variant
from fabricwright.design.edits.workloads import copy_workload, remove_workload, rename_workload, set_workload
from fabricwright.design.patch import Patch
from fabricwright.design.values import Project
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

EDITS: dict[str, Callable[..., Patch]] = {
    edit.__name__: edit
    for edit in (
        add_item,
        remove,
        move,
        set_look,
        seat,
        set_config,
        rename,
        replace_part,
        set_axes,
        set_count,
        add_exception,
        set_export,
        set_seating,
        connect,
        set_link,
        move_cable,
        insert_in_link,
        paste,
        retitle,
        set_setting,
        add_design,
        copy_design,
        remove_design,
        set_meta,
        set_profile,
        set_statement,
        approve,
        unapprove,
        detach,
        make_variant,
        duplicate,
        repeat,
        align,
        distribute,
        arrange,
        lock,
        tidy,
        group,
        ungroup,
        add_frame,
        set_frame,
        add_note,
        set_note,
        add_picture,
        set_picture,
        together,
        replace_everywhere,
        insert_block,
        rename_export,
        remove_export,
        set_prices,
        set_price,
        set_owned,
        set_ordering,
        seat_by_rule,
        seat_member,
        seat_again,
        set_racks,
        set_job,
        set_jobs,
        remove_job,
        take_snapshot,
        rename_snapshot,
        remove_snapshot,
        set_workload,
        copy_workload,
        rename_workload,
        remove_workload,
    )
}

__all__ = ["EDITS", "copy_rows", "run", *sorted(EDITS)]


def run(project: Project, call: EditCall) -> Patch:
    """Resolve an EditCall against the project as it is now. Raises UserError when it no longer applies."""
    edit = EDITS.get(call.name)
    if edit is None:
        raise UserError(msg("Edit '{name}' is not known.", name=call.name))
    try:
        patch = edit(project, **dict(call.args))
    except TypeError as error:
        raise UserError(
            msg("Edit '{name}' was called with wrong arguments ({reason}).", name=call.name, reason=str(error))
        ) from error
    if any(_is_endless(change.new) for change in patch.changes):
        # Neither the journal nor the file can hold it: once in, nothing could be saved any more.
        raise UserError(msg("A value is no number that a file can hold; expected a finite one."))
    return patch


def _is_endless(value: object) -> bool:
    """Whether a plain value is or holds an infinity or no number at all. Rows state their types."""
    if isinstance(value, float):
        return not isfinite(value)
    if isinstance(value, (list, tuple)):
        return any(map(_is_endless, value))
    return isinstance(value, Mapping) and any(map(_is_endless, value.values()))
