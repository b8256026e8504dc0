"""Commands that change the open sheet: clipboard, delete, rename, notes, tidy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QCoreApplication, QPointF
from PySide6.QtGui import QGuiApplication

from fabricwright.design.edits.blocks import load_block
from fabricwright.design.edits.clipboard import clip_of_bytes
from fabricwright.design.values import Note
from fabricwright.ui import blocks, dialogs
from fabricwright.ui.canvas.cable_plan import cut_args
from fabricwright.ui.canvas.clip import copy_clip, paste_clip
from fabricwright.ui.canvas.copies import make_copies
from fabricwright.ui.clip_picture import picture_data
from fabricwright.ui.command_base import CommandGroup
from fabricwright.ui.picture_commands import ask_file, insert_file, insert_image, picture_files
from fabricwright.units.errors import UserError
from fabricwright.units.text import msg

CLIP_MIME = "application/x-fabricwright-rows"


class EditCommands(CommandGroup):
    """Commands of the edit menu."""

    def copy(self) -> bool:
        """The selection to the clipboard: rows for Fabricwright, a picture and SVG for other programs."""
        scene = self.window.canvas.view.source.scene
        clip = copy_clip(self.context, scene, self.context.selection)
        if clip is None:
            return False
        text = json.dumps(clip, ensure_ascii=False)
        data = picture_data(scene, self.context.selection)
        data.setData(CLIP_MIME, QByteArray(text.encode("utf-8")))
        QGuiApplication.clipboard().setMimeData(data)
        return True

    def cut(self) -> None:
        """Copy, then delete."""
        if self.copy():
            self.delete()

    def clip(self) -> dict[str, Any] | None:
        """What the clipboard holds, if it is ours."""
        data = QGuiApplication.clipboard().mimeData()
        if data is None:
            return None
        ours = data.hasFormat(CLIP_MIME)
        raw = bytes(data.data(CLIP_MIME).data()) if ours else data.text().encode("utf-8", "replace")
        try:
            return clip_of_bytes(raw)
        except UserError:
            return None

    def paste(self, *, in_place: bool = False) -> None:
        """At the pointer when it is over the sheet, else beside the original."""
        clip = self.clip()
        data = QGuiApplication.clipboard().mimeData()
        if clip is None and data is not None and (picture_files(data) or data.hasImage()):
            centre = self.window.canvas.view.centre()
            for path in picture_files(data):
                insert_file(self.context, path, centre)
            if not picture_files(data):
                insert_image(self.context, QGuiApplication.clipboard().image(), centre)
            return
        if clip is None:
            self.context.say(msg("The clipboard holds no parts of a Fabricwright sheet."), "warning")
            return
        view = self.window.canvas.view
        at: tuple[float, float] | None = None
        if not in_place and view.underMouse():
            where: QPointF = view.mapToScene(view.viewport().mapFromGlobal(view.cursor().pos()))
            at = (round(where.x() / 10) * 10.0, round(where.y() / 10) * 10.0)
        paste_clip(self.context, clip, at)

    def duplicate(self) -> None:
        """A copy beside the selection; a card takes the next slot that suits it."""
        make_copies(self.context, self.window.canvas.view.source.scene, self.context.selection, 1, (20.0, 20.0))

    def delete(self) -> None:
        """Remove the selected rows and what hangs on them; of a bundle with single cables chosen, cut those."""
        eff = self.context.eff
        row = self.context.sheet_row
        only = self.context.selection[0] if len(self.context.selection) == 1 else ""
        cables = self.document.members.get(only)
        if only in row.links and cables:
            self.context.edit_all("Move cable", [("move_cable", cut_args(only, row.links[only], n)) for n in cables])
            self.document.select([only])
            return
        drawn = {*row.notes, *row.frames, *row.pictures}
        ids = [
            i
            for i in self.context.selection
            if i in eff.items or i in row.links or i in drawn or i in eff.builtin_links
        ]
        ids = [i for i in ids if "/" not in i and i not in eff.builtin_links]
        if ids:
            self.context.edit("remove", ids=ids)

    def rename(self) -> None:
        """Inline editor on the first selected row."""
        if self.context.selection:
            self.window.canvas.rename(self.context.selection[0])

    def group_size(self) -> None:
        """Count and axes of the first selected item, in place."""
        row = next((i for i in self.context.selection if i in self.context.sheet_row.items), None)
        if row is not None:
            self.window.canvas.edit_size(row)

    def expand_group(self) -> None:
        """Draw the members of the selected groups one by one, or each group as one card again. Drawing only: counts,
        cables and figures stay as they are."""
        row = self.context.sheet_row
        groups = [i for i in self.context.selection if i in row.items and row.items[i].count > 1]
        if not groups:
            self.context.say(msg("Select a group with several members first."), "info")
            return
        wanted = not all(i in row.look and row.look[i].open for i in groups)
        self.context.edit_all("Change drawing", [("set_look", {"item": i, "open": wanted}) for i in groups])

    def select_all(self) -> None:
        """Every row on the sheet."""
        row = self.context.sheet_row
        self.document.select([*self.context.eff.items, *row.links, *row.notes, *row.pictures])

    def add_note(self) -> None:
        """A note in the middle of the view."""
        from fabricwright.design.edits.places import fresh_id, ids_of
        from fabricwright.design.patch import PatchBuilder

        centre = self.window.canvas.view.centre()
        builder = PatchBuilder(self.context.project)
        note_id = fresh_id("note", ids_of(self.context.sheet_row))
        note = Note(
            QCoreApplication.translate("Commands", "Note"),
            (round(centre.x() / 10) * 10.0, round(centre.y() / 10) * 10.0),
        )
        builder.set(("designs", self.context.design, "sheets", self.context.sheet, "notes", note_id), note)
        self.document.push(builder.patch("Add note"))
        self.document.select([note_id])

    def add_picture(self) -> None:
        """A logo or another picture from a file, in the middle of the view."""
        folder = str(self.window.session.folder())
        ask_file(self.context, self.window, folder, self.window.canvas.view.centre())

    def save_block(self) -> None:
        """Keep the selection, or the whole sheet, as a block for other projects."""
        blocks.save_selection(self.context, self.window)

    def insert_block(self) -> None:
        """A block from a file, in the middle of the view."""
        known = blocks.folder()
        start = str(known) if known.is_dir() else str(self.window.session.folder())
        path = dialogs.ask_block(self.window, start)
        if path is not None:
            self.insert_block_file(path)

    def insert_block_file(self, path: Path) -> bool:
        """Put a block file on the open sheet. False when it could not be read or put."""
        try:
            block = load_block(path)
        except UserError as error:
            self.context.say(error.message, "error")
            return False
        centre = self.window.canvas.view.centre()
        w, h = blocks.size_of(block)
        at = (round((centre.x() - w / 2) / 10) * 10.0, round((centre.y() - h / 2) / 10) * 10.0)
        return blocks.insert(self.context, block, at, self.window)

    def replace_part(self) -> None:
        """Another part for one of the project, wherever it stands; the one that is selected is proposed."""
        from fabricwright.ui.replace_dialog import replace_part

        replace_part(self.context, self.window, self._chosen_part())

    def _chosen_part(self) -> str:
        for row in self.context.selection:
            item = self.context.eff.items.get(row)
            of = item.of if item is not None else ""
            if of and of.startswith("sheet:"):
                of = self.context.design_row.sheets[of[6:]].chassis or ""
            if of and of in self.context.project.parts:
                return of
        return ""

    def add_frame(self) -> None:
        """A titled box around the selection; without one, in the middle of the view."""
        context = self.context
        title = QCoreApplication.translate("Commands", "Frame")
        held = [i for i in context.selection if i in context.eff.items or i in context.sheet_row.notes]
        before = set(context.sheet_row.frames)
        if held:
            done = context.edit("add_frame", ids=held, title=title)
        else:
            centre = self.window.canvas.view.centre()
            at = [round(centre.x() / 10) * 10.0 - 200, round(centre.y() / 10) * 10.0 - 120]
            done = context.edit("add_frame", xy=at, wh=[400.0, 240.0], title=title)
        if done is not None:
            self.document.select([i for i in context.sheet_row.frames if i not in before])

    def tidy(self) -> None:
        """Forget hand-made positions and bends (of the selection, or of everything): the automatic layout places it."""
        drawn = [i for i in self.context.selection if i in self.context.sheet_row.look]
        if self.context.edit("tidy", ids=drawn) and not drawn:
            self.window.canvas.view.fit(animate=True)
