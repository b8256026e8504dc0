"""``fabricwright resilience FILE``: what every single failure costs a collective, and which stop it."""

from __future__ import annotations

from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, analysis_of, open_project
from fabricwright.exchange.naming import failure_word
from fabricwright.performance.collectives import COLLECTIVES
from fabricwright.performance.predict import PredictRequest
from fabricwright.performance.resilience import Failure, Resilience
from fabricwright.units.errors import UserError
from fabricwright.units.quantity import format_size, parse_sizes
from fabricwright.units.text import Message, msg

SUMMARY = msg("all single failures: what each costs, and which stop the job")


def add_arguments(parser: Parser) -> None:
    """FILE, the collective and its size."""
    add_project(parser, ranks=True)
    parser.add_argument(
        "--collective", choices=COLLECTIVES, default="all_reduce", help=parser.say(msg("which collective"))
    )
    parser.add_argument("--size", metavar="SIZE", default="1G", help=parser.say(msg("buffer size such as 64M or 1G")))


def run(arguments: Arguments, out: Output) -> int:
    """Fail one thing of every kind and print what is left."""
    sizes = parse_sizes(arguments.size)
    if len(sizes) != 1:
        raise UserError(msg("--size: expected one size, found '{value}'.", value=arguments.size[:60]))
    project, design = open_project(arguments)
    with Working(arguments):
        found = analysis_of(project, design, arguments).resilience(PredictRequest(arguments.collective, sizes))
    document = found.to_json()
    for shown, failure in zip(document["failures"], found.failures, strict=True):  # type: ignore[call-overload]
        shown["problem"] = None if failure.problem is None else failure.problem.text(out.lang)
    out.document({"design": design, **document})
    _print(found, design, out)
    return 0


def _print(found: Resilience, design: str, out: Output) -> None:
    out.say(
        msg(
            "# {collective} of {size}, {ranks} ranks, design {design}: {busbw} GB/s undamaged",
            collective=found.collective,
            size=format_size(found.n_bytes),
            ranks=found.ranks,
            design=design,
            busbw=round(found.busbw / 1e9, 2),
        )
    )
    heads = [msg("kind"), msg("for example"), msg("alike"), msg("ranks lost"), msg("cut off"), msg("busbw (GB/s)")]
    out.table([*heads, msg("left")], [_cells(f) for f in found.failures], "llrrrrr")
    out.say(
        msg(
            "{count} single failures of {groups} kinds; the median one leaves {median} %.",
            count=found.count,
            groups=len(found.failures),
            median=round(100 * found.median_ratio, 1),
        )
    )
    worst = found.worst
    if worst is not None and not worst.cut_off:
        out.say(
            msg(
                "Worst is the loss of {address} ({kind}, {count} alike): {left} % is left.",
                address=worst.address,
                kind=failure_word(worst.kind),
                count=worst.count,
                left=round(100 * worst.ratio, 1),
            )
        )
    points = found.single_points
    for failure in points:
        out.say(
            msg(
                "Single point of failure: {address} ({kind}, {count} alike) cuts off {ranks} ranks: {which}.",
                address=failure.address,
                kind=failure_word(failure.kind),
                count=failure.count,
                ranks=failure.cut_off,
                which=failure.cut_ranks,
            )
        )
    if not points and found.failures:
        out.say(msg("No single failure cuts off ranks that are not part of it."))


def _cells(failure: Failure) -> tuple[str | Message | int, ...]:
    left: str | Message = f"{100 * failure.ratio:.1f} %"
    if failure.problem is not None:
        left = msg("does not run")
    elif failure.cut_off:
        left = msg("stops")
    busbw = "-" if failure.busbw is None else f"{failure.busbw / 1e9:.2f}"
    return (
        failure_word(failure.kind),
        failure.address,
        failure.count,
        failure.lost,
        failure.cut_off,
        busbw,
        left,
    )
