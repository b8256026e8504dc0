"""When things are bought and built."""

from __future__ import annotations

from fabricwright.design.options.option import Option
from fabricwright.units.text import N_

OPTIONS: tuple[Option, ...] = (
    Option(
        "item",
        "phase",
        "number",
        N_("Phase"),
        N_("Step of the build-out in which it is bought; the parts list can be divided by it."),
        1,
        low=1,
        high=99,
    ),
)
