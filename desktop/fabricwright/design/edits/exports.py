"""Network ports that come with a card join what the server shows outside, in the same step."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from fabricwright.catalog.parts import Port
from fabricwright.design.address import split_end
from fabricwright.design.edits.places import at, design_of, sheet_of
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.patch import PatchBuilder
from fabricwright.design.values import Axes, Design, Export
from fabricwright.units.natural import natural_key

#: Names of the exports of a server, in the order in which cards of another rate get them.
NETWORKS = ("compute", "storage", "inband")


def join_exports(builder: PatchBuilder, design: str, sheet: str, items: Iterable[str]) -> None:
    """Show the network ports of new cards outside, as far as no export shows them yet.

    They join the sheet's own export of the same rate while no cable ends there: more ports of an export would deal its
    cables anew. Otherwise they get an export of their own, one rail per port. A variant shows what its base shows.
    """
    owner = sheet_of(builder.project, design, sheet)
    if owner.kind != "server" or owner.base:
        return
    for item_id in sorted(items, key=natural_key):
        row = design_of(builder.project, design)
        eff = effective(builder.project, row, sheet)
        fresh = [port for port in data_ports(eff, item_id) if port not in shown_ports(eff)]
        if not fresh:
            continue
        name = _export_for(row, sheet, eff, fresh)
        old = sheet_of(builder.project, design, sheet).exports.get(name)
        new = Export(tuple(fresh), (("rail" if name.startswith("compute") else "port", len(fresh)),))
        if old is not None:
            ports = with_ports(old.ports, fresh)
            new = dataclasses.replace(old, ports=ports, axes=fitting_axes(old.axes, len(ports)))
        builder.set(at(design, sheet, "exports", name), new)


def follow_ports(builder: PatchBuilder, design: str, sheet: str, item: str, before: Sequence[str]) -> None:
    """After another mode of a card: exports without cables that showed all its ports show all it has now."""
    row = design_of(builder.project, design)
    owner = sheet_of(builder.project, design, sheet)
    after = data_ports(effective(builder.project, row, sheet), item)
    if not before or not after or list(before) == after:
        return
    for name, export in owner.exports.items():
        if set(before) <= set(export.ports) and not is_cabled(row, sheet, name):
            first = export.ports.index(before[0])
            kept = [p for p in export.ports if p not in before]
            ports = (*kept[:first], *after, *kept[first:])
            axes = fitting_axes(export.axes, len(ports))
            builder.set(at(design, sheet, "exports", name), dataclasses.replace(export, ports=ports, axes=axes))


def data_ports(eff: EffSheet, item_id: str) -> list[str]:
    """ "nic0:1" for every network port of an item, in natural order; management ports left out."""
    item = eff.items.get(item_id)
    if item is None or item.axes:
        return []
    found = [name for name, port in item.ports.items() if port.role == "net" and port.medium != "mgmt"]
    return [f"{item_id}:{name}" for name in sorted(found, key=natural_key)]


def shown_ports(eff: EffSheet) -> set[str]:
    """Ports that any export shows."""
    return {port for export in eff.exports.values() for port in export.ports}


def hidden_ports(eff: EffSheet) -> list[str]:
    """Network ports of a server that no export shows, in natural order: nothing can be cabled to them."""
    shown = shown_ports(eff)
    return [p for item in sorted(eff.items, key=natural_key) for p in data_ports(eff, item) if p not in shown]


def is_cabled(design: Design, sheet: str, name: str) -> bool:
    """Whether a cable ends at this export of any server that stands for the sheet."""
    return bool(links_at(design, sheet, name))


def links_at(design: Design, sheet: str, name: str) -> list[tuple[str, str]]:
    """(sheet, link id) of every bundle of cables that ends at an export of a server that stands for ``sheet``."""
    return [
        (where, link_id)
        for where, other in design.sheets.items()
        for link_id, link in other.links.items()
        if any(ends_there(design, where, end, sheet, name) for end in (link.a, link.b))
    ]


def ends_there(design: Design, where: str, end: str, sheet: str, name: str) -> bool:
    """Whether an end of a link on sheet ``where`` is this export of a server that stands for ``sheet``."""
    item_id, ports = split_end(end)
    item = design.sheets[where].items.get(item_id)
    return ports == name and item is not None and item.of == f"sheet:{sheet}"


def with_ports(ports: Sequence[str], fresh: Sequence[str]) -> tuple[str, ...]:
    """The ports and the fresh ones: in natural order, or at the end where a person chose another order."""
    both = [*ports, *fresh]
    return tuple(sorted(both, key=natural_key) if list(ports) == sorted(ports, key=natural_key) else both)


def fitting_axes(axes: Axes, count: int) -> Axes:
    """The axes for so many ports: the outermost one grows or shrinks, or where that does not come out, one axis."""
    if not axes:
        return ()
    inner = 1
    for _, size in axes[1:]:
        inner *= size
    if count % inner == 0:
        return ((axes[0][0], count // inner), *axes[1:])
    return ((axes[0][0], count),)


def free_name(taken: Iterable[str], stem: str = "") -> str:
    """A name for one more export: the next network, or the stem counted on."""
    used = set(taken)
    if not stem:
        unused = next((name for name in NETWORKS if name not in used), "")
        if unused:
            return unused
    stem, n = stem or "net", 2
    while f"{stem}{n}" in used:
        n += 1
    return f"{stem}{n}"


def _export_for(design: Design, sheet: str, eff: EffSheet, fresh: Sequence[str]) -> str:
    rates = {_rate(eff, port) for port in fresh}
    alike = [name for name, row in eff.exports.items() if {_rate(eff, p) for p in row.ports} == rates]
    alike.sort(key=lambda name: (NETWORKS.index(name) if name in NETWORKS else len(NETWORKS), natural_key(name)))
    own = design.sheets[sheet].exports
    for name in alike:
        if name in own and not is_cabled(design, sheet, name):
            return name
    return free_name(eff.exports, alike[0].rstrip("0123456789") if alike else "")


def _rate(eff: EffSheet, port: str) -> tuple[float, str]:
    owner, name = split_end(port)
    item: EffItem | None = eff.items.get(owner)
    found: Port | None = item.ports.get(name) if item is not None else None
    return (found.gbps, found.medium) if found is not None else (0.0, "")
