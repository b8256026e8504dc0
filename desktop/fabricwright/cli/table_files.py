"""Tables as files: what ``bom``, ``cables`` and ``compliance`` write with ``-o``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from fabricwright.cli.arguments import Parser
from fabricwright.cli.output import Output, suffix_of, write_file
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg


def add_table_output(parser: Parser, *, xlsx: bool = False, more: str = "") -> None:
    """The option ``-o``; with ``xlsx`` also a spreadsheet, and how CSV begins."""
    names = ("X.xlsx|.csv|.json" if xlsx else "X.csv|.json") + more
    parser.add_argument("-o", "--output", metavar=names, help=parser.say(msg("file to write (default: print)")))
    if xlsx:
        text = msg("begin a CSV file with a UTF-8 byte-order mark, as Excel needs it (always in Chinese)")
        parser.add_argument("--bom-utf8", action="store_true", help=parser.say(text))


def check_table_name(output: str | None, *, xlsx: bool = False) -> None:
    """Refuse an output name that no writer serves, before any work is done."""
    if output is None:
        return
    if xlsx:
        suffix_of(output, (".xlsx", ".csv", ".json"))
        return
    if Path(output).suffix.lower() == ".xlsx":
        raise UserError(msg("{file}: .xlsx is not built yet; expected a name that ends in .csv or .json.", file=output))
    suffix_of(output, (".csv", ".json"))


def hand_out(
    output: str | None,
    out: Output,
    document: object,
    csv: Callable[[], bytes],
    said: Message,
    xlsx: Callable[[], bytes] | None = None,
) -> bool:
    """Give the document to ``--json``, and write the table where a file is named, as its name says; whether it was."""
    out.document(document)
    if output is None:
        return False
    suffix = Path(output).suffix.lower()
    if suffix == ".xlsx" and xlsx is not None:
        write_file(output, xlsx())
    elif suffix == ".json":
        write_file(output, (json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode())
    else:
        write_file(output, csv())
    out.say(said)
    return True
