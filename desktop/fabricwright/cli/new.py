"""``fabricwright new TEMPLATE -o FILE``: a project from a template."""

from __future__ import annotations

from fabricwright.cli.arguments import Arguments, Parser, key_values
from fabricwright.cli.output import Output
from fabricwright.design.order import designs_in_order
from fabricwright.design.storage import save
from fabricwright.design.templates import TEMPLATES
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

SUMMARY = msg("make a project from a template")


def add_arguments(parser: Parser) -> None:
    """TEMPLATE, ``-o``, ``--set``."""
    parser.add_argument(
        "template", metavar="TEMPLATE", help=parser.say(msg("id of a template; see 'fabricwright templates'"))
    )
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help=parser.say(msg("project file to write")))
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help=parser.say(msg("a setting of the template; may be repeated")),
    )


def run(arguments: Arguments, out: Output) -> int:
    """Write the project file."""
    template = TEMPLATES.get(arguments.template.lower())
    if template is None:
        known = ", ".join(TEMPLATES)
        raise UserError(
            msg(
                "There is no template '{template}'; expected one of {known}.",
                template=arguments.template[:60],
                known=known,
            )
        )
    project = template.build(out.lang, **key_values(arguments.set, "--set"))
    save(project, arguments.output)
    designs = designs_in_order(project)
    out.document({"file": arguments.output, "template": template.id, "title": project.title, "designs": designs})
    out.say(msg("{file}: {title}; designs: {designs}.", file=arguments.output, title=project.title, designs=designs))
    return 0
