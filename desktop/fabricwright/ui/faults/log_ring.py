"""The last messages of Python and Qt, kept in memory: what happened before something went wrong.

Nothing is written to the disk until the person saves a diagnostic file. What goes into that is ``scrubbed``: the
program's own sentence with its blanks left blank, since what stood in them may be a customer's.
"""

from __future__ import annotations

import collections
import logging
import re
import threading
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

KEPT = 1000
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_PATH = re.compile(r"(?:file:/+|[A-Za-z]:[\\/]|\\\\|~?/)[^\s'\",;:()<>]*[^\s'\",;:()<>.]")
_FRAME = re.compile(r'File "([^"\n]*)", line (\d+), in ([\w<>.]+)')
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|“[^”\n]*”")


@dataclass(frozen=True, slots=True)
class LogLine:
    """One message. ``text`` as it was said, ``scrubbed`` without what may come from a project or name a person."""

    time: str
    level: str
    logger: str
    text: str
    scrubbed: str


class LogRing(logging.Handler):
    """Keeps the last ``KEPT`` messages of all threads."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: collections.deque[LogLine] = collections.deque(maxlen=KEPT)
        self._guard = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message; a traceback as its frames."""
        try:
            text = record.getMessage()
            plain = _scrubbed(record, text)
            if record.exc_info and record.exc_info[0] is not None:
                where = frames(record.exc_info[2])
                text = f"{text}: {record.exc_info[0].__name__}: {record.exc_info[1]}\n{where}"
                plain = f"{plain}: {record.exc_info[0].__name__}\n{where}"
        except Exception:  # noqa: BLE001 (a message that cannot be written must not be the end of the program)
            text = plain = "a message that cannot be written"
        time = datetime.fromtimestamp(record.created).isoformat(timespec="milliseconds")
        with self._guard:
            self._lines.append(LogLine(time, record.levelname, record.name, text, plain))

    def lines(self) -> list[LogLine]:
        """Oldest first."""
        with self._guard:
            return list(self._lines)


def _scrubbed(record: logging.LogRecord, text: str) -> str:
    """The sentence without what was put into it. ``extra={"plain": True}`` says that nothing in it needs hiding."""
    if getattr(record, "plain", False):
        return text
    if not record.args or record.name.startswith("qt"):
        return scrub(text)
    told = [place_of(file, int(line), name) for file, line, name in _FRAME.findall(text)]
    return "\n".join([str(record.msg), *(f"  {row}" for row in told)])


def frames(traceback: object) -> str:
    """Module, line and function of each frame, innermost last; no values, no folders of this machine."""
    out = []
    while traceback is not None:
        code = traceback.tb_frame.f_code  # type: ignore[attr-defined]
        out.append(place_of(code.co_filename, traceback.tb_lineno, code.co_name))  # type: ignore[attr-defined]
        traceback = traceback.tb_next  # type: ignore[attr-defined]
    return "\n".join(f"  {row}" for row in out)


def place_of(file: str, line: int, function: str) -> str:
    """``fabricwright/ui/window.py:12 finish`` of a frame: the path from the package on."""
    return f"{path_of(file)}:{line} {function}"


def path_of(file: str) -> str:
    """The path of a module from its package on; of others the name alone."""
    parts = re.split(r"[\\/]", file)
    inner = [n for n, part in enumerate(parts[:-1]) if part in ("fabricwright", "PySide6", "numpy")]
    return "/".join(parts[inner[-1] if inner else -1 :])


def scrub(text: str) -> str:
    """A text without paths and without what stands in quotes."""
    return _PATH.sub("<path>", _QUOTED.sub("<text>", text))


_ring: LogRing | None = None


def ring() -> LogRing:
    """The ring of this process; made and connected when it is first asked for."""
    global _ring
    if _ring is None:
        _ring = LogRing()
        root = logging.getLogger()
        root.addHandler(_ring)
        if root.level > logging.INFO or root.level == logging.NOTSET:
            root.setLevel(logging.INFO)
        # The root has a handler now, so Python no longer prints warnings by itself.
        printed = logging.StreamHandler()
        printed.setLevel(logging.WARNING)
        # A slow start of a loaded machine is for the diagnostic file; on a terminal its frames read like a crash.
        printed.addFilter(lambda record: record.name != "fabricwright.ui.watchdog")
        root.addHandler(printed)
    return _ring


def take_qt_messages() -> None:
    """Qt's messages into the log, under ``qt`` and its category."""
    ring()

    def take(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        category = str(getattr(context, "category", None) or "default")
        name = "qt" if category == "default" else f"qt.{category.removeprefix('qt.')}"
        logging.getLogger(name).log(_LEVELS.get(kind, logging.WARNING), "%s", text)

    qInstallMessageHandler(take)
