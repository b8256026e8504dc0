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
    order = np.argsort(flow, kind="stable")
    flow, link = flow[order], link[order]
    load = weight[flow]
    with np.errstate(invalid="ignore"):
        demand = np.bincount(link, load * cap[flow], len(capacity))
    keep = ~(demand <= capacity * (1 + TOUCH))[link]
    flow, link, load = flow[keep], link[keep], load[keep]
    left = capacity.astype(np.float64).copy()
    while len(flow):
        starts = np.flatnonzero(np.concatenate(([True], flow[1:] != flow[:-1])))
        count = np.diff(np.concatenate((starts, [len(flow)])))
        owner = flow[starts]
        active = np.bincount(link, load, len(left))
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(active > 0, left / active, np.inf)
        here = share[link]
        tightest = np.minimum.reduceat(here, starts)
        capped = cap[owner] <= tightest * (1 + TOUCH)
        reach = np.repeat(np.where(capped, cap[owner], tightest), count)
        blocked = np.zeros(len(left), dtype=bool)
        blocked[link[reach < here * (1 - TOUCH)]] = True
        full = ~blocked[link]
        done = capped | np.logical_or.reduceat(full, starts)
        speed[owner[done]] = np.minimum(tightest, cap[owner])[done]
        gone = np.repeat(done, count)
        left -= np.bincount(link[gone], load[gone] * speed[flow[gone]], len(left))
        np.maximum(left, 0.0, out=left)
        flow, link, load = flow[~gone], link[~gone], load[~gone]
    return speed
