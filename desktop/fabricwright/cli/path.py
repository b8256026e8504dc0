"""``fabricwright path FILE --from ADDRESS --to ADDRESS``: point to point, hop by hop."""

from __future__ import annotations

from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output
from fabricwright.cli.path_words import class_words, hop_words, transport_words
from fabricwright.cli.projects import Working, analysis_of, open_project
from fabricwright.topology.point import PointPath, point_to_point
from fabricwright.units.text import msg

SUMMARY = msg("the way between two GPUs, NICs or servers")


def add_arguments(parser: Parser) -> None:
    """FILE, ``--from``, ``--to``, ``--fail``."""
    add_project(parser)
    parser.add_argument(
        "--from", dest="source", metavar="ADDRESS", required=True, help=parser.say(msg("such as node[0]/gpu2"))
    )
    parser.add_argument(
        "--to", dest="target", metavar="ADDRESS", required=True, help=parser.say(msg("such as node[41]/nic0:1"))
    )
    parser.add_argument("--network", metavar="NAME", default="compute", help=parser.say(msg("network between servers")))
    parser.add_argument(
        "--fail", metavar="ADDRESS", action="append", default=[], help=parser.say(msg("what is down; may be repeated"))
    )


def run(arguments: Arguments, out: Output) -> int:
    """Find the way and print it."""
    project, design = open_project(arguments)
    with Working(arguments):
        cluster = analysis_of(project, design, arguments, arguments.fail).cluster
        way = point_to_point(cluster, arguments.source, arguments.target, arguments.network)
    out.document(way.to_json())
    _print(way, arguments, out)
    return 0


def _print(way: PointPath, arguments: Arguments, out: Output) -> None:
    words = way.classes
    out.say(msg("{a} to {b}", a=arguments.source, b=arguments.target))
    out.say(
        msg(
            "class: {pci}; NCCL {nccl}, after flattening {flat}; nvidia-smi {smi}",
            pci=class_words(words["pci"]),
            nccl=words["nccl"],
            flat=words["nccl_flattened"],
            smi=words["nvidia_smi"],
        )
    )
    if words.get("overlay"):
        out.say(msg("replaced in NCCL by {overlay}", overlay=words["overlay"]))
    out.say(msg("transport: {transport}", transport=transport_words(way.transport)))
    out.table(
        [msg("hop"), msg("kind"), msg("latency (ns)"), msg("GB/s")],
        [
            (
                hop.address,
                hop_words(hop.kind),
                f"{hop.latency_s * 1e9:.1f}",
                f"{hop.rate / 1e9:.1f}" if hop.rate else "-",
            )
            for hop in way.hops
        ],
        "llrr",
    )
    out.say(msg("latency {latency} us, one way", latency=f"{way.latency_s * 1e6:.2f}"))
    out.say(msg("bandwidth {rate} GB/s, limited by {limit}", rate=f"{way.bandwidth / 1e9:.1f}", limit=way.limit or "-"))
    perftest = way.perftest
    if perftest is not None:
        out.say(
            msg(
                "perftest between {memory}: ib_write_bw {rate} Gb/s, ib_write_lat {latency} us",
                memory=msg("GPU memories") if perftest.memory == "gpu" else msg("host memories beside the NICs"),
                rate=f"{perftest.rate * 8e-9:.1f}",
                latency=f"{perftest.latency_s * 1e6:.2f}",
            )
        )
    for row in way.loss_db:
        out.say(msg("loss {segment}: {loss} of {budget} dB", **row))
