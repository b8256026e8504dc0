"""The templates against the part lists, wirings and statements they were specified with."""

from __future__ import annotations

import pytest

from fabricwright.design import storage
from fabricwright.design.check_values import check
from fabricwright.design.effective import effective
from fabricwright.design.indexset import IndexSet
from fabricwright.design.order import designs_in_order
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.units.errors import UserError

IDS = [
    "seed-a-256x8",
    "seed-b-512",
    "single-8gpu",
    "pcie-8gpu-switch",
    "pcie-4gpu-1nic",
    "superpod-h100-127",
    "h100-4su",
    "b200-8su",
    "b300-4su",
]


@pytest.fixture(scope="module")
def projects() -> dict[str, Project]:
    return {name: template.build() for name, template in TEMPLATES.items()}


def members(project: Project, design: str) -> dict[str, int]:
    """Server sheet -> present members, counted by hand over the exceptions."""
    root = project.designs[design].sheets["fabric"]
    out: dict[str, int] = {}
    for item in root.items.values():
        if not (item.of or "").startswith("sheet:"):
            continue
        assert item.of is not None
        sheets = [item.of[6:]] * item.count
        for key, override in item.except_.items():
            for index in IndexSet.parse(key):
                sheets[index] = "" if override.absent else (override.sheet or sheets[index])
        for sheet in sheets:
            if sheet:
                out[sheet] = out.get(sheet, 0) + 1
    return out


def gpus(project: Project, design: str) -> int:
    rows = project.designs[design]
    return sum(
        count * sum(1 for item in effective(project, rows, sheet).items.values() if item.kind == "gpu")
        for sheet, count in members(project, design).items()
    )


def test_ids_are_those_of_the_specification() -> None:
    assert list(TEMPLATES) == IDS


@pytest.mark.parametrize("name", IDS)
def test_a_template_is_sound_and_survives_a_file(name: str, projects: dict[str, Project]) -> None:
    project = projects[name]
    assert check(project) == []
    data = storage.dumps(project)
    assert storage.loads(data) == project
    assert storage.dumps(storage.loads(data)) == data
    assert len(data) < 100_000


@pytest.mark.parametrize("name", IDS)
def test_every_used_part_is_embedded_with_its_origin(name: str, projects: dict[str, Project]) -> None:
    project = projects[name]
    for design in project.designs.values():
        for sheet in design.sheets:
            for item in effective(project, design, sheet).items.values():
                assert item.part is not None or item.of.startswith("sheet:"), (sheet, item.id, item.of)
    assert all(part.origin for part in project.parts.values())


@pytest.mark.parametrize("name", IDS)
def test_every_seat_and_every_port_exists_and_no_row_hides_a_built_in_one(
    name: str, projects: dict[str, Project]
) -> None:
    from fabricwright.design.address import expand_ports, split_end

    project = projects[name]
    for design in project.designs.values():
        for sheet_id, sheet in design.sheets.items():
            eff = effective(project, design, sheet_id)
            built_in = eff.chassis_part.interior.items if eff.chassis_part and eff.chassis_part.interior else {}
            for item_id, row in sheet.items.items():
                assert row.seat is None or row.seat in eff.slots, row.seat
                assert row.of is None or item_id not in built_in, item_id
            for link in sheet.links.values():
                for end in (link.a, link.b):
                    owner, ports = split_end(end)
                    if end in eff.slots:
                        continue
                    of = eff.items[owner].of
                    if of.startswith("sheet:"):
                        inner = effective(project, design, of[6:])
                        for port in inner.exports[ports].ports:
                            inside, name_ = split_end(port)
                            assert name_ in inner.items[inside].ports, port
                    else:
                        assert set(expand_ports(ports)) <= set(eff.items[owner].ports), end


@pytest.mark.parametrize(
    ("name", "design", "servers", "expected_gpus"),
    [
        ("seed-a-256x8", "main", 256, 2048),
        ("seed-b-512", "before", 32, 256),
        ("seed-b-512", "after-network", 32, 256),
        ("seed-b-512", "after", 32, 320),  # 256 SXM + 64 PCIe
        ("single-8gpu", "main", 1, 8),
        ("pcie-8gpu-switch", "p2p-sys", 1, 8),
        ("pcie-8gpu-switch", "default", 1, 8),
        ("pcie-4gpu-1nic", "main", 4, 16),
        ("superpod-h100-127", "main", 127, 1016),
        ("h100-4su", "main", 127, 1016),
        ("b200-8su", "main", 256, 2048),
        ("b300-4su", "main", 256, 2048),
    ],
)
def test_servers_and_gpus(
    name: str, design: str, servers: int, expected_gpus: int, projects: dict[str, Project]
) -> None:
    assert sum(members(projects[name], design).values()) == servers
    assert gpus(projects[name], design) == expected_gpus


def test_designs_come_in_the_order_of_the_story(projects: dict[str, Project]) -> None:
    assert designs_in_order(projects["seed-b-512"]) == ["before", "after-network", "after"]
    assert designs_in_order(projects["pcie-8gpu-switch"]) == ["p2p-sys", "default"]


def test_statements_of_the_seeds(projects: dict[str, Project]) -> None:
    """16 rows of seed A, 28 of seed B, each with a quantity and a subject."""
    assert len(projects["seed-a-256x8"].statements) == 16
    assert len(projects["seed-b-512"].statements) == 28
    assert len(projects["superpod-h100-127"].statements) == 3
    for project in projects.values():
        for row in project.statements.values():
            assert row.kind in ("claim", "requirement", "target")
            assert row.text
            assert row.quantity
            assert row.subject


def test_workloads_of_the_seeds(projects: dict[str, Project]) -> None:
    assert sorted(projects["seed-a-256x8"].workloads) == ["10b", "175b"]
    assert sorted(projects["seed-b-512"].workloads) == ["10b", "175b", "1t"]  # the model that the case grows to
    for name in ("seed-a-256x8", "seed-b-512"):
        shape = projects[name].workloads["175b"].model
        assert (shape["params_b"], shape["layers"], shape["hidden"], shape["heads"]) == (175.0, 96, 12288, 96)
        assert (shape["vocab"], shape["seq"]) == (51200, 2048)


def test_key_nodes_of_seed_b_hold_the_forced_cxl_cards(projects: dict[str, Project]) -> None:
    project = projects["seed-b-512"]
    assert members(project, "after") == {"node-after": 24, "node-after-cxl": 8}
    sheet = effective(project, project.designs["after"], "node-after-cxl")
    assert sheet.items["cxl0"].forced
    assert sheet.items["cxl0"].seat == sheet.items["sw0"].seat == sheet.items["slotb-nic"].seat == "chassis:slotb"
    assert "slota-nic" not in sheet.items


@pytest.mark.parametrize(
    ("name", "settings", "servers"),
    [
        ("seed-a-256x8", {"servers": 1}, 1),
        ("seed-a-256x8", {"servers": 100}, 100),
        ("seed-a-256x8", {"servers": 193}, 193),
        ("seed-b-512", {"servers": 31, "key_nodes": 0}, 31),
        ("seed-b-512", {"servers": 2, "key_nodes": 8}, 2),
        ("single-8gpu", {"servers": "3", "server": "DGX-H200"}, 3),
        ("pcie-4gpu-1nic", {"servers": 1}, 1),
        ("pcie-4gpu-1nic", {"servers": 9}, 9),
        ("superpod-h100-127", {"servers": 96}, 96),
        ("b300-4su", {"planes": 1}, 256),
    ],
)
def test_settings_give_that_many_servers(name: str, settings: dict[str, int | str], servers: int) -> None:
    project = TEMPLATES[name].build(**settings)
    assert check(project) == []
    for design in project.designs:
        assert sum(members(project, design).values()) == servers


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("seed-a-256x8", {"servers": "0"}, "from 1 to 256, found '0'"),
        ("seed-a-256x8", {"servers": "-3"}, "found '-3'"),
        ("seed-a-256x8", {"servers": "many"}, "found 'many'"),
        ("seed-a-256x8", {"colour": "red"}, "no setting 'colour'"),
        ("seed-a-256x8", {"title": "  "}, "a text of 1 to 200"),
        ("superpod-h100-127", {"servers": "128"}, "from 1 to 127"),
        ("b300-4su", {"planes": "3"}, "from 1 to 2"),
        ("single-8gpu", {"server": "dgx-h1000"}, "no part 'dgx-h1000'"),
    ],
)
def test_a_wrong_setting_is_one_sentence(name: str, settings: dict[str, str], words: str) -> None:
    with pytest.raises(UserError) as caught:
        TEMPLATES[name].build(**settings)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", IDS)
def test_a_template_in_chinese_differs_in_names_only(name: str) -> None:
    english, chinese = TEMPLATES[name].build(), TEMPLATES[name].build("zh_CN")
    assert english.title != chinese.title
    one = english.designs[designs_in_order(english)[0]]
    other = chinese.designs[designs_in_order(chinese)[0]]
    for sheet, drawn in one.sheets.items():
        assert (drawn.items, drawn.links) == (other.sheets[sheet].items, other.sheets[sheet].links)
    written = [english.title, *(row.text for row in english.statements.values())]
    texts = [chinese.title, *(row.text for row in chinese.statements.values())]
    assert all(a != b for a, b in zip(written, texts, strict=True) if a.isascii())


def test_counts_in_statements_follow_the_settings() -> None:
    project = TEMPLATES["superpod-h100-127"].build("zh_CN", servers=64)
    assert [row.text for row in project.statements.values()] == [
        "集群共 512 块 GPU。",  # 64 x 8
        "计算网络无收敛（1:1）。",
        "集群共 64 个节点。",
    ]
