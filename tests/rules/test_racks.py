"""MEC-10, MEC-11, PWR-05, PWR-06, PWR-08, PWR-10: what is seated in racks, at the two sides of their limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.cache import StageCache
from fabricwright.catalog.parts import Figure, Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import EDITS, run
from fabricwright.design.effective import effective
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Item, Link, Override, Project, Seating, Sheet
from fabricwright.rules.run import run_rules
from fabricwright.topology.racks import RackLoads, rack_loads
from fabricwright.topology.seating import places_of
from fabricwright.units.table import Table
from tests.rules.drawing import context, fabric, fired, places
from tests.rules.examples import fires, silent

DGX = "dgx-h100"  # 8 U, 130 kg, 897 mm deep, 10.2 kW


def racked(
    servers: int,
    per_rack: int = 8,
    racks: int = 1,
    part: Part | None = None,
    rack: str = "rack-42u-20kw",
    seats: dict[str, Seating] | None = None,
    extra: dict[str, Item] | None = None,
    exceptions: dict[str, Override] | None = None,
    **config: Any,
) -> Project:
    """DGX H100 servers (or ``part``) in racks with what is stated about them."""
    of = "board" if part is not None else DGX
    items = {
        "node": Item("sheet:node", (("node", servers),)),
        "rack": Item(
            rack, (("rack", racks),) if racks > 1 else (), config=Table(config), except_=Table(exceptions or {})
        ),
        **(extra or {}),
    }
    project = fabric(items, {}, {"node": Sheet("server", chassis=of)}, chassis=part)
    design = project.designs["main"]
    sheet = design.sheets["fabric"]
    where = {"node": Seating("rack", per_rack=per_rack), **(seats or {})}
    design = replace(design, sheets=design.sheets.put("fabric", replace(sheet, seats=Table(where))))
    return replace(project, designs=project.designs.put("main", design))


def box(**figures: float) -> Part:
    return Part(
        "chassis", Table({"en": "Box"}), figures=Table({k: Figure(v, "test", "read") for k, v in figures.items()})
    )


def loads(project: Project, racks: str = "rack") -> RackLoads:
    design = project.designs["main"]
    eff = effective(project, design, design.root)
    return rack_loads(project, design, eff, places_of(project, design, eff))[racks]


def mended(project: Project, rule: str) -> Project:
    (found,) = fired(project, rule)
    for call in found.fix:
        project = apply(project, run(project, call))
    return project


# -- the sums ----------------------------------------------------------------------------------------------------------


def test_sums_of_the_racks_of_a_template() -> None:
    # Seed B afterwards: four DGX H100 (8 U, 10.2 kW) and their external boxes (2 U): 40 U and about 44 kW.
    found = {}
    project = TEMPLATES["seed-b-512"].build()
    design = project.designs["after"]
    eff = effective(project, design, design.root)
    found = rack_loads(project, design, eff, places_of(project, design, eff))["rack"]
    assert found.n == 8 and found.total["units"].tolist() == [40.0] * 8
    assert found.total["weight_kg"].tolist() == [580.0] * 8  # 4 x (130 + 15)
    assert 44e3 < found.total["power_w"].max() < 45e3
    assert found.contents["node"].count.tolist() == [4] * 8


def test_absent_members_and_members_beyond_the_last_rack_stand_nowhere() -> None:
    project = racked(5, per_rack=2, racks=2)
    assert loads(project).contents["node"].count.tolist() == [2, 2]
    gone = EDITS["add_exception"](
        project, design="main", sheet="fabric", item="node", members="3", override={"absent": True}
    )
    assert loads(apply(project, gone)).contents["node"].count.tolist() == [2, 1]


def test_a_part_without_a_figure_is_counted_apart() -> None:
    found = loads(racked(2, part=box(height_u=4)))
    assert found.total["units"].tolist() == [8.0]
    assert found.unknown["weight_kg"].tolist() == [2] and found.unknown["power_w"].tolist() == [2]


def test_single_racks_may_state_other_limits() -> None:
    project = racked(
        4, per_rack=1, racks=4, cooling_kw=45, exceptions={"2-3": Override(config=Table({"cooling_kw": 30}))}
    )
    limit = loads(project).limits["cooling_kw"]
    assert limit.value.tolist() == [45, 45, 30, 30] and not limit.guessed.any()
    assert loads(project).limits["static_kg"].guessed.all()  # the rack part's own figure is engineering knowledge


def test_thousands_of_servers_are_added_up_by_arrays() -> None:
    project = racked(4096, per_rack=4, racks=1024)
    assert np.all(loads(project).total["power_w"] == 40_800.0)


# -- MEC-10 --------------------------------------------------------------------------------------------------------


@fires("MEC-10")
def test_mec_10_six_servers_of_8_u_in_42_u() -> None:
    (found,) = fired(racked(6), "MEC-10")
    assert (places([found]), found.measured, found.allowed, found.unit) == (["rack"], 48, 42, "U")


@silent("MEC-10")
def test_mec_10_five_servers_of_8_u_in_42_u() -> None:
    assert fired(racked(5), "MEC-10") == []


def test_mec_10_the_fix_spreads_over_racks_that_are_drawn() -> None:
    project = racked(6, per_rack=6, racks=3, cooling_kw=60)
    (found,) = fired(project, "MEC-10")
    assert str(found.members) == "0"
    spread = mended(project, "MEC-10")
    assert spread.designs["main"].sheets["fabric"].seats["node"].per_rack == 5  # 40 U, 51 kW
    assert fired(spread, "MEC-10") == [] and fired(spread, "PWR-06") == []
    assert fired(racked(6), "MEC-10")[0].fix == ()  # one rack only: buying another is no edit


def test_mec_10_no_fix_where_a_chosen_cable_would_become_longer() -> None:
    project = racked(6, per_rack=6, racks=3, cooling_kw=60, extra={"leaf": Item("qm9700")})
    link = Link("node:compute", "leaf:1-32/1-2", medium="ib", cable="mcp4y10-800g-osfp-osfp")
    design = project.designs["main"]
    sheet = design.sheets["fabric"]
    sheet = replace(sheet, links=Table({"down": link}))
    design = replace(design, sheets=design.sheets.put("fabric", sheet))
    assert fired(replace(project, designs=project.designs.put("main", design)), "MEC-10")[0].fix == ()


def test_mec_10_a_place_above_the_top_and_a_device_too_deep() -> None:
    high = racked(2, seats={"node": Seating("rack", per_rack=2, u=30)})  # 30-37 and 38-45
    (found,) = fired(high, "MEC-10")
    assert (found.measured, found.allowed) == (45, 42)
    (deep,) = fired(racked(1, depth_mm=800), "MEC-10")
    assert (places([deep]), deep.measured, deep.allowed, deep.unit) == (["rack", "node"], 897, 800, "mm")
    assert fired(racked(1, depth_mm=900), "MEC-10") == []


def test_mec_10_stated_units_win_and_unseated_servers_are_silent() -> None:
    assert fired(racked(6, u=48), "MEC-10") == []
    nowhere = racked(6, seats={"node": Seating("rack", first=5)})
    for rule in ("MEC-10", "MEC-11", "PWR-05", "PWR-06", "PWR-10"):
        assert fired(nowhere, rule) == []


# -- MEC-11 --------------------------------------------------------------------------------------------------------


@fires("MEC-11")
def test_mec_11_ten_servers_of_130_kg_on_1200_kg() -> None:
    (found,) = fired(racked(10, per_rack=10, part=box(height_u=4, weight_kg=130), static_kg=1200), "MEC-11")
    assert (found.measured, found.allowed, found.unit, found.estimate) == (1300, 1200, "kg", False)


@silent("MEC-11")
def test_mec_11_nine_of_them() -> None:
    nine = racked(9, per_rack=10, part=box(height_u=4, weight_kg=130), static_kg=1200)
    assert loads(nine).total["weight_kg"].tolist() == [1170]
    assert fired(nine, "MEC-11") == []
    assert fired(racked(9, per_rack=10, part=box(height_u=4), static_kg=1200), "MEC-11") == []  # nobody weighed them


# -- PWR-05, PWR-06 ------------------------------------------------------------------------------------------------


@fires("PWR-05")
def test_pwr_05_four_dgx_on_feeds_of_34_5_kw() -> None:
    (found,) = fired(racked(4, feeds=2, feed_kw=34.5), "PWR-05")
    assert (places([found]), found.measured, found.allowed, found.unit) == (["rack"], pytest.approx(40.8), 34.5, "kW")
    assert "node: 4 x 10.2 kW" in found.message.english()


@silent("PWR-05")
def test_pwr_05_two_dgx_on_feeds_of_34_5_kw() -> None:
    assert fired(racked(2, feeds=2, feed_kw=34.5), "PWR-05") == []


def test_pwr_05_pdus_are_feeds_and_none_stated_is_silent() -> None:
    pdu = "pdu-3ph-60a-415v-34kw"  # 80 % of 43.1 kW
    (found,) = fired(racked(4, pdu=pdu, feeds=2), "PWR-05")
    assert found.allowed == 34.5
    assert fired(racked(4, pdu=pdu, feeds=2, pdus_per_feed=2), "PWR-05") == []
    assert fired(racked(4), "PWR-05") == [] and fired(racked(4, feeds=2), "PWR-05") == []
    spread = mended(racked(4, per_rack=4, racks=2, feed_kw=34.5, cooling_kw=40), "PWR-05")
    assert spread.designs["main"].sheets["fabric"].seats["node"].per_rack == 3


@fires("PWR-06")
def test_pwr_06_40_8_kw_on_30_kw_of_cooling() -> None:
    (found,) = fired(racked(4, cooling_kw=30), "PWR-06")
    assert (found.measured, found.allowed, found.unit, found.estimate) == (pytest.approx(40.8), 30, "kW", False)


@silent("PWR-06")
def test_pwr_06_45_kw_of_cooling() -> None:
    assert fired(racked(4, cooling_kw=45), "PWR-06") == []


def test_pwr_06_a_rack_of_the_catalogue_states_its_cooling() -> None:
    # reference-findings: four DGX H100 in a rack with 40 kW; the figure of the rack part is engineering knowledge.
    (found,) = fired(racked(4, rack="rack-48u-40kw"), "PWR-06")
    assert (found.allowed, found.estimate) == (40, True)
    assert fired(racked(4, rack="rack-48u-60kw"), "PWR-06") == []


def test_pwr_06_names_only_the_racks_that_are_over() -> None:
    project = racked(6, per_rack=4, racks=2, cooling_kw=30)
    (found,) = fired(project, "PWR-06")
    assert str(found.members) == "0"  # the second holds two: 20.4 kW


# -- PWR-08 --------------------------------------------------------------------------------------------------------


def aisle(of_switch: str | None, of_rack: str | None, part: str = "qm9700", switches: int = 2) -> Project:
    switch = Item(part, (("leaf", switches),), config=Table({"airflow": of_switch} if of_switch else {}))
    seats = {"leaf": Seating("rack", per_rack=switches, u=40)}
    return racked(1, extra={"leaf": switch}, seats=seats, **({"airflow": of_rack} if of_rack else {}))


@fires("PWR-08")
def test_pwr_08_rear_to_front_switch_in_a_front_to_rear_aisle() -> None:
    project = aisle("rear-to-front", "front-to-rear")
    (found,) = fired(project, "PWR-08")
    assert (places([found]), str(found.members)) == (["leaf", "rack"], "0-1")
    assert fired(mended(project, "PWR-08"), "PWR-08") == []


@silent("PWR-08")
def test_pwr_08_matching_kit() -> None:
    assert fired(aisle("front-to-rear", "front-to-rear"), "PWR-08") == []
    assert fired(aisle("rear-to-front", None), "PWR-08") == [] and fired(aisle(None, "front-to-rear"), "PWR-08") == []


def test_pwr_08_the_part_states_a_kit_and_the_drawing_another() -> None:
    # SN5600 as listed: rear to front (nbx).
    assert len(fired(aisle(None, "front-to-rear", "sn5600"), "PWR-08")) == 1
    assert fired(aisle("front-to-rear", "front-to-rear", "sn5600"), "PWR-08") == []


# -- PWR-10 --------------------------------------------------------------------------------------------------------


@fires("PWR-10")
def test_pwr_10_four_dgx_h100() -> None:
    (found,) = fired(racked(4), "PWR-10")
    assert (found.severity, found.measured, found.unit) == ("fact", pytest.approx(40.8), "kW")
    assert found.values["content"] == ["node: 4 x 10.2 kW"]
    assert found.message.english() == ("40.8 kW per rack (node: 4 x 10.2 kW). Rear-door heat exchanger or liquid.")


@silent("PWR-10")
def test_pwr_10_an_empty_rack_draws_nothing() -> None:
    empty = racked(4, seats={"node": Seating("rack", first=3)})
    assert fired(empty, "PWR-10") == []


def test_pwr_10_names_the_fullest_and_keeps_all() -> None:
    (found,) = fired(racked(7, per_rack=4, racks=2), "PWR-10")
    assert found.measured == pytest.approx(40.8) and str(found.members) == "0-1"
    assert {k: round(v, 1) for k, v in found.values["racks"].items()} == {"0": 40.8, "1": 30.6}


@pytest.mark.parametrize(
    ("part", "servers", "kw"), [("dgx-b200", 2, 28.6), ("dgx-b200", 4, 57.2), ("dgx-b300", 4, 58.0)]
)
def test_pwr_10_reference_servers(part: str, servers: int, kw: float) -> None:
    project = racked(servers, rack="rack-48u-60kw")
    patch = EDITS["replace_part"](project, design="main", sheet="fabric", item="node", part=part)
    (found,) = fired(apply(project, patch), "PWR-10")
    assert found.measured == pytest.approx(kw)


# -- caches --------------------------------------------------------------------------------------------------------


def test_findings_of_racks_follow_every_edit_through_the_cache() -> None:
    cache = StageCache()
    project = racked(6, per_rack=6, racks=3, cooling_kw=60)

    def rules(of: Project) -> set[str]:
        kept, fresh = analyze(of, "main", cache=cache), analyze(of, "main")
        assert {(f.key, f.measured) for f in kept.findings} == {(f.key, f.measured) for f in fresh.findings}
        return {f.rule for f in kept.findings}

    assert {"MEC-10", "PWR-06"} <= rules(project)
    where = {"design": "main", "sheet": "fabric"}
    assert "MEC-10" not in rules(apply(project, EDITS["set_config"](project, **where, item="rack", key="u", value=48)))
    cool = apply(project, EDITS["set_config"](project, **where, item="rack", key="cooling_kw", value=70))
    assert "PWR-06" not in rules(cool)
    seated = apply(project, EDITS["set_seating"](project, **where, item="node", racks="rack", per_rack=2))
    assert not {"MEC-10", "PWR-06"} & rules(seated)


# -- whatever is stated ------------------------------------------------------------------------------------------------

ANYTHING = st.one_of(
    st.integers(-5, 100),
    st.floats(0.5, 90),
    st.booleans(),
    st.sampled_from(["", "many", "front-to-rear", "pdu-1ph-32a-7kw"]),
)
RACK_KEYS = ("u", "depth_mm", "static_kg", "cooling_kw", "feeds", "feed_kw", "pdus_per_feed", "airflow")
CHASSIS_KEYS = ("psu_mode", "psu_throttle_w", "max_gpus", "max_dpus", "slot.slota.power_w", "slot.slota.max_width",
                "slot.slotb.riser_gen", "slot.slotb.gpu_w", "slot.slota.aux_w", "slot..gen", "slot.slota")  # fmt: skip
MINE = ("MEC-07", "MEC-08", "MEC-09", "MEC-10", "MEC-11", "MEC-13", "NIC-06", *(f"PWR-{n:02}" for n in range(1, 11)))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    rack=st.dictionaries(st.sampled_from(RACK_KEYS), ANYTHING),
    single=st.dictionaries(st.sampled_from(RACK_KEYS), ANYTHING),
    chassis=st.dictionaries(st.sampled_from(CHASSIS_KEYS), ANYTHING),
    where=st.tuples(st.integers(-2, 3), st.integers(-1, 2), st.integers(-1, 7), st.integers(-3, 50)),
    seat=st.sampled_from(["chassis:slota", "chassis:slotb", "chassis:nowhere", ""]),
)
def test_no_statement_crashes_a_rule_and_no_fix_adds_an_error(rack, single, chassis, where, seat) -> None:
    first, stride, per_rack, u = where
    seats = {"node": Seating("rack", first, stride, per_rack, u), "leaf": Seating("rack", u=u)}
    project = racked(
        7,
        racks=3,
        seats=seats,
        extra={"leaf": Item("sn5600")},
        exceptions={"1": Override(config=Table(single))},
        **rack,
    )
    design = project.designs["main"]
    node = design.sheets["node"]
    items = {"chassis": Item(None, config=Table(chassis)), "nic8": Item("b3220", seat=seat or None)}
    design = replace(design, sheets=design.sheets.put("node", replace(node, items=Table(items))))
    project = replace(
        project, designs=project.designs.put("main", design), parts=project.parts.put("b3220", catalogue().get("b3220"))
    )

    def found(of: Project):
        return run_rules(context(of), MINE)

    def errors(of: Project) -> int:
        return sum(max(1, len(f.members)) for f in found(of) if f.severity == "error")

    for finding in found(project):
        assert finding.message.english() and finding.message.text("zh_CN")
        after = project
        for call in finding.fix:
            after = apply(after, run(after, call))
        assert errors(after) <= errors(project), finding.rule
