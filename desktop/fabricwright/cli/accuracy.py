"""``fabricwright accuracy``: predictions against measured collectives; the engine in ideal semantics against oracle
rows.
"""

from __future__ import annotations

from pathlib import Path

from fabricwright.cli.arguments import Arguments, Parser
from fabricwright.cli.output import Output, progress
from fabricwright.performance.accuracy_oracle import load_oracle, score_oracle
from fabricwright.performance.measured.entries import load_measured
from fabricwright.performance.measured.score import score
from fabricwright.performance.training.measured.rows import load_rows
from fabricwright.performance.training.measured.score import score_training
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

SUMMARY = msg("compare predictions with measurements")
MOST_NOTES = 20


def add_arguments(parser: Parser) -> None:
    """Measured collectives, oracle rows; training runs are a later command."""
    parser.add_argument("measured", metavar="MEASURED.json", nargs="?", help=parser.say(msg("measured collectives")))
    parser.add_argument("--training", metavar="TRAINING.json", help=parser.say(msg("measured training runs")))
    parser.add_argument(
        "--oracle", metavar="ORACLE.json", help=parser.say(msg("rows of closed forms and analytical runs"))
    )


def run(arguments: Arguments, out: Output) -> int:
    """Score what is given and print the figures."""
    if arguments.measured is None and arguments.oracle is None and arguments.training is None:
        raise UserError(
            msg("fabricwright accuracy: MEASURED.json, --training TRAINING.json or --oracle ORACLE.json is missing.")
        )
    document: dict[str, object] = {}
    if arguments.measured is not None:
        document |= _measured(arguments.measured, out)
    if arguments.oracle is not None:
        document["oracle"] = _oracle(arguments.oracle, out)
    if arguments.training is not None:
        document["training"] = _training(arguments.training, out)
    out.document(document)
    return 0


def _training(file: str, out: Output) -> dict[str, object]:
    rows = load_rows(Path(file))
    with progress(msg("Predicting {file} ...", file=file), out.lang):
        scored = score_training(rows, out.text)
    out.say(
        msg(
            "{file}: {n} training runs, {scored} predicted, {without} without a step time",
            file=file,
            n=len(rows),
            scored=scored["n"],
            without=scored["without_time"],
        )
    )
    cells = [
        f"{100 * value:.1f} %" if isinstance(value := scored[name], float) else "-"
        for name in ("median_abs", "p90_abs", "median_signed")
    ]
    out.table(
        [msg("runs"), msg("median error"), msg("90 % of runs"), msg("median signed")],
        [(str(scored["n"]), *cells)],
        "rrrr",
    )
    reasons = scored["not_expressed"]
    assert isinstance(reasons, dict)
    if reasons:
        out.say(msg("not expressed:"))
        out.table([msg("reason"), msg("runs")], [(reason, count) for reason, count in reasons.items()], "lr")
    return scored


def _measured(file: str, out: Output) -> dict[str, object]:
    entries = load_measured(Path(file))
    with progress(msg("Predicting {file} ...", file=file), out.lang):
        scored = score(entries, out.text)
    counts, notes, classes, everything = (scored[key] for key in ("entries", "notes", "classes", "all"))
    assert isinstance(counts, dict) and isinstance(notes, list)
    assert isinstance(classes, list) and isinstance(everything, dict)
    out.say(
        msg(
            "{file}: {n} entries, {scored} scored, {skipped} not to be scored, {failed} not predicted",
            file=file,
            n=counts["n"],
            scored=counts["scored"],
            skipped=counts["not_scored"],
            failed=counts["not_predicted"],
        )
    )
    heads = [
        msg("size"),
        msg("points"),
        msg("median error"),
        msg("90 % of points"),
        msg("median signed"),
        msg("in band"),
        msg("band, half-width"),
    ]
    rows = [(row["class"], *_cells(row)) for row in classes]
    out.table(heads, [*rows, (out.text(msg("all")), *_cells(everything))], "lrrrrrr")
    for row in notes[:MOST_NOTES]:
        for note in row["notes"]:
            out.say(f"{row['id']}: {note}")
    if len(notes) > MOST_NOTES:
        out.say(msg("... and {n} more entries with notes; --json lists all.", n=len(notes) - MOST_NOTES))
    return scored


def _cells(row: dict[str, object]) -> tuple[str, ...]:
    def percent(name: str, sign: str = "") -> str:
        value = row[name]
        return f"{100 * value:{sign}.1f} %" if isinstance(value, float) else "-"

    return (
        str(row["n"]),
        percent("median_abs"),
        percent("p90_abs"),
        percent("median_signed", "+"),
        percent("in_band"),
        percent("median_band"),
    )


def _oracle(file: str, out: Output) -> dict[str, object]:
    rows = load_oracle(Path(file))
    try:
        with progress(msg("Scoring {file} ...", file=file), out.lang):
            scored = score_oracle(rows)
    except UserError as error:
        raise UserError(msg("{file}: {problem}", file=file, problem=error.message)) from error
    out.say(
        msg(
            "{file}: {rows} rows, {expressed} expressed",
            file=file,
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
    return scored
