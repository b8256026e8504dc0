"""LSL-06 to LSL-10: packet sizes, marks, routes and receivers along the way of RDMA over Ethernet."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.calls import EditCall
from fabricwright.rules.card import item_label
from fabricwright.rules.compute_ports import bond_of, cabled_nics
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.fabric import at_item
from fabricwright.rules.fabric_cabling import cabling
from fabricwright.rules.fabric_joined import components
from fabricwright.rules.finding import Finding
from fabricwright.rules.lossless import NEEDS
from fabricwright.rules.lossless_view import lossless, rdma_links
from fabricwright.rules.nic_lists import narrowest_gbs
from fabricwright.rules.pcie_path import PAYLOAD_SHARE, ServerView, server_view
from fabricwright.rules.registry import rule
from fabricwright.rules.switched import switched
from fabricwright.topology.classes import flag
from fabricwright.topology.roce import RDMA_MTU, RoceEnd, RoceLink, at_end, dscp_map, payload_of, priority_of
from fabricwright.topology.stated import stated_figure
from fabricwright.topology.switch_ports import stated_priorities
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

HEADER_ROOM = 256
"""A switch's MTU counts headers that a host's does not: 9216 beside 9000 is one setting."""


def _pairs(link: RoceLink) -> Iterator[tuple[RoceEnd, RoceEnd]]:
    return ((a, b) for a in link.a for b in link.b)


def _mtu(context: RuleContext, link: RoceLink, side: str, end: RoceEnd) -> float | None:
    return stated_figure(at_end(link, side, end, context.settings, "mtu")) or None


@rule(
    "LSL-06",
    "error",
    needs=NEEDS,
    scope="design",
    group="lossless",
    subject="mtu",
    direction="up",
    title=N_("MTU differs along a path"),
    checks=N_(
        "The stated MTUs of both ends of a hop are equal; a switch may have up to 256 B more than a NIC, for headers."
    ),
    reason=N_("The larger frames are dropped in silence; RDMA retries until it times out (transport retry error)."),
    source="EK; field case C052",
)
def lsl_06(context: RuleContext) -> Iterator[Finding]:
    for link in rdma_links(context):
        for a, b in _pairs(link):
            sizes = [_mtu(context, link, "a", a), _mtu(context, link, "b", b)]
            if None in sizes:
                continue
            small, large = sorted(((n or 0.0), end) for n, end in zip(sizes, (0, 1), strict=True))
            ends = (a, b)
            spare = large[0] - small[0]
            if not spare or (spare <= HEADER_ROOM and not ends[large[1]].nic and ends[small[1]].nic):
                continue
            yield context.finding(
                (at_item(link.link),),
                msg(
                    "MTU {a} B at {first} against {b} B at {second} on link {link}: larger frames are dropped, the "
                    "transport retries until it gives up.",
                    a=round(sizes[0] or 0),
                    first=a.name,
                    b=round(sizes[1] or 0),
                    second=b.name,
                    link=link.link,
                ),
                measured=spare,
                allowed=0.0,
                unit="B",
                values={"a": sizes[0], "b": sizes[1]},
                fix=(_at_link(context, link, "mtu", round(large[0])),),
            )
            break


def _at_link(context: RuleContext, link: RoceLink, key: str, value: str | int) -> EditCall:
    """State a key at both ends of a link."""
    return context.edit("set_link", context.design.root, link=link.link, config={f"{key}.a": value, f"{key}.b": value})


@rule(
    "LSL-07",
    "warning",
    needs=NEEDS,
    scope="design",
    group="lossless",
    subject="dscp",
    title=N_("Packets leave the lossless class"),
    checks=N_(
        "Both ends of every hop trust the same mark, with the same map to priorities and the same lossless ones; the "
        "traffic class stated for NCCL falls into a lossless one."
    ),
    reason=N_("In another priority nothing pauses: packets are dropped although PFC is on."),
    source="EK; field case C050",
)
def lsl_07(context: RuleContext) -> Iterator[Finding]:
    settings, root = context.settings, context.root
    switches: dict[str, None] = {}
    for link in rdma_links(context):
        switches.update(dict.fromkeys(end.item for _, end in link.sides() if not end.nic))
        yield from _differing(context, link)
    tc = stated_figure(settings.get("nccl.ib_tc"))
    if tc is None:
        return
    dscp = int(tc) // 4
    lost = []
    for item in switches:
        lossless_ones = stated_priorities(root.items[item], settings)
        stated = dscp_map(root.items[item].config.get("qos.dscp_map")) or dscp_map(settings.get("qos.dscp_map"))
        if lossless_ones and priority_of(dscp, stated) not in lossless_ones:
            lost.append((item, priority_of(dscp, stated), lossless_ones))
    if lost:
        item, priority, lossless_ones = lost[0]
        marks = dscp_map(settings.get("qos.dscp_map")) or {}
        wanted = next((d for d, p in sorted(marks.items()) if p in lossless_ones), lossless_ones[0] * 8)
        yield context.finding(
            tuple(at_item(name) for name, _, _ in lost),
            msg(
                "Traffic class {tc} is DSCP {dscp}, which {switch} puts into priority {priority}; lossless there: "
                "{lossless}.",
                tc=int(tc),
                dscp=dscp,
                switch=item_label(root.items[item]),
                priority=priority,
                lossless=list(lossless_ones),
            ),
            values={"dscp": dscp, "priority": priority},
            fix=(EditCall("set_setting", {"design": context.design_id, "key": "nccl.ib_tc", "value": wanted * 4}),),
        )


def _differing(context: RuleContext, link: RoceLink) -> Iterator[Finding]:
    """The first key in which the two ends of a link differ."""
    settings = context.settings
    for a, b in _pairs(link):
        values = {
            key: (at_end(link, "a", a, settings, key), at_end(link, "b", b, settings, key))
            for key in ("qos.trust", "qos.dscp_map", "pfc.priorities")
        }
        trust = [str(v).strip().lower() for v in values["qos.trust"] if v is not None]
        where = {"link": link.link, "first": a.name, "second": b.name}
        if len(trust) == 2 and trust[0] != trust[1]:
            yield context.finding(
                (at_item(link.link),),
                msg(
                    "Link {link}: {first} trusts {a}, {second} trusts {b}; the lossless class is lost on the way.",
                    **where,
                    a=trust[0].upper(),
                    b=trust[1].upper(),
                ),
                values=dict(zip("ab", trust, strict=True)),
                fix=(_at_link(context, link, "qos.trust", "dscp"),),
            )
            return
        maps = [dscp_map(v) for v in values["qos.dscp_map"]]
        one, two = maps
        if one is not None and two is not None:
            differ = sorted(d for d in {*one, *two} if priority_of(d, one) != priority_of(d, two))
            if differ:
                yield context.finding(
                    (at_item(link.link),),
                    msg(
                        "Link {link}: DSCP {dscp} is priority {a} at {first} and {b} at {second}.",
                        **where,
                        dscp=differ[0],
                        a=priority_of(differ[0], one),
                        b=priority_of(differ[0], two),
                    ),
                    values={"dscp": differ},
                )
                return
        if not a.nic and not b.nic:
            sets = [stated_priorities(context.root.items[end.item], settings) for end in (a, b)]
            if all(sets) and sets[0] != sets[1]:
                yield context.finding(
                    (at_item(link.link),),
                    msg(
                        "Link {link}: priorities {a} are lossless at {first}, {b} at {second}.",
                        **where,
                        a=list(sets[0]),
                        b=list(sets[1]),
                    ),
                    values={"a": list(sets[0]), "b": list(sets[1])},
                )
                return


@rule(
    "LSL-08",
    "warning",
    needs=NEEDS,
    scope="design",
    group="lossless",
    subject="deadlock",
    title=N_("PFC deadlock possible"),
    checks=N_(
        "With PFC, routes only go up and then down: none climbs again (stated), and no ring of switches of one tier is "
        "drawn; or a PFC watchdog is stated."
    ),
    reason=N_("Buffers that wait for one another in a ring all stay paused; only a watchdog that drops them helps."),
    source="EK",
)
def lsl_08(context: RuleContext) -> Iterator[Finding]:
    links = [link for link in rdma_links(context) if lossless(context, link)]
    if not links or flag(context.settings.get("pfc.watchdog"), False):
        return
    watchdog = EditCall("set_setting", {"design": context.design_id, "key": "pfc.watchdog", "value": "on"})
    if switched(context.settings.get("routes.valley")):
        switches = sorted({end.item for link in links for _, end in link.sides() if not end.nic}, key=natural_key)
        yield context.finding(
            tuple(at_item(item) for item in switches),
            msg(
                "Routes that climb again after they went down, with PFC: buffers may wait for one another in a ring. "
                "Route up and then down only, or turn the PFC watchdog on."
            ),
            fix=(watchdog,),
        )
        return
    ring = _ring(context, {link.link for link in links})
    if ring:
        yield context.finding(
            tuple(at_item(item) for item in ring),
            msg(
                "Switches of one tier ({switches}) are joined in a ring, with PFC: buffers may wait for one another. "
                "Turn the PFC watchdog on, or route up and then down only.",
                switches=ring,
            ),
            fix=(watchdog,),
        )


def _ring(context: RuleContext, links: set[str]) -> list[str]:
    """Switch items with a ring of three or more devices over cables of one tier; parallel cables are none. Where no
    end point tells the tiers, a ring counts only with an odd number of switches: leafs and spines give even ones.
    """
    fabric, seen = context.fabric(), cabling(context)
    mine = np.array([b.link in links for b in fabric.bundles], dtype=bool)
    level = seen.between & seen.live & mine[fabric.bundle] & (fabric.tier[seen.a] == fabric.tier[seen.b])
    pairs = np.unique(np.sort(np.stack((seen.a[level], seen.b[level]), axis=1), axis=1), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    if len(pairs) < 3:
        return []
    devices, flat = np.unique(pairs, return_inverse=True)
    edges, size = flat.reshape(pairs.shape), len(devices)
    label = components(size, edges[:, 0], edges[:, 1])
    nodes = np.bincount(label, minlength=size)
    rows = np.bincount(label[edges[:, 0]], minlength=size)
    # Every switch twice, every cable from one copy to the other: both copies meet over an odd ring only.
    low, high = np.concatenate((edges, edges[:, ::-1])).T
    twice = components(2 * size, low, high + size)
    closed = (fabric.tier[devices] > 0) | (twice[:size] == twice[size:])
    hit = devices[(rows >= nodes)[label] & closed]
    return sorted({fabric.device_name(int(d))[0] for d in hit[:64]}, key=natural_key)


@rule(
    "LSL-09",
    "warning",
    needs=("effective", "root", "fabric", "settings"),
    group="lossless",
    subject="nic",
    direction="down",
    title=N_("Receiver slower than its port pauses the fabric"),
    checks=N_(
        "With PFC, the PCIe way behind a NIC (to its GPUs, or to host memory where such traffic is stated) carries the "
        "rate of its ports."
    ),
    reason=N_("What a receiver cannot take away fills its switch; the pause spreads to flows that only pass by."),
    source="C047, C068 (from field cases)",
)
def lsl_09(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    if not variant.item:
        return
    paused = {
        end.nic
        for link in rdma_links(context)
        for _, end in link.sides()
        if end.nic and end.item == variant.item and end.sheet == variant.sheet and lossless(context, link)
    }
    if not paused:
        return
    view = server_view(variant.eff, context.project.parts)
    to_host = flag(context.settings.get("traffic.host"), False)
    for use in cabled_nics(context, variant):
        if use.item not in paused:
            continue
        item = variant.eff.items[use.item]
        standby = bond_of(context, variant, use.item) == "active-standby"
        wanted = use.gbps / (use.ports if standby else 1)
        carried = PAYLOAD_SHARE * 8 * _behind(view, use.item, to_host)
        if carried and carried < wanted * 0.999:
            yield context.finding(
                (variant.at(use.item),),
                msg(
                    "{nic} takes {carried} of the {wanted} Gb/s of its ports from the wire and pauses the fabric.",
                    nic=item_label(item),
                    carried=round(carried),
                    wanted=round(wanted),
                ),
                variant=variant,
                members=use.members,
                measured=carried,
                allowed=wanted,
                unit="Gb/s",
                estimate=item.estimate,
            )


def _behind(view: ServerView, nic: str, to_host: bool) -> float:
    """GB/s that a NIC can hand on: to the processor, or to the best of the GPUs below the same switch; 0 = unknown."""
    gpus = [item.id for item in view.eff.items.values() if item.kind == "gpu" and item.id in view.tree.feeds]
    meets = {view.tree.meeting(gpu, nic) for gpu in gpus} - {""}
    near = [m for m in meets if m not in view.tree.cpus]
    ways = [narrowest_gbs(view, nic, m) for m in near] if near and not to_host else [narrowest_gbs(view, nic, "")]
    best = max(ways, default=0.0)
    return best if best != float("inf") else 0.0


@rule(
    "LSL-10",
    "warning",
    needs=NEEDS,
    scope="design",
    group="lossless",
    subject="mtu",
    direction="down",
    title=N_("Small packets of RDMA over Ethernet"),
    checks=N_("Stated MTUs let RDMA packets carry 4096 B: 9000 B on the ports, 4096 B of data."),
    reason=N_("A quarter of the data per packet is four times the packets for NICs and switches, and more headers."),
    source="EK",
)
def lsl_10(context: RuleContext) -> Iterator[Finding]:
    stated = stated_figure(context.settings.get("roce.mtu")) or None
    small: dict[str, float] = {}
    for link in rdma_links(context):
        sizes = [n for side, end in link.sides() if (n := _mtu(context, link, side, end)) is not None]
        if sizes and payload_of(min(sizes)) < RDMA_MTU[0]:
            small[link.link] = min(sizes)
    if small:
        least = min(small.values())
        payload = payload_of(least)
        yield context.finding(
            tuple(at_item(link) for link in sorted(small, key=natural_key)),
            msg(
                "MTU {mtu} B leaves {payload} B of data per RDMA packet; 9000 B carry 4096 B.",
                mtu=round(least),
                payload=payload,
            ),
            measured=float(payload),
            allowed=float(RDMA_MTU[0]),
            unit="B",
        )
    elif stated is not None and stated < RDMA_MTU[0] and rdma_links(context):
        links = sorted({link.link for link in rdma_links(context)}, key=natural_key)
        yield context.finding(
            tuple(at_item(link) for link in links),
            msg("RDMA packets carry {payload} B (stated); 4096 B fit ports of 9000 B.", payload=round(stated)),
            measured=stated,
            allowed=float(RDMA_MTU[0]),
            unit="B",
            fix=(EditCall("set_setting", {"design": context.design_id, "key": "roce.mtu", "value": RDMA_MTU[0]}),),
        )
