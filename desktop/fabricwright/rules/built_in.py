"""SRV-02: what a statement says is in a fixed system, against what its maker builds in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from fabricwright.catalog.parts import Part
from fabricwright.catalog.ports import ports_of
from fabricwright.design.address import split_end
from fabricwright.design.values import Project
from fabricwright.rules.card import label
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import Held, held, meant
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.units.text import N_, msg

NicSet = Counter[float]
"""Rate of a port in Gb/s -> how many ports have it."""

_PIECE = re.compile(r"(\d+)\s*[x×*]\s*(\d+(?:\.\d+)?)\s*(?:G(?:b/s|bps|E)?)?", re.IGNORECASE)


@rule(
    "SRV-02",
    "error",
    needs=("effective", "statements"),
    scope="design",
    group="scale",
    subject="server",
    title=N_("Other NICs than the system is built with"),
    checks=N_("The NICs that a statement gives a fixed system are those that its maker builds in."),
    reason=N_(
        "A DGX H100 comes with eight 400G ports for the GPUs. A statement of less is about another machine, or an "
        "upgrade that takes away."
    ),
    source="seedB SD08; dgxh100um",
)
def srv_02(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, nic_set_verdicts(context))


@judges("SRV-02")
def nic_set_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Statements about the NICs of servers whose chassis has NICs built in."""
    for statement in held(context.project, "server.nic_set", "nic.ports"):
        for place in meant(context, statement):
            part = place.variant.eff.chassis_part
            if part is None or place.item or (statement.row.quantity == "nic.ports" and statement.scope != "address"):
                continue
            verdict = _verdict(context, statement, part)
            if verdict is None:
                continue
            holds, ports, built, stated = verdict
            words = {"server": label(part), "stated": stated, "built": built}
            text = (
                msg("{stated} stated; {server} has {built} built in.", **words)
                if holds
                else msg(
                    "{stated} stated, but {server} has {built} built in: another machine, or a step back.", **words
                )
            )
            yield Verdict(
                statement,
                holds,
                text,
                (place.variant.at(),),
                place.members,
                place.variant,
                ports[0],
                ports[1],
                "Gb/s" if statement.row.quantity == "server.nic_set" else "ports",
                {"stated": stated, "built_in": built},
                part.confidence != "read",
            )


def _verdict(context: RuleContext, statement: Held, part: Part) -> tuple[bool, tuple[float, float], str, str] | None:
    compute, others = built_in_ports(context.project, part)
    if not compute:
        return None
    if statement.row.quantity == "nic.ports":
        wanted = statement.number
        if wanted is None:
            return None
        n = compute.total()
        cards = _by_card(context.project, part).total()
        holds = wanted in (n, n + len(others), cards, cards + len(others))
        return holds, (wanted, float(n)), words_of(compute), f"{wanted:g}"
    stated = parse_nic_set(str(statement.row.value))
    if not stated:
        return None
    sets = [compute, _by_card(context.project, part), *_variants(part)]
    holds = any(_covers(stated, own, others) for own in sets)
    return holds, (_sum(stated), _sum(compute)), words_of(compute), words_of(stated)


def _covers(stated: NicSet, compute: NicSet, others: list[float]) -> bool:
    """The compute ports exactly, or they and further ports of the other NICs (whose modes leave their rate open)."""
    if any(stated[rate] < count for rate, count in compute.items()):
        return False
    return (stated - compute).total() <= len(others)


def _sum(ports: NicSet) -> float:
    return sum(rate * count for rate, count in ports.items())


def words_of(ports: NicSet) -> str:
    """``8x400G + 2x100G``."""
    return " + ".join(f"{count}x{rate:g}G" for rate, count in sorted(ports.items(), reverse=True))


def parse_nic_set(text: str) -> NicSet:
    """``8x400 + 2x100G`` as ports by rate; empty when it says nothing of the kind."""
    found: NicSet = Counter()
    for count, rate in _PIECE.findall(text):
        found[float(rate)] += int(count)
    return found


def _variants(part: Part) -> list[NicSet]:
    """Further sets that the maker builds the system with (figure ``nic_sets``)."""
    figure = part.figures.get("nic_sets")
    values = figure.value if figure is not None else ()
    listed = values if isinstance(values, tuple) else (values,)
    return [found for value in listed if (found := parse_nic_set(str(value)))]


def built_in_ports(project: Project, part: Part) -> tuple[NicSet, list[float]]:
    """(ports of the compute network by rate, rates of all other network ports) as a system is shipped; empty for one
    without NICs of its own or without a compute network.
    """
    rates = _rates(project, part)
    compute = [port for port in _compute(part) if port in rates]
    others = [rate for port, rate in rates.items() if port not in compute and split_end(port)[0]]
    return Counter(rates[port] for port in compute), others


def _by_card(project: Project, part: Part) -> NicSet:
    """The compute network card by card: an 800G card that runs as two ports of 400G is sold as 800G."""
    rates = _rates(project, part)
    cards: dict[str, float] = {}
    for port in _compute(part):
        cards[split_end(port)[0]] = cards.get(split_end(port)[0], 0.0) + rates.get(port, 0.0)
    return Counter(cards.values())


def _compute(part: Part) -> tuple[str, ...]:
    export = part.interior.exports.get("compute") if part.interior is not None else None
    return tuple(export.ports) if export is not None else ()


def _rates(project: Project, part: Part) -> dict[str, float]:
    """Gb/s of every network port of the built-in NICs."""
    rates: dict[str, float] = {}
    for item_id, row in part.interior.items.items() if part.interior is not None else ():
        own = project.parts.get(row.of)
        if own is None or own.kind != "nic":
            continue
        for name, port in {**ports_of(own, row.config), **row.ports}.items():
            if port.role == "net" and port.gbps and port.medium in ("eth", "ib"):
                rates[f"{item_id}:{name}"] = port.gbps
    return rates
