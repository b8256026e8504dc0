"""The algorithms that can run a collective on a layout: their flows, their dependent steps, their NVLink efficiency.

NCCL chooses among ring, tree, NVLS, NVLSTree and direct sends. Hierarchical, halving-doubling and the direct exchange
for reductions are textbook algorithms of other libraries: they are worked out when asked for by name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from fabricwright.performance import schedule
from fabricwright.performance.direct import all_to_all_loads
from fabricwright.performance.ecmp import routed
from fabricwright.performance.flows import Loads
from fabricwright.performance.hierarchical import hierarchical_phases, uniform_servers
from fabricwright.performance.latency import PathTimes, Steps, path_times
from fabricwright.performance.layout import Layout, worst_net_class
from fabricwright.performance.nvls import (
    collnet_loads,
    nvls_loads,
    nvls_possible,
    nvls_switched,
    nvls_tree_loads,
    one_shot_loads,
)
from fabricwright.performance.pair_flows import pair_loads
from fabricwright.performance.protocols import SIMPLE, allowed_protocols
from fabricwright.performance.ring import ring_loads
from fabricwright.performance.routing import Collisions
from fabricwright.performance.schedule import F64, I64
from fabricwright.performance.tree import tree_loads, tree_wire
from fabricwright.topology.classes import flag
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

ALGORITHMS = (
    "ring", "tree", "nvls", "nvls_tree", "collnet", "hierarchical", "halving_doubling", "direct", "one_shot",
)  # fmt: skip
LABELS = {
    "ring": "Ring",
    "tree": "Tree",
    "nvls": "NVLS",
    "nvls_tree": "NVLSTree",
    "collnet": "CollNet",
    "hierarchical": "Hierarchical",
    "halving_doubling": "HalvingDoubling",
    "direct": "Direct",
    "one_shot": "OneShot",
}
GATHERS = ("all_gather", "reduce_scatter")


@dataclass(frozen=True, slots=True)
class Plan:
    """One algorithm for one collective. ``phases`` run one after another; loads inside a phase run together.

    ``efficiency``: calibrated values that all its links are multiplied by (all_gather, reduce_scatter and broadcast
    copy less evenly than an all_reduce ring).
    """

    algorithm: str
    phases: tuple[Loads, ...]
    mode: str
    steps: Steps
    protocols: tuple[str, ...]
    efficiency: tuple[str, ...] = ()


@dataclass(slots=True)
class PlanBook:
    """Flows of a layout, worked out when first asked for and shared by all collectives. ``memo`` is for what others
    derive from this very layout.
    """

    layout: Layout
    _loads: dict[str, Loads] = field(default_factory=dict)
    _paths: list[PathTimes] = field(default_factory=list)
    _tree_wire: list[F64] = field(default_factory=list)
    memo: dict[str, object] = field(default_factory=dict)
    _routed: dict[str, tuple[Collisions, F64] | None] = field(default_factory=dict)

    @property
    def paths(self) -> PathTimes:
        """Mean path latencies."""
        if not self._paths:
            self._paths.append(path_times(self.layout))
        return self._paths[0]

    def loads(self, name: str, make: Callable[[Layout], Loads]) -> Loads:
        """Unit loads by name."""
        if name not in self._loads:
            self._loads[name] = make(self.layout)
        return self._loads[name]

    def tree_wire(self) -> F64:
        """Fabric load of the double tree, the same for Tree and NVLSTree."""
        if not self._tree_wire:
            self._tree_wire.append(tree_wire(self.layout))
        return self._tree_wire[0]

    def routed(self, plan: Plan) -> Plan:
        """The plan with its flows on the paths that the network's routing gives them."""
        seen = {id(phase): routed(self.layout, phase, self._routed) for phase in plan.phases}
        return replace(plan, phases=tuple(seen[id(phase)] for phase in plan.phases))

    def ring_unit(self) -> Loads:
        """One byte on every edge of the ring."""
        return self.loads("ring", ring_loads)

    def protocols(self) -> tuple[str, ...]:
        """Protocols NCCL may use here."""
        layout = self.layout
        nvlink = all(c.nvlink for c in layout.classes)
        generation = min(c.interior.nvlink_gen for c in layout.classes)
        return allowed_protocols(nvlink, worst_net_class(layout), generation)

    def ring(self, collective: str) -> Plan:
        """Ring, for everything but all_to_all and send_recv."""
        n, k = self.layout.n, self.layout.k
        plan = schedule.ring(collective, n)
        network = 0 if k == 1 else (2 if collective == "all_reduce" else 1) * (k - 1)
        efficiency: tuple[str, ...] = ()
        if collective != "all_reduce":
            if k > 1:
                efficiency = ("collective.gather_network",)
            elif collective in GATHERS:
                efficiency = ("collective.gather_local",)
        loads = self.ring_unit().scaled(plan.bytes_out)
        return Plan("ring", (loads,), "ring", Steps(plan.steps - network, network), self.protocols(), efficiency)

    def tree(self) -> Plan:
        """Double binary tree, all_reduce."""
        depth = 2 * math.log2(self.layout.k) if self.layout.k > 1 else 0.0
        local = 2 * (int(self.layout.gpu_count.max()) - 1)
        return Plan(
            "tree",
            (self.loads("tree", lambda layout: tree_loads(layout, self.tree_wire())),),
            "tree",
            Steps(local, depth),
            self.protocols(),
        )

    def nvls(self) -> Plan:
        """In-switch reduction, all_reduce."""
        if self.layout.k == 1:
            return Plan("nvls", (self.loads("nvls", nvls_loads),), "nvls", Steps(2, 0, "nvls"), (SIMPLE,))
        depth = 2 * math.log2(self.layout.k)
        loads = self.loads("nvls_tree", lambda layout: nvls_tree_loads(layout, self.tree_wire()))
        return Plan("nvls_tree", (loads,), "nvls_tree", Steps(2, depth, "nvls_tree"), (SIMPLE,))

    def collnet(self) -> Plan:
        """In-switch reduction inside and between servers, all_reduce; one step over the network."""
        loads = self.loads("collnet", collnet_loads)
        return Plan("collnet", (loads,), "nvls_tree", Steps(2, 1, "nvls_tree"), (SIMPLE,))

    def one_shot(self) -> Plan:
        """Every GPU reads the reduced buffer through the switches at once (multimem loads), one NVLink domain."""
        loads = self.loads("one_shot", one_shot_loads)
        return Plan("one_shot", (loads,), "one_shot", Steps(1, 0, "one_shot"), (SIMPLE,))

    def direct(self, collective: str) -> Plan:
        """Everybody to everybody."""
        layout = self.layout
        loads = self.loads("all_to_all", all_to_all_loads)
        network = 1.0 if layout.k > 1 else 0.0
        times = 2 if collective == "all_reduce" else 1
        steps = Steps(times * (1 - network), times * network, "all_to_all", times * (layout.n - 1))
        return Plan("direct", (loads,) * times, "all_to_all", steps, (SIMPLE,))

    def send_recv(self) -> Plan:
        """Every rank to the next one."""
        layout = self.layout
        network = 1.0 if layout.k > 1 else 0.0
        src, dst = schedule.Round(1, 1.0, schedule.Partner.NEXT).pairs(layout.n)
        loads = self.loads("neighbours", partial(_pairs, src, dst))
        return Plan("direct", (loads,), "send_recv", Steps(1 - network, network), self.protocols())

    def halving_doubling(self, collective: str) -> Plan:
        """Exchanges at doubling distance; ranks must be a power of two."""
        layout = self.layout
        if layout.n & (layout.n - 1):
            raise UserError(
                msg("Halving-doubling needs a number of ranks that is a power of two; there are {n}.", n=layout.n)
            )
        phases, local, network = [], 0, 0
        for round_ in schedule.halving_doubling(collective, layout.n).rounds:
            src, dst = round_.pairs(layout.n)
            unit = self.loads(f"exchange {round_.distance}", partial(_pairs, src, dst))
            phases.append(unit.scaled(round_.share))
            crosses = bool((layout.rank_position[src] != layout.rank_position[dst]).any())
            local, network = local + (not crosses), network + crosses
        return Plan("halving_doubling", tuple(phases), "ring", Steps(local, network), self.protocols())

    def hierarchical(self, collective: str) -> Plan:
        """Levels of servers and GPUs."""
        layout = self.layout
        if layout.k == 1 or not uniform_servers(layout):
            raise UserError(msg("The hierarchical algorithm needs several servers with the same GPUs taking part."))
        g = len(layout.classes[0].gpus)
        times = 2 if collective == "all_reduce" else 1
        steps = Steps(times * (g - 1), times * (layout.k - 1))
        return Plan("hierarchical", hierarchical_phases(layout, collective), "ring", steps, self.protocols())

    def plans(self, collective: str, algorithm: str) -> tuple[Plan, ...]:
        """Algorithms to choose from: NCCL's, or the one asked for. ``UserError`` when that one cannot run."""
        reduction = collective in ("all_reduce", *GATHERS)
        if algorithm == "auto":
            if collective == "all_to_all":
                return (self.direct(collective),)
            if collective == "send_recv":
                return (self.send_recv(),)
            found = [self.ring(collective)]
            if collective == "all_reduce":
                found.append(self.tree())
                if nvls_possible(self.layout) and flag(self.layout.cluster.settings.get("nccl.nvls"), True):
                    found.append(self.nvls())
            return tuple(found)
        if algorithm == "ring" and collective not in ("all_to_all", "send_recv"):
            return (self.ring(collective),)
        if algorithm == "tree" and collective == "all_reduce":
            return (self.tree(),)
        if algorithm == "direct" and collective == "send_recv":
            return (self.send_recv(),)
        if algorithm == "direct" and (reduction or collective == "all_to_all"):
            return (self.direct(collective),)
        if algorithm == "halving_doubling" and reduction:
            return (self.halving_doubling(collective),)
        if algorithm == "hierarchical" and reduction:
            return (self.hierarchical(collective),)
        if algorithm == "collnet" and collective == "all_reduce" and nvls_switched(self.layout) and self.layout.k > 1:
            return (self.collnet(),)
        if algorithm == "one_shot" and collective == "all_reduce" and nvls_switched(self.layout) and self.layout.k == 1:
            return (self.one_shot(),)
        if algorithm in ("nvls", "nvls_tree") and collective == "all_reduce":
            return (self._forced_nvls(algorithm),)
        raise UserError(
            msg("{algorithm} does not run {collective}.", algorithm=LABELS[algorithm], collective=collective)
        )

    def _forced_nvls(self, algorithm: str) -> Plan:
        wanted = "nvls" if self.layout.k == 1 else "nvls_tree"
        if algorithm != wanted or not nvls_possible(self.layout):
            raise UserError(
                msg(
                    "{algorithm} cannot run here: it needs NVLink switches with in-switch reduction, enough GPUs per"
                    " server, and for NVLSTree several servers with a NIC port per GPU.",
                    algorithm=LABELS[algorithm],
                )
            )
        return self.nvls()


def _pairs(src: I64, dst: I64, layout: Layout) -> Loads:
    return pair_loads(layout, src, dst)


def check_algorithm(name: str) -> str:
    """Internal name of an algorithm as people or NCCL_ALGO write it; ``auto`` passes. ``UserError`` otherwise."""
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    key = {"nvlstree": "nvls_tree", "halvingdoubling": "halving_doubling", "doublebinarytree": "tree"}.get(key, key)
    if key != "auto" and key not in ALGORITHMS:
        raise UserError(
            msg(
                "Algorithm '{name}' is not known; expected auto or one of {known}.",
                name=name,
                known=list(ALGORITHMS),
            )
        )
    return key
