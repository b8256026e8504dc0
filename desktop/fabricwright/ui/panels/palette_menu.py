"""Menus of the palette: what can be done with a part, and with the user's own parts as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu

from fabricwright.catalog.store import catalogue
from fabricwright.ui.icons import icon

if TYPE_CHECKING:
    from fabricwright.ui.own_parts.verbs import OwnPartVerbs


def fill_part_menu(menu: QMenu, own: OwnPartVerbs, part: str) -> None:
    """Make one's own from it; edit, remove and export what is one's own already; import."""
    make = QCoreApplication.translate("Palette", "Make own part from this…")
    menu.addAction(icon("duplicate"), make, lambda: own.make_from(part))
    if part in catalogue().own_ids():
        menu.addAction(icon("edit"), QCoreApplication.translate("Palette", "Edit…"), lambda: own.edit(part))
        menu.addAction(icon("delete"), QCoreApplication.translate("Palette", "Remove…"), lambda: own.remove(part))
        menu.addSeparator()
        export = QCoreApplication.translate("Palette", "Export as pack…")
        menu.addAction(icon("export"), export, lambda: own.export_pack([part]))
    else:
        menu.addSeparator()
    _imports(menu, own)


def fill_more(menu: QMenu, own: OwnPartVerbs) -> None:
    """Without a part: packs and device types."""
    _imports(menu, own)
    menu.addSeparator()
    export = menu.addAction(
        icon("export"), QCoreApplication.translate("Palette", "Export my parts as pack…"), lambda: own.export_pack()
    )
    export.setEnabled(bool(catalogue().own_ids()))


def _imports(menu: QMenu, own: OwnPartVerbs) -> None:
    pack = QCoreApplication.translate("Palette", "Import pack…")
    menu.addAction(icon("import"), pack, lambda: own.import_pack())
    netbox = QCoreApplication.translate("Palette", "Import NetBox device type…")
    menu.addAction(icon("import"), netbox, lambda: own.import_netbox())
