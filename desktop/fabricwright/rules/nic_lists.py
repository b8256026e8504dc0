"""NIC: lists of NICs for a job, PCIe functions that are no ports of their own, and the way to host memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabricwright.design.address import expand_ports
from fabricwright.design.calls import EditCall
from fabricwright.design.effective import EffItem
from fabricwright.design.network_names import network_list, network_words
from fabricwright.design.options import stated
from fabricwright.rules.card import item_label
from fabricwright.rules.compute_ports import cabled_nics, compute_ports, links_of
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.rules.finding import Finding
from fabricwright.rules.nic import net_gbps
from fabricwright.rules.pcie_path import PAYLOAD_SHARE, ServerView, raw_gbs, server_view
from fabricwright.rules.registry import rule
from fabricwright.topology.classes import flag
from fabricwright.units.natural import natural_key
from fabricwright.units.record import record
from fabricwright.units.text import N_, msg

HCA_LIST = "nccl.hca"
FAST_NIC_GBPS = 800.0


@record
class HcaList:
    """The stated NIC list as it counts for one server: ``ports`` "nic0:1" of NICs listed with a port, ``nics`` the
    items that are used; ``excluding`` when the list names what is left out (``^``).
    """

    words: tuple[str, ...]
    nics: tuple[str, ...]
    ports: Mapping[str, frozenset[str]]
    excluding: bool


def hca_list(context: RuleContext, variant: Variant) -> HcaList | None:
    """Setting ``nccl.hca``, names being ids or stated device names of NICs; None when it is not stated."""
    value = stated(context.settings, HCA_LIST)
    if value is None:
        return None
    text = str(value).strip()
    excluding = text.startswith("^")
    words = tuple(w for w in text.lstrip("^=").replace(",", " ").split() if w)
    nics = {i.id: i for i in variant.eff.items.values() if i.kind == "nic"}
    named: dict[str, set[str]] = {}
    for word in words:
        name, _, port = word.partition(":")
        for nic, item in nics.items():
            if name in (nic, *device_names(item)):
                named.setdefault(nic, set()).update({port} if port else ())
    used = sorted((set(nics) - set(named)) if excluding else named, key=natural_key)
    ports = {} if excluding else {nic: frozenset(named[nic]) for nic in used if named[nic]}
    return HcaList(words, tuple(used), ports, excluding)


def device_names(item: EffItem) -> tuple[str, ...]:
    """What the system calls a NIC (``mlx5_2``; one name per port where it shows them apart), its id where nobody stated
    it.
    """
    return tuple(str(stated(item.config, "hca") or item.id).replace(",", " ").split())


def _device_names(variant: Variant) -> dict[str, tuple[str, ...]]:
    return {item.id: device_names(item) for item in variant.eff.items.values() if item.kind == "nic"}


def with_names(listed: HcaList, remove: set[str], add: set[str], names: Mapping[str, tuple[str, ...]]) -> str:
    """The list without some NICs and with others, in its own form."""
    if listed.excluding:
        back = {name for nic in add for name in (nic, *names[nic])}
        out = [w for w in listed.words if w.partition(":")[0] not in back]
        return "^" + ",".join([*out, *(name for nic in sorted(remove, key=natural_key) for name in names[nic])])
    gone = {name for nic in remove for name in (nic, *names[nic])}
    kept = [w for w in listed.words if w.partition(":")[0] not in gone]
    return ",".join([*kept, *(name for nic in sorted(add, key=natural_key) for name in names[nic])])


@rule(
    "FAB-19",
    "error",
    needs=("effective", "root", "settings"),
    group="spine-leaf",
    subject="nic",
    direction="up",
    title=N_("NIC list of the job holds a NIC of another network"),
    checks=N_("Every NIC of the stated list (NCCL_IB_HCA) is cabled to the compute network, or not cabled."),
    reason=N_(
        "NCCL does not know which NICs belong to which fabric; connections between them time out or crawl. A list of "
        "the compute NICs alone keeps them apart."
    ),
    source="field case C090",
)
def fab_19(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    listed = hca_list(context, variant)
    if listed is None:
        return
    networks = cabled_networks(context, variant, listed)
    votes = [net for nic in listed.nics for net in networks.get(nic, ())]
    if not votes:
        return
    wanted = "compute" if "compute" in votes else max(sorted(set(votes)), key=votes.count)
    foreign = [nic for nic in listed.nics if networks.get(nic) and wanted not in networks[nic]]
    if not foreign:
        return
    others = sorted({net for nic in foreign for net in networks[nic]})
    mended = with_names(listed, set(foreign), set(), _device_names(variant))
    yield context.finding(
        [variant.at(nic) for nic in foreign],
        msg(
            "The NIC list of {n} holds {nics}, cabled to {networks}; the job runs on {wanted}.",
            n=len(listed.nics),
            nics=foreign,
            networks=network_list(others),
            wanted=network_words(wanted),
        ),
        variant=variant,
        measured=float(len(foreign)),
        allowed=0.0,
        unit="NICs",
        values={"listed": list(listed.nics), "networks": others},
        fix=(EditCall("set_setting", {"design": context.design_id, "key": HCA_LIST, "value": mended}),)
        if len(foreign) < len(listed.nics)
        else (),
    )


def cabled_networks(context: RuleContext, variant: Variant, listed: HcaList) -> dict[str, set[str]]:
    """NIC -> networks that its listed ports (all of it where the list names none) are cabled to."""
    out: dict[str, set[str]] = {}
    for _, link, text in links_of(context.root, variant.item) if variant.item else []:
        export = variant.eff.exports.get(text)
        ports = list(export.ports) if export is not None else expand_ports(text)
        for port in ports:
            nic, _, name = port.rpartition(":")
            if link.network and (nic not in listed.ports or name in listed.ports[nic]):
                out.setdefault(nic, set()).add(link.network)
    return out


@record
class Shared:
    """PCIe functions that send through one cage of one card."""

    guid: str
    cage: str
    functions: tuple[tuple[str, str], ...]  # (item, port)


def shared_cages(variant: Variant) -> list[Shared]:
    """Cages behind which several drawn NICs are functions of one card (same stated base GUID)."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for item_id in sorted(variant.eff.items, key=natural_key):
        item = variant.eff.items[item_id]
        guid = stated(item.config, "base_guid") if item.kind == "nic" else None
        if guid is None:
            continue
        for port in sorted(_net_ports(item), key=natural_key):
            cage = str(stated(item.config, "cage") or port)
            found.setdefault((str(guid).strip().lower(), cage), []).append((item_id, port))
    return [
        Shared(guid, cage, tuple(ends)) for (guid, cage), ends in found.items() if len({item for item, _ in ends}) > 1
    ]


def _net_ports(item: EffItem) -> list[str]:
    return [n for n, p in item.ports.items() if p.role == "net" and p.gbps and p.medium in ("eth", "ib")]


@rule(
    "NIC-07",
    "error",
    needs=("effective", "root", "fabric", "settings"),
    group="NIC, ports, cables, optics",
    subject="nic",
    direction="up",
    title=N_("PCIe functions counted as ports"),
    checks=N_(
        "Functions of one card that send through one cage (same base GUID) count as one port, and a NIC list holds "
        "all of them or none."
    ),
    reason=N_(
        "A Socket Direct card, or the twin functions of one port, show twice in the system, each with the cage's "
        "rate. Only one cable leaves; but each half has its own PCIe link, and both are needed for the full rate."
    ),
    source="field cases C013, C081",
)
def nic_07(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    cages = shared_cages(variant)
    if not cages:
        return
    shown = variant.eff.exports.get("compute")
    counted = {*compute_ports(context, variant).ports, *(shown.ports if shown is not None else ())}
    double = [c for c in cages if sum(f"{item}:{port}" in counted for item, port in c.functions) > 1]
    if double:
        cabled = {use.item: use.gbps / use.ports for use in cabled_nics(context, variant)}
        ends = [(item, port) for c in double for item, port in c.functions if f"{item}:{port}" in counted]
        gbps = sum(max(_port_gbps(variant, end, cabled) for end in c.functions) for c in double)
        yield context.finding(
            [variant.at(item) for item in dict.fromkeys(item for item, _ in ends)],
            msg(
                "{functions} functions are counted, they are {ports} ports: {gbps} Gb/s.",
                functions=len(ends),
                ports=len(double),
                gbps=round(gbps),
            ),
            variant=variant,
            measured=float(len(ends)),
            allowed=float(len(double)),
            unit="ports",
            values={"cages": [c.cage for c in double], "gbps": gbps},
        )
    listed = hca_list(context, variant)
    used = set(listed.nics) if listed is not None else set()
    missing: dict[str, str] = {}
    for c in cages:
        items = {item for item, _ in c.functions}
        if items & used:
            missing |= dict.fromkeys(items - used, c.guid)
    if listed is not None and missing:
        value = with_names(listed, set(), set(missing), _device_names(variant))
        yield context.finding(
            [variant.at(item) for item in sorted(missing, key=natural_key)],
            msg(
                "The NIC list leaves out {nics}, the other half of cards that it holds: half of their PCIe lanes idle.",
                nics=sorted(missing, key=natural_key),
            ),
            variant=variant,
            measured=float(len(missing)),
            allowed=0.0,
            unit="NICs",
            values={"listed": list(listed.nics)},
            fix=(EditCall("set_setting", {"design": context.design_id, "key": HCA_LIST, "value": value}),),
        )


def _port_gbps(variant: Variant, end: tuple[str, str], cabled: Mapping[str, float]) -> float:
    """Rate of a function's port: of its cable where any function is cabled, else of the port."""
    item, port = end
    own = float(variant.eff.items[item].ports[port].gbps)
    return min(own, cabled.get(item, 0.0)) if cabled else own


@rule(
    "NIC-08",
    "warning",
    needs=("effective", "settings"),
    group="NIC, ports, cables, optics",
    subject="nic",
    direction="down",
    title=N_("Host memory behind a slower link than the GPUs"),
    checks=N_(
        "Where host-memory traffic is stated, the processor's link to an 800G NIC carries the rate of its ports."
    ),
    reason=N_(
        "On the GPU's side such a NIC has Gen6 x16, towards the processor Gen5 x16: buffers in host memory got 55 of "
        "100 GB/s, the receiver paused the fabric. An auxiliary card adds a second x16."
    ),
    source="field case C047",
)
def nic_08(context: RuleContext, variant: Variant) -> Iterator[Finding]:
    if not flag(context.settings.get("traffic.host"), False):
        return
    view = server_view(variant.eff, context.project.parts)
    slow: dict[str, tuple[float, float]] = {}
    for item_id in sorted(variant.eff.items, key=natural_key):
        item = variant.eff.items[item_id]
        total = sum(net_gbps(item)) if item.kind == "nic" else 0.0
        if total < FAST_NIC_GBPS * 0.999 or not view.tree.cpu_of(item_id):
            continue
        host = narrowest_gbs(view, item_id, "") * PAYLOAD_SHARE
        gpus = [i.id for i in variant.eff.items.values() if i.kind == "gpu" and view.tree.meeting(i.id, item_id)]
        gpu = max((_to_gpu(view, item_id, g) for g in gpus), default=0.0) * PAYLOAD_SHARE
        if host * 8 < total * 0.999 and gpu > host * 1.001:
            slow[item_id] = (host, total / 8)
    if not slow:
        return
    host, wanted = min(slow.values())
    yield context.finding(
        [variant.at(nic) for nic in slow],
        msg(
            "{nics}: buffers in host memory get {host} of {wanted} GB/s over the processor's link; GPU buffers do not "
            "pass it.",
            nics=item_label(variant.eff.items[next(iter(slow))]) if len(slow) == 1 else list(slow),
            host=round(host),
            wanted=round(wanted),
        ),
        variant=variant,
        measured=host,
        allowed=wanted,
        unit="GB/s",
        values={"nics": list(slow)},
    )


def narrowest_gbs(view: ServerView, node: str, stop: str) -> float:
    """GB/s of the narrowest link from a device up to ``stop`` ("" = the processor)."""
    rates = [float("inf")]
    for name in view.tree.chain(node):
        if name == stop or name not in view.tree.feeds:
            break
        feed = view.tree.feeds[name]
        rates.append(feed.gbs if feed.c2c else raw_gbs(feed.lanes, feed.gen))
    return min(rates)


def _to_gpu(view: ServerView, nic: str, gpu: str) -> float:
    """GB/s between a NIC and a GPU that meet below a processor; 0 when they meet in it."""
    meet = view.tree.meeting(gpu, nic)
    if meet in view.tree.cpus:
        return 0.0
    return min(narrowest_gbs(view, nic, meet), narrowest_gbs(view, gpu, meet))
