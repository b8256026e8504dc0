"""Statements beside the drawing (claims, requirements, targets), resolved to what they speak about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite

from fabricwright.design.address import Address, parse_address
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Project, Statement
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.units.errors import UserError
from fabricwright.units.record import record

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", re.IGNORECASE)
_LIST = re.compile(r",\s")
"""A comma with a space separates values (``30, 21``); one without groups digits (``1,016``)."""


@record
class Held:
    """A statement with its subject taken apart.

    ``scope`` address | part | workload | design | document. ``name`` the id after the colon (design id for "design"),
    ``address`` for scope address. ``design`` "" = every design where the address exists.
    """

    id: str
    row: Statement
    scope: str
    name: str
    address: Address
    design: str

    @property
    def number(self) -> float | None:
        """Value as one number; None for lists, ranges and words."""
        return number(self.row.value)


def number(value: object) -> float | None:
    """A statement's value as a number: 512, "512", "1,016"; None when it is anything else."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return _finite(value)
    text = str(value).strip()
    if _LIST.search(text):
        return None
    text = text.replace(",", "").replace(" ", "")
    return _finite(text) if _NUMBER.fullmatch(text) else None


def _finite(value: int | float | str) -> float | None:
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if isfinite(found) else None


def held(project: Project, *quantities: str) -> Iterator[Held]:
    """Statements of these quantities, in natural order. Subjects that cannot be read are left out."""
    rows = project.statements.memo.get("held")
    if not isinstance(rows, list):
        taken = [_subject(name, project.statements[name]) for name in project.statements.ordered()]
        rows = project.statements.memo["held"] = [row for row in taken if row is not None]
    return (row for row in rows if row.row.quantity in quantities)


def _subject(statement_id: str, row: Statement) -> Held | None:
    subject = row.subject.strip()
    if not subject:  # about the project as a whole
        return Held(statement_id, row, "design", "", Address(), "")
    scope, colon, name = subject.partition(":")
    if colon and scope in ("part", "workload", "document", "design"):
        return Held(statement_id, row, scope, name.strip(), Address(), name.strip() if scope == "design" else "")
    try:
        address = parse_address(row.subject)
    except UserError:
        return None
    if not address.steps:
        return Held(statement_id, row, "design", address.design, address, address.design)
    return Held(statement_id, row, "address", "", address, address.design)


def about_design(statement: Held, design_id: str) -> bool:
    """Whether a statement speaks about this design at all."""
    return statement.design in ("", design_id)


def at_item(context: RuleContext, statement: Held, variant: Variant) -> tuple[str, IndexSet] | None:
    """(item id inside the server, members) when the statement's address lies in this variant; None otherwise.

    ``node/nic0`` reaches nic0 of group node; on a server sheet alone ``nic0`` does.
    """
    if statement.scope != "address" or not about_design(statement, context.design_id):
        return None
    steps = list(statement.address.steps)
    members = variant.members
    if variant.item:
        first = steps.pop(0)
        if first.item != variant.item:
            return None
        if first.members is not None:
            members = IndexSet.of(i for i in variant.members if i in first.members)
        elif first.raw:
            group = context.group(variant.item)
            if group is None:
                return None
            try:
                wanted = IndexSet.parse(first.raw, group.axes)
            except UserError:
                return None
            members = IndexSet.of(i for i in variant.members if i in wanted)
    if not steps or not members:
        return None
    item = "/".join(step.item for step in steps)
    if item not in variant.eff.items:
        return None
    return item, members


def group_members(context: RuleContext, statement: Held) -> tuple[str, IndexSet | None] | None:
    """(root item, members or None for all) when the address is a group itself (``before!node``); None otherwise."""
    if (
        statement.scope != "address"
        or len(statement.address.steps) != 1
        or not about_design(statement, context.design_id)
    ):
        return None
    step = statement.address.steps[0]
    group = context.group(step.item)
    if group is None:
        return None
    if step.raw:
        try:
            return step.item, IndexSet.parse(step.raw, group.axes)
        except UserError:
            return None
    return step.item, step.members


@record
class Meant:
    """Servers that a statement speaks about: members of a variant, and the ``item`` inside them ("" = the server)."""

    variant: Variant
    members: IndexSet
    item: str = ""


def meant(context: RuleContext, statement: Held) -> Iterator[Meant]:
    """Every variant that a statement reaches: all of them when it is about the design, a document or a workload."""
    if not about_design(statement, context.design_id):
        return
    if statement.scope == "part":
        for variant in context.variants():
            for item in sorted(i.id for i in variant.eff.items.values() if i.of == statement.name):
                yield Meant(variant, variant.members, item)
        return
    group = group_members(context, statement)
    for variant in context.variants():
        if statement.scope != "address":
            yield Meant(variant, variant.members)
        elif group is not None and group[0] == variant.item:
            wanted = group[1]
            members = variant.members if wanted is None else variant.members.minus(variant.members.minus(wanted))
            if members:
                yield Meant(variant, members)
        elif (found := at_item(context, statement, variant)) is not None:
            yield Meant(variant, found[1], found[0])


def numbers(value: object) -> tuple[float, ...]:
    """A statement's value as numbers: a list ``30, 21``, the two ends of a range ``96..128``, or one number."""
    single = number(value)
    if single is not None:
        return (single,)
    if not isinstance(value, str):
        return ()
    pieces = value.split("..") if ".." in value else value.split(",")
    found = [number(piece) for piece in pieces]
    return tuple(n for n in found if n is not None) if None not in found else ()
