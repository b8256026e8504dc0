"""Chapters of a report: the training step of the workloads, and the settings of a lossless network."""

from __future__ import annotations

from fabricwright.analysis.report_source import Source
from fabricwright.analysis.training import DesignTraining, workload_named
from fabricwright.exchange.network_advice import PROPOSAL, network_advice
from fabricwright.exchange.report_bars import Bar, Part, bar_height, draw_bars
from fabricwright.exchange.report_blocks import (
    Block,
    Chapter,
    Draw,
    Figure,
    Heading,
    Paragraph,
    ReportTable,
    TableColumn,
)
from fabricwright.performance.training.search import kind_word, layout_words
from fabricwright.performance.training.train import Training
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

GB = 1e9
MOST_WORKLOADS = 3
MOST_CHANGES = 8
MOST_SETTINGS = 60


def training(source: Source) -> list[Block]:
    """The step of the design's workload; of all of them where the design names none. Nothing without workloads."""
    project = source.analysis.project
    if not len(project.workloads):
        return []
    try:
        names = [workload_named(project, source.analysis.design, None)[0]]
    except UserError:
        names = list(project.workloads.ordered())[:MOST_WORKLOADS]
    blocks: list[Block] = [Chapter(source.say(msg("Training step")))]
    for name in names:
        try:
            found = source.analysis.train(name)
        except UserError as error:
            title = project.workloads[name].title or name if name in project.workloads else name
            blocks += [Heading(title), Paragraph(source.say(error.message))]
            continue
        blocks += _one(source, found)
    return blocks


def _one(source: Source, found: DesignTraining) -> list[Block]:
    say, t = source.say, found.training
    intro = msg(
        "{n} GPUs, {layout}: {step} s per step ({low} to {high}).",
        n=t.job.plan.ranks,
        layout=layout_words(t.job.plan),
        step=_s(t.step_time_s),
        low=_s(t.low_s),
        high=_s(t.high_s),
    )
    blocks: list[Block] = [Heading(found.title), Paragraph(say(intro))]
    bars = [_step_bar(source, t), _memory_bar(source, t)]
    caption = msg("{workload}: what a step and the memory of a GPU are made of", workload=found.title)
    blocks.append(Figure(say(caption), bar_height(bars), _drawer(bars)))
    blocks.append(_table(source, found))
    if t.sensitivity:
        changes = sorted(t.sensitivity, key=lambda row: row[1])[:MOST_CHANGES]
        columns = (
            TableColumn(say(msg("Change")), 4.0),
            TableColumn(say(msg("Step (s)")), 1.0, True),
            TableColumn(say(msg("Against now")), 1.2, True),
        )
        rows = tuple((say(text), _s(s), f"{100 * (s / t.step_time_s - 1):+.1f} %") for text, s in changes)
        blocks.append(ReportTable(say(msg("What would change the step most")), columns, rows))
    notes = (*t.notes, *(found.cost.notes if found.cost is not None else ()))
    blocks += [Paragraph(say(note), bullet=True) for note in notes]
    return blocks


def _step_bar(source: Source, t: Training) -> Bar:
    say = source.say
    rows = (
        (msg("computing"), t.compute_s, "rail0"),
        (msg("exposed communication"), t.step.exposed_s, "rail1"),
        (msg("pipeline bubble"), t.step.bubble_s, "mgmt"),
        (msg("offload"), t.step.offload_s, "cxl"),
    )
    parts = tuple(
        Part(say(name), s, f"{_s(s)} s ({100 * s / t.step_time_s:.0f} %)", token) for name, s, token in rows if s > 0
    )
    return Bar(say(msg("Training step, {step} s", step=_s(t.step_time_s))), parts)


def _memory_bar(source: Source, t: Training) -> Bar:
    say, m = source.say, t.memory
    rows = (
        (msg("parameters"), m.parameters, "rail0"),
        (msg("gradients"), m.gradients, "rail2"),
        (msg("optimizer"), m.optimizer, "rail4"),
        (msg("activations"), m.activations, "rail5"),
        (msg("gathered layers"), m.buffers, "rail6"),
    )
    parts = tuple(Part(say(name), size, f"{size / GB:.1f} GB", token) for name, size, token in rows if size > 0)
    title = msg("Memory of the fullest GPU, {size} GB", size=f"{m.total / GB:.1f}")
    label = msg("{gpu} holds {size} GB", gpu=t.job.gpu.name, size=f"{t.job.gpu.memory / GB:.0f}")
    return Bar(say(title), parts, t.job.gpu.memory, say(label))


def _drawer(bars: list[Bar]) -> Draw:
    return lambda ink, x, y, w, h: draw_bars(ink, x, y, w, h, bars)


def _days(days: float) -> str:
    """No more digits than a prediction has: 3.4, 27, 134,000."""
    return f"{days:.1f}" if days < 10 else f"{float(f'{days:.3g}'):,.0f}"


def _table(source: Source, found: DesignTraining) -> ReportTable:
    say, t = source.say, found.training
    rows: list[tuple[Message, str]] = [
        (msg("MFU"), f"{100 * t.mfu:.1f} %"),
        (msg("GPU utilisation"), f"{100 * t.gpu_utilisation:.1f} %"),
        (msg("Exposed communication"), f"{100 * t.communication_share:.1f} %"),
        (msg("Tokens per second"), f"{t.tokens_per_s:,.0f}"),
        (
            msg("Days for {tokens} billion tokens", tokens=f"{t.tokens / 1e9:,.0f}"),
            say(
                msg(
                    "{value} ({low} to {high})",
                    value=_days(t.days()),
                    low=_days(t.days(t.low_s)),
                    high=_days(t.days(t.high_s)),
                )
            ),
        ),
    ]
    for traffic in t.step.traffic:
        name = msg("{kind} parallel, sent and exposed", kind=kind_word(traffic.name))
        shown = msg(
            "{total} s, {shown} s; {limit}",
            total=_s(traffic.total_s),
            shown=_s(traffic.exposed_s),
            limit=traffic.exchange.label or msg("latency"),
        )
        rows.append((name, say(shown)))
    if t.host.total:
        where = ", ".join(f"{name.upper()} {size / GB:.0f} GB" for name, size in t.placement.by_tier.items())
        rows.append((msg("Outside the GPUs, per server"), where))
    if found.cost is not None:
        c = found.cost
        for label, three, factor in (
            (msg("Cost of a step ({currency})", currency=c.currency), c.step, 1.0),
            (msg("Cost of a million tokens ({currency})", currency=c.currency), c.token, 1e6),
            (msg("Cost of the training ({currency})", currency=c.currency), c.training, 1.0),
        ):
            value, low, high = (_money(v * factor) for v in three)
            rows.append((label, say(msg("{value} ({low} to {high})", value=value, low=low, high=high))))
    columns = (TableColumn(say(msg("Figure")), 2.4), TableColumn(say(msg("Value")), 3.6))
    caption = msg("{workload}: figures of the step", workload=found.title)
    return ReportTable(say(caption), columns, tuple((say(name), value) for name, value in rows))


def _s(seconds: float) -> str:
    return f"{seconds:.4g}"


def _money(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


# -- network settings -------------------------------------------------------------------------------------------------


def network_settings(source: Source) -> list[Block]:
    """Settings of a lossless Ethernet network, short; nothing for other networks."""
    say = source.say
    if not source.analysis.stages.design.settings.get("lossless"):
        return []
    try:
        advice = network_advice(source.analysis.project, source.analysis.design)
    except UserError:
        return []
    columns = (
        TableColumn(say(msg("Device")), 1.4),
        TableColumn(say(msg("Setting")), 2.4),
        TableColumn(say(msg("Value")), 1.4, True),
        TableColumn(say(msg("Unit")), 0.6),
        TableColumn(say(msg("Formula or reason")), 3.6),
    )
    soft = frozenset(n for n, row in enumerate(advice.rows[:MOST_SETTINGS]) if row.estimate)
    rows = tuple(
        (row.device, say(row.setting), row.value, row.unit, say(row.formula)) for row in advice.rows[:MOST_SETTINGS]
    )
    notes = [say(PROPOSAL)]
    if len(advice.rows) > MOST_SETTINGS:
        more = len(advice.rows) - MOST_SETTINGS
        notes.append(say(msg("{n} more values are in the exported settings.", n=more)))
    return [
        Chapter(say(msg("Network settings"))),
        Paragraph(say(PROPOSAL)),
        ReportTable(say(msg("Proposed settings")), columns, rows, soft=soft, notes=tuple(notes[1:])),
    ]
