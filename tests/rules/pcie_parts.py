"""Cards that the catalogue does not hold, made for tests about PCIe links."""

from __future__ import annotations

from fabricwright.catalog.parts import Figure, Part, Port, Scalar
from fabricwright.units.table import Table


def _figures(figures: dict[str, Scalar]) -> Table[Figure]:
    return Table({name: Figure(value, confidence="read") for name, value in figures.items()})


def nic_part(gbps: float, lanes: int = 16, gen: int = 5, ports: int = 1, **figures: Scalar) -> Part:
    """A NIC with ``ports`` ports of ``gbps`` Gb/s."""
    net = {str(n): Port("eth", "net", gbps=gbps) for n in range(1, ports + 1)}
    return Part(
        "nic",
        Table({"en": "Test NIC"}),
        model="TEST-NIC",
        ports=Table({"up": Port("pcie", "up", lanes, gen), **net}),
        figures=_figures({"form": "cem", "pcie_gen": gen, "edge_lanes": lanes, **figures}),
    )


def retimer_part(gen: int = 5, lanes: int = 16, **figures: Scalar) -> Part:
    """A retimer card with one cable port."""
    return Part(
        "retimer",
        Table({"en": "Test retimer"}),
        model="TEST-RETIMER",
        ports=Table(
            {"up": Port("pcie", "up", lanes, gen), "d1": Port("pcie", "down", lanes, gen, connector="MCIO-8i")}
        ),
        figures=_figures({"form": "cem", "edge_lanes": lanes, "bridge_levels": 0, **figures}),
    )


def switch_part(ports: int, lanes: int = 16, gen: int = 5, **figures: Scalar) -> Part:
    """A switch without cable connectors; with a figure ``cxl`` it is a CXL switch."""
    down = {f"d{n}": Port("pcie", "down", lanes, gen) for n in range(1, ports + 1)}
    return Part(
        "pcie-switch",
        Table({"en": "Test switch"}),
        model="TEST-SWITCH",
        ports=Table({"up": Port("pcie", "up", 16, gen), **down}),
        figures=_figures({"bridge_levels": 1, **figures}),
    )
