"""The tool bar of the mock-ups: files, undo, modes, zoom, heat map; at the right what was checked and the language."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from fabricwright.ui.actions import ActionSet
from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.style_paint import rounded
from fabricwright.ui.theme import MEDIUM, make_pen, theme, ui_font
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
#: A button that only shows its sign; what the bar keeps free at its ends.
_ICON_PX, _ENDS_PX = 34, 16


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


class ViewsMenu(QToolButton):
    """The views as a menu, where there is no room for them side by side. ``changed`` (id) when one is picked."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAutoRaise(True)
        self.setFixedHeight(28)
        self.setFont(ui_font(12.5, MEDIUM))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._options: list[tuple[str, str]] = []
        self._group: QActionGroup | None = None
        self._current = CANVAS
        self.setMenu(QMenu(self))

    def set_options(self, options: list[tuple[str, str]]) -> None:
        """Texts anew, when they are others."""
        if options == self._options:
            return
        self._options = list(options)
        self.menu().clear()
        if self._group is not None:
            self._group.deleteLater()
        group = self._group = QActionGroup(self)
        for key, text in options:
            row = self.menu().addAction(text)
            row.setCheckable(True)
            row.setData(key)
            group.addAction(row)
            row.triggered.connect(lambda _on=False, chosen=key: self.changed.emit(chosen))
        self.set_current(self._current)

    def set_current(self, key: str) -> None:
        """Mark the view that is shown; its name is the button's text."""
        self._current = key
        for row in self.menu().actions():
            row.setChecked(row.data() == key)
            if row.data() == key:
                self.setText(row.text())
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        texts = [row.text() for row in self.menu().actions()] or [self.text()]
        return QSize(max(self.fontMetrics().horizontalAdvance(text) for text in texts) + 40, 28)

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        now, painter = theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        focus = self.hasFocus()
        back = now["accent.soft" if self.isDown() else "hover" if self.underMouse() else "panel"]
        frame = now["focus" if focus else "border"]
        rounded(painter, QRectF(self.rect()), back, frame, width=1.5 if focus else 1.0)
        painter.setFont(self.font())
        painter.setPen(now["accent"])
        inside = self.rect().adjusted(12, 0, -24, 0)
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
        x, y = self.width() - 16.0, self.height() / 2
        painter.setPen(make_pen(now["text.2"], 1.5))
        painter.drawPolyline(QPolygonF([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)]))
        painter.end()


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
        self._switch = self.addWidget(self.views)
        self.views_menu = ViewsMenu()
        self.views_menu.set_options(_view_options())
        self.views_menu.changed.connect(self._from_menu)
        self._menu = self.addWidget(self.views_menu)
        self._menu.setVisible(False)
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

    def set_view(self, view: str) -> None:
        """Mark the view that is shown."""
        self.views.set_current(view)
        self.views_menu.set_current(view)

    def _from_menu(self, view: str) -> None:
        self.views.changed.emit(view)

    def fit(self) -> None:
        """Where everything does not fit, the buttons that have a sign show only that; where that is not enough, the
        views become a menu. What stands at the right end never falls off."""
        fixed = [row for row in self.actions() if row not in (self._switch, self._menu)]
        others = sum(self._width(row) for row in fixed)
        wide = sum(button.fontMetrics().horizontalAdvance(button.text()) + _SIGN_PX for button in self._texts)
        narrow = len(self._texts) * (_ICON_PX + _BETWEEN_PX)
        switch, menu, room = self._width(self._switch), self._width(self._menu), self.width() - _ENDS_PX
        side_by_side = others + narrow + switch <= room
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        if others + wide + (switch if side_by_side else menu) > room:
            style = Qt.ToolButtonStyle.ToolButtonIconOnly
        for button in self._texts:
            if button.toolButtonStyle() != style:
                button.setToolButtonStyle(style)
        if self._switch.isVisible() != side_by_side:
            self._switch.setVisible(side_by_side)
            self._menu.setVisible(not side_by_side)

    def _width(self, row: QAction) -> int:
        widget = self.widgetForAction(row)
        return 0 if widget is None or widget in self._texts else widget.sizeHint().width() + _BETWEEN_PX

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def refresh(self) -> None:
        """Counts and texts."""
        analysis = self.context.analysis
        known = analysis.checked
        counts = {k: v for k, v in analysis.counts().items() if k in ("error", "warning", "approved")}
        if known:
            self.counts.set_counts(counts, self.tr("Checked"), self.tr("no problems"))
        elif analysis.status in ("lost", "failed"):
            self.counts.set_counts({}, self.tr("Not checked"))
        else:
            self.counts.set_counts({}, self.tr("Checking …"))
        self.counts.setToolTip(self.tr("Show the problems"))
        self.language.setAccessibleName(self.tr("Language"))
        self.views.set_options(_view_options())
        self.views_menu.set_options(_view_options())
        self.views_menu.setAccessibleName(self.tr("View"))
        self.views.setAccessibleName(self.tr("View"))
        self.fit()
