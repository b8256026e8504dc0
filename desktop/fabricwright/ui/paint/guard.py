"""A fence around Python paint code.

An exception that escapes a Python ``paint()`` can end the process in Qt. ``safe_paint`` stops it: it logs the first
failure of each painter once, and leaves a small error sign where the drawing should be.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPaintDevice, QPainter, QPen

log = logging.getLogger(__name__)

Method = TypeVar("Method", bound=Callable[..., Any])

_reported: set[str] = set()


def reported_failures() -> frozenset[str]:
    """Qualified names of the painters that failed since the start (for tests and the self-test)."""
    return frozenset(_reported)


def clear_reported() -> None:
    """Forget reported failures (tests)."""
    _reported.clear()


def safe_paint(method: Method) -> Method:
    """Decorate ``paint(self, painter, ...)``, ``paintEvent(self, event)`` or any drawing method.

    The painter is found among the arguments; a ``paintEvent`` has none, its widget is painted on afterwards.
    Painter state is restored after a failure as far as the painter allows.
    """

    @functools.wraps(method)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        try:
            return method(*args, **kwargs)
        except Exception:
            name = method.__qualname__
            if name not in _reported:
                _reported.add(name)
                log.exception("painting failed in %s", name)
            _leave_sign(args)
            return None

    return guarded  # type: ignore[return-value]


def _leave_sign(args: tuple[Any, ...]) -> None:
    """Draw the error sign; nothing may escape from here."""
    try:
        painter = next((a for a in args if isinstance(a, QPainter)), None)
        if painter is not None:
            paint_error_sign(painter, _place(args))
            return
        device = args[0] if args else None
        if isinstance(device, QPaintDevice) and not device.paintingActive():
            own = QPainter(device)
            try:
                paint_error_sign(own, QRectF(2, 2, 16, 16))
            finally:
                own.end()
    except Exception:  # the sign is a courtesy
        log.debug("could not draw the error sign", exc_info=True)


def _place(args: tuple[Any, ...]) -> QRectF:
    owner = args[0] if args else None
    bounding = getattr(owner, "boundingRect", None)
    if callable(bounding):
        box = bounding()
        return QRectF(box.x() + 2, box.y() + 2, 16, 16)
    return QRectF(2, 2, 16, 16)


def paint_error_sign(painter: QPainter, box: QRectF) -> None:
    """A red cross in a square: something could not be drawn here. Uses no theme and no files."""
    painter.save()
    painter.setPen(QPen(QColor("#C2242F"), 1.5))
    painter.setBrush(QColor("#FDECEC"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.drawRoundedRect(box, 3, 3)
    inner = box.adjusted(4, 4, -4, -4)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawLine(inner.topLeft(), inner.bottomRight())
    painter.drawLine(inner.topRight(), inner.bottomLeft())
    painter.restore()
