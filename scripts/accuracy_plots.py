"""The plots of docs/accuracy.md as plain SVG: points and lines on log axes, no library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

import numpy as np

from fabricwright.performance.band import SPARSE
from fabricwright.performance.measured.crossval import Fitted, bands

COLOURS = ("#2b6cb0", "#2f855a", "#b7791f", "#c05621", "#805ad5")
INK, GRID = "#4a5568", "#cbd5e0"
MANY, FEW_TICKS = 8, 5


@dataclass(slots=True)
class Chart:
    """A frame of ``width`` x ``height`` at (``left``, ``top``) with logarithmic axes of base 10 over (low, high)."""

    left: float
    top: float
    width: float
    height: float
    x: tuple[float, float]
    y: tuple[float, float]
    parts: list[str] = field(default_factory=list)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Place of a value; outside values stay at the frame."""
        fx = (np.log10(x) - np.log10(self.x[0])) / (np.log10(self.x[1]) - np.log10(self.x[0]))
        fy = (np.log10(y) - np.log10(self.y[0])) / (np.log10(self.y[1]) - np.log10(self.y[0]))
        fx, fy = min(max(float(fx), 0.0), 1.0), min(max(float(fy), 0.0), 1.0)
        return self.left + fx * self.width, self.top + (1 - fy) * self.height

    def frame(self, title: str, x_ticks: Sequence[tuple[float, str]], y_ticks: Sequence[tuple[float, str]]) -> None:
        """Frame, grid and labels."""
        self.parts.append(text(self.left, self.top - 8, title, "start", 12))
        for value, label in x_ticks:
            px, _ = self.at(value, self.y[0])
            self.parts.append(line(px, self.top, px, self.top + self.height, GRID))
            self.parts.append(text(px, self.top + self.height + 14, label, "middle"))
        for value, label in y_ticks:
            _, py = self.at(self.x[0], value)
            self.parts.append(line(self.left, py, self.left + self.width, py, GRID))
            self.parts.append(text(self.left - 5, py + 4, label, "end"))
        self.parts.append(
            f'<rect x="{self.left:.1f}" y="{self.top:.1f}" width="{self.width:.1f}" height="{self.height:.1f}" '
            f'fill="none" stroke="{INK}"/>'
        )

    def dots(self, xs: Sequence[float], ys: Sequence[float], colour: str, size: float = 2.0) -> None:
        """Points."""
        for x, y in zip(xs, ys, strict=True):
            px, py = self.at(x, y)
            self.parts.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="{size:g}" fill="{colour}" fill-opacity="0.6"/>')

    def path(self, xs: Sequence[float], ys: Sequence[float], colour: str, dash: str = "") -> None:
        """A line through points."""
        places = " ".join("{:.1f},{:.1f}".format(*self.at(x, y)) for x, y in zip(xs, ys, strict=True))
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.3"{extra}/>')

    def area(self, xs: Sequence[float], low: Sequence[float], high: Sequence[float], colour: str) -> None:
        """A band."""
        there = [self.at(x, y) for x, y in zip(xs, high, strict=True)]
        back = [self.at(x, y) for x, y in zip(xs[::-1], low[::-1], strict=True)]
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*there, *back])
        self.parts.append(f'<polygon points="{places}" fill="{colour}" fill-opacity="0.15"/>')


def text(x: float, y: float, words: str, anchor: str, size: int = 10) -> str:
    """A label."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{INK}">{escape(words)}</text>'
    )


def line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="0.6"/>'


def document(width: float, height: float, parts: Sequence[str]) -> str:
    """The SVG file."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif">'
    )
    return "\n".join([head, f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>', *parts, "</svg>"]) + "\n"


TIMES = [(1e-5, "10 us"), (1e-4, "100 us"), (1e-3, "1 ms"), (1e-2, "10 ms"), (1e-1, "100 ms"), (1.0, "1 s")]
SIZES = [(2.0**3, "8 B"), (2.0**10, "1 KiB"), (2.0**16, "64 KiB"), (2.0**20, "1 MiB"), (2.0**24, "16 MiB"),
         (2.0**28, "256 MiB"), (2.0**34, "16 GiB")]  # fmt: skip
RATES = [(1e5, "0.1 MB/s"), (1e7, "10 MB/s"), (1e9, "1 GB/s"), (1e10, "10 GB/s"), (1e11, "100 GB/s"), (1e12, "1 TB/s")]
RATIOS = [(0.25, "1/4"), (0.5, "1/2"), (0.8, "0.8"), (1.0, "1"), (1.25, "1.25"), (2.0, "2"), (4.0, "4")]


def kind_of(fitted: Fitted, n: int) -> int:
    """0 one NVLink server, 1 other single servers, 2 RDMA networks, 3 cloud networks, 4 all_to_all and send_recv."""
    entry = fitted.sampled.entries[fitted.sampled.of[n]]
    if entry.collective in ("all_to_all", "send_recv"):
        return 4
    if entry.nodes > 1 and entry.word("fabric_kind") != "nvlink-domain":
        return 3 if entry.word("fabric_kind") in ("efa", "tcpx", "tcp") else 2
    return 0 if entry.word("intra").startswith("nvlink") and "-" not in entry.word("intra") else 1


KINDS = ("one NVLink domain", "other single servers", "InfiniBand, RoCE", "EFA, TCP", "all_to_all, send_recv")


def legend(x: float, y: float) -> list[str]:
    """Colours of the kinds."""
    out = []
    for n, name in enumerate(KINDS):
        out.append(f'<circle cx="{x + n * 125:.1f}" cy="{y - 3:.1f}" r="4" fill="{COLOURS[n]}"/>')
        out.append(text(x + n * 125 + 8, y, name, "start"))
    return out


def scatter(fitted: Fitted) -> str:
    """Predicted (site left out) against measured time."""
    chart = Chart(60, 40, 600, 420, (3e-6, 1.3), (3e-6, 1.3))
    chart.frame("predicted time, site left out, against measured time", TIMES, TIMES)
    chart.path((3e-6, 1.3), (3e-6, 1.3), INK)
    measured = np.array([s.time_s for s in fitted.sampled.samples])
    predicted = measured * np.exp(fitted.left_out)
    kind = np.array([kind_of(fitted, n) for n in range(len(measured))])
    for n, colour in enumerate(COLOURS):
        chart.dots(measured[kind == n].tolist(), predicted[kind == n].tolist(), colour)
    return document(690, 510, [*chart.parts, *legend(60, 500)])


def ratio_plot(fitted: Fitted) -> str:
    """Predicted / measured against size."""
    chart = Chart(60, 40, 600, 300, (2.0**2, 2.0**35), (0.2, 5.0))
    chart.frame("predicted / measured, site left out, against buffer size", SIZES, RATIOS)
    chart.path((2.0**2, 2.0**35), (1.0, 1.0), INK)
    ratio = np.exp(fitted.left_out)
    kind = np.array([kind_of(fitted, n) for n in range(len(ratio))])
    for n, colour in enumerate(COLOURS):
        chart.dots(fitted.sizes[kind == n].tolist(), ratio[kind == n].tolist(), colour)
    return document(690, 390, [*chart.parts, *legend(60, 380)])


def curves(fitted: Fitted) -> str:
    """Bus bandwidth of the longest curves, each with its site left out: measured points, predicted line and band."""
    of = np.array(fitted.sampled.of)
    count = [(int((of == n).sum()), n) for n in range(len(fitted.sampled.entries))]
    chosen: list[int] = []
    for _, n in sorted(count, key=lambda row: (-row[0], row[1])):
        entry = fitted.sampled.entries[n]
        same = {(fitted.sampled.entries[m].fields.get("gpu"), fitted.sampled.entries[m].nodes) for m in chosen}
        if entry.word("launch") != "cuda-graph" and (entry.fields.get("gpu"), entry.nodes) not in same:
            chosen.append(n)
        if len(chosen) == MANY:
            break
    parts: list[str] = []
    width, height = 300.0, 170.0
    for place, n in enumerate(chosen):
        here = np.flatnonzero(of == n)
        entry = fitted.sampled.entries[n]
        size, time_s = fitted.sizes[here], np.array([fitted.sampled.samples[i].time_s for i in here])
        predicted = time_s * np.exp(fitted.left_out[here])
        made = bands(fitted, fitted.sites != fitted.sampled.site[here[0]])
        group = fitted.sampled.coverage[here[0]]
        low, high = made.get(group, made[SPARSE]).limits(size)
        left, top = 75 + (place % 2) * (width + 85), 35 + (place // 2) * (height + 60)
        rate = size / np.concatenate((time_s, predicted)).reshape(2, -1)
        span = float(rate.min()) / 2, float(rate.max()) * 2
        chart = Chart(left, top, width, height, (float(size.min()) / 2, float(size.max()) * 2), span)
        ticks = [(v, label) for v, label in SIZES if chart.x[0] < v < chart.x[1]]
        ticks = ticks[::2] if len(ticks) > FEW_TICKS else ticks
        rates = [(value, label) for value, label in RATES if span[0] < value < span[1]]
        title = f"{entry.fields.get('gpu')}, {entry.nodes} x {entry.gpus_per_node}, {entry.collective}, " + (
            entry.word("fabric_kind") if entry.nodes > 1 else entry.word("intra")
        )
        chart.frame(title, ticks, rates)
        chart.area(size.tolist(), (size / (predicted * high)).tolist(), (size / (predicted * low)).tolist(), COLOURS[0])
        chart.path(size.tolist(), (size / predicted).tolist(), COLOURS[0])
        chart.dots(size.tolist(), (size / time_s).tolist(), COLOURS[3], 2.5)
        parts += chart.parts
    rows = -(-len(chosen) // 2)
    note = "algbw against size; line and band: predicted with the site left out; dots: measured"
    bottom = 35 + rows * (height + 60)
    return document(2 * width + 190, bottom + 10, [*parts, text(75, bottom, note, "start", 11)])
