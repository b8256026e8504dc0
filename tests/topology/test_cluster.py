"""Ranks, variants and uplinks of a compiled design."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fabricwright.design.effective import effective
from fabricwright.design.values import Item, Link, Override, Sheet
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.fabric import wire_all
from fabricwright.topology.interior import compile_interior
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.topology.samples import deal, fabric, mesh, rail_fabric, rank_address, server, template


def test_seed_a_ranks_and_uplinks():
    cluster = compile_cluster(template("seed-a-256x8"), "main")
    assert cluster.n_ranks == 2048 and len(cluster.server_dev) == 256
    assert rank_address(cluster, 0) == "node[0]/gpu0" and rank_address(cluster, 2047) == "node[255]/gpu7"
    # server i is in unit i // 64; its port r goes to leaf (unit, r)
    first = cluster.fabric.offset["leaf"]
    unit = np.arange(256) // 64
    assert (cluster.uplink_leaf[:, 0] == first + 2 * unit).all() and (
        cluster.uplink_leaf[:, 1] == first + 2 * unit + 1
    ).all()
    assert cluster.server_axes["su"].tolist() == unit.tolist()
    assert (cluster.rank_domain == -1).all()


def test_uplink_directions():
    cluster = compile_cluster(rail_fabric(1, 2, 1, 1), "main")
    port = cluster.interiors[0].net_ports.index("nic2:1")
    link = int(cluster.uplink[1, port])
    assert cluster.fabric.link_address(link) == "down#10"
    assert cluster.fabric.a_dev[link] == cluster.server_dev[1]  # the server is end a
    assert cluster.uplink[1, cluster.interiors[0].net_ports.index("slota-nic:1")] == -1


def test_variants_and_absent_members():
    project = rail_fabric(1, 4, 1, 1)
    design = project.designs["main"]
    sheet = design.sheets["fabric"]
    overrides = Table({"1": Override(sheet="lame"), "3": Override(absent=True)})
    node = replace(sheet.items["node"], except_=overrides)
    sheets = design.sheets.put("fabric", replace(sheet, items=sheet.items.put("node", node)))
    sheets = sheets.put("lame", Sheet("server", base="node", removed=("nic0",)))
    cluster = compile_cluster(project, replace(design, sheets=sheets))
    assert cluster.variant_sheet == ("node", "lame") and cluster.variant.tolist() == [0, 1, 0]
    assert cluster.server_dev.tolist() == [cluster.fabric.offset["node"] + i for i in (0, 1, 2)]
    # the variant has no nic0, so its cable reaches nothing; the others keep theirs by name
    whole, lame = cluster.interiors
    assert cluster.uplink[1, lame.net_ports.index("nic1:1")] >= 0 and "nic0:1" not in lame.net_ports
    assert cluster.uplink[0, whole.net_ports.index("nic0:1")] >= 0


def test_rank_order_follows_the_design():
    items = {"a": Item("sheet:node"), "b": Item("sheet:node", (("n", 2),)), "leaf": Item("qm9700")}
    links = {
        "la": Link("a:compute", "leaf:1-4/1-2", deal(), "ib"),
        "lb": Link("b:compute", "leaf:5-12/1-2", deal(), "ib"),
    }
    project = fabric(items, links)
    design = replace(project.designs["main"], ranks=("b", "a"))
    cluster = compile_cluster(project, design)
    assert [rank_address(cluster, r) for r in (0, 8, 16)] == ["b[0]/gpu0", "b[1]/gpu0", "a/gpu0"]


def test_chosen_ranks():
    project = rail_fabric(2, 2, 1, 1)
    some = compile_cluster(project, "main", ranks=["node[3]/gpu5", "node[0]", "node[su=1,node=0]/gpu1"])
    assert [rank_address(some, r) for r in (0, 1, 8, 9)] == [
        "node[3]/gpu5",
        "node[0]/gpu0",
        "node[0]/gpu7",
        "node[2]/gpu1",
    ]
    assert compile_cluster(project, "main", nodes=3).n_ranks == 24
    for wrong in ("leaf[0]", "node[0]/gpu9", "node[17]"):
        with pytest.raises(UserError):
            compile_cluster(project, "main", ranks=[wrong])


@pytest.mark.parametrize(
    "ranks", [["node[0]", "node[0]"], ["node[1]/gpu3", "node[0-1]"], ["node[2]/gpu0", "node[2]/gpu0"]]
)
def test_a_gpu_takes_part_once(ranks):
    with pytest.raises(UserError, match="a GPU takes part once"):
        compile_cluster(rail_fabric(2, 2, 1, 1), "main", ranks=ranks)


def test_pieces_compiled_before_are_taken():
    project = rail_fabric(1, 2, 1, 1)
    design = project.designs["main"]
    eff = effective(project, design, "fabric")
    ready = compile_interior(effective(project, design, "node"), {})
    wired = wire_all(project, design, eff)
    cluster = compile_cluster(project, "main", interiors={"node": ready}, bundles=wired)
    assert cluster.interiors[0] is ready and cluster.fabric.bundles[0] is wired["down"]


def test_a_server_sheet_alone_is_a_cluster():
    cluster = compile_cluster(server("dgx-h100"), "main")
    assert cluster.n_ranks == 8 and cluster.uplink.shape == (1, 12) and (cluster.uplink == -1).all()
    assert cluster.rank_domain.tolist() == [0] * 8
    assert compile_cluster(template("single-8gpu"), "main").n_ranks == 8


def test_nvlink_domain_over_a_rack():
    # two racks of two trays, each rack with a switch tray: two domains of eight GPUs
    items = {
        "tray": Item("sheet:node", (("rack", 2), ("tray", 2))),
        "sw": Item("nvl72-switch-tray", (("rack", 2),)),
    }
    links = {"nv": Link("tray:nvlink", "sw:nvlink", mesh(72, "rack"), "nvlink", "nvlink")}
    cluster = compile_cluster(fabric(items, links, "gb200-compute-tray"), "main")
    assert cluster.n_ranks == 16
    domains = cluster.rank_domain.tolist()
    assert domains[:8] == [domains[0]] * 8 and domains[8:] == [domains[8]] * 8 and domains[0] != domains[8]


def test_empty_design():
    from fabricwright.design.values import Design, Project

    project = Project("", designs=Table({"main": Design("", "fabric", (), Table({"fabric": Sheet("fabric")}))}))
    cluster = compile_cluster(project, "main")
    assert cluster.n_ranks == 0 and cluster.uplink.shape == (0, 0)
