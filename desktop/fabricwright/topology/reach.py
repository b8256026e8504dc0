"""Who can exchange data with whom: the parts that a network falls into when switches or cables are down."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.indexset import IndexSet
from fabricwright.design.network_names import network_words
from fabricwright.topology.model import Cluster, Fabric
from fabricwright.units.text import Message, msg

I64 = NDArray[np.int64]
MOST_NAMED = 4


def device_parts(fabric: Fabric, network: str) -> I64:
    """Lowest switch of the connected part of each switch in a network's living cables; -1 for other devices."""
    out = np.where(fabric.switch, np.arange(len(fabric.switch)), -1).astype(np.int64)
    code = fabric.networks.index(network) if network in fabric.networks else -1
    on = (fabric.network == code) & (fabric.rate > 0) & fabric.switch[fabric.a_dev] & fabric.switch[fabric.b_dev]
    a, b = fabric.a_dev[on].astype(np.int64), fabric.b_dev[on].astype(np.int64)
    while len(a):
        low = np.minimum(out[a], out[b])
        before = out.copy()
        np.minimum.at(out, a, low)
        np.minimum.at(out, b, low)
        out[out >= 0] = out[out[out >= 0]]
        if (out == before).all():
            break
    return out


def server_parts(cluster: Cluster, network: str, servers: I64) -> I64:
    """Number of the part that each of ``servers`` is in, largest part 0; servers that share any switch part are in one
    (a GPU hands data to another NIC of its server), a server without living cables is a part of its own. Two servers
    that are cabled to each other are joined as well.
    """
    fabric = cluster.fabric
    code = fabric.networks.index(network) if network in fabric.networks else -1
    uplink = np.asarray(cluster.uplink, dtype=np.int64)[servers]
    at = np.maximum(uplink, 0)
    live = (uplink >= 0) & (fabric.rate[at] > 0) & (fabric.network[at] == code) if len(fabric.rate) else uplink >= 0
    device = device_parts(fabric, network)
    far = np.asarray(cluster.uplink_leaf, dtype=np.int64)[servers]
    label = np.where(live, np.where(device[np.maximum(far, 0)] >= 0, device[np.maximum(far, 0)], far), -1)
    own = np.asarray(cluster.server_dev, dtype=np.int64)[servers]
    root = {int(x): int(x) for x in np.unique(np.concatenate((label[label >= 0], own)))}

    def find(x: int) -> int:
        while root[x] != x:
            root[x] = root[root[x]]
            x = root[x]
        return x

    rows, place = np.unique(np.sort(label, axis=1), axis=0, return_inverse=True) if label.size else (label, own * 0)
    first: dict[int, int] = {}
    for row_number, row in enumerate(rows):
        known = [int(x) for x in row if x >= 0]
        for other in known[1:]:
            root[find(other)] = find(known[0])
        if known:
            first[row_number] = known[0]
    direct = np.isin(label, own) & (label >= 0)
    for server in np.flatnonzero(direct.any(axis=1)) if label.size else ():
        for other in label[server][direct[server]]:
            root[find(int(other))] = find(int(own[server]))
            row = int(place.reshape(-1)[server])
            root[find(first[row])] = find(int(own[server]))
    piece = np.array(
        [find(first[int(p)]) if int(p) in first else -1 - n for n, p in enumerate(place.reshape(-1))], dtype=np.int64
    )
    found, first_of, index, counts = np.unique(piece, return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((first_of, -counts))
    number = np.empty(len(found), dtype=np.int64)
    number[order] = np.arange(len(order))
    return number[index.reshape(-1)]


def rank_parts(cluster: Cluster, network: str) -> I64:
    """Part of each rank, largest 0; all 0 on one server or one NVLink domain."""
    servers, inverse = np.unique(cluster.rank_server, return_inverse=True)
    if len(servers) < 2:
        return np.zeros(cluster.n_ranks, dtype=np.int64)
    part = server_parts(cluster, network, servers.astype(np.int64))[inverse.reshape(-1)]
    if part.any() and len(cluster.rank_domain) and int(cluster.rank_domain.max()) >= 0:
        part = _through_domains(part, cluster.rank_domain.astype(np.int64))
    return part


def _through_domains(part: I64, domain: I64) -> I64:
    """Parts that an NVLink domain joins are one."""
    out = part.copy()
    inside = domain >= 0
    while True:
        lowest = np.full(int(domain.max()) + 1, len(part), dtype=np.int64)
        np.minimum.at(lowest, domain[inside], out[inside])
        better = np.where(inside, np.minimum(out, lowest[np.maximum(domain, 0)]), out)
        same = np.arange(int(part.max()) + 1)
        np.minimum.at(same, out, better)
        better = same[out]
        if (better == out).all():
            return better
        out = better


def rank_words(cluster: Cluster, ranks: I64) -> Message:
    """``ranks 8-15 (node[1])``."""
    servers = np.unique(cluster.rank_server[ranks])
    names = [cluster.server_address(int(s)) for s in servers[:MOST_NAMED]]
    numbers = str(IndexSet.of_array(np.sort(ranks)))
    if len(servers) > MOST_NAMED:
        return msg(
            "ranks {numbers} ({names} and {more} more)",
            numbers=numbers,
            names=names,
            more=len(servers) - MOST_NAMED,
        )
    return msg("ranks {numbers} ({names})", numbers=numbers, names=names)


def cut_statement(cluster: Cluster, network: str) -> Message | None:
    """Which ranks cannot reach which; None when all can."""
    part = rank_parts(cluster, network)
    count = int(part.max(initial=0)) + 1
    if count < 2:
        return None
    words = [rank_words(cluster, np.flatnonzero(part == p)) for p in range(min(count, MOST_NAMED))]
    if count == 2:
        return msg(
            "The {network} network is cut: {a} and {b} cannot reach each other.",
            network=network_words(network),
            a=words[0],
            b=words[1],
        )
    rest = words[-1]
    for word in reversed(words[:-1]):
        rest = msg("{one}; {others}", one=word, others=rest)
    return msg(
        "The {network} network is cut into {count} parts that cannot reach one another: {parts}{more}.",
        network=network_words(network),
        count=count,
        parts=rest,
        more="" if count <= MOST_NAMED else msg("; ..."),
    )
