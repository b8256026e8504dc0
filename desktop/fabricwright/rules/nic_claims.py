"""NIC-02, NIC-03: what is stated about the ports of a NIC, against the ports themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fabricwright.catalog.parts import Port
from fabricwright.catalog.ports import mode_of, ports_of
from fabricwright.catalog.store import catalogue
from fabricwright.design.address import Address
from fabricwright.design.effective import EffItem
from fabricwright.rules.card import item_label, label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.nic import SAME
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import Held, about_design, held, meant
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.units.text import N_, Message, msg


def cage_gbps(cage_type: str) -> float:
    """Rate that the lanes of a cage carry at most, whatever the port behind it does (catalogue table ``cage_types``);
    0 for a type that is not known.
    """
    row = catalogue().table("cage_types").get(cage_type)
    return float(row["lanes"] * row["max_lane_gbps"]) if row else 0.0


def net_ports(ports: Mapping[str, Port]) -> dict[str, Port]:
    """Network ports that have a rate."""
    return {n: p for n, p in ports.items() if p.role == "net" and p.gbps and p.medium in ("eth", "ib")}


def _meant(
    context: RuleContext, statement: Held
) -> Iterator[tuple[tuple[Address, ...], str, dict[str, Port], dict[str, str], EffItem | None, Verdict]]:
    """(addresses, name, ports, cage types, item, empty verdict to fill) of every NIC that a statement is about."""
    blank = Verdict(statement, True, Message(""))
    if statement.scope == "part":
        part = context.project.parts.get(statement.name)
        if part is None or part.kind != "nic" or not about_design(statement, context.design_id):
            return
        users = [place.variant.at(place.item) for place in meant(context, statement)]
        cages = {name: cage.type for name, cage in part.cages.items()}
        yield tuple(dict.fromkeys(users)), label(part), net_ports(ports_of(part, {})), cages, None, blank
        return
    for place in meant(context, statement):
        item = place.variant.eff.items.get(place.item)
        if item is None or item.kind != "nic":
            continue
        cages = {name: cage.type for name, cage in item.part.cages.items()} if item.part is not None else {}
        filled = Verdict(statement, True, Message(""), (), place.members, place.variant)
        yield (place.variant.at(place.item),), item_label(item), net_ports(item.ports), cages, item, filled


@rule(
    "NIC-02",
    "error",
    needs=("effective", "statements"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="nic",
    title=N_("Claimed rate is not that of the ports"),
    checks=N_("A stated aggregate rate equals the sum of the card's ports in their mode."),
    reason=N_("A cage may be faster than the port behind it: two 200G ports in QSFP112 cages are 400G, not 800G."),
    source="seedB SD01",
)
def nic_02(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, rate_verdicts(context))


@judges("NIC-02")
def rate_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Stated sums of ports."""
    for statement in held(context.project, "nic.aggregate_gbps"):
        value = statement.number
        if value is None:
            continue
        for at, name, ports, _, item, blank in _meant(context, statement):
            rates = [port.gbps for port in ports.values()]
            if not rates:
                continue
            total = sum(rates)
            holds = abs(total - value) <= SAME * total
            words = {"nic": name, "value": value, "ports": _sum_words(rates), "sum": total}
            text = (
                msg("{nic}: {value} Gb/s stated, its ports give {ports} = {sum} Gb/s.", **words)
                if not holds
                else msg("{nic}: {value} Gb/s, as its ports give ({ports}).", **words)
            )
            mode = mode_of(item.part, item.config) if item is not None and item.part is not None else ""
            yield Verdict(
                statement, holds, text, at, blank.members, blank.variant, value, total, "Gb/s", {"mode": mode}
            )


def _sum_words(rates: list[float]) -> str:
    equal = len(set(rates)) == 1
    return f"{len(rates)} x {rates[0]:g}" if equal else " + ".join(f"{r:g}" for r in rates)


@rule(
    "NIC-03",
    "warning",
    needs=("effective", "statements"),
    scope="design",
    group="NIC, ports, cables, optics",
    subject="nic",
    title=N_("Cage rate counted as port rate"),
    checks=N_("No statement gives a port the rate that only its cage could carry."),
    reason=N_(
        "A cage says which plugs fit. The port behind it may be slower: QSFP56 takes 200G and QSFP112 takes 400G, "
        "also on cards with 100G and 200G ports."
    ),
    source="seedA SD35",
)
def nic_03(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, cage_verdicts(context))


@judges("NIC-03")
def cage_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Stated rates of ports (or their share of a stated sum) above the port's and within the cage's."""
    for statement in held(context.project, "nic.aggregate_gbps", "nic.port_gbps"):
        value = statement.number
        if value is None:
            continue
        for at, name, ports, cages, _, blank in _meant(context, statement):
            if not ports:
                continue
            each = value / len(ports) if statement.row.quantity == "nic.aggregate_gbps" else value
            slow = max(ports.values(), key=lambda port: port.gbps)
            cage = cages.get(_cage_of(slow, ports, cages), "")
            capable = cage_gbps(cage)
            holds = not (slow.gbps * (1 + SAME) < each <= capable * (1 + SAME))
            if holds and abs(each - slow.gbps) > SAME * slow.gbps:
                continue  # wrong in another way: NIC-02 and SED-05 say so
            words = {"nic": name, "port": slow.gbps, "each": each, "cage": cage, "capable": capable}
            text = (
                msg("{nic}: {port} Gb/s a port, as stated.", **words)
                if holds
                else msg(
                    "{nic}: {each} Gb/s a port is what a {cage} cage could carry ({capable}); the port behind it "
                    "does {port} Gb/s.",
                    **words,
                )
            )
            yield Verdict(
                statement, holds, text, at, blank.members, blank.variant, each, slow.gbps, "Gb/s", {"cage": cage}
            )


def _cage_of(port: Port, ports: Mapping[str, Port], cages: Mapping[str, str]) -> str:
    """Cage of a port: the one it names, else the one that its name begins with, else the only kind there is."""
    if port.cage in cages:
        return port.cage
    name = next((n for n, p in ports.items() if p is port), "")
    if name in cages:
        return name
    return re.split(r"[/:]", name)[0] if re.split(r"[/:]", name)[0] in cages else next(iter(cages), "")
