"""The constants of NCCL's tuner, read from resources/calibration/belief.toml (sources there)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache

from fabricwright.resources import resource_path


@lru_cache(maxsize=1)
def belief_tables() -> Mapping[str, Mapping[str, object]]:
    """Sections of the file."""
    with resource_path("calibration", "belief.toml").open("rb") as stream:
        return tomllib.load(stream)


def belief(section: str, name: str, *at: int) -> float:
    """One number of a table."""
    value = belief_tables()[section][name]
    for index in at:
        assert isinstance(value, list)
        value = value[index]
    assert isinstance(value, (int, float))
    return float(value)


def hop_us(algorithm: str, where: str, protocol: int) -> float:
    """Latency of one step, microseconds. ``where`` nvlink, pcie or network; ``protocol`` 0 LL, 1 LL128, 2 Simple."""
    return belief("hop_us", f"{algorithm}_{where}", protocol)
