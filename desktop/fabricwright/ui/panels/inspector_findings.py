"""Which findings and facts are about a row of the open sheet, or about the sheet itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fabricwright.ui.context import UiContext
from fabricwright.ui.panels.words import row_paths

#: The open sheet itself, among the rows that findings are about.
WHOLE = ""
_ORDER = ("error", "warning", "info", "approved")


def findings_on(context: UiContext, ids: Sequence[str]) -> list[Mapping[str, Any]]:
    """Findings that name one of these rows of the open sheet, worst first; facts left out."""
    found = [row for row in context.analysis.findings.values() if row.get("severity") != "fact"]
    found = [row for row in found if names_of(context, row) & set(ids)]
    state = {name: n for n, name in enumerate(_ORDER)}

    def order(row: Mapping[str, Any]) -> tuple[int, str]:
        word = "approved" if row.get("approved") else str(row.get("severity"))
        return state.get(word, 2), str(row.get("key"))

    return sorted(found, key=order)


def facts_on(context: UiContext, ids: Sequence[str]) -> list[Mapping[str, Any]]:
    """Facts that name one of these rows of the open sheet."""
    rows = (row for row in context.analysis.findings.values() if row.get("severity") == "fact")
    return sorted((row for row in rows if names_of(context, row) & set(ids)), key=lambda row: str(row.get("key")))


def names_of(context: UiContext, row: Mapping[str, Any]) -> set[str]:
    """Rows of the open sheet that a finding names; ``WHOLE`` is the sheet itself (the server, or the design)."""
    root = context.sheet == context.design_row.root
    places = row_paths(row)
    if root and context.sheet_row.kind == "fabric":
        # What is inside a server is told on its sheet.
        return {path[0] for path in places if len(path) == 1} or ({WHOLE} if not places else set())
    if str(row.get("sheet") or context.sheet) not in sheets_of(context):
        return set()
    if root or not context.host:
        return {"/".join(path) for path in places} or {WHOLE}
    return {"/".join(path[1:]) for path in places if path[0] == context.host}


def sheets_of(context: UiContext) -> set[str]:
    """The open sheet and those it is a variant of: findings about the base hold here too."""
    design = context.design_row
    return {context.sheet, *(row.base for row in design.lineage(design.sheets.get(context.sheet)) if row.base)}
