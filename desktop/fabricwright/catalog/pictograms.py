"""Which pictogram stands for a kind of part, on the sheet, in lists and on paper (names in ``resources/icons``)."""

from __future__ import annotations

PICTOGRAMS: dict[str, str] = {
    "backplane": "storage",
    "baseboard": "nvlink-nvswitch",
    "bmc": "settings",
    "cable": "cable",
    "chassis": "server",
    "chipset": "cpu",
    "cpu": "cpu",
    "cxl": "cxl-memory",
    "dimm": "cxl-memory",
    "external-box": "server",
    "fibre": "cable",
    "gpu": "gpu",
    "lom": "nic",
    "management-server": "server",
    "nic": "nic",
    "nvlink-bridge": "nvlink-nvswitch",
    "nvlink-switch": "nvlink-nvswitch",
    "nvme": "storage",
    "nvswitch": "nvlink-nvswitch",
    "optic": "optic",
    "pcie-cable": "cable",
    "pcie-switch": "pcie-switch",
    "pcie-switch-card": "pcie-switch",
    "pdu": "power",
    "rack": "rack",
    "retimer": "retimer",
    "riser": "pcie-switch",
    "server": "server",
    "storage-server": "storage",
    "switch": "leaf-switch",
}


def pictogram(kind: str) -> str:
    """Icon name of a kind; a plain box for kinds without a picture of their own."""
    return PICTOGRAMS.get(kind, "package")
