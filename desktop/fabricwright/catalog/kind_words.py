"""What the kinds of parts are called in sentences and tables."""

from __future__ import annotations

from fabricwright.units.text import N_, Message, msg

_WORDS = {
    "aux-cable": N_("auxiliary power cable"),
    "backplane": N_("backplane"),
    "baseboard": N_("baseboard"),
    "bmc": N_("management controller"),
    "cable": N_("cable"),
    "cable-cartridge": N_("cable cartridge"),
    "chassis": N_("chassis"),
    "chipset": N_("chipset"),
    "connector": N_("connector"),
    "cooling": N_("cooling"),
    "cpu": N_("processor"),
    "cxl": N_("CXL memory"),
    "dimm": N_("memory module"),
    "dimm-rule": N_("memory population"),
    "external-box": N_("external box"),
    "feed": N_("power feed"),
    "fibre": N_("fibre cable"),
    "fibre-panel": N_("patch panel"),
    "gpu": N_("GPU"),
    "lom": N_("onboard network"),
    "management-server": N_("management server"),
    "nic": N_("NIC"),
    "nvlink-bridge": N_("NVLink bridge"),
    "nvlink-switch": N_("NVLink switch"),
    "nvme": N_("NVMe drive"),
    "nvswitch": N_("NVSwitch"),
    "optic": N_("transceiver"),
    "pcie-cable": N_("PCIe cable"),
    "pcie-switch": N_("PCIe switch"),
    "pcie-switch-card": N_("PCIe switch card"),
    "pdu": N_("PDU"),
    "power-cord": N_("power cord"),
    "power-shelf": N_("power shelf"),
    "rack": N_("rack"),
    "rack-set": N_("rack set"),
    "retimer": N_("retimer"),
    "riser": N_("riser"),
    "server": N_("server"),
    "storage-server": N_("storage server"),
    "switch": N_("network switch"),
}


def kind_words(kind: str) -> Message:
    """``network switch`` of ``switch``; a kind of a pack that the program does not know keeps its id."""
    return Message(_WORDS[kind]) if kind in _WORDS else msg("{kind}", kind=kind)
