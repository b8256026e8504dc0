"""Path classes and their names (docs/path-classes.md): the PCI class is what is drawn, every other word
follows from it.
"""

from __future__ import annotations

from fabricwright.topology.model import NcclClass, PciClass

NCCL_OF_PCI: dict[PciClass, NcclClass] = {
    PciClass.SELF: NcclClass.LOC,
    PciClass.FUNCTION: NcclClass.PIX,
    PciClass.SWITCH: NcclClass.PIX,
    PciClass.CASCADE: NcclClass.PXB,
    PciClass.HOST_BRIDGE: NcclClass.PHB,
    PciClass.NUMA_NODE: NcclClass.PHB,
    PciClass.SOCKET: NcclClass.SYS,
    PciClass.NETWORK: NcclClass.NET,
    PciClass.NONE: NcclClass.DIS,
}

SMI_OF_PCI: dict[PciClass, str] = {
    PciClass.SELF: "X",
    PciClass.FUNCTION: "PIX",
    PciClass.SWITCH: "PIX",
    PciClass.CASCADE: "PXB",
    PciClass.HOST_BRIDGE: "PHB",
    PciClass.NUMA_NODE: "NODE",
    PciClass.SOCKET: "SYS",
    PciClass.NETWORK: "-",
    PciClass.NONE: "-",
}

LEVELS: dict[str, NcclClass] = {c.name: c for c in NcclClass if c <= NcclClass.SYS}


def level(value: object, default: NcclClass) -> NcclClass:
    """A level of ``nccl.p2p_level`` or ``nccl.gdr_level``; NCCL's old numbers 0-5 too. Unknown words count as
    the default.
    """
    if isinstance(value, str):
        return LEVELS.get(value.strip().upper(), default)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        old = (NcclClass.LOC, NcclClass.PIX, NcclClass.PXB, NcclClass.PHB, NcclClass.SYS, NcclClass.SYS)
        return old[min(max(int(value), 0), 5)]
    return default


def flag(value: object, default: bool) -> bool:
    """An on/off setting: true, 1, "on", "yes" against false, 0, "off", "no"."""
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return value != 0
    if isinstance(value, str):
        return value.strip().lower() in ("1", "on", "yes", "true", "enable", "enabled")
    return default


def flattened(pci: PciClass, bridges: int, fused: int) -> NcclClass:
    """NCCL's class after it fused the two levels of a Broadcom chip: ``bridges`` as shown, ``fused`` after fusing."""
    if pci in (PciClass.SWITCH, PciClass.CASCADE):
        return NcclClass.PIX if min(bridges, fused) <= 1 else NcclClass.PXB
    return NCCL_OF_PCI[pci]
