"""Measured entries as samples for the fit: the terms of what NCCL takes at every size, weights, and whose site it is.

Sites serve to leave whole systems out, to let systems count alike, and for nothing else: no prediction sees them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fabricwright.performance.band import coverage_of
from fabricwright.performance.calibrate import Sample
from fabricwright.performance.choose import Prepared, evaluate
from fabricwright.performance.measured.entries import Entry
from fabricwright.performance.measured.hardware import hardware_of
from fabricwright.performance.measured.request import algorithm_of, design_settings
from fabricwright.performance.measured.score import LARGE, Books, request_of, size_class
from fabricwright.performance.predict import prepare
from fabricwright.units.errors import UserError

# residual of the logarithm that counts as ordinary, and so how much a point of a class says: about the spread of sites
SCALE = {"<=64 KiB": 0.20, "64 KiB-1 MiB": 0.20, "1-16 MiB": 0.12, "16-256 MiB": 0.08, ">256 MiB": 0.04}
QUALITY = {"vendor-slide": 0.4, "chart": 0.7}
_SHAPES = re.compile(r"p5en|p5\.48|p6-b200|p4de?\b|BM\.GPU[\w.]+|a3[- ]?(?:high|mega|ultra)|a4[- ]?high", re.IGNORECASE)


@dataclass(slots=True)
class Sampled:
    """Samples with, parallel: the entry (``of``), the site, the names of what is taken, NCCL's believed seconds (nan
    where it has no belief) and how well the configuration is covered (``band.coverage_of``).
    """

    entries: list[Entry] = field(default_factory=list)
    of: list[int] = field(default_factory=list)
    site: list[str] = field(default_factory=list)
    taken: list[tuple[str, str]] = field(default_factory=list)
    believed_s: list[float] = field(default_factory=list)
    coverage: list[str] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)


def site_of(entry: Entry) -> str:
    """Cloud shape, where the same shape appears under several sources, else source and GPU."""
    system, source = str(entry.fields.get("system") or ""), str(entry.fields.get("source") or "")
    shape = _SHAPES.search(system)
    if shape:
        return re.sub(r"[- ]", "", shape[0].lower())
    if "issues/" not in source:
        source = re.sub(r"(github\.com/[^/\s]+/[^/\s]+).*", r"\1", source)
    source = re.sub(r"\s*(SHARP table)?\s*@.*", "", source)
    if "slide" in source or "figure" in source:
        return source[:24]
    return f"{source} {re.split(r'[-_ ]', str(entry.fields.get('gpu') or ''))[0]}"


def samples_of(entries: Sequence[Entry]) -> Sampled:
    """Samples of all scored entries."""
    books = Books()
    out = Sampled()
    rows: list[tuple[int, Prepared, int, float, float]] = []
    for entry in entries:
        if not entry.scored or not entry.sizes or entry.ranks < 2:
            continue
        number = len(out.entries)
        out.entries.append(entry)
        hardware, _ = hardware_of(entry)
        book = books.open(hardware, design_settings(entry, hardware))
        usual, large, _ = algorithm_of(entry)
        found: dict[str, Prepared] = {}
        for name in {usual, large}:
            try:
                found[name] = prepare(book, request_of(entry, name))
            except UserError:
                found[name] = prepare(book, request_of(entry, "auto"))
        sizes = np.array(entry.sizes, dtype=np.float64)
        taken = {name: evaluate(prepared, sizes).choice for name, prepared in found.items()}
        for n, n_bytes in enumerate(entry.sizes):
            name = large if n_bytes > LARGE and large != "auto" else usual
            rows.append((number, found[name], int(taken[name][n]), float(n_bytes), entry.times_s[n]))
    sites = [site_of(entry) for entry in out.entries]
    cells = Counter((sites[i], size_class(size)) for i, _, _, size, _ in rows)
    curves = {(sites[i], size_class(size), i) for i, _, _, size, _ in rows}
    per_cell = Counter((site, name) for site, name, _ in curves)
    for i, prepared, choice, size, time_s in rows:
        candidate = prepared.candidates[choice]
        assert candidate.terms is not None
        cell = sites[i], size_class(size)
        quality = QUALITY.get(out.entries[i].word("quality"), 1.0)
        # a site counts by the square root of its curves, whatever number of sizes they have
        weight = quality * per_cell[cell] ** 0.5 / cells[cell]
        out.of.append(i)
        out.site.append(sites[i])
        algorithm = candidate.costed.plan.algorithm
        out.taken.append((algorithm, candidate.protocol))
        belief = candidate.belief
        out.believed_s.append(float(belief.seconds(np.array([size]))[0]) if belief is not None else math.nan)
        out.coverage.append(coverage_of(prepared.layout, prepared.collective, algorithm))
        out.samples.append(Sample(candidate.terms, size, time_s, weight * 4, SCALE[size_class(size)]))
    return out
