"""Seating drawn designs by rule: what the room looks like after, which findings come and go, and that undo is exact."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricwright.catalog.store import catalogue
from fabricwright.design.calls import EditCall
from fabricwright.design.check_values import check
from fabricwright.design.edits import run
from fabricwright.design.effective import effective
from fabricwright.design.patch import apply
from fabricwright.design.storage import dumps
from fabricwright.design.values import Item, Link, Project, Seating
from fabricwright.sizing.rack_plan import RackStyle
from fabricwright.sizing.rack_seats import groups_of, seat_call, seat_plan, seatable
from fabricwright.topology.cables import all_cables
from fabricwright.topology.fabric import wire_all
from fabricwright.topology.racks import rack_loads
from fabricwright.topology.seating import places_of
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.rules.drawing import fired
from tests.rules.test_racks import box, racked
from tests.topology.samples import deal, template
from tests.topology.samples import fabric as fabric_sample


def seated(
    project: Project, rack: str = "", style: RackStyle | None = None, items: tuple[str, ...] | None = None
) -> Project:
    design = next(iter(project.designs))
    plan = seat_plan(project, project.designs[design], rack, style, items)
    return apply(project, run(project, seat_call(plan.plan, design, project.designs[design].root)))


def loads(project: Project):
    design = next(iter(project.designs.values()))
    eff = effective(project, design, design.root)
    return rack_loads(project, design, eff, places_of(project, design, eff))


def test_groups_of_the_superpod_have_their_roles() -> None:
    project = template("superpod-h100-127")
    groups = {g.item: g for g in groups_of(project, project.designs["main"])}
    assert (groups["node"].role, groups["node"].count, groups["node"].blocks) == ("server", 128, 4)
    assert (groups["node"].height_u, groups["node"].power_w) == (8, 10_200)
    assert groups["leaf"].role == "leaf" and groups["spine"].role == "spine" and groups["stor"].role == "service"
    assert "rack" not in groups and "pdu" not in seatable(project, project.designs["main"])


def test_seed_a_in_rows_that_end_with_their_unit() -> None:
    # 64 servers of 4 U in a scalable unit; four per rack (wanted) -> 16 racks a unit, one row each, two leafs a row.
    project = seated(template("seed-a-256x8"), style=RackStyle(servers_per_rack=4))
    sheet = project.designs["main"].sheets["fabric"]
    assert sheet.items["rack"].axes == (("row", 4), ("rack", 16))
    assert sheet.seats["node"] == Seating("rack", 0, 1, 4, 1)
    assert (sheet.seats["leaf"].racks, sheet.seats["leaf"].per_rack) == ("nrack", 2)
    assert [m.english() for m in check(project)] == []


@pytest.mark.parametrize("leafs", ["top", "middle", "end"])
@pytest.mark.parametrize("name", ["seed-a-256x8", "superpod-h100-127", "seed-b-512", "pcie-4gpu-1nic"])
def test_no_rack_is_over_a_limit_and_undo_is_exact(name: str, leafs: str) -> None:
    before = template(name)
    design = next(iter(before.designs))
    plan = seat_plan(before, before.designs[design], "", RackStyle(leafs))
    patch = run(before, seat_call(plan.plan, design, before.designs[design].root))
    after = apply(before, patch)
    assert dumps(apply(after, patch.inverse(), check=True)) == dumps(before)
    for load in loads(after).values():
        units, kilograms, watts = (
            load.limits["u"].value,
            load.limits["static_kg"].value,
            load.limits["cooling_kw"].value,
        )
        assert (load.top_u <= units).all()
        assert ((kilograms == 0) | (load.total["weight_kg"] <= kilograms)).all()
        assert ((watts == 0) | (load.total["power_w"] <= watts * 1e3 + 1e-6)).all()


@pytest.mark.parametrize("leafs", ["top", "end"])
def test_boxes_of_a_server_take_units_too(leafs: str) -> None:
    # Design "after" has servers of 8 U with a 2 U box each: four take 40 U, five would take 50 of 48 U.
    project = template("seed-b-512")
    plan = seat_plan(project, project.designs["after"], "", RackStyle(leafs)).plan
    assert plan.seats["node"].per_rack == 4
    after = apply(project, run(project, seat_call(plan, "after", "fabric")))
    assert not fired(after, "MEC-10", "after")


def test_middle_of_row_shortens_the_longest_cable() -> None:
    def longest(leafs: str) -> float:
        project = seated(template("seed-a-256x8"), style=RackStyle(leafs, servers_per_rack=4))
        design = project.designs["main"]
        eff = effective(project, design, design.root)
        bundles, places = wire_all(project, design, eff), places_of(project, design, eff)
        return float(all_cables(project, design, bundles, places)["down"].run_m.max())

    # Server in units 1-4 (49 - 2.5 = 46.5 units below the tray), lower leaf in 45-46 (49 - 45.5 = 3.5), 1 m slack;
    # 16 racks of 0.6 m to the end of the row, 8 to the middle.
    drops = 0.04445 * (46.5 + 3.5) + 1.0
    assert longest("end") == pytest.approx(drops + 16 * 0.6)
    assert longest("middle") == pytest.approx(drops + 8 * 0.6)


def test_overfilled_heavy_hot_and_underfed_racks_are_mended_by_seating() -> None:
    # MEC-10: six DGX of 8 U = 48 U in 42 U; 10.2 kW each. A rack of 42 U takes five, of 20 kW one.
    over = racked(6, rack="rack-42u-20kw")
    assert fired(over, "MEC-10")
    after = seated(over)
    assert after.designs["main"].sheets["fabric"].seats["node"].per_rack == 1  # 2 x 10.2 = 20.4 kW > 20 kW
    assert not fired(after, "MEC-10")

    # MEC-11: ten boxes of 130 kg = 1,300 kg on 1,200 kg -> nine per rack, two racks.
    heavy = racked(10, per_rack=10, part=box(height_u=4, weight_kg=130), static_kg=1_200)
    assert fired(heavy, "MEC-11")
    after = seated(heavy)
    assert after.designs["main"].sheets["fabric"].seats["node"].per_rack == 9
    assert after.designs["main"].sheets["fabric"].items["rack"].axes == (("rack", 2),)
    assert not fired(after, "MEC-11")

    # PWR-05 and PWR-06: four of 10.2 kW on feeds of 34.5 kW, in a rack cooled for 40 kW -> three per rack.
    hot = racked(4, 4, rack="rack-48u-60kw", feed_kw=34.5, feeds=2, cooling_kw=40)
    assert fired(hot, "PWR-05") and fired(hot, "PWR-06")
    after = seated(hot)
    rack = after.designs["main"].sheets["fabric"].items["rack"]
    assert after.designs["main"].sheets["fabric"].seats["node"].per_rack == 3
    assert rack.config["feed_kw"] == 34.5  # what the racks state stays stated
    assert not fired(after, "PWR-05") and not fired(after, "PWR-06")


def test_a_switch_against_the_aisle_is_found_on_seated_racks() -> None:
    # PWR-08 reads the racks a switch stands in, wherever the plan puts it.
    project = racked(4, 4, rack="rack-48u-60kw", airflow="front-to-rear")
    sheet = project.designs["main"].sheets["fabric"]
    items = sheet.items.put("leaf", Item("generic-64x400", config=Table({"airflow": "rear-to-front"})))
    sheets = project.designs["main"].sheets.put("fabric", replace(sheet, items=items))
    project = replace(project, designs=project.designs.put("main", replace(project.designs["main"], sheets=sheets)))
    project = replace(project, parts=Table({**project.parts, **catalogue().copies("generic-64x400")}))
    top = seated(project, style=RackStyle("top"))
    assert fired(top, "PWR-08")
    apart = seated(project, style=RackStyle("end"))
    assert not fired(apart, "PWR-08")  # network racks of which no aisle is stated


def test_members_by_hand_stay_where_there_is_room() -> None:
    project = seated(template("seed-b-512"))
    design = next(iter(project.designs))
    where = {"design": design, "sheet": project.designs[design].root}

    moved = apply(
        project, run(project, EditCall("seat_member", {**where, "item": "node", "member": 1, "rack": 0, "u": 41}))
    )
    again = seated(moved)
    seat = again.designs[design].sheets[where["sheet"]].seats["node"]
    assert {k: (p.rack, p.u) for k, p in seat.except_.items()} == {"1": (0, 41)}
    plan = seat_plan(moved, moved.designs[design])
    fresh = apply(moved, run(moved, seat_call(plan.plan, design, where["sheet"], keep_moved=False)))
    assert not fresh.designs[design].sheets[where["sheet"]].seats["node"].except_


def test_some_groups_get_racks_of_their_own_rows() -> None:
    project = seated(template("superpod-h100-127"), "rack-48u-60kw", items=("stor",))
    sheet = project.designs["main"].sheets["fabric"]
    racks = sheet.seats["stor"].racks
    assert racks not in {seat.racks for item, seat in sheet.seats.items() if item != "stor"}
    assert sheet.items[racks].config["row0"] == 5  # rows 0-3 servers, row 4 core
    assert sheet.seats["node"] == template("superpod-h100-127").designs["main"].sheets["fabric"].seats["node"]


def test_nothing_to_seat_and_no_rack_say_so() -> None:
    project = template("seed-a-256x8")
    design = project.designs["main"]
    with pytest.raises(UserError):
        seat_plan(project, design, "h100-pcie-80gb")
    with pytest.raises(UserError):
        seat_plan(project, design, items=())


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(("top", "middle", "end")),
    st.sampled_from(("separate", "network")),
    st.integers(1, 30),
    st.integers(0, 4),
    st.sampled_from(("rack-48u-40kw", "rack-48u-60kw", "rack-52u-45kw")),
    st.integers(2, 64),
)
def test_any_style_can_be_taken_back(leafs: str, spines: str, length: int, most: int, rack: str, servers: int) -> None:
    before = racked(servers, 4, racks=3)
    first = seated(before, rack, RackStyle(leafs, spines, length, most))
    plan = seat_plan(first, first.designs["main"], rack, RackStyle(leafs, spines, length, most))
    assert [m.english() for m in check(first)] == []
    # The same rule again changes nothing.
    assert not run(first, seat_call(plan.plan, "main", "fabric"))


def test_the_kind_of_cable_follows_the_racks() -> None:
    # 400G between QSFP112 cages ("auto" takes the cheapest that reaches): passive copper to 2.5 m, active to 4 m, then
    # optics and fibre. Server in unit 1 (2 U: 47.5 units below the tray) or by hand beside the switch in unit 40 (2 U:
    # 8.5 units); in the same rack 0.04445 x (47.5 + 8.5) + 1 = 3.49 m, by hand in unit 38 0.04445 x (10.5 + 8.5) + 1 =
    # 1.84 m, ten racks away 9.5 m.
    items = {
        "node": Item("sheet:node", (("n", 2),)),
        "leaf": Item("sn5600"),
        "rack": Item("rack-48u-60kw", (("rack", 12),)),
    }
    link = Link("node:storage", "leaf:1-2/1-2", deal())
    base = fabric_sample(items, {"l": link})
    where = {"design": "main", "sheet": "fabric"}

    def cable(node_rack: int, u: int) -> tuple[str, float]:
        project = base
        for call in (
            EditCall("set_seating", {**where, "item": "leaf", "racks": "rack", "u": 40}),
            EditCall(
                "set_seating", {**where, "item": "node", "racks": "rack", "per_rack": 2, "first": node_rack, "u": u}
            ),
        ):
            project = apply(project, run(project, call))
        design = project.designs["main"]
        eff = effective(project, design, "fabric")
        found = all_cables(project, design, wire_all(project, design, eff), places_of(project, design, eff))["l"]
        return (found.parts[int(found.part[0])] if found.part[0] >= 0 else "", float(found.run_m.max()))

    assert cable(0, 34)[0] == "mcp7y10-800g-2x400-q112"
    assert cable(0, 1)[0].startswith("mca7j65")
    assert cable(10, 1)[0] == ""
