"""What is seldom drawn, rule by rule: absent groups, spurs, parts without a figure, cards that nobody knows."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any, cast

import numpy as np
import pytest

from fabricwright.catalog.parts import BuiltinLink
from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Export, Item, Link, Override, Project, RackPlace, Seating, Sheet
from fabricwright.rules import (
    cxl_claims,
    fabric_rails,
    nic_port_mode,
    optics,
    power_modules,
    racks,
    retimer_cables,
    retimer_fixes,
    signal_fixes,
    uplinks,
)
from fabricwright.rules.claims_parts import _free_slots, _lanes, _lanes_needed
from fabricwright.rules.optics_light import _parallel, fitting_partner
from fabricwright.rules.verdict import JUDGES
from fabricwright.topology.signal_loss import Element
from fabricwright.units.table import Table
from tests.rules.drawing import (
    board,
    card,
    claim,
    context,
    cpu,
    deal,
    fabric,
    fired,
    group,
    mesh,
    one_nic,
    places,
    root_port,
    server,
    slot,
    switch_chip,
)
from tests.rules.networks import SWITCH, leaf_spine, mended, pair, rails
from tests.rules.test_claims import cluster, two_designs
from tests.rules.test_fabric_single_points import redundant
from tests.rules.test_lossless import NIC, pod, switches
from tests.rules.test_uplinks_shared import nics_below

NOTHING = cast(Any, None)
"""What a function takes and does not look at."""


def with_item(project: Project, item: str, **fields: Any) -> Project:
    """The project with fields of an item of its fabric sheet changed."""
    design = project.designs["main"]
    sheet = design.sheets["fabric"]
    sheet = replace(sheet, items=sheet.items.put(item, replace(sheet.items[item], **fields)))
    return replace(project, designs=Table({"main": replace(design, sheets=design.sheets.put("fabric", sheet))}))


# -- claims


def test_lanes_of_a_server_without_processor_or_gpu_are_not_known() -> None:
    empty = cast(Any, Made(variant=Made(eff=Made(items={}))))
    assert _lanes(NOTHING, empty) is None and _lanes_needed(NOTHING, empty) is None


def test_times_are_not_compared_with_a_design_without_nics() -> None:
    """775 ms for 20 GB on 32 nodes of 50 GB/s is right; the design before has no NIC that 1 s could be held against."""
    said = (
        claim("allreduce.time_ms", 100_000.0, "design:before"),
        claim("allreduce.time_ms", 775.0, "design:after"),
        claim("allreduce.payload_gb", 20, "design:after"),
    )
    assert fired(two_designs(*said, after=cluster(32)), "SED-03", "after") == []
    assert len(fired(two_designs(*said, before=cluster(32), after=cluster(32)), "SED-03", "after")) == 1


def test_pooling_is_not_judged_for_a_processor_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    def judged(processor: object, word: str) -> int:
        monkeypatch.setattr(cxl_claims, "cxl_version", lambda *_of: word)
        project = server(board({"s1": slot("cpu0:p1")}), {}, statements=(claim("cxl.pooling", True, "node/cpu0"),))
        drawn = context(project)
        eff = drawn.variants()[0].eff
        row = replace(eff.items["cpu0"], part=processor)
        (about,) = [replace(v, eff=replace(eff, items={**eff.items, "cpu0": row})) for v in drawn.variants()]
        place = Made(variant=about, item="cpu0", members=about.members)
        monkeypatch.setattr(cxl_claims, "meant", lambda *_of: [place])
        monkeypatch.setattr(cxl_claims, "_guessed", lambda *_of: True)
        return len(list(JUDGES["CXL-02"](drawn)))

    assert judged(None, "") == 0
    assert judged(None, "2.0") == judged(catalogue().get("xeon-spr"), "") == 1


# -- fabrics


def test_a_group_that_is_absent_reaches_nothing() -> None:
    project = leaf_spine(4, 4, 2)
    gone = Table({"0-3": Override(absent=True)})
    assert fired(with_item(project, "node", except_=gone), "FAB-20") == []


def test_a_single_cable_to_a_spur_cuts_no_server_off() -> None:
    """A monitoring switch on one leaf port: its cable is a bridge, and behind it is no server."""
    project = redundant()
    design = project.designs["main"]
    sheet = design.sheets["fabric"]
    sheet = replace(
        sheet,
        items=sheet.items.put("spur", group(SWITCH)),
        links=sheet.links.put("tap", Link("spur:1", "leaf:32", deal())),
    )
    drawn = replace(project, designs=Table({"main": replace(design, sheets=design.sheets.put("fabric", sheet))}))
    assert fired(drawn, "FAB-22") == []


def test_one_spine_in_a_rack_dealt_to_or_below_a_core_is_not_doubled() -> None:
    meshed = leaf_spine(16, 16, 1, leafs=2, uplink_wire=mesh(16))
    dealt = leaf_spine(16, 16, 1, leafs=2, uplink_wire=deal())
    (whole,), (other,) = fired(meshed, "FAB-11"), fired(dealt, "FAB-11")
    assert whole.fix and other.fix == ()
    design = meshed.designs["main"]
    sheet = design.sheets["fabric"]
    sheet = replace(
        sheet,
        items=sheet.items.put("rack", group("rack-48u-40kw")),
        seats=Table({"spine": Seating((RackPlace("rack", 1),))}),
    )
    seated = replace(meshed, designs=Table({"main": replace(design, sheets=design.sheets.put("fabric", sheet))}))
    assert [f.fix for f in fired(seated, "FAB-11")] == [()]
    sheet = replace(
        design.sheets["fabric"],
        items=design.sheets["fabric"].items.put("core", group(SWITCH)),
        links=design.sheets["fabric"].links.put("top", Link("spine:33-34", "core:1-2", mesh(2))),
    )
    topped = replace(meshed, designs=Table({"main": replace(design, sheets=design.sheets.put("fabric", sheet))}))
    assert [f.fix for f in fired(topped, "FAB-11")] == [()]


# -- lossless networks


def test_pfc_that_is_off_at_a_switch_is_turned_on_there() -> None:
    project = with_item(pod(pfc="on"), "leaf", config=Table({"pfc": "off"}))
    (found,) = fired(project, "LSL-02")
    assert found.values["ends"] == ["leaf"]
    after = mended(project, found)
    assert after.designs["main"].sheets["fabric"].items["leaf"].config["pfc"] == "on"
    assert fired(after, "LSL-02") == []


def test_switches_that_pause_in_different_priorities() -> None:
    project = switches(5, pfc_priorities="3")
    project = with_item(
        project,
        "b",
        config=Table({**project.designs["main"].sheets["fabric"].items["b"].config, "pfc.priorities": "4"}),
    )
    (found,) = fired(project, "LSL-07")
    assert found.values == {"a": [3], "b": [4]} and places([found]) == ["up"]


def test_only_nics_that_pause_are_asked_whether_they_are_fast_enough() -> None:
    """Both NICs stand in Gen4 slots (222 Gb/s for 400); the InfiniBand one does not pause Ethernet."""
    node = Sheet(
        "server",
        chassis="pcie-4dw-one-socket",
        items=Table(
            {
                "nic0": card(NIC, "chassis:n1"),
                "nic1": card("mcx75310aas-neat", "chassis:n2"),
                "chassis": Item(None, config=Table({"slot.n1.gen": 4, "slot.n2.gen": 4})),
            }
        ),
        exports=Table({"compute": Export(("nic0:1",)), "storage": Export(("nic1:1",))}),
    )
    items = {"node": group("sheet:node", node=2), "eth": group("generic-64x400"), "ib": group("qm9700")}
    links = {
        "e": Link("node:compute", "eth:1-2", deal(), "eth"),
        "i": Link("node:storage", "ib:1/1-2", deal(), "ib", "storage"),
    }
    found = fired(fabric(items, links, {"node": node}, settings={"pfc": "on"}), "LSL-09")
    assert places(found) == ["node/nic0"]


# -- servers


def test_a_card_of_a_kind_that_the_server_has_no_slot_for() -> None:
    ocp = next(i for i in catalogue().kinds()["nic"] if catalogue().get(i).word("form") == "ocp3")
    (found,) = fired(server(board({"s1": slot("cpu0:p1")}), {"nic0": card(ocp)}), "MEC-01")
    assert "finds no slot of its kind in this server" in found.message.english()
    assert (found.measured, found.allowed) == (1, 0)


def test_nics_below_two_bridges_are_told_once() -> None:
    """Two of 200 Gb/s below a bridge below a switch, each link x16 Gen4 (221 Gb/s): the nearer one is named."""
    assert places(fired(nics_below(4), "LAN-14"))[0] == "node/br0" and len(fired(nics_below(4), "LAN-14")) == 1


def test_only_cabled_ports_come_through_a_shared_link() -> None:
    """With a cable on one of two NICs only 200 of 221 Gb/s arrive; with both, 400."""

    def cabled(*ports: str) -> Project:
        drawn = nics_below(4)
        design = drawn.designs["main"]
        axes = (("port", len(ports)),) if len(ports) > 1 else ()
        node = replace(design.sheets["node"], exports=Table({"compute": Export(ports, axes)}))
        sheet = design.sheets["fabric"]
        sheet = replace(
            sheet,
            items=sheet.items.put("leaf", group(SWITCH)),
            links=Table({"down": Link("node:compute", f"leaf:1-{len(ports)}" if axes else "leaf:1", deal())}),
        )
        sheets = Table({"fabric": sheet, "node": node})
        parts = Table({**drawn.parts, SWITCH: catalogue().get(SWITCH)})
        return replace(drawn, parts=parts, designs=Table({"main": replace(design, sheets=sheets)}))

    assert fired(cabled("nic0:1"), "LAN-14") == []
    assert [f.measured for f in fired(cabled("nic0:1", "nic1:1"), "LAN-14")] == [400]


# -- cables and light


def test_active_cables_without_a_stated_reach_are_not_judged_as_copper() -> None:
    part = catalogue().get("mcp7y00-800g-2x400-osfp")
    figures = {k: v for k, v in part.figures.items() if k != "max_m"}
    figures["cable_kind"] = replace(part.figures["cable_kind"], value="AEC")
    project = pair("mcp7y00-800g-2x400-osfp", 9.0)
    active = replace(part, figures=Table(figures))
    assert fired(replace(project, parts=project.parts.put("mcp7y00-800g-2x400-osfp", active)), "OPT-12") == []


def test_no_partner_is_sought_for_an_end_without_transceiver() -> None:
    bare = Made(optic=None, sockets=())
    assert fitting_partner(NOTHING, cast(Any, Made(a=bare, b=bare))) == ()


def test_no_module_fits_a_cage_that_nobody_knows() -> None:
    end = Made(optic=None, sockets=(Made(type="no such cage"),))
    ends = cast(Any, Made(both=(end, end), cable=None))
    assert _parallel(NOTHING, ends, 0, cast(Any, end), "2x200") == ()


# -- fixes that are not offered


def test_a_device_that_stands_in_no_slot_cannot_be_moved_nearer() -> None:
    view = cast(Any, Made(tree=Made(items={"gpu0": Made(seat="")})))
    path, segment = cast(Any, Made(device="gpu0")), cast(Any, Made(lower="gpu0"))
    variant = cast(Any, Made(eff=Made(slots={})))
    assert signal_fixes._nearer_slot(NOTHING, variant, view, path, segment, 30.0) == ()


def test_a_retimer_goes_into_links_of_sixteen_lanes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal_fixes, "link_sheet", lambda *_of: "node")
    cable = catalogue().get("mcio-2x8i")
    path = cast(Any, Made(lanes=8, retimers=()))
    row = cast(Any, Made(name="c"))
    variant = cast(Any, Made(sheet="node"))
    assert signal_fixes._retimer(NOTHING, variant, NOTHING, path, NOTHING, row, NOTHING, cable, 30.0) == ()


def test_another_cable_that_loses_less_at_the_same_length() -> None:
    """A poor cable of 20 dB a metre; the catalogue's has 7, 1.5 + 7 x 0.75 = 6.75 dB at 0.75 m."""
    good = catalogue().get("mcio-2x8i")
    figures = good.figures.put("db_per_m", replace(good.figures["db_per_m"], value=20))
    poor = replace(good, figures=figures.put("orderable_m", replace(good.figures["orderable_m"], value=(0.75,))))
    element = Element("cable", "c", 16.5, length_m=0.75)
    found = signal_fixes._other_cable(poor, element, 5, 7.0)
    assert found == {"cable": "mcio-2x8i", "length_m": 0.75}
    assert signal_fixes._other_cable(poor, element, 5, 6.0) == {}


def test_a_retimer_stays_where_the_joined_link_would_lose_too_much() -> None:
    """Two segments of 20 dB do not fit 36 dB without the retimer between them, two of 15 do."""

    def fix(loss_db: float) -> tuple[Any, ...]:
        segment = Made(elements=(Element("cable", "c", loss_db),), known=True, budget_db=36.0)
        path = Made(retimers=("rt0",), segments=(segment, segment), gen=5)
        links = {"c0": Link("sw0:d1", "rt0:up"), "c1": Link("rt0:d1", "chassis:bay1")}
        item = Made(locked=False, seat="")
        variant = cast(Any, Made(sheet="node", eff=Made(items={"rt0": item}, links=links)))
        view = cast(Any, Made(tree=Made(signal={"gpu0": path})))
        asked = cast(Any, Made(owner_sheet=lambda *_of: "node", edit=lambda name, *_of, **_args: name))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(retimer_fixes, "link_sheet", lambda *_of: "node")
            return retimer_fixes.without_one(asked, variant, view, "gpu0")

    assert fix(20.0) == () and fix(15.0) == ("set_link", "remove")


def test_a_cable_that_nobody_knows_gets_no_shorter() -> None:
    variant = cast(Any, Made(eff=Made(links={"c": Made(cable="unheard-of")})))
    assert retimer_cables._shorter(NOTHING, variant, cast(Any, Made(parts={})), ["c"]) == ()


def test_an_adapter_is_drawn_only_where_card_and_cable_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retimer_cables, "link_sheet", lambda *_of: "node")
    asked = cast(Any, Made(owner_sheet=lambda *_of: "block"))
    variant, item = cast(Any, Made(sheet="node")), cast(Any, Made(id="rt0"))
    assert retimer_cables._adapter(asked, variant, "c", NOTHING, "rt0:up", item) == ()


def test_an_edge_card_drawn_on_a_port_without_connector_is_not_on_a_cable() -> None:
    chassis = board({"s1": slot("cpu0:p1")}, {"cpu0": cpu({"p1": root_port(), "p2": root_port()})})
    link = Link("cpu0:p2", "rt0:up", medium="pcie")
    assert fired(server(chassis, {"rt0": card("lrsv9560-2e", mode="1x16")}, {"c": link}), "RET-05") == []


def test_no_transceiver_is_offered_where_a_named_cable_serves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optics, "_serving", lambda *_of: "a cable")
    monkeypatch.setattr(optics, "_serves", lambda *_of: False)
    asked = cast(Any, Made(design=Made(root="fabric")))
    assert optics._other(asked, NOTHING, cast(Any, Made(optic=False))) == ()


# -- figures that nobody states


def test_slots_of_a_chassis_without_any() -> None:
    assert _free_slots(NOTHING, cast(Any, Made(variant=Made(eff=Made(slots={}))))) is None


def test_a_usual_mode_that_is_none_is_not_held_against_an_uncabled_card() -> None:
    part = catalogue().get("mcx75310aas-neat")
    odd = replace(part, default_mode="9x900")
    items = {"nic0": card("odd", "chassis:n1")}
    assert fired(server("pcie-4dw-one-socket", items, parts={"odd": odd}), "NIC-09") == []


def test_links_that_are_not_wired_say_nothing_of_modes_and_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = context(leaf_spine(4, 4, 2))
    bare = cast(Any, Made(root=drawn.root, bundles=dict))
    assert nic_port_mode._cabled_with(bare, cast(Any, Made(item="node")), "nic0") == ""
    assert nic_port_mode._cabled_with(drawn, cast(Any, Made(item="node")), "nic0") == "eth"
    monkeypatch.setattr(power_modules, "_limits", lambda *_of: True)
    unlaid = cast(Any, Made(root=drawn.root, bundles=drawn.bundles, cables=dict))
    assert list(power_modules.pwr_07(unlaid)) == []


def test_the_plug_of_an_unknown_cable_draws_nothing() -> None:
    asked = cast(Any, Made(project=Project("")))
    laid, end = cast(Any, Made(parts=("unheard-of",), trunk="")), cast(Any, Made(cages=[Made(type="OSFP")], side="a"))
    assert power_modules._plug_watts(asked, laid, end).tolist() == [[0.0], [0.0]]


def test_racks_of_things_without_power_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = Made(total={"power_w": np.zeros(2)}, used=np.array([True, False]))
    monkeypatch.setattr(racks, "loads_of", lambda _context: [loads])
    assert list(racks.pwr_10(NOTHING)) == []


# -- switches inside servers


def test_a_switch_that_hangs_on_nothing_has_no_uplink_to_cross_twice() -> None:
    items = {"cpu0": cpu({"p1": root_port()}), "sw0": switch_chip(2)}
    seats = {"g1": slot("sw0:d1", max_width=2), "n1": slot("sw0:d2")}
    cards = {"gpu0": card("h100-pcie-80gb", "chassis:g1"), "nic0": card(NIC, "chassis:n1")}
    loose = server(board(seats, items), cards, settings={"gdr": "off"})
    assert fired(loose, "P2P-15") == []
    joined = board(seats, items, {"b1": BuiltinLink("cpu0:p1", "sw0:up", "pcie", 16, 5)})
    assert places(fired(server(joined, cards, settings={"gdr": "off"}), "P2P-15")) == ["node/sw0"]


def test_nics_and_gpus_together_may_ask_for_twice_the_uplink(monkeypatch: pytest.MonkeyPatch) -> None:
    """The GPU brings as much as the uplink carries, its NIC 1.5 times that: 2.5 with both, while a GPU elsewhere has
    no NIC of its own.
    """
    brings = {"gpu0": 1.0, "nic0": 1.5}
    monkeypatch.setattr(uplinks, "_must_cross", lambda *_of: True)
    monkeypatch.setattr(uplinks, "arriving", lambda _view, _switch, devices: sum(brings[d] for d in devices))
    below = cast(Any, Made(switch="sw0", gpus=["gpu0"], nics=["nic0"], drives=[], gpus_elsewhere=["gpu1"]))
    above = {"gpu1": ["sw1", "cpu0"], "nic0": ["sw0", "cpu0"], "nic1": ["sw1", "cpu0"]}

    def verdict(*nics: str) -> Any:
        items = {name: Made(kind="nic") for name in nics}
        tree = Made(levels=lambda node: int(node.startswith("sw")))
        view = cast(Any, Made(above=above.__getitem__, tree=tree, eff=Made(items=items)))
        variant = cast(Any, Made(members=[0, 1]))
        return uplinks._verdict(cast(Any, Made(settings={})), variant, view, below, {}, 1.0)

    ratio, words = verdict("nic0")
    assert (ratio, words.english()) == (2.5, "NICs and GPUs together")
    assert verdict("nic0", "nic1") is None


def test_ports_of_one_plane_may_share_a_leaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """A NIC of four ports, two in each plane: leafs 0 and 1, which nothing joins."""
    far = np.array([[0, 0, 1, 1]])
    nic = Made(plane=np.array([0, 0, 1, 1]), far=far, nics=("nic0",), columns=lambda _nic: [0, 1, 2, 3])
    monkeypatch.setattr(fabric_rails, "attached", lambda _context: [nic])
    monkeypatch.setattr(fabric_rails, "joined", lambda *_of: np.array([0, 1]))
    assert list(fabric_rails.fab_16(NOTHING)) == []


def test_one_server_alone_is_cut_off_from_nobody() -> None:
    said = (claim("network.redundant", True, "", "requirement"),)
    assert fired(leaf_spine(1, 4, 2, statements=said), "FAB-22") == []
    assert fired(leaf_spine(2, 4, 2, statements=said), "FAB-22") != []


def test_spines_without_rails_say_nothing_of_the_rails_of_leafs() -> None:
    assert fired(rails(nodes=8, spines=2), "FAB-07") == []


def test_storage_cabled_server_to_server_is_no_compute_network() -> None:
    items = {"a": group("sheet:node"), "b": group("sheet:node")}

    def joined(network: str) -> Project:
        link = Link("a:compute", "b:compute", deal(), "eth", network)
        return fabric({**items, "c": group("sheet:node")}, {"ab": link}, {"node": one_nic()})

    assert fired(joined("storage"), "FAB-21") == []


def test_leafs_that_take_whole_servers_have_no_rail_of_their_own() -> None:
    """Eight DGX H100 on two leafs without an axis ``rail``: four of every rail on each, no majority to be off."""
    items = {"node": group("sheet:node", su=2, node=4), "leaf": group("qm9700", su=2)}
    links = {"down": Link("node:compute", "leaf:1-16/1-2", deal("su"), "ib")}
    assert fired(fabric(items, links, {"node": Sheet("server", chassis="dgx-h100")}), "FAB-07") == []
