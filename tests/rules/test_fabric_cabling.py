"""The arrays behind the rules of fabrics: components against a plain search, and a sheet that is one server."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fabricwright.design.values import Design, Project, Sheet
from fabricwright.rules.fabric_joined import components
from fabricwright.rules.registry import all_rules
from fabricwright.rules.run import run_rule
from fabricwright.units.table import Table
from tests.rules.drawing import context


def searched(n: int, edges: list[tuple[int, int]]) -> list[int]:
    """The smallest node of each node's component, by walking."""
    out = [-1] * n
    for start in range(n):
        if out[start] >= 0:
            continue
        front = [start]
        while front:
            node = front.pop()
            if out[node] >= 0:
                continue
            out[node] = start
            front += [b if a == node else a for a, b in edges if node in (a, b)]
    return out


@given(
    st.integers(1, 30).flatmap(
        lambda n: st.tuples(st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=60))
    )
)
def test_components_are_those_of_a_search(case: tuple[int, list[tuple[int, int]]]) -> None:
    n, edges = case
    a, b = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    assert components(n, a, b).tolist() == searched(n, edges)


def test_a_design_that_is_one_server_sheet() -> None:
    from fabricwright.design.templates.drafting import embed

    design = Design(root="node", sheets=Table({"node": Sheet("server", chassis="dgx-h100")}))
    project = embed(Project("Test", designs=Table({"main": design})))
    for rule in all_rules():
        if rule.startswith(("FAB", "OPT", "NIC-09")):
            assert run_rule(context(project), rule) == []
