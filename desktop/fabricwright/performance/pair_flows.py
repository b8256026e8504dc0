"""Rounds in which each rank sends to at most one other: neighbour shifts, exchanges at a distance (send_recv,
halving-doubling).

Servers whose ranks do the same in a round share a row of ``Loads.inside``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabricwright.performance.flows import Loads, add_path
from fabricwright.performance.layout import Layout, ServerClass
from fabricwright.performance.peer_ports import channel_count, keeps_rails, port_by_channel
from fabricwright.performance.sends import Pattern, Sends
from fabricwright.performance.wires import wire_loads
from fabricwright.topology.reach import device_parts

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
NOBODY, ELSEWHERE = -1, -2


def pair_loads(layout: Layout, src_rank: I64, dst_rank: I64, amount: float = 1.0) -> Loads:
    """Load when rank ``src_rank[i]`` sends ``amount`` per byte of ``size`` to ``dst_rank[i]``. Senders and
    receivers are distinct.
    """
    width = max(len(c.interior.gpus) for c in layout.classes)
    src, dst = layout.rank_position[src_rank], layout.rank_position[dst_rank]
    src_gpu, dst_gpu = layout.rank_gpu[src_rank], layout.rank_gpu[dst_rank]
    near = src == dst
    rails = keeps_rails(layout)
    to = np.full((layout.k, width), NOBODY, dtype=np.int64)
    to[src[near], src_gpu[near]] = dst_gpu[near]
    # towards other servers what matters inside is the receiver's GPU index when it picks the rail
    to[src[~near], src_gpu[~near]] = ELSEWHERE - (dst_gpu[~near] if rails else 0)
    got = np.zeros((layout.k, width), dtype=np.int64)
    got[dst[~near], dst_gpu[~near]] = 1
    signature = np.concatenate((layout.group[:, None], to, got), axis=1)
    _, first, row_of = np.unique(signature, axis=0, return_index=True, return_inverse=True)
    inside = np.zeros((len(first), layout.width))
    count = channel_count(layout) if layout.k > 1 else 0
    tables = [_Ports(c, count) for c in layout.classes]
    for row, position in zip(inside, first, strict=True):
        number = int(layout.group[position])
        _inside_row(row, layout.classes[number], tables[number], to[position], got[position], amount, rails)
    sends = _sends(layout, tables, src[~near], src_gpu[~near], dst[~near], dst_gpu[~near], amount, rails)
    key = f"pairs {hash((src_rank.tobytes(), dst_rank.tobytes()))}"
    return Loads(row_of.reshape(-1).astype(np.int64), inside, wire_loads(layout, sends), Pattern(key, lambda: sends))


class _Ports:
    """Ports of a class by channel and GPU index of the interior."""

    def __init__(self, c: ServerClass, count: int) -> None:
        shape = (count, len(c.interior.gpus))
        self.send: I64 = np.zeros(shape, dtype=np.int64)
        self.receive: I64 = np.zeros(shape, dtype=np.int64)
        if count:
            self.send[:, list(c.gpus)] = port_by_channel(c, True, count)
            self.receive[:, list(c.gpus)] = port_by_channel(c, False, count)


def _inside_row(row: F64, c: ServerClass, ports: _Ports, to: I64, got: I64, amount: float, rails: bool) -> None:
    inner, count = c.interior, len(ports.send)
    for gpu in c.gpus:
        target = int(to[gpu])
        if target >= 0:
            add_path(row, inner.gpu_gpu, gpu, target, amount)
        elif target <= ELSEWHERE:
            leaving = ports.receive[:, ELSEWHERE - target] if rails else ports.send[:, gpu]
            for port in leaving:
                add_path(row, inner.gpu_port, gpu, int(port), amount / count)
        if got[gpu]:
            for port in ports.receive[:, gpu]:
                add_path(row, inner.port_gpu, int(port), gpu, amount / count)


def _sends(
    layout: Layout, tables: list[_Ports], src: I64, src_gpu: I64, dst: I64, dst_gpu: I64, amount: float, rails: bool
) -> Sends:
    if len(src) == 0:
        return Sends.none()
    width = max(t.send.shape[1] for t in tables)
    count = len(tables[0].send)
    send, receive = np.zeros((2, len(tables), count, width), dtype=np.int64)
    for number, table in enumerate(tables):
        send[number, :, : table.send.shape[1]] = table.send
        receive[number, :, : table.receive.shape[1]] = table.receive
    into = receive[layout.group[dst], :, dst_gpu]
    out = into if rails else send[layout.group[src], :, src_gpu]
    share = np.full(into.size, amount / count)
    sends = Sends(np.repeat(src, count), out.reshape(-1), np.repeat(dst, count), into.reshape(-1), share)
    return sends if rails or len(layout.classes) < 2 else _on_one_plane(layout, sends)


def _on_one_plane(layout: Layout, sends: Sends) -> Sends:
    """Sends whose ports no switch joins leave through the sender's port nearest by number that reaches the receiver's
    (a port of one plane is down).
    """
    part = device_parts(layout.cluster.fabric, layout.network)
    plane = np.where(layout.leaf >= 0, part[np.maximum(layout.leaf, 0)], -1)
    goal = plane[sends.dst, sends.dst_port]
    apart = np.flatnonzero(plane[sends.src, sends.src_port] != goal)
    if not len(apart):
        return sends
    port = sends.src_port.copy()
    for n in apart:
        able = np.flatnonzero(plane[sends.src[n]] == goal[n])
        if len(able):
            port[n] = able[np.argmin(np.abs(able - port[n]))]
    return Sends(sends.src, port, sends.dst, sends.dst_port, sends.amount)
