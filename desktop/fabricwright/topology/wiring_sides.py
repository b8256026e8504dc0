"""The two sides of a wiring plan: what each offers, and what of it a wiring uses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.effective import EffItem
from fabricwright.design.wiring import End, Wired
from fabricwright.topology.wiring_wish import EndTally


@dataclass(slots=True)
class Side:
    """One end: the item, its end, all ports it offers and their rate."""

    item: EffItem
    end: End
    export: str
    offered: tuple[str, ...]
    gbps: float
    medium: str
    media: tuple[str, ...]

    @property
    def axes_known(self) -> list[str]:
        """Axes that a wiring may join here: the members' and the ports'."""
        own, ports = self.end.joinable()
        return [name for name, _ in (*own, *ports)]

    def size(self, axis: str) -> int:
        """Length of an axis, 1 when there is none of that name."""
        own, ports = self.end.joinable()
        return dict((*ports, *own)).get(axis, 1)


def tally(side: Side, wired: Wired, column: int) -> EndTally:
    """Ports used and free, and devices met, per present member. ``column`` of the rows holds the member: 0 or 2."""
    rows = wired.rows[wired.alive]
    count = side.end.count
    present: NDArray[np.bool_] = ~side.end.absent
    used = np.bincount(rows[:, column], minlength=count)[present] if len(rows) else np.zeros(int(present.sum()), int)
    width = int(rows[:, 2 - column].max()) + 1 if len(rows) else 1
    pairs = np.unique(rows[:, column].astype(np.int64) * width + rows[:, 2 - column]) // width
    peers = np.bincount(pairs, minlength=count)[present] if len(rows) else np.zeros(int(present.sum()), int)
    if not len(used):
        used = peers = np.zeros(1, int)
    offered = len(side.offered)
    return EndTally(
        side.item.id,
        int(present.sum()),
        offered,
        int(used.min()),
        int(used.max()),
        offered - int(used.max()),
        offered - int(used.min()),
        int(peers.min()),
        int(peers.max()),
    )


def preview(a: Side, b: Side, wired: Wired, shown: int) -> tuple[tuple[str, str], ...]:
    """Addresses of the first living rows."""
    rows = wired.rows[wired.alive][:shown].tolist()
    return tuple((port_address(a, i, wired.a_ports[p]), port_address(b, j, wired.b_ports[q])) for i, p, j, q in rows)


def port_address(side: Side, member: int, port: str) -> str:
    """``leaf[3]:17/2``, ``node[41]/nic0:2``."""
    item = f"{side.item.id}[{member}]" if side.end.count > 1 else side.item.id
    inner, colon, name = port.rpartition(":")
    return f"{item}/{inner}:{name}" if colon else f"{item}:{port}"
