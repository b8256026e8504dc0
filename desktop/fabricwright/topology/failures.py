"""What is down: addresses of ``--fail`` and of what-if switches, resolved against the fabric sheet.

``spine[0]`` a device, ``down#3`` a cable, ``node[4]/nic0`` a NIC, ``node[4]/nic0:1`` and ``leaf[2]:17/2`` a port,
``leaf[2]:17`` a cage (all ports of it), ``node[4]/gpu3`` a GPU. Without members all members are meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fabricwright.design.address import Address, parse_address
from fabricwright.design.effective import EffSheet
from fabricwright.design.indexset import IndexSet
from fabricwright.topology.wiring import product
from fabricwright.units.errors import UserError
from fabricwright.units.record import record
from fabricwright.units.text import msg


@record
class Failures:
    """``devices`` (item, members); ``rows`` (link, row); ``ports`` (item, members, port, or a prefix ending in
    ":" or "/");
    ``gpus`` (item, members, GPU id)."""

    devices: tuple[tuple[str, IndexSet], ...] = ()
    rows: tuple[tuple[str, int], ...] = ()
    ports: tuple[tuple[str, IndexSet, str], ...] = ()
    gpus: tuple[tuple[str, IndexSet, str], ...] = ()


def parse_failures(
    eff: EffSheet, addresses: Iterable[str], inner: Mapping[str, Mapping[str, str]] | None = None
) -> Failures:
    """Resolve addresses. ``inner`` item -> {inner item id: kind} of server groups, to tell GPUs from NICs.

    Raises UserError for an address that names nothing on the sheet or something that cannot be failed alone.
    """
    devices, rows, ports, gpus = [], [], [], []
    for text in addresses:
        address = parse_address(text)
        if address.cable is not None:
            if address.item not in eff.links:
                raise unknown(text, address.item)
            rows.append((address.item, address.cable))
            continue
        if address.item not in eff.items:
            raise unknown(text, address.item)
        members = members_of(eff, address)
        path = "/".join(step.item for step in address.steps[1:])
        if not path and not address.port:
            devices.append((address.item, members))
        elif not path:
            ports.append((address.item, members, address.port))
        else:
            kind = (inner or {}).get(address.item, {}).get(path)
            if kind is None:
                raise unknown(text, path)
            if kind == "gpu" and not address.port:
                gpus.append((address.item, members, path))
            elif kind == "nic":
                ports.append((address.item, members, f"{path}:{address.port}"))
            else:
                raise UserError(
                    msg(
                        "'{address}' cannot be failed on its own; name a device, a cable, a NIC, a port or a GPU.",
                        address=text,
                    )
                )
    return Failures(tuple(devices), tuple(rows), tuple(ports), tuple(gpus))


def members_of(eff: EffSheet, address: Address) -> IndexSet:
    """Members that the first step of an address means. Raises UserError when they do not exist."""
    step = address.steps[0]
    axes = eff.items[step.item].axes
    count = product(axes)
    members = IndexSet.parse(step.raw, axes) if step.raw else step.members or IndexSet.span(count)
    if members.ranges and members.ranges[-1][1] >= count:
        raise UserError(
            msg("'{address}': '{item}' has the members 0-{last}.", address=str(address), item=step.item, last=count - 1)
        )
    return members


def names_port(pattern: str, port: str) -> bool:
    """Whether a failed port text covers a port name: itself, its cage ("17" covers "17/2"), its NIC ("nic0:")."""
    return port == pattern or (pattern.endswith(":") and port.startswith(pattern)) or port.startswith(f"{pattern}/")


def unknown(text: str, item: str) -> UserError:
    """The complaint about an address that names nothing; ``item`` is the part of it that does not exist."""
    return UserError(msg("'{address}' is not in this design; there is no '{item}'.", address=text, item=item))
