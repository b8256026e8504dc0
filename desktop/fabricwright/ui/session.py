"""What the window remembers between starts: language, theme, recent files, geometry. Kept apart from the document."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QByteArray, QRect, QSettings, QSize, QStandardPaths, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

STATE_VERSION = 1
RECENT = 12
DEFAULT_SIZE = (1600, 1000)
MINIMUM_SIZE = (1280, 720)
#: Frame of a window before the system has drawn it: each side, and the bar with the title above.
FRAME_PX, TITLE_PX = 8, 32
#: Setting and its values; it counts from the next start on.
SCALE = "view/scale"
SCALES = ("1", "1.25", "1.5", "2")


def own_scale(stored: object) -> str:
    """Factor by which the person wants everything larger than the system does ("1.25"), "" = as the system."""
    return str(stored) if str(stored) in SCALES[1:] else ""


def default_settings() -> QSettings:
    """The user's settings file."""
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Fabricwright", "Fabricwright")


def passing_settings() -> QSettings:
    """Settings that begin empty and end with the process, for pictures and tries: a file below the null device, which
    nobody can write. The device itself must not be named: settings are written beside and renamed over their file, and
    for the system's administrator that works."""
    return QSettings(os.path.join(os.devnull, "settings.ini"), QSettings.Format.IniFormat)


def documents() -> Path:
    """Where a person's files are at first. A folder that nobody has made is no place to begin: file dialogs would show
    the one that the program was started in."""
    found = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return found if found.is_dir() else Path.home()


class Session:
    """Typed access to the settings."""

    def __init__(self, settings: QSettings) -> None:
        self.settings = settings

    def text(self, key: str, default: str = "") -> str:
        """A text value."""
        value = self.settings.value(key, default)
        return value if isinstance(value, str) else default

    def flag(self, key: str, default: bool) -> bool:
        """A yes or no."""
        value = self.settings.value(key)
        return default if value is None else str(value).lower() in ("true", "1")

    def put(self, key: str, value: object) -> None:
        """Remember a value."""
        self.settings.setValue(key, value)

    def folder(self) -> Path:
        """Where files were last; at first the person's documents, not where the program was started."""
        known = self.text("files/folder")
        try:
            return Path(known) if known and Path(known).is_dir() else documents()
        except (OSError, ValueError):
            return documents()

    def recent(self) -> list[Path]:
        """Files opened last, newest first; those that are gone are left out."""
        value = self.settings.value("files/recent")
        rows = value if isinstance(value, list) else [value]
        return [Path(row) for row in rows if isinstance(row, str) and row and is_file_there(Path(row))]

    def add_recent(self, path: Path) -> None:
        """Put a file at the top of the list."""
        wanted = str(path.resolve())
        rows = [wanted, *(str(p) for p in self.recent() if str(p) != wanted)]
        self.settings.setValue("files/recent", rows[:RECENT])

    def restore_geometry(self, window: QMainWindow) -> None:
        """Size and place before the window is shown, kept on a screen that exists."""
        geometry = self.settings.value("window/geometry")
        if isinstance(geometry, QByteArray) and not geometry.isEmpty():
            window.restoreGeometry(geometry)
        else:
            first_place(window)
        clamp(window)

    def restore_layout(self, window: QMainWindow) -> bool:
        """Docks and bars, after the window is shown. False when there was nothing to restore."""
        state = self.settings.value("window/layout")
        return isinstance(state, QByteArray) and not state.isEmpty() and window.restoreState(state, STATE_VERSION)

    def save_window(self, window: QMainWindow) -> None:
        """Remember geometry and docks."""
        self.settings.setValue("window/geometry", window.saveGeometry())
        self.settings.setValue("window/layout", window.saveState(STATE_VERSION))


def is_file_there(path: Path) -> bool:
    """Whether a path from the settings leads to a file. Never raises: the settings may hold anything."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def first_place(window: QMainWindow) -> None:
    """Where a window stands that was never shown: in the middle of the screen with its frame, or filling a screen that
    has hardly more room than that.
    """
    screen = window.screen() or QGuiApplication.primaryScreen()
    window.resize(*DEFAULT_SIZE)
    if screen is None:
        return
    area = screen.availableGeometry()
    room = area.adjusted(FRAME_PX, TITLE_PX, -FRAME_PX, -FRAME_PX)
    size = QSize(*DEFAULT_SIZE).boundedTo(room.size())
    place = QRect(room.topLeft(), size)
    place.moveCenter(room.center())
    window.setGeometry(place)
    if size.width() * size.height() > 0.8 * area.width() * area.height():
        window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)


def clamp(window: QMainWindow) -> None:
    """A window that would lie on an unplugged monitor, or be larger than its screen, is brought back."""
    screen = window.screen() or QGuiApplication.primaryScreen()
    if screen is None:
        return
    frame, state = window.geometry(), window.windowState()
    if not any(s.availableGeometry().intersects(frame.adjusted(40, 40, -40, -40)) for s in QGuiApplication.screens()):
        frame.moveCenter(screen.availableGeometry().center())
    area = screen.availableGeometry()
    # A laptop at 150 % has less room than the least the window asks for; part of it would lie out of reach.
    window.setMinimumSize(QSize(*MINIMUM_SIZE).boundedTo(area.size()))
    size = frame.size().expandedTo(window.minimumSize()).boundedTo(area.size())
    left = min(max(frame.left(), area.left()), area.right() - size.width() + 1)
    # The bar with the title stays in reach, wherever there is room for it.
    below = min(area.top() + TITLE_PX, area.bottom() - size.height() + 1)
    top = min(max(frame.top(), below), area.bottom() - size.height() + 1)
    window.setGeometry(QRect(left, top, size.width(), size.height()))
    window.setWindowState(state)  # a place of its own takes "maximised" away
