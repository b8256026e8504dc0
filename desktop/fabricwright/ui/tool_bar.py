"""The tool bar of the mock-ups: files, undo, modes, zoom, heat map; at the right what was checked and the language."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QSizePolicy, QToolBar, QToolButton, QWidget

from fabricwright.ui.actions import ActionSet
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import MEDIUM, theme, ui_font
from fabricwright.ui.views import CANVAS, built_views, view_title
from fabricwright.ui.widgets import SegmentedSwitch, SeverityCounts

ICONS = (
    "new",
    "open",
    "save",
    "",
    "undo",
    "redo",
    "",
    "select-mode:text",
    "link-mode:text",
    "",
    "zoom-out",
    "%",
    "zoom-in",
    "fit",
    "",
    "toggle-heatmap:text",
)
#: Between two things of the bar; what a button with a sign takes beside its text.
_BETWEEN_PX, _SIGN_PX = 4, 48


class _Gap(QWidget):
    """Separator of the tool bar: a thin line with air around it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(17)

    def sizeHint(self) -> QSize:
        return QSize(17, 28)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(8, 5, 1, self.height() - 10, theme()["border"])
        painter.end()


class ZoomButton(QToolButton):
    """Shows the zoom; a click goes to 100 %."""

    def __init__(self) -> None:
        super().__init__()
        self.setAutoRaise(True)
        self.setFont(ui_font(12.5, MEDIUM))
        self.setMinimumWidth(56)
        self.set_zoom(1.0)

    def set_zoom(self, zoom: float) -> None:
        """New factor."""
        self.setText(f"{zoom * 100:.0f} %")


def _view_options() -> list[tuple[str, str]]:
    return [(spec.id, view_title(spec.id)) for spec in built_views()]


class MainToolBar(QToolBar):
    """Built from the action table; ``counts`` and ``language`` are for the window."""

    def __init__(self, window: QMainWindow, context: UiContext, actions: ActionSet) -> None:
        super().__init__(window)
        self.context = context
        self.setObjectName("toolbar.main")
        self.setMovable(False)
        self.setFloatable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setIconSize(QSize(18, 18))
        self._texts: list[QToolButton] = []
        self.zoom = ZoomButton()
        self.zoom.clicked.connect(actions["zoom-100"].trigger)
        for name in ICONS:
            if name == "":
                self.addWidget(_Gap())
            elif name == "%":
                self.addWidget(self.zoom)
            else:
                self._button(actions, *name.split(":"))
        self.addWidget(_Gap())
        self.views = SegmentedSwitch(_view_options(), CANVAS)
        self.addWidget(self.views)
        spring = QWidget()
        spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spring)
        self.counts = SeverityCounts()
        self.addWidget(self.counts)
        self.addWidget(_Gap())
        self.language = SegmentedSwitch((("en", "EN"), ("zh_CN", "中文")), context.language)
        self.addWidget(self.language)

    def _button(self, actions: ActionSet, name: str, style: str = "") -> None:
        button = QToolButton()
        button.setDefaultAction(actions[name])
        button.setAutoRaise(True)
        button.setFixedHeight(28)
        if style == "text":
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setFont(ui_font(12.5, MEDIUM))
            self._texts.append(button)
        self.addWidget(button)

    def fit(self) -> None:
        """Where everything does not fit, the buttons that have a sign show only that; nothing then falls off."""
        shown = [widget for n in range(self.layout().count()) if (widget := self.layout().itemAt(n).widget())]
        styles = Qt.ToolButtonStyle
        others = sum(widget.sizeHint().width() + _BETWEEN_PX for widget in shown if widget not in self._texts)
        wide = sum(button.fontMetrics().horizontalAdvance(button.text()) + _SIGN_PX for button in self._texts)
        style = styles.ToolButtonTextBesideIcon if others + wide <= self.width() else styles.ToolButtonIconOnly
        for button in self._texts:
            if button.toolButtonStyle() != style:
                button.setToolButtonStyle(style)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def refresh(self) -> None:
        """Counts and texts."""
        analysis = self.context.analysis
        known = analysis.status not in ("starting",) or bool(analysis.findings)
        counts = {k: v for k, v in analysis.counts().items() if k in ("error", "warning", "approved")}
        label = self.tr("Checked") if known else self.tr("Checking")
        self.counts.set_counts(counts if known else {}, label, self.tr("no problems") if known else "…")
        self.counts.setToolTip(self.tr("Show the problems"))
        self.language.setAccessibleName(self.tr("Language"))
        self.views.set_options(_view_options())
        self.views.setAccessibleName(self.tr("View"))
        self.fit()
