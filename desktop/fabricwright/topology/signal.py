"""The signal path of PCIe and CXL links: from port to port a chain of elements, cut into segments by retimers.

Each segment has the whole loss budget of the generation that the link would train to. Where a segment loses more, the
link falls back to the fastest generation whose budget holds (``falls_to``); ``pcie_tree.build_tree`` lets it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fabricwright.catalog.parts import Part, Slot
from fabricwright.design.address import split_end
from fabricwright.design.effective import EffItem, EffSheet, stated_at
from fabricwright.topology import signal_loss as db
from fabricwright.topology.signal_loss import Element
from fabricwright.topology.stated import stated_figure
from fabricwright.units.record import record

if TYPE_CHECKING:
    from fabricwright.topology.pcie_tree import Feed, PcieTree

SIGNAL_MEDIA = ("pcie", "cxl")
PASSIVE_KINDS = frozenset({"retimer", "riser", "backplane", "pcie-cable", "external-box", "redriver"})
"""Kinds that a link runs through."""


@record
class Segment:
    """From ``upper`` to ``lower``, each the place where a signal starts afresh ("cpu0:p1", "rt0"): ``elements`` in
    this order, ``loss_db`` of ``budget_db`` at the generation of the link. ``known`` False: something in it states no
    loss, and ``loss_db`` is what the rest loses.
    """

    upper: str
    lower: str
    elements: tuple[Element, ...]
    loss_db: float
    budget_db: float
    known: bool

    @property
    def name(self) -> str:
        """``sw0:d1 - gpu0``."""
        return f"{self.upper} - {self.lower}"

    @property
    def assumed(self) -> bool:
        """Whether a usual value stands in for something nobody stated."""
        return any(e.assumed for e in self.elements)

    @property
    def estimate(self) -> bool:
        """Whether any figure in it was not read from its source."""
        return any(e.confidence != "read" for e in self.elements)


@record
class SignalPath:
    """The link above ``device``. ``gen`` what both ends and everything between would train to, ``falls_to`` what the
    budget leaves of it; ``segments`` from the upper end down; ``retimers`` ids in this order."""

    device: str
    parent: str
    port: str
    lanes: int
    gen: int
    falls_to: int
    segments: tuple[Segment, ...]
    retimers: tuple[str, ...]

    def replays_per_s(self, bit_error_rate: float) -> float:
        """Replays per second at a bit error rate (signal_loss.errors_per_s)."""
        return db.errors_per_s(self.lanes, self.falls_to, bit_error_rate)


def signal_paths(eff: EffSheet, tree: PcieTree) -> dict[str, SignalPath]:
    """The signal path above every device of a server sheet, at the generations that ``tree`` says."""
    walker = _Walker(eff, tree)
    out = {}
    for node, feed in tree.feeds.items():
        if not feed.c2c and feed.medium in SIGNAL_MEDIA and walker.ends(node):
            path = walker.path(node)
            if path is not None:
                out[node] = path
    return out


def segments_at(parts: tuple[tuple[str, str, tuple[Element, ...]], ...], gen: int) -> tuple[Segment, ...]:
    """Segments of a link at a generation; (upper, lower, elements) each."""
    budget = db.BUDGET_DB.get(gen, 0.0)
    return tuple(
        Segment(upper, lower, elements, sum(e.at(gen) for e in elements), budget, all(e.known for e in elements))
        for upper, lower, elements in parts
    )


class _Walker:
    """Walks up from a device, collecting what the link runs through."""

    def __init__(self, eff: EffSheet, tree: PcieTree) -> None:
        self.eff, self.tree = eff, tree
        self.fed = eff.cable_fed()
        self.joined: dict[frozenset[str], str] = {}
        for link_id, link in eff.links.items():
            if link.medium in SIGNAL_MEDIA:
                self.joined.setdefault(frozenset((split_end(link.a)[0], split_end(link.b)[0])), link_id)
        self.parents = {feed.parent for feed in tree.feeds.values()}

    def passive(self, node: str) -> bool:
        return (
            node not in self.tree.cpus and self.tree.levels(node) == 0 and self.tree.items[node].kind in PASSIVE_KINDS
        )

    def ends(self, node: str) -> bool:
        """Whether a link ends at a node: devices and switches; a retimer with nothing below it, too."""
        if not self.passive(node):
            return True
        return self.tree.items[node].kind == "retimer" and node not in self.parents

    def path(self, device: str) -> SignalPath | None:
        tree = self.tree
        feed = tree.feeds[device]
        gen, lanes = feed.gen, feed.lanes
        if gen not in db.NYQUIST_GHZ:
            return None
        parts: list[tuple[str, str, tuple[Element, ...]]] = []
        retimers: list[str] = []
        lower, node = device, device
        elements = self.end(tree.items[device], gen)[::-1]
        for _ in range(24):
            feed = tree.feeds[node]
            for element in self.joint(node, feed, gen):
                if element is None:  # a cable that retimes at its ends: both sides start afresh
                    parts.append((feed.parent, lower, tuple(reversed(elements))))
                    lower, elements = feed.parent, []
                else:
                    elements.append(element)
            parent = feed.parent
            above = tree.items.get(parent)
            if above is None or not self.passive(parent):
                elements += self.end(above, gen) if above is not None else [_unknown(parent)]
                break
            if above.kind == "retimer":
                parts.append((parent, lower, tuple(reversed([*elements, *self.end(above, gen)]))))
                retimers.append(parent)
                lower, elements = parent, self.end(above, gen)[::-1]
            elif split_end(tree.items[node].seat)[0] != above.id and above.part is not None and above.kind == "riser":
                elements.append(_figure("riser", parent, above.part, "trace_db", db.RISER_DB))
            if parent not in tree.feeds:
                elements.append(_unknown(parent))
                break
            node = parent
        parts.append((f"{feed.parent}:{feed.port}" if feed.port else feed.parent, lower, tuple(reversed(elements))))
        parts.reverse()
        found = segments_at(tuple(parts), gen)
        falls_to = gen if _fits(found) else _falls_to(tuple(parts), gen - 1)
        return SignalPath(device, feed.parent, feed.port, lanes, gen, falls_to, found, tuple(reversed(retimers)))

    def end(self, item: EffItem, gen: int) -> list[Element]:
        """What the end of a link loses, from the outside to the chip."""
        return list(self._end(item, gen))

    def _end(self, item: EffItem, gen: int) -> Iterator[Element]:
        if item.id in self.tree.cpus:
            yield Element("cpu-package", item.id, db.CPU_PACKAGE_DB, source="astera", confidence="read")
            return
        stated = {key: stated_figure(item.config.get(key)) for key in ("board_db", "aux_db", "harness_db")}
        chip = item.kind in ("retimer", "pcie-switch", "pcie-switch-card") or self.tree.levels(item.id) > 0
        soldered = item.locked and not item.seat
        own = [(key, value) for key, value in stated.items() if value is not None]
        if own:
            for key, value in own:
                kind = "cable" if key == "harness_db" else "card"
                yield Element(kind, item.id, value or 0.0, gen, True, "stated", "read")
            if not chip:
                return
        elif chip and not soldered:
            yield Element("card-trace", item.id, db.CARD_TRACE_DB, line=True)
        if chip or soldered:
            yield Element("chip-package", item.id, db.CHIP_PACKAGE_DB)
        elif item.kind == "nvme":
            yield Element("drive", item.id, db.DRIVE_DB)
        else:
            yield Element("card", item.id, db.AIC_SHARE_DB, source="astera", confidence="read")

    def joint(self, node: str, feed: Feed, gen: int) -> Iterator[Element | None]:
        """From a node to its parent: connector, traces, cable, board. None stands for a cable that retimes."""
        item = self.tree.items[node]
        slot = self.eff.slots.get(item.seat) if item.seat else None
        if slot is not None:
            yield from self._slot(item.seat, slot, feed, gen)
            return
        link_id = self.joined.get(frozenset((item.id, self.tree.items[feed.parent].id)), "")
        if link_id:
            yield self._cable(link_id, gen)
            if self._on_board(feed.parent):
                yield _board(feed.parent, {}, None)
        else:
            yield _board(item.id, {}, None)

    def _slot(self, seat: str, slot: Slot, feed: Feed, gen: int) -> Iterator[Element | None]:
        stated = stated_at(self.eff, seat)
        yield Element("connector", seat, db.CONNECTOR_DB, source="astera", confidence="read")
        vias = stated_figure(stated.get("vias"))
        if vias:
            yield Element("board", seat, vias * db.VIA_DB, line=True, source="pcisig_qa", confidence="read")
        if seat in self.fed:
            usual = db.BACKPLANE_DB if slot.trace_db is None else slot.trace_db
            yield _board(seat, stated, usual, "backplane", slot.trace_db is None, gen)
            yield self._cable(self.fed[seat][0], gen)
            if self._on_board(feed.parent):
                yield _board(feed.parent, {}, None)
            return
        above = self.tree.items.get(feed.parent)
        if above is not None and above.kind in ("riser", "backplane"):
            usual = db.RISER_DB if slot.trace_db is None else slot.trace_db
            yield _board(seat, stated, usual, "riser", slot.trace_db is None, gen)
            return
        riser_db = stated_figure(stated.get("riser_db"))
        if riser_db is not None:
            yield Element("riser", seat, riser_db, gen, True, "stated", "read")
        yield _board(seat, stated, slot.trace_db, gen=gen)

    def _on_board(self, parent: str) -> bool:
        """Whether a cable starts at a board connector and not at a card's."""
        item = self.tree.items.get(parent)
        return item is not None and (parent in self.tree.cpus or (item.locked and not item.seat))

    def _cable(self, link_id: str, gen: int) -> Element | None:
        link = self.eff.links[link_id]
        length = link.length_m or 0.0
        stated = stated_figure(link.config.get("loss_db"))
        if stated is not None:
            return Element("cable", link_id, stated, gen, True, "stated", "read", length_m=length)
        part = self.eff.cable_parts.get(link.cable)
        if part is None or link.length_m is None:
            return Element("cable", link_id, 0.0, line=True, known=False, length_m=length)
        if part.get("retimes") or part.word("retimes") == "True":
            return None
        if "db_per_m" not in part.figures:
            return Element("cable", link_id, 0.0, line=True, known=False, length_m=length)
        return Element(
            "cable",
            link_id,
            cable_db(part, length),
            min(int(part.get("pcie_gen")) or 5, 5),
            True,
            part.source or "EK",
            part.figures["db_per_m"].confidence,
            length_m=length,
        )


def cable_db(part: Part, length_m: float) -> float:
    """Both connectors and the cable between them, dB at the Nyquist frequency of the cable's own generation."""
    return part.get("connectors_db") + part.get("db_per_m") * length_m


def _board(
    name: str,
    stated: Mapping[str, object],
    usual: float | None,
    kind: str = "board",
    assumed: bool = True,
    gen: int = 5,
) -> Element:
    """A trace: as stated in dB, or by length and laminate, else ``usual``, else the usual length of a board trace."""
    loss = stated_figure(stated.get("board_db"))
    length = stated_figure(stated.get("board_m"))
    if loss is not None:
        return Element(kind, name, loss, gen, True, "stated", "read", length_m=length or 0.0)
    if length is not None:
        laminate = str(stated.get("laminate") or "low-loss")
        per_m = db.LAMINATE_DB_PER_M.get(laminate, db.LAMINATE_DB_PER_M["low-loss"])
        return Element(kind, name, per_m * length, line=True, length_m=length)
    if usual is not None:
        return Element(kind, name, usual, line=True, assumed=kind != "board" and assumed)
    return Element(kind, name, db.BOARD_DB, line=True, assumed=True)


def _figure(kind: str, name: str, part: Part, figure: str, usual: float) -> Element:
    row = part.figures.get(figure)
    known = row is not None
    return Element(
        kind,
        name,
        part.get(figure, usual),
        line=True,
        source=part.source or "EK",
        confidence=row.confidence if row is not None else "engineering",
        assumed=not known,
    )


def _unknown(node: str) -> Element:
    return Element("chip-package", node, 0.0, known=False)


def _falls_to(parts: tuple[tuple[str, str, tuple[Element, ...]], ...], gen: int) -> int:
    """Fastest generation from ``gen`` down whose budget every segment keeps; Gen2 always trains."""
    return next((slower for slower in range(gen, 2, -1) if _fits(segments_at(parts, slower))), min(gen, 2))


def _fits(segments: tuple[Segment, ...]) -> bool:
    return all(not s.budget_db or s.loss_db <= s.budget_db * (1 + 1e-9) for s in segments)
