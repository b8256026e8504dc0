"""Buffer of Ethernet switches against what lossless classes take of it, and where marking and pausing begin.

Headroom is what still arrives at a port after it asked for a pause. Two methods, each named in the result:

* ``sonic``: the table that SONiC ships for the switch (pg_profile_lookup.ini: xoff by speed and cable length; read).
  A length between two rows takes the longer one, as SONiC's profiles do; beyond the last row the slope of the last two
  goes on.
* ``802.1qbb``: the sum of IEEE 802.1Qbb, annex O, in bit times: twice the cable (5 ns/m), the pause frame 672, the
  frame that the receiver may just be sending (MTU), the sender's interface delay, its response time, and the frame
  that it may just be sending (MTU); as collected from vendors' articles (read), values between its rows are
  interpolated (estimate).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.topology.constants import FIBRE_S_PER_M
from fabricwright.units.record import record

TABLES = {
    "sn3700": ("sn3700_sn4700", True),
    "sn4700": ("sn3700_sn4700", True),
    "sn5600": ("sn5600", True),
    "sn5640": ("sn5640", True),
    "7060x6": ("arista_7060x6", True),
    "sn3700c": ("sn3700_sn4700", False),
    "sn5400": ("sn5600", False),
    "sn5610": ("sn5600", False),
}
"""Start of a switch's part id or model -> (row of the catalogue's table ``pfc_headroom``, whether it is the table of
this very switch; else that of another one with the same chip, an estimate)."""

PAUSE_BITS = 672
FRAME_OVERHEAD_BITS = 160  # preamble, start and gap of a frame
LARGEST_MTU = 9216
INTERFACE_BITS = ((10.0, 8192.0), (100.0, 122880.0))
RESPONSE_BITS = ((10.0, 30720.0), (100.0, 201728.0), (400.0, 463360.0))
"""Bit times by Gb/s; beyond the last row the time in seconds stays, so that the bits grow with the rate (estimate)."""

SHORTEST_M = 5.0
"""Length that counts for a cable that nobody measured: the shortest row of the tables; sums are lower bounds then."""


@record
class Headroom:
    """Bytes of one port and lossless class; ``method`` sonic | 802.1qbb; ``source``; ``estimate`` not read as such."""

    bytes: float
    method: str
    source: str
    estimate: bool


def headroom(
    part: Part | None,
    name: str,
    gbps: float,
    length_m: float,
    *,
    mtu: float = LARGEST_MTU,
    method: str = "",
    delay_ns: float | None = None,
) -> Headroom:
    """Headroom of a port of switch ``name`` at a rate over a cable. ``method`` "" takes the switch's table where there
    is one; a stated ``delay_ns`` (time until a pause counts) asks for the sum.
    """
    if method != "802.1qbb" and delay_ns is None:
        found = _by_table(name.lower(), part.model.lower() if part is not None else "", gbps, length_m)
        if found is not None:
            return found
    return _by_sum(gbps, length_m, mtu, delay_ns)


@lru_cache(maxsize=4096)
def _by_table(name: str, model: str, gbps: float, length_m: float) -> Headroom | None:
    words = (name, model)
    starts = sorted(TABLES, key=len, reverse=True)
    start = next((s for s in starts if any(s in word for word in words)), "")
    if not start:
        return None
    table, own = TABLES[start]
    rows = _rows(table, round(gbps))
    if not rows:
        return None
    lengths, values = rows
    length = max(length_m, lengths[0])
    fits = [v for x, v in zip(lengths, values, strict=True) if x >= length * 0.999]
    if fits:
        return Headroom(fits[0], "sonic", f"SONiC {table}", not own)
    if len(lengths) < 2:
        return None
    slope = (values[-1] - values[-2]) / (lengths[-1] - lengths[-2])
    return Headroom(values[-1] + slope * (length - lengths[-1]), "sonic", f"SONiC {table}", True)


@lru_cache(maxsize=64)
def _rows(table: str, gbps: int) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    by_length = catalogue().table("pfc_headroom").get(table, {}).get(f"{gbps}G")
    if not isinstance(by_length, Mapping):
        return None
    rows = sorted((float(str(key).removesuffix("m")), float(value)) for key, value in by_length.items())
    return tuple(length for length, _ in rows), tuple(value for _, value in rows)


@lru_cache(maxsize=4096)
def _by_sum(gbps: float, length_m: float, mtu: float, delay_ns: float | None) -> Headroom:
    wire = 2 * length_m * FIBRE_S_PER_M * gbps * 1e9
    response = delay_ns * gbps if delay_ns is not None else _bits(RESPONSE_BITS, gbps)
    frame = mtu * 8 + FRAME_OVERHEAD_BITS
    bits = wire + PAUSE_BITS + 2 * frame + _bits(INTERFACE_BITS, gbps) + response
    exact = delay_ns is not None or gbps in (10.0, 100.0)
    return Headroom(bits / 8, "802.1qbb", "IEEE 802.1Qbb annex O", not exact)


def _bits(rows: tuple[tuple[float, float], ...], gbps: float) -> float:
    if gbps >= rows[-1][0]:
        return rows[-1][1] * gbps / rows[-1][0]
    return float(np.interp(gbps, [r for r, _ in rows], [b for _, b in rows]))


def buffer_bytes(part: Part | None) -> tuple[float, bool]:
    """(shared packet buffer of a switch in bytes, whether that is an estimate): the pool that SONiC sets up, else what
    the data sheet calls its buffer; 0 when neither is known.
    """
    if part is None:
        return 0.0, True
    for figure, scale in (("buffer_pool_bytes", 1.0), ("buffer_mb", 1e6)):
        if part.get(figure):
            return part.get(figure) * scale, part.figures[figure].confidence != "read"
    return 0.0, True


@record
class PortUse:
    """Ports of one switch that are alike: ``count`` at ``gbps`` over cables of ``length_m`` (0 not known)."""

    count: int
    gbps: float
    length_m: float
    headroom: Headroom


@record
class BufferUse:
    """One switch: ``buffer`` bytes, ``headroom`` bytes of ``classes`` lossless classes on all ``ports``, ``reserved``
    bytes for others; ``pool`` what is left to share. ``assumed`` lengths nobody stated count as the shortest row.
    """

    buffer: float
    headroom: float
    classes: int
    reserved: float
    ports: tuple[PortUse, ...]
    assumed: bool
    estimate: bool

    @property
    def pool(self) -> float:
        """Bytes left to share; 0 when headroom takes all."""
        return max(0.0, self.buffer - self.headroom - self.reserved)

    @property
    def count(self) -> int:
        """Ports that pause."""
        return sum(use.count for use in self.ports)


def buffer_use(
    part: Part | None,
    name: str,
    ports: Iterable[tuple[float, float, int]],
    *,
    classes: int = 1,
    reserved: float = 0.0,
    mtu: float = LARGEST_MTU,
    method: str = "",
    delay_ns: float | None = None,
) -> BufferUse:
    """What lossless ports (Gb/s, metres, how many) take of a switch's buffer."""
    uses = tuple(
        PortUse(
            count,
            gbps,
            length,
            headroom(part, name, gbps, length or SHORTEST_M, mtu=mtu, method=method, delay_ns=delay_ns),
        )
        for gbps, length, count in ports
        if gbps > 0
    )
    size, guessed = buffer_bytes(part)
    return BufferUse(
        size,
        classes * sum(use.count * use.headroom.bytes for use in uses),
        classes,
        reserved,
        uses,
        any(not use.length_m for use in uses),
        guessed or any(use.headroom.estimate for use in uses),
    )


ALPHA = 1.0
"""A queue may hold this times what is left of the pool before it pauses (SONiC's dynamic threshold 0 is 2^0)."""


def pause_threshold(use: BufferUse) -> float:
    """Bytes at which a queue asks for a pause while every lossless queue is congested: alpha pool / (1 + alpha n), n
    queues, each with the same threshold (dynamic thresholds of shared-memory switches: Choudhury and Hahne 1998).
    """
    queues = max(1, use.count * use.classes)
    return ALPHA * use.pool / (1 + ALPHA * queues)


@record
class EcnPlan:
    """Where marking begins and ends on ports of one rate, bytes; ``pmax`` chance just below Kmax; ``xoff`` where pauses
    begin.
    """

    gbps: float
    kmin: float
    kmax: float
    pmax: float
    xoff: float


PAPER_GBPS, PAPER_KMIN, PAPER_KMAX, PAPER_PMAX = 40.0, 5e3, 200e3, 0.01
"""DCQCN's own setting at 40 Gb/s (Zhu et al., SIGCOMM 2015; read)."""


def ecn_plan(gbps: float, mtu: float, xoff: float) -> EcnPlan:
    """A proposal: the paper's thresholds times rate / 40 Gb/s, because a queue drains that much faster; Kmax at most
    three quarters of the pause threshold so that marks act before pauses, Kmin at least two packets and at most a
    quarter of Kmax (engineering).
    """
    kmax = min(PAPER_KMAX * gbps / PAPER_GBPS, 0.75 * xoff) if xoff > 0 else PAPER_KMAX * gbps / PAPER_GBPS
    kmin = max(2 * mtu, min(PAPER_KMIN * gbps / PAPER_GBPS, kmax / 4))
    return EcnPlan(gbps, kmin, max(kmax, kmin + mtu), PAPER_PMAX, xoff)
