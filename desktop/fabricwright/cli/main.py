"""``fabricwright COMMAND ...``: the same jobs as the window, without one.

Exit codes: 0 fine; 1 findings at or above ``--fail-on``; 2 bad usage or unreadable input, with one line on stderr.
Each command is a module with ``SUMMARY``, ``add_arguments(parser)`` and ``run(arguments, out) -> exit code``, imported
only when it is named.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import os
import sys
from collections.abc import Sequence

from fabricwright.cli.arguments import LANGUAGES, Parser, add_common
from fabricwright.cli.output import Output, harmless
from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

BUILT = {
    "templates": "templates",
    "new": "new",
    "check": "check",
    "predict": "predict",
    "resilience": "resilience",
    "train": "train",
    "path": "path",
    "accuracy": "accuracy",
    "calibrate": "calibrate",
    "compare": "compare",
    "diff": "diff",
    "bom": "bom",
    "cables": "cables",
    "slots": "slots",
    "racks": "racks",
    "compliance": "compliance",
    "diagram": "diagram",
    "catalog": "catalog",
    "size": "size",
    "export": "export",
    "report": "report",
    "export-pack": "export_pack",
    "sweep": "sweep",
}
"""Command -> module of this package."""

PLANNED = ("import",)
"""Names that are reserved and say that they are not built yet."""

COMMANDS = (*BUILT, *PLANNED)
"""Every word that means the command line rather than a project to open."""

OK = 0
BAD_INPUT = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; never raises, never prints a traceback."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    lang = _wanted_language(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            with contextlib.suppress(ValueError, OSError):
                # What goes into a file or another program is UTF-8 everywhere, whatever Windows' code page is.
                encoding = None if stream.isatty() else "utf-8"
                stream.reconfigure(encoding=encoding, errors="replace")
    try:
        return _run(arguments, lang)
    except UserError as error:
        return _complain(error.message, lang)
    except SystemExit as leaving:  # --help
        return leaving.code if isinstance(leaving.code, int) else OK
    except KeyboardInterrupt:
        return _complain(msg("Interrupted."), lang)
    except BrokenPipeError:
        return OK
    except Exception as error:  # the promise is one line, whatever happens
        if os.environ.get("FABRICWRIGHT_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        return _complain(msg("Internal error, please report it: {what}", what=" ".join(what.split())[:300]), lang)


def _run(arguments: list[str], lang: str) -> int:
    leading, name, rest = _split(arguments)
    if name is None:
        if "--version" in leading:
            from fabricwright import __version__

            print(f"fabricwright {__version__}")
            return OK
        if "-h" in leading or "--help" in leading:
            print(_overview(lang))
            return OK
        raise UserError(msg("fabricwright: a command is missing; see 'fabricwright --help'."))
    if name in PLANNED:
        raise UserError(
            msg(
                "fabricwright {command}: this command is not built yet; see 'fabricwright --help' for those that are.",
                command=name,
            )
        )
    if name not in BUILT:
        near = difflib.get_close_matches(name, BUILT, 1)
        if near:
            raise UserError(
                msg("fabricwright: there is no command '{command}'; near is '{near}'.", command=name[:60], near=near[0])
            )
        raise UserError(
            msg("fabricwright: there is no command '{command}'; see 'fabricwright --help'.", command=name[:60])
        )
    module = importlib.import_module(f"fabricwright.cli.{BUILT[name]}")
    parser = Parser(f"fabricwright {name}", module.SUMMARY, lang)
    module.add_arguments(parser)
    add_common(parser)
    parsed = parser.parse_args([*leading, *rest])
    out = Output(parsed.lang, parsed.json)
    code: int = module.run(parsed, out)
    out.flush()
    return code


def _split(arguments: list[str]) -> tuple[list[str], str | None, list[str]]:
    """Options before the command, the command, what follows it."""
    n = 0
    while n < len(arguments) and arguments[n].startswith("-"):
        n += 2 if arguments[n] == "--lang" else 1
    if n >= len(arguments):
        return arguments, None, []
    return arguments[:n], arguments[n], arguments[n + 1 :]


def _wanted_language(arguments: list[str]) -> str:
    """Language for complaints, found before parsing can complain."""
    for n, argument in enumerate(arguments):
        value = argument.partition("=")[2] if argument.startswith("--lang=") else ""
        if argument == "--lang" and n + 1 < len(arguments):
            value = arguments[n + 1]
        if value in LANGUAGES:
            return value
    return "en"


def _overview(lang: str) -> str:
    lines = [
        "fabricwright [PROJECT] [--template ID] [--lang en|zh_CN] [--theme light|dark|system] [--reset-layout]",
        "fabricwright COMMAND ... [--json] [--lang en|zh_CN]",
        "fabricwright --version | --selftest OUT.json",
        "",
    ]
    width = max(map(len, BUILT))
    for name, module_name in BUILT.items():
        module = importlib.import_module(f"fabricwright.cli.{module_name}")
        lines.append(f"  {name:<{width}}  {module.SUMMARY.text(lang)}")
    lines += ["", msg("'fabricwright COMMAND --help' shows the arguments of a command.").text(lang)]
    lines.append(
        msg("Exit codes: 0 fine, 1 findings at or above --fail-on, 2 bad usage or unreadable input.").text(lang)
    )
    if lang == "en":  # for those who look for it, in their own words
        lines.append("中文：fabricwright --help --lang zh_CN")
    return "\n".join(lines)


def _complain(message: Message, lang: str) -> int:
    text = harmless(" ".join(message.text(lang).split()))
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)
    return BAD_INPUT
