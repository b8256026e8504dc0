"""``fabricwright export FILE --to FORMAT -o PATH``: a design in the format of another tool."""

from __future__ import annotations

from pathlib import Path

from fabricwright.cli.arguments import Arguments, Parser, add_project
from fabricwright.cli.output import Output, write_file
from fabricwright.cli.projects import Working, open_project
from fabricwright.units.errors import UserError
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.text import msg

SUMMARY = msg("a design in the format of another tool")


def add_arguments(parser: Parser) -> None:
    """FILE, ``--to``, ``-o``."""
    from fabricwright.exchange.formats import FORMATS

    add_project(parser)
    parser.add_argument(
        "--to",
        dest="format",
        metavar="FORMAT",
        required=True,
        help=parser.say(msg("one of {known}", known=", ".join(FORMATS))),
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        required=True,
        help=parser.say(msg("file to write; a folder where the format has several files")),
    )


def run(arguments: Arguments, out: Output) -> int:
    """Make the files and write them."""
    from fabricwright.exchange.formats import format_of

    wanted = format_of(arguments.format)
    project, design = open_project(arguments)
    with Working(arguments):
        files = wanted.make(project, design, out.lang)
    target = Path(arguments.output)
    if wanted.single or (len(files) == 1 and target.suffix and not target.is_dir()):
        written = [target]
    else:
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(
                msg("{file}: cannot be a folder ({problem}).", file=str(target), problem=reason_of(error))
            ) from error
        written = [target / file.name for file in files]
    for path, file in zip(written, files, strict=True):
        write_file(str(path), file.data)
        out.say(str(path))
    if arguments.format in ("sonic", "nvue", "nic", "nccl-env"):
        from fabricwright.exchange.network_advice import PROPOSAL

        out.say(PROPOSAL)
    out.document({"design": design, "format": wanted.name, "files": [str(path) for path in written]})
    return 0
