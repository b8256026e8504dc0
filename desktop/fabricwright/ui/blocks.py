"""Reusable blocks of the user: a folder of ``.fwblock`` files beside the own parts, saved from and put on sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from fabricwright.design.edits.blocks import SUFFIX, BlockReport, block_report, load_block, make_block, save_block
from fabricwright.resources import user_data_path
from fabricwright.ui import dialogs
from fabricwright.ui.context import UiContext
from fabricwright.units.errors import UserError
from fabricwright.units.natural import natural_key
from fabricwright.units.os_reasons import reason_of
from fabricwright.units.text import msg

#: What the palette and the pointer call a block: this, and the name of its file.
PREFIX = "block:"
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f]+')


def folder() -> Path:
    """Where the user's blocks lie; made when the first is saved."""
    return user_data_path("blocks")


def block_names() -> list[str]:
    """Names (``block:Rack of 8``) of the user's blocks."""
    place = folder()
    if not place.is_dir():
        return []
    return [f"{PREFIX}{path.stem}" for path in sorted(place.glob(f"*{SUFFIX}"), key=lambda p: natural_key(p.stem))]


def path_of(name: str) -> Path:
    """File of a block of the user."""
    return folder() / f"{name.removeprefix(PREFIX)}{SUFFIX}"


def is_block(name: str) -> bool:
    """Whether a name of the palette is a block's."""
    return name.startswith(PREFIX)


@lru_cache(maxsize=32)
def _read(path: str, _stamp: float) -> dict[str, Any]:
    return load_block(path)


def block_of(name: str) -> dict[str, Any]:
    """A block of the user. Raises UserError."""
    path = path_of(name)
    try:
        stamp = path.stat().st_mtime
    except OSError as error:
        raise UserError(msg("The block '{name}' is gone.", name=name.removeprefix(PREFIX))) from error
    return _read(str(path), stamp)


def kind_of(name: str) -> str:
    """Kind of sheet that a block is made for: fabric or server; "" when it cannot be read."""
    try:
        return str(block_of(name)["clip"].get("kind", ""))
    except (UserError, KeyError):
        return ""


def size_of(block: Mapping[str, Any]) -> tuple[float, float]:
    """Width and height it takes on a sheet, roughly, for the outline on the pointer."""
    look = block["clip"].get("look") or {}
    spots = [row["xy"] for row in look.values() if isinstance(row, Mapping) and len(row.get("xy") or ()) == 2]
    if not spots:
        return 380.0, 120.0
    xs, ys = [float(x) for x, _ in spots], [float(y) for _, y in spots]
    return max(xs) - min(xs) + 300.0, max(ys) - min(ys) + 110.0


def save_selection(context: UiContext, parent: QWidget) -> str:
    """Ask for a name and keep the selection, else the sheet, as a block. Its name, "" when nothing was kept."""
    rows = [i for i in context.selection if _stored(context, i)]
    try:
        block = make_block(context.project, design=context.design, sheet=context.sheet, ids=rows or None)
    except UserError as error:
        context.say(error.message, "warning")
        return ""
    title = dialogs.ask_text(
        parent,
        QCoreApplication.translate("Blocks", "Save as block"),
        QCoreApplication.translate("Blocks", "Name of the block"),
        str(block["title"]),
    )
    return keep(context, {**block, "title": title.strip()}) if title and title.strip() else ""


def keep(context: UiContext, block: dict[str, Any]) -> str:
    """Write a block into the user's folder, under a name that is free. Its name, "" when it could not be written."""
    stem = " ".join(_UNSAFE.sub(" ", str(block["title"])).split()).strip(" .")[:80] or "block"
    place = folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
        path, n = place / f"{stem}{SUFFIX}", 2
        while path.exists():
            path, n = place / f"{stem} {n}{SUFFIX}", n + 1
        save_block(block, path)
    except OSError as error:
        context.say(msg("The block cannot be kept: {reason}.", reason=reason_of(error)), "error")
        return ""
    except UserError as error:
        context.say(error.message, "error")
        return ""
    context.say(msg("Kept as '{name}' among your blocks.", name=path.stem))
    context.catalogue_changed.emit([])
    return f"{PREFIX}{path.stem}"


def _stored(context: UiContext, row_id: str) -> bool:
    row = context.sheet_row
    return any(row_id in table for table in (row.items, row.notes, row.frames, row.pictures))


def remove(context: UiContext, name: str, parent: QWidget) -> bool:
    """Delete a block of the user after asking; what was drawn from it stays."""
    if not dialogs.ask_yes(
        parent,
        QCoreApplication.translate("Blocks", "Delete the block '{name}'?").format(name=name.removeprefix(PREFIX)),
    ):
        return False
    try:
        path_of(name).unlink(missing_ok=True)
    except OSError as error:
        context.say(msg("The block cannot be deleted: {reason}.", reason=reason_of(error)), "error")
        return False
    context.catalogue_changed.emit([])
    return True


def insert(context: UiContext, block: Mapping[str, Any], at: tuple[float, float] | None, parent: QWidget) -> bool:
    """Put a block on the open sheet; asks whose copy counts where parts differ. False when nothing was put."""
    try:
        report = block_report(context.project, block)
    except UserError as error:
        context.say(error.message, "error")
        return False
    parts = "keep"
    if any(news.state == "differs" for news in report.parts):
        answer = ask_parts(parent, report)
        if not answer:
            return False
        parts = answer
    row = context.sheet_row
    before = {*row.items, *row.notes, *row.pictures}
    args: dict[str, Any] = {"block": block, "parts": parts}
    if at is not None:
        args["at_xy"] = [at[0], at[1]]
    if context.edit("insert_block", args) is None:
        return False
    row = context.sheet_row
    context.document.select([i for i in (*row.items, *row.notes, *row.pictures) if i not in before])
    return True


def ask_parts(parent: QWidget, report: BlockReport) -> str:
    """``keep``, ``take`` or "": which copy of parts that differ counts."""
    differing = [news for news in report.parts if news.state == "differs"]
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Fabricwright")
    text = QCoreApplication.translate("Blocks", "{count} parts of the block differ from those of the project.")
    box.setText(text.format(count=len(differing)))
    box.setInformativeText(", ".join(news.part for news in differing[:12]))
    keep_button = box.addButton(
        QCoreApplication.translate("Blocks", "Keep the project's"), QMessageBox.ButtonRole.AcceptRole
    )
    take = box.addButton(QCoreApplication.translate("Blocks", "Take the block's"), QMessageBox.ButtonRole.ActionRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(keep_button)
    box.exec()
    if box.clickedButton() is keep_button:
        return "keep"
    return "take" if box.clickedButton() is take else ""
