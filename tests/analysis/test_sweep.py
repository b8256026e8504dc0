"""Grids and their rows: right values by drawing the same variants by hand, the text of grids, the journal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.figures import cable_count, finding_counts, rack_units_of
from fabricwright.analysis.sweep import Grid, resolve
from fabricwright.analysis.sweep_journal import Journal
from fabricwright.analysis.sweep_points import SweepPoints, SweepRow, columns_of
from fabricwright.design.edits import EDITS
from fabricwright.design.grid_text import GridText, expand, grid_of, parse_grid, read_grid
from fabricwright.design.patch import apply
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.variation import field_names, find_field, template_of, vary
from fabricwright.performance.predict import PredictRequest
from fabricwright.units.errors import UserError


@pytest.fixture(scope="module")
def small():
    return TEMPLATES["seed-a-256x8"].build(servers=32)


def rows_of(project, spec, design="main"):
    grid = resolve(parse_grid(spec), project, design)
    keys = [column.key for column in columns_of(grid)]
    return [
        dict(zip(keys, row.cells, strict=True)) for row in SweepPoints(project, design, grid).rows(range(grid.count))
    ]


def by_hand(project, design="main", collective="all_reduce", size=1 << 30):
    analysis = analyze(project, design)
    return analysis.figures(), analysis.predict(PredictRequest(collective, (size,))).rows[0], analysis


def test_every_point_is_what_the_variant_drawn_by_hand_gives(small):
    """12 points over a setting of the network, one inside servers, the fabric's wiring and a cable's length, in an
    order in which the shared stages meet every combination."""
    spec = "up.per_pair=2,8; settings.nccl.p2p_level=PIX,SYS; settings.ecmp.qps=1,4,16; "
    spec += "metrics=counts,power,cables,rack_units,findings,all_reduce@1G,all_to_all@16M"
    found = rows_of(small, spec)
    assert len(found) == 12
    for row in found:
        project = apply(
            small,
            EDITS["set_link"](small, design="main", sheet="fabric", link="up", wire={"per_pair": row["up.per_pair"]}),
        )
        for key in ("nccl.p2p_level", "ecmp.qps"):
            value = row[f"settings.{key}"]
            project = apply(project, EDITS["set_setting"](project, design="main", key=key, value=value))
        figures, reduced, analysis = by_hand(project)
        assert (row["gpus"], row["servers"], row["switches"], row["links"]) == tuple(
            figures[k] for k in ("gpus", "servers", "switches", "links")
        )
        assert row["power_w"] == figures["power_w"]
        assert row["cables"] == cable_count(analysis) and row["rack_units"] == rack_units_of(analysis)
        assert row["all_reduce_1G_busbw_gbs"] == reduced.busbw / 1e9
        assert row["all_reduce_1G_time_us"] == reduced.time_s * 1e6
        assert row["all_reduce_1G_bottleneck"] == reduced.bottleneck.label.english()
        exchanged = analysis.predict(PredictRequest("all_to_all", (16 << 20,))).rows[0]
        assert row["all_to_all_16M_busbw_gbs"] == exchanged.busbw / 1e9
        counts = finding_counts(analysis)
        assert (row["errors"], row["warnings"]) == (counts["error"], counts["warning"])
        assert row["problem"] == ""
    assert len({row["all_reduce_1G_busbw_gbs"] for row in found}) > 1  # something did vary


def test_a_sweep_of_the_network_compiles_the_servers_once(small):
    grid = resolve(parse_grid("up.per_pair=1..8; settings.ecmp.qps=1,2"), small, "main")
    points = SweepPoints(small, "main", grid)
    list(points.rows(range(grid.count)))
    assert points.cache.ran["interior"] == 1
    assert points.cache.ran["fabric"] == 8  # once for each wiring, whatever the setting


def test_settings_nobody_reads_give_the_same_row_without_work(small):
    """What a unit of packets is matters to no lossless network's all-reduce: found by the trace of reads."""
    grid = resolve(
        parse_grid("settings.mtu=1500,9000; metrics=all_reduce@1G"),
        small,
        "main",
    )
    points = SweepPoints(small, "main", grid)
    first, second = points.rows(range(2))
    assert first.cells[2:] == second.cells[2:]


def test_template_axes_parts_and_workload(small):
    found = rows_of(small, "template.servers=16,32; metrics=counts")
    assert [(row["servers"], row["gpus"]) for row in found] == [(16, 128), (32, 256)]
    found = rows_of(small, "node.axes.node=8,16; metrics=counts")
    assert [row["servers"] for row in found] == [8, 16]
    found = rows_of(
        small, "node/nic*.of=lres1260pf-2qsfp112; node/nic0.config.mode=2x200,1x400; metrics=counts,findings"
    )
    assert found[0]["problem"] == ""
    found = rows_of(small, "settings.workload=10b,175b; workload.plan.tp=8; metrics=train")
    assert all(row["step_time_s"] is not None or row["problem"] for row in found)


def test_a_variant_that_cannot_be_drawn_says_why_and_loses_no_other(small):
    found = rows_of(small, "spine.of=generic-64x400,no-such-switch; metrics=counts")
    assert found[0]["switches"] and found[0]["problem"] == ""
    assert found[1]["switches"] is None and "no-such-switch" in found[1]["problem"]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "no field"),
        ("metrics=power", "no field"),
        ("settings.ecmp.qps", "FIELD=VALUE"),
        ("settings.ecmp.qps=", "no values"),
        ("settings.ecmp.qps=1,,2", "empty value"),
        ("settings.ecmp.qps=1; settings.ecmp.qps=2", "given twice"),
        ("settings.ecmp.qps=1,1", "twice"),
        ("settings.ecmp.qps=9..1", "empty range"),
        ("settings.ecmp.qps=1..9:0", "empty range"),
        ("up.length_m=1..1000000", "more than 100,000"),
        ('settings.profile="a', "not closed"),
        ("settings.ecmp.qp=1", "settings.ecmp.qps"),
        ("leef.axes.su=1", "leaf.axes.su"),
        ("leaf.axes.sv=1", "leaf.axes.su"),
        ("up.per_pear=1", "up.per_pair"),
        ("settings.ecmp.qps=0", "from 1 to 256"),
        ("settings.ecmp.mode=hashed", "expected one of"),
        ("settings.lossless=maybe", "on or off"),
        ("up.per_pair=0", "whole number"),
        ("up.length_m=-1", "positive"),
        ("template.servers=0", "whole number from 1"),
        ("template.sorvers=4", "template.servers"),
        ("settings.ecmp.qps=1; metrics=speed", "Metric 'speed'"),
        ("settings.ecmp.qps=1; metrics=all_reduce@1X", "Size"),
        ("settings.ecmp.qps=1; template=none", "no template"),
        ("leaf.of=unset", "unset"),
    ],
)
def test_wrong_grids_are_answered_with_a_sentence(small, spec, said):
    with pytest.raises(UserError) as caught:
        resolve(parse_grid(spec), small, "main")
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_ranges():
    assert list(expand("x", "2..8:2")) == [2, 4, 6, 8]
    assert list(expand("x", "1..4")) == [1, 2, 3, 4]
    assert list(expand("x", "0.1..0.5:0.2")) == [0.1, 0.3, 0.5]
    assert list(expand("x", "a..b")) == ["a..b"]


def test_the_last_field_is_fastest_and_a_limit_spreads(small):
    grid = resolve(parse_grid("up.per_pair=1..4; settings.ecmp.qps=1,2,3"), small, "main")
    assert grid.count == 12
    assert [grid.point(n) for n in (0, 1, 3, 11)] == [(1, 1), (1, 2), (2, 1), (4, 3)]
    assert list(grid.chosen(4)) == [0, 3, 6, 9]
    assert list(grid.chosen(None)) == list(range(12)) == list(grid.chosen(99))


def test_huge_grids_are_only_counted(small):
    keys = ("ecmp.qps", "loss.rate", "mtu", "roce.mtu")
    text = GridText(
        {f"settings.{key}": tuple(range(256, 4096)) for key in keys[2:]} | {"up.length_m": tuple(range(1, 90_000))}
    )
    grid = resolve(text, small, "main")
    assert grid.count == 3840 * 3840 * 89_999
    assert grid.point(grid.count - 1) == (4095, 4095, 89_999.0)


def test_files(tmp_path):
    wanted = parse_grid(
        "up.per_pair=1..3; settings.ecmp.mode=hash,spray; metrics=power,all_reduce@1G; template=seed-a-256x8"
    )
    as_json, as_toml = tmp_path / "g.json", tmp_path / "g.toml"
    as_json.write_text(json.dumps(wanted.to_json()))
    as_toml.write_text(
        'metrics = ["power", "all_reduce@1G"]\ntemplate = "seed-a-256x8"\n'
        '[fields]\n"up.per_pair" = "1..3"\n"settings.ecmp.mode" = ["hash", "spray"]\n'
    )
    assert read_grid(f"@{as_json}") == wanted == read_grid(f"@{as_toml}")
    for data in (
        b"\xff\xfe",
        b"[",
        b"[]",
        b'{"fields":{}}',
        b'{"fields":{"a":[[1]]}}',
        b'{"fields":{"a":[1]},"x":1}',
        b"[" * 9999,
    ):
        as_json.write_bytes(data)
        with pytest.raises(UserError) as caught:
            resolve(read_grid(f"@{as_json}"), TEMPLATES["seed-a-256x8"].build(servers=4), "main")
        assert "\n" not in str(caught.value)
    with pytest.raises(UserError, match="cannot be read"):
        read_grid(f"@{tmp_path / 'absent.json'}")


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='abr.,;=@*"/ .0123456789-:settingsecmpq', max_size=80))
def test_any_text_is_a_grid_or_one_sentence(text):
    try:
        found = parse_grid(text)
    except UserError:
        return
    assert all(found.fields.values())
    assert grid_of(json.loads(json.dumps(found.to_json()))) == found


names = st.from_regex(r"[a-z]{1,6}\.[a-z]{1,6}", fullmatch=True)
plain_values = st.one_of(st.integers(-99, 99), st.from_regex(r"[a-z]{1,5}", fullmatch=True))


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(names, st.lists(plain_values, min_size=1, max_size=4), min_size=1, max_size=4))
def test_an_inline_grid_says_what_was_written(fields):
    text = ";".join(f"{name} = {', '.join(map(str, values))}" for name, values in fields.items())
    assert {k: [str(v) for v in row] for k, row in parse_grid(text).fields.items()} == {
        k: [str(v) for v in row] for k, row in fields.items()
    }


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 7), min_size=1, max_size=5))
def test_points_count_through_the_product(sizes):
    grid = Grid((), tuple(tuple(range(size)) for size in sizes), (), GridText({}))
    import itertools

    assert [grid.point(n) for n in range(grid.count)] == list(itertools.product(*grid.values))


def test_every_field_that_is_offered_can_be_found_and_set(small):
    names = field_names(small, small.designs["main"])
    assert {"leaf.axes.su", "up.per_pair", "node/nic0.of", "settings.ecmp.qps", "settings.nccl.p2p_level"} <= set(names)
    for name in names:
        field = find_field(small, "main", name)
        if field.now is not None and field.name != "of":
            vary(small, "main", field, field.now)


def test_the_template_of_a_project_is_seen_from_its_drawing(small):
    assert template_of(small).id == "seed-a-256x8"
    for name in ("superpod-h100-127", "seed-b-512"):
        assert template_of(TEMPLATES[name].build()).id == name
    assert (
        template_of(apply(small, EDITS["add_item"](small, design="main", sheet="fabric", part="generic-64x400")))
        is None
    )


def test_journal_keeps_whole_rows_of_the_same_run(tmp_path):
    out = str(tmp_path / "x.csv")
    with Journal(out, "run", 3) as journal:
        journal.add(SweepRow(0, (0, "a", 1.5)))
        journal.add(SweepRow(2, (2, None, 2.5)))
    path = tmp_path / "x.csv.sweep"
    path.write_bytes(path.read_bytes() + b'[1,[1,"cut of')
    with Journal(out, "run", 3) as journal:
        assert journal.rows == {0: SweepRow(0, (0, "a", 1.5)), 2: SweepRow(2, (2, None, 2.5))}
        assert not journal.other
    with Journal(out, "another", 3) as journal:
        assert journal.rows == {} and journal.other
        journal.remove()
    assert not path.exists()
