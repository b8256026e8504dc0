"""The shape of a transformer: what its parameters and its floating-point operations are counted from.

Operations are those of matrix multiplications, two per multiply-add, as Megatron counts them (Narayanan et al. 2021,
arXiv 2104.04473, section 3: 72 B s l h^2 (1 + s/6h + V/12lh) for a GPT without recomputation); attention counts the
whole s x s square.
"""

from __future__ import annotations

from collections.abc import Mapping

from fabricwright.design.training.figures import number_of
from fabricwright.units.errors import UserError
from fabricwright.units.record import record
from fabricwright.units.text import msg

PROPORTION = 128
"""Hidden size per layer of a GPT whose shape is not stated: GPT-3 175B has 12288 / 96 (arXiv 2005.14165, table 2.1)."""
ASSUMED_SEQ = 2048
ASSUMED_VOCAB = 51200
MOST_LAYERS = 10000


@record
class Shape:
    """A decoder. ``params`` all of them; ``kv_heads`` groups of keys and values; ``gated``: three matrices in the
    feed-forward part (SwiGLU) instead of two. Mixtures: ``experts`` of ``expert_ffn`` each, ``top_k`` of them per
    token, ``shared_ffn`` of the part that every token takes, the first ``dense_layers`` without experts.
    ``attention_params`` of a layer where the heads do not tell (latent attention), else 0. ``assumed``: the shape was
    not stated and has the proportions of GPT-3.
    """

    params: float
    layers: int
    hidden: int
    ffn: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    seq: int
    gated: bool = False
    experts: int = 0
    top_k: int = 0
    expert_ffn: int = 0
    shared_ffn: int = 0
    dense_layers: int = 0
    attention_params: float = 0.0
    assumed: bool = False

    @property
    def attention_width(self) -> int:
        """Columns of all heads together."""
        return self.heads * self.head_dim

    @property
    def layer_attention(self) -> float:
        """Parameters of the projections around attention in one layer."""
        if self.attention_params:
            return self.attention_params
        return 2.0 * self.hidden * self.head_dim * (self.heads + self.kv_heads)

    def _mlp(self, width: float) -> float:
        return (3 if self.gated else 2) * self.hidden * width

    @property
    def sparse_layers(self) -> int:
        """Layers with experts."""
        return max(self.layers - self.dense_layers, 0) if self.experts else 0

    @property
    def active_mlp(self) -> float:
        """Feed-forward parameters that a token meets, mean over the layers."""
        dense = self._mlp(self.ffn)
        if not self.experts:
            return dense
        sparse = self._mlp(self.top_k * self.expert_ffn + self.shared_ffn) + self.hidden * self.experts
        return (self.dense_layers * dense + self.sparse_layers * sparse) / self.layers

    @property
    def expert_params(self) -> float:
        """Parameters of all experts of the model, those that expert parallelism shares out."""
        return self.sparse_layers * self.experts * self._mlp(self.expert_ffn)

    @property
    def active_params(self) -> float:
        """Parameters in the matrix multiplications of one token, output layer included."""
        return self.layers * (self.layer_attention + self.active_mlp) + self.vocab * self.hidden

    def counted_params(self) -> float:
        """All parameters counted from the shape, input and output embedding apart when the model is gated."""
        dense = self.layers - self.sparse_layers
        rest = self.sparse_layers * (self._mlp(self.shared_ffn) + self.hidden * self.experts)
        embeddings = (2 if self.gated else 1) * self.vocab * self.hidden
        return self.layers * self.layer_attention + dense * self._mlp(self.ffn) + rest + self.expert_params + embeddings

    def flops_per_token(self, seq: int) -> float:
        """Forward and backward, as Megatron counts: 6 per parameter met, 12 l s w for attention."""
        return 6.0 * self.active_params + 12.0 * self.layers * seq * self.attention_width


def shape_of(model: Mapping[str, object]) -> Shape | None:
    """The shape that a workload's ``model`` states; None when it does not even say how large the model is.

    Only ``params_b``: a GPT of GPT-3's proportions is assumed (``assumed``). ``UserError`` for impossible numbers.
    """
    billions = _number(model, "params_b")
    layers, hidden = int(_number(model, "layers")), int(_number(model, "hidden"))
    if not (layers and hidden):
        if not billions:
            return None
        return assumed_shape(billions * 1e9, int(_number(model, "seq")) or ASSUMED_SEQ)
    if layers > MOST_LAYERS:
        raise UserError(msg("{n} layers are too many; at most {most}.", n=layers, most=MOST_LAYERS))
    heads = int(_number(model, "heads")) or max(hidden // PROPORTION, 1)
    experts = int(_number(model, "experts"))
    expert_ffn = int(_number(model, "expert_ffn"))
    ffn = int(_number(model, "ffn")) or (0 if experts else 4 * hidden)
    kv_heads = int(_number(model, "kv_heads")) or heads
    head_dim = int(_number(model, "head_dim")) or max(hidden // heads, 1)
    stated = str(model.get("gated") or "").strip().lower()
    row = {
        "layers": layers,
        "hidden": hidden,
        "ffn": ffn or expert_ffn,
        "heads": heads,
        "kv_heads": kv_heads,
        "head_dim": head_dim,
        "vocab": int(_number(model, "vocab")) or ASSUMED_VOCAB,
        "seq": int(_number(model, "seq")) or ASSUMED_SEQ,
        "experts": experts,
        "top_k": int(_number(model, "top_k")) or min(experts, 2),
        "expert_ffn": expert_ffn or ffn,
        "shared_ffn": int(_number(model, "shared_ffn")),
        "dense_layers": min(int(_number(model, "dense_layers")), layers),
        "attention_params": _number(model, "attention_params"),
    }
    if stated:
        gated = stated in ("true", "on", "yes", "1")
    else:
        gated = _looks_gated(row, billions * 1e9)
    shape = Shape(billions * 1e9, gated=gated, **row)  # type: ignore[arg-type]
    return shape if billions else Shape(shape.counted_params(), gated=gated, **row)  # type: ignore[arg-type]


def assumed_shape(params: float, seq: int = ASSUMED_SEQ) -> Shape:
    """A GPT of so many parameters with GPT-3's proportions: 12 l h^2 with h = 128 l (175e9 gives 96 layers)."""
    layers = max(round((params / (12 * PROPORTION**2)) ** (1 / 3) / 8) * 8, 8)
    hidden = max(round((params / (12 * layers)) ** 0.5 / 128) * 128, 128)
    heads = max(hidden // 128, 1)
    return Shape(params, layers, hidden, 4 * hidden, heads, heads, hidden // heads, ASSUMED_VOCAB, seq, assumed=True)


def _looks_gated(row: Mapping[str, object], params: float) -> bool:
    """Whether three matrices explain the stated number of parameters better than two."""
    if not params:
        return bool(row["experts"]) or row["kv_heads"] != row["heads"]
    two = Shape(params, gated=False, **row).counted_params()  # type: ignore[arg-type]
    three = Shape(params, gated=True, **row).counted_params()  # type: ignore[arg-type]
    return abs(three - params) < abs(two - params)


def _number(values: Mapping[str, object], key: str) -> float:
    """A positive number of reason, 0 where there is none."""
    found = number_of(values, key)
    return found if found is not None and 0 < found <= 1e15 else 0.0
