"""A compiled cluster with something down, without compiling it again: what sweeps over failures work on.

Gives what ``compile_cluster(..., failed=[address])`` gives for the same thing, address by address (tests hold them
against each other), at a fraction of the time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fabricwright.topology.cluster import domains_of, uplinks_of
from fabricwright.topology.model import I32, Cluster, Fabric

Bool = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Outage:
    """One thing that is down: a device, a physical link, a NIC of a server (index and id) or a GPU of a server."""

    device: int = -1
    link: int = -1
    server: int = -1
    nic: str = ""
    gpu: str = ""

    def address(self, cluster: Cluster) -> str:
        """Address of what is down."""
        if self.device >= 0:
            return cluster.fabric.device_address(self.device)
        if self.link >= 0:
            return cluster.fabric.link_address(self.link)
        inner = self.nic or self.gpu
        return f"{cluster.server_address(self.server)}/{inner}" if cluster.fabric.bundles else inner


def links_down(cluster: Cluster, outage: Outage) -> I32:
    """Physical links that an outage takes down."""
    fabric = cluster.fabric
    if outage.link >= 0:
        return np.array([outage.link], dtype=np.int32)
    device = outage.device if outage.device >= 0 else int(cluster.server_dev[outage.server]) if outage.nic else -1
    if device < 0:
        return np.zeros(0, dtype=np.int32)
    mine = np.flatnonzero((fabric.a_dev == device) | (fabric.b_dev == device)).astype(np.int32)
    if outage.device >= 0:
        return mine
    keep = [_port_name(fabric, int(k), device).startswith(f"{outage.nic}:") for k in mine]
    return mine[np.array(keep, dtype=bool)] if len(mine) else mine


def _port_name(fabric: Fabric, link: int, device: int) -> str:
    bundle = fabric.bundles[int(fabric.bundle[link])]
    at_a = int(fabric.a_dev[link]) == device
    names, port = (bundle.a_ports, fabric.a_port[link]) if at_a else (bundle.b_ports, fabric.b_port[link])
    return names[int(port)] if 0 <= port < len(names) else ""


def ranks_down(cluster: Cluster, outage: Outage) -> Bool:
    """bool(n): ranks that go down with it."""
    out = np.zeros(cluster.n_ranks, dtype=bool)
    if outage.gpu:
        inner = cluster.interiors[int(cluster.variant[outage.server])]
        out |= (cluster.rank_server == outage.server) & (cluster.rank_gpu == inner.gpus.index(outage.gpu))
    elif outage.device >= 0:
        out |= cluster.server_dev[cluster.rank_server] == outage.device
    return out


def without(cluster: Cluster, outage: Outage) -> Cluster:
    """The cluster with the outage."""
    keep = ~ranks_down(cluster, outage)
    fabric = cluster.fabric
    dead = links_down(cluster, outage)
    if len(dead) or outage.device >= 0:
        rate = fabric.rate.copy()
        rate[dead] = 0.0
        up = fabric.up.copy() if len(fabric.up) else np.ones(len(rate), dtype=bool)
        up[dead] = False
        failed = fabric.failed.copy()
        if outage.device >= 0:
            failed[outage.device] = True
        fabric = replace(fabric, rate=rate, up=up, failed=failed, memo={})
    uplink, leaf = cluster.uplink, cluster.uplink_leaf
    if len(dead) and np.isin(uplink, dead).any():
        uplink, leaf = uplinks_of(fabric, cluster.interiors, cluster.server_dev, cluster.variant)
    rank_server, rank_gpu = cluster.rank_server[keep], cluster.rank_gpu[keep]
    domain = cluster.rank_domain[keep] if len(cluster.rank_domain) else cluster.rank_domain
    if len(dead) and any(b.medium == "nvlink" for b in fabric.bundles):
        domain = domains_of(fabric, cluster.interiors, cluster.server_dev, cluster.variant, rank_server, rank_gpu)
    return replace(
        cluster,
        fabric=fabric,
        uplink=uplink,
        uplink_leaf=leaf,
        rank_server=rank_server,
        rank_gpu=rank_gpu,
        rank_domain=domain,
        up=~fabric.failed[cluster.server_dev] if len(cluster.up) else cluster.up,
    )


def only(cluster: Cluster, ranks: Bool) -> Cluster:
    """The cluster with those ranks alone."""
    return replace(
        cluster,
        rank_server=cluster.rank_server[ranks],
        rank_gpu=cluster.rank_gpu[ranks],
        rank_domain=cluster.rank_domain[ranks] if len(cluster.rank_domain) else cluster.rank_domain,
    )
