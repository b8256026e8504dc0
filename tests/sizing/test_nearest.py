"""Refused requirements: what is offered instead works, and is the least change of its kind."""

from __future__ import annotations

from typing import Any

import pytest

from fabricwright.sizing.choices import size
from fabricwright.sizing.nearest import nearest, works
from fabricwright.sizing.requirement import Requirement
from fabricwright.units.errors import UserError


@pytest.mark.parametrize(
    ("wanted", "first"),
    [
        ({"gpus": 256, "nics_per_server": 12}, {"nics_per_server": 8}),  # DGX H100 has eight
        ({"gpus": 256, "planes": 2}, {"planes": 1}),  # one port per NIC
        ({"gpus": 2048, "tiers": 1}, {"tiers": 2}),
        ({"gpus": 256, "rack_kw": 5.0}, {"rack_kw": 12.0}),  # a server draws 10.2 kW; the next step is 12
        ({"gpus": 256, "redundancy": 9}, {"redundancy": 7}),  # eight rails: seven may fail
    ],
)
def test_the_least_change_that_works(wanted: dict[str, Any], first: dict[str, Any]) -> None:
    found = nearest(Requirement(**wanted))
    assert found[0].values == first
    assert all(works(Requirement(**{**wanted, **change.values})) for change in found)


def test_too_many_gpus() -> None:
    """65,536 servers of 8 are the most that three tiers of radix 128 join: 524,288 GPUs; bisection is good to 1/256."""
    wanted = Requirement(gpus=4_000_000)
    with pytest.raises(UserError):
        size(wanted)
    (change,) = nearest(wanted)
    assert 0.99 * 524_288 < change.values["gpus"] <= 524_288
    assert size(Requirement(gpus=change.values["gpus"]))


def test_dgx_a100_is_hdr_infiniband() -> None:
    """The reference architecture of DGX A100 runs its eight HDR ports on QM8700 switches."""
    assert (size(Requirement(gpus=256, server="dgx-a100"))[0].leaf.part) == "qm8700"
