"""Max-min fair rates of many flows over shared links, by progressive filling (Bertsekas and Gallager 1992, 6.5).

Each round every link that is the tightest for all of its flows is filled, and every flow that its own cap holds back
more than any link is frozen at it; what is left is shared among the others. Shares only grow, so all of these are final
and a round can settle thousands of links at once. Links that could not be full even if every flow had its cap are left
out first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
TOUCH = 1e-9


def fair_speeds(flow: I64, link: I64, capacity: F64, weight: F64, cap: F64) -> F64:
    """Speed of every flow: its rate divided by its weight.

    ``flow``/``link`` parallel: flow crosses link. ``capacity`` of each link, ``weight`` (> 0) and ``cap`` (largest
    speed, may be infinite where the flow crosses a link) of each flow.
    """
    speed = cap.astype(np.float64).copy()
    with np.errstate(invalid="ignore"):
        demand = np.bincount(link, weight[flow] * cap[flow], len(capacity))
    keep = np.flatnonzero(~(demand <= capacity * (1 + TOUCH))[link])
    keep = keep[np.argsort(flow[keep], kind="stable")]
    flow, link = flow[keep].astype(np.int32), link[keep].astype(np.int32)
    load = weight[flow]
    left = capacity.astype(np.float64).copy()
    limit = np.zeros(len(cap))
    while len(flow):
        starts = np.flatnonzero(np.concatenate(([True], flow[1:] != flow[:-1])))
        owner = flow[starts]
        active = np.bincount(link, load, len(left))
        with np.errstate(divide="ignore", invalid="ignore"):
            share = left / active
        here = share[link]
        limit[owner] = np.minimum(np.minimum.reduceat(here, starts), cap[owner])
        reach = limit[flow]
        blocked = np.zeros(len(left), dtype=bool)
        blocked[link[reach < here * (1 - TOUCH)]] = True
        done = limit >= cap * (1 - TOUCH)
        done[flow[~blocked[link]]] = True
        gone = done[flow]
        settled = owner[done[owner]]
        speed[settled] = limit[settled]
        left -= np.bincount(link[gone], (load * reach)[gone], len(left))
        np.maximum(left, 0.0, out=left)
        stay = np.flatnonzero(~gone)
        flow, link, load = flow[stay], link[stay], load[stay]
    return speed
