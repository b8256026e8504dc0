"""The middle of the window: one of several views of the same project (drawing, racks, comparison).

A view is declared in ``VIEWS`` and made when it is first shown: ``class XView(QWidget)`` with a constructor
``(context: UiContext)``. It may have a ``view`` (an object with ``zoom_by``, ``zoom_to``, ``fit``, ``fit_selection``,
``zoom`` and a signal ``zoom_changed``), which the zoom commands then act on, and ``shown(on: bool)``, which is called
when it comes to the front and when it leaves. Which view is shown belongs to the session, not to the document.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QCoreApplication, QSize, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from fabricwright.design.values import Project
from fabricwright.ui.context import UiContext
from fabricwright.ui.i18n import QT_TRANSLATE_NOOP
from fabricwright.units.record import record

log = logging.getLogger(__name__)

CANVAS = "canvas"


@record
class ViewSpec:
    """One view. ``action`` of the action table that shows it; ``module``/``cls`` where its widget comes from ("" for
    the canvas, which the window makes); ``docks`` that stay beside it.
    """

    id: str
    title: str
    action: str
    module: str = ""
    cls: str = ""
    docks: tuple[str, ...] = ("palette", "inspector", "problems", "performance")


#: In the order of menu and tool bar. Titles are translated in the context "Views".
VIEWS: tuple[ViewSpec, ...] = (
    ViewSpec(CANVAS, QT_TRANSLATE_NOOP("Views", "Drawing"), "view-canvas"),
    ViewSpec(
        "racks",
        QT_TRANSLATE_NOOP("Views", "Racks"),
        "view-racks",
        "fabricwright.ui.racks.view",
        "RackView",
        ("inspector", "problems"),
    ),
    ViewSpec(
        "compare",
        QT_TRANSLATE_NOOP("Views", "Compare"),
        "view-compare",
        "fabricwright.ui.compare.view",
        "CompareView",
        (),
    ),
    ViewSpec(
        "bill",
        QT_TRANSLATE_NOOP("Views", "Parts list"),
        "view-bill",
        "fabricwright.ui.prices.view",
        "BillView",
        (),
    ),
    ViewSpec(
        "health",
        QT_TRANSLATE_NOOP("Views", "Network"),
        "view-health",
        "fabricwright.ui.health.view",
        "HealthView",
        ("inspector",),
    ),
    ViewSpec(
        "sweep",
        QT_TRANSLATE_NOOP("Views", "Sweep"),
        "view-sweep",
        "fabricwright.ui.sweep.view",
        "SweepView",
        (),
    ),
)


@lru_cache(maxsize=1)
def built_views() -> tuple[ViewSpec, ...]:
    """Views that this build has: those whose package is there."""
    return tuple(spec for spec in VIEWS if not spec.module or _there(spec.module))


def _there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def view_title(view_id: str) -> str:
    """Title of a view in the current language."""
    return QCoreApplication.translate("Views", next(spec.title for spec in VIEWS if spec.id == view_id))


def opening_view(project: Project) -> str:
    """The view that a project opens on when somebody opens it: one drawn as a before and an after is compared first;
    "" where there is nothing to prefer.
    """
    return "compare" if {"before", "after"} <= set(project.designs) else ""


class ViewStack(QStackedWidget):
    """Shows one view at a time. ``changed`` (id) after another one came to the front; ``made`` (id) when it was made
    for the first time.
    """

    changed = Signal(str)
    made = Signal(str)

    def __init__(self, context: UiContext, canvas: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._widgets: dict[str, QWidget] = {CANVAS: canvas}
        self._holders: dict[str, QWidget] = {CANVAS: canvas}
        self._current = CANVAS
        self.addWidget(canvas)

    @property
    def current(self) -> str:
        """Id of the view that is shown."""
        return self._current

    @property
    def spec(self) -> ViewSpec:
        """Declaration of the view that is shown."""
        return next(spec for spec in VIEWS if spec.id == self._current)

    def widget_of(self, view_id: str) -> QWidget | None:
        """The widget of a view, None while it was never shown."""
        return self._widgets.get(view_id)

    def show_view(self, view_id: str) -> bool:
        """Bring a view to the front, making it if need be. False when this build has none of that name or it fails to
        start: the view before stays.
        """
        if view_id == self._current:
            return True
        widget = self._widgets.get(view_id) or self._make(view_id)
        if widget is None:
            return False
        _call(self._widgets[self._current], "shown", False)
        self._current = view_id
        self.setCurrentWidget(self._holders[view_id])
        _call(widget, "shown", True)
        self.changed.emit(view_id)
        return True

    def _make(self, view_id: str) -> QWidget | None:
        spec = next((s for s in built_views() if s.id == view_id and s.module), None)
        if spec is None:
            return None
        try:
            factory: Callable[[UiContext], QWidget] = getattr(importlib.import_module(spec.module), spec.cls)
            widget = factory(self.context)
        except Exception:
            log.exception("view %s could not be made", view_id)
            return None
        self._widgets[view_id] = widget
        # A view that needs more room than the window has (a laptop at 200 %) is scrolled, not squeezed.
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(widget)
        area.setFocusProxy(widget)
        self._holders[view_id] = area
        self.addWidget(area)
        self.made.emit(view_id)
        return widget

    def minimumSizeHint(self) -> QSize:
        """Small, whatever the views would like: they are scrolled."""
        return QSize(260, 120)

    def zoomed(self) -> Any:
        """What the zoom commands act on: the view in front where it can zoom, else the canvas."""
        front = getattr(self._widgets[self._current], "view", None)
        return front if front is not None else self._widgets[CANVAS].view  # type: ignore[attr-defined]


def _call(widget: QWidget | None, name: str, *args: object) -> None:
    method = getattr(widget, name, None)
    if callable(method):
        method(*args)
