"""A cluster laid out for collectives: which servers take part in which order, through which ports, on which channels.

Servers that look alike from inside (same interior, same GPUs taking part, same live ports) form one class and are
worked out once. Nothing here depends on collective, size or calibration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.interior_order import Channel, all_nvlink, channels, closed_ring, direct_mesh, nccl_class
from fabricwright.performance.kept import Kept
from fabricwright.topology.model import Cluster, Fabric, Interior
from fabricwright.topology.reach import cut_statement, device_parts
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
MAX_LISTED = 4
_known: Kept[ServerClass] = Kept(64)
DOMAIN_GPUS = 16
DOMAIN_RATE = 8 * 50e9
"""bytes/s of the ports that rings and trees use of an NVLink domain of more than ``DOMAIN_GPUS`` GPUs: 20 racks of
GB200 and two of GB300 both measure eight channels of 400 Gb/s, whatever NICs they have. An estimate."""


@dataclass(frozen=True, slots=True)
class ServerClass:
    """Servers that are equal from inside. ``gpus`` and ``ports`` index the interior; ``channels`` one per cluster
    channel, or the closed ring when one server takes part alone. ``mesh`` direct GPU links, ``nvlink`` every pair
    over NVLink.
    """

    variant: int
    interior: Interior
    gpus: tuple[int, ...]
    ports: tuple[int, ...]
    channels: tuple[Channel, ...]
    nvlink: bool
    mesh: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """k servers in rank order (positions), n ranks, C channels.

    ``server`` (k,) cluster server index; ``group`` (k,) index into ``classes``; ``gpu_count`` (k,);
    ``rank_position``/``rank_gpu`` (n,) where a rank is. ``out_wire``/``in_wire`` (k, P) directed fabric link that
    leaves from and arrives at a compute port, -1 none; ``leaf`` (k, P) device at its far end. ``shares`` (C,) part of
    the bytes on each channel. ``wire_rate`` (2K,) line rate of directed fabric links, cut to the NIC port's;
    ``is_port`` (2K,) whether the wire is a server's. ``width`` links of the largest interior. ``network`` the
    collectives run over and its ``medium`` ("eth", "ib"); "" on one server.
    """

    cluster: Cluster
    classes: tuple[ServerClass, ...]
    server: I64
    group: I64
    gpu_count: I64
    rank_position: I64
    rank_gpu: I64
    out_wire: I64
    in_wire: I64
    leaf: I64
    shares: F64
    wire_rate: F64
    is_port: NDArray[np.bool_]
    width: int
    network: str
    medium: str

    @property
    def n(self) -> int:
        """Ranks."""
        return len(self.rank_position)

    @property
    def k(self) -> int:
        """Servers that take part."""
        return len(self.server)

    @property
    def variant_of(self) -> I64:
        """Variant of the server at each position (k,)."""
        return np.array([c.variant for c in self.classes], dtype=np.int64)[self.group]

    def port_table(self, which: str) -> I64:
        """(classes, C): port index that channel c uses, ``which`` "in_port" or "out_port"."""
        return np.array([[int(getattr(ch, which)) for ch in c.channels] for c in self.classes], dtype=np.int64)


def lay_out(cluster: Cluster) -> Layout:
    """Lay a cluster out. ``UserError`` when nobody takes part, or a server of several has no compute port cabled."""
    if cluster.n_ranks == 0:
        raise UserError(msg("No GPU takes part: there is no server with GPUs in the rank order of this design."))
    server, position = _by_first_appearance(np.asarray(cluster.rank_server, dtype=np.int64))
    rank_gpu = np.asarray(cluster.rank_gpu, dtype=np.int64)
    k = len(server)
    widest = max((len(i.gpus) for i in cluster.interiors), default=0)
    there = np.zeros((k, widest), dtype=bool)
    there[position, rank_gpu] = True
    gpu_count = np.bincount(position, minlength=k).astype(np.int64)
    live, network, medium = _live_ports(cluster, server) if k > 1 else (np.zeros((k, 0), dtype=bool), "", "")
    if k > 1 and not live.any(axis=1).all():
        raise _uncabled(cluster, server[~live.any(axis=1)])
    variant = np.asarray(cluster.variant, dtype=np.int64)[server]
    first, group = _alike(variant, there, live)
    kinds = [(cluster.interiors[int(variant[p])], np.flatnonzero(there[p]), np.flatnonzero(live[p])) for p in first]
    used = [_ring_ports(interior, len(gpus), ports) for interior, gpus, ports in kinds]
    count = max(len(ports) for ports in used) if k > 1 else 1
    if k > 1 and min(len(ports) for ports in used) < count:
        used = _same_rails(cluster, network, server[first], kinds, used, count)
    classes = tuple(
        _server_class(int(variant[p]), *kind, ring, count, k) for p, kind, ring in zip(first, kinds, used, strict=True)
    )
    out_wire, in_wire, leaf = _wires(cluster, server, live)
    rate, is_port = _wire_rates(cluster, server, out_wire, in_wire)
    return Layout(
        cluster=cluster,
        classes=classes,
        server=server,
        group=group,
        gpu_count=gpu_count,
        rank_position=position,
        rank_gpu=rank_gpu,
        out_wire=out_wire,
        in_wire=in_wire,
        leaf=leaf,
        shares=_shares(classes, used, k),
        wire_rate=rate,
        is_port=is_port,
        width=max((len(i.links) for i in cluster.interiors), default=0),
        network=network,
        medium=medium,
    )


def _ring_ports(interior: Interior, gpus: int, ports: I64) -> I64:
    """Ports that rings and trees use: all of a server's; of an NVLink domain over many trays as many as carry
    ``DOMAIN_RATE``, spread over the trays.
    """
    if gpus <= DOMAIN_GPUS or not len(ports):
        return ports
    fastest = max(float(interior.port_rate[ports].max()), 1.0)
    count = max(1, min(len(ports), round(DOMAIN_RATE / fastest)))
    return ports[np.arange(count) * len(ports) // count]


def _same_rails(
    cluster: Cluster,
    network: str,
    servers: I64,
    kinds: list[tuple[Interior, I64, I64]],
    used: list[I64],
    count: int,
) -> list[I64]:
    """Ports by channel of servers that have fewer than others (something is down): each channel keeps its own port
    where that lives, else takes the least used one that the same switches reach (the same plane of the network).
    """
    full = next(n for n, ports in enumerate(used) if len(ports) == count)
    part = device_parts(cluster.fabric, network)

    def plane(kind: int, port: int) -> int:
        far = int(cluster.uplink_leaf[servers[kind], port])
        return int(part[far]) if far >= 0 and part[far] >= 0 else far

    out = []
    for kind, ports in enumerate(used):
        if len(ports) == count or kinds[kind][0].net_ports != kinds[full][0].net_ports:
            out.append(ports)
            continue
        living = kinds[kind][2].tolist()
        turns = dict.fromkeys(living, 0)
        chosen = []
        for wanted in used[full].tolist():
            if wanted in turns:
                best = wanted
            else:
                goal = plane(full, wanted)
                best = min(living, key=lambda p: (plane(kind, p) != goal, turns[p], abs(p - wanted)))
            turns[best] += 1
            chosen.append(best)
        out.append(np.array(chosen, dtype=np.int64))
    return out


def _alike(variant: I64, there: NDArray[np.bool_], live: NDArray[np.bool_]) -> tuple[I64, I64]:
    """First position of each kind of server (same interior, GPUs taking part, live ports), and the kind of each."""
    bits = np.packbits(np.concatenate((there, live), axis=1), axis=1)
    _, first, group = np.unique(
        np.concatenate((variant[:, None], bits), axis=1), axis=0, return_index=True, return_inverse=True
    )
    return first.astype(np.int64), group.reshape(-1).astype(np.int64)


def _by_first_appearance(values: I64) -> tuple[I64, I64]:
    """Distinct values in order of appearance, and the place of each value among them."""
    distinct, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return distinct[order].astype(np.int64), place[inverse.reshape(-1)]


def _live_ports(cluster: Cluster, server: I64) -> tuple[NDArray[np.bool_], str, str]:
    """(k, P) ports cabled to the compute network with a live link, that network and its medium.

    A design that names no network "compute" uses its only one, or the unnamed one.
    """
    fabric = cluster.fabric
    uplink = np.asarray(cluster.uplink, dtype=np.int64)[server]
    names, network = fabric.networks, compute_network(cluster)
    if network not in names or uplink.shape[1] == 0 or not len(fabric.rate):
        return np.zeros((len(server), uplink.shape[1]), dtype=bool), network, ""
    cabled = uplink >= 0
    at = np.where(cabled, uplink, 0)
    live = cabled & (fabric.rate[at] > 0) & (fabric.network[at] == names.index(network))
    used = np.unique(fabric.bundle[at[live]])
    return live, network, fabric.bundles[int(used[0])].medium if len(used) else ""


def compute_network(cluster: Cluster) -> str:
    """The network that collectives run over."""
    names = cluster.fabric.networks
    return "compute" if "compute" in names else "" if "" in names or len(names) != 1 else names[0]


def _uncabled(cluster: Cluster, servers: I64) -> UserError:
    fabric = cluster.fabric
    if len(fabric.up) and not fabric.up.all():  # something is down: whose ranks that cuts off says more
        cut = cut_statement(cluster, compute_network(cluster))
        if cut is not None:
            return UserError(cut)
    names = [cluster.server_address(int(s)) for s in servers[:MAX_LISTED]]
    more = len(servers) - len(names)
    if more:
        return UserError(
            msg(
                "{servers} and {more} more take part but have no port cabled to the compute network; connect them or"
                " take them out of the ranks.",
                servers=names,
                more=more,
            )
        )
    return UserError(
        msg(
            "{servers} take part but have no port cabled to the compute network; connect them or take them out of "
            "the ranks.",
            servers=names,
        )
    )


def _server_class(
    variant: int, interior: Interior, there: I64, ports: I64, ring: I64, count: int, k: int
) -> ServerClass:
    gpus = tuple(int(g) for g in there)
    own, in_ring = tuple(int(p) for p in ports), tuple(int(p) for p in ring)

    def make() -> ServerClass:
        placed = channels(interior, gpus, in_ring, count) if k > 1 else (closed_ring(interior, gpus),)
        mesh = bool(direct_mesh(interior, gpus))
        return ServerClass(variant, interior, gpus, own, placed, all_nvlink(interior, gpus), mesh)

    return _known.get(interior, (variant, gpus, own, in_ring, count, k > 1), make)


def _wires(cluster: Cluster, server: I64, live: NDArray[np.bool_]) -> tuple[I64, I64, I64]:
    fabric = cluster.fabric
    shape = live.shape
    if not live.any():
        none = np.full(shape, -1, dtype=np.int64)
        return none, none.copy(), none.copy()
    uplink = np.asarray(cluster.uplink, dtype=np.int64)[server]
    at = np.where(live, uplink, 0)
    far = np.asarray(cluster.uplink_leaf, dtype=np.int64)[server]
    from_a = fabric.b_dev[at] == far
    out = np.where(live, 2 * at + np.where(from_a, 0, 1), -1)
    back = np.where(live, 2 * at + np.where(from_a, 1, 0), -1)
    leaf = np.where(live, far, -1)
    return out, back, leaf


def _wire_rates(cluster: Cluster, server: I64, out_wire: I64, in_wire: I64) -> tuple[F64, NDArray[np.bool_]]:
    fabric: Fabric = cluster.fabric
    rate = np.repeat(np.asarray(fabric.rate, dtype=np.float64), 2)
    is_port = np.zeros(len(rate), dtype=bool)
    if out_wire.size:
        ports = out_wire.shape[1]
        table = np.zeros((len(cluster.interiors), ports))
        for v, interior in enumerate(cluster.interiors):
            width = min(ports, len(interior.port_rate))
            table[v, :width] = interior.port_rate[:width]
        own = table[np.asarray(cluster.variant, dtype=np.int64)[server]]
        own = np.where(own > 0, own, np.inf)
        for wire in (out_wire, in_wire):
            used = wire >= 0
            is_port[wire[used]] = True
            np.minimum.at(rate, wire[used], own[used])
    return rate, is_port


def _shares(classes: tuple[ServerClass, ...], used: list[I64], k: int) -> F64:
    """Bytes are dealt to channels by the line rate of their port (equal ports, equal shares)."""
    if k == 1:
        return np.ones(1)
    most = max(range(len(used)), key=lambda n: len(used[n]))
    rates = np.array([classes[most].interior.port_rate[p] for p in used[most]], dtype=np.float64)
    if not (rates > 0).all():
        rates = np.ones(len(rates))
    shares: F64 = rates / rates.sum()
    return shares


def worst_net_class(layout: Layout) -> int:
    """Worst NCCL class of the NIC paths in use, 0 (LOC) on one server."""
    worst = 0
    if layout.k == 1:
        return worst
    for c in layout.classes:
        into, out = nccl_class(c.interior.port_gpu), nccl_class(c.interior.gpu_port)
        for ch in c.channels:
            worst = max(worst, int(into[ch.in_port, ch.order[0]]), int(out[ch.order[-1], ch.out_port]))
    return worst
