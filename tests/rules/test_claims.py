"""SED, SCL-01, GPU-03, SRV-02, NIC-02, NIC-03: statements against each other and against what is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Design, Link, Project, Sheet, Statement
from fabricwright.rules.built_in import parse_nic_set
from fabricwright.rules.finding import Finding
from fabricwright.units.table import Table
from tests.rules.drawing import (
    board,
    card,
    claim,
    deal,
    everything,
    fabric,
    fired,
    group,
    mesh,
    one_nic,
    places,
    server,
    slot,
)
from tests.rules.examples import fires, silent

SWITCH = "generic-64x400"
DUAL_200 = "lres1260pf-2qsfp112"


def two_designs(*said: Statement, before: Project | None = None, after: Project | None = None) -> Project:
    """Designs ``before`` and ``after`` with these statements; empty ones unless given."""
    empty = Design(root="fabric", sheets=Table({"fabric": Sheet("fabric")}))
    first = before.designs["main"] if before else empty
    second = after.designs["main"] if after else empty
    parts = {**(before.parts if before else {}), **(after.parts if after else {})}
    return Project(
        "Test",
        designs=Table({"before": replace(first, order=0), "after": replace(second, order=1)}),
        statements=Table({f"s{n}": s for n, s in enumerate(said, 1)}),
        parts=Table(parts),
    )


def days(before: float, after: float, gain: float) -> list[Finding]:
    said = (
        claim("train.days", f"{before}, {after}", "design:after"),
        claim("train.gain", gain, "design:after"),
    )
    return fired(two_designs(*said), "SED-01", "after")


@fires("SED-01")
def test_sed_01_30_days_become_21_with_40_percent() -> None:
    (found,) = days(30, 21, 0.40)
    assert found.values["gain_from_train.days"] == pytest.approx(30 / 21 - 1)  # +42.9 %
    assert (found.measured, found.allowed) == (0.40, pytest.approx(0.4286, abs=1e-4))
    assert "+42.9 %" in found.message.english()


@silent("SED-01")
def test_sed_01_30_days_become_21_4() -> None:
    assert days(30, 21.4, 0.40) == []  # 30 / 1.4 = 21.43


def test_sed_01_shares_times_and_gain() -> None:
    def story(share: float, time_ms: float, gain: float) -> list[Finding]:
        said = (
            claim("step.comm_share", 0.35, "design:before"),
            claim("step.comm_share", share, "design:after"),
            claim("allreduce.time_ms", 8.5, "design:before"),
            claim("allreduce.time_ms", time_ms, "design:after"),
            claim("train.gain", gain, "design:after"),
        )
        return fired(two_designs(*said), "SED-01", "after")

    # 8.5 / 3.2 = 2.656: 0.35 -> 0.35/2.656 = 0.1318 of 0.65 + 0.1318, 16.9 %; 1/0.7818 = 1.279
    (found,) = story(0.12, 3.2, 0.40)
    assert found.values["gain_from_step.comm_share"] == pytest.approx(0.88 / 0.65 - 1)
    assert found.values["gain_from_allreduce.time_ms"] == pytest.approx(0.279, abs=0.001)
    assert "16.9 %" in found.message.english()
    assert story(0.169, 3.2, 0.28) == []
    assert fired(two_designs(claim("train.gain", 0.4, "design:after")), "SED-01", "after") == []


def test_sed_01_two_derived_gains_and_none_stated() -> None:
    def story(share: float) -> list[Finding]:
        said = (
            claim("train.days", "30, 21", "design:after"),
            claim("step.comm_share", 0.35, "design:before"),
            claim("step.comm_share", share, "design:after"),
        )
        return fired(two_designs(*said), "SED-01", "after")

    # 30 / 21 = 1.4286; 0.65 / (1 - 0.35) = 1 becomes (1 - share) / 0.65: 1.3538 with 0.12, 1.4286 with 0.0714
    (found,) = story(0.12)
    assert found.message.english().startswith("The figures disagree: ")
    assert found.values["gain_from_step.comm_share"] == pytest.approx(0.88 / 0.65 - 1)
    assert story(1 - 0.65 * 30 / 21) == []


def test_sed_01_speaks_about_the_later_design_alone() -> None:
    project = TEMPLATES["seed-b-512"].build()
    assert fired(project, "SED-01", "before") == []
    assert fired(project, "SED-01", "after-network") == []
    assert len(fired(project, "SED-01", "after")) == 1


def used(utilisation: float, share: float) -> list[Finding]:
    said = (claim("gpu.utilisation", utilisation, "design:main"), claim("step.comm_share", share, "design:main"))
    return fired(server("dgx-h100", {}, statements=said), "SED-02")


@fires("SED-02")
def test_sed_02_92_percent_beside_12() -> None:
    (found,) = used(0.92, 0.12)
    assert (found.measured, found.allowed, found.severity) == (0.92, pytest.approx(0.88), "error")


@silent("SED-02")
def test_sed_02_65_percent_beside_35() -> None:
    assert used(0.65, 0.35) == []
    assert used(0.66, 0.35) == []  # within a percent point
    assert fired(server("dgx-h100", {}, statements=(claim("gpu.utilisation", 0.99, ""),)), "SED-02") == []


def cluster(nodes: int, *said: Statement, **more: Any) -> Project:
    """Servers with one 400G port (50 GB/s) each on one leaf."""
    items = {"node": group("sheet:node", node=nodes), "leaf": group(SWITCH)}
    links = {"down": Link("node:compute", "leaf:1-64", deal())}
    return fabric(items, links, {"node": one_nic()}, statements=said, **more)


def all_reduce(time_ms: float, payload_gb: float = 20) -> list[Finding]:
    said = (
        claim("allreduce.time_ms", time_ms, "design:main"),
        claim("allreduce.payload_gb", payload_gb, "design:main"),
    )
    return fired(cluster(32, *said), "SED-03")


@fires("SED-03")
def test_sed_03_3_2_ms_for_20_gb_at_50_gbs_per_node() -> None:
    (found,) = all_reduce(3.2)
    assert found.allowed == pytest.approx(775)  # 20 x 2 x 31/32 / 50 = 0.775 s
    assert found.values["moved_mb"] == pytest.approx(82.6, abs=0.1)  # 3.2 ms x 50 GB/s x 32 / 62
    assert places([found]) == ["node"]


@silent("SED-03")
def test_sed_03_775_ms() -> None:
    assert all_reduce(775) == []
    assert all_reduce(3.2, 0.08) == []


def test_sed_03_needs_a_network_and_a_payload() -> None:
    said = (claim("allreduce.time_ms", 0.1, "design:main"),)
    assert fired(cluster(32, *said), "SED-03") == []  # what is reduced is not stated
    both = (*said, claim("allreduce.payload_gb", 20, "design:main"))
    assert fired(server("dgx-h100", {}, statements=both), "SED-03") == []  # one server: NVLink, no node rate


def test_sed_03_times_fall_no_faster_than_the_network_grows() -> None:
    def story(time_ms: float) -> list[Finding]:
        said = (
            claim("allreduce.time_ms", 8.5, "design:before"),
            claim("allreduce.time_ms", time_ms, "design:after"),
        )
        slow = cluster(8)
        sheets = slow.designs["main"].sheets
        half = replace(sheets["fabric"], links=Table({"down": replace(sheets["fabric"].links["down"], speed=200e9)}))
        slow = replace(slow, designs=Table({"main": replace(slow.designs["main"], sheets=sheets.put("fabric", half))}))
        return fired(two_designs(*said, before=slow, after=cluster(8)), "SED-03", "after")

    (found,) = story(3.2)
    assert found.measured == pytest.approx(2.656, abs=0.001)
    assert found.allowed == pytest.approx(2.0)
    assert story(4.25) == []


@fires("SED-04")
def test_sed_04_missing_table() -> None:
    project = server("dgx-h100", {}, statements=(claim("doc.missing", "product matrix", "document:guide"),))
    (found,) = fired(project, "SED-04")
    assert found.severity == "info"
    assert "product matrix is missing in guide" in found.message.english()


@silent("SED-04")
def test_sed_04_without_a_reference() -> None:
    assert fired(server("dgx-h100", {}), "SED-04") == []


def test_several_statements_at_one_place_are_one_finding_that_names_all() -> None:
    said = (claim("doc.missing", "product matrix", "document:a"), claim("doc.missing", "price list", "document:b"))
    (found,) = fired(server("dgx-h100", {}, statements=said), "SED-04")
    assert found.values["statements"] == ["s1", "s2"]
    assert "product matrix" in found.message.english()
    assert "price list" in found.message.english()


def figure(quantity: str, value: object, subject: str, project: Project | None = None) -> list[Finding]:
    base = project or server("dgx-h100", {})
    return fired(replace(base, statements=Table({"s1": claim(quantity, value, subject)})), "SED-05")


@fires("SED-05")
def test_sed_05_96_lanes_of_a_dual_socket_platform() -> None:
    (found,) = figure("host.lanes", 96, "node/cpu0")
    assert (found.measured, found.allowed) == (96, 160)  # 2 x 80
    assert places([found]) == ["node/cpu0"]
    assert found.message.english().startswith("96 lanes stated")  # the row itself names no unit


@silent("SED-05")
def test_sed_05_160_lanes() -> None:
    assert figure("host.lanes", 160, "node/cpu0") == []
    assert figure("host.lanes", "128..192", "node") == []


@pytest.mark.parametrize(
    ("quantity", "right", "wrong", "subject"),
    [
        ("host.lanes_needed", 128, 64, "node"),  # 8 x 16
        ("server.free_slots", 0, 2, "node"),
        ("memory.host_tb", 2, 4, "node"),  # 32 x 64 GB
        ("server.power_w", 10200, 6500, "node"),
        ("gpu.memory_gb", 80, 141, "node/gpu0"),
        ("gpu.memory_gb", 80, 96, "part:h100-sxm5-80gb"),
        ("nic.ports", 2, 1, "node/slota-nic"),
        ("nic.port_gbps", 400, 200, "node/nic0"),
        ("part.power_w", 700, 350, "part:h100-sxm5-80gb"),
    ],
)
def test_sed_05_figures(quantity: str, right: float, wrong: float, subject: str) -> None:
    assert figure(quantity, right, subject) == []
    (found,) = figure(quantity, wrong, subject)
    assert (found.measured, found.allowed) == (wrong, right)


def test_sed_05_ports_of_a_switch() -> None:
    project = fabric({"leaf": group(SWITCH)}, {})
    assert figure("switch.ports", 64, "leaf", project) == []
    assert places(figure("switch.ports", 32, "leaf", project)) == ["leaf"]


def test_sed_05_is_silent_about_what_is_not_known() -> None:
    assert figure("host.lanes", 96, "nowhere") == []
    assert figure("gpu.memory_gb", 80, "part:nothing") == []
    assert figure("host.lanes", "some", "node") == []


def tiers(*said: Statement, spines: int = 4, leafs: int = 2) -> Project:
    items = {
        "node": group("sheet:node", leaf=leafs, node=8),
        "leaf": group("test-switch", leaf=leafs),
        "spine": group("test-switch", spine=spines),
    }
    links = {"down": Link("node:compute", "leaf:1-32", deal("leaf"))}
    if spines:
        links["up"] = Link("leaf:33-64", "spine:1-64", mesh(8), length_m=10)
    else:
        del items["spine"]
    plain = catalogue().get(SWITCH)
    figures = Table({k: v for k, v in plain.figures.items() if k != "latency_ns"})  # 600 ns count then
    part = replace(plain, figures=figures)
    project = fabric(
        {k: replace(v, of=SWITCH) if v.of == "test-switch" else v for k, v in items.items()},
        links,
        {"node": one_nic()},
        statements=said,
    )
    return replace(project, parts=project.parts.put(SWITCH, part))


@fires("SED-06")
def test_sed_06_one_leaf_and_one_spine_for_leaf_spine_leaf() -> None:
    (found,) = fired(tiers(claim("path.switches", 2, "node")), "SED-06")
    assert (found.measured, found.allowed, found.severity) == (2, 3, "error")
    assert found.values["fewest"] == 1
    assert places([found]) == ["node"]


@silent("SED-06")
def test_sed_06_three_switches() -> None:
    assert fired(tiers(claim("path.switches", 3, "node")), "SED-06") == []
    assert fired(tiers(claim("path.switches", 1, "node"), spines=0, leafs=1), "SED-06") == []


def test_sed_06_tiers() -> None:
    assert fired(tiers(claim("network.tiers", 2, "")), "SED-06") == []
    (found,) = fired(tiers(claim("network.tiers", 3, "")), "SED-06")
    assert (found.measured, found.allowed) == (3, 2)


def test_sed_06_leafs_that_nothing_joins_are_no_way() -> None:
    assert fired(tiers(claim("path.switches", 1, "node"), spines=0), "SED-06") == []


@fires("SED-07")
def test_sed_07_1_8_us_over_three_switches() -> None:
    (found,) = fired(tiers(claim("latency.one_way_us", 1.8, "node")), "SED-07")
    assert found.measured == 1.8
    # NICs 2 x 0.6, three switches of 0.6, 2 x 10 m x 5 ns
    assert found.allowed == pytest.approx(1.2 + 1.8 + 0.1, abs=0.01)
    assert found.estimate


@silent("SED-07")
def test_sed_07_1_8_us_below_one_switch() -> None:
    assert fired(tiers(claim("latency.one_way_us", 1.8, "node"), spines=0, leafs=1), "SED-07") == []


def test_scl_01_counts_gpus_servers_and_gpus_of_a_server() -> None:
    def said(quantity: str, value: int, subject: str = "node") -> list[Finding]:
        return fired(server("dgx-h100", {}, count=32, statements=(claim(quantity, value, subject),)), "SCL-01")

    assert said("cluster.servers", 32) == []
    assert [(f.measured, f.allowed) for f in said("cluster.servers", 64)] == [(32, 64)]
    assert said("server.gpus", 8) == []
    assert [(f.measured, f.allowed) for f in said("server.gpus", 16)] == [(8, 16)]
    assert said("cluster.gpus", 256, "") == []


def boxes(target: int) -> list[Finding]:
    """32 servers of 8 GPUs, each with an external box of two more."""
    items = {
        "ext0": card("ext-gpu-box-2"),
        "gpu8": card("h100-pcie-80gb", "ext0:g1"),
        "gpu9": card("h100-pcie-80gb", "ext0:g2"),
    }
    said = (claim("cluster.gpus", target, "design:main", "target"),)
    return fired(server("dgx-h100", items, count=32, statements=said), "SCL-01")


@fires("SCL-01")
def test_scl_01_256_and_64_of_512() -> None:
    (found,) = boxes(512)
    assert (found.measured, found.allowed) == (320, 512)  # 32 x 8 + 64


@silent("SCL-01")
def test_scl_01_target_320() -> None:
    assert boxes(320) == []


def test_scl_01_adds_servers_where_nothing_hangs_on_their_number() -> None:
    def wanted(kind: str, value: int, quantity: str = "cluster.gpus", **more: Any) -> Project:
        return server("dgx-h100", {}, count=4, statements=(claim(quantity, value, "node", kind),), **more)

    project = wanted("requirement", 64)
    (found,) = fired(project, "SCL-01")
    (call,) = found.fix
    assert (call.name, call.args["count"]) == ("set_count", 8)
    assert fired(apply(project, EDITS[call.name](project, **call.args)), "SCL-01") == []
    assert fired(wanted("target", 9, "cluster.servers"), "SCL-01")[0].fix != ()
    assert fired(wanted("requirement", 63), "SCL-01")[0].fix == ()  # no whole server
    assert fired(wanted("claim", 64), "SCL-01")[0].fix == ()  # a claim is corrected, not built
    cabled = cluster(32, claim("cluster.servers", 40, "node", "requirement"))
    assert fired(cabled, "SCL-01")[0].fix == ()


def mixed(*models: str) -> list[Finding]:
    gpus = {f"gpu{n}": card(model, f"chassis:g{n + 1}") for n, model in enumerate(models)}
    return fired(server("pcie-4dw-one-socket", gpus, count=4), "GPU-03")


@fires("GPU-03")
def test_gpu_03_sxm_and_pcie_in_one_job() -> None:
    items = {"ext0": card("ext-gpu-box-2"), "gpu8": card("h100-pcie-80gb", "ext0:g1")}
    (found,) = fired(server("dgx-h100", items, count=4), "GPU-03")
    assert (found.measured, found.allowed) == (756, 989)
    assert places([found]) == ["node/gpu8"]
    assert str(found.members) == "0-3"


@silent("GPU-03")
def test_gpu_03_all_sxm() -> None:
    assert fired(server("dgx-h100", {}, count=4), "GPU-03") == []
    assert mixed("h100-pcie-80gb", "h100-pcie-80gb") == []
    assert len(mixed("h100-pcie-80gb", "h100-pcie-80gb", "l40s")) == 1


def test_gpu_03_groups_that_are_no_ranks_are_another_job() -> None:
    sheets = {"node": Sheet("server", chassis="dgx-h100"), "old": Sheet("server", chassis="dgx-a100")}
    project = fabric({"node": group("sheet:node", node=2), "old": group("sheet:old", node=2)}, {}, sheets)
    assert len(fired(project, "GPU-03")) == 1
    ranked = replace(project.designs["main"], ranks=("node",))
    assert fired(replace(project, designs=Table({"main": ranked})), "GPU-03") == []


def nics(stated: str, chassis: str = "dgx-h100", quantity: str = "server.nic_set") -> list[Finding]:
    return fired(server(chassis, {}, count=4, statements=(claim(quantity, stated, "node"),)), "SRV-02")


@fires("SRV-02")
def test_srv_02_dgx_h100_with_2x100g() -> None:
    (found,) = nics("2x100G")
    assert found.values["built_in"] == "8x400G"
    assert (found.measured, found.allowed) == (200, 3200)
    assert nics("4x400") != []


@silent("SRV-02")
def test_srv_02_as_built() -> None:
    assert nics("8x400G") == []
    assert nics("8x400G + 4x200G") == []  # the two dual-port cards, in whatever mode
    assert nics("4x400", "generic-2s-4u8g") == []  # nothing is built in


@pytest.mark.parametrize("stated", ["4x400", "8x400", "4x800", "8x800"])
def test_srv_02_systems_that_are_built_in_several_ways(stated: str) -> None:
    assert nics(stated, "gb200-compute-tray") == []


def test_srv_02_cards_that_run_as_two_ports() -> None:
    """Eight 800G cards of a DGX B300 are sixteen ports of 400G, one for each plane."""
    assert nics("8x800G", "dgx-b300") == [] and nics("16x400", "dgx-b300") == []
    assert nics("8x400", "dgx-b300") != []
    for count in (8, 16):
        said = (claim("nic.ports", count, "node"),)
        assert fired(server("dgx-b300", {}, statements=said), "SRV-02") == []


def test_srv_02_port_counts() -> None:
    said = (claim("nic.ports", 4, "node"),)
    assert len(fired(server("dgx-h100", {}, statements=said), "SRV-02")) == 1
    assert fired(server("dgx-h100", {}, statements=(claim("nic.ports", 8, "node"),)), "SRV-02") == []


def test_words_for_sets_of_nics() -> None:
    assert parse_nic_set("8x400 + 2 x 100Gb/s") == {400: 8, 100: 2}
    assert parse_nic_set("8×400G") == {400: 8}
    assert parse_nic_set("fast") == {}


def dual(quantity: str, value: float, subject: str = "node/nic0") -> Project:
    items = {"nic0": card(DUAL_200, "chassis:s1")}
    return server(board({"s1": slot("cpu0:p1")}), items, statements=(claim(quantity, value, subject),))


@fires("NIC-02")
def test_nic_02_800_for_two_ports_of_200() -> None:
    (found,) = fired(dual("nic.aggregate_gbps", 800), "NIC-02")
    assert (found.measured, found.allowed) == (800, 400)


@silent("NIC-02")
def test_nic_02_400() -> None:
    assert fired(dual("nic.aggregate_gbps", 400), "NIC-02") == []


@fires("NIC-03")
def test_nic_03_400g_port_for_a_200g_port_in_a_qsfp112_cage() -> None:
    (found,) = fired(dual("nic.port_gbps", 400), "NIC-03")
    assert (found.measured, found.allowed) == (400, 200)
    assert found.values["cage"] == "QSFP112"
    assert len(fired(dual("nic.aggregate_gbps", 800), "NIC-03")) == 1
    assert len(fired(dual("nic.aggregate_gbps", 800, f"part:{DUAL_200}"), "NIC-03")) == 1


@silent("NIC-03")
def test_nic_03_without_such_a_statement() -> None:
    assert fired(dual("nic.port_gbps", 200), "NIC-03") == []
    assert fired(dual("nic.aggregate_gbps", 1600), "NIC-03") == []  # beyond the cage, too: NIC-02
    assert fired(server("dgx-h100", {}), "NIC-03") == []


def test_hgx_figures_of_one_direction_raise_no_doubt() -> None:
    """900 GB/s is both directions of NVLink; 783 measured is no contradiction that these rules see."""
    said = (claim("allreduce.time_ms", 5.5, ""), claim("allreduce.payload_gb", 1, ""))
    found = everything(server("dgx-h100", {}, statements=said))
    assert not [f for f in found if f.rule.startswith("SED")]


def test_statements_of_an_unknown_subject_are_silent() -> None:
    said = tuple(claim(q, v, "ghost/nic9") for q, v in (("nic.aggregate_gbps", 1), ("path.switches", 9)))
    assert [f for f in everything(server("dgx-h100", {}, statements=said)) if f.rule[:3] in ("SED", "NIC")] == []
