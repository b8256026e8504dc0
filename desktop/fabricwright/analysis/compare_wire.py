"""A comparison for the window: section by section as plain values, texts as messages, so that each can be shown as soon
as it is known.

A side is ``{"design": id, "file": path or "", "snapshot": id or ""}``; file "" = the open project, ``snapshot`` = as it
was then.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fabricwright.analysis.analyze import Analysis
from fabricwright.analysis.compare import SECTIONS, Comparer, Side
from fabricwright.analysis.compare_rows import PartDelta, figure_rows
from fabricwright.analysis.figures import DesignFigures
from fabricwright.analysis.network_lines import network_lines
from fabricwright.design.order import chosen_design
from fabricwright.design.snapshots import snapshot_project
from fabricwright.design.values import Project
from fabricwright.design.versions import load_version
from fabricwright.units.errors import UserError
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.text import Message, msg

Analyse = Callable[[Project, str], Analysis]


class OtherFiles:
    """Projects of other files, read again when the file has changed."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, int], Project]] = {}

    def project(self, path: str) -> Project:
        """The project in a file. Raises UserError naming it."""
        try:
            state = os.stat(path)
        except OSError as error:
            raise UserError(msg("{file}: cannot be read ({reason}).", file=path, reason=reason_of(error))) from error
        stamp = (state.st_mtime_ns, state.st_size)
        known = self._known.get(path)
        if known is None or known[0] != stamp:
            known = self._known[path] = (stamp, load_version(path))
        return known[1]


def sides_of(wanted: Sequence[Mapping[str, Any]], project: Project, files: OtherFiles, analyse: Analyse) -> list[Side]:
    """Analyses of the sides asked for. Raises UserError for a file or a design that is not there."""
    sides = []
    for row in wanted:
        path = str(row.get("file") or "")
        source = files.project(path) if path else project
        snapshot = str(row.get("snapshot") or "")
        if snapshot:
            source, path = snapshot_project(source, snapshot), source.snapshots[snapshot].title or snapshot
        sides.append(Side(analyse(source, chosen_design(source, str(row.get("design") or "") or None)), path))
    return sides


def sections(comparer: Comparer) -> Iterator[tuple[str, Any]]:
    """Every section with its plain values, the cheap ones first; ``training`` is ``figures`` with the training steps,
    which take longest.
    """
    for name in SECTIONS:
        yield name, _WIRE[name](comparer)
    yield "training", _figures(comparer, comparer.figures)


def _say(message: Message) -> object:
    return message.to_json()


def _figures(c: Comparer, figures: Sequence[DesignFigures]) -> Any:
    return {
        "rows": [row.to_json(_say) for row in figure_rows(figures)],
        "designs": [f.to_json() for f in figures],
        "labels": [_message(f.all_reduce.label) for f in figures],
        "training_problems": [_message(f.training_problem) for f in figures],
        "networks": [[_message(line) for line in network_lines(side.analysis)] for side in c.sides],
        "binds": c.binds().to_json(),
        "bytes": c.n_bytes,
    }


def _message(message: Message | None) -> object:
    return None if message is None else message.to_json()


def _part(row: PartDelta) -> dict[str, object]:
    line = row.line
    return {
        **row.to_json("en"),
        "names": {"en": line.description("en"), "zh_CN": line.description("zh_CN")},
        "vendor": line.vendor,
        "model": line.model,
    }


_WIRE: dict[str, Callable[[Comparer], Any]] = {
    "drawing": lambda c: [[row.to_json() for row in rows] for rows in c.drawing],
    "figures": lambda c: _figures(c, c.quick_figures),
    "curves": lambda c: [curve.to_json(_say) for curve in c.curves],
    "bom": lambda c: [[_part(row) for row in rows if row.delta] for rows in c.bom],
    "findings": lambda c: [row.to_json(_say) for row in c.findings],
    "claims": lambda c: [row.to_json(_say) for row in c.claims],
}
