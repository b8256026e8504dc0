"""What kind of network carries the bytes between servers, as far as cost depends on it.

The design's setting ``network.transport`` says it; without one InfiniBand links are InfiniBand and Ethernet links RoCE.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabricwright.performance.layout import Layout


@dataclass(frozen=True, slots=True)
class NetworkKind:
    """``payload`` calibrated payload share (``network.<payload>``), ``step`` calibrated factor on a network step
    (``step.<step>``), "" for none; ``band`` whose measured spread counts.
    """

    payload: str
    step: str
    band: str


TRANSPORTS: dict[str, NetworkKind] = {
    "infiniband": NetworkKind("rdma", "", "rdma"),
    "roce": NetworkKind("rdma", "", "rdma"),
    "unknown": NetworkKind("rdma", "", "rdma"),
    "slingshot": NetworkKind("slingshot", "slingshot", "cloud"),
    "efa": NetworkKind("efa", "efa", "cloud"),
    "tcpx": NetworkKind("tcpx", "tcpx", "cloud"),
    "tcpxo": NetworkKind("tcpxo", "tcpxo", "cloud"),
    "tcp": NetworkKind("tcp", "tcp", "cloud"),
}
NONE = NetworkKind("rdma", "", "")


def network_kind(layout: Layout) -> NetworkKind:
    """Kind of the network of a layout; ``NONE`` on one server."""
    if layout.k == 1:
        return NONE
    word = layout.cluster.settings.get("network.transport")
    if isinstance(word, str) and word.strip().lower() in TRANSPORTS:
        return TRANSPORTS[word.strip().lower()]
    return TRANSPORTS["infiniband" if layout.medium == "ib" else "roce"]
