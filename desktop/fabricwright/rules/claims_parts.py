"""SED-05: stated figures of parts and platforms, against the catalogue and what is drawn with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import ports_of
from fabricwright.design.address import Address
from fabricwright.design.indexset import IndexSet
from fabricwright.design.quantities import QUANTITIES
from fabricwright.design.unit_words import unit_words
from fabricwright.rules.card import card_of_item, item_label, label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.legality import host_memory_gb
from fabricwright.rules.nic_claims import net_ports
from fabricwright.rules.pcie_path import lanes_available, server_view
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import Held, Meant, held, meant, numbers
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.units.record import record
from fabricwright.units.text import N_, Message, msg

CLOSE = 0.01
"""A figure within one percent is the same."""


@record
class Known:
    """What the catalogue says of a thing; ``words`` the figure with what it is made of."""

    value: float
    words: Message
    estimate: bool = False


Reader = Callable[[RuleContext, Meant], Known | None]


def _lanes(context: RuleContext, place: Meant) -> Known | None:
    cpus = [i for i in place.variant.eff.items.values() if i.kind == "cpu" and i.part is not None]
    found = [lanes_available(cpu) for cpu in cpus]
    if not cpus or not all(lanes for lanes, _ in found):
        return None
    total = sum(lanes for lanes, _ in found)
    names = list(dict.fromkeys(label(cpu.part) or cpu.of for cpu in cpus))
    words = msg("{lanes} lanes ({count} x {cpu})", lanes=total, count=len(cpus), cpu=names)
    return Known(float(total), words, any(cpu.part is not None and cpu.part.confidence != "read" for cpu in cpus))


def _lanes_needed(context: RuleContext, place: Meant) -> Known | None:
    gpus = [card for i in place.variant.eff.items.values() if i.kind == "gpu" and (card := card_of_item(i)) is not None]
    lanes = [card.lanes for card in gpus]
    if not lanes or not all(lanes):
        return None
    shown = f"{len(lanes)} x {lanes[0]}" if len(set(lanes)) == 1 else " + ".join(map(str, lanes))
    return Known(float(sum(lanes)), msg("{lanes} lanes of GPUs ({sum})", lanes=sum(lanes), sum=shown))


def _free_slots(context: RuleContext, place: Meant) -> Known | None:
    eff = place.variant.eff
    slots = [seat for seat, slot in eff.slots.items() if slot.kind == "cem" and seat.startswith("chassis:")]
    if not slots:
        return None
    seated = eff.seated()
    free = [seat.partition(":")[2] for seat in slots if not seated.get(seat)]
    words = (
        msg("{free} of {all} card slots free ({names})", free=len(free), all=len(slots), names=sorted(free))
        if free
        else msg("none of {all} card slots free", all=len(slots))
    )
    return Known(float(len(free)), words, eff.chassis_part is not None and eff.chassis_part.confidence != "read")


def _memory(context: RuleContext, place: Meant) -> Known | None:
    fitted = context.config_of_chassis(place.variant.sheet)
    total = host_memory_gb(server_view(place.variant.eff, context.project.parts), fitted)
    if not total:
        return None
    cards = [i for i in place.variant.eff.items.values() if i.kind == "cxl"]
    words = (
        msg("{total} TB with {count} CXL cards", total=total / 1024, count=len(cards))
        if cards
        else msg("{total} TB in its memory slots", total=total / 1024)
    )
    return Known(total / 1024, words)


def _server_power(context: RuleContext, place: Meant) -> Known | None:
    part = place.variant.eff.chassis_part
    return _figure(part, "max_system_w", msg("W at most")) if part is not None else None


def _figure(part: Part, figure: str, unit: Message) -> Known | None:
    value = part.get(figure)
    row = part.figures.get(figure)
    if not value or row is None:
        return None
    words = msg("{part}: {value} {unit}", part=label(part), value=value, unit=unit)
    return Known(value, words, row.confidence != "read")


def _nic_ports(context: RuleContext, place: Meant) -> Known | None:
    item = place.variant.eff.items.get(place.item)
    ports = net_ports(item.ports) if item is not None and item.kind == "nic" else {}
    if item is None or not ports:
        return None
    return Known(float(len(ports)), msg("{nic} has {count} ports", nic=item_label(item), count=len(ports)))


def _nic_port_rate(context: RuleContext, place: Meant) -> Known | None:
    item = place.variant.eff.items.get(place.item)
    ports = net_ports(item.ports) if item is not None and item.kind == "nic" else {}
    if item is None or not ports:
        return None
    fast = max(port.gbps for port in ports.values())
    return Known(fast, msg("{nic} does {gbps} Gb/s a port", nic=item_label(item), gbps=fast))


def _gpu_memory(context: RuleContext, place: Meant) -> Known | None:
    item = place.variant.eff.items.get(place.item)
    part = item.part if item is not None and item.kind == "gpu" else None
    return _figure(part, "memory_gb", msg("GB")) if part is not None else None


READERS: Mapping[str, Reader] = {
    "host.lanes": _lanes,
    "host.lanes_needed": _lanes_needed,
    "server.free_slots": _free_slots,
    "memory.host_tb": _memory,
    "server.power_w": _server_power,
    "nic.ports": _nic_ports,
    "nic.port_gbps": _nic_port_rate,
    "gpu.memory_gb": _gpu_memory,
}
"""Quantity -> how the figure is read where a statement points at something drawn."""


def _of_part(quantity: str, part: Part) -> Known | None:
    """The figure of a part that a statement names (``part:ID``), drawn or not."""
    nets = net_ports(ports_of(part, {})) if part.kind in ("nic", "switch") else {}
    if quantity == "gpu.memory_gb":
        return _figure(part, "memory_gb", msg("GB"))
    if quantity == "part.power_w":
        return _figure(part, "power_w", msg("W")) or _figure(part, "max_system_w", msg("W"))
    if quantity == "server.power_w":
        return _figure(part, "max_system_w", msg("W at most"))
    if quantity == "switch.ports" and part.kind == "switch" and nets:
        count = len({port.cage or name for name, port in nets.items()})
        return Known(float(count), msg("{part} has {count} cages", part=label(part), count=count))
    if quantity == "nic.ports" and nets:
        return Known(float(len(nets)), msg("{nic} has {count} ports", nic=label(part), count=len(nets)))
    if quantity == "nic.port_gbps" and nets:
        fast = max(port.gbps for port in nets.values())
        return Known(fast, msg("{nic} does {gbps} Gb/s a port", nic=label(part), gbps=fast))
    return None


@rule(
    "SED-05",
    "warning",
    needs=("effective", "statements"),
    scope="design",
    group="seed claims",
    subject="claim",
    title=N_("Stated figure is not that of the part"),
    checks=N_(
        "Stated lanes, ports, slots, memory and power of a part or platform are those of the catalogue and of what is "
        "drawn with it."
    ),
    reason=N_("Sizing that starts from a figure of no existing platform ends in an order that does not fit."),
    source="seedA SD15",
)
def sed_05(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, figure_verdicts(context))


@judges("SED-05")
def figure_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Stated figures against those of the catalogue."""
    for statement in held(context.project, *READERS, "part.power_w", "switch.ports"):
        given = numbers(statement.row.value)
        if not given:
            continue
        if statement.scope == "part":
            part = context.project.parts.get(statement.name)
            known = _of_part(statement.row.quantity, part) if part is not None else None
            at = tuple(dict.fromkeys(p.variant.at(p.item) for p in meant(context, statement)))
            if known is not None:
                yield _verdict(statement, given, known, None, at)
            continue
        reader = READERS.get(statement.row.quantity)
        if reader is None:
            yield from _of_switch(context, statement, given)
            continue
        for place in meant(context, statement):
            known = reader(context, place)
            if known is not None:
                here = place.variant.at(place.item) if place.item else place.variant.at()
                yield _verdict(statement, given, known, place, (here,))


def _of_switch(context: RuleContext, statement: Held, given: tuple[float, ...]) -> Iterator[Verdict]:
    """Statements about an item of the root sheet (``switch.ports`` of ``leaf``)."""
    item = context.root.items.get(statement.address.item) if statement.scope == "address" else None
    known = _of_part(statement.row.quantity, item.part) if item is not None and item.part is not None else None
    if known is not None and statement.design in ("", context.design_id):
        yield _verdict(statement, given, known, None, (statement.address,))


def _verdict(
    statement: Held, given: tuple[float, ...], known: Known, place: Meant | None, at: tuple[Address, ...]
) -> Verdict:
    low, high = min(given), max(given)
    slack = CLOSE * known.value
    holds = low - slack <= known.value <= high + slack
    stated = f"{low:g}" if low == high else f"{low:g}-{high:g}"
    unit = statement.row.unit or QUANTITIES[statement.row.quantity].unit
    words = {"stated": stated, "unit": unit_words(unit), "known": known.words}
    text = (
        msg("{stated} {unit} stated; {known}.", **words)
        if holds
        else msg("{stated} {unit} stated, but {known}.", **words)
    )
    return Verdict(
        statement,
        holds,
        text,
        at,
        place.members if place is not None else IndexSet(),
        place.variant if place is not None else None,
        high if known.value > high else low,
        known.value,
        unit,
        {"stated": list(given)},
        known.estimate,
    )
