"""The three reference designs of 1,016 to 2,048 GPUs: no error, no warning, no info; exactly the facts; and what one
change makes of them.
"""

from __future__ import annotations

from typing import Any

import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.design.edits import EDITS
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project, Seating, Statement
from fabricwright.rules.finding import Finding
from fabricwright.rules.run import run_rules
from fabricwright.units.table import Table
from tests.rules.drawing import context, everything, fired, places, server

DESIGNS: dict[str, tuple[str, dict[str, int]]] = {
    "H100-4": ("h100-4su", {}),
    "B200-8": ("b200-8su", {}),
    "B300-4": ("b300-4su", {}),
    "B300-4 in one plane": ("b300-4su", {"planes": 1}),
}
KILOWATTS = {"H100-4": 10.2, "B200-8": 14.3, "B300-4": 14.5, "B300-4 in one plane": 14.5}
FACTS = {"PWR-09", "PWR-10", "FAB-13", "FAB-14", "RET-06"}
INTERIOR = {"RET-06", "LAN-13"}
"""Shown where the interior states what they need: a switch between GPU and NIC, lanes of the processors."""


@pytest.fixture(scope="module")
def drawn() -> dict[str, Project]:
    return {name: TEMPLATES[template].build(**settings) for name, (template, settings) in DESIGNS.items()}


@pytest.fixture(scope="module")
def said(drawn: dict[str, Project]) -> dict[str, list[Finding]]:
    return {name: run_rules(context(project)) for name, project in drawn.items()}


@pytest.mark.parametrize("name", DESIGNS)
def test_no_problem_at_all(name: str, said: dict[str, list[Finding]]) -> None:
    assert [(f.rule, f.message.english()) for f in said[name] if f.severity != "fact"] == []


@pytest.mark.parametrize("name", DESIGNS)
def test_the_facts_are_those_that_are_listed(name: str, said: dict[str, list[Finding]]) -> None:
    facts = [f for f in said[name] if f.severity == "fact"]
    rules = {f.rule for f in facts}
    assert rules - INTERIOR == FACTS - INTERIOR
    assert ("RET-06" in rules) == (name in ("H100-4", "B200-8"))  # B300: GPU and NIC meet inside the ConnectX-8
    (hops,) = [f for f in facts if f.rule == "FAB-13"]
    assert hops.values["switches"] == [1, 3] and places([hops]) == ["leaf"]
    assert hops.values["parts"] == (2 if name == "B300-4" else 1)  # in a plane
    (times,) = [f for f in facts if f.rule == "FAB-14"]
    assert set(times.values["us"]) == {"1", "3"}  # one value per kind of pair
    kilowatts = [f.measured for f in facts if f.rule == "PWR-09"]
    assert kilowatts == [pytest.approx(KILOWATTS[name], abs=0.05)]


@pytest.mark.parametrize(
    ("name", "links", "cables"),
    [
        ("H100-4", {"down": 1016, "ufm": 4, "up": 1024}, {"down": 1016, "ufm": 4, "up": 1024}),
        ("B200-8", {"down": 2048, "up": 2048}, {"down": 2048, "up": 2048}),
        ("B300-4", {"down": 4096, "up": 4096}, {"down": 2048, "up": 2048}),
        ("B300-4 in one plane", {"down": 2048, "up": 2048}, {"down": 2048, "up": 2048}),
    ],
)
def test_links_and_cables_are_as_published(
    name: str, links: dict[str, int], cables: dict[str, int], drawn: dict[str, Project]
) -> None:
    seen = context(drawn[name])
    assert {b.link: int(b.alive.sum()) for b in seen.fabric().bundles} == links
    assert {link: row.count for link, row in seen.cables().items()} == cables


# -- one change each, on H100-4 ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def h100(drawn: dict[str, Project]) -> Project:
    return drawn["H100-4"]


def edit(project: Project, call: str, /, **args: Any) -> Project:
    return apply(project, EDITS[call](project, design="main", **args))


def cable(project: Project, link: str, row: int, **args: Any) -> Project:
    return edit(project, "move_cable", sheet="fabric", link=link, row=row, **args)


def by_rule(project: Project) -> dict[str, list[Finding]]:
    out: dict[str, list[Finding]] = {}
    for finding in everything(project):
        out.setdefault(finding.rule, []).append(finding)
    return out


def test_12_spines_instead_of_16(h100: Project) -> None:
    fewer = edit(h100, "set_axes", sheet="fabric", item="spine", axes=[["spine", 12]])
    kept = edit(fewer, "set_link", sheet="fabric", link="up", wire={"mode": "deal", "on": []})  # all 1,024 cables
    (uneven,) = fired(kept, "FAB-04")
    assert (uneven.severity, uneven.measured, uneven.allowed) == ("warning", 32, 12)
    (full,) = fired(kept, "FAB-02")
    assert (full.severity, full.allowed, full.values["cables"]) == ("error", 64, 1024)
    assert full.measured == 86  # 1,024 / 12 = 85.3: some have 85, some 86
    # drawn as the mesh of two each that it was, 8 of the 32 uplink ports of each leaf stay empty
    assert [f.measured for f in fired(fewer, "FAB-04")] == [32]
    assert [f.measured for f in fired(fewer, "FAB-02")] == [pytest.approx(1024 / 12)]


def test_nic_3_and_nic_4_of_node_7_swapped(h100: Project) -> None:
    swapped = cable(cable(h100, "down", 59, b="leaf[4]:4/2"), "down", 60, b="leaf[3]:4/2")  # rows 7 x 8 + 3 and + 4
    found = by_rule(swapped)
    assert set(found) == {"FAB-07"}
    (wrong,) = found["FAB-07"]
    assert (wrong.severity, wrong.measured, str(wrong.members)) == ("error", 2, "7")


def test_one_node_moved_to_another_full_unit(h100: Project) -> None:
    moved = h100
    for rail in range(8):  # node 31 leaves unit 1; its cables share ports of unit 2, which has none left
        moved = cable(moved, "down", 31 * 8 + rail, b=f"leaf[{8 + rail}]:16/2")
    found = by_rule(moved)
    (unit,) = found["FAB-08"]
    assert (unit.severity, unit.measured, unit.allowed, str(unit.members)) == ("warning", 33, 32, "8-15")
    (ports,) = found["FAB-01"]
    assert (ports.severity, ports.measured, ports.allowed) == ("error", 65, 64)
    (ratio,) = found["FAB-03"]
    assert (ratio.severity, ratio.measured) == ("warning", pytest.approx(33 / 32))


def test_one_uplink_removed_from_a_full_leaf(h100: Project) -> None:
    found = by_rule(cable(h100, "up", 5 * 32, cut=True))
    assert set(found) == {"FAB-17", "FAB-03", "FAB-09"}
    (count,) = found["FAB-17"]
    assert (count.severity, count.values["cables"], count.values["formula"]) == ("error", 1023, 1024)
    (ratio,) = found["FAB-03"]
    assert (ratio.measured, str(ratio.members)) == (pytest.approx(32 / 31), "5")
    (missing,) = found["FAB-09"]
    assert (missing.severity, missing.measured, missing.allowed) == ("warning", 1023, 1024)


def test_uplinks_of_two_leafs_exchanged(h100: Project) -> None:
    """Leaf 5's two links of spine 1 and leaf 6's two of spine 2: rows leaf x 32 + spine x 2."""
    changed = h100
    wires = context(h100).bundles()["up"]
    for leaf, spine, other_leaf, other_spine in ((5, 1, 6, 2), (6, 2, 5, 1)):
        for n in (0, 1):
            there = wires.rows[other_leaf * 32 + other_spine * 2 + n]
            changed = cable(changed, "up", leaf * 32 + spine * 2 + n, b=f"spine[{there[2]}]:{wires.b_ports[there[3]]}")
    found = by_rule(changed)
    assert set(found) == {"FAB-15"}
    (odd,) = found["FAB-15"]
    assert (odd.severity, str(odd.members), odd.measured) == ("error", "5-6", 4)  # 4 to one spine, 0 to another
    mended = changed
    for call in odd.fix:
        mended = apply(mended, EDITS[call.name](mended, **call.args))
    assert everything(mended) == []


def test_one_compute_cable_removed(h100: Project) -> None:
    found = by_rule(cable(h100, "down", 100, cut=True))
    assert set(found) == {"FAB-17"}
    (count,) = found["FAB-17"]
    assert (count.severity, count.values["cables"], count.values["ports"]) == ("error", 1015, 1016)
    assert str(count.members) == "12"  # row 100 = node 12, rail 4


def test_a_target_of_1024(h100: Project) -> None:
    wanted = Statement("target", "1,024", "cluster.gpus", 1024, "GPUs", "design:main")
    found = by_rule(Project(**{**_fields(h100), "statements": h100.statements.put("s1", wanted)}))
    assert set(found) == {"SCL-01"}
    assert (found["SCL-01"][0].severity, found["SCL-01"][0].measured) == ("error", 1016)


def test_a_storage_card_on_a_switch_of_its_own(h100: Project) -> None:
    """2 x 200G on one x16: 400 <= 443, and its own network."""
    stored = edit(h100, "add_item", sheet="fabric", part="qm9700", item="sleaf", axes=[["sleaf", 2]])
    stored = edit(stored, "set_config", sheet="node", item="slota-nic", key="mode", value="2x200")
    both = ["slota-nic:1", "slota-nic:2"]
    stored = edit(stored, "set_export", sheet="node", name="store", ports=both, axes=[["port", 2]])
    stored = edit(
        stored,
        "connect",
        sheet="fabric",
        a="node:store",
        b="sleaf:1-32/1-4",
        medium="ib",
        network="storage",
        link="store",
    )
    assert [f.message.english() for f in everything(stored)] == []


def test_800_gbps_claimed_for_a_dual_port_card(h100: Project) -> None:
    claim = Statement("claim", "800", "nic.aggregate_gbps", 800, "Gb/s", "node/slota-nic")
    mode = edit(h100, "set_config", sheet="node", item="slota-nic", key="mode", value="2x200")
    found = by_rule(Project(**{**_fields(mode), "statements": mode.statements.put("s9", claim)}))
    errors = {rule for rule, f in found.items() if f[0].severity == "error"}
    assert errors == {"NIC-01", "NIC-02"} and set(found) <= errors | {"NIC-03"}  # NIC-03 says where the 800 is from


def test_uplinks_left_out_with_the_missing_node(h100: Project) -> None:
    """The eight leafs of unit 4 with 31 uplinks each: 1,016 instead of 1,024."""
    fewer = h100
    for leaf in range(24, 32):
        fewer = cable(fewer, "up", leaf * 32 + 31, cut=True)
    found = by_rule(fewer)
    assert found["FAB-09"][0].measured == 1016
    assert found["FAB-17"][0].values["cables"] == 1016


def test_static_routing(h100: Project) -> None:
    found = by_rule(edit(h100, "set_setting", key="ecmp.mode", value=None))
    assert set(found) == {"FAB-12"}
    worst = found["FAB-12"][0]
    assert (worst.measured, worst.allowed) == (31, 128)  # 31 or 32 NICs x 1 QP; four flows for each of 32 paths


def _fields(project: Project) -> dict[str, Any]:
    return {name: getattr(project, name) for name in project.__dataclass_fields__}


# -- others that must stay silent --------------------------------------------------------------------------------------


def test_every_server_of_the_catalogue_is_silent_as_shipped() -> None:
    kinds = catalogue().kinds()
    for part in (*kinds["server"], *kinds["chassis"]):
        assert everything(server(part, {})) == [], part


def test_a_dgx_b300_counts_the_gpu_side_of_its_nics(drawn: dict[str, Project]) -> None:
    # The processor's link is Gen5 x16 (443 Gb/s), the GPU's Gen6 x16 (830 Gb/s): 800 Gb/s fit.
    assert fired(drawn["B300-4"], "NIC-04") == []


def test_racks_of_the_templates_state_nothing_but_their_size(drawn: dict[str, Project]) -> None:
    for project in drawn.values():
        rack = project.parts["rack-48u"]
        assert rack.get("u") == 48 and not rack.get("cooling_kw") and not rack.get("static_load_kg")
        seats: Table[Seating] = project.designs["main"].sheets["fabric"].seats
        height = {"dgx-h100": 8, "dgx-b200": 10, "dgx-b300": 10}[project.designs["main"].sheets["node"].chassis or ""]
        assert seats["node"].per_rack == 48 // height  # as many as fit
