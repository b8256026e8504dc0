"""Wiring of the fabric: link rows as bundles of physical links. The rule itself is ``fabricwright.design.wiring``."""

from __future__ import annotations

from fabricwright.design.values import Link
from fabricwright.design.wiring import End, absent_members, end_of, member_set, product, wire_rows
from fabricwright.topology.model import Bundle

__all__ = ["End", "absent_members", "end_of", "member_set", "product", "wire"]


def wire(link: Link, a: End, b: End, link_id: str = "") -> Bundle:
    """All physical links of a row as a bundle, see ``fabricwright.design.wiring.wire_rows``."""
    wired = wire_rows(link, a, b)
    return Bundle(
        link_id, a.item, b.item, wired.a_ports, wired.b_ports, wired.rows, wired.alive, link.network, link.medium
    )
