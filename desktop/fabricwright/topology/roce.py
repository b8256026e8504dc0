"""What a drawing states about RDMA over Ethernet, port by port: pause frames, marks, priorities, packet sizes.

A key is looked for at the port's end of the link (``KEY.a``), then at the device (the switch, or the NIC inside the
server), then in the settings of the design.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from fabricwright.design.effective import EffItem, EffSheet
from fabricwright.topology.classes import flag
from fabricwright.topology.model import Bundle
from fabricwright.units.record import record

RDMA_MTU = (4096, 2048, 1024, 512, 256)
HEADERS = 58
"""Bytes that RoCE v2 puts around the data of a packet inside an Ethernet frame's payload: IPv4 20, UDP 8, transport
headers up to 26, checksum 4."""

NOT_ROCE = ("infiniband", "efa", "tcp", "tcpx", "tcpxo", "slingshot")
"""Values of ``network.transport`` whose packets no RoCE rule is about."""


@record
class RoceEnd:
    """One kind of end of a link: a switch item, or a NIC of a server sheet. ``item`` on the root sheet, ``nic`` "" for
    a switch, ``config`` what is stated at the device, ``selective`` the NIC resends only what was lost.
    """

    item: str
    nic: str
    sheet: str
    config: Mapping[str, object]
    selective: bool = False

    @property
    def name(self) -> str:
        """``leaf`` or ``node/nic0``."""
        return f"{self.item}/{self.nic}" if self.nic else self.item


@record
class RoceLink:
    """A link of Ethernet ports: ends of side a and of side b, one per kind; the link's config."""

    link: str
    network: str
    a: tuple[RoceEnd, ...]
    b: tuple[RoceEnd, ...]
    config: Mapping[str, object]

    def sides(self) -> tuple[tuple[str, RoceEnd], ...]:
        """(side, end) of all."""
        return (*(("a", end) for end in self.a), *(("b", end) for end in self.b))


def roce_links(
    root: EffSheet,
    bundles: Iterable[Bundle],
    sheets_of: Callable[[str], Iterable[str]],
    effective: Callable[[str], EffSheet],
) -> list[RoceLink]:
    """Ethernet links of the root sheet between switches and servers, management left out. ``sheets_of`` the server
    sheets of an item, ``effective`` the rows of a sheet.
    """
    out = []
    for bundle in bundles:
        if bundle.medium != "eth" or bundle.link not in root.links:
            continue
        a = tuple(_ends(root, bundle.a_item, bundle.a_ports, sheets_of, effective))
        b = tuple(_ends(root, bundle.b_item, bundle.b_ports, sheets_of, effective))
        if a and b:
            out.append(RoceLink(bundle.link, bundle.network, a, b, root.links[bundle.link].config))
    return out


def _ends(
    root: EffSheet,
    item_id: str,
    ports: tuple[str, ...],
    sheets_of: Callable[[str], Iterable[str]],
    effective: Callable[[str], EffSheet],
) -> Iterable[RoceEnd]:
    item = root.items.get(item_id)
    if item is None:
        return
    if item.kind == "switch":
        yield RoceEnd(item_id, "", "", item.config)
        return
    if not item.of.startswith("sheet:"):
        return
    for sheet in sheets_of(item_id):
        inside = effective(sheet).items
        for nic in dict.fromkeys(port.rpartition(":")[0] for port in ports):
            row = inside.get(nic)
            if row is not None and row.kind == "nic":
                yield RoceEnd(item_id, nic, sheet, row.config, resends_selectively(row))


def resends_selectively(nic: EffItem) -> bool:
    """Selective acknowledgement (SACK) among the features that the catalogue lists; else the NIC goes back."""
    return nic.part is not None and "sack" in re.split(r"[^a-z]+", nic.part.word("features").lower())


def at_end(link: RoceLink, side: str, end: RoceEnd, settings: Mapping[str, object], key: str) -> object | None:
    """What counts for ``key`` at one end; None when nobody stated it."""
    for values, name in ((link.config, f"{key}.{side}"), (end.config, key), (settings, key)):
        value = values.get(name)
        if value is not None and value != "":
            return value
    return None


def pauses(link: RoceLink, side: str, end: RoceEnd, settings: Mapping[str, object]) -> bool | None:
    """Whether the port at one end pauses instead of dropping: stated as ``pfc``, else as ``lossless``, else on where
    lossless priorities are stated; None when nobody says.
    """
    for key in ("pfc", "lossless"):
        value = at_end(link, side, end, settings, key)
        if value is not None:
            return flag(value, False)
    return True if priorities(at_end(link, side, end, settings, "pfc.priorities")) else None


def priorities(value: object) -> tuple[int, ...]:
    """Lossless priorities as stated ("3", "3, 4", 3); empty when not stated."""
    number = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 8
    text = str(value) if number or isinstance(value, str) else ""
    return tuple(sorted({int(word) for word in re.findall(r"\d+", text) if len(word) == 1 and int(word) < 8}))


def dscp_map(value: object) -> dict[int, int] | None:
    """DSCP -> priority as stated ("26:3, 48:6"), None when not stated."""
    pairs = re.findall(r"(?<!\d)(\d{1,2})\s*:\s*([0-7])(?!\d)", value) if isinstance(value, str) else []
    return {int(dscp): int(priority) for dscp, priority in pairs} or None


def priority_of(dscp: int, stated: Mapping[int, int] | None) -> int:
    """Priority of a DSCP: stated, else the usual eighth of it (class selector)."""
    return (stated or {}).get(dscp, dscp // 8)


def payload_of(mtu: float) -> int:
    """Largest RDMA packet whose frame fits an Ethernet MTU: 4096 in 9000, 1024 in 1500."""
    return next((size for size in RDMA_MTU if size + HEADERS <= mtu), RDMA_MTU[-1])
