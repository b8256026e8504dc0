"""NVLink domains of drawings that no maker ships."""

from __future__ import annotations

import random

from fabricwright.rules.direct import check
from tests.design.wide_sessions import session


def test_a_gpu_that_is_only_bridged_to_one_of_a_switched_plane_is_not_in_the_plane() -> None:
    dice = random.Random(70039)
    _, steps = session(dice, dice.randint(0, 16))
    end = steps[-1][2]
    for design in end.designs:
        assert check(end, design)
