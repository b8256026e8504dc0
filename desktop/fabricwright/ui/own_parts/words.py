"""Words of the catalogue as people read them: kinds of parts, places inside a part."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.store import catalogue
from fabricwright.ui.i18n import current_language
from fabricwright.ui.panels.inspector_texts import kind_name as part_kind_name


def kind_name(kind: str) -> str:
    """What a kind of part is called in the form, where a chassis is told from a server."""
    return QCoreApplication.translate("OwnPart", "Chassis") if kind == "chassis" else part_kind_name(kind)


def table_name(table: str) -> str:
    """Title of a page of the form."""
    return {
        "general": QCoreApplication.translate("OwnPart", "General"),
        "figures": QCoreApplication.translate("OwnPart", "Figures"),
        "ports": QCoreApplication.translate("OwnPart", "Ports"),
        "cages": QCoreApplication.translate("OwnPart", "Cages"),
        "modes": QCoreApplication.translate("OwnPart", "Modes"),
        "slots": QCoreApplication.translate("OwnPart", "Slots"),
        "interior": QCoreApplication.translate("OwnPart", "Inside"),
    }.get(table, table)


def place_name(place: str) -> str:
    """``figures.power_w`` as "Figures: Typical power", ``cages.17.type`` as "Cages: 17, Type"."""
    head, _, rest = place.partition(".")
    whole = {
        "id": QCoreApplication.translate("OwnPart", "Id"),
        "kind": QCoreApplication.translate("OwnPart", "Kind"),
        "vendor": QCoreApplication.translate("OwnPart", "Vendor"),
        "model": QCoreApplication.translate("OwnPart", "Model"),
        "source": QCoreApplication.translate("OwnPart", "Source"),
        "confidence": QCoreApplication.translate("OwnPart", "How sure"),
        "note": QCoreApplication.translate("OwnPart", "Note"),
        "default_mode": QCoreApplication.translate("OwnPart", "Default mode"),
        "names": QCoreApplication.translate("OwnPart", "Name"),
    }.get(head)
    if whole is not None:
        return whole if head != "names" else f"{whole} ({rest})"
    if not rest:
        return table_name(head)
    if head == "figures":
        info = catalogue().figure_info(rest)
        rest = info.get(current_language()) or info.get("en") or rest
    return QCoreApplication.translate("OwnPart", "{table}: {place}").format(table=table_name(head), place=rest)
