"""Icons: SVG files of ``resources/icons`` in any colour, cached per colour, size and device pixel ratio.

Qt's SVG renderer paints ``currentColor`` black, so the word is replaced by the wanted colour before loading.
"""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from fabricwright.resources import resource_path
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import theme

#: severity -> (outline icon, filled icon, colour token, colour of the sign on it or of the surface in it)
_STATES = {
    "error": ("error-octagon", "error-filled", "error", "text.on-accent"),
    "warning": ("warning-triangle", "warning-filled", "warn", "warn.soft"),
    "info": ("info-circle", "info-filled", "info", "text.on-accent"),
    "ok": ("ok-circle", "ok-filled", "ok", "text.on-accent"),
    "approved": ("shield", "shield-filled", "text.3", "raised"),
}

#: Below this size lines are drawn 2 grid units wide instead of 1.5, so that they stay over one device pixel.
_SMALL_PX = 20


@lru_cache(maxsize=512)
def _source(name: str) -> str:
    path = resource_path("icons", f"{name}.svg")
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return resource_path("icons", "help.svg").read_text(encoding="utf-8")


def has_icon(name: str) -> bool:
    """Whether an icon of that name ships with the program."""
    return resource_path("icons", f"{name}.svg").exists()


@lru_cache(maxsize=1024)
def _renderer(name: str, colour: str, back: str, small: bool) -> QSvgRenderer:
    text = _source(name).replace("currentColor", colour).replace("currentBack", back)
    if small:
        text = text.replace('stroke-width="1.5"', 'stroke-width="2"').replace('stroke-width="0"', 'stroke-width="0.5"')
    return QSvgRenderer(QByteArray(text.encode()))


@lru_cache(maxsize=2048)
def _pixmap(name: str, px: float, colour: str, back: str, ratio: float) -> QPixmap:
    side = max(1, round(px * ratio))
    result = QPixmap(side, side)
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    _renderer(name, colour, back, px < _SMALL_PX).render(painter, QRectF(0, 0, side, side))
    painter.end()
    result.setDevicePixelRatio(ratio)
    return result


def _ratio() -> float:
    screen = QGuiApplication.primaryScreen()
    return screen.devicePixelRatio() if screen else 1.0


def _hex(colour: QColor | str) -> str:
    """``colour`` may be a QColor, ``#rrggbb`` or a token of the current theme."""
    if isinstance(colour, QColor):
        return colour.name()
    return colour if colour.startswith("#") else theme().hex(colour)


def pixmap(name: str, px: float, colour: QColor | str = "text.2", ratio: float | None = None) -> QPixmap:
    """Icon ``name`` as a square pixmap of ``px`` logical pixels; ``ratio`` defaults to the primary screen's."""
    return _pixmap(name, px, _hex(colour), theme().hex("raised"), _ratio() if ratio is None else ratio)


def paint_icon(painter: QPainter, name: str, rect: QRectF, colour: QColor | str = "text.2", back: str = "") -> None:
    """Paint an icon as vectors (any paint device, any scale) into ``rect``, kept square and centred."""
    side = min(rect.width(), rect.height())
    box = QRectF(rect.center().x() - side / 2, rect.center().y() - side / 2, side, side)
    renderer = _renderer(name, _hex(colour), _hex(back or "raised"), side < _SMALL_PX)
    renderer.render(painter, box)


def state_icon_name(severity: str, *, filled: bool = False) -> str:
    """Icon of a severity: error, warning, info, ok or approved."""
    return _STATES[severity][1 if filled else 0]


def state_token(severity: str) -> str:
    """Colour token of a severity."""
    return _STATES[severity][2]


def state_pixmap(severity: str, px: float = 16, *, filled: bool = False, ratio: float | None = None) -> QPixmap:
    """Sign of a severity: outline for lists, ``filled`` for the canvas."""
    outline, solid, token, back = _STATES[severity]
    name = solid if filled else outline
    return _pixmap(name, px, theme().hex(token), theme().hex(back), _ratio() if ratio is None else ratio)


def paint_state(painter: QPainter, severity: str, rect: QRectF, *, filled: bool = False) -> None:
    """Paint the sign of a severity as vectors."""
    outline, solid, token, back = _STATES[severity]
    paint_icon(painter, solid if filled else outline, rect, token, back)


class _ThemedIconEngine(QIconEngine):
    """Looks the colour up when painting, so a theme switch needs no new QIcon."""

    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        self._name = name
        self._token = token

    def clone(self) -> QIconEngine:
        return _ThemedIconEngine(self._name, self._token)

    def _colour(self, mode: QIcon.Mode, state: QIcon.State) -> str:
        if mode == QIcon.Mode.Disabled:
            return theme().hex("text.disabled")
        if state == QIcon.State.On and self._token in ("text", "text.2"):
            return theme().hex("accent")
        return _hex(self._token)

    @safe_paint
    def paint(self, painter: QPainter, rect: object, mode: QIcon.Mode, state: QIcon.State) -> None:
        box = QRectF(rect)  # type: ignore[call-overload]
        paint_icon(painter, self._name, box, self._colour(mode, state))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        # ``size`` is in device pixels here
        scale = scale or 1.0
        px = min(size.width(), size.height()) / scale
        return _pixmap(self._name, px, self._colour(mode, state), theme().hex("raised"), scale)


@lru_cache(maxsize=512)
def icon(name: str, token: str = "text.2") -> QIcon:
    """Icon that takes its colour from the theme at paint time: ``token`` normally, accent when checked, grey when off.

    ``token`` may also be ``#rrggbb`` for a fixed colour.
    """
    return QIcon(_ThemedIconEngine(name, token))


@lru_cache(maxsize=4)
def app_icon() -> QIcon:
    """The program's own icon, with its pixel-fitted small cut."""
    result = QIcon()
    for px, name in ((16, "app-icon-16"), (32, "app-icon-16"), (24, "app-icon"), (48, "app-icon"), (256, "app-icon")):
        result.addPixmap(_pixmap(name, px, "#000000", "#000000", 1.0))
    return result
