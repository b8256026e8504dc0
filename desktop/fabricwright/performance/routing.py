"""How equal-cost paths are used, and what that costs a pattern of flows (worked out in ``ecmp``)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Routing:
    """``mode`` split, hash or pinned; ``qps`` sub-flows of a connection; ``assumed``: nobody stated the mode."""

    mode: str
    qps: int
    assumed: bool


@dataclass(frozen=True, slots=True)
class Collisions:
    """What hashing or pinning does to one pattern of flows.

    ``slowest`` expected rate of the slowest flow as a part of what its NIC port gives it, between ``low`` and ``high``
    over ``seeds``; ``mean`` the same for the mean flow. ``stretch`` busiest link between switches, relative to an even
    split. ``flows`` that cross switches (0: not counted one by one).
    """

    routing: Routing
    flows: int
    stretch: float
    slowest: float
    low: float
    high: float
    mean: float
    seeds: int

    def to_json(self) -> dict[str, object]:
        """As a row of ``predict`` shows it."""
        return {
            "mode": self.routing.mode,
            "queue_pairs": self.routing.qps,
            "assumed": self.routing.assumed,
            "flows": self.flows or None,
            "share": self.slowest,
            "low": self.low,
            "high": self.high,
            "mean": self.mean,
        }
