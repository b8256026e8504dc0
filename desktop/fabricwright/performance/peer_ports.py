"""Which NIC ports a GPU uses to talk to one GPU of another server (all_to_all, send_recv, halving-doubling).

A GPU uses its nearest ports; where several are equally near its channels take them in turn, and sender and receiver
count channels alike, so port 0 talks to port 0. With PXN a sender hands its bytes over NVLink to the GPU beside the
port that has the receiver's rail, so that they never change rails in the fabric; without it each sender uses its own
nearest ports.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.interior_order import nccl_class
from fabricwright.performance.layout import Layout, ServerClass
from fabricwright.topology.model import NcclClass, Paths, Transport
from fabricwright.topology.reach import device_parts

I64 = NDArray[np.int64]
MAX_CHANNELS = 16


def nearest_ports(c: ServerClass, sending: bool, ports: tuple[int, ...] = ()) -> list[list[int]]:
    """Equally near ports of every GPU of the class, in port order; of ``ports`` where some are named."""
    among = ports or c.ports
    paths: Paths = c.interior.gpu_port if sending else c.interior.port_gpu
    class_, staged, rate = nccl_class(paths), paths.transport == Transport.HOST_STAGED, paths.bandwidth
    if not sending:
        class_, staged, rate = class_.T, staged.T, rate.T
    out = []
    for gpu in c.gpus:
        keys = [(int(class_[gpu, p]), bool(staged[gpu, p]), -float(rate[gpu, p])) for p in among]
        best = min(keys)
        out.append([p for p, key in zip(among, keys, strict=True) if key == best])
    return out


def channel_count(layout: Layout) -> int:
    """Channels after which every GPU has used each of its nearest ports equally often."""
    counts = {len(near) for c in layout.classes for sending in (True, False) for near in nearest_ports(c, sending)}
    return min(math.lcm(*counts), MAX_CHANNELS)


def planes_of(layout: Layout) -> list[dict[int, tuple[int, ...]]]:
    """For every class: parts of the network that no switch joins (planes, rails without spines) -> its ports there."""
    part = device_parts(layout.cluster.fabric, layout.network)
    out = []
    for number, c in enumerate(layout.classes):
        position = int(np.flatnonzero(layout.group == number)[0])
        table: dict[int, list[int]] = {}
        for p in c.ports:
            leaf = int(layout.leaf[position, p])
            table.setdefault(int(part[leaf]) if part[leaf] >= 0 else leaf, []).append(p)
        out.append({plane: tuple(ports) for plane, ports in sorted(table.items())})
    return out


def lopsided(planes: list[dict[int, tuple[int, ...]]]) -> bool:
    """Whether some servers have fewer ports than others on some of several planes (a port or its leaf is down)."""
    every = set().union(*planes) if planes else set()
    return len(every) > 1 and any(len({len(p.get(q, ())) for p in planes}) > 1 for q in every)


def port_by_channel(c: ServerClass, sending: bool, count: int) -> I64:
    """(count, GPUs of the class): port of the interior that each GPU uses on each channel."""
    near = nearest_ports(c, sending)
    return np.array([[ports[ch % len(ports)] for ports in near] for ch in range(count)], dtype=np.int64)


def keeps_rails(layout: Layout) -> bool:
    """Whether senders can always reach the receiver's rail over NVLink (PXN or nearer), on servers with the same
    ports.
    """
    if layout.k == 1 or len({c.ports for c in layout.classes}) != 1:
        return False
    for c in layout.classes:
        reach = nccl_class(c.interior.gpu_port)[np.ix_(c.gpus, c.ports)]
        if len(c.ports) < 2 or int(reach.max()) > NcclClass.PXN:
            return False
    return True
