"""P2P through the processor: what the kernel lists, what NCCL counts, and where staging and fan-out cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fabricwright.design.effective import EffItem
from fabricwright.design.options import effective_value, stated
from fabricwright.rules.card import item_label
from fabricwright.rules.compute_ports import compute_ports
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.p2p_paths import gdr_stated_off, gpu_names, gpu_port_pairs, peer_pairs
from fabricwright.rules.pcie_path import ServerView, server_view
from fabricwright.rules.registry import rule
from fabricwright.topology.classes import flag, level
from fabricwright.topology.constants import INTEL_P2P_OVERHEAD, pcie_rate
from fabricwright.topology.model import Interior, NcclClass, PciClass, Transport
from fabricwright.topology.server_graph import cpu_vendor
from fabricwright.topology.transport import allows_p2p
from fabricwright.units.natural import natural_key
from fabricwright.units.text import N_, msg


def _by_cpu(inside: Interior, view: ServerView, pairs: Sequence[tuple[int, int]]) -> dict[str, list[tuple[int, int]]]:
    """Processor -> the pairs with an end below it, natural order."""
    out: dict[str, list[tuple[int, int]]] = {}
    for pair in pairs:
        for cpu in {view.tree.cpu_of(inside.gpus[g]) for g in pair} - {""}:
            out.setdefault(cpu, []).append(pair)
    return {cpu: out[cpu] for cpu in sorted(out, key=natural_key)}


@rule(
    "P2P-06",
    "info",
    needs=("effective", "interior"),
    group="P2P & NUMA",
    subject="host",
    direction="up",
    title=N_("Host outside Linux's peer-to-peer list"),
    checks=N_("Where GPUs use peer-to-peer across root ports, the processor is on the kernel's list of hosts."),
    reason=N_(
        "Whether a root complex passes packets between its ports is left open by the PCIe specification. Linux allows "
        "it on AMD Zen and on listed Intel hosts only."
    ),
    source="p2p",
)
def p2p_06(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    inside = context.interior(variant.sheet)
    view = server_view(variant.eff, context.project.parts)
    crossing = [p for p in peer_pairs(inside, Transport.P2P) if inside.gpu_gpu.pci[p] >= PciClass.HOST_BRIDGE]
    for cpu, pairs in _by_cpu(inside, view, crossing).items():
        part = variant.eff.items[cpu].part
        figure = part.figures.get("linux_p2p") if part is not None else None
        if figure is None or figure.value is not False:
            continue
        yield context.finding(
            (variant.at(cpu),),
            msg(
                "{cpu} is not on Linux's list of hosts for peer-to-peer across root ports; {pairs} GPU pairs rely "
                "on it.",
                cpu=item_label(variant.eff.items[cpu]),
                pairs=len(pairs),
            ),
            variant=variant,
            measured=float(len(pairs)),
            allowed=0.0,
            unit="pairs",
            estimate=figure.confidence != "read",
        )


@rule(
    "P2P-10",
    "fact",
    needs=("effective", "interior", "settings"),
    group="P2P & NUMA",
    subject="intel host",
    title=N_("GPU peer traffic through an Intel root complex"),
    checks=N_("Shown where GPUs without NVLink reach each other through the root complex of an Intel processor."),
    reason=N_(
        "An Intel root complex cuts peer writes into 64-byte packets; NCCL counts such a path 6/5 times. A path "
        "inside a switch is not affected."
    ),
    source="nccl",
)
def p2p_10(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    if flag(context.settings.get("nccl.p2p_disable"), False):
        return
    inside = context.interior(variant.sheet)
    view = server_view(variant.eff, context.project.parts)
    paths = inside.gpu_gpu
    through = (paths.nccl == int(NcclClass.PHB)) & (paths.overlay < 0)
    able = np.array([allows_p2p(variant.eff.items[g]) for g in inside.gpus], dtype=bool)
    pairs = [(int(i), int(j)) for i, j in np.argwhere(np.triu(through & np.outer(able, able), 1))]
    for cpu, mine in _by_cpu(inside, view, pairs).items():
        if cpu_vendor(variant.eff.items[cpu]) != "intel":
            continue
        yield context.finding(
            (variant.at(cpu),),
            msg(
                "NCCL counts peer-to-peer of {pairs} GPU pairs through {cpu} 6/5 times (Intel root complex).",
                pairs=len(mine),
                cpu=item_label(variant.eff.items[cpu]),
            ),
            variant=variant,
            measured=INTEL_P2P_OVERHEAD,
            unit="x",
            values={"pairs": len(mine)},
        )


def is_epyc(item: EffItem) -> bool:
    """An AMD EPYC processor, by part."""
    return "epyc" in f"{item.of} {item.part.model if item.part else ''}".lower()


def numa_nodes(item: EffItem) -> int:
    """NUMA nodes that the root ports of a processor are drawn in."""
    return len({p.numa for p in item.ports.values() if p.role == "root"})


@rule(
    "P2P-18",
    "info",
    needs=("effective", "root", "interior", "settings"),
    group="P2P & NUMA",
    subject="host",
    title=N_("NPS1 slows staging in host memory"),
    checks=N_("An EPYC processor through whose memory GPU traffic is staged is not set to one NUMA node per socket."),
    reason=N_(
        "With NPS1 every buffer is spread over all memory channels of the socket; NPS4 keeps it beside the device. A "
        "pair of servers rose to 9 GB/s."
    ),
    source="field case C030",
)
def p2p_18(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    inside = context.interior(variant.sheet)
    view = server_view(variant.eff, context.project.parts)
    staged = {g for pair in peer_pairs(inside, Transport.HOST_MEMORY) for g in pair}
    drawn = bool(compute_ports(context, variant).ports) or gdr_stated_off(context)
    for user in gpu_port_pairs(context, variant):
        # a NIC of no named network is not the GPU's own as long as one may come below the GPU's switch
        own = drawn or not any(view.tree.levels(node) for node in view.above(inside.gpus[user.gpu]))
        if own and int(inside.gpu_port.transport[user.gpu, user.port]) == int(Transport.HOST_STAGED):
            staged.add(user.gpu)
    for cpu in view.tree.cpus:
        item = variant.eff.items[cpu]
        mine = sorted(g for g in staged if view.tree.cpu_of(inside.gpus[g]) == cpu)
        nps, assumed = effective_value(item.config, "cpu", "nps")
        if not mine or not is_epyc(item) or str(nps) not in ("1", "1.0") or (assumed and numa_nodes(item) > 1):
            continue
        names = {"cpu": item_label(item), "gpus": gpu_names(inside, mine)}
        yield context.finding(
            (variant.at(cpu),),
            msg("{cpu} stages traffic of {gpus} in host memory with NPS1 (not stated, 1 assumed).", **names)
            if assumed
            else msg("{cpu} stages traffic of {gpus} in host memory with NPS1.", **names),
            variant=variant,
            values={"gpus": [inside.gpus[g] for g in mine]},
            fix=(context.edit("set_config", variant.sheet, item=cpu, key="nps", value="4"),),
        )


def is_pex89(item: EffItem) -> bool:
    """A partition or card with a Broadcom PEX89000 switch."""
    chip = item.chip_part or (item.part.word("chip_part") or item.part.model if item.part is not None else "")
    return chip.lower().replace(" ", "").startswith("pex89")


def is_turin(item: EffItem) -> bool:
    """An AMD EPYC of the Turin generation (9005)."""
    text = f"{item.of} {item.part.model if item.part else ''}".lower()
    return "turin" in text or "9005" in text


@rule(
    "P2P-20",
    "warning",
    needs=("effective", "interior", "settings"),
    group="P2P & NUMA",
    subject="switch",
    direction="up",
    title=N_("Posted writes from one uplink to several root ports"),
    checks=N_(
        "In an all-to-all, GPUs behind one uplink of a PEX89000 switch on AMD Turin do not write to GPUs behind two "
        "or more other root ports at once."
    ),
    reason=N_(
        "On that platform two GPUs behind one uplink that wrote to two root ports fell from 36.8 to 2.7 GB/s; reads "
        "and rings did not. The cause is not known, other platforms may not show it."
    ),
    source="field case C137",
)
def p2p_20(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    settings = context.settings
    if stated(settings, "job.collective") != "all_to_all" or flag(settings.get("nccl.p2p_disable"), False):
        return
    if level(stated(settings, "nccl.p2p_level"), NcclClass.SYS) < NcclClass.PHB:
        return
    inside = context.interior(variant.sheet)
    view = server_view(variant.eff, context.project.parts)
    root = {g: _root_port(view, gpu) for g, gpu in enumerate(inside.gpus) if allows_p2p(variant.eff.items[gpu])}
    for node in sorted(view.tree.items, key=natural_key):
        item = view.tree.items[node]
        feed = view.tree.feeds.get(node)
        cpu = view.tree.cpu_of(node)
        first = not any(view.tree.levels(above) for above in view.above(node))
        if feed is None or not cpu or not first or not is_pex89(item) or not is_turin(view.tree.items[cpu]):
            continue
        sources = [g for g in root if node in view.above(inside.gpus[g])]
        targets = {
            port
            for g, port in root.items()
            if port and port != _root_port(view, node) and any(inside.gpu_gpu.overlay[s, g] < 0 for s in sources)
        }
        if len(sources) < 2 or len(targets) < 2:
            continue
        uplink = pcie_rate(feed.lanes, feed.gen) / 1e9
        yield context.finding(
            (variant.at(node),),
            msg(
                "{gpus} behind one uplink of {switch} write to {targets} other root ports in an all-to-all: posted "
                "writes may collapse to {low} of {uplink} GB/s.",
                gpus=gpu_names(inside, sources),
                switch=item_label(item),
                targets=len(targets),
                low=round(uplink / 10, 1),
                uplink=round(uplink, 1),
            ),
            variant=variant,
            measured=float(len(targets)),
            allowed=1.0,
            unit="root ports",
            values={"gpus": [inside.gpus[g] for g in sources], "uplink_gbs": uplink},
            estimate=item.estimate,
        )


def _root_port(view: ServerView, node: str) -> str:
    """ "cpu0:p1" of the root port above a device, "" when it hangs on none."""
    chain = view.tree.chain(node)
    if len(chain) < 2 or chain[-1] not in view.tree.cpus:
        return ""
    return f"{chain[-1]}:{view.tree.feeds[chain[-2]].port}"
