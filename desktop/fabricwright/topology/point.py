"""Point to point: the way between two GPUs, NICs or servers, hop by hop, with classes, latency and bandwidth."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from fabricwright.design.address import Address, parse_address
from fabricwright.design.indexset import IndexSet
from fabricwright.design.network_names import network_words
from fabricwright.topology.constants import FIBRE_S_PER_M, NIC_LATENCY_S
from fabricwright.topology.model import Cluster, Interior, LinkKind, NcclClass, Paths, PciClass, Transport
from fabricwright.topology.routes import example_route
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

NIC_EFFICIENCY = 0.96  # payload share of a RoCE or InfiniBand port (nccl-tests: 24 of 25, 48 of 50 GB/s)


@dataclass(frozen=True, slots=True)
class Hop:
    """One element on the way: address, kind (pcie, socket, nvlink, host-memory, c2c, nic, cable, switch), time
    to cross it,
    bytes/s (0 = does not limit)."""

    address: str
    kind: str
    latency_s: float
    rate: float


@dataclass(frozen=True, slots=True)
class Perftest:
    """Between memories of "gpu" or "host": bytes/s of ib_write_bw for large messages, seconds of ib_write_lat (half of
    a round trip) for small ones.
    """

    memory: str
    rate: float
    latency_s: float

    def to_json(self) -> dict[str, object]:
        """Gb/s as ``ib_write_bw --report_gbits`` prints them, microseconds."""
        return {
            "memory": self.memory,
            "ib_write_bw_gbps": round(self.rate * 8e-9, 1),
            "ib_write_lat_us": round(self.latency_s * 1e6, 2),
        }


@dataclass(frozen=True, slots=True)
class PointPath:
    """The way between two places. ``classes`` words (pci, nccl, nccl_flattened, nvidia_smi, overlay);
    ``limit`` address of
    the slowest hop; ``bandwidth`` bytes/s of one flow; ``transport`` what NCCL uses inside the server of the sender."""

    classes: dict[str, str]
    hops: tuple[Hop, ...]
    latency_s: float
    bandwidth: float
    limit: str
    transport: str
    loss_db: tuple[dict[str, object], ...] = field(default=())

    @property
    def perftest(self) -> Perftest | None:
        """What perftest would show over this way; None inside a server. Between GPU memories where the NIC reaches them
        directly, else between host memories beside the NICs (perftest does not stage).
        """
        nics = [n for n, hop in enumerate(self.hops) if hop.kind == "nic"]
        if len(nics) < 2:
            return None
        gpus = self.transport == "gpudirect"
        hops = self.hops if gpus else self.hops[nics[0] : nics[-1] + 1]
        rate = min((hop.rate for hop in hops if hop.rate), default=0.0)
        return Perftest("gpu" if gpus else "host", rate, sum(hop.latency_s for hop in hops))

    def to_json(self) -> dict[str, object]:
        """The shape of ``path --json``."""
        perftest = self.perftest
        return {
            "class": dict(self.classes),
            "hops": [
                {
                    "address": hop.address,
                    "kind": hop.kind,
                    "latency_ns": round(hop.latency_s * 1e9, 1),
                    "bandwidth_gbs": round(hop.rate / 1e9, 3) if hop.rate else None,
                }
                for hop in self.hops
            ],
            "latency_us": round(self.latency_s * 1e6, 3),
            "bandwidth_gbs": round(self.bandwidth / 1e9, 3),
            "limit": self.limit,
            "loss_db": list(self.loss_db),
            "perftest": perftest.to_json() if perftest is not None else None,
        }


@dataclass(frozen=True, slots=True)
class _Place:
    server: int
    gpu: int = -1
    ports: tuple[int, ...] = ()


def point_to_point(cluster: Cluster, source: str, target: str, network: str = "compute") -> PointPath:
    """The way from ``source`` to ``target``: GPU ("node[3]/gpu2"), NIC or port ("node[3]/nic0:1"), or server
    (its first GPU).

    Between servers the NIC nearest to the receiver is taken and the sender's NIC that reaches it over the
    fewest switches, as
    NCCL does with PXN. Raises UserError when an address names nothing of the kind or there is no way.
    """
    a, b = _place(cluster, source), _place(cluster, target)
    if a.server == b.server:
        return _inside(cluster, a, b, source, target)
    return _between(cluster, a, b, network, source, target)


def _place(cluster: Cluster, text: str) -> _Place:
    address = parse_address(text)
    fabric = cluster.fabric
    lone = not fabric.bundles and len(fabric.items) == 1 and address.item not in fabric.offset
    server = 0 if lone else _server(cluster, address, text)
    inner = "/".join(step.item for step in (address.steps if lone else address.steps[1:]))
    interior = cluster.interiors[cluster.variant[server]]
    if not inner and not address.port:
        if not interior.gpus:
            raise UserError(msg("'{address}' has no GPU; name a NIC of it.", address=text))
        return _Place(server, 0)
    if inner in interior.gpus and not address.port:
        return _Place(server, interior.gpus.index(inner))
    wanted = f"{inner}:{address.port}" if address.port else f"{inner}:"
    ports = tuple(
        i
        for i, name in enumerate(interior.net_ports)
        if name == wanted or (not address.port and name.startswith(wanted))
    )
    if not ports:
        raise UserError(msg("'{address}' is not a GPU, a NIC or a network port of this design.", address=text))
    return _Place(server, -1, ports)


def _server(cluster: Cluster, address: Address, text: str) -> int:
    fabric = cluster.fabric
    first = fabric.offset.get(address.item)
    step = address.steps[0]
    members = step.members if step.members is not None else IndexSet.span(1)
    if first is not None and step.raw:
        members = IndexSet.parse(step.raw, _axes(cluster, address.item))
    if first is not None and len(members) == 1:
        member = next(iter(members))
        found = np.flatnonzero(cluster.server_dev == first + member)
        if member < fabric.count[address.item] and len(found):
            return int(found[0])
    raise UserError(msg("'{address}' does not name one server of this design.", address=text))


def _axes(cluster: Cluster, item: str) -> tuple[tuple[str, int], ...]:
    """Axes of a server item from the coordinates of its members (outermost first = fewest changes)."""
    first, count = cluster.fabric.offset[item], cluster.fabric.count[item]
    mine = (cluster.server_dev >= first) & (cluster.server_dev < first + count)
    sizes = {n: int(v[mine].max()) + 1 for n, v in cluster.server_axes.items() if mine.any() and (v[mine] >= 0).all()}
    changes = {n: int((np.diff(cluster.server_axes[n][mine]) != 0).sum()) for n in sizes}
    return tuple((n, sizes[n]) for n in sorted(sizes, key=lambda n: changes[n]))


def _classes(paths: Paths, i: int, j: int) -> dict[str, str]:
    overlay = int(paths.overlay[i, j])
    return {
        "pci": PciClass(paths.pci[i, j]).name.lower().replace("_", "-"),
        "nccl": NcclClass(paths.nccl[i, j]).name,
        "nccl_flattened": NcclClass(paths.nccl_flattened[i, j]).name,
        "nvidia_smi": paths.smi[i][j],
        "overlay": NcclClass(overlay).name if overlay >= 0 else "",
    }


def _hops(interior: Interior, paths: Paths, i: int, j: int, prefix: str) -> list[Hop]:
    out = []
    for link, weight in zip(paths.links(i, j), paths.weights(i, j), strict=True):
        row = interior.links[link]
        kind = LinkKind(row.kind).name.lower().replace("_", "-")
        out.append(Hop(f"{prefix}{row.name}", kind, row.latency_s, row.nccl_rate / weight))
    return out


def _losses(interior: Interior, paths: Paths, i: int, j: int, prefix: str) -> list[dict[str, object]]:
    """Segments of the PCIe links that a path crosses: loss and budget in dB, in the order of the path. Links of
    generations without a budget, and segments of which something is not known, are left out.
    """
    crossed: dict[str, None] = {}
    for link in paths.links(i, j):
        row = interior.links[link]
        crossed.update(dict.fromkeys(node for node in (row.src, row.dst) if row.kind == LinkKind.PCIE))
    nodes = [n for n in crossed if n in interior.signal]
    rows: list[dict[str, object]] = []
    for node in nodes:
        path = interior.signal[node]
        if path.parent not in crossed:
            continue
        for segment in path.segments:
            if segment.budget_db and segment.known:
                ends = f"{prefix}{segment.upper} - {prefix}{segment.lower}"
                rows.append({"segment": ends, "loss": round(segment.loss_db, 2), "budget": segment.budget_db})
    return rows


def _finish(classes: dict[str, str], hops: list[Hop], transport: int) -> PointPath:
    limiting = [hop for hop in hops if hop.rate > 0]
    # on a tie the NIC port is named: it is what can be bought bigger
    slowest = min(limiting, key=lambda hop: (round(hop.rate, 3), hop.kind != "nic"), default=None)
    word = Transport(transport).name.lower().replace("_", "-")
    return PointPath(
        classes,
        tuple(hops),
        sum(hop.latency_s for hop in hops),
        slowest.rate if slowest else 0.0,
        slowest.address if slowest else "",
        word,
    )


def _prefix(cluster: Cluster, server: int) -> str:
    lone = not cluster.fabric.bundles and len(cluster.fabric.items) == 1 and len(cluster.server_dev) == 1
    return "" if lone else f"{cluster.server_address(server)}/"


def _inside(cluster: Cluster, a: _Place, b: _Place, source: str, target: str) -> PointPath:
    interior = cluster.interiors[cluster.variant[a.server]]
    if a.gpu >= 0 and b.gpu >= 0:
        paths, i, j = interior.gpu_gpu, a.gpu, b.gpu
    elif a.gpu >= 0:
        paths, i, j = interior.gpu_port, a.gpu, b.ports[0]
    elif b.gpu >= 0:
        paths, i, j = interior.port_gpu, a.ports[0], b.gpu
    else:
        raise UserError(msg("'{a}' and '{b}' are NICs of one server; name a GPU.", a=source, b=target))
    if a.gpu == b.gpu and a.gpu >= 0:
        raise UserError(msg("'{a}' and '{b}' are the same GPU.", a=source, b=target))
    if paths.transport[i, j] == Transport.NONE:
        raise UserError(msg("There is no way from '{a}' to '{b}'.", a=source, b=target))
    prefix = _prefix(cluster, a.server)
    way = _finish(_classes(paths, i, j), _hops(interior, paths, i, j, prefix), int(paths.transport[i, j]))
    return replace(way, loss_db=tuple(_losses(interior, paths, i, j, prefix)))


def _between(cluster: Cluster, a: _Place, b: _Place, network: str, source: str, target: str) -> PointPath:
    sender, receiver = cluster.interiors[cluster.variant[a.server]], cluster.interiors[cluster.variant[b.server]]
    best: tuple[tuple[float, ...], int, int, list[int]] | None = None
    for q in _cabled(cluster, b, network):
        for p in _cabled(cluster, a, network):
            leaf_a, leaf_b = int(cluster.uplink_leaf[a.server, p]), int(cluster.uplink_leaf[b.server, q])
            route = [] if leaf_a == leaf_b else example_route(cluster.fabric, network, leaf_a, leaf_b)
            if route is None:
                continue
            cost = (_near(receiver.port_gpu, q, b.gpu), float(len(route)), _near(sender.gpu_port, a.gpu, p), q, p)
            if best is None or cost < best[0]:
                best = (cost, p, q, route)
    if best is None:
        raise UserError(
            msg(
                "There is no way from '{a}' to '{b}' over the network {network}.",
                a=source,
                b=target,
                network=network_words(network),
            )
        )
    _, p, q, route = best
    hops: list[Hop] = []
    losses: list[dict[str, object]] = []
    transport = int(Transport.NONE)
    if a.gpu >= 0:
        hops += _hops(sender, sender.gpu_port, a.gpu, p, _prefix(cluster, a.server))
        losses += _losses(sender, sender.gpu_port, a.gpu, p, _prefix(cluster, a.server))
        transport = int(sender.gpu_port.transport[a.gpu, p])
    hops.append(_nic(cluster, sender, a.server, p))
    hops += _wires(cluster, a.server, p, b.server, q, route)
    hops.append(_nic(cluster, receiver, b.server, q))
    if b.gpu >= 0:
        hops += _hops(receiver, receiver.port_gpu, q, b.gpu, _prefix(cluster, b.server))
        losses += _losses(receiver, receiver.port_gpu, q, b.gpu, _prefix(cluster, b.server))
    words = {"pci": "network", "nccl": "NET", "nccl_flattened": "NET", "nvidia_smi": "-", "overlay": ""}
    return replace(_finish(words, hops, transport), loss_db=tuple(losses))


def _near(paths: Paths, i: int, j: int) -> float:
    """How near a GPU and a port are for the choice of a NIC; transports that stage in host memory come last."""
    if i < 0 or j < 0:
        return 0.0
    overlay = int(paths.overlay[i, j])
    nearest = min(int(paths.nccl_flattened[i, j]), overlay if overlay >= 0 else 99)
    return nearest + (100.0 if paths.transport[i, j] in (Transport.NONE, Transport.HOST_STAGED) else 0.0)


def _cabled(cluster: Cluster, place: _Place, network: str) -> list[int]:
    """Ports that count for a place and are cabled on the network."""
    fabric = cluster.fabric
    interior = cluster.interiors[cluster.variant[place.server]]
    ports = place.ports or tuple(range(len(interior.net_ports)))
    links = [(p, int(cluster.uplink[place.server, p])) for p in ports]
    return [p for p, link in links if link >= 0 and fabric.networks[fabric.network[link]] == network]


def _nic(cluster: Cluster, interior: Interior, server: int, port: int) -> Hop:
    rate = float(cluster.fabric.rate[cluster.uplink[server, port]]) * NIC_EFFICIENCY
    return Hop(f"{_prefix(cluster, server)}{interior.net_ports[port]}", "nic", NIC_LATENCY_S, rate)


def _wires(cluster: Cluster, a: int, p: int, b: int, q: int, route: list[int]) -> list[Hop]:
    """Cables and switches from the sender's port to the receiver's."""
    fabric = cluster.fabric
    first, last = int(cluster.uplink[a, p]), int(cluster.uplink[b, q])
    hops = [_cable(cluster, first)]
    device = int(cluster.uplink_leaf[a, p])
    for directed in route:
        link = directed // 2
        hops.append(_switch(cluster, device))
        hops.append(_cable(cluster, link))
        device = int(fabric.b_dev[link] if directed % 2 == 0 else fabric.a_dev[link])
    if fabric.switch[device]:
        hops.append(_switch(cluster, device))
        hops.append(_cable(cluster, last))
    return hops


def _cable(cluster: Cluster, link: int) -> Hop:
    fabric = cluster.fabric
    wait = float(fabric.length_m[link]) * FIBRE_S_PER_M
    return Hop(fabric.link_address(link), "cable", wait, float(fabric.rate[link]) * NIC_EFFICIENCY)


def _switch(cluster: Cluster, device: int) -> Hop:
    return Hop(cluster.fabric.device_address(device), "switch", float(cluster.fabric.switch_latency_s[device]), 0.0)
