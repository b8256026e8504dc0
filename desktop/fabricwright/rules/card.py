"""What a card asks of a slot, read from its part: form, width, length, height, edge connector, generation."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from functools import partial

from fabricwright.catalog.parts import Part, Port
from fabricwright.catalog.ports import ports_of
from fabricwright.design.effective import EffItem
from fabricwright.units.record import record

# Card lengths and heights of the PCIe CEM specification in mm (catalogue pcie.cem; engineering knowledge).
LENGTH_MM = {"HL": 167.65, "3/4": 254.0, "FL": 312.0}
HEIGHT_MM = {"LP": 68.9, "FH": 111.15}

SLOT_FORMS = frozenset(
    {"cem", "sxm4", "sxm5", "sxm6", "oam", "ocp3", "u2", "m2", "e1s", "e3s", "cx-module", "superchip"}
)
"""Forms that only a slot of the same kind takes. Other words (soldered, box, riser, bay) need no slot that we know."""


@record
class Card:
    """Mechanics and edge of a card. 0 or "" = not known, and then no rule speaks about it.

    ``form`` kind of slot it needs; ``width`` in slot pitches; ``lanes``/``gen`` of its upstream port.
    """

    name: str
    kind: str
    form: str
    width: int
    length_mm: float
    height: str
    lanes: int
    gen: int
    estimate: bool


_cards: dict[int, tuple[weakref.ref[Part], dict[tuple[int, int], Card]]] = {}
"""Card facts by part (its identity, while it lives), then by lanes and generation of its upstream port."""


def card_of(part: Part, ports: Mapping[str, Port] | None = None) -> Card:
    """Card facts of a part (of its default configuration unless ``ports`` are given)."""
    up = upstream_port(ports if ports is not None else ports_of(part, {}))
    edge = (up.lanes, up.gen) if up else (0, 0)
    kept = _cards.get(id(part))
    if kept is None or kept[0]() is not part:
        kept = _cards[id(part)] = (weakref.ref(part, partial(_forget, id(part))), {})
    cards = kept[1]
    if edge not in cards:
        cards[edge] = _card(part, *edge)
    return cards[edge]


def _forget(identity: int, _: object) -> None:
    _cards.pop(identity, None)


def _card(part: Part, lanes: int, gen: int) -> Card:
    form = part.word("form").strip().lower()
    length = part.get("length_mm") or LENGTH_MM.get(part.word("slot_length"), 0.0)
    return Card(
        label(part),
        part.kind,
        form if form in SLOT_FORMS else "",
        int(part.get("slot_width", 1)) or 1,
        length,
        part.word("slot_height"),
        int(part.get("edge_lanes")) or lanes,
        gen or int(part.get("pcie_gen")),
        _guessed(part, "form", "slot_length", "length_mm", "slot_height", "slot_width", "edge_lanes"),
    )


def card_of_item(item: EffItem) -> Card | None:
    """Card facts of an item on a sheet; None for unknown parts and servers."""
    return card_of(item.part, item.ports) if item.part is not None else None


def upstream_port(ports: Mapping[str, Port]) -> Port | None:
    """The port towards the processor, None when the part has none."""
    for name in sorted(ports):
        if ports[name].role == "up" and ports[name].medium in ("pcie", "cxl", "dmi"):
            return ports[name]
    return None


def label(part: Part | None) -> str:
    """The orderable name as printed, the same in every language where the part has one."""
    return (part.model or part.name()) if part is not None else ""


def item_label(item: EffItem) -> str:
    """``sw0 (LRSV9500-4I)``: id and model; the id alone where the part has no model (its name would be English)."""
    model = item.part.model if item.part is not None else ""
    return f"{item.id} ({model})" if model else item.id


def _guessed(part: Part, *figures: str) -> bool:
    return any(f in part.figures and part.figures[f].confidence != "read" for f in figures)
