"""Colours, type and line styles of the window, the canvas and the exports.

The tokens are read from ``resources/themes/tokens.json`` (light, dark, print). Widgets and painters ask ``theme()`` for
the current one at paint time and never keep a colour: a theme switch is then one ``update()``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from weakref import WeakMethod

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette, QPen
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from fabricwright.resources import resource_path
from fabricwright.units.record import record

#: Families in this order. Han glyphs must come from a Simplified face: automatic fallback picks a Japanese one.
FONT_FAMILIES = (
    "Fabricwright Sans",
    "Noto Sans SC",
    "Noto Sans CJK SC",
    "Microsoft YaHei",
    "PingFang SC",
    "sans-serif",
)

REGULAR, MEDIUM, SEMIBOLD, BOLD = 400, 500, 600, 700

#: Upper bounds of the load steps heat0..heat4, and the line width that goes with each (logical px).
LOAD_STEPS = (0.25, 0.50, 0.75, 0.90)
LOAD_WIDTHS = (1.5, 2.0, 2.75, 3.5, 4.5)

MODES = ("system", "light", "dark")


#: Fonts that differ from the window's 12.5 px regular, by widget class.
_CLASS_FONTS = (
    (12.5, MEDIUM, "QPushButton"),
    (12, REGULAR, "QAbstractItemView"),
    (12, REGULAR, "QToolTip"),
    (11.5, REGULAR, "QStatusBar"),
    (12.5, MEDIUM, "QTabBar"),
)


@record
class Theme:
    """One complete set of colours. ``name`` is ``light``, ``dark`` or ``print``."""

    name: str
    colours: Mapping[str, QColor]

    def __getitem__(self, token: str) -> QColor:
        """Colour of a token (``text.2``, ``rail3``, ...). The caller must not modify it; ``alpha()`` gives a copy."""
        return self.colours[token]

    def hex(self, token: str) -> str:
        """``#rrggbb`` of a token."""
        return self.colours[token].name()

    def alpha(self, token: str, fraction: float) -> QColor:
        """A copy of the token's colour with opacity ``fraction`` (0..1)."""
        colour = QColor(self.colours[token])
        colour.setAlphaF(fraction)
        return colour

    @property
    def dark(self) -> bool:
        """Whether surfaces are darker than text."""
        return self.name == "dark"


@record
class LinkStyle:
    """How one kind of link is drawn at near zoom: colour token, width and gap in logical px, dash in px.

    ``gap`` > 0 draws two parallel lines that far apart (centre to centre); ``dash`` is empty for a solid line.
    """

    token: str
    width: float
    dash: tuple[float, ...] = ()
    gap: float = 0.0


_RAIL_PRINT_DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (9, 3),
    (2, 3),
    (9, 3, 2, 3),
    (14, 4),
    (5, 3),
    (9, 3, 2, 3, 2, 3),
    (3, 2),
)

_LINK_STYLES: Mapping[str, LinkStyle] = MappingProxyType(
    {
        "compute": LinkStyle("rail0", 1.75),
        "storage": LinkStyle("storage", 1.25, gap=3.0),
        "mgmt": LinkStyle("mgmt", 1.25, (5, 3)),
        "pcie": LinkStyle("pcie", 2.0),
        "upi": LinkStyle("pcie", 2.0),
        "cxl": LinkStyle("cxl", 2.0, (8, 3, 2, 3)),
        "nvlink": LinkStyle("nvlink", 3.5),
    }
)

#: Other names the document and the catalogue use for the same kinds.
_LINK_ALIASES = {
    "inband": "storage",
    "management": "mgmt",
    "oob": "mgmt",
    "xgmi": "upi",
    "socket": "upi",
    "scaleup": "nvlink",
    "nvswitch": "nvlink",
}


@cache
def load_tokens() -> Mapping[str, Mapping[str, str]]:
    """``{theme name: {token: hex}}`` as written in ``tokens.json``."""
    loaded: dict[str, dict[str, str]] = json.loads(resource_path("themes", "tokens.json").read_text(encoding="utf-8"))
    return loaded


@cache
def named_theme(name: str) -> Theme:
    """The theme called ``light``, ``dark`` or ``print`` (white surfaces, for paper)."""
    return Theme(name, MappingProxyType({token: QColor(value) for token, value in load_tokens()[name].items()}))


class _ThemeState:
    """Holds the current theme; one per process."""

    def __init__(self) -> None:
        self.theme = named_theme("light")
        self.mode = "system"
        self.following = False


_state = _ThemeState()

#: Who is told of another theme, oldest first.
_followers: dict[WeakMethod[Callable[[Theme], None]], None] = {}


def follow_theme(method: Callable[[Theme], None]) -> None:
    """Call ``method`` (bound to a ``QObject``) with every new ``Theme``, after the palette is set, while its object is.

    Not a signal: for a connection to an object that goes before its sender, Qt's binding keeps some 80 bytes for good,
    and every page of the inspector has dozens of labels that follow the theme.
    """
    _followers[WeakMethod(method, _forget)] = None


def _forget(gone: WeakMethod[Callable[[Theme], None]]) -> None:
    _followers.pop(gone, None)


def theme() -> Theme:
    """The current theme (light until ``apply_theme`` was called)."""
    return _state.theme


def theme_mode() -> str:
    """What was asked for: ``light``, ``dark`` or ``system``."""
    return _state.mode


def apply_theme(app: QApplication, mode: str) -> None:
    """Set style, palette, fonts and colours; ``mode`` is ``light``, ``dark`` or ``system`` (followed live)."""
    if mode not in MODES:
        raise ValueError(f"theme mode {mode!r} is not one of {MODES}")
    _state.mode = mode
    hints = app.styleHints()
    if not _state.following:
        from fabricwright.ui.style import FabricwrightStyle

        load_fonts()
        app.setStyle(FabricwrightStyle())
        app.setFont(ui_font(12.5))
        for size, weight, widget_class in _CLASS_FONTS:
            app.setFont(ui_font(size, weight), widget_class)  # type: ignore[arg-type]  # the stub says bytes
        hints.colorSchemeChanged.connect(lambda _scheme: _refresh(app))
        _state.following = True
    wanted = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}.get(mode, Qt.ColorScheme.Unknown)
    hints.setColorScheme(wanted)  # native title bars follow; may emit colorSchemeChanged
    _refresh(app)


def _refresh(app: QApplication) -> None:
    name = _state.mode
    if name == "system":
        name = "dark" if app.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"
    new = named_theme(name)
    palette = make_palette(new)
    if app.palette() != palette:
        app.setPalette(palette)
    if new is not _state.theme:
        _state.theme = new
        for follower in tuple(_followers):
            method = follower()
            if method is not None and isValid(method.__self__):  # type: ignore[attr-defined]
                method(new)


def make_palette(colours: Theme) -> QPalette:
    """The ``QPalette`` of design-language section 2."""
    palette = QPalette()
    role = QPalette.ColorRole
    for target, token in (
        (role.Window, "window"),
        (role.Base, "panel"),
        (role.AlternateBase, "sunken"),
        (role.Button, "raised"),
        (role.Text, "text"),
        (role.WindowText, "text"),
        (role.ButtonText, "text"),
        (role.BrightText, "text.on-accent"),
        (role.PlaceholderText, "text.3"),
        (role.Highlight, "accent"),
        (role.HighlightedText, "text.on-accent"),
        (role.Accent, "accent"),
        (role.Link, "accent"),
        (role.LinkVisited, "accent"),
        (role.Light, "hover"),
        (role.Midlight, "hover"),
        (role.Mid, "border"),
        (role.Dark, "border.strong"),
        (role.Shadow, "border.strong"),
        (role.ToolTipBase, "raised"),
        (role.ToolTipText, "text"),
    ):
        palette.setColor(target, colours[token])
    for target in (role.Text, role.WindowText, role.ButtonText, role.PlaceholderText):
        palette.setColor(QPalette.ColorGroup.Disabled, target, colours["text.disabled"])
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, colours["border"])
    return palette


@cache
def load_fonts() -> tuple[str, ...]:
    """Register the fonts that ship with the program; returns the family names found. Needs a QGuiApplication."""
    families: list[str] = []
    for path in sorted(resource_path("fonts").glob("*.otf")):
        identifier = QFontDatabase.addApplicationFont(str(path))
        if identifier < 0:
            # Without a screen, Qt on Windows opens no font below a folder whose name is not ASCII.
            identifier = QFontDatabase.addApplicationFontFromData(path.read_bytes())
        if identifier >= 0:
            families += QFontDatabase.applicationFontFamilies(identifier)
    return tuple(dict.fromkeys(families))


@lru_cache(maxsize=256)
def ui_font(px: float = 13, weight: int = REGULAR) -> QFont:
    """Font of ``px`` logical pixels with the family order of the design language.

    Whole sizes are set in pixels, so they hold on any paint device (paper included, under a scaled painter); half
    sizes (11.5, 12.5) go through points and are for the screen only. Treat the result as read-only.
    """
    font = QFont()
    font.setFamilies(list(FONT_FAMILIES))
    if float(px).is_integer():
        font.setPixelSize(int(px))
    else:
        screen = QGuiApplication.primaryScreen()
        dots_per_inch = screen.logicalDotsPerInch() if screen else 96.0
        font.setPointSizeF(px * 72.0 / dots_per_inch)
    font.setWeight(QFont.Weight(weight))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
    return font


def motion_allowed() -> bool:
    """Whether cross-fades and camera moves may run: not when the system asks for reduced motion."""
    return QApplication.isEffectEnabled(Qt.UIEffect.UI_General)


def rail_token(index: int) -> str:
    """Colour token of rail ``index``; rails beyond seven repeat (the label R8, R9 ... tells them apart)."""
    return f"rail{index % 8}"


def rail_color(index: int, colours: Theme | None = None) -> QColor:
    """Colour of rail ``index``."""
    return (colours or theme())[rail_token(index)]


def load_step(fraction: float) -> int:
    """Step 0..4 of a link load (1.0 = full). Values over 1 stay in the last step."""
    for step, bound in enumerate(LOAD_STEPS):
        if fraction < bound:
            return step
    return 4


def load_color(fraction: float, colours: Theme | None = None) -> QColor:
    """Colour of a link that carries ``fraction`` of its rate."""
    return (colours or theme())[f"heat{load_step(fraction)}"]


def load_width(fraction: float) -> float:
    """Line width in logical px for a link load, so that the load is readable without colour."""
    return LOAD_WIDTHS[load_step(fraction)]


def link_style(kind: str, rail: int | None = None, *, paper: bool = False) -> LinkStyle:
    """Line style of a link kind: compute, storage, mgmt, pcie, upi, cxl, nvlink (and their common aliases).

    ``rail`` colours compute links; on paper each rail also has its own dash. Unknown kinds draw as compute.
    """
    name = _LINK_ALIASES.get(kind, kind)
    style = _LINK_STYLES.get(name, _LINK_STYLES["compute"])
    if style.token == "rail0" and rail is not None:
        return LinkStyle(rail_token(rail), style.width, _RAIL_PRINT_DASHES[rail % 8] if paper else ())
    return style


def make_pen(colour: QColor, width: float, dash: tuple[float, ...] = (), *, cosmetic: bool = False) -> QPen:
    """Pen with flat caps and round joins; ``dash`` is in px (Qt counts in pen widths)."""
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        pen.setDashPattern([step / width for step in dash])
    pen.setCosmetic(cosmetic)
    return pen
