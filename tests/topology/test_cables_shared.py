"""Links that are alike share their rows and cables: the same comes out as when each is worked out alone."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.design import wiring
from fabricwright.design.effective import effective
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Link, Wire
from fabricwright.design.wiring import End, rule_rows, wire_rows
from fabricwright.topology.cables import all_cables, bundle_cables
from fabricwright.topology.fabric import wire_all
from fabricwright.topology.seating import all_lengths, bundle_lengths, places_of
from fabricwright.units.table import Table


def equal(x, y) -> bool:
    return np.array_equal(x, y) and x.dtype == y.dtype if isinstance(x, np.ndarray) else x == y


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_same_as_each_link_alone(name):
    project = TEMPLATES[name].build()
    for design in project.designs.values():
        eff = effective(project, design, design.root)
        if eff.kind != "fabric":
            continue
        bundles, places = wire_all(project, design, eff), places_of(project, design, eff)
        lengths = [eff.links[i].length_m for i in bundles]
        alone = [bundle_lengths(places, b, length) for b, length in zip(bundles.values(), lengths, strict=True)]
        together = all_lengths(places, list(bundles.values()), lengths)
        assert np.array_equal(np.concatenate([np.zeros(0), *alone]), together)
        found = all_cables(project, design, bundles, places)
        for link, bundle in bundles.items():
            if link not in found:
                continue
            unshared = replace(project, parts=Table(project.parts))  # a table that remembers nothing
            own = bundle_cables(unshared, design, eff, bundle, places)
            assert all(equal(getattr(own, f.name), getattr(found[link], f.name)) for f in fields(own)), link


AXES = st.sampled_from([(), (("su", 2),), (("su", 2), ("node", 3)), (("rail", 4),)])


@st.composite
def ends(draw):
    axes, ports = draw(AXES), draw(st.integers(0, 5))
    count = wiring.product(axes)
    named = (("rail", ports),) if ports and draw(st.booleans()) else ()
    nobody = wiring.nobody(count)
    return End("x", count, axes, tuple(str(n) for n in range(ports)), named, nobody)


@settings(max_examples=150, deadline=None)
@given(
    ends(),
    ends(),
    st.sampled_from(["deal", "mesh"]),
    st.sampled_from([(), ("su",), ("rail",), ("su", "rail"), ("port",)]),
    st.integers(0, 3),
)
def test_small_rules_are_remembered_as_they_are(a, b, mode, on, per_pair):
    link = Link("a:1", "b:1", Wire(mode, on, per_pair))
    for _ in range(2):
        wired = wire_rows(link, a, b)
        assert equal(wired.rows, rule_rows(link.wire, a, b))
        there = (wired.rows >= 0).all(axis=1)
        assert equal(wired.alive, there)
        assert (wired.a_ports, wired.b_ports) == (a.ports, b.ports)
