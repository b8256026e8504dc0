"""Commands that arrange what is selected: align, distribute, stack, lock, group, repeat."""

from __future__ import annotations

from typing import Any

from fabricwright.design.frames import group_of
from fabricwright.ui.canvas.copies import free_slots, make_copies
from fabricwright.ui.canvas.selected import boxes_of, chosen_groups, movable
from fabricwright.ui.command_base import CommandGroup
from fabricwright.units.text import msg

ALIGN = ("left", "center", "right", "top", "middle", "bottom")
ORDERS = ("front", "forward", "backward", "back")
#: Commands that need something on the sheet to be selected, by how many at least.
NEEDS = {
    1: ("group", "ungroup", "lock", "unlock", "repeat", *(f"order-{order}" for order in ORDERS)),
    2: tuple(f"align-{edge}" for edge in ALIGN),
    3: ("distribute-horizontally", "distribute-vertically"),
}


class ArrangeCommands(CommandGroup):
    """Commands of the arrange menu."""

    def connect_arrange(self) -> None:
        """Connect the actions."""
        connect = self.actions.connect_to
        for edge in ALIGN:
            connect(f"align-{edge}", lambda e=edge: self.align(e))
        connect("distribute-horizontally", lambda: self.distribute("x"))
        connect("distribute-vertically", lambda: self.distribute("y"))
        for order in ORDERS:
            connect(f"order-{order}", lambda o=order: self.order(o))
        connect("lock", lambda: self.lock(True))
        connect("unlock", lambda: self.lock(False))
        connect("group", self.group)
        connect("ungroup", self.ungroup)
        connect("repeat", self.repeat)
        connect("link-selection", self.wire)
        self.window.canvas.tool.wiring_asked.connect(self.wire_ends)

    def refresh_arrange(self) -> None:
        """Which of them make sense for the selection."""
        row, eff = self.context.sheet_row, self.context.eff
        drawn = {*row.notes, *row.frames, *row.pictures}
        ids = [i for i in self.context.selection if i in eff.items or i in drawn]
        loose = [i for i in ids if movable(self.context, i)]
        for least, names in NEEDS.items():
            self.actions.set_enabled(names, len(loose) >= least)
        locked = [i for i in ids if i in row.look and row.look[i].locked]
        self.actions.set_enabled(("lock",), bool(loose))
        self.actions.set_enabled(("unlock",), bool(locked))
        grouped = chosen_groups(self.context)
        self.actions.set_enabled(("group",), len(ids) >= 2)
        self.actions.set_enabled(("ungroup",), bool(grouped))
        self.actions.set_enabled(("link-selection",), row.kind == "fabric" and self._two_ends() is not None)
        self.actions.set_enabled(("repeat",), any(i in row.items or i in row.notes for i in ids))

    def _arrange(self, name: str, **args: Any) -> None:
        context = self.context
        ids = [i for i in context.selection if movable(context, i)]
        boxes = {k: list(v) for k, v in boxes_of(self.window.canvas.view.source.scene, ids).items()}
        ids = [i for i in ids if i in boxes]
        context.edit(name, {"ids": ids, "boxes": boxes, **args})

    def align(self, edge: str) -> None:
        """Line the selection up on an edge of all of it together."""
        self._arrange("align", edge=edge)

    def distribute(self, axis: str) -> None:
        """Equal gaps."""
        self._arrange("distribute", axis=axis)

    def order(self, order: str) -> None:
        """Bring to the front, send to the back, or one step."""
        self.context.edit("arrange", ids=self.context.selection, order=order)

    def lock(self, locked: bool) -> None:
        """Keep the selection where it is drawn, or let it go."""
        context = self.context
        known = {*context.eff.items, *context.sheet_row.notes}
        ids = [i for i in context.selection if i in known]
        scene = self.window.canvas.view.source.scene
        calls: list[Any] = []
        if locked:  # what the automatic layout placed is locked where it is seen now
            look = context.sheet_row.look
            places = {
                i: [box[0], box[1]]
                for i, box in boxes_of(scene, ids).items()
                if len(scene.rows_of(i)) == 1 and i not in context.sheet_row.notes and not (i in look and look[i].xy)
            }
            if places:
                calls.append(("move", {"places": places}))
        calls.append(("lock", {"ids": ids, "locked": locked}))
        if context.edit_all("Lock" if locked else "Unlock", calls) is not None:
            said = (
                msg("Locked in place: {count}.", count=len(ids))
                if locked
                else msg("Unlocked: {count}.", count=len(ids))
            )
            context.say(said)

    def group(self) -> None:
        """What is selected is picked and moved as one from now on."""
        row = self.context.sheet_row
        picked = dict.fromkeys(group_of(row, i) for i in self.context.selection if i not in row.links)
        ids = list(self.context.selection)
        if self.context.edit("group", ids=list(picked)) is not None:
            self.document.select(ids)

    def ungroup(self) -> None:
        """Take the outermost groups of the selection apart."""
        ids = list(self.context.selection)
        calls = [("ungroup", {"frame": frame}) for frame in chosen_groups(self.context)]
        if calls and self.context.edit_all("Ungroup", calls) is not None:
            self.document.select(ids)

    def _two_ends(self) -> tuple[str, str] | None:
        """The two items that are selected, None when it is not two."""
        chosen = [i for i in self.context.selection if i in self.context.eff.items]
        return (chosen[0], chosen[1]) if len(chosen) == 2 else None

    def wire(self) -> None:
        """Ask how to wire the two selected groups."""
        ends = self._two_ends()
        if ends is not None:
            self.wire_ends(*ends)

    def wire_ends(self, a: str, b: str) -> None:
        """Ask how to wire two ends of the fabric sheet."""
        from fabricwright.ui.wiring.dialog import wire_groups

        wire_groups(self.context, a, b, self.window)

    def repeat(self) -> None:
        """Several copies at equal steps; asks how many and how far."""
        from fabricwright.ui.repeat_dialog import ask_repeat

        context = self.context
        boxes = boxes_of(self.window.canvas.view.source.scene, context.selection)
        width = max((b[0] + b[2] for b in boxes.values()), default=0.0) - min(
            (b[0] for b in boxes.values()), default=0.0
        )
        height = max((b[1] + b[3] for b in boxes.values()), default=0.0) - min(
            (b[1] for b in boxes.values()), default=0.0
        )
        seated = [i for i in context.selection if i in context.sheet_row.items and context.sheet_row.items[i].seat]
        asked = ask_repeat(self.window, (width, height), len(free_slots(context, seated)) if seated else None)
        if asked is not None:
            self.make_copies(*asked)

    def make_copies(self, times: int, offset: tuple[float, float]) -> None:
        """Repeat the selection ``times`` times, each copy ``offset`` beside the one before."""
        make_copies(self.context, self.window.canvas.view.source.scene, self.context.selection, times, offset)
