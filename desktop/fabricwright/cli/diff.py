"""``fabricwright diff FILE1 FILE2``: two versions of a project side by side."""

from __future__ import annotations

from fabricwright.analysis.versions import OtherRow, Versions, compare_versions
from fabricwright.cli.arguments import Arguments, Parser
from fabricwright.cli.compare import add_size, change_words, print_comparison, size_of
from fabricwright.cli.output import Output
from fabricwright.cli.projects import Working, open_version
from fabricwright.units.text import Message, msg

SUMMARY = msg("two versions of a project side by side")


def add_arguments(parser: Parser) -> None:
    """The two files."""
    parser.add_argument("file", metavar="FILE1", help=parser.say(msg("project file (*.fwproj), or FILE@SNAPSHOT")))
    parser.add_argument("other", metavar="FILE2", help=parser.say(msg("the version to compare it with")))
    add_size(parser)


def run(arguments: Arguments, out: Output) -> int:
    """Compare and print; 0 whatever the differences are."""
    size = size_of(arguments)
    one, two = open_version(arguments.file), open_version(arguments.other)
    with Working(arguments):
        found = compare_versions(one, two, (arguments.file, arguments.other), size)
    out.document(found.to_json(out.lang))
    _print(found, out)
    return 0


def _print(found: Versions, out: Output) -> None:
    if found.empty:
        out.say(msg("The two files describe the same project."))
        return
    for name in found.removed:
        out.say(msg("Design {design} is only in {file}.", design=name, file=found.files[0]))
    for name in found.added:
        out.say(msg("Design {design} is only in {file}.", design=name, file=found.files[1]))
    for name in found.equal:
        out.say(msg("Design {design}: nothing differs.", design=name))
    for comparison in found.compared:
        out.say()
        print_comparison(comparison, out)
    if found.other:
        out.say()
        out.say(msg("# Beside the designs: {count} rows differ", count=len(found.other)))
        out.table(
            [msg("change"), msg("table"), msg("row")],
            [(change_words(row.kind), table_words(row), row.id) for row in found.other],
        )


def table_words(row: OtherRow) -> Message | str:
    """A table of the project, in words."""
    words = {
        "title": msg("title"),
        "meta": msg("title block"),
        "parts": msg("parts"),
        "statements": msg("statements"),
        "workloads": msg("workloads"),
        "approvals": msg("approvals"),
        "prices": msg("prices"),
        "profiles": msg("profiles"),
        "jobs": msg("output jobs"),
    }
    return words.get(row.table) or row.table
