"""Single cables on a fabric sheet: which one is under the pointer, which are chosen."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

from fabricwright.design.indexset import IndexSet
from fabricwright.ui.canvas.cable_plan import cables_of, end_text, line_of
from fabricwright.ui.canvas.fabric_links import bundle_of
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.scene import Scene
from fabricwright.units.text import msg

END_PX = 9.0
#: Ends of more lines than these lie too close together to be taken one by one.
MOST_LINES = 2000


def cable_end_at(context: UiContext, scene: Scene, where: QPointF, reach: float) -> tuple[int, int] | None:
    """(edge, which of its ends) of a selected bundle within ``reach`` of a point; only one line of each is taken, the
    nearest, and of lines that meet in one port the last drawn."""
    if scene.kind != "fabric" or not isinstance(scene.edges.memo.get("lines"), dict):
        return None
    numbers = scene.edges.numbers()
    stored = context.sheet_row.links
    best: tuple[float, int, int] | None = None
    for link in context.document.selection:
        if link not in numbers or link not in stored:
            continue
        mine = np.flatnonzero(scene.edges.link == numbers[link])
        if len(mine) > MOST_LINES:
            continue
        for which, at in ((0, scene.edges.indptr[mine]), (1, scene.edges.indptr[mine + 1] - 1)):
            points = scene.edges.points[at]
            far = np.maximum(np.abs(points[:, 0] - where.x()), np.abs(points[:, 1] - where.y()))
            for n in np.flatnonzero(far <= reach).tolist():
                chosen = shown_cables(context, scene, int(mine[n]))
                if (best is None or float(far[n]) <= best[0]) and len(chosen):
                    best = (float(far[n]), int(mine[n]), which)
    return (best[1], best[2]) if best is not None else None


def shown_cables(context: UiContext, scene: Scene, edge: int) -> list[int]:
    """Cables that an edge stands for; where single ones are chosen, those of them."""
    if line_of(scene, edge) is None:
        return []
    link = scene.edges.links[int(scene.edges.link[edge])]
    row = context.eff.links.get(link)
    if row is None:
        return []
    bundle = bundle_of(context.project, context.design_row, context.eff, link, row)
    cables = cables_of(scene, edge, bundle).tolist()
    chosen = context.document.members.get(link)
    return cables if chosen is None else [n for n in cables if n in chosen]


def choose_cable(context: UiContext, scene: Scene, edge: int) -> bool:
    """A click on a line of a selected bundle: the line's one cable is chosen alone, or, where it was, the bundle again.
    False where the line stands for several."""
    link = scene.edges.links[int(scene.edges.link[edge])]
    chosen = context.document.members.get(link)
    cables = shown_cables(context, scene, edge)
    if chosen is not None and cables:
        context.document.select([link])
        return True
    row = context.eff.links.get(link)
    if row is None or line_of(scene, edge) is None:
        return False
    bundle = bundle_of(context.project, context.design_row, context.eff, link, row)
    every = cables_of(scene, edge, bundle).tolist()
    if len(every) != 1 or len(bundle.rows) < 2:
        return False
    context.document.select([link], {link: IndexSet.of(every)})
    a, b = (end_text(bundle, every[0], side, _members(context, bundle.a_item, bundle.b_item, side)) for side in (0, 1))
    context.say(msg("One cable of {link}: {a} to {b}. Delete cuts it; its ends can be dragged.", link=link, a=a, b=b))
    return True


def _members(context: UiContext, a: str, b: str, side: int) -> int:
    row = context.sheet_row.items.get((a, b)[side])
    return row.count if row is not None else 1
