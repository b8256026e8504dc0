"""NCCL's protocols LL, LL128 and Simple: what part of the wire is payload, what a step costs, where they are used.

LL sends 4 bytes of data with 4 bytes of flag, LL128 120 of 128; both save the barrier that Simple needs. Ceilings: LL
is bound by the GPU's load/store rate on fast links (llMaxBw of NVIDIA/nccl src/graph/tuning.cc). LL128 is used where
every path inside a server is NVLink and the NIC is reached within PXN (Hopper and later) or PXB (older).
"""

from __future__ import annotations

from fabricwright.performance.belief_tables import belief
from fabricwright.performance.cost import Term
from fabricwright.topology.model import NcclClass
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

LL, LL128, SIMPLE = "LL", "LL128", "Simple"
PROTOCOLS = (LL, LL128, SIMPLE)


def check_protocol(name: str) -> str:
    """Canonical spelling of a protocol or ``auto``; ``UserError`` otherwise."""
    for known in ("auto", *PROTOCOLS):
        if name.lower() == known.lower():
            return known
    raise UserError(msg("Protocol '{name}' is not known; expected auto, LL, LL128 or Simple.", name=name))


def allowed_protocols(all_nvlink: bool, net_class: int, nvlink_gen: int) -> tuple[str, ...]:
    """Protocols NCCL would consider. ``all_nvlink``: every pair inside a server (true for one GPU per server);
    ``net_class``: worst class of the NIC paths in use, LOC on one server."""
    limit = NcclClass.PXN if nvlink_gen >= 4 else NcclClass.PXB
    if all_nvlink and net_class <= limit:
        return PROTOCOLS
    return (LL, SIMPLE)


def payload_share(protocol: str) -> float:
    """Part of the wire's bytes that is payload (NCCL: LL 4 of 8 bytes, LL128 counted 0.92)."""
    return {LL: belief("share", "ll"), LL128: belief("share", "ll128")}.get(protocol, 1.0)


def ceiling(factor: float, nvlink_gen: int) -> Term:
    """What LL is bound by whatever the links are: seconds per byte at NCCL's llMaxBw, to be divided by the share of it
    that is reached. ``factor`` busbw / algbw; the ceiling is a bus bandwidth.
    """
    row = min(5, max(2, nvlink_gen)) - 2 if nvlink_gen else 1
    return Term(factor / (belief("rate_gbs", "ll_max", row, 0) * 1e9), ("protocol.ll_ceiling",))
