"""SCL: does the whole come to what is wanted? GPU-03: do equal GPUs work together?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from fabricwright.catalog.parts import Part
from fabricwright.design.address import Address, Step, split_end
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffSheet
from fabricwright.design.indexset import IndexSet
from fabricwright.rules.card import label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import Held, about_design, group_members, held
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record
from fabricwright.units.text import N_, Message, msg


@rule(
    "SCL-01",
    "error",
    needs=("effective", "statements"),
    scope="design",
    group="scale",
    subject="cluster",
    title=N_("GPU count is not what is stated"),
    checks=N_(
        "The GPUs of all servers and external boxes add up to the number that a target, requirement or claim states; "
        "so do the servers, and the GPUs of each server."
    ),
    reason=N_("Everything sized from the number of GPUs (network, power, price) is wrong when the sum is."),
    source="seedB SD06",
)
def scl_01(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, count_verdicts(context))


@judges("SCL-01")
def count_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """GPUs of the cluster, GPUs per server and servers, each held against what is drawn."""
    for statement in held(context.project, "cluster.gpus", "cluster.servers", "server.gpus"):
        target = statement.number
        wanted = _groups(context, statement)
        if target is None or wanted is None or not about_design(statement, context.design_id):
            continue
        counted = _counted(context, wanted)
        if not counted and not context.variants():
            continue
        items = dict.fromkeys(item for item in (wanted or [v.item for v in context.variants()]) if item)
        at = tuple(Address((Step(item),)) for item in items)
        members = _members(context, wanted)
        if statement.row.quantity == "server.gpus":
            yield _per_server(statement, int(target), counted, at, members)
            continue
        servers = statement.row.quantity == "cluster.servers"
        verdict = (_servers if servers else _cluster)(statement, int(target), counted, at, members)
        if not verdict.holds and statement.row.kind != "claim" and len(counted) == 1:
            gpus = next(iter(counted))
            count, rest = (int(target), 0) if servers else divmod(int(target), gpus or 1)
            if not rest and gpus:
                verdict = replace(verdict, fix=_resized(context, wanted, count))
        yield verdict


def gpus_in(eff: EffSheet) -> int:
    """GPUs of one server, those in its external boxes included."""
    return sum(item.kind == "gpu" for item in eff.items.values())


Groups = dict[str, IndexSet | None]


def _groups(context: RuleContext, statement: Held) -> Groups | None:
    """Groups that are counted with the members that a statement names (None = all); empty = every group. None when
    the statement is about something else.
    """
    if statement.scope in ("design", "document"):
        return {}
    found = group_members(context, statement)
    row = context.group(found[0]) if found is not None else None
    return {found[0]: found[1]} if found is not None and row is not None and (row.of or "")[:6] == "sheet:" else None


def _counted(context: RuleContext, groups: Groups) -> dict[int, int]:
    """GPUs of a server -> how many servers have so many."""
    by_size: dict[int, int] = {}
    for variant in context.variants():
        if groups and variant.item not in groups:
            continue
        wanted = groups.get(variant.item)
        count = len(variant.members) if wanted is None else sum(i in wanted for i in variant.members)
        if count:
            gpus = gpus_in(variant.eff)
            by_size[gpus] = by_size.get(gpus, 0) + count
    return by_size


def _cluster(
    statement: Held, target: int, counted: dict[int, int], at: tuple[Address, ...], members: IndexSet
) -> Verdict:
    total = sum(gpus * count for gpus, count in counted.items())
    parts = [f"{count} x {gpus}" for gpus, count in counted.items() if gpus]
    if not total:
        text = (
            msg("No server has a GPU, {target} stated: {difference}.", target=target, difference=_difference(0, target))
            if target
            else msg("No server has a GPU, as stated.")
        )
    elif total == target:
        text = msg("{total} GPUs ({parts}), as stated.", total=total, parts=parts)
    else:
        text = msg(
            "{total} GPUs ({parts}), {target} stated: {difference}.",
            total=total,
            parts=parts,
            target=target,
            difference=_difference(total, target),
        )
    return Verdict(statement, total == target, text, at, members, None, float(total), float(target), "GPUs")


def _servers(
    statement: Held, target: int, counted: dict[int, int], at: tuple[Address, ...], members: IndexSet
) -> Verdict:
    total = sum(counted.values())
    text = (
        msg("{total} servers, as stated.", total=total)
        if total == target
        else msg(
            "{total} servers, {target} stated: {difference}.",
            total=total,
            target=target,
            difference=_difference(total, target),
        )
    )
    return Verdict(statement, total == target, text, at, members, None, float(total), float(target), "servers")


def _per_server(
    statement: Held, target: int, counted: dict[int, int], at: tuple[Address, ...], members: IndexSet
) -> Verdict:
    worst = max(counted, key=lambda gpus: (gpus != target, abs(gpus - target)), default=0)
    text = (
        msg("{total} GPUs in each server, as stated.", total=worst)
        if worst == target
        else msg(
            "{count} servers have {total} GPUs, {target} stated: {difference}.",
            count=counted.get(worst, 0),
            total=worst,
            target=target,
            difference=_difference(worst, target),
        )
    )
    return Verdict(statement, worst == target, text, at, members, None, float(worst), float(target), "GPUs")


def _resized(context: RuleContext, groups: Groups, count: int) -> tuple[EditCall, ...]:
    """The edit that gives the only group so many servers; none where cables, racks or exceptions hang on its size."""
    items = {v.item for v in context.variants() if not groups or v.item in groups}
    item = next(iter(items), "")
    row, root = context.group(item), context.design.sheets.get(context.design.root)
    if len(items) != 1 or row is None or root is None or row.except_ or any(m is not None for m in groups.values()):
        return ()
    if item in root.seats or any(split_end(end)[0] == item for link in root.links.values() for end in (link.a, link.b)):
        return ()
    outer = prod(size for _, size in row.axes[:-1])
    if count < 1 or count % outer:
        return ()
    return (context.edit("set_count", context.design.root, item=item, count=count),)


def _members(context: RuleContext, groups: Groups) -> IndexSet:
    first = next((v.item for v in context.variants() if not groups or v.item in groups), None)
    members = IndexSet()
    for variant in context.variants():
        if variant.item == first:
            members = members.union(variant.members)
    return members


def _difference(total: int, target: int) -> Message:
    if total < target:
        return msg("{count} missing", count=target - total)
    return msg("{count} too many", count=total - target)


@record
class _Kind:
    """One GPU model of the job: how many, how fast, and where."""

    part: Part
    count: int
    tflops: float
    places: tuple[tuple[Variant, str], ...]


@rule(
    "GPU-03",
    "warning",
    needs=("effective",),
    scope="design",
    group="scale",
    subject="cluster",
    title=N_("Different GPU models in one job"),
    checks=N_("All GPUs that take part (the groups named as ranks, else all) are of one model."),
    reason=N_(
        "Data-parallel ranks wait for each other after every step, so the slowest sets the pace; GPUs beside an "
        "NVLink baseboard have no NVLink to it."
    ),
    source="seedB SD26",
    direction="down",
)
def gpu_03(context: RuleContext) -> Iterator[Finding]:
    kinds = _kinds(context)
    if len(kinds) < 2:
        return
    most = max(kinds, key=lambda kind: kind.count)
    for kind in kinds:
        if kind is most:
            continue
        slow, fast = sorted((kind, most), key=lambda k: k.tflops)
        known = slow.tflops > 0
        least, largest = sorted(k.part.get("memory_gb") for k in (kind, most))
        text = (
            msg(
                "{count} x {gpu} among {others} x {other}: the smaller memory bounds the job "
                "({least} against {largest} GB).",
                count=kind.count,
                gpu=label(kind.part),
                others=most.count,
                other=label(most.part),
                least=least,
                largest=largest,
            )
            if known and slow.tflops > 0.99 * fast.tflops and 0 < least < largest
            else msg(
                "{count} x {gpu} among {others} x {other}: the slower sets the pace ({slow} against {fast} TFLOPS).",
                count=kind.count,
                gpu=label(kind.part),
                others=most.count,
                other=label(most.part),
                slow=slow.tflops,
                fast=fast.tflops,
            )
            if known
            else msg(
                "{count} x {gpu} among {others} x {other}: the slower sets the pace.",
                count=kind.count,
                gpu=label(kind.part),
                others=most.count,
                other=label(most.part),
            )
        )
        at = tuple(dict.fromkeys(variant.at(gpu) for variant, gpu in kind.places))
        members = IndexSet()
        for variant, _ in kind.places:
            if variant.item == kind.places[0][0].item:
                members = members.union(variant.members)
        yield context.finding(
            at,
            text,
            members=members,
            sheet=kind.places[0][0].sheet,
            measured=slow.tflops if known else None,
            allowed=fast.tflops if known else None,
            unit="TFLOPS" if known else "",
            values={"models": {label(k.part): k.count for k in kinds}},
            estimate=known and not all(_read(k.part) for k in (kind, most)),
        )


def _kinds(context: RuleContext) -> list[_Kind]:
    ranked = set(context.design.ranks)
    counts: dict[str, int] = {}
    places: dict[str, list[tuple[Variant, str]]] = {}
    parts: dict[str, Part] = {}
    for variant in context.variants():
        if ranked and variant.item and variant.item not in ranked:
            continue
        for item_id in sorted(variant.eff.items, key=natural_key):
            item = variant.eff.items[item_id]
            if item.kind == "gpu" and item.part is not None:
                parts[item.of] = item.part
                counts[item.of] = counts.get(item.of, 0) + len(variant.members)
                places.setdefault(item.of, []).append((variant, item_id))
    return [_Kind(parts[of], counts[of], parts[of].get("bf16_tflops"), tuple(places[of])) for of in sorted(counts)]


def _read(part: Part) -> bool:
    figure = part.figures.get("bf16_tflops")
    return figure is not None and figure.confidence == "read"
