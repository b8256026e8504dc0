"""Drawings at the edge of what can be drawn: empty ones, half known ones, and words in unusual forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.values import Design, Item, Link, Project, Seating, Sheet
from fabricwright.topology import cable_choice, port_choice
from fabricwright.topology.alike import single_failures
from fabricwright.topology.buffers import buffer_bytes
from fabricwright.topology.cable_choice import CableShelf
from fabricwright.topology.classes import level
from fabricwright.topology.cluster import compile_cluster
from fabricwright.topology.interior import compile_interior
from fabricwright.topology.model import NcclClass
from fabricwright.topology.nvlinks import NvDomains, nvlink_generation
from fabricwright.topology.optic_fit import optic_fits, talks
from fabricwright.topology.point import point_to_point
from fabricwright.topology.racks import figures_of_part, rack_loads
from fabricwright.topology.reach import rank_parts, rank_words, server_parts
from fabricwright.topology.routes import example_route
from fabricwright.topology.seating import places_of
from fabricwright.topology.server_graph import cpu_vendor
from fabricwright.topology.server_power import capacity
from fabricwright.topology.spread import distinct
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.topology.samples import deal, fabric, interior, mesh, rail_fabric, server


def part(part_id: str, **figures: object):
    """A shipped part with some figures taken away (None) or put in the place of its own."""
    found = catalogue().get(part_id)
    own = dict(found.figures)
    for name, value in figures.items():
        figure = own.pop(name, next(iter(found.figures.values())))
        if value is not None:
            own[name] = replace(figure, value=value)
    return replace(found, figures=Table(own))


def _eff(project: Project, sheet: str = "node") -> EffSheet:
    return effective(project, project.designs["main"], sheet)


def sheet_only(**rows: Item) -> Project:
    return fabric(dict(rows), {})


# -- nothing there


def test_an_empty_design_has_nothing_that_fails() -> None:
    project = Project("", designs=Table({"main": Design("", "fabric", (), Table({"fabric": Sheet("fabric")}))}))
    assert single_failures(compile_cluster(project, "main"), "compute") == []


def test_switches_without_servers_fail_alone() -> None:
    items = {"leaf": Item("qm9700", (("leaf", 2),)), "spine": Item("qm9700")}
    project = fabric(items, {"up": Link("leaf:1/1", "spine:1-2/1", mesh(1), "ib")})
    found = single_failures(compile_cluster(project, "main"), "compute")
    # a switch that no server hangs on is of no tier; its two cables are alike
    assert [(row.kind, row.count) for row in found] == [("link", 2)]


def test_what_nobody_knows_counts_as_not_known() -> None:
    assert buffer_bytes(None) == (0.0, True)
    assert nvlink_generation(None) == 0
    assert cpu_vendor(None) == ""
    assert all(row.value in (None, 0, 0.0) for row in figures_of_part(None).values())
    assert rack_loads(Project(""), Design(), _eff(server("dgx-h100")), {}) == {}


def test_places_of_things_that_are_gone() -> None:
    project = sheet_only(rack=Item("rack-48u-60kw"), leaf=Item("qm9700"))
    design = project.designs["main"]
    seats = Table({"leaf": Seating("rack", u=40), "gone": Seating("rack", u=1)})
    with_seats = replace(design, sheets=design.sheets.put("fabric", replace(design.sheets["fabric"], seats=seats)))
    assert set(places_of(project, with_seats, effective(project, with_seats, "fabric"))) == {"leaf"}
    other = replace(design, sheets=design.sheets.drop("fabric"))
    assert places_of(project, other, effective(project, design, "fabric")) == {}


# -- words and numbers in another form


def test_old_numbers_of_levels() -> None:
    """NCCL's integers: 0 LOC, 1 PIX, 2 PXB, 3 PHB, 4 and more SYS."""
    assert [level(n, NcclClass.PXB) for n in (-1, 0, 1, 2, 3, 4, 5, 9)] == [
        *(NcclClass.LOC, NcclClass.LOC, NcclClass.PIX, NcclClass.PXB, NcclClass.PHB),
        *(NcclClass.SYS, NcclClass.SYS, NcclClass.SYS),
    ]
    assert level("sys", NcclClass.PXB) == NcclClass.SYS and level(True, NcclClass.PXB) == NcclClass.PXB


def test_generation_of_nvlink_from_its_words() -> None:
    assert nvlink_generation(part("h100-sxm5-80gb", nvlink_gen=None, gpu_link="NVLink 4, 18 links")) == 4
    assert nvlink_generation(part("h100-sxm5-80gb", nvlink_gen=5)) == 5


def test_a_transceiver_whose_cages_are_not_listed_fits_by_its_form() -> None:
    optic = part("optic-400g-dr4", fits_cages=None, form="QSFP112")
    assert optic_fits(optic, "QSFP112") and not optic_fits(optic, "SFP28")
    assert optic_fits(optic, "") and optic_fits(part("optic-400g-dr4", fits_cages=None, form=None), "OSFP")


def test_transceivers_that_name_each_other_talk() -> None:
    a, b = part("optic-400g-dr4", talks_to=("the far one, 2 x XY-9",)), part("optic-400g-dr4")
    assert talks(a, b, {id(b): "XY-9"}) and talks(b, a, {id(b): "XY-9"})
    assert not talks(a, b, {id(b): "XY-99"}) and not talks(a, b, {})


def test_redundancy_of_supplies() -> None:
    """Six of 3,300 W: N+1 carries five, N+N three; FTR counts all six and keeps three for the fault."""
    said = {"psu_count": 6, "psu_w": 3300, "psu_redundancy": None, "psu_mode": None}
    six = part("dgx-h100", **said)
    assert capacity(six, {"psu_mode": "N+1"}).usable_w == 5 * 3300
    assert capacity(six, {"psu_mode": "N+N"}).usable_w == 3 * 3300
    kept = capacity(part("dgx-h100", **{**said, "psu_redundancy": "3+3"}), {"psu_mode": "FTR"})
    assert (kept.usable_w, kept.kept_w, kept.fault_tolerant) == (6 * 3300, 3 * 3300, True)


def test_distinct_keys_of_a_sparse_space() -> None:
    found, place = distinct(np.array([900_000, 3, 900_000]), 1_000_000)
    assert found.tolist() == [3, 900_000] and place.tolist() == [1, 0, 1]


def test_offers_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cable_choice, "MOST_KEPT", 2)
    kept: dict[object, object] = {1: "a", 2: "b"}
    CableShelf._keep(kept, 3, "c")
    assert kept == {3: "c"}


# -- addresses


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("leaf[0]", "node[0]/gpu0", "does not name one server"),
        ("node[0]/nope", "node[1]/gpu0", "is not a GPU, a NIC or a network port"),
        ("node[0]/gpu3", "node[0]/gpu3", "are the same GPU"),
        ("node[0]/nic0", "node[0]/nic1", "are NICs of one server"),
    ],
)
def test_ends_that_name_nothing(source: str, target: str, said: str) -> None:
    cluster = compile_cluster(rail_fabric(1, 4, 1, 1), "main")
    with pytest.raises(UserError, match=said):
        point_to_point(cluster, source, target)


def test_a_server_is_named_by_its_coordinates() -> None:
    """Two units of four: su=1, node=2 is the seventh server."""
    cluster = compile_cluster(rail_fabric(2, 4, 1, 1), "main")
    by_name = point_to_point(cluster, "node[su=1,node=2]/gpu0", "node[0]/gpu0")
    assert by_name == point_to_point(cluster, "node[6]/gpu0", "node[0]/gpu0")


def test_a_nic_to_a_gpu_of_its_server() -> None:
    cluster = compile_cluster(rail_fabric(1, 4, 1, 1), "main")
    back, forth = (
        point_to_point(cluster, a, b) for a, b in (("node[0]/nic0", "node[0]/gpu0"), ("node[0]/gpu0", "node[0]/nic0"))
    )
    assert back.bandwidth == forth.bandwidth > 0


def test_a_server_without_a_gpu_is_no_end() -> None:
    cluster = compile_cluster(server("pcie-4dw-one-socket"), "main")
    with pytest.raises(UserError, match="has no GPU; name a NIC"):
        point_to_point(cluster, "node", "node/nic0")


def test_ranks_of_a_server_sheet() -> None:
    project = server("dgx-h100")
    some = compile_cluster(project, "main", ranks=["gpu3", "gpu1"])
    assert some.rank_gpu.tolist() == [3, 1] and some.rank_server.tolist() == [0, 0]
    with pytest.raises(UserError, match="is not a GPU of this server"):
        compile_cluster(project, "main", ranks=["nic0"])
    with pytest.raises(UserError, match="has a rank already"):
        compile_cluster(project, "main", ranks=["gpu3", "gpu3"])


def test_failures_of_a_server_sheet() -> None:
    project = server("dgx-h100")
    assert compile_cluster(project, "main", failed=["gpu3"]).n_ranks == 7
    with pytest.raises(UserError, match="cannot be failed here"):
        compile_cluster(project, "main", failed=["nic0"])


def test_an_absent_server_gets_no_rank() -> None:
    cluster = compile_cluster(rail_fabric(1, 4, 1, 1, absent="2"), "main", ranks=["node[0-3]/gpu0"])
    assert cluster.rank_server.tolist() == [0, 1, 2] and cluster.n_ranks == 3


def test_no_route_from_what_is_no_switch() -> None:
    compiled = compile_cluster(rail_fabric(1, 4, 1, 1), "main").fabric
    assert example_route(compiled, "compute", 0, compiled.offset["spine"]) is None


# -- parts of a network


def test_servers_cabled_to_each_other_are_one_part() -> None:
    """Two pairs back to back: parts of two; nobody else to reach."""
    items = {name: Item("sheet:node") for name in ("a", "b", "c", "d")}
    links = {
        "ab": Link("a:compute", "b:compute", deal("port"), "ib"),
        "cd": Link("c:compute", "d:compute", deal("port"), "ib"),
    }
    export = rail_fabric(1, 1, 1, 1).parts["dgx-h100"].interior.exports["compute"]  # type: ignore[union-attr]
    items = {name: Item("sheet:node") for name in ("a", "b", "c", "d")}
    project = fabric({**items, "node": Item("sheet:node")}, links, export=export)
    cluster = compile_cluster(project, "main")
    parts = server_parts(cluster, "compute", np.arange(len(cluster.server_dev)))
    names = [cluster.server_address(n) for n in range(len(parts))]
    of = dict(zip(names, parts.tolist(), strict=True))
    assert of["a"] == of["b"] and of["c"] == of["d"] and len({of["a"], of["c"], of["node"]}) == 3
    assert len(set(rank_parts(cluster, "compute").tolist())) == 3


def test_many_servers_are_counted_in_words() -> None:
    cluster = compile_cluster(rail_fabric(1, 16, 1, 1), "main")
    said = rank_words(cluster, np.arange(128)).english()
    assert said.startswith("ranks 0-127 (node[0]") and "more)" in said


# -- inside a server


def test_a_gpu_that_reaches_its_peer_over_a_third() -> None:
    line = NvDomains(domain={"a": 0, "b": 0, "c": 0}, switched={0: False})
    line.direct = {("a", "c"): ("l0", 4, 1.0, 1.0), ("b", "c"): ("l1", 4, 1.0, 1.0)}
    assert line.third("a", "b") == "c" and line.path("a", "b") == ("third", 1)
    del line.direct["b", "c"]
    assert line.third("a", "b") == "" and line.path("a", "b") is None


def test_two_bridges_between_the_same_cards_add_up() -> None:
    """Twice 12 NVLink 4 links drawn: rates and links of both count."""
    gpus = {f"gpu{i}": Item("h100-pcie-80gb", seat=f"chassis:g{i + 1}") for i in range(2)}
    one = {"na": Link("gpu0:nv", "gpu1:nv", medium="nvlink")}
    two = {**one, "nb": Link("gpu0:nv", "gpu1:nv", medium="nvlink")}
    (single, double) = (interior(server("pcie-4dw-one-socket", gpus, links)) for links in (one, two))
    assert double.gpu_gpu.smi[0][1] == "NV24" and single.gpu_gpu.smi[0][1] == "NV12"


def test_lanes_of_a_processor_as_the_data_sheet_gives_them() -> None:
    project = server("cabled-4u8g")
    shown = compile_interior(_eff(project), {}).lanes["cpu0"]
    assert shown.available >= shown.wired > 0
    assert port_choice.used_ports(_eff(project), "cpu0") == set()
