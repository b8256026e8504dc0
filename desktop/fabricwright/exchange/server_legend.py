"""Key of a server's printed page: the kinds of line and shape that are on it."""

from __future__ import annotations

from collections.abc import Callable

from fabricwright.exchange.server_view import Branch, ServerView
from fabricwright.exchange.sheet_page import LegendEntry
from fabricwright.exchange.svg import Svg
from fabricwright.units.text import msg


def legend_of(view: ServerView) -> tuple[LegendEntry, ...]:
    """Only the kinds of line and shape that are on this sheet."""
    branches = [b for row in view.cpus.values() for b in row]
    every: list[Branch] = []
    while branches:
        every += branches
        branches = [child for b in branches for child in b.children]
    entries = [LegendEntry(msg("PCIe, with lanes"), _line("pcie", "", 2.0))]
    if view.sockets:
        entries.append(LegendEntry(msg("socket link"), _triple))
    if any(b.item is None for b in every):
        entries.append(LegendEntry(msg("empty slot"), _box("border.strong", "4 3")))
    if any(b.item is not None and b.item.forced for b in every):
        entries.append(LegendEntry(msg("forced against a rule"), _box("error", "")))
    if any(b.item is not None and b.item.kind == "cxl" for b in every):
        entries.append(LegendEntry(msg("CXL"), _line("cxl", "8 3 2 3", 2.0)))
    if view.nvswitches:
        entries.append(LegendEntry(msg("NVLink"), _line("nvlink", "", 3.5)))
    return tuple(entries)


def _line(token: str, dash: str, width: float) -> Callable[[Svg, float, float], None]:
    return lambda svg, x, y: svg.line([(x, y), (x + 36, y)], stroke=token, width=width, dash=dash)


def _triple(svg: Svg, x: float, y: float) -> None:
    for k in (-4, 0, 4):
        svg.line([(x, y + k), (x + 36, y + k)], stroke="pcie", width=1.2)


def _box(token: str, dash: str) -> Callable[[Svg, float, float], None]:
    return lambda svg, x, y: svg.rect(x + 4, y - 7, 26, 14, stroke=token, width=1.2, dash=dash, radius=3)
