"""Names that a template gives, in the language of the person who makes a project from it.

Templates are drawn in English, so that the same template is the same project everywhere. Titles, statements and reasons
are the project's own from then on, so they are put into words once, when the project is made.
"""

from __future__ import annotations

import re
from dataclasses import replace

from fabricwright.design.values import Design, Project
from fabricwright.units.table import Table
from fabricwright.units.text import Message, msg, translate

_COUNTED = tuple(
    (re.compile(re.escape(m.template).replace(r"\{count\}", r"([\d,]+)")), m)
    for m in (msg("The cluster has {count} GPUs."), msg("The cluster has {count} nodes."))
)


def in_language(project: Project, lang: str) -> Project:
    """The project with its template's words in ``lang`` (``en`` or ``zh_CN``); what is not the template's stays."""
    if lang == "en":
        return project
    return replace(
        project,
        title=_words(project.title, lang),
        designs=Table({name: _design(row, lang) for name, row in project.designs.items()}),
        statements=Table({n: replace(s, text=_words(s.text, lang)) for n, s in project.statements.items()}),
        workloads=Table({n: replace(w, title=_words(w.title, lang)) for n, w in project.workloads.items()}),
        approvals=Table({n: replace(a, reason=_words(a.reason, lang)) for n, a in project.approvals.items()}),
    )


def _design(design: Design, lang: str) -> Design:
    sheets = {name: replace(sheet, title=_words(sheet.title, lang)) for name, sheet in design.sheets.items()}
    return replace(design, title=_words(design.title, lang), sheets=Table(sheets))


def _words(text: str, lang: str) -> str:
    for pattern, message in _COUNTED:
        if found := pattern.fullmatch(text):
            return Message(message.template, {"count": found[1]}).text(lang)
    return translate(text, lang) if text else text
