"""Commands about parts of the user's own: the menus reach what the palette of parts does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricwright.design.effective import effective
from fabricwright.ui.command_base import CommandGroup
from fabricwright.units.text import msg

if TYPE_CHECKING:
    from fabricwright.ui.panels.palette import PalettePanel


class OwnPartCommands(CommandGroup):
    """``own-part``, ``import-pack``, ``import-netbox``, ``export-pack``."""

    def connect_own_parts(self) -> None:
        """Connect the actions."""
        connect = self.actions.connect_to
        connect("own-part", self.own_part)
        connect("import-pack", lambda: self._palette().own.import_pack())
        connect("import-netbox", lambda: self._palette().own.import_netbox())
        connect("export-pack", lambda: self._palette().own.export_pack())

    def _palette(self) -> PalettePanel:
        from fabricwright.ui.panels.palette import PalettePanel

        panel = self.window.docks.panels["palette"]
        assert isinstance(panel, PalettePanel)
        return panel

    def own_part(self) -> None:
        """The form for a part like the one that is selected on the sheet, else like the one chosen in the list."""
        palette = self._palette()
        part = palette.current_part() if palette.tree.hasFocus() else self._selected_part() or palette.current_part()
        if part:
            palette.own.make_from(part)
        else:
            self.context.say(msg("Choose a part in the list or on the sheet first."), "warning")

    def _selected_part(self) -> str:
        """Part of the first selected item, the server's for a sheet of one; "" for none."""
        for row in self.context.selection:
            item = self.context.eff.items.get(row)
            of = item.of if item is not None else ""
            if of and of.startswith("sheet:"):
                of = effective(self.context.project, self.context.design_row, of[6:]).chassis
            if of:
                return of
        return ""
