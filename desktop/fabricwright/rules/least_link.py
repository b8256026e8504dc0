"""LAN-16's question: is a link of any use to a card?"""

from __future__ import annotations

from collections.abc import Mapping

from fabricwright.catalog.parts import Part, Port
from fabricwright.rules.card import label
from fabricwright.rules.pcie_path import DeviceLink, raw_gbps
from fabricwright.rules.reason import Reason
from fabricwright.units.text import msg

LEAST_SHARE = 0.5
"""Part of its fastest port that a NIC's PCIe link must carry to be of use at all (field case C025: 40 % is not)."""


def too_narrow(part: Part, ports: Mapping[str, Port], link: DeviceLink) -> Reason | None:
    """LAN-16: fewer lanes than the card needs at least, or less than half of its fastest port."""
    if not link.parent:
        return None
    least = int(part.get("min_lanes"))
    if least and link.lanes < least:
        return Reason(
            "LAN-16",
            "error",
            msg(
                "{card} needs x{least} at least; its link is x{lanes}.",
                card=label(part),
                least=least,
                lanes=link.lanes,
            ),
            float(link.lanes),
            float(least),
            "lanes",
            {"lanes": link.lanes, "gen": link.gen},
        )
    rates = [p.gbps for p in ports.values() if p.role == "net" and p.gbps] if part.kind == "nic" else []
    fastest, raw = max(rates, default=0.0), raw_gbps(link.lanes, link.gen)
    if raw >= LEAST_SHARE * fastest:
        return None
    return Reason(
        "LAN-16",
        "error",
        msg(
            "{card}: x{lanes} Gen{gen} carries {got} of {port} Gb/s of one port ({share} %).",
            card=label(part),
            lanes=link.lanes,
            gen=link.gen,
            got=round(raw, 1),
            port=round(fastest, 1),
            share=round(100 * raw / fastest),
        ),
        raw,
        LEAST_SHARE * fastest,
        "Gb/s",
        {"lanes": link.lanes, "gen": link.gen, "got_gbps": raw, "port_gbps": fastest},
    )
