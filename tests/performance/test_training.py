"""The training step: counts against hand calculations, collectives on the right ranks, bad input, search, money."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from fabricwright.analysis.analyze import analyze
from fabricwright.analysis.training import groups_of, job_of
from fabricwright.catalog.store import catalogue
from fabricwright.design.templates import TEMPLATES
from fabricwright.design.training.memory import (
    BOTH_GRADIENTS_BYTES,
    MEGATRON_BYTES,
    ZERO_BYTES,
    activation_bytes,
    gpu_memory,
    gradient_bytes,
)
from fabricwright.design.training.plan import Plan, check_plan, plan_of
from fabricwright.design.training.presets import PRESETS, preset
from fabricwright.design.training.shape import Shape, assumed_shape, shape_of
from fabricwright.design.values import Project, Workload
from fabricwright.performance.measured.design import compiled
from fabricwright.performance.measured.hardware import Hardware
from fabricwright.performance.training.compute import layer_time, model_flops
from fabricwright.performance.training.gpu import gpu_of
from fabricwright.performance.training.groups import Groups
from fabricwright.performance.training.money import Prices, cost_of, saving_of
from fabricwright.performance.training.offload import place
from fabricwright.performance.training.search import layouts, ranked, search
from fabricwright.performance.training.step import step_time, traffics
from fabricwright.performance.training.train import training_constants
from fabricwright.topology.host_memory import Tier
from fabricwright.units.errors import UserError
from fabricwright.units.table import Table
from tests.performance.samples import workload_of

GPT3 = shape_of(preset("gpt3-175b").model)
assert GPT3 is not None


def _shape(name: str) -> Shape:
    shape = shape_of(preset(name).model)
    assert shape is not None
    return shape


def test_megatron_counts_the_operations_of_gpt3() -> None:
    """72 B s l h^2 (1 + s/6h + V/12lh) for B = 1536 sequences, s = 2048, l = 96, h = 12288, V = 51200."""
    plan = Plan(tp=8, pp=8, dp=8, gbs=1536)
    h, s, layers, vocab, batch = 12288, 2048, 96, 51200, 1536
    by_hand = 72 * batch * s * layers * h**2 * (1 + s / (6 * h) + vocab / (12 * layers * h))
    assert model_flops(GPT3, plan) == pytest.approx(by_hand, rel=1e-12)


def test_model_state_as_zero_and_megatron_count_it() -> None:
    """175e9 parameters x 16, 18, 20 bytes = 2.8, 3.15, 3.5 TB; 10e9 fp16 gradients = 20 GB."""
    sizes = [175e9 * each / 1e12 for each in (ZERO_BYTES, MEGATRON_BYTES, BOTH_GRADIENTS_BYTES)]
    assert sizes == pytest.approx([2.8, 3.15, 3.5])
    assert gradient_bytes(10e9) == 20e9


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_published_shapes_have_the_published_parameters(name: str) -> None:
    """Counting the shape gives the stated number of parameters within 3 %."""
    shape = _shape(name)
    assert shape.counted_params() == pytest.approx(shape.params, rel=0.03)
    assert preset(name).source


def test_active_parameters_of_mixtures() -> None:
    """DeepSeek-V3 states 37 B active, Qwen3 22 B and 3 B (with embeddings), Mixtral 12.9 B."""
    for name, active in (("deepseek-v3", 37e9), ("qwen3-235b-a22b", 22e9), ("mixtral-8x7b", 12.9e9)):
        assert _shape(name).active_params == pytest.approx(active, rel=0.06)


def test_unstated_shape_has_gpt3s_proportions() -> None:
    """12 l h^2 with h = 128 l: 175e9 gives 96 layers of 12288."""
    shape = assumed_shape(175e9)
    assert (shape.layers, shape.assumed) == (96, True)
    assert shape.hidden == pytest.approx(12288, rel=0.01)


def test_memory_of_zero_stages_by_hand() -> None:
    """A model of 10e9 without embeddings on 64 ranks: 16, 4 + 12/64, 2 + 14/64, 16/64 bytes per parameter."""
    shape = Shape(10e9, 40, 4608, 18432, 36, 36, 128, 1, 2048)
    for stage, each in enumerate((16, 4 + 12 / 64, 2 + 14 / 64, 16 / 64)):
        got = gpu_memory(Plan(dp=64, gbs=64, zero=stage), shape)
        assert got.parameters + got.gradients + got.optimizer == pytest.approx(each * 10e9, rel=1e-3)


def test_activations_by_hand() -> None:
    """s b h (18 + 4 ffn/h)/t per layer = 34 s b h / 8; stage 0 of 8 keeps 8 micro-batches of 12 layers each."""
    plan = Plan(tp=8, pp=8, dp=1, gbs=64)
    layer = 34 * 2048 * 12288 / 8
    assert activation_bytes(plan, GPT3) == pytest.approx(layer * 12 * 8)
    last = activation_bytes(plan, GPT3, stage=7)
    assert last == pytest.approx(layer * 12)
    full = activation_bytes(replace(plan, recompute="full"), GPT3)
    assert full == pytest.approx(2 * 2048 * 12288 / 8 * 12 * 8 + layer)


def _cluster(servers: int = 8, nics: int = 8) -> Groups:
    return Groups(compiled(Hardware("nvlink", 4, 450.0, 5, servers, 8, 8, nics, 400.0, "infiniband", 1), {}))


def test_collectives_run_on_the_ranks_that_take_part() -> None:
    """TP 8 stays on NVLink; TP 16 leaves the server and is slower; data ranks go over the fabric."""
    groups = _cluster()
    assert not groups.crosses(1, 8)
    assert groups.crosses(1, 16)
    inside, outside = (groups.exchange("all_reduce", 1, size, 1 << 28).time_s for size in (8, 16))
    assert outside > inside
    assert groups.crosses(8, 8)


def test_groups_that_share_a_port_share_its_rate() -> None:
    """Eight data groups of a server over one 400 Gb/s port move eight buffers: 8 x 2 x 7/8 x 256 MiB / 50 GB/s or more;
    over eight ports each moves its own."""
    size = float(1 << 28)
    one, eight = (_cluster(nics=n).exchange("all_reduce", 8, 8, size, 64).time_s for n in (1, 8))
    least = 8 * 2 * 7 / 8 * size / 50e9
    assert least <= one < 1.4 * least
    assert 5 < one / eight < 9


def _gpu(name: str = "h100-sxm5-80gb"):  # type: ignore[no-untyped-def]
    part = catalogue().get(name)
    assert part is not None
    return gpu_of(part, name, training_constants())


def test_bubble_is_p_minus_1_over_v_m() -> None:
    """Narayanan 2021, section 2.2, on a step whose sends are free."""
    from fabricwright.performance.training.step import Traffics

    k = training_constants()
    plan = Plan(pp=8, vpp=3, gbs=64, dp=1)
    step, longer = (step_time(GPT3, replace(plan, gbs=n), _gpu(), Traffics(), k, 8) for n in (64, 128))
    stage = (longer.compute_s - step.compute_s) / 64  # the optimizer is in both
    assert step.bubble_s == pytest.approx(7 / 3 * stage, rel=1e-6)


def test_smaller_pieces_compute_less_efficiently() -> None:
    """Eight-way tensor parallelism takes more than an eighth of the time."""
    k = training_constants()
    whole = layer_time(GPT3, Plan(mbs=1), _gpu(), k).total
    part = layer_time(GPT3, Plan(tp=8, mbs=1), _gpu(), k).total
    assert whole / 8 < part < whole


def test_faster_network_never_makes_a_step_slower() -> None:
    k = training_constants()
    shape, plan = _shape("llama3-8b"), Plan(dp=64, gbs=64, zero=3)
    slow, fast = (
        step_time(shape, plan, _gpu(), traffics(shape, plan, _cluster(nics=n)), k, 64).total_s for n in (1, 8)
    )
    assert fast < slow


def test_shares_add_up() -> None:
    found = analyze(_project(), "before").train("w").training
    step = found.step
    parts = found.compute_s + step.exposed_s + step.bubble_s + step.offload_s
    assert parts == pytest.approx(found.step_time_s)
    assert found.gpu_utilisation <= 1 - found.communication_share
    assert found.low_s < found.step_time_s < found.high_s
    document = found.to_json()
    assert {"step_time_s", "compute_s", "exposed_communication_s", "bubble_s", "offload_s", "mfu", "gpu_utilisation",
            "communication_share", "tokens_per_s", "days", "memory_per_gpu_bytes", "memory_per_host_bytes",
            "sensitivity"} <= set(document)  # fmt: skip
    assert document["days"] == pytest.approx(found.tokens / found.tokens_per_s / 86400)
    assert [row for row in document["sensitivity"] if row["step_time_s"] > 0]  # type: ignore[attr-defined]


def _project(**plan: object) -> Project:
    project = TEMPLATES["seed-b-512"].build(servers=4, key_nodes=2)
    stated = {"gbs": 64, "mbs": 1, "zero": 3} | plan
    return replace(project, workloads=project.workloads.put("w", workload_of("llama3-8b", **stated)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"tp": 3}, ("does not divide 32", "would fit")),
        ({"tp": 8, "dp": 3}, ("32 take part", "DP 4")),
        ({"pp": 32, "vpp": 2, "zero": 0}, ("layers", "PP")),
        ({"ep": 4}, ("needs a model with experts", "EP 1")),
        ({"gbs": 33}, ("multiple of DP", "32 is")),
        ({"pp": 4, "gbs": 16, "zero": 1}, ("too few for a pipeline of 4", "32")),
    ],
)
def test_bad_plans_say_what_would_work(plan: dict[str, object], words: tuple[str, ...]) -> None:
    with pytest.raises(UserError) as caught:
        analyze(_project(**plan), "before").train("w")
    text = caught.value.message.english()
    assert all(word in text for word in words), text
    assert "\n" not in text


def test_experts_and_heads_must_divide() -> None:
    mixtral = _shape("mixtral-8x7b")
    with pytest.raises(UserError, match=r"8 experts do not divide over EP 3; EP [24]"):
        check_plan(Plan(dp=24, ep=3, gbs=24), mixtral)
    with pytest.raises(UserError, match="heads do not divide over TP 5"):
        check_plan(Plan(tp=5, gbs=1), mixtral)


def test_a_model_that_fits_nowhere_says_what_would_do() -> None:
    project = _project()
    row = Workload(
        "huge", project.workloads["w"].model.put("params_b", 50_000.0).put("layers", 400).put("hidden", 100_000)
    )
    project = replace(project, workloads=project.workloads.put("huge", row))
    with pytest.raises(UserError) as caught:
        analyze(project, "before").train("huge")
    text = caught.value.message.english()
    assert text.startswith("The model fits nowhere") and text.endswith("GB would do.")


@pytest.mark.parametrize(
    ("params_b", "nearest", "offload"),
    [
        (400.0, "with the optimizer offloaded to the host", "optimizer"),
        (2000.0, "with all of its state offloaded to the host", "all"),
    ],
)
def test_the_nearest_that_works_does_work(params_b: float, nearest: str, offload: str) -> None:
    """32 H100 in four servers; what the sentence names is then predicted."""
    project = _project()
    row = Workload("large", Table({"params_b": params_b}), Table({"gbs": 512}))
    with pytest.raises(UserError, match=nearest):
        analyze(replace(project, workloads=project.workloads.put("large", row)), "before").train("large")
    row = replace(row, plan=row.plan.put("offload", offload))
    project = replace(project, workloads=project.workloads.put("large", row))
    assert analyze(project, "before").train("large").training.step_time_s > 0


def test_search_ranks_reports_and_stops() -> None:
    analysis = analyze(_project(), "before")
    job, _ = job_of(analysis, analysis.project.workloads["w"], groups_of(analysis))
    groups = groups_of(analysis)
    best = ranked(job, groups, keep=5)
    times = [row.step_time_s for row in best]
    assert times == sorted(times)
    assert all(row.memory <= 0.9 * job.gpu.memory for row in best)
    assert all(row.reason.english() for row in best)
    seen = list(search(job, groups))
    assert seen[-1].done == seen[-1].total == len(layouts(job, groups.n))
    stopped = list(search(job, groups, cancelled=lambda: True))
    assert stopped[-1].fit == 0


def test_offloaded_state_takes_the_path_through_the_host() -> None:
    """CXL adds room; the part of the optimizer that lies there runs at the card's rate."""
    analysis = analyze(_project(), "before")
    interior = next(iter(analysis.interiors().values()))
    from fabricwright.design.training.memory import HostMemory

    dram = Tier("dram", 1e12, 200e9, 200e9, 1e-7)
    cxl = Tier("cxl", 4e12, 55e9, 55e9, 2.5e-7)
    host = HostMemory(0.0, 20e9, 120e9)
    near = place(host, Plan(offload="optimizer", zero=3, dp=32), (dram,), interior, 4)
    far = place(host, Plan(offload="optimizer", zero=3, dp=32, tier="cxl"), (dram, cxl), interior, 4)
    params = 4 * 120e9 / 12
    assert near.update_s == pytest.approx(params * 28 / 200e9)
    assert far.update_s == pytest.approx(params * 28 / 55e9)
    assert far.link_s == pytest.approx(near.link_s)
    with pytest.raises(UserError, match="more would do"):
        place(HostMemory(0.0, 0.0, 900e9), Plan(offload="optimizer"), (dram,), interior, 8)


def test_money_by_hand() -> None:
    """32 GPUs at 10 a GPU-hour: 320 x step/3600 a step; saving over the tokens of a month (730 h)."""
    found = analyze(_project(), "before").train("w").training
    cost = cost_of(found, Prices(gpu_hour=10.0), 0.0)
    assert cost is not None
    assert cost.step[0] == pytest.approx(320 * found.step_time_s / 3600)
    assert cost.token[0] * found.tokens_per_step == pytest.approx(cost.step[0])
    half = replace(cost, token=tuple(t / 2 for t in cost.token))  # type: ignore[arg-type]
    saving = saving_of(found, cost, found, half, 1e6)
    assert saving.month[0] == pytest.approx(320 * 730 / 2)
    assert saving.payback_months[0] == pytest.approx(1e6 / (320 * 730 / 2))
    assert saving.month[1] <= saving.month[0] <= saving.month[2]
    own = cost_of(found, Prices(system=8760.0 * 4 * 0.9 * 100, kwh=1.0, pue=1.5), 2000.0)
    assert own is not None
    assert own.hour == pytest.approx(100 + 3)


def test_plan_leaves_data_ranks_to_the_rest() -> None:
    plan = plan_of({"tp": 8, "pp": 4, "gbs": 1536}, GPT3, 256)
    assert (plan.dp, plan.micro_batches, plan.stage) == (8, 192, 1)
    assert math.isclose(plan.ranks, 256)
