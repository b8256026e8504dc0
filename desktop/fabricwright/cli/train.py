"""``fabricwright train FILE``: the step of a workload on what is drawn, its memory, its cost, what would change it."""

from __future__ import annotations

from fabricwright.analysis.training import DesignTraining, search_design
from fabricwright.analysis.training_money import saving_between
from fabricwright.cli.arguments import Arguments, Parser, add_project, count
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, analysis_of, open_project
from fabricwright.design.order import chosen_design
from fabricwright.performance.training.money import Saving
from fabricwright.performance.training.search import Ranked, kind_word, layout_words
from fabricwright.performance.training.train import plan_json
from fabricwright.units.text import msg

SUMMARY = msg("predict a training step: time, memory, cost, what would change it")

GB = 1e9


def add_arguments(parser: Parser) -> None:
    """FILE, the workload, and what else is wanted."""
    add_project(parser, ranks=True, trains=True)
    parser.add_argument(
        "--search", metavar="N", help=parser.say(msg("also the best N layouts of the model on this cluster"))
    )
    parser.add_argument("--workers", metavar="N", help=parser.say(msg("processes that share the search (default: 1)")))
    parser.add_argument(
        "--against",
        metavar="NAME",
        help=parser.say(msg("also another design: what this one saves, and when it has paid")),
    )


def run(arguments: Arguments, out: Output) -> int:
    """Predict and print."""
    project, design = open_project(arguments)
    keep, workers = count(arguments.search, "--search"), count(arguments.workers, "--workers") or 1
    other = chosen_design(project, arguments.against) if arguments.against else None
    saving: Saving | None = None
    rows: tuple[Ranked, ...] = ()
    with Working(arguments):
        analysis = analysis_of(project, design, arguments)
        found = analysis.train(arguments.workload)
        if keep:
            rows = search_design(analysis, arguments.workload, keep, workers)
        if other is not None:
            rival = analysis_of(project, other, arguments)
            saving = saving_between(rival, rival.train(arguments.workload), analysis, found)
    document = found.to_json()
    training = found.training
    document["notes"] = [note.text(out.lang) for note in training.notes]
    document["sensitivity"] = [{"change": t.text(out.lang), "step_time_s": s} for t, s in training.sensitivity]
    if keep:
        document["search"] = [
            {
                "plan": plan_json(r.plan),
                "step_time_s": r.step_time_s,
                "memory_per_gpu_bytes": r.memory,
                "reason": r.reason.text(out.lang),
            }
            for r in rows
        ]
    if other is not None:
        document["saving"] = None
        if saving is not None:
            notes = [note.text(out.lang) for note in saving.notes]
            document["saving"] = {"against": other, **saving.to_json(), "notes": notes}
    out.document({"design": design, **document})
    _print(found, design, out)
    _print_search(rows, out)
    if other is not None:
        _print_saving(saving, other, out)
    return 0


def _print(found: DesignTraining, design: str, out: Output) -> None:
    t = found.training
    out.say(
        msg(
            "# {workload} on {ranks} GPUs of design {design}: {layout}",
            workload=found.title,
            ranks=t.job.plan.ranks,
            design=design,
            layout=layout_words(t.job.plan),
        )
    )
    out.say(msg("step {step} s ({low} to {high})", step=_s(t.step_time_s), low=_s(t.low_s), high=_s(t.high_s)))
    rows = [
        (msg("computing"), t.compute_s),
        (msg("exposed communication"), t.step.exposed_s),
        (msg("pipeline bubble"), t.step.bubble_s),
        (msg("offload"), t.step.offload_s),
    ]
    out.table(
        [msg("part"), msg("s"), msg("share")],
        [(name, _s(value), f"{100 * value / t.step_time_s:.1f} %") for name, value in rows],
        "lrr",
    )
    for traffic in t.step.traffic:
        out.say(
            msg(
                "{kind} parallel: {total} s sent, {shown} s exposed, {limit}",
                kind=kind_word(traffic.name),
                total=_s(traffic.total_s),
                shown=_s(traffic.exposed_s),
                limit=traffic.exchange.label or msg("latency"),
            )
        )
    out.say(
        msg(
            "MFU {mfu} %, GPU utilisation {use} %, communication share {share} %, {tokens} tokens/s",
            mfu=f"{100 * t.mfu:.1f}",
            use=f"{100 * t.gpu_utilisation:.1f}",
            share=f"{100 * t.communication_share:.1f}",
            tokens=f"{t.tokens_per_s:,.0f}",
        )
    )
    out.say(
        msg(
            "{tokens} billion tokens: {days} days ({low} to {high})",
            tokens=f"{t.tokens / 1e9:,.0f}",
            days=f"{t.days():.1f}",
            low=f"{t.days(t.low_s):.1f}",
            high=f"{t.days(t.high_s):.1f}",
        )
    )
    memory = t.memory
    out.say(
        msg(
            "per GPU {total} of {room} GB: parameters {parameters}, gradients {gradients}, optimizer {optimizer}, "
            "activations {activations}, gathered layers {buffers}",
            total=f"{memory.total / GB:.1f}",
            room=f"{t.job.gpu.memory / GB:.0f}",
            parameters=f"{memory.parameters / GB:.1f}",
            gradients=f"{memory.gradients / GB:.1f}",
            optimizer=f"{memory.optimizer / GB:.1f}",
            activations=f"{memory.activations / GB:.1f}",
            buffers=f"{memory.buffers / GB:.1f}",
        )
    )
    if t.host.total:
        where = ", ".join(f"{name.upper()} {size / GB:.0f} GB" for name, size in t.placement.by_tier.items())
        out.say(
            msg(
                "per server {total} GB outside the GPUs ({where}); {link} s over PCIe, {update} s of optimizer there",
                total=f"{t.host.total * t.job.gpus_per_server / GB:.0f}",
                where=where,
                link=_s(t.placement.link_s),
                update=_s(t.placement.update_s),
            )
        )
    if t.sensitivity:
        out.table(
            [msg("change"), msg("step (s)"), msg("against now")],
            [(text, _s(s), f"{100 * (s / t.step_time_s - 1):+.1f} %") for text, s in t.sensitivity],
            "lrr",
        )
    if found.cost is not None:
        c = found.cost
        out.say(
            msg(
                "{step} {currency} per step, {token} per million tokens, {training} per training ({low} to {high})",
                step=_money(c.step[0]),
                currency=c.currency,
                token=_money(c.token[0] * 1e6),
                training=_money(c.training[0]),
                low=_money(c.training[1]),
                high=_money(c.training[2]),
            )
        )
    for note in (*t.notes, *(found.cost.notes if found.cost is not None else ())):
        out.say(note)


def _print_search(rows: tuple[Ranked, ...], out: Output) -> None:
    if rows:
        out.table(
            [msg("layout"), msg("step (s)"), msg("GB per GPU"), msg("why")],
            [(layout_words(r.plan), _s(r.step_time_s), f"{r.memory / GB:.1f}", r.reason) for r in rows],
            "lrrl",
        )


def _print_saving(saving: Saving | None, other: str, out: Output) -> None:
    if saving is None:
        out.say(msg("Nothing can be said about money: neither design states a price (settings money.*)."))
        return
    value, low, high = saving.month
    out.say(
        msg(
            "against {other}: {month} {currency} saved a month ({low} to {high})",
            other=other,
            month=_money(value),
            currency=saving.currency,
            low=_money(low),
            high=_money(high),
        )
    )
    months = saving.payback_months[0]
    if months is not None and saving.extra_price is not None and saving.extra_price > 0:
        late = saving.payback_months[2]
        out.say(
            msg(
                "it has paid for its {extra} {currency} more after {months} months ({early} to {late})",
                extra=_money(saving.extra_price),
                currency=saving.currency,
                months=f"{months:.1f}",
                early=f"{saving.payback_months[1]:.1f}" if saving.payback_months[1] is not None else "-",
                late=f"{late:.1f}" if late is not None else msg("never"),
            )
        )
    for note in saving.notes:
        out.say(note)


def _s(seconds: float) -> str:
    return f"{seconds:.4g}"


def _money(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
