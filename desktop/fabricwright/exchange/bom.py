"""Bill of materials: every part that somebody has to order for a design, counted.

A server part (``kind`` server) is one line: what it ships with is inside. A bare chassis brings its CPUs and memory
modules as lines of their own. Cables are counted per physical cable and ordered length, transceivers per cage, PDUs as
the racks state them unless they are drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from fabricwright.catalog.kind_words import kind_words
from fabricwright.catalog.parts import Part
from fabricwright.design.effective import EffItem, EffSheet, effective
from fabricwright.design.options.option import NO_PART
from fabricwright.design.values import ConfigValue, Design, Project
from fabricwright.exchange.tabular import Cell, to_csv
from fabricwright.rules.context import chassis_config, split_members
from fabricwright.topology.cables import BundleCables, all_cables
from fabricwright.topology.fabric import wire_all
from fabricwright.topology.model import Bundle
from fabricwright.topology.seating import places_of
from fabricwright.topology.wiring import absent_members, product
from fabricwright.units.natural import natural_key
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

FITTED = "fitted."
AUTO = "auto"
KIND_ORDER = (
    *(
        "server",
        "chassis",
        "cpu",
        "dimm",
        "gpu",
        "nic",
        "pcie-switch-card",
        "retimer",
        "cxl",
        "riser",
        "nvme",
        "external-box",
    ),
    *(
        "aux-cable",
        "pcie-cable",
        "storage-server",
        "management-server",
        "switch",
        "optic",
        "cable",
        "fibre",
        "rack",
        "pdu",
    ),
)


@dataclass(frozen=True, slots=True)
class BomLine:
    """One part in one orderable length. ``part`` "" = not chosen yet (``note`` says what); prices None = not known."""

    part: str
    kind: str
    names: Table[str]
    vendor: str
    model: str
    quantity: int
    length_m: float | None = None
    unit_price: float | None = None
    currency: str = ""
    source: str = ""
    confidence: str = ""
    note: Message | None = None

    @property
    def total(self) -> float | None:
        """Quantity times price."""
        return None if self.unit_price is None else self.unit_price * self.quantity

    def description(self, lang: str) -> str:
        """Name of the part and, for a cable, its length."""
        if self.note is not None:
            return self.note.text(lang)
        name = self.names.get(lang) or self.names.get("en") or self.part
        if not self.length_m:
            return name
        return msg("{part}, {length} m", part=name, length=f"{self.length_m:g}").text(lang)


@dataclass(frozen=True, slots=True)
class BomTable:
    """All lines, in the order of ``KIND_ORDER`` and then of part ids."""

    lines: tuple[BomLine, ...]

    def quantity(self, part: str) -> int:
        """How many of a part, over all lengths."""
        return sum(line.quantity for line in self.lines if line.part == part)

    def to_json(self, lang: str = "en") -> dict[str, object]:
        """The shape of ``bom --json``."""
        priced = [line for line in self.lines if line.unit_price is not None]
        currency = priced[0].currency if priced else ""
        return {
            "lines": [_line_json(line, lang) for line in self.lines],
            "totals": {
                "price": sum(line.total or 0.0 for line in priced) if priced else None,
                "without_price": len(self.lines) - len(priced),
                "currency": currency,
            },
        }

    def to_csv(self, lang: str = "en") -> bytes:
        """The same as a CSV file."""
        heads = [
            msg("Part"),
            msg("Kind"),
            msg("Description"),
            msg("Vendor"),
            msg("Model"),
            msg("Quantity"),
            msg("Length (m)"),
        ]
        heads += [msg("Unit price"), msg("Total"), msg("Currency"), msg("Source"), msg("Confidence")]
        rows: list[list[Cell]] = [
            [
                *(line.part, kind_words(line.kind).text(lang), line.description(lang), line.vendor, line.model),
                *(line.quantity, line.length_m),
                *(line.unit_price, line.total, line.currency, line.source, line.confidence),
            ]
            for line in self.lines
        ]
        return to_csv([head.text(lang) for head in heads], rows, lang)


def _line_json(line: BomLine, lang: str) -> dict[str, object]:
    return {
        "part": line.part,
        "kind": line.kind,
        "description": line.description(lang),
        "vendor": line.vendor,
        "model": line.model,
        "quantity": line.quantity,
        "length_m": line.length_m,
        "unit_price": line.unit_price,
        "total": line.total,
        "source": line.source,
        "confidence": line.confidence,
    }


@dataclass(slots=True)
class _Count:
    """Quantities while counting: (part, length) -> count; ``open`` what no part was chosen for."""

    parts: dict[tuple[str, float], int] = field(default_factory=dict)
    open: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, part: str, count: int, length_m: float = 0.0) -> None:
        if part and count > 0:
            key = (part, round(length_m, 3))
            self.parts[key] = self.parts.get(key, 0) + count

    def leave_open(self, kind: str, where: str, count: int) -> None:
        if count > 0:
            self.open[kind, where] = self.open.get((kind, where), 0) + count


def bom(project: Project, design_id: str, bundles: Mapping[str, Bundle] | None = None) -> BomTable:
    """Count a design. ``bundles`` are link rows already wired."""
    design = project.designs[design_id]
    eff = effective(project, design, design.root)
    count = _Count()
    if eff.kind == "fabric":
        _fabric(project, design, eff, count)
        wired = bundles if bundles is not None else wire_all(project, design, eff)
        cables = all_cables(project, design, wired, places_of(project, design, eff))
        _cables(design, eff, wired, cables, count)
    else:
        _server(project, design, design.root, 1, count)
    return BomTable(tuple(_lines(project, count)))


# -- counting ---------------------------------------------------------------------------------------------------------


def _fabric(project: Project, design: Design, eff: EffSheet, count: _Count) -> None:
    drawn_pdus = {item.of for item in eff.items.values() if item.kind == "pdu"}
    for item_id, item in eff.items.items():
        row = design.sheets[design.root].items.get(item_id)
        if item.of.startswith("sheet:"):
            for sheet, members in split_members(row).items() if row is not None else ():
                _server(project, design, sheet, len(members), count)
            continue
        present = _present(design, eff, item)
        count.add(item.of, present)
        _config(item.config, present, count)
        pdu = item.config.get("pdu")
        if isinstance(pdu, str) and pdu not in drawn_pdus:
            count.add(pdu, present * _number(item.config, "feeds", 1) * _number(item.config, "pdus_per_feed", 1))


def _present(design: Design, eff: EffSheet, item: EffItem) -> int:
    members = product(item.axes)
    return members - int(np.count_nonzero(absent_members(design, eff, item.id, members)))


def _number(config: Mapping[str, ConfigValue], key: str, default: int) -> int:
    value = config.get(key)
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else default


def _config(config: Mapping[str, ConfigValue], members: int, count: _Count) -> None:
    """Parts that a row's config names: an auxiliary power cable, things fitted beside the slots."""
    aux = config.get("aux")
    if isinstance(aux, str) and aux != NO_PART:
        count.add(aux, members)
    for key in config:
        if key.startswith(FITTED):
            count.add(key[len(FITTED) :], members * _number(config, key, 0))


def _server(project: Project, design: Design, sheet: str, members: int, count: _Count) -> None:
    if members <= 0:
        return
    eff = effective(project, design, sheet)
    part = eff.chassis_part
    count.add(eff.chassis, members)
    extra = {str(k): v for k, v in chassis_config(design, sheet).items()}
    _config({k: v for k, v in extra.items() if isinstance(v, (str, int, float))}, members, count)
    bare = part is not None and part.kind != "server"
    if part is not None and bare:
        count.add(part.word("dimm_part"), members * int(part.get("dimm_count")))
    for item in eff.items.values():
        if "/" in item.id or item.of.startswith("sheet:"):
            continue
        if not item.locked:
            each = members * product(item.axes)
            count.add(item.of, each)
            _config(item.config, each, count)
        elif bare and item.kind == "cpu":
            count.add(item.of, members)
    for link_id, link in eff.links.items():
        if link.cable != AUTO:
            count.add(link.cable, members, link.length_m or 0.0)
        else:
            count.leave_open("pcie-cable", f"{sheet}/{link_id}", members)


def _cables(
    design: Design, eff: EffSheet, bundles: Mapping[str, Bundle], cables: Mapping[str, BundleCables], count: _Count
) -> None:
    plugged: dict[str, set[tuple[str, int, str]]] = {}
    for link_id, row in cables.items():
        link = eff.links[link_id]
        for (part, length), number in row.counted().items():
            if part:
                count.add(part, number, length)
            else:
                count.leave_open("cable", link_id, number)
        bundle = bundles[link_id]
        for side, optic in enumerate(link.optics[:2]):
            if optic:
                plugged.setdefault(optic, set()).update(_cages(bundle, row, side))
    for optic, cages in plugged.items():
        count.add(optic, len(cages))


def _cages(bundle: Bundle, cables: BundleCables, side: int) -> Iterable[tuple[str, int, str]]:
    """(item, member, cage) of one side's live rows: one transceiver each."""
    item = (bundle.a_item, bundle.b_item)[side]
    cages = (cables.a_cages, cables.b_cages)[side]
    names = (bundle.a_ports, bundle.b_ports)[side]
    ends = np.unique(bundle.rows[bundle.alive][:, 2 * side : 2 * side + 2], axis=0)
    return {(item, member, cages[port].cage or names[port]) for member, port in ends.tolist()}


# -- lines ------------------------------------------------------------------------------------------------------------


def _lines(project: Project, count: _Count) -> list[BomLine]:
    prices = {row.part: row for row in project.prices.values()}
    currency = main_currency([prices[part].currency for part, _ in count.parts if part in prices])
    lines = []
    for (part_id, length), quantity in count.parts.items():
        part = project.parts.get(part_id) or _unknown(part_id)
        price = prices.get(part_id)
        known = price is not None and price.currency == currency
        lines.append(
            BomLine(
                part_id,
                part.kind,
                part.names,
                part.vendor,
                part.model,
                quantity,
                length or None,
                price.amount if price is not None and known else None,
                currency if known else "",
                part.source,
                part.confidence,
            )
        )
    for (kind, where), quantity in count.open.items():
        note = msg("{where}: cable not chosen", where=where)
        lines.append(BomLine("", kind, Table(), "", "", quantity, note=note))
    return sorted(lines, key=_order)


def main_currency(currencies: list[str]) -> str:
    """The currency of most priced lines (the first in the alphabet on a tie): sums over several would mean nothing."""
    return min(set(currencies), key=lambda c: (-currencies.count(c), c), default="")


def _unknown(part_id: str) -> Part:
    return Part("", Table({"en": part_id}))


def _order(line: BomLine) -> tuple[int, str, object, float]:
    place = KIND_ORDER.index(line.kind) if line.kind in KIND_ORDER else len(KIND_ORDER)
    return place, line.kind, natural_key(line.part), line.length_m or 0.0
