"""The file of measured training runs, and what each row states in the words of the model.

Only facts count: hardware, shape of the model, plan. A row's id and source are never read here (``row`` keeps them for
whoever prints). What a row does not state is filled by rule and noted; what cannot be told is said (``problem``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from fabricwright.catalog.store import catalogue
from fabricwright.design.training.figures import number_of
from fabricwright.design.training.plan import Plan, precision_of, recompute_of, zero_stage
from fabricwright.design.training.presets import PRESETS, preset_named
from fabricwright.design.training.shape import Shape, assumed_shape, shape_of
from fabricwright.performance.calibration import Calibration
from fabricwright.performance.measured.entries import Entry
from fabricwright.performance.measured.hardware import Hardware, hardware_of
from fabricwright.performance.training.gpu import Gpu, gpu_of
from fabricwright.units import limits
from fabricwright.units.errors import UserError
from fabricwright.units.reading import plain_json, read_file
from fabricwright.units.text import Message, msg

GPUS: tuple[tuple[str, str], ...] = (
    (r"GB300|B300", "b300-sxm-288gb"),
    (r"GB200", "gb200-gpu"),
    (r"\bB200", "b200-sxm-180gb"),
    (r"H200.*NVL", "h200-nvl-141gb"),
    (r"H200", "h200-sxm-141gb"),
    (r"H100.*(PCIE)", "h100-pcie-80gb"),
    (r"H100.*NVL", "h100-nvl-94gb"),
    (r"G?H100|GH200", "h100-sxm5-80gb"),
    (r"H800", "h800-sxm5-80gb"),
    (r"\bH20\b", "h20-sxm5-96gb"),
    (r"A100.*PCIE.*40", "a100-pcie-40gb"),
    (r"A100.*PCIE", "a100-pcie-80gb"),
    (r"A100.*40", "a100-sxm4-40gb"),
    (r"A100", "a100-sxm4-80gb"),
    (r"A800", "a800-sxm4-80gb"),
    (r"V100.*PCIE", "v100-pcie-32gb"),
    (r"V100", "v100-sxm2-32gb"),
    (r"MI250", "mi250x"),
    (r"MI300", "mi300x"),
    (r"MI325", "mi325x"),
    (r"MI350", "mi350x"),
    (r"MI355", "mi355x"),
    (r"GAUDI ?3", "gaudi3"),
    (r"910B", "ascend-910b"),
    (r"910C", "ascend-910c"),
    (r"L40S", "l40s"),
    (r"4090", "rtx4090"),
    (r"5090", "rtx5090"),
)
"""Name in a table of results to the catalogue's part. The first match counts."""
HBM2E_RATE = 2.4e12
"""bytes/s of an H100 with HBM2e (96 GB, five stacks): H100 PCIe has 2.0e12 with 80 GB of it; an estimate."""
MOST_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Case:
    """One row. ``measured_s`` 0 = no step time. ``problem``: why it cannot be predicted. ``cap`` power over what the
    GPU may draw, 1 = not capped."""

    row: Mapping[str, object]
    measured_s: float
    shape: Shape | None = None
    plan: Plan | None = None
    gpu: Gpu | None = None
    hardware: Hardware | None = None
    cap: float = 1.0
    notes: tuple[Message, ...] = ()
    problem: Message | None = None

    @property
    def id(self) -> str:
        """The row's name, for printing."""
        return str(self.row.get("id") or "")

    @property
    def known(self) -> bool:
        """Whether it can be predicted."""
        return self.problem is None


def load_rows(path: Path) -> list[Mapping[str, object]]:
    """Rows of a file. ``UserError`` (one sentence) when it cannot be read or is no list of objects."""
    otherwise = msg("{file}: not JSON; expected a list of training runs.", file=str(path))
    document = plain_json(read_file(path, limits.MEASURED_BYTES), str(path), limits.MEASURED_DEPTH, otherwise)
    if not isinstance(document, list) or not all(isinstance(row, dict) for row in document):
        raise UserError(msg("{file}: expected a list of training runs.", file=str(path)))
    if len(document) > MOST_ROWS:
        raise UserError(msg("{file}: more than {most} rows.", file=str(path), most=MOST_ROWS))
    return document


def measured_seconds(row: Mapping[str, object]) -> float:
    """Step time of a row; from its token rate where only that and the batch are stated; 0 where neither is."""
    seconds = _positive(row, "step_time_s")
    if seconds:
        return seconds
    rate, batch = _positive(row, "tokens_per_s_per_gpu"), _positive(row, "gbs") * _positive(row, "seq")
    return batch / (rate * gpus) if rate and batch and (gpus := _positive(row, "gpus")) else 0.0


def case_of(row: Mapping[str, object], constants: Calibration) -> Case:
    """A row in the words of the model."""
    notes: list[Message] = []
    seconds = measured_seconds(row)
    try:
        gpu, part, cap = _gpu(row, constants)
        shape = _shape(row, notes)
        plan = _plan(row, shape, notes)
        shape = replace(shape, seq=int(_positive(row, "seq")))
        hardware = _hardware(row, plan, notes)
    except UserError as error:
        return Case(row, seconds, notes=tuple(notes), problem=error.message)
    del part
    return Case(row, seconds, shape, plan, gpu, hardware, cap, tuple(notes))


def _positive(row: Mapping[str, object], key: str) -> float:
    value = number_of(row, key)
    return value if value is not None and math.isfinite(value) and 0 < value < 1e15 else 0.0


def _text(row: Mapping[str, object], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def _gpu(row: Mapping[str, object], constants: Calibration) -> tuple[Gpu, str, float]:
    name = _text(row, "gpu")
    upper = name.upper().replace("_", " ")
    part_id = next((part for pattern, part in GPUS if re.search(pattern, upper)), "")
    if not part_id:
        raise UserError(msg("GPU '{name}' is not known.", name=name[:60]))
    gpu = gpu_of(catalogue().get(part_id), part_id, constants)
    if "GB300" in upper:  # 10/9 of B300's dense rates (NVIDIA GB300 NVL72: 360 PFLOPS of fp8 in 72 GPUs)
        faster = 10 / 9
        gpu = replace(
            gpu,
            peak_bf16=gpu.peak_bf16 * faster,
            peak_fp8=gpu.peak_fp8 * faster,
            peak_fp4=gpu.peak_fp4,
            best_bf16=gpu.best_bf16 * faster,
            best_fp8=gpu.best_fp8 * faster,
        )
    size = re.search(r"(\d+) ?GB\b", upper)
    if size:
        gpu = replace(gpu, memory=float(size[1]) * 1e9)
    if "HBM2E" in upper and "H100" in upper:
        gpu = replace(gpu, memory_rate=HBM2E_RATE)
    watts = re.search(r"(\d+) ?W\b", upper)
    cap = min(float(watts[1]) / gpu.power_w, 1.0) if watts and gpu.power_w else 1.0
    return gpu, part_id, cap


def _shape(row: Mapping[str, object], notes: list[Message]) -> Shape:
    fields = {key: row.get(key) for key in ("params_b", "layers", "hidden", "ffn", "heads", "kv_heads", "vocab", "seq")}
    fields |= {
        key: row.get(key) for key in ("experts", "top_k", "expert_ffn", "shared_ffn", "dense_layers", "head_dim")
    }
    if _positive(row, "layers") and _positive(row, "hidden"):
        if not _positive(row, "vocab"):
            same = _alike(row)
            if same:
                fields["vocab"] = same
        shape = shape_of(fields)
        assert shape is not None
        return shape
    if not _positive(row, "seq"):
        raise UserError(msg("Neither the model's shape nor the sequence length is stated."))
    published = preset_named(_text(row, "model"))
    if published is not None:
        shape = shape_of({**published.model, "seq": row.get("seq")})
        assert shape is not None
        notes.append(
            msg("The shape is not stated; that of {model} ({source}).", model=published.title, source=published.source)
        )
        return shape
    rate, speed = _positive(row, "tflops_per_gpu"), _positive(row, "tokens_per_s_per_gpu")
    if rate and speed:
        # both rates hold the time; their quotient, operations per token, is a fact about the model
        params = max(rate * 1e12 / speed / 6.0, 1e6)
        notes.append(
            msg(
                "The shape is not stated; {n} operations per token follow from the two rates of the row.",
                n=f"{rate * 1e12 / speed:.3g}",
            )
        )
        assumed = assumed_shape(params, int(_positive(row, "seq")))
        ep = int(_positive(row, "ep"))
        if ep > 1:
            return replace(
                assumed,
                experts=max(ep, 64),
                top_k=8,
                expert_ffn=max(assumed.ffn // 8, 1),
                assumed=True,
                params=assumed.params,
            )
        return assumed
    if _positive(row, "params_b"):
        notes.append(msg("The shape is not stated; a GPT of that size assumed."))
        return assumed_shape(_positive(row, "params_b") * 1e9, int(_positive(row, "seq")))
    raise UserError(msg("The model's shape is not stated."))


def _alike(row: Mapping[str, object]) -> float:
    """Vocabulary of the published model with the same layers, width and feed-forward width; 0 if there is none."""
    for one in PRESETS.values():
        if all(_positive(row, key) == one.model.get(key) for key in ("layers", "hidden", "ffn", "kv_heads")):
            return number_of(one.model, "vocab") or 0.0
    return 0.0


def _plan(row: Mapping[str, object], shape: Shape, notes: list[Message]) -> Plan:
    gpus = int(_positive(row, "gpus"))
    if not gpus:
        raise UserError(msg("The number of GPUs is not stated."))
    if not _positive(row, "gbs") or not _positive(row, "seq"):
        raise UserError(msg("Batch or sequence length is not stated."))
    precision = precision_of(_text(row, "precision"))
    ampere = bool(re.search(r"\bA[18]00|V100", _text(row, "gpu").upper()))
    # Megatron's own plans (nothing sharded) on GPUs of that time are older than fused attention and overlap
    classic = precision == "fp16" or (ampere and not zero_stage({"sharding": _text(row, "sharding").lower()}))
    stated = {key: int(_positive(row, key)) for key in ("tp", "pp", "dp", "cp", "ep", "vpp", "mbs")}
    if not any(stated[key] for key in ("tp", "pp", "dp")):
        stated |= _usual(shape, gpus, row)
        notes.append(msg("The layout is not stated; TP {tp} and PP {pp} assumed.", tp=stated["tp"], pp=stated["pp"]))
    tp, pp, cp = (max(stated[key], 1) for key in ("tp", "pp", "cp"))
    dp = stated["dp"] or max(gpus // (tp * pp * cp), 1)
    if tp * pp * cp * dp != gpus and tp * pp * dp == gpus:
        cp = 1  # data-parallel ranks were counted with those of context parallelism
    if tp * pp * cp * dp != gpus:
        if tp * pp * cp > gpus or gpus % (tp * pp * cp):
            raise UserError(
                msg("TP {tp} x PP {pp} x CP {cp} does not divide {gpus} GPUs.", tp=tp, pp=pp, cp=cp, gpus=gpus)
            )
        dp = gpus // (tp * pp * cp)
    gbs = int(_positive(row, "gbs"))
    mbs = stated["mbs"] or 1
    if gbs < dp * mbs:
        mbs = max(gbs // dp, 1)
    words = " ".join(_text(row, key) for key in ("model", "notes", "recompute")).lower()
    sharding = _text(row, "sharding").lower()
    zero = zero_stage({"sharding": sharding})
    part = re.search(r"fsdp ?(\d\d+)", sharding)
    recompute = _text(row, "recompute").lower()
    how = (
        "full"
        if recompute.startswith("full")
        else "selective"
        if recompute.startswith("selective")
        else recompute_of({"recompute": recompute})
    )
    return Plan(
        tp,
        pp,
        dp,
        cp,
        max(stated["ep"], 1),
        max(stated["vpp"], 1),
        mbs,
        gbs,
        zero,
        None if classic or zero is not None else True,
        precision,
        how,
        sequence=not classic or "seq" in recompute,
        flash=not classic,
        overlap=not classic,
        frozen="lora" in words,
        shard=int(part[1]) if part else 0,
    )


def _usual(shape: Shape, gpus: int, row: Mapping[str, object]) -> dict[str, int]:
    """TP within eight GPUs and the fewest stages by which 18 bytes per parameter fit 60 GB a GPU with shared
    optimizers."""
    frozen = "lora" in (_text(row, "model") + _text(row, "notes")).lower()
    per_gpu = (2 if frozen else 6) * shape.params / 45e9
    tp = next((t for t in (1, 2, 4, 8) if per_gpu / t <= 1), 8)
    tp = min(tp, gpus)
    while gpus % tp:
        tp //= 2
    pp = 1
    for candidate in range(1, min(shape.layers, gpus // tp) + 1):
        if shape.layers % candidate == 0 and (gpus // tp) % candidate == 0:
            pp = candidate
            if per_gpu / tp / candidate <= 1:
                break
    return {"tp": tp, "pp": pp}


def _hardware(row: Mapping[str, object], plan: Plan, notes: list[Message]) -> Hardware:
    gpus = plan.ranks
    per_node = int(_positive(row, "gpus_per_node")) or min(8, gpus)
    per_node = min(per_node, gpus)
    text = _text(row, "interconnect")
    fields: dict[str, object] = {"gpu": _text(row, "gpu"), "fabric_kind": _fabric(text)}
    if re.search(r"NVL ?(36|72|144|576)", text.upper()) and per_node < gpus:
        # jobs of several racks take 64 GPUs of each, so that groups of powers of two stay inside
        fields["nvlink_domain_gpus"] = min(gpus, 64 if gpus > 72 and gpus % 64 == 0 else 72)
    count, gbps = _nics(text, per_node, str(fields["gpu"]))
    if count:
        fields |= {"nics_per_node": count, "nic_gbps": gbps}
    nodes = math.ceil(gpus / per_node)
    entry = Entry("", fields, "all_reduce", nodes, per_node, (1,), (1.0,), True)
    hardware, remarks = hardware_of(entry)
    if gpus % per_node:
        hardware = replace(hardware, last_gpus=gpus - (hardware.servers - 1) * hardware.gpus)
    notes.extend(remarks[1:] if remarks and "joined" in remarks[0].template else remarks)
    return hardware


def _fabric(text: str) -> str:
    upper = text.upper()
    if re.search(r"\bIB\b|INFINIBAND|HDR|NDR|XDR|EDR", upper):
        return "infiniband" if "ROCE" not in upper else "unknown"
    if "ROCE" in upper or "ETHERNET" in upper:
        return "roce"
    return "efa" if "EFA" in upper else "unknown"


def _nics(text: str, per_node: int, gpu: str) -> tuple[int, float]:
    """(NIC ports per node, Gb/s of each) of a sentence about the network; (0, 0) where it does not say."""
    found = re.search(r"(\d+) ?x ?(?:HDR|NDR|XDR|EDR)? ?(\d{2,3})\b", text)
    if found:
        return int(found[1]), float(found[2])
    found = re.search(r"(\d+) ?x ?(HDR|NDR|XDR|EDR)\b", text)
    if found:
        return int(found[1]), {"EDR": 100.0, "HDR": 200.0, "NDR": 400.0, "XDR": 800.0}[found[2]]
    found = re.search(r"(\d+) ?Gb/s[^,;]*per GPU", text)
    if found:
        return per_node, float(found[1])
    found = re.search(r"(\d+) ?Gb(?:/s|ps)[^,;]*per node", text)
    if found:
        total = float(found[1])
        each = 400.0 if total >= 3200 or re.search(r"[HB][123]00", gpu) else 200.0
        return max(round(total / each), 1), each if total >= each else total
    return 0, 0.0
