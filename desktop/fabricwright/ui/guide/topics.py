"""Which page of the guide is about what has the keyboard."""

from __future__ import annotations

from PySide6.QtWidgets import QDockWidget, QWidget

from fabricwright.ui.guide.pages import FIRST

#: Page by dock, tab of the dock below, or view of the middle.
PLACES = {
    "palette": "catalogue",
    "inspector": "fabric",
    "problems": "problems",
    "statements": "statements",
    "outline": "fabric",
    "paths": "performance",
    "training": "training",
    "history": "saving",
    "performance": "performance",
    "racks": "racks",
    "compare": "compare",
    "bill": "parts-list",
    "health": "network",
    "sweep": "sweeps",
}

#: Page by class of a dialog.
DIALOGS = {
    "SizingWizard": "sizing",
    "WiringDialog": "fabric",
    "RepeatDialog": "fabric",
    "ReplaceDialog": "fabric",
    "SeatDialog": "racks",
    "ApproveDialog": "problems",
    "WorkloadDialog": "training",
    "LayoutsDialog": "training",
    "SettingsExportDialog": "network",
    "PriceListDialog": "parts-list",
    "SparesDialog": "parts-list",
    "LabelDialog": "parts-list",
    "ExportDialog": "report",
    "PackDialog": "report",
    "PartForm": "catalogue",
    "PackExport": "catalogue",
    "PackImport": "catalogue",
    "NetboxDialog": "catalogue",
    "SnapshotsDialog": "saving",
    "ShortcutDialog": "shortcuts",
}


def page_for(focus: QWidget | None, *, view: str, tab: str, inside_server: bool) -> str:
    """Page about the widget with the focus. ``view`` of the middle, ``tab`` that is shown below, and whether a server's
    sheet is open decide where the widget alone does not.
    """
    widget = focus
    while widget is not None:
        if type(widget).__name__ in DIALOGS:
            return DIALOGS[type(widget).__name__]
        if isinstance(widget, QDockWidget):
            name = widget.objectName().removeprefix("dock.")
            name = tab if name == "problems" else name
            if name == "inspector" and inside_server:
                return "servers"
            return PLACES.get(name, FIRST)
        if type(widget).__name__ == "WelcomePage":
            return FIRST
        widget = widget.parentWidget()
    if view in PLACES:
        return PLACES[view]
    return "servers" if inside_server else "fabric"
