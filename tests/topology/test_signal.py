"""The signal path: what links lose, against hand-added sums and the reference examples."""

from __future__ import annotations

import dataclasses

import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import effective
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Item, Link, Project
from fabricwright.topology import signal_loss as db
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.pcie_tree import PcieTree, build_tree
from fabricwright.topology.point import point_to_point
from fabricwright.topology.signal import Segment
from fabricwright.topology.signal_loss import Element
from fabricwright.units.table import Table
from tests.rules.drawing import board, card, server, slot

GPU = "h100-pcie-80gb"


def tree_of(project: Project, sheet: str = "node", design: str = "main") -> PcieTree:
    return build_tree(effective(project, project.designs[design], sheet))


def segment(tree: PcieTree, name: str) -> Segment:
    return next(s for path in tree.signal.values() for s in path.segments if s.name == name)


def cable(a: str, b: str, part: str = "mcio-2x8i", length_m: float = 0.75, **config: object) -> Link:
    return Link(a, b, medium="pcie", cable=part, length_m=length_m, config=Table(config))


def test_constants_are_those_of_the_catalogue() -> None:
    table = catalogue().table("pcie_loss_db")
    assert {f"gen{g}": v for g, v in db.BUDGET_DB.items()} == dict(catalogue().table("pcie_loss_budget_db"))
    assert table["cpu package"]["value"] == db.CPU_PACKAGE_DB
    assert table["add-in card"]["value"] == db.AIC_SHARE_DB
    assert table["CEM connector"]["value"] == db.CONNECTOR_DB
    assert table["via"]["value"] == db.VIA_DB
    assert table["switch chip package"]["value"] == table["retimer package"]["value"] == db.CHIP_PACKAGE_DB
    assert table["switch or retimer card trace to MCIO"]["value"] == db.CARD_TRACE_DB
    inch = table["board trace per inch (low-loss laminate, 16 GHz)"]["value"]
    assert db.LAMINATE_DB_PER_M["low-loss"] * db.INCH_M == pytest.approx(inch)
    shares = db.CPU_PACKAGE_DB + db.AIC_SHARE_DB + db.CONNECTOR_DB + table["system board"]["value"]
    assert shares == db.BUDGET_DB[5] == 36


def test_seed_a() -> None:
    """Chip 4 + card trace 2 + cable (1.5 + 7 x m) + backplane 3 + connector 1.5 + card 9.5."""
    tree = tree_of(TEMPLATES["seed-a-256x8"].build())
    assert segment(tree, "sw0:d1 - gpu0").loss_db == pytest.approx(4 + 2 + 3.95 + 3 + 1.5 + 9.5)  # 23.95
    assert segment(tree, "rt0 - gpu6").loss_db == pytest.approx(26.75)  # the same with 0.75 m: 6.75
    assert segment(tree, "cpu1:p2 - rt0").loss_db == pytest.approx(9 + 6 + 1.5 + 2 + 4)  # 22.5
    assert [e.kind for e in segment(tree, "cpu1:p2 - rt0").elements] == [
        "cpu-package",
        "board",
        "connector",
        "card-trace",
        "chip-package",
    ]
    assert tree.signal["gpu6"].retimers == ("rt0",)
    assert all(path.falls_to == path.gen for path in tree.signal.values())


def test_seed_b_over_the_outside() -> None:
    tree = tree_of(TEMPLATES["seed-b-512"].build(), "node-after", "after")
    found = [
        s.loss_db
        for p in tree.signal.values()
        for s in p.segments
        if any(e.name.startswith("ext0:g") for e in s.elements)
    ]
    assert found and all(loss == pytest.approx(4 + 2 + 7 + 4 + 1.5 + 9.5) for loss in found)  # 28.0


def passive(backplane_db: float | None = None) -> Project:
    """A GPU bay cabled to an adapter without a retimer in slot s5: 9 + 6 + 1.5 + 2 + 6.75 + 3 + 1.5 + 9.5 = 39.25."""
    adapter = catalogue().get("lrsv9560-2i")
    part = dataclasses.replace(
        adapter,
        kind="riser",
        figures=adapter.figures.put("trace_db", dataclasses.replace(adapter.figures["power_w"], value=2)),
    )
    items = {"a0": card("adapter", "chassis:s5", mode="1x16"), "gpu0": card(GPU, "chassis:bay7")}
    if backplane_db is not None:
        items["chassis"] = Item(None, config=Table({"slot.bay7.board_db": backplane_db}))
    return server("cabled-4u8g", items, {"c": cable("a0:d1", "chassis:bay7")}, parts={"adapter": part})


def test_without_the_retimer_the_link_falls_back_and_so_do_the_figures() -> None:
    tree = tree_of(passive())
    path = tree.signal["gpu0"]
    (only,) = path.segments
    assert only.loss_db == pytest.approx(39.25) and only.budget_db == 36
    # Gen4: shares x 28/36, lines x 0.5^0.75: (9 + 1.5 + 1.5 + 9.5) x 0.7778 + (6 + 2 + 6.75 + 3) x 0.5946 = 27.28
    assert (path.gen, path.falls_to) == (5, 4)
    assert tree.feeds["gpu0"].gen == 4
    cluster = compile_cluster(passive(), passive().designs["main"])
    (interior,) = cluster.interiors
    link = next(row for row in interior.links if row.src == "gpu0" and row.gen)
    assert (link.gen, link.rate) == (4, pytest.approx(31.5e9, rel=0.01))


def test_scaling() -> None:
    line, share = Element("cable", "", 8.0, line=True), Element("card", "", 9.0)
    assert (line.at(5), line.at(6)) == (8, 8)
    assert line.at(4) == pytest.approx(8 * 0.5**0.75)
    assert share.at(4) == pytest.approx(9 * 28 / 36)
    assert Element("cable", "", 4.3, 4, True).at(4) == 4.3


def test_length_and_laminate() -> None:
    """0.3048 m = 12 inches: 12 dB of low-loss, 18 of mid-loss laminate; two vias are 1.4 dB."""

    def loss(**stated: object) -> float:
        chassis = board({"s1": slot("cpu0:p1")})
        config = {f"slot.s1.{k}": v for k, v in stated.items()}
        items = {"nic0": card("mcx715105as-weat", "chassis:s1"), "chassis": card(None, **config)}  # type: ignore[arg-type]
        return tree_of(server(chassis, items)).signal["nic0"].segments[0].loss_db

    assert loss(board_m=0.3048) == pytest.approx(9 + 12 + 1.5 + 9.5)
    assert loss(board_m=0.3048, laminate="mid-loss") == pytest.approx(9 + 18 + 1.5 + 9.5)
    assert loss(board_m=0.3048, vias=2) == pytest.approx(9 + 12 + 1.4 + 1.5 + 9.5)
    assert loss() == pytest.approx(9 + 6 + 1.5 + 9.5)


def test_a_cable_nobody_knows_leaves_the_segment_open() -> None:
    items = {"rt0": card("lrsv9560-2i", "chassis:s5", mode="1x16"), "gpu0": card(GPU, "chassis:bay7")}
    tree = tree_of(server("cabled-4u8g", items, {"c": Link("rt0:d1", "chassis:bay7", medium="pcie")}))
    assert not segment(tree, "rt0 - gpu0").known
    assert tree.signal["gpu0"].falls_to == 5


def test_an_active_optical_cable_starts_both_sides_afresh() -> None:
    items = {
        "rt0": card("lrsv9560-2e", "chassis:s5", mode="1x16"),
        "ext0": card("ext-gpu-box-2"),
        "gpu0": card(GPU, "ext0:g1"),
    }
    tree = tree_of(server("cabled-4u8g", items, {"c": cable("rt0:d1", "ext0:g1", "ext-pcie-aoc-x16", 10)}))
    assert [round(s.loss_db, 2) for s in tree.signal["gpu0"].segments] == [22.5, 6.0, 15.0]


def test_replays() -> None:
    """Gen5 x16 at 1e-12: 16 x 32e9 x 1e-12 = 0.512 a second, one about every 2 s."""
    tree = tree_of(TEMPLATES["seed-a-256x8"].build())
    assert 1 / tree.signal["gpu0"].replays_per_s(1e-12) == pytest.approx(1.95, abs=0.01)


def test_path_lists_what_every_segment_loses() -> None:
    project = TEMPLATES["seed-a-256x8"].build()
    cluster = compile_cluster(project, project.designs["main"])
    way = point_to_point(cluster, "node[0]/gpu6", "node[0]/gpu7")
    assert list(way.loss_db) == [
        {"segment": "node[0]/cpu1:p2 - node[0]/rt0", "loss": 22.5, "budget": 36.0},
        {"segment": "node[0]/rt0 - node[0]/gpu6", "loss": 26.75, "budget": 36.0},
        {"segment": "node[0]/cpu1:p3 - node[0]/rt1", "loss": 22.5, "budget": 36.0},
        {"segment": "node[0]/rt1 - node[0]/gpu7", "loss": 26.75, "budget": 36.0},
    ]
    inside = point_to_point(cluster, "node[0]/gpu0", "node[0]/gpu1")
    assert [row["loss"] for row in inside.loss_db] == [23.95, 23.95]
