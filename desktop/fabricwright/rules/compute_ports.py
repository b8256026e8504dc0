"""Which network ports of a server carry the compute network, which rails they are, and what is cabled how fast."""

from __future__ import annotations

import numpy as np

from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.effective import EffSheet
from fabricwright.design.indexset import IndexSet, coordinates
from fabricwright.design.options import stated
from fabricwright.design.values import Export, Link
from fabricwright.rules.context import RuleContext, Variant
from fabricwright.units.record import record


@record
class ComputePorts:
    """``ports`` "nic0:1" in export order; ``rail`` of each (-1 = the network has no rails); ``cabled`` a link joins
    them.
    """

    ports: tuple[str, ...]
    rail: tuple[int, ...]
    cabled: bool

    @property
    def rails(self) -> int:
        """Number of rails, 0 for a network without."""
        return len(set(self.rail)) if self.rail and self.rail[0] >= 0 else 0


def links_of(root: EffSheet, item: str) -> list[tuple[str, Link, str]]:
    """(link id, link, port text) of every link row that ends at a group."""
    out = []
    for link_id, link in root.links.items():
        for end in (link.a, link.b):
            owner, text = split_end(end)
            if owner == item:
                out.append((link_id, link, text))
    return out


def compute_ports(context: RuleContext, variant: Variant) -> ComputePorts:
    """Ports on the compute network: those cabled to it, else the export ``compute``; none when the drawing says
    neither.
    """
    eff = variant.eff
    ports: list[str] = []
    rails: list[int] = []
    for _, link, text in links_of(context.root, variant.item) if variant.item else []:
        if link.network == "compute" and text:
            named = _railed(eff.exports[text]) if text in eff.exports else [(p, -1) for p in expand_ports(text)]
            for port, rail in named:
                if port not in ports:
                    ports.append(port)
                    rails.append(rail)
    cabled = bool(ports)
    if not ports and "compute" in eff.exports:
        for port, rail in _railed(eff.exports["compute"]):
            ports.append(port)
            rails.append(rail)
    keep = [k for k, port in enumerate(ports) if port.rpartition(":")[0] in eff.items]
    return ComputePorts(tuple(ports[k] for k in keep), tuple(rails[k] for k in keep), cabled)


def _railed(export: Export) -> list[tuple[str, int]]:
    has_rail = any(name == "rail" for name, _ in export.axes)
    return [
        (port, coordinates(k, export.axes).get("rail", -1) if has_rail else -1) for k, port in enumerate(export.ports)
    ]


def bond_of(context: RuleContext, variant: Variant, nic: str) -> object | None:
    """What is stated about the ports of a NIC standing in for one another: at the NIC, else at a link that two or more
    of its ports are on; None when nothing is.
    """
    own = stated(variant.eff.items[nic].config, "bond")
    if own is not None or not variant.item:
        return own
    for _, link, text in links_of(context.root, variant.item):
        word = stated(link.config, "bond")
        export = variant.eff.exports.get(text)
        ports = export.ports if export is not None else expand_ports(text)
        if word is not None and sum(port.rpartition(":")[0] == nic for port in ports) > 1:
            return word
    return None


@record
class CabledNic:
    """Members of a variant whose NIC ``item`` has the same ports cabled: ``gbps`` their line rates in all."""

    item: str
    members: IndexSet
    gbps: float
    ports: int


def cabled_nics(context: RuleContext, variant: Variant) -> list[CabledNic]:
    """Cabled rate of every NIC of a variant, members with equal rates together. NICs without a cable are left out."""
    if not variant.item or not variant.members:
        return []
    fabric = context.fabric()
    name = f"cabled_nics {variant.item} {variant.sheet}"
    known = context.shared(name)
    if isinstance(known, list):
        return known
    size = variant.members.ranges[-1][1] + 1
    nics = sorted(i for i, row in variant.eff.items.items() if row.kind == "nic")
    code = {nic: n for n, nic in enumerate(nics)}
    rate, count = np.zeros(len(nics) * size), np.zeros(len(nics) * size)
    for k, bundle in enumerate(fabric.bundles):
        for item, names, column in ((bundle.a_item, bundle.a_ports, 0), (bundle.b_item, bundle.b_ports, 2)):
            if item != variant.item:
                continue
            live = (fabric.bundle == k) & (fabric.rate > 0)
            rows = bundle.rows[fabric.row[live]]
            inside = (rows[:, column] >= 0) & (rows[:, column] < size) & (rows[:, column + 1] >= 0)
            instance, port = rows[inside, column], rows[inside, column + 1]
            gbps = fabric.rate[live][inside] * 8e-9
            owner = np.array([code.get(n.rpartition(":")[0], -1) for n in names], dtype=np.int64)[port]
            at = (owner * size + instance)[owner >= 0]
            rate += np.bincount(at, gbps[owner >= 0], len(rate))
            count += np.bincount(at, minlength=len(count))
    wanted = variant.members.array()
    out: list[CabledNic] = []
    for n, nic in enumerate(nics):
        here = n * size + wanted
        used = rate[here] + 1j * count[here]  # one number for both, which sorts by rate, then by ports
        for kind in used[:1] if (used == used[0]).all() else np.unique(used):
            if kind.imag:
                same = variant.members if (used == kind).all() else IndexSet.of_array(wanted[used == kind])
                out.append(CabledNic(nic, same, float(kind.real), int(kind.imag)))
    context.share(name, out)
    return out
