"""``fabricwright accuracy --oracle ORACLE.json``: the engine in ideal semantics against oracle rows."""

from __future__ import annotations

from pathlib import Path

from fabricwright.cli.arguments import Arguments, Parser
from fabricwright.cli.output import Output, progress
from fabricwright.performance.accuracy_oracle import load_oracle, score_oracle
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

SUMMARY = msg("compare predictions with oracle rows")


def add_arguments(parser: Parser) -> None:
    """``--oracle``; measured collectives and training runs are later commands."""
    parser.add_argument(
        "measured", metavar="MEASURED.json", nargs="?", help=parser.say(msg("measured collectives (not built yet)"))
    )
    parser.add_argument(
        "--training", metavar="TRAINING.json", help=parser.say(msg("measured training runs (not built yet)"))
    )
    parser.add_argument(
        "--oracle", metavar="ORACLE.json", help=parser.say(msg("rows of closed forms and analytical runs"))
    )


def run(arguments: Arguments, out: Output) -> int:
    """Score and print counts."""
    if arguments.measured is not None or arguments.training is not None:
        raise UserError(msg("fabricwright accuracy: only --oracle ORACLE.json is built yet."))
    if arguments.oracle is None:
        raise UserError(msg("fabricwright accuracy: --oracle ORACLE.json is missing."))
    rows = load_oracle(Path(arguments.oracle))
    try:
        with progress(msg("Scoring {file} ...", file=arguments.oracle), out.lang):
            scored = score_oracle(rows)
    except UserError as error:
        raise UserError(msg("{file}: {problem}", file=arguments.oracle, problem=error.message)) from error
    out.document({"oracle": scored})
    out.say(
        msg(
            "{file}: {rows} rows, {expressed} expressed",
            file=arguments.oracle,
            rows=scored["n_rows"],
            expressed=scored["n_expressed"],
        )
    )
    if scored["max_rel_error"] is not None:
        out.say(msg("largest relative error: {error}", error=f"{scored['max_rel_error']:.3e}"))
    reasons = scored["not_expressed"]
    assert isinstance(reasons, dict)
    if reasons:
        out.say(msg("not expressed:"))
        out.table([msg("reason"), msg("rows")], [(reason, count) for reason, count in reasons.items()], "lr")
    return 0
