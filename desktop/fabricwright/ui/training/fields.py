"""Fields of the workload editor: which there are, where they stand, what they are called."""

from __future__ import annotations

from dataclasses import dataclass

from fabricwright.ui.i18n import text_of
from fabricwright.units.text import Message, msg


@dataclass(frozen=True, slots=True)
class Group:
    """Fields under one title of a page."""

    id: str
    page: str
    fields: tuple[str, ...]


GROUPS: tuple[Group, ...] = (
    Group("size", "model", ("params_b", "seq", "layers", "hidden", "ffn", "heads", "kv_heads", "vocab")),
    Group("experts", "model", ("experts", "top_k", "expert_ffn", "shared_ffn", "dense_layers")),
    Group("training", "model", ("tokens_b",)),
    Group("batch", "plan", ("gbs", "mbs")),
    Group("degrees", "plan", ("tp", "pp", "dp", "cp", "ep", "vpp")),
    Group("memory", "plan", ("zero", "precision", "recompute", "offload", "offload_tier")),
    Group("rent", "money", ("money.gpu_hour", "money.currency")),
    Group("own", "money", ("money.system", "money.years", "money.use", "money.kwh", "money.pue")),
)
#: Fields with a list of words; "" is "not stated".
CHOICES: dict[str, tuple[str, ...]] = {
    "zero": ("", "0", "1", "2", "3"),
    "precision": ("", "bf16", "fp16", "fp8", "fp4", "tf32"),
    "recompute": ("", "off", "selective", "full"),
    "offload": ("", "optimizer", "all"),
    "offload_tier": ("", "dram", "cxl", "nvme"),
}


def group_name(group: str) -> str:
    """Title of a group."""
    return text_of(
        {
            "size": msg("Size and shape"),
            "experts": msg("Experts (a mixture only)"),
            "training": msg("Whole training"),
            "batch": msg("Batch"),
            "degrees": msg("Parallel degrees"),
            "memory": msg("Memory and precision"),
            "rent": msg("Rented"),
            "own": msg("Owned, in the same currency"),
        }[group]
    )


_NAMES: dict[str, Message] = {
    "params_b": msg("Parameters, billion"),
    "seq": msg("Sequence, tokens"),
    "layers": msg("Layers"),
    "hidden": msg("Hidden size"),
    "ffn": msg("Feed-forward size"),
    "heads": msg("Attention heads"),
    "kv_heads": msg("Key/value heads"),
    "vocab": msg("Vocabulary"),
    "experts": msg("Experts"),
    "top_k": msg("Experts per token"),
    "expert_ffn": msg("Expert size"),
    "shared_ffn": msg("Shared expert size"),
    "dense_layers": msg("Layers without experts"),
    "tokens_b": msg("Tokens, billion"),
    "gbs": msg("Global batch, sequences"),
    "mbs": msg("Micro-batch"),
    "tp": msg("Tensor (TP)"),
    "pp": msg("Pipeline (PP)"),
    "dp": msg("Data (DP)"),
    "cp": msg("Context (CP)"),
    "ep": msg("Expert (EP)"),
    "vpp": msg("Interleaved parts"),
    "zero": msg("ZeRO / FSDP"),
    "precision": msg("Precision"),
    "recompute": msg("Recomputation"),
    "offload": msg("Offload"),
    "offload_tier": msg("Offload to"),
    "money.gpu_hour": msg("Price of a GPU-hour"),
    "money.currency": msg("Currency"),
    "money.system": msg("Price of the system"),
    "money.years": msg("Years of use"),
    "money.use": msg("Part of the time in use"),
    "money.kwh": msg("Price of a kWh"),
    "money.pue": msg("PUE"),
}


def field_name(key: str) -> str:
    """What a field is called; the key itself where it has no name."""
    return text_of(_NAMES[key]) if key in _NAMES else key


def field_hint(key: str) -> str:
    """What an empty field means, for its tool tip; "" where there is nothing to add."""
    hints = {
        "params_b": msg("All parameters. Without layers and hidden size GPT-3's proportions are assumed."),
        "ffn": msg("Empty: four times the hidden size."),
        "kv_heads": msg("Empty: as many as attention heads."),
        "vocab": msg("Empty: 51,200."),
        "tokens_b": msg("Empty: 20 tokens per parameter."),
        "gbs": msg("Sequences of one step. Empty: about 4 million tokens."),
        "mbs": msg("Sequences that go through the pipeline at once. Empty: 1."),
        "tp": msg("GPUs that share every layer. With all degrees empty the best layout is searched."),
        "pp": msg("Stages of consecutive layers."),
        "dp": msg("Copies of the model. Empty: what the other degrees leave."),
        "cp": msg("GPUs that share a sequence."),
        "ep": msg("GPUs that share the experts; within data × tensor parallelism."),
        "vpp": msg("Parts of the model on each pipeline stage; more parts, shorter bubble."),
        "zero": msg("What data-parallel GPUs share out: 1 optimizer, 2 gradients too, 3 parameters too (FSDP). "
                    "Empty: the optimizer, as Megatron does."),
        "recompute": msg("Activations that are computed again on the way back. Empty: full where they do not fit."),
        "offload": msg("What is kept in host memory; the bytes go through PCIe."),
        "offload_tier": msg("Empty: DRAM first, then CXL, then NVMe."),
        "money.gpu_hour": msg("With a rent the owner's prices below do not count."),
        "money.system": msg("Empty: the price of the parts list, where all parts have one."),
        "money.years": msg("Empty: 4."),
        "money.use": msg("Part of the hours in which it trains, 0 to 1. Empty: 0.9."),
        "money.pue": msg("Facility power over that of the machines. Empty: 1.3."),
    }  # fmt: skip
    return text_of(hints[key]) if key in hints else ""


def choice_names(key: str) -> list[tuple[str, str]]:
    """(word, name) of a choice."""
    named = {
        "": msg("not stated"),
        "off": msg("none"),
        "selective": msg("selective"),
        "full": msg("full"),
        "optimizer": msg("optimizer"),
        "all": msg("optimizer and parameters"),
        "dram": msg("DRAM"),
        "cxl": msg("CXL"),
        "nvme": msg("NVMe"),
    }
    if key == "offload":
        named[""] = msg("none")
    if key == "offload_tier":
        named[""] = msg("nearest first")
    if key == "zero":
        named |= {"1": msg("1: optimizer"), "2": msg("2: and gradients"), "3": msg("3: and parameters (FSDP)")}
    return [(word, text_of(named[word]) if word in named else word.upper() if key == "precision" else word)
            for word in CHOICES[key]]  # fmt: skip
