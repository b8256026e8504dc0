"""NIC: what a card's ports, its host link and the claims about it come to."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.design.indexset import IndexSet
from fabricwright.design.options import effective_value, stated
from fabricwright.rules.card import item_label
from fabricwright.rules.compute_ports import CabledNic, bond_of, cabled_nics, compute_ports
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.pcie_path import PAYLOAD_SHARE, device_link, raw_gbps, server_view
from fabricwright.rules.predicates import slot_assumed
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import Held, about_design, at_item, group_members, held
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record
from fabricwright.units.text import N_, msg

SAME = 0.005
"""Two stated rates within half a percent are one."""


def net_gbps(item: EffItem) -> list[float]:
    """Line rates of an item's network ports in its mode, Gb/s."""
    return [p.gbps for p in item.ports.values() if p.role == "net" and p.gbps and p.medium in ("eth", "ib")]


@record
class HostLink:
    """The PCIe link that feeds a card's ports: towards the processor, or to GPUs below a card with its own bridge."""

    lanes: int
    gen: int

    @property
    def raw_gbps(self) -> float:
        """Gb/s after encoding."""
        return raw_gbps(self.lanes, self.gen)


def host_link(context: RuleContext, variant: Variant, item: str) -> HostLink | None:
    """The faster of both sides; None when the card hangs on nothing."""
    view = server_view(variant.eff, context.project.parts)
    up = device_link(view, item)
    if up is None or not up.parent:
        return None
    links = [HostLink(up.lanes, up.gen)]
    links += [HostLink(feed.lanes, feed.gen) for feed in view.tree.feeds.values() if feed.parent == item]
    return max(links, key=lambda link: link.raw_gbps)


def host_gbps(context: RuleContext, variant: Variant, item: str) -> float:
    """Raw Gb/s of the card's host link; 0 when it hangs on nothing."""
    link = host_link(context, variant, item)
    return link.raw_gbps if link is not None else 0.0


def _claims(context: RuleContext, variant: Variant, *quantities: str) -> Iterator[tuple[Held, str, IndexSet, float]]:
    for statement in held(context.project, *quantities):
        found = at_item(context, statement, variant)
        value = statement.number
        if found is not None and value is not None and variant.eff.items[found[0]].kind == "nic":
            yield statement, found[0], found[1], value


@rule(
    "NIC-01",
    "error",
    needs=("effective", "statements", "fabric"),
    group="NIC, ports, cables, optics",
    subject="nic",
    direction="up",
    title=N_("More than the host link of a NIC carries"),
    checks=N_(
        "What must flow at once (a claim, or ports stated active together) is within the raw rate of the card's "
        "PCIe link."
    ),
    reason=N_("Gen3, 4, 5, 6 x16 carry 126, 252, 504, 944 Gb/s after encoding, whatever the cages could do."),
    source="mleng; seedB SD02",
)
def nic_01(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    for statement, nic, members, value in _claims(context, variant, "nic.aggregate_gbps"):
        raw = host_gbps(context, variant, nic)
        if raw and value > raw * (1 + SAME):
            yield _too_much(context, variant, nic, members, value, raw, statement)
    for use in cabled_nics(context, variant):
        raw = host_gbps(context, variant, use.item)
        if bond_of(context, variant, use.item) == "active-active" and raw and use.gbps > raw * (1 + SAME):
            yield _too_much(context, variant, use.item, use.members, use.gbps, raw, None)


def _too_much(
    context: RuleContext,
    variant: Variant,
    nic: str,
    members: IndexSet,
    asked: float,
    raw: float,
    statement: Held | None,
) -> Finding:
    return context.finding(
        (variant.at(nic),),
        msg(
            "{asked} Gb/s asked of {nic}; its host link carries {raw} Gb/s.",
            asked=round(asked),
            nic=item_label(variant.eff.items[nic]),
            raw=round(raw),
        ),
        variant=variant,
        members=members,
        measured=asked,
        allowed=raw,
        unit="Gb/s",
        values={"statement": statement.id} if statement else {},
    )


@rule(
    "NIC-04",
    "warning",
    needs=("effective", "fabric", "statements"),
    group="NIC, ports, cables, optics",
    subject="nic",
    direction="up",
    title=N_("Cabled ports outrun the host link of a NIC"),
    checks=N_(
        "The cabled ports of a card together are within 88 % of its raw PCIe rate (Gen3, 4, 5, 6 x16: 110, 221, "
        "443, 830 Gb/s)."
    ),
    reason=N_(
        "PCIe packets cost about 12 %. As redundancy two such ports are fine; together they do not reach their rate."
    ),
    source="EK CX-6; mleng 88 %; field cases C018, C020, C027",
)
def nic_04(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    impossible = {
        nic
        for _, nic, _, value in _claims(context, variant, "nic.aggregate_gbps")
        if (raw := host_gbps(context, variant, nic)) and value > raw * (1 + SAME)
    }
    cabled = cabled_nics(context, variant)
    view = server_view(variant.eff, context.project.parts)
    for use in cabled:
        item = variant.eff.items[use.item]
        link = host_link(context, variant, use.item)
        bond = bond_of(context, variant, use.item)
        if link is None or use.item in impossible or bond == "active-standby":
            continue
        if bond == "active-active" and use.gbps > host_gbps(context, variant, use.item) * (1 + SAME):
            continue  # NIC-01
        halves = functions_of_card(variant, use.item)
        limit = PAYLOAD_SHARE * sum(host_gbps(context, variant, half) for half in halves)
        mine = [u for u in cabled if u.item in halves and len(u.members.minus(use.members)) < len(u.members)]
        gbps = _through_cages(variant, mine)
        if gbps > limit * 1.001 and use.item == min((u.item for u in mine), key=natural_key):
            yield context.finding(
                (variant.at(use.item),),
                msg(
                    "{nic}: its Gen{gen} x{lanes} link carries {limit} of the {gbps} Gb/s of its cabled port.",
                    nic=item_label(item),
                    gen=link.gen,
                    lanes=link.lanes,
                    limit=round(limit),
                    gbps=round(gbps),
                )
                if len(halves) == 1 and use.ports == 1
                else msg(
                    "{nic}: its Gen{gen} x{lanes} link carries {limit} of the {gbps} Gb/s cabled; as redundancy "
                    "this is fine.",
                    nic=item_label(item),
                    gen=link.gen,
                    lanes=link.lanes,
                    limit=round(limit),
                    gbps=round(gbps),
                )
                if len(halves) == 1
                else msg(
                    "{nic}: the {n} links of the card ({halves}) carry {limit} of the {gbps} Gb/s cabled; as "
                    "redundancy this is fine.",
                    nic=item_label(item),
                    n=len(halves),
                    halves=halves,
                    limit=round(limit),
                    gbps=round(gbps),
                ),
                variant=variant,
                members=use.members,
                measured=gbps,
                allowed=limit,
                unit="Gb/s",
                values={"ports": use.ports, "lanes": link.lanes, "gen": link.gen},
                estimate=item.estimate or any(slot_assumed(view, variant.eff.items[half].seat) for half in halves),
            )


def functions_of_card(variant: Variant, nic: str) -> list[str]:
    """The NIC and the other PCIe functions of its card (same stated base GUID), natural order: each has a host link of
    its own, and all of them send through the same cages.
    """
    guid = stated(variant.eff.items[nic].config, "base_guid")
    if guid is None:
        return [nic]
    same = [i.id for i in variant.eff.items.values() if i.kind == "nic" and stated(i.config, "base_guid") == guid]
    return sorted(same, key=natural_key)


def _through_cages(variant: Variant, uses: list[CabledNic]) -> float:
    """Gb/s cabled to one card: functions that share a cage (config ``cage``, else all of their ports) count once."""
    by_cage: dict[str, float] = {}
    for use in uses:
        cage = str(stated(variant.eff.items[use.item].config, "cage") or "")
        by_cage[cage] = max(by_cage.get(cage, 0.0), use.gbps)
    return sum(by_cage.values())


@rule(
    "NIC-05",
    "warning",
    needs=("effective", "root", "statements", "settings"),
    group="NIC, ports, cables, optics",
    subject="flow",
    direction="up",
    title=N_("One flow wants more than one port"),
    checks=N_(
        "A stated single-flow rate is within one port; a bond with one queue pair per connection is not counted "
        "as its sum."
    ),
    reason=N_("A flow is hashed onto one port. Only several flows or queue pairs fill a bond."),
    source="seedB SD03; field case C043",
)
def nic_05(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    for statement, nic, members, value in _flow_targets(context, variant):
        item = variant.eff.items[nic]
        rates = net_gbps(item)
        if rates and value > max(rates) * (1 + SAME):
            yield context.finding(
                (variant.at(nic),),
                msg(
                    "A single flow of {value} Gb/s is stated for {nic}; one flow uses one port of {port} Gb/s.",
                    value=value,
                    nic=item_label(item),
                    port=max(rates),
                ),
                variant=variant,
                members=members,
                measured=value,
                allowed=max(rates),
                unit="Gb/s",
                values={"statement": statement.id},
            )
    queue_pairs, assumed = effective_value(context.settings, "design", "ecmp.qps")
    if isinstance(queue_pairs, (int, float)) and queue_pairs > 1:
        return
    compute = {port.rpartition(":")[0] for port in compute_ports(context, variant).ports}
    for item_id in sorted(variant.eff.items):
        item = variant.eff.items[item_id]
        rates = net_gbps(item)
        if item.kind != "nic" or len(rates) < 2 or (compute and item_id not in compute):
            continue  # many clients fill a bond of another network
        if bond_of(context, variant, item_id) in (True, "active-active", "lacp"):
            yield context.finding(
                (variant.at(item_id),),
                msg(
                    "{nic} is bonded, one queue pair per connection (not stated, 1 assumed): {port} of {sum} Gb/s.",
                    nic=item_label(item),
                    port=max(rates),
                    sum=sum(rates),
                )
                if assumed
                else msg(
                    "{nic} is bonded and a connection has one queue pair: {port} of {sum} Gb/s.",
                    nic=item_label(item),
                    port=max(rates),
                    sum=sum(rates),
                ),
                variant=variant,
                measured=sum(rates),
                allowed=max(rates),
                unit="Gb/s",
                fix=(EditCall("set_setting", {"design": context.design_id, "key": "ecmp.qps", "value": 2}),),
            )


def _flow_targets(context: RuleContext, variant: Variant) -> Iterator[tuple[Held, str, IndexSet, float]]:
    yield from _claims(context, variant, "flow.single_gbps")
    for statement in held(context.project, "flow.single_gbps"):
        value = statement.number
        group = group_members(context, statement)
        if value is None or not about_design(statement, context.design_id):
            continue
        if statement.scope == "design" or (group is not None and group[0] == variant.item):
            nics = dict.fromkeys(p.rpartition(":")[0] for p in compute_ports(context, variant).ports)
            best = max(nics, key=lambda n: max(net_gbps(variant.eff.items[n]), default=0.0), default=None)
            if best is not None:
                yield statement, best, variant.members, value
