"""How a model is spread over the ranks: batch, parallel degrees, sharding, precision, recomputation, offload.

Rank order is Megatron's: tensor-parallel ranks are neighbours, then context, data, pipeline
(``megatron/core/parallel_state.py``, order tp-cp-ep-dp-pp); expert-parallel groups lie within data x context.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fabricwright.design.training.figures import number_of
from fabricwright.design.training.shape import Shape
from fabricwright.units.errors import UserError
from fabricwright.units.record import record
from fabricwright.units.text import msg

ASSUMED_TOKENS = 4 << 20
"""Tokens of a step where no batch is stated: within the 3.2 to 4 M of GPT-3 and Llama 3
(arXiv 2005.14165, 2407.21783)."""

BYTES_OF = {"fp32": 4, "float32": 4, "tf32": 4, "fp16": 2, "bf16": 2, "float16": 2, "bfloat16": 2, "amp_bf16": 2}
OFF = frozenset({"", "off", "no", "none", "false", "0"})
FULL = frozenset({"full", "on", "true", "yes", "1"})
TIERS = ("dram", "cxl", "nvme")


@record
class Plan:
    """``zero`` stage 0 to 3 (None = not stated), ``distributed`` Megatron's optimizer; FSDP is stage 3. ``wrap``: the
    parameters are gathered layer by layer (stage 3). ``precision`` bf16, fp16, fp8, fp4, tf32. ``recompute`` "",
    selective, full. ``offload`` "" | optimizer | all, into ``tier`` dram, cxl or nvme ("" = DRAM, then CXL as far as it
    reaches). ``sequence`` parallel parts of the layers between the tensor-parallel ones. ``flash``: attention scores
    stay on the chip. ``frozen``: only adapters are trained. ``shard`` ranks that share parameters (0 = all data ranks).
    """

    tp: int = 1
    pp: int = 1
    dp: int = 1
    cp: int = 1
    ep: int = 1
    vpp: int = 1
    mbs: int = 1
    gbs: int = 0
    zero: int | None = None
    distributed: bool | None = None
    precision: str = "bf16"
    recompute: str = ""
    offload: str = ""
    tier: str = ""
    sequence: bool = True
    flash: bool = True
    overlap: bool = True
    frozen: bool = False
    shard: int = 0
    gbs_assumed: bool = False

    @property
    def ranks(self) -> int:
        """GPUs that take part."""
        return self.tp * self.pp * self.dp * self.cp

    @property
    def stage(self) -> int:
        """ZeRO stage that counts; Megatron's distributed optimizer shares the optimizer out (stage 1)."""
        return self.zero if self.zero is not None else 1 if self.distributed else 0

    @property
    def micro_batches(self) -> int:
        """Micro-batches of a step on one pipeline."""
        return max(self.gbs // (self.dp * self.mbs), 1)

    @property
    def shards(self) -> int:
        """Ranks that share what is shared out."""
        return min(self.shard, self.dp * self.cp) if self.shard else self.dp * self.cp


def word_of(values: Mapping[str, object], key: str) -> str:
    """A stated word in lower case; switches as on and off."""
    value = values.get(key)
    return "on" if value is True else "off" if value is False else str(value or "").strip().lower()


def zero_stage(values: Mapping[str, object]) -> int | None:
    """ZeRO stage that a plan states: ``zero``, or ``sharding`` (zero1 .. zero3, FSDP, FULL_SHARD = 3)."""
    zero = number_of(values, "zero")
    sharding = word_of(values, "sharding")
    if zero is None and sharding.startswith("zero"):
        tail = sharding[4:].strip(" -_")
        zero = number_of({"stage": tail}, "stage")
    if zero is None and sharding.startswith(("fsdp", "full_shard")):
        zero = 3.0
    return int(zero) if zero is not None and 0 <= zero <= 3 else None


def offload_of(values: Mapping[str, object]) -> str:
    """What is kept outside the GPU: "", optimizer, all."""
    word = word_of(values, "offload")
    return "" if word in OFF else "all" if word in ("all", "parameters", "params") else "optimizer"


def recompute_of(values: Mapping[str, object]) -> str:
    """ "", selective or full."""
    word = word_of(values, "recompute")
    return "" if word in OFF else "full" if word.partition(" ")[0] in FULL else "selective"


def precision_of(text: str) -> str:
    """fp4, fp8, fp16, tf32 or bf16 of the ways in which plans and tables write them."""
    word = text.lower()
    if "fp4" in word:
        return "fp4"
    if "fp8" in word:
        return "fp8"
    if "bf16" in word or "bfloat16" in word:
        return "bf16"
    if "fp16" in word or "float16" in word:
        return "fp16"
    return "tf32" if "32" in word else "bf16"


def degree(values: Mapping[str, object], key: str) -> int:
    """A parallel degree, 1 where it is not stated."""
    return max(int(number_of(values, key) or 1), 1)


def plan_of(values: Mapping[str, object], shape: Shape, ranks: int) -> Plan:
    """The plan that a workload states on so many ranks; what it leaves open is filled as a job would be launched.

    ``dp`` is what the others leave of the ranks; the batch (``gbs`` sequences) is about four million tokens. Raises
    UserError where the degrees do not divide the ranks, with the nearest that do.
    """
    tp, pp, cp, ep = (degree(values, key) for key in ("tp", "pp", "cp", "ep"))
    stated = int(number_of(values, "dp") or 0)
    product = tp * pp * cp
    if stated and stated * product != ranks:
        raise UserError(
            msg(
                "TP {tp} x PP {pp} x CP {cp} x DP {dp} is {product} GPUs, {ranks} take part; {nearest} would fit.",
                tp=tp,
                pp=pp,
                cp=cp,
                dp=stated,
                product=stated * product,
                ranks=ranks,
                nearest=f"DP {ranks // product}" if ranks % product == 0 else _smaller(tp, pp, cp, ranks, shape),
            )
        )
    if ranks % product:
        raise UserError(
            msg(
                "TP {tp} x PP {pp} x CP {cp} = {product} does not divide {ranks} GPUs; {nearest} would fit.",
                tp=tp,
                pp=pp,
                cp=cp,
                product=product,
                ranks=ranks,
                nearest=_smaller(tp, pp, cp, ranks, shape),
            )
        )
    dp = ranks // product
    mbs = max(int(number_of(values, "mbs", "micro_batch") or 1), 1)
    gbs = int(number_of(values, "gbs", "batch", "global_batch") or 0)
    assumed = gbs <= 0
    if assumed:
        steps = max(round(ASSUMED_TOKENS / (shape.seq * dp * mbs)), pp if pp > 1 else 1)
        gbs = steps * dp * mbs
    distributed = word_of(values, "distributed_optimizer")
    zero = zero_stage(values)
    # what Megatron-Core launches with today, unless the plan says otherwise
    shares = None if zero is not None else distributed not in OFF if distributed else True
    sequence = word_of(values, "sequence_parallel")
    tier = word_of(values, "offload_tier")
    return Plan(
        tp,
        pp,
        dp,
        cp,
        ep,
        degree(values, "vpp"),
        mbs,
        gbs,
        zero,
        shares,
        precision_of(word_of(values, "precision")),
        recompute_of(values),
        offload_of(values),
        tier if tier in TIERS else "",
        sequence not in OFF if sequence else True,
        word_of(values, "attention") not in ("unfused", "off"),
        word_of(values, "overlap") not in OFF - {""},
        word_of(values, "train") in ("lora", "adapters"),
        int(number_of(values, "shard") or 0),
        assumed,
    )


def _smaller(tp: int, pp: int, cp: int, ranks: int, shape: Shape) -> str:
    """Nearest degrees that divide the ranks and the model, changing one where one is enough."""
    best: tuple[int, str] | None = None
    for t in sorted({d for d in range(1, ranks + 1) if ranks % d == 0 and d <= max(2 * tp, 8)}):
        if shape.heads % t:
            continue
        for p in sorted({d for d in range(1, ranks // t + 1) if (ranks // t) % d == 0 and d <= max(2 * pp, 8)}):
            if (ranks // (t * p)) % cp or not _even(shape.layers, p):
                continue
            cost = abs(t - tp) * 3 + abs(p - pp)
            if best is None or cost < best[0]:
                best = cost, f"TP {t} x PP {p} x CP {cp} x DP {ranks // (t * p * cp)}"
    return best[1] if best else f"TP 1 x PP 1 x CP 1 x DP {ranks}"


def check_plan(plan: Plan, shape: Shape) -> None:
    """Raise UserError for a plan that cannot run on this model; each sentence names the nearest that can."""
    cut = plan.pp * plan.vpp
    if not _even(shape.layers, cut) and plan.pp > 1:
        raise UserError(
            msg(
                "{layers} layers do not divide over PP {pp} x {vpp} interleaved parts; {nearest} would.",
                layers=shape.layers,
                pp=plan.pp,
                vpp=plan.vpp,
                nearest=_nearest_cut(shape.layers, plan),
            )
        )
    if plan.tp > 1 and shape.heads % plan.tp:
        raise UserError(
            msg(
                "{heads} attention heads do not divide over TP {tp}; TP {nearest} would.",
                heads=shape.heads,
                tp=plan.tp,
                nearest=_nearest_of(
                    (t for t in range(1, plan.tp + 1) if shape.heads % t == 0 and _room(plan, plan.pp) % t == 0),
                    plan.tp,
                ),
            )
        )
    if plan.ep > 1 and not shape.experts:
        raise UserError(msg("EP {ep} needs a model with experts; this one has none: EP 1.", ep=plan.ep))
    if plan.ep > 1 and shape.experts % plan.ep:
        raise UserError(
            msg(
                "{experts} experts do not divide over EP {ep}; EP {nearest} would.",
                experts=shape.experts,
                ep=plan.ep,
                nearest=_nearest_divisor(_gcd(plan.dp * plan.cp * plan.tp, shape.experts), plan.ep),
            )
        )
    room = plan.dp * plan.cp * plan.tp
    if plan.ep > room or room % plan.ep:
        raise UserError(
            msg(
                "EP {ep} must divide the {room} GPUs of a pipeline stage; EP {nearest} does.",
                ep=plan.ep,
                room=room,
                nearest=_nearest_divisor(_gcd(room, shape.experts or room), plan.ep),
            )
        )
    least = plan.dp * plan.mbs
    if plan.gbs % least or plan.gbs < least:
        raise UserError(
            msg(
                "A batch of {gbs} is not a multiple of DP {dp} x {mbs} sequences; {nearest} is.",
                gbs=plan.gbs,
                dp=plan.dp,
                mbs=plan.mbs,
                nearest=max(round(plan.gbs / least), plan.pp if plan.pp > 1 else 1) * least,
            )
        )
    if plan.pp > 1 and plan.micro_batches < plan.pp:
        raise UserError(
            msg(
                "A batch of {gbs} gives {n} micro-batches, too few for a pipeline of {pp} stages; {nearest} would do.",
                gbs=plan.gbs,
                n=plan.micro_batches,
                pp=plan.pp,
                nearest=plan.pp * least,
            )
        )


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _embedding_trick(layers: int, cut: int) -> bool:
    """Megatron counts embedding and loss as a layer each where that makes the parts even (126 + 2 = 128)."""
    return (layers + 2) % cut == 0 or (layers + 1) % cut == 0


def _even(layers: int, cut: int) -> bool:
    """Whether layers divide over so many parts."""
    return layers % cut == 0 or _embedding_trick(layers, cut)


def _room(plan: Plan, pp: int) -> int:
    """GPUs of a pipeline stage and context rank, were there ``pp`` stages; 1 where those do not divide."""
    return plan.ranks // (pp * plan.cp) if plan.ranks % (pp * plan.cp) == 0 else 1


def _nearest_of(options: Iterable[int], wanted: int) -> int:
    return min(options, key=lambda n: abs(n - wanted), default=1)


def _nearest_cut(layers: int, plan: Plan) -> str:
    """Nearest pipeline that divides the layers and the GPUs, as interleaved as stated where that can be."""
    fits = [p for p in range(1, layers + 1) if plan.ranks % (p * plan.tp * plan.cp) == 0]
    for parts in dict.fromkeys((plan.vpp, 1)):
        good = [p for p in fits if _even(layers, p * parts) and (p > 1 or parts == 1)]
        if good and (parts == 1 or max(good) > 1):
            return f"PP {_nearest_of(good, plan.pp)} x {parts}"
    return "PP 1 x 1"


def _nearest_divisor(whole: int, wanted: int) -> int:
    return min((d for d in range(1, whole + 1) if whole % d == 0), key=lambda d: abs(d - wanted))
