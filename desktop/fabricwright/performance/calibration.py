"""Constants between what the wires could do and what NCCL does on them, each with its source.

They live in ``resources/calibration/*.toml``; the file explains every one. ``IDEAL`` is the textbook: full line
rates, no launch, no pipeline losses.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from fabricwright.resources import resource_path


@dataclass(frozen=True, slots=True)
class Constant:
    """One value; ``estimate`` when it rests on three systems or fewer, or on a rule of thumb."""

    value: float
    source: str
    estimate: bool = False


@dataclass(frozen=True, slots=True)
class Calibration:
    """Constants by dotted name (``nvlink.ring_4``); those of section ``time_us`` are microseconds. ``ideal``: none of
    them counts.
    """

    title: str
    constants: Mapping[str, Constant] = field(default_factory=dict)
    ideal: bool = False

    def value(self, name: str) -> float:
        """A ratio, or microseconds where the name begins with ``time_us``."""
        return self.constants[name].value


Profile = tuple[str, tuple[tuple[str, float], ...]]
"""Name and fitted values (by dotted name) of a site's own constants."""


@lru_cache(maxsize=16)
def profile_calibration(profile: Profile) -> Calibration:
    """The shipped constants with those of a profile in their place; names that are not known are left out."""
    name, values = profile
    constants = dict(load_calibration().constants)
    constants.update({key: Constant(value, f"profile {name}") for key, value in values if key in constants})
    return Calibration(name, constants)


@lru_cache(maxsize=4)
def load_calibration(name: str = "cost") -> Calibration:
    """A shipped calibration."""
    with resource_path("calibration", f"{name}.toml").open("rb") as stream:
        tables = tomllib.load(stream)
    constants = {
        f"{section}.{key}": Constant(float(row["value"]), str(row["source"]), bool(row.get("estimate", False)))
        for section, rows in tables.items()
        if isinstance(rows, dict)
        for key, row in rows.items()
    }
    return Calibration(str(tables.get("title", name)), constants)
