"""Every method that Qt calls to paint stands behind the guard: an exception there can end the process."""

from __future__ import annotations

import ast
from pathlib import Path

WINDOW = Path(__file__).resolve().parents[2] / "desktop" / "fabricwright" / "ui"
PAINTERS = {"paint", "paintEvent", "drawBackground", "drawForeground", "drawPrimitive", "drawControl"}
PAINTERS |= {"drawComplexControl", "drawRow", "drawBranches", "paintSection", "drawItemText", "drawContents"}


def _guarded(method: ast.FunctionDef) -> bool:
    names = {d.id for d in method.decorator_list if isinstance(d, ast.Name)}
    body = [s for s in method.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return "safe_paint" in names or not body  # a docstring alone paints nothing


def test_every_painter_is_guarded() -> None:
    open_ones = []
    for path in sorted(WINDOW.rglob("*.py")):
        for owner in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            # Qt calls methods of its own classes; a class without a base is called from a painter that is guarded.
            if isinstance(owner, ast.ClassDef) and owner.bases:
                open_ones += [
                    f"{path.relative_to(WINDOW)}: {owner.name}.{method.name}"
                    for method in owner.body
                    if isinstance(method, ast.FunctionDef) and method.name in PAINTERS and not _guarded(method)
                ]
    assert open_ones == []
