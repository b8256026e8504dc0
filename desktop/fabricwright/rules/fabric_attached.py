"""Where the ports of server groups are cabled to, network by network: devices, rates, rails and planes as arrays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fabricwright.design.effective import EffItem, effective
from fabricwright.design.indexset import coordinates
from fabricwright.rules.context import RuleContext
from fabricwright.rules.fabric_cabling import COMPUTE, Bool, bundle_slices, cabling, once
from fabricwright.rules.fabric_view import F64, I64, sides
from fabricwright.topology.fabric import NETWORK_MEDIA
from fabricwright.units.record import record


@record
class Attached:
    """Where the ports of one server group are cabled to, on one network.

    ``far`` (members, ports) device at the other end, -1 none; ``gbps`` the line rate there, 0 when it does not run;
    ``ports`` names; ``nic`` item inside of each port;
    ``rail``/``plane`` coordinate of each port in its export, -1 without; ``there`` bool per member.
    """

    item: str
    ports: tuple[str, ...]
    nic: tuple[str, ...]
    rail: I64
    plane: I64
    far: I64
    gbps: F64
    there: Bool

    def columns(self, nic: str) -> list[int]:
        """Ports of one NIC."""
        return [k for k, name in enumerate(self.nic) if name == nic]

    @property
    def nics(self) -> tuple[str, ...]:
        """NICs in order of their first port."""
        return tuple(dict.fromkeys(self.nic))


def attached(context: RuleContext, network: str = COMPUTE) -> list[Attached]:
    """The server groups that are cabled to a network; drawn cables that have a port at the server."""
    return once(context, f"attached {network}", lambda: list(_attached(context, network)))


def _attached(context: RuleContext, network: str) -> Iterator[Attached]:
    fabric, root, seen = context.fabric(), context.root, cabling(context)
    slices = bundle_slices(fabric)
    for item in fabric.items:
        row = root.items.get(item)
        if row is None or row.kind != "server":
            continue
        ends = [
            (rows, side, far)
            for bundle, rows in zip(fabric.bundles, slices, strict=True)
            if bundle.network == network and bundle.medium in NETWORK_MEDIA
            for side, far in zip(sides(bundle), reversed(sides(bundle)), strict=True)
            if side.item == item
        ]
        if not ends:
            continue
        names = list(dict.fromkeys(name for _, side, _ in ends for name in side.ports))
        place = {name: n for n, name in enumerate(names)}
        count = fabric.count[item]
        far_of = np.full((count, len(names)), -1, dtype=np.int64)
        rate = np.zeros((count, len(names)))
        for rows, side, _ in ends:
            near, far = (seen.a, seen.b) if side.column == 0 else (seen.b, seen.a)
            port = (fabric.a_port if side.column == 0 else fabric.b_port)[rows]
            good = seen.drawn[rows] & (port >= 0)
            column = np.array([place[name] for name in side.ports] or [0], dtype=np.int64)
            at = near[rows][good] - fabric.offset[item], column[port[good]]
            far_of[at] = far[rows][good]
            rate[at] = np.where(seen.live[rows][good], seen.gbps[rows][good], 0.0)
        rail, plane = _coordinates(context, row, names)
        there = ~fabric.absent[fabric.offset[item] : fabric.offset[item] + count]
        yield Attached(item, tuple(names), tuple(n.rpartition(":")[0] for n in names), rail, plane, far_of, rate, there)


def _coordinates(context: RuleContext, row: EffItem, names: list[str]) -> tuple[I64, I64]:
    """Rail and plane of each port, from the export of the server that lists it."""
    found: dict[str, tuple[int, int]] = {}
    exports = effective(context.project, context.design, row.of[6:]).exports
    for name in sorted(exports, key=lambda e: e != COMPUTE):
        export = exports[name]
        axes = {axis for axis, _ in export.axes}
        if not axes & {"rail", "plane"}:
            continue
        for k, port in enumerate(export.ports):
            at = coordinates(k, export.axes)
            found.setdefault(port, (at.get("rail", -1), at.get("plane", -1)))
    both = np.array([found.get(name, (-1, -1)) for name in names], dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]
