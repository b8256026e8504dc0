"""What a GPU can compute: peak rates, the best matrix multiplication measured on it, memory rate and size."""

from __future__ import annotations

from dataclasses import dataclass

from fabricwright.catalog.parts import Part
from fabricwright.performance.calibration import Calibration
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

USUAL_BEST = 0.78
"""Best matrix multiplication over peak where none was measured: the mean of those that were (0.71 to 0.87, A100 to
B300; mleng's MAMF table in the catalogue). An estimate."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """Rates in FLOP/s and bytes/s. ``peak`` and ``best`` (the best matrix multiplication measured, or an estimate) by
    precision; precisions that it has no units for run at bf16's. ``power_w`` 0 = not known."""

    name: str
    peak_bf16: float
    peak_fp8: float
    peak_fp4: float
    best_bf16: float
    best_fp8: float
    memory_rate: float
    memory: float
    power_w: float
    measured: bool

    @property
    def family(self) -> str:
        """ampere (no fp8), hopper, blackwell (2 PFLOPS and more in bf16), ultra (the same with 250 GB and more): which
        shares of the peak count; other makers' GPUs count with the family of their rates."""
        if self.peak_fp8 <= self.peak_bf16:
            return "ampere"
        if self.peak_bf16 < 2e15:
            return "hopper"
        return "ultra" if self.memory >= 250e9 else "blackwell"

    def peak(self, precision: str) -> float:
        """Peak of dense matrix multiplication."""
        if precision == "fp4":
            return self.peak_fp4
        if precision == "tf32":
            return self.peak_bf16 / 2
        return self.peak_fp8 if precision == "fp8" else self.peak_bf16

    def best(self, precision: str) -> float:
        """Best matrix multiplication; fp4 in fp8's share of the peak."""
        if precision == "fp4":
            return self.peak_fp4 * self.best_fp8 / self.peak_fp8
        if precision == "tf32":
            return self.best_bf16 / 2
        return self.best_fp8 if precision == "fp8" else self.best_bf16


def gpu_of(part: Part, name: str, constants: Calibration) -> Gpu:
    """The GPU of a catalogue part. ``UserError`` when its peak or memory rate is not in the catalogue."""
    peak, rate = part.get("bf16_tflops") * 1e12, part.get("memory_gbs") * 1e9
    if not peak or not rate:
        raise UserError(msg("{gpu} has no peak rate or memory rate in the catalogue; a step needs both.", gpu=name))
    fp8 = part.get("fp8_tflops") * 1e12 or peak
    times = constants.value("peak.fp4_of_fp8_big" if part.get("memory_gb") >= 250 else "peak.fp4_of_fp8")
    has_fp4 = fp8 >= 4e15
    best = part.get("mamf_bf16_tflops") * 1e12
    best8 = part.get("mamf_fp8_tflops") * 1e12
    share = best / peak if best else USUAL_BEST
    return Gpu(
        name,
        peak,
        fp8,
        fp8 * times if has_fp4 else fp8,
        share * peak,
        best8 or share * fp8,
        rate,
        part.get("memory_gb") * 1e9,
        part.get("power_w"),
        bool(best),
    )
