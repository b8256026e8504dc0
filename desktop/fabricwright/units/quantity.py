"""Parsing and printing of the quantities people type: sizes, rates, lengths, powers.

Sizes follow nccl-tests: ``K``, ``M``, ``G``, ``T`` are binary (1M = 1,048,576 bytes). Rates are decimal (400G = 4e11
bit/s).
"""

from __future__ import annotations

import re

from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

_BINARY = {"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_DECIMAL = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
MAX_BYTES = 1 << 60
"""Largest size that is taken seriously."""
_SIZE = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?\s*$", re.IGNORECASE)
_RATE = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:B(?:IT)?(?:/S|PS)?)?\s*$", re.IGNORECASE)


def parse_size(text: str) -> int:
    """Bytes of ``8``, ``1K``, ``64KiB``, ``1G``. Raises ``UserError`` on anything else (``1X``, ``-1``, empty)."""
    match = _SIZE.match(text)
    n_bytes = float(match[1]) * _BINARY[match[2].upper()] if match else 0.0
    if not 1 <= n_bytes <= MAX_BYTES:
        raise UserError(
            msg(
                "Size '{text}' is not understood; expected a positive number with K, M, G or T, such as 64K or 1G.",
                text=text[:60],
            )
        )
    return int(n_bytes)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Comma-separated sizes."""
    return tuple(parse_size(part) for part in text.split(","))


def format_size(n_bytes: int) -> str:
    """``1 GiB``, ``64 KiB``, ``8 B`` (binary, as nccl-tests sizes are)."""
    for unit, step in (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if n_bytes >= step:
            value = n_bytes / step
            return f"{value:.0f} {unit}" if value == int(value) else f"{value:.4g} {unit}"
    return f"{n_bytes} B"


def parse_rate(text: str) -> float:
    """bit/s of ``400G``, ``100Gb/s``. Raises ``UserError``."""
    match = _RATE.match(text)
    if not match or not 0 < float(match[1]) < 1e100:  # four hundred digits are an infinity
        raise UserError(
            msg("Rate '{text}' is not understood; expected a positive number with G or T, such as 400G.", text=text)
        )
    return float(match[1]) * _DECIMAL[match[2].upper()]


def format_rate(bit_per_s: float) -> str:
    """``400G``, ``1.6T``: how the field writes port speeds."""
    for unit, step in (("T", 1e12), ("G", 1e9), ("M", 1e6)):
        if bit_per_s >= step:
            return f"{bit_per_s / step:g}{unit}"
    return f"{bit_per_s:g}"


def format_gbs(bytes_per_s: float) -> str:
    """GB/s (decimal) with three significant figures."""
    value = bytes_per_s / 1e9
    return f"{value:.1f} GB/s" if value >= 9.95 else f"{value:.2f} GB/s"


def format_time(seconds: float) -> str:
    """``12.3 µs``, ``4.56 ms``, ``3.98 s``."""
    for unit, step in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= step:
            return f"{seconds / step:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
