"""Switching between the views of the middle: actions, tool bar, the docks that stay beside a view, the session."""

from __future__ import annotations

from typing import Any

from fabricwright.design.adopt import told_difference
from fabricwright.design.options.words import SUBJECTS
from fabricwright.ui.command_base import CommandGroup
from fabricwright.ui.views import CANVAS, VIEWS, built_views, opening_view

SESSION_KEY = "view/shown"


class ViewCommands(CommandGroup):
    """Commands that bring a view to the front."""

    def connect_views(self) -> None:
        """Connect the actions and listen to the stack."""
        window = self.window
        self._docks_before: dict[str, bool] = {}
        built = {spec.id for spec in built_views()}
        for spec in VIEWS:
            self.actions.connect_to(spec.action, lambda _on, v=spec.id: self.show_view(v))
            self.actions[spec.action].setVisible(spec.id in built)
        self.actions.connect_to("seat-racks", self.seat_racks)
        self.actions[window.views.spec.action].setChecked(True)
        window.bar.views.changed.connect(self.show_view)
        window.views.changed.connect(self._view_changed)
        window.views.made.connect(self._view_made)

    def show_view(self, view_id: str) -> bool:
        """Bring a view to the front; where it cannot be, everything stays as it is."""
        done = self.window.views.show_view(view_id)
        self._mark()
        return done

    def seat_racks(self) -> None:
        """Ask how the design stands in racks; it is seen there."""
        if self.show_view("racks"):
            racks: Any = self.window.views.widget_of("racks")
            racks.seat_by_rule()

    def reopen_view(self) -> None:
        """The view that was shown when the window was last closed."""
        self.show_view(self.window.session.text(SESSION_KEY, CANVAS))

    def open_on(self) -> None:
        """The view that the project asks to be opened on, else the drawing. Parts that this catalogue has otherwise are
        told."""
        self.show_view(opening_view(self.context.project) or CANVAS)
        told = told_difference(self.context.project)
        if told is not None:
            self.context.say(told)

    def show_place(self, design: str, address: str) -> None:
        """A place of a design on the drawing itself."""
        self.context.open_design(design)
        if self.context.go_to(address):
            self.show_view(CANVAS)

    def show_lossless(self) -> None:
        """The settings of lossless Ethernet of the whole design, in the inspector."""
        context = self.context
        context.open_sheet(context.design_row.root, "")
        context.document.select(())
        self.window.docks.inspector.show()
        inspector = self.window.docks.panels.get("inspector")
        if inspector is not None:
            inspector.show_fold(SUBJECTS["lossless"])  # type: ignore[attr-defined]

    def _view_made(self, view_id: str) -> None:
        widget = self.window.views.widget_of(view_id)
        wanted = getattr(widget, "place_wanted", None)
        if wanted is not None:
            wanted.connect(self.show_place)
        settings = getattr(widget, "settings_wanted", None)
        if settings is not None:
            settings.connect(self.show_lossless)
        own = getattr(widget, "view", None)
        told = getattr(own, "zoom_changed", None)
        if told is not None:
            told.connect(self.window.bar.zoom.set_zoom)

    def _view_changed(self, view_id: str) -> None:
        window, docks = self.window, self.window.docks.all
        for name, dock in docks.items():
            stays = name in window.views.spec.docks
            if not stays and not dock.isHidden():
                self._docks_before[name] = True
                dock.hide()
            elif stays and self._docks_before.pop(name, False):
                dock.show()
        window.session.put(SESSION_KEY, view_id)
        self._mark()
        zoom = getattr(window.views.zoomed(), "zoom", None)
        if isinstance(zoom, float):
            window.bar.zoom.set_zoom(zoom)
        window.docks.resize()

    def _mark(self) -> None:
        spec = self.window.views.spec
        self.actions[spec.action].setChecked(True)
        self.window.bar.set_view(spec.id)

    def docks_back(self) -> None:
        """Show the docks that are hidden only because of the view in front (before the layout is remembered)."""
        for name in list(self._docks_before):
            self.window.docks.all[name].show()
