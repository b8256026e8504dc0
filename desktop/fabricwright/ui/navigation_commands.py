"""Commands that go somewhere: find, command palette, back and forward, open and leave."""

from __future__ import annotations

from fabricwright.ui.command_base import CommandGroup
from fabricwright.ui.navigation.entry import Entry


class NavigationCommands(CommandGroup):
    """Bars and lists are made when they are first asked for."""

    def connect_navigation(self) -> None:
        """Connect the actions; the canvas exists."""
        from fabricwright.ui.navigation.visited import VisitedPlaces

        view = self.window.canvas.view
        self.visited = VisitedPlaces(self.context, view)
        self.visited.changed.connect(self._refresh_travel)
        view.travel_asked.connect(self.travel)
        connect = self.actions.connect_to
        connect("back", lambda: self.travel(-1))
        connect("forward", lambda: self.travel(1))
        connect("find", self.find)
        connect("find-next", lambda: self.find_step(1))
        connect("find-previous", lambda: self.find_step(-1))
        connect("command-palette", lambda: self.palette(""))
        connect("place-part", lambda: self.palette("+"))
        connect("enter", self.enter)
        connect("up", self.up)
        self._refresh_travel()

    def _refresh_travel(self) -> None:
        self.actions.set_enabled(("back",), self.visited.possible(-1))
        self.actions.set_enabled(("forward",), self.visited.possible(1))

    def travel(self, step: int) -> None:
        """Back (-1) or forward (+1) through what was looked at."""
        self.window.canvas.tool.cancel()
        self.visited.go(step)

    def find(self) -> None:
        """The find field over the sheet."""
        self.find_bar().ask()

    def find_step(self, by: int) -> None:
        """Next or previous of what was found last; asks when nothing was."""
        bar = self.find_bar()
        if bar.field.text().strip():
            bar.ask()
            bar.step(by)
        else:
            bar.ask()

    def find_bar(self):  # type: ignore[no-untyped-def]
        """The bar, made once."""
        from fabricwright.ui.navigation.find_bar import FindBar

        canvas = self.window.canvas
        if canvas.find_bar is None:
            canvas.find_bar = FindBar(self.context, canvas.view)
        return canvas.find_bar

    def palette(self, prefix: str) -> None:
        """Commands, parts, findings and places by a few letters; ``prefix`` narrows it ("+" parts)."""
        from fabricwright.ui.navigation.palette import CommandPalette, run_entry

        if self.window.palette_box is None:

            def run(entry: Entry) -> None:
                run_entry(self.context, self.actions, entry)

            self.window.palette_box = CommandPalette(self.context, self.actions, run, self.window)
        self.window.palette_box.ask(prefix)

    def enter(self) -> None:
        """Drop the part that is held, else open the sheet behind the first selected row."""
        if self.window.canvas.tool.accept():
            return
        for row in self.context.selection[:1]:
            self.window.canvas.tool.enter(row, self.document.members.get(row))

    def up(self) -> None:
        """Back to the fabric sheet, with the server selected."""
        host = self.context.host
        self.context.open_sheet(self.context.design_row.root, "")
        if host:
            self.document.select([host])
