"""Runs the tour: one step after another, each done by doing it or by *Next*."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QRect, QRectF, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from fabricwright.ui.i18n import current_language, language_changed
from fabricwright.ui.tour.callout import Callout, Ring
from fabricwright.ui.tour.steps import CONDITIONS, NODE, SAMPLE, STEPS, TourStep

if TYPE_CHECKING:
    from fabricwright.ui.window import MainWindow

FOLLOW_MS = 150
ACTIONS = ("tour-next", "tour-back", "tour-skip")


class Guide(QObject):
    """The tour of one window. ``index`` is the step that is shown, -1 once it is over."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.index = -1
        self._before = {"items": 0, "index": 0}
        self.ring = Ring(window)
        self.callout = Callout(window)
        self.callout.next.connect(self.next)
        self.callout.back.connect(self.back)
        self.callout.skipped.connect(self.end)
        for name, slot in zip(ACTIONS, (self.next, self.back, self.end), strict=True):
            window.actions_set.connect_to(name, slot)
        window.document.project_changed.connect(lambda _p: self._look())
        window.document.undo_stack.indexChanged.connect(self._moved)
        window.context.place_changed.connect(self._arrived)
        language_changed.connect(self._retranslate)
        # Targets move with zoom, docks and camera; nothing tells of all of it.
        self._follow = QTimer(self)
        self._follow.setInterval(FOLLOW_MS)
        self._follow.timeout.connect(self._tick)

    @property
    def step(self) -> TourStep | None:
        """The step that is shown."""
        return STEPS[self.index] if 0 <= self.index < len(STEPS) else None

    def start(self) -> None:
        """From the first step, on a fresh sample."""
        from fabricwright.design.templates import TEMPLATES

        self.window.document.replace(TEMPLATES[SAMPLE].build(current_language()))
        self.window.hide_welcome()
        self.window.commands.open_on()  # not the parts list that was looked at last
        self.window.canvas.view.fit()
        self.window.actions_set.set_enabled(ACTIONS, True)
        self._follow.start()
        self._go(0)

    def end(self) -> None:
        """Over, or skipped."""
        self.index = -1
        self._follow.stop()
        self.ring.hide()
        self.callout.hide()
        self.window.actions_set.set_enabled(ACTIONS, False)
        self.window.canvas.view.setFocus()

    def next(self) -> None:
        """The following step, whether this one was done or not."""
        if self.index < 0:
            return
        if self.index + 1 == len(STEPS):
            self.end()
        else:
            self._go(self.index + 1)

    def back(self) -> None:
        """The step before."""
        if self.index > 0:
            self._go(self.index - 1)

    def _go(self, index: int) -> None:
        self.index = index
        step = STEPS[index]
        self._open(step)
        self._before = {"items": self._items(), "index": self.window.document.undo_stack.index()}
        if step.target.startswith("dock:"):
            self.window.commands.show_dock(step.target[5:])
        self._say()
        self._place()
        for widget in (self.ring, self.callout):
            widget.show()
            widget.raise_()
        QAccessible.updateAccessibility(QAccessibleEvent(self.callout, QAccessible.Event.Alert))

    def _open(self, step: TourStep) -> None:
        """The sheet and the selection that a step speaks of."""
        context = self.window.context
        if step.sheet and context.sheet_row.kind != step.sheet:
            inside = context.design_row.sheets[context.design_row.root].items.get(NODE)
            if step.sheet == "fabric":
                context.open_sheet(context.design_row.root, "")
            elif inside is not None:
                context.open_sheet((inside.of or "").removeprefix("sheet:"), NODE)
        if step.select and step.select in context.sheet_row.items:
            self.window.document.select([step.select])

    def _items(self) -> int:
        return len(self.window.context.sheet_row.items)

    def _arrived(self) -> None:
        """Another sheet has another number of items: what is placed on it is counted from here."""
        self._before["items"] = self._items()
        self._look()

    def _retranslate(self, _code: str) -> None:
        self._say()

    def _say(self) -> None:
        step = self.step
        if step is None:
            return
        self.callout.show_step(
            QCoreApplication.translate("Tour", step.title),
            QCoreApplication.translate("Tour", step.text),
            self.tr("The tour goes on when that is done.") if step.done else "",
            self.index + 1,
            len(STEPS),
        )
        last = self.index + 1 == len(STEPS)
        self.callout.next_button.setText(self.tr("Finish") if last else self.tr("Next"))
        self.callout.back_button.setText(self.tr("Back"))
        self.callout.back_button.setEnabled(self.index > 0)
        self.callout.skip_button.setText(self.tr("Skip the tour"))
        self.callout.skip_button.setVisible(not last)

    def _look(self) -> None:
        """Whether the step has just been done."""
        step = self.step
        if step is not None and step.done and CONDITIONS[step.done](self.window, self._before):
            QTimer.singleShot(0, self, lambda at=self.index: self._go(at + 1) if self.index == at else None)

    def _moved(self, _index: int) -> None:
        self._look()

    def _tick(self) -> None:
        self._look()
        self._place()

    # -- where it points --------------------------------------------------------------------------------------------

    def _place(self) -> None:
        target = self.target()
        self.ring.setVisible(target is not None and self.step is not None and self.step.target != "canvas")
        if target is not None:
            self.ring.point_at(target)
        self.callout.point_at(target, inside=self.step is not None and self.step.target == "canvas")

    def target(self) -> QRect | None:
        """Rectangle of the window that the step is about, None when it is not to be seen."""
        step = self.step
        if step is None:
            return None
        kind, _, name = step.target.partition(":")
        view = self.window.canvas.view
        if kind == "item":
            box = view.source.scene.bounds_of([name])
            if box is None or not view.isVisible():
                return None
            spot = view.mapFromScene(QRectF(*box)).boundingRect().intersected(view.viewport().rect())
            return None if spot.isEmpty() else QRect(view.viewport().mapTo(self.window, spot.topLeft()), spot.size())
        if kind == "dock":
            return self._of(self.window.docks.all[name])
        if kind == "bar":
            return self._of(self.window.canvas.path)
        return self._of(view)

    def _of(self, widget: QWidget) -> QRect | None:
        if not widget.isVisible():
            return None
        return QRect(widget.mapTo(self.window, widget.rect().topLeft()), widget.size())


def start_tour(window: MainWindow) -> Guide:
    """Begin the tour in a window, anew when it is under way."""
    guide = window.findChild(Guide)
    if guide is None:
        guide = Guide(window)
    guide.start()
    return guide
