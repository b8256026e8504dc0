"""LAN-02, LAN-05, LAN-13: the lanes of the processors together, and slots of a processor that is not fitted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabricwright.design.address import split_end
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.moves import move_to_better_slot, restate
from fabricwright.rules.pcie_path import ServerView, server_view, socket_lanes, xgmi_lanes, xgmi_links
from fabricwright.rules.registry import rule
from fabricwright.rules.switched import number_in
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

ROOM = 16
"""Lanes that are worth telling as free: one x16 card."""

DEVICES = frozenset({"gpu", "nic", "nvme", "cxl", "pcie-switch-card", "retimer"})


@rule(
    "LAN-02",
    "error",
    needs=("effective",),
    group="lanes & generation",
    subject="server",
    direction="up",
    title=N_("xGMI links take the lanes"),
    checks=N_(
        "On two EPYC sockets the lanes in use are within what the xGMI links leave: 128 with four, 160 with three."
    ),
    reason=N_("Each link between EPYC sockets costs one x16 per socket; the board decides how many there are."),
    source="sth_lanes; sth_asus",
)
def lan_02(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    uses = socket_lanes(view)
    if len(uses) != 2:
        return
    part = variant.eff.items[uses[0].cpu].part
    links, stated = xgmi_links(view)
    allowed = xgmi_lanes(part, links) if part is not None and links else 0
    used = sum(use.assigned for use in uses)
    if not allowed or used <= allowed or part is None:
        return
    fix: tuple[EditCall, ...] = ()
    if stated and used <= xgmi_lanes(part, 3):
        fix = tuple(
            call
            for use in uses
            if "xgmi_links" in variant.eff.items[use.cpu].config
            for call in restate(context, variant, use.cpu, "xgmi_links", "3")
        )
    text = (
        msg(
            "{used} lanes in use; two sockets with {links} xGMI links have {allowed}.",
            used=used,
            links=links,
            allowed=allowed,
        )
        if stated
        else msg(
            "{used} lanes in use; two sockets with {links} xGMI links (as the board has them) have {allowed}.",
            used=used,
            links=links,
            allowed=allowed,
        )
    )
    yield context.finding(
        [variant.at(use.cpu) for use in uses],
        text,
        variant=variant,
        measured=float(used),
        allowed=float(allowed),
        unit="lanes",
        values={"xgmi_links": links, "by_socket": {use.cpu: use.assigned for use in uses}},
        fix=fix,
        estimate=not stated and any(use.estimate for use in uses),
    )


def processors(variant: Variant) -> list[str]:
    """Processors of the board, those included that the drawing has taken out."""
    part = variant.eff.chassis_part
    inside = part.interior.items if part is not None and part.interior is not None else {}
    found = {i for i, row in inside.items() if any(p.role == "root" and p.medium == "pcie" for p in row.ports.values())}
    found |= {i for i, item in variant.eff.items.items() if item.kind == "cpu"}
    return sorted(found, key=natural_key)


def empty_sockets(context: RuleContext, variant: Variant) -> list[str]:
    """Processors that are not fitted: beyond the stated number, or taken out of the drawing."""
    cpus = processors(variant)
    fitted = number_in(context.config_of_chassis(variant.sheet).get("cpus_fitted"))
    dead = cpus[max(0, int(fitted)) :] if fitted is not None else []
    return [cpu for cpu in cpus if cpu in dead or cpu not in variant.eff.items]


def socket_of(view: ServerView, item_id: str, fed: Mapping[str, str]) -> str:
    """Processor that feeds an item, also one that is not there; "" when unknown. ``fed``: chip -> its processor."""
    top = split_end(view.tree.chain(item_id)[-1])[0]
    if top in view.tree.cpus:
        return top
    item = view.eff.items.get(top)
    slot = view.eff.slots.get(item.seat) if item is not None and item.seat else None
    owner = split_end(slot.fed_by)[0] if slot is not None and slot.fed_by else ""
    return fed.get(top) or fed.get(owner) or owner


def _fed_by(variant: Variant) -> dict[str, str]:
    """Board links as designed: lower item -> upper item, processors that were taken out included."""
    part = variant.eff.chassis_part
    if part is None or part.interior is None:
        return {}
    rows = part.interior.links.values()
    return {split_end(row.b)[0]: split_end(row.a)[0] for row in rows if row.medium in ("pcie", "dmi")}


@rule(
    "LAN-05",
    "warning",
    needs=("effective",),
    group="lanes & generation",
    subject="socket",
    title=N_("Slot of an absent processor"),
    checks=N_("No card sits in a slot whose processor is not fitted."),
    reason=N_("The lanes of a slot come from one processor; without it the slot is dead."),
    source="lenovo (SR645 table)",
)
def lan_05(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    dead = empty_sockets(context, variant)
    if not dead:
        return
    view = server_view(variant.eff, context.project.parts)
    fed = _fed_by(variant)
    built_in: dict[str, list[EffItem]] = {}
    for item_id in sorted(variant.eff.items, key=natural_key):
        item = variant.eff.items[item_id]
        if item.kind not in DEVICES or "/" in item_id:
            continue
        socket = socket_of(view, item_id, fed)
        if socket not in dead:
            continue
        if item.locked:
            built_in.setdefault(socket, []).append(item)
            continue
        alive = move_to_better_slot(
            context, variant, view, item_id, lambda seat: view.cpu_above(view.feed_of_slot(seat)[0]) not in ("", *dead)
        )
        yield context.finding(
            (variant.at(item_id),),
            msg("{card} hangs on {cpu}, which is not fitted: the slot is dead.", card=item_label(item), cpu=socket),
            variant=variant,
            values={"cpu": socket},
            fix=alive if item.seat else (),
        )
    for socket, items in built_in.items():
        yield context.finding(
            (variant.at(socket),) if socket in variant.eff.items else [variant.at(i.id) for i in items],
            msg(
                "{cpu} is not fitted; what the board hangs on it is dead: {items}.",
                cpu=socket,
                items=[i.id for i in items],
            ),
            variant=variant,
            measured=float(len(items)),
            allowed=0.0,
            unit="devices",
        )


@rule(
    "LAN-13",
    "fact",
    needs=("effective",),
    group="lanes & generation",
    subject="server",
    title=N_("Lanes left over"),
    checks=N_("Shown where 16 or more lanes of a server's processors feed nothing."),
    reason=N_("An x16 left over takes one more NIC or CXL card."),
    source="EK",
)
def lan_13(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    uses = socket_lanes(server_view(variant.eff, context.project.parts))
    dead = empty_sockets(context, variant)
    uses = [use for use in uses if use.cpu not in dead]
    if not uses or any(not use.available for use in uses):
        return
    free = {use.cpu: max(0, use.available - use.assigned) for use in uses}
    used, total = sum(use.assigned for use in uses), sum(use.available for use in uses)
    if sum(free.values()) >= ROOM:
        yield context.finding(
            (variant.at(),),
            msg("{free} lanes unused ({used} of {total}).", free=sum(free.values()), used=used, total=total),
            variant=variant,
            measured=float(sum(free.values())),
            unit="lanes",
            values={"free": free},
            estimate=any(use.estimate for use in uses),
        )
