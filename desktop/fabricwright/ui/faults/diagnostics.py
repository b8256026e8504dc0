"""The diagnostic file: a zip for those who mend the program, with nothing of a project in it.

``contents()`` says what goes in; the dialog shows the same list before anything is written. No project, no names of
files, parts, sheets or people, no addresses. It is written where the person says and sent nowhere.
"""

from __future__ import annotations

import io
import json
import platform
import sys
import zipfile
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QLibraryInfo, qVersion
from PySide6.QtGui import QGuiApplication

from fabricwright import __version__
from fabricwright.design.values import Project
from fabricwright.ui.faults.crash_file import last_crash
from fabricwright.ui.faults.log_ring import path_of, ring, scrub

CONTENTS = (
    ("about.json", QT_TRANSLATE_NOOP("Faults", "versions of program, Python, Qt and system; sizes of the screens")),
    ("counts.json", QT_TRANSLATE_NOOP("Faults", "how many designs, sheets, items and links are open; no names")),
    ("log.txt", QT_TRANSLATE_NOOP("Faults", "last messages of the program, with names, values and paths left out")),
    ("fault.txt", QT_TRANSLATE_NOOP("Faults", "where in the program it went wrong: modules, lines, functions")),
    ("crash.txt", QT_TRANSLATE_NOOP("Faults", "the same of the run before this one, when it ended by itself")),
)


def contents() -> list[tuple[str, str]]:
    """(file, what it is) of everything in the zip, in the window's language."""
    return [(name, QCoreApplication.translate("Faults", str(text))) for name, text in CONTENTS]


def diagnostic_zip(project: Project | None, fault: str = "") -> bytes:
    """The file. ``fault`` the frames of what went wrong now, "" when nothing did."""
    pieces = {
        "about.json": json.dumps(_about(), indent=1),
        "counts.json": json.dumps(counts(project), indent=1),
        "log.txt": "\n".join(f"{row.time} {row.level} {row.logger}: {row.scrubbed}" for row in ring().lines()),
        "fault.txt": fault,
        "crash.txt": scrub_crash(last_crash()),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, _ in CONTENTS:
            archive.writestr(name, pieces[name] + "\n")
    return out.getvalue()


def counts(project: Project | None) -> dict[str, int]:
    """The size of what is open, in numbers."""
    if project is None:
        return {}
    sheets = [sheet for design in project.designs.values() for sheet in design.sheets.values()]
    return {
        "designs": len(project.designs),
        "sheets": len(sheets),
        "items": sum(len(sheet.items) for sheet in sheets),
        "links": sum(len(sheet.links) for sheet in sheets),
        "parts": len(project.parts),
        "pictures": len(project.images),
    }


def scrub_crash(text: str) -> str:
    """What faulthandler wrote, with the path of each frame from the package on."""
    out = []
    for line in text.splitlines():
        head, file, rest = line.partition('File "')
        if file:
            path, quote, tail = rest.partition('"')
            out.append(f'{head}File "{path_of(path)}{quote}{tail}')
        else:
            out.append(scrub(line))
    return "\n".join(out)


def _about() -> dict[str, Any]:
    screens = [
        {"width": s.size().width(), "height": s.size().height(), "scale": s.devicePixelRatio()}
        for s in QGuiApplication.screens()
    ]
    return {
        "fabricwright": __version__,
        "frozen": bool(getattr(sys, "frozen", False)),
        "python": platform.python_version(),
        "qt": qVersion(),
        "qt_build": scrub(str(QLibraryInfo.build())),
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "platform": QGuiApplication.platformName(),
        "screens": screens,
    }
