"""The docks: palette left, inspector right, problems and performance below. Panels are made after the first frame."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from fabricwright.ui.context import UiContext
from fabricwright.ui.paint.guard import safe_paint
from fabricwright.ui.theme import theme
from fabricwright.ui.widgets import DockHead, set_surface

log = logging.getLogger(__name__)

#: dock -> (module, class)
PANELS = {
    "palette": ("fabricwright.ui.panels.palette", "PalettePanel"),
    "inspector": ("fabricwright.ui.panels.inspector", "InspectorPanel"),
    "problems": ("fabricwright.ui.panels.problems", "ProblemsPanel"),
    "statements": ("fabricwright.ui.panels.statements", "StatementsPanel"),
    "outline": ("fabricwright.ui.panels.outline", "OutlinePanel"),
    "paths": ("fabricwright.ui.panels.paths", "PathsPanel"),
    "training": ("fabricwright.ui.training.panel", "TrainingPanel"),
    "performance": ("fabricwright.ui.panels.performance", "PerformancePanel"),
    "status": ("fabricwright.ui.panels.status", "StatusPanel"),
}
#: What the tabs can do without between each other, and the narrowest that their head may become.
_GAP_PX, _LEAST_PX = 16, 380
#: Windows narrower than this (a laptop at 200 %) have one panel below instead of two.
NARROW_PX = 1000
HEIGHT_BELOW, WIDTH_LEFT, WIDTH_RIGHT = 230, 220, 272


def title_of(name: str) -> str:
    """Title of a panel in the current language."""
    return {
        "palette": QCoreApplication.translate("Docks", "Parts"),
        "inspector": QCoreApplication.translate("Docks", "Inspector"),
        "problems": QCoreApplication.translate("Docks", "Problems"),
        "statements": QCoreApplication.translate("Docks", "Statements"),
        "outline": QCoreApplication.translate("Docks", "Outline"),
        "paths": QCoreApplication.translate("Docks", "Paths"),
        "training": QCoreApplication.translate("Docks", "Training"),
        "history": QCoreApplication.translate("Docks", "History"),
        "performance": QCoreApplication.translate("Docks", "Performance"),
    }[name]


def make_panel(name: str, context: UiContext) -> QWidget | None:
    """The panel, None when it is not part of this build or fails to start (the window opens all the same)."""
    module, cls = PANELS[name]
    try:
        panel = getattr(importlib.import_module(module), cls)(context)
    except ModuleNotFoundError as error:
        if error.name != module:
            log.exception("panel %s could not be loaded", name)
        return None
    except Exception:
        log.exception("panel %s could not be made", name)
        return None
    assert isinstance(panel, QWidget)
    return panel


class _Tabs(QTabBar):
    """Tabs that move closer together where there is little room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self._close = False

    def width_of(self, *, close: bool) -> int:
        """What all tabs take, with their usual gaps or close together."""
        return sum(super(_Tabs, self).tabSizeHint(n).width() - (_GAP_PX if close else 0) for n in range(self.count()))

    def fit(self, room: int) -> None:
        """Usual gaps, else close together, else shortened texts."""
        close = self.width_of(close=False) > room
        short = close and self.width_of(close=True) > room
        mode = Qt.TextElideMode.ElideRight if short else Qt.TextElideMode.ElideNone
        if (close, mode) != (self._close, self.elideMode()):
            self._close = close
            self.setElideMode(mode)  # lays the tabs anew
            self.setIconSize(self.iconSize())
            self.updateGeometry()

    def tabSizeHint(self, index: int) -> QSize:
        size = super().tabSizeHint(index)
        return QSize(size.width() - _GAP_PX, size.height()) if self._close else size


class TabHead(QWidget):
    """Head of the bottom left dock: tabs, and at the right what the panel shown wants there. The tabs give way on a
    narrow dock, so that nothing is pushed out of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(34)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(4, 0, 10, 1)
        self.row.setSpacing(8)
        self.bar = _Tabs(self)
        self._beside: list[QWidget] = []
        self.row.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignBottom)
        self.row.addStretch(1)

    def show_beside(self, widgets: Sequence[QWidget]) -> None:
        """Show these and no others beside the tabs."""
        for n in range(self.row.count()):
            widget = self.row.itemAt(n).widget()
            if widget is not None and widget is not self.bar:
                widget.setVisible(widget in widgets)
        self._beside = list(widgets)
        self.fit()

    def fit(self) -> None:
        """Give the tabs what the widgets beside them leave; those with the property ``gives_way`` stay away where the
        tabs would have to be shortened."""
        wide = self._room(self._beside)
        staying = [widget for widget in self._beside if not widget.property("gives_way")]
        narrow = self.bar.width_of(close=True) > wide
        for widget in self._beside:
            widget.setVisible(not narrow or widget in staying)
        self.bar.fit(self._room(staying) if narrow else wide)

    def _room(self, widgets: Sequence[QWidget]) -> int:
        """What the tabs can have beside these, px."""
        margins = self.row.contentsMargins()
        taken = margins.left() + margins.right() + self.row.spacing()
        least = [max(widget.minimumWidth(), widget.minimumSizeHint().width()) for widget in widgets]
        return self.width() - taken - sum(least) - self.row.spacing() * len(least)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_PX, self.height())

    @safe_paint
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme()["panel"])
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme()["border"])
        painter.end()


class TabbedPanels(QWidget):
    """Several panels under one head. ``names`` in tab order."""

    def __init__(self, names: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names = names
        self.head = TabHead(self)
        self.stack = QStackedWidget(self)
        self.beside: dict[str, list[QWidget]] = {}
        self.counts: dict[str, int] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.stack)
        for name in names:
            self.head.bar.addTab(title_of(name))
            self.stack.addWidget(QWidget())
        set_surface(self, "panel")
        self.head.bar.currentChanged.connect(self._show)

    def set_panel(self, name: str, panel: QWidget) -> None:
        """Put a panel in its place."""
        index = self.names.index(name)
        old = self.stack.widget(index)
        self.stack.insertWidget(index, panel)
        self.stack.removeWidget(old)
        old.deleteLater()
        beside = getattr(panel, "head_widgets", None)
        self.beside[name] = list(beside()) if callable(beside) else []
        for widget in self.beside[name]:
            self.head.row.addWidget(widget)
        self._show(self.head.bar.currentIndex())

    def show_panel(self, name: str) -> None:
        """Bring a tab to the front."""
        self.head.bar.setCurrentIndex(self.names.index(name))

    def _show(self, index: int) -> None:
        self.stack.setCurrentIndex(index)
        self.head.show_beside(self.beside.get(self.names[index], ()))

    def retranslate(self) -> None:
        """Tab texts, with counts."""
        for n, name in enumerate(self.names):
            count = self.counts.get(name, 0)
            self.head.bar.setTabText(n, f"{title_of(name)}  {count}" if count else title_of(name))
        self.head.fit()


class Docks:
    """Makes the docks of a window and fills them."""

    def __init__(self, window: QMainWindow, context: UiContext, history: QWidget) -> None:
        self.window = window
        self.context = context
        self.panels: dict[str, QWidget] = {}
        self._stacked = False
        self.heads: dict[str, DockHead] = {}
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.tabs = TabbedPanels(("problems", "statements", "outline", "paths", "training", "history"))
        self.tabs.set_panel("history", history)
        self.palette = self._dock("palette", Qt.DockWidgetArea.LeftDockWidgetArea)
        self.inspector = self._dock("inspector", Qt.DockWidgetArea.RightDockWidgetArea)
        self.problems = self._dock("problems", Qt.DockWidgetArea.BottomDockWidgetArea, self.tabs.head, self.tabs)
        self.performance = self._dock("performance", Qt.DockWidgetArea.BottomDockWidgetArea)
        self.all = {
            "palette": self.palette,
            "inspector": self.inspector,
            "problems": self.problems,
            "performance": self.performance,
        }
        self.arrange()

    def _dock(
        self, name: str, area: Qt.DockWidgetArea, head: QWidget | None = None, body: QWidget | None = None
    ) -> QDockWidget:
        dock = QDockWidget(title_of(name), self.window)
        dock.setObjectName(f"dock.{name}")
        dock.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetClosable | QDockWidget.DockWidgetFeature.DockWidgetMovable
        )
        if head is None:
            own = DockHead(title_of(name), line=name == "performance")
            self.heads[name] = own
            head = own
        dock.setTitleBarWidget(head)
        if body is None:
            body = QWidget()
            set_surface(body, "panel")
        dock.setWidget(body)
        self.window.addDockWidget(area, dock)
        return dock

    def arrange(self) -> None:
        """The layout of the mock-ups."""
        window = self.window
        for name, area in (
            ("palette", Qt.DockWidgetArea.LeftDockWidgetArea),
            ("inspector", Qt.DockWidgetArea.RightDockWidgetArea),
        ):
            window.addDockWidget(area, self.all[name])
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.problems)
        window.splitDockWidget(self.problems, self.performance, Qt.Orientation.Horizontal)
        for dock in self.all.values():
            dock.show()
        self.resize()

    def resize(self) -> None:
        """Sizes for the window as it is: smaller below on a small one."""
        window = self.window
        low = 150 if window.height() < 600 else 200 if window.height() < 800 else HEIGHT_BELOW
        width = window.width()
        self._stack(width < NARROW_PX)
        window.resizeDocks(
            [self.palette, self.inspector],
            [WIDTH_LEFT if width >= 1400 else 190 if width >= NARROW_PX else 150, WIDTH_RIGHT],
            Qt.Orientation.Horizontal,
        )
        left = round(width * (0.55 if width >= 1400 else 0.58))  # on a small window the tabs need a little more
        window.resizeDocks([self.problems, self.performance], [left, width - left], Qt.Orientation.Horizontal)
        window.resizeDocks([self.problems, self.performance], [low, low], Qt.Orientation.Vertical)

    def _stack(self, narrow: bool) -> None:
        """The two panels below lie over each other on a window without room for them side by side."""
        window, below = self.window, Qt.DockWidgetArea.BottomDockWidgetArea
        if any(d.isFloating() or window.dockWidgetArea(d) != below for d in (self.problems, self.performance)):
            return  # somebody has put them elsewhere
        stacked = self.performance in window.tabifiedDockWidgets(self.problems)
        if narrow and not stacked:
            window.tabifyDockWidget(self.problems, self.performance)
            self.problems.raise_()
        elif not narrow and stacked and self._stacked:
            window.splitDockWidget(self.problems, self.performance, Qt.Orientation.Horizontal)
        self._stacked = narrow

    def fill(self) -> None:
        """Make the panels."""
        for name in ("palette", "inspector", "performance", "problems", "statements", "outline", "paths", "training"):
            panel = make_panel(name, self.context)
            if panel is None:
                continue
            self.panels[name] = panel
            if name in self.tabs.names:
                self.tabs.set_panel(name, panel)
                counted = getattr(panel, "count_changed", None)
                if counted is not None and name != "problems":  # the window counts those, also without the panel
                    counted.connect(lambda count, name=name: self._count(name, count))
                    self._count(name, panel.model.total())  # type: ignore[attr-defined]
                continue
            old = self.all[name].widget()
            self.all[name].setWidget(panel)
            old.deleteLater()
            beside = getattr(panel, "head_widgets", None)
            for widget in beside() if callable(beside) else ():
                self.heads[name].add_right(widget)
        self.resize()

    def _count(self, name: str, count: int) -> None:
        self.tabs.counts[name] = count
        self.tabs.retranslate()

    def retranslate(self) -> None:
        """Titles."""
        for name, dock in self.all.items():
            dock.setWindowTitle(title_of(name))
        for name, head in self.heads.items():
            head.set_title(title_of(name))
        self.tabs.retranslate()
