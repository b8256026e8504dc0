"""Devices, links, rates and tiers of the fabric sheet; what failing takes away."""

from __future__ import annotations

import numpy as np
import pytest

from fabricwright.design.values import Item, Link
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.fabric import compile_fabric
from fabricwright.units.errors import UserError
from tests.topology.samples import deal, fabric, mesh, rail_fabric, rank_address, template


def tier_counts(compiled, tier: int) -> dict[str, int]:
    out: dict[str, int] = {}
    for device in np.flatnonzero(compiled.tier == tier):
        item = compiled.device_name(int(device))[0]
        out[item] = out.get(item, 0) + 1
    return out


def test_tiers_of_four_networks():
    compiled = compile_fabric(template("superpod-h100-127"), template("superpod-h100-127").designs["main"])
    assert tier_counts(compiled, 1) == {"ileaf": 8, "leaf": 32, "oob": 8, "sleaf": 8}
    assert tier_counts(compiled, 2) == {"ispine": 2, "spine": 16, "sspine": 4}
    assert set(tier_counts(compiled, 0)) == {"mgmt", "node", "pdu", "stor", "ufm-c", "ufm-s"}
    assert compiled.networks == ("compute", "inband", "oob", "storage")


def test_three_tiers():
    items = {
        "node": Item("sheet:node", (("pod", 2), ("node", 2))),
        "leaf": Item("qm9700", (("pod", 2), ("rail", 8))),
        "spine": Item("qm9700", (("pod", 2), ("s", 2))),
        "core": Item("qm9700", (("s", 2),)),
    }
    links = {
        "down": Link("node:compute", "leaf:1/1-2", deal("pod", "rail"), "ib"),
        "up": Link("leaf:17-32/1-2", "spine:1-16/1-2", mesh(2, "pod"), "ib"),
        "top": Link("spine:17-18/1", "core:1-32/1-2", mesh(2, "s"), "ib"),
    }
    compiled = compile_fabric(project := fabric(items, links), project.designs["main"])
    assert [tier_counts(compiled, t) for t in (0, 1, 2, 3)] == [{"node": 4}, {"leaf": 16}, {"spine": 4}, {"core": 2}]


def test_rates_are_those_of_the_slower_end():
    # seed B: 200G NIC ports on 400G leafs split in two, 100G uplinks
    project = template("seed-b-512")
    rates = {name: compile_fabric(project, design) for name, design in project.designs.items()}
    assert set(rates["before"].rate) == {12.5e9}
    after = rates["after-network"]
    by_link = {b.link: set(after.rate[after.bundle == n].tolist()) for n, b in enumerate(after.bundles)}
    assert by_link == {"down": {25e9}, "up": {12.5e9}}


def test_stated_speed_limits():
    project = rail_fabric(1, 2, 1, 1, down=Link("node:compute", "leaf:1/1-2", deal("rail"), "ib", speed=200e9))
    compiled = compile_fabric(project, project.designs["main"])
    assert set(compiled.rate[compiled.bundle == 0].tolist()) == {25e9}


def test_links_and_devices_have_addresses():
    compiled = compile_fabric(project := rail_fabric(2, 2, 2, 1), project.designs["main"])
    assert compiled.device_address(compiled.offset["leaf"] + 3) == "leaf[3]"
    assert compiled.link_address(17) == "down#17"
    assert compiled.switch_latency_s[compiled.offset["leaf"]] == pytest.approx(130e-9)


def test_failures_take_links_down_and_leave_tiers():
    project = rail_fabric(2, 4, 2, 4)
    whole = compile_cluster(project, "main")
    broken = compile_cluster(
        project, "main", failed=["spine[0]", "down#3", "node[4]/nic0:1", "leaf[2]:1/2", "node[su=1,node=1]/nic5"]
    )
    assert (broken.fabric.tier == whole.fabric.tier).all()
    dead = {broken.fabric.link_address(int(k)) for k in np.flatnonzero(broken.fabric.rate == 0)}
    # down rows: node i, rail r = 8 i + r. leaf[2] = unit 0, rail 2; its port 1/2 takes the second server of the unit
    assert {a for a in dead if a.startswith("down")} == {"down#3", "down#32", "down#10", "down#45"}
    assert len([a for a in dead if a.startswith("up")]) == 16 * 4
    assert broken.fabric.failed.sum() == 1 and broken.n_ranks == whole.n_ranks
    port = broken.interiors[0].net_ports.index("nic0:1")
    assert broken.uplink[4, port] == -1 and broken.uplink_leaf[4, port] == -1


def test_failed_servers_and_gpus_take_no_part():
    project = rail_fabric(1, 4, 1, 1)
    assert compile_cluster(project, "main", failed=["node[1]"]).n_ranks == 24
    less = compile_cluster(project, "main", failed=["node[2]/gpu7", "node[3]/gpu0"])
    assert less.n_ranks == 30
    assert "node[2]/gpu7" not in {rank_address(less, r) for r in range(30)}
    cage = compile_cluster(project, "main", failed=["leaf[0]:1"])
    assert (cage.fabric.rate == 0).sum() == 2  # both ports of the twin cage


@pytest.mark.parametrize(
    "address",
    ["nobody", "spine[99]", "node[0]/nic77", "nolink#3", "node[0]/br0", "up#99999", "leaf[0]:99", "node[0]/nic0:9"],
)
def test_wrong_failures_are_explained(address):
    with pytest.raises(UserError) as caught:
        compile_cluster(rail_fabric(1, 2, 1, 1), "main", failed=[address])
    assert address.split("[")[0].split("#")[0] in str(caught.value)
