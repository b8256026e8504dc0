"""PCIe lanes, their windows in the address space, and what cards and retimers pass on."""

from __future__ import annotations

from fabricwright.design.options.option import Option
from fabricwright.units.text import N_

OPTIONS: tuple[Option, ...] = (
    Option(
        "slot",
        "bifurcation",
        "names",
        N_("Splits offered"),
        N_("Splits of the root port that firmware offers here, such as x16, x8x8."),
        None,
        rules=("BIF-01", "BIF-02"),
    ),
    Option(
        "slot",
        "mmio_window_gib",
        "number",
        N_("64-bit MMIO window of this port"),
        N_("What firmware reserves below the root port of this slot."),
        None,
        unit="GiB",
        low=0,
        rules=("LAN-12",),
    ),
    Option(
        "slot",
        "riser_m",
        "number",
        N_("Length of the riser cable"),
        N_("Passive cable between the board and this slot."),
        None,
        unit="m",
        low=0,
        rules=("RET-11",),
    ),
    Option(
        "chassis",
        "mmio_total_gib",
        "number",
        N_("64-bit MMIO window in all"),
        N_("What firmware reserves for all root ports together."),
        None,
        unit="GiB",
        low=0,
        rules=("LAN-12",),
    ),
    Option(
        "pcie_switch",
        "resizable_bar",
        "switch",
        N_("Resizable BAR behind the switch"),
        N_("Off: devices below keep a small BAR."),
        None,
        rules=("LAN-12",),
    ),
    Option(
        "gpu",
        "bar_gib",
        "number",
        N_("Prefetchable BAR"),
        N_("Size of the memory window of the card."),
        None,
        unit="GiB",
        low=0,
        rules=("LAN-12",),
    ),
    Option(
        "card",
        "multi_host",
        "switch",
        N_("Several hosts or NTB"),
        N_("On: the card takes more than one uplink."),
        None,
        rules=("LAN-11",),
    ),
    Option(
        "retimer",
        "cxl",
        "switch",
        N_("Passes CXL"),
        N_("Whether the retimer is made for CXL as well."),
        None,
        rules=("CXL-10",),
    ),
)
