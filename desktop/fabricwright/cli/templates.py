"""``fabricwright templates``: the projects to start from."""

from __future__ import annotations

from fabricwright.cli.arguments import Arguments, Parser
from fabricwright.cli.output import Output
from fabricwright.design.templates import TEMPLATES, Setting
from fabricwright.units.text import msg

SUMMARY = msg("list the templates with their settable keys")


def add_arguments(parser: Parser) -> None:
    """No arguments of its own."""


def run(arguments: Arguments, out: Output) -> int:
    """Print id, title and settable keys of every template."""
    out.document(
        {
            "templates": [
                {
                    "id": row.id,
                    "title": row.title.text(out.lang),
                    "settings": [_setting(s, out.lang) for s in row.settings],
                }
                for row in TEMPLATES.values()
            ]
        }
    )
    for n, row in enumerate(TEMPLATES.values()):
        if n:
            out.say()
        out.say(msg("{id}: {title}", id=row.id, title=row.title))
        for setting in row.settings:
            limits = f" ({setting.low}-{setting.high})" if isinstance(setting.default, int) else ""
            out.say(
                msg(
                    "  {key}={default}{limits}  {note}",
                    key=setting.key,
                    default=str(setting.default),
                    limits=limits,
                    note=setting.note,
                )
            )
    return 0


def _setting(setting: Setting, lang: str) -> dict[str, object]:
    whole = isinstance(setting.default, int)
    return {
        "key": setting.key,
        "default": setting.default,
        "note": setting.note.text(lang),
        "type": "integer" if whole else "string",
        "minimum": setting.low if whole else None,
        "maximum": setting.high if whole else None,
    }
