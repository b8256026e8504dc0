"""NCCL's protocols LL, LL128 and Simple: what part of the wire is payload, what a step costs, where they are used.

LL sends 4 bytes of data with 4 bytes of flag, LL128 120 of 128; both save the barrier that Simple needs. Ceilings: LL
is bound by the GPU's load/store rate on fast links (llMaxBw of NVIDIA/nccl src/graph/tuning.cc). LL128 is used where
every path inside a server is NVLink and the NIC is reached within PXN (Hopper and later) or PXB (older).
"""

from __future__ import annotations

from fabricwright.performance.calibration import Calibration
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


def seconds_per_byte(
    protocol: str, simple: float, factor: float, nvlink_gen: int, calibration: Calibration
) -> tuple[float, bool]:
    """(seconds per byte of ``size``, whether the protocol's own ceiling binds).

    ``simple`` is the time per byte with full payload, ``factor`` busbw / algbw. The ceiling is a bus bandwidth.
    """
    if calibration.ideal:
        return simple, False
    share = calibration.value(f"protocol.{protocol.lower()}_share")
    wire = simple / share
    if protocol != LL:
        return wire, False
    generation = min(5, max(2, nvlink_gen)) if nvlink_gen else 3
    ceiling = calibration.value("protocol.ll_ceiling") * calibration.value(f"protocol.ll_max_gbs_{generation}") * 1e9
    bound = factor / ceiling
    return (bound, True) if bound > wire else (wire, False)
