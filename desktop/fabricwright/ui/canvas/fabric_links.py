"""How many cables run between which cards: the wiring rule, folded onto the cards that are shown. Exact, vectorised,
cached per link row."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.address import expand_ports
from fabricwright.design.effective import EffSheet, effective
from fabricwright.design.values import Design, Link, Project
from fabricwright.topology.model import Bundle
from fabricwright.topology.wiring import end_of, wire
from fabricwright.ui.canvas.fabric_pieces import SERVER, Pieces

I32 = NDArray[np.int32]
MAX_PORT_LINES = 16


@dataclass(frozen=True, slots=True)
class Strand:
    """Cables of one link between two cards: ``port`` index of the server port they leave from (-1 = any), on side
    ``a``."""

    link: str
    a: int
    b: int
    port: int
    count: int


@dataclass(frozen=True, slots=True)
class Wired:
    """A link row with its cables and strands, the rate of one cable in Gb/s, and how many ports the server end has."""

    link: str
    row: Link
    bundle: Bundle
    strands: tuple[Strand, ...]
    gbps: float
    ports: int
    flipped: bool
    total: int


_bundles: OrderedDict[tuple[int, ...], tuple[tuple[object, ...], Bundle]] = OrderedDict()
_folds: OrderedDict[tuple[object, ...], tuple[Bundle, Wired]] = OrderedDict()
_KEEP = 8192


def bundle_of(project: Project, design: Design, eff: EffSheet, link_id: str, link: Link) -> Bundle:
    """Wired rows of a link; computed again only when the link, its items or the server sheets behind them changed."""
    sheet = design.sheets[eff.id]
    held: list[object] = [link]
    for end in (link.a, link.b):
        item_id = end.partition(":")[0].partition("/")[0]
        row = sheet.items.get(item_id) or eff.items.get(item_id)
        held.append(row)
        of = eff.items[item_id].of if item_id in eff.items else ""
        inner = design.sheets.get(of[6:]) if of.startswith("sheet:") else None
        while inner is not None:
            held.append(inner)
            inner = design.sheets.get(inner.base) if inner.base else None
    key = tuple(id(x) for x in held)
    found = _bundles.get(key)
    if found is not None:
        _bundles.move_to_end(key)
        return found[1]
    bundle = wire(link, end_of(project, design, eff, link.a), end_of(project, design, eff, link.b), link_id)
    _bundles[key] = (tuple(held), bundle)
    while len(_bundles) > _KEEP:
        _bundles.popitem(last=False)
    return bundle


def wired_links(project: Project, design: Design, eff: EffSheet, pieces: Pieces) -> list[Wired]:
    """Every link of a fabric sheet folded onto its cards, in natural order. A server end is always side ``a``."""
    out = []
    for link_id in sorted(eff.links):
        link = eff.links[link_id]
        bundle = bundle_of(project, design, eff, link_id, link)
        if bundle.a_item in pieces.owner and bundle.b_item in pieces.owner:
            out.append(_folded(project, design, eff, pieces, link_id, link, bundle))
    return out


def _folded(
    project: Project, design: Design, eff: EffSheet, pieces: Pieces, link_id: str, link: Link, bundle: Bundle
) -> Wired:
    """The fold of last time while the bundle and the cards at its ends are the same."""
    ends = tuple(
        (n, pieces.pieces[n].role, len(pieces.pieces[n].members))
        for item in (bundle.a_item, bundle.b_item)
        for n in pieces.of(item)
    )
    key = (id(bundle), ends)
    found = _folds.get(key)
    if found is not None and found[0] is bundle:
        _folds.move_to_end(key)
        return found[1]
    wired = _fold(project, design, eff, pieces, link_id, link, bundle)
    _folds[key] = (bundle, wired)
    while len(_folds) > _KEEP:
        _folds.popitem(last=False)
    return wired


def _fold(
    project: Project, design: Design, eff: EffSheet, pieces: Pieces, link_id: str, link: Link, bundle: Bundle
) -> Wired:
    rows = bundle.rows[bundle.alive]
    a_owner, b_owner = pieces.owner[bundle.a_item], pieces.owner[bundle.b_item]
    va, vb = a_owner[rows[:, 0]], b_owner[rows[:, 2]]
    a_server = any(pieces.pieces[n].role == SERVER for n in pieces.of(bundle.a_item))
    b_server = any(pieces.pieces[n].role == SERVER for n in pieces.of(bundle.b_item))
    flipped = b_server and not a_server
    ports = rows[:, 3] if flipped else rows[:, 1]
    n_ports = len(bundle.b_ports if flipped else bundle.a_ports)
    if flipped:
        va, vb = vb, va
    by_port = (a_server or b_server) and n_ports <= MAX_PORT_LINES
    port = ports if by_port else np.full(len(rows), -1, np.int32)
    key = np.stack([va, port, vb], axis=1) if len(rows) else np.zeros((0, 3), np.int32)
    pairs, counts = np.unique(key, axis=0, return_counts=True) if len(key) else (key, np.zeros(0, np.int64))
    if by_port and len(pairs) > 2 * max(n_ports, 1) * max(1, len(set(pairs[:, 0].tolist()))):
        # Every port meets many switches: one line per pair of cards tells more than a fan from each port.
        key[:, 1] = -1
        pairs, counts = np.unique(key, axis=0, return_counts=True)
    strands = tuple(
        Strand(link_id, int(a), int(b), int(p), int(c))
        for (a, p, b), c in zip(pairs.tolist(), counts.tolist(), strict=True)
    )
    return Wired(link_id, link, bundle, strands, link_gbps(project, design, eff, link), n_ports, flipped, len(rows))


def link_gbps(project: Project, design: Design, eff: EffSheet, link: Link) -> float:
    """Rate of one cable: what the row says, else what both ends can do; 0 when unknown."""
    if link.speed:
        return link.speed / 1e9
    rates = [r for r in (end_gbps(project, design, eff, link.a), end_gbps(project, design, eff, link.b)) if r > 0]
    return min(rates, default=0.0)


def end_gbps(project: Project, design: Design, eff: EffSheet, end: str) -> float:
    """Line rate of the first port of an end."""
    item_id, _, text = end.partition(":")
    item_id, _, inner_item = item_id.partition("/")
    item = eff.items.get(item_id)
    if item is None:
        return 0.0
    if item.of.startswith("sheet:"):
        inner = effective(project, design, item.of[6:])
        names = inner.exports[text].ports if text in inner.exports else (f"{inner_item}:{text}",)
        for name in names[:1]:
            owner, _, port = name.partition(":")
            found = inner.items[owner].ports.get(port) if owner in inner.items else None
            return found.gbps if found else 0.0
        return 0.0
    for name in expand_ports(text)[:1]:
        port_row = item.ports.get(name)
        return port_row.gbps if port_row else 0.0
    return 0.0
