"""The one entry: window, command line, worker process and self-test, chosen by the first argument.

Nothing is imported before it is clear what is wanted: the worker and the command line never load Qt, and the window
never loads what only they need.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricwright.cli.painting import Painter


def main(argv: Sequence[str] | None = None) -> int:
    """Run what ``argv`` (default: the process's arguments) asks for and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    first = arguments[0] if arguments else ""
    if first == "--worker":
        from fabricwright.analysis.worker import main as worker

        return worker()
    if first == "--version":
        from fabricwright import __version__

        print(f"fabricwright {__version__}")
        return 0
    if first == "--selftest":
        from fabricwright.selftest import main as selftest

        return selftest(arguments[1:])
    if wants_command_line(arguments):
        from fabricwright.cli import painting
        from fabricwright.cli.main import main as command_line

        painting.install(_painter)
        return command_line(arguments)
    from fabricwright.ui.app import main as window

    return window(arguments)


def _painter() -> Painter:
    # Qt writes the fonts of a PDF in the order of a hash whose seed is random unless it is told: the same drawing must
    # give the same bytes. It reads this once, when it is loaded.
    os.environ.setdefault("QT_HASH_SEED", "0")
    from fabricwright.ui.paint import ink_files

    return ink_files


def wants_command_line(arguments: Sequence[str]) -> bool:
    """Whether a subcommand is named, or help asked for; a lone path or nothing at all means the window.

    ``--lang`` and ``--json`` may stand before the subcommand. A file that is called like one opens as ``./check``; a
    leading bare word that is neither a command nor a file is taken for a mistyped command.
    """
    if any(a in ("-h", "--help") for a in arguments[:1]):
        return True
    skip_value, leading = False, True
    for argument in arguments:
        if skip_value:
            skip_value, leading = False, True
        elif argument == "--lang":
            skip_value = True
        elif not argument.startswith("-"):
            from fabricwright.cli.main import COMMANDS

            mistyped = leading and _looks_like_one(argument) and not os.path.exists(argument)
            return argument in COMMANDS or mistyped
        elif argument != "--json":
            leading = False  # the word may be the value of an option
    return False


def _looks_like_one(word: str) -> bool:
    """A mistyped command rather than a project: the command line then says so, with a window or without."""
    return word.replace("-", "").isalpha()


if __name__ == "__main__":
    sys.exit(main())
