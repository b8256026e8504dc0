"""Tables as files: what ``bom``, ``cables`` and ``compliance`` write with ``-o``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from fabricwright.cli.arguments import Parser
from fabricwright.cli.output import Output, suffix_of, write_file
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg


def add_table_output(parser: Parser) -> None:
    """The option ``-o``."""
    parser.add_argument("-o", "--output", metavar="X.csv|.json", help=parser.say(msg("file to write (default: print)")))


def check_table_name(output: str | None) -> None:
    """Refuse an output name that no writer serves, before any work is done."""
    if output is None:
        return
    if Path(output).suffix.lower() == ".xlsx":
        raise UserError(msg("{file}: .xlsx is not built yet; expected a name that ends in .csv or .json.", file=output))
    suffix_of(output, (".csv", ".json"))


def hand_out(output: str | None, out: Output, document: object, csv: Callable[[], bytes], said: Message) -> bool:
    """Give the document to ``--json``, and write the table where a file is named, as its name says; whether it was."""
    out.document(document)
    if output is None:
        return False
    if Path(output).suffix.lower() == ".json":
        write_file(output, (json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode())
    else:
        write_file(output, csv())
    out.say(said)
    return True
