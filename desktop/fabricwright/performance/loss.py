"""What lost packets leave of a network's bandwidth.

RDMA NICs resend everything after a lost packet (go-back-N): with p the chance that a packet is lost and W packets
under way of one queue pair, eta = (1 - p) / (1 + p (W - 1)); a NIC that resends only what was lost (selective repeat)
keeps eta = 1 - p. Textbook: Bertsekas and Gallager 1992, section 2.4. W = rate x round trip / (queue pairs x MTU), at
least 1; the round trip is the unloaded one of the drawn paths, so queues make it worse. Losses that end in a timeout
cost more than this.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fabricwright.design.options import stated
from fabricwright.performance.ecmp import routing_of
from fabricwright.performance.latency import path_times
from fabricwright.performance.layout import Layout
from fabricwright.topology.classes import flag
from fabricwright.topology.roce import NOT_ROCE, RDMA_MTU, payload_of
from fabricwright.topology.stated import stated_figure

ASSUMED_RATE = 1e-4
"""Loss rate of a network that is said to drop packets without saying how many: the one in ten thousand that the
program's first document names as enough to set off go-back-N. An assumption, no measurement."""


LARGEST_PACKET = 65536
"""Bytes; more is a slip of the pen and counts as not stated."""


@dataclass(frozen=True, slots=True)
class Loss:
    """``rate`` chance that a packet is lost, ``window`` packets under way, ``mtu`` bytes, ``round_trip_s``;
    ``selective``: every NIC in use resends only what was lost. ``share`` of the bandwidth that is left. ``assumed``:
    nobody states the rate.
    """

    rate: float
    window: float
    mtu: int
    round_trip_s: float
    selective: bool
    share: float
    assumed: bool = False


def go_back_n(rate: float, window: float) -> float:
    """Share of the bandwidth that go-back-N leaves."""
    return (1.0 - rate) / (1.0 + rate * (window - 1.0))


def is_lossless(layout: Layout) -> bool:
    """Whether packets are never dropped for want of buffers: stated (``lossless``, on Ethernet else ``pfc``), else as
    the medium does (InfiniBand: yes; nothing is counted on Ethernet either until a loss rate is stated).
    """
    value = stated(layout.cluster.settings, "lossless")
    if value is None and layout.medium != "ib":
        value = stated(layout.cluster.settings, "pfc")
    return layout.medium == "ib" if value is None else flag(value, False)


def rate_of(layout: Layout) -> tuple[float, bool]:
    """(loss rate of a network that is not lossless, whether it is ``ASSUMED_RATE``); 0 where nothing is lost. A network
    counts as lossy when ``lossless`` or ``pfc`` is stated off, or a loss rate is stated.
    """
    if layout.k == 1 or is_lossless(layout):
        return 0.0, False
    settings = layout.cluster.settings
    value = stated_figure(stated(settings, "loss.rate"))
    if value is not None:
        return min(value, 1.0), False
    off = [stated(settings, key) for key in ("lossless", *(("pfc",) if layout.medium != "ib" else ()))]
    if all(key is None for key in off) or str(stated(settings, "network.transport") or "").lower() in NOT_ROCE:
        return 0.0, False
    return ASSUMED_RATE, True


def packet_bytes(layout: Layout) -> int:
    """RDMA MTU: ``roce.mtu`` where stated, else what fits the Ethernet ``mtu``, else 4096."""
    value = stated_figure(stated(layout.cluster.settings, "roce.mtu"))
    if value is not None and RDMA_MTU[-1] <= value <= LARGEST_PACKET:
        return int(value)
    frame = stated_figure(stated(layout.cluster.settings, "mtu"))
    if layout.medium != "ib" and frame is not None:
        return payload_of(frame)
    return RDMA_MTU[0]


def loss_of(layout: Layout) -> Loss | None:
    """What loss does between the servers of a layout; None where nothing is lost."""
    rate, assumed = rate_of(layout)
    return replace(loss_at(layout, rate), assumed=assumed) if rate > 0 else None


def loss_at(layout: Layout, rate: float) -> Loss:
    """What a loss rate would do, whatever is stated: for curves over the rate."""
    ports = [(c, int(ch.out_port)) for c in layout.classes for ch in c.channels if ch.out_port >= 0]
    line = max((float(c.interior.port_rate[p]) for c, p in ports), default=0.0)
    selective = bool(ports) and all(
        bool(c.interior.nic_selective) and c.interior.nic_selective[int(c.interior.port_nic[p])] for c, p in ports
    )
    mtu, trip = packet_bytes(layout), 2 * path_times(layout).network_s
    window = max(1.0, line * trip / (routing_of(layout).qps * mtu))
    share = 1.0 - rate if selective else go_back_n(rate, window)
    return Loss(rate, window, mtu, trip, selective, share)


def kept_share(layout: Layout) -> float:
    """Share of a port's bandwidth that losses leave; 1 where nothing is lost."""
    found = loss_of(layout)
    return 1.0 if found is None else max(found.share, 1e-9)
