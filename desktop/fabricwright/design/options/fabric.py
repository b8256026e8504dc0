"""Links and the network."""

from __future__ import annotations

from fabricwright.design.options.option import Option
from fabricwright.units.text import N_

OPTIONS: tuple[Option, ...] = (
    Option(
        "design",
        "ecmp.mode",
        "choice",
        N_("Equal-cost paths"),
        N_("How flows spread over equal paths."),
        None,
        ("hash", "adaptive"),
        rules=("FAB-12", "FAB-15"),
    ),
    Option(
        "design",
        "ecmp.qps",
        "number",
        N_("Queue pairs per connection"),
        N_("More flows collide less."),
        1,
        low=1,
        high=256,
        rules=("FAB-12", "NIC-05"),
    ),
    Option(
        "design",
        "qos",
        "switch",
        N_("QoS classes"),
        N_("Storage and compute traffic are kept apart by class."),
        None,
        rules=("FAB-18",),
    ),
    Option("design", "sharp", "switch", N_("In-network reduction"), N_("Collective offload of the switches."), "off"),
    Option(
        "link_end",
        "fec",
        "choice",
        N_("FEC"),
        N_("Forward error correction of this end."),
        None,
        ("off", "RS528", "RS544"),
        rules=("OPT-11",),
    ),
    Option("link_end", "autoneg", "switch", N_("Autonegotiation"), N_("Of this end."), None, rules=("OPT-11",)),
    Option("link_end", "mtu", "number", N_("MTU"), N_("Of the port at this end."), None, unit="B", low=256, high=16384),
    Option(
        "link",
        "outside",
        "switch",
        N_("Leaves the chassis"),
        N_("The cable runs outside the server."),
        None,
        rules=("RET-04",),
    ),
)
