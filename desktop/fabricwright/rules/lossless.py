"""LSL-01 to LSL-05: buffers of lossless switches, pause frames, and where marking begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from fabricwright.design.calls import EditCall
from fabricwright.design.indexset import IndexSet
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric import at_item
from fabricwright.rules.finding import Finding
from fabricwright.rules.lossless_view import buffers, clear_at, lossless, rdma_links
from fabricwright.rules.registry import rule
from fabricwright.topology.buffers import LARGEST_MTU, ecn_plan, headroom, pause_threshold
from fabricwright.topology.roce import RoceEnd, RoceLink, at_end, pauses
from fabricwright.topology.stated import stated_figure
from fabricwright.topology.switch_ports import SwitchBuffer, stated_priorities
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg

NEEDS = ("root", "fabric", "effective", "settings")
MOST_CLASSES = 2
FAR_M, FAST_GBPS = 300.0, 400.0


@rule(
    "LSL-01",
    "error",
    needs=NEEDS,
    scope="design",
    group="lossless",
    subject="switch",
    direction="up",
    title=N_("Headroom over the buffer of a switch"),
    checks=N_(
        "Where ports are stated to pause: headroom of all ports and lossless classes, and what is kept for others, fit "
        "the shared buffer of the switch."
    ),
    reason=N_("What arrives after a pause was asked for must find room, or it is dropped and nothing is lossless."),
    source="sonic",
)
def lsl_01(context: RuleContext) -> Iterator[Finding]:
    for found in buffers(context):
        use = found.use
        need = use.headroom + use.reserved
        if not use.buffer or need <= use.buffer * (1 + 1e-9):
            continue
        row = context.root.items[found.item]
        fewer = int((use.buffer - use.reserved) / (use.headroom / use.classes)) if use.headroom else 0
        yield context.finding(
            (at_item(found.item),),
            msg(
                "{switch}: {ports} ports x {classes} lossless classes take {need} MB of headroom, over the {buffer} MB "
                "of its buffer; shorter cables or fewer classes.",
                switch=item_label(row),
                ports=use.count,
                classes=use.classes,
                need=round(need / 1e6, 1),
                buffer=round(use.buffer / 1e6, 1),
            ),
            members=IndexSet.of_array(found.members),
            measured=need,
            allowed=use.buffer,
            unit="B",
            values={"method": ", ".join(sorted({p.headroom.source for p in use.ports})), "assumed": use.assumed},
            fix=_fewer_classes(context, found, fewer),
            estimate=use.estimate or use.assumed,
        )


def _fewer_classes(context: RuleContext, found: SwitchBuffer, most: int) -> tuple[EditCall, ...]:
    if not 1 <= most < len(found.priorities):
        return ()
    return _state(context, found.item, "pfc.priorities", ",".join(str(p) for p in found.priorities[:most]))


def _state(context: RuleContext, item: str, key: str, value: str | float) -> tuple[EditCall, ...]:
    """State a key where it is stated now: at the switch, else in the design."""
    if key in context.root.items[item].config:
        return (context.edit("set_config", context.design.root, item=item, key=key, value=value),)
    return (EditCall("set_setting", {"design": context.design_id, "key": key, "value": value}),)


@rule(
    "LSL-02",
    "error",
    needs=NEEDS,
    scope="design",
    group="lossless",
    subject="link",
    title=N_("RDMA over Ethernet without pause frames"),
    checks=N_(
        "No port on the way of RDMA traffic is stated to have no PFC, unless every NIC resends only what was lost."
    ),
    reason=N_("A dropped packet makes such a NIC resend all that followed it (go-back-N): 1 loss in 1000 costs 20 %."),
    source="seedA; thor_ultra",
)
def lsl_02(context: RuleContext) -> Iterator[Finding]:
    settings = context.settings
    off: list[tuple[RoceLink, str, RoceEnd]] = []
    links = [link for link in rdma_links(context) if link.network in _rdma_networks(context)]
    ends = [end for link in links for _, end in link.sides() if end.nic]
    if not ends or all(end.selective for end in ends):
        return
    for link in links:
        off += [(link, side, end) for side, end in link.sides() if pauses(link, side, end, settings) is False]
    if not off:
        return
    names = sorted({end.name for _, _, end in off}, key=natural_key)
    hit = sorted({link.link for link, _, _ in off}, key=natural_key)
    yield context.finding(
        tuple(at_item(name) for name in hit),
        msg(
            "PFC is off at {ends}: a lost packet makes the NICs resend everything after it (go-back-N). Turn PFC and "
            "ECN on, or take NICs that resend only what was lost.",
            ends=names,
        ),
        values={"ends": names},
        fix=_pfc_on(context, off),
    )


def _rdma_networks(context: RuleContext) -> set[str]:
    """Networks that a NIC of a server is on, management left out."""
    return {
        link.network
        for link in rdma_links(context)
        if link.network not in ("management", "mgmt", "oob") and any(end.nic for _, end in link.sides())
    }


def _pfc_on(context: RuleContext, off: list[tuple[RoceLink, str, RoceEnd]]) -> tuple[EditCall, ...]:
    """State PFC where it is stated off."""
    calls: dict[str, EditCall] = {}
    for link, side, end in off:
        key = "pfc" if at_end(link, side, end, context.settings, "pfc") is not None else "lossless"
        place = clear_at(link, side, end, key)
        if place == "link":
            call = context.edit("set_link", context.design.root, link=link.link, config={f"{key}.{side}": "on"})
        elif place == "device":
            sheet = end.sheet or context.design.root
            call = context.edit("set_config", sheet, item=end.nic or end.item, key=key, value="on")
        else:
            call = EditCall("set_setting", {"design": context.design_id, "key": key, "value": "on"})
        calls[repr(call)] = call
    return tuple(calls.values())


@rule(
    "LSL-03",
    "warning",
    needs=NEEDS,
    scope="design",
    group="lossless",
    subject="switch",
    direction="up",
    title=N_("Many lossless priorities"),
    checks=N_("At most two priorities are lossless."),
    reason=N_("Each takes headroom of its own on every port; one for RDMA is enough, a second one for storage."),
    source="sonic",
)
def lsl_03(context: RuleContext) -> Iterator[Finding]:
    for item in dict.fromkeys(end.item for link in rdma_links(context) for _, end in link.sides() if not end.nic):
        row = context.root.items[item]
        classes = stated_priorities(row, context.settings)
        if len(classes) <= MOST_CLASSES:
            continue
        yield context.finding(
            (at_item(item),),
            msg(
                "{switch}: {count} lossless priorities ({priorities}); each needs its own headroom, use one or two.",
                switch=item_label(row),
                count=len(classes),
                priorities=list(classes),
            ),
            measured=float(len(classes)),
            allowed=float(MOST_CLASSES),
            unit="priorities",
            fix=_state(context, item, "pfc.priorities", ",".join(str(p) for p in classes[:MOST_CLASSES])),
        )


@rule(
    "LSL-04",
    "warning",
    needs=NEEDS,
    scope="design",
    group="lossless",
    subject="ecn",
    title=N_("ECN does not act before PFC"),
    checks=N_(
        "Stated thresholds are in order: Kmin at least two frames, Kmax above it, and both below the length at which a "
        "queue pauses (xoff: stated, else the pool shared by all lossless queues)."
    ),
    reason=N_("Marks slow the senders of one flow down, a pause stops all of them; it is the last resort."),
    source="EK DCQCN",
)
def lsl_04(context: RuleContext) -> Iterator[Finding]:
    shared = {found.item: pause_threshold(found.use) for found in buffers(context) if found.use.buffer}
    rates = {found.item: max(p.gbps for p in found.use.ports) for found in buffers(context)}
    for item in dict.fromkeys(end.item for link in rdma_links(context) for _, end in link.sides() if not end.nic):
        row = context.root.items[item]
        kmin, kmax, xoff, mtu = (
            _of(row.config, context.settings, k) for k in ("ecn.kmin", "ecn.kmax", "pfc.xoff", "mtu")
        )
        if kmin is None and kmax is None:
            continue
        assumed = xoff is None
        limit = shared.get(item) if xoff is None else xoff
        frame = mtu or LARGEST_MTU
        figures = {"switch": item_label(row), "kmin": _kb(kmin), "kmax": _kb(kmax), "xoff": _kb(limit)}
        if kmin is not None and kmin < 2 * frame:
            text, measured, allowed = (
                msg("{switch}: Kmin {kmin} kB is less than two frames of {mtu} B.", **figures, mtu=round(frame)),
                kmin,
                2 * frame,
            )
        elif kmin is not None and kmax is not None and kmax <= kmin:
            text, measured, allowed = (
                msg("{switch}: Kmax {kmax} kB is not above Kmin {kmin} kB.", **figures),
                kmax,
                kmin,
            )
        elif limit is not None and max(kmin or 0.0, kmax or 0.0) > limit * (1 + 1e-9):
            measured, allowed = max(kmin or 0.0, kmax or 0.0), limit
            text = (
                msg(
                    "{switch}: marking reaches to {top} kB, above the {xoff} kB at which a queue pauses when all are "
                    "congested (xoff not stated); ECN must act before PFC.",
                    **figures,
                    top=_kb(measured),
                )
                if assumed
                else msg(
                    "{switch}: marking reaches to {top} kB, above the {xoff} kB at which a queue pauses; ECN must act "
                    "before PFC.",
                    **figures,
                    top=_kb(measured),
                )
            )
        else:
            continue
        plan = ecn_plan(rates.get(item, FAST_GBPS), frame, limit or 0.0)
        yield context.finding(
            (at_item(item),),
            text,
            measured=measured,
            allowed=allowed,
            unit="B",
            values={"kmin": kmin, "kmax": kmax, "xoff": limit},
            fix=(
                *_state(context, item, "ecn.kmin", round(plan.kmin)),
                *_state(context, item, "ecn.kmax", round(plan.kmax)),
            )
            if plan.kmax < (limit or float("inf"))
            else (),
            estimate=assumed and limit is not None,
        )


def _of(config: Mapping[str, object], settings: Mapping[str, object], key: str) -> float | None:
    return stated_figure(config[key]) if key in config else stated_figure(settings.get(key))


def _kb(value: float | None) -> float | None:
    return None if value is None else round(value / 1e3, 1)


@rule(
    "LSL-05",
    "warning",
    needs=NEEDS,
    scope="design",
    group="lossless",
    subject="cable",
    direction="up",
    title=N_("Long cable on a lossless port"),
    checks=N_("Cables of lossless ports of 400G and more are no longer than 300 m."),
    reason=N_("What is under way when a pause is asked for grows with rate times length, and so does the headroom."),
    source="sonic",
)
def lsl_05(context: RuleContext) -> Iterator[Finding]:
    fabric = context.fabric()
    by_id = {link.link: link for link in rdma_links(context)}
    for n, bundle in enumerate(fabric.bundles):
        link = by_id.get(bundle.link)
        if link is None or not lossless(context, link):
            continue
        rows = np.flatnonzero(
            (fabric.bundle == n) & (fabric.rate * 8e-9 >= FAST_GBPS * 0.999) & (fabric.length_m > FAR_M)
        )
        if not len(rows):
            continue
        far = int(rows[np.argmax(fabric.length_m[rows])])
        length, gbps = float(fabric.length_m[far]), float(fabric.rate[far]) * 8e-9
        switch = next((end.item for _, end in link.sides() if not end.nic), "")
        row = context.root.items.get(switch)
        room = headroom(row.part if row else None, row.of if row else "", gbps, length)
        yield context.finding(
            (at_item(bundle.link),),
            msg(
                "Link {link}: {length} m at {gbps} Gb/s, lossless: {kb} kB of headroom for each port and class; take a "
                "switch with deep buffers or no PFC here.",
                link=bundle.link,
                length=round(length),
                gbps=round(gbps),
                kb=round(room.bytes / 1e3),
            ),
            measured=length,
            allowed=FAR_M,
            unit="m",
            values={"method": room.source, "cables": len(rows)},
            estimate=room.estimate,
        )
