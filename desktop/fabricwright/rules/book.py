"""The rule book: importing it registers every rule."""

from fabricwright.rules import (
    bifurcation,
    cxl,
    fabric,
    lanes,
    mechanical,
    nic,
    optics,
    p2p,
    power,
    retimer,
    scale,
    uplinks,
)

__all__ = [
    "bifurcation",
    "cxl",
    "fabric",
    "lanes",
    "mechanical",
    "nic",
    "optics",
    "p2p",
    "power",
    "retimer",
    "scale",
    "uplinks",
]
