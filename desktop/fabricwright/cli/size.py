"""``fabricwright size``: from a requirement to a drawn, checked project, and the alternatives to it."""

from __future__ import annotations

import re

from fabricwright.analysis.alternatives import Alternative, alternatives, differ_word
from fabricwright.analysis.size_limits import MOST
from fabricwright.cli.arguments import Arguments, Parser
from fabricwright.cli.output import Output, progress
from fabricwright.design.storage import save
from fabricwright.sizing.draw import draw
from fabricwright.sizing.requirement import MEDIA, PLACES, RAILS, Requirement
from fabricwright.units.errors import UserError
from fabricwright.units.quantity import parse_sizes
from fabricwright.units.text import Message, msg

SUMMARY = msg("size a network for so many GPUs, draw it and compare the alternatives")


def add_arguments(parser: Parser) -> None:
    """What is wanted; every number as text, so that a complaint names its option."""
    texts: tuple[tuple[str, str, Message], ...] = (
        ("--gpus", "N", msg("how many GPUs (rounded up to whole servers)")),
        ("--servers", "N", msg("how many servers, instead of --gpus")),
        ("--server", "PART", msg("server part (default: dgx-h100)")),
        ("--gpu", "PART", msg("GPU for servers that come without")),
        ("--nic", "PART", msg("NIC of the compute network (default: what is built in)")),
        ("--nics-per-server", "N", msg("NICs in each server")),
        ("--planes", "N", msg("separate networks, one port of every NIC in each")),
        ("--oversubscription", "R", msg("rate down to rate up of a leaf, 1 = non-blocking; R,R2 for leaf and spine")),
        ("--tiers", "N", msg("1, 2, 3 or auto")),
        ("--redundancy", "N", msg("failures of a switch, cable or NIC that no server is cut off by")),
        ("--ufm", "N", msg("links of fabric managers (InfiniBand)")),
        ("--leaf", "PART", msg("leaf switch")),
        ("--spine", "PART", msg("spine switch (default: as the leaf)")),
        ("--core", "PART", msg("core switch (default: as the spine)")),
        ("--switches", "PART,...", msg("switches that may be chosen from")),
        ("--networks", "NAME,...", msg("networks to draw: compute, storage, inband, oob")),
        ("--rack", "PART", msg("rack part")),
        ("--rack-kw", "KW", msg("kilowatts per rack")),
        ("--rack-u", "U", msg("units per rack")),
        ("--max-cable-m", "M", msg("no cable longer than that, in metres")),
        ("--grow-to", "N", msg("GPUs that the network must reach later")),
        ("--title", "TEXT", msg("title of the project")),
    )
    for option, metavar, text in texts:
        parser.add_argument(option, metavar=metavar, help=parser.say(text))
    parser.add_argument("--rails", choices=RAILS, default="auto", help=parser.say(msg("rail-optimised or not")))
    parser.add_argument("--medium", choices=MEDIA, help=parser.say(msg("Ethernet or InfiniBand")))
    parser.add_argument("--leaf-place", choices=PLACES, default="end", help=parser.say(msg("where leafs stand")))
    parser.add_argument(
        "--sizes", metavar="SIZE,...", default="1G", help=parser.say(msg("sizes to predict, as 64M,1G"))
    )
    parser.add_argument("--alternatives", metavar="N", help=parser.say(msg("how many alternatives to look for")))
    parser.add_argument("-o", "--output", metavar="FILE", help=parser.say(msg("project file to write")))


def run(arguments: Arguments, out: Output) -> int:
    """Print the alternatives; write the first one."""
    wanted = requirement_of(arguments)
    most = _whole(arguments.alternatives, "--alternatives", MOST)
    if not 1 <= most <= 40:
        raise UserError(
            msg("{option}: expected a whole number from {low} to {high}.", option="--alternatives", low=1, high=40)
        )
    sizes = parse_sizes(arguments.sizes)
    with progress(msg("Sizing ..."), arguments.lang):
        found = alternatives(wanted, most=most, sizes=sizes)
    if arguments.output:
        first = found[0]
        title = arguments.title or msg(
            "{gpus} GPUs in {servers} servers", gpus=first.choice.gpus, servers=first.choice.servers
        ).text(out.lang)
        save(draw(first.choice, title, out.lang).project, arguments.output)
    out.document({"file": arguments.output, "alternatives": [a.to_json() for a in found]})
    _print(found, wanted, out)
    if arguments.output:
        out.say(msg("The first one is written to {file}.", file=arguments.output))
    return 0


def requirement_of(arguments: Arguments) -> Requirement:
    """The options as a requirement. Raises UserError naming the option."""
    return Requirement(
        gpus=_whole(arguments.gpus, "--gpus"),
        servers=_whole(arguments.servers, "--servers"),
        server=_word(arguments.server, "dgx-h100", "--server"),
        gpu=arguments.gpu or "",
        nic=arguments.nic or "",
        nics_per_server=_whole(arguments.nics_per_server, "--nics-per-server"),
        planes=_whole(arguments.planes, "--planes"),
        rails=arguments.rails,
        medium=arguments.medium or "",
        oversubscription=_ratios(arguments.oversubscription),
        redundancy=_whole(arguments.redundancy, "--redundancy"),
        tiers=0 if arguments.tiers in (None, "auto") else _whole(arguments.tiers, "--tiers", auto=True),
        ufm_links=_whole(arguments.ufm, "--ufm"),
        leaf=arguments.leaf or "",
        spine=arguments.spine or "",
        core=arguments.core or "",
        switches=tuple(_list(arguments.switches)),
        networks=tuple(_list(arguments.networks)) or ("compute",),
        rack=arguments.rack or "",
        rack_kw=_number(arguments.rack_kw, "--rack-kw"),
        rack_u=_whole(arguments.rack_u, "--rack-u"),
        leaf_place=arguments.leaf_place,
        max_cable_m=_number(arguments.max_cable_m, "--max-cable-m"),
        grow_to=_whole(arguments.grow_to, "--grow-to"),
    )


ZERO_ALLOWED = ("--ufm", "--redundancy")


def _whole(text: str | None, option: str, default: int = 0, *, auto: bool = False) -> int:
    if text is None:
        return default
    plain = text.strip().replace(",", "").replace("_", "")
    if not re.fullmatch(r"[0-9]{1,15}", plain) or (int(plain) < 1 and option not in ZERO_ALLOWED):
        if auto:
            raise UserError(msg("{option}: expected 1, 2, 3 or auto, found '{value}'.", option=option, value=text[:60]))
        raise UserError(
            msg(
                "{option}: expected a whole number from {low}, found '{value}'.",
                option=option,
                low=0 if option in ZERO_ALLOWED else 1,
                value=text[:60],
            )
        )
    return int(plain)


def _number(text: str | None, option: str) -> float:
    if text is None:
        return 0.0
    if not re.fullmatch(r"\s*[0-9]{1,6}(\.[0-9]{1,6})?\s*", text) or float(text) <= 0:
        raise UserError(msg("{option}: expected a number above 0, found '{value}'.", option=option, value=text[:60]))
    return float(text)


def _ratios(text: str | None) -> tuple[float, ...]:
    """ "3", "3:1", "2,1"."""
    if text is None:
        return (1.0,)
    out = []
    for piece in text.split(","):
        found = re.fullmatch(r"\s*([0-9]{1,4}(?:\.[0-9]{1,6})?)\s*(?::\s*([0-9]{1,4}(?:\.[0-9]{1,6})?))?\s*", piece)
        if found is None or float(found[2] or 1) <= 0:
            raise UserError(
                msg(
                    "{option}: expected a ratio such as 1, 2 or 3:1, found '{value}'.",
                    option="--oversubscription",
                    value=text[:60],
                )
            )
        out.append(float(found[1]) / float(found[2] or 1))
    return tuple(out)


def _list(text: str | None) -> list[str]:
    return [piece.strip() for piece in (text or "").split(",") if piece.strip()]


def _word(text: str | None, default: str, option: str) -> str:
    if text is None:
        return default
    if not text.strip():
        raise UserError(msg("{option}: expected the id of a part.", option=option))
    return text


def _print(found: tuple[Alternative, ...], wanted: Requirement, out: Output) -> None:
    first = found[0].choice
    out.say(
        msg(
            "# {gpus} GPUs: {servers} servers {server} with {nics} x {nic}",
            gpus=first.gpus,
            servers=first.servers,
            server=first.offer.server,
            nics=first.offer.nics,
            nic=first.offer.nic,
        )
    )
    heads = [
        msg("no."),
        msg("leaf"),
        msg("spine"),
        msg("core"),
        msg("switch"),
        msg("planes"),
        msg("rails"),
        msg("down:up"),
        msg("cables"),
        msg("network kW"),
        msg("rack units"),
        msg("all-reduce"),
        msg("all-to-all"),
        msg("worst"),
        msg("cost"),
        msg("best"),
        msg("departs in"),
    ]
    out.table(heads, [_cells(a) for a in found], "lrrrlrlrrrrrrrrll")
    out.say(
        msg(
            "all-reduce and all-to-all: busbw in GB/s; worst: what the worst single failure leaves; best: no other "
            "one is at least as good in everything."
        )
    )
    for note in found[0].notes:
        out.say(note)
    growth = first.growth
    if growth is not None:
        if growth.blocked is not None:
            out.say(msg("Growing to {gpus} GPUs: {problem}", gpus=wanted.grow_to, problem=growth.blocked))
        else:
            out.say(
                msg(
                    "Growing to {gpus} GPUs adds {servers} servers, {leafs} leafs, {spines} spines and {cores} cores; "
                    "nothing is cabled anew.",
                    gpus=wanted.grow_to,
                    servers=growth.added.get("servers", 0),
                    leafs=growth.added.get("leaf", 0),
                    spines=growth.added.get("spine", 0),
                    cores=growth.added.get("core", 0),
                )
            )


def _cells(alternative: Alternative) -> tuple[str | Message | int, ...]:
    choice, figures = alternative.choice, alternative.figures
    clos, planes = choice.clos, choice.planes
    cables = sum(n or 0 for n in alternative.cables.values())
    rows = (alternative.all_reduce, alternative.all_to_all)
    reduce, everyone = (f"{r[-1].busbw / 1e9:.1f}" if r and r[-1].known else "-" for r in rows)
    worst = figures.worst_failure_ratio if figures is not None else None
    return (
        alternative.id[1:],
        clos.leafs * planes,
        clos.spine_count * planes or "-",
        clos.core_count * planes or "-",
        choice.leaf.part,
        planes,
        str(choice.offer.rails) if choice.rails else msg("no"),
        f"{choice.requirement.ratio(1):g}:1",
        cables,
        f"{figures.fabric_power_w / 1e3:.1f}" if figures is not None else "-",
        figures.rack_units if figures is not None else "-",
        reduce,
        everyone,
        "-" if worst is None else f"{100 * worst:.0f} %",
        "-" if figures is None or figures.price is None else f"{figures.price:,.0f} {figures.currency}",
        "*" if alternative.pareto else "",
        differ_word(alternative.differs[0]) if alternative.differs else "",
    )
