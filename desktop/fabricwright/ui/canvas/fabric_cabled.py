"""The cards of a fabric sheet with the cables between them, before anything has a place. Moving a card changes none of
it, so it is kept until the rows change."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from fabricwright.design.effective import EffSheet
from fabricwright.design.values import Design, Project
from fabricwright.ui.canvas.fabric_figures import used_cages
from fabricwright.ui.canvas.fabric_links import Wired, wired_links
from fabricwright.ui.canvas.fabric_pieces import Pieces, split_pieces


@dataclass(frozen=True, slots=True)
class Cabled:
    """``pieces`` all cards, ``wired`` all links folded onto them, ``cages`` item -> (cages in use, cages) of one
    switch."""

    pieces: Pieces
    wired: list[Wired]
    cages: dict[str, tuple[int, int]]


def cabled_cards(project: Project, design: Design, eff: EffSheet) -> Cabled:
    """Cards and cables of fabric sheet ``eff``, from last time while no row that they are made of has changed."""
    sheet = design.sheets[eff.id]
    opened = tuple(sorted(item for item, look in sheet.look.items() if look.open))
    # Rows are never changed in place: the same objects are the same sheet. They are held so that none is made anew at
    # the place of one that is gone.
    others = tuple(row for name, row in design.sheets.items() if name != eff.id)
    held = (eff, sheet.items, sheet.links, project.parts, *others)
    key = (opened, *(id(row) for row in held))
    kept = sheet.items.memo.get("cabled")
    if isinstance(kept, tuple) and kept[0] == key:
        return kept[2]  # type: ignore[no-any-return]
    pieces = split_pieces(design, eff, sheet)
    wired = wired_links(project, design, eff, pieces)
    result = Cabled(pieces, wired, used_cages(eff, _used_ports(wired)))
    sheet.items.memo["cabled"] = (key, held, result)
    return result


def _used_ports(wired: list[Wired]) -> dict[str, set[str]]:
    """Ports that have a cable, by item."""
    out: dict[str, set[str]] = defaultdict(set)
    for link in wired:
        bundle = link.bundle
        rows = bundle.rows[bundle.alive]
        for item, names, column in ((bundle.a_item, bundle.a_ports, 1), (bundle.b_item, bundle.b_ports, 3)):
            for k in set(rows[:, column].tolist()):
                if 0 <= k < len(names):
                    out[item].add(names[k])
    return out
