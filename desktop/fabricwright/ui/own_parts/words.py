"""Words of the catalogue as people read them: kinds of parts, places inside a part."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fabricwright.catalog.store import catalogue
from fabricwright.ui.i18n import current_language


def kind_name(kind: str) -> str:
    """What a kind of part is called; the kind itself where it has no word."""
    return {
        "server": QCoreApplication.translate("OwnPart", "Server"),
        "chassis": QCoreApplication.translate("OwnPart", "Chassis"),
        "storage-server": QCoreApplication.translate("OwnPart", "Storage server"),
        "management-server": QCoreApplication.translate("OwnPart", "Management server"),
        "switch": QCoreApplication.translate("OwnPart", "Switch"),
        "gpu": "GPU",
        "cpu": "CPU",
        "nic": QCoreApplication.translate("OwnPart", "NIC"),
        "cxl": QCoreApplication.translate("OwnPart", "CXL memory"),
        "nvme": "NVMe",
        "retimer": QCoreApplication.translate("OwnPart", "Retimer"),
        "pcie-switch": QCoreApplication.translate("OwnPart", "PCIe switch"),
        "pcie-switch-card": QCoreApplication.translate("OwnPart", "PCIe switch card"),
        "external-box": QCoreApplication.translate("OwnPart", "External box"),
        "riser": QCoreApplication.translate("OwnPart", "Riser"),
        "cable": QCoreApplication.translate("OwnPart", "Cable"),
        "pcie-cable": QCoreApplication.translate("OwnPart", "PCIe cable"),
        "fibre": QCoreApplication.translate("OwnPart", "Fibre"),
        "optic": QCoreApplication.translate("OwnPart", "Transceiver"),
        "rack": QCoreApplication.translate("OwnPart", "Rack"),
        "pdu": QCoreApplication.translate("OwnPart", "PDU"),
    }.get(kind, kind)


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
