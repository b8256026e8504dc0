"""FAB-06, 13, 14 and 18: network per GPU, ways between servers, and storage on the compute fabric."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Export, Link, Project, Sheet, Workload
from fabricwright.units.table import Table
from tests.bench.test_big_fabric_bench import three_tier
from tests.rules.drawing import card, claim, deal, fabric, fired, group, mesh, places
from tests.rules.examples import fires, silent
from tests.rules.networks import SWITCH, mended, rails


def one_nic_for_eight(**more: Any) -> Project:
    """Eight PCIe GPUs behind one 400G NIC."""
    node = Sheet(
        "server",
        chassis="pcie-8dw-2switch-dual-root",
        items=Table(
            {
                **{f"gpu{n}": card("h100-pcie-80gb", f"chassis:g{n + 1}") for n in range(8)},
                "nic0": card("mcx715105as-weat", "chassis:n1"),
            }
        ),
        exports=Table({"compute": Export(("nic0:1",))}),
    )
    items = {"node": group("sheet:node", node=4), "leaf": group(SWITCH)}
    return fabric(items, {"down": Link("node:compute", "leaf:1-32", deal())}, {"node": node}, **more)


TARGET = claim("cluster.gpus", 32, "main!", "target")


@fires("FAB-06")
def test_fab_06_400g_for_eight_gpus() -> None:
    (found,) = fired(one_nic_for_eight(statements=(TARGET,)), "FAB-06")
    assert (places([found]), found.measured, found.allowed) == (["node"], 50, 200)
    trained = replace(one_nic_for_eight(), workloads=Table({"7b": Workload("7 B")}))
    assert [f.measured for f in fired(trained, "FAB-06")] == [50]


@silent("FAB-06")
def test_fab_06_400g_for_each_gpu() -> None:
    assert fired(rails(statements=(TARGET,)), "FAB-06") == []


def test_fab_06_nobody_said_that_it_is_for_training() -> None:
    assert fired(one_nic_for_eight(), "FAB-06") == []
    assert fired(one_nic_for_eight(statements=(claim("cluster.gpus", 32, "main!"),)), "FAB-06") == []


# -- facts -------------------------------------------------------------------------------------------------------------


@fires("FAB-13")
def test_fab_13_one_three_and_five_switches() -> None:
    def switches(project: Project) -> list[int]:
        (found,) = fired(project, "FAB-13")
        assert found.severity == "fact"
        return list(found.values["switches"])

    assert switches(rails()) == [1]
    assert switches(rails(spines=4)) == [1, 3]
    assert switches(three_tier(pods=2, cores=1)) == [1, 3, 5]


@silent("FAB-13")
def test_fab_13_nothing_to_show_without_a_network() -> None:
    assert fired(TEMPLATES["single-8gpu"].build(), "FAB-13") == []
    assert fired(rails(nodes=1), "FAB-13") == []  # and no way between servers where there is one


def three_switches(length_m: float, **config: str) -> Project:
    """Two leafs and a spine of 600 ns each; cables of equal length."""
    items = {
        "node": group("sheet:node", su=2, node=2),
        "leaf": group("sn5600", su=2),
        "spine": group("sn5600", spine=2),
    }
    node = Sheet(
        "server",
        chassis="pcie-4dw-one-socket",
        items=Table({"nic0": card("mcx715105as-weat", "chassis:n1")}),
        exports=Table({"compute": Export(("nic0:1",))}),
    )
    settled = Table(dict(config))
    links = {
        "down": Link("node:compute", "leaf:1-32/1-2", deal("su"), length_m=length_m, config=settled),
        "up": Link("leaf:33-34/1-2", "spine:1-64/1-2", mesh(2), length_m=length_m, config=settled),
    }
    return fabric(items, links, {"node": node})


@fires("FAB-14")
def test_fab_14_three_switches_two_nics_and_fibre() -> None:
    """3 x 0.6 us + 1.2 us of NICs = 3.0 us, + 256 bytes at 400 Gb/s (5 ns), + 4 cables of 10 m at 5 ns/m (0.2 us)."""
    (found,) = fired(three_switches(10.0), "FAB-14")
    assert found.severity == "fact" and found.estimate
    assert found.values["us"] == {"1": pytest.approx(1.2 + 0.6 + 0.005 + 0.1), "3": pytest.approx(3.0 + 0.005 + 0.2)}
    (coded,) = fired(three_switches(10.0, **{"fec.a": "RS544"}), "FAB-14")
    assert coded.measured == pytest.approx(3.205 + 4 * 0.1, abs=1e-3)  # a decoder at the end of each of four links


@silent("FAB-14")
def test_fab_14_nothing_to_show_without_a_network() -> None:
    assert fired(TEMPLATES["single-8gpu"].build(), "FAB-14") == []


def test_fab_14_says_when_lengths_are_not_known() -> None:
    (found,) = fired(rails(spines=4), "FAB-14")
    assert "cable lengths not known" in found.message.english()


# -- FAB-18 ------------------------------------------------------------------------------------------------------------


def stored(shared: bool, network: str = "storage", **settings: Any) -> Project:
    """DGX H100 on leafs with spines; storage servers on the same leafs or on a switch of their own."""
    project = rails(nodes=4, spines=2, settings=settings)
    design = project.designs["main"]
    root = design.sheets["fabric"]
    items = {"stor": group("storage-2u-24nvme-2x400g-ib", stor=4), "sleaf": group("qm9700")}
    end = "leaf:10/1" if shared else "sleaf:1-8/1-2"
    links = {
        "store": Link("stor:1", end, deal(), "ib", network),
        "sdown": Link("node:storage", "sleaf:9-32/1-2", deal(), "ib", "storage"),
    }
    sheet = replace(root, items=Table({**root.items, **items}), links=Table({**root.links, **links}))
    from fabricwright.design.templates.drafting import embed

    return embed(replace(project, designs=Table({"main": replace(design, sheets=design.sheets.put("fabric", sheet))})))


@fires("FAB-18")
def test_fab_18_storage_on_compute_leafs() -> None:
    project = stored(True)
    (found,) = fired(project, "FAB-18")
    assert (places([found]), found.measured, str(found.members)) == (["leaf"], 4, "0-3")
    assert fired(mended(project, found), "FAB-18") == []
    assert len(fired(stored(True, "compute"), "FAB-18")) == 1  # whatever the network is called


@silent("FAB-18")
def test_fab_18_a_storage_fabric_of_its_own() -> None:
    assert fired(stored(False), "FAB-18") == []
    assert fired(stored(True, qos="on"), "FAB-18") == []
