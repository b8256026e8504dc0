"""LAN-09, LAN-14, LAN-15: drives and NICs behind one link, and switch uplinks on one root complex."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.design.calls import EditCall
from fabricwright.rules.card import item_label
from fabricwright.rules.compute_ports import cabled_nics
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.lanes import is_switch
from fabricwright.rules.moves import move_to_better_slot
from fabricwright.rules.pcie_path import PAYLOAD_SHARE, ServerView, device_link, raw_gbps, raw_gbs, server_view
from fabricwright.rules.registry import rule
from fabricwright.rules.switched import switched
from fabricwright.rules.uplinks import HOST_TRAFFIC
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

DRIVE_RATIO = 2
"""Lanes of drives per lane of the shared uplink that are common practice (EK)."""

ROOT_SHARE = 73 / 114
"""Host DMA of eight GPUs behind two Gen5 x16 uplinks on one root complex, against two on two: 73 and 114 GB/s measured
on one board (field case C142)."""


def _bridges(view: ServerView) -> Iterator[str]:
    """Switches and bridges with an uplink, the deepest first."""
    nodes = [n for n in view.tree.feeds if n in view.eff.items and n not in view.tree.cpus and view.tree.levels(n) > 0]
    yield from sorted(nodes, key=lambda n: (-len(view.tree.chain(n)), natural_key(n)))


def _below(view: ServerView, node: str, kind: str) -> list[str]:
    found = [n for n, item in view.eff.items.items() if item.kind == kind and node in view.above(n)]
    return sorted(found, key=natural_key)


@rule(
    "LAN-09",
    "warning",
    needs=("effective",),
    group="lanes & generation",
    subject="NVMe",
    direction="up",
    title=N_("Too many drives on one uplink"),
    checks=N_("The lanes of the drives behind a shared uplink are at most twice those of the uplink."),
    reason=N_("Drives are rarely all busy, so 2:1 is common; beyond that the uplink is what they wait for."),
    source="EK",
)
def lan_09(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    for node in _bridges(view):
        drives = _below(view, node, "nvme")
        link = device_link(view, node)
        lanes = sum(view.tree.feeds[d].lanes for d in drives)
        if link is None or not link.lanes or lanes <= DRIVE_RATIO * link.lanes:
            continue
        yield context.finding(
            (variant.at(node),),
            msg(
                "{count} drives, {lanes} lanes, behind x{uplink} of {switch}: {ratio}:1.",
                count=len(drives),
                lanes=lanes,
                uplink=link.lanes,
                switch=item_label(variant.eff.items[node]),
                ratio=round(lanes / link.lanes, 2),
            ),
            variant=variant,
            measured=float(lanes),
            allowed=float(DRIVE_RATIO * link.lanes),
            unit="lanes",
            values={"drives": drives},
            fix=_elsewhere(context, variant, view, node, drives),
            estimate=variant.eff.items[node].estimate,
        )


def _elsewhere(
    context: RuleContext, variant: Variant, view: ServerView, node: str, items: list[str]
) -> tuple[EditCall, ...]:
    """Move the last of ``items`` that can go to a slot that does not hang below ``node``."""

    def outside(seat: str) -> bool:
        owner = view.feed_of_slot(seat)[0]
        return owner != node and node not in view.above(owner)

    for item_id in reversed(items):
        moved = move_to_better_slot(context, variant, view, item_id, outside)
        if moved:
            return moved
    return ()


@rule(
    "LAN-14",
    "warning",
    needs=("effective", "fabric"),
    group="lanes & generation",
    subject="bridge, nic",
    direction="up",
    title=N_("Several NICs behind one link"),
    checks=N_(
        "The ports of the NICs behind one shared link are within 88 % of its raw rate (Gen4 x16 221, Gen5 x16 "
        "443 Gb/s). Where GPUs hang below the same switch, NIC traffic stays there and the rule is silent."
    ),
    reason=N_("What the ports bring must pass the one link above them, whatever the switch could do inside."),
    source="C015 (from field cases)",
)
def lan_14(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    shared = {node: _below(view, node, "nic") for node in _bridges(view)}
    shared = {n: nics for n, nics in shared.items() if len(nics) > 1 and not _below(view, n, "gpu")}
    if not shared:
        return
    cabled: dict[str, float] = {}
    for use in cabled_nics(context, variant):
        cabled[use.item] = max(cabled.get(use.item, 0.0), use.gbps)
    told: set[tuple[str, ...]] = set()
    for node, nics in shared.items():
        link = device_link(view, node)
        if link is None or not link.lanes or tuple(nics) in told:
            continue
        payload = PAYLOAD_SHARE * raw_gbps(link.lanes, link.gen)
        total = sum(min(cabled.get(n, 0.0) if cabled else _port_gbps(view, n), _own_gbps(view, n)) for n in nics)
        if total <= payload * 1.001:
            continue
        told.add(tuple(nics))
        yield context.finding(
            (variant.at(node), *(variant.at(n) for n in nics)),
            msg(
                "{count} NICs ({nics}) behind one x{lanes} Gen{gen} of {bridge}: {total} of {payload} Gb/s. If the "
                "switch has a port for each, draw it so.",
                count=len(nics),
                nics=nics,
                lanes=link.lanes,
                gen=link.gen,
                bridge=item_label(variant.eff.items[node]),
                total=round(total),
                payload=round(payload),
            ),
            variant=variant,
            measured=total,
            allowed=payload,
            unit="Gb/s",
            values={"nics": nics, "cabled_only": bool(cabled)},
            fix=_elsewhere(context, variant, view, node, nics),
            estimate=variant.eff.items[node].estimate,
        )


def _own_gbps(view: ServerView, nic: str) -> float:
    """What a NIC's own link leaves of its ports."""
    link = device_link(view, nic)
    return PAYLOAD_SHARE * raw_gbps(link.lanes, link.gen) if link is not None and link.lanes else float("inf")


def _port_gbps(view: ServerView, nic: str) -> float:
    ports = view.eff.items[nic].ports.values()
    return sum(p.gbps for p in ports if p.role == "net" and p.medium in ("eth", "ib"))


@rule(
    "LAN-15",
    "info",
    needs=("effective", "settings"),
    group="lanes & generation",
    subject="switch card",
    direction="down",
    title=N_("Switch uplinks share a root complex"),
    checks=N_(
        "With host traffic stated, the uplinks of PCIe switches end on root complexes of their own while others are "
        "free."
    ),
    reason=N_(
        "One root complex (a quadrant of the processor) passes less to host memory than its ports together. "
        "GPU-GPU traffic is not affected."
    ),
    source="C141, C142 (from field cases)",
)
def lan_15(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    if not switched(context.settings.get(HOST_TRAFFIC)):
        return
    view = server_view(variant.eff, context.project.parts)
    groups: dict[str, list[str]] = {}
    for item_id in sorted(variant.eff.items, key=natural_key):
        above = view.above(item_id)
        if is_switch(variant.eff.items[item_id]) and above and not any(view.tree.levels(n) for n in above):
            bridge = view.tree.root_port(item_id)[0]
            if bridge:
                groups.setdefault(bridge, []).append(item_id)
    for bridge, switches in groups.items():
        links = [link for s in switches if (link := device_link(view, s)) is not None]
        free = free_bridges(view, min((link.lanes for link in links), default=0)) - set(groups)
        if len(links) < 2 or not free:
            continue
        rates = sorted((PAYLOAD_SHARE * raw_gbs(link.lanes, link.gen) for link in links), reverse=True)
        apart = sum(rates)
        shared = min(apart, ROOT_SHARE * sum(rates[:2]))
        yield context.finding(
            [variant.at(s) for s in switches],
            msg(
                "{switches} share the root complex {bridge} while {free} are free: host DMA about {shared} instead of "
                "{apart} GB/s; GPU-GPU traffic is not affected.",
                switches=switches,
                bridge=bridge,
                free=sorted(free, key=natural_key),
                shared=round(shared),
                apart=round(apart),
            ),
            variant=variant,
            measured=shared,
            allowed=apart,
            unit="GB/s",
            values={"root_complex": bridge, "free": sorted(free, key=natural_key)},
            fix=_spread(context, variant, view, switches, free),
            estimate=True,
        )


def free_bridges(view: ServerView, lanes: int) -> set[str]:
    """Root complexes with a root port of so many lanes on which nothing hangs."""
    taken = {(feed.parent, feed.port) for feed in view.tree.feeds.values()}
    return {
        port.host_bridge or f"{cpu}:{name}"
        for cpu, ports in view.tree.root_ports.items()
        for name, port in ports.items()
        if (cpu, name) not in taken and port.lanes >= lanes
    }


def _spread(
    context: RuleContext, variant: Variant, view: ServerView, switches: list[str], free: set[str]
) -> tuple[EditCall, ...]:
    def elsewhere(seat: str) -> bool:
        owner, port, _ = view.feed_of_slot(seat)
        row = view.tree.root_ports.get(owner, {}).get(port)
        return row is not None and (row.host_bridge or f"{owner}:{port}") in free

    for item_id in reversed(switches):
        moved = move_to_better_slot(context, variant, view, item_id, elsewhere)
        if moved:
            return moved
    return ()
