"""Layers and groups that the published models of the other tests do not have: experts, adapters, long contexts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabricwright.catalog.store import catalogue
from fabricwright.design.training.memory import HostMemory
from fabricwright.design.training.plan import Plan
from fabricwright.design.training.presets import PRESETS, preset
from fabricwright.design.training.shape import Shape, shape_of
from fabricwright.performance.measured.design import compiled
from fabricwright.performance.measured.hardware import Hardware
from fabricwright.performance.training.compute import layer_time, model_flops
from fabricwright.performance.training.gpu import Gpu, gpu_of
from fabricwright.performance.training.groups import NOTHING, Groups
from fabricwright.performance.training.money import Prices, cost_of, prices_of
from fabricwright.performance.training.offload import place
from fabricwright.performance.training.step import once_per_server, step_time, traffics
from fabricwright.performance.training.train import training_constants
from fabricwright.topology.host_memory import Tier
from fabricwright.units.errors import UserError

K = training_constants()


def shape(name: str) -> Shape:
    found = shape_of(preset(name).model)
    assert found is not None
    return found


def gpu(name: str = "h100-sxm5-80gb") -> Gpu:
    return gpu_of(catalogue().get(name), name, K)


def cluster(servers: int = 4) -> Groups:
    return Groups(compiled(Hardware("nvlink", 4, 450.0, 5, servers, 8, 8, 8, 400.0, "infiniband", 1), {}))


MIXTURE = next(s for name in PRESETS if (s := shape(name)).experts)
DENSE = shape("llama3-8b")


def test_tokens_go_to_each_server_once() -> None:
    """Two experts on two servers: 2 x (1 - 1/4) = 1.5 servers of 2 are reached; eight on two: 2 x (1 - 1/256) of 8."""
    assert once_per_server(1, 8) == 1.0
    assert once_per_server(2, 2) == pytest.approx(0.75)
    assert once_per_server(2, 8) == pytest.approx(2 * (1 - 1 / 256) / 8)
    assert once_per_server(64, 1) == pytest.approx(1.0)


def test_experts_shared_out_read_fewer_weights() -> None:
    one, eight = (layer_time(MIXTURE, Plan(ep=n, gbs=8), gpu(), K).total for n in (1, 8))
    assert eight < one


def test_a_mixture_without_experts_is_a_plain_layer() -> None:
    """The same active parameters take longer where tokens are sorted to experts."""
    plain = replace(MIXTURE, experts=0)
    assert layer_time(plain, Plan(gbs=8), gpu(), K).total < layer_time(MIXTURE, Plan(gbs=8), gpu(), K).total


def test_expert_traffic_is_less_in_eight_bits() -> None:
    """There in fp8 and back in 16 bits: three quarters of both in 16 bits, and a little latency."""
    plan = Plan(dp=32, ep=8, gbs=32)
    wide, narrow = (traffics(MIXTURE, replace(plan, precision=p), cluster()).expert.time_s for p in ("bf16", "fp8"))
    assert 0.7 * wide < narrow < wide
    assert traffics(MIXTURE, replace(plan, ep=1), cluster()).expert is NOTHING


def test_context_parallel_ranks_pass_keys_on() -> None:
    """3 (cp - 1) hops of 2 x 2 x tokens x kv heads x head size bytes."""
    two, four = (traffics(DENSE, Plan(dp=8, cp=n, gbs=8), cluster()).context.time_s for n in (2, 4))
    assert 0 < two < four
    assert traffics(DENSE, Plan(dp=32, gbs=32), cluster()).context is NOTHING


def test_tensor_parallel_without_sequence_parallel_is_an_all_reduce() -> None:
    """An all-reduce moves what a reduce-scatter and an all-gather move, and less where the NVLink switch reduces; it is
    repeated whole for recomputation.
    """
    plan = Plan(tp=8, dp=4, gbs=32)
    apart, whole = (traffics(DENSE, replace(plan, sequence=s), cluster()) for s in (True, False))
    assert 0.4 * apart.tensor_forward.time_s < whole.tensor_forward.time_s <= 1.05 * apart.tensor_forward.time_s
    assert whole.tensor_again == whole.tensor_forward


def test_gradients_are_reduced_whole_without_sharing() -> None:
    plan = Plan(dp=32, gbs=32)
    plain, shared = (traffics(DENSE, replace(plan, zero=z), cluster()) for z in (0, 1))
    assert plain.gather is NOTHING and shared.gather.time_s > 0
    # 2 (n-1)/n x bytes against (n-1)/n x bytes, and 2 bytes of gradients each
    assert plain.reduce.time_s == pytest.approx(2 * shared.reduce.time_s, rel=0.3)


def test_adapters_send_a_fiftieth_and_nothing_before_stage_3() -> None:
    plan = Plan(dp=32, gbs=32, frozen=True)
    assert traffics(DENSE, replace(plan, zero=1), cluster()).reduce is NOTHING
    assert traffics(DENSE, replace(plan, zero=0), cluster()).reduce.time_s < (
        0.1 * traffics(DENSE, replace(plan, zero=0, frozen=False), cluster()).reduce.time_s
    )


def test_parameters_shared_by_some_ranks_are_reduced_among_the_others() -> None:
    """Eight shards on 32 ranks: a reduce-scatter among eight, then an all-reduce of an eighth among four."""
    plan = Plan(dp=32, gbs=32, zero=3)
    all_of, eight = (traffics(DENSE, replace(plan, shard=n), cluster()) for n in (0, 8))
    assert eight.gather.time_s < all_of.gather.time_s  # inside a server
    assert eight.reduce.time_s > 0


def test_without_overlap_all_of_it_is_waited_for() -> None:
    plan = Plan(dp=32, gbs=32, zero=1)
    sent = traffics(DENSE, plan, cluster())
    hidden, open_ = (step_time(DENSE, replace(plan, overlap=o), gpu(), sent, K, 32) for o in (True, False))
    assert open_.exposed_s == pytest.approx(sent.reduce.time_s + sent.gather.time_s, rel=0.01)
    assert hidden.exposed_s < open_.exposed_s


def test_operations_of_an_adapters_step() -> None:
    """4 per active parameter and token, and 12 L s w of the scores."""
    plan = Plan(gbs=2, frozen=True)
    by_hand = 2 * DENSE.seq * (4 * DENSE.active_params + 12 * DENSE.layers * DENSE.seq * DENSE.attention_width)
    assert model_flops(DENSE, plan) == by_hand


def test_selective_recomputation_costs_less_than_full() -> None:
    none, part, full = (layer_time(DENSE, Plan(gbs=8, recompute=r), gpu(), K) for r in ("", "selective", "full"))
    assert none.again == 0 < part.again < full.again


def test_attention_that_leaves_the_chip_takes_longer() -> None:
    on, off = (layer_time(DENSE, Plan(gbs=8, flash=f), gpu(), K).attention for f in (True, False))
    assert off > on


# -- GPUs


def test_families_follow_from_rates() -> None:
    own = gpu()
    assert own.family == "hopper"
    assert replace(own, peak_fp8=own.peak_bf16).family == "ampere"
    big = replace(own, peak_bf16=2.25e15, peak_fp8=4.5e15, peak_fp4=9e15)
    assert replace(big, memory=192e9).family == "blackwell" and replace(big, memory=288e9).family == "ultra"


def test_rates_of_precisions() -> None:
    """tf32 is half of bf16; fp4 has fp8's share of its peak."""
    row = Gpu("x", 1e15, 2e15, 4e15, 0.8e15, 1.5e15, 3e12, 80e9, 700.0, True)
    assert [row.peak(p) for p in ("bf16", "fp8", "fp4", "tf32")] == [1e15, 2e15, 4e15, 0.5e15]
    assert [row.best(p) for p in ("bf16", "fp8", "fp4", "tf32")] == [0.8e15, 1.5e15, 3e15, 0.4e15]
    big = replace(row, peak_bf16=2.25e15, peak_fp8=4.5e15, peak_fp4=9e15, best_bf16=1.8e15, best_fp8=3.4e15)
    four, eight = (layer_time(DENSE, Plan(gbs=8, precision=p), big, K).total for p in ("fp4", "fp8"))
    assert four < eight


def test_a_gpu_without_rates_is_one_sentence() -> None:
    nic = catalogue().get("mcx715105as-weat")
    with pytest.raises(UserError, match="x has no peak rate or memory rate in the catalogue"):
        gpu_of(nic, "x", K)


# -- groups, memory of hosts, money


def test_a_group_of_one_sends_nothing() -> None:
    groups = cluster()
    assert groups.exchange("all_reduce", 1, 1, 1e6) is NOTHING
    assert groups.exchange("all_reduce", 1, 64, 1e6) is NOTHING  # more than there are
    assert (groups.servers(1, 1), groups.servers(1, 8), groups.servers(8, 4)) == (1, 1, 4)


def test_a_tier_that_the_server_does_not_have() -> None:
    interior = cluster().cluster.interiors[0]
    dram = Tier("dram", 1e12, 200e9, 200e9, 1e-7)
    with pytest.raises(UserError, match="offloads to CXL, but the server has none; it has DRAM"):
        place(HostMemory(0.0, 0.0, 1e9), Plan(offload="optimizer", tier="cxl"), (dram,), interior, 8)


def test_prices_that_are_assumed_are_said() -> None:
    found = prices_of({"money.kwh": 0.1}, 1e6, "EUR")
    said = [note.english() for note in found.assumed]
    assert said[0].startswith("PUE is not stated") and said[1].startswith("Years of use are not stated")
    assert (found.system, found.currency) == (1e6, "EUR")
    assert cost_of(None, Prices(), 1e3) is None  # type: ignore[arg-type]
