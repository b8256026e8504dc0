"""NCCL's topology file: names of network ports."""

from __future__ import annotations

import re

from fabricwright.design.effective import effective
from fabricwright.exchange.nccl_xml import nccl_xml
from tests.rules.drawing import card, server


def names(**devices: str) -> list[str]:
    """Names in the file of a server with two cards of two ports each; ``n1="a b"`` states those of a card."""
    rows = {n: card("mcx755106as-heat", f"chassis:{n}", **({"hca": devices[n]} if n in devices else {})) for n in SLOTS}
    project = server("pcie-8dw-2switch-single-root", {**rows, "g": card("h100-pcie-80gb", "chassis:g1")})
    design = project.designs["main"]
    return re.findall(r'<net name="([^"]+)"', nccl_xml(effective(project, design, "node"), design.settings))


SLOTS = ("n1", "n2")


def test_ports_without_a_name_are_numbered() -> None:
    assert sorted(names()) == ["mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"]


def test_a_stated_name_is_not_given_twice() -> None:
    """The second card has mlx5_0 and mlx5_2: the first one gets what is left."""
    assert names(n2="mlx5_0, mlx5_2") == ["mlx5_1", "mlx5_3", "mlx5_0", "mlx5_2"]


def test_the_adapters_of_a_dgx_have_their_names() -> None:
    project = server("dgx-h100", {})
    design = project.designs["main"]
    found = re.findall(r'<net name="([^"]+)"', nccl_xml(effective(project, design, "node"), design.settings))
    assert len(found) == len(set(found)) == 12
    assert set(found) == {f"mlx5_{n}" for n in range(12)}  # mlx5_1, 2, 7 and 8 are left for the cards in slots
