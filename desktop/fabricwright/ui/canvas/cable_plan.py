"""Which cables a line of a fabric sheet stands for, and where one end of a cable can be plugged instead. No Qt."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabricwright.design.effective import EffSheet
from fabricwright.design.indexset import IndexSet
from fabricwright.design.values import Design, Link, Project
from fabricwright.topology.model import Bundle
from fabricwright.ui.canvas.fabric_links import bundle_of
from fabricwright.ui.paint.scene import Scene
from fabricwright.units.text import Message, msg

SIDES = ("a", "b")


@dataclass(frozen=True, slots=True)
class Line:
    """What an edge shows of its link: ``side`` of the link that the edge begins at (0 or 1), ``port`` of that side
    (index into the ports of the bundle, -1 = any)."""

    side: int
    port: int


def line_of(scene: Scene, edge: int) -> Line | None:
    """What an edge shows of its bundle; None where it stands for no cables."""
    known = scene.edges.memo.get("lines")
    return known.get(edge) if isinstance(known, dict) else None


def cables_of(scene: Scene, edge: int, bundle: Bundle) -> NDArray[np.intp]:
    """Numbers of the cables that an edge stands for, lowest first."""
    line = line_of(scene, edge)
    if line is None:
        return np.zeros(0, np.intp)
    kept = bundle.alive.copy()
    ends = (int(scene.edges.a[edge]), int(scene.edges.b[edge]))
    for card, side in zip(ends, (line.side, 1 - line.side), strict=True):
        members = scene.card(card).members
        if members is not None:
            kept &= np.isin(bundle.rows[:, 2 * side], np.fromiter(members, np.int64))
    if line.port >= 0:
        kept &= bundle.rows[:, 2 * line.side + 1] == line.port
    return np.flatnonzero(kept)


def end_text(bundle: Bundle, row: int, side: int, count: int) -> str:
    """``leaf[3]:17/2`` of one end of a cable, "" where none is left."""
    member, port = int(bundle.rows[row, 2 * side]), int(bundle.rows[row, 2 * side + 1])
    names = (bundle.a_ports, bundle.b_ports)[side]
    if member < 0 or not 0 <= port < len(names):
        return ""
    return place_text((bundle.a_item, bundle.b_item)[side], member, names[port], count)


def place_text(item: str, member: int, port: str, count: int) -> str:
    """One port of one member as a cable names it; ``port`` of a server is that of its card, ``nic0:1``."""
    owner, _, inner = port.rpartition(":")
    head = item if count < 2 else f"{item}[{member}]"
    return f"{head}/{owner}:{inner}" if owner else f"{head}:{inner}"


def count_of(eff: EffSheet, item: str) -> int:
    """Members of an item."""
    n = 1
    for _, size in eff.items[item].axes:
        n *= size
    return n


class Plugs:
    """Ports that one end of a cable could be plugged into. ``row`` number of the cable, ``side`` 0 or 1."""

    def __init__(self, project: Project, design: Design, eff: EffSheet, link_id: str, row: int, side: int) -> None:
        self.project, self.design, self.eff = project, design, eff
        self.link_id, self.row, self.side = link_id, row, side
        self.link = eff.links[link_id]
        self.bundle = self._bundle(link_id, self.link)
        self.item = (self.bundle.a_item, self.bundle.b_item)[side]
        self.count = count_of(eff, self.item)
        self.now = self._place(self.bundle)
        wire = dataclasses.replace(self.link.wire, moved=self.link.wire.moved.drop(str(row)))
        self.rule = self._place(self._bundle(link_id, dataclasses.replace(self.link, wire=wire)))

    def _bundle(self, link_id: str, link: Link) -> Bundle:
        return bundle_of(self.project, self.design, self.eff, link_id, link)

    def _place(self, bundle: Bundle) -> tuple[int, str]:
        """(member, port) of this end."""
        member, port = bundle.rows[self.row, 2 * self.side : 2 * self.side + 2].tolist()
        names = (bundle.a_ports, bundle.b_ports)[self.side]
        return int(member), names[port] if 0 <= port < len(names) else ""

    def text(self, member: int, port: str) -> str:
        """Of a place, as the document writes it."""
        return place_text(self.item, member, port, self.count)

    def find(self, item: str, members: IndexSet | None) -> tuple[int, str] | Message:
        """The port that the end would take on a card, or why there is none. A member that it is plugged into already
        counts only where the card shows no other."""
        if item != self.item:
            return msg(
                "This end of {link} stays on {item}: the cables of a link join two items.",
                link=self.link_id,
                item=self.item,
            )
        wanted = list(members) if members is not None else range(self.count)
        absent = self._absent()
        for member in wanted:
            if member == self.now[0] or member in absent:
                continue
            port = self._free(member)
            if port:
                return member, port
        if self.now[0] in wanted and len(wanted) == 1:
            return msg("The cable is plugged in here already.")
        what = item if self.count < 2 or len(wanted) > 1 else f"{item}[{next(iter(wanted), 0)}]"
        return msg("{item} has no free port that this cable fits.", item=what)

    def _absent(self) -> set[int]:
        row = self.design.sheets[self.eff.id].items.get(self.item)
        out: set[int] = set()
        for key, override in row.except_.items() if row is not None else ():
            if override.absent:
                out |= set(IndexSet.parse(key, self.eff.items[self.item].axes))
        return out

    def _free(self, member: int) -> str:
        """The first free port: the one the rule means, one of the same name, one of the link's range, any alike."""
        used = self._used(member)
        cages = {name.partition("/")[0] for name in used if "/" in name}
        for port in self._wanted(member):
            whole = port.partition("/")[0]
            if port not in used and port not in cages and (whole == port or whole not in used):
                return port
        return ""

    def _wanted(self, member: int) -> Iterable[str]:
        if self.rule[0] == member and self.rule[1]:
            yield self.rule[1]
        if self.now[1]:
            yield self.now[1]
        yield from (self.bundle.a_ports, self.bundle.b_ports)[self.side]
        item = self.eff.items[self.item]
        here = item.ports.get(self.now[1])
        if here is not None:
            for name, port in item.ports.items():
                if (port.role, port.medium, port.gbps) == (here.role, here.medium, here.gbps):
                    yield name

    def _used(self, member: int) -> set[str]:
        """Ports of one member that hold a cable of the sheet."""
        out: set[str] = set()
        for link_id, link in self.eff.links.items():
            if self.item not in (_item(link.a), _item(link.b)):
                continue
            bundle = self._bundle(link_id, link)
            for side, item in enumerate((bundle.a_item, bundle.b_item)):
                if item == self.item:
                    names = (bundle.a_ports, bundle.b_ports)[side]
                    mine = bundle.rows[bundle.alive & (bundle.rows[:, 2 * side] == member), 2 * side + 1]
                    out.update(names[n] for n in mine.tolist() if 0 <= n < len(names))
        return out

    def call_args(self, member: int, port: str) -> dict[str, object]:
        """Arguments of ``move_cable`` that plug the end there; back where the rule says, nothing is stored."""
        old = self.link.wire.moved.get(str(self.row))
        ends: dict[str, str | None] = {"a": old.a if old else None, "b": old.b if old else None}
        ends[SIDES[self.side]] = None if (member, port) == self.rule else self.text(member, port)
        return {"link": self.link_id, "row": self.row, **ends}


def _item(end: str) -> str:
    return end.partition(":")[0].partition("/")[0]


def cut_args(link_id: str, link: Link, row: int) -> dict[str, object]:
    """Arguments of ``move_cable`` that cut one cable; where it was plugged stays known."""
    old = link.wire.moved.get(str(row))
    return {"link": link_id, "row": row, "a": old.a if old else None, "b": old.b if old else None, "cut": True}
