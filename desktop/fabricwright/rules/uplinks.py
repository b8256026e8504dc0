"""LAN-06: what has to cross the uplink of a PCIe switch, against what the uplink carries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabricwright.design.address import split_end
from fabricwright.rules.card import item_label
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.lanes import is_switch
from fabricwright.rules.pcie_path import ServerView, device_link, raw_gbs, server_view
from fabricwright.rules.registry import rule
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record
from fabricwright.units.text import N_, Message, msg

HOST_TRAFFIC = "traffic.host"
"""Setting that states traffic between devices and host memory (storage, offload, copies); off when it is not there."""


@record
class Below:
    """Devices below a switch by kind, and the GPUs of the server that are elsewhere."""

    switch: str
    gpus: tuple[str, ...]
    nics: tuple[str, ...]
    drives: tuple[str, ...]
    gpus_elsewhere: tuple[str, ...]


@rule(
    "LAN-06",
    "warning",
    needs=("effective", "settings"),
    group="lanes & generation",
    subject="switch card",
    direction="up",
    title=N_("Uplink of a PCIe switch shared too thinly"),
    checks=N_(
        "What must cross the uplink does not exceed it: GPU-GPU traffic of one job between sides without "
        "NVLink, NIC and drive traffic "
        "besides GPUs (up to 2:1), and host traffic where it is stated."
    ),
    reason=N_(
        "A switch adds slots, not bandwidth to the processor. Traffic between devices below the same switch is "
        "not affected."
    ),
    source="seedA; seedB SD05",
)
def lan_06(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    view = server_view(variant.eff, context.project.parts)
    together = nvlink_groups(variant)
    for item_id in sorted(variant.eff.items, key=natural_key):
        item = variant.eff.items[item_id]
        if not is_switch(item) or item_id not in view.tree.feeds or not view.tree.cpu_of(item_id):
            continue
        below = devices_below(view, item_id)
        link = device_link(view, item_id)
        if link is None or not link.lanes or not below.gpus + below.nics + below.drives:
            continue
        uplink = raw_gbs(link.lanes, link.gen)
        verdict = _verdict(context, variant, view, below, together, uplink)
        if verdict is None:
            continue
        ratio, what = verdict
        yield context.finding(
            (variant.at(item_id),),
            msg(
                "Uplink of {switch} {ratio}:1 for {what}; peer traffic inside the switch is not affected.",
                switch=item_label(item),
                ratio=round(ratio, 2),
                what=what,
            ),
            variant=variant,
            measured=ratio,
            allowed=1.0,
            unit=":1",
            values={
                "uplink_gbs": uplink,
                "gpus": list(below.gpus),
                "nics": list(below.nics),
                "drives": list(below.drives),
            },
            estimate=item.estimate,
        )


def _verdict(
    context: RuleContext, variant: Variant, view: ServerView, below: Below, together: Mapping[str, int], uplink: float
) -> tuple[float, Message] | None:
    switch = below.switch
    if _stated(context.settings.get(HOST_TRAFFIC)):
        ratio = arriving(view, switch, {*below.gpus, *below.nics, *below.drives}) / uplink
        if ratio > 1.001:
            return ratio, msg("host traffic")
    crossing = {g for g in below.gpus if _must_cross(g, below, together, len(variant.members) > 1)}
    ratio = arriving(view, switch, crossing) / uplink
    if ratio > 1.001:
        return ratio, msg("GPU-GPU traffic without NVLink")
    if crossing and below.nics and any(_without_nic(view, g) for g in below.gpus_elsewhere if g not in together):
        ratio = arriving(view, switch, {*crossing, *below.nics}) / uplink
        if ratio > 2.001:
            return ratio, msg("NICs and GPUs together")
    return None


def _must_cross(gpu: str, below: Below, together: Mapping[str, int], many_servers: bool) -> bool:
    """GPU traffic of the job leaves the switch: to a GPU elsewhere without NVLink, or to other servers with no NIC
    here.
    """
    domain = together.get(gpu)
    if any(domain is None or together.get(other) != domain for other in below.gpus_elsewhere):
        return True
    return domain is None and many_servers and not below.nics


def _without_nic(view: ServerView, gpu: str) -> bool:
    """No NIC shares a switch with the GPU, so that it must use one elsewhere."""
    mine = {n for n in view.above(gpu) if view.tree.levels(n) > 0}
    return not any(i.kind == "nic" and mine & {n, *view.above(n)} for n, i in view.eff.items.items())


def arriving(view: ServerView, switch: str, devices: set[str]) -> float:
    """GB/s that ``devices`` below can bring to a switch at once; a switch in between passes no more than its own
    uplink.
    """
    children = view.children()

    def brought(node: str, depth: int) -> float:
        if node in devices:
            return _rate(view, node)
        if depth > len(view.tree.feeds):
            return 0.0
        inner = sum(brought(child, depth + 1) for child in children.get(node, ()))
        return min(inner, _rate(view, node)) if view.tree.levels(node) > 0 else inner

    return sum(brought(child, 0) for child in children.get(switch, ()))


def _stated(value: object) -> bool:
    return value is True or (isinstance(value, str) and value.strip().lower() in ("on", "true", "yes", "1"))


def _rate(view: ServerView, item_id: str) -> float:
    link = device_link(view, item_id)
    return raw_gbs(link.lanes, link.gen) if link is not None else 0.0


def devices_below(view: ServerView, switch: str) -> Below:
    """What hangs below a switch, other switches in between included."""
    kinds: dict[str, list[str]] = {"gpu": [], "nic": [], "nvme": []}
    elsewhere: list[str] = []
    for node, item in view.eff.items.items():
        if item.kind not in kinds:
            continue
        if switch in view.above(node):
            kinds[item.kind].append(node)
        elif item.kind == "gpu":
            elsewhere.append(node)
    gpus, nics, drives = (tuple(sorted(kinds[k], key=natural_key)) for k in ("gpu", "nic", "nvme"))
    return Below(switch, gpus, nics, drives, tuple(elsewhere))


def nvlink_groups(variant: Variant) -> dict[str, int]:
    """GPU -> number of the NVLink component it belongs to; GPUs without NVLink are left out."""
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        while parent.setdefault(name, name) != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    eff = variant.eff
    ends = [(row.a, row.b) for row in eff.builtin_links.values() if row.medium in ("nvlink", "xgmi")]
    ends += [(row.a, row.b) for row in eff.links.values() if row.medium in ("nvlink", "xgmi")]
    for a, b in ends:
        parent[find(split_end(a)[0])] = find(split_end(b)[0])
    roots = {name: find(name) for name in list(parent)}
    numbers = {root: n for n, root in enumerate(sorted(set(roots.values())))}
    return {name: numbers[root] for name, root in roots.items() if name in eff.items and eff.items[name].kind == "gpu"}
