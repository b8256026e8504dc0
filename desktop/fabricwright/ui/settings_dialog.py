"""Settings: appearance, language, mouse, keys. Everything works at once; there is nothing to apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fabricwright.ui.dialogs import fit_to_screen
from fabricwright.ui.safekeeping import AUTOSAVE, AUTOSAVE_MINUTES, autosave_minutes
from fabricwright.ui.session import SCALE, SCALES, own_scale
from fabricwright.ui.shortcuts.dialog import ShortcutSheet
from fabricwright.ui.theme import SEMIBOLD, theme_mode
from fabricwright.ui.widgets import Divider, SegmentedSwitch, TextLabel, set_surface

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

WHEEL_ZOOMS = "mouse/wheel_zooms"


class SettingsDialog(QDialog):
    """Made anew each time it is asked for."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window_ = window
        session = window.session
        self.setWindowTitle(self.tr("Settings"))
        modes = (("light", self.tr("Light")), ("dark", self.tr("Dark")), ("system", self.tr("As the system")))
        self.theme = SegmentedSwitch(modes, theme_mode(), self)
        self.language = SegmentedSwitch((("en", "English"), ("zh_CN", "简体中文")), window.context.language, self)
        sizes = tuple((factor, f"{float(factor) * 100:.0f} %") for factor in SCALES)
        self.scale = SegmentedSwitch(sizes, own_scale(session.settings.value(SCALE)) or "1", self)
        self.later = TextLabel("", self, px=11.5, token="text.3")
        self.wheel = QCheckBox(self.tr("Wheel zooms without Ctrl; Shift and the wheel pan"), self)
        self.wheel.setChecked(session.flag(WHEEL_ZOOMS, False))
        minutes = tuple(
            (m, self.tr("off") if m == "0" else self.tr("every {count} min").format(count=m)) for m in AUTOSAVE_MINUTES
        )
        self.autosave = SegmentedSwitch(minutes, str(autosave_minutes(session)), self)
        self.autosave.setToolTip(
            self.tr("Saves a project that has a file. Every edit is in the journal at once, whatever is set here.")
        )
        self.keys = ShortcutSheet(window.actions_set, self)
        self.reset = QPushButton(self.tr("Reset all keys"), self)
        close = QPushButton(self.tr("Close"), self)
        for button in (self.reset, close):
            button.setAutoDefault(False)
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(12)
        grid.setColumnStretch(1, 1)
        rows: tuple[tuple[str, QWidget], ...] = (
            (self.tr("Appearance"), self.theme),
            (self.tr("Language"), self.language),
            (self.tr("Size"), self.scale),
            ("", self.later),
            (self.tr("Mouse"), self.wheel),
            (self.tr("Save by itself"), self.autosave),
        )
        for row, (label, control) in enumerate(rows):
            grid.addWidget(TextLabel(label, self, token="text.2"), row, 0)
            grid.addWidget(control, row, 1, Qt.AlignmentFlag.AlignLeft)
            if label:
                control.setAccessibleName(label)
        self.later.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(14)
        column.addWidget(TextLabel(self.tr("Settings"), self, px=17, weight=SEMIBOLD))
        column.addLayout(grid)
        column.addWidget(Divider(self))
        column.addWidget(TextLabel(self.tr("Keyboard and mouse"), self, px=14, weight=SEMIBOLD))
        column.addWidget(self.keys, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.reset)
        foot.addStretch(1)
        foot.addWidget(close)
        column.addLayout(foot)
        set_surface(self, "panel")
        self.theme.changed.connect(window.set_theme)
        self.language.changed.connect(self._speak)
        self.scale.changed.connect(self._size)
        self.wheel.toggled.connect(self._wheel)
        self.autosave.changed.connect(self._autosave)
        self.reset.clicked.connect(self.keys.reset_all)
        close.clicked.connect(self.accept)
        fit_to_screen(self, self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(640, 760)

    def _speak(self, code: str) -> None:
        """The window switches at once; this dialog is made anew in the other language."""
        self.window_.set_language(code)
        self.done(AGAIN)

    def _size(self, factor: str) -> None:
        self.window_.session.put(SCALE, factor)
        self.later.setText(
            self.tr("Everything is {size} of the system's size from the next start on.").format(
                size=f"{float(factor) * 100:.0f} %"
            )
        )
        self.later.show()

    def _autosave(self, minutes: str) -> None:
        self.window_.session.put(AUTOSAVE, minutes)
        if self.window_.safekeeping is not None:
            self.window_.safekeeping.follow_settings()

    def _wheel(self, on: bool) -> None:
        self.window_.session.put(WHEEL_ZOOMS, on)
        self.window_.canvas.view.wheel_zooms = on


#: Result of the dialog when it wants to be opened again.
AGAIN = 2


def show_settings(window: MainWindow) -> None:
    """Open the dialog until it is closed."""
    while True:
        dialog = SettingsDialog(window)
        answer = dialog.exec()
        dialog.deleteLater()
        if answer != AGAIN:
            return
