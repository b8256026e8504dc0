"""Models that a workload can start from: shapes as their authors published them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fabricwright.catalog.parts import Scalar
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg


@dataclass(frozen=True, slots=True)
class Preset:
    """A published model. ``model`` as a workload's ``model``; ``pattern`` matches how tables of results write it."""

    id: str
    title: str
    pattern: str
    source: str
    model: dict[str, Scalar]


def _dense(
    params: float, layers: int, hidden: int, ffn: int, heads: int, kv: int, vocab: int, seq: int
) -> dict[str, Scalar]:
    return {
        "params_b": params,
        "layers": layers,
        "hidden": hidden,
        "ffn": ffn,
        "heads": heads,
        "kv_heads": kv,
        "vocab": vocab,
        "seq": seq,
    }


_LLAMA = "arXiv 2407.21783, table 3"
PRESETS: dict[str, Preset] = {
    p.id: p
    for p in (
        Preset(
            "gpt3-175b",
            "GPT-3 175B",
            r"gpt.?3.*175",
            "arXiv 2005.14165, table 2.1; vocabulary padded to 51200 as in Megatron-LM",
            _dense(175.0, 96, 12288, 49152, 96, 96, 51200, 2048),
        ),
        Preset(
            "llama3-8b", "Llama 3 8B", r"llama.?3.*\b8b", _LLAMA, _dense(8.03, 32, 4096, 14336, 32, 8, 128256, 8192)
        ),
        Preset(
            "llama3-70b", "Llama 3 70B", r"llama.?3.*70b", _LLAMA, _dense(70.6, 80, 8192, 28672, 64, 8, 128256, 8192)
        ),
        Preset(
            "llama3-405b",
            "Llama 3.1 405B",
            r"llama.?3.*405b",
            _LLAMA,
            _dense(405.0, 126, 16384, 53248, 128, 8, 128256, 8192),
        ),
        Preset(
            "mixtral-8x7b",
            "Mixtral 8x7B",
            r"mixtral.*8x7",
            "arXiv 2401.04088, table 1",
            _dense(46.7, 32, 4096, 14336, 32, 8, 32000, 4096)
            | {"experts": 8, "top_k": 2, "expert_ffn": 14336, "gated": True},
        ),
        Preset(
            "mixtral-8x22b",
            "Mixtral 8x22B",
            r"mixtral.*8x22",
            "config.json of mistralai/Mixtral-8x22B-v0.1",
            _dense(140.6, 56, 6144, 16384, 48, 8, 32768, 4096)
            | {"experts": 8, "top_k": 2, "expert_ffn": 16384, "gated": True},
        ),
        Preset(
            "deepseek-v3",
            "DeepSeek-V3",
            r"deepseek.?v3",
            "arXiv 2412.19437, section 4.2; attention counted from its latent ranks 1536 and 512",
            _dense(671.0, 61, 7168, 18432, 128, 128, 129280, 4096)
            | {
                "experts": 256,
                "top_k": 8,
                "expert_ffn": 2048,
                "shared_ffn": 2048,
                "dense_layers": 3,
                "head_dim": 160,
                "attention_params": 187_105_280.0,
                "gated": True,
            },
        ),
        Preset(
            "kimi-k2",
            "Kimi K2",
            r"kimi.?k2",
            "config.json of moonshotai/Kimi-K2-Base; attention counted from its latent ranks 1536 and 512",
            _dense(1026.0, 61, 7168, 18432, 64, 64, 163840, 4096)
            | {
                "experts": 384,
                "top_k": 8,
                "expert_ffn": 2048,
                "shared_ffn": 2048,
                "dense_layers": 1,
                "head_dim": 160,
                "attention_params": 101_122_048.0,
                "gated": True,
            },
        ),
        Preset(
            "qwen3-235b-a22b",
            "Qwen3 235B A22B",
            r"qwen3.*235b",
            "arXiv 2505.09388, table 2; config.json of Qwen/Qwen3-235B-A22B",
            _dense(235.0, 94, 4096, 12288, 64, 4, 151936, 4096)
            | {"experts": 128, "top_k": 8, "expert_ffn": 1536, "head_dim": 128, "gated": True},
        ),
        Preset(
            "qwen3-30b-a3b",
            "Qwen3 30B A3B",
            r"qwen3.*30b",
            "arXiv 2505.09388, table 2; config.json of Qwen/Qwen3-30B-A3B",
            _dense(30.5, 48, 2048, 6144, 32, 4, 151936, 4096)
            | {"experts": 128, "top_k": 8, "expert_ffn": 768, "head_dim": 128, "gated": True},
        ),
        Preset(
            "gpt-oss-120b",
            "gpt-oss 120B",
            r"gpt.?oss.*120b",
            "config.json of openai/gpt-oss-120b",
            _dense(116.8, 36, 2880, 2880, 64, 8, 201088, 4096)
            | {"experts": 128, "top_k": 4, "expert_ffn": 2880, "head_dim": 64, "gated": True},
        ),
    )
}
"""Id -> published model. Any other model is stated in figures of its own."""


def preset(name: str) -> Preset:
    """A preset by id. ``UserError`` with those that exist."""
    found = PRESETS.get(name.strip().lower())
    if found is None:
        raise UserError(
            msg("There is no model '{name}'; there are {known}.", name=name[:60], known=", ".join(sorted(PRESETS)))
        )
    return found


def preset_named(text: str) -> Preset | None:
    """The published model that a title means; None when it is none of these."""
    plain = re.sub(r"[_\s]+", " ", text.lower())
    return next((p for p in PRESETS.values() if re.search(p.pattern, plain)), None)
