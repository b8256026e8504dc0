"""SED-01, SED-02, SED-04: statements about training held against each other, and against what their document lacks."""

from __future__ import annotations

from collections.abc import Iterator

from fabricwright.design.order import designs_in_order
from fabricwright.rules.context import RuleContext
from fabricwright.rules.finding import Finding
from fabricwright.rules.registry import rule
from fabricwright.rules.statements import Held, about_design, held, numbers
from fabricwright.rules.verdict import Verdict, contradictions, judges
from fabricwright.units.record import record
from fabricwright.units.text import N_, Message, msg

AGREE = 0.01
"""Gains, shares and utilisations within a hundredth of one agree: people round to whole percents."""


# -- before and after -------------------------------------------------------------------------------------------------


def of_design(context: RuleContext, quantity: str, design: str) -> Held | None:
    """The statement of a quantity about one design: one that names it before one that names none."""
    found = [h for h in held(context.project, quantity) if h.number is not None and h.scope not in ("part", "workload")]
    named = [h for h in found if h.design == design]
    loose = [h for h in found if not h.design]
    return next(iter(named or loose), None)


def earlier(context: RuleContext, quantity: str) -> tuple[Held, str] | None:
    """The statement of the same quantity about the nearest design that comes before this one, and that design."""
    order = designs_in_order(context.project)
    for design in reversed(order[: order.index(context.design_id)]):
        for statement in held(context.project, quantity):
            if statement.design == design and statement.number is not None:
                return statement, design
    return None


@record
class Gain:
    """A gain in throughput that statements imply: 0.4 = 40 % more. ``words`` how it follows."""

    gain: float
    words: Message
    statements: tuple[Held, ...]


def _gains(context: RuleContext) -> list[Gain]:
    """Gains that follow from days, from shares, and from the time of an all-reduce with its share before."""
    out: list[Gain] = []
    for statement in held(context.project, "train.days"):
        days = numbers(statement.row.value)
        if _here(context, statement) and len(days) == 2 and min(days) > 0:
            gain = days[0] / days[1] - 1
            words = msg(
                "{before} days becoming {after} is {gain}", before=days[0], after=days[1], gain=_percent(gain, True)
            )
            out.append(Gain(gain, words, (statement,)))
    before = earlier(context, "step.comm_share")
    after = of_design(context, "step.comm_share", context.design_id)
    if before is None:
        return out
    share = _share(before[0])
    if after is not None and after is not before[0] and (left := _share(after)) is not None and share is not None:
        gain = (1 - left) / (1 - share) - 1
        words = msg(
            "a share of {before} falling to {after} with the same computing is {gain}",
            before=_percent(share),
            after=_percent(left),
            gain=_percent(gain, True),
        )
        out.append(Gain(gain, words, (before[0], after)))
    sooner = earlier(context, "allreduce.time_ms")
    later = of_design(context, "allreduce.time_ms", context.design_id)
    if sooner is not None and later is not None and share is not None and ratio_of(sooner[0], later):
        ratio = ratio_of(sooner[0], later)
        step = 1 - share + share / ratio
        gain = 1 / step - 1
        words = msg(
            "{before} ms becoming {after} ms leaves a share of {share} and is {gain}",
            before=sooner[0].number,
            after=later.number,
            share=_percent(share / ratio / step),
            gain=_percent(gain, True),
        )
        out.append(Gain(gain, words, (sooner[0], later, before[0])))
    return out


def _share(statement: Held) -> float | None:
    value = statement.number
    return value if value is not None and 0 <= value < 1 else None


def ratio_of(before: Held, after: Held) -> float:
    """How many times ``before`` is ``after``; 0 where one of them is no positive number."""
    a, b = before.number, after.number
    return a / b if a and b and a > 0 and b > 0 else 0.0


def _here(context: RuleContext, statement: Held) -> bool:
    """Whether a statement is about this design, or about none while it is the only or the last one."""
    if statement.design:
        return statement.design == context.design_id
    return designs_in_order(context.project)[-1] == context.design_id


def _percent(value: float, sign: bool = False) -> str:
    text = f"{value * 100:.1f}".removesuffix(".0")
    return f"+{text} %" if sign and value >= 0 else f"{text} %"


@rule(
    "SED-01",
    "warning",
    needs=("statements",),
    scope="design",
    group="seed claims",
    subject="claim",
    title=N_("Figures of a success story disagree"),
    checks=N_(
        "Gain in throughput, days of training, shares of communication and times of an all-reduce, before and after, "
        "follow from each other within one percent point, as long as computing takes the same time."
    ),
    reason=N_(
        "Each of them can be derived from the others. What disagrees was measured in another way, or not at all."
    ),
    source="seedB SD10, SD11",
)
def sed_01(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, gain_verdicts(context))


@judges("SED-01")
def gain_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """One verdict on all figures of a story together: they agree, or they do not."""
    derived = _gains(context)
    stated = [s for s in held(context.project, "train.gain") if _here(context, s) and s.number is not None]
    values = [gain.gain for gain in derived] + [s.number for s in stated if s.number is not None]
    if len(values) < 2:
        return
    holds = max(values) - min(values) <= AGREE
    everyone = list(dict.fromkeys([*(s.id for s in stated), *(s.id for g in derived for s in g.statements)]))
    by_id = {s.id: s for s in [*stated, *(s for g in derived for s in g.statements)]}
    also = [msg("{gain} is stated, too", gain=_percent(s.number or 0.0, True)) for s in stated[1:]]
    listed = _listed([*(gain.words for gain in derived), *also])
    if stated:
        claim = _percent(stated[0].number or 0.0, True)
        text = (
            msg("The figures agree: {stated} stated; {list}.", stated=claim, list=listed)
            if holds
            else msg("The figures disagree: {stated} stated, but {list}.", stated=claim, list=listed)
        )
    else:
        text = (
            msg("The figures agree: {list}.", list=listed)
            if holds
            else msg("The figures disagree: {list}.", list=listed)
        )
    figures = {
        "gain_stated": stated[0].number if stated else None,
        **{f"gain_from_{g.statements[0].row.quantity}": g.gain for g in derived},
    }
    measured = values[-1] if stated else max(values)
    farthest = max(values, key=lambda value: abs(value - measured))
    for statement_id in everyone:
        yield Verdict(
            by_id[statement_id],
            holds,
            text,
            measured=measured,
            allowed=farthest,
            values=figures,
        )


def _listed(texts: list[Message]) -> Message:
    out = texts[0]
    for text in texts[1:]:
        out = msg("{first}; {second}", first=out, second=text)
    return out


@rule(
    "SED-02",
    "error",
    needs=("statements",),
    scope="design",
    group="seed claims",
    subject="claim",
    title=N_("Utilisation and waiting exceed the step"),
    checks=N_(
        "A stated GPU utilisation is within one minus the stated share of communication (one percent point apart)."
    ),
    reason=N_("A step is computing and waiting. What is waited for cannot be computed."),
    source="seedB SD12",
    direction="up",
)
def sed_02(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, utilisation_verdicts(context))


@judges("SED-02")
def utilisation_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Each utilisation of this design against the share stated for it."""
    for statement in held(context.project, "gpu.utilisation"):
        used = statement.number
        share = of_design(context, "step.comm_share", statement.design or context.design_id)
        waiting = share.number if share is not None else None
        if used is None or waiting is None or share is None or not about_design(statement, context.design_id):
            continue
        most = 1 - waiting
        holds = used <= most + AGREE + 1e-9
        words = {"used": _percent(used), "share": _percent(waiting), "most": _percent(most)}
        text = (
            msg("GPUs used at {used} beside {share} of waiting: within {most}.", **words)
            if holds
            else msg("GPUs used at {used} beside {share} of waiting: at most {most} are left.", **words)
        )
        yield Verdict(
            statement, holds, text, measured=used, allowed=most, values={"comm_share": waiting, "share": share.id}
        )


@rule(
    "SED-04",
    "info",
    needs=("statements",),
    scope="design",
    group="seed claims",
    subject="text",
    title=N_("A document refers to what it does not contain"),
    checks=N_("Tables, figures and lists that a document names are in it."),
    reason=N_("Part numbers, power and form factors that were to stand there are unknown until somebody asks."),
    source="seedA SD34",
)
def sed_04(context: RuleContext) -> Iterator[Finding]:
    yield from contradictions(context, missing_verdicts(context))


@judges("SED-04")
def missing_verdicts(context: RuleContext) -> Iterator[Verdict]:
    """Everything that statements report as missing."""
    for statement in held(context.project, "doc.missing"):
        if about_design(statement, context.design_id):
            source = statement.name or statement.row.source
            text = (
                msg("{what} is missing in {document}: ask for it.", what=str(statement.row.value), document=source)
                if source
                else msg("{what} is missing: ask for it.", what=str(statement.row.value))
            )
            yield Verdict(statement, False, text, values={"missing": statement.row.value, "document": source})
