"""Bill of materials: every part that somebody has to order for a design, with spares, what is owned already, prices.

``bom_count`` says how things are counted. An order is what the design needs, plus spares by rule, minus what is there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from fabricwright.catalog.parts import Part
from fabricwright.catalog.store import catalogue
from fabricwright.design.values import Project
from fabricwright.exchange.bom_count import Count, count_parts
from fabricwright.exchange.bom_groups import GROUPINGS, Groups
from fabricwright.exchange.prices import PriceBook, UnitPrice, bill_price, main_currency
from fabricwright.topology.model import Bundle
from fabricwright.units.natural import natural_key
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg

KIND_ORDER = (
    *("server", "chassis", "cpu", "dimm", "gpu", "nic", "pcie-switch-card", "retimer", "cxl", "riser", "bracket"),
    *("nvme", "external-box", "aux-cable", "pcie-cable", "storage-server", "management-server", "switch", "optic"),
    *("cable", "fibre", "fibre-panel", "rack", "pdu", "power-cord"),
)


@dataclass(frozen=True, slots=True)
class BomLine:
    """One part in one orderable length. ``part`` "" = not chosen yet (``note`` says what).

    ``quantity`` what the design needs, ``spares`` on top (``spare_rule`` says by which share), ``owned`` what is there.
    ``unit_price`` net of discount, without tax where the rate is told; None = not known. ``list_price`` before the
    discount; ``price_source``/``price_date`` the list; ``lead_days`` delivery time. ``source``/``confidence`` of the
    part.
    """

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
    spares: int = 0
    spare_rule: float = 0.0
    owned: int = 0
    list_price: float | None = None
    discount: float = 0.0
    tax: float | None = None
    taxed: bool = False
    rate: float = 1.0
    listed_currency: str = ""
    price_source: str = ""
    price_date: str = ""
    lead_days: int | None = None

    @property
    def order(self) -> int:
        """What is to be ordered: needed plus spares minus owned, not below 0."""
        return max(0, self.quantity + self.spares - self.owned)

    @property
    def total(self) -> float | None:
        """Ordered quantity times net price."""
        return None if self.unit_price is None else self.unit_price * self.order

    def description(self, lang: str) -> str:
        """Name of the part and, for a cable, its length."""
        if self.note is not None:
            return self.note.text(lang)
        name = self.names.get(lang) or self.names.get("en") or self.part
        if not self.length_m:
            return name
        return msg("{part}, {length} m", part=name, length=f"{self.length_m:g}").text(lang)


@dataclass(frozen=True, slots=True)
class GroupLine:
    """So many of a part in one group (a rack, a kind of server, a phase). ``line`` the line of the bill."""

    group: Message
    line: BomLine
    quantity: int


@dataclass(frozen=True, slots=True)
class BomTable:
    """All lines, in the order of ``KIND_ORDER`` and then of part ids. ``currency`` the main one; ``groups`` the same
    quantities divided ``by`` rack, server or phase; ``notes`` what the reader has to know."""

    lines: tuple[BomLine, ...]
    currency: str = ""
    by: str = "part"
    groups: tuple[GroupLine, ...] = ()
    notes: tuple[Message, ...] = ()

    def quantity(self, part: str) -> int:
        """How many of a part the design needs, over all lengths."""
        return sum(line.quantity for line in self.lines if line.part == part)

    def to_json(self, lang: str = "en") -> dict[str, object]:
        """The shape of ``bom --json``. ``quantity`` is what is to be ordered; the total is in the main currency."""
        price = bill_price(self)
        out: dict[str, object] = {
            "lines": [_line_json(line, lang) for line in self.lines],
            "totals": {"price": price.net, "without_price": price.without_price, "currency": price.currency},
            "money": [
                {"currency": m.currency, "net": m.net, "tax": m.tax, "gross": m.gross, "lines": m.lines}
                for m in price.money
            ],
            "notes": [note.text(lang) for note in self.notes],
        }
        if self.by != "part":
            out["group_by"] = self.by
            out["groups"] = [
                {
                    "group": row.group.text(lang),
                    "part": row.line.part,
                    "description": row.line.description(lang),
                    "length_m": row.line.length_m,
                    "quantity": row.quantity,
                }
                for row in self.groups
            ]
        return out

    def to_csv(self, lang: str = "en", *, mark: bool | None = None) -> bytes:
        """The same as a CSV file: the lines, or the groups when the bill is divided."""
        from fabricwright.exchange.bom_tables import group_table, order_table
        from fabricwright.exchange.data_table import table_csv

        table = order_table(self, lang) if self.by == "part" else group_table(self, lang)
        return table_csv(table, lang, mark=mark)


def line_figures(line: BomLine) -> dict[str, object]:
    """What every listing of a line has: how many, at what price, from which list."""
    return {
        "part": line.part,
        "kind": line.kind,
        "vendor": line.vendor,
        "model": line.model,
        "length_m": line.length_m,
        "needed": line.quantity,
        "spares": line.spares,
        "owned": line.owned,
        "list_price": line.list_price,
        "discount": line.discount,
        "unit_price": line.unit_price,
        "total": line.total,
        "currency": line.currency,
        "tax": line.tax,
        "lead_days": line.lead_days,
        "price_list": line.price_source,
        "confidence": line.confidence,
    }


def _line_json(line: BomLine, lang: str) -> dict[str, object]:
    told = {"description": line.description(lang), "quantity": line.order, "source": line.source}
    return line_figures(line) | told


def bom(
    project: Project,
    design_id: str,
    bundles: Mapping[str, Bundle] | None = None,
    *,
    group: str = "part",
    spares: Mapping[str, float] | None = None,
    prices: PriceBook | None = None,
) -> BomTable:
    """Count and price a design. ``bundles`` are link rows already wired.

    ``group`` one of ``GROUPINGS``; ``spares`` share by kind of part ("" = every kind), None = the project's rule;
    ``prices`` None = the project's.
    """
    count, groups = count_parts(project, project.designs[design_id], group, bundles)
    book = prices if prices is not None else PriceBook.of(project)
    rules = spares_of(project) if spares is None else dict(spares)
    lines = sorted(_lines(project, count, rules, book), key=_order)
    found = main_currency([line.currency for line in lines if line.unit_price is not None], book.main)
    by_key = {(line.part, line.length_m or 0.0, "" if line.part else line.kind): line for line in lines if line.part}
    divided = tuple(_divided(count, groups, by_key)) if group != "part" else ()
    return BomTable(tuple(lines), found, group if group in GROUPINGS else "part", divided, tuple(_notes(lines, rules)))


def spares_of(project: Project) -> dict[str, float]:
    """Spares that the project states: kind -> share ("" = every kind)."""
    out = {}
    for key, value in project.ordering.items():
        if (key == "spares" or key.startswith("spares.")) and isinstance(value, (int, float)):
            out[key[7:]] = min(max(float(value), 0.0), 1.0)
    return out


def spares_for(rules: Mapping[str, float], kind: str, quantity: int) -> int:
    """Spares of so many pieces, rounded up: 2% of 101 = 3."""
    share = rules.get(kind, rules.get("", 0.0))
    return max(0, math.ceil(quantity * share - 1e-9))


def _lines(project: Project, count: Count, rules: Mapping[str, float], book: PriceBook) -> list[BomLine]:
    needed: dict[tuple[str, float], int] = {}
    for (_, name, length), n in count.parts.items():
        needed[name, length] = needed.get((name, length), 0) + n
    owned = _owned(project, needed)
    lines = []
    for (part_id, length), quantity in needed.items():
        part = part_or_unknown(project, part_id)
        price = book.unit(part_id, length)
        share = rules.get(part.kind, rules.get("", 0.0))
        line = BomLine(
            part_id,
            part.kind,
            part.names,
            part.vendor,
            part.model,
            quantity,
            length or None,
            source=part.source,
            confidence=part.confidence,
            spares=spares_for(rules, part.kind, quantity),
            spare_rule=share,
            owned=owned.get((part_id, length), 0),
        )
        lines.append(line if price is None else _priced(line, price))
    still_open: dict[tuple[str, str], int] = {}
    for (_, kind, where), n in count.open.items():
        still_open[kind, where] = still_open.get((kind, where), 0) + n
    for (kind, where), quantity in still_open.items():
        lines.append(BomLine("", kind, Table(), "", "", quantity, note=_not_chosen(kind, where)))
    return lines


def _priced(line: BomLine, price: UnitPrice) -> BomLine:
    return replace(
        line,
        unit_price=price.net,
        currency=price.currency,
        list_price=price.list_price,
        discount=price.discount,
        tax=price.tax,
        taxed=price.taxed,
        rate=price.rate,
        listed_currency=price.listed.currency,
        price_source=price.listed.source,
        price_date=price.listed.date,
        lead_days=price.listed.lead_days,
    )


def _not_chosen(kind: str, where: str) -> Message:
    if kind == "optic":
        return msg("{where}: transceiver not chosen", where=where)
    if kind == "aux-cable":
        return msg("{where}: auxiliary power cable not chosen", where=where)
    if kind == "bracket":
        return msg("{where}: low-profile bracket (ask whether it comes with the card)", where=where)
    return msg("{where}: cable not chosen", where=where)


def _owned(project: Project, needed: Mapping[tuple[str, float], int]) -> dict[tuple[str, float], int]:
    """Owned pieces per line. Those of any length serve the lines of their part in order of length, to the last need;
    what is left over stays with the first line."""
    out: dict[tuple[str, float], int] = {}
    loose: dict[str, int] = {}
    for row in project.stock.values():
        there = max(0, row.quantity)
        if row.length_m is None:
            loose[row.part] = loose.get(row.part, 0) + there
        else:
            key = (row.part, round(row.length_m, 3))
            out[key] = out.get(key, 0) + there
    for part, free in loose.items():
        keys = sorted(key for key in needed if key[0] == part)
        for n, key in enumerate(keys):
            last = n == len(keys) - 1
            use = free if last else min(free, max(0, needed[key] - out.get(key, 0)))
            out[key] = out.get(key, 0) + use
            free -= use
    return out


def part_or_unknown(project: Project, part_id: str) -> Part:
    """The project's copy of a part, the catalogue's, or an empty one under its id."""
    found = project.parts.get(part_id) or (catalogue().get(part_id) if part_id in catalogue() else None)
    return found if found is not None else Part("", Table({"en": part_id}))


def _divided(count: Count, groups: Groups, by_key: Mapping[tuple[str, float, str], BomLine]) -> list[GroupLine]:
    rows = []
    for (group, part, length), n in count.parts.items():
        rows.append((group, GroupLine(groups.title(group), by_key[part, length, ""], n)))
    for (group, kind, where), n in count.open.items():
        line = BomLine("", kind, Table(), "", "", n, note=_not_chosen(kind, where))
        rows.append((group, GroupLine(groups.title(group), line, n)))
    rows.sort(key=lambda row: (natural_key(groups.keys[row[0]]), _order(row[1].line)))
    return [row for _, row in rows]


def _notes(lines: list[BomLine], rules: Mapping[str, float]) -> list[Message]:
    notes = []
    if any(share > 0 for share in rules.values()):
        notes.append(msg("Spares are a share of what the design needs, rounded up for each line."))
    if any(line.rate != 1.0 for line in lines):
        rates = {line.listed_currency: line.rate for line in lines if line.rate != 1.0}
        told = [f"1 {currency} = {rate:g}" for currency, rate in sorted(rates.items())]
        notes.append(msg("Prices were converted at the stated rate: {rates}.", rates=told))
    if any(line.taxed for line in lines):
        notes.append(msg("Some prices include a tax whose rate the list does not tell."))
    notes.append(
        msg(
            "Not counted, as the catalogue does not say what is in the box: rack rails, and power cords of devices "
            "whose inlets are not stated."
        )
    )
    return notes


def _order(line: BomLine) -> tuple[int, str, object, float]:
    place = KIND_ORDER.index(line.kind) if line.kind in KIND_ORDER else len(KIND_ORDER)
    return place, line.kind, natural_key(line.part), line.length_m or 0.0
