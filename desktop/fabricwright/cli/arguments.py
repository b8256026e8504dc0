"""Argument parsing whose every complaint is one translatable line, and the options that commands share."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import NoReturn

from fabricwright.units.errors import UserError
from fabricwright.units.text import Message, msg

LANGUAGES = ("en", "zh_CN")

Arguments = argparse.Namespace


class Parser(argparse.ArgumentParser):
    """An argparse parser that raises UserError instead of printing its usage and leaving."""

    def __init__(self, prog: str, description: Message, lang: str = "en") -> None:
        self.lang = lang
        super().__init__(prog=prog, description=self.say(description), allow_abbrev=False, add_help=False)
        self._positionals.title = self.say(msg("arguments"))
        self._optionals.title = self.say(msg("options"))
        self.add_argument("-h", "--help", action="help", help=self.say(msg("show this text")))

    def say(self, text: Message) -> str:
        """Text in the parser's language, safe from argparse's own formatting."""
        return text.text(self.lang).replace("%", "%%")

    def format_help(self) -> str:
        """The help text; argparse's own word for "usage" is replaced."""
        return super().format_help().replace("usage:", self.say(msg("usage:")), 1)

    def error(self, message: str) -> NoReturn:
        """Every wrong argument ends here."""
        raise UserError(complaint(self.prog, message))


def complaint(prog: str, message: str) -> Message:
    """argparse's English sentence as one of ours; what it says besides the known kinds is passed on as it is."""
    if found := re.match(r"the following arguments are required: (.+)", message):
        return msg("{program}: {names} missing; see '{program} --help'.", program=prog, names=found[1])
    if found := re.match(r"unrecognized arguments: (.+)", message, re.DOTALL):
        return msg("{program}: '{names}' not understood; see '{program} --help'.", program=prog, names=_short(found[1]))
    if found := re.match(r"argument ([^:]+): expected .*argument", message):
        return msg("{program}: {name} needs a value; see '{program} --help'.", program=prog, name=found[1])
    if found := re.match(r"argument ([^:]+): invalid choice: (.+) \(choose from (.+)\)", message, re.DOTALL):
        known = found[3].replace("'", "")
        return msg(
            "{program}: {name}: {value} is not one of {known}.",
            program=prog,
            name=found[1],
            value=_short(found[2]),
            known=known,
        )
    if found := re.match(r"argument ([^:]+): invalid int value: (.+)", message, re.DOTALL):
        return msg(
            "{program}: {name}: expected a whole number, found {value}.",
            program=prog,
            name=found[1],
            value=_short(found[2]),
        )
    return msg("{program}: {problem}.", program=prog, problem=_short(message))


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 100 else flat[:99] + "…"


def add_common(parser: Parser) -> None:
    """``--json`` and ``--lang``, which every command takes."""
    parser.add_argument("--json", action="store_true", help=parser.say(msg("print one JSON document and nothing else")))
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help=parser.say(msg("language of the texts")))


def add_project(parser: Parser, *, ranks: bool = False, trains: bool = False) -> None:
    """FILE and ``--design``; with ``ranks`` also who takes part. ``trains``: the command reads the workload; others
    only look whether it is there, since scripts name it for all alike."""
    parser.add_argument("file", metavar="FILE", help=parser.say(msg("project file (*.fwproj)")))
    parser.add_argument("--design", metavar="NAME", help=parser.say(msg("design of the project (default: its first)")))
    if ranks:
        text = msg("workload of the project; has to be there, a collective does not depend on it")
        named = msg("workload of the project") if trains else text
        parser.add_argument("--workload", metavar="NAME", help=parser.say(named))
        parser.add_argument(
            "--ranks", metavar="ADDRESS,...", help=parser.say(msg("servers or GPUs that take part, in rank order"))
        )
        parser.add_argument("--nodes", metavar="N", help=parser.say(msg("only the first N servers take part")))


def count(text: str | None, option: str) -> int | None:
    """A positive whole number given to an option, or None when it was not given. Raises UserError."""
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()) or int(text) < 1:
        raise UserError(
            msg("{option}: expected a whole number from 1, found '{value}'.", option=option, value=text[:60])
        )
    return int(text)


def split_addresses(text: str) -> list[str]:
    """``node[0-31,40],node[2]/gpu0`` -> its addresses; commas inside brackets do not separate."""
    return [piece.strip() for piece in re.split(r",(?![^\[]*\])", text)]


def key_values(pairs: Sequence[str], option: str) -> dict[str, str]:
    """``KEY=VALUE`` arguments. Raises UserError on anything else and on a key given twice."""
    out: dict[str, str] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key.strip():
            raise UserError(msg("{option}: expected KEY=VALUE, found '{value}'.", option=option, value=pair[:60]))
        if key.strip() in out:
            raise UserError(msg("{option}: '{key}' is given twice.", option=option, key=key.strip()[:60]))
        out[key.strip()] = value
    return out
