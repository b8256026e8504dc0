"""``fabricwright predict FILE``: the table of nccl-tests, predicted for what is drawn."""

from __future__ import annotations

from fabricwright.cli.arguments import Arguments, Parser, add_project, split_addresses
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, analysis_of, open_project
from fabricwright.performance.collectives import COLLECTIVES
from fabricwright.performance.predict import LAUNCHES, Prediction, PredictRequest, Row
from fabricwright.units.quantity import parse_sizes
from fabricwright.units.text import Message, msg

SUMMARY = msg("predict a collective: time, bandwidth, what binds")

DEFAULT_SIZES = "8,1K,64K,1M,16M,256M,1G,4G"


def add_arguments(parser: Parser) -> None:
    """FILE and the request."""
    add_project(parser, ranks=True)
    parser.add_argument(
        "--network",
        choices=("calibrated", "ideal"),
        default="calibrated",
        help=parser.say(msg("real or ideal network")),
    )
    parser.add_argument(
        "--collective", choices=COLLECTIVES, default="all_reduce", help=parser.say(msg("which collective"))
    )
    parser.add_argument(
        "--sizes", metavar="SIZE,...", default=DEFAULT_SIZES, help=parser.say(msg("buffer sizes such as 8,1K,1M,1G"))
    )
    parser.add_argument(
        "--algorithm", metavar="NAME", default="auto", help=parser.say(msg("ring, tree, nvls ... or auto"))
    )
    parser.add_argument("--protocol", metavar="NAME", default="auto", help=parser.say(msg("LL, LL128, Simple or auto")))
    parser.add_argument(
        "--launch",
        choices=LAUNCHES,
        default="",
        help=parser.say(msg("who starts the kernels; the design's setting job.launch while not given")),
    )
    parser.add_argument(
        "--fail", metavar="ADDRESS", action="append", default=[], help=parser.say(msg("what is down; may be repeated"))
    )


def run(arguments: Arguments, out: Output) -> int:
    """Predict and print the table and the reasons."""
    sizes = parse_sizes(arguments.sizes)
    failed = [address for given in arguments.fail for address in split_addresses(given)]
    project, design = open_project(arguments)
    request = PredictRequest(
        arguments.collective,
        sizes,
        arguments.algorithm,
        arguments.protocol,
        arguments.network,
        launch=arguments.launch,
    )
    with Working(arguments):
        prediction = analysis_of(project, design, arguments, failed).predict(request)
    document = prediction.to_json()
    document["explanation"] = [message.text(out.lang) for message in prediction.explanation]
    for shown, row in zip(document["rows"], prediction.rows, strict=True):  # type: ignore[call-overload]
        shown["bottleneck"]["label"] = row.bottleneck.label.text(out.lang)
    out.document(document)
    _print(prediction, design, out)
    return 0


def _network(name: str) -> Message:
    return {"calibrated": msg("calibrated"), "ideal": msg("ideal")}.get(name, msg("{network}", network=name))


def _print(prediction: Prediction, design: str, out: Output) -> None:
    out.say(
        msg(
            "# {collective}, {ranks} ranks, design {design}, {network} network",
            collective=prediction.collective,
            ranks=prediction.n_ranks,
            design=design,
            network=_network(str(prediction.settings["network"])),
        )
    )
    out.table(
        [
            msg("size (B)"),
            msg("time (us)"),
            msg("low"),
            msg("high"),
            msg("algbw (GB/s)"),
            msg("busbw (GB/s)"),
            msg("algorithm"),
            msg("protocol"),
            msg("limit"),
        ],
        [_cells(row, out) for row in prediction.rows],
        "rrrrrrlll",
    )
    for sentence in prediction.explanation:
        out.say(sentence)


def _cells(row: Row, out: Output) -> tuple[str, ...]:
    busy = f" {row.bottleneck.utilisation:.0%}" if row.bottleneck.kind not in ("latency",) else ""
    return (
        str(row.n_bytes),
        _us(row.time_s),
        _us(row.low_s),
        _us(row.high_s),
        f"{row.algbw / 1e9:.2f}",
        f"{row.busbw / 1e9:.2f}",
        row.algorithm,
        row.protocol,
        row.bottleneck.label.text(out.lang) + busy,
    )


def _us(seconds: float) -> str:
    value = seconds * 1e6
    return f"{value:.2f}" if value < 1000 else f"{value:.1f}"
