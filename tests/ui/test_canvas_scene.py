"""Scenes: right counts of cables on the right lines, cards that do not lie on each other, lines that cross none, at
every size."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from fabricwright.design.calls import EditCall
from fabricwright.design.edits import run
from fabricwright.design.indexset import IndexSet
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.values import Project
from fabricwright.ui.canvas.fabric_scene import fabric_scene
from fabricwright.ui.canvas.server_scene import server_scene
from fabricwright.ui.canvas.source import touches
from fabricwright.ui.paint.pick import card_at, edge_at, hit, in_band, port_at
from fabricwright.ui.paint.scene import BACKGROUND, KINDS, NOT_ROWS, Scene, Style

ALL_DESIGNS = [
    ("seed-a-256x8", "main"), ("seed-b-512", "before"), ("seed-b-512", "after-network"), ("seed-b-512", "after"),
    ("single-8gpu", "main"),
    ("pcie-8gpu-switch", "p2p-sys"), ("pcie-4gpu-1nic", "main"), ("superpod-h100-127", "main"),
]  # fmt: skip
ALL_SHEETS = [
    (template, design, sheet)
    for template, design in ALL_DESIGNS
    for sheet in ["fabric", "node", "node-after", "node-after-cxl"]
    if not ((sheet == "node" and design == "after") or (sheet.startswith("node-after") and design != "after"))
]


@pytest.fixture(scope="module")
def projects() -> dict[str, Project]:
    return {name: template.build() for name, template in TEMPLATES.items()}


def scene_of(project: Project, design: str, sheet: str, lang: str = "en") -> Scene:
    row = project.designs[design]
    if row.sheets[sheet].kind == "server":
        return server_scene(project, row, sheet, lang, host="node")
    return fabric_scene(project, row, sheet, lang)


def solid(scene: Scene) -> list[int]:
    return [i for i in range(len(scene)) if scene.style[i] not in (*BACKGROUND, *NOT_ROWS)]


@pytest.mark.parametrize(("template", "design", "sheet"), ALL_SHEETS)
def test_no_card_lies_on_another(projects: dict[str, Project], template: str, design: str, sheet: str) -> None:
    scene = scene_of(projects[template], design, sheet)
    cards = solid(scene)
    for n, a in enumerate(cards):
        ax, ay, aw, ah = scene.box(a)
        for b in cards[n + 1 :]:
            bx, by, bw, bh = scene.box(b)
            apart = ax + aw <= bx + 0.5 or bx + bw <= ax + 0.5 or ay + ah <= by + 0.5 or by + bh <= ay + 0.5
            assert apart, (scene.card(a).id, scene.card(b).id)


@pytest.mark.parametrize(("template", "design", "sheet"), ALL_SHEETS)
def test_no_line_runs_through_a_card_and_none_is_diagonal(
    projects: dict[str, Project], template: str, design: str, sheet: str
) -> None:
    scene = scene_of(projects[template], design, sheet)
    pieces, owner = scene.edges.segments()
    assert (np.isclose(pieces[:, 0], pieces[:, 2], atol=0.6) | np.isclose(pieces[:, 1], pieces[:, 3], atol=0.6)).all()
    for i in solid(scene):
        x, y, w, h = scene.box(i)
        inside = (
            (np.minimum(pieces[:, 0], pieces[:, 2]) < x + w - 2) & (np.maximum(pieces[:, 0], pieces[:, 2]) > x + 2)
            & (np.minimum(pieces[:, 1], pieces[:, 3]) < y + h - 2) & (np.maximum(pieces[:, 1], pieces[:, 3]) > y + 2)
        )  # fmt: skip
        through = [scene.edges.links[int(scene.edges.link[e])] for e in owner[inside].tolist()]
        assert not through, (scene.card(i).id, through)


@pytest.mark.parametrize(("template", "design", "sheet"), ALL_SHEETS)
def test_the_same_rows_give_the_same_picture(
    projects: dict[str, Project], template: str, design: str, sheet: str
) -> None:
    first, again = (scene_of(projects[template], design, sheet) for _ in range(2))
    assert [first.card(i) for i in range(len(first))] == [again.card(i) for i in range(len(again))]
    assert np.array_equal(first.edges.points, again.edges.points)
    assert np.array_equal(first.x, again.x)


@pytest.mark.parametrize(
    ("template", "design", "link", "lines", "cables"),
    [
        # templates.md: 512 node-leaf links over 4 units x 2 rails = 8 lines of 64; 256 leaf-spine links over 8 leafs.
        ("seed-a-256x8", "main", "down", 8, 512),
        ("seed-a-256x8", "main", "up", 8, 256),
        # 32 servers x 2 ports over 4 leafs; 4 leafs x 2 spines x 8.
        ("seed-b-512", "before", "down", 4, 64),
        ("seed-b-512", "before", "up", 4, 64),
        # 127 servers x 8 rails over 4 x 8 leafs; 32 leafs x 16 spines x 2.
        ("superpod-h100-127", "main", "c-down", 32, 1016),
        ("superpod-h100-127", "main", "c-up", 32, 1024),
    ],
)
def test_lines_carry_the_cables_of_the_wiring_rule(
    projects: dict[str, Project], template: str, design: str, link: str, lines: int, cables: int
) -> None:
    edges = scene_of(projects[template], design, "fabric").edges
    mine = edges.link == edges.links.index(link)
    assert int(mine.sum()) == lines
    assert int(edges.count[mine].sum()) == cables


def test_every_part_of_a_server_is_on_the_sheet_once(projects: dict[str, Project]) -> None:
    from fabricwright.design.effective import effective

    project = projects["seed-b-512"]
    design = project.designs["after"]
    scene = scene_of(project, "after", "node-after-cxl")
    eff = effective(project, design, "node-after-cxl")
    missing = [i for i in eff.items if i not in scene.by_id and i != "ext0/mgmt0"]
    assert missing == []


def test_forced_cards_wear_the_error_frame_and_stand_beside_the_card_in_the_slot(projects: dict[str, Project]) -> None:
    scene = scene_of(projects["seed-b-512"], "after", "node-after-cxl")
    for row in ("sw0", "cxl0", "cxl1"):
        assert scene.card(scene.by_id[row][0]).forced, row
    assert not scene.card(scene.by_id["slotb-nic"][0]).forced


def test_lane_bar_counts_what_is_seated(projects: dict[str, Project]) -> None:
    """templates.md, seed A: 48 of 80 lanes per socket: two switch cards and a NIC, a switch card and two retimers,
    x16 each."""
    scene = scene_of(projects["seed-a-256x8"], "main", "node")
    for cpu, shares in (("cpu0", {"switch": 32.0, "NIC": 16.0}), ("cpu1", {"switch": 16.0, "retimer": 32.0})):
        lanes = scene.card(scene.by_id[cpu][0]).lanes
        assert lanes is not None
        assert {s.label: s.value for s in lanes.shares} == shares
        assert lanes.figure == "48 of 80"


def test_cages_in_use(projects: dict[str, Project]) -> None:
    """templates.md: leaf 32 of 64 cages down and 32 up; spine 64 of 64."""
    scene = scene_of(projects["seed-a-256x8"], "main", "fabric")
    leaf = scene.card(scene.by_id["leaf"][0])
    assert leaf.meters[0].figure == "64 of 64 cages"
    assert scene.card(scene.by_id["spine"][0]).corner[0] == "64 of 64 QSFP-DD cages in use"


def test_a_moved_item_stands_where_it_was_put_and_takes_all_its_cards_along(projects: dict[str, Project]) -> None:
    project = projects["seed-b-512"]
    before = scene_of(project, "before", "fabric")
    patch = run(project, EditCall("move", {"design": "before", "sheet": "fabric", "places": {"leaf": [100, 300]}}))
    from fabricwright.design.patch import apply

    after = scene_of(apply(project, patch), "before", "fabric")
    rows = before.by_id["leaf"]
    shifts = {(float(after.x[i] - before.x[i]), float(after.y[i] - before.y[i])) for i in rows}
    assert len(shifts) == 1
    assert min(float(after.x[i]) for i in after.by_id["leaf"]) == 100
    assert np.array_equal(before.x[before.by_id["spine"]], after.x[after.by_id["spine"]])


def test_open_group_shows_every_member_and_makes_its_cards_late(projects: dict[str, Project]) -> None:
    project = projects["seed-a-256x8"]
    design = project.designs["main"]
    patch = run(project, EditCall("set_look", {"design": "main", "sheet": "fabric", "item": "node", "open": True}))
    from fabricwright.design.patch import apply

    project = apply(project, patch)
    scene = scene_of(project, "main", "fabric")
    members = [i for i in range(len(scene)) if scene.cards[i] is None]
    assert len(members) == 256
    down = scene.edges.link == scene.edges.links.index("down")
    assert int(scene.edges.count[down].sum()) == 512
    names = {scene.card(i).titles[0] for i in members}
    assert len(names) == 256 and "n001" in names
    assert design is not None


def test_texts_are_in_the_language_asked_for(projects: dict[str, Project]) -> None:
    scene = scene_of(projects["seed-b-512"], "before", "fabric", "zh_CN")
    spine = scene.card(scene.by_id["spine"][0])
    assert not any(word in " ".join((*spine.titles, *spine.corner)) for word in ("in use", "cages"))


# -- picking ---------------------------------------------------------------------------------------------------------


def test_picking(projects: dict[str, Project]) -> None:
    scene = scene_of(projects["seed-b-512"], "before", "fabric")
    leaf = scene.by_id["leaf"][1]
    x, y, w, h = scene.box(leaf)
    assert card_at(scene, x + w / 2, y + h / 2) == leaf
    frame = card_at(scene, x + w / 2, y + h + 40)
    assert frame is not None and scene.style[frame] == Style.FRAME
    assert hit(scene, x + w / 2, y + h / 2, 6).card == leaf
    mark = scene.card(leaf).marks[0]
    found = port_at(scene, x + mark.at, y if mark.edge == "t" else y + h)
    assert found is not None and found[0] == leaf
    course = scene.edges.polyline(0)
    middle = course[:2].mean(axis=0)
    assert edge_at(scene, float(middle[0]) + 2, float(middle[1]), 6) == 0
    assert edge_at(scene, float(middle[0]) + 30, float(middle[1]), 6) is None
    assert set(in_band(scene, x - 5, y - 5, x + w + 5, y + h + 5, contain=True).tolist()) == {leaf}


def test_only_patches_of_the_open_design_drop_the_scene(projects: dict[str, Project]) -> None:
    project = projects["seed-b-512"]
    other = run(project, EditCall("rename", {"design": "after", "sheet": "fabric", "item": "leaf", "name": "x"}))
    own = run(project, EditCall("rename", {"design": "before", "sheet": "fabric", "item": "leaf", "name": "x"}))
    setting = run(project, EditCall("set_setting", {"design": "before", "key": "mtu", "value": 9000}))
    assert (touches(other, "before"), touches(own, "before"), touches(setting, "before")) == (False, True, False)


def test_ten_thousand_members_stay_arrays(projects: dict[str, Project]) -> None:
    """A group of 10,240 open servers: four arrays, the bundle of the group, and the cables of one member when asked."""
    project = projects["pcie-4gpu-1nic"]
    design = project.designs["main"]
    fabric = design.sheets["fabric"]
    node = dataclasses.replace(fabric.items["node"], axes=(("node", 10_240),))
    leaf = dataclasses.replace(fabric.items["leaf"], axes=(("leaf", 160),))
    from fabricwright.design.values import Look

    fabric = dataclasses.replace(
        fabric, items=fabric.items.put("node", node).put("leaf", leaf), look=fabric.look.put("node", Look(open=True))
    )
    design = dataclasses.replace(design, sheets=design.sheets.put("fabric", fabric))
    project = dataclasses.replace(project, designs=project.designs.put("main", design))
    scene = fabric_scene(project, design, "fabric", "en")
    assert sum(card is None for card in scene.cards) == 10_240
    frame, leaf = scene.by_id["node"][0], scene.by_id["leaf"][0]
    assert scene.edges.a.tolist() == [frame] and scene.edges.b.tolist() == [leaf]
    assert set(np.unique(scene.edges.kind).tolist()) == {KINDS.index("compute")}
    assert scene.cables is not None
    assert scene.rows_of("node") == [frame]
    (member,) = scene.rows_of("node", IndexSet.of([159]))
    assert scene.card(member).members == IndexSet.of([159])
    cables = scene.cables(member)
    assert cables.a.tolist() == [member] and cables.b.tolist() == [leaf]
