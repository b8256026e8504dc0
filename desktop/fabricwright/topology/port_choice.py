"""Which ports of a thing on the fabric sheet a new bundle may use."""

from __future__ import annotations

from collections.abc import Iterable

from fabricwright.catalog.parts import Port
from fabricwright.catalog.ports import parse_breakout, parse_split, split_ports
from fabricwright.design.address import expand_ports, split_end
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.values import Design, Project

NETWORK_MEDIA = ("eth", "ib")


def used_ports(eff: EffSheet, item: str) -> set[str]:
    """Port names of an item that links of the sheet name already."""
    used: set[str] = set()
    for link in eff.links.values():
        for end in (link.a, link.b):
            owner, ports = split_end(end)
            if owner == item:
                used.update(expand_ports(ports))
                used.add(ports)
        for place in link.wire.moved.values():
            for text in (place.a, place.b):
                if text and split_end(text)[0].partition("[")[0] == item:
                    used.add(split_end(text)[1])
    return used


def network_exports(project: Project, design: Design, eff: EffSheet, item: EffItem) -> dict[str, tuple[str, ...]]:
    """Exports of a server, those that are not cabled first; () for things without exports."""
    if item.of.startswith("sheet:"):
        shown = {k: tuple(v.ports) for k, v in effective(project, design, item.of[6:]).exports.items()}
    elif item.part is not None and item.part.interior is not None:
        shown = {k: v.ports for k, v in item.part.interior.exports.items()}
    else:
        return {}
    used = used_ports(eff, item.id)
    busy = {port for name in used if name in shown for port in shown[name]}
    return dict(sorted(shown.items(), key=lambda row: (row[0] in used or bool(set(row[1]) & busy), row[0])))


def free_ports(eff: EffSheet, item: EffItem, gbps: float = 0.0) -> list[str]:
    """Network ports of a switch that no link uses, in order.

    With ``gbps`` a cage whose ports are faster is split to that rate where it can be, unless somebody said how it is
    split or it is cabled already.
    """
    used = used_ports(eff, item.id)
    by_cage: dict[str, list[str]] = {}
    for name, port in item.ports.items():
        if is_network(port):
            by_cage.setdefault(port.cage or name, []).append(name)
    said = parse_breakout(item.config)
    out: list[str] = []
    for cage, names in by_cage.items():
        free = [name for name in names if name not in used]
        row = item.part.cages.get(cage) if item.part is not None else None
        if row is not None and gbps and free == names and cage not in used and cage not in said:
            rate = max(item.ports[name].gbps for name in names)
            split = _split_to(rate, gbps, (row.default, *row.breakouts))
            if split:
                free = list(split_ports(cage, row, split))
        out += free
    return out


def is_network(port: Port) -> bool:
    """Whether a port goes to the fabric (and is no management port)."""
    return port.role == "net" and port.medium in NETWORK_MEDIA


def _split_to(rate: float, gbps: float, splits: Iterable[str]) -> str:
    if rate <= gbps:
        return ""
    for split in splits:
        parsed = parse_split(split)
        if parsed is not None and parsed[1] == gbps and parsed[0] > 1:
            return split
    return ""
