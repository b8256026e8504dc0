"""SCL: does the whole come to what is wanted?"""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.design.address import Address, Step
from fabricwright.design.effective import EffSheet
from fabricwright.design.indexset import IndexSet
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import about_design, group_members, held
from fabricwright.units.text import N_, msg


@rule(
    "SCL-01",
    "error",
    needs=("effective", "statements"),
    scope="design",
    group="scale",
    subject="cluster",
    title=N_("GPU count is not what is stated"),
    checks=N_(
        "The GPUs of all servers and external boxes add up to the number that a target, requirement or claim states."
    ),
    reason=N_("Everything sized from the number of GPUs (network, power, price) is wrong when the sum is."),
    source="seedB SD06",
)
def scl_01(context: RuleContext) -> Iterator[Finding]:
    for statement in held(context.project, "cluster.gpus"):
        target = statement.number
        if target is None or not about_design(statement, context.design_id):
            continue
        if statement.scope == "design":
            groups: dict[str, IndexSet | None] = {}
            at = tuple(Address((Step(v.item),)) for v in context.variants() if v.item)
            at = tuple(dict.fromkeys(at))
        elif (found := group_members(context, statement)) is not None:
            groups = {found[0]: found[1]}
            at = (Address((Step(found[0]),)),)
        else:
            continue
        total, parts = _sum(context, groups)
        if total == target or (not parts and not context.variants()):
            continue
        yield context.finding(
            at or (Address(),),
            msg(
                "{total} GPUs ({parts}), {target} stated: {difference}.",
                total=total,
                parts=parts,
                target=int(target),
                difference=_difference(total, int(target)),
            ),
            measured=float(total),
            allowed=target,
            unit="GPUs",
            members=_members(context, groups),
            values={"statement": statement.id, "source": statement.row.source},
            evidence=(statement.row.source or "statement",),
        )


def gpus_in(eff: EffSheet) -> int:
    """GPUs of one server, those in its external boxes included."""
    return sum(item.kind == "gpu" for item in eff.items.values())


def _sum(context: RuleContext, groups: dict[str, IndexSet | None]) -> tuple[int, list[str]]:
    total = 0
    by_size: dict[int, int] = {}
    for variant in context.variants():
        if groups and variant.item not in groups:
            continue
        wanted = groups.get(variant.item)
        count = len(variant.members) if wanted is None else sum(i in wanted for i in variant.members)
        gpus = gpus_in(variant.eff)
        if count and gpus:
            total += count * gpus
            by_size[gpus] = by_size.get(gpus, 0) + count
    return total, [f"{count} x {gpus}" for gpus, count in by_size.items()]


def _members(context: RuleContext, groups: dict[str, IndexSet | None]) -> IndexSet:
    first = next((v.item for v in context.variants() if not groups or v.item in groups), None)
    members = IndexSet()
    for variant in context.variants():
        if variant.item == first:
            members = members.union(variant.members)
    return members


def _difference(total: int, target: int) -> object:
    if total < target:
        return msg("{count} missing", count=target - total)
    return msg("{count} too many", count=total - target)
