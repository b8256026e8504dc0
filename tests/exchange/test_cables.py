"""The cable schedule: every physical cable once, each port once, ends as wired."""

from __future__ import annotations

import csv
import io

import pytest

from fabricwright.design.effective import effective
from fabricwright.design.naming import member_name
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.exchange.bom import bom, part_or_unknown
from fabricwright.exchange.cables import cable_schedule
from fabricwright.topology.fabric import wire_all
from fabricwright.units.natural import natural_key


def test_seed_a_has_512_cables_and_uses_no_port_twice(projects: dict[str, Project]) -> None:
    table = cable_schedule(projects["seed-a-256x8"], "main")
    assert len(table.cables) == 512
    used = [(end.device, port) for row in table.cables for end in row.ends for port in end.port.split(",")]
    assert len(used) == len(set(used)) == 2 * 512 + 2 * 256


def test_a_splitter_serves_port_r_of_two_neighbours_in_one_rack(projects: dict[str, Project]) -> None:
    rows = {row.id: row for row in cable_schedule(projects["seed-a-256x8"], "main").cables}
    first = rows["down#0"]
    assert (first.part, first.rows) == ("aoc-400g-qdd-2x200-q56", 2)
    # leaf (su 0, rail 0) is leaf[0]; nodes 0 and 1 give it their port 1
    assert [(e.device, e.port) for e in first.ends] == [
        ("leaf[0]", "1/1,1/2"),
        ("node[0]", "nic0:1"),
        ("node[1]", "nic0:1"),
    ]
    for row in rows.values():
        if row.id.startswith("down"):
            common, left, right = row.ends
            assert left.rack == right.rack
            assert left.port == right.port
            assert common.cage == common.port.partition("/")[0]


def test_labels_use_the_names_of_the_members(projects: dict[str, Project]) -> None:
    rows = {row.id: row for row in cable_schedule(projects["seed-a-256x8"], "main").cables}
    assert rows["down#0"].label == "leaf-11:1/1,1/2 - n001:nic0:1 - n002:nic0:1"
    assert rows["up#0"].label == "leaf-11:33 - spine-1:1"


def test_superpod_cables_by_network(projects: dict[str, Project]) -> None:
    counts: dict[str, int] = {}
    for row in cable_schedule(projects["superpod-h100-127"], "main").cables:
        counts[row.network] = counts.get(row.network, 0) + 1
    assert counts == {"compute": 1020 + 1024, "storage": 482, "inband": 424, "oob": 362}


def test_cables_inside_servers_are_told_once_with_their_number(projects: dict[str, Project]) -> None:
    table = cable_schedule(projects["seed-a-256x8"], "main")
    assert [(row.id, row.length_m, row.servers) for row in table.inside][:3] == [
        ("node/c1", 0.35, 256),
        ("node/c2", 0.35, 256),
        ("node/c3", 0.45, 256),
    ]
    after = cable_schedule(projects["seed-b-512"], "after")
    assert {(row.sheet, row.servers) for row in after.inside} == {("node-after", 24), ("node-after-cxl", 8)}


def test_json_shape(projects: dict[str, Project]) -> None:
    found = cable_schedule(projects["pcie-4gpu-1nic"], "main").to_json()
    row = found["cables"][0]  # type: ignore[index]
    assert row == {
        "id": "down#0",
        "network": "compute",
        "ends": [
            {"device": "leaf", "rack": "rack", "u": 40, "cage": "1", "port": "1/1,1/2"},
            {"device": "node[0]", "rack": "rack", "u": 1, "cage": "nic0:1", "port": "nic0:1"},
            {"device": "node[1]", "rack": "rack", "u": 5, "cage": "nic0:1", "port": "nic0:1"},
        ],
        "part": "mcp7y10-800g-2x400-q112",
        "length_m": 2.0,
        "label": "leaf:1/1,1/2 - n1:nic0:1 - n2:nic0:1",
        "rows": 2,
    }


def test_csv_has_a_line_per_cable(projects: dict[str, Project]) -> None:
    table = cable_schedule(projects["seed-b-512"], "after-network")
    rows = list(csv.DictReader(io.StringIO(table.to_csv().decode("utf-8"))))
    assert len(rows) == 96
    assert rows[0]["Device 3"] == "node[1]"


def test_a_design_without_network_has_no_cables(projects: dict[str, Project]) -> None:
    assert cable_schedule(projects["single-8gpu"], "main").cables == ()


def test_member_names() -> None:
    axes = (("su", 2), ("rail", 4))
    assert member_name("leaf-{su1}{rail1}", axes, 5, "leaf") == "leaf-22"
    assert member_name("n{index1:03}", axes, 5, "n") == "n006"
    assert member_name("{su}-{rail}", axes, 5, "n") == "1-1"
    assert member_name("", axes, 5, "leaf") == "leaf[5]"
    assert member_name("", (), 0, "leaf") == "leaf"
    assert member_name("x{nothing}{0}{su.__class__}", axes, 0, "x") == "x{nothing}{0}{su.__class__}"


@pytest.mark.parametrize("name", list(TEMPLATES))
def test_every_port_is_cabled_once_and_rows_are_the_fabrics(name: str, projects: dict[str, Project]) -> None:
    """Of every design: no port twice, and as many links as the wiring has living rows."""
    project = projects[name]
    for design_id, design in project.designs.items():
        table = cable_schedule(project, design_id)
        eff = effective(project, design, design.root)
        wired = wire_all(project, design, eff) if eff.kind == "fabric" else {}
        assert sum(row.rows for row in table.cables) == sum(int(bundle.alive.sum()) for bundle in wired.values())
        used = [(end.device, port) for row in table.cables for end in row.ends for port in end.port.split(",")]
        assert len(used) == len(set(used))
        split = [
            row for row in table.cables if part_or_unknown(project, row.part).kind == "cable" and len(row.ends) > 2
        ]
        plugs = [(end.device, end.cage) for row in split for end in row.ends]
        assert len(plugs) == len(set(plugs))  # a cage holds one plug (of fibres a twin transceiver takes two)
        counted = sum(line.quantity for line in bom(project, design_id).lines if line.kind in ("cable", "fibre"))
        assert counted == len(table.cables)


def test_cables_stand_in_the_order_of_racks_units_and_ports(projects: dict[str, Project]) -> None:
    rows = cable_schedule(projects["seed-a-256x8"], "main").cables
    places = [(row.ends[0].rack, row.ends[0].u) for row in rows]
    assert places == sorted(places, key=lambda place: (natural_key(place[0]), place[1]))
    assert [row.ends[0].cage for row in rows[:64]] == [str(n) for n in range(1, 65)]  # the first leaf, cage by cage


def test_colours_follow_network_and_rail(projects: dict[str, Project]) -> None:
    colours = {
        (row.network, row.lane): row.colour for row in cable_schedule(projects["superpod-h100-127"], "main").cables
    }
    assert len({colour for (network, _), colour in colours.items() if network == "compute"}) == 8
    assert colours["storage", None] == "#6E4C27"
