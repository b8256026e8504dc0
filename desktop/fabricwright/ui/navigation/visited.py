"""The way back: which sheets and places were looked at, as a browser keeps pages."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QPointF, QTimer, Signal

from fabricwright.ui.canvas.view import CanvasView
from fabricwright.ui.context import UiContext

KEPT = 100


@dataclass(frozen=True, slots=True)
class VisitedPlace:
    """A sheet, where the camera stood, and what was selected. ``zoom`` 0 = not known yet, fit."""

    design: str
    sheet: str
    host: str
    x: float = 0.0
    y: float = 0.0
    zoom: float = 0.0
    fitted: bool = True
    selection: tuple[str, ...] = ()


class VisitedPlaces(QObject):
    """``changed`` when back or forward become possible or stop being so.

    A new entry for every other sheet and for every jump (to a finding, to something found); panning and zooming move
    the entry one is at.
    """

    changed = Signal()

    def __init__(self, context: UiContext, view: CanvasView) -> None:
        super().__init__(view)
        self.context = context
        self.view = view
        self.places: list[VisitedPlace] = [self._here()]
        self.at = 0
        self._restoring = False
        self._fresh = False  # the entry was made in this turn of the loop: a jump belongs to it
        context.place_changed.connect(self._place_changed)
        view.jumping.connect(self._jumped)
        view.zoom_changed.connect(lambda _zoom: self._track())
        context.document.selection_changed.connect(self._track)
        context.document.project_changed.connect(self._project_changed)

    def _here(self) -> VisitedPlace:
        context, view = self.context, self.view
        stand = view.stand()
        return VisitedPlace(
            context.design,
            context.sheet,
            context.host,
            stand.centre.x(),
            stand.centre.y(),
            stand.zoom,
            stand.fitted,
            tuple(context.document.selection),
        )

    def _is_at(self, place: VisitedPlace) -> bool:
        context = self.context
        return (place.design, place.sheet, place.host) == (context.design, context.sheet, context.host)

    def _track(self) -> None:
        """The camera moved, or something was selected."""
        if self._is_at(self.places[self.at]):
            self.places[self.at] = self._here()

    def _push(self, place: VisitedPlace) -> None:
        del self.places[self.at + 1 :]
        self.places.append(place)
        del self.places[: max(0, len(self.places) - KEPT)]
        self.at = len(self.places) - 1
        self._fresh = True
        QTimer.singleShot(0, self, self._settle)
        self.changed.emit()

    def _settle(self) -> None:
        self._fresh = False

    def _place_changed(self) -> None:
        if not self._restoring and not self._is_at(self.places[self.at]):
            self._push(self._here())

    def _jumped(self) -> None:
        if not self._restoring and not self._fresh:
            self._push(self._here())

    def _project_changed(self, patch: object) -> None:
        if patch is None:  # another project: nothing of the old one can be gone back to
            self.places, self.at = [self._here()], 0
            self.changed.emit()

    def possible(self, step: int) -> bool:
        """Whether there is a place to go back (-1) or forward (+1) to."""
        return self._next(step) is not None

    def _next(self, step: int) -> int | None:
        n = self.at + step
        while 0 <= n < len(self.places):
            place = self.places[n]
            design = self.context.project.designs.get(place.design)
            if design is not None and place.sheet in design.sheets:
                return n
            n += step
        return None

    def go(self, step: int) -> bool:
        """Back (-1) or forward (+1); places that are gone are skipped. False when there is none."""
        n = self._next(step)
        if n is None:
            return False
        self._track()
        place = self.places[n]
        self._restoring = True
        try:
            same = self._is_at(place)
            self.context.open_design(place.design)
            self.context.open_sheet(place.sheet, place.host)
            self.at = n
            eff, row = self.context.eff, self.context.sheet_row
            alive = {*eff.items, *eff.links, *eff.builtin_links, *eff.slots, *row.notes}
            self.context.document.select([i for i in place.selection if i in alive])
            if place.fitted or place.zoom <= 0:
                if same or not self.view.fitted:  # else the view came back to where the sheet was left
                    self.view.fit(animate=same)
            else:
                self.view.stand_at(QPointF(place.x, place.y), place.zoom, animate=same)
            self.places[n] = replace(place, selection=tuple(self.context.document.selection))
        finally:
            self._restoring = False
        self.changed.emit()
        return True
